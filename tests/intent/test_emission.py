"""When a concept becomes an intent, and when it does not."""

from __future__ import annotations

from datetime import datetime
from math import exp, sqrt
from typing import Any
from uuid import UUID

import pytest

from cognifold_pg.client import Memory
from tests.conftest import value
from tests.graph.plans import add_edge, add_node, apply, edges, move_clock, rows, violations
from tests.intent.workshop import DONE, NEED, Workshop, moment


def test_what_is_wanted_twice_becomes_an_intent_with_its_evidence_and_its_numbers(workshop: Workshop) -> None:
    events = [workshop.event(NEED, actor="Ada"), workshop.event(f"{NEED} and a lid", hours=1, actor="Ben")]
    concept = workshop.concept("Kettle, plug", *events)
    [intent] = workshop.emit(2)
    # each event voices .6 and grounds with .9
    mass = 0.9 * (exp(-0.005 * 2) + exp(-0.005))
    density, pressure = 1 - exp(-mass / 2), 1 - exp(-0.6 * mass)
    assert intent["density"] == pytest.approx(density, rel=1e-6)
    assert intent["pressure"] == pytest.approx(pressure, rel=1e-9)
    assert intent["readiness"] == pytest.approx(sqrt(density * pressure), rel=1e-6)
    assert intent["theta"] == 0.5 and intent["evidence"] == events and intent["deadline"] is None
    assert intent["title"] == "Kettle, plug: The kettle needs a new plug and a lid"
    assert intent["reason"] == (
        "2 of 2 recent events say that something is unmet, and none since says it is done:\n"
        '2 March, Ada: "The kettle needs a new plug"\n2 March, Ben: "The kettle needs a new plug and a lid"'
    )
    [seen] = workshop.view()
    assert (seen["status"], seen["evidence_count"], seen["content"]) == ("pending", 2, intent["reason"])
    assert {
        key: edge["weight"] for key, edge in edges(workshop.connection).items() if key[2] == intent["intent_id"]
    } == {
        (concept, "triggers", intent["intent_id"]): pytest.approx(0.8, rel=1e-2),
        (events[0], "grounds", intent["intent_id"]): pytest.approx(0.9, rel=2e-2),
        (events[1], "grounds", intent["intent_id"]): pytest.approx(0.9, rel=2e-2),
    }
    assert violations(workshop.connection) == []


def test_an_intent_is_made_by_a_journaled_plan_of_its_own_proposer(workshop: Workshop) -> None:
    intent = workshop.intent()
    [plan] = rows(workshop.connection, "SELECT plan_id FROM cognifold.plan WHERE proposer = 'intent'")
    assert workshop.view()[0]["plan_id"] == plan["plan_id"]
    columns = "relation, node_id, before"
    journal = rows(workshop.connection, f"SELECT {columns} FROM cognifold.journal WHERE plan_id = %s", plan["plan_id"])
    assert {"relation": "node", "node_id": intent, "before": None} in journal
    assert sum(entry["relation"] == "graph_edge" for entry in journal) == 3


def test_a_habit_never_becomes_one_however_dense_it_is(workshop: Workshop) -> None:
    workshop.concept("Morning run", *(workshop.event(f"Morning run by the river, {n} km", hours=n) for n in range(12)))
    assert workshop.emit(12) == []
    [seen] = rows(workshop.connection, "SELECT density, pressure, readiness FROM cognifold.intent_assessment")
    assert seen["density"] > 0.9 and seen["pressure"] == 0 and seen["readiness"] == 0


def test_one_event_is_not_enough_however_much_it_wants(workshop: Workshop) -> None:
    much = f"{NEED}. It is broken and won't start. We're worried about it. Still no answer from the shop."
    workshop.concept("Kettle", workshop.event(much))
    assert workshop.emit(0) == []
    workshop.set("intent.theta", 0.01)
    workshop.kettle()
    assert [len(intent["evidence"]) for intent in workshop.emit(0)] == [2]


def test_one_voice_among_several_events_is_not_enough(workshop: Workshop) -> None:
    workshop.set("intent.theta", 0.1)
    workshop.concept("Kettle", workshop.event(NEED), workshop.event("The kettle stands on the table"))
    assert workshop.emit(0) == []
    workshop.set("intent.cues", 1)
    workshop.concept("Kettle and lid", workshop.event(f"{NEED}!"), workshop.event("The kettle stands on the stove"))
    assert len(workshop.emit(0)) == 1


def test_what_is_voiced_in_one_sitting_is_talk(workshop: Workshop) -> None:
    workshop.set("intent.span", 24)
    workshop.kettle(hours=10, times=4)
    assert workshop.emit(10) == []
    workshop.concept("Gate", *(workshop.event(f"{NEED}, {n}", hours=n) for n in (10, 34)))
    assert len(workshop.emit(34)) == 1


