"""A tenant's graph, and what it has to show: read from the tables and from AGE in other ways than the product's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tests.conftest import Connection, value

Vertex = tuple[str, str, str]  # kind, title, occurred_at in UTC
Edge = tuple[UUID, str, UUID]


@dataclass(slots=True)
class Projection:
    """``connection`` is a plain role's with the tenant set, ``admin`` a superuser's."""

    admin: Connection
    connection: Connection
    tenant: str

    def enable(self) -> str:
        name = str(value(self.admin, "SELECT cognifold.graph_enable(%s)", self.tenant))
        self.rebuild()
        return name

    def disable(self) -> bool:
        return bool(value(self.admin, "SELECT cognifold.graph_disable(%s)", self.tenant))

    def rebuild(self) -> int:
        return int(value(self.connection, "SELECT cognifold.graph_rebuild()"))

    def sync(self, most: int = 2000) -> int:
        return int(value(self.connection, "SELECT cognifold.graph_sync(%s)", most))

    def catch_up(self, most: int = 2000) -> None:
        while self.sync(most):
            pass

    @property
    def name(self) -> str:
        return str(
            value(self.admin, "SELECT graph_name FROM cognifold.graph_projection WHERE tenant_id = %s", self.tenant)
        )

    def wanted(self) -> tuple[dict[UUID, Vertex], dict[Edge, float]]:
        """What the tables say: nodes that stand for themselves, of events those that plans know, and live edges."""
        return wanted(self.admin, self.tenant)

    def shown(self) -> tuple[dict[UUID, Vertex], dict[Edge, float]]:
        """What Cypher says."""
        nodes = cypher(self.admin, self.name, "MATCH (n) RETURN n.id, label(n), n.kind, n.title, n.occurred_at", 5)
        edges = cypher(self.admin, self.name, "MATCH (a)-[r]->(b) RETURN a.id, type(r), b.id, r.potential", 4)
        found = {UUID(id): (kind, title, moment) for id, _, kind, title, moment in nodes}
        assert len(found) == len(nodes), "a node has two vertices"
        assert {label for _, label, *_ in nodes} <= {"event", "concept", "intent", "time"}
        assert all(label == kind for _, label, kind, *_ in nodes)
        tied = {(UUID(s), kind, UUID(t)): float(potential) for s, kind, t, potential in edges}
        assert len(tied) == len(edges), "an edge is there twice"
        return found, tied

    def assert_shows_all(self) -> None:
        nodes, edges = self.wanted()
        shown_nodes, shown_edges = self.shown()
        assert shown_nodes == nodes
        assert shown_edges == edges


def wanted(admin: Connection, tenant: str) -> tuple[dict[UUID, Vertex], dict[Edge, float]]:
    stored = admin.execute(
        "SELECT id, kind, title, to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'), "
        "merged_into FROM cognifold.node WHERE tenant_id = %s",
        [tenant],
    ).fetchall()
    folded = admin.execute("SELECT event_id FROM cognifold.folded_event WHERE tenant_id = %s", [tenant]).fetchall()
    edges = admin.execute(
        "SELECT source_id, type, target_id, potential, faded_at FROM cognifold.graph_edge WHERE tenant_id = %s",
        [tenant],
    ).fetchall()
    known = {id for (id,) in folded} | {s for s, *_ in edges} | {t for _, _, t, *_ in edges}
    return (
        {
            id: (kind, title, moment)
            for id, kind, title, moment, merged in stored
            if merged is None and (kind != "event" or id in known)
        },
        {(s, kind, t): potential for s, kind, t, potential, faded in edges if faded is None},
    )


def cypher(connection: Connection, graph: str, text: str, columns: int) -> list[tuple[Any, ...]]:
    """Rows of a Cypher query, each value as text; a superuser's or a graph role's connection."""
    connection.execute("SELECT ag_catalog.agtype_in('1')")  # loads the library
    with connection.transaction():
        connection.execute("SET LOCAL search_path = pg_catalog, ag_catalog")
        names = ", ".join(f"c{number} ag_catalog.agtype" for number in range(columns))
        picked = ", ".join(f"c{number}::text" for number in range(columns))
        return connection.execute(
            f"SELECT {picked} FROM ag_catalog.cypher('{graph}', $cypher$ {text} $cypher$) AS r ({names})".encode()
        ).fetchall()
