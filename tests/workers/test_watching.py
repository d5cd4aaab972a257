"""What people and programs are told of how work stands: the views, the doctor, the metrics."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from cognifold_pg.cli import app
from cognifold_pg.client import Memory
from cognifold_pg.workers.logs import JsonFormatter
from cognifold_pg.workers.metrics import collect
from tests.conftest import Connection, make_role, value
from tests.workers.test_folding import worker_dsn

__all__ = ["worker_dsn"]

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def monitor_dsn(admin: Connection, admin_dsn: str) -> Iterator[str]:
    make_role(admin, "test_monitor", "cognifold_monitor")
    yield make_conninfo(admin_dsn, user="test_monitor")


@pytest.fixture
def dead(memory: Memory, admin: Connection) -> str:
    """An event that was given up; its id."""
    event = str(memory.remember("The kettle is broken"))
    admin.execute(
        "UPDATE cognifold.work SET state = 'dead', attempts = 5, error_state = '22012', error = 'division by zero' "
        "WHERE node_id = %s",
        [event],
    )
    return event


def found(connection: Connection, subject: str) -> list[tuple[str, str]]:
    return connection.execute(
        "SELECT severity, finding FROM cognifold.diagnosis WHERE subject = %s ORDER BY 1, 2", [subject]
    ).fetchall()


def test_lag_counts_what_waits_and_tells_since_when(
    memory: Memory, admin: Connection, connect: Callable[..., Connection]
) -> None:
    for number in range(4):
        memory.remember(f"Note {number}")
    memory.fold(1)
    admin.execute(
        "UPDATE cognifold.work SET enqueued_at = now() - interval '90 seconds' WHERE tenant_id = %s", [memory.tenant]
    )
    row = memory.rows("SELECT * FROM cognifold.lag")[0]
    assert (row["waiting"], row["ready"], row["dead"], row["folded_minute"]) == (3, 3, 0, 1)
    assert 90 <= row["seconds"] < 190
    assert row["drained_in"] == 180
    assert row["throttled"] is False


def test_lag_of_a_tenant_that_waits_for_nothing_is_nothing(memory: Memory) -> None:
    row = memory.rows("SELECT waiting, seconds, drained_in FROM cognifold.lag")
    assert row == [{"waiting": 0, "seconds": 0.0, "drained_in": 0.0}]


def test_a_monitor_sees_every_tenant_and_no_words_and_a_writer_its_own(
    memory: Memory, monitor_dsn: str, new_tenant: Callable[..., str]
) -> None:
    other = new_tenant()
    assert memory.rows("SELECT tenant_id FROM cognifold.lag") == [{"tenant_id": memory.tenant}]
    with psycopg.connect(monitor_dsn, autocommit=True) as monitor:
        seen = {row[0] for row in monitor.execute("SELECT tenant_id FROM cognifold.lag")}
        assert {memory.tenant, other} <= seen
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            monitor.execute("SELECT * FROM cognifold.dead_letter")


def test_a_dead_letter_says_why_and_how_to_have_it_done_again(memory: Memory, dead: str) -> None:
    (letter,) = memory.rows("SELECT * FROM cognifold.dead_letter")
    assert (letter["task"], str(letter["event_id"]), letter["error"]) == ("fold", dead, "division by zero")
    memory.rows(letter["remedy"])
    assert memory.rows("SELECT * FROM cognifold.dead_letter") == []
    assert memory.fold_all() == 1


def test_events_that_wait_with_no_worker_there_are_an_error(
    memory: Memory, admin: Connection, worker_dsn: str, connect: Callable[..., Connection]
) -> None:
    memory.remember("The kettle is broken")
    admin.execute("DELETE FROM cognifold.worker_process")
    admin.execute(
        "UPDATE cognifold.work SET enqueued_at = now() - interval '2 minutes' WHERE tenant_id = %s", [memory.tenant]
    )
    looking = connect(memory.tenant)
    (row,) = found(looking, f"tenant {memory.tenant}")
    assert row[0] == "error"
    assert row[1].startswith("1 events wait since")
    assert row[1].endswith("and no worker is there")
    with psycopg.connect(worker_dsn, autocommit=True) as worker:
        worker.execute("SELECT cognifold.note_worker('one', '0', '{fold}')")
        assert found(looking, f"tenant {memory.tenant}") == []
        worker.execute("SELECT cognifold.note_worker('one', '0', '{fold}', stopped => true)")
    assert len(found(looking, f"tenant {memory.tenant}")) == 1


def test_what_was_given_up_and_what_is_overdue_is_found(
    memory: Memory, dead: str, admin: Connection, connect: Callable[..., Connection]
) -> None:
    memory.remember("The kettle leaks")
    memory.fold_all()
    admin.execute(
        "INSERT INTO cognifold.schedule (tenant_id, job, next_at) "
        "VALUES (%s, 'consolidate', now() - interval '3 days')",
        [memory.tenant],
    )
    said = [row[1] for row in found(connect(memory.tenant), f"tenant {memory.tenant}")]
    assert any(line == "1 events were given up (last kind of failure: 22012)" for line in said)
    assert any(line.startswith("job consolidate has been due since") for line in said)


def test_the_doctor_tells_what_is_wrong_and_fails_where_it_does_not_work(
    monitor_dsn: str, memory: Memory, dead: str
) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "cognifold_pg", "doctor", "--dsn", monitor_dsn], capture_output=True, text=True
    )
    assert f"warning  tenant {memory.tenant}: 1 events were given up" in run.stdout
    assert "SELECT cognifold.retry()" in run.stdout
    # The tests' server does not sync to disk, which is an error to the doctor.
    assert "error  durability: fsync is off" in run.stdout
    assert run.returncode == 1


def test_a_doctor_who_may_look_at_one_tenant_only_looks_at_that_or_says_that_it_saw_none(
    monitor_dsn: str, memory: Memory, dead: str, new_tenant: Callable[..., str], admin: Connection
) -> None:
    def asked(*words: str) -> str:
        return CliRunner().invoke(app, ["doctor", "--dsn", monitor_dsn, *words]).stdout

    other = new_tenant()
    admin.execute("SELECT cognifold.bind_role(%s, %s)", ["test_monitor", memory.tenant])
    try:
        assert "note  tenants: no tenant's work was looked at" in asked()
        assert f"tenant {memory.tenant}: 1 events were given up" in asked("--tenant", memory.tenant)
        assert f'tenant "{other}" is not there, or not this role\'s to look at' in asked("--tenant", other)
    finally:
        admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = 'test_monitor'")
    assert f"tenant {memory.tenant}: 1 events were given up" in asked("--tenant", memory.tenant)
    assert f"tenant {memory.tenant}" not in asked("--tenant", other)


def test_the_doctor_says_that_there_is_no_server() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "cognifold_pg", "doctor", "--dsn", "host=/nowhere dbname=none"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 1
    assert "error  server: no connection" in run.stdout


def test_metrics_are_prometheus_text_with_a_series_for_those_furthest_behind(
    monitor_dsn: str, memory: Memory, dead: str, new_tenant: Callable[..., str]
) -> None:
    new_tenant()
    told = collect(monitor_dsn, tenants=100_000)
    label = r'[a-z]+="(?:[^"\\]|\\["\\n])*"'
    line = re.compile(rf"[a-z_]+(\{{({label}(,{label})*)?\}})? -?[0-9.e+-]+")
    for row in told.splitlines():
        assert row.startswith(("# HELP cognifold_", "# TYPE cognifold_")) or line.fullmatch(row), row
    assert f'cognifold_events_queued{{tenant="{memory.tenant}",state="dead"}} 1\n' in told
    few = collect(monitor_dsn, tenants=1)
    assert set(re.findall(r'cognifold_events_waiting\{tenant="(.*?)"', few)) == {memory.tenant, ""} or (
        'cognifold_events_waiting{tenant=""}' in few
    )
    assert "kettle" not in told


def test_every_metric_of_the_dashboard_is_there(monitor_dsn: str, tenant: str, worker_dsn: str) -> None:
    from cognifold_pg.workers.metrics import of_process
    from cognifold_pg.workers.service import Service

    with psycopg.connect(worker_dsn, autocommit=True) as worker:
        worker.execute("SELECT cognifold.note_due_jobs(%s)", [tenant])
    dashboard = (REPOSITORY / "docs" / "monitoring" / "grafana.json").read_text()
    assert json.loads(dashboard)["title"] == "cognifold"
    told = collect(monitor_dsn) + of_process(Service(worker_dsn))
    there = set(re.findall(r"# TYPE (cognifold_\w+)", told)) | {"cognifold_up"}
    assert set(re.findall(r"\bcognifold_\w+", dashboard)) <= there


def test_a_log_line_is_an_object_that_says_what_it_is_about() -> None:
    record = logging.LogRecord("cognifold_pg.x", logging.WARNING, __file__, 1, 'said "%s"\nand more', ("no",), None)
    record.tenant = "acme"
    line = JsonFormatter().format(record)
    assert "\n" not in line
    said = json.loads(line)
    assert (said["level"], said["message"], said["tenant"]) == ("warning", 'said "no"\nand more', "acme")


def test_names_that_prometheus_would_misread_are_escaped(monitor_dsn: str, dsn: str, admin: Connection) -> None:
    name = 'a "quoted" \\ name'
    with Memory(dsn, tenant=name) as memory:
        memory.create_tenant()
        memory.remember("The kettle is broken")
    admin.execute("UPDATE cognifold.work SET enqueued_at = '2000-01-01', state = 'dead' WHERE tenant_id = %s", [name])
    assert 'cognifold_lag_seconds{tenant="a \\"quoted\\" \\\\ name"}' in collect(monitor_dsn)
    assert value(admin, "DELETE FROM cognifold.work WHERE tenant_id = %s RETURNING 1", name) == 1


def test_the_doctor_tells_who_may_create_beside_pgvector(monitor_dsn: str, admin: Connection) -> None:
    schema = value(
        admin,
        "SELECT n.nspname FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace "
        "WHERE e.extname = 'vector'",
    )
    make_role(admin, "table_owner")
    try:
        for grantee, severity, name in (("table_owner", "warning", "table_owner"), ("PUBLIC", "error", "everybody")):
            admin.execute(f"GRANT CREATE ON SCHEMA {schema} TO {grantee}".encode())
            with psycopg.connect(monitor_dsn) as connection:
                [(said, finding)] = connection.execute(
                    "SELECT severity, finding FROM cognifold.diagnosis WHERE subject = 'pgvector'"
                ).fetchall()
            assert said == severity
            assert name in finding.split(" may create")[0]
    finally:
        admin.execute(f"REVOKE CREATE ON SCHEMA {schema} FROM table_owner, PUBLIC".encode())
