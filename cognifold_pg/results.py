"""What the verbs answer: one frozen dataclass a kind of row, its fields named as the columns in SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Recollection:
    """One row of ``recall``: a memory, its score, and the parts the score is made of.

    ``score = relevance * modulation``. ``cosine`` in [-1, 1] and ``keyword`` (BM25, unbounded) are raw and
    ``None`` where the signal did not find the memory; ``neighbours`` is what it received from the events just
    before and after it, ``intent`` what it gained because an open intent is about it.
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
    intent: float
    relevance: float
    modulation: float


@dataclass(frozen=True, slots=True)
class RecallExplanation:
    """One row of ``explain_recall``: a memory, and why it is where it is.

    ``score = relevance * modulation``; ``signals`` sum to ``relevance``, ``factors`` multiply to ``modulation``.
    ``path`` leads from a memory the question found to this one, where spreading brought it
    (``{"node_id", "kind", "title"}`` each), over what ``path_reason`` says. ``replaced_by`` is a newer statement of the
    same thing; ``contradicts`` are other rows that cannot hold beside it.
    """

    place: int
    node_id: UUID
    kind: str
    title: str
    occurred_at: datetime
    actor: str | None
    score: float
    relevance: float
    modulation: float
    signals: dict[str, float]
    factors: dict[str, float]
    cosine: float | None
    keyword: float | None
    path: Sequence[dict[str, str]] | None
    path_reason: str | None
    replaced_by: UUID | None
    contradicts: Sequence[UUID] | None


@dataclass(frozen=True, slots=True)
class RecallsCounted:
    """What ``count_recalls`` did: how many recalls it counted, and what became of what was recalled."""

    recalls_counted: int
    nodes_accessed: int
    concepts_woken: int
    pairs_linked: int
    pairs_reinforced: int
    plans: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """What ``context`` made of what was recalled: a text for a prompt, and what it rests on.

    ``tokens`` is an estimate. ``source_ids[n - 1]`` is the memory marked ``[n]``; ``left_out`` counts what was recalled
    and repeats another memory, or found no room.
    """

    text: str
    tokens: int
    source_ids: Sequence[UUID]
    left_out: int


@dataclass(frozen=True, slots=True)
class Affect:
    """What ``affect`` reads in a text, as people would rate it.

    ``emotional_weight`` in [-1, 1], 0 being neutral; ``valence`` is positive, negative, neutral or mixed;
    ``arousal`` in [0, 1], 0.5 being an ordinary sentence.
    """

    emotional_weight: float
    valence: str
    arousal: float


@dataclass(frozen=True, slots=True)
class DatePhrase:
    """One row of ``dates``: a phrase that names a time, and the time it means.

    ``precision`` is instant, day, month or year; ``ends_at`` is the first moment after it, for an instant the
    instant itself.
    """

    phrase: str
    starts_at: datetime
    ends_at: datetime
    precision: str
    is_deadline: bool


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
class Change:
    """One row of ``history``: what a plan did to a row of the node. ``change``: made, changed or removed.

    ``before`` is the row as it was (None where the plan made it), ``other_id`` the other end of an edge, ``part`` its
    type or an annotation's name; ``status`` says whether the plan still stands (applied) or was undone.
    """

    version: int
    plan_id: UUID
    applied_at: datetime
    proposer: str
    status: str
    relation: str
    change: str
    other_id: UUID | None
    part: str | None
    before: dict[str, Any] | None
    reasoning: str | None


