"""MERGE_NODES: concepts become one, with everything they were; what was there is in the journal."""

from __future__ import annotations

import math
from typing import Any
from uuid import UUID

import pytest

from cognifold_pg.errors import InvalidPlanError
from tests.conftest import Connection, at, value
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import concepts, later, merged_into
from tests.graph.journaled import images, journal, walked_back
from tests.graph.plans import (
    Operation,
    add_edge,
    add_node,
    apply,
    concept,
    edges,
    make_concept,
    merge_nodes,
    rows,
    update_node,
    violations,
)


def accessed(admin: Connection, tenant: str, node: UUID, times: int, last: str | None = None) -> None:
    """As if it had been recalled so often; nothing in this version counts accesses yet."""
    admin.execute(
        "INSERT INTO cognifold.node_state (tenant_id, node_id, access_count, last_accessed) VALUES (%s, %s, %s, %s)",
        [tenant, node, times, last],
    )


def test_edges_of_one_key_become_one_whose_mass_is_the_sum(plane: Plane) -> None:
    shared, own = plane.event("Swam", 1, 0, 0), plane.event("Dived", 0, 1, 0)
    one = make_concept(plane.connection, "Swimming", shared)
    other = make_concept(plane.connection, "Diving", shared, own)
    third = make_concept(plane.connection, "Sport", plane.event("Trained", 0, 0, 1))
    apply(
        plane.connection,
        add_edge(one, "related_to", third, weight=0.3, metadata={"by": "one"}),
        add_edge(other, "related_to", third, weight=0.4, bidirectional=True, metadata={"by": "other"}),
        add_edge(other, "part_of", third),
        add_edge(third, "related_to", other, inferred=True),
        add_edge(one, "related_to", other),  # a loop once they are one
        add_edge(other, "contradicts", one),
        add_edge(own, "related_to", other, weight=0.2),
    )
    apply(plane.connection, merge_nodes(one, other, survivor=one))
    plane.at(100)
    found = edges(plane.connection)
    fade, slow = math.exp(-0.5), math.exp(-0.05)
    assert {key: edge["mass"] for key, edge in found.items() if key[2] != third or key[0] == one} == {
        (shared, "grounds", one): pytest.approx(1.8 * fade, rel=1e-9),
        (own, "grounds", one): pytest.approx(0.9 * fade, rel=1e-9),
        (own, "related_to", one): pytest.approx(0.2 * fade, rel=1e-9),
        (one, "related_to", third): pytest.approx(0.7 * slow, rel=1e-9),
        (one, "part_of", third): pytest.approx(0.7 * slow, rel=1e-9),
        (third, "related_to", one): pytest.approx(0.5 * slow, rel=1e-9),
    }
    assert found[one, "related_to", third]["bidirectional"] is True
    assert found[one, "related_to", third]["metadata"] == {"by": "one"}
    assert found[third, "related_to", one]["inferred"] is True
    assert not any(other in key for key in found)
    assert violations(plane.connection) == []


def test_a_statement_and_a_guess_of_one_edge_become_a_statement(plane: Plane) -> None:
    event = plane.event("Swam", 1, 0, 0)
    one = make_concept(plane.connection, "Swimming", event)
    other = make_concept(plane.connection, "Diving", plane.event("Dived", 0, 1, 0))
    apply(plane.connection, add_edge(event, "grounds", other, inferred=True, weight=0.4))
    apply(plane.connection, merge_nodes(one, other))
    edge = edges(plane.connection)[event, "grounds", one]
    assert (edge["inferred"], edge["mass"]) == (False, pytest.approx(1.3, rel=1e-9))
    assert violations(plane.connection) == []


