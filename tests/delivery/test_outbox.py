"""What happens to an intent is noted in the transaction in which it happens, once, in order, and without its words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest

from tests.conftest import Connection, at, value
from tests.delivery.desk import answer, kinds, last_plan, make_intent, make_intents, remove, set_setting, told, undo
from tests.graph.plans import START, move_clock, rows, update_node, violations
from tests.graph.plans import apply as apply_plan
from tests.intent.workshop import DONE, NEED, Workshop, moment

LATER = "2026-03-05T12:00:00+00:00"


def test_an_emitted_intent_is_told_with_the_category_and_deadline_it_was_emitted_with(workshop: Workshop) -> None:
    events = [workshop.event(f"{NEED} {n}", payload=f'{{"deadline": "{moment(30).isoformat()}"}}') for n in "ab"]
    workshop.concept("Kettle", *events)
    [emitted] = workshop.emit(0)
    [row] = told(workshop.connection)
    assert (row["position"], row["kind"], row["status"], row["node_id"]) == (
        1,
        "emitted",
        "pending",
        emitted["intent_id"],
    )
    assert (row["category"], row["deadline"]) == (emitted["category"], moment(30))
    assert row["expires_at"] == moment(30 + 168) and row["moment"] == moment(0)
    assert row["plan_id"] == workshop.view()[0]["plan_id"] and row["from_status"] is None
    assert violations(workshop.connection) == []


def test_each_step_is_told_with_the_answer_that_brought_it_about(workshop: Workshop) -> None:
    intent = workshop.intent()
    workshop.at(1)
    deferral = workshop.answer(intent, "defer", wake_at=moment(5))
    workshop.at(2)
    acceptance = workshop.answer(intent, "accept")
    workshop.at(3)
    rejection = workshop.answer(intent, "reject")
    seen = [
        (row["kind"], row["from_status"], row["status"], row["moment"], row["wake_at"], row["event_id"])
        for row in told(workshop.connection, intent)
    ]
    assert seen == [
        ("emitted", None, "pending", moment(0), None, None),
        ("deferred", "pending", "deferred", moment(1), moment(5), deferral),
        ("scheduled", "deferred", "scheduled", moment(2), None, acceptance),
        ("rejected", "scheduled", "rejected", moment(3), None, rejection),
    ]
    plans = rows(workshop.connection, "SELECT plan_id FROM cognifold.intent_transition ORDER BY position")
    assert [row["plan_id"] for row in told(workshop.connection, intent)[1:]] == [row["plan_id"] for row in plans]
    assert violations(workshop.connection) == []


def test_a_need_that_was_met_is_told_as_resolved_by_the_event_that_says_so(workshop: Workshop) -> None:
    events = [workshop.event(f"{NEED} ({n})", hours=n) for n in range(2)]
    kettle = workshop.concept("Kettle, plug", *events)
    [emitted] = workshop.emit(1)
    done = [workshop.event(f"{DONE} {n}", hours=2 + n) for n in range(2)]
    apply_plan(
        workshop.connection,
        *({"op": "ADD_EDGE", "source": str(e), "target": str(kettle), "type": "reinforces"} for e in done),
    )
    workshop.emit(4)
    assert workshop.status(emitted["intent_id"]) == "resolved"
    last = told(workshop.connection, emitted["intent_id"])[-1]
    assert (last["kind"], last["from_status"], last["event_id"]) == ("resolved", "pending", done[-1])


def test_putting_off_to_the_same_time_once_more_is_told_too(desk: Connection) -> None:
    intent = make_intent(desk)
    answer(desk, intent, "defer", LATER)
    second = answer(desk, intent, "defer", LATER)
    assert kinds(desk, intent) == ["emitted", "deferred", "deferred"]
    assert told(desk, intent)[-1]["event_id"] == second


def test_an_undone_step_is_told_as_the_status_it_led_back_to_and_a_redone_one_again(desk: Connection) -> None:
    intent = make_intent(desk)
    answer(desk, intent, "reject")
    taken_back = undo(desk, last_plan(desk))
    undo(desk, taken_back)
    seen = [(row["kind"], row["from_status"], row["status"]) for row in told(desk, intent)]
    assert seen == [
        ("emitted", None, "pending"),
        ("rejected", "pending", "rejected"),
        ("reopened", "rejected", "pending"),
        ("rejected", "pending", "rejected"),
    ]
    assert violations(desk) == []


def test_an_undone_emission_is_told_as_withdrawn_and_nothing_of_what_it_said_is_left(
    admin: Connection, tenant: str, desk: Connection
) -> None:
    intent = make_intent(desk, "Buy the saffron kettle")
    answer(desk, intent, "accept")
    undo(desk, rows(desk, "SELECT plan_id FROM cognifold.intent")[0]["plan_id"], cascade=True)
    # Newest first: the answer is taken back before the intent is.
    assert kinds(desk, intent) == ["emitted", "scheduled", "reopened", "withdrawn"]
    assert told(desk, intent)[-1]["status"] is None
    everything = admin.execute("SELECT o::text FROM cognifold.outbox AS o WHERE tenant_id = %s", [tenant]).fetchall()
    assert len(everything) == 4 and "saffron" not in str(everything)
    assert violations(desk) == []


def test_a_removed_intent_that_comes_back_is_emitted_again_where_it_stood_and_its_past_is_not_repeated(
    desk: Connection,
) -> None:
    intent = make_intent(desk)
    answer(desk, intent, "defer", LATER)
    answer(desk, intent, "accept")
    removal = remove(desk, intent)
    undo(desk, removal)
    assert kinds(desk, intent) == ["emitted", "deferred", "scheduled", "withdrawn", "emitted", "scheduled"]
    assert [row["status"] for row in rows(desk, "SELECT status FROM cognifold.intent")] == ["scheduled"]
    assert violations(desk) == []


def test_what_the_clock_did_is_told_before_what_came_after_it_though_nobody_had_asked(desk: Connection) -> None:
    intent = make_intent(desk)
    answer(desk, intent, "defer", LATER)
    move_clock(desk, "2026-03-06T08:00:00+00:00")
    answer(desk, intent, "accept")
    seen = [(row["kind"], row["from_status"], row["moment"]) for row in told(desk, intent)]
    assert seen[2:] == [
        ("woken", "deferred", at(LATER)),
        ("scheduled", "pending", at("2026-03-06T08:00:00+00:00")),
    ]
    assert value(desk, "SELECT cognifold.note_alarms()") == 0


def test_an_intent_whose_deadline_is_moved_is_told_as_changed(admin: Connection, tenant: str, desk: Connection) -> None:
    move_clock(admin, START)
    intent = make_intent(desk)
    admin.execute("UPDATE cognifold.intent_state SET deadline = %s WHERE node_id = %s", [LATER, intent])
    assert [(row["kind"], row["deadline"]) for row in told(desk, intent)] == [("emitted", None), ("changed", at(LATER))]


def test_other_words_are_no_happening_and_a_delivery_has_the_words_of_today(desk: Connection) -> None:
    desk.execute("SELECT cognifold.create_consumer('app')")
    intent = make_intent(desk, "Buy a plug")
    apply_plan(desk, update_node(intent, title="Buy a plug and a lid"))
    assert kinds(desk) == ["emitted"]
    [row] = rows(desk, "SELECT * FROM cognifold.take_deliveries('app')")
    evidence = rows(desk, "SELECT source_id FROM cognifold.edge WHERE target_id = %s AND type = 'grounds'", intent)
    assert row["payload"] == row["payload"] | {
        "intent_id": str(intent), "kind": "emitted", "status": "pending", "title": "Buy a plug and a lid",
        "reason": "why", "category": "other", "position": 1, "evidence": [str(evidence[0]["source_id"])],
    }  # fmt: skip


def test_a_happening_is_told_alike_in_any_time_zone(desk: Connection) -> None:
    desk.execute("SELECT cognifold.create_consumer('app')")
    intent = make_intent(desk)
    answer(desk, intent, "defer", LATER)
    payloads = []
    for zone in ("UTC", "Asia/Tokyo"):
        desk.execute("SELECT set_config('TimeZone', %s, false)", [zone])
        [row] = rows(desk, "SELECT * FROM cognifold.take_deliveries('app')")
        payloads.append(row["payload"])
        desk.execute("SELECT cognifold.release_deliveries('app', ARRAY[1], %s)", [row["fence"]])
    assert payloads[0] == payloads[1] and payloads[0]["at"] == "2026-03-02T09:00:00+00:00"


def test_what_is_rolled_back_was_never_told_and_leaves_no_gap(desk: Connection) -> None:
    make_intent(desk, "one")
    with pytest.raises(RuntimeError), desk.transaction():
        make_intent(desk, "two")
        raise RuntimeError
    make_intent(desk, "three")
    assert [row["position"] for row in told(desk)] == [1, 2]


def test_no_position_is_given_while_an_earlier_one_may_still_become_visible(
    connect: Callable[..., Connection], admin: Connection, tenant: str, desk: Connection
) -> None:
    """The loss that sequences allow: a reader sees 2, passes it, and then 1 is committed."""
    late = connect(tenant, now=START)
    with late.transaction():
        make_intent(late, "one")
        assert kinds(desk) == []
        desk.execute("SET lock_timeout = '100ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            make_intent(desk, "two")
        # Also past the verbs, by who takes no turn.
        admin.execute(
            "SELECT set_config('cognifold.tenant', %s, false), set_config('lock_timeout', '100ms', false)", [tenant]
        )
        with pytest.raises(psycopg.errors.LockNotAvailable):
            admin.execute(
                """
                SELECT cognifold.write_outbox(%s, '[{"node_id": "00000000-0000-0000-0000-000000000001",
                    "kind": "changed", "category": "other", "moment": "2026-03-02T09:00:00Z"}]')
                """,
                [tenant],
            )
    make_intent(desk, "two")
    assert [row["position"] for row in told(desk)] == [1, 2]


def listening(connect: Callable[..., Connection], tenant: str) -> Connection:
    listener = connect(tenant)
    listener.execute("LISTEN cognifold_delivery")
    return listener


def rings(listener: Connection) -> list[str]:
    listener.execute("SELECT 1")  # what came by now
    return [ring.payload for ring in listener.notifies(timeout=0)]


def test_the_doorbell_rings_once_a_transaction_and_says_nothing(
    connect: Callable[..., Connection], tenant: str, desk: Connection
) -> None:
    listener = listening(connect, tenant)
    with desk.transaction():
        make_intents(desk, "one", "two", "three")
        make_intent(desk, "four")
    assert len(kinds(desk)) == 4
    assert rings(listener) == [""]
    set_setting(desk, "delivery.notify", 0)
    make_intent(desk, "five")
    assert rings(listener) == []
    assert len(kinds(desk)) == 5


def test_a_delete_by_an_administrator_with_no_tenant_set_is_told_and_works(
    admin: Connection, tenant: str, desk: Connection
) -> None:
    intent = make_intent(desk)
    answer(desk, intent, "defer", LATER)
    admin.execute("DELETE FROM cognifold.node WHERE tenant_id = %s AND id = %s", [tenant, intent])
    assert kinds(desk, intent) == ["emitted", "deferred", "withdrawn"]
    assert value(admin, "SELECT count(*) FROM cognifold.intent_alarm WHERE tenant_id = %s", tenant) == 0
    assert value(admin, "SELECT coalesce(current_setting('cognifold.tenant', true), '')") == ""


def test_check_finds_what_was_told_wrongly(admin: Connection, tenant: str, desk: Connection) -> None:
    intent = make_intent(desk)
    assert violations(desk) == []
    admin.execute("UPDATE cognifold.outbox SET status = 'resolved' WHERE tenant_id = %s", [tenant])
    assert [(row[0], UUID(row[1])) for row in violations(desk)] == [
        ("what was last told of an intent is what it was then", intent)
    ]


def test_a_closed_intent_has_no_alarm_left(desk: Connection, admin: Connection) -> None:
    intent = make_intent(desk)
    answer(desk, intent, "defer", LATER)
    answer(desk, intent, "reject")
    move_clock(desk, str(at(LATER) + timedelta(days=9)))
    assert value(desk, "SELECT cognifold.note_alarms()") == 0
    assert kinds(desk, intent) == ["emitted", "deferred", "rejected"]
