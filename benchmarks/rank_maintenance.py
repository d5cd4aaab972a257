"""What does it cost to keep PageRank up to date, how exact is it, and what does a context window cost?

    python -m benchmarks.rank_maintenance [--json FILE] [--dsn DSN] [--sizes NODES NODES]

Needs no data: two random graphs of events with ten edges a node (10,000 and 100,000 nodes unless ``--sizes`` says
otherwise), whose popularity is as uneven as that of pages, are loaded as they stand. Measured:

    maintenance_ms_N  median time to mark and settle 100 changed edges at N nodes, half of them new, half removed
    time_ratio        that of the large graph as a multiple of the small one's: at most 2
    window_20_ms_N    median time of context_window(20), and of context_window(100)
    top_1000          largest relative error of the stored ranks, each divided by the highest, against SciPy, on the
                      1,000 highest after 10,000 changes of the large graph that make 50 hubs and remove 50: at most
                      .05
    touched           the same on every node at an end of a changed edge

The baseline ``stale`` is the vector as it stood before those changes, ``whole`` the product's own computation from
nothing.
"""

from __future__ import annotations

import argparse
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
import psycopg
from psycopg.types.json import Jsonb
from scipy import sparse

from benchmarks.harness import Report, finish, scratch_database
from cognifold_pg.install import package_version

Connection = psycopg.Connection[Any]
Numbers = npt.NDArray[np.float64]
Edge = tuple[int, int]

SIZES = (10_000, 100_000)
CHANGES = 100
ROUNDS = 20
HUBS = 50
HUB_EDGES = 100
_NOW = "2026-03-02T09:00:00+00:00"
_NODE = UUID("00000000-0000-7000-8000-000000000000")


