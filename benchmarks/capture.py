"""What it costs an application that a table is watched, and how soon what it commits is folded.

Tables of one form: with no trigger (plain), with a hand-written statement trigger that copies two columns to a log
table (log: bare; ordered_log: numbered and timed, as one that is to be read in order must be), and watched (two columns
in its template). Writes go to each in turn, in an order that rotates, so that whatever else the machine does falls on
all of them. Ratios are of the watched table to the logged one, of the medians over all rounds; ``cpu`` is the writing
backend's own processor time. Latency is from a row's COMMIT to its event's plan, with one worker that folds: at two
rows a second, and at ``--rate``.

``python -m benchmarks.capture [--rows N] [--singles N] [--seconds S] [--rate N] [--dsn DSN] [--json FILE]``
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from benchmarks.harness import ROLE, Report, arguments, drop_role, finish, make_role, scratch_database, short
from cognifold_pg.install import package_version
from cognifold_pg.workers.folding import fold_waiting

TENANT = "capture"
KINDS = ("plain", "log", "ordered_log", "watched")
PATIENCE = 60.0

SCHEMA = """
CREATE SCHEMA app;
CREATE TABLE app.plain (
    id bigint PRIMARY KEY, customer text, status text, total numeric, placed_at timestamptz DEFAULT now());
CREATE TABLE app.log (LIKE app.plain INCLUDING ALL);
CREATE TABLE app.ordered_log (LIKE app.plain INCLUDING ALL);
CREATE TABLE app.watched (LIKE app.plain INCLUDING ALL);
CREATE TABLE app.copied (id bigint, status text);
CREATE TABLE app.ordered (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz DEFAULT now(), id bigint, status text);
CREATE FUNCTION app.copy() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO app.copied (id, status) SELECT n.id, n.status FROM new_rows AS n; RETURN NULL; END';
CREATE FUNCTION app.copy_in_order() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO app.ordered (id, status) SELECT n.id, n.status FROM new_rows AS n; RETURN NULL; END';
CREATE TRIGGER copy AFTER INSERT ON app.log REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION app.copy();
CREATE TRIGGER copy AFTER INSERT ON app.ordered_log REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION app.copy_in_order();
"""


class Clock:
    """Wall time and, of a server on this machine, the backend's processor time."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._stat = Path(f"/proc/{connection.info.backend_pid}/schedstat")

    def read(self) -> tuple[float, float]:
        """Seconds by the wall and of the processor (NaN where it cannot be known)."""
        try:
            cpu = int(self._stat.read_text().split()[0]) / 1e9
        except (OSError, ValueError):
            cpu = float("nan")
        return time.perf_counter(), cpu


def timed(clock: Clock, action: Callable[[], object]) -> tuple[float, float]:
    """How long ``action`` took by the wall, and of the processor."""
    wall, cpu = clock.read()
    action()
    wall_after, cpu_after = clock.read()
    return wall_after - wall, cpu_after - cpu


def rotated(turn: int) -> Iterator[str]:
    """The kinds of table, beginning with another at each turn."""
    for place in range(len(KINDS)):
        yield KINDS[(turn + place) % len(KINDS)]


def bulk(
    admin: psycopg.Connection[Any], writer: psycopg.Connection[Any], rows: int, rounds: int
) -> dict[str, list[Any]]:
    """One INSERT of ``rows`` rows a round and table: wall and processor times."""
    clock = Clock(writer)
    times: dict[str, list[Any]] = {kind: [] for kind in KINDS}
    for turn in range(rounds):
        admin.execute("TRUNCATE app.plain, app.log, app.ordered_log, app.watched, app.copied, app.ordered")
        admin.execute("TRUNCATE cognifold_watch.inbox")
        admin.execute("CHECKPOINT")
        for kind in rotated(turn):
            query = (
                f"INSERT INTO app.{kind} (id, customer, status, total) "
                f"SELECT i, 'customer ' || i % 97, 'placed by web', i * 1.01 FROM generate_series(1, {rows}) AS i"
            ).encode()
            times[kind].append(timed(clock, lambda query=query: writer.execute(query)))  # type: ignore[misc]
    return times


def singles(writer: psycopg.Connection[Any], number: int) -> dict[str, list[Any]]:
    """INSERTs of one row, a transaction each, one table after the other."""
    clock = Clock(writer)
    times: dict[str, list[Any]] = {kind: [] for kind in KINDS}
    for turn in range(number):
        for kind in rotated(turn):
            query = (
                f"INSERT INTO app.{kind} (id, customer, status, total) VALUES (%s, 'customer', 'placed', 12.5)".encode()
            )
            row = [10_000_000 + turn]
            times[kind].append(timed(clock, lambda query=query, row=row: writer.execute(query, row, prepare=True)))  # type: ignore[misc]
    return times


def ratio(times: dict[str, list[Any]], kind: str, part: int) -> float:
    """Of the watched table to another: the median over all, of each its own."""
    watched, other = ([t[part] for t in times[name]] for name in ("watched", kind))
    return float(statistics.median(watched) / statistics.median(other))


@contextmanager
def folding(dsn: str, every: float) -> Iterator[None]:
    """A worker that looks for work so often, in a thread of its own."""
    stopping = threading.Event()

    def run() -> None:
        while not stopping.is_set():
            fold_waiting(dsn, stopping)
            stopping.wait(every)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


