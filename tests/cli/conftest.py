"""The commands as a plain role runs them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typer.testing import CliRunner, Result

from cognifold_pg.cli import app

# Runs a command with arguments in the tests' database.
Command = Callable[..., Result]


@pytest.fixture
def run(dsn: str) -> Command:
    """``run("ingest", file, ...)``: the command's result, its output and exit code."""

    def run_command(name: str, *arguments: object) -> Result:
        result = CliRunner().invoke(app, [name, *map(str, arguments), "--dsn", dsn])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run_command


@pytest.fixture
def unmade(tenant: str) -> str:
    """The name of a tenant that is not there yet."""
    return f"{tenant}, unmade"
