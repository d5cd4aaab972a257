"""What the verbs answer: one frozen dataclass a kind of row, its fields named as the columns in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Recollection:
    """One row of ``recall``: a memory, its score, and the parts the score is made of.

    ``score = relevance * modulation``. ``cosine`` in [-1, 1] and ``keyword`` (BM25, unbounded) are raw and
    ``None`` where the signal did not find the memory; ``neighbours`` is what it received from the events just
    before and after it.
    """

    node_id: UUID
    kind: str
    title: str
    content: str
    occurred_at: datetime
    score: float
    actor: str | None
    source: str | None
    cosine: float | None
    keyword: float | None
    names_actor: bool
    neighbours: float
    relevance: float
    modulation: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """One row of ``explain``: the node itself (``depth`` 0) or something it rests on.

    ``relation`` is the type of the edge to ``supports``, ``weight`` in [0, 1] its weight as of the moment asked
    for; ``stated`` is False where the edge was inferred.
    """

    depth: int
    id: UUID
    kind: str
    title: str
    content: str
    occurred_at: datetime
    actor: str | None
    source: str | None
    relation: str | None
    supports: UUID | None
    weight: float | None
    stated: bool | None
    reasoning: str | None


@dataclass(frozen=True, slots=True)
class Folded:
    """One row of ``fold``: what became of an event. ``outcome``: folded, failed (tried again later) or dead."""

    event_id: UUID
    plan_id: UUID | None
    outcome: str
    operations: int


@dataclass(frozen=True, slots=True)
class ContextNode:
    """One row of ``context_window``: a memory to have in mind, its tier, and why it is there.

    ``tier`` is immediate, working, background or priority, and ``tier_score`` what that tier goes by.
    ``score = (.4 pagerank + .4 recency + .2 access) * urgency`` (CogniFold, Eq. 1): the first three in [0, 1],
    ``urgency`` in [1, 2]. ``diversity`` in [0, 1] is there in the background tier only.
    """

    tier: str
    node_id: UUID
    kind: str
    title: str
    score: float
    pagerank: float
    recency: float
    access: float
    urgency: float
    diversity: float | None
    tier_score: float
    occurred_at: datetime
    content: str


@dataclass(frozen=True, slots=True)
class NodeRank:
    """One row of ``pagerank``: ``rank`` in (0, 1], 1 for the tenant's highest."""

    node_id: UUID
    rank: float


@dataclass(frozen=True, slots=True)
class Stats:
    """The row of ``stats``: how large the memory is and how its work stands. Times are of the wall clock.

    ``edges_live`` weigh at least ``edge.fade`` at the memory's clock; ``folds_failed`` will be tried again,
    ``folds_dead`` will not. ``oldest_pending`` is when the longest waiting event was stored.
    """

    tenant_id: str
    events: int
    concepts: int
    intents: int
    times: int
    edges_live: int
    edges_faded: int
    folds_pending: int
    folds_failed: int
    folds_dead: int
    oldest_pending: datetime | None
    last_event: datetime | None
    last_fold: datetime | None
    last_consolidation: datetime | None
    embedding_model: str


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One row of ``health``: what was checked, whether it holds, and what was seen."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Violation:
    """One row of ``check``: an invariant that does not hold, where, and how."""

    invariant: str
    subject: str
    detail: str


@dataclass(frozen=True, slots=True)
class Stored:
    """What ``remember_many`` did: how many events are new, how many were known; ``ids`` in the order given."""

    new: int
    known: int
    ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Intent:
    """One row of ``emit_intents``: a goal nobody asked for, and why it is there.

    ``readiness``, made of ``density`` and ``pressure`` (all in [0, 1]), reached ``theta`` of its ``category``.
    ``reason`` quotes who said what; ``evidence`` holds the events it rests on, in order of event time;
    ``deadline`` is the earliest they name that is still ahead.
    """

    intent_id: UUID
    title: str
    category: str
    density: float
    theta: float
    reason: str
    deadline: datetime | None
    evidence: Sequence[UUID]
    pressure: float
    readiness: float


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What a pass of ``consolidate`` did.

    ``run_id`` is ``None`` where there was nothing to do; ``plans`` are the plans it wrote, in order. ``merges_left``
    counts pairs beyond the cap of a pass (setting ``consolidate.merge_share``), which the next one goes on with.
    """

    run_id: UUID | None
    as_of: datetime
    plans: tuple[UUID, ...]
    concepts_changed: int
    edges_faded: int
    concepts_merged: int
    merges_left: int
    concepts_completed: int
    edges_inferred: int
    events_replayed: int
    events_consolidating: int
    events_consolidated: int
    events_archived: int
