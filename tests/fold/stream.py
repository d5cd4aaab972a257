"""Short ways to live through a written stream and to look at what it folded into."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience

START = datetime(2026, 3, 2, 9, tzinfo=UTC)  # a Monday
BOOKBINDER = Path(__file__).parents[2] / "examples" / "bookbinder.jsonl"


def told(*texts: str, start: datetime = START, every: timedelta = timedelta(hours=1), **more: Any) -> list[Experience]:
    """One event a text, an hour apart; their keys are 0, 1, 2 ..."""
    return [
        Experience(text, occurred_at=start + place * every, idempotency_key=str(place), **more)
        for place, text in enumerate(texts)
    ]


def bookbinder() -> list[Experience]:
    """The example stream; its keys are orla-001 and so on."""
    lines = [json.loads(line) for line in BOOKBINDER.read_text(encoding="utf-8").splitlines()]
    return [Experience(**{**line, "occurred_at": datetime.fromisoformat(line["occurred_at"])}) for line in lines]


def live(memory: Memory, events: Iterable[Experience]) -> tuple[UUID, ...]:
    """Remember and fold; each fold must succeed. The ids, in order."""
    stored = memory.remember_many(events)
    memory.fold_all(batch=100)
    assert memory.rows("SELECT content, fold_error FROM cognifold.event WHERE fold_state <> 'folded'") == []
    return stored.ids


def concepts(memory: Memory) -> dict[str, set[str]]:
    """The keys of each concept's events, by its title; no two concepts may have one title."""
    rows = memory.rows(
        "SELECT c.id, c.title, array_agg(e.idempotency_key) AS keys FROM cognifold.concept AS c "
        "JOIN cognifold.edge AS g ON g.target_id = c.id AND g.type IN ('grounds', 'reinforces') "
        "JOIN cognifold.event AS e ON e.id = g.source_id GROUP BY c.id, c.title"
    )
    found = {row["title"]: set(row["keys"]) for row in rows}
    assert len(found) == len(rows)
    return found


def groups(memory: Memory) -> set[frozenset[str]]:
    """The keys of each concept's events."""
    return {frozenset(keys) for keys in concepts(memory).values()}


def links(memory: Memory, type_: str) -> set[tuple[str, str]]:
    """The edges of a type between events, by their keys."""
    rows = memory.rows(
        "SELECT s.idempotency_key AS source, t.idempotency_key AS target FROM cognifold.edge AS g "
        "JOIN cognifold.event AS s ON s.id = g.source_id JOIN cognifold.event AS t ON t.id = g.target_id "
        "WHERE g.type = %s",
        [type_],
    )
    return {(row["source"], row["target"]) for row in rows}


def graph(memory: Memory) -> list[Any]:
    """The whole graph without ids: nodes and edges by what they say, with weights."""
    name = "coalesce(n.idempotency_key, n.kind || ' ' || n.title)"
    nodes = memory.rows(
        f"SELECT {name} AS name, n.title, n.occurred_at, s.strength, s.evidence_count "
        "FROM cognifold.node AS n LEFT JOIN cognifold.concept_state AS s ON s.node_id = n.id ORDER BY 1, 2"
    )
    edges = memory.rows(
        f"SELECT (SELECT {name} FROM cognifold.node AS n WHERE n.id = e.source_id) AS source, e.type, "
        f"(SELECT {name} FROM cognifold.node AS n WHERE n.id = e.target_id) AS target, e.potential "
        "FROM cognifold.graph_edge AS e ORDER BY 1, 2, 3"
    )
    return [*nodes, *edges]


def proposed(memory: Memory, event: UUID, op: str, type_or_kind: str) -> list[dict[str, Any]]:
    """The operations of this kind in what the planner proposes for an event."""
    return [
        operation
        for operation in memory.propose(event)["operations"]
        if operation["op"] == op and type_or_kind in (operation.get("type"), operation.get("kind"))
    ]


def states(memory: Memory) -> list[str]:
    """How far the folding of each event has come, in order of event time."""
    return [row["fold_state"] for row in memory.rows("SELECT fold_state FROM cognifold.event ORDER BY occurred_at")]
