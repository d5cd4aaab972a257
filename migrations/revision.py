"""What every revision does: run the packaged SQL file of its name, on the installer's connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import psycopg
from alembic import context, op

from cognifold_pg.install import run_versioned


def run(name: str) -> None:
    """Run ``sql/versioned/NAME.sql``, past SQLAlchemy, which would read ``:name`` as a parameter."""
    raw = op.get_bind().connection.driver_connection
    assert isinstance(raw, psycopg.Connection)
    run_versioned(raw, name)
    on_file = cast("Callable[[str], None]", context.config.attributes["on_file"])
    on_file(f"versioned/{name}.sql")
