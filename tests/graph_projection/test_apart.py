"""One tenant's graph is nobody else's, and no argument becomes Cypher or SQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from tests.conftest import Connection, make_role, value
from tests.graph.plans import add_edge, apply, remember
from tests.graph_projection.conftest import READER
from tests.graph_projection.projection import Projection, cypher

ROLE = "graph_author"


@pytest.fixture
def two(new_graph: Callable[..., Projection]) -> tuple[Projection, list[UUID], Projection, list[UUID]]:
    """Two tenants with a graph each: the second's events tell of a canary."""
    graphs = new_graph(), new_graph()
    told: list[list[UUID]] = []
    for graph, thing in zip(graphs, ("a mill", "the canary"), strict=True):
        said = [remember(graph.connection, f"{word} of {thing}") for word in ("News", "Views", "Songs")]
        apply(graph.connection, add_edge(said[0], "related_to", said[1]), add_edge(said[1], "causes", said[2]))
        graph.catch_up()
        told.append(said)
    return graphs[0], told[0], graphs[1], told[1]


def test_no_verb_finds_a_node_of_another_tenant(
    two: tuple[Projection, list[UUID], Projection, list[UUID]], dsn: str
) -> None:
    graph, own, _, others = two
    with psycopg.connect(make_conninfo(dsn, user=READER), autocommit=True) as reading:
        reading.execute("SELECT set_config('cognifold.tenant', %s, false)", [graph.tenant])
        for engine in ("sql", "age"):
            found: list[Any] = []
            for node in own:
                found += reading.execute(
                    "SELECT * FROM cognifold.graph_neighbourhood(%s, 5, 1000, %s)", [node, engine]
                ).fetchall()
                found += reading.execute(
                    "SELECT * FROM cognifold.graph_pattern('chain', %s, engine => %s)", [node, engine]
                ).fetchall()
                found += reading.execute(
                    "SELECT * FROM cognifold.graph_paths(%s, %s, 5, 100, %s)", [own[0], node, engine]
                ).fetchall()
            assert found
            assert "canary" not in str(found)
            assert not any(str(node) in str(found) for node in others)
            for call in (
                "graph_neighbourhood(%(other)s, 2, 10, %(engine)s)",
                "graph_paths(%(own)s, %(other)s, 3, 10, %(engine)s)",
                "graph_pattern('triangle', %(other)s, engine => %(engine)s)",
            ):
                with pytest.raises(psycopg.Error) as caught:
                    reading.execute(
                        f"SELECT * FROM cognifold.{call}".encode(),
                        {"own": own[0], "other": others[0], "engine": engine},
                    )
                assert caught.value.sqlstate == "CF021"


