"""Workers that fold with a language model: they hold nothing while it thinks, leave it alone, and stop when told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.planner import FoldRequest, LanguagePlanner, Proposal
from cognifold_pg.workers.folding import AttendedPlanner, Stopped, fold_waiting
from tests.conftest import Connection, make_role, value
from tests.embedded.servers import eventually
from tests.planner.server import Answer, Asked, ModelServer, fails, hangs, one_concept

WORKER = "test_model_worker"


@pytest.fixture
def worker_dsn(admin: Connection, admin_dsn: str) -> str:
    make_role(admin, WORKER, "cognifold_worker")
    return make_conninfo(admin_dsn, user=WORKER)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        running.otherwise = one_concept
        yield running


@pytest.fixture
def planner(server: ModelServer) -> AttendedPlanner:
    return AttendedPlanner(LanguagePlanner("scripted", base_url=server.base_url, retries=0, timeout=30))


@pytest.fixture(autouse=True)
def nothing_else_waits(admin: Connection) -> None:
    """What other tests have left in the queues of their tenants."""
    admin.execute("UPDATE cognifold.work SET state = 'dead', fence = NULL, lease_until = NULL, worker = NULL")


@pytest.fixture
def start(worker_dsn: str, server: ModelServer, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `cognifold worker` on the scripted model; it is ended with the test."""
    started: list[subprocess.Popen[str]] = []

    def run(*options: str, **environment: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "cognifold_pg", "worker", "--every", "0.05", "--dsn", worker_dsn, *options],
            env={name: text for name, text in os.environ.items() if not name.startswith("COGNIFOLD_")} | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def remember(dsn: str, tenant: str, *texts: str) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        for text in texts:
            memory.remember(text)


def queue(connection: Connection) -> list[tuple[Any, ...]]:
    return connection.execute(
        "SELECT state, attempts, error_state, worker FROM cognifold.fold_queue ORDER BY occurred_at"
    ).fetchall()


def proposers(connection: Connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT proposer FROM cognifold.plan ORDER BY version")]


def test_a_worker_folds_what_waits_for_every_tenant_with_the_model(
    worker_dsn: str, dsn: str, new_tenant: Callable[..., str], connect: Callable[..., Connection],
    planner: AttendedPlanner, server: ModelServer,
) -> None:  # fmt: skip
    one, other = new_tenant(), new_tenant()
    remember(dsn, one, "The kettle is broken", "The kettle leaks")
    remember(dsn, other, "A letter came from the bank")
    assert fold_waiting(worker_dsn, planner=planner) == 3
    assert [proposers(connect(tenant)) for tenant in (one, other)] == [["llm"], ["llm"]]
    assert len(server.requests) == 2


def test_workers_on_one_tenant_fold_each_event_once(
    worker_dsn: str, dsn: str, tenant: str, connect: Callable[..., Connection], server: ModelServer
) -> None:
    remember(dsn, tenant, *(f"Note {number} about the garden" for number in range(30)))
    connection = connect(tenant)
    value(connection, "SELECT cognifold.set_setting('fold.batch', 3)")
    failures: list[BaseException] = []

    def work() -> None:
        try:
            planner = LanguagePlanner("scripted", base_url=server.base_url, retries=0, timeout=30)
            fold_waiting(worker_dsn, planner=AttendedPlanner(planner))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert queue(connection) == []
    assert value(connection, "SELECT count(*) FROM cognifold.event WHERE fold_state = 'folded'") == 30
    written = connection.execute(
        "SELECT count(*) FROM cognifold.journal WHERE relation = 'graph_edge' AND part IN ('grounds', 'reinforces') "
        "GROUP BY node_id"
    ).fetchall()
    assert written == [(1,)] * 30
    assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []


def test_a_service_that_asks_to_wait_is_not_asked_for_the_next_tenant(
    worker_dsn: str, dsn: str, new_tenant: Callable[..., str], connect: Callable[..., Connection],
    planner: AttendedPlanner, server: ModelServer,
) -> None:  # fmt: skip
    tenants = [new_tenant() for _ in range(3)]
    for tenant in tenants:
        remember(dsn, tenant, "A letter came from the bank")
    server.otherwise = fails(429, headers={"retry-after": "3600"})
    assert fold_waiting(worker_dsn, planner=planner) == 1
    assert len(server.requests) == 1
    assert planner.is_away
    first, *others = tenants
    assert queue(connect(first)) == [("rate_limited", 0, "RateLimited", None)]
    wait = value(connect(first), "SELECT extract(epoch FROM not_before - now())::int FROM cognifold.fold_queue")
    assert 3500 < wait <= 3600
    for tenant in others:
        assert queue(connect(tenant)) == [("ready", 0, None, None)], "nothing was taken up for nothing"
    assert fold_waiting(worker_dsn, planner=planner) == 0


def test_a_model_that_is_away_is_charged_to_one_batch_only(
    worker_dsn: str, dsn: str, new_tenant: Callable[..., str], connect: Callable[..., Connection],
    planner: AttendedPlanner, server: ModelServer,
) -> None:  # fmt: skip
    tenants = [new_tenant() for _ in range(3)]
    for tenant in tenants:
        remember(dsn, tenant, "A letter came from the bank")
    server.otherwise = fails(500)
    fold_waiting(worker_dsn, planner=planner)
    assert len(server.requests) == 1
    states = [queue(connect(tenant))[0] for tenant in tenants]
    assert sorted(states) == [("failed", 1, "ModelUnreachable", None)] + [("ready", 0, None, None)] * 2


def test_a_worker_process_holds_nothing_while_the_model_thinks(
    dsn: str, tenant: str, connect: Callable[..., Connection], server: ModelServer, admin_dsn: str,
    start: Callable[..., subprocess.Popen[str]],
) -> None:  # fmt: skip
    remember(dsn, tenant, "The roof leaks above the stairs")
    seen: list[Any] = []

    def looks(asked: Asked) -> Answer:
        with psycopg.connect(admin_dsn, autocommit=True) as admin:
            sessions = admin.execute(
                "SELECT state, xact_start, backend_xmin FROM pg_stat_activity WHERE usename = %s", [WORKER]
            ).fetchall()
            locks = admin.execute(
                "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE usename = %s", [WORKER]
            ).fetchall()
        seen.append((set(sessions) <= {("idle", None, None)}, locks))
        return one_concept(asked)

    server.otherwise = looks
    process = start("--once", "--model", "scripted", "--base-url", server.base_url)
    said, errors = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, "1 events taken up\n"), errors
    assert seen == [(True, [(0,)])]
    assert proposers(connect(tenant)) == ["llm"]