def test_a_need_for_something_else_counts_for_less(workshop: Workshop) -> None:
    aside = [
        workshop.event(f"The kettle stands there. {other}") for other in ("Jack needs a rest", "Rose needs a holiday")
    ]
    workshop.concept("Kettle", *aside)
    assert workshop.emit(0) == []
    [seen] = rows(workshop.connection, "SELECT pressure, cues FROM cognifold.intent_assessment")
    assert seen["pressure"] == pytest.approx(1 - exp(-0.4 * 0.6 * 1.8), rel=1e-6) and seen["cues"] == 0


def test_while_an_intent_is_open_its_concept_raises_no_other(workshop: Workshop) -> None:
    concept = workshop.kettle()
    assert len(workshop.emit(0)) == 1
    apply(workshop.connection, add_edge(workshop.event(f"{NEED} today", hours=1), "reinforces", concept))
    assert workshop.emit(1) == []


def test_an_open_intent_covers_the_neighbours_of_its_concept(workshop: Workshop) -> None:
    first = workshop.kettle()
    second = workshop.concept("Kettle, lid", *(workshop.event(f"{NEED}, lid {n}") for n in "ab"))
    apply(workshop.connection, add_edge(first, "related_to", second))
    [intent] = workshop.emit(0)
    workshop.answer(intent["intent_id"], "resolve")
    # Closed, it covers nothing, and what its neighbour voiced was not answered by it.
    [other] = workshop.emit(0)
    assert {triggered_by(workshop, intent), triggered_by(workshop, other)} == {first, second}


def triggered_by(workshop: Workshop, intent: dict[str, Any]) -> UUID:
    found: UUID = value(
        workshop.connection,
        "SELECT source_id FROM cognifold.edge WHERE type = 'triggers' AND target_id = %s", intent["intent_id"],
    )  # fmt: skip
    return found


def test_an_open_intent_of_a_merged_concept_covers_the_survivor(workshop: Workshop) -> None:
    first = workshop.kettle()
    second = workshop.concept("Teapot", workshop.event("A teapot"), workshop.event("The teapot"))
    assert len(workshop.emit(0)) == 1
    apply(workshop.connection, {"op": "MERGE_NODES", "ids": [str(first), str(second)], "survivor": str(second)})
    more = [workshop.event(f"{NEED}, {n}") for n in ("first", "last")]
    apply(workshop.connection, *(add_edge(event, "reinforces", second) for event in more))
    assert workshop.emit(0) == []


def test_called_again_at_the_same_moment_it_returns_nothing_and_writes_nothing(workshop: Workshop) -> None:
    workshop.kettle()
    assert len(workshop.emit(0)) == 1
    before = rows(workshop.connection, "SELECT * FROM cognifold.intent_assessment"), workshop.view()
    assert workshop.emit(0) == []
    assert (rows(workshop.connection, "SELECT * FROM cognifold.intent_assessment"), workshop.view()) == before
    assert value(workshop.connection, "SELECT count(*) FROM cognifold.plan WHERE proposer = 'intent'") == 1


def test_only_what_has_changed_is_looked_at(workshop: Workshop) -> None:
    still = workshop.concept("Still", workshop.event("Still one"), workshop.event("Still two"))
    moved = workshop.concept("Moved", workshop.event("Moved one"), workshop.event("Moved two"))
    workshop.emit(0)
    event = workshop.event("Moved three", hours=1)
    apply(workshop.connection, add_edge(event, "reinforces", moved))
    due = rows(workshop.connection, "SELECT node_id FROM cognifold.intent_due")
    assert {row["node_id"] for row in due} == {event, moved}
    workshop.emit(5)
    assert looked_at(workshop) == {still: moment(0), moved: moment(5)}
    assert rows(workshop.connection, "SELECT FROM cognifold.intent_due") == []


def looked_at(workshop: Workshop) -> dict[UUID, datetime]:
    """When each concept was last looked at."""
    found = rows(workshop.connection, "SELECT node_id, as_of FROM cognifold.intent_assessment")
    return {row["node_id"]: row["as_of"] for row in found}


def test_a_deadline_ahead_is_wanted_the_more_the_nearer_it_is_and_becomes_the_intents(workshop: Workshop) -> None:
    due = moment(14 * 24)
    events = [workshop.event(f"{NEED} {n}", payload=f'{{"deadline": "{due.isoformat()}"}}') for n in "ab"]
    workshop.concept("Kettle", *events)
    [intent] = workshop.emit(0)
    # half of .6, fourteen days ahead, beside the .6 of the words
    assert intent["pressure"] == pytest.approx(1 - exp(-(1 - 0.4 * 0.7) * 1.8), rel=1e-6)
    assert intent["deadline"] == due and intent["reason"].endswith("\nDue 16 March 2026.")
    [anchor] = [s for s, type_, t in edges(workshop.connection) if (type_, t) == ("deadline_for", intent["intent_id"])]
    assert value(workshop.connection, "SELECT occurred_at FROM cognifold.node WHERE id = %s", anchor) == due


