"""What watch refuses when it is called, and that nothing is left of it then."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.watch.conftest import OWNER, Shop


def refusal(shop: Shop, content: str = "Order {id}", **arguments: Any) -> tuple[str, str]:
    """SQLSTATE and message of the error that watch ends in; nothing may be left of it."""
    before = traces(shop)
    with pytest.raises(psycopg.Error) as caught:
        shop.watch(content, **arguments)
    assert traces(shop) == before
    return caught.value.sqlstate or "", caught.value.diag.message_primary or ""


def traces(shop: Shop) -> list[tuple[Any, ...]]:
    return shop.admin.execute(
        """
        SELECT 'function', p.proname FROM pg_proc AS p WHERE p.pronamespace = 'cognifold_watch'::regnamespace
        UNION ALL SELECT 'relation', c.relname FROM pg_class AS c WHERE c.relnamespace = 'cognifold_watch'::regnamespace
        UNION ALL SELECT 'trigger', t.tgname FROM pg_trigger AS t WHERE t.tgname ~ '^cognifold_w'
        UNION ALL SELECT 'watch', w.name FROM cognifold.watch AS w
        UNION ALL SELECT 'right', g.grantee::regrole::text FROM pg_namespace AS n
                  CROSS JOIN LATERAL aclexplode(n.nspacl) AS g WHERE n.nspname = 'cognifold_watch'
        ORDER BY 1, 2
        """
    ).fetchall()


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("{nothing}", "nothing"),
        ("{old.nothing}", "nothing"),
        ("{", "braces"),
        ("a } b", "braces"),
        ("{{id}", "braces"),
        ("{}", "braces"),
        ("", "empty"),
        ("{= }", "empty"),
        ("{= nothing}", "nothing"),
        ("{= id + }", "syntax error"),
        ("{= id, status}", ""),
        ("{= (id, status)}", "record"),
        ("{= 1) UNION SELECT (2}", ""),
        ("{= 1 END), (CASE WHEN true THEN 2}", ""),
        ("{= 1) AS a, (SELECT 1 AS b}", ""),
        ("{= id; DROP TABLE shop.x}", "syntax error"),
        ("{= 1 --}", ""),
        ("{= 1 /*}", ""),
        ("{= (SELECT rolname FROM pg_authid LIMIT 1)}", ""),
        ("{= EXISTS (SELECT)}", "other rows"),
        ("{= count(*)}", "aggregate"),
        ("{= row_number() OVER ()}", "window"),
        ("{= generate_series(1, 3)}", "set-returning"),
        ("{= random()}", "random() is volatile"),
        ("{= pg_sleep(9)}", "void"),
        ("{= clock_timestamp()}", "clock_timestamp() is volatile"),
        ("{= set_config('a.b', 'c', false)}", "volatile"),
        ("{= lastval()}", "volatile"),
        ("{= $1}", "parameter"),
        ("{= 1 / 0}", "division by zero"),
    ],
)
def test_a_template_that_says_nothing_or_too_much(orders: Shop, content: str, word: str) -> None:
    if content == "{= 1 --}":  # a comment ends with its line
        orders.watch(content)
        return
    state, message = refusal(orders, content)
    assert state == "CF040"
    assert word in message


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"operations": ["insert", "vanish"]}, "vanish"),
        ({"operations": ["delete"]}, "delete"),
        ({"operations": []}, "operations"),
        ({"on_delete": "weep"}, "weep"),
        ({"payload": ["nothing"]}, "nothing"),
        ({"changed": ["nothing"]}, "nothing"),
        ({"changed": []}, "changed"),
        ({"changed": ["status"], "operations": ["insert"]}, "changed"),
        ({"content_of_update": "x", "operations": ["insert"]}, "content_of_update"),
        ({"content_of_delete": "x"}, "content_of_delete"),
        ({"only_if": "total"}, "not boolean"),
        ({"only_if": "total > 3; DELETE FROM shop.x"}, "syntax error"),
        ({"source": "x" * 1001}, "source"),
        ({"name": "x" * 201}, "name"),
        ({"title": "{missing}"}, "missing"),
        ({"occurred_at": "{= now(}"}, "syntax error"),
    ],
)
def test_an_argument_out_of_its_range(orders: Shop, arguments: dict[str, Any], word: str) -> None:
    state, message = refusal(orders, **arguments)
    assert state == "CF040"
    assert word in message


def test_rows_that_nothing_tells_apart_cannot_be_forgotten(orders: Shop) -> None:
    keyless = orders.create("id int, note text", suffix="_keyless")
    with pytest.raises(psycopg.Error) as caught:
        orders.watch("{note}", keyless, on_delete="forget")
    assert caught.value.sqlstate == "CF045"
    orders.watch("{note}", keyless, on_delete="forget", source_key="note {id}")


@pytest.mark.parametrize(
    ("relation", "word"),
    [
        ("pg_catalog.pg_class", "system"),
        ("information_schema.sql_features", "system"),
        ("cognifold.node", "memory"),
        ("shop.seen", "a view"),
        ("shop.kept", "a materialized view"),
        ("shop.numbers", "a sequence"),
        ("passing", "temporary"),
        ("shop.part", "partition"),
    ],
)
def test_a_relation_that_is_no_table_of_an_application(shop: Shop, relation: str, word: str) -> None:
    shop.owner.execute("CREATE VIEW shop.seen AS SELECT 1 AS id")
    shop.owner.execute("CREATE MATERIALIZED VIEW shop.kept AS SELECT 1 AS id")
    shop.owner.execute("CREATE SEQUENCE shop.numbers")
    shop.owner.execute("CREATE TEMP TABLE passing (id int)")
    shop.create("id int", more="PARTITION BY LIST (id)")
    shop.owner.execute(f"CREATE TABLE shop.part PARTITION OF {shop.table} DEFAULT".encode())
    try:
        state, message = refusal(shop, table=relation)
        assert state == "CF041"
        assert word in message
    finally:
        shop.owner.execute("DROP SEQUENCE shop.numbers")


def test_a_table_of_somebody_else(orders: Shop) -> None:
    orders.admin.execute("GRANT USAGE ON SCHEMA shop TO test_writer")
    with orders.connect("test_writer", orders.tenant) as stranger, pytest.raises(psycopg.Error) as caught:
        stranger.execute("SELECT cognifold.watch(%s::regclass, 'Order')", [orders.table])
    assert caught.value.sqlstate == "CF041"
    assert OWNER in str(caught.value)


def test_a_role_that_may_become_the_owner_may_watch(orders: Shop) -> None:
    orders.admin.execute(f"GRANT {OWNER} TO test_writer".encode())
    try:
        with orders.connect("test_writer", orders.tenant) as member:
            member.execute("SELECT cognifold.watch(%s::regclass, 'Order {id}')", [orders.table])
            assert member.execute("SELECT current_user").fetchone() == ("test_writer",)
            assert member.execute("SELECT owner, created_by FROM cognifold.watched").fetchall() == [
                (OWNER, "test_writer")
            ]
    finally:
        orders.admin.execute(f"REVOKE {OWNER} FROM test_writer".encode())
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    assert orders.events() == ["Order 1"]


def test_an_expression_runs_with_the_rights_of_the_tables_owner(orders: Shop) -> None:
    orders.watch("{= current_user || ' ' || session_user}")
    orders.clerk.execute(f"INSERT INTO {orders.table} (id) VALUES (1)".encode())
    assert orders.events() == [f"{OWNER} test_shop_clerk"]


def test_a_tenant_that_is_not_there_or_not_ones_own(orders: Shop) -> None:
    assert refusal(orders, tenants="nobody")[0] == "CF004"  # while another is set
    orders.owner.execute("RESET cognifold.tenant")
    assert refusal(orders, tenants="nobody")[0] == "CF002"
    assert refusal(orders)[0] == "CF001"


def test_a_name_that_is_taken(orders: Shop) -> None:
    orders.watch("Order {id}")
    assert refusal(orders)[0] == "CF043"


def test_a_role_that_may_not_write_to_the_memory(orders: Shop) -> None:
    orders.admin.execute(f"REVOKE cognifold_writer FROM {OWNER}".encode())
    try:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            orders.watch("Order {id}")
    finally:
        orders.admin.execute(f"GRANT cognifold_writer TO {OWNER}".encode())


def test_a_virtual_generated_column(shop: Shop) -> None:
    if shop.admin.info.server_version < 180000:
        pytest.skip("virtual generated columns came with PostgreSQL 18")
    shop.create("id int PRIMARY KEY, net numeric, gross numeric GENERATED ALWAYS AS (net * 2) VIRTUAL")
    assert refusal(shop, "{gross}")[0] == "CF040"
    assert refusal(shop, "{= gross + 1}")[0] == "CF040"
    shop.watch("{= net * 2}")
