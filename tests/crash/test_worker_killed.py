"""kill -9 of a worker that folds with a model: each event ends folded exactly once, whenever the kill comes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.embedded import EmbeddedServer
from cognifold_pg.planner import FoldRequest, Proposal
from tests.conftest import make_role
from tests.crash.conftest import as_writer, held, stream, wait_for_waiters
from tests.embedded.servers import eventually, kill_postmaster
from tests.planner.server import Answer, Asked, ModelServer, hangs, one_concept

WORKER = "crash_worker"
NUMBER = 6

Start = Callable[[], "subprocess.Popen[str]"]


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer() as running:
        running.otherwise = one_concept
        yield running


@pytest.fixture
def memory(server: EmbeddedServer, request: pytest.FixtureRequest) -> Iterator[Memory]:
    """A tenant of its own, with events that wait, whose leases are short and whose batches are small."""
    with Memory(as_writer(server), tenant=request.node.name[:60]) as memory:
        memory.create_tenant()
        settings = {"fold.lease": 0.5, "fold.batch": 2.0, "fold.retry_delay": 0.0, "fold.attempts": 20.0}
        memory.rows(
            "SELECT cognifold.set_setting(name, value) FROM unnest(%s::text[], %s::float8[]) AS s (name, value)",
            [list(settings), list(settings.values())],
        )
        memory.remember_many(stream(NUMBER))
        yield memory


@pytest.fixture
def start(server: EmbeddedServer, model: ModelServer, memory: Memory) -> Iterator[Start]:
    """Starts `cognifold worker` for this tenant alone; it is ended with the test."""
    with psycopg.connect(server.dsn(), autocommit=True) as admin:
        admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = %s", [WORKER])
        make_role(admin, WORKER, "cognifold_worker")
        admin.execute("SELECT cognifold.bind_role(%s, %s)", [WORKER, memory.tenant])
    dsn = make_conninfo(server.dsn(), user=WORKER)
    started: list[subprocess.Popen[str]] = []

    def run() -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "cognifold_pg", "worker", "--every", "0.05", "--dsn", dsn, "--model", "scripted",
             "--base-url", model.base_url],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait()


def kill(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def waiting(memory: Memory) -> int:
    number: int = memory.rows("SELECT count(*) AS events FROM cognifold.fold_queue")[0]["events"]
    return number


def assert_each_event_was_folded_once(memory: Memory) -> None:
    """By a plan that is there as a whole; and as evidence, each counts once."""
    assert waiting(memory) == 0
    assert memory.rows("SELECT fold_state, count(*) AS events FROM cognifold.event GROUP BY 1") == [
        {"fold_state": "folded", "events": NUMBER}
    ]
    edges = memory.rows(
        "SELECT count(*) AS edges, count(DISTINCT source_id) AS events FROM cognifold.graph_edge "
        "WHERE type IN ('grounds', 'reinforces')"
    )
    assert edges == [{"edges": NUMBER, "events": NUMBER}]
    written = memory.rows(
        "SELECT count(*) AS times FROM cognifold.journal "
        "WHERE relation = 'graph_edge' AND part IN ('grounds', 'reinforces') GROUP BY node_id"
    )
    assert written == [{"times": 1}] * NUMBER
    assert memory.rows(
        "SELECT p.plan_id FROM cognifold.plan AS p "
        "WHERE NOT EXISTS (SELECT FROM cognifold.folded_event AS f WHERE f.plan_id = p.plan_id)"
    ) == []  # fmt: skip
    assert memory.check() == []


def test_killed_between_claim_and_apply(model: ModelServer, memory: Memory, start: Start) -> None:
    model.will(hangs())
    worker = start()
    eventually(lambda: bool(model.requests))
    kill(worker)
    shown = memory.rows("SELECT attempts, worker, error FROM cognifold.fold_queue ORDER BY occurred_at")
    assert [row["attempts"] for row in shown] == [1, 1] + [0] * (NUMBER - 2)
    assert str(shown[0]["worker"]).endswith(f":{worker.pid}")
    assert memory.rows("SELECT FROM cognifold.plan") == []
    start()
    eventually(lambda: waiting(memory) == 0)
    assert_each_event_was_folded_once(memory)


# Who waits for one of these is in the middle of an apply: before it, indexing the events, making a node, writing the
# journal, or noting which events were folded.
MIDDLES = {
    "the turn": "SELECT FROM cognifold.graph_turn WHERE tenant_id = '{}' FOR NO KEY UPDATE",
    "the index": "LOCK TABLE cognifold.posting IN EXCLUSIVE MODE",
    "a node": "LOCK TABLE cognifold.node IN EXCLUSIVE MODE",
    "the journal": "LOCK TABLE cognifold.journal IN EXCLUSIVE MODE",
    "the fold itself": "LOCK TABLE cognifold.folded_event IN EXCLUSIVE MODE",
}


@pytest.mark.parametrize("middle", MIDDLES)
def test_killed_in_the_middle_of_an_apply(server: EmbeddedServer, memory: Memory, start: Start, middle: str) -> None:
    with held(server.dsn(), MIDDLES[middle].format(memory.tenant)):
        worker = start()
        wait_for_waiters(server.dsn(), 1)
        kill(worker)
        assert memory.rows("SELECT FROM cognifold.plan") == []
    start()
    eventually(lambda: waiting(memory) == 0)
    assert_each_event_was_folded_once(memory)


def test_killed_again_and_again_by_the_model_itself(model: ModelServer, memory: Memory, start: Start) -> None:
    """The kill comes with some of the answers, so at any moment of the apply or before it."""
    workers = [start()]

    def answer(asked: Asked) -> Answer:
        if len(model.requests) in (2, 3, 5):
            threading.Thread(target=workers[-1].kill).start()
        return one_concept(asked)

    model.otherwise = answer
    for _ in range(10):
        eventually(lambda: workers[-1].poll() is not None or waiting(memory) == 0)
        if waiting(memory) == 0:
            break
        workers.append(start())
    assert len(workers) > 1
    assert_each_event_was_folded_once(memory)


def test_a_server_that_is_killed_while_the_model_thinks_keeps_the_claim(server: EmbeddedServer, memory: Memory) -> None:
    class Slow:
        killed = False

        def propose(self, request: FoldRequest) -> Proposal:
            if not self.killed:
                self.killed = True
                kill_postmaster(server)
                server.start()
            events = [str(event.id) for event in request.events]
            node: dict[str, Any] = {"op": "ADD_NODE", "kind": "concept", "title": events[0], "grounded_in": events}
            return Proposal({"operations": [node]}, "slow", 1, 0, 0)

    assert [row.outcome for row in memory.fold(planner=Slow())] == ["folded"] * NUMBER
    assert_each_event_was_folded_once(memory)