def test_the_survivor_holds_the_evidence_of_both(plane: Plane) -> None:
    swam, dived, rowed = plane.event("Swam", 1, 0, 0), plane.event("Dived", 0, 1, 0), plane.event("Rowed", 0, 0, 1)
    one = make_concept(plane.connection, "Swimming", swam)
    other = make_concept(plane.connection, "Diving", dived, swam)
    apply(plane.connection, add_edge(rowed, "reinforces", other))  # strength .6, evidence 3
    apply(plane.connection, merge_nodes(one, other, survivor=one))
    kept = "strength, evidence_count, event_count, vector_count"
    (state,) = rows(plane.connection, f"SELECT {kept} FROM cognifold.concept_state WHERE node_id = %s", one)
    assert state == {"strength": pytest.approx(0.7), "evidence_count": 4, "event_count": 3, "vector_count": 3}
    third = 1 / math.sqrt(3)
    vector = value(plane.connection, "SELECT vector::vector::real[] FROM cognifold.embedding WHERE node_id = %s", one)
    assert vector == pytest.approx([third] * 3, abs=1e-3)
    assert value(plane.connection, "SELECT evidence_mass FROM cognifold.concept WHERE id = %s", one) == pytest.approx(
        0.9 * 3 + 0.7
    )
    lexemes = rows(
        plane.connection, "SELECT lexeme, event_count FROM cognifold.concept_lexeme WHERE node_id = %s ORDER BY 1", one
    )
    assert [tuple(row.values()) for row in lexemes] == [("dive", 1), ("row", 1), ("swam", 1)]
    assert violations(plane.connection) == []


def test_a_merged_edge_bears_the_last_time_it_was_stated_and_the_first_it_was_made(plane: Plane) -> None:
    one, other, third = (
        make_concept(plane.connection, title, plane.event(title)) for title in ("Alpha", "Beta", "Gamma")
    )
    for concept_, hours in ((one, 10), (other, 20)):
        plane.at(hours)
        apply(plane.connection, add_edge(concept_, "related_to", third))
    apply(plane.connection, merge_nodes(one, other, survivor=one))
    edge = edges(plane.connection)[one, "related_to", third]
    assert (edge["stamped_at"], edge["created_at"]) == (at(later(20)), at(later(10)))
    mass = 0.5 * (math.exp(-0.0005 * 90) + math.exp(-0.0005 * 80))
    plane.at(100)
    assert edges(plane.connection)[one, "related_to", third]["mass"] == pytest.approx(mass, rel=1e-9)


def test_strength_stops_at_one(plane: Plane) -> None:
    one, other = (make_concept(plane.connection, title, plane.event(title, *vector))
                  for title, vector in (("Swimming", (1, 0, 0)), ("Diving", (0, 1, 0))))  # fmt: skip
    for number in range(5):
        apply(plane.connection, add_edge(plane.event("Again", 1, 0, number), "reinforces", one))
    apply(plane.connection, merge_nodes(one, other))
    assert value(plane.connection, "SELECT strength FROM cognifold.concept WHERE id = %s", one) == 1


def test_the_more_accessed_survives_then_the_better_founded_then_the_older(plane: Plane, admin: Connection) -> None:
    def pair(number: int) -> tuple[UUID, UUID]:
        letter = "abc"[number]
        return (make_concept(plane.connection, f"First {letter}", plane.event(f"Said {letter}")),
                make_concept(plane.connection, f"Second {letter}", plane.event(f"Told {letter}")))  # fmt: skip

    one, other = pair(0)
    accessed(admin, plane.tenant, one, 2, later(3))
    accessed(admin, plane.tenant, other, 5, later(1))
    apply(plane.connection, add_edge(plane.event("More"), "reinforces", one))
    apply(plane.connection, merge_nodes(one, other))
    assert merged_into(plane.connection, one) == other
    (counts,) = rows(
        plane.connection, "SELECT access_count, last_accessed::text FROM cognifold.concept WHERE id = %s", other
    )
    assert counts["access_count"] == 7
    assert value(plane.connection, "SELECT last_accessed = %s FROM cognifold.concept WHERE id = %s", later(3), other)

    one, other = pair(1)
    apply(plane.connection, add_edge(plane.event("More yet"), "reinforces", other))
    apply(plane.connection, merge_nodes(one, other))
    assert merged_into(plane.connection, one) == other

    later_event = plane.event("Later", hours=2)
    younger = make_concept(plane.connection, "Younger", later_event, trigger=later_event)
    earlier_event = plane.event("Earlier", hours=1)
    older = make_concept(plane.connection, "Older", earlier_event, trigger=earlier_event)
    apply(plane.connection, merge_nodes(younger, older))
    assert merged_into(plane.connection, younger) == older


