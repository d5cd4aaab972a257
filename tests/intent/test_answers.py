"""What a person's answers do: to the intent, and to the bar of its category."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import IllegalTransitionError, InvalidValueError, UnknownNodeError
from tests.conftest import Connection, value
from tests.graph.plans import add_edge, add_node, apply, edges, rows, snapshot, violations
from tests.intent.workshop import NEED, Workshop, moment

BECOMES = {
    "accept": "scheduled",
    "modify": "scheduled",
    "defer": "deferred",
    "reject": "rejected",
    "resolve": "resolved",
    "reopen": "pending",
}
LEGAL = {
    "pending": {"accept", "modify", "defer", "reject", "resolve"},
    "scheduled": {"defer", "reject", "resolve"},
    "deferred": {"accept", "modify", "defer", "reject", "resolve"},
    "resolved": {"reopen"},
    "rejected": {"reopen"},
    "expired": {"reopen"},
}
LEADING = {"pending": None, "scheduled": "accept", "deferred": "defer", "resolved": "resolve", "rejected": "reject"}


def bring_to(workshop: Workshop, status: str) -> UUID:
    """A new intent, brought to this status."""
    if status == "expired":
        for number in "ab":
            workshop.event(f"{NEED} {number}", payload=f'{{"deadline": "{moment(30).isoformat()}"}}')
        told = rows(workshop.connection, "SELECT id FROM cognifold.event")
        workshop.concept("Kettle", *(event["id"] for event in told))
        [emitted] = workshop.emit(0)
        workshop.at(30 + 168)
        return UUID(str(emitted["intent_id"]))
    intent = workshop.intent()
    if (answer := LEADING[status]) is not None:
        workshop.answer(intent, answer)
    return intent


@pytest.mark.parametrize("answer", BECOMES)
@pytest.mark.parametrize("status", LEGAL)
def test_each_status_takes_its_answers_and_refuses_the_others(
    workshop: Workshop, admin: Connection, status: str, answer: str
) -> None:
    intent = bring_to(workshop, status)
    assert workshop.status(intent) == status
    if answer in LEGAL[status]:
        workshop.answer(intent, answer)
        assert workshop.status(intent) == BECOMES[answer]
        steps = rows(
            workshop.connection, "SELECT from_status, to_status FROM cognifold.intent_transition ORDER BY position"
        )
        assert steps[-1] == {"from_status": status, "to_status": BECOMES[answer]}
        return
    before = snapshot(admin, workshop.tenant)
    with pytest.raises(psycopg.Error, match="illegal transition") as refused:
        workshop.answer(intent, answer)
    assert refused.value.sqlstate == "CF022"
    assert workshop.status(intent) == status and snapshot(admin, workshop.tenant) == before


def test_the_answer_is_an_event_tied_to_the_intent_that_no_concept_is_made_of(workshop: Workshop) -> None:
    intent = workshop.intent()
    workshop.at(1)
    event = workshop.answer(intent, "accept", "I'll buy one on Saturday, the kettle needs a plug")
    columns = "content, source, occurred_at, fold_state, payload"
    assert rows(workshop.connection, f"SELECT {columns} FROM cognifold.event WHERE id = %s", event) == [
        {
            "content": "I'll buy one on Saturday, the kettle needs a plug",
            "source": "cognifold",
            "occurred_at": moment(1),
            "fold_state": "folded",
            "payload": {"intent": str(intent), "answer": "accept"},
        }
    ]
    assert [key for key in edges(workshop.connection) if event in key] == [(event, "user_feedback", intent)]
    assert workshop.view()[0]["answer_count"] == 1
    assert rows(workshop.connection, "SELECT FROM cognifold.fold(10)") == [] and violations(workshop.connection) == []


def test_an_answer_given_after_another_was_undone_is_kept_in_its_own_words(workshop: Workshop) -> None:
    intent = workshop.intent()
    connection = workshop.connection
    first = workshop.answer(intent, "accept", "Yes, please")
    plan = value(connection, "SELECT plan_id FROM cognifold.intent_transition WHERE node_id = %s", intent)
    connection.execute("SELECT cognifold.undo_plan(%s)", [plan])
    second = workshop.answer(intent, "reject", "On second thoughts, no")
    said = rows(connection, "SELECT title, content, payload FROM cognifold.event WHERE id = %s", second)
    assert second != first
    assert (said[0]["title"], said[0]["content"]) == ("Rejected", "On second thoughts, no")
    assert said[0]["payload"]["answer"] == "reject" and workshop.status(intent) == "rejected"


def test_by_a_setting_an_answer_is_folded_as_other_events_are(workshop: Workshop) -> None:
    workshop.set("intent.fold_answers", 1)
    event = workshop.answer(workshop.intent(), "accept")
    assert value(workshop.connection, "SELECT fold_state FROM cognifold.event WHERE id = %s", event) == "pending"


def test_a_deferred_intent_returns_exactly_at_its_time_and_needs_no_job(workshop: Workshop) -> None:
    intent = workshop.intent()
    wake = moment(50)
    workshop.answer(intent, "defer", wake_at=wake)
    assert workshop.status(intent, wake - timedelta(microseconds=1)) == "deferred"
    assert workshop.status(intent, wake) == "pending"
    workshop.answer(intent, "accept")
    assert workshop.status(intent) == "scheduled"


def test_deferred_without_a_time_it_returns_after_a_day(workshop: Workshop) -> None:
    intent = workshop.intent()
    workshop.answer(intent, "defer")
    assert [workshop.status(intent, moment(hours)) for hours in (23.99, 24)] == ["deferred", "pending"]


def test_a_deferred_intent_still_covers_its_concept(workshop: Workshop) -> None:
    concept = workshop.kettle()
    [intent] = workshop.emit(0)
    workshop.answer(intent["intent_id"], "defer", wake_at=moment(100))
    apply(workshop.connection, add_edge(workshop.event(f"{NEED} at once", hours=1), "reinforces", concept))
    assert workshop.emit(1) == []


def test_an_open_intent_expires_a_week_after_its_deadline(workshop: Workshop) -> None:
    intent = bring_to(workshop, "expired")
    seen = [workshop.status(intent, moment(30 + hours)) for hours in (1, 167.99, 168)]
    assert seen == ["pending", "pending", "expired"]


def test_each_answer_moves_the_bar_as_the_average_says(workshop: Workshop) -> None:
    intent = workshop.intent()
    assert workshop.view()[0]["category"] == "other" and workshop.theta("other", 0) == 0.5
    workshop.answer(intent, "defer")
    w = 0.7 + 0.3 * 0.8
    assert workshop.theta("other", 0) == pytest.approx(0.5 / w)
    workshop.answer(intent, "modify")
    w = 0.7 * w + 0.3 * 1.1
    assert workshop.theta("other", 0) == pytest.approx(0.5 / w)
    workshop.answer(intent, "resolve")  # says nothing about whether it was welcome
    assert workshop.theta("other", 0) == pytest.approx(0.5 / w)
    assert workshop.theta("money", 0) == 0.5


def test_between_answers_the_bar_relaxes_by_half_in_thirty_days(workshop: Workshop) -> None:
    workshop.answer(workshop.intent(), "reject")
    first = 0.7 + 0.3 * 0.3
    days = 24
    assert workshop.theta("other", 30 * days) == pytest.approx(0.5 / (1 - (1 - first) / 2), rel=1e-12)
    assert workshop.theta("other", 90 * days) == pytest.approx(0.5 / (1 - (1 - first) / 8), rel=1e-12)
    workshop.answer(workshop.intent(30 * days), "accept")
    w = 0.7 * (1 - (1 - first) / 2) + 0.3 * 1.5
    assert workshop.theta("other", 30 * days) == pytest.approx(0.5 / w, rel=1e-12)
    assert workshop.theta("other", 60 * days) == pytest.approx(0.5 / (1 + (w - 1) / 2), rel=1e-12)
    # and what it was before that answer is still known
    assert workshop.theta("other", 15 * days) == pytest.approx(0.5 / (1 - (1 - first) * 2**-0.5), rel=1e-12)


def test_the_bar_has_a_floor_and_a_ceiling_and_nothing_is_silenced_for_ever(workshop: Workshop) -> None:
    workshop.set("intent.answer_accept", 10)
    workshop.set("intent.answer_reject", 0.01)
    workshop.set("intent.memory", 0)
    workshop.answer(workshop.intent(), "reject")
    assert workshop.theta("other", 0) == 0.9
    assert workshop.theta("other", 60 * 24) == pytest.approx(0.5 / (1 - 0.99 / 4))
    workshop.set("intent.theta_ceiling", 0.5)
    workshop.answer(workshop.intent(1), "accept")
    assert workshop.theta("other", 1) == 0.1


def stated(workshop: Workshop, title: str) -> UUID:
    """An intent that a plan of the user states."""
    plan = add_node("intent", title, workshop.event(title), ref="made")
    return UUID(apply(workshop.connection, plan)["refs"]["made"])


def test_ten_rejections_let_an_intent_pass_again_within_sixty_days(workshop: Workshop) -> None:
    for number in range(10):
        workshop.answer(stated(workshop, f"Idea {number}"), "reject")
    w = 0.3 + 0.7 * 0.7**10  # from 1 towards .3 by .7 each time
    assert workshop.theta("other", 0) == 0.9
    assert workshop.theta("other", 60 * 24) == pytest.approx(0.5 / (1 + (w - 1) / 4), rel=1e-9)
    assert workshop.theta("other", 60 * 24) < 0.8


def test_where_the_bar_came_down_concepts_that_fell_short_are_looked_at_again(workshop: Workshop) -> None:
    first = workshop.intent()
    workshop.set("intent.theta", 0.75)
    workshop.concept("Lamp", *(workshop.event(f"The lamp needs a bulb {n}") for n in "ab"))
    assert workshop.emit(0) == []
    workshop.set("intent.answer_accept", 10)
    workshop.answer(first, "accept")
    assert [intent["title"][:4] for intent in workshop.emit(0)] == ["Lamp"]


def test_after_a_rejection_only_new_needs_count(workshop: Workshop) -> None:
    concept = workshop.kettle()
    [intent] = workshop.emit(0)
    workshop.answer(intent["intent_id"], "reject")
    workshop.set("intent.theta", 0.1)
    apply(workshop.connection, add_edge(workshop.event(f"{NEED} all the same", hours=1), "reinforces", concept))
    assert workshop.emit(1) == []
    apply(workshop.connection, add_edge(workshop.event(f"{NEED} even so", hours=2), "reinforces", concept))
    assert [len(found["evidence"]) for found in workshop.emit(2)] == [2]


def test_an_intent_that_a_plan_of_the_user_states_is_pending_and_takes_answers(workshop: Workshop) -> None:
    intent = stated(workshop, "Learn to weld")
    [seen] = workshop.view()
    assert (seen["status"], seen["category"], seen["density"], seen["theta"]) == ("pending", "other", None, None)
    workshop.answer(intent, "accept")
    assert workshop.status(intent) == "scheduled"


def test_wrong_answers_say_what_was_wrong(memory: Memory) -> None:
    memory.clock = moment(0)
    event = memory.remember("Something")
    with pytest.raises(UnknownNodeError, match="is no intent"):
        memory.answer_intent(event, "accept")
    with pytest.raises(UnknownNodeError, match="is no intent"):
        memory.answer_intent(uuid4(), "accept")
    with pytest.raises(InvalidValueError, match="'maybe' is no answer"):
        memory.answer_intent(event, "maybe")
    plan = {"operations": [add_node("intent", "Do it", event, ref="it")]}
    intent = UUID(memory.apply_plan(plan)["refs"]["it"])
    with pytest.raises(InvalidValueError, match="is not after"):
        memory.answer_intent(intent, "defer", wake_at=moment(0))
    with pytest.raises(InvalidValueError, match="wake_at goes with defer"):
        memory.answer_intent(intent, "accept", wake_at=moment(1))
    with pytest.raises(InvalidValueError, match="there is no category 'sports'"):
        memory.theta("sports")
    memory.answer_intent(intent, "reject", "no\x00 time")
    with pytest.raises(IllegalTransitionError, match="is rejected, it cannot become scheduled"):
        memory.answer_intent(intent, "accept")
    assert memory.theta("other") == pytest.approx(0.5 / 0.79)


def test_an_answer_in_a_transaction_that_is_rolled_back_never_was(workshop: Workshop) -> None:
    intent = workshop.intent()
    with workshop.connection.transaction(force_rollback=True):
        workshop.answer(intent, "reject")
    assert workshop.status(intent) == "pending" and workshop.theta("other", 0) == 0.5
