"""Whatever goes wrong with a capture, the application's statement goes through, and the fault is written down."""

from __future__ import annotations

import threading

import psycopg
import pytest

from tests.capture.conftest import at_once
from tests.watch.conftest import CLERK, OWNER, Shop


def test_a_row_on_which_an_expression_fails_is_left_out_and_the_others_are_captured(orders: Shop) -> None:
    orders.watch("Order {id}: {= 100 / total}")
    orders.clerk.execute(
        (
            f"INSERT INTO {orders.table} (id, total) "
            "SELECT i, CASE i WHEN 3 THEN 0 WHEN 40 THEN 0 ELSE 1 END FROM generate_series(1, 50) AS i"
        ).encode()
    )
    numbers = [int(event.split()[1].rstrip(":")) for event in orders.events()]
    assert sorted(numbers) == sorted(set(range(1, 51)) - {3, 40})
    assert orders.errors() == [("insert", "22012", "3", 1), ("insert", "22012", "40", 1)]


def test_a_fault_does_not_repeat_what_the_row_says(orders: Shop) -> None:
    orders.watch("Order {id}: {= status::integer}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'secret 77')".encode())
    assert orders.events() == []
    messages = orders.owner.execute("SELECT row_key, message FROM cognifold.watch_error").fetchall()
    assert messages == [("1", "invalid input syntax for type integer")]


def test_in_an_update_and_in_a_deletion_too(orders: Shop) -> None:
    orders.watch("Order {id}: {= 100 / total}", on_delete="event")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, total) VALUES (1, 1), (2, 1)".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET total = id - 1".encode())
    orders.clerk.execute(f"DELETE FROM {orders.table}".encode())
    found = orders.events()
    assert [event.split(":")[0] for event in found] == ["Order 1", "Order 2", "Order 2"]
    assert orders.errors() == [("update", "22012", "1", 1), ("delete", "22012", "1", 1)]


@pytest.mark.parametrize(
    ("column", "content"), [("occurred_at", "2026-13-77"), ("occurred_at", "now"), ("deadline", "04/05/2026")]
)
def test_a_time_that_is_none_makes_no_event(orders: Shop, column: str, content: str) -> None:
    orders.watch("Order {id}", **{column: "{status}"})
    orders.clerk.execute(
        f"INSERT INTO {orders.table} (id, status) VALUES (1, %s), (2, '2026-05-04')".encode(), [content]
    )
    assert orders.events() == ["Order 2"]
    assert orders.errors() == [("event", "CF046", "1", 1)]
    assert orders.owner.execute("SELECT events, refused FROM cognifold.watched").fetchall() == [(1, 1)]


def test_what_remember_refuses_makes_no_event_and_the_next_is_stored(orders: Shop) -> None:
    orders.watch("{status}", actor="{customer}")
    orders.clerk.execute(
        (
            f"INSERT INTO {orders.table} (id, status, customer) "
            "VALUES (1, ' ', 'Ada'), (2, 'fine', %s), (3, 'good', 'Bo')"
        ).encode(),
        ["x" * 1001],
    )
    assert orders.events() == ["good"]
    assert orders.errors() == [("event", "CF046", "1", 1), ("event", "CF010", "2", 1)]


def test_a_tenant_that_does_not_exist_is_a_fault_at_once(orders: Shop) -> None:
    orders.watch("Order {id}", tenants="{customer}")
    orders.clerk.execute(
        f"INSERT INTO {orders.table} (id, customer) VALUES (1, 'nobody'), (2, %s), (3, NULL)".encode(), [orders.tenant]
    )
    assert orders.events() == ["Order 2"]
    [(operation, state, key, lost)] = orders.errors()
    assert (operation, state, key, lost) == ("insert", "CF002", None, 2)


