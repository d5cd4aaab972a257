"""A watched row that is deleted, and with it what was remembered of it."""

from __future__ import annotations

from tests.conftest import Connection, value
from tests.watch.conftest import Shop


def test_what_is_deleted_is_forgotten_and_nothing_else(orders: Shop) -> None:
    orders.watch("Order {id}: {status}", on_delete="forget")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed'), (11, 'placed')".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'paid' WHERE id = 1".encode())
    assert orders.events() == ["Order 1: placed", "Order 11: placed", "Order 1: paid"]
    orders.clerk.execute(f"DELETE FROM {orders.table} WHERE id = 1".encode())
    assert orders.events() == ["Order 11: placed"]
    # A row of that key that comes later is another.
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed')".encode())
    assert orders.events() == ["Order 11: placed", "Order 1: placed"]
    assert value(orders.owner, "SELECT count(*) FROM cognifold.check()") == 0
    assert orders.admin.execute(
        "SELECT criteria, forgotten_by FROM cognifold.forgetting WHERE tenant_id = %s", [orders.tenant]
    ).fetchall() == [(["watch"], "watch")]


def test_it_is_forgotten_before_it_was_taken_in(orders: Shop) -> None:
    orders.watch("Order {id}: {status}", on_delete="forget")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed'), (2, 'placed')".encode())
    orders.clerk.execute(f"DELETE FROM {orders.table} WHERE id = 2".encode())
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (2, 'new')".encode())
    assert orders.events() == ["Order 1: placed", "Order 2: new"]


def test_a_key_reaches_no_event_of_others(orders: Shop) -> None:
    orders.owner.execute("SELECT cognifold.remember('Not of the shop', idempotency_key => 'order 1')")
    orders.watch("Order {id}", on_delete="forget", source_key="order {id}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed'), (2, 'placed')".encode())
    assert orders.events() == ["Not of the shop", "Order 2"]
    orders.clerk.execute(f"DELETE FROM {orders.table}".encode())
    assert orders.events() == ["Not of the shop"]


def test_keys_with_colons_are_told_apart(shop: Shop) -> None:
    shop.create("id text PRIMARY KEY")
    shop.watch("Row {id}", on_delete="forget")
    shop.clerk.execute(f"INSERT INTO {shop.table} VALUES ('a'), ('a:b')".encode())
    assert shop.events() == ["Row a", "Row a:b"]
    shop.clerk.execute(f"DELETE FROM {shop.table} WHERE id = 'a'".encode())
    assert shop.events() == ["Row a:b"]


def test_a_forgetting_that_fails_is_a_fault_and_no_more(orders: Shop, admin: Connection) -> None:
    orders.watch("Order {id}", on_delete="forget")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed'), (2, 'placed')".encode())
    assert orders.events() == ["Order 1", "Order 2"]
    admin.execute("ALTER TABLE cognifold.forgetting ADD CONSTRAINT stuck CHECK (criteria <> '{watch}') NOT VALID")
    try:
        orders.clerk.execute(f"DELETE FROM {orders.table} WHERE id = 1".encode())
        assert orders.events() == ["Order 1", "Order 2"]
    finally:
        admin.execute("ALTER TABLE cognifold.forgetting DROP CONSTRAINT stuck")
    assert [error[:3] for error in orders.errors()] == [("event", "23514", "1")]


def test_many_rows_go_at_once(orders: Shop) -> None:
    rows = 70
    orders.watch("Order {id}", on_delete="forget")
    orders.clerk.execute(
        f"INSERT INTO {orders.table} (id, status) SELECT i, 'x' FROM generate_series(1, {rows}) i".encode()
    )
    assert len(orders.events()) == rows
    orders.clerk.execute(f"DELETE FROM {orders.table}".encode())
    assert orders.events() == []
