"""A server with the memory installed, and the commands as a plain role runs them in a database of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import psycopg
import pytest
import typer
from click.testing import Result
from psycopg import sql
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from cognifold_pg.cli.demo import demo
from cognifold_pg.cli.ingest import ingest
from cognifold_pg.embedded import temporary_server
from cognifold_pg.install import install

# Runs a command with arguments, in the test's own database.
Command = Callable[..., Result]

_ROLE = "plain_user"


@pytest.fixture(scope="session")
def template() -> Iterator[str]:
    """The DSN of a database that holds the schema and no tenant; it is copied for each test."""
    with temporary_server() as server:
        install(server.dsn())
        with psycopg.connect(server.dsn(), autocommit=True) as connection:
            connection.execute(
                sql.SQL("CREATE ROLE {} IN ROLE cognifold_worker, cognifold_clock").format(
                    sql.Identifier(_ROLE)
                )
            )
        yield server.dsn()


_numbers = count()


@pytest.fixture
def dsn(template: str) -> Iterator[str]:
    """A copy of the template, seen by a role that owns nothing and bypasses nothing."""
    name = f"commands_{next(_numbers)}"
    model = psycopg.conninfo.conninfo_to_dict(template)["dbname"]
    with psycopg.connect(make_conninfo(template, dbname="postgres"), autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(str(model)))
        )
        yield make_conninfo(template, dbname=name, options=f"-c role={_ROLE}")
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def run(dsn: str) -> Command:
    """``run("ingest", file, ...)``: the command's result, its output and exit code."""
    app = typer.Typer()
    app.command()(ingest)
    app.command()(demo)

    def run_command(name: str, *arguments: object) -> Result:
        result = CliRunner().invoke(app, [name, *map(str, arguments), "--dsn", dsn])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run_command
