"""The same verbs from Python and from the command line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from cognifold_pg.cli import app
from cognifold_pg.client import Memory
from cognifold_pg.errors import (
    BackfillError,
    CannotForgetError,
    InvalidWatchError,
    UnknownWatchError,
    UnwatchableError,
    WatchExistsError,
)
from tests.watch.conftest import OWNER, Shop


@pytest.fixture
def owner_dsn(shop: Shop) -> str:
    """The shop owner's DSN."""
    return make_conninfo(shop.dsn, user=OWNER)


def test_memory_watches_backfills_and_ends(orders: Shop, owner_dsn: str) -> None:
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status, total) VALUES (1, 'placed', 0)".encode())
    with Memory(owner_dsn, tenant=orders.tenant) as memory:
        name = memory.watch(
            orders.table, "Order {id}: {= (100 / total)::int}", payload=["status"], only_if=None, operations=["insert"]
        )
        assert name == orders.table
        orders.clerk.execute(f"INSERT INTO {orders.table} (id, status, total) VALUES (2, 'placed', 50)".encode())
        first = memory.backfill(name, 1)
        assert (first.seen, first.total, first.done) == (1, 1, False)
        assert (memory.backfill(name).total, memory.backfill(name).done) == (2, True)
        assert [row.outcome for row in memory.fold()] == ["folded"]
        [shown] = memory.watched()
        assert (shown.status, shown.events, shown.repeated, shown.waiting, shown.faults) == ("active", 1, 1, 0, 1)
        [fault] = memory.watch_errors(name)
        assert (fault.operation, fault.state, fault.row_key) == ("backfill", "22012", "1")
        assert memory.watch_errors("another") == []
        assert memory.unwatch(name) == 0
        assert memory.watched() == []


def test_errors_have_classes(orders: Shop, owner_dsn: str) -> None:
    keyless = orders.create("id int", suffix="_keyless")
    with Memory(owner_dsn, tenant=orders.tenant) as memory:
        memory.watch(keyless, "{id}")
        tries: list[tuple[type[Exception], Callable[[], object]]] = [
            (InvalidWatchError, lambda: memory.watch(orders.table, "{nothing}")),
            (UnwatchableError, lambda: memory.watch("pg_class", "{oid}")),
            (UnknownWatchError, lambda: memory.unwatch("nothing")),
            (WatchExistsError, lambda: memory.watch(keyless, "{id}")),
            (BackfillError, lambda: memory.backfill(keyless)),
            (CannotForgetError, lambda: memory.watch(keyless, "{id}", name="other", on_delete="forget")),
            (TypeError, lambda: memory.watch(orders.table, "{id}", colour="red")),  # type: ignore[call-arg]
        ]
        for error, call in tries:
            with pytest.raises(error):
                call()


def test_the_command_line_watches_backfills_and_ends(orders: Shop, owner_dsn: str) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(app, [*words, "--tenant", orders.tenant, "--dsn", owner_dsn], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return " ".join(done.output.split())

    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed'), (2, 'placed')".encode())
    assert run("watched") == "nothing is watched"
    assert run("watch", orders.table, "Order {id}: {status}") == f"watching {orders.table}"
    assert run("backfill", orders.table, "--batch", "1") == f"{orders.table}: 2 rows read"
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (3, 'paid')".encode())
    assert orders.events() == ["Order 1: placed", "Order 2: placed", "Order 3: paid"]
    assert "active" in run("watched", "--errors")
    assert run("unwatch", orders.table) == f"no longer watching {orders.table}; 0 rows wait to become events"
