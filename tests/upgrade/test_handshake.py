"""A program and a schema that do not go together say so at once, with both versions and what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg import handshake, transactions
from cognifold_pg.client import Memory
from cognifold_pg.errors import IncompatibleVersionError
from cognifold_pg.version import VERSION, numbers
from cognifold_pg.workers.actors import Sweeper
from cognifold_pg.workers.delivering import webhooks_due
from cognifold_pg.workers.service import run_once
from tests.conftest import Connection, value
from tests.upgrade import story
from tests.upgrade.conftest import as_app

BREAK = "CREATE OR REPLACE FUNCTION cognifold.oldest_client() RETURNS text LANGUAGE sql STABLE RETURN '7.0.0'"
TOO_OLD = rf"cognifold-pg {VERSION} is too old for this schema, which is of version {VERSION}\..*cognifold-pg 7\.0\.0"


@pytest.mark.parametrize(
    ("version", "parts"),
    [("0.2.0", (0, 2, 0)), ("0.10.0rc1", (0, 10, 0)), ("1.2.dev3", (1, 2)), ("0", (0,)), ("dev", ())],
)
def test_versions_compare_by_their_numbers_in_python_as_in_sql(
    connection: Connection, version: str, parts: tuple[int, ...]
) -> None:
    assert numbers(version) == parts
    assert value(connection, "SELECT cognifold.version_numbers(%s)", version) == (list(parts) or None)


def test_the_schema_takes_every_program_from_its_oldest_on(connection: Connection) -> None:
    oldest = value(connection, "SELECT cognifold.oldest_client()")
    for version in (oldest, VERSION, "99.0"):
        assert value(connection, "SELECT cognifold.require_client(%s)", version) == VERSION
    with pytest.raises(psycopg.Error) as caught:
        connection.execute("SELECT cognifold.require_client('0.0.9')")
    assert caught.value.sqlstate == "CF052"
    assert "cognifold-pg 0.0.9 is too old" in str(caught.value)
    for nothing in ("dev", None):
        with pytest.raises(psycopg.Error) as refused:
            connection.execute("SELECT cognifold.require_client(%s)", [nothing])
        assert refused.value.sqlstate == "CF010"


def test_an_older_client_is_refused_by_its_first_call_and_the_transaction_it_joined_goes_on(upgraded_copy: str) -> None:
    with psycopg.connect(upgraded_copy, autocommit=True) as admin:
        admin.execute(BREAK)
    with (
        Memory(as_app(upgraded_copy), tenant=story.ALLOTMENT) as memory,
        pytest.raises(IncompatibleVersionError, match=TOO_OLD),
    ):
        memory.remember("not to be")
    with psycopg.connect(as_app(upgraded_copy)) as connection:
        joined = Memory.joined(connection, tenant=story.ALLOTMENT)
        with pytest.raises(IncompatibleVersionError, match=TOO_OLD):
            joined.remember("not to be")
        assert value(connection, "SELECT 'goes on'") == "goes on"


def test_a_client_asks_once_a_connection(upgraded_dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    before = transactions._meet

    def counted(connection: psycopg.Connection[Any], statements: transactions.Statements, scope: list[str]) -> None:
        asked.append(connection)
        before(connection, statements, scope)

    monkeypatch.setattr(transactions, "_meet", counted)
    with Memory(as_app(upgraded_dsn), tenant=story.ALLOTMENT, pool_size=1) as memory:
        for _ in range(3):
            memory.recall("the water pump", 1)
    assert len(asked) == 1


def test_a_newer_client_on_an_older_schema_names_what_is_missing_and_the_command(released_dsn: str) -> None:
    with (
        Memory(as_app(released_dsn), tenant=story.ALLOTMENT) as memory,
        pytest.raises(
            IncompatibleVersionError,
            match=rf"of version 0\.1\.0, too old for cognifold-pg {VERSION}; it lacks versioned/0009_forget\.sql.*"
            "Run.*cognifold upgrade",
        ),
    ):
        memory.recall("the water pump")
    for call in (run_once, webhooks_due):
        with pytest.raises(IncompatibleVersionError, match="cognifold upgrade"):
            call(released_dsn)


def test_a_mistake_of_the_callers_own_is_told_as_the_database_tells_it(upgraded_dsn: str) -> None:
    with (
        Memory(as_app(upgraded_dsn), tenant=story.ALLOTMENT) as memory,
        pytest.raises(psycopg.errors.UndefinedTable, match=r"cognifold\.concpet"),
    ):
        memory.rows("SELECT * FROM cognifold.concpet")


def test_a_schema_that_says_it_is_older_than_the_client_needs_is_refused(
    upgraded_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handshake, "OLDEST_SCHEMA", "8.0.0")
    with (
        Memory(as_app(upgraded_dsn), tenant=story.ALLOTMENT) as memory,
        pytest.raises(IncompatibleVersionError, match=rf"of version {VERSION}, too old for"),
    ):
        memory.recall("the water pump")


# A worker that has a job in hand when the schema becomes too new for it.
WORKING = """
import sys, time
from cognifold_pg.cli import main
from cognifold_pg.workers import jobs
def endless(duty):
    print("begun", flush=True)
    while True:
        duty.go_on()
        time.sleep(0.01)