def test_old_ids_resolve_in_one_step_however_often_concepts_merge(plane: Plane) -> None:
    a, b, c = (make_concept(plane.connection, title, plane.event(title)) for title in ("Alpha", "Beta", "Gamma"))
    apply(plane.connection, merge_nodes(a, b, survivor=b))
    apply(plane.connection, merge_nodes(a, c, survivor=c))  # a stands for b by now
    assert [merged_into(plane.connection, node) for node in (a, b, c)] == [c, c, None]
    assert [row["id"] for row in rows(plane.connection, "SELECT id FROM cognifold.explain(%s) WHERE depth = 0", a)] == [
        c
    ]
    new = plane.event("More of alpha")
    apply(plane.connection, add_edge(new, "reinforces", a), update_node(b, title="All of them"))
    assert (new, "reinforces", c) in edges(plane.connection)
    assert concepts(plane.connection) == {"All of them"}
    assert violations(plane.connection) == []


def test_several_merges_of_a_plan_happen_in_order_and_after_all_else(plane: Plane) -> None:
    a, b, c = (make_concept(plane.connection, title, plane.event(title)) for title in ("Alpha", "Beta", "Gamma"))
    new = plane.event("More of beta")
    result = apply(
        plane.connection,
        merge_nodes(a, b, survivor=a),
        merge_nodes(b, c, survivor=c),
        add_edge(new, "reinforces", b),
        add_edge(a, "related_to", b),
    )
    assert result["counts"]["nodes_merged"] == 2
    assert result["merged"] == [{"survivor": str(a), "absorbed": [str(b)]}, {"survivor": str(c), "absorbed": [str(a)]}]
    assert [merged_into(plane.connection, node) for node in (a, b, c)] == [c, c, None]
    assert {key[1:] for key in edges(plane.connection)} == {("grounds", c), ("reinforces", c)}
    assert violations(plane.connection) == []


def test_three_concepts_merge_at_once(plane: Plane) -> None:
    event = plane.event("Swam")
    nodes = [make_concept(plane.connection, title, event) for title in ("Alpha", "Beta", "Gamma")]
    apply(plane.connection, merge_nodes(*nodes, survivor=nodes[1]))
    assert edges(plane.connection)[event, "grounds", nodes[1]]["mass"] == pytest.approx(2.7, rel=1e-9)
    assert value(plane.connection, "SELECT strength FROM cognifold.concept WHERE id = %s", nodes[1]) == pytest.approx(
        0.7
    )


def test_recall_finds_the_survivor_alone(plane: Plane) -> None:
    one = make_concept(plane.connection, "Open water swimming", plane.event("Swam", 1, 0, 0))
    other = make_concept(plane.connection, "Lake trips", plane.event("Swam more", 1, 0.1, 0))
    apply(plane.connection, merge_nodes(one, other, survivor=one))
    found = rows(plane.connection, "SELECT node_id FROM cognifold.recall('lake trips water', kinds => '{concept}', "
                                   "query_embedding => '[1,0,0]', model => 'plane')")  # fmt: skip
    assert [row["node_id"] for row in found] == [one]
    for table in ("embedding", "lexical_document", "posting", "concept_lexeme", "consolidation_dirty"):
        assert rows(plane.connection, f"SELECT * FROM cognifold.{table} WHERE node_id = %s", other) == []


