"""The partitioned layout: the same memory, its rows and rights, in tables that are divided by tenant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from cognifold_pg.cli import app
from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from cognifold_pg.install import InstallError, install
from cognifold_pg.partition import PartitionReport, partition
from tests.conftest import FRESH, LAYOUT, WRITER, at, value
from tests.install.conftest import drop

pytestmark = pytest.mark.skipif(LAYOUT != "plain", reason="makes the layout itself")

CLOCK = at("2026-05-10T12:00:00+00:00")
TENANTS = ("the observatory", "the bakery", "the ferry")
ANSWERS = (
    "SELECT * FROM cognifold.recall('the dome will not close', 20)",
    "SELECT * FROM cognifold.context_window(20)",
    "SELECT * FROM cognifold.event ORDER BY id",
    "SELECT * FROM cognifold.concept ORDER BY id",
    "SELECT * FROM cognifold.edge ORDER BY 1, 2, 3, 4",
)
PARTITIONS = 2


def query(dsn: str, statement: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(dsn, autocommit=True) as connection:
        return connection.execute(statement.encode()).fetchall()


def table_names(dsn: str) -> list[str]:
    return [
        name
        for (name,) in query(
            dsn,
            "SELECT relname FROM pg_class WHERE relnamespace = 'cognifold'::regnamespace AND relkind IN ('r', 'p') "
            "AND relname <> 'schema_migration' ORDER BY 1",
        )
    ]


def stored(dsn: str) -> dict[str, Counter[str]]:
    """Every row of every table, whoever's."""
    return {
        name: Counter(row for (row,) in query(dsn, f'SELECT t::text FROM cognifold."{name}" AS t'))
        for name in table_names(dsn)
        if name not in ("lexicon", "affect_word")
    }


def answers(dsn: str) -> list[list[tuple[Any, ...]]]:
    with psycopg.connect(make_conninfo(dsn, user=WRITER), autocommit=True) as connection:
        connection.execute("SELECT set_config('cognifold.now', %s, false)", [CLOCK.isoformat()])
        told = []
        for tenant in TENANTS:
            connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
            told += [connection.execute(statement.encode()).fetchall() for statement in ANSWERS]
        return told


# Everything that a table is, but for what makes it partitioned; each line is of one table, column, key, index or right.
SHAPE = """
SELECT 'column', c.relname, concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attacl,
       a.attgenerated::text, a.attstorage::text, a.attcollation, pg_get_expr(d.adbin, d.adrelid),
       col_description(c.oid, a.attnum))
FROM tables AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
UNION ALL
SELECT 'constraint', c.relname, k.conname || ' ' || pg_get_constraintdef(k.oid)
FROM tables AS c JOIN pg_constraint AS k ON k.conrelid = c.oid WHERE k.conparentid = 0 AND k.contype <> 'n'
UNION ALL
SELECT 'index', c.relname, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
FROM tables AS c JOIN pg_index AS i ON i.indrelid = c.oid
UNION ALL
SELECT 'trigger', c.relname, pg_get_triggerdef(t.oid)
FROM tables AS c JOIN pg_trigger AS t ON t.tgrelid = c.oid AND NOT t.tgisinternal
UNION ALL
SELECT 'policy', c.relname,
       concat_ws(' ', p.polname, p.polcmd::text, p.polroles::regrole[], pg_get_expr(p.polqual, c.oid))
FROM tables AS c JOIN pg_policy AS p ON p.polrelid = c.oid
UNION ALL
SELECT 'table', c.relname, concat_ws(' ', c.relowner::regrole, c.relrowsecurity, c.relforcerowsecurity,
       (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(c.relacl) AS a), obj_description(c.oid, 'pg_class'))
FROM tables AS c
UNION ALL
SELECT 'routine', p.oid::regprocedure::text,
       concat_ws(' ', md5(pg_get_functiondef(p.oid)), obj_description(p.oid, 'pg_proc'),
                 (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(p.proacl) AS a))
FROM pg_proc AS p WHERE p.pronamespace = 'cognifold'::regnamespace AND p.prokind <> 'a'
UNION ALL
SELECT 'view', c.relname, concat_ws(' ', pg_get_viewdef(c.oid), c.reloptions,
       (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(c.relacl) AS a), obj_description(c.oid, 'pg_class'))
FROM pg_class AS c WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind = 'v'
"""


