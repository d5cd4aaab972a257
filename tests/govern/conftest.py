"""A governor, who writes and may forget, and a look into every column there is."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from tests.conftest import Connection, make_role
from tests.govern.secretive import as_role, secretive

__all__ = ["as_role", "secretive"]

GOVERNOR = "test_governor"
CANARY = "zqxwkanary"
TRACE = "zqxwk"  # what every form of it has in common: its stem, its capitals, what a title is cut to


@pytest.fixture(scope="session")
def governor_dsn(admin_dsn: str) -> str:
    """The database with a role in it that may forget."""
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        make_role(admin, GOVERNOR, "cognifold_governor", "cognifold_writer", "cognifold_multitenant", "cognifold_clock")
    return admin_dsn


@pytest.fixture
def governor(governor_dsn: str, connect: Callable[..., Connection], tenant: str) -> Connection:
    """A connection of the governor with the test's tenant set."""
    return connect(tenant, user=GOVERNOR)


def traces(admin: Connection, trace: str = TRACE) -> dict[str, int]:
    """In how many rows of which column of any table of ours a word stands, whatever the column's type.

    Every column is read as text; bytes also as the letters they stand for, and as hexadecimal digits in a text.
    """
    columns = admin.execute(
        """
        SELECT format('%I.%I', s.nspname, c.relname), a.attname, a.atttypid = 'bytea'::regtype
        FROM pg_class AS c
        JOIN pg_namespace AS s ON s.oid = c.relnamespace
             AND s.nspname ~ '^cognifold(_watch|_graph_[0-9]+)?$'
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relkind IN ('r', 'p', 'm') AND c.relname NOT IN ('lexicon', 'word_vector')
        ORDER BY 1, 2
        """
    ).fetchall()
    found: dict[str, int] = {}
    for table, column, is_bytes in columns:
        name = psycopg.sql.Identifier(column).as_string(admin)
        read = f"{name}::text" if not is_bytes else f"{name}::text || encode({name}, 'escape')"
        row = admin.execute(
            f"SELECT count(*) FROM {table} WHERE lower({read}) ~ %s OR position(%s in {read}) > 0".encode(),
            [trace, trace.encode().hex()],
        ).fetchone()
        assert row is not None
        if row[0]:
            found[f"{table}.{column}"] = row[0]
    return found
