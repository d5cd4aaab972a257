"""A concept sleeps when all its edges have faded, is still found, and wakes by new evidence."""

from __future__ import annotations

import math

import pytest

from tests.conftest import at, value
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import FADES, dormant, later
from tests.graph.plans import add_edge, apply, edges, make_concept, rows, violations


def test_a_concept_is_dormant_from_the_moment_its_last_edge_has_faded(plane: Plane) -> None:
    swimming = make_concept(plane.connection, "Swimming", plane.event("Swam two kilometres", 1, 0, 0))
    for consolidated in (False, True):
        for hours, expected in ((0, False), (FADES - 0.01, False), (FADES + 0.01, True)):
            if consolidated:
                plane.consolidate(hours)
            plane.at(hours)
            assert dormant(plane.connection, swimming) is expected


def test_one_live_edge_of_any_type_keeps_a_concept_awake(plane: Plane) -> None:
    one = make_concept(plane.connection, "Swimming", plane.event("Swam", 1, 0, 0))
    other = make_concept(plane.connection, "Cycling", plane.event("Cycled", 0, 1, 0))
    apply(plane.connection, add_edge(one, "related_to", other))
    for hours, asleep in ((FADES + 1, False), (3218, False), (3220, True)):
        plane.at(hours)
        assert [dormant(plane.connection, concept) for concept in (one, other)] == [asleep, asleep]


def test_recall_and_explain_find_what_is_dormant(plane: Plane) -> None:
    event = plane.event("Swam two kilometres", 1, 0, 0, folded=True)
    swimming = make_concept(plane.connection, "Swimming", event)
    plane.consolidate(1000)
    plane.at(1000)
    asked = "SELECT node_id FROM cognifold.recall('swimming', query_embedding => '[1,0,0]', model => 'plane')"
    assert {row["node_id"] for row in rows(plane.connection, asked)} == {event, swimming}
    explained = rows(plane.connection, "SELECT id FROM cognifold.explain(%s)", swimming)
    assert [row["id"] for row in explained] == [swimming, event]
    assert dormant(plane.connection, swimming), "reading wakes nothing"


@pytest.mark.parametrize("consolidated", [False, True])
def test_new_evidence_wakes_a_dormant_concept_and_brings_its_strongest_provenance_back_at_a_half(
    plane: Plane, consolidated: bool
) -> None:
    early = plane.event("Swam a mile", 1, 0, 0, hours=-20)
    strong = plane.event("Swam two kilometres", 1, 0.1, 0)
    swimming = make_concept(plane.connection, "Swimming", early, strong)
    if consolidated:
        plane.consolidate(FADES + 0.01)
    plane.at(FADES + 0.01)
    new = plane.event("Swam again", 1, 0, 0.1, hours=FADES + 0.01)
    apply(plane.connection, add_edge(new, "reinforces", swimming), trigger_event_id=new)

    masses = {source: edge["mass"] for (source, _, _), edge in edges(plane.connection).items()}
    faint = 0.9 * math.exp(-0.005 * (FADES + 20.01))
    assert masses == pytest.approx({strong: 0.5, new: 0.7, early: faint}, rel=1e-9)
    evidence_mass = value(plane.connection, "SELECT evidence_mass FROM cognifold.concept")
    assert evidence_mass == pytest.approx(1.2 + faint, rel=1e-9)
    assert not dormant(plane.connection, swimming)
    assert edges(plane.connection)[strong, "grounds", swimming]["live"] is True
    assert violations(plane.connection) == []


def test_evidence_for_a_concept_that_is_awake_brings_nothing_back(plane: Plane) -> None:
    old = plane.event("Swam two kilometres", 1, 0, 0)
    swimming = make_concept(plane.connection, "Swimming", old)
    plane.at(FADES - 0.01)
    new = plane.event("Swam again", 1, 0, 0.1, hours=FADES - 0.01)
    apply(plane.connection, add_edge(new, "reinforces", swimming), trigger_event_id=new)
    edge = edges(plane.connection)[old, "grounds", swimming]
    assert edge["mass"] == pytest.approx(0.1 * math.exp(0.005 * 0.01), rel=1e-9)


def test_what_woke_bears_the_time_it_woke_at(plane: Plane) -> None:
    # So that a rate of decay can't be changed behind its back: its mass is reckoned from that moment.
    old = plane.event("Swam two kilometres", 1, 0, 0)
    swimming = make_concept(plane.connection, "Swimming", old)
    plane.at(600)
    new = plane.event("Swam again", 1, 0, 0.1, hours=600)
    apply(plane.connection, add_edge(new, "reinforces", swimming), trigger_event_id=new)
    assert edges(plane.connection)[old, "grounds", swimming]["stamped_at"] == at(later(600))


