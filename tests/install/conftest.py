"""Databases to install into."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from tests.conftest import Connection


@pytest.fixture
def new_database(server_dsn: str) -> Iterator[Callable[..., str]]:
    """Makes an empty database on the session's server and gives a superuser's DSN; all are dropped at the end.

    ``options`` is what follows ``CREATE DATABASE name TEMPLATE template0``.
    """
    numbers = itertools.count(1)
    made: list[str] = []
    with psycopg.connect(server_dsn, autocommit=True) as admin:

        def make(options: str = "ENCODING 'UTF8'") -> str:
            name = f"cognifold_install_{next(numbers)}"
            drop(admin, name)
            statement = f"CREATE DATABASE {name} TEMPLATE template0 {options}"
            admin.execute(statement.encode())
            made.append(name)
            return make_conninfo(server_dsn, dbname=name)

        yield make
        for name in made:
            drop(admin, name)


def drop(admin: Connection, name: str) -> None:
    admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def installed_objects(dsn: str) -> list[tuple[str, ...]]:
    """Every table, view, index and function of the schema with its shape, to compare two databases by."""
    with psycopg.connect(dsn) as connection:
        return connection.execute(
            """
            SELECT c.relkind::text, c.relname,
                   coalesce(string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', '
                                       ORDER BY a.attnum), '')
            FROM pg_class AS c LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
            WHERE c.relnamespace = 'cognifold'::regnamespace GROUP BY c.oid, c.relkind, c.relname
            UNION ALL
            SELECT 'f', p.oid::regprocedure::text, md5(pg_get_functiondef(p.oid)) FROM pg_proc AS p
            WHERE p.pronamespace = 'cognifold'::regnamespace AND p.prokind <> 'a'
            UNION ALL
            SELECT 'p', p.polname || ' on ' || p.polrelid::regclass, pg_get_expr(p.polqual, p.polrelid)
            FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid
            WHERE c.relnamespace = 'cognifold'::regnamespace
            ORDER BY 1, 2
            """
        ).fetchall()
