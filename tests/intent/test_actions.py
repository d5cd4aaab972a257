"""Steps that an intent proposes: in its evidence's own words, in time, and only ever counted, not carried out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import ClosedIntentError, IllegalStepError, InvalidPlanError, UnknownNodeError
from tests.conftest import Connection, value
from tests.graph.plans import add_node, apply, rows, snapshot, violations
from tests.intent.workshop import Workshop, moment

STEPS = {
    "proposed": {"accepted", "done", "skipped"},
    "accepted": {"done", "skipped"},
    "skipped": {"accepted"},
    "done": set(),
}
LEADING = {"proposed": [], "accepted": ["accepted"], "skipped": ["skipped"], "done": ["accepted", "done"]}
TEXTS = (
    "The kettle needs a new plug. It is red.",
    "We still have no kettle and must borrow one.",
    "The kettle needs a new plug! Somebody ought to see to that.",
)


def wanted(workshop: Workshop, deadline: float | None = None) -> UUID:
    """An intent of three events that want two or three things of a kettle."""
    due = {} if deadline is None else {"payload": f'{{"deadline": "{moment(deadline).isoformat()}"}}'}
    workshop.concept("Kettle", *(workshop.event(text, hours=n - 3, **due) for n, text in enumerate(TEXTS)))
    [emitted] = workshop.emit(0)
    intent: UUID = emitted["intent_id"]
    return intent


def proposed(workshop: Workshop, intent: UUID) -> list[dict[str, Any]]:
    return rows(workshop.connection, "SELECT * FROM cognifold.propose_actions(%s)", intent)


def set_action(workshop: Workshop, intent: UUID, position: int | None = None, **more: Any) -> int:
    names = "".join(f", {name} => %s" for name in more)
    query = f'SELECT cognifold.set_action(%s, "position" => %s{names})'
    number: int = value(workshop.connection, query, intent, position, *more.values())
    return number


def actions(workshop: Workshop) -> list[dict[str, Any]]:
    return rows(workshop.connection, "SELECT * FROM cognifold.intent_action ORDER BY intent_id, position")


def test_its_steps_are_what_its_evidence_says_is_unmet_each_once_and_in_its_latest_words(workshop: Workshop) -> None:
    intent = wanted(workshop)
    found = proposed(workshop, intent)
    grounds = rows(
        workshop.connection,
        "SELECT e.id, e.content FROM cognifold.event AS e JOIN cognifold.edge AS g ON g.source_id = e.id "
        "WHERE g.target_id = %s AND g.type = 'grounds'",
        intent,
    )
    said = {row["id"]: row["content"] for row in grounds}
    assert all(step["what"] in said[step["event_id"]] for step in found)
    assert [step["position"] for step in found] == list(range(1, len(found) + 1))
    assert {(s["status"], s["proposer"], s["due_at"]) for s in found} == {("proposed", "intent", None)}
    assert sum("new plug" in step["what"] for step in found) == 1
    assert "The kettle needs a new plug!" in {step["what"] for step in found}  # the later of the two
    assert not any("red" in step["what"] for step in found)
    assert proposed(workshop, intent) == found and violations(workshop.connection) == []
    assert value(workshop.connection, "SELECT count(*) FROM cognifold.plan WHERE reasoning LIKE 'steps%%'") == 1


def test_until_a_deadline_they_are_spaced_evenly(workshop: Workshop) -> None:
    found = proposed(workshop, wanted(workshop, 240))
    assert len(found) >= 2
    assert [step["due_at"] for step in found] == [
        moment(240 * number / len(found)) for number in range(1, len(found) + 1)
    ]


def test_with_a_deadline_that_is_near_the_first_is_due_today(workshop: Workshop) -> None:
    found = proposed(workshop, wanted(workshop, 30))
    assert found[0]["due_at"] == moment(15)  # START is at nine in the morning, in UTC
    assert found[-1]["due_at"] == moment(30)


def test_no_more_steps_than_the_setting_says(workshop: Workshop) -> None:
    workshop.set("intent.steps", 1)
    assert len(proposed(workshop, wanted(workshop))) == 1


def test_where_its_evidence_wants_nothing_there_are_none(workshop: Workshop) -> None:
    intent = stated(workshop)
    assert proposed(workshop, intent) == []
    assert value(workshop.connection, "SELECT count(*) FROM cognifold.plan WHERE reasoning LIKE 'steps%%'") == 0


def stated(workshop: Workshop) -> UUID:
    plan = add_node("intent", "Learn to weld", workshop.event("Welding is loud"), ref="it")
    return UUID(apply(workshop.connection, plan)["refs"]["it"])


@pytest.mark.parametrize("to_status", STEPS)
@pytest.mark.parametrize("status", STEPS)
def test_a_step_goes_its_ways_and_no_other(workshop: Workshop, admin: Connection, status: str, to_status: str) -> None:
    intent = stated(workshop)
    assert set_action(workshop, intent, what="Buy gloves") == 1
    for step in LEADING[status]:
        set_action(workshop, intent, 1, status=step)
    before = snapshot(admin, workshop.tenant)
    if to_status in STEPS[status] or to_status == status != "done":
        assert set_action(workshop, intent, 1, status=to_status) == 1
        assert actions(workshop)[0]["status"] == to_status
    elif to_status != status:
        with pytest.raises(psycopg.Error, match=f"is {status}, it cannot become {to_status}") as refused:
            set_action(workshop, intent, 1, status=to_status)
        assert refused.value.sqlstate == "CF036"
        assert snapshot(admin, workshop.tenant) == before


def test_steps_are_added_and_changed_by_hand(workshop: Workshop) -> None:
    intent = stated(workshop)
    assert [set_action(workshop, intent, what=what) for what in ("Buy gloves", "Find a class")] == [1, 2]
    set_action(workshop, intent, 2, what="Find an evening class", due_at=moment(50))
    set_action(workshop, intent, 2, status="accepted")
    first, second = actions(workshop)
    assert (first["what"], first["status"], first["proposer"], first["due_at"]) == (
        "Buy gloves",
        "proposed",
        "user",
        None,
    )
    assert (second["what"], second["status"], second["due_at"]) == ("Find an evening class", "accepted", moment(50))


def test_a_plan_may_set_steps_also_of_an_intent_that_it_makes(workshop: Workshop) -> None:
    event = workshop.event("Welding is loud")
    made = apply(
        workshop.connection,
        add_node("intent", "Learn to weld", event, ref="it"),
        {"op": "SET_ACTION", "node": "it", "what": "Find a class", "grounded_in": [str(event)], "reasoning": "first"},
        {"op": "SET_ACTION", "node": "it", "what": "Buy gloves", "due_at": moment(9).isoformat(), "reasoning": "then"},
    )
    assert made["counts"]["actions_set"] == 2
    assert [(a["position"], a["what"], a["event_id"], a["due_at"]) for a in actions(workshop)] == [
        (1, "Find a class", event, None), (2, "Buy gloves", None, moment(9)),
    ]  # fmt: skip
    assert violations(workshop.connection) == []


@pytest.mark.parametrize(
    ("operation", "fault"),
    [
        ({"what": " "}, "says what in 1 to 1000 characters"),
        ({}, "a new step says what"),
        ({"what": "x", "position": 0}, "position 0 is not a whole number"),
        ({"what": "x", "position": 1.5}, "position 1.5 is not a whole number"),
        ({"what": "x", "status": "started"}, "status 'started' is not proposed"),
        ({"what": "x", "due_at": "tomorrow"}, "due_at 'tomorrow' is not a time"),
        ({"what": 5}, "what is not a text"),
        ({"what": "x", "priority": 1}, "SET_ACTION has no field 'priority'"),
    ],
)
def test_a_faulty_step_is_refused_with_its_plan(workshop: Workshop, operation: dict[str, Any], fault: str) -> None:
    intent = stated(workshop)
    with pytest.raises(psycopg.Error, match=fault) as refused:
        apply(workshop.connection, {"op": "SET_ACTION", "node": str(intent), "reasoning": "x", **operation})
    assert refused.value.sqlstate == "CF020"


def test_a_step_belongs_to_an_intent_and_is_set_once_a_plan(workshop: Workshop) -> None:
    event, intent = workshop.event("Nothing"), stated(workshop)
    step = {"op": "SET_ACTION", "what": "x", "reasoning": "x"}
    with pytest.raises(psycopg.Error, match=r"a step belongs to an intent, and .* is of kind event"):
        apply(workshop.connection, {**step, "node": str(event)})
    with pytest.raises(psycopg.Error, match="the plan sets the same step twice"):
        apply(workshop.connection, *[{**step, "node": str(intent), "position": 3}] * 2)


def test_undone_steps_are_as_they_were_and_what_was_known_then_is_still_known(
    workshop: Workshop, admin: Connection
) -> None:
    intent = wanted(workshop, 240)
    proposed(workshop, intent)
    before, known = actions(workshop), value(workshop.connection, "SELECT clock_timestamp()")
    set_action(workshop, intent, 1, status="done")
    set_action(workshop, intent, what="Buy tea")
    now = actions(workshop)
    assert len(now) == len(before) + 1
    workshop.connection.execute("SELECT set_config('cognifold.known_at', %s, false)", [known.isoformat()])
    assert actions(workshop) == before
    workshop.connection.execute("SET cognifold.known_at = ''")
    undone = []
    for step in (now[-1], now[0]):
        result = value(workshop.connection, "SELECT cognifold.undo_plan(%s)", step["plan_id"])
        undone.append(result["plan_id"])
    assert actions(workshop) == before
    for plan in reversed(undone):
        workshop.connection.execute("SELECT cognifold.undo_plan(%s)", [plan])
    assert actions(workshop) == now
    # and with the intent they go, to come back with it
    plan = value(workshop.connection, "SELECT plan_id FROM cognifold.intent WHERE id = %s", intent)
    result = value(workshop.connection, "SELECT cognifold.undo_plan(%s, true)", plan)
    assert actions(workshop) == []
    assert violations(workshop.connection) == [] and result["counts"]


def test_a_removed_intent_takes_its_steps_along_and_brings_them_back(workshop: Workshop) -> None:
    intent = stated(workshop)
    set_action(workshop, intent, what="Buy gloves")
    before = actions(workshop)
    gone = apply(workshop.connection, {"op": "REMOVE_NODE", "node": str(intent), "reasoning": "a mistake"})
    assert actions(workshop) == []
    workshop.connection.execute("SELECT cognifold.undo_plan(%s)", [gone["plan_id"]])
    assert actions(workshop) == before


def test_the_client_sets_steps_and_has_errors_of_its_own(workshop: Workshop, dsn: str) -> None:
    intent = wanted(workshop)
    with Memory(dsn, tenant=workshop.tenant) as memory:
        memory.clock = moment(0)
        first, *_ = memory.propose_actions(intent)
        assert (first.position, first.status, first.proposer) == (1, "proposed", "intent")
        assert memory.set_action(intent, 1, status="done") == 1
        with pytest.raises(IllegalStepError, match=r"step 1 of intent .* is done, it cannot become accepted"):
            memory.set_action(intent, 1, status="accepted")
        with pytest.raises(UnknownNodeError, match="has no step 50"):
            memory.set_action(intent, 50, status="done")
        with pytest.raises(UnknownNodeError, match="is no intent"):
            memory.propose_actions(first.event_id or "")
        assert memory.set_action(intent, what="Call", due_at=moment(0) + timedelta(days=1), reasoning="r") > 1
        memory.answer_intent(intent, "reject")
        with pytest.raises(ClosedIntentError, match="is rejected"):
            memory.propose_actions(intent)
        with pytest.raises(ClosedIntentError, match="is rejected"):
            memory.set_action(intent, what="More")
        with pytest.raises(InvalidPlanError):
            memory.apply_plan({"operations": [{"op": "SET_ACTION", "node": str(intent), "position": 1, "what": "x"}]})
