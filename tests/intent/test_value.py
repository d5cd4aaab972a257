"""What is worth showing first, and what the memory tells of its bars."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection, value
from tests.graph.plans import add_node, apply, move_clock, rows, violations
from tests.intent.workshop import NEED, Workshop, moment


def ranked(workshop: Workshop, k: int = 10) -> list[dict[str, Any]]:
    return rows(workshop.connection, "SELECT * FROM cognifold.ranked_intents(%s)", k)


def density_of(workshop: Workshop, concept: UUID) -> dict[str, Any]:
    [row] = rows(workshop.connection, "SELECT * FROM cognifold.intent_density WHERE node_id = %s", concept)
    return row


def with_deadline(workshop: Workshop, hours: float) -> UUID:
    """An intent whose evidence names a deadline so many hours after START."""
    due = f'{{"deadline": "{moment(hours).isoformat()}"}}'
    workshop.concept(f"Due {hours}", *(workshop.event(f"{NEED} {hours} {n}", payload=due) for n in "ab"))
    [emitted] = workshop.emit(0)
    intent: UUID = emitted["intent_id"]
    return intent


def test_the_value_of_an_intent_is_its_acceptance_times_readiness_times_urgency(workshop: Workshop) -> None:
    intent = with_deadline(workshop, 14 * 24)
    [row] = ranked(workshop)
    assert row["intent_id"] == intent and row["acceptance"] == 0.5  # nobody has answered yet
    assert row["urgency"] == pytest.approx(1.5)  # intent.foresight days to go
    assert row["value"] == pytest.approx(0.5 * row["readiness"] * 1.5)
    assert workshop.view()[0]["value"] == pytest.approx(row["value"])
    workshop.at(7 * 24)
    assert ranked(workshop)[0]["urgency"] == pytest.approx(1 + 2**-0.5)
    workshop.at(14 * 24 + 1)
    assert ranked(workshop)[0]["urgency"] == 2
    workshop.answer(intent, "reject")
    assert ranked(workshop) == [] and workshop.view()[0]["value"] is None


def test_what_was_accepted_before_is_worth_more_and_the_more_surely_the_more_was_answered(workshop: Workshop) -> None:
    event = workshop.event("Ideas")
    plan = [add_node("intent", f"Idea {n}", event, ref=f"idea{n}") for n in range(4)]
    refs = apply(workshop.connection, *plan)["refs"]
    ideas = [UUID(refs[f"idea{n}"]) for n in range(4)]
    assert [row["value"] for row in ranked(workshop)] == [0.5] * 4  # stated by a user: readiness counts 1
    for number, answer, expected in [(0, "accept", 3 / 5), (1, "defer", 3.5 / 6), (2, "reject", 3.5 / 7)]:
        workshop.answer(ideas[number], answer)
        assert ranked(workshop)[0]["acceptance"] == pytest.approx(expected)
    assert [row["intent_id"] for row in ranked(workshop)] == [ideas[0], ideas[3]]  # scheduled and pending
    workshop.at(25)  # the deferred one has come back, as old as the others
    assert {row["intent_id"] for row in ranked(workshop)} == {ideas[0], ideas[1], ideas[3]}
    assert [row["rank"] for row in ranked(workshop, 2)] == [1, 2]
    workshop.set("intent.acceptance_weight", 0)
    assert ranked(workshop)[0]["acceptance"] == pytest.approx(1.5 / 3)


def test_the_most_urgent_comes_first(workshop: Workshop) -> None:
    late, soon, middle = (with_deadline(workshop, hours) for hours in (900, 50, 300))
    assert [row["intent_id"] for row in ranked(workshop)] == [soon, middle, late]
    with pytest.raises(psycopg.Error, match="k = 0 is not a number of intents"):
        ranked(workshop, 0)


def test_asked_about_the_past_each_stands_where_it_stood(workshop: Workshop) -> None:
    intent = workshop.intent()
    for hours, answer in ((2, "defer"), (4, "accept"), (6, "reject"), (8, "reopen")):
        workshop.at(hours)
        workshop.answer(intent, answer)
    stood = [
        [row["status"] for row in rows(workshop.connection, "SELECT * FROM cognifold.ranked_intents(5, %s)", at)]
        for at in map(moment, (-1, 1, 3, 5, 7, 9))
    ]
    assert stood == [[], ["pending"], [], ["scheduled"], [], ["pending"]]
    workshop.at(10)
    workshop.answer(intent, "reject")
    assert ranked(workshop) == []
    assert rows(workshop.connection, "SELECT status FROM cognifold.ranked_intents(5, %s)", moment(9)) == [
        {"status": "pending"}
    ]


def test_what_it_was_worth_when_less_was_known_is_still_known(workshop: Workshop) -> None:
    first, second = workshop.intent(), None
    before = workshop.view()[0]["value"]
    known = value(workshop.connection, "SELECT clock_timestamp()")
    workshop.answer(first, "accept")
    second = workshop.view()[0]["value"]
    assert second == pytest.approx(before * 0.6 / 0.5)
    workshop.connection.execute("SELECT set_config('cognifold.known_at', %s, false)", [known.isoformat()])
    assert workshop.view()[0]["value"] == before
    assert rows(workshop.connection, "SELECT FROM cognifold.intent_density") == []


def test_each_concept_shows_how_far_it_is_from_its_bar(workshop: Workshop) -> None:
    kettle = workshop.kettle()
    lamp = workshop.concept("Lamp", *(workshop.event(f"The lamp is green {n}") for n in "ab"))
    seen = density_of(workshop, kettle)
    assert (seen["due"], seen["density"], seen["assessed_at"]) == (True, None, None)
    [emitted] = workshop.emit(0)
    seen = density_of(workshop, kettle)
    assert (seen["due"], seen["intent_id"], seen["assessed_at"]) == (False, emitted["intent_id"], moment(0))
    assert seen["density"] == value(workshop.connection, "SELECT cognifold.density(%s)", kettle)
    assert seen["distance"] == pytest.approx(0.5 - seen["readiness"]) and seen["distance"] < 0
    habit = density_of(workshop, lamp)
    assert (habit["pressure"], habit["distance"], habit["intent_id"]) == (0, 0.5, None)
    workshop.answer(emitted["intent_id"], "reject")
    assert density_of(workshop, lamp)["distance"] == pytest.approx(0.5 / 0.79)  # the bar of now


def test_what_was_emitted_and_accepted_is_counted_by_category(workshop: Workshop) -> None:
    first = workshop.intent()
    workshop.answer(first, "defer")
    workshop.answer(first, "accept")
    workshop.intent(1)
    [row] = rows(workshop.connection, "SELECT * FROM cognifold.intent_calibration WHERE emitted > 0")
    assert {name: row[name] for name in ("category", "emitted", "accepted", "answers", "defer", "accept")} == {
        "category": "other", "emitted": 2, "accepted": 1, "answers": 2, "defer": 1, "accept": 1,
    }  # fmt: skip
    assert row["acceptance_rate"] == 0.5 and row["last_answer"] == moment(0)
    w = 0.7 * (0.7 + 0.3 * 0.8) + 0.3 * 1.5
    move_clock(workshop.connection, moment(30 * 24).isoformat())
    [row] = rows(workshop.connection, "SELECT * FROM cognifold.intent_calibration WHERE emitted > 0")
    assert (row["w"], row["theta"]) == (pytest.approx(1 + (w - 1) / 2), pytest.approx(0.5 / (1 + (w - 1) / 2)))
    others = rows(workshop.connection, "SELECT * FROM cognifold.intent_calibration WHERE emitted = 0")
    assert {(other["answers"], other["acceptance_rate"], other["w"], other["theta"]) for other in others} == {
        (0, None, 1.0, 0.5)
    }
    assert violations(workshop.connection) == []


def test_another_tenant_sees_nothing_of_it(workshop: Workshop, connection: Connection) -> None:
    workshop.answer(workshop.intent(), "accept")
    workshop.connection.execute("SELECT cognifold.set_action(%s, what => 'Buy a plug')", [workshop.view()[0]["id"]])
    for view in ("intent", "intent_density", "intent_action"):
        assert rows(workshop.connection, f"SELECT FROM cognifold.{view}") != []
        assert rows(connection, f"SELECT FROM cognifold.{view}") == []
    assert value(connection, "SELECT sum(answers + emitted) FROM cognifold.intent_calibration") == 0
    connection.execute("RESET cognifold.tenant")
    assert rows(connection, "SELECT FROM cognifold.intent_calibration") == []


def test_the_client_says_the_same(workshop: Workshop, dsn: str) -> None:
    intent = with_deadline(workshop, 50)
    with Memory(dsn, tenant=workshop.tenant) as memory:
        memory.clock = moment(0)
        [row] = memory.ranked_intents()
        assert (row.rank, row.intent_id, row.status, row.deadline) == (1, intent, "pending", moment(50))
        assert memory.what_if_ignored(intent) == []