def latencies(
    dsn: str, writer: psycopg.Connection[Any], rate: float, seconds: float, every: float, first: int
) -> tuple[list[float], int]:
    """From each COMMIT of a row to its event being folded, at so many rows a second; and how many were not in the end.

    One that was not counts with the time it has waited by then: the worker is given :data:`PATIENCE` to catch up.
    """
    committed: dict[str, float] = {}
    with folding(dsn, every):
        begun = time.time()
        for number in range(int(rate * seconds)):
            time.sleep(max(0.0, begun + number / rate - time.time()))
            row = first + number
            writer.execute(
                "INSERT INTO app.watched (id, customer, status, total) VALUES (%s, %s, %s, 3)",
                [row, f"customer {row % 31}", ("placed", "paid", "sent", "returned")[row % 4]],
            )
            committed[str(row)] = time.time()
        deadline = time.time() + PATIENCE
        with psycopg.connect(dsn, autocommit=True) as reader:
            reader.execute("SELECT set_config('cognifold.tenant', %s, false)", [TENANT])
            while time.time() < deadline and reader.execute(
                "SELECT EXISTS (SELECT FROM cognifold.tenants_with_work())"
            ).fetchone() == (True,):
                time.sleep(0.05)
            folded: dict[str, float] = dict(
                reader.execute(
                    "SELECT substring(c.content FROM '\\d+'), extract(epoch FROM p.applied_at)::float8 "
                    "FROM cognifold.folded_event AS f JOIN cognifold.plan AS p USING (tenant_id, plan_id) "
                    "JOIN cognifold.node_content AS c ON c.tenant_id = f.tenant_id AND c.node_id = f.event_id"
                ).fetchall()
            )
            ended = time.time()
    return [folded.get(row, ended) - at for row, at in committed.items()], len(committed.keys() - folded.keys())


def percentile(values: list[float], share: float) -> float:
    """The value that this share is at most."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def measure(dsn: str, rows: int, rounds: int, number: int, rate: float, seconds: float, every: float) -> Report:
    """The whole benchmark in the database of ``dsn``."""
    metrics: dict[str, float] = {}
    baselines: dict[str, float] = {}
    with psycopg.connect(dsn, autocommit=True) as admin:
        make_role(admin, "cognifold_worker")
        admin.execute(SCHEMA.encode())
        try:
            for name in ("copied", "ordered", *KINDS):
                admin.execute(f"ALTER TABLE app.{name} OWNER TO {ROLE}".encode())
            admin.execute(f"GRANT USAGE ON SCHEMA app TO {ROLE}".encode())
            speaking = make_conninfo(dsn, user=ROLE)
            with psycopg.connect(speaking, autocommit=True) as writer:
                writer.execute("SELECT cognifold.create_tenant(%s)", [TENANT])
                writer.execute(
                    "SELECT cognifold.watch('app.watched', 'Order {id} is {status}', tenants => %s)", [TENANT]
                )
                bulk(admin, writer, min(rows, 1000), 1)  # plans, caches
                many = bulk(admin, writer, rows, rounds)
                one = singles(writer, number)
                for name, times, scale in (("bulk", many, 1e3), ("single", one, 1e6)):
                    unit = "ms" if scale == 1e3 else "us"
                    metrics[f"{name}_ratio"] = ratio(times, "log", 0)
                    metrics[f"{name}_ratio_cpu"] = ratio(times, "log", 1)
                    metrics[f"{name}_ratio_to_ordered_log"] = ratio(times, "ordered_log", 0)
                    metrics[f"{name}_{unit}"] = statistics.median(t[0] for t in times["watched"]) * scale
                    for kind in KINDS[:-1]:
                        baselines[f"{kind}.{name}_{unit}"] = statistics.median(t[0] for t in times[kind]) * scale
                admin.execute("TRUNCATE cognifold_watch.inbox")
                if seconds:
                    for name, per_second, first in (("idle", 2.0, 20_000_000), ("busy", rate, 30_000_000)):
                        taken, left = latencies(speaking, writer, per_second, seconds, every, first)
                        metrics[f"folded_p50_ms_{name}"] = percentile(taken, 0.5) * 1e3
                        metrics[f"folded_p95_ms_{name}"] = percentile(taken, 0.95) * 1e3
                        metrics[f"unfolded_{name}"] = left
                writer.execute("SELECT cognifold.unwatch('app.watched')")
        finally:
            admin.execute("DROP SCHEMA app CASCADE")
            drop_role(admin)
    data = f"{short(rows)} rows, {short(number)} single, {rate:g} events/s, a look every {every * 1000:g} ms"
    return Report("capture", package_version(), data, metrics, baselines)


def main() -> None:
    """Run it from the command line."""
    parser = arguments(__doc__ or "", data_required=False)
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the bulk INSERT")
    parser.add_argument("--rounds", type=int, default=9, help="bulk INSERTs a table")
    parser.add_argument("--singles", type=int, default=3000, help="INSERTs of one row a table")
    parser.add_argument("--rate", type=float, default=200, help="events a second for the latency under load")
    parser.add_argument("--seconds", type=float, default=20, help="how long each latency is measured; 0: not at all")
    parser.add_argument("--every", type=float, default=0.1, help="how often the idle worker looks, in seconds")
    given = parser.parse_args()
    with scratch_database(given.dsn) as dsn:
        report = measure(dsn, given.rows, given.rounds, given.singles, given.rate, given.seconds, given.every)
    finish(report, given.json)


if __name__ == "__main__":
    main()
