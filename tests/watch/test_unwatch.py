"""The end of a watch, of its table and of its database's copies."""

from __future__ import annotations

import subprocess

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.embedded.backends import find_backend
from tests.watch.conftest import CLERK, OWNER, Shop
from tests.watch.test_refused import traces


def test_unwatch_leaves_nothing_behind(orders: Shop) -> None:
    before = traces(orders)
    orders.watch("Order {id}", on_delete="event", tenants="{customer}")
    assert traces(orders) != before
    assert orders.owner.execute("SELECT cognifold.unwatch(%s)", [orders.table]).fetchone() == (0,)
    assert traces(orders) == before
    rights = orders.admin.execute(
        """
        SELECT (SELECT count(*) FROM pg_attribute AS a CROSS JOIN LATERAL aclexplode(a.attacl) AS g
                WHERE g.grantee = %(owner)s::regrole
                  AND a.attrelid IN ('cognifold_watch.inbox'::regclass, 'cognifold_watch.fault'::regclass))
             + (SELECT count(*) FROM pg_proc AS p CROSS JOIN LATERAL aclexplode(p.proacl) AS g
                WHERE g.grantee = %(owner)s::regrole AND p.pronamespace = 'cognifold_watch'::regnamespace)
        """,
        {"owner": OWNER},
    ).fetchone()
    assert rights == (0,)
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    assert orders.events() == []


def test_what_was_captured_before_still_becomes_events_and_then_the_watch_is_gone(orders: Shop) -> None:
    orders.watch("Order {id}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1), (2)".encode())
    assert orders.owner.execute("SELECT cognifold.unwatch(%s)", [orders.table]).fetchone() == (2,)
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (3)".encode())
    assert orders.owner.execute("SELECT status, waiting FROM cognifold.watched").fetchall() == [("ended", 2)]
    assert orders.events() == ["Order 1", "Order 2"]
    assert orders.owner.execute("SELECT FROM cognifold.watched").fetchall() == []


def test_a_second_watch_of_the_owner_keeps_what_it_needs(orders: Shop) -> None:
    orders.watch("Order {id}")
    orders.watch("Also {id}", name=orders.table + " also")
    orders.owner.execute("SELECT cognifold.unwatch(%s)", [orders.table])
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    assert orders.events() == ["Also 1"]


def test_a_table_that_is_dropped_takes_its_watch_along(orders: Shop) -> None:
    before = traces(orders)
    orders.watch("Order {id}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    orders.owner.execute(f"DROP TABLE {orders.table}".encode())
    assert orders.owner.execute("SELECT status FROM cognifold.watched").fetchall() == [("dropped",)]
    assert orders.events() == ["Order 1"]
    with pytest.raises(psycopg.Error):
        orders.owner.execute("SELECT cognifold.backfill(%s)", [orders.table])
    orders.owner.execute("SELECT cognifold.unwatch(%s)", [orders.table])
    assert traces(orders) == before


def test_one_that_is_forgotten_is_cleared_away_by_the_next_watch(orders: Shop) -> None:
    orders.watch("Order {id}")
    orders.owner.execute(f"DROP TABLE {orders.table}".encode())
    orders.create("id int PRIMARY KEY")
    orders.watch("New order {id}")
    assert orders.owner.execute("SELECT status FROM cognifold.watched").fetchall() == [("active",)]


def test_only_its_people_may_end_a_watch(orders: Shop) -> None:
    orders.watch("Order {id}")
    with orders.connect("test_writer") as stranger, pytest.raises(psycopg.Error) as caught:
        stranger.execute("SELECT cognifold.unwatch(%s)", [orders.table])
    assert caught.value.sqlstate == "CF042"
    with pytest.raises(psycopg.Error) as unknown:
        orders.owner.execute("SELECT cognifold.unwatch('none')")
    assert unknown.value.sqlstate == "CF042"


def test_a_watch_lives_on_in_a_restored_dump(orders: Shop) -> None:
    try:
        backend = find_backend()
        dump, psql = backend.program("pg_dump"), backend.program("psql")
    except Exception:  # no embedded backend is installed
        pytest.skip("no embedded backend brings pg_dump")
    if not dump.exists() or not psql.exists():
        pytest.skip("the embedded backend brings no pg_dump or psql")
    orders.watch("Order {id}: {= upper(status)}", on_delete="event")
    orders.clerk.execute(
        f"INSERT INTO {orders.table} (id, status) VALUES (1, 'a')".encode()
    )  # waits when the dump is made
    copy = make_conninfo(orders.dsn, dbname="watch_restored")
    orders.admin.execute("DROP DATABASE IF EXISTS watch_restored WITH (FORCE)")
    orders.admin.execute("CREATE DATABASE watch_restored TEMPLATE template0 ENCODING 'UTF8'")
    try:
        text = subprocess.run([str(dump), orders.dsn], capture_output=True, text=True, check=True).stdout
        subprocess.run(
            [str(psql), "-q", "-v", "ON_ERROR_STOP=1", copy], input=text, capture_output=True, text=True, check=True
        )
        with (
            psycopg.connect(make_conninfo(copy, user=CLERK), autocommit=True) as clerk,
            psycopg.connect(make_conninfo(copy, user=OWNER), autocommit=True) as owner,
        ):
            owner.execute("SELECT set_config('cognifold.tenant', %s, false)", [orders.tenant])
            clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (2, 'b')".encode())
            assert len(owner.execute("SELECT FROM cognifold.fold()").fetchall()) == 2
            found = owner.execute("SELECT content FROM cognifold.event ORDER BY id").fetchall()
            assert found == [("Order 1: A",), ("Order 2: B",)]
            assert owner.execute("SELECT status FROM cognifold.watched").fetchall() == [("active",)]
            owner.execute("SELECT cognifold.backfill(%s)", [orders.table])
            owner.execute("SELECT cognifold.fold()").fetchall()
            assert len(owner.execute("SELECT FROM cognifold.event").fetchall()) == 2
            owner.execute("SELECT cognifold.unwatch(%s)", [orders.table])
    finally:
        orders.admin.execute("DROP DATABASE watch_restored WITH (FORCE)")