def shape(dsn: str) -> set[tuple[Any, ...]]:
    return set(
        query(
            dsn,
            "WITH tables AS MATERIALIZED (SELECT c.* FROM pg_class AS c "
            "WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p'))" + SHAPE,
        )
    )


class Divided:
    """A memory before it was divided, as it was found, and the same after."""

    def __init__(self, dsn: str) -> None:
        self.dsn = dsn
        self.stored, self.answers, self.shape = stored(dsn), answers(dsn), shape(dsn)
        self.report = partition(dsn, PARTITIONS)


@pytest.fixture(scope="module")
def copied(server_dsn: str, fresh_dsn: str, dsn: str) -> Iterator[Callable[[str], str]]:
    """Makes a copy of a fresh install, and gives a superuser's DSN of it."""
    made: list[str] = []
    with psycopg.connect(server_dsn, autocommit=True) as admin:

        def make(name: str) -> str:
            drop(admin, name)
            admin.execute(f"CREATE DATABASE {name} TEMPLATE {FRESH}".encode())
            made.append(name)
            return make_conninfo(server_dsn, dbname=name)

        yield make
        for name in made:
            drop(admin, name)


@pytest.fixture(scope="module")
def divided(copied: Callable[[str], str]) -> Divided:
    """Three memories with concepts, intents and an undone plan, grants and an index of the operator's, divided."""
    dsn = copied("cognifold_partition_filled")
    for number, tenant in enumerate(TENANTS):
        with Memory(make_conninfo(dsn, user=WRITER), tenant=tenant, clock=CLOCK) as memory:
            memory.create_tenant()
            memory.remember_many(
                Experience(
                    f"The dome of the {place} will not close again, we need a new motor by Friday",
                    actor="Ilse", occurred_at=at(f"2026-05-0{day}T08:00:00Z"),
                )
                for place in ("east tower", "west tower", "south tower")[: number + 1]
                for day in (1, 4, 8)
            )  # fmt: skip
            memory.fold_all(batch=100)
            memory.consolidate()
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("GRANT SELECT ON cognifold.concept TO pg_monitor")
        admin.execute("GRANT SELECT (tenant_id) ON cognifold.node TO pg_monitor")
        admin.execute("CREATE INDEX node_of_the_operator ON cognifold.node (tenant_id, title)")
    return Divided(dsn)


def test_every_row_is_where_it_was_and_every_answer_the_same(divided: Divided) -> None:
    assert divided.stored["node"].total() > 18  # the events, and what was made of them
    assert stored(divided.dsn) == divided.stored
    assert answers(divided.dsn) == divided.answers


def test_tables_views_functions_and_rights_are_the_same_but_for_the_partitions(divided: Divided) -> None:
    found = shape(divided.dsn)
    assert found - divided.shape == set()
    assert divided.shape - found == set()


def test_every_table_that_grows_is_divided(divided: Divided) -> None:
    """A new table whose key begins with the tenant is divided, unless the SQL file says why it need not be."""
    whole = query(
        divided.dsn,
        "SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant_id' "
        "WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind = 'r' ORDER BY 1",
    )
    assert [name for (name,) in whole] == [
        "clearance", "decay_clock", "embedding_statistics", "graph_turn", "job_run", "lexical_statistics",
        "outbox_consumer", "outbox_head", "reembedding", "retention", "retention_run", "schedule", "setting", "tenant",
        "tenant_member", "vector_count", "watch_count", "webhook",
    ]  # fmt: skip


def test_all_that_a_tenant_has_in_a_table_lies_in_one_partition(divided: Divided) -> None:
    places = query(
        divided.dsn,
        "SELECT tenant_id, count(DISTINCT tableoid) FROM "
        "(SELECT tenant_id, tableoid FROM cognifold.node WHERE tenant_id LIKE 'the %') AS n GROUP BY 1",
    )
    assert sorted(places) == [(tenant, 1) for tenant in sorted(TENANTS)]
    (plan,) = query(
        divided.dsn, "EXPLAIN (FORMAT JSON) SELECT FROM cognifold.node WHERE tenant_id = 'the ferry' AND kind = 'event'"
    )[0]
    assert plan[0]["Plan"]["Relation Name"].startswith("node_")  # no Append: one partition alone is looked at


