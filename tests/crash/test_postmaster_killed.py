"""kill -9 of the server while it folds loses nothing and repeats nothing."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.embedded import EmbeddedServer
from cognifold_pg.embedded.processes import exists
from tests.crash.conftest import (
    NUMBER,
    as_writer,
    assert_every_event_was_folded_once,
    fill,
    held,
    wait_for_waiters,
)
from tests.embedded.servers import eventually, kill_postmaster

Folding = Callable[[str, str, str], "subprocess.Popen[str]"]

# Who waits for these tables is in the middle of a fold: indexing the event, writing an edge, or the plan.
MIDDLES = ("posting", "graph_edge", "journal")


def plans(dsn: str, tenant: str) -> set[Any]:
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT plan_id FROM cognifold.plan WHERE tenant_id = %s", [tenant]).fetchall()
    return {plan for (plan,) in rows}


def test_killed_in_the_middle_of_an_event_it_takes_that_event_up_again(
    server: EmbeddedServer, undisturbed: list[tuple[Any, ...]], folding: Folding
) -> None:
    """Again and again, at steps of the fold and numbers of events that a seeded generator chooses."""
    tenant = "killed in the middle"
    dsn, writer = server.dsn(), as_writer(server)
    fill(writer, tenant)
    rng = random.Random(5)
    for way, middle in zip(("client", "procedure", "client"), MIDDLES, strict=True):
        with Memory(writer, tenant=tenant) as memory:
            memory.fold(rng.randint(3, 12))
        committed = plans(dsn, tenant)
        if len(committed) == NUMBER:
            break
        with held(dsn, f"LOCK TABLE cognifold.{middle} IN ACCESS EXCLUSIVE MODE"):
            process = folding(way, writer, tenant)
            wait_for_waiters(dsn, 1)
            kill_postmaster(server)
        process.communicate(timeout=60)
        server.start()
        # All that was committed is there. A backend that outlives its postmaster may have committed some more: the lock
        # it waited for fell to it before it noticed.
        assert plans(dsn, tenant) >= committed
    with Memory(writer, tenant=tenant) as memory:
        memory.fold_all()
        assert_every_event_was_folded_once(memory, undisturbed)


def test_killed_at_any_moment_it_goes_on_where_it_was(
    server: EmbeddedServer, undisturbed: list[tuple[Any, ...]], folding: Folding
) -> None:
    """The kill follows at once on the word to go on, so it may come at any step of an event."""
    tenant = "killed at any moment"
    dsn, writer = server.dsn(), as_writer(server)
    fill(writer, tenant)
    rng = random.Random(8)
    known: set[Any] = set()
    for _ in range(2):
        process = folding("step by step", writer, tenant)
        assert process.stdin is not None and process.stdout is not None
        for expected in range(1, rng.randint(4, 20)):
            assert process.stdout.readline() == f"{expected}\n"
            if expected > 1:
                known = plans(dsn, tenant)
            process.stdin.write("go on\n")
            process.stdin.flush()
        kill_postmaster(server)
        process.kill()
        server.start()
        assert known <= plans(dsn, tenant)  # whatever anyone has seen is kept
    with Memory(writer, tenant=tenant) as memory:
        memory.fold_all()
        assert_every_event_was_folded_once(memory, undisturbed)


def test_an_event_remembered_is_there_after_a_kill_and_one_in_an_open_transaction_is_not(
    server: EmbeddedServer,
) -> None:
    dsn = as_writer(server)
    with Memory(dsn, tenant="remembered") as memory:
        memory.create_tenant()
        memory.remember("committed before the crash")
    with psycopg.connect(dsn) as open_one:
        open_one.execute("SELECT cognifold.remember('never committed', tenant => 'remembered')")
        kill_postmaster(server)
        eventually(lambda: not exists(open_one.info.backend_pid))  # it notices on its own
        with pytest.raises(psycopg.OperationalError):
            open_one.commit()
    server.start()
    with Memory(dsn, tenant="remembered") as memory:
        assert memory.rows("SELECT content, fold_state FROM cognifold.event") == [
            {"content": "committed before the crash", "fold_state": "pending"}
        ]
        assert memory.fold_all() == 1
        assert memory.check() == []


def test_a_memory_that_was_open_over_a_crash_works_again_once_the_server_does(server: EmbeddedServer) -> None:
    with Memory(as_writer(server), tenant="patient") as memory:
        memory.create_tenant()
        memory.remember("before the crash")
        kill_postmaster(server)
        server.start()
        memory.remember("after the crash")
        assert memory.fold_all() == 2
