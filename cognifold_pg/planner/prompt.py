"""A prompt for a batch: instructions by profile, then what the memory holds near the events, then the events.

Texts of others are quoted as JSON with ``<`` and ``>`` escaped too, so that nothing in them can end its own quotation,
close a block, or pass for a control token of a model's chat template. The same request gives the same prompt.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from cognifold_pg.planner.budget import estimated_tokens, trim_middle
from cognifold_pg.planner.errors import BudgetExceeded
from cognifold_pg.planner.profiles import Profile
from cognifold_pg.planner.request import FoldRequest, KnownNode, WaitingEvent
from cognifold_pg.planner.sections import SECTIONS

SHORT_TOKENS = 100  # of a title, an actor or a source
PAYLOAD_TOKENS = 200  # of the application's own fields
LEAST_EVENT_TOKENS = 48  # of an event's content: with less, a summary would be a guess

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True)
class Named:
    """What a short name stands for."""

    id: UUID
    kind: str
    occurred_at: datetime


@dataclass(frozen=True)
class Prompt:
    """What is sent, and what the names in it mean.

    :ivar names: short name -> node: e1 ... the batch, c1 ... candidates, n1 ... context.
    :ivar trimmed: events whose content was cut in the middle to fit.
    """

    system: str
    user: str
    names: dict[str, Named]
    trimmed: tuple[str, ...]

    @property
    def events(self) -> tuple[str, ...]:
        """The names of the batch's events."""
        return tuple(name for name in self.names if name.startswith("e"))

    @property
    def tokens(self) -> int:
        """Estimated, on the safe side."""
        return estimated_tokens(self.system) + estimated_tokens(self.user)


