"""The same event offered again, at the same moment or later, is one event; another one is another."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.capture.conftest import at_once, remember, stored
from tests.conftest import Connection, at

TIME = "2026-05-04T09:00:30+00:00"


@pytest.mark.parametrize(
    "arguments",
    [
        {"content": "the tap drips", "occurred_at": TIME},
        {"content": "the tap drips", "idempotency_key": "tap"},
        {"content": "the tap drips"},
        {"content": "the tap drips", "source": "kitchen", "actor": "Ida", "payload": '{"drops": 7}'},
    ],
    ids=["at a stated time", "under a key", "with neither", "with other fields"],
)
def test_eight_identical_remembers_at_once_give_one_row_and_one_id(
    tenant: str, connect: Callable[..., Connection], arguments: dict[str, str]
) -> None:
    # In the middle of a window of the clock, so that the eight fall into one (its edge has a test of its own).
    connections = [connect(tenant, now=TIME) for _ in range(8)]
    ids = at_once(8, lambda place: remember(connections[place], **arguments))
    assert len(set(ids)) == 1
    assert stored(connections[0]) == {"events": 1, "contents": 1, "waiting": 1}


def test_eight_at_once_in_open_transactions_wait_for_the_first_and_find_its_event(
    tenant: str, connect: Callable[..., Connection]
) -> None:
    first, *others = [connect(tenant) for _ in range(8)]
    first.autocommit = False
    known = remember(first, content="the tap drips", idempotency_key="tap")

    def offer(place: int) -> object:
        if place == 7:
            first.commit()
            return known
        return remember(others[place], content="the tap drips", idempotency_key="tap")

    assert set(at_once(8, offer)) == {known}
    assert stored(others[0]) == {"events": 1, "contents": 1, "waiting": 1}


REMEMBER = """
import sys
from datetime import datetime
from cognifold_pg.client import Memory
with Memory(sys.argv[1], tenant=sys.argv[2]) as memory:
    memory.check()
    print("ready", flush=True)
    sys.stdin.readline()
    print(memory.remember("the tap drips", occurred_at=datetime.fromisoformat(sys.argv[3]), actor="Ida"))
"""


def test_eight_processes_that_remember_the_same_store_it_once(tenant: str, dsn: str, connection: Connection) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", REMEMBER, dsn, tenant, TIME],
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for _ in range(8)
    ]  # fmt: skip
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    ids = {process.communicate(timeout=60)[0] for process in processes}
    assert len(ids) == 1
    assert stored(connection) == {"events": 1, "contents": 1, "waiting": 1}


@pytest.mark.parametrize(
    "other",
    [
        {"occurred_at": "2026-05-04T09:00:31+00:00"},
        {"content": "The tap drips"},
        {"source": "bathroom"},
        {"actor": "Ole"},
        {"title": "Tap"},
        {"payload": '{"drops": 8}'},
        {"idempotency_key": "another"},
    ],
    ids=str,
)
def test_an_event_that_differs_in_a_field_is_another_event(connection: Connection, other: dict[str, str]) -> None:
    same = {"content": "the tap drips", "occurred_at": TIME, "source": "kitchen", "actor": "Ida"}
    first = remember(connection, **same)
    assert remember(connection, **same) == first
    assert remember(connection, **same | other) != first
    assert stored(connection) == {"events": 2, "contents": 2, "waiting": 2}


def test_the_key_decides_and_not_the_content(connection: Connection) -> None:
    first = remember(connection, content="the tap drips", idempotency_key="message 1")
    assert remember(connection, content="something else", occurred_at=TIME, idempotency_key="message 1") == first
    assert remember(connection, content="the tap drips", idempotency_key="message 2") != first
    contents = connection.execute("SELECT content FROM cognifold.event").fetchall()
    assert contents == [("the tap drips",), ("the tap drips",)]


def test_a_key_belongs_to_its_tenant(new_tenant: Callable[..., str], connect: Callable[..., Connection]) -> None:
    here, there = connect(new_tenant()), connect(new_tenant())
    assert remember(here, content="ours", idempotency_key="1") != remember(there, content="theirs", idempotency_key="1")
    assert here.execute("SELECT content FROM cognifold.event").fetchall() == [("ours",)]


@pytest.mark.parametrize(
    ("later", "same"),
    [
        ("2026-05-04T09:00:59.9+00:00", True),
        ("2026-05-04T09:01:00+00:00", True),   # the next window of the clock, a moment later
        ("2026-05-04T09:01:29+00:00", True),
        ("2026-05-04T09:01:30.1+00:00", False),
        ("2026-05-04T09:03:00+00:00", False),
    ],
)  # fmt: skip
def test_a_call_without_a_time_repeated_within_a_minute_is_the_same_event(
    tenant: str, connect: Callable[..., Connection], later: str, same: bool
) -> None:
    first = remember(connect(tenant, now=TIME), content="the tap drips")
    assert (remember(connect(tenant, now=later), content="the tap drips") == first) is same


def test_the_window_of_repetition_is_a_setting_and_zero_turns_it_off(
    tenant: str, connect: Callable[..., Connection]
) -> None:
    early, late = connect(tenant, now=TIME), connect(tenant, now="2026-05-04T09:50:00+00:00")
    early.execute("SELECT cognifold.set_setting('remember.repeat_window', 3600)")
    assert remember(late, content="the tap drips") == remember(early, content="the tap drips")
    early.execute("SELECT cognifold.set_setting('remember.repeat_window', 0)")
    later = connect(tenant, now="2026-05-04T09:00:31+00:00")
    assert remember(later, content="a bell rings") != remember(early, content="a bell rings")


def test_a_rolled_back_remember_leaves_no_event_and_no_work(connection: Connection) -> None:
    connection.autocommit = False
    remember(connection, content="never happened", idempotency_key="ghost")
    assert stored(connection) == {"events": 1, "contents": 1, "waiting": 1}
    connection.rollback()
    connection.autocommit = True
    connection.execute("SELECT set_config('cognifold.tenant', cognifold.current_tenant(), false)")
    assert stored(connection) == {"events": 0, "contents": 0, "waiting": 0}
    assert connection.execute("SELECT * FROM cognifold.fold()").fetchall() == []


def test_a_key_whose_event_was_rolled_back_is_free_again(tenant: str, connect: Callable[..., Connection]) -> None:
    first, second = connect(tenant), connect(tenant)
    first.autocommit = False
    remember(first, content="never happened", idempotency_key="once")
    first.rollback()
    remember(second, content="did happen", idempotency_key="once")
    assert second.execute("SELECT content FROM cognifold.event").fetchall() == [("did happen",)]


def test_a_batch_says_which_events_are_new_also_within_itself(memory: Memory) -> None:
    one, two = Experience("one", occurred_at=at(TIME)), Experience("two", occurred_at=at(TIME))
    memory.remember(one)
    report = memory.remember_many([one, two, two])
    assert (report.new, report.known) == (1, 2)
    assert len(report.ids) == 3
    assert report.ids[1] == report.ids[2] != report.ids[0]