@dataclass(slots=True)
class Graph:
    """A tenant's random graph, here and in the database; nodes are numbers, edges have a mass."""

    connection: Connection
    tenant: str
    nodes: int
    chance: np.random.Generator
    masses: dict[Edge, float] = field(default_factory=dict)

    def load(self) -> None:
        """Fill an empty tenant: popularity falls with the cube root of its place, sources are all alike."""
        wanted = 10 * self.nodes
        popular = self.chance.permutation(self.nodes)
        while len(self.masses) < wanted:
            count = wanted - len(self.masses)
            sources = self.chance.integers(self.nodes, size=count)
            targets = popular[(self.nodes * self.chance.random(count) ** 3).astype(int)]
            found = zip(sources.tolist(), targets.tolist(), self.chance.uniform(0.3, 1, count).tolist(), strict=True)
            self.masses.update({(source, target): mass for source, target, mass in found if source != target})
        level = self._level()
        with self.connection.transaction(), self.connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")  # what is loaded refers to itself
            with cursor.copy(
                "COPY cognifold.node (tenant_id, id, kind, memory_type, title, occurred_at, recorded_at, digest) "
                "FROM STDIN"
            ) as rows:
                for node in range(self.nodes):
                    rows.write_row([self.tenant, name(node), "event", "episodic", f"event {node}", moment(node), _NOW,
                                    b"-"])  # fmt: skip
            with cursor.copy(
                "COPY cognifold.graph_edge (tenant_id, source_id, target_id, type, source_kind, target_kind, rate, "
                "potential, stamped_at, created_at, plan_id) FROM STDIN"
            ) as rows:
                for (source, target), mass in self.masses.items():
                    rows.write_row([self.tenant, name(source), name(target), "related_to", "event", "event", "episodic",
                                    float(np.log(mass)) + level, _NOW, _NOW, _NODE])  # fmt: skip
        for table in ("node", "graph_edge"):
            self.connection.execute(f"VACUUM ANALYZE cognifold.{table}".encode())

    def enter(self) -> Connection:
        """The connection, in this graph's tenant."""
        self.connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [self.tenant])
        return self.connection

    def change(self, removed: Sequence[Edge], added: Sequence[Edge]) -> float:
        """Take some edges out, put others in, and settle; the seconds that marking and settling took."""
        masses = dict(zip(added, self.chance.uniform(0.3, 1, len(added)).tolist(), strict=True))
        self.masses.update(masses)
        level = self._level()
        with self.connection.transaction(), self.connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.executemany(
                "INSERT INTO cognifold.graph_edge (tenant_id, source_id, target_id, type, source_kind, target_kind, "
                "rate, potential, stamped_at, created_at, plan_id) "
                "VALUES (%s, %s, %s, 'related_to', 'event', 'event', 'episodic', %s, %s, %s, %s)",
                [
                    [self.tenant, name(source), name(target), float(np.log(mass)) + level, _NOW, _NOW, _NODE]
                    for (source, target), mass in masses.items()
                ],
            )
            cursor.executemany(
                "DELETE FROM cognifold.graph_edge WHERE tenant_id = %s AND source_id = %s AND target_id = %s",
                [[self.tenant, name(source), name(target)] for source, target in removed],
            )
        for edge in removed:
            del self.masses[edge]
        changes = [
            {"relation": "graph_edge", "node_id": str(source), "other_id": str(target), "part": "related_to"}
            for source, target in ((name(source), name(target)) for source, target in [*added, *removed])
        ]
        started = time.perf_counter()
        with self.connection.transaction():
            self.connection.execute("SELECT cognifold.mark_ranks(%s, %s)", [self.tenant, Jsonb(changes)])
            self.connection.execute("SELECT cognifold.refresh_ranks()")
        return time.perf_counter() - started

    def new_edges(self, count: int, target: int | None = None) -> list[Edge]:
        """So many edges that are not there yet, at random or at one target."""
        found: dict[Edge, None] = {}
        while len(found) < count:
            source = int(self.chance.integers(self.nodes))
            edge = source, int(self.chance.integers(self.nodes)) if target is None else target
            if edge[0] != edge[1] and edge not in self.masses:
                found[edge] = None
        return list(found)

    def old_edges(self, count: int) -> list[Edge]:
        """So many of the edges that are there."""
        edges = list(self.masses)
        return [edges[place] for place in self.chance.choice(len(edges), count, replace=False)]

    def stored(self) -> Numbers:
        """The ranks as the database keeps them, divided by the highest."""
        ranks: Numbers = np.ones(self.nodes)
        for node, rank in self.connection.execute(
            "SELECT node_id, rank FROM cognifold.node_rank WHERE tenant_id = %s", [self.tenant]
        ):
            ranks[node.int - _NODE.int] = rank
        highest: float = ranks.max()
        return ranks / highest

    def exact(self) -> Numbers:
        """PageRank by power iteration over the whole graph, divided by the highest."""
        ends = np.array(list(self.masses), dtype=np.int64)
        flow = sparse.csr_matrix((list(self.masses.values()), (ends[:, 1], ends[:, 0])), shape=(self.nodes, self.nodes))
        given = np.asarray(flow.sum(axis=0)).ravel()
        flow = flow @ sparse.diags(np.divide(1, given, out=np.zeros(self.nodes), where=given > 0))
        ranks = np.full(self.nodes, 1 / self.nodes)
        for _ in range(500):
            before = ranks
            ranks = 0.85 * (flow @ ranks + ranks[given == 0].sum() / self.nodes) + 0.15 / self.nodes
            if np.abs(ranks - before).sum() < 1e-13:
                break
        return np.asarray(ranks / ranks.max())

    def _level(self) -> float:
        row = self.connection.execute(
            "SELECT cognifold.decay_integral(%s, 'episodic', %s)", [self.tenant, _NOW]
        ).fetchone()
        assert row is not None
        return float(row[0])


def name(node: int) -> UUID:
    """The id of a node."""
    return UUID(int=_NODE.int + node)


def moment(node: int) -> str:
    """When an event happened: they follow each other by a minute."""
    return str(np.datetime64("2025-12-01T00:00:00") + np.timedelta64(node, "m")) + "+00:00"


def timed(call: Callable[[], object], times: int = 5) -> float:
    """The median seconds of a call, once warm."""
    call()
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    return median(seconds)


def graph_of(connection: Connection, nodes: int) -> Graph:
    """A fresh tenant with a graph of so many nodes."""
    tenant = f"{nodes} nodes {secrets.token_hex(4)}"
    connection.execute("SELECT set_config('cognifold.now', %s, false)", [_NOW])
    connection.execute("SELECT set_config('cognifold.tenant', '', false)")
    connection.execute("SELECT cognifold.create_tenant(%s)", [tenant])
    graph = Graph(connection, tenant, nodes, np.random.default_rng(nodes))
    graph.enter()
    graph.load()
    return graph


