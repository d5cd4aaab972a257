"""Tenants with something in them, and roles that may reach one, all or none."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.conftest import Connection, make_role, value

SAYINGS = (
    "The kiln in the pottery needs a new heating coil before the autumn sale",
    "Ordered the heating coil for the kiln from the supplier in Delft",
    "The supplier in Delft confirmed the kiln heating coil for Friday",
    "Replaced the heating coil, the kiln reaches stoneware heat again",
    "Aisha asked whether the glaze recipe with less cobalt is safe for plates",
    "Tested the low cobalt glaze recipe on six plates, two crazed",
    "The second test of the low cobalt glaze recipe came out clean",
    "Mail to the market office about the stall for the autumn sale",
)


@pytest.fixture(scope="session")
def make_lively(dsn: str) -> Callable[[], str]:
    """Makes a tenant with folded events, concepts, a setting, a decay step and one event still waiting."""
    numbers = itertools.count(1)

    def make() -> str:
        tenant = f"lively tenant {next(numbers)}"
        start = datetime(2026, 3, 2, 9, tzinfo=UTC)
        with Memory(dsn, tenant=tenant) as memory:
            assert memory.create_tenant()
            memory.remember_many(
                Experience(saying, occurred_at=start + timedelta(hours=7 * place), source="notes", actor="Mira",
                           idempotency_key="known" if place == 0 else None)
                for place, saying in enumerate(SAYINGS)
            )  # fmt: skip
            assert memory.fold_all(batch=10) == len(SAYINGS)
            memory.rows("SELECT cognifold.set_setting('fold.related', 4)")
            memory.rows("SELECT cognifold.set_decay('semantic', 0.001, '2100-01-01Z')")
            memory.remember("Nobody folded this yet", occurred_at=start + timedelta(days=9))
            assert memory.rows("SELECT FROM cognifold.concept")
            assert memory.rows("SELECT FROM cognifold.edge")
        return tenant

    return make


@pytest.fixture(scope="session")
def lively(make_lively: Callable[[], str]) -> str:
    """One such tenant, for tests that do not mind what others did to it."""
    return make_lively()


@pytest.fixture(scope="session")
def lively_too(make_lively: Callable[[], str]) -> str:
    """Another."""
    return make_lively()


@pytest.fixture
def new_event(admin: Connection) -> Callable[[str], UUID]:
    """Adds an event to a tenant, waiting to be folded; its id."""

    def add(tenant: str) -> UUID:
        event: UUID = value(admin, "SELECT cognifold.remember(%s, tenant => %s)", f"kiln log {uuid4()}", tenant)
        return event

    return add


@pytest.fixture
def new_plan(admin: Connection) -> Callable[[str], UUID]:
    """Applies a plan that changes nothing to a tenant; its id."""

    def apply(tenant: str) -> UUID:
        empty = """SELECT (cognifold.apply_plan('{"operations": []}', %s) ->> 'plan_id')::uuid"""
        plan: UUID = value(admin, empty, tenant)
        return plan

    return apply


@pytest.fixture
def role(admin: Connection) -> Iterator[Callable[..., str]]:
    """Makes login roles with memberships, bound to tenants if any are named; they go at the end."""
    made: list[str] = []

    def make(name: str, *memberships: str, bound_to: tuple[str, ...] = ()) -> str:
        make_role(admin, name, *memberships)
        made.append(name)
        for tenant in bound_to:
            admin.execute("SELECT cognifold.bind_role(%s, %s)", [name, tenant])
        return name

    yield make
    for name in reversed(made):
        admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = %s", [name])
        admin.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(name)))
        admin.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


def set_tenant(connection: Connection, tenant: str) -> None:
    connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])


def refusal(connection: Connection, query: bytes, parameters: dict[str, object]) -> psycopg.Error:
    """The error a statement ends in; the test fails if there is none."""
    with pytest.raises(psycopg.Error) as caught:
        connection.execute(query, parameters)
    return caught.value


def readable(connection: Connection) -> list[str]:
    """Every table and view with a tenant that the connection's role may read, by name."""
    rows = connection.execute(
        """
        SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p', 'v')
          AND has_table_privilege(c.oid, 'SELECT')
        ORDER BY 1
        """
    ).fetchall()
    return [name for (name,) in rows]


def visible(connection: Connection) -> dict[str, int]:
    """How many rows of each such table and view the connection sees, none left out."""
    counts = {}
    for name in readable(connection):
        row = connection.execute(
            sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier("cognifold", name))
        ).fetchone()
        assert row is not None
        counts[name] = row[0]
    return counts


def snapshot(admin: Connection, tenant: str) -> dict[str, tuple[int, str]]:
    """Each table's number of rows of a tenant, and a hash of all their columns, past row-level security."""
    tables = admin.execute(
        """
        SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p')
        """
    ).fetchall()
    taken = {}
    for (name,) in tables:
        row = admin.execute(
            sql.SQL(
                """
                SELECT count(*), coalesce(md5(string_agg(t::text, E'\n' ORDER BY t::text COLLATE "C")), '')
                FROM {} AS t WHERE tenant_id = %s
                """
            ).format(sql.Identifier("cognifold", name)),
            [tenant],
        ).fetchone()
        assert row is not None
        taken[name] = (row[0], row[1])
    return taken
