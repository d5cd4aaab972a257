"""What a planner is given and what it gives back: plain values, no database and no model in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID


@dataclass(frozen=True)
class WaitingEvent:
    """An event of the batch that is being folded, as it was remembered."""

    id: UUID
    title: str
    content: str
    occurred_at: datetime
    actor: str | None
    source: str | None
    payload: dict[str, Any] | None


@dataclass(frozen=True)
class KnownNode:
    """A node that is in the memory already: one of the context window, or a candidate to be reinforced."""

    id: UUID
    kind: str
    title: str
    content: str
    occurred_at: datetime
    evidence_count: int | None
    score: float | None


@dataclass(frozen=True)
class FoldRequest:
    """All a planner may know of the memory: a batch of events and what lies near them at one graph version.

    :ivar time_zone: the tenant's zone by its IANA name; words such as "tomorrow" are resolved in it.
    :ivar version: the graph's version when the context was read; a plan is refused if a node
        that it names has changed since.
    :ivar events: the waiting events, oldest first, 1 to 20.
    :ivar context: the context window, most important first.
    :ivar candidates: the concepts nearest to the events, nearest first.
    """

    tenant: str
    time_zone: str
    version: int
    events: tuple[WaitingEvent, ...]
    context: tuple[KnownNode, ...]
    candidates: tuple[KnownNode, ...]


@dataclass(frozen=True)
class Proposal:
    """A plan ready for ``apply_claimed`` (real uuids), and what it cost."""

    plan: dict[str, Any]
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int


class Planner(Protocol):
    """Whatever proposes plans for batches of events."""

    def propose(self, request: FoldRequest) -> Proposal:
        """A plan for the whole batch. Changes nothing, keeps nothing.

        :raises PlannerError: by its subclasses, see :mod:`cognifold_pg.planner.errors`.
        """
        ...
