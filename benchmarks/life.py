"""A stream lived through as a worker would, on the memory's own clock, and what is then in the graph.

Each event is remembered and folded at its own time, and then intents may surface. Every six hours, counted from the
first event, and after every 50 folded events, a pass of consolidation is made and intents are looked at once more.
The graph is read at the last event; for intents life goes on for two weeks, since deadlines may lie ahead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from benchmarks.graph_measures import Concept, Shape
from benchmarks.intent_measures import Emitted
from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from cognifold_pg.replay import moments_of, replay

if TYPE_CHECKING:
    from cognifold_pg.planner.request import Planner

EVERY = timedelta(hours=6)
AFTER_EVENTS = 50
ONWARD = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Stand:
    """How far a concept was from becoming an intent when it was looked at."""

    at: datetime
    concept: str
    readiness: float
    density: float
    pressure: float
    theta: float
    cues: int


@dataclass(frozen=True, slots=True)
class Lived:
    """What a life left: concepts by id (those that others are part of left out), the live graph and that of all edges
    ever stated, intents, and how each concept stood over time. ``survivors`` says which concept each has become by
    merging.
    """

    concepts: dict[str, Concept]
    shape: Shape
    ever: Shape
    intents: Sequence[Emitted]
    stands: Sequence[Stand]
    survivors: dict[str, str]
    themes: int = 0


def live(
    memory: Memory,
    events: Sequence[Experience],
    planner: Planner | None = None,
    *,
    onward: timedelta = ONWARD,
) -> Lived:
    """Live through ``events`` in a memory that is empty yet."""
    periods = moments_of(events, undated=datetime.min)
    life = _Life(memory)
    last = periods[0].end
    unslept = 0
    for period in periods:
        for moment in _ticks(last, period.end):
            life.sleep(moment)
            last, unslept = moment, 0
        for day in replay(memory, [period], planner):
            unslept += len(day.experiences)
        life.look()
        if unslept >= AFTER_EVENTS:
            life.sleep(period.end)
            unslept = 0
    end = periods[-1].end
    concepts, themes, survivors = concepts_of(memory)
    shape, ever = shape_of(memory), shape_of(memory, faded=True)
    for moment in _ticks(last, end + onward):
        life.sleep(moment)
    return Lived(concepts, shape, ever, life.ended(), life.stands, survivors, themes)


def _ticks(last: datetime, until: datetime) -> Iterator[datetime]:
    moment = last + EVERY
    while moment <= until:
        yield moment
        moment += EVERY


class _Life:
    """Emits, sleeps, and keeps what is seen on the way."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._intents: dict[UUID, Emitted] = {}
        self.stands: list[Stand] = []

    def sleep(self, moment: datetime) -> None:
        """A pass, and another look at what is wanted."""
        self._memory.clock = moment
        self._memory.consolidate()
        self.look()

    def look(self) -> None:
        """Let intents surface until nothing more does, and note how each concept stands."""
        memory = self._memory
        assert memory.clock is not None
        while emitted := memory.emit_intents():
            for intent in emitted:
                [row] = memory.rows(_ORIGIN, [intent.intent_id])
                self._intents[intent.intent_id] = Emitted(
                    intent.title,
                    frozenset(_keys(memory, intent.evidence)),
                    memory.clock,
                    whole=frozenset(row["whole"]),
                    concept=str(row["concept"]),
                    grounds=row["grounds"],
                )
        self.stands += [Stand(memory.clock, **row) for row in memory.rows(_STANDS, [memory.clock])]

    def ended(self) -> list[Emitted]:
        """The intents in the order they surfaced, with how they ended."""
        rows = self._memory.rows("SELECT id, status, closed_at FROM cognifold.intent")
        ends = {row["id"]: row for row in rows}
        return [
            replace(intent, status=ends[key]["status"], closed_at=ends[key]["closed_at"])
            for key, intent in self._intents.items()
        ]


def _keys(memory: Memory, ids: Sequence[UUID]) -> list[str]:
    rows = memory.rows("SELECT idempotency_key AS key FROM cognifold.event WHERE id = ANY (%s)", [list(ids)])
    return [row["key"] for row in rows]


