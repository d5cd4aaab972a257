"""What becomes of a row that is written: one event, that says what the template says of that state of the row."""

from __future__ import annotations

import json

import psycopg
import pytest

from tests.capture.conftest import at_once
from tests.conftest import at
from tests.watch.conftest import CLERK, Shop


def test_a_row_that_is_inserted_becomes_an_event(orders: Shop) -> None:
    orders.watch(
        "Order {id} of {customer} is {status}",
        title="Order {id}",
        actor="{customer}",
        occurred_at="{placed_at}",
        payload=["total", "status"],
    )
    orders.clerk.execute(
        f"INSERT INTO {orders.table} VALUES (7, 'Ada', 'placed', 12.50, '2026-05-04 09:30+02')".encode()
    )
    assert orders.events() == ["Order 7 of Ada is placed"]
    assert orders.field("title") == ["Order 7"]
    assert orders.field("actor") == ["Ada"]
    assert orders.field("source") == [orders.table]
    assert orders.field("occurred_at") == [at("2026-05-04T07:30:00+00:00")]
    assert orders.field("payload") == [{"total": 12.50, "status": "placed"}]


def test_it_is_folded_like_any_other_event_and_workers_see_that_it_waits(orders: Shop) -> None:
    orders.watch("Order {id} is {status}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed'), (2, 'paid')".encode())
    waiting = orders.admin.execute(
        "SELECT waiting FROM cognifold.tenants_with_work() WHERE tenant = %s", [orders.tenant]
    ).fetchall()
    assert waiting == [(2,)]
    outcomes = orders.owner.execute("SELECT outcome FROM cognifold.fold()").fetchall()
    assert outcomes == [("folded",), ("folded",)]
    assert orders.owner.execute("SELECT * FROM cognifold.check()").fetchall() == []


def test_nothing_is_captured_of_a_transaction_that_is_rolled_back(orders: Shop) -> None:
    orders.watch("Order {id}")
    with pytest.raises(ZeroDivisionError), orders.clerk.transaction():
        orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
        raise ZeroDivisionError
    with orders.clerk.transaction():
        with orders.clerk.transaction(force_rollback=True):
            orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (2)".encode())
        orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (3)".encode())
    assert orders.events() == ["Order 3"]


def test_an_update_says_what_was_and_what_is(orders: Shop) -> None:
    orders.watch("Order {id}: {status}", content_of_update="Order {id}: from {old.status} to {new.status}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status, total) VALUES (1, 'placed', 3)".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'paid'".encode())
    assert orders.events() == ["Order 1: placed", "Order 1: from placed to paid"]
    assert orders.field("payload -> 'changed'") == [None, {"status": {"old": "placed", "new": "paid"}}]


def test_an_update_of_columns_that_the_watch_does_not_use_is_no_event(orders: Shop) -> None:
    orders.watch("Order {id}: {status}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status, total) VALUES (1, 'placed', 3)".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET total = 4".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'placed'".encode())
    assert orders.events() == ["Order 1: placed"]


def test_only_a_change_of_the_named_columns_is_an_event(orders: Shop) -> None:
    orders.watch("Order {id}: {status}, {total}", changed=["status"])
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status, total) VALUES (1, 'placed', 3)".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET total = 4".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET status = NULL".encode())
    assert orders.events() == ["Order 1: placed, 3", "Order 1: , 4"]


def test_a_column_that_only_an_expression_uses_counts_as_used(orders: Shop) -> None:
    orders.watch("Order {id}: {= upper(status)}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status, total) VALUES (1, 'placed', 3)".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'paid'".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET total = 9".encode())
    assert orders.events() == ["Order 1: PLACED", "Order 1: PAID"]


def test_a_deletion_is_an_event_where_that_is_asked_for(orders: Shop) -> None:
    orders.watch(
        "Order {id}", on_delete="event", content_of_delete="Order {id} of {old.customer} was taken back{new.status}"
    )
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, customer) VALUES (1, 'Ada'), (2, 'Bo')".encode())
    orders.clerk.execute(f"DELETE FROM {orders.table}".encode())
    assert orders.events() == ["Order 1", "Order 2", "Order 1 of Ada was taken back", "Order 2 of Bo was taken back"]


