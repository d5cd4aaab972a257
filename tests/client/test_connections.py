"""The client's connections: none to be had, none any more, and shared between threads."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.errors import ClosedMemoryError, CognifoldError, UnreachableError
from cognifold_pg.experience import Experience
from tests.capture.conftest import at_once
from tests.conftest import Connection

# What the sessions of this test's clients are called on the server.
NAME = "test_connections"


@pytest.fixture
def named_dsn(dsn: str) -> str:
    return make_conninfo(dsn, application_name=NAME)


def open_sessions(admin: Connection) -> int:
    row = admin.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", [NAME]).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"host": "127.0.0.1", "port": "1"}, "Connection refused"),
        ({"dbname": "cognifold_nowhere"}, 'database "cognifold_nowhere" does not exist'),
        ({"user": "cognifold_nobody"}, "cognifold_nobody"),
    ],
)
def test_a_database_that_is_not_to_be_had_is_the_error_of_libpq_and_no_log(
    dsn: str, changed: dict[str, str], told: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with Memory(make_conninfo(dsn, **changed), tenant="nobody") as memory:
        for _ in range(2):
            with pytest.raises(UnreachableError, match=told) as caught:
                memory.check()
            assert isinstance(caught.value, CognifoldError)
            assert isinstance(caught.value, psycopg.OperationalError)
            assert isinstance(caught.value.__cause__, psycopg.OperationalError)
    assert [record for record in caplog.records if record.name.startswith("psycopg")] == []


def test_after_the_with_block_a_memory_says_that_it_is_closed(dsn: str, tenant: str) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        memory.remember("Something")
    with pytest.raises(ClosedMemoryError, match=r"closed\. Make another Memory"):
        memory.recall("something")
    with pytest.raises(ClosedMemoryError), memory:
        pass
    memory.close()


def test_connections_are_kept_for_the_next_call_and_given_back_at_the_end(
    named_dsn: str, tenant: str, admin: Connection
) -> None:
    with Memory(named_dsn, tenant=tenant) as memory:
        assert open_sessions(admin) == 0
        first = memory.rows("SELECT pg_backend_pid() AS pid")
        with pytest.raises(psycopg.errors.UndefinedTable):
            memory.rows("SELECT * FROM nothing_of_the_kind")
        assert memory.rows("SELECT pg_backend_pid() AS pid") == first
        assert open_sessions(admin) == 1


def test_a_session_the_server_has_ended_is_replaced(named_dsn: str, tenant: str, admin: Connection) -> None:
    with Memory(named_dsn, tenant=tenant) as memory:
        (before,) = memory.rows("SELECT pg_backend_pid() AS pid")
        admin.execute("SELECT pg_terminate_backend(%s, 10000)", [before["pid"]])
        (after,) = memory.rows("SELECT pg_backend_pid() AS pid")
        assert after != before
        with pytest.raises(psycopg.OperationalError):
            memory.rows("SELECT pg_terminate_backend(pg_backend_pid(), 0), pg_sleep(10)")
        assert memory.check() == []


def test_threads_share_as_many_connections_as_the_pool_may_have(named_dsn: str, tenant: str, admin: Connection) -> None:
    with Memory(named_dsn, tenant=tenant, pool_size=2) as memory:
        ids = at_once(8, lambda place: memory.remember(f"entry {place}"))
        assert len(set(ids)) == 8
        assert 1 <= open_sessions(admin) <= 2


def test_a_memory_closed_while_a_call_works_keeps_no_connection(named_dsn: str, tenant: str, admin: Connection) -> None:
    memory = Memory(named_dsn, tenant=tenant)

    def stream(close: Callable[[], None]) -> Iterator[Experience]:
        yield from (Experience(f"entry {n}", idempotency_key=str(n)) for n in range(1500))
        close()

    assert memory.remember_many(stream(memory.close)).new == 1500
    while open_sessions(admin):  # the server is a moment later to notice
        pass
    with pytest.raises(ClosedMemoryError):
        memory.check()
