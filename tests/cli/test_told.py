"""What the commands say when something is missing: the tenant, the rights, the database, a column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from cognifold_pg.cli import app
from cognifold_pg.errors import CognifoldError, InvalidValueError, UnknownTenantError
from tests.cli.conftest import Command
from tests.conftest import Connection, make_role

STRANGER = "test cli stranger"  # a name that SQL wants quoted

# Runs a command as a role with the memberships given.
AsStranger = Callable[..., BaseException | None]


@pytest.fixture
def as_stranger(dsn: str, admin: Connection) -> Iterator[AsStranger]:
    def run(memberships: list[str], *arguments: object) -> BaseException | None:
        make_role(admin, STRANGER, *memberships)
        stranger = make_conninfo(dsn, user=STRANGER)
        return CliRunner().invoke(app, [*map(str, arguments), "--dsn", stranger]).exception

    yield run
    admin.execute(f'DROP OWNED BY "{STRANGER}"'.encode())
    admin.execute(f'DROP ROLE "{STRANGER}"'.encode())


def test_a_role_without_rights_is_told_the_grant_each_command_needs(
    as_stranger: AsStranger, tenant: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"content": "x"}\n')
    reader = ["cognifold_reader", "cognifold_multitenant"]
    for memberships, role, arguments in (
        ([], "cognifold_reader", ("ask", "kettle", "--tenant", tenant)),
        ([], "cognifold_reader", ("check", "--tenant", tenant)),
        ([], "cognifold_writer", ("tenant", "another")),
        (reader, "cognifold_writer", ("tenant", "another")),
        (reader, "cognifold_writer", ("ingest", file, "--tenant", tenant)),
        ([], "cognifold_worker", ("worker", "--once")),
        (["cognifold_writer"], "cognifold_worker", ("worker", "--once")),
    ):
        error = as_stranger(memberships, *arguments)
        assert isinstance(error, CognifoldError), (arguments, error)
        assert "permission denied for " in str(error)
        assert str(error).endswith(f'GRANT {role} TO "{STRANGER}"'), (arguments, error)


@pytest.mark.parametrize("arguments", [("ask", "kettle"), ("check",)])
def test_a_tenant_that_is_not_there_comes_with_the_command_that_makes_it(
    run: Command, unmade: str, arguments: tuple[str, ...]
) -> None:
    with pytest.raises(UnknownTenantError) as caught:
        run(*arguments, "--tenant", unmade)
    assert f"cognifold tenant '{unmade}'" in str(caught.value)
    assert run("tenant", unmade).exit_code == 0
    assert run(*arguments, "--tenant", unmade).exit_code == 0


def test_whose_memory_is_meant_can_be_said_once_for_all_commands(dsn: str, tenant: str) -> None:
    def asked(*words: str, named: str) -> BaseException | None:
        return CliRunner().invoke(app, [*words, "--dsn", dsn], env={"COGNIFOLD_TENANT": named}).exception

    assert asked("check", named=tenant) is None
    assert isinstance(asked("check", named="nobody"), UnknownTenantError)
    assert asked("check", "--tenant", tenant, named="nobody") is None  # what is said to the command counts


@pytest.mark.parametrize("command", [("init",), ("ask", "x"), ("check",), ("tenant", "x"), ("worker", "--once")])
def test_an_empty_dsn_is_refused_and_no_other_database_taken_for_it(command: tuple[str, ...]) -> None:
    for empty in ("", " "):
        error = CliRunner().invoke(app, [*command, "--dsn", empty]).exception
        assert isinstance(error, InvalidValueError)
        assert "--dsn" in str(error)


def test_a_table_without_a_known_column_for_the_content_names_the_columns_it_has(
    run: Command, unmade: str, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("When,What happened\n2026-05-04T09:00:00Z,the tap drips\n")
    refused = run("ingest", table, "--tenant", unmade)
    assert refused.exit_code == 2
    words = " ".join(refused.stderr.replace("│", " ").split())
    assert "'When', 'What happened'" in words
    assert "--map content=COLUMN" in words
    missing = run("ingest", table, "--tenant", unmade, "--map", "content=what happened")
    words = " ".join(missing.stderr.replace("│", " ").split())
    assert missing.exit_code == 2
    assert "no column 'what happened' for content: its columns are 'When', 'What happened'" in words
    taken = run("ingest", table, "--tenant", unmade, "--map", "content=What happened")
    assert "1 read, 1 remembered" in taken.stdout