def test_sigterm_while_the_model_thinks_gives_the_lease_back_at_once(
    dsn: str, tenant: str, connect: Callable[..., Connection], server: ModelServer,
    start: Callable[..., subprocess.Popen[str]],
) -> None:  # fmt: skip
    remember(dsn, tenant, "The roof leaks", "The printer jams")
    server.otherwise = hangs()
    process = start(COGNIFOLD_LLM_MODEL="scripted", COGNIFOLD_LLM_BASE_URL=server.base_url)
    eventually(lambda: bool(server.requests) or process.poll() is not None)
    [first, second] = queue(connect(tenant))
    assert first[:2] == second[:2] == ("leased", 1)
    assert first[3].endswith(f":{process.pid}")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 0
    assert queue(connect(tenant)) == [("ready", 0, None, None)] * 2


def test_options_for_a_model_without_a_model_are_refused(start: Callable[..., subprocess.Popen[str]]) -> None:
    process = start("--once", "--base-url", "http://127.0.0.1:9/v1")
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Name it with --model" in errors


def test_a_busy_graph_does_not_cost_the_models_answer(
    dsn: str, tenant: str, connect: Callable[..., Connection], server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(dsn, tenant, "The roof leaks")
    holding = connect(tenant)
    holding.execute("BEGIN")
    planner = LanguagePlanner("scripted", base_url=server.base_url, retries=0)

    def busy(asked: Asked) -> Answer:
        holding.execute("""SELECT cognifold.apply_plan('{"operations": []}')""")
        return one_concept(asked)

    server.will(busy)
    with Memory(make_conninfo(dsn, options="-c lock_timeout=20ms"), tenant=tenant, pool_size=1) as memory:
        apply = memory.apply_claimed
        tries: list[int] = []

        def counted(*arguments: Any, **named: Any) -> dict[str, Any]:
            tries.append(len(tries))
            if len(tries) == 4:
                holding.execute("COMMIT")
            return apply(*arguments, **named)

        monkeypatch.setattr(memory, "apply_claimed", counted)
        assert [row.outcome for row in memory.fold(planner=planner)] == ["folded"]
    assert tries == [0, 1, 2, 3]
    assert len(server.requests) == 1


class Silent:
    """A planner that never comes to an end by itself."""

    def __init__(self, attended: list[AttendedPlanner]) -> None:
        self.attended = attended

    def propose(self, request: FoldRequest) -> Proposal:
        self.attended[0].stop()  # as the handler of a signal does, within the call
        raise AssertionError("it goes on after it was stopped")


def test_a_stopped_worker_asks_no_more(memory: Memory) -> None:
    memory.remember("The roof leaks")
    attended: list[AttendedPlanner] = []
    attended.append(AttendedPlanner(Silent(attended)))
    for _ in range(2):
        with pytest.raises(Stopped):
            memory.fold(planner=attended[0])
        assert memory.rows("SELECT state, attempts FROM cognifold.fold_queue") == [{"state": "ready", "attempts": 0}]
