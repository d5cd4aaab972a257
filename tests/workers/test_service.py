"""A worker that does it all, killed, stopped and left without its database."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from datetime import datetime

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.embedded import EmbeddedServer, temporary_server
from cognifold_pg.experience import Experience
from cognifold_pg.install import install
from tests.conftest import Connection, make_role
from tests.embedded.servers import eventually

# A worker that has one more job: it says when it has begun, and goes on until it is stopped.
ENDLESS = """
import sys, time
from cognifold_pg.workers import jobs, service
def endless(duty):
    print("begun", flush=True)
    while True:
        duty.go_on()
        time.sleep(0.01)
def soon_done(duty):
    print("done", flush=True)
    return {}
jobs.JOBS.clear()
jobs.JOBS["endless"] = {"endless": endless, "soon": soon_done}[sys.argv[2]]
service.LOOK_FOR_JOBS = service.SIGN_OF_LIFE = 0.05
service.Service(sys.argv[1], slots=["light"]).run()
"""

Starts = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedServer]:
    """Durable, and restarted by a test."""
    with temporary_server(durable=True) as running:
        install(running.dsn())
        with psycopg.connect(running.dsn(), autocommit=True) as admin:
            make_role(admin, "test_service_writer", "cognifold_writer", "cognifold_multitenant")
            make_role(admin, "test_service", "cognifold_worker")
        yield running


@pytest.fixture
def service_dsn(server: EmbeddedServer) -> str:
    return make_conninfo(server.dsn(), user="test_service")


@pytest.fixture
def writer_dsn(server: EmbeddedServer) -> str:
    return make_conninfo(server.dsn(), user="test_service_writer")


@pytest.fixture
def superuser(server: EmbeddedServer) -> Iterator[Connection]:
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        yield connection


@pytest.fixture
def start(service_dsn: str) -> Iterator[Starts]:
    """Starts a worker; it is ended with the test."""
    started: list[subprocess.Popen[str]] = []

    def run(*arguments: str, code: str | None = None) -> subprocess.Popen[str]:
        worker = ["-m", "cognifold_pg", "worker", "--every", "0.05", "--dsn", service_dsn]
        command = worker if code is None else ["-c", textwrap.dedent(code), service_dsn]
        process = subprocess.Popen(
            [sys.executable, *command, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def endless(superuser: Connection, writer_dsn: str) -> Iterator[str]:
    """A tenant with a job that is wanted; its name."""
    tenant = f"endless {os.urandom(4).hex()}"
    with Memory(writer_dsn, tenant=tenant) as memory:
        memory.create_tenant()
    superuser.execute(
        "INSERT INTO cognifold.job (job, slot, clock, every, jitter, in_sql, description) "
        "VALUES ('endless', 'light', 'wall', '1 day', '0', false, 'of the tests')"
    )
    superuser.execute("SELECT cognifold.ask_job('endless', %s)", [tenant])
    yield tenant
    superuser.execute("DELETE FROM cognifold.job WHERE job = 'endless'")


def runs(connection: Connection, tenant: str) -> list[tuple[object, ...]]:
    return connection.execute(
        "SELECT state, attempts, lease_until > clock_timestamp() FROM cognifold.job_run "
        "WHERE tenant_id = %s AND job = 'endless'",
        [tenant],
    ).fetchall()


def say(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_what_a_killed_worker_had_in_hand_is_taken_up_by_another_once(
    superuser: Connection, start: Starts, endless: str
) -> None:
    killed = start("endless", code=ENDLESS)
    assert say(killed) == "begun"
    killed.kill()
    killed.wait()
    assert runs(superuser, endless) == [("running", 1, True)]
    superuser.execute("UPDATE cognifold.job_run SET lease_until = clock_timestamp() WHERE tenant_id = %s", [endless])
    others = [start("soon", code=ENDLESS) for _ in range(2)]
    eventually(lambda: runs(superuser, endless) == [("done", 2, None)])
    for other in others:
        other.send_signal(signal.SIGTERM)
    said = [other.communicate(timeout=60)[0] for other in others]
    assert sorted(said) == ["", "done\n"]


def test_a_worker_that_is_told_to_stop_gives_back_what_it_has_in_hand(
    superuser: Connection, start: Starts, endless: str
) -> None:
    stopped = start("endless", code=ENDLESS)
    assert say(stopped) == "begun"
    stopped.send_signal(signal.SIGTERM)
    assert stopped.wait(timeout=60) == 0
    assert runs(superuser, endless) == [("running", 0, False)]
    gone = superuser.execute("SELECT stopped_at IS NOT NULL FROM cognifold.worker_process ORDER BY started_at DESC")
    assert gone.fetchone() == (True,)
    other = start("soon", code=ENDLESS)
    assert say(other) == "done"


def test_a_worker_that_lives_keeps_its_lease_up(superuser: Connection, start: Starts, endless: str) -> None:
    process = start("endless", code=ENDLESS)
    assert say(process) == "begun"

    def until() -> datetime:
        (moment,) = superuser.execute(
            "SELECT max(lease_until) FROM cognifold.job_run WHERE tenant_id = %s", [endless]
        ).fetchall()[0]
        assert isinstance(moment, datetime)
        return moment

    first = until()
    eventually(lambda: until() > first)


def test_one_worker_does_it_all_and_outlives_a_restart_of_the_database(
    server: EmbeddedServer, superuser: Connection, start: Starts, writer_dsn: str, service_dsn: str
) -> None:
    number = 120
    with Memory(writer_dsn, tenant="restarted") as memory:
        memory.create_tenant()
        memory.remember_many(Experience(f"The kettle of flat {place} leaks") for place in range(number))
        process = start()
        eventually(lambda: 0 < len(memory.rows("SELECT FROM cognifold.work")) < number - 5, 60)
        superuser.close()
        server.stop()
        server.start()
        eventually(lambda: memory.rows("SELECT FROM cognifold.work") == [], 120)
        assert process.poll() is None
        folded = memory.rows(
            "SELECT count(DISTINCT f.event_id) AS events, count(*) AS folds FROM cognifold.folded_event AS f"
        )
        assert folded == [{"events": number, "folds": number}]
        # Fifty folds are enough for a memory to sleep on.
        eventually(
            lambda: (
                memory.rows("SELECT state FROM cognifold.job_status WHERE job = 'consolidate' AND state = 'done'") != []
            ),
            120,
        )
        assert memory.check() == []
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 0
    with psycopg.connect(service_dsn) as connection:
        diagnosed = connection.execute("SELECT finding FROM cognifold.diagnosis WHERE subject = 'tenant restarted'")
        assert diagnosed.fetchall() == []


def test_a_worker_tells_how_it_stands_while_it_runs_and_says_when_its_database_is_away(
    server: EmbeddedServer, start: Starts, writer_dsn: str
) -> None:
    with Memory(writer_dsn, tenant="measured") as memory:
        memory.create_tenant()
        memory.remember("The kettle is broken")
    process = start("--metrics", "127.0.0.1:0", "--log", "json")
    assert process.stderr is not None
    found = re.search(r"http://[\d.:]+", process.stderr.readline())
    assert found is not None

    def ask(path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"{found.group()}{path}") as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    eventually(lambda: "cognifold_worker_folded_total 1\n" in ask("/metrics")[1])
    told = ask("/metrics")[1]
    assert "cognifold_up 1\n" in told
    assert 'cognifold_events_waiting{tenant="measured"}' in told
    assert ask("/health") == (200, "ok\n")
    assert ask("/elsewhere")[0] == 404
    server.stop()
    try:
        eventually(lambda: ask("/health")[0] == 503)
        assert "cognifold_up 0\n" in ask("/metrics")[1]
    finally:
        server.start()
    eventually(lambda: ask("/health")[0] == 200)
