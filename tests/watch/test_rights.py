"""What a table's owner, who owns the functions that a watch runs, can make of that."""

from __future__ import annotations

import psycopg
import pytest

from tests.watch.conftest import Shop

BACKFILL = "(place regclass, after text[], size integer, skip boolean, OUT seen bigint, OUT last text[])"


def number(shop: Shop) -> int:
    """The number of the test's watch."""
    row = shop.admin.execute("SELECT watch_id FROM cognifold.watch WHERE name = %s", [shop.table]).fetchone()
    assert row is not None
    return int(row[0])


def test_a_function_that_its_owner_makes_run_as_its_caller_has_no_right_at_all(orders: Shop) -> None:
    """ALTER FUNCTION needs no right in the schema; what it makes of a function gets none of the memory's rights."""
    orders.owner.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    orders.watch("Order {id}")
    made = f"cognifold_watch.w{number(orders)}_backfill"
    orders.owner.execute(f"ALTER FUNCTION {made} SECURITY INVOKER".encode())
    with pytest.raises(psycopg.Error, match="permission denied"):
        orders.owner.execute("SELECT cognifold.backfill(%s)", [orders.table])

    # Even where the owner could write it anew: by an administrator's mistake, say.
    orders.admin.execute("GRANT CREATE ON SCHEMA cognifold_watch TO test_shop_owner")
    try:
        orders.owner.execute(
            f"CREATE OR REPLACE FUNCTION {made}{BACKFILL} LANGUAGE plpgsql AS "
            "$$BEGIN RAISE EXCEPTION USING ERRCODE = '0A000', MESSAGE = 'I am ' || current_user; END$$".encode()
        )
    finally:
        orders.admin.execute("REVOKE CREATE ON SCHEMA cognifold_watch FROM test_shop_owner")
    with pytest.raises(psycopg.Error, match="I am cognifold_nobody"):
        orders.owner.execute("SELECT cognifold.backfill(%s)", [orders.table])


def test_a_watch_that_is_begun_and_not_made_cannot_be_committed(orders: Shop) -> None:
    """Its owner would keep the right to create functions that the memory calls, or takes for another's watch."""
    with pytest.raises(psycopg.Error, match="begun, and not made"), orders.owner.transaction():
        orders.owner.execute("SELECT cognifold.begin_watch(%s, NULL, NULL)", [orders.table])
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        orders.owner.execute("CREATE FUNCTION cognifold_watch.mine() RETURNS int LANGUAGE sql RETURN 1")


@pytest.mark.parametrize("beside", ["FUNCTION {}() RETURNS int LANGUAGE sql RETURN 1", "VIEW {} AS SELECT 1 AS one"])
def test_nothing_else_can_be_made_beside_a_watch(orders: Shop, beside: str) -> None:
    with (
        pytest.raises(psycopg.Error, match=r"cognifold_watch\.\w+(\(\))? was created beside it"),
        orders.owner.transaction(),
    ):
        begun = orders.owner.execute("SELECT watch_id FROM cognifold.begin_watch(%s, NULL, NULL)", [orders.table])
        row = begun.fetchone()
        assert row is not None
        orders.owner.execute(("CREATE " + beside.format(f"cognifold_watch.w{row[0] + 1}_insert")).encode())
        orders.owner.execute(
            "SELECT cognifold.record_watch(%s, %s, 'x', '{insert}', '{}', '[]', '{}', '{}', '{}')",
            [row[0], orders.table],
        )


def test_a_watch_is_made_where_constraints_are_checked_at_once(orders: Shop) -> None:
    with orders.owner.transaction():
        orders.owner.execute("SET CONSTRAINTS ALL IMMEDIATE")
        orders.watch("Order {id}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    assert orders.events() == ["Order 1"]


def test_a_watch_of_somebody_elses_with_the_tables_name_hides_no_watch(orders: Shop) -> None:
    orders.admin.execute("CREATE TABLE annex.others (id int PRIMARY KEY)")
    orders.admin.execute(
        "SELECT cognifold.watch('annex.others', '{id}', tenants => %s, name => %s)", [orders.tenant, orders.table]
    )
    orders.watch("Order {id}", name=orders.table + " too")
    assert orders.owner.execute("SELECT cognifold.unwatch(%s)", [orders.table]).fetchone() == (0,)
    assert orders.admin.execute("SELECT name, owner FROM cognifold.watch").fetchall() == [(orders.table, "postgres")]
    orders.admin.execute("SELECT cognifold.unwatch(%s)", [orders.table])
