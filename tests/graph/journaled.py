"""Every row that plans write, as the journal keeps it: read from the tables themselves, key by key."""

from __future__ import annotations

from typing import Any

from tests.conftest import Connection
from tests.graph.plans import rows

Key = tuple[str, str, str | None, str | None]
"""relation, node_id, other_id, part."""

IMAGES = {
    "node": (
        "SELECT n.id AS node_id, to_jsonb(n) - 'tenant_id' - 'title_key' "
        "|| jsonb_build_object('content', c.content, 'payload', c.payload, 'media', c.media) AS image "
        "FROM cognifold.node AS n JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id "
        "WHERE n.kind <> 'event'"
    ),
    "graph_edge": (
        "SELECT source_id AS node_id, target_id AS other_id, type AS part, to_jsonb(e) - 'tenant_id' AS image "
        "FROM cognifold.graph_edge AS e"
    ),
    "concept_state": (
        "SELECT node_id, jsonb_build_object('node_id', node_id, 'strength', strength, "
        "'evidence_count', evidence_count, 'evidence_potential', evidence_potential) AS image "
        "FROM cognifold.concept_state"
    ),
    "annotation": ("SELECT node_id, name AS part, to_jsonb(a) - 'tenant_id' AS image FROM cognifold.annotation AS a"),
    "insight": "SELECT insight_id AS node_id, to_jsonb(i) - 'tenant_id' AS image FROM cognifold.insight AS i",
    "folded_event": "SELECT event_id AS node_id, to_jsonb(f) - 'tenant_id' AS image FROM cognifold.folded_event AS f",
    "intent_state": "SELECT node_id, to_jsonb(s) - 'tenant_id' AS image FROM cognifold.intent_state AS s",
    "intent_transition": (
        "SELECT node_id, position::text AS part, to_jsonb(t) - 'tenant_id' AS image "
        "FROM cognifold.intent_transition AS t"
    ),
    "intent_feedback": (
        "SELECT node_id, event_id AS other_id, category AS part, to_jsonb(f) - 'tenant_id' AS image "
        "FROM cognifold.intent_feedback AS f"
    ),
}


def images(connection: Connection) -> dict[Key, Any]:
    """What is there now, by key."""
    return {key(relation, row): row["image"] for relation, query in IMAGES.items() for row in rows(connection, query)}


def journal(connection: Connection, plan_id: object) -> dict[Key, Any]:
    """What a plan's journal says was there before, by key: one entry a row, numbered without a gap."""
    entries = rows(connection, "SELECT * FROM cognifold.journal WHERE plan_id = %s ORDER BY position", plan_id)
    assert [entry["position"] for entry in entries] == list(range(len(entries)))
    found = {key(entry["relation"], entry): entry["before"] for entry in entries}
    assert len(found) == len(entries), "one entry a changed row"
    return found


def key(relation: str, row: dict[str, Any]) -> Key:
    other = row.get("other_id")
    return relation, str(row["node_id"]), None if other is None else str(other), row.get("part")


def walked_back(state: dict[Key, Any], entries: dict[Key, Any]) -> dict[Key, Any]:
    """The state before a plan: the state after it, with what its journal says in the place of what it changed."""
    return {k: image for k, image in {**state, **entries}.items() if image is not None}
