"""Every way a statement can write to a watched table, and what is captured of it."""

from __future__ import annotations

import pytest

from tests.watch.conftest import CLERK, Shop


def test_copy(orders: Shop) -> None:
    orders.watch("Order {id} is {status}")
    with orders.clerk.cursor().copy(f"COPY {orders.table} (id, status) FROM STDIN".encode()) as copy:
        for number in range(3):
            copy.write_row((number, "placed"))
    assert orders.events() == ["Order 0 is placed", "Order 1 is placed", "Order 2 is placed"]


@pytest.mark.parametrize("content", ["Order {id} is {status}", "Order {id} is {= lower(status)}"])
@pytest.mark.parametrize("number", [15, 16, 17, 300])
def test_a_statement_of_many_rows_is_captured_whole_and_in_order(orders: Shop, content: str, number: int) -> None:
    orders.watch(content)
    orders.clerk.execute(
        (
            f"INSERT INTO {orders.table} (id, status) "
            f"SELECT i, 'placed' FROM generate_series(1, {number}) AS i ORDER BY i DESC"
        ).encode()
    )
    assert orders.waiting() == number
    captured = orders.admin.execute(
        """
        SELECT u.value FROM cognifold_watch.inbox AS i
        CROSS JOIN generate_series(1, array_length(i.row_values, 1)) AS r (place)
        CROSS JOIN unnest(i.row_values[r.place:r.place][1:1]) AS u (value)
        WHERE i.tenant_id = %s ORDER BY i.capture_id, r.place
        """,
        [orders.tenant],
    ).fetchall()
    assert captured == [(str(row),) for row in range(number, 0, -1)]
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'paid' WHERE id > 1".encode())
    assert orders.waiting() == 2 * number - 1
    if number < 20:
        assert orders.events() == [
            *(f"Order {row} is placed" for row in range(number, 0, -1)),
            *(f"Order {row} is paid" for row in range(number, 1, -1)),
        ]


def test_an_update_of_many_rows_pairs_each_row_with_what_it_was(orders: Shop) -> None:
    orders.watch("{id}", operations=["update"], content_of_update="{old.id} to {id}: {old.status} to {status}")
    orders.clerk.execute(
        f"INSERT INTO {orders.table} (id, status) SELECT i, 'state ' || i FROM generate_series(1, 70) AS i".encode()
    )
    orders.clerk.execute(f"UPDATE {orders.table} SET id = id + 1000, status = 'new ' || id WHERE id % 2 = 0".encode())
    assert sorted(orders.events()) == sorted(f"{i} to {i + 1000}: state {i} to new {i}" for i in range(2, 71, 2))


def test_on_conflict(orders: Shop) -> None:
    orders.watch("Order {id}: {status}", content_of_update="Order {id}: {old.status}, now {status}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed')".encode())
    orders.clerk.execute(
        f"INSERT INTO {orders.table} (id, status) VALUES (1, 'ignored'), (2, 'placed') ON CONFLICT DO NOTHING".encode()
    )
    orders.clerk.execute(
        f"""INSERT INTO {orders.table} (id, status) VALUES (2, 'paid'), (3, 'placed')
            ON CONFLICT (id) DO UPDATE SET status = excluded.status""".encode()
    )
    assert sorted(orders.events()) == [
        "Order 1: placed",
        "Order 2: placed",
        "Order 2: placed, now paid",
        "Order 3: placed",
    ]


def test_merge(orders: Shop) -> None:
    orders.watch("Order {id}: {status}", on_delete="event", content_of_delete="Order {id} is gone")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed'), (2, 'placed')".encode())
    orders.clerk.execute(
        f"""MERGE INTO {orders.table} AS o USING (VALUES (1, 'paid'), (2, NULL), (3, 'placed')) AS v (id, status)
            ON v.id = o.id
            WHEN MATCHED AND v.status IS NULL THEN DELETE
            WHEN MATCHED THEN UPDATE SET status = v.status
            WHEN NOT MATCHED THEN INSERT (id, status) VALUES (v.id, v.status)""".encode()
    )
    assert sorted(orders.events()) == [
        "Order 1: paid",
        "Order 1: placed",
        "Order 2 is gone",
        "Order 2: placed",
        "Order 3: placed",
    ]


def test_a_statement_within_another_and_one_that_writes_twice(orders: Shop) -> None:
    orders.watch("Order {id}: {status}")
    orders.clerk.execute(
        f"""WITH one AS (INSERT INTO {orders.table} (id, status) VALUES (1, 'placed') RETURNING id),
                 two AS (INSERT INTO {orders.table} (id, status) SELECT id + 1, 'placed' FROM one RETURNING id)
            SELECT FROM two""".encode()
    )
    orders.clerk.execute(
        (
            f"DO $do$ BEGIN FOR i IN 3 .. 4 LOOP INSERT INTO {orders.table} (id, status) "
            "VALUES (i, 'looped'); END LOOP; END $do$"
        ).encode()
    )
    assert orders.events() == ["Order 1: placed", "Order 2: placed", "Order 3: looped", "Order 4: looped"]


