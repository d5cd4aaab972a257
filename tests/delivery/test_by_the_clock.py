"""Waking and expiring follow from the clock: each is told once, with its own time, however many ask at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from tests.conftest import Connection, at, value
from tests.delivery.desk import acknowledge, answer, create, kinds, make_intent, make_intents, take, told
from tests.graph.plans import START, move_clock, rows, violations

DUE = at("2026-03-03T09:00:00+00:00")
TICK = timedelta(microseconds=1)


def test_a_deferred_intent_wakes_at_its_time_and_not_a_moment_earlier_and_once(desk: Connection) -> None:
    intent = make_intent(desk)
    answer(desk, intent, "defer", DUE.isoformat())
    move_clock(desk, (DUE - TICK).isoformat())
    assert value(desk, "SELECT cognifold.note_alarms()") == 0
    move_clock(desk, DUE.isoformat())
    assert [value(desk, "SELECT cognifold.note_alarms()") for _ in range(3)] == [1, 0, 0]
    last = told(desk, intent)[-1]
    assert (last["kind"], last["from_status"], last["status"], last["moment"]) == ("woken", "deferred", "pending", DUE)
    assert value(desk, "SELECT status FROM cognifold.intent") == "pending"


def test_it_keeps_its_time_when_it_is_noted_days_late_and_does_not_wake_again_when_the_clock_goes_back(
    desk: Connection,
) -> None:
    intent = make_intent(desk)
    answer(desk, intent, "defer", DUE.isoformat())
    move_clock(desk, (DUE + timedelta(days=9)).isoformat())
    assert value(desk, "SELECT cognifold.note_alarms()") == 1
    move_clock(desk, START)
    assert value(desk, "SELECT cognifold.note_alarms()") == 0
    move_clock(desk, (DUE + timedelta(days=10)).isoformat())
    assert value(desk, "SELECT cognifold.note_alarms()") == 0
    assert [row["moment"] for row in told(desk, intent) if row["kind"] == "woken"] == [DUE]


def test_one_that_wakes_and_then_expires_is_told_in_that_order(
    admin: Connection, tenant: str, desk: Connection
) -> None:
    move_clock(admin, START)
    intent, other = make_intents(desk, "wakes and expires", "expires before it would wake")
    for number, one in enumerate((intent, other)):
        admin.execute(
            "UPDATE cognifold.intent_state SET expires_at = %s WHERE node_id = %s",
            [DUE + timedelta(hours=1 - 2 * number), one],
        )
        answer(desk, one, "defer", DUE.isoformat())
    move_clock(desk, (DUE + timedelta(days=1)).isoformat())
    assert value(desk, "SELECT cognifold.note_alarms()") == 3
    seen = [(row["node_id"], row["kind"], row["from_status"], row["moment"]) for row in told(desk)[-3:]]
    assert seen == [
        (other, "expired", "deferred", DUE - timedelta(hours=1)),
        (intent, "woken", "deferred", DUE),
        (intent, "expired", "pending", DUE + timedelta(hours=1)),
    ]
    assert violations(desk) == []


def test_put_off_once_more_it_wakes_at_the_later_time_alone(desk: Connection) -> None:
    intent = make_intent(desk)
    answer(desk, intent, "defer", DUE.isoformat())
    later = DUE + timedelta(days=1)
    answer(desk, intent, "defer", later.isoformat())
    move_clock(desk, DUE.isoformat())
    assert value(desk, "SELECT cognifold.note_alarms()") == 0
    move_clock(desk, later.isoformat())
    assert value(desk, "SELECT cognifold.note_alarms()") == 1
    assert told(desk, intent)[-1]["moment"] == later


def test_with_three_workers_running_each_deferral_wakes_exactly_at_its_time_and_once(
    connect: Callable[..., Connection], tenant: str, desk: Connection
) -> None:
    """The clock goes on by steps; at each one three workers take what there is, at once."""
    create(desk, kinds=["woken"])
    intents = make_intents(desk, *(f"intent {number}" for number in range(30)))
    due = {intent: DUE + timedelta(hours=number % 6) for number, intent in enumerate(intents)}
    for intent, moment in due.items():
        answer(desk, intent, "defer", moment.isoformat())

    steps = [
        moment for hour in range(6) for moment in (DUE + timedelta(hours=hour) - TICK, DUE + timedelta(hours=hour))
    ]
    together = threading.Barrier(3)
    got: list[tuple[datetime, dict[str, Any]]] = []
    errors: list[BaseException] = []

    def work(connection: Connection) -> None:
        try:
            for step in steps:
                move_clock(connection, step.isoformat())
                together.wait(60)
                while taken := take(connection, number=2):
                    got.extend((step, row) for row in taken)
                    acknowledge(connection, *taken)
                connection.execute("SELECT cognifold.note_alarms()")  # waits for the one who is at it
                while taken := take(connection, number=2):
                    got.extend((step, row) for row in taken)
                    acknowledge(connection, *taken)
                together.wait(60)
        except BaseException as error:
            errors.append(error)
            together.abort()

    workers = [threading.Thread(target=work, args=[connect(tenant, now=START)]) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert errors == []
    woken = {UUID(str(row["intent_id"])): (step, row["moment"], row["payload"]["status"]) for step, row in got}
    assert woken == {intent: (moment, moment, "pending") for intent, moment in due.items()}
    assert len(got) == len(intents)  # once each, and none before its time
    assert kinds(desk).count("woken") == len(intents)


def test_taking_deliveries_does_not_wait_for_who_changes_the_graph(
    connect: Callable[..., Connection], tenant: str, desk: Connection
) -> None:
    create(desk)
    intent = make_intent(desk)
    answer(desk, intent, "defer", DUE.isoformat())
    move_clock(desk, DUE.isoformat())
    folding = connect(tenant, now=START)
    desk.execute("SET lock_timeout = '1s'")
    with folding.transaction():
        folding.execute("SELECT cognifold.apply_plan('{\"operations\": []}')")
        [first] = take(desk)
        acknowledge(desk, first)
        [second] = take(desk)
        acknowledge(desk, second)
        assert take(desk) == []
    assert [row["kind"] for row in take(desk)] == ["woken"]
    assert rows(desk, "SELECT FROM cognifold.intent_alarm") == []
