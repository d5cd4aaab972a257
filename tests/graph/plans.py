"""Short ways to write plans, apply them and look at what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from tests.conftest import Connection, value

START = "2026-03-02T09:00:00+00:00"

Operation = dict[str, Any]
Node = UUID | str


def concept(title: str, *grounded_in: Node, **more: Any) -> Operation:
    """An ADD_NODE of a concept."""
    return add_node("concept", title, *grounded_in, **more)


def add_node(kind: str, title: str, *grounded_in: Node, **more: Any) -> Operation:
    return {"op": "ADD_NODE", "kind": kind, "title": title, "grounded_in": [str(n) for n in grounded_in], **more}


def add_edge(source: Node, type_: str, target: Node, **more: Any) -> Operation:
    return {"op": "ADD_EDGE", "source": str(source), "type": type_, "target": str(target), **more}


def update_node(node: Node, **more: Any) -> Operation:
    return {"op": "UPDATE_NODE", "node": str(node), **more}


def merge_nodes(*ids: Node, survivor: Node | None = None) -> Operation:
    operation: Operation = {"op": "MERGE_NODES", "ids": [str(i) for i in ids], "reasoning": "the same thing"}
    return operation | ({"survivor": str(survivor)} if survivor else {})


def remove_node(node: Node, **more: Any) -> Operation:
    return {"op": "REMOVE_NODE", "node": str(node), **more}


def remove_edge(source: Node, type_: str, target: Node) -> Operation:
    return {"op": "REMOVE_EDGE", "source": str(source), "type": type_, "target": str(target)}


def remember(connection: Connection, content: str, occurred_at: str = START, **more: Any) -> UUID:
    """Store an event; ``more`` are arguments of ``remember`` by name."""
    arguments = {"occurred_at": occurred_at, **more}
    names = "".join(f", {name} => %s" for name in arguments)
    event: UUID = value(connection, f"SELECT cognifold.remember(%s{names})", content, *arguments.values())
    return event


def fold(connection: Connection) -> None:
    """Fold everything that waits; each fold must succeed."""
    rows = connection.execute("SELECT outcome FROM cognifold.fold(10000)").fetchall()
    assert {row[0] for row in rows} <= {"folded"}, rows


def apply(connection: Connection, *operations: Operation, **more: Any) -> dict[str, Any]:
    """Apply a plan of these operations; ``more`` are its other fields. The verb's result."""
    plan = {"operations": list(operations), **{k: str(v) for k, v in more.items()}}
    result: dict[str, Any] = value(connection, "SELECT cognifold.apply_plan(%s)", Jsonb(plan))
    return result


def make_concept(connection: Connection, title: str, *grounded_in: Node, **more: Any) -> UUID:
    """Add one concept; its id."""
    trigger = {"trigger_event_id": more.pop("trigger")} if "trigger" in more else {}
    return UUID(apply(connection, concept(title, *grounded_in, ref="made", **more), **trigger)["refs"]["made"])


def edges(connection: Connection) -> dict[tuple[UUID, str, UUID], dict[str, Any]]:
    """The view ``edge`` by (source, type, target)."""
    cursor = connection.cursor(row_factory=psycopg.rows.dict_row)
    rows = cursor.execute(
        "SELECT source_id, type, target_id, mass, weight, live, inferred, bidirectional, rate, potential, source_kind, "
        "target_kind, metadata, plan_id, CASE WHEN isfinite(stamped_at) THEN stamped_at END AS stamped_at, created_at "
        "FROM cognifold.edge"
    ).fetchall()
    return {(row["source_id"], row["type"], row["target_id"]): row for row in rows}


def rows(connection: Connection, query: str, *parameters: Any) -> list[dict[str, Any]]:
    """Rows of a query as dicts."""
    return connection.cursor(row_factory=psycopg.rows.dict_row).execute(query.encode(), parameters).fetchall()


def move_clock(connection: Connection, now: str) -> None:
    """Set the memory's clock of this connection."""
    connection.execute("SELECT set_config('cognifold.now', %s, false)", [now])


def violations(connection: Connection) -> list[Any]:
    """What ``check`` finds."""
    return connection.execute("SELECT * FROM cognifold.check()").fetchall()


def snapshot(admin: Connection, tenant: str, without: Sequence[str] = ()) -> dict[str, list[Any]]:
    """Every row of the tenant in every table, as text, in order."""
    tables = admin.execute(
        "SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant_id' "
        "WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind = 'r' ORDER BY 1"
    ).fetchall()
    return {
        table: admin.execute(
            f"SELECT t::text FROM cognifold.{table} AS t WHERE tenant_id = %s ORDER BY 1".encode(), [tenant]
        ).fetchall()
        for (table,) in tables
        if table not in without
    }
