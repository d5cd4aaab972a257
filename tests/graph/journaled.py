"""The stored rows as the journal keeps them, under the journal's keys, and what a plan's journal says of them."""

from __future__ import annotations

from typing import Any

from tests.conftest import Connection
from tests.graph.plans import rows
from tests.graph.stored import stored

Key = tuple[str, str, str | None, str | None]
"""relation, node_id, other_id, part."""


def images(connection: Connection) -> dict[Key, Any]:
    """What is there now, by key; events, which no plan writes, left out."""
    found: dict[Key, Any] = {}
    for (relation, node, *rest), row in stored(connection).items():
        if relation == "node":
            if row["kind"] == "event":
                continue
            row = {name: value for name, value in row.items() if name != "title_key"}
        elif relation == "concept_state":
            row = {name: row[name] for name in ("node_id", "strength", "evidence_count", "evidence_potential")}
        other, part = rest if len(rest) == 2 else (None, rest[0] if rest else None)
        found[relation, node, other, part] = row
    return found


def journal(connection: Connection, plan_id: object) -> dict[Key, Any]:
    """What a plan's journal says was there before, by key: one entry a row, numbered without a gap."""
    entries = rows(connection, "SELECT * FROM cognifold.journal WHERE plan_id = %s ORDER BY position", plan_id)
    assert [entry["position"] for entry in entries] == list(range(len(entries)))
    found: dict[Key, Any] = {}
    for entry in entries:
        other = entry["other_id"] and str(entry["other_id"])
        found[entry["relation"], str(entry["node_id"]), other, entry["part"]] = entry["before"]
    assert len(found) == len(entries), "one entry a changed row"
    return found


def walked_back(state: dict[Key, Any], entries: dict[Key, Any]) -> dict[Key, Any]:
    """The state before a plan: the state after it, with what its journal says in the place of what it changed."""
    return {k: image for k, image in {**state, **entries}.items() if image is not None}
