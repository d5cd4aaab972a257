"""How dense a concept's cluster is, worked out by hand."""

from __future__ import annotations

from math import exp, sqrt
from uuid import uuid4

import psycopg
import pytest

from tests.conftest import value
from tests.graph.plans import add_edge, apply, violations
from tests.intent.workshop import Workshop, moment


def density(workshop: Workshop, concept: object, hours: float) -> float:
    found: float = value(workshop.connection, "SELECT cognifold.density(%s, %s)", concept, moment(hours))
    return found


def test_a_concept_alone_coheres_by_the_mean_cosine_of_its_events_to_its_embedding(workshop: Workshop) -> None:
    events = [workshop.event("One", 1, 0, 0, hours=0), workshop.event("Two", 0.6, 0.8, 0, hours=10)]
    workshop.at(10)
    concept = workshop.concept("Both", *events)
    # grounds weighs .9 and fades by .005 an hour; the sum of the vectors is (1.6, .8, 0)
    mass = 0.9 * exp(-0.005 * 20) + 0.9 * exp(-0.005 * 10)
    cohesion = sqrt(1.6**2 + 0.8**2) / 2
    assert density(workshop, concept, 20) == pytest.approx((1 - exp(-mass / 2)) * (0.5 + 0.5 * cohesion), rel=1e-6)


def test_a_cluster_of_three_weighs_its_neighbours_and_coheres_by_the_mean_weight_of_its_pairs(
    workshop: Workshop,
) -> None:
    centre, near, far = (
        workshop.concept(name, workshop.event(f"{name} one"), workshop.event(f"{name} two"))
        for name in ("Centre", "Near", "Far")
    )
    apply(workshop.connection, add_edge(centre, "part_of", near, weight=0.7),
          add_edge(far, "derived_from", centre, weight=0.6), add_edge(near, "related_to", far, weight=0.5))  # fmt: skip
    # every edge was stated at START; links of concepts fade by .0005 an hour
    each, link = 1.8 * exp(-0.005 * 30), exp(-0.0005 * 30)
    mass = each * (1 + (0.7 + 0.6) * link)
    cohesion = (0.7 + 0.6 + 0.5) * link / 3
    expected = (1 - exp(-mass / 2)) * (0.5 + 0.5 * cohesion)
    assert density(workshop, centre, 30) == pytest.approx(expected, rel=1e-9)
    assert violations(workshop.connection) == []


def test_two_neighbours_without_a_link_count_as_a_pair_of_weight_nothing(workshop: Workshop) -> None:
    centre, near, far = (workshop.concept(name, workshop.event(name)) for name in ("Centre", "Near", "Far"))
    apply(workshop.connection, add_edge(centre, "part_of", near, weight=0.9),
          add_edge(centre, "part_of", far, weight=0.3))  # fmt: skip
    expected = (1 - exp(-0.9 * 2.2 / 2)) * (0.5 + 0.5 * 1.2 / 3)
    assert density(workshop, centre, 0) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("more", [{"inferred": True}, {"type": "contradicts"}])
def test_what_was_inferred_and_what_contradicts_is_no_neighbour(workshop: Workshop, more: dict[str, object]) -> None:
    centre, other = (workshop.concept(name, workshop.event(name)) for name in ("Centre", "Other"))
    alone = density(workshop, centre, 0)
    apply(workshop.connection, {**add_edge(centre, "related_to", other, weight=0.9), **more})
    assert density(workshop, centre, 0) == alone


def test_a_link_that_has_faded_is_none(workshop: Workshop) -> None:
    centre, other = (workshop.concept(name, workshop.event(name)) for name in ("Centre", "Other"))
    apply(workshop.connection, add_edge(centre, "related_to", other, weight=0.12))
    # .12 exp(-.0005 h) reaches .1 after ln(1.2) / .0005 = 364.6 hours
    mass = 0.9 * exp(-0.005 * 364)
    linked = (1 - exp(-mass * (1 + 0.12 * exp(-0.0005 * 364)) / 2)) * (0.5 + 0.5 * 0.12 * exp(-0.0005 * 364))
    alone = 1 - exp(-0.9 * exp(-0.005 * 365) / 2)
    assert density(workshop, centre, 364) == pytest.approx(linked, rel=1e-9)
    assert density(workshop, centre, 365) == pytest.approx(alone, rel=1e-6)


def test_it_falls_with_time_and_rises_with_evidence(workshop: Workshop) -> None:
    concept = workshop.concept("Kettle", workshop.event("One"), workshop.event("Two"))
    before = density(workshop, concept, 0)
    assert density(workshop, concept, 24) < before
    apply(workshop.connection, add_edge(workshop.event("Three"), "reinforces", concept))
    assert density(workshop, concept, 0) > before


def test_what_happens_later_is_no_evidence_yet_and_none_for_an_earlier_moment(workshop: Workshop) -> None:
    events = [workshop.event("One", 1, 0, 0), workshop.event("Two", 0.6, 0.8, 0, hours=1000)]
    concept = workshop.concept("Both", *events)
    assert density(workshop, concept, 0) == pytest.approx(1 - exp(-0.9 / 2), rel=1e-6)
    assert density(workshop, concept, 1000) == pytest.approx(
        (1 - exp(-0.9 * (1 + exp(-5)) / 2)) * (0.5 + 0.25 * sqrt(1.6**2 + 0.8**2)), rel=1e-6
    )


def test_only_a_concept_has_a_density(workshop: Workshop) -> None:
    for node in (workshop.event("An event"), uuid4()):
        with pytest.raises(psycopg.Error, match="is no concept of tenant") as refused:
            density(workshop, node, 0)
        assert refused.value.sqlstate == "CF021"
