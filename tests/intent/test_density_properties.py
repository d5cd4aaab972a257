"""What density does whatever a concept is made of: it grows with evidence, falls with time, and minds nothing else."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import value
from tests.graph.plans import add_edge, apply
from tests.intent.workshop import Workshop, moment

PROPERTY = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
ONE_WAY = (1.0, 0.0, 0.0)  # all alike, so that cohesion is not what changes
hours = st.integers(0, 300)


def density(workshop: Workshop, concept: UUID, at: float) -> float:
    found: float = value(workshop.connection, "SELECT cognifold.density(%s, %s)", concept, moment(at))
    return found


@PROPERTY
@given(times=st.lists(hours, min_size=1, max_size=5), more=st.lists(st.integers(300, 400), min_size=1, max_size=3))
def test_it_grows_with_each_event_that_is_evidence(
    new_workshop: Callable[[], Workshop], times: list[int], more: list[int]
) -> None:
    workshop = new_workshop()
    workshop.at(400)
    concept = workshop.concept("It", *(workshop.event(f"Once {n}", *ONE_WAY, hours=h) for n, h in enumerate(times)))
    seen = [density(workshop, concept, 400)]
    for number, at in enumerate(more):
        event = workshop.event(f"Again {number}", *ONE_WAY, hours=at)
        apply(workshop.connection, add_edge(event, "reinforces", concept))
        seen.append(density(workshop, concept, 400))
    assert all(one < other for one, other in itertools.pairwise(seen)), seen
    assert seen[0] > 0 and seen[-1] <= 1
    workshop.connection.close()


@PROPERTY
@given(
    vectors=st.lists(st.sampled_from([(1, 0, 0), (0.6, 0.8, 0), (0, 0, 1), (0.8, 0, 0.6)]), min_size=1, max_size=4),
    linked=st.booleans(),
    later=st.lists(st.floats(1, 2000), min_size=2, max_size=5, unique=True).map(sorted),
)
def test_it_falls_with_time_alone(
    new_workshop: Callable[[], Workshop], vectors: list[tuple[float, ...]], linked: bool, later: list[float]
) -> None:
    workshop = new_workshop()
    concept = workshop.concept("It", *(workshop.event(f"Once {n}", *v) for n, v in enumerate(vectors)))
    if linked:
        other = workshop.concept("Other", workshop.event("Other", 0, 1, 0))
        apply(workshop.connection, add_edge(concept, "part_of", other, weight=0.9))
    seen = [density(workshop, concept, at) for at in [0, *later]]
    if not linked:
        assert all(one > other for one, other in itertools.pairwise(seen)), seen
    else:  # a faint neighbour that fades lets what is left hang closer together: the mass falls all the same
        assert seen[-1] < seen[0]
    workshop.connection.close()


@PROPERTY
@given(unrelated=st.lists(st.tuples(hours, st.booleans()), min_size=1, max_size=5))
def test_it_minds_no_event_that_is_no_evidence(
    new_workshop: Callable[[], Workshop], unrelated: list[tuple[int, bool]]
) -> None:
    workshop = new_workshop()
    concept = workshop.concept("It", workshop.event("One", *ONE_WAY), workshop.event("Two", 0.6, 0.8, 0))
    before = [density(workshop, concept, at) for at in (0, 300, 900)]
    for number, (at, has_concept) in enumerate(unrelated):
        event = workshop.event(f"Elsewhere {number}", *ONE_WAY, hours=at)  # alike, but folded into nothing of it
        if has_concept:
            workshop.concept(f"Elsewhere {number}", event)
    assert [density(workshop, concept, at) for at in (0, 300, 900)] == before
    workshop.connection.close()


@PROPERTY
@given(data=st.data(), vectors=st.lists(st.sampled_from([(1, 0, 0), (0.6, 0.8, 0), (0, 1, 0)]), min_size=2, max_size=5))
def test_it_does_not_depend_on_the_order_of_events_of_one_moment(
    new_workshop: Callable[[], Workshop], data: st.DataObject, vectors: list[tuple[float, ...]]
) -> None:
    found = []
    for order in (list(enumerate(vectors)), data.draw(st.permutations(list(enumerate(vectors))))):
        workshop = new_workshop()
        first, *rest = (workshop.event(f"Text {number}", *vector) for number, vector in order)
        concept = workshop.concept("It", first)
        for event in rest:
            apply(workshop.connection, add_edge(event, "reinforces", concept, weight=0.9))
        # the first is a ground and the others reinforce: all of the same weight
        found.append([density(workshop, concept, at) for at in (0, 100)])
        workshop.connection.close()
    assert found[0] == pytest.approx(found[1], rel=1e-6)  # vectors are kept in half precision