def test_a_date_that_nobody_needs_anything_for_is_no_intent(workshop: Workshop) -> None:
    payload = f'{{"deadline": "{moment(30).isoformat()}"}}'
    workshop.concept("Report", *(workshop.event(f"The kettle report {n}", payload=payload) for n in "abc"))
    workshop.set("intent.theta", 0.1)
    for hours in (0, 8, 29):
        assert workshop.emit(hours) == []
    [seen] = rows(workshop.connection, "SELECT pressure, cues FROM cognifold.intent_assessment")
    assert seen["pressure"] > 0.5 and seen["cues"] == 0


def test_a_concept_is_looked_at_again_a_day_before_its_deadline(workshop: Workshop) -> None:
    due = moment(48)
    told = [workshop.event(f"The report {n}", payload=f'{{"deadline": "{due.isoformat()}"}}') for n in "ab"]
    concept = workshop.concept("Report", *told)
    workshop.set("intent.theta", 0.61)
    assert workshop.emit(0) == []
    assert workshop.emit(23.9) == []
    assert looked_at(workshop) == {concept: moment(0)}
    workshop.emit(24)
    assert looked_at(workshop) == {concept: moment(24)}


def test_a_later_event_that_says_it_is_done_lowers_what_was_wanted_before(workshop: Workshop) -> None:
    events = [workshop.event(f"{NEED} {n}") for n in "ab"]
    workshop.concept("Kettle", *events, workshop.event(DONE, hours=1))
    assert workshop.emit(1) == []
    [seen] = rows(workshop.connection, "SELECT pressure, met FROM cognifold.intent_assessment")
    assert seen["met"] == pytest.approx(0.7)
    assert seen["pressure"] == pytest.approx(1 - exp(-0.6 * 0.3 * 1.8 * exp(-0.005)), rel=1e-6)


def test_an_open_intent_is_resolved_by_the_event_that_says_it_is_done(workshop: Workshop) -> None:
    concept = workshop.kettle()
    [intent] = workshop.emit(0)
    done = workshop.event(DONE, hours=3)
    apply(workshop.connection, add_edge(done, "reinforces", concept))
    assert workshop.emit(4) == []
    [seen] = workshop.view()
    assert (seen["status"], seen["closed_at"]) == ("resolved", moment(3))
    [step] = rows(workshop.connection, "SELECT from_status, to_status, event_id, at FROM cognifold.intent_transition")
    assert step == {"from_status": "pending", "to_status": "resolved", "event_id": done, "at": moment(4)}
    assert edges(workshop.connection)[done, "related_to", intent["intent_id"]]["metadata"] == {"role": "resolution"}


def test_what_is_not_done_resolves_nothing(workshop: Workshop) -> None:
    concept = workshop.kettle()
    [intent] = workshop.emit(0)
    apply(workshop.connection, add_edge(workshop.event("The kettle was not repaired", hours=3), "reinforces", concept))
    workshop.emit(4)
    assert workshop.status(intent["intent_id"]) == "pending"


def test_after_a_resolution_only_what_is_wanted_anew_counts(workshop: Workshop) -> None:
    concept = workshop.kettle()
    workshop.emit(0)
    apply(workshop.connection, add_edge(workshop.event(DONE, hours=3), "reinforces", concept))
    workshop.emit(3)
    again = [workshop.event(f"{NEED} once more {n}", hours=5) for n in "ab"]
    apply(workshop.connection, *(add_edge(event, "grounds", concept) for event in again))
    [intent] = workshop.emit(5)
    assert intent["evidence"] == sorted(again)


def test_asking_about_the_past_leaves_the_present_to_be_looked_at(workshop: Workshop) -> None:
    workshop.kettle(hours=10)
    workshop.at(10)
    assert rows(workshop.connection, "SELECT * FROM cognifold.emit_intents(%s)", moment(5)) == []
    assert len(workshop.emit(10)) == 1


@pytest.mark.parametrize(
    ("texts", "category"),
    [
        (("The tax office needs a receipt for the bill", "Still no refund of the tax on the invoice"), "money"),
        (
            ("Dad needs to see the doctor about his knee pain", "Still no appointment at the clinic for the knee"),
            "health",
        ),
        (("The roof needs a repair, the wall is damp", "Still no plumber for the leaking roof"), "home"),
        (
            ("The server needs a restart after each release", "The server is down again, customers complain about it"),
            "work",
        ),
        (("Zorb needs a blick", "Zorb still no blick"), "other"),
    ],
)
def test_its_category_is_what_its_words_are_about(memory: Memory, texts: tuple[str, str], category: str) -> None:
    memory.clock = moment(25)
    events = [memory.remember(text, occurred_at=moment(hours)) for hours, text in zip((0, 25), texts, strict=True)]
    memory.fold_all()
    if not memory.rows("SELECT FROM cognifold.concept"):
        memory.apply_plan({"operations": [add_node("concept", "It", *events)]})
    [intent] = memory.emit_intents()
    assert intent.category == category and intent.evidence == events


def test_a_moved_clock_needs_no_argument(workshop: Workshop) -> None:
    workshop.kettle()
    move_clock(workshop.connection, moment(2).isoformat())
    assert len(rows(workshop.connection, "SELECT * FROM cognifold.emit_intents()")) == 1
    assert workshop.view()[0]["occurred_at"] == moment(2)