def test_a_late_event_of_a_time_when_the_concept_was_awake_brings_nothing_back(plane: Plane) -> None:
    old = plane.event("Swam two kilometres", 1, 0, 0)
    swimming = make_concept(plane.connection, "Swimming", old)
    plane.consolidate(5000)
    plane.at(5000)
    late = plane.event("Swam again", 1, 0, 0.1, hours=400)  # .9 was .122 then
    apply(plane.connection, add_edge(late, "reinforces", swimming), trigger_event_id=late)
    plane.at(400)
    edge = edges(plane.connection)[old, "grounds", swimming]
    assert edge["mass"] == pytest.approx(0.9 * math.exp(-2), rel=1e-9)


def test_what_is_only_inferred_wakes_nobody(plane: Plane) -> None:
    old = plane.event("Swam two kilometres", 1, 0, 0)
    swimming = make_concept(plane.connection, "Swimming", old)
    plane.at(1000)
    apply(plane.connection, add_edge(plane.event("Dived", 1, 0, 0.1, hours=1000), "grounds", swimming, inferred=True))
    assert edges(plane.connection)[old, "grounds", swimming]["mass"] == pytest.approx(0.9 * math.exp(-5), rel=1e-9)


def test_a_stream_told_late_wakes_what_it_would_have_woken_then(plane: Plane) -> None:
    # Both events are folded at 5000 hours; 600 hours lay between them, so the concept slept when the second came.
    plane.at(5000)
    old = plane.event("Swam two kilometres", 1, 0, 0)
    swimming = make_concept(plane.connection, "Swimming", old, trigger=old)
    new = plane.event("Swam again", 1, 0, 0.1, hours=600)
    apply(plane.connection, add_edge(new, "reinforces", swimming), trigger_event_id=new)
    plane.at(600)
    assert edges(plane.connection)[old, "grounds", swimming]["mass"] == pytest.approx(0.5, rel=1e-9)
    # A third event, of a time when the first was still fresh, brings nothing back, whatever passes have done since.
    plane.consolidate(5000)
    plane.at(5000)
    late = plane.event("Swam in between", 1, 0, 0.2, hours=100)
    apply(plane.connection, add_edge(late, "reinforces", swimming), trigger_event_id=late)
    plane.at(600)
    assert edges(plane.connection)[old, "grounds", swimming]["mass"] == pytest.approx(0.5, rel=1e-9)
    assert violations(plane.connection) == []


def test_waking_is_in_the_journal_with_one_image_a_row(plane: Plane) -> None:
    old = plane.event("Swam two kilometres", 1, 0, 0)
    swimming = make_concept(plane.connection, "Swimming", old)
    plane.consolidate(600)
    query = "SELECT to_jsonb(e) - 'tenant_id' AS image FROM cognifold.graph_edge AS e"
    state = "SELECT strength, evidence_count, evidence_potential FROM cognifold.concept_state"
    (edge,), (counts,) = rows(plane.connection, query), rows(plane.connection, state)
    plane.at(600)
    result = apply(plane.connection, add_edge(old, "grounds", swimming))  # the one edge is both woken and stated again
    journal = "SELECT relation, before FROM cognifold.journal WHERE plan_id = %s ORDER BY position"
    entries = rows(plane.connection, journal, result["plan_id"])
    assert [entry["relation"] for entry in entries] == ["graph_edge", "concept_state"]
    assert entries[0]["before"] == edge["image"]
    assert {name: entries[1]["before"][name] for name in counts} == counts
    # .5 at 600 hours, and the statement's tenth at the event's own time.
    mass = 0.5 + 0.1 * math.exp(-0.005 * 600)
    assert edges(plane.connection)[old, "grounds", swimming]["mass"] == pytest.approx(mass, rel=1e-9)
    assert violations(plane.connection) == []


def test_folding_wakes_too(plane: Plane) -> None:
    plane.set("fold.minimum_information", 0)
    text = "Swam two kilometres in the cold pool"
    for hours in (0, 1):
        plane.event(text, 1, 0, 0, hours=hours, folded=True)
    pool = value(plane.connection, "SELECT id FROM cognifold.concept")
    plane.consolidate(1000)
    plane.at(1000)
    assert dormant(plane.connection, pool)
    new = plane.event(text, 1, 0, 0, hours=1000, folded=True)
    assert (new, "reinforces", pool) in edges(plane.connection)
    masses = sorted(edge["mass"] for (_, _, target), edge in edges(plane.connection).items() if target == pool)
    assert masses == pytest.approx([0.9 * math.exp(-5), 0.5, 0.7], rel=1e-9)
