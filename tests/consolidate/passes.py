"""Short ways to run passes and to look at what they did."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any
from uuid import UUID

from tests.conftest import Connection, at, value
from tests.graph.plans import START, rows

# Hours after which an edge of mass .9 from an event falls below .1: ln(.9 / .1) / .005.
FADES = math.log(9) / 0.005

NOTHING = {
    "recalls_counted": 0,
    "concepts_woken": 0,
    "pairs_linked": 0,
    "pairs_reinforced": 0,
    "concepts_changed": 0,
    "edges_faded": 0,
    "concepts_merged": 0,
    "merges_left": 0,
    "concepts_completed": 0,
    "edges_inferred": 0,
    "events_replayed": 0,
    "events_consolidating": 0,
    "events_consolidated": 0,
    "events_archived": 0,
    "events_woken": 0,
    "contents_moved": 0,
    "summaries_made": 0,
    "themes_made": 0,
    "themes_joined": 0,
    "insights_added": 0,
    "insights_refreshed": 0,
    "insights_closed": 0,
}


def later(hours: float) -> str:
    return (at(START) + timedelta(hours=hours)).isoformat()


def dormant(connection: Connection, concept: UUID) -> bool:
    found: bool = value(connection, "SELECT dormant FROM cognifold.concept WHERE id = %s", concept)
    return found


def merged_into(connection: Connection, concept: UUID) -> UUID | None:
    found: UUID | None = value(connection, "SELECT merged_into FROM cognifold.concept WHERE id = %s", concept)
    return found


def concepts(connection: Connection) -> set[str]:
    """Titles of the concepts that stand."""
    return {row["title"] for row in rows(connection, "SELECT title FROM cognifold.concept WHERE merged_into IS NULL")}


def plans(connection: Connection) -> list[dict[str, Any]]:
    """Plans that passes wrote, oldest first."""
    return rows(connection, "SELECT * FROM cognifold.plan WHERE proposer = 'consolidate' ORDER BY applied_at, plan_id")