def test_a_deletion_is_ignored_by_default(orders: Shop) -> None:
    orders.watch("Order {id}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    orders.clerk.execute(f"DELETE FROM {orders.table}".encode())
    assert orders.events() == ["Order 1"]


def test_only_the_operations_asked_for_are_captured(orders: Shop) -> None:
    orders.watch("Order {id}: {status}", operations=["update"])
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed')".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'paid'".encode())
    assert orders.events() == ["Order 1: paid"]


def test_a_filter_lets_some_rows_through(orders: Shop) -> None:
    orders.watch("Order {id}: {status}", only_if="total > 10 AND status IS DISTINCT FROM old.status")
    orders.clerk.execute(
        (
            f"INSERT INTO {orders.table} (id, status, total) "
            "VALUES (1, 'placed', 11), (2, 'placed', 9), (3, 'placed', NULL)"
        ).encode()
    )
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'paid'".encode())
    assert orders.events() == ["Order 1: placed", "Order 1: paid"]


def test_braces_are_written_twice_and_missing_values_are_nothing(orders: Shop) -> None:
    orders.watch("{{{id}}} [{status}] {= '{{' || customer || '}}'}", title="{customer}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, customer) VALUES (1, 'Ada')".encode())
    assert orders.events() == ["{1} [] {Ada}"]


def test_a_column_of_any_name_can_be_used_and_a_value_is_never_taken_for_more_than_text(shop: Shop) -> None:
    shop.create(
        """id int PRIMARY KEY, "Order No." text, "state" text, low text, "x""; DROP TABLE x; --" text, "select" text"""
    )
    shop.watch('{Order No.}/{state}/{low}/{x"; DROP TABLE x; --}/{select}', only_if='"select" <> low')
    hostile = "'); DROP TABLE shop.x; --"
    shop.clerk.execute(f"INSERT INTO {shop.table} VALUES (1, '{{id}}', %s, '%%s', '{{= id}}', 'L')".encode(), [hostile])
    assert shop.events() == [f"{{id}}/{hostile}/%s/{{= id}}/L"]


def test_a_name_in_an_expression_means_what_it_meant_when_the_table_was_watched(orders: Shop) -> None:
    orders.owner.execute("CREATE OR REPLACE FUNCTION annex.shown(text) RETURNS text IMMUTABLE RETURN 'annex ' || $1")
    orders.owner.execute("CREATE OR REPLACE FUNCTION shop.shown(text) RETURNS text IMMUTABLE RETURN 'shop ' || $1")
    orders.owner.execute("SET search_path = annex, public")
    orders.watch("{= shown(status)}")
    orders.clerk.execute("SET search_path = shop")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed')".encode())
    assert orders.events() == ["annex placed"]
    orders.owner.execute("DROP FUNCTION annex.shown(text), shop.shown(text)")


@pytest.mark.parametrize(
    ("zone", "style"), [("UTC", "ISO, MDY"), ("Pacific/Auckland", "German"), ("America/Caracas", "SQL, DMY")]
)
def test_texts_and_times_do_not_follow_the_writers_settings(shop: Shop, zone: str, style: str) -> None:
    shop.create(
        "id int PRIMARY KEY, at timestamptz, naive timestamp, day date, took interval,"
        " share double precision, raw bytea"
    )
    shop.watch("{at} {naive} {day} {took} {share} {raw}", occurred_at="{at}")
    with shop.clerk.transaction():
        for name, setting in (
            ("TimeZone", zone),
            ("DateStyle", style),
            ("IntervalStyle", "sql_standard"),
            ("extra_float_digits", "-5"),
            ("bytea_output", "escape"),
        ):
            shop.clerk.execute("SELECT set_config(%s, %s, true)", [name, setting])
        shop.clerk.execute(
            f"""INSERT INTO {shop.table} VALUES (1, timestamptz '2026-03-04 05:06:07.5+00',
                timestamp '2026-03-04 05:06:07',
                date '2026-03-04', interval '1 day 2 hours', 0.1::float8 + 0.2, '\\xff00')""".encode()
        )
    assert shop.events() == [
        "2026-03-04 05:06:07.5+00 2026-03-04 05:06:07 2026-03-04 1 day 02:00:00 0.30000000000000004 \\xff00"
    ]
    assert shop.field("occurred_at") == [at("2026-03-04T05:06:07.5+00:00")]


def test_a_date_is_a_day_in_the_tenants_zone(shop: Shop) -> None:
    shop.admin.execute("UPDATE cognifold.tenant SET time_zone = 'Europe/Amsterdam' WHERE tenant_id = %s", [shop.tenant])
    shop.create("id int PRIMARY KEY, day date, naive timestamp")
    shop.watch("Visit {id}", occurred_at="{day}", deadline="{naive}")
    shop.clerk.execute(f"INSERT INTO {shop.table} VALUES (1, '2026-05-04', '2026-05-06 17:00')".encode())
    assert shop.field("occurred_at") == [at("2026-05-04T00:00:00+02:00")]
    assert shop.field("occurred_precision") == ["day"]
    assert shop.field("payload ->> 'deadline'") == ["2026-05-06T17:00:00+02:00"]


def test_a_deadline_becomes_a_time_that_the_event_hangs_on(orders: Shop) -> None:
    orders.watch("Order {id} is {status}", occurred_at="{placed_at}", deadline="{due}")
    orders.clerk.execute(
        f"INSERT INTO {orders.table} VALUES (1, 'Ada', 'placed', 3, '2026-05-04 09:30+00', '2026-05-20')".encode()
    )
    orders.owner.execute("SELECT FROM cognifold.fold()").fetchall()
    found = orders.owner.execute(
        "SELECT n.occurred_at FROM cognifold.edge e JOIN cognifold.node n ON n.id = e.source_id "
        "WHERE e.type = 'deadline_for'"
    ).fetchall()
    assert found == [(at("2026-05-20T00:00:00+00:00"),)]


def test_without_a_time_the_event_happened_when_the_row_was_written(orders: Shop) -> None:
    orders.watch("Order {id}", occurred_at="{placed_at}")
    with orders.clerk.transaction():
        begun = orders.clerk.execute("SELECT now()").fetchone()
        orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    assert orders.field("occurred_at") == [begun[0] if begun else None]


def test_payload_keeps_the_types_that_json_has(shop: Shop) -> None:
    shop.owner.execute("CREATE TYPE shop.mood AS ENUM ('glad', 'cross')")
    shop.owner.execute("CREATE DOMAIN shop.amount AS numeric CHECK (VALUE >= 0)")
    shop.owner.execute("CREATE TYPE shop.place AS (street text, number int)")
    shop.create(
        "id int PRIMARY KEY, mood shop.mood, paid shop.amount, marks int[], place shop.place, extra jsonb, plain json, "
        "good boolean, share double precision, digits text"
    )
    shop.watch(
        "{mood} {paid} {marks} {place} {extra}",
        payload=["mood", "paid", "marks", "place", "extra", "plain", "good", "share", "digits", "id"],
    )
    shop.clerk.execute(
        f"""INSERT INTO {shop.table} VALUES (1, 'glad', 2.50, '{{1,2}}', ROW('Dam, 1', 7), '{{"a": [1]}}',
                '[1, 2]', true, 'NaN', '12')
        """.encode()
    )
    assert shop.events() == ['glad 2.50 {1,2} ("Dam, 1",7) {"a": [1]}']
    assert shop.field("payload::text")
    assert json.loads(shop.field("payload::text")[0]) == {
        "mood": "glad",
        "paid": 2.50,
        "marks": [1, 2],
        "place": {"street": "Dam, 1", "number": 7},
        "extra": {"a": [1]},
        "plain": [1, 2],
        "good": True,
        "share": "NaN",
        "digits": "12",
        "id": 1,
    }
    shop.owner.execute(f"DROP TABLE {shop.table}".encode())
    shop.owner.execute("DROP TYPE shop.mood, shop.place")
    shop.owner.execute("DROP DOMAIN shop.amount")


# ---------------------------------------------------------------------------------------------- once


def test_a_row_that_comes_back_to_an_earlier_state_is_news_each_time(orders: Shop) -> None:
    orders.watch("Order {id}: {status}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'open')".encode())
    for status in ("shut", "open", "shut"):
        orders.clerk.execute(f"UPDATE {orders.table} SET status = %s".encode(), [status])
    assert orders.events() == ["Order 1: open", "Order 1: shut", "Order 1: open", "Order 1: shut"]


def test_a_source_key_makes_one_event_of_all_that_have_it(orders: Shop) -> None:
    orders.watch("Order {id}: {status}", source_key="order {id} {status}")
    known = orders.owner.execute(
        "SELECT cognifold.remember('told by hand', idempotency_key => 'order 2 open')"
    ).fetchone()
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'open'), (2, 'open')".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'shut' WHERE id = 1".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'open' WHERE id = 1".encode())
    assert orders.events() == ["told by hand", "Order 1: open", "Order 1: shut"]
    assert known is not None
    counts = orders.owner.execute("SELECT events, repeated, refused FROM cognifold.watched").fetchall()
    assert counts == [(2, 2, 0)]


