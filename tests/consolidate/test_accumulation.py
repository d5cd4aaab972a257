"""What is recalled is counted, wakes what sleeps, and ties what keeps coming up together."""

from __future__ import annotations

import math
from typing import Any
from uuid import UUID

import pytest

from tests.conftest import Connection, at, value
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import FADES, NOTHING, dormant, later, plans
from tests.graph.plans import add_edge, apply, edges, make_concept, rows, snapshot, violations


def note(plane: Plane, *nodes: UUID, times: int = 1, hours: float = 0) -> None:
    """Note a recall that brought up these nodes, best first."""
    plane.at(hours)
    for _ in range(times):
        value(plane.connection, "SELECT cognifold.note_recall(%s)", list(nodes))


def count(plane: Plane, maximum: int | None = None) -> dict[str, Any]:
    report: dict[str, Any] = value(plane.connection, "SELECT cognifold.count_recalls(%s)", maximum)
    return report


def uses(plane: Plane) -> dict[UUID, tuple[int, Any]]:
    """How often, and when last, each node was recalled."""
    found = rows(plane.connection, "SELECT node_id, access_count, last_accessed FROM cognifold.node_state")
    return {row["node_id"]: (row["access_count"], row["last_accessed"]) for row in found if row["access_count"]}


def pair(plane: Plane) -> tuple[UUID, UUID]:
    """Two folded events, the earlier one first."""
    return plane.event("Swam", 1, 0, 0, folded=True), plane.event("Sang", 0, 1, 0, folded=True)


def test_uses_add_up_and_the_last_is_kept_in_whatever_order_they_are_noted(plane: Plane) -> None:
    one, other = pair(plane)
    note(plane, one, other, hours=5)
    note(plane, one, one, hours=3)  # named twice, recalled once
    plane.at(9)
    report = count(plane)
    assert (report["recalls_counted"], report["nodes_accessed"]) == (2, 2)
    assert uses(plane) == {one: (2, at(later(5))), other: (1, at(later(5)))}
    note(plane, one, hours=4)
    count(plane)
    assert uses(plane)[one] == (3, at(later(5)))
    assert value(plane.connection, "SELECT count(*) FROM cognifold.recall_log") == 0


def test_what_is_counted_is_counted_once_and_the_oldest_first(plane: Plane) -> None:
    one, other = pair(plane)
    note(plane, one, times=3)
    note(plane, other)
    counted = [count(plane, 2)["recalls_counted"] for _ in range(4)]
    assert counted == [2, 2, 0, 0]
    assert {node: use for node, (use, _) in uses(plane).items()} == {one: 3, other: 1}


def test_counting_nothing_writes_nothing(plane: Plane, admin: Connection) -> None:
    pair(plane)
    before = snapshot(admin, plane.tenant)
    nothing = {"recalls_counted": 0, "nodes_accessed": 0, "concepts_woken": 0, "pairs_linked": 0, "pairs_reinforced": 0}
    assert count(plane) == nothing | {"plans": []}
    assert snapshot(admin, plane.tenant) == before


def test_two_memories_are_tied_by_the_third_recall_of_both(plane: Plane) -> None:
    early, late = pair(plane)
    note(plane, late, early, times=2, hours=10)
    assert count(plane)["pairs_linked"] == 0
    assert edges(plane.connection) == {}
    note(plane, early, late, hours=11)
    report = count(plane)
    assert (report["pairs_linked"], report["pairs_reinforced"], len(report["plans"])) == (1, 0, 1)
    ((key, edge),) = edges(plane.connection).items()
    assert key == (late, "related_to", early)
    assert edge["mass"] == pytest.approx(0.3, rel=1e-12)
    assert (edge["inferred"], edge["bidirectional"], edge["live"]) == (True, True, True)
    assert edge["stamped_at"] == at(later(11))  # when they were recalled, not when that was counted or they happened
    (plan,) = plans(plane.connection)
    assert [operation["reasoning"] for operation in plan["operations"]] == ["recalled together 3 times"]
    assert violations(plane.connection) == []


def test_each_further_recall_of_both_adds_a_step(plane: Plane) -> None:
    early, late = pair(plane)
    note(plane, early, late, times=5)
    count(plane)
    assert edges(plane.connection)[late, "related_to", early]["mass"] == pytest.approx(0.3 + 2 * 0.05, rel=1e-12)
    note(plane, early, late, times=2, hours=100)
    assert count(plane)["pairs_reinforced"] == 1
    mass = 0.4 * math.exp(-0.5) + 2 * 0.05
    assert edges(plane.connection)[late, "related_to", early]["mass"] == pytest.approx(mass, rel=1e-12)


def test_what_a_plan_related_is_renewed_as_it_is_whichever_way_it_points(plane: Plane) -> None:
    early, late = pair(plane)
    apply(plane.connection, add_edge(early, "related_to", late))
    note(plane, late, early)
    assert count(plane)["pairs_reinforced"] == 1
    ((key, edge),) = edges(plane.connection).items()
    assert key == (early, "related_to", late)
    assert edge["mass"] == pytest.approx(0.55, rel=1e-12)
    assert (edge["inferred"], edge["bidirectional"]) == (False, False)


def test_a_tie_that_has_faded_is_earned_anew(plane: Plane) -> None:
    early, late = pair(plane)
    note(plane, early, late, times=3)
    count(plane)
    faded = math.log(3) / 0.005 + 1
    note(plane, early, late, times=2, hours=faded)
    assert count(plane)["pairs_linked"] == 0
    note(plane, early, late, hours=faded)
    assert count(plane)["pairs_linked"] == 1
    mass = 0.3 + 0.1 * math.exp(-0.005)
    assert edges(plane.connection)[late, "related_to", early]["mass"] == pytest.approx(mass, rel=1e-9)