def test_a_tenant_that_the_watchs_maker_may_not_use_gets_nothing(orders: Shop, new_tenant: object) -> None:
    other = orders.tenant + " c"
    orders.admin.execute("SELECT cognifold.create_tenant(%s)", [other])
    orders.watch("Order {id}", tenants="{customer}")
    orders.admin.execute(b"SELECT cognifold.bind_role(%s, %s)", [OWNER, orders.tenant])
    try:
        orders.clerk.execute(
            f"INSERT INTO {orders.table} (id, customer) VALUES (1, %s), (2, %s)".encode(), [other, orders.tenant]
        )
        with orders.connect("test_writer", other) as stranger:
            assert stranger.execute("SELECT FROM cognifold.fold()").fetchall() == []
        assert orders.events() == ["Order 2"]
        assert orders.errors() == [("event", "CF003", "1", 1)]
    finally:
        orders.admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = %s", [OWNER])


@pytest.mark.parametrize("content", ["Order {id}: {status}", "Order {id}: {= upper(status)}"])
@pytest.mark.parametrize(
    ("change", "status"),
    [
        ("ALTER TABLE {} DROP COLUMN status CASCADE", "broken"),
        ("ALTER TABLE {} RENAME COLUMN status TO state", "broken"),
        ("ALTER TABLE {} DISABLE TRIGGER USER", "disabled"),
    ],
)
def test_a_table_that_changed_under_its_watch_goes_on_and_the_view_says_so(
    orders: Shop, content: str, change: str, status: str
) -> None:
    orders.watch(content)
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())  # the trigger has a plan by now
    orders.owner.execute(change.format(orders.table).encode())
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (2), (3)".encode())
    assert len(orders.events()) == 1
    assert orders.owner.execute("SELECT status FROM cognifold.watched").fetchall() == [(status,)]
    assert orders.errors() == ([("insert", "42703", None, 2)] if status == "broken" else [])


def test_a_column_of_another_type_is_captured_as_it_is_now(orders: Shop) -> None:
    orders.watch("Order {id}: {total}", payload=["total"])
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, total) VALUES (1, 1.5)".encode())
    orders.owner.execute(f"ALTER TABLE {orders.table} ALTER total TYPE text".encode())
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, total) VALUES (2, 'much')".encode())
    assert orders.events() == ["Order 1: 1.5", "Order 2: much"]
    assert orders.owner.execute("SELECT status FROM cognifold.watched").fetchall() == [("changed",)]


def test_columns_that_the_watch_does_not_use_may_come_and_go(orders: Shop) -> None:
    orders.watch("Order {id}: {= upper(status)}")
    orders.owner.execute(f"ALTER TABLE {orders.table} DROP COLUMN customer".encode())
    orders.owner.execute(f"ALTER TABLE {orders.table} ADD COLUMN wished text DEFAULT 'x'".encode())
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'a')".encode())
    assert orders.events() == ["Order 1: A"]
    assert orders.owner.execute("SELECT status FROM cognifold.watched").fetchall() == [("active",)]


def test_a_table_that_is_renamed_or_moved_stays_watched(orders: Shop) -> None:
    name = orders.watch("Order {id}: {= upper(status)}", only_if="old.status IS NULL")
    orders.owner.execute(f"ALTER TABLE {orders.table} RENAME TO moved".encode())
    orders.owner.execute("ALTER TABLE shop.moved SET SCHEMA annex")
    orders.clerk.execute("INSERT INTO annex.moved (id, status) VALUES (1, 'a')")
    orders.clerk.execute("UPDATE annex.moved SET status = 'b'")
    assert orders.events() == ["Order 1: A"]
    shown = orders.owner.execute("SELECT name, relation, status FROM cognifold.watched").fetchall()
    assert shown == [(name, "annex.moved", "active")]
    assert orders.owner.execute("SELECT seen FROM cognifold.backfill('annex.moved')").fetchall() == [(1,)]
    assert orders.events() == ["Order 1: A", "Order 1: B"]


def test_a_right_that_was_taken_away_hurts_nobody(orders: Shop) -> None:
    orders.watch("Order {id}")
    orders.admin.execute(f"REVOKE ALL ON SCHEMA cognifold_watch FROM {OWNER}".encode())
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    assert orders.events() == []
    assert orders.clerk.execute(f"SELECT count(*) FROM {orders.table}".encode()).fetchone() == (1,)


