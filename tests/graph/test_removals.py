"""REMOVE_NODE and REMOVE_EDGE: what goes, what stays sound without it, and what a plan may not take away."""

from __future__ import annotations

import math
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tests.conftest import Connection, value
from tests.graph.journaled import images
from tests.graph.plans import (
    Operation,
    add_edge,
    add_node,
    apply,
    concept,
    edges,
    make_concept,
    merge_nodes,
    remove_edge,
    remove_node,
    rows,
    update_node,
    violations,
)


def refusal(connection: Connection, *operations: Operation) -> str:
    with pytest.raises(psycopg.Error) as error:
        apply(connection, *operations)
    assert error.value.sqlstate == "CF020", error.value
    return str(error.value.diag.message_primary)


def test_a_removed_concept_takes_its_edges_and_its_words_along(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Violin practice", events[1])
    garden = make_concept(connection, "Frost damage", events[2])
    apply(connection, add_edge(music, "related_to", garden), add_edge(events[0], "related_to", music))
    result = apply(connection, remove_node(music))
    assert result["counts"] | {"nodes_removed": 1, "edges_removed": 3} == result["counts"]
    assert set(edges(connection)) == {(events[2], "grounds", garden)}
    assert {row["title"] for row in rows(connection, "SELECT title FROM cognifold.concept")} == {"Frost damage"}
    for table in ("embedding", "posting", "concept_lexeme", "concept_state", "node_content"):
        found = f"SELECT count(*) FROM cognifold.{table} WHERE node_id = %s"
        assert value(connection, found, music) == 0, table
    assert violations(connection) == []


def test_evidence_that_is_removed_counts_no_more(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Music", events[1], events[3])
    apply(connection, add_edge(events[0], "reinforces", music))
    apply(connection, remove_edge(events[3], "grounds", music), remove_edge(events[0], "reinforces", music))
    columns = "event_count, vector_count, evidence_count, strength"
    (state,) = rows(connection, f"SELECT {columns} FROM cognifold.concept_state")
    assert (state["event_count"], state["vector_count"]) == (1, 1)
    assert (state["evidence_count"], state["strength"]) == (3, pytest.approx(0.6)), "what it came to is history"
    # One edge of .9, stated three hours ago.
    mass = value(connection, "SELECT evidence_mass FROM cognifold.concept")
    assert mass == pytest.approx(0.9 * math.exp(-0.005 * 3), rel=1e-9)
    stored = "SELECT vector FROM cognifold.embedding WHERE node_id = %s"
    assert value(connection, stored, music) == value(connection, stored, events[1])
    assert violations(connection) == []


def test_a_removal_comes_first_so_that_an_edge_can_be_stated_anew(connection: Connection, events: list[UUID]) -> None:
    apply(connection, add_edge(events[0], "causes", events[1], weight=0.9, metadata={"a": 1}))
    apply(
        connection,
        remove_edge(events[0], "causes", events[1]),
        add_edge(events[0], "causes", events[1], weight=0.3),
    )
    edge = edges(connection)[events[0], "causes", events[1]]
    assert (edge["mass"], edge["metadata"]) == (pytest.approx(0.3 * math.exp(-0.005 * 4), rel=1e-9), None)


def test_an_edge_that_the_plan_adds_is_not_removed_by_it(connection: Connection, events: list[UUID]) -> None:
    apply(connection, add_edge(events[0], "causes", events[1]))
    assert "operation 1 (REMOVE_EDGE): removals come first: operation 0 adds this edge" in refusal(
        connection, add_edge(events[0], "causes", events[1]), remove_edge(events[0], "causes", events[1])
    )
    assert "operation 1 (REMOVE_EDGE): the edge is removed twice" in refusal(
        connection, *[remove_edge(events[0], "causes", events[1])] * 2
    )


def test_no_operation_uses_what_the_plan_removes(connection: Connection, events: list[UUID]) -> None:
    music, garden = make_concept(connection, "Music", events[1]), make_concept(connection, "Garden", events[2])
    for other in (
        add_edge(events[0], "reinforces", music),
        update_node(music, title="Sound"),
        concept("Orchestra", music),
        merge_nodes(music, garden),
        remove_edge(events[1], "grounds", music),
        remove_node(music),
    ):
        assert f"node {music} is removed by operation 0" in refusal(connection, remove_node(music), other)


def test_what_rests_on_a_removed_thing_alone_may_not_be_left_behind(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Music", events[1])
    before = images(connection)
    said = refusal(connection, concept("Sound", events[0]), remove_edge(events[1], "grounds", music))
    assert said == 'plan rejected: operation 1 (REMOVE_EDGE) would leave concept "Music" without provenance'
    assert images(connection) == before

    intent = UUID(apply(connection, add_node("intent", "Practise", music, ref="i"))["refs"]["i"])
    said = refusal(connection, remove_node(music))
    assert said == 'plan rejected: operation 0 (REMOVE_NODE) would leave intent "Practise" without provenance'
    apply(connection, remove_node(music), add_edge(events[1], "grounds", intent))  # other evidence, in the same plan
    assert {key[2] for key in edges(connection)} == {intent}
    apply(connection, remove_node(intent))
    assert rows(connection, "SELECT FROM cognifold.intent") == [] and edges(connection) == {}
    assert violations(connection) == []


def test_concepts_merged_into_a_removed_one_go_with_it(connection: Connection, events: list[UUID]) -> None:
    one, other = make_concept(connection, "Alpha", events[1]), make_concept(connection, "Beta", events[2])
    apply(connection, merge_nodes(one, other, survivor=one))
    apply(connection, remove_node(other))  # its id stands for the survivor
    assert value(connection, "SELECT count(*) FROM cognifold.node WHERE kind = 'concept'") == 0
    with pytest.raises(psycopg.Error) as error:
        connection.execute("SELECT * FROM cognifold.explain(%s)", [other])
    assert error.value.sqlstate == "CF021"


def test_a_removed_moment_may_come_again(connection: Connection, events: list[UUID]) -> None:
    noon: dict[str, Any] = {"occurred_at": "2026-03-02T12:00:00Z", "ref": "t"}
    first = apply(connection, add_node("time", "Noon", **noon), add_edge("t", "deadline_for", events[0]))["refs"]["t"]
    result = apply(connection, remove_node(first), add_node("time", "Midday", **noon))
    assert result["counts"]["nodes_added"] == 1 and result["refs"]["t"] != first
    assert edges(connection) == {}
