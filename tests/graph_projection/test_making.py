"""A graph comes and goes without a trace, any number at once, and is made anew where a restore has broken it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from cognifold_pg.cli import app
from cognifold_pg.embedded.backends import find_backend
from cognifold_pg.graph import prepare
from cognifold_pg.install import install
from tests.conftest import Connection, value
from tests.graph.plans import add_edge, apply, remember
from tests.graph_projection.conftest import READER
from tests.graph_projection.projection import Projection, cypher

TRACES = """
    SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname ~ '^cognifold_graph'
    UNION ALL SELECT 'graph ' || name FROM ag_catalog.ag_graph
    UNION ALL SELECT 'label ' || name FROM ag_catalog.ag_label
    UNION ALL SELECT 'row of ' || tenant_id FROM cognifold.graph_projection
    UNION ALL SELECT 'schedule of ' || tenant_id FROM cognifold.schedule WHERE job = 'graph'
    UNION ALL SELECT 'right of ' || datname FROM pg_database
              WHERE datname = current_database() AND has_database_privilege('cognifold_owner', oid, 'CREATE')
    ORDER BY 1
"""


def traces(admin: Connection) -> list[str]:
    return [name for (name,) in admin.execute(TRACES.encode()).fetchall()]


def test_nothing_is_left_of_a_graph_that_was_disabled(admin: Connection, new_graph: Callable[..., Projection]) -> None:
    before = traces(admin)
    graph = new_graph()
    remember(graph.connection, "The bridge is closed")
    assert len(traces(admin)) > len(before) + 15
    assert graph.disable()
    assert traces(admin) == before
    assert not graph.disable()
    with pytest.raises(psycopg.Error) as caught:
        graph.sync()
    assert caught.value.sqlstate == "CF053"
    assert "cognifold graph enable" in (caught.value.diag.message_hint or "")


def test_a_graph_is_fifty_one_tables_and_indexes(graph: Projection) -> None:
    """What docs/graph.md says of the lock table: a statement that names no label locks them all."""
    found = value(
        graph.admin,
        "SELECT count(*) FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind IN ('r', 'i')",
        graph.name,
    )
    assert found == 51  # a label: its table, and the indexes by its ids and by the node's; two that all labels inherit


def test_eight_first_uses_at_once_make_one_graph_for_each_tenant(
    admin: Connection, admin_dsn: str, new_graph: Callable[..., Projection]
) -> None:
    graphs = [new_graph(enabled=False) for _ in range(2)]

    def enable(number: int) -> str:
        with psycopg.connect(admin_dsn, autocommit=True) as one:
            return str(value(one, "SELECT cognifold.graph_enable(%s)", graphs[number % 2].tenant))

    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(enable, range(8)))
    assert len(set(names)) == 2
    assert names[0::2] == names[:1] * 4
    graphs[0].rebuild()
    graphs[0].assert_shows_all()


def test_what_is_asked_of_a_graph_that_was_never_filled_is_refused_with_the_remedy(
    graph: Projection, new_graph: Callable[..., Projection]
) -> None:
    fresh = new_graph(enabled=False)
    event = remember(fresh.connection, "The well is deep")
    value(fresh.admin, "SELECT cognifold.graph_enable(%s)", fresh.tenant)
    with pytest.raises(psycopg.Error) as caught:
        fresh.connection.execute("SELECT * FROM cognifold.graph_neighbourhood(%s, engine => 'age')", [event])
    assert caught.value.sqlstate == "CF053"
    assert "graph_rebuild" in (caught.value.diag.message_hint or "")
    fresh.catch_up()  # fills it
    assert (
        fresh.connection.execute("SELECT * FROM cognifold.graph_neighbourhood(%s, engine => 'age')", [event]).fetchall()
        == []
    )


def test_the_commands_make_fill_and_end_a_graph(admin_dsn: str, new_graph: Callable[..., Projection]) -> None:
    graph = new_graph(enabled=False)
    said = [remember(graph.connection, f"The {thing} sank") for thing in ("raft", "ferry")]
    apply(graph.connection, add_edge(said[0], "related_to", said[1]))

    def run(*arguments: str, tenant: bool = True) -> str:
        named = ["--tenant", graph.tenant] if tenant else []
        result = CliRunner().invoke(app, ["graph", *arguments, *named, "--dsn", admin_dsn], env={"COLUMNS": "200"})
        assert result.exit_code == 0, (result.output, result.exception)
        return result.output

    assert run("enable").endswith(": 3 nodes and edges\n")
    apply(graph.connection, add_edge(said[1], "precedes", said[0]))
    assert graph.tenant in run("status", tenant=False)
    assert run("sync") == "1 changes carried over\n"
    assert run("rebuild") == "4 nodes and edges\n"
    assert run("disable") == f"the graph of tenant {graph.tenant} is gone\n"
    assert run("disable") == f"tenant {graph.tenant} had none\n"


def test_init_runs_the_files_of_the_graph_again_where_one_has_changed(admin: Connection, admin_dsn: str) -> None:
    assert install(admin_dsn).applied == []
    admin.execute("UPDATE cognifold.schema_migration SET sha256 = 'older' WHERE name = 'optional/age/41_age_paths.sql'")
    assert install(admin_dsn).applied == ["optional/age/41_age_paths.sql"]
    assert prepare(admin_dsn).applied == []


def test_a_graph_that_a_dump_has_broken_is_said_to_be_so_and_made_anew(
    admin: Connection, admin_dsn: str, graph: Projection
) -> None:
    said = [remember(graph.connection, f"The {thing} burnt") for thing in ("barn", "toast")]
    apply(graph.connection, add_edge(said[0], "related_to", said[1]))
    graph.catch_up()
    program = find_backend().program
    if not (program("pg_dump").exists() and program("psql").exists()):
        pytest.skip("the embedded backend brings no pg_dump and psql")
    admin.execute("DROP DATABASE IF EXISTS restored WITH (FORCE)")
    admin.execute("CREATE DATABASE restored TEMPLATE template0 ENCODING 'UTF8'")
    restored_dsn = make_conninfo(admin_dsn, dbname="restored")
    dumping = [
        str(program("pg_dump")),
        "--exclude-table-data=cognifold.lexicon*",
        admin_dsn,
    ]  # which is large, and the same
    dumped = subprocess.run(dumping, capture_output=True, text=True, check=True).stdout
    back = subprocess.run([program("psql"), "-qX", "-v", "ON_ERROR_STOP=1", restored_dsn], input=dumped,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert back.returncode == 0, back.stderr
    asking: tuple[str, list[UUID]] = ("SELECT nodes FROM cognifold.graph_paths(%s, %s, engine => 'age')", said)
    with (
        psycopg.connect(restored_dsn, autocommit=True) as restored_admin,
        psycopg.connect(make_conninfo(restored_dsn, user=READER), autocommit=True) as reading,
    ):
        reading.execute("SELECT set_config('cognifold.tenant', %s, false)", [graph.tenant])
        with pytest.raises(psycopg.Error) as broken:
            cypher(restored_admin, graph.name, "MATCH (n) RETURN n", 1)
        assert "graph with oid" in str(broken.value)
        with pytest.raises(psycopg.Error) as caught:
            reading.execute(asking[0].encode(), asking[1])
        assert caught.value.sqlstate == "CF053"
        assert "cognifold graph rebuild" in (caught.value.diag.message_hint or "")
        # What is undone or deleted is not held up by it.
        plan = value(restored_admin, "SELECT plan_id FROM cognifold.plan WHERE tenant_id = %s", graph.tenant)
        assert value(reading, "SELECT count(*) FROM cognifold.graph_paths(%s, %s)", *said) == 1
        result = CliRunner().invoke(app, ["graph", "rebuild", "--tenant", graph.tenant, "--dsn", restored_dsn])
        assert (result.exit_code, result.output) == (0, "3 nodes and edges\n")
        assert reading.execute(asking[0].encode(), asking[1]).fetchall() == [(said,)]
        names = [name for (name,) in restored_admin.execute("SELECT name FROM ag_catalog.ag_graph").fetchall()]
        anew = value(
            restored_admin, "SELECT graph_name FROM cognifold.graph_projection WHERE tenant_id = %s", graph.tenant
        )
        assert anew in names
        assert graph.name not in names
        restored = Projection(restored_admin, reading, graph.tenant)
        restored.assert_shows_all()
        value(restored_admin, "SELECT cognifold.undo_plan(%s, false, %s)", plan, graph.tenant)
    admin.execute("DROP DATABASE restored WITH (FORCE)")


def test_a_deletion_goes_on_where_the_graph_does_not_take_it_and_the_graph_is_filled_anew(graph: Projection) -> None:
    said = [remember(graph.connection, f"The {thing} froze") for thing in ("lake", "pipe")]
    apply(graph.connection, add_edge(said[0], "related_to", said[1]))
    graph.catch_up()
    damage = """
        CREATE OR REPLACE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'damaged'; END $$;
        CREATE TRIGGER refuse BEFORE DELETE ON {}.event FOR EACH ROW EXECUTE FUNCTION public.refuse()"""
    graph.admin.execute(damage.format(graph.name).encode())
    graph.admin.execute("DELETE FROM cognifold.work WHERE node_id = %s", [said[0]])
    graph.admin.execute("DELETE FROM cognifold.node WHERE tenant_id = %s AND id = %s", [graph.tenant, said[0]])
    assert value(graph.connection, "SELECT stale FROM cognifold.graph_lag")
    with pytest.raises(psycopg.Error) as caught:  # it shows nothing of it meanwhile
        graph.connection.execute("SELECT * FROM cognifold.graph_neighbourhood(%s, engine => 'age')", [said[1]])
    assert caught.value.sqlstate == "CF053"
    graph.catch_up()
    graph.assert_shows_all()
