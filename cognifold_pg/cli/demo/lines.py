"""Words on a line of the console."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.text import Text


def day(moment: datetime, zone: ZoneInfo) -> str:
    """4 May 2026."""
    local = moment.astimezone(zone)
    return f"{local.day} {local:%b %Y}"


def hour(moment: datetime, zone: ZoneInfo) -> str:
    """4 May 2026, 09:10."""
    return f"{day(moment, zone)}, {moment.astimezone(zone):%H:%M}"


def told(moment: datetime, actor: str | None, content: str, zone: ZoneInfo) -> str:
    """An event in a line: when, who, what."""
    who = f"{actor}: " if actor else ""
    return f"{day(moment, zone):>11}  {who}{' '.join(content.split())}"


def line(console: Console, text: str, indent: int = 0, style: str = "") -> Text:
    """``text`` cut to what is left of a line of the console."""
    cut = Text(text, style=style)
    cut.truncate(max(20, console.width - indent), overflow="ellipsis")
    return cut


def number(count: int, noun: str) -> str:
    """``1 event``, ``2 events``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