def test_a_plain_role_reaches_no_graph_but_by_the_verbs(
    two: tuple[Projection, list[UUID], Projection, list[UUID]], dsn: str
) -> None:
    graph, *_ = two
    with psycopg.connect(make_conninfo(dsn, user=READER), autocommit=True) as reading:
        reading.execute("SELECT set_config('cognifold.tenant', %s, false)", [graph.tenant])
        for query in (
            f"SELECT * FROM {graph.name}.event",
            "SELECT * FROM ag_catalog.ag_graph",
            "SELECT cognifold.age_rebuild('x')",
            f"SELECT cognifold.age_paths('{graph.name}', NULL, NULL, 1, 1, 1)",
            "SELECT cognifold.graph_enable()",
            "SELECT cognifold.graph_disable()",
            "SELECT cognifold.graph_sync()",
            f"SELECT cognifold.graph_grant('{READER}')",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                reading.execute(query.encode())


HOSTILE = (
    "x'); DROP TABLE cognifold.node; --", 'a"}) MATCH (n) DETACH DELETE n //', "$cypher$ RETURN 1 $cypher$", "$$) --",
    "chain') --", "\\", "\u2028 ::vertex",
)  # fmt: skip


@pytest.fixture(scope="module")
def hostile(admin_dsn: str, dsn: str) -> tuple[Projection, dict[str, list[UUID]]]:
    """A graph of two events for each of these texts, the first causing the second."""
    tenant = "graph of the hostile"
    connection = psycopg.connect(dsn, autocommit=True, prepare_threshold=None)
    connection.execute("SELECT cognifold.create_tenant(%s)", [tenant])
    connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    told = {
        text: [remember(connection, f"{word} {text}", title=f"{word} {text}", actor=text) for word in ("One", "Two")]
        for text in HOSTILE
    }
    apply(connection, *(add_edge(said[0], "causes", said[1]) for said in told.values()))
    graph = Projection(psycopg.connect(admin_dsn, autocommit=True), connection, tenant)
    graph.enable()
    return graph, told


@pytest.mark.parametrize("text", HOSTILE)
def test_no_argument_becomes_cypher_or_sql(hostile: tuple[Projection, dict[str, list[UUID]]], text: str) -> None:
    graph, said = hostile[0], hostile[1][text]
    graph.assert_shows_all()  # texts of the memory are values there, too
    assert (
        value(graph.connection, "SELECT titles[2] FROM cognifold.graph_paths(%s, %s, engine => 'age')", *said)
        == f"Two {text}"
    )
    refused: dict[str, tuple[list[Any], str]] = {
        "SELECT * FROM cognifold.graph_pattern(%s, %s)": ([text, said[0]], "CF010"),
        "SELECT * FROM cognifold.graph_paths(%s, %s, engine => %s)": ([*said, text], "CF010"),
        "SELECT * FROM cognifold.graph_paths(%s, %s)": ([said[0], text], "22P02"),
        "SELECT * FROM cognifold.graph_neighbourhood(%s, engine => %s)": ([said[0], text], "CF010"),
        "SELECT cognifold.graph_sync(1, %s)": ([text], "CF004"),
        "SELECT cognifold.graph_rebuild(%s)": ([text], "CF004"),
    }
    for query, (parameters, state) in refused.items():
        with pytest.raises(psycopg.Error) as caught:
            graph.connection.execute(query.encode(), parameters)
        assert caught.value.sqlstate == state
    for verb in ("graph_enable", "graph_disable"):
        with pytest.raises(psycopg.Error) as caught:
            graph.admin.execute(f"SELECT cognifold.{verb}(%s)".encode(), [text])
        assert caught.value.sqlstate == "CF002"
    with pytest.raises(psycopg.Error) as caught:
        graph.admin.execute("SELECT cognifold.graph_grant(%s, %s)", [text, graph.tenant])
    assert caught.value.sqlstate == "CF010"
    graph.assert_shows_all()


def test_a_tenant_with_any_name_has_a_graph_whose_name_tells_nothing_of_it(
    admin: Connection, connect: Callable[..., Connection]
) -> None:
    tenant = "x\"; DROP SCHEMA cognifold; -- '$$"
    connection = connect()
    connection.execute("SELECT cognifold.create_tenant(%s)", [tenant])
    graph = Projection(admin, connect(tenant), tenant)
    name = graph.enable()
    assert name.removeprefix("cognifold_graph_").isdecimal()
    assert graph.disable()


def test_a_role_that_was_let_in_reads_its_graph_by_cypher_and_nothing_else(
    two: tuple[Projection, list[UUID], Projection, list[UUID]], dsn: str
) -> None:
    graph, own, other, _others = two
    make_role(graph.admin, ROLE)
    graph.admin.execute("SELECT cognifold.set_clearance(%s, 'shared', %s)", [ROLE, graph.tenant])
    with pytest.raises(psycopg.Error, match="to see only what is shared or public") as refused:
        graph.admin.execute("SELECT cognifold.graph_grant(%s, %s)", [ROLE, graph.tenant])  # a graph shows all
    assert refused.value.sqlstate == "CF034"
    graph.admin.execute("SELECT cognifold.set_clearance(%s, NULL, %s)", [ROLE, graph.tenant])
    graph.admin.execute("SELECT cognifold.graph_grant(%s, %s)", [ROLE, graph.tenant])
    with psycopg.connect(make_conninfo(dsn, user=ROLE), autocommit=True, prepare_threshold=None) as author:
        rows = cypher(author, graph.name, "MATCH (a:event)-[:causes]->(b) RETURN a.id, b.title", 2)
        assert rows == [(str(own[1]), "Songs of a mill")]
        ids = graph.admin.execute(
            f"SELECT id::text, start_id::text, end_id::text FROM {other.name}.causes".encode()
        ).fetchall()[0]
        edge = '{"id": %s, "label": "causes", "start_id": %s, "end_id": %s, "properties": {}}::edge' % ids  # noqa: UP031
        own_vle = "MATCH p = (a)-[*1..2]->(b) RETURN b.title"
        attempts: list[Callable[[], Any]] = [
            lambda: cypher(author, other.name, "MATCH (a) RETURN a.title", 1),
            lambda: cypher(author, other.name, own_vle, 1),
            lambda: cypher(author, graph.name, own_vle, 1),  # it would read any graph
            lambda: author.execute(
                "SELECT ag_catalog.age_materialize_vle_path(e) "
                "FROM ag_catalog.age_vle(%s::ag_catalog.agtype, NULL, NULL, %s::ag_catalog.agtype, "
                "'1'::ag_catalog.agtype, '2'::ag_catalog.agtype, '1'::ag_catalog.agtype) AS e",
                [f'"{other.name}"', edge],
            ),
            lambda: author.execute("SELECT ag_catalog.age_graph_stats(%s::ag_catalog.agtype)", [f'"{other.name}"']),
            lambda: author.execute(f"SELECT * FROM {other.name}.event".encode()),
            lambda: author.execute("SELECT * FROM ag_catalog.ag_graph"),
            lambda: author.execute("SELECT * FROM cognifold.node"),
            lambda: cypher(author, graph.name, "CREATE (a:event {id: 'x'}) RETURN a", 1),
            lambda: cypher(author, graph.name, "MATCH (a:event) SET a.title = 'x' RETURN a", 1),
            lambda: cypher(author, graph.name, "MATCH (a:event) DETACH DELETE a RETURN a", 1),
            lambda: cypher(author, graph.name, "CREATE (a:novelty) RETURN a", 1),
            lambda: author.execute(f"SELECT ag_catalog.drop_graph('{graph.name}', true)".encode()),
        ]
        for number, attempt in enumerate(attempts):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                attempt()
                pytest.fail(f"attempt {number} came through", pytrace=False)
        graph.admin.execute("SELECT cognifold.graph_revoke(%s, %s)", [ROLE, graph.tenant])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            author.execute(f"SELECT * FROM {graph.name}.event".encode())
    graph.admin.execute(f"DROP ROLE {ROLE}".encode())  # nothing of it is left
    # The verbs keep their paths.
    assert (
        value(graph.connection, "SELECT count(*) FROM cognifold.graph_paths(%s, %s, engine => 'age')", own[0], own[2])
        == 1
    )