def test_partitions_keep_the_storage_of_their_table(divided: Divided, fresh_dsn: str) -> None:
    told = "SELECT DISTINCT c.reloptions FROM pg_class AS c WHERE c.relkind = 'r' AND c.relname ~ '^work(_[0-9])?$'"
    options = query(fresh_dsn, told)
    assert options[0][0][0] == "fillfactor=70"
    assert query(divided.dsn, told) == options


def test_past_its_table_nobody_reads_a_partition(divided: Divided) -> None:
    with psycopg.connect(make_conninfo(divided.dsn, user=WRITER), autocommit=True) as writer:
        writer.execute("SET cognifold.tenant = 'the ferry'")
        assert value(writer, "SELECT count(*) > 0 FROM cognifold.node")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="cognifold_partition"):
            writer.execute("SELECT FROM cognifold_partition.node_0")
    with psycopg.connect(divided.dsn, autocommit=True) as admin:
        admin.execute("SET ROLE cognifold_owner")
        admin.execute("SET cognifold.tenant = 'the ferry'")
        assert value(admin, "SELECT count(*) > 0 FROM cognifold.node")
        for number in range(PARTITIONS):
            assert value(admin, f"SELECT count(*) FROM cognifold_partition.node_{number}") == 0


def test_the_memory_goes_on_as_before(divided: Divided) -> None:
    with Memory(make_conninfo(divided.dsn, user=WRITER), tenant="the bakery", clock=CLOCK) as memory:
        memory.remember("The dome of the east tower closes again, the new motor is in", actor="Ilse")
        memory.fold_all()
        assert "new motor is in" in memory.recall("is the motor in?", 1)[0].content
    with psycopg.connect(make_conninfo(divided.dsn, user=WRITER), autocommit=True) as writer:
        writer.execute("SET cognifold.tenant = 'the bakery'")
        last = value(writer, "SELECT plan_id FROM cognifold.plan ORDER BY version DESC LIMIT 1")
        writer.execute("SELECT cognifold.undo_plan(%s)", [last])
        assert writer.execute("SELECT * FROM cognifold.check()").fetchall() == []
        assert [row for row in writer.execute("SELECT * FROM cognifold.health").fetchall() if not row[1]] == []


def test_an_upgrade_and_a_second_call_find_nothing_to_do(divided: Divided) -> None:
    assert install(divided.dsn).applied == []
    run = CliRunner().invoke(app, ["partition", "--by", str(PARTITIONS), "--dsn", divided.dsn])
    tables = divided.report.tables
    assert divided.report == PartitionReport(tables=tables, divided=tables, partitions=PARTITIONS)
    assert run.output == f"{tables} tables in {PARTITIONS} partitions each, 0 of them since just now\n"


@pytest.mark.parametrize(
    ("number", "told"), [(1, "a number from 2"), (257, "a number from 2"), (5, "has 2 partitions")]
)
def test_another_number_of_partitions_is_refused(divided: Divided, number: int, told: str) -> None:
    with pytest.raises(InstallError, match=told):
        partition(divided.dsn, number)


def test_what_others_made_and_would_lose_is_named_and_nothing_is_changed(copied: Callable[[str], str]) -> None:
    dsn = copied("cognifold_partition_others")
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("CREATE VIEW public.latest AS SELECT max(occurred_at) FROM cognifold.event")
        admin.execute("CREATE POLICY own ON cognifold.node FOR SELECT TO pg_monitor USING (true)")
        admin.execute("CREATE PUBLICATION own FOR TABLE cognifold.node")
    before = shape(dsn)
    with pytest.raises(InstallError) as refused:
        partition(dsn, 2)
    for named in ("view public.latest", "policy own on cognifold.node", "publication relation cognifold.node"):
        assert named in str(refused.value)
    assert shape(dsn) == before
