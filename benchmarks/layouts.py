"""What do partitions cost or bring? The same memory in plain tables and in hash partitions by tenant.

    python -m benchmarks.layouts [--nodes 10000] [--partitions 8] [--tenants 200] [--questions 50] [--events 200]
                                 [--rounds 3] [--json FILE] [--dsn DSN]

Needs no data. One tenant has a memory of so many nodes (benchmarks.synthetic), beside it stand tenants of 200 nodes.
Its database is copied and the copy partitioned. In turns, a plain role under row-level security asks both the same
questions and has both remember and fold the same further events, one connection each. The baseline ``plain`` is the
memory as the install leaves it; ratios above 1 say that partitions are slower.

    recall_p50_ms, recall_p95_ms   time of a recall at the client
    remember_ms, fold_ms           time an event, remembered one by one, folded in batches of 20
    first_recall_ms                the first recall of a new connection (median of five)
    session_mb                     memory of that connection's server process after it
    ratio_M                        of metric M, partitioned to plain
    partition_seconds              how long the conversion of the database took
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from benchmarks import synthetic
from benchmarks.harness import ROLE, Report, arguments, drop_role, finish, make_role, scratch_database, short
from cognifold_pg.install import package_version
from cognifold_pg.partition import partition

Connection = psycopg.Connection[Any]
_TENANT = "layouts"
_SMALL = 200


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    parser = arguments(__doc__ or "", data_required=False)
    parser.add_argument("--nodes", type=int, default=10_000, help="nodes of the memory that is asked")
    parser.add_argument("--partitions", type=int, default=8, help="partitions of each table")
    parser.add_argument("--tenants", type=int, default=200, help="tenants of 200 nodes beside it")
    parser.add_argument("--questions", type=int, default=50, help="questions a round")
    parser.add_argument("--events", type=int, default=200, help="events a round")
    parser.add_argument("--rounds", type=int, default=3, help="rounds after a first one that does not count")
    options = parser.parse_args(argv)
    with scratch_database(options.dsn) as dsn:
        report = measure(
            dsn, options.nodes, options.partitions, options.tenants, options.questions, options.events, options.rounds
        )
    finish(report, options.json)


def measure(dsn: str, nodes: int, partitions: int, tenants: int, questions: int, events: int, rounds: int) -> Report:
    """Run the benchmark in the database ``dsn`` (a superuser's) and a copy of it, which goes at the end."""
    with psycopg.connect(dsn, autocommit=True) as admin:
        make_role(admin, "pg_read_all_stats")  # it looks at how much memory it takes itself
        memory = synthetic.grow(admin, _TENANT, nodes)
        if tenants:
            synthetic.grow(admin, "beside 0", _SMALL, ranked=False)
            synthetic.multiply(admin, "beside 0", [f"beside {number}" for number in range(1, tenants)])
        plain = admin.info.dbname
    copy = f"{plain}_partitioned"
    server = make_conninfo(dsn, dbname="postgres")
    with psycopg.connect(server, autocommit=True) as maintenance:
        maintenance.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(copy)))
        maintenance.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(copy), sql.Identifier(plain))
        )
        try:
            divided = make_conninfo(dsn, dbname=copy)
            seconds = _timed(lambda: partition(divided, partitions))
            found = [_Layout(make_conninfo(one, user=ROLE)) for one in (dsn, divided)]
            for number in range(rounds + 1):
                asked = [memory.topics.question() for _ in range(questions)]
                told = list(memory.next_events(events))
                for layout in found if number % 2 else found[::-1]:
                    layout.round(asked, told, counts=number > 0)
            for layout in found:
                layout.first_recalls(memory.topics.question())
                layout.connection.close()
        finally:
            maintenance.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(copy)))
    with psycopg.connect(dsn, autocommit=True) as admin:
        drop_role(admin)
    one, other = (layout.medians() for layout in found)
    return Report(
        benchmark="layouts",
        version=package_version(),
        data=f"{short(nodes)} nodes, {tenants} tenants beside, {partitions} partitions",
        metrics=other | {f"ratio_{name}": other[name] / one[name] for name in one} | {"partition_seconds": seconds},
        baselines={f"plain.{name}": value for name, value in one.items()},
    )


class _Layout:
    """One database and what was measured there."""

    def __init__(self, dsn: str) -> None:
        self.dsn = dsn
        self.connection = self._connect()
        self.recalls: list[float] = []
        self.remembers: list[float] = []
        self.folds: list[float] = []
        self.first: list[float] = []
        self.memory: list[float] = []

    def _connect(self) -> Connection:
        connection = psycopg.connect(self.dsn, autocommit=True)
        connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [_TENANT])
        return connection

    def round(self, questions: Sequence[str], events: Sequence[synthetic.Event], *, counts: bool) -> None:
        recalls = [_timed(partial(self._recall, self.connection, asked)) for asked in questions]
        remember = _timed(lambda: self._remember(events))
        fold = _timed(self._fold)
        if counts:
            self.recalls += recalls
            self.remembers.append(remember / len(events))
            self.folds.append(fold / len(events))

    def first_recalls(self, question: str) -> None:
        for _ in range(5):
            with self._connect() as connection:
                self.first.append(_timed(lambda: self._recall(connection, question)))
                used = connection.execute("SELECT sum(total_bytes) FROM pg_backend_memory_contexts").fetchone()
                self.memory.append(float(used[0]) / 1e6 if used else 0.0)

    def medians(self) -> dict[str, float]:
        return {
            "recall_p50_ms": 1000 * statistics.median(self.recalls),
            "recall_p95_ms": 1000 * statistics.quantiles(self.recalls, n=20)[-1],
            "remember_ms": 1000 * statistics.median(self.remembers),
            "fold_ms": 1000 * statistics.median(self.folds),
            "first_recall_ms": 1000 * statistics.median(self.first),
            "session_mb": statistics.median(self.memory),
        }

    @staticmethod
    def _recall(connection: Connection, question: str) -> None:
        connection.execute("SELECT * FROM cognifold.recall(%s)", [question]).fetchall()

    def _remember(self, events: Sequence[synthetic.Event]) -> None:
        for event in events:
            self.connection.execute(
                "SELECT cognifold.remember(%s, occurred_at => %s, actor => %s)",
                [event.content, event.occurred_at, event.actor],
            )

    def _fold(self) -> None:
        while self.connection.execute("SELECT FROM cognifold.fold(20)").rowcount:
            pass


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
