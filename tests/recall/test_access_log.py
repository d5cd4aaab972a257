"""What is recalled is noted out of the caller's way, and counted later, each recall once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg import learning
from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidValueError
from cognifold_pg.experience import Experience
from cognifold_pg.learning import RecallNotes
from tests.capture.conftest import at_once
from tests.conftest import Connection, at, make_role, value
from tests.graph.plans import rows, snapshot

NOW = at("2026-05-10T12:00:00+00:00")


def notes(connection: Connection) -> list[list[UUID]]:
    """What waits to be counted, in order."""
    return [row["node_ids"] for row in rows(connection, "SELECT node_ids FROM cognifold.recall_log ORDER BY log_id")]


def accesses(connection: Connection) -> dict[UUID, int]:
    found = rows(connection, "SELECT node_id, access_count FROM cognifold.node_state WHERE access_count > 0")
    return {row["node_id"]: row["access_count"] for row in found}


def filled(memory: Memory, number: int = 4) -> list[UUID]:
    ids = list(memory.remember_many(Experience(f"The ferry left pier {n}", source=f"s{n}") for n in range(number)).ids)
    memory.fold_all(batch=100)
    return ids


# ------------------------------------------------------------------------------------------------------ SQL


def test_recall_itself_writes_nothing(memory: Memory, connection: Connection, admin: Connection) -> None:
    filled(memory)
    before = snapshot(admin, memory.tenant)
    for verb in ("recall", "explain_recall", "context"):
        assert rows(connection, f"SELECT * FROM cognifold.{verb}('ferry')")
    assert snapshot(admin, memory.tenant) == before


def test_a_note_keeps_the_first_of_what_was_recalled_each_once_in_order(memory: Memory, connection: Connection) -> None:
    memory.rows("SELECT cognifold.set_setting('learn.nodes', 3)")
    a, b, c, d = (UUID(int=number) for number in (4, 2, 9, 1))
    assert value(connection, "SELECT cognifold.note_recall(%s)", [a, b, a, None, c, d]) == 3
    assert notes(connection) == [[a, b, c]]
    assert value(connection, "SELECT cognifold.note_recall('{}')") == 0
    assert value(connection, "SELECT cognifold.note_recall(ARRAY[NULL]::uuid[])") == 0
    assert len(notes(connection)) == 1


def test_one_statement_recalls_and_notes(memory: Memory, connection: Connection) -> None:
    filled(memory)
    found = rows(
        connection,
        "WITH found AS MATERIALIZED (SELECT * FROM cognifold.recall('ferry', 2)), "
        "noted AS MATERIALIZED (SELECT cognifold.note_recall(ARRAY(SELECT node_id FROM found ORDER BY score DESC))) "
        "SELECT found.* FROM found CROSS JOIN noted",
    )
    assert notes(connection) == [[row["node_id"] for row in found]]


def test_a_note_is_taken_back_with_its_transaction(memory: Memory, connection: Connection) -> None:
    with connection.transaction(force_rollback=True):
        value(connection, "SELECT cognifold.note_recall(%s)", [UUID(int=1)])
    assert notes(connection) == []


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("SELECT cognifold.note_recall(NULL)", "node_ids is NULL"),
        ("SELECT cognifold.count_recalls(0)", "max_rows = 0 is not a positive number"),
        ("SELECT cognifold.count_recalls(-3)", "max_rows = -3 is not a positive number"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_value(connection: Connection, statement: str, told: str) -> None:
    with pytest.raises(psycopg.Error, match=told) as caught:
        value(connection, statement)
    assert caught.value.sqlstate == "CF010"


def test_another_tenants_ids_count_for_nothing(
    memory: Memory, connection: Connection, new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    mine = filled(memory, 1)
    other = connect(new_tenant())
    value(other, "SELECT cognifold.note_recall(%s)", mine)
    assert value(other, "SELECT cognifold.count_recalls()")["nodes_accessed"] == 0
    assert accesses(other) == accesses(connection) == {}


def test_where_nobody_counts_the_log_ends_where_the_setting_says(
    memory: Memory, connection: Connection, admin: Connection
) -> None:
    for number in range(5):
        value(connection, "SELECT cognifold.note_recall(%s)", [UUID(int=number + 1)])
    age = (
        "UPDATE cognifold.recall_log SET noted_at = noted_at - interval '91 days' "
        "WHERE tenant_id = %s AND log_id = ANY (%s)"
    )
    old = [row["log_id"] for row in rows(connection, "SELECT log_id FROM cognifold.recall_log ORDER BY 1 LIMIT 3")]
    admin.execute(age.encode(), [memory.tenant, old])
    for number, left in ((6, 4), (7, 4), (8, 5)):  # two go with the first, one with the second, none with the third
        value(connection, "SELECT cognifold.note_recall(%s)", [UUID(int=number)])
        assert len(notes(connection)) == left
    assert notes(connection)[0] == [UUID(int=4)]


# ------------------------------------------------------------------------------------------------------ exactly once


def test_a_count_that_is_rolled_back_has_not_happened(memory: Memory, connection: Connection) -> None:
    (event,) = filled(memory, 1)
    memory.note_recall([event])
    with connection.transaction(force_rollback=True):
        assert value(connection, "SELECT cognifold.count_recalls()")["recalls_counted"] == 1
    assert (accesses(connection), len(notes(connection))) == ({}, 1)
    assert memory.count_recalls().recalls_counted == 1
    assert accesses(connection) == {event: 1}


def test_a_counter_that_is_killed_loses_and_repeats_nothing(
    memory: Memory, connection: Connection, connect: Callable[..., Connection], admin: Connection
) -> None:
    (event,) = filled(memory, 1)
    for _ in range(3):
        memory.note_recall([event])
    doomed = connect(memory.tenant)
    doomed.execute("BEGIN")
    value(doomed, "SELECT cognifold.count_recalls(2)")
    admin.execute("SELECT pg_terminate_backend(%s)", [doomed.info.backend_pid])
    assert memory.count_recalls().recalls_counted == 3  # waits for the other's turn to end, and finds all
    assert accesses(connection) == {event: 3}


def test_counters_noters_and_folds_at_once_neither_lose_nor_repeat_nor_deadlock(memory: Memory, dsn: str) -> None:
    ids = filled(memory, 3)
    memory.rows("SELECT cognifold.set_setting('learn.co_recalls', 5)")

    def work(place: int) -> int:
        counted = 0
        with Memory(dsn, tenant=memory.tenant, pool_size=1) as own:
            for step in range(12):
                if place % 2:
                    counted += own.count_recalls(2).recalls_counted
                else:
                    own.note_recall(ids if step % 2 else ids[::-1])
                    if step % 4 == 0:
                        own.remember(f"The ferry {place} is late {step}")
                        own.fold()
        return counted

    counted = sum(at_once(6, work))
    counted += memory.count_recalls(1000).recalls_counted
    assert counted == 3 * 12
    assert {id_: n for id_, n in accesses_of(memory).items() if id_ in ids} == dict.fromkeys(ids, 36)
    assert memory.check() == []


def accesses_of(memory: Memory) -> dict[UUID, int]:
    found = memory.rows("SELECT node_id, access_count FROM cognifold.node_state WHERE access_count > 0")
    return {row["node_id"]: row["access_count"] for row in found}


def test_a_note_that_drops_old_ones_and_then_folds_does_not_lock_with_a_counter(
    memory: Memory, connection: Connection, connect: Callable[..., Connection], admin: Connection
) -> None:
    (event,) = filled(memory, 1)
    memory.note_recall([event])
    admin.execute("UPDATE cognifold.recall_log SET noted_at = noted_at - interval '91 days'")
    memory.note_recall([event])  # takes the old one
    admin.execute("UPDATE cognifold.recall_log SET noted_at = noted_at - interval '91 days'")
    with connection.transaction():
        value(connection, "SELECT cognifold.note_recall(%s)", [event])  # has deleted one, and not said so
        other = connect(memory.tenant)
        other.execute("SET statement_timeout = '20s'")
        assert value(other, "SELECT cognifold.count_recalls()")["recalls_counted"] == 0  # passes it over
        memory.remember("The ferry is back")
        connection.execute("SELECT * FROM cognifold.fold()")
    assert memory.count_recalls().recalls_counted == 1


# ------------------------------------------------------------------------------------------------------ the client


def test_what_the_client_recalls_is_noted_behind_it(dsn: str, tenant: str, connection: Connection) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        filled(memory)
        first = memory.recall("ferry", 2)
        second = memory.recall("pier 1", 1)
        memory.recall("ferry", 3, learn=False)
        memory.recall("zeppelin", kinds=["time"])  # nothing comes back
        assert memory.flush_recalls() == (2, 0)
    assert notes(connection) == [[row.node_id for row in first], [row.node_id for row in second]]


def test_closing_notes_what_waits(dsn: str, tenant: str, connection: Connection) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        filled(memory)
        found = memory.context("ferry")
    assert notes(connection) == [list(found.source_ids)]


def test_a_note_bears_the_clock_of_the_recall(dsn: str, tenant: str, connection: Connection) -> None:
    with Memory(dsn, tenant=tenant, clock=NOW) as memory:
        filled(memory)
        memory.recall("ferry", 1)
        memory.clock = NOW + timedelta(days=1)
        memory.recall("ferry", 1)
    times = rows(connection, "SELECT recalled_at FROM cognifold.recall_log ORDER BY log_id")
    assert [row["recalled_at"] for row in times] == [NOW, NOW + timedelta(days=1)]


def test_a_memory_told_not_to_learn_notes_nothing_unless_asked(dsn: str, tenant: str, connection: Connection) -> None:
    with Memory(dsn, tenant=tenant, learn=False) as memory:
        filled(memory)
        memory.recall("ferry", 1)
        assert memory.flush_recalls() == (0, 0)
        memory.recall("ferry", 1, learn=True)
        assert memory.flush_recalls() == (1, 0)


def test_a_joined_memory_notes_in_the_callers_transaction_and_only_if_asked(
    dsn: str, memory: Memory, connection: Connection
) -> None:
    filled(memory)
    with psycopg.connect(dsn) as caller:
        joined = Memory.joined(caller, tenant=memory.tenant)
        joined.recall("ferry", 1)
        (row,) = joined.recall("ferry", 1, learn=True)
        assert joined.flush_recalls() == (0, 0)
        assert notes(connection) == []
        caller.commit()
    assert notes(connection) == [[row.node_id]]


@pytest.mark.parametrize("reason", ["a reader", "a read-only session", "no such function any more"])
def test_what_cannot_be_noted_is_counted_and_disturbs_nobody(
    dsn: str, memory: Memory, admin: Connection, connection: Connection, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(memory)
    own = dsn
    if reason == "a reader":
        make_role(admin, "test_note_reader", "cognifold_reader", "cognifold_multitenant")
        own = make_conninfo(dsn, user="test_note_reader")
    elif reason == "a read-only session":
        own = make_conninfo(dsn, options="-c default_transaction_read_only=on")
    else:
        monkeypatch.setattr(learning, "_MAY_WRITE", "SELECT no_such_function()")
    with Memory(own, tenant=memory.tenant) as reader:
        assert len(reader.recall("ferry", 2)) == 2
        assert reader.flush_recalls() == (0, 1)
        assert len(reader.recall("ferry", 2)) == 2
    assert notes(connection) == []


def test_the_queue_is_bounded_and_drops_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "LONGEST_QUEUE", 3)
    monkeypatch.setattr(learning, "GATHERING", 3600)  # the thread never comes to it
    kept: list[Any] = []

    class Statements:
        def execute(self, query: Any, parameters: Any = ()) -> Statements:
            kept.extend(parameters)
            return self

        def fetchone(self) -> tuple[bool]:
            return (True,)

    @contextmanager
    def begin(clock: Any) -> Iterator[Any]:
        yield Statements()

    waiting = RecallNotes(begin)
    for number in range(1, 6):
        waiting.add(None, [UUID(int=number)])
    waiting.flush()
    assert kept == [[UUID(int=number)] for number in (3, 4, 5)]
    assert (waiting.noted, waiting.missed) == (3, 2)
    waiting.close()
    waiting.add(None, [UUID(int=9)])
    assert (waiting.noted, waiting.missed) == (3, 3)


def test_a_recall_does_not_wait_for_its_note() -> None:
    entered, release = threading.Event(), threading.Event()

    @contextmanager
    def begin(clock: Any) -> Iterator[Any]:
        entered.set()
        if release.wait(30):
            raise psycopg.OperationalError("gone")
        yield

    waiting = RecallNotes(begin)
    waiting.add(None, [UUID(int=1)])
    assert entered.wait(30)  # the thread is at it, and hangs
    waiting.add(None, [UUID(int=2)])  # returns all the same
    release.set()
    waiting.close()
    assert (waiting.noted, waiting.missed) == (0, 2)


def test_arguments_are_checked_in_the_client_too(memory: Memory) -> None:
    with pytest.raises(InvalidValueError, match=r"node_ids\[0\] = 'x' is not a uuid"):
        memory.note_recall(["x"])
    with pytest.raises(InvalidValueError, match="is no list of ids"):
        memory.note_recall("01970000-0000-7000-8000-000000000000")
    with pytest.raises(InvalidValueError, match="max_rows = 0 is not a positive number"):
        memory.count_recalls(0)