def test_only_the_first_of_a_recall_count_as_recalled_together(plane: Plane) -> None:
    plane.set("learn.together", 2)
    ids = [plane.event(f"Number {n}", 1, n, 0, folded=True) for n in range(3)]
    note(plane, *ids, times=3)
    count(plane)
    assert list(edges(plane.connection)) == [(ids[1], "related_to", ids[0])]
    assert len(uses(plane)) == 3


def test_a_concept_is_not_tied_to_what_it_rests_on(plane: Plane) -> None:
    one, other = pair(plane)
    swimming = make_concept(plane.connection, "Swimming", one)
    note(plane, swimming, one, other, times=3)
    count(plane)
    related = {frozenset((s, t)) for s, type_, t in edges(plane.connection) if type_ == "related_to"}
    assert related == {frozenset((one, other)), frozenset((swimming, other))}
    assert violations(plane.connection) == []


def test_a_pair_that_does_not_come_up_again_in_time_begins_anew(plane: Plane) -> None:
    early, late = pair(plane)
    note(plane, early, late, times=2)
    count(plane)
    month = 24 * 30
    note(plane, early, late, hours=month + 1)
    count(plane)
    assert edges(plane.connection) == {}
    note(plane, early, late, times=2, hours=month + 2)
    assert count(plane)["pairs_linked"] == 1


def test_undoing_the_tie_takes_it_back_and_leaves_the_counts(plane: Plane) -> None:
    early, late = pair(plane)
    note(plane, early, late, times=3)
    (plan,) = count(plane)["plans"]
    value(plane.connection, "SELECT cognifold.undo_plan(%s)", plan)
    assert edges(plane.connection) == {}
    assert uses(plane)[early][0] == 3
    note(plane, early, late, times=2)
    assert count(plane)["pairs_linked"] == 0


@pytest.mark.parametrize("consolidated", [False, True])
def test_a_recall_wakes_a_dormant_concept(plane: Plane, consolidated: bool) -> None:
    weak = plane.event("Swam a mile", 1, 0, 0, hours=-20)
    strong = plane.event("Swam two kilometres", 1, 0.1, 0)
    swimming = make_concept(plane.connection, "Swimming", weak, strong)
    moment = FADES + 0.01
    if consolidated:
        plane.consolidate(moment)
    note(plane, swimming, hours=moment)
    assert dormant(plane.connection, swimming)  # recall itself wakes nobody
    report = count(plane)
    assert (report["concepts_woken"], len(report["plans"])) == (1, 1)
    assert not dormant(plane.connection, swimming)
    masses = {source: edge["mass"] for (source, _, _), edge in edges(plane.connection).items()}
    faint = 0.9 * math.exp(-0.005 * (moment + 20))
    assert masses == pytest.approx({strong: 0.5, weak: faint}, rel=1e-9)
    assert violations(plane.connection) == []
    value(plane.connection, "SELECT cognifold.undo_plan(%s)", report["plans"][0])
    assert dormant(plane.connection, swimming)
    assert violations(plane.connection) == []


def test_counted_late_a_recall_wakes_as_of_its_own_time(plane: Plane) -> None:
    event = plane.event("Swam two kilometres", 1, 0, 0)
    swimming = make_concept(plane.connection, "Swimming", event)
    note(plane, swimming, hours=600)
    plane.at(700)
    assert count(plane)["concepts_woken"] == 1
    mass = 0.5 * math.exp(-0.005 * 100)
    assert edges(plane.connection)[event, "grounds", swimming]["mass"] == pytest.approx(mass, rel=1e-9)


def test_a_recall_of_what_is_awake_changes_no_edge(plane: Plane) -> None:
    event = plane.event("Swam two kilometres", 1, 0, 0)
    swimming = make_concept(plane.connection, "Swimming", event)
    before = edges(plane.connection)
    note(plane, swimming, hours=100)
    assert count(plane)["plans"] == []
    plane.at(0)
    assert edges(plane.connection) == before


def test_what_was_merged_since_counts_for_the_survivor_and_what_is_gone_for_nothing(
    plane: Plane, admin: Connection
) -> None:
    one, other = pair(plane)
    kept, lost = (make_concept(plane.connection, title, event) for title, event in (("Swimming", one), ("Song", other)))
    note(plane, lost, kept, UUID(int=7), times=2)
    merge = {"op": "MERGE_NODES", "ids": [str(kept), str(lost)], "survivor": str(kept)}
    apply(plane.connection, merge)
    report = count(plane)
    assert (report["recalls_counted"], report["nodes_accessed"]) == (2, 1)
    assert {node: use for node, (use, _) in uses(plane).items()} == {kept: 2}


def test_a_pass_counts_everything_in_batches_and_says_so(plane: Plane) -> None:
    plane.set("learn.batch", 2)
    early, late = pair(plane)
    plane.consolidate(0)
    note(plane, early, late, times=5)
    report = plane.consolidate(1)
    # Batches of 2, 2 and 1: two recalls make no tie, four make one of .3 + .05, the fifth renews it.
    told = {"recalls_counted": 5, "pairs_linked": 1, "pairs_reinforced": 1}
    assert {name: report["counts"][name] for name in told} == told
    plane.at(0)
    assert edges(plane.connection)[late, "related_to", early]["mass"] == pytest.approx(0.4, rel=1e-12)
    assert plane.consolidate(1)["counts"]["recalls_counted"] == 0


def test_what_was_tied_in_a_pass_is_not_looked_at_by_the_next(plane: Plane) -> None:
    early, late = pair(plane)
    for hours in range(3):
        plane.consolidate(hours)
    note(plane, early, late, times=3, hours=3)
    plane.consolidate(3)
    assert plane.consolidate(3)["counts"] == NOTHING
