"""An upgraded schema is the one that a fresh install makes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import psycopg
import pytest

from cognifold_pg.version import VERSION
from tests.conftest import value
from tests.golden import FOLDER
from tests.install.test_schema import dump

ROOT = Path(__file__).resolve().parents[2]


def in_any_order(text: str) -> list[str]:
    """The statements of a dump, each with its lines sorted: a column that came later stands last.

    Without parentheses: an expression that went through a dump and back has fewer (a AND (b AND c)).
    """
    statements = re.split(r";$", re.sub(r"[()]", "", text), flags=re.MULTILINE)
    return sorted("\n".join(sorted(line.strip(" ,") for line in statement.splitlines())) for statement in statements)


def test_an_upgraded_catalog_is_that_of_a_fresh_install_but_for_the_order_of_columns(upgraded_dsn: str) -> None:
    """Compared with the golden dump, which tests/install compares a fresh install with."""
    with psycopg.connect(upgraded_dsn) as connection:
        if connection.info.server_version // 10000 != 18:
            pytest.skip("the golden dump was made by PostgreSQL 18")
    golden = (FOLDER / "schema.sql").read_text(encoding="utf-8")
    assert in_any_order(dump(upgraded_dsn)) == in_any_order(golden)


OBJECTS = """
SELECT 'relation', c.relname, c.relowner::regrole::text, c.relacl::text,
       concat(c.relrowsecurity, c.relforcerowsecurity), obj_description(c.oid, 'pg_class')
FROM pg_class AS c
WHERE c.relnamespace IN ('cognifold'::regnamespace, 'cognifold_watch'::regnamespace)
  AND c.relkind IN ('r', 'p', 'v', 'S')
UNION ALL
SELECT 'column', c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod), a.attacl::text,
       a.attnotnull::text, col_description(c.oid, a.attnum)
FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND a.attnum > 0
  AND NOT a.attisdropped
UNION ALL
SELECT 'routine', p.oid::regprocedure::text, p.proowner::regrole::text, p.proacl::text,
       md5(pg_get_functiondef(p.oid)), obj_description(p.oid, 'pg_proc')
FROM pg_proc AS p WHERE p.pronamespace = 'cognifold'::regnamespace AND p.prokind <> 'a'
UNION ALL
SELECT 'policy', p.polname || ' on ' || p.polrelid::regclass, p.polcmd::text, p.polroles::regrole[]::text,
       pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid WHERE c.relnamespace = 'cognifold'::regnamespace
"""


def objects(dsn: str) -> set[tuple[object, ...]]:
    """Owner, privileges, definition and comment of everything; privileges in any order."""
    with psycopg.connect(dsn) as connection:
        rows = connection.execute(OBJECTS.encode()).fetchall()
    return {
        (*row[:3], None if row[3] is None else ",".join(sorted(row[3].strip("{}").split(","))), *row[4:])
        for row in rows
    }


def test_owners_privileges_comments_bodies_and_policies_are_those_of_a_fresh_install(
    upgraded_dsn: str, fresh_dsn: str
) -> None:
    fresh, upgraded = objects(fresh_dsn), objects(upgraded_dsn)
    assert sorted(map(str, fresh - upgraded)) == []
    assert sorted(map(str, upgraded - fresh)) == []


def test_the_places_that_say_which_release_this_is_agree(upgraded_dsn: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == VERSION
    with psycopg.connect(upgraded_dsn) as connection:
        assert value(connection, "SELECT cognifold.schema_version()") == VERSION
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(VERSION)}\b", changes, re.MULTILINE)