def test_a_source_key_with_a_hole_in_it_tells_nothing_apart(orders: Shop) -> None:
    orders.watch("Order {id}", source_key="by {customer}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1), (2)".encode())
    assert orders.events() == ["Order 1", "Order 2"]


def test_rows_that_are_alike_in_a_table_without_a_key_are_events_each(shop: Shop) -> None:
    shop.create("said text")
    shop.watch("They said {said}", on_delete="event", content_of_delete="{said} was unsaid")
    shop.clerk.execute(f"INSERT INTO {shop.table} VALUES ('yes'), ('yes'), (NULL)".encode())
    shop.clerk.execute(f"DELETE FROM {shop.table} WHERE said = 'yes'".encode())
    assert shop.events() == ["They said yes", "They said yes", "They said ", "yes was unsaid", "yes was unsaid"]


def test_ten_writers_at_once_leave_every_event_once(orders: Shop) -> None:
    orders.watch("Order {id} is {status}")

    def write(number: int) -> None:
        with orders.connect(CLERK) as clerk:
            for turn in range(5):
                first = number * 1000 + turn * 10
                with clerk.transaction():
                    clerk.execute(
                        (
                            f"INSERT INTO {orders.table} (id, status) "
                            "SELECT i, 'placed' FROM generate_series(%s::int, %s::int) AS i"
                        ).encode(),
                        [first, first + 1],
                    )
                    clerk.execute(f"UPDATE {orders.table} SET status = 'paid' WHERE id = %s".encode(), [first])

    at_once(10, write)
    expected = [
        f"Order {number * 1000 + turn * 10 + place} is {status}"
        for number in range(10)
        for turn in range(5)
        for place, status in ((0, "placed"), (1, "placed"), (0, "paid"))
    ]
    assert sorted(orders.events()) == sorted(expected)


