"""Databases as release 0.1.0 left them, with what was lived through in them, and one of them upgraded.

They have a note that the lexicon is there, and not its 87,000 words, which take most of the time of making and of
copying them: test_memory_kept has one with the words.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from cognifold_pg.install import install
from cognifold_pg.lexicon import load_affect
from cognifold_pg.lexicon.datafile import shipped_checksum
from tests.install.conftest import drop
from tests.upgrade.snapshot import restore

RELEASED = "cognifold_upgrade_released"
UPGRADED = "cognifold_upgrade_upgraded"
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def known(server_dsn: str, admin_dsn: str) -> dict[str, Any]:
    """What was known of the snapshot when it was taken; it is then there, as the template ``RELEASED``.

    (``admin_dsn`` made the roles that it speaks of.)
    """
    with psycopg.connect(server_dsn, autocommit=True) as admin:
        drop(admin, RELEASED)
        admin.execute(f"CREATE DATABASE {RELEASED} TEMPLATE template0 ENCODING 'UTF8'".encode())
    known = restore("0.1.0", dsn := make_conninfo(server_dsn, dbname=RELEASED))
    with psycopg.connect(dsn) as admin:
        load_affect(admin)
        admin.execute("INSERT INTO cognifold.lexicon_release SELECT %s, 1, 1, 1, now()", [shipped_checksum()])
    return known


@pytest.fixture(scope="session")
def upgraded_dsn(server_dsn: str, known: dict[str, Any]) -> str:
    """The snapshot, upgraded once for all tests that only look, or do what they can take back."""
    dsn = make_conninfo(server_dsn, dbname=UPGRADED)
    copy(server_dsn, RELEASED, UPGRADED)
    install(dsn)
    return dsn


@pytest.fixture
def released_dsn(server_dsn: str, known: dict[str, Any]) -> Iterator[str]:
    """A database as 0.1.0 left it, to be upgraded by the test; a superuser's DSN."""
    yield from _copied(server_dsn, RELEASED)


@pytest.fixture
def upgraded_copy(server_dsn: str, upgraded_dsn: str) -> Iterator[str]:
    """An upgraded database of the test's own; a superuser's DSN."""
    yield from _copied(server_dsn, UPGRADED)


def as_app(dsn: str) -> str:
    """The same database as the application's role."""
    return make_conninfo(dsn, user="test_upgrade_app")


def copy(server_dsn: str, template: str, name: str) -> None:
    with psycopg.connect(server_dsn, autocommit=True) as admin:
        drop(admin, name)
        admin.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )


def _copied(server_dsn: str, template: str) -> Iterator[str]:
    name = f"cognifold_upgrade_{next(_numbers)}"
    copy(server_dsn, template, name)
    yield make_conninfo(server_dsn, dbname=name)
    with psycopg.connect(server_dsn, autocommit=True) as admin:
        drop(admin, name)