def test_a_partitioned_table_is_watched_as_a_whole_also_in_partitions_that_come_later(shop: Shop) -> None:
    shop.create("id int, region text, status text, PRIMARY KEY (id, region)", more="PARTITION BY LIST (region)")
    shop.owner.execute(f"CREATE TABLE {shop.table}_n PARTITION OF {shop.table} FOR VALUES IN ('north')".encode())
    shop.watch("{id} in {region}: {status}", content_of_update="{id}: {old.region} to {region}")
    # Columns in another order, as in a table that was made apart.
    shop.owner.execute(f"CREATE TABLE {shop.table}_s (status text, region text NOT NULL, id int NOT NULL)".encode())
    shop.owner.execute(f"ALTER TABLE {shop.table} ATTACH PARTITION {shop.table}_s FOR VALUES IN ('south')".encode())
    shop.clerk.execute(f"INSERT INTO {shop.table} VALUES (1, 'north', 'a'), (2, 'south', 'b')".encode())
    shop.clerk.execute(f"UPDATE {shop.table} SET region = 'south' WHERE id = 1".encode())  # moves the row
    assert shop.events() == ["1 in north: a", "2 in south: b", "1: north to south"]


def test_what_is_written_to_a_partition_itself_is_not_seen(shop: Shop) -> None:
    shop.create("id int, region text, PRIMARY KEY (id, region)", more="PARTITION BY LIST (region)")
    shop.owner.execute(f"CREATE TABLE {shop.table}_n PARTITION OF {shop.table} FOR VALUES IN ('north')".encode())
    shop.watch("{id}")
    shop.clerk.execute(f"INSERT INTO {shop.table}_n VALUES (1, 'north')".encode())
    assert shop.events() == []
    name = shop.table
    while shop.owner.execute("SELECT 1 FROM cognifold.backfill(%s) WHERE NOT done", [name]).fetchone():
        pass
    assert shop.events() == ["1"]  # backfill finds it


def test_a_parent_of_tables_sees_what_is_written_through_it(shop: Shop) -> None:
    shop.create("id int PRIMARY KEY, status text")
    child = shop.create("extra text", suffix="_child", more=f"INHERITS ({shop.table})")
    shop.watch("{id}: {status}", content_of_update="{id} is now {status}")
    shop.clerk.execute(f"INSERT INTO {child} VALUES (1, 'a', 'x')".encode())  # to the child itself: not seen
    shop.clerk.execute(f"INSERT INTO {shop.table} VALUES (2, 'b')".encode())
    shop.clerk.execute(f"UPDATE {shop.table} SET status = 'c'".encode())  # reaches both
    assert sorted(shop.events()) == ["1 is now c", "2 is now c", "2: b"]


def test_truncate_makes_no_event_and_takes_none_away(orders: Shop) -> None:
    orders.watch("Order {id}", on_delete="event")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    orders.clerk.execute(f"TRUNCATE {orders.table}".encode())
    assert orders.events() == ["Order 1"]


def test_rows_that_a_foreign_key_deletes_or_changes_are_captured(shop: Shop) -> None:
    shop.create("id int PRIMARY KEY")
    lines = shop.create(
        f"id int PRIMARY KEY, parent int REFERENCES {shop.table} ON DELETE CASCADE ON UPDATE CASCADE", suffix="_lines"
    )
    shop.watch("Line {id} of {parent}", table=lines, on_delete="event", content_of_delete="Line {id} is gone")
    shop.clerk.execute(f"INSERT INTO {shop.table} VALUES (1), (2)".encode())
    shop.clerk.execute(f"INSERT INTO {lines} VALUES (10, 1), (11, 1), (20, 2)".encode())
    shop.clerk.execute(f"UPDATE {shop.table} SET id = 3 WHERE id = 2".encode())
    shop.clerk.execute(f"DELETE FROM {shop.table} WHERE id = 1".encode())
    assert shop.events() == [
        "Line 10 of 1",
        "Line 11 of 1",
        "Line 20 of 2",
        "Line 20 of 3",
        "Line 10 is gone",
        "Line 11 is gone",
    ]


def test_what_replication_applies_makes_no_event_here(orders: Shop) -> None:
    orders.watch("Order {id}")
    with orders.admin.transaction():
        orders.admin.execute("SET LOCAL session_replication_role = replica")
        orders.admin.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    assert orders.events() == []