def test_two_that_fold_at_once_take_each_capture_once(orders: Shop) -> None:
    orders.watch("Order {id}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) SELECT generate_series(1, 30)".encode())
    with orders.connect("test_shop_owner", orders.tenant) as other:
        with orders.owner.transaction():
            orders.owner.execute("SELECT FROM cognifold.claim_folds(1)").fetchall()
            assert other.execute("SELECT FROM cognifold.claim_folds(1)").fetchall() == []  # leaves it to who is at it
        other.execute("SELECT FROM cognifold.claim_folds(1)").fetchall()
    assert orders.events() == [f"Order {number}" for number in range(1, 31)]


def test_a_fold_that_is_rolled_back_leaves_the_captures_where_they_were(orders: Shop) -> None:
    orders.watch("Order {id}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    with orders.owner.transaction(force_rollback=True):
        assert len(orders.owner.execute("SELECT FROM cognifold.fold()").fetchall()) == 1
    assert orders.waiting() == 1
    assert orders.events() == ["Order 1"]


def test_nobody_but_the_trigger_can_write_a_capture_of_the_watch(orders: Shop) -> None:
    orders.watch("Order {id}")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        orders.clerk.execute("INSERT INTO cognifold_watch.inbox (tenant_id) VALUES ('x')")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        orders.owner.execute("SELECT FROM cognifold_watch.inbox")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        orders.owner.execute("INSERT INTO cognifold_watch.inbox (captured_by) VALUES ('another')")


def test_the_tables_owner_cannot_use_the_watch_to_write_for_another_tenant(orders: Shop) -> None:
    """Who made the watch may use the other tenant; the owner of the table, who may write to the inbox, need not."""
    other = orders.tenant + " d"
    orders.admin.execute("SELECT cognifold.create_tenant(%s)", [other])
    orders.watch("Order {id}")
    number = orders.admin.execute("SELECT watch_id FROM cognifold.watch WHERE name = %s", [orders.table]).fetchone()
    assert number is not None
    orders.owner.execute(
        "INSERT INTO cognifold_watch.inbox (tenant_id, watch_id, operation, row_values) "
        "VALUES (%s, %s, 'I', ARRAY[ARRAY['forged']])",
        [other, number[0]],
    )
    with orders.connect("test_writer", other) as writer:
        assert writer.execute("SELECT FROM cognifold.fold()").fetchall() == []
    assert orders.errors() == [("event", "CF003", "forged", 1)]


def test_rows_for_a_watch_of_another_owner_are_nobodys(orders: Shop) -> None:
    orders.watch("Order {id}")
    orders.admin.execute("CREATE TABLE annex.admins (id int PRIMARY KEY)")
    orders.admin.execute("SELECT cognifold.watch('annex.admins', '{id}', tenants => %s)", [orders.tenant])
    number = orders.admin.execute("SELECT watch_id FROM cognifold.watch WHERE name = 'annex.admins'").fetchone()
    assert number is not None
    orders.owner.execute(
        "INSERT INTO cognifold_watch.inbox (tenant_id, watch_id, operation, row_values) "
        "VALUES (%s, %s, 'I', ARRAY[ARRAY['forged']])",
        [orders.tenant, number[0]],
    )
    assert orders.owner.execute("SELECT invariant FROM cognifold.check()").fetchall() == [
        ("a capture belongs to a watch",)
    ]
    assert orders.events() == []
    assert orders.owner.execute("SELECT FROM cognifold.check()").fetchall() == []
    orders.admin.execute("SELECT cognifold.unwatch('annex.admins')")


def test_a_late_commit_lets_nobody_overtake_what_another_is_folding(orders: Shop) -> None:
    """What was written first and committed last gives nobody the turn while another has it."""
    orders.watch("Order {id} is {status}")
    insert = f"INSERT INTO {orders.table} (id, status) VALUES (%s, 'new')".encode()
    with (
        orders.connect("test_shop_clerk") as slow,
        orders.connect("test_shop_owner", orders.tenant) as first,
        orders.connect("test_shop_owner", orders.tenant) as second,
    ):
        with slow.transaction():
            slow.execute(insert, [1])
            orders.clerk.execute(insert, [2])
            first.execute("BEGIN")
            assert len(first.execute("SELECT FROM cognifold.claim_folds(9)").fetchall()) == 1
        orders.clerk.execute(f"UPDATE {orders.table} SET status = 'shut' WHERE id = 2".encode())
        second.execute("SET lock_timeout = '5s'")
        assert second.execute("SELECT FROM cognifold.claim_folds(9)").fetchall() == []
        first.execute("COMMIT")
    assert orders.events() == ["Order 2 is new", "Order 1 is new", "Order 2 is shut"]