def concepts_of(memory: Memory) -> tuple[dict[str, Concept], int, dict[str, str]]:
    """Concepts with the events that state them, in order of time; how many are themes of others; who became whom."""
    rows = memory.rows(_CONCEPTS)
    themes = {row["target_id"] for row in memory.rows(_THEMES)}
    found = {
        str(row["id"]): Concept(row["title"], tuple(row["keys"]))
        for row in rows
        if row["merged_into"] is None and row["id"] not in themes
    }
    into: dict[Any, Any] = {row["id"]: row["merged_into"] for row in rows}

    def survivor(concept: Any) -> Any:
        while into.get(concept) is not None:
            concept = into[concept]
        return concept

    return found, len(themes), {str(concept): str(survivor(concept)) for concept in into}


def shape_of(memory: Memory, *, faded: bool = False) -> Shape:
    """The live graph at the memory's clock, or with ``faded`` all there is of it.

    An event is named by its key, others by kind and place.
    """
    names: dict[Any, str] = {}
    counts: dict[str, int] = {}
    for row in memory.rows(_NODES):
        if row["key"] is None:
            counts[row["kind"]] = counts.get(row["kind"], 0) + 1
        names[row["id"]] = row["key"] or f"{row['kind']} {counts[row['kind']]}"
    edges = memory.rows("SELECT source_id, target_id, type FROM cognifold.edge WHERE live OR %s", [faded])
    named = [
        (names[edge["source_id"]], names[edge["target_id"]], edge["type"])
        for edge in edges
        if edge["source_id"] in names and edge["target_id"] in names
    ]
    return Shape(list(names.values()), sorted(named))


_CONCEPTS = """
SELECT c.id, c.title, c.merged_into, coalesce(e.keys, '{}') AS keys
FROM cognifold.concept AS c
LEFT JOIN (
    SELECT g.target_id, array_agg(DISTINCT n.idempotency_key ORDER BY n.idempotency_key) AS keys
    FROM cognifold.edge AS g JOIN cognifold.event AS n ON n.id = g.source_id
    WHERE g.target_kind = 'concept' AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
    GROUP BY g.target_id
) AS e ON e.target_id = c.id
ORDER BY c.occurred_at, c.title, c.id
"""

# What is made of other concepts groups no events of its own.
_THEMES = """
SELECT DISTINCT g.target_id FROM cognifold.edge AS g
WHERE g.type = 'part_of' AND g.source_kind = 'concept' AND g.target_kind = 'concept' AND g.live
"""

_NODES = """
SELECT n.id, n.kind, n.key FROM (
    SELECT id, 'event' AS kind, idempotency_key AS key, occurred_at, title FROM cognifold.event
    UNION ALL
    SELECT id, 'concept', NULL, occurred_at, title FROM cognifold.concept WHERE merged_into IS NULL
    UNION ALL
    SELECT id, 'intent', NULL, occurred_at, title FROM cognifold.intent
    UNION ALL
    SELECT DISTINCT source_id, 'time', NULL::text, NULL::timestamptz, source_id::text FROM cognifold.edge
    WHERE source_kind = 'time'
) AS n
ORDER BY n.kind, n.occurred_at, n.key, n.title, n.id
"""

_ORIGIN = """
SELECT t.source_id AS concept, count(g.source_id)::integer AS grounds,
       ARRAY(SELECT DISTINCT n.idempotency_key FROM cognifold.edge AS e JOIN cognifold.event AS n ON n.id = e.source_id
             WHERE e.target_id = t.source_id AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred) AS whole
FROM cognifold.intent AS i
LEFT JOIN cognifold.edge AS t ON t.target_id = i.id AND t.type = 'triggers' AND t.source_kind = 'concept'
LEFT JOIN cognifold.edge AS g ON g.target_id = i.id AND g.type IN ('grounds', 'triggers')
WHERE i.id = %s
GROUP BY t.source_id
LIMIT 1
"""

_STANDS = """
SELECT node_id::text AS concept, readiness, density, pressure, theta, cues FROM cognifold.intent_assessment
WHERE tenant_id = cognifold.current_tenant() AND as_of = %s
ORDER BY node_id
"""
