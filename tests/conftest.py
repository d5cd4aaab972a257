"""A real PostgreSQL for every test: one server and one database a session, a tenant of its own for each test.

Tests speak as ``test_writer``, a plain role under row-level security that may move the memory's clock, unless they
say otherwise. ``COGNIFOLD_TEST_DSN`` (a superuser's) runs them on another server than the embedded one, and
``COGNIFOLD_TEST_LAYOUT=partitioned`` on tables in hash partitions: to the tests, as to the verbs, the same memory.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import hypothesis
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.embedded import temporary_server
from cognifold_pg.install import install
from cognifold_pg.partition import partition

Connection = psycopg.Connection[Any]
_numbers = itertools.count(1)

# No test asserts how fast anything is, and a busy machine is no failure.
hypothesis.settings.register_profile("cognifold", deadline=None)
hypothesis.settings.load_profile("cognifold")

DATABASE = "cognifold_test"
FRESH = "cognifold_fresh"
WRITER = "test_writer"

LAYOUT = os.environ.get("COGNIFOLD_TEST_LAYOUT", "plain")
PARTITIONS = 4


@pytest.fixture(scope="session")
def server_dsn() -> Iterator[str]:
    """A superuser's DSN of a server that the tests may do with as they like."""
    if given := os.environ.get("COGNIFOLD_TEST_DSN"):
        if "PYTEST_XDIST_WORKER" in os.environ:
            pytest.exit("One server takes one run of the tests at a time: with COGNIFOLD_TEST_DSN use -n 0.", 2)
        yield given
        return
    with temporary_server(settings={"max_connections": "200"}) as server:  # workers' come and go beside the tests' own
        yield server.dsn("postgres", "postgres")


@pytest.fixture(scope="session")
def fresh_dsn(server_dsn: str) -> str:
    """A database as the install leaves it, in which nobody writes: a copy of it takes a tenth of an install's time."""
    dsn = make_database(server_dsn, FRESH, "template0 ENCODING 'UTF8'")
    install(dsn)
    return dsn


def make_database(server_dsn: str, name: str, template: str) -> str:
    """A superuser's DSN of a new database; one of that name from an earlier run goes first."""
    with psycopg.connect(server_dsn, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
    return make_conninfo(server_dsn, dbname=name)


@pytest.fixture(scope="session")
def admin_dsn(server_dsn: str, fresh_dsn: str) -> str:
    """A superuser's DSN of the session's database, with the memory installed."""
    dsn = make_database(server_dsn, DATABASE, FRESH)
    if LAYOUT == "partitioned":
        partition(dsn, PARTITIONS)
    elif LAYOUT != "plain":
        pytest.exit(f"COGNIFOLD_TEST_LAYOUT={LAYOUT}: there are plain and partitioned.", 2)
    with psycopg.connect(dsn, autocommit=True) as connection:
        make_role(connection, WRITER, "cognifold_writer", "cognifold_multitenant", "cognifold_clock")
    return dsn


def make_role(connection: Connection, name: str, *memberships: str) -> None:
    """Make a login role with these memberships, fresh: one of that name from an earlier run goes first."""
    role = sql.Identifier(name)
    if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone():
        connection.execute(sql.SQL("DROP OWNED BY {}").format(role))
        connection.execute(sql.SQL("DROP ROLE {}").format(role))
    connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(role))
    for membership in memberships:
        connection.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(membership), role))


@pytest.fixture(scope="session")
def dsn(admin_dsn: str) -> str:
    """The plain role's DSN."""
    return make_conninfo(admin_dsn, user=WRITER)


@pytest.fixture
def admin(admin_dsn: str) -> Iterator[Connection]:
    """A superuser's connection, for what a test must set up or look at past row-level security."""
    with psycopg.connect(admin_dsn, autocommit=True) as connection:
        yield connection


@pytest.fixture
def new_tenant(dsn: str) -> Callable[..., str]:
    """Makes a tenant of its own name; arguments as of ``create_tenant`` after the name."""

    def make(**arguments: Any) -> str:
        name = f"tenant {next(_numbers)}"
        with Memory(dsn, tenant=name) as memory:
            assert memory.create_tenant(**arguments)
        return name

    return make


@pytest.fixture
def tenant(new_tenant: Callable[..., str]) -> str:
    """A fresh tenant."""
    return new_tenant()


@pytest.fixture
def connect(dsn: str) -> Iterator[Callable[..., Connection]]:
    """Opens connections of the plain role (or of ``user``) with a tenant set; all are closed at the end."""
    opened: list[Connection] = []

    def open_one(tenant: str | None = None, *, user: str | None = None, now: str | None = None) -> Connection:
        connection = psycopg.connect(
            make_conninfo(dsn, user=user) if user else dsn, autocommit=True, prepare_threshold=None
        )
        opened.append(connection)
        if tenant is not None:
            connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
        if now is not None:
            connection.execute("SELECT set_config('cognifold.now', %s, false)", [now])
        return connection

    yield open_one
    for connection in opened:
        connection.close()


@pytest.fixture
def connection(connect: Callable[..., Connection], tenant: str) -> Connection:
    """A plain role's connection with the test's tenant set."""
    return connect(tenant)


@pytest.fixture
def memory(dsn: str, tenant: str) -> Iterator[Memory]:
    """The Python client on the test's tenant."""
    with Memory(dsn, tenant=tenant) as opened:
        yield opened


def value(connection: Connection, query: str, *parameters: Any) -> Any:
    """The first column of the first row."""
    row = connection.execute(query.encode(), parameters).fetchone()
    assert row is not None, query
    return row[0]


def at(text: str) -> datetime:
    """An aware datetime from ISO 8601."""
    moment = datetime.fromisoformat(text)
    assert moment.utcoffset() is not None, text
    return moment
