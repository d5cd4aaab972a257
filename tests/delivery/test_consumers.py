"""Consumers: what each asked for, at least once, in order for each intent, and by one worker at a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.errors import (
    ConsumerConflictError,
    ConsumerDisabledError,
    InvalidValueError,
    LostDeliveryError,
    UnknownConsumerError,
)
from tests.conftest import Connection, value
from tests.delivery.desk import (
    acknowledge,
    answer,
    create,
    drain,
    fail,
    kinds,
    lag,
    make_intent,
    make_intents,
    remove,
    set_setting,
    take,
    told,
)
from tests.graph.plans import START, rows, violations

LAPSED = "1 microsecond"


def test_a_consumer_begins_now_or_at_the_start_of_what_is_kept(desk: Connection) -> None:
    make_intents(desk, "one", "two")
    assert create(desk, "late") and create(desk, "early", from_start=True)
    make_intent(desk, "three")
    assert [row["payload"]["title"] for row in drain(desk, "late")] == ["three"]
    assert [row["payload"]["title"] for row in drain(desk, "early")] == ["one", "two", "three"]
    assert drain(desk, "early") == []


def test_made_twice_it_is_one_with_its_cursor_and_for_something_else_it_is_refused(memory: Memory) -> None:
    assert memory.create_consumer("app", kinds=["woken", "emitted"])
    assert not memory.create_consumer("app", kinds=["emitted", "woken", "woken"], from_start=True)
    with pytest.raises(ConsumerConflictError, match=r'"app" is there already, for kinds \{emitted,woken\}'):
        memory.create_consumer("app")
    assert memory.drop_consumer("app") and not memory.drop_consumer("app")
    assert memory.create_consumer("app")


@pytest.mark.parametrize(
    ("name", "kinds", "categories"),
    [
        ("", None, None),
        ("x" * 64, None, None),
        ("app", ["emited"], None),
        ("app", ["pending"], None),
        ("app", [], None),
        ("app", None, ["wrok"]),
        ("app", None, []),
    ],
)
def test_what_there_is_not_cannot_be_asked_for(
    memory: Memory, name: str, kinds: list[str] | None, categories: list[str] | None
) -> None:
    with pytest.raises(InvalidValueError, match="create_consumer"):
        memory.create_consumer(name, kinds=kinds, categories=categories)


def test_each_consumer_gets_the_kinds_and_categories_it_asked_for(
    desk: Connection, admin: Connection, tenant: str
) -> None:
    create(desk, "closing", kinds=["rejected", "withdrawn"])
    create(desk, "health", categories=["health"])
    create(desk, "all")
    plug, doctor = make_intents(desk, "Buy a plug", "See a doctor")
    admin.execute("UPDATE cognifold.intent_state SET category = 'health' WHERE node_id = %s", [doctor])
    answer(desk, plug, "reject")
    remove(desk, doctor)
    assert [(row["kind"], row["intent_id"]) for row in drain(desk, "closing")] == [
        ("rejected", plug), ("withdrawn", doctor),
    ]  # fmt: skip
    assert [row["kind"] for row in drain(desk, "health")] == ["changed", "withdrawn"]
    assert [row["kind"] for row in drain(desk, "all")] == ["emitted", "emitted", "changed", "rejected", "withdrawn"]
    assert lag(desk, "closing")["waiting"] == 0
    assert violations(desk) == []


def test_what_came_later_of_an_intent_waits_for_the_acknowledgement_of_what_came_before(desk: Connection) -> None:
    create(desk)
    first, second = make_intents(desk, "one", "two")
    answer(desk, first, "accept")
    answer(desk, first, "reject")
    taken = take(desk)
    assert [(row["intent_id"], row["kind"]) for row in taken] == [(first, "emitted"), (second, "emitted")]
    assert take(desk) == []
    acknowledge(desk, taken[1])
    assert take(desk) == []
    acknowledge(desk, taken[0])
    [third] = take(desk)
    assert (third["intent_id"], third["kind"]) == (first, "scheduled")
    fail(desk, third)
    assert take(desk) == []  # it waits for its next attempt, and what follows waits for it


def test_two_workers_of_one_consumer_share_what_there_is(
    connect: Callable[..., Connection], tenant: str, desk: Connection
) -> None:
    create(desk)
    make_intents(desk, *(f"intent {number}" for number in range(10)))
    other = connect(tenant, now=START)
    other.execute("SET lock_timeout = '1s'")
    with desk.transaction():
        assert [row["position"] for row in take(desk, number=2)] == [1, 2]
        assert take(other) == []  # the cursor is the first one's until it commits: nobody waits for that
    with desk.transaction():
        ours = take(desk, number=4)
        theirs = take(other, number=20)
    assert [row["position"] for row in ours] == [3, 4, 5, 6]
    assert [row["position"] for row in theirs] == [7, 8, 9, 10]
    assert {row["fence"] for row in ours} & {row["fence"] for row in theirs} == set()


def test_a_lease_that_lapsed_is_worth_nothing_once_another_was_given_the_delivery(
    dsn: str, tenant: str, desk: Connection
) -> None:
    create(desk)
    make_intent(desk)
    [late] = take(desk, lease=LAPSED)
    assert acknowledge_is_lost(dsn, tenant, late) is None  # nobody else has it yet: in time after all
    make_intent(desk, "another")
    [late] = take(desk, lease=LAPSED)
    [now] = take(desk)
    assert (now["position"], now["id"], now["attempt"], late["attempt"]) == (late["position"], late["id"], 2, 1)
    message = acknowledge_is_lost(dsn, tenant, late)
    assert message is not None and f"has it with fence {now['fence']}" in message
    assert (
        rows(desk, "SELECT * FROM cognifold.fail_delivery('app', %s, %s, 'x')", [late["position"]], late["fence"]) == []
    )
    assert value(desk, "SELECT cognifold.release_deliveries('app', %s, %s)", [late["position"]], late["fence"]) == 0
    assert acknowledge(desk, now) == 1
    message = acknowledge_is_lost(dsn, tenant, late)
    assert message is not None and "acknowledged" in message


def acknowledge_is_lost(dsn: str, tenant: str, delivery: dict[str, object]) -> str | None:
    """Acknowledge as a client; what it was told where the delivery is lost."""
    with Memory(dsn, tenant=tenant) as memory:
        try:
            assert memory.acknowledge("app", [int(str(delivery["position"]))], int(str(delivery["fence"]))) == 1
        except LostDeliveryError as error:
            return str(error)
    return None


def test_what_a_consumer_writes_with_its_acknowledgement_takes_effect_once(
    admin: Connection, tenant: str, desk: Connection
) -> None:
    """The acknowledgement of a lost delivery takes back what was written beside it."""
    create(desk)
    make_intent(desk)
    [late] = take(desk, lease=LAPSED)
    [now] = take(desk)
    with pytest.raises(psycopg.Error) as raised, desk.transaction():
        set_setting(desk, "intent.cues", 7)  # stands for a write of the application's
        acknowledge(desk, late)
    assert raised.value.sqlstate == "CF030"
    assert value(desk, "SELECT cognifold.setting('intent.cues')") == 2
    with desk.transaction():
        set_setting(desk, "intent.cues", 3)
        acknowledge(desk, now)
    assert value(desk, "SELECT cognifold.setting('intent.cues')") == 3


def test_all_of_an_acknowledgement_counts_or_nothing(desk: Connection) -> None:
    create(desk)
    make_intents(desk, "one", "two")
    one, two = take(desk)
    acknowledge(desk, one)
    with pytest.raises(psycopg.Error, match="delivery 1 of consumer"):
        acknowledge(desk, one, two)
    assert lag(desk)["waiting"] == 1
    assert acknowledge(desk, two) == 1


def test_a_failed_delivery_comes_again_later_each_time_and_is_dead_in_the_end(desk: Connection) -> None:
    create(desk)
    for name, number in (("delivery.attempts", 3), ("delivery.retry_delay", 60), ("delivery.jitter", 0)):
        set_setting(desk, name, number)
    intent = make_intent(desk)
    answer(desk, intent, "accept")
    pauses = []
    for attempt in (1, 2):
        [delivery] = take(desk)
        assert delivery["attempt"] == attempt
        failed = fail(desk, delivery)
        pauses.append(pause_of(desk, 1))
        assert failed["state"] == "ready" and take(desk) == []
        assert lag(desk)["retried"] == 1
        desk.execute("SELECT cognifold.redeliver('app')")  # nothing is dead: nothing comes of it
        assert take(desk) == []
        hurry(desk)
    assert pauses == [pytest.approx(60, abs=1), pytest.approx(120, abs=1)]
    [delivery] = take(desk)
    assert fail(desk, delivery)["state"] == "dead"
    [dead] = rows(desk, "SELECT * FROM cognifold.dead_deliveries")
    assert (dead["consumer"], dead["position"], dead["intent_id"], dead["kind"], dead["attempts"], dead["error"]) == (
        "app", 1, intent, "emitted", 3, "the line was busy",
    )  # fmt: skip
    assert [row["kind"] for row in drain(desk)] == ["scheduled"]  # given up, it is in nobody's way
    assert (lag(desk)["waiting"], lag(desk)["dead"]) == (0, 1)
    assert value(desk, "SELECT cognifold.redeliver('app')") == 1
    [again] = take(desk)
    assert (again["position"], again["attempt"], again["id"]) == (1, 1, delivery["id"])


def pause_of(connection: Connection, position: int) -> float:
    """How long what has just failed waits, in seconds."""
    pause: float = value(
        connection,
        "SELECT extract(epoch FROM not_before - failed_at)::float8 FROM cognifold.delivery WHERE position = %s",
        position,
    )
    return pause


def hurry(connection: Connection) -> None:
    """Have what has failed come again at once, as if its pause had passed."""
    with psycopg.connect(make_conninfo(connection.info.dsn, user="postgres"), autocommit=True) as admin:
        admin.execute(
            "UPDATE cognifold.delivery SET not_before = '-infinity' WHERE tenant_id = %s",
            [value(connection, "SELECT cognifold.current_tenant()")],
        )


def test_by_default_a_pause_is_longer_or_shorter_by_chance_and_never_longer_than_its_most(desk: Connection) -> None:
    create(desk)
    set_setting(desk, "delivery.retry_delay", 1000)
    set_setting(desk, "delivery.retry_most", 100)
    make_intents(desk, *(f"intent {number}" for number in range(20)))
    pauses = {pause_of(desk, fail(desk, row)["position"]) for row in take(desk, number=20)}
    assert len(pauses) == 20 and min(pauses) > 79 and max(pauses) < 121


def test_the_pause_that_is_asked_for_is_kept(desk: Connection) -> None:
    create(desk)
    make_intent(desk)
    [delivery] = take(desk)
    fail(desk, delivery, "10 minutes")
    assert pause_of(desk, 1) == pytest.approx(600, abs=1)
    hurry(desk)
    [delivery] = take(desk)
    fail(desk, delivery, "0")
    assert [row["attempt"] for row in take(desk)] == [3]


def test_one_that_ends_every_worker_it_is_handed_to_is_dead_in_the_end(desk: Connection) -> None:
    create(desk)
    set_setting(desk, "delivery.attempts", 2)
    make_intents(desk, "poison", "food")
    assert [len(take(desk, number=1, lease=LAPSED)) for _ in range(2)] == [1, 1]
    assert [row["payload"]["title"] for row in take(desk)] == ["food"]
    [dead] = rows(desk, "SELECT position, error FROM cognifold.dead_deliveries")
    assert dead["position"] == 1
    assert dead["error"].startswith("handed out 2 times, never acknowledged; last to session ")


def test_what_was_given_back_is_not_an_attempt_and_may_be_taken_at_once(desk: Connection) -> None:
    create(desk)
    make_intent(desk)
    for _ in range(3):
        [delivery] = take(desk)
        assert delivery["attempt"] == 1
        assert value(desk, "SELECT cognifold.release_deliveries('app', ARRAY[1], %s)", delivery["fence"]) == 1


def test_what_was_acknowledged_can_be_had_once_more_by_its_position(desk: Connection) -> None:
    create(desk)
    make_intents(desk, "one", "two")
    before = drain(desk)
    assert value(desk, "SELECT cognifold.redeliver('app', ARRAY[2, 99])") == 1
    [again] = drain(desk)
    assert again["id"] == before[1]["id"]


def test_a_disabled_consumer_is_handed_nothing_and_misses_nothing(desk: Connection, memory: Memory) -> None:
    memory.create_consumer("app")
    assert memory.disable_consumer("app", "on holiday") and not memory.disable_consumer("app")
    make_intent(desk)
    with pytest.raises(ConsumerDisabledError, match="on holiday"):
        memory.take_deliveries("app")
    assert lag(desk)["disabled_reason"] == "on holiday"
    assert memory.enable_consumer("app") and not memory.enable_consumer("app")
    assert [row.kind for row in memory.take_deliveries("app")] == ["emitted"]


def test_a_consumer_that_there_is_not_is_an_error_for_every_verb(memory: Memory) -> None:
    for call in (
        lambda: memory.take_deliveries("nobody"),
        lambda: memory.acknowledge("nobody", [1], 1),
        lambda: memory.fail_delivery("nobody", [1], 1, "x"),
        lambda: memory.release_deliveries("nobody", [1], 1),
        lambda: memory.redeliver("nobody"),
        lambda: memory.disable_consumer("nobody"),
        lambda: memory.enable_consumer("nobody"),
    ):
        with pytest.raises(UnknownConsumerError, match="'nobody'"):
            call()


@pytest.mark.parametrize("arguments", ["0", "NULL", "1, '0'", "1, '2 days'"])
def test_a_number_or_lease_out_of_range_is_refused(desk: Connection, arguments: str) -> None:
    create(desk)
    with pytest.raises(psycopg.Error) as raised:
        desk.execute(f"SELECT cognifold.take_deliveries('app', {arguments})".encode())
    assert raised.value.sqlstate == "CF010"


def test_what_is_old_and_acknowledged_by_all_is_removed_and_nothing_else(
    desk: Connection, admin: Connection, tenant: str
) -> None:
    create(desk, "fast")
    create(desk, "slow")
    create(desk, "choosy", kinds=["rejected"])
    make_intents(desk, *(f"intent {number}" for number in range(6)))
    assert value(desk, "SELECT cognifold.purge_outbox('0')") == 0
    for consumer in ("fast", "choosy"):
        drain(desk, consumer)
    taken = take(desk, "slow", 3)
    assert value(desk, "SELECT cognifold.purge_outbox('0')") == 0  # a cursor is no acknowledgement
    acknowledge(desk, *taken[:2], consumer="slow")
    assert value(desk, "SELECT cognifold.purge_outbox()") == 0  # younger than delivery.retention
    assert value(desk, "SELECT cognifold.purge_outbox('0')") == 2
    assert [row["position"] for row in told(desk)] == [3, 4, 5, 6]
    assert len(drain(desk, "slow")) == 3
    assert value(desk, "SELECT cognifold.purge_outbox('0')") == 3  # one is under a lease still
    acknowledge(desk, taken[2], consumer="slow")
    assert value(desk, "SELECT cognifold.purge_outbox('0')") == 1
    make_intent(desk, "after all are gone")
    assert [row["position"] for row in told(desk)] == [7]
    assert [row["position"] for row in drain(desk, "slow")] == [7]
    assert violations(desk) == []


def test_a_dead_letter_and_a_disabled_consumer_hold_what_they_have_not_had(desk: Connection) -> None:
    create(desk)
    create(desk, "resting")
    set_setting(desk, "delivery.attempts", 1)
    make_intents(desk, "one", "two")
    one, two = take(desk)
    fail(desk, one)
    acknowledge(desk, two)
    desk.execute("SELECT cognifold.disable_consumer('resting')")
    assert value(desk, "SELECT cognifold.purge_outbox('0')") == 0
    desk.execute("SELECT cognifold.drop_consumer('resting')")
    assert value(desk, "SELECT cognifold.purge_outbox('0')") == 1
    assert [row["position"] for row in rows(desk, "SELECT position FROM cognifold.dead_deliveries")] == [1]


def test_without_consumers_age_alone_decides(desk: Connection) -> None:
    make_intent(desk)
    assert value(desk, "SELECT cognifold.purge_outbox('1 hour')") == 0
    assert value(desk, "SELECT cognifold.purge_outbox('0')") == 1
    with pytest.raises(psycopg.Error, match="less than nothing"):
        desk.execute("SELECT cognifold.purge_outbox('-1 hour')")


def test_a_cursor_passes_more_than_a_window_of_what_was_not_asked_for(desk: Connection) -> None:
    set_setting(desk, "delivery.window", 2)
    create(desk, kinds=["rejected"])
    intents = make_intents(desk, *(f"intent {number}" for number in range(9)))
    answer(desk, intents[4], "reject")
    assert [row["kind"] for row in take(desk, number=1)] == ["rejected"]


def test_an_intent_that_fails_does_not_hold_up_the_others_however_many_of_its_deliveries_wait(desk: Connection) -> None:
    set_setting(desk, "delivery.window", 3)
    create(desk)
    stuck = make_intent(desk, "stuck")
    [delivery] = take(desk)
    fail(desk, delivery, "1 day")
    for number in range(4):
        answer(desk, stuck, "defer", f"2026-03-0{5 + number}T12:00:00+00:00")
    make_intents(desk, *(f"intent {number}" for number in range(5)))
    assert [row["payload"]["title"] for row in take(desk)] == [f"intent {number}" for number in range(5)]


def test_the_lag_says_how_far_behind_a_consumer_is(desk: Connection) -> None:
    create(desk, kinds=["emitted"])
    intents = make_intents(desk, *(f"intent {number}" for number in range(5)))
    answer(desk, intents[0], "reject")
    seen = lag(desk)
    assert (seen["waiting"], seen["cursor_position"], seen["last_position"], seen["leased"]) == (5, 0, 6, 0)
    assert seen["oldest_waiting"] == told(desk)[0]["recorded_at"]
    taken = take(desk, number=2)
    acknowledge(desk, taken[0])
    seen = lag(desk)
    assert (seen["waiting"], seen["leased"], seen["dead"]) == (4, 1, 0)
    assert seen["oldest_waiting"] == told(desk)[1]["recorded_at"]


def test_a_loop_acknowledges_each_when_the_next_is_asked_for(memory: Memory, desk: Connection) -> None:
    memory.create_consumer("app")
    make_intents(desk, "one", "two", "three")
    loop = memory.consume("app", batch=2, once=True)
    assert next(loop).payload["title"] == "one"
    assert lag(desk)["waiting"] == 3
    assert next(loop).payload["title"] == "two"
    assert lag(desk)["waiting"] == 2
    assert [delivery.payload["title"] for delivery in loop] == ["three"]
    assert lag(desk)["waiting"] == 0


def test_leaving_a_loop_gives_back_what_was_in_hand_as_failed_and_the_rest_as_it_was(
    memory: Memory, desk: Connection
) -> None:
    memory.create_consumer("app")
    make_intents(desk, "one", "two", "three")
    for delivery in memory.consume("app"):
        if delivery.payload["title"] == "two":
            break
    del delivery
    stands = rows(desk, "SELECT position, attempts, lease_until, error FROM cognifold.delivery ORDER BY position")
    assert [tuple(row.values()) for row in stands] == [(2, 1, None, "the consumer left its loop"), (3, 0, None, None)]


def test_a_loop_passes_over_what_it_was_too_slow_for(memory: Memory, desk: Connection) -> None:
    memory.create_consumer("app")
    make_intents(desk, "one", "two")
    loop = memory.consume("app", lease=timedelta(microseconds=1), once=True)
    set_setting(desk, "delivery.attempts", 1)
    # Each lease has lapsed before the first of its batch is looked at, so none is ever shown: they end as dead letters.
    assert list(loop) == []
    assert kinds(desk) == ["emitted", "emitted"]


def test_a_joined_memory_consumes_by_the_verbs_alone(connection: Connection, tenant: str) -> None:
    joined = Memory.joined(connection, tenant=tenant)
    with pytest.raises(InvalidValueError, match="take_deliveries"):
        next(joined.consume("app"))


@pytest.mark.parametrize("name", ["", "x" * 64, "two\nlines", "bell\a", "  "])
def test_a_name_is_one_line_that_can_be_read(desk: Connection, name: str) -> None:
    with pytest.raises(psycopg.Error, match="is no name") as raised:
        create(desk, name)
    assert raised.value.sqlstate == "CF010"


def test_what_is_kept_for_longer_than_time_is_counted_is_kept(desk: Connection) -> None:
    make_intent(desk)
    endless = ("infinity",) if desk.info.server_version >= 170000 else ()  # before that no interval is infinite
    for term in ("100000000 days", *endless):
        assert value(desk, "SELECT cognifold.purge_outbox(%s)", term) == 0
    assert value(desk, "SELECT cognifold.purge_outbox('0')") == 1


@pytest.mark.parametrize(
    ("positions", "fence"),
    [("12", 1), (None, 1), (7, 1), ([True], 1), ([2**64], 1), (["1"], 1), ([1], "1"), ([1], None), ([1], 2**64)],
)
def test_the_client_says_which_argument_is_no_delivery(memory: Memory, positions: Any, fence: Any) -> None:
    memory.create_consumer("app")
    for verb in (memory.acknowledge, memory.release_deliveries):
        with pytest.raises(InvalidValueError, match=r"positions|fence"):
            verb("app", positions, fence)
    with pytest.raises(InvalidValueError, match=r"positions|fence"):
        memory.fail_delivery("app", positions, fence, "why")
    with pytest.raises(InvalidValueError, match="retry_after"):
        memory.fail_delivery("app", [1], 1, "why", retry_after=float("nan"))
