"""The story on the console: what each period brought, what it folded into, what it came to want."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from cognifold_pg.cli.demo.lines import day, hour, line, number, told
from cognifold_pg.cli.demo.story import Change, Chapter, Concept, Happening, Sleep, Wish
from cognifold_pg.client import Memory
from cognifold_pg.results import Evidence

_BAR = 30  # characters, for all events
_CHANGES_SHOWN = 2
_CONCEPTS_SHOWN = 12
_EVENTS_SHOWN = 4
_HEIGHTS = "▁▂▃▄▅▆▇█"


# ------------------------------------------------------------------------------------------------ periods


def tell_chapters(console: Console, chapters: Sequence[Chapter], zone: ZoneInfo) -> None:
    """A line with the size of the graph for each period, and beneath it what happened."""
    console.print(f"{'until':<12}{'events':>8}{'concepts':>10}{'links':>8}", style="bold")
    most = max(1, chapters[-1].size.events)
    for chapter in chapters:
        size = chapter.size
        counted = f"{chapter.last.day!s:<12}{size.events:>8}{size.concepts:>10}{size.edges:>8}"
        console.print(Text(counted).append(f"  {'▇' * round(_BAR * size.events / most)}", style="cyan"))
        rows = _rows(console, chapter, zone)
        if rows:
            table = Table.grid(padding=(0, 1))
            table.add_column(style="dim", width=8)
            table.add_column()
            above = ""
            for name, text in rows:
                table.add_row("" if name == above else name, text)
                above = name
            console.print(Padding(table, (0, 0, 0, 2)))


def _rows(console: Console, chapter: Chapter, zone: ZoneInfo) -> list[tuple[str, Text]]:
    rows: list[tuple[str, Text]] = []
    if chapter.born:
        rows.append(("new", Text(" · ".join(chapter.born), style="cyan")))
    rows += [("by hand", Text(f"{title} (a concept you wrote down)", style="cyan")) for title in chapter.stated]
    rows += [("rising", Text(_changes(chapter.rising), style="green"))] if chapter.rising else []
    rows += [("fading", Text(_changes(chapter.fading), style="dim"))] if chapter.fading else []
    rows += [("intent", _happened(console, happening, zone)) for happening in chapter.happenings]
    rows += [("asleep", sentence) for sentence in (_slept(chapter.sleep) if chapter.sleep else [])]
    return rows


def _changes(changes: Sequence[Change]) -> str:
    shown = [f"{change.title} {change.before:.1f} → {change.after:.1f}" for change in changes[:_CHANGES_SHOWN]]
    return " · ".join(shown) + (f" · and {left} more" if (left := len(changes) - _CHANGES_SHOWN) > 0 else "")


def _happened(console: Console, happening: Happening, zone: ZoneInfo) -> Text:
    local = happening.moment.astimezone(zone)
    text = f"{local.day} {local:%b} {happening.what}: {happening.title}"
    return line(console, text, indent=11, style="bold" if happening.what in ("emerges", "returns") else "")


def _slept(sleep: Sleep) -> list[Text]:
    """The counts in one line, then a line for each concept merged or tied in, with its reason."""
    counts = [f"{number(sleep.replayed, 'event')} replayed"] if sleep.replayed else []
    if sleep.faded:
        counts.append(f"{number(sleep.faded, 'link')} forgotten ({sleep.fading_reason})")
    if sleep.archived:
        counts.append(f"{number(sleep.archived, 'event')} archived (settled, and idle since)")
    return [
        *([Text(", ".join(counts))] if counts else []),
        *(Text(f"merged: {reason}", style="magenta") for reason in sleep.merges),
        *(Text(f"tied in: {reason}", style="magenta") for reason in sleep.completions),
    ]


# ------------------------------------------------------------------------------------------------ concepts


def tell_concepts(console: Console, memory: Memory, concepts: Sequence[Concept], zone: ZoneInfo) -> None:
    """The largest concepts, each with how it rose and faded and its first events."""
    tree = Tree(
        Text(number(len(concepts), "concept"), style="bold").append(
            "  and how each rose and faded", style="not bold dim"
        )
    )
    # One scale for all: the tallest bar is the most evidence any had at the end of a period.
    most = max((mass for concept in concepts for mass in concept.masses), default=0)
    for concept in concepts[:_CONCEPTS_SHOWN]:
        add_concept(console, tree, concept.title, memory.explain(concept.id), zone, _curve(concept.masses, most))
    if len(concepts) > _CONCEPTS_SHOWN:
        tree.add(Text(f"and {len(concepts) - _CONCEPTS_SHOWN} smaller ones", style="dim"))
    console.print(Rule("what it folded into"), tree)


def add_concept(
    console: Console, tree: Tree, title: str, explained: Sequence[Evidence], zone: ZoneInfo, curve: str = ""
) -> None:
    """A branch with the concept's first events."""
    events = [row for row in explained if row.depth == 1 and row.kind == "event"]
    head = Text(title, style="bold cyan").append(f"  {number(len(events), 'event')}", style="not bold dim")
    branch = tree.add(head.append(f"  {curve}" if curve else "", style="not bold green"))
    for event in events[:_EVENTS_SHOWN]:
        branch.add(line(console, told(event.occurred_at, event.actor, event.content, zone), indent=8))
    if len(events) > _EVENTS_SHOWN:
        branch.add(Text(f"and {len(events) - _EVENTS_SHOWN} more", style="dim"))


def _curve(masses: Sequence[float], most: float) -> str:
    """A bar for each mass; a blank where there is none yet."""
    if most <= 0:
        return ""
    top = len(_HEIGHTS) - 1
    return "".join(_HEIGHTS[round(top * mass / most)] if mass > 0 else " " for mass in masses)


# ------------------------------------------------------------------------------------------------ intents


def tell_wishes(console: Console, wishes: Sequence[Wish], end: datetime, zone: ZoneInfo) -> None:
    """Each intent: its evidence, the moment the evidence sufficed, and what became of it until ``end``."""
    console.print(Rule("what it came to want, unasked"))
    if not wishes:
        console.print(Text("nothing: no concept had evidence enough that something is unmet", style="dim"))
    for wish in wishes:
        tree = Tree(Text(wish.title, style="bold yellow"))
        why, *quotes = wish.reason.splitlines() or [""]
        branch = tree.add(Text(why))
        for quote in quotes:
            branch.add(Text(quote))
        tree.add(_sufficed(wish, zone))
        for step in wish.steps:
            until = f" until {hour(step.wake_at, zone)}" if step.wake_at else ""
            who = "you" if step.answered else "what happened"
            tree.add(Text(f"{hour(step.at, zone)}: {step.to_status}{until}; {who}: “{' '.join(step.words.split())}”"))
        if returned := wish.returned(by=end):
            tree.add(Text(f"{hour(returned, zone)}: pending again, by itself", style="bold"))
        due = f", due {day(wish.deadline, zone)}" if wish.deadline else ""
        tree.add(Text(f"on {day(end, zone)}: {wish.status}{due}", style="bold"))
        console.print(tree)


def _sufficed(wish: Wish, zone: ZoneInfo) -> Text:
    """The moment it emerged, and the numbers it emerged by."""
    text = Text(f"{hour(wish.emerged, zone)}: ").append(f"{number(len(wish.evidence), 'event')} suffice", style="bold")
    if wish.readiness is not None and wish.theta is not None:
        text.append(f": readiness {wish.readiness:.2f}, bar {wish.theta:.2f} ({wish.category})")
    return text
