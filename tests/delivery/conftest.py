"""What tests of delivery start from."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.client import Memory
from tests.conftest import Connection, make_role
from tests.delivery.receiver import Receiver
from tests.graph.plans import START
from tests.intent.conftest import new_workshop, workshop

__all__ = ["new_workshop", "workshop"]

WORKER = "test_poster"


@pytest.fixture
def desk(connect: Callable[..., Connection], tenant: str) -> Connection:
    """A connection to a fresh memory, its clock at START."""
    return connect(tenant, now=START)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as running:
        yield running


@pytest.fixture
def worker_dsn(admin: Connection, admin_dsn: str) -> Iterator[str]:
    """The DSN of a worker's role; nothing that an earlier test left is posted."""
    admin.execute("DELETE FROM cognifold.webhook")
    make_role(admin, WORKER, "cognifold_worker")
    yield make_conninfo(admin_dsn, user=WORKER)


@pytest.fixture
def administrator(admin_dsn: str, tenant: str) -> Iterator[Memory]:
    """The test's tenant as an administrator, who may set webhooks."""
    with Memory(admin_dsn, tenant=tenant) as memory:
        yield memory


def open_transactions(connection: Connection) -> int:
    """How many sessions of the worker's role have a transaction open."""
    row = connection.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE usename = %s AND xact_start IS NOT NULL", [WORKER]
    ).fetchone()
    assert row is not None
    return int(row[0])
