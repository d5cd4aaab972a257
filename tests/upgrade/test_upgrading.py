"""The upgrade itself: twenty at once, killed in the middle, beside writers and readers, behind somebody else's lock."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from cognifold_pg.cli import app
from cognifold_pg.errors import IncompatibleVersionError
from cognifold_pg.install import InstallError, InstallReport, Way, install, installing, run_install
from cognifold_pg.locks import LockWatch
from cognifold_pg.upgrade import plan
from cognifold_pg.version import VERSION
from tests.conftest import Connection, value
from tests.embedded.servers import eventually
from tests.install.conftest import installed_objects
from tests.upgrade import story
from tests.upgrade.conftest import as_app

# Upgrades, says so when tables, functions and privileges are made, and waits there to be ended.
HALFWAY = """
import sys
from cognifold_pg.install import Way, installing, run_install
def done(name):
    if name == "policies/privileges.sql":
        print(raw.info.backend_pid, flush=True)
        sys.stdin.readline()
with installing(sys.argv[1]) as (connection, raw):
    run_install(connection, raw, Way(done=done))
"""


def versions(dsn: str) -> set[str]:
    with psycopg.connect(dsn) as connection:
        return {row[0] for row in connection.execute("SELECT version FROM cognifold.schema_migration")}


def test_twenty_upgrades_at_once_all_succeed_and_one_does_the_work(released_dsn: str, upgraded_dsn: str) -> None:
    barrier = threading.Barrier(20)

    def one(_: int) -> InstallReport:
        barrier.wait()
        return install(released_dsn)

    with ThreadPoolExecutor(20) as threads:
        reports = list(threads.map(one, range(20)))
    assert sorted(bool(report.applied) for report in reports) == [False] * 19 + [True]
    assert installed_objects(released_dsn) == installed_objects(upgraded_dsn)


@pytest.mark.parametrize("victim", ["process", "backend"])
def test_an_upgrade_that_is_killed_in_the_middle_leaves_the_old_version_whole(released_dsn: str, victim: str) -> None:
    before = installed_objects(released_dsn)
    process = subprocess.Popen(
        [sys.executable, "-c", HALFWAY, released_dsn],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    backend = int(process.stdout.readline())
    with psycopg.connect(released_dsn, autocommit=True) as admin:
        if victim == "process":
            process.kill()
        else:
            value(admin, "SELECT pg_terminate_backend(%s)", backend)
        assert process.communicate(input=None if victim == "process" else "\n")[0] == ""
        assert process.returncode != 0
        eventually(lambda: not value(admin, "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = %s)", backend))
    assert installed_objects(released_dsn) == before
    assert versions(released_dsn) == {"0.1.0"}
    with psycopg.connect(as_app(released_dsn), autocommit=True) as connection:
        value(connection, "SELECT cognifold.remember('still there', tenant => %s)", story.ALLOTMENT)


def test_writers_and_readers_beside_an_upgrade_wait_and_see_no_error(released_dsn: str, known: dict[str, Any]) -> None:
    """They read what an upgrade replaces, in transactions of one statement and of several."""
    stopping = threading.Event()
    finished: dict[str, int] = {}
    statements = {
        "remember": ["SELECT cognifold.remember('the beans grow ' || gen_random_uuid())"],
        "explain": [f"SELECT count(*) FROM cognifold.history('{known['concept']}')"],
        "views": ["SELECT count(*) FROM cognifold.concept", "SELECT count(*) FROM cognifold.edge",
                  "SELECT cognifold.remember('read and written ' || gen_random_uuid())"],
        "watched": ["INSERT INTO ticket SELECT 100 + coalesce(max(id), 0), 'more' FROM ticket",
                    "SELECT count(*) FROM cognifold.event"],
    }  # fmt: skip

    def go_on(name: str) -> None:
        dsn = released_dsn if name == "watched" else as_app(released_dsn)
        with psycopg.connect(dsn, autocommit=True, prepare_threshold=None) as connection:
            value(connection, "SELECT set_config('cognifold.tenant', %s, false)", story.ALLOTMENT)
            while not stopping.wait(0.003):
                with connection.transaction():
                    for statement in statements[name]:
                        connection.execute(statement.encode())
                finished[name] = finished.get(name, 0) + 1

    with ThreadPoolExecutor(len(statements)) as threads:
        running = [threads.submit(go_on, name) for name in statements]
        eventually(lambda: len(finished) == len(statements) or any(r.done() for r in running))
        try:
            before = dict(finished)
            report = install(released_dsn, patience=200)
            after = dict(finished)
            eventually(lambda: all(finished[n] > after.get(n, 0) for n in statements) or any(r.done() for r in running))
        finally:
            stopping.set()
        for one in running:
            one.result()
    assert report.applied
    assert versions(released_dsn) >= {VERSION}
    with psycopg.connect(as_app(released_dsn), autocommit=True) as connection:
        value(connection, "SELECT set_config('cognifold.tenant', %s, false)", story.ALLOTMENT)
        grown = value(connection, "SELECT count(*) FROM cognifold.event WHERE content LIKE 'the beans grow %%'")
        assert grown == finished["remember"] >= before["remember"]
        assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []


@contextmanager
def someone_who_does_not_let_go(dsn: str) -> Iterator[Connection]:
    with psycopg.connect(dsn, application_name="month's report") as connection:
        connection.execute("SELECT count(*) FROM cognifold.tenant")
        yield connection


def test_an_upgrade_behind_a_long_transaction_gives_up_and_says_whose_it_is(released_dsn: str) -> None:
    with someone_who_does_not_let_go(released_dsn) as reader:
        with pytest.raises(InstallError) as caught:
            install(released_dsn, lock_timeout=0.05, patience=0)
        message = str(caught.value)
        assert f"process {reader.info.backend_pid} (month's report, role postgres, idle in transaction)" in message
        assert "SELECT count(*) FROM cognifold.tenant" in message
        assert "nothing was changed" in message
        # And meanwhile it is in nobody's way.
        with psycopg.connect(as_app(released_dsn), autocommit=True) as connection:
            value(connection, "SELECT cognifold.remember('nobody waits', tenant => %s)", story.ALLOTMENT)
    assert versions(released_dsn) == {"0.1.0"}


def test_an_upgrade_has_at_its_beginning_every_lock_that_keeps_a_reader_or_writer_out(upgraded_copy: str) -> None:
    """All files run, so that what a later one locks is found out here, and not by whoever waits for it."""
    watches: list[LockWatch] = []
    later: dict[str, dict[str, list[str]]] = {}

    def done(name: str) -> None:
        modes = watches[0].since_last().modes
        if late := {mode: names for mode, names in modes.items() if mode != "ShareUpdateExclusiveLock"}:
            later[name] = late

    way = Way(repair=True, begun=lambda raw, pending: watches.append(LockWatch(raw)), done=done)
    with installing(upgraded_copy) as (connection, raw):
        run_install(connection, raw, way)
        connection.rollback()
    assert later == {}


def test_a_plan_says_what_would_run_with_its_checksums_and_locks_and_changes_nothing(released_dsn: str) -> None:
    before = installed_objects(released_dsn)
    output = CliRunner().invoke(app, ["upgrade", "--plan", "--dsn", released_dsn]).stdout
    lines = output.splitlines()
    assert lines[0].startswith(f"From version 0.1.0 to {VERSION}, ")
    assert any(line.startswith("  versioned/0011_versions.sql  new -> ") for line in lines)
    place = next(n for n, line in enumerate(lines) if line.startswith("  operate/diagnosis.sql  "))
    assert lines[place + 1] == "      AccessExclusiveLock (readers and writers wait): diagnosis"
    assert not any("anew" in line for line in lines)
    assert lines[-1].startswith("The dry run took ")
    assert installed_objects(released_dsn) == before
    assert versions(released_dsn) == {"0.1.0"}


def test_a_plan_tells_which_tables_would_be_written_anew(upgraded_copy: str) -> None:
    """By the same watch that a dry run has, on statements whose locks the manual states."""
    with psycopg.connect(upgraded_copy) as admin:
        admin.execute("SELECT")
        watch = LockWatch(admin)
        admin.execute("ALTER TABLE cognifold.setting ALTER COLUMN value TYPE numeric")
        changed = watch.since_last()
        assert "cognifold.setting" in changed.modes["AccessExclusiveLock"]
        assert "cognifold.setting" in changed.rewritten
        admin.execute("CREATE TABLE cognifold.later (tenant_id text REFERENCES cognifold.tenant)")
        assert watch.since_last().modes == {"ShareRowExclusiveLock": ["cognifold.tenant"]}
        admin.execute("COMMENT ON TABLE cognifold.plan IS 'as before'")
        assert watch.since_last().modes == {"ShareUpdateExclusiveLock": ["cognifold.plan"]}
        admin.execute(
            "CREATE OR REPLACE FUNCTION cognifold.schema_version() RETURNS text LANGUAGE sql STABLE RETURN '9'"
        )
        assert watch.since_last().modes == {}
        admin.rollback()


def test_a_plan_by_checksums_alone_takes_no_lock_and_waits_for_nobody(released_dsn: str) -> None:
    with psycopg.connect(released_dsn) as other:
        other.execute("LOCK TABLE cognifold.node, cognifold.tenant IN ACCESS EXCLUSIVE MODE")
        output = CliRunner().invoke(app, ["upgrade", "--plan", "--offline", "--dsn", released_dsn]).stdout
    assert "versioned/0011_versions.sql  new -> " in output
    assert "No dry run was made" in output


def test_a_versioned_file_that_is_not_the_one_that_ran_is_refused_with_both_checksums(upgraded_copy: str) -> None:
    with psycopg.connect(upgraded_copy, autocommit=True) as admin:
        now = value(
            admin, "SELECT sha256 FROM cognifold.schema_migration WHERE name = 'versioned/0003_consolidation.sql'"
        )
        admin.execute(
            "UPDATE cognifold.schema_migration SET sha256 = 'edited' WHERE name = 'versioned/0003_consolidation.sql'"
        )
    for attempt in (install, plan):
        with pytest.raises(InstallError, match=rf"versioned/0003_consolidation.sql .*checksum edited.* has {now}"):
            attempt(upgraded_copy)


def test_a_schema_of_a_newer_release_is_not_turned_back(upgraded_copy: str) -> None:
    with psycopg.connect(upgraded_copy, autocommit=True) as admin:
        admin.execute(
            "CREATE OR REPLACE FUNCTION cognifold.schema_version() RETURNS text LANGUAGE sql STABLE RETURN '7.1.0'"
        )
    before = installed_objects(upgraded_copy)
    with pytest.raises(IncompatibleVersionError, match=rf"version 7\.1\.0, newer than cognifold-pg {VERSION}"):
        install(upgraded_copy)
    with psycopg.connect(upgraded_copy, autocommit=True) as admin:
        admin.execute("INSERT INTO cognifold.schema_migration VALUES ('versioned/9001_wings.sql', 'x', '7.1.0', now())")
    with pytest.raises(IncompatibleVersionError, match=r"versioned/9001_wings\.sql ran in it"):
        install(upgraded_copy)
    assert installed_objects(upgraded_copy) == before


def test_what_was_changed_by_hand_is_told_and_kept_until_it_is_repaired(upgraded_copy: str) -> None:
    doctor: Callable[[], str] = lambda: CliRunner().invoke(app, ["doctor", "--dsn", upgraded_copy]).stdout  # noqa: E731
    clean = installed_objects(upgraded_copy)
    with psycopg.connect(upgraded_copy, autocommit=True) as admin:
        admin.execute(
            "CREATE OR REPLACE FUNCTION cognifold.headline(content text) RETURNS text LANGUAGE sql IMMUTABLE "
            "AS $$ SELECT 'by hand' $$"
        )
        admin.execute("DROP POLICY readers ON cognifold.plan")
        drift = admin.execute("SELECT identity, change FROM cognifold.drift() ORDER BY 1").fetchall()
        assert drift == [("function headline(text)", "changed"), ("policy readers on plan", "dropped")]
        assert "function headline(text) was changed by hand" in doctor()
        # Another file changes: what is by hand is still told of afterwards.
        admin.execute("UPDATE cognifold.schema_migration SET sha256 = 'old' WHERE name = 'clock/now.sql'")
        install(upgraded_copy)
        assert admin.execute("SELECT identity FROM cognifold.drift()").fetchall() == [("function headline(text)",)]
        assert "changed by hand" in CliRunner().invoke(app, ["upgrade", "--plan", "--dsn", upgraded_copy]).stdout
        assert "SQL files applied" in CliRunner().invoke(app, ["upgrade", "--repair", "--dsn", upgraded_copy]).stdout
        assert admin.execute("SELECT * FROM cognifold.drift()").fetchall() == []
    assert installed_objects(upgraded_copy) == clean