jobs.JOBS.clear()
jobs.JOBS["endless"] = endless
sys.argv = ["cognifold", "worker", "--every", "0.05", "--quiet", "--dsn", sys.argv[1]]
main()
"""


def test_a_worker_under_whom_the_schema_becomes_too_new_gives_back_its_work_and_ends_with_an_error(
    upgraded_copy: str,
) -> None:
    with psycopg.connect(upgraded_copy, autocommit=True) as admin:
        admin.execute(
            "INSERT INTO cognifold.job (job, slot, clock, every, jitter, in_sql, description) "
            "VALUES ('endless', 'heavy', 'wall', '1 day', '0', false, 'of the tests')"
        )
        value(admin, "SELECT cognifold.ask_job('endless', %s)", story.ALLOTMENT)
        process = subprocess.Popen(
            [sys.executable, "-c", WORKING, make_conninfo(upgraded_copy)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            admin.execute(BREAK)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
        assert process.returncode == 1
        assert f"cognifold-pg {VERSION} is too old for this schema" in errors
        assert "Install cognifold-pg 7.0.0 or newer" in errors
        run = admin.execute(
            "SELECT state, attempts, lease_until > clock_timestamp() FROM cognifold.job_run WHERE job = 'endless'"
        ).fetchall()
        assert run == [("running", 0, False)]
        gone = "SELECT count(*) FROM cognifold.worker_process WHERE version = %s AND stopped_at IS NOT NULL"
        assert value(admin, gone, VERSION) == 1
        assert subprocess.run(
            [sys.executable, "-m", "cognifold_pg", "worker", "--dsn", upgraded_copy], capture_output=True, check=False
        ).returncode == 1  # fmt: skip


def test_a_sweeper_of_messages_ends_where_the_schema_is_too_new_and_says_so_to_its_process(upgraded_copy: str) -> None:
    with psycopg.connect(upgraded_copy, autocommit=True) as admin:
        admin.execute(BREAK)
    told: list[IncompatibleVersionError] = []
    sweeper = Sweeper(upgraded_copy, {}, every=0.01, on_refusal=told.append)
    sweeper.start()
    sweeper.join(timeout=60)
    assert not sweeper.is_alive()
    assert [error.sqlstate for error in told] == ["CF052"]


def test_the_doctor_tells_of_a_living_worker_that_is_too_old(upgraded_copy: str) -> None:
    with psycopg.connect(upgraded_copy, autocommit=True) as admin:
        value(admin, "SELECT cognifold.note_worker('old host:7', '0.1.0', ARRAY['fold'])")
        found = "SELECT finding FROM cognifold.diagnosis WHERE subject = 'worker old host:7'"
        assert admin.execute(found).fetchall() == []
        admin.execute(BREAK)
        assert admin.execute(found).fetchall() == [
            (f"it runs version 0.1.0, which this schema (version {VERSION}) takes no more",)
        ]
