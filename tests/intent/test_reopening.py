"""What was closed wrongly is opened again by a person, and not closed again by what closed it."""

from __future__ import annotations

from uuid import UUID

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import RivalIntentError
from tests.conftest import Connection, value
from tests.graph.plans import add_edge, add_node, apply, edges, rows, snapshot, violations
from tests.intent.workshop import DONE, NEED, Workshop, moment


def resolved(workshop: Workshop) -> tuple[UUID, UUID, UUID]:
    """An intent that an event has resolved: its concept, the intent and the event."""
    concept = workshop.kettle()
    [emitted] = workshop.emit(0)
    done = workshop.event(DONE, hours=1)
    apply(workshop.connection, add_edge(done, "reinforces", concept))
    assert workshop.emit(1) == [] and workshop.status(emitted["intent_id"]) == "resolved"
    return concept, emitted["intent_id"], done


def test_a_reopened_intent_is_pending_by_an_event_tied_to_it(workshop: Workshop) -> None:
    _, intent, _ = resolved(workshop)
    workshop.at(2)
    event = workshop.answer(intent, "reopen", "The plug still sparks")
    assert (event, "user_feedback", intent) in edges(workshop.connection)
    [seen] = workshop.view()
    assert (seen["status"], seen["closed_at"], seen["answer_count"]) == ("pending", None, 1)
    assert rows(workshop.connection, "SELECT content, title FROM cognifold.event WHERE id = %s", event) == [
        {"content": "The plug still sparks", "title": "Reopened"}
    ]
    steps = rows(
        workshop.connection, "SELECT from_status, to_status FROM cognifold.intent_transition ORDER BY position"
    )
    assert steps[-1] == {"from_status": "resolved", "to_status": "pending"}
    assert violations(workshop.connection) == []


def test_what_resolved_it_resolves_it_no_more_but_a_later_event_does(workshop: Workshop) -> None:
    concept, intent, _ = resolved(workshop)
    workshop.at(2)
    workshop.answer(intent, "reopen")
    assert workshop.emit(3) == [] and workshop.status(intent) == "pending"
    # also not when the concept is looked at again for another reason
    apply(workshop.connection, add_edge(workshop.event("The kettle is blue", hours=3), "reinforces", concept))
    assert workshop.emit(4) == [] and workshop.status(intent) == "pending"
    again = workshop.event(f"{DONE} at last", hours=5)
    apply(workshop.connection, add_edge(again, "reinforces", concept))
    workshop.emit(6)
    assert workshop.status(intent) == "resolved"
    assert (again, "related_to", intent) in edges(workshop.connection)


def test_reopening_moves_no_bar(workshop: Workshop) -> None:
    intent = workshop.intent()
    workshop.answer(intent, "reject")
    before = workshop.theta("other", 0)
    assert before == pytest.approx(0.5 / 0.79)
    workshop.answer(intent, "reopen")
    assert workshop.theta("other", 0) == before
    assert value(workshop.connection, "SELECT answers FROM cognifold.intent_calibration WHERE category = 'other'") == 1


def test_one_that_had_expired_gets_another_week(workshop: Workshop) -> None:
    due = f'{{"deadline": "{moment(30).isoformat()}"}}'
    workshop.concept("Kettle", *(workshop.event(f"{NEED} {n}", payload=due) for n in "ab"))
    [emitted] = workshop.emit(0)
    intent = emitted["intent_id"]
    assert workshop.status(intent, moment(30 + 168)) == "expired"
    workshop.answer(intent, "reopen")
    seen = [workshop.status(intent, moment(30 + 168 + hours)) for hours in (0, 167.99, 168)]
    assert seen == ["pending", "pending", "expired"]


def test_undone_a_reopening_never_was(workshop: Workshop, admin: Connection) -> None:
    _, intent, _ = resolved(workshop)
    workshop.at(2)
    derived = ("plan", "journal", "rank_due", "intent_due", "node_rank", "consolidation_dirty")
    before = snapshot(admin, workshop.tenant, without=derived)
    event = workshop.answer(intent, "reopen")
    plan = value(workshop.connection, "SELECT plan_id FROM cognifold.intent_transition ORDER BY position DESC LIMIT 1")
    workshop.connection.execute("SELECT cognifold.undo_plan(%s)", [plan])
    after = snapshot(admin, workshop.tenant, without=derived)
    assert after["intent_state"] == before["intent_state"]
    assert after["intent_transition"] == before["intent_transition"]
    assert workshop.status(intent) == "resolved" and (event, "user_feedback", intent) not in edges(workshop.connection)
    assert violations(workshop.connection) == []


def test_while_another_intent_of_its_concept_is_open_it_stays_closed(workshop: Workshop, dsn: str) -> None:
    concept, intent, _ = resolved(workshop)
    for number in range(3):
        event = workshop.event(f"{NEED} once more {number}", hours=2)
        apply(workshop.connection, add_edge(event, "reinforces", concept))
    [newer] = workshop.emit(2)
    with pytest.raises(psycopg.Error, match=f"intent {newer['intent_id']} of the same concept is open") as refused:
        workshop.answer(intent, "reopen")
    assert refused.value.sqlstate == "CF035"
    with Memory(dsn, tenant=workshop.tenant) as memory, pytest.raises(RivalIntentError):
        memory.clock = moment(2)
        memory.answer_intent(intent, "reopen")
    workshop.answer(newer["intent_id"], "reject")
    workshop.answer(intent, "reopen")
    assert workshop.status(intent) == "pending"


def test_one_that_a_user_stated_is_reopened_like_any_other(workshop: Workshop) -> None:
    plan = add_node("intent", "Learn to weld", workshop.event("I want to weld"), ref="it")
    intent = UUID(apply(workshop.connection, plan)["refs"]["it"])
    workshop.answer(intent, "resolve")
    workshop.answer(intent, "reopen")
    assert workshop.status(intent) == "pending"


def test_no_way_of_finding_it_done_gets_past_a_reopening(workshop: Workshop, admin: Connection) -> None:
    _, intent, done = resolved(workshop)
    workshop.at(2)
    workshop.answer(intent, "reopen")
    later = workshop.event(f"{DONE} at last", hours=3)
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [workshop.tenant])
    latest = "SELECT plan_id FROM cognifold.plan WHERE tenant_id = %s ORDER BY version DESC LIMIT 1"
    plan = value(admin, latest, workshop.tenant)
    for event, status in [(done, "pending"), (later, "resolved")]:
        admin.execute(
            "SELECT cognifold.step_intent(%s, %s, 'resolved', NULL, %s, %s, %s)",
            [workshop.tenant, intent, event, plan, moment(4)],
        )
        assert workshop.status(intent) == status


def test_a_person_may_resolve_it_at_the_very_moment_of_its_reopening(workshop: Workshop) -> None:
    _, intent, _ = resolved(workshop)
    workshop.at(2)
    workshop.answer(intent, "reopen")
    workshop.answer(intent, "resolve")
    assert workshop.status(intent) == "resolved" and violations(workshop.connection) == []
