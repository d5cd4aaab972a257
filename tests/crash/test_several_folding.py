"""Several processes that fold one tenant, and what happens when one of them dies or loses its connection."""

from __future__ import annotations

import itertools
import signal
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.embedded import EmbeddedServer
from tests.crash.conftest import (
    as_writer,
    assert_every_event_was_folded_once,
    fill,
    held,
    wait_for_waiters,
)
from tests.embedded.servers import eventually

Folding = Callable[[str, str, str], "subprocess.Popen[str]"]

# As if another fold of that tenant were running.
TURN = "SELECT tenant_id FROM cognifold.graph_turn WHERE tenant_id = '{}' FOR NO KEY UPDATE"


_numbers = itertools.count(1)


@pytest.fixture
def tenant(server: EmbeddedServer) -> str:
    name = f"folded by several {next(_numbers)}"
    fill(as_writer(server), name)
    return name


@pytest.fixture
def memory(server: EmbeddedServer, tenant: str) -> Iterator[Memory]:
    with Memory(as_writer(server), tenant=tenant) as opened:
        yield opened


def finish(*processes: subprocess.Popen[str]) -> None:
    for process in processes:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said


@pytest.mark.parametrize("ways", [("client", "procedure"), ("client", "client", "procedure", "procedure")], ids=len)
def test_processes_folding_one_tenant_fold_each_event_once(
    server: EmbeddedServer,
    undisturbed: list[tuple[Any, ...]],
    folding: Folding,
    tenant: str,
    memory: Memory,
    ways: tuple[str, ...],
) -> None:
    dsn = server.dsn()
    with held(dsn, TURN.format(tenant)):
        processes = [folding(way, as_writer(server), tenant) for way in ways]
        wait_for_waiters(dsn, len(ways))  # then all of them begin together
    finish(*processes)
    assert_every_event_was_folded_once(memory, undisturbed)


@pytest.mark.parametrize("middle", ["posting", "journal"])
def test_a_worker_killed_in_the_middle_of_an_event_leaves_it_to_the_other(
    server: EmbeddedServer,
    undisturbed: list[tuple[Any, ...]],
    folding: Folding,
    tenant: str,
    memory: Memory,
    middle: str,
) -> None:
    dsn = server.dsn()
    with held(dsn, f"LOCK TABLE cognifold.{middle} IN ACCESS EXCLUSIVE MODE"):
        killed = folding("client", as_writer(server), tenant)
        wait_for_waiters(dsn, 1)  # it is in the middle of its first event
        other = folding("procedure", as_writer(server), tenant)
        wait_for_waiters(dsn, 2)  # and this one waits for its turn
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    finish(other)
    memory.fold_all()
    assert_every_event_was_folded_once(memory, undisturbed)


def test_a_session_terminated_in_the_middle_of_an_event_leaves_it_to_the_other(
    server: EmbeddedServer, undisturbed: list[tuple[Any, ...]], folding: Folding, tenant: str, memory: Memory
) -> None:
    dsn = server.dsn()
    with held(dsn, "LOCK TABLE cognifold.journal IN ACCESS EXCLUSIVE MODE"):
        ended = folding("procedure", as_writer(server), tenant)
        wait_for_waiters(dsn, 1)
        other = folding("client", as_writer(server), tenant)
        wait_for_waiters(dsn, 2)
        with psycopg.connect(dsn, autocommit=True) as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks "
                "WHERE NOT granted AND relation = 'cognifold.journal'::regclass"
            )
    finish(other)
    ended.communicate(timeout=60)
    assert ended.returncode != 0
    assert_every_event_was_folded_once(memory, undisturbed)


def test_a_fold_cancelled_in_the_middle_fails_no_event(
    server: EmbeddedServer, folding: Folding, tenant: str, memory: Memory
) -> None:
    """A cancelled statement is nobody's fault: the event keeps its attempts."""
    dsn = server.dsn()
    with held(dsn, "LOCK TABLE cognifold.journal IN ACCESS EXCLUSIVE MODE"):
        cancelled = folding("client", as_writer(server), tenant)
        wait_for_waiters(dsn, 1)
        with psycopg.connect(dsn, autocommit=True) as admin:
            admin.execute(
                "SELECT pg_cancel_backend(pid) FROM pg_locks "
                "WHERE NOT granted AND relation = 'cognifold.journal'::regclass"
            )
        cancelled.communicate(timeout=60)
    assert cancelled.returncode != 0
    assert memory.rows("SELECT FROM cognifold.work WHERE state <> 'ready' OR attempts > 0") == []


def test_two_tenants_are_folded_at_the_same_time(
    server: EmbeddedServer, undisturbed: list[tuple[Any, ...]], folding: Folding, tenant: str, memory: Memory
) -> None:
    """One tenant's fold does not wait for another's."""
    dsn = server.dsn()
    other = tenant + " too"
    fill(as_writer(server), other)
    with held(dsn, TURN.format(other)):
        stuck = folding("client", as_writer(server), other)
        wait_for_waiters(dsn, 1)
        finish(folding("procedure", as_writer(server), tenant))
        assert_every_event_was_folded_once(memory, undisturbed)
    finish(stuck)


def sessions_of_others(dsn: str) -> int:
    with psycopg.connect(dsn, autocommit=True) as admin:
        row = admin.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_the_call_after_every_session_was_terminated_succeeds(server: EmbeddedServer) -> None:
    dsn = server.dsn()
    with Memory(as_writer(server), tenant="terminated", pool_size=3) as memory:
        memory.create_tenant()
        memory.remember("before")
        for word in ("first", "second", "third"):
            with psycopg.connect(dsn, autocommit=True) as admin:
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
                )
            eventually(lambda: sessions_of_others(dsn) == 0)
            memory.remember(f"after the {word} time")
        assert memory.fold_all() == 4


def test_a_memory_holds_no_more_sessions_than_its_pool_and_none_once_closed(server: EmbeddedServer) -> None:
    dsn = server.dsn()
    eventually(lambda: sessions_of_others(dsn) == 0)
    with Memory(as_writer(server), tenant="frugal", pool_size=2) as memory:
        memory.create_tenant()
        for number in range(10):
            memory.remember(f"event {number}")
        assert 1 <= sessions_of_others(dsn) <= 2
    eventually(lambda: sessions_of_others(dsn) == 0)
