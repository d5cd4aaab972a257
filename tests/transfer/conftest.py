"""One database: a memory that has something of everything, an application's table that it watches, a graph of AGE."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cognifold_pg.embedded.backends import find_backend
from cognifold_pg.errors import EmbeddedServerError
from tests.conftest import FRESH, WRITER, Connection, make_role
from tests.transfer.sample import fill

TENANT = "the potter's"
SHOP = "test_transfer_shop"  # a role that owns a watched table
BACKUP = "test_backup"
AGE = ("--exclude-extension=age", "--exclude-schema=ag_catalog", "--exclude-schema=things")


@pytest.fixture(scope="session")
def database(server_dsn: str) -> Iterator[Callable[..., str]]:
    """Makes a database, empty or as a copy of another, and gives a superuser's DSN; all are dropped at the end."""
    made: list[str] = []

    def make(name: str, template: str = "template0") -> str:
        with psycopg.connect(server_dsn, autocommit=True) as admin:
            drop(admin, name)
            copy = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
            admin.execute(copy + sql.SQL(" ENCODING 'UTF8'" if template == "template0" else ""))
        made.append(name)
        return make_conninfo(server_dsn, dbname=name)

    yield make
    with psycopg.connect(server_dsn, autocommit=True) as admin:
        for name in made:
            drop(admin, name)


def drop(admin: Connection, name: str) -> None:
    admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def source(admin_dsn: str, fresh_dsn: str, database: Callable[..., str]) -> str:
    """The filled database; a superuser's DSN."""
    dsn = database("cognifold_transfer", template=FRESH)
    with (
        psycopg.connect(dsn, autocommit=True) as admin,
        psycopg.connect(make_conninfo(dsn, user=WRITER), autocommit=True, prepare_threshold=None) as connection,
    ):
        if has_age(admin):
            admin.execute("CREATE EXTENSION age")
            admin.execute("LOAD 'age'")
            admin.execute("SET search_path = ag_catalog")  # it looks for its own operators there
            admin.execute("SELECT create_graph('things')")
            admin.execute("RESET search_path")
        make_role(admin, BACKUP, "pg_read_all_data")
        make_role(admin, SHOP, "cognifold_writer", "cognifold_multitenant")
        fill(connection, admin, TENANT)
        admin.execute(f"CREATE SCHEMA shop AUTHORIZATION {SHOP}".encode())
        with psycopg.connect(make_conninfo(dsn, user=SHOP), autocommit=True) as owner:
            owner.execute("CREATE TABLE shop.jug (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, glaze text)")
            owner.execute("SELECT set_config('cognifold.tenant', %s, false)", [TENANT])
            owner.execute("SELECT cognifold.watch('shop.jug', 'A jug, {glaze}')")
            owner.execute("INSERT INTO shop.jug (glaze) VALUES ('white')")  # and no fold takes it
        admin.execute("SELECT cognifold.set_clearance(%s, 'private', %s)", [WRITER, TENANT])
        admin.execute("SELECT cognifold.set_webhook('pager', 'https://example.com/hook', tenant => %s)", [TENANT])
    return dsn


@pytest.fixture
def potter(source: str) -> Iterator[Connection]:
    """A plain role's connection to the filled database with its tenant set."""
    with connected(source, WRITER) as connection:
        yield connection


def connected(dsn: str, user: str, tenant: str = TENANT) -> Connection:
    """A connection of ``user`` with the tenant set; the caller closes it."""
    connection = psycopg.connect(make_conninfo(dsn, user=user), autocommit=True, prepare_threshold=None)
    connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    return connection


def has_age(admin: Connection) -> bool:
    return bool(
        admin.execute(
            "SELECT 1 FROM pg_available_extensions WHERE name = 'age' "
            "AND current_setting('shared_preload_libraries') ~ '\\mage\\M'"
        ).fetchone()
    )


def run(program: str, *arguments: str | Path, dsn: str) -> subprocess.CompletedProcess[str]:
    """One of PostgreSQL's client programs on a database: of the embedded backend, if it is as new as the server."""
    try:
        backend = find_backend()
    except EmbeddedServerError:
        pytest.skip("no embedded backend is installed, whose client programs these tests run")
    if not backend.program(program).exists():
        pytest.skip(f"the embedded backend brings no {program}")
    with psycopg.connect(dsn) as connection:
        if connection.info.server_version // 10000 > backend.major:
            pytest.skip(f"the server is newer than the embedded backend's {program}")
    return subprocess.run(
        [backend.program(program), *arguments, "--dbname", dsn], capture_output=True, text=True, check=False
    )


def ran(program: str, *arguments: str | Path, dsn: str) -> str:
    """What it printed; it must succeed."""
    done = run(program, *arguments, dsn=dsn)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def name_of(dsn: str) -> str:
    name: Any = conninfo_to_dict(dsn)["dbname"]
    return str(name)