def speed(graphs: Sequence[Graph]) -> tuple[dict[str, float], dict[str, float]]:
    """Times at each size, in milliseconds, and those of the whole computation."""
    metrics: dict[str, float] = {}
    baselines: dict[str, float] = {}
    for graph in graphs:
        connection = graph.enter()
        started = time.perf_counter()
        connection.execute("SELECT cognifold.refresh_ranks(true)")
        baselines[f"whole.maintenance_ms_{graph.nodes}"] = 1000 * (time.perf_counter() - started)
    for table in ("node_rank", "rank_arc", "rank_dirty"):
        connection.execute(f"VACUUM ANALYZE cognifold.{table}".encode())
    half = CHANGES // 2
    rounds: dict[int, list[float]] = {graph.nodes: [] for graph in graphs}
    for _ in range(ROUNDS):  # by turns, so that whatever else the machine does weighs on all sizes alike
        for graph in graphs:
            graph.enter()
            rounds[graph.nodes].append(graph.change(graph.old_edges(half), graph.new_edges(CHANGES - half)))
    for graph in graphs:
        connection = graph.enter()
        metrics[f"maintenance_ms_{graph.nodes}"] = 1000 * median(rounds[graph.nodes])
        for places in (20, 100):
            window = timed(partial(connection.execute, "SELECT count(*) FROM cognifold.context_window(%s)", [places]))
            metrics[f"window_{places}_ms_{graph.nodes}"] = 1000 * window
    return metrics, baselines


def upheaval(graph: Graph) -> tuple[dict[str, float], dict[str, float]]:
    """Errors after 10,000 changes that make 50 hubs and remove 50, and those of the vector before them."""
    stale = graph.stored()
    into: dict[int, list[Edge]] = {}
    for edge in graph.masses:
        into.setdefault(edge[1], []).append(edge)
    hubs = sorted(into, key=lambda node: (abs(len(into[node]) - HUB_EDGES), node))[:HUBS]
    quiet = [node for node in range(graph.nodes) if len(into.get(node, [])) <= 2][:HUBS]
    removed = [edge for hub in hubs for edge in into[hub]][: HUBS * HUB_EDGES]
    added = [edge for hub in quiet for edge in graph.new_edges(HUB_EDGES, hub)]
    order = graph.chance.permutation(len(added))
    out = [removed[place] for place in graph.chance.permutation(len(removed))]
    for place in range(0, len(added), CHANGES // 2):
        graph.change(out[place : place + CHANGES // 2], [added[i] for i in order[place : place + CHANGES // 2]])
    stored, exact = graph.stored(), graph.exact()
    top = np.argsort(-exact)[:1000]
    touched = np.unique(np.array([*removed, *added]).ravel())
    errors = {"top_1000": top, "touched": touched, "everywhere": np.arange(graph.nodes)}
    of: Callable[[Numbers], Mapping[str, float]] = lambda ranks: {  # noqa: E731
        what: float(np.max(np.abs(ranks[nodes] - exact[nodes]) / exact[nodes])) for what, nodes in errors.items()
    }
    return dict(of(stored)), {f"stale.{what}": error for what, error in of(stale).items()}


def measure(connection: Connection, sizes: Sequence[int] = SIZES) -> tuple[dict[str, float], dict[str, float]]:
    """Metrics and baselines on a database with the schema; ``connection`` is a superuser's, in autocommit."""
    small, large = (graph_of(connection, size) for size in sorted(sizes))
    metrics, baselines = speed([small, large])
    metrics["time_ratio"] = metrics[f"maintenance_ms_{large.nodes}"] / metrics[f"maintenance_ms_{small.nodes}"]
    large.enter()
    found, compared = upheaval(large)
    return metrics | found, baselines | compared


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report there, as JSON")
    parser.add_argument("--dsn", help="a PostgreSQL to use instead of the embedded one (a superuser's)")
    parser.add_argument("--sizes", type=int, nargs=2, default=SIZES, metavar="NODES", help="nodes of the two graphs")
    options = parser.parse_args(argv)
    with scratch_database(options.dsn) as dsn, psycopg.connect(dsn, autocommit=True) as connection:
        metrics, baselines = measure(connection, options.sizes)
    data = f"{options.sizes[0]} and {options.sizes[1]} nodes, ten edges each"
    finish(Report("rank_maintenance", package_version(), data, metrics, baselines), options.json)


if __name__ == "__main__":
    main()
