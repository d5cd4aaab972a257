"""A concept that never had a live edge is tied to its neighbours; one that fell asleep is left alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from uuid import UUID

import pytest

from tests.conftest import Connection, value
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import NOTHING, dormant
from tests.graph.plans import (
    START,
    add_edge,
    apply,
    concept,
    edges,
    make_concept,
    remember,
    rows,
    update_node,
    violations,
)


def orphan(plane: Plane, title: str, *vector: float) -> UUID:
    """A concept of something a year ago: its one edge was below a tenth when it was made."""
    return make_concept(plane.connection, title, plane.event(f"Long ago: {title}", *vector, hours=-8760))


def inferred(plane: Plane) -> dict[tuple[UUID, str, UUID], float]:
    return {key: edge["mass"] for key, edge in edges(plane.connection).items() if edge["inferred"]}


def test_an_orphan_is_tied_to_its_three_nearest_events_and_concepts(plane: Plane) -> None:
    near = [plane.event(f"Said {number}", 1, number / 10, 0) for number in (2, 4, 6, 8)]
    plane.event("Something else", 0, 0, 1)
    told = [plane.event(f"Told {number}", 1, 0, number / 10) for number in (7, 9)]
    beside = [make_concept(plane.connection, f"Topic {number}", event) for number, event in enumerate(told)]
    far = make_concept(plane.connection, "Far away", plane.event("Elsewhere", -1, 0, 0))
    lost = orphan(plane, "Lost", 1, 0, 0)
    report = plane.consolidate(0)
    assert (report["counts"]["concepts_completed"], report["counts"]["edges_inferred"]) == (1, 5)
    cosine = {number: 1 / math.hypot(1, number / 10) for number in (2, 4, 6, 7, 8, 9)}
    assert inferred(plane) == {
        (near[0], "grounds", lost): pytest.approx(cosine[2], abs=2e-3),
        (near[1], "grounds", lost): pytest.approx(cosine[4], abs=2e-3),
        (near[2], "grounds", lost): pytest.approx(cosine[6], abs=2e-3),
        (lost, "related_to", beside[0]): pytest.approx(cosine[7], abs=2e-3),
        (lost, "related_to", beside[1]): pytest.approx(cosine[9], abs=2e-3),
    }
    assert not dormant(plane.connection, lost)
    assert far not in {target for _, _, target in inferred(plane)}
    assert plane.consolidate(0)["counts"] == NOTHING
    assert violations(plane.connection) == []


def test_guesses_are_neither_provenance_nor_evidence(plane: Plane) -> None:
    lost = orphan(plane, "Lost", 1, 0, 0)
    near = plane.event("Found", 1, 0.2, 0)
    state = "SELECT strength, evidence_count, evidence_potential, vector_sum::text FROM cognifold.concept_state"
    before = rows(plane.connection, state)
    plane.consolidate(0)
    assert rows(plane.connection, state) == before
    shown = rows(plane.connection, "SELECT stated FROM cognifold.explain(%s) WHERE id = %s", lost, near)
    assert shown == [{"stated": False}]


def test_a_concept_that_fell_asleep_is_not_completed_even_when_it_changes(plane: Plane) -> None:
    sleeper = make_concept(plane.connection, "Swimming", plane.event("Swam", 1, 0, 0))
    plane.event("Swam elsewhere", 1, 0.2, 0)
    assert plane.consolidate(0)["counts"]["concepts_completed"] == 0
    assert plane.consolidate(5000)["counts"]["edges_faded"] == 1
    plane.at(5000)
    assert dormant(plane.connection, sleeper)
    apply(plane.connection, update_node(sleeper, title="Swims"))
    counts = plane.consolidate(5000)["counts"]
    assert (counts["concepts_changed"], counts["concepts_completed"]) == (1, 0)
    assert inferred(plane) == {}


def test_an_edge_below_the_bar_from_the_start_never_lived(plane: Plane) -> None:
    event = plane.event("Barely", 1, 0, 0)
    near = plane.event("Nearby", 1, 0.1, 0)
    apply(plane.connection, concept("Faint", event, ref="faint"), add_edge(event, "grounds", "faint", weight=0.05))
    assert value(plane.connection, "SELECT mass FROM cognifold.edge") == pytest.approx(0.05)
    counts = plane.consolidate(1)["counts"]
    assert (counts["edges_faded"], counts["concepts_completed"]) == (1, 1)
    assert {source for source, type_, _ in inferred(plane) if type_ == "grounds"} == {near}


def test_a_stream_told_late_has_no_orphans(plane: Plane) -> None:
    # Folded a year later, with the clock of then: the concepts were alive in their time, and have been forgotten since.
    plane.at(8760)
    event = plane.event("Swam", 1, 0, 0)
    plane.event("Swam elsewhere", 1, 0.2, 0)
    make_concept(plane.connection, "Swimming", event, trigger=event)
    counts = plane.consolidate(8760)["counts"]
    assert (counts["edges_faded"], counts["concepts_completed"]) == (1, 0)


def test_an_orphan_without_neighbours_stays_and_is_looked_at_again_when_it_changes(plane: Plane) -> None:
    lost = orphan(plane, "Lost", 1, 0, 0)
    assert plane.consolidate(0)["counts"]["concepts_completed"] == 0
    plane.event("Found", 1, 0.2, 0)
    assert plane.consolidate(1)["counts"]["concepts_changed"] == 0
    apply(plane.connection, add_edge(plane.event("Long ago, too", 1, 0, 0, hours=-8000), "grounds", lost, weight=0.05))
    # The plan woke nothing that ever lived but the concept's own first edge.
    assert plane.consolidate(2)["counts"]["concepts_changed"] == 1


def test_without_a_vector_of_its_own_a_concept_is_placed_by_its_words(
    connect: Callable[..., Connection], tenant: str
) -> None:
    connection = connect(tenant, now=START)
    near = remember(connection, "Tomato seedlings in the greenhouse", "2026-03-01T09:00:00Z")
    remember(connection, "The quarterly tax declaration", "2026-03-01T10:00:00Z", source="post")
    connection.execute("SELECT cognifold.set_setting('fold.minimum_information', 100)")
    connection.execute("SELECT * FROM cognifold.fold()")
    silent = remember(connection, "...", "2025-03-01T09:00:00Z")  # no word in it, so no vector
    lost = make_concept(connection, "Greenhouse tomatoes", silent)
    connection.execute("SELECT cognifold.consolidate()")
    assert {key for key, edge in edges(connection).items() if edge["inferred"]} == {(near, "grounds", lost)}