def test_a_memory_that_is_gone_hurts_nobody(orders: Shop) -> None:
    orders.watch("Order {id}: {= upper(status)}", tenants="{customer}")
    with orders.admin.transaction(force_rollback=True):
        orders.admin.execute("ALTER SCHEMA cognifold RENAME TO gone")
        orders.admin.execute("ALTER TABLE cognifold_watch.inbox RENAME TO lost")
        orders.admin.execute("ALTER TABLE cognifold_watch.fault RENAME TO found")
        orders.admin.execute("DROP FUNCTION cognifold_watch.has_room(integer)")
        orders.admin.execute(f"INSERT INTO {orders.table} (id, customer) VALUES (1, 'x')".encode())
        assert orders.admin.execute(f"SELECT count(*) FROM {orders.table}".encode()).fetchone() == (1,)


def test_a_lock_on_the_inbox_is_not_waited_for_long(orders: Shop) -> None:
    orders.watch("Order {id}")
    with orders.admin.transaction():
        orders.admin.execute("LOCK TABLE cognifold_watch.inbox IN ACCESS EXCLUSIVE MODE")
        orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    assert orders.errors() == [("insert", "55P03", None, 1)]
    assert orders.clerk.execute("SHOW lock_timeout").fetchone() == ("0",)


def test_a_statement_that_is_cancelled_stays_cancelled(orders: Shop) -> None:
    orders.owner.execute(
        "CREATE OR REPLACE FUNCTION shop.slow(bigint) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS "
        "$$BEGIN IF $1 > 0 THEN PERFORM pg_sleep(30); END IF; RETURN $1; END$$"
    )
    orders.watch("Order {= shop.slow(id)}")
    with orders.connect(CLERK) as clerk:
        clerk.execute("SET statement_timeout = '200ms'")
        with pytest.raises(psycopg.errors.QueryCanceled):
            clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
        clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (-1)".encode())
    assert orders.events() == ["Order -1"]
    assert orders.errors() == []


def test_faults_are_bounded(orders: Shop) -> None:
    orders.admin.execute("UPDATE cognifold.setting_default SET value = 5 WHERE name = 'watch.faults'")
    try:
        orders.watch("Order {id}: {= 100 / total}", occurred_at="{status}")
        for turn in range(20):
            orders.clerk.execute(f"INSERT INTO {orders.table} (id, total) VALUES ({turn}, 0)".encode())
        assert len(orders.errors()) == 10
        orders.clerk.execute(f"INSERT INTO {orders.table} (id, total, status) VALUES (50, 1, 'never')".encode())
        assert orders.events() == []
        assert [key for _, _, key, _ in orders.errors()] == ["6", "7", "8", "9", "50"]
    finally:
        orders.admin.execute("UPDATE cognifold.setting_default SET value = 200 WHERE name = 'watch.faults'")


def test_faults_of_a_watch_are_shown_to_its_people_only(orders: Shop) -> None:
    orders.watch("Order {id}: {= 100 / total}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, total) VALUES (1, 0)".encode())
    with orders.connect("test_writer") as stranger:
        assert stranger.execute("SELECT FROM cognifold.watch_error").fetchall() == []
        assert stranger.execute("SELECT FROM cognifold.watched").fetchall() == []
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            stranger.execute("SELECT FROM cognifold.watch")
    assert len(orders.errors()) == 1


def test_writers_do_not_wait_for_a_fold(orders: Shop) -> None:
    orders.watch("Order {id}: {= 100 / total}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, total) VALUES (1, 1)".encode())
    with orders.owner.transaction():
        assert len(orders.owner.execute("SELECT FROM cognifold.fold()").fetchall()) == 1
        with orders.connect(CLERK) as clerk:
            clerk.execute("SET lock_timeout = '2s'")
            clerk.execute(f"INSERT INTO {orders.table} (id, total) VALUES (2, 1), (3, 0)".encode())
            clerk.execute(f"UPDATE {orders.table} SET total = 2 WHERE id = 1".encode())
    assert len(orders.events()) == 3


