"""A shop: a role that owns its tables and watches them, and one that writes to them and knows of no memory."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from tests.conftest import Connection, make_role

OWNER = "test_shop_owner"
CLERK = "test_shop_clerk"
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def shop_dsn(admin_dsn: str) -> str:
    """The database with the shop's two roles in it: the owner may use the memory, the clerk has no right there."""
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        for schema in ("shop", "annex"):
            admin.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE".encode())
        make_role(admin, OWNER, "cognifold_writer", "cognifold_multitenant")
        make_role(admin, CLERK)
        for schema in ("shop", "annex"):
            admin.execute(f"CREATE SCHEMA {schema} AUTHORIZATION {OWNER}".encode())
            admin.execute(f"GRANT USAGE ON SCHEMA {schema} TO {CLERK}".encode())
        admin.execute(
            f"ALTER DEFAULT PRIVILEGES FOR ROLE {OWNER} GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON TABLES "
            f"TO {CLERK}".encode()
        )
    return admin_dsn


@dataclass
class Shop:
    """One test's table and its people."""

    dsn: str
    tenant: str
    table: str
    owner: Connection
    clerk: Connection
    admin: Connection

    def create(self, columns: str, *, suffix: str = "", more: str = "") -> str:
        """Make the test's table (or another of the same name with a suffix); its name."""
        name = self.table + suffix
        self.owner.execute(f"CREATE TABLE {name} ({columns}) {more}".encode())
        return name

    def watch(self, content: str, table: str | None = None, **arguments: Any) -> str:
        """``cognifold.watch`` as the owner; the name of the watch."""
        given = {"relation": table or self.table, "content": content, **arguments}
        named = ", ".join(f"{name} => %({name})s" for name in given)
        row = self.owner.execute(f"SELECT cognifold.watch({named})".encode(), given).fetchone()
        assert row is not None
        name: str = row[0]
        return name

    def take(self) -> None:
        """Let what was captured become events, as a worker's claim does before anything is folded."""
        while waiting := self.waiting():
            claims = self.owner.execute("SELECT event_id, fence FROM cognifold.claim_folds(1)").fetchall()
            for event, fence in claims:
                self.owner.execute("SELECT cognifold.release_claimed(ARRAY[%s]::uuid[], %s)", [event, fence])
            if not claims and self.waiting() == waiting:
                break

    def events(self) -> list[str]:
        """What the tenant's events say, in the order in which they were stored, once nothing captured waits."""
        self.take()
        return [
            content
            for (content,) in self.owner.execute(
                "SELECT c.content FROM cognifold.node AS n JOIN cognifold.node_content AS c "
                "ON c.tenant_id = n.tenant_id AND c.node_id = n.id WHERE n.kind = 'event' ORDER BY n.id"
            ).fetchall()
        ]

    def field(self, expression: str) -> list[Any]:
        """An expression over the view ``event``, of each event in the order of :meth:`events`."""
        self.take()
        return [
            row[0]
            for row in self.owner.execute(f"SELECT {expression} FROM cognifold.event ORDER BY id".encode()).fetchall()
        ]

    def waiting(self) -> int:
        """How many captured rows of the tenant are no events yet."""
        row = self.admin.execute(
            "SELECT coalesce(sum(held), 0) FROM cognifold_watch.inbox WHERE tenant_id = %s", [self.tenant]
        ).fetchone()
        assert row is not None
        return int(row[0])

    def errors(self) -> list[tuple[Any, ...]]:
        """Operation, SQLSTATE, row key and lost rows of each fault of the test's watches, oldest first."""
        return self.owner.execute(
            "SELECT operation, state, row_key, lost FROM cognifold.watch_error WHERE name LIKE %s ORDER BY happened_at",
            [self.table + "%"],
        ).fetchall()

    def connect(self, user: str, tenant: str | None = None) -> Connection:
        """Another connection; the caller closes it."""
        connection = psycopg.connect(make_conninfo(self.dsn, user=user), autocommit=True, prepare_threshold=None)
        if tenant is not None:
            connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
        return connection


@pytest.fixture
def shop(shop_dsn: str, admin: Connection, new_tenant: Callable[..., str]) -> Iterator[Shop]:
    """A shop whose table is yet to be made; its watches and tables are gone afterwards."""
    tenant = new_tenant()
    table = f"shop.orders_{next(_numbers)}"
    built = Shop(shop_dsn, tenant, table, admin, admin, admin)
    with built.connect(OWNER, tenant) as owner, built.connect(CLERK) as clerk:
        built.owner, built.clerk = owner, clerk
        yield built
        owner.execute("RESET ALL")
        owner.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
        for (name,) in owner.execute("SELECT name FROM cognifold.watched WHERE status <> 'ended'").fetchall():
            owner.execute("SELECT cognifold.unwatch(%s)", [name])
        for schema, name, kind in admin.execute(
            "SELECT n.nspname, c.relname, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname IN ('shop', 'annex') AND c.relkind IN ('r', 'p', 'v', 'm')"
        ).fetchall():
            word = {"v": "VIEW", "m": "MATERIALIZED VIEW"}.get(kind, "TABLE")
            admin.execute(sql.SQL("DROP " + word + " IF EXISTS {} CASCADE").format(sql.Identifier(schema, name)))
        # What a test captured and did not take is no work for the next.
        admin.execute("DELETE FROM cognifold_watch.inbox")
        admin.execute("DELETE FROM cognifold_watch.fault")
        admin.execute("DELETE FROM cognifold.watch")


@pytest.fixture
def orders(shop: Shop) -> Shop:
    """A shop with a table of orders."""
    shop.create("id bigint PRIMARY KEY, customer text, status text, total numeric, placed_at timestamptz, due date")
    return shop