def compose(request: FoldRequest, profile: Profile, tokens: int) -> Prompt:
    """The prompt for a request in at most so many (estimated) tokens.

    What does not fit is left out in this order: context nodes from the least important on, candidates from the
    farthest on, both only down to half of the room; then the middles of the longest events; then the rest of the nodes.

    :raises BudgetExceeded: not even the beginnings and ends of the events fit.
    """
    zone = zone_named(request.time_zone)
    system = "\n\n".join(text for text in (SECTIONS[name](profile) for name in profile.sections) if text)
    events = {f"e{number}": event for number, event in enumerate(request.events, 1)}
    known = _shown_nodes(request, profile)

    heads = {name: _event_head(name, event, zone) for name, event in events.items()}
    lines = {name: quoted(_node(name, node, zone, profile.node_characters)) for name, node in known.items()}
    frame = estimated_tokens(system) + estimated_tokens(_user(request.time_zone, [], []))
    room = tokens - frame - sum(estimated_tokens(quoted(head | {"content": ""})) + 1 for head in heads.values())

    needs = {name: _content_tokens(event.content, room) for name, event in events.items()}
    costs = {name: estimated_tokens(line) + 1 for name, line in lines.items()}

    def taken() -> int:
        return sum(costs[name] for name in lines)

    def leave_out(least: int) -> None:
        while lines and taken() > least and sum(needs.values()) > room - taken():
            lines.popitem()

    leave_out(room // 2)
    shares = _shares(needs, room - taken())
    if any(shares[name] < min(needs[name], LEAST_EVENT_TOKENS) for name in needs):
        leave_out(0)
        shares = _shares(needs, room - taken())
    if any(shares[name] < min(needs[name], LEAST_EVENT_TOKENS) for name in needs):
        raise BudgetExceeded(
            f"{len(events)} event(s) do not fit {tokens} prompt tokens, even with their middles left out: {frame} of "
            "them are instructions. Fold fewer events at once, or raise the planner's budget."
        )
    shown = {
        name: trim_middle(event.content, shares[name], _quoted_tokens) if shares[name] < needs[name] else event.content
        for name, event in events.items()
    }
    user = _user(
        request.time_zone,
        list(lines.values()),
        [quoted(heads[name] | {"content": shown[name]}) for name in events],
    )
    meant = {name: Named(event.id, "event", event.occurred_at) for name, event in events.items()}
    meant |= {name: Named(known[name].id, known[name].kind, known[name].occurred_at) for name in lines}
    return Prompt(system, user, meant, tuple(name for name in events if shown[name] != events[name].content))


def quoted(value: Any) -> str:
    """JSON on one line that cannot close a tag or form a control token."""
    text = json.dumps(_clean(value), ensure_ascii=False, separators=(",", ":"))
    for character in "<>\u2028\u2029\u0085":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _clean(value: Any) -> Any:
    # A lone surrogate can't be sent as UTF-8, and no database holds a NUL: a caller's may.
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value


def _user(time_zone: str, nodes: Sequence[str], events: Sequence[str]) -> str:
    return "\n".join(
        [f"Time zone: {quoted(time_zone)}", "<memory>", *nodes, "</memory>", "<events>", *events, "</events>"]
    )


def _shown_nodes(request: FoldRequest, profile: Profile) -> dict[str, KnownNode]:
    seen = {event.id for event in request.events}
    shown: dict[str, KnownNode] = {}
    for letter, nodes, most in (("c", request.candidates, profile.candidates), ("n", request.context, profile.context)):
        number = 0
        for node in nodes:
            if node.id not in seen and number < most:
                seen.add(node.id)
                number += 1
                shown[f"{letter}{number}"] = node
    return shown


def _event_head(name: str, event: WaitingEvent, zone: tzinfo) -> dict[str, Any]:
    head: dict[str, Any] = {"name": name, **_moment(event.occurred_at, zone)}
    for field, value in (("actor", event.actor), ("source", event.source)):
        if value:
            head[field] = trim_middle(value, SHORT_TOKENS)
    # A headline made of the content itself ends in an ellipsis: what leads it says nothing new.
    if event.title and not event.content.startswith(event.title.rstrip(" .…")):
        head["title"] = trim_middle(event.title, SHORT_TOKENS)
    if event.payload:
        payload = json.dumps(event.payload, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=str)
        head["payload"] = trim_middle(payload, PAYLOAD_TOKENS, _quoted_tokens)
    return head


def _node(name: str, node: KnownNode, zone: tzinfo, characters: int) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": name, "kind": node.kind, "title": trim_middle(node.title, SHORT_TOKENS)}
    content = " ".join(node.content.split())
    if content and content != node.title:
        shown["content"] = content if len(content) <= characters else content[: characters - 1] + "…"
    shown |= _moment(node.occurred_at, zone)
    if node.evidence_count is not None:
        shown["evidence"] = node.evidence_count
    return shown


def _moment(moment: datetime, zone: tzinfo) -> dict[str, str]:
    try:
        local = moment.astimezone(zone)
    except OverflowError:  # the ends of the calendar
        local = moment
    # The weekday is written out: "next Friday" is reckoned from it, and models do not compute it well.
    return {"at": local.isoformat(timespec="minutes"), "day": WEEKDAYS[local.weekday()]}


def zone_named(name: str) -> tzinfo:
    """A zone by its IANA name; UTC where Python does not know it."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # PostgreSQL knows some names that Python does not
        return UTC


def _quoted_tokens(text: str) -> int:
    return estimated_tokens(quoted(text))


def _content_tokens(text: str, most: int) -> int:
    """Tokens of a text in the prompt; more than ``most`` is as good as any such number."""
    return max(most, 0) + 1 if len(text) > 4 * max(most, 0) + 100 else _quoted_tokens(text)


def _shares(needs: dict[str, int], room: int) -> dict[str, int]:
    """How many tokens each event's content gets: all it needs, or else an equal share of what the short ones leave."""
    shares: dict[str, int] = {}
    left = max(room, 0)
    for place, (name, need) in enumerate(sorted(needs.items(), key=lambda item: item[1])):
        shares[name] = min(need, left // (len(needs) - place))
        left -= shares[name]
    return shares
