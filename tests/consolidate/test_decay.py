"""Edges that have faded leave the live graph at their moment, and stay as provenance."""

from __future__ import annotations

import pytest

from tests.conftest import at
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import FADES, NOTHING, later, plans
from tests.graph.plans import add_edge, apply, edges, make_concept, rows, violations


def test_an_edge_leaves_the_live_graph_when_its_mass_falls_below_a_tenth(plane: Plane) -> None:
    event = plane.event("Swam two kilometres", 1, 0, 0)
    swimming = make_concept(plane.connection, "Swimming", event)
    assert plane.consolidate(FADES - 0.01)["counts"]["edges_faded"] == 0
    assert rows(plane.connection, "SELECT faded_at FROM cognifold.edge") == [{"faded_at": None}]

    report = plane.consolidate(FADES + 0.01)
    assert report["counts"]["edges_faded"] == 1
    (edge,) = rows(plane.connection, "SELECT live, faded_at FROM cognifold.edge")
    assert edge == {"live": False, "faded_at": at(later(FADES + 0.01))}
    evidence = rows(plane.connection, "SELECT id, stated FROM cognifold.explain(%s) WHERE depth = 1", swimming)
    assert evidence == [{"id": event, "stated": True}]

    second = plane.consolidate(FADES + 0.01)
    assert (second["counts"], second["plans"], second["run_id"]) == (NOTHING, [], None)
    assert violations(plane.connection) == []


def test_an_edge_of_a_concept_fades_ten_times_slower(plane: Plane) -> None:
    # .5 at .0005 an hour falls below .1 after ln(5) / .0005 = 3219 hours.
    one = make_concept(plane.connection, "Swimming", plane.event("Swam", 1, 0, 0))
    other = make_concept(plane.connection, "Cycling", plane.event("Cycled", 0, 1, 0))
    apply(plane.connection, add_edge(one, "related_to", other))
    assert plane.consolidate(3218.8)["counts"]["edges_faded"] == 2
    assert plane.consolidate(3218.9)["counts"]["edges_faded"] == 1


def test_what_faded_is_in_the_journal_as_it_was(plane: Plane) -> None:
    make_concept(plane.connection, "Swimming", plane.event("Swam two kilometres", 1, 0, 0))
    (before,) = rows(plane.connection, "SELECT to_jsonb(e) - 'tenant_id' AS image FROM cognifold.graph_edge AS e")
    (plan_id,) = plane.consolidate(500)["plans"]
    (plan,) = plans(plane.connection)
    assert (str(plan["plan_id"]), plan["as_of"]) == (plan_id, at(later(500)))
    assert [operation["op"] for operation in plan["operations"]] == ["FADE_EDGES"]
    (entry,) = rows(plane.connection, "SELECT relation, before FROM cognifold.journal WHERE plan_id = %s", plan_id)
    assert entry == {"relation": "graph_edge", "before": before["image"]}


def test_a_faded_edge_that_is_stated_again_lives_again(plane: Plane) -> None:
    swimming = make_concept(plane.connection, "Swimming", plane.event("Swam", 1, 0, 0))
    running = make_concept(plane.connection, "Running", plane.event("Ran", 0, 1, 0))
    apply(plane.connection, add_edge(swimming, "related_to", running))
    plane.consolidate(4000)
    plane.at(4000)
    apply(plane.connection, add_edge(swimming, "related_to", running))
    edge = edges(plane.connection)[swimming, "related_to", running]
    assert edge["live"] is True
    assert edge["mass"] == pytest.approx(0.5 * 2.718281828459045**-2 + 0.1, rel=1e-9)


def test_many_faded_edges_go_in_as_many_plans_as_it_takes(plane: Plane) -> None:
    for number in range(5):
        make_concept(plane.connection, f"Topic {'abcde'[number]}", plane.event(f"Said {'abcde'[number]}"))
    plane.set("consolidate.fade_batch", 2)
    report = plane.consolidate(500)
    assert (report["counts"]["edges_faded"], len(report["plans"])) == (5, 3)
    assert [plan["result"]["counts"]["edges_faded"] for plan in plans(plane.connection)] == [2, 2, 1]


def test_only_a_pass_may_let_edges_fade(plane: Plane) -> None:
    with pytest.raises(Exception, match=r"operation 0 \(FADE_EDGES\): op 'FADE_EDGES' is not known"):
        apply(plane.connection, {"op": "FADE_EDGES", "as_of": later(0)})
