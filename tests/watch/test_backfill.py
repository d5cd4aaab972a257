"""Rows that were there before the watch."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.watch.conftest import OWNER, Shop


def backfill(shop: Shop, batch: int = 1000, **arguments: Any) -> tuple[int, int, bool]:
    """One call of backfill; rows seen by it, rows seen in all, whether nothing was left."""
    more = "".join(f", {name} => %({name})s" for name in arguments)
    row = shop.owner.execute(
        f"SELECT seen, total, done FROM cognifold.backfill(%(name)s, %(batch)s{more})".encode(),
        {"name": shop.table, "batch": batch, **arguments},
    ).fetchone()
    assert row is not None
    seen, total, done = row
    return seen, total, done


def test_it_goes_through_the_table_in_batches_in_order_of_the_key(orders: Shop) -> None:
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (5), (3), (-1), (4), (10)".encode())
    orders.watch("Order {id}")
    assert orders.events() == []
    assert [backfill(orders, 2) for _ in range(4)] == [(2, 2, False), (2, 4, False), (1, 5, False), (0, 5, True)]
    assert orders.events() == ["Order -1", "Order 3", "Order 4", "Order 5", "Order 10"]
    assert orders.owner.execute("SELECT backfilled, backfilled_at IS NOT NULL FROM cognifold.watched").fetchall() == [
        (5, True)
    ]


def test_it_goes_on_where_it_was_when_a_batch_was_rolled_back(orders: Shop) -> None:
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) SELECT generate_series(1, 6)".encode())
    orders.watch("Order {id}")
    backfill(orders, 2)
    with orders.owner.transaction(force_rollback=True):
        backfill(orders, 2)
    assert backfill(orders, 10) == (4, 6, False)
    assert orders.events() == [f"Order {number}" for number in range(1, 7)]


def test_a_row_captured_live_meanwhile_is_no_second_event(orders: Shop) -> None:
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'a'), (2, 'a'), (3, 'a')".encode())
    orders.watch("{id}: {status}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (4, 'a')".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'b' WHERE id = 2".encode())
    backfill(orders)
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'c' WHERE id = 3".encode())
    assert sorted(orders.events()) == ["1: a", "2: b", "3: a", "3: c", "4: a"]
    counts = orders.owner.execute("SELECT events, repeated FROM cognifold.watched").fetchall()
    assert counts == [(5, 2)]


def test_a_second_time_it_makes_no_event_of_what_has_not_changed(orders: Shop) -> None:
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'a'), (2, 'a')".encode())
    orders.watch("{id}: {status}")
    backfill(orders)
    assert backfill(orders, restart=True) == (2, 2, False)
    assert orders.events() == ["1: a", "2: a"]
    orders.owner.execute("SELECT cognifold.unwatch(%s)", [orders.table])
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'b' WHERE id = 2".encode())
    orders.watch("{id}: {status}")
    backfill(orders)
    assert orders.events() == ["1: a", "2: a", "2: b"]


def test_keys_of_several_columns_and_types_are_gone_through_in_their_own_order(shop: Shop) -> None:
    shop.create('day date, "Name" text COLLATE "C", number numeric, PRIMARY KEY (day, "Name", number)')
    shop.clerk.execute(
        f"""INSERT INTO {shop.table} VALUES ('2026-01-02', 'b', 10), ('2026-01-02', 'b', 9),
            ('2026-01-02', 'a', 11), ('2025-12-31', 'z', 1)""".encode()
    )
    shop.watch("{day} {Name} {number}")
    while not backfill(shop, 1)[2]:
        pass
    assert shop.events() == ["2025-12-31 z 1", "2026-01-02 a 11", "2026-01-02 b 9", "2026-01-02 b 10"]


def test_filters_expressions_and_tenants_hold_as_for_new_rows(orders: Shop) -> None:
    orders.clerk.execute(
        (
            f"INSERT INTO {orders.table} (id, customer, status, total) "
            "VALUES (1, %s, 'a', 5), (2, %s, 'b', 50), (3, 'nobody', 'c', 60)"
        ).encode(),
        [orders.tenant, orders.tenant],
    )
    orders.watch("{id}: {= upper(status)} {old.status}", tenants="{customer}", only_if="total > 10")
    backfill(orders)
    assert orders.events() == ["2: B "]


def test_a_row_on_which_an_expression_fails_is_passed_over_and_noted(orders: Shop) -> None:
    orders.clerk.execute(
        (
            f"INSERT INTO {orders.table} (id, total) "
            "SELECT i, CASE i WHEN 6 THEN 0 ELSE 100 END FROM generate_series(1, 12) AS i"
        ).encode()
    )
    orders.watch("{id}: {= (100 / total)::int}")
    while not backfill(orders, 8)[2]:
        pass
    assert orders.events() == [f"{number}: 1" for number in range(1, 13) if number != 6]
    assert orders.errors() == [("backfill", "22012", "6", 1)]


def test_a_table_without_a_key_cannot_be_gone_through(shop: Shop) -> None:
    shop.create("id int")
    shop.watch("{id}")
    with pytest.raises(psycopg.Error) as caught:
        backfill(shop)
    assert caught.value.sqlstate == "CF044"


def test_a_table_that_changed_is_not_read_as_if_it_had_not(orders: Shop) -> None:
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'a')".encode())
    orders.watch("{id}: {status}")
    orders.owner.execute(f"ALTER TABLE {orders.table} DROP COLUMN status".encode())
    with pytest.raises(psycopg.Error) as caught:
        backfill(orders)
    assert caught.value.sqlstate == "CF044"
    assert "status" in str(caught.value)


def test_arguments_out_of_range_and_watches_that_are_not_ones_own(orders: Shop) -> None:
    orders.watch("{id}")
    with pytest.raises(psycopg.Error) as caught:
        backfill(orders, 0)
    assert caught.value.sqlstate == "CF010"
    with orders.connect("test_writer") as stranger, pytest.raises(psycopg.Error) as hidden:
        stranger.execute("SELECT cognifold.backfill(%s)", [orders.table])
    assert hidden.value.sqlstate == "CF042"


def test_two_that_backfill_at_once_share_the_work(orders: Shop) -> None:
    from tests.capture.conftest import at_once

    orders.clerk.execute(f"INSERT INTO {orders.table} (id) SELECT generate_series(1, 40)".encode())
    orders.watch("Order {id}")

    def work(number: int) -> int:
        seen = 0
        with orders.connect(OWNER, orders.tenant) as owner:
            while row := owner.execute(
                "SELECT seen FROM cognifold.backfill(%s, 3) WHERE NOT done", [orders.table]
            ).fetchone():
                seen += row[0]
        return seen

    assert sum(at_once(3, work)) == 40
    assert sorted(orders.events()) == sorted(f"Order {number}" for number in range(1, 41))


def test_names_and_words_with_quotes_and_marks_in_them(shop: Shop) -> None:
    table = f"""shop."t@table@ 'é %s\\{shop.table}\""""
    shop.owner.execute(f"""CREATE TABLE {table} ("k'1" text, "k%2" date, PRIMARY KEY ("k'1", "k%2"))""".encode())
    shop.owner.execute(f"INSERT INTO {table} VALUES ('a,''b', '2026-05-04'), ('c', 'infinity')".encode())
    name = shop.watch("{k'1} {k%2} {= 'it''s %s @table@'}", table, name=shop.table)
    assert shop.owner.execute("SELECT * FROM cognifold.backfill(%s, 1)", [name]).fetchone() == (1, 1, False)
    assert shop.owner.execute("SELECT * FROM cognifold.backfill(%s)", [name]).fetchone() == (1, 2, False)
    assert shop.owner.execute("SELECT * FROM cognifold.backfill(%s)", [name]).fetchone() == (0, 2, True)
    assert shop.events() == ["a,'b 2026-05-04 it's %s @table@", "c infinity it's %s @table@"]