def test_two_faded_edges_that_weigh_enough_together_live(plane: Plane) -> None:
    event = plane.event("Swam")
    one, other = (make_concept(plane.connection, title, event) for title in ("Alpha", "Beta"))
    plane.consolidate(500)  # .9 * exp(-2.5) = .074 each
    plane.at(500)
    apply(plane.connection, merge_nodes(one, other, survivor=one))
    assert edges(plane.connection)[event, "grounds", one]["live"] is True
    assert plane.consolidate(500)["counts"]["edges_faded"] == 0


def test_the_journal_alone_restores_what_was(plane: Plane) -> None:
    shared = plane.event("Swam", 1, 0, 0)
    one = make_concept(plane.connection, "Swimming", shared)
    other = make_concept(plane.connection, "Diving", shared, plane.event("Dived", 0, 1, 0))
    third = make_concept(plane.connection, "Sport", plane.event("Trained", 0, 0, 1))
    apply(
        plane.connection,
        add_edge(one, "related_to", third),
        add_edge(other, "related_to", third),
        add_edge(other, "part_of", one),
    )
    apply(
        plane.connection,
        merge_nodes(third, make_concept(plane.connection, "Training", plane.event("Ran")), survivor=third),
    )
    before = images(plane.connection)
    result = apply(plane.connection, add_edge(other, "contradicts", third), update_node(other, title="Deep diving"),
                   merge_nodes(other, third, survivor=third), merge_nodes(third, one, survivor=one))  # fmt: skip
    assert violations(plane.connection) == []
    entries = journal(plane.connection, result["plan_id"])
    assert walked_back(images(plane.connection), entries) == before
    plane.connection.execute("SELECT cognifold.undo_plan(%s)", [result["plan_id"]])
    assert images(plane.connection) == before
    assert violations(plane.connection) == []


def test_a_bad_merge_is_refused_with_its_index_and_reason(plane: Plane) -> None:
    event = plane.event("Swam")
    one, other = (
        make_concept(plane.connection, "Alpha", event),
        make_concept(plane.connection, "Beta", plane.event("Dived")),
    )
    old = make_concept(plane.connection, "Gamma", plane.event("Ran"))
    apply(plane.connection, merge_nodes(old, one, survivor=one))
    intent = UUID(apply(plane.connection, add_node("intent", "Buy goggles", event, ref="made"))["refs"]["made"])
    bad: list[tuple[Operation, str]] = [
        ({"op": "MERGE_NODES"}, 'a merge needs "ids", an array of two or more concepts'),
        ({"op": "MERGE_NODES", "ids": str(one)}, 'a merge needs "ids", an array of two or more concepts'),
        (merge_nodes(one), 'a merge needs "ids", an array of two or more concepts'),
        (merge_nodes(one, event), f"ids {event} is of kind event; only concepts are merged"),
        (merge_nodes(one, intent), f"ids {intent} is of kind intent; only concepts are merged"),
        (merge_nodes(one, old), "its ids are one and the same concept"),
        (merge_nodes(one, one), "its ids are one and the same concept"),
        (merge_nodes(one, "00000000-0000-7000-8000-000000000000"), "is no node of this tenant"),
        (merge_nodes(one, "new"), "a merge joins concepts that are stored already"),
        (merge_nodes(one, other, survivor=event), f"survivor {event} is of kind event; only concepts are merged"),
    ]
    before = snapshot_views(plane)
    for operation, reason in bad:
        with pytest.raises(Exception, match=r"operation 1 \(MERGE_NODES\): .*") as caught:
            apply(plane.connection, concept("New", event, ref="new"), operation)
        assert reason in str(caught.value)
        assert getattr(caught.value, "sqlstate", None) == InvalidPlanError.sqlstate
    third = make_concept(plane.connection, "Delta", plane.event("Rowed"))
    with pytest.raises(Exception, match="survivor must be one of the ids"):
        apply(plane.connection, merge_nodes(one, other, survivor=third))
    assert len(snapshot_views(plane)) == len(before) + 1


def snapshot_views(plane: Plane) -> list[dict[str, Any]]:
    return rows(plane.connection, "SELECT id, merged_into FROM cognifold.concept ORDER BY id")