@dataclass(frozen=True, slots=True)
class Undone:
    """What ``undo_plan`` did: ``undone``, newest first, were taken back, the last of them by ``plan_id``."""

    plan_id: UUID
    undone: tuple[UUID, ...]
    rows_restored: int


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What ``forget`` did, or with ``dry_run`` would do; both ids are None where nothing was.

    ``counts``: events, concepts, intents, times, insights and edges that went; concepts_reworded, intents_reworded and
    times_reworded, which stay with the words that the evidence left gives them; plans_blotted.
    """

    forget_id: UUID | None
    plan_id: UUID | None
    dry_run: bool
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Folded:
    """One row of ``fold``: what became of an event.

    ``outcome``: folded, failed or rate_limited (tried again later), dead (not tried again before ``retry``), or lost
    (somebody else took it up after the lease had lapsed; nothing was changed). ``proposer`` is whose plan it was or
    would have been, sql or llm. Where a model had no good plan ``error_state`` and ``error`` say why, also of an event
    that the SQL planner folded instead; ``retry_after`` is what the model's service asked to wait, in seconds.
    """

    event_id: UUID
    plan_id: UUID | None
    outcome: str
    operations: int
    proposer: str = "sql"
    error_state: str | None = None
    error: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Claimed:
    """One row of ``claim_folds``: an event in hand, the fence it is under, how often its fold was begun."""

    event_id: UUID
    fence: int
    attempts: int


@dataclass(frozen=True, slots=True)
class Failed:
    """One row of ``fail_claimed``: an event given back; ``outcome`` is its state: failed, rate_limited or dead."""

    event_id: UUID
    outcome: str


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

    ``run_id`` is ``None`` where there was nothing to do; ``plans`` are the plans it wrote, in order. ``more`` says that
    its budget ended it before all was settled. ``merges_left`` counts pairs beyond the cap of a pass (setting
    ``consolidate.merge_share``). The next pass goes on with either.
    """

    run_id: UUID | None
    as_of: datetime
    plans: tuple[UUID, ...]
    more: bool = False
    steps: int = 0
    recalls_counted: int = 0
    concepts_woken: int = 0
    pairs_linked: int = 0
    pairs_reinforced: int = 0
    concepts_changed: int = 0
    edges_faded: int = 0
    concepts_merged: int = 0
    merges_left: int = 0
    concepts_completed: int = 0
    edges_inferred: int = 0
    events_replayed: int = 0
    events_consolidating: int = 0
    events_consolidated: int = 0
    events_archived: int = 0
    events_woken: int = 0
    contents_moved: int = 0
    summaries_made: int = 0
    themes_made: int = 0
    themes_joined: int = 0
    insights_added: int = 0
    insights_refreshed: int = 0
    insights_closed: int = 0


@dataclass(frozen=True, slots=True)
class ConsolidationStep:
    """One step of a pass, committed: what ``progress`` of :meth:`~cognifold_pg.client.Memory.consolidate` is told.

    ``settled`` and ``counts`` are of this step alone: how many recalls, edges, concepts and events it dealt with, and
    what came of it. The row of ``consolidation_run`` has the sums.
    """

    run_id: UUID
    phase: str
    steps: int
    settled: int
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RanksSettled:
    """What ``refresh_ranks`` did: how many nodes pass their rank on differently, and how many corrections that took."""

    changed: int
    pushed: int


@dataclass(frozen=True, slots=True)
class Watched:
    """A watch as the view ``watched`` shows it; ``events``, ``repeated`` and ``refused`` are of the memory's tenant."""

    name: str
    relation: str
    status: str
    detail: str | None
    operations: list[str]
    waiting: int
    events: int
    repeated: int
    refused: int
    faults: int
    last_fault: datetime | None
    last_fault_state: str | None
    last_fault_message: str | None
    backfilled: int
    backfilled_at: datetime | None


@dataclass(frozen=True, slots=True)
class WatchFault:
    """Why rows of a watched table made no event: a row of the view ``watch_error``."""

    name: str
    happened_at: datetime
    operation: str
    state: str
    message: str
    row_key: str | None
    lost: int


@dataclass(frozen=True, slots=True)
class Backfilled:
    """What a call of ``backfill`` did: rows it has seen, rows seen in all, and whether nothing was left."""

    seen: int
    total: int
    done: bool
