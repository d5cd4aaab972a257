"""undo_plan with cascade: always the newest of what stands on a plan goes first, so that none of it comes back."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tests.conftest import Connection, value
from tests.graph.plans import Operation, add_edge, add_node, apply, rows, update_node, violations


@pytest.fixture
def connection(connection: Connection) -> Connection:
    """One that does not wait for ever."""
    connection.execute("SET statement_timeout = '30s'")
    return connection


def plan(connection: Connection, *operations: Operation) -> tuple[str, dict[str, str]]:
    result = apply(connection, *operations)
    return result["plan_id"], result["refs"]


def undone(connection: Connection, plan_id: str) -> Any:
    return value(connection, "SELECT cognifold.undo_plan(%s, true) -> 'undone'", plan_id)


def in_the_way(connection: Connection, plan_id: str) -> Any:
    with pytest.raises(psycopg.Error) as refused:
        connection.execute("SELECT cognifold.undo_plan(%s)", [plan_id])
    assert refused.value.sqlstate == "CF023"
    return json.loads(str(refused.value.diag.message_detail))


def test_what_stands_on_it_through_another_goes_before_what_stands_on_it_directly(
    connection: Connection, events: list[UUID]
) -> None:
    """An undo of the fifth writes rows of a moment that the sixth changed: done first, it would stand on the sixth."""
    _, refs = plan(connection, add_node("intent", "Pay", events[0], ref="i"))
    second, _ = plan(connection, add_edge(events[0], "user_feedback", refs["i"]))
    third, more = plan(connection, add_edge(events[0], "user_feedback", refs["i"]),
                       add_node("time", "Friday", ref="t", occurred_at="2026-03-06T00:00:00Z", precision="day"),
                       add_edge("t", "deadline_for", refs["i"]))  # fmt: skip
    fourth, _ = plan(connection, add_edge(more["t"], "deadline_for", refs["i"]))
    fifth, _ = plan(connection, {"op": "REMOVE_NODE", "node": refs["i"]}, add_edge(more["t"], "related_to", events[1]))
    sixth, _ = plan(connection, update_node(more["t"], title="The Friday"))
    newest_first = [sixth, fifth, fourth, third]
    assert in_the_way(connection, second) == newest_first
    assert undone(connection, second) == [*newest_first, second]
    assert [row["title"] for row in rows(connection, "SELECT title FROM cognifold.node WHERE kind <> 'event'")] == [
        "Pay"
    ]
    assert violations(connection) == []


def test_what_an_undone_undo_brings_back_is_undone_as_well(connection: Connection, events: list[UUID]) -> None:
    _, refs = plan(connection, add_node("time", "Friday", ref="t", occurred_at="2026-03-06T00:00:00Z", precision="day"))
    first_edge, second_edge = add_edge(events[0], "causes", events[1]), add_edge(events[1], "causes", events[2])
    subject, _ = plan(connection, first_edge, second_edge)
    taken, _ = plan(connection, first_edge, add_edge(refs["t"], "deadline_for", events[3]))
    renamed, _ = plan(connection, second_edge, update_node(refs["t"], title="The Friday"))
    undo = value(connection, "SELECT cognifold.undo_plan(%s) ->> 'plan_id'", taken)  # of a row of the renamed moment
    assert in_the_way(connection, subject) == [undo, renamed]
    # With the undo undone, what it had taken stands on the subject again.
    assert undone(connection, subject) == [undo, renamed, taken, subject]
    assert rows(connection, "SELECT FROM cognifold.graph_edge") == []
    assert value(connection, "SELECT title FROM cognifold.node WHERE kind = 'time'") == "Friday"
    assert violations(connection) == []


def test_cascade_null_takes_nothing_back_that_was_not_named(connection: Connection, events: list[UUID]) -> None:
    first, refs = plan(connection, add_node("concept", "Tides at the pier", events[0], ref="t"))
    second, _ = plan(connection, update_node(refs["t"], title="Tides at the old pier"))
    with pytest.raises(psycopg.Error) as refused:
        connection.execute("SELECT cognifold.undo_plan(%s, NULL)", [first])
    assert refused.value.sqlstate == "CF023"
    assert json.loads(str(refused.value.diag.message_detail)) == [second]