def test_a_writer_without_any_right_in_the_memory_is_captured(orders: Shop) -> None:
    orders.watch("Order {id} is {= upper(status)}")
    rights = orders.admin.execute(
        (
            "SELECT has_schema_privilege(%(r)s, 'cognifold', 'USAGE'), has_schema_privilege(%(r)s,"
            " 'cognifold_watch', 'USAGE')"
        ),
        {"r": CLERK},
    ).fetchone()
    assert rights == (False, False)
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'placed')".encode())
    assert orders.events() == ["Order 1 is PLACED"]


@pytest.mark.parametrize("forced", [False, True])
def test_row_level_security_of_the_table_hides_nothing_from_its_watch(orders: Shop, forced: bool) -> None:
    orders.watch("Order {id} of {customer}", content_of_update="Order {id} is {status}")
    orders.owner.execute(f"ALTER TABLE {orders.table} ENABLE ROW LEVEL SECURITY".encode())
    if forced:
        orders.owner.execute(f"ALTER TABLE {orders.table} FORCE ROW LEVEL SECURITY".encode())
    orders.owner.execute(f"CREATE POLICY own ON {orders.table} TO {CLERK} USING (customer = 'Ada')".encode())
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, customer) VALUES (1, 'Ada')".encode())
    orders.admin.execute(f"INSERT INTO {orders.table} (id, customer) VALUES (2, 'Bo')".encode())
    orders.clerk.execute(f"UPDATE {orders.table} SET status = 'paid'".encode())  # sees its own row only
    assert orders.events() == ["Order 1 of Ada", "Order 2 of Bo", "Order 1 is paid"]


def test_stored_generated_columns_and_defaults_are_captured(shop: Shop) -> None:
    shop.create(
        "id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, net numeric,"
        " gross numeric GENERATED ALWAYS AS (net * 2) STORED, "
        "status text DEFAULT 'placed'"
    )
    shop.watch("{id}: {gross} {status}")
    shop.clerk.execute(f"INSERT INTO {shop.table} (net) VALUES (1.5)".encode())
    shop.clerk.execute(f"UPDATE {shop.table} SET net = 2".encode())
    assert shop.events() == ["1: 3.0 placed", "1: 4 placed"]


def test_what_a_before_trigger_makes_of_a_row_is_what_is_captured(orders: Shop) -> None:
    orders.owner.execute(
        "CREATE OR REPLACE FUNCTION shop.tidy() RETURNS trigger LANGUAGE plpgsql AS "
        "$$BEGIN IF NEW.id = 2 THEN RETURN NULL; END IF; NEW.status := upper(NEW.status); RETURN NEW; END$$"
    )
    orders.owner.execute(
        f"CREATE TRIGGER tidy BEFORE INSERT ON {orders.table} FOR EACH ROW EXECUTE FUNCTION shop.tidy()".encode()
    )
    orders.watch("{id}: {status}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, 'a'), (2, 'b'), (3, 'c')".encode())
    assert orders.events() == ["1: A", "3: C"]


def test_a_very_long_text_is_captured_whole(orders: Shop) -> None:
    orders.watch("{status}", operations=["insert", "update"], changed=["total"])
    long = "word " * 200_000
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, status) VALUES (1, %s)".encode(), [long])
    assert orders.events() == [long]


def test_two_watches_on_one_table_are_two_events(orders: Shop, new_tenant: object) -> None:
    orders.watch("Order {id}")
    orders.watch("{customer} bought", name=orders.table + " customers", only_if="customer IS NOT NULL")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id, customer) VALUES (1, 'Ada'), (2, NULL)".encode())
    assert sorted(orders.events()) == ["Ada bought", "Order 1", "Order 2"]


def test_each_row_can_say_whose_it_is(orders: Shop) -> None:
    other = orders.tenant + " b"
    orders.owner.execute("RESET cognifold.tenant")
    orders.owner.execute("SELECT cognifold.create_tenant(%s)", [other])
    orders.watch("Order {id}", tenants="{customer}")
    orders.watch(
        "Also {id}",
        tenants=orders.tenant + "{= CASE WHEN status = 'b' THEN ' b' ELSE '' END}",
        name=orders.table + " 2",
    )
    orders.clerk.execute(
        f"INSERT INTO {orders.table} (id, customer, status) VALUES (1, %s, 'a'), (2, %s, 'b')".encode(),
        [orders.tenant, other],
    )
    found = {}
    for tenant in (orders.tenant, other):
        with orders.connect("test_shop_owner", tenant) as mine:
            mine.execute("SELECT FROM cognifold.fold()").fetchall()
            found[tenant] = sorted(row[0] for row in mine.execute("SELECT content FROM cognifold.event").fetchall())
    assert found == {orders.tenant: ["Also 1", "Order 1"], other: ["Also 2", "Order 2"]}