def test_a_watch_that_comes_and_goes_under_writers_fails_none_of_them(orders: Shop) -> None:
    stopping = threading.Event()

    def act(number: int) -> int:
        if number == 0:
            with orders.connect(OWNER, orders.tenant) as owner:
                for _ in range(5):
                    owner.execute(
                        "SELECT cognifold.watch(%s::regclass, 'Order {id}', name => %s)",
                        [orders.table, orders.table + " x"],
                    )
                    owner.execute("SELECT cognifold.unwatch(%s)", [orders.table + " x"])
                    while owner.execute("SELECT FROM cognifold.claim_folds(1)").fetchall():
                        pass
            stopping.set()
            return 0
        written = 0
        with orders.connect(CLERK) as clerk:
            while not stopping.is_set():
                clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (%s)".encode(), [number * 1_000_000 + written])
                written += 1
        return written

    written = at_once(4, act)
    assert orders.clerk.execute(f"SELECT count(*) FROM {orders.table}".encode()).fetchone() == (sum(written),)


def test_watches_made_at_once_are_all_made_and_of_one_name_only_one(orders: Shop) -> None:
    def make(number: int) -> str:
        with orders.connect(OWNER, orders.tenant) as owner:
            try:
                owner.execute(
                    "SELECT cognifold.watch(%s::regclass, 'Order {id}', name => %s)",
                    [orders.table, f"{orders.table} {number % 3}"],
                )
            except psycopg.Error as error:
                return error.sqlstate or ""
        return "made"

    assert sorted(at_once(6, make)) == ["CF043"] * 3 + ["made"] * 3
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    assert orders.events() == ["Order 1"] * 3


@pytest.mark.parametrize("setting", ["row_security", "standard_conforming_strings", "backslash_quote", "array_nulls"])
@pytest.mark.parametrize("content", ["Order {id} is {status}", r"Order {id} is {= split_part(status, '\', 1)}"])
def test_no_setting_of_the_writer_fails_the_statement_or_loses_the_row(
    orders: Shop, setting: str, content: str
) -> None:
    """A restore has row_security off; a string that ends in a backslash does not end in the old syntax of strings."""
    orders.watch(content, only_if=r"status <> '\'")
    orders.clerk.execute("SET escape_string_warning = off")
    orders.clerk.execute(f"SET {setting} = off".encode())
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'new')".encode())
    assert orders.events() == ["Order 1 is new"]
    assert orders.errors() == []


def test_json_that_jsonb_cannot_hold_is_captured_with_the_rows_beside_it(shop: Shop) -> None:
    shop.create("id bigint PRIMARY KEY, said json")
    shop.watch("Row {id}", payload=["said"])
    shop.clerk.execute(
        f"INSERT INTO {shop.table} VALUES (1, %s), (2, %s)".encode(), [r'{"a": "\u0000"}', r'{"a": [1, null]}']
    )
    assert shop.field("payload -> 'said'") == [r'{"a": "\u0000"}', {"a": [1, None]}]
    assert shop.errors() == []


def test_a_table_with_another_owner_is_captured_as_before_and_the_view_says_so(orders: Shop) -> None:
    orders.watch("Order {id}")
    orders.admin.execute(f"ALTER TABLE {orders.table} OWNER TO postgres".encode())
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    assert orders.events() == ["Order 1"]
    assert orders.owner.execute("SELECT status FROM cognifold.watched WHERE name = %s", [orders.table]).fetchone() == (
        "changed",
    )


def test_rows_of_an_owner_who_was_renamed_are_faults_and_not_lost_in_silence(orders: Shop) -> None:
    """Who was allowed what is known by names: nobody inherits it with a name, and nothing disappears without a word."""
    orders.watch("Order {id}")
    orders.admin.execute("ALTER ROLE test_shop_owner RENAME TO test_shop_heir")
    try:
        orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
        watched = orders.admin.execute(
            "SELECT status FROM cognifold.watched WHERE name = %s", [orders.table]
        ).fetchone()
        assert watched == ("broken",)
        with orders.connect("test_writer", orders.tenant) as writer:
            assert writer.execute("SELECT FROM cognifold.fold()").fetchall() == []
    finally:
        orders.admin.execute("ALTER ROLE test_shop_heir RENAME TO test_shop_owner")
    assert orders.errors() == [("event", "CF003", "1", 1)]
