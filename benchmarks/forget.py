"""What does it cost to forget one event of a large memory, and ten thousand at once?

    python -m benchmarks.forget [--sizes 10000,100000] [--batches 1,100,1000,10000] [--rounds 20]
                                [--json FILE] [--dsn DSN]

Needs no data. At each size a memory of so many nodes is made at once (benchmarks.synthetic: 8 events a concept), each
event with the journal of its fold. As a plain role under row-level security:

    one_ms_N          median wall clock of forgetting one event by its id, its dry run before it not counted
    one_ratio         the largest memory's as a multiple of the smallest's: near 1 where nothing else is read
    dry_run_ms_N      median of the dry run
    batch_M_seconds   at the largest size, M events in one call (the oldest first)
    batch_M_per_event_ms  and the same for each of them: level where it is linear
    subject_seconds   at the largest size, a dry run of a name that nothing holds: every text is read
    faults            rows of check() at the end, at the smallest size; 0
"""

from __future__ import annotations

import time
from statistics import median
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from benchmarks import synthetic
from benchmarks.harness import ROLE, Report, arguments, drop_role, finish, make_role, scratch_database, short
from cognifold_pg.install import package_version

Connection = psycopg.Connection[Any]


def main() -> None:
    """Run the benchmark."""
    parser = arguments(__doc__ or "", data_required=False)
    parser.add_argument("--sizes", default="10000,100000", help="nodes of the memories, with commas")
    parser.add_argument("--batches", default="1,100,1000,10000", help="events forgotten at once, with commas")
    parser.add_argument("--rounds", type=int, default=20, help="single events forgotten at each size")
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    batches = [int(batch) for batch in given.batches.split(",")]
    with scratch_database(given.dsn) as dsn:
        metrics = measure(dsn, sizes, batches, given.rounds)
    data = f"memories of {', '.join(map(short, sizes))} nodes"
    finish(Report("forget", package_version(), data, metrics, {}), given.json)


def measure(dsn: str, sizes: list[int], batches: list[int], rounds: int) -> dict[str, float]:
    """The metrics; the database is a scratch one."""
    metrics: dict[str, float] = {}
    with psycopg.connect(dsn, autocommit=True) as admin:
        make_role(admin, "cognifold_governor")
        try:
            grown = [synthetic.grow(admin, f"memory of {size}", size) for size in sizes]
            with psycopg.connect(make_conninfo(dsn, user=ROLE), autocommit=True) as plain:
                for size, memory in zip(sizes, grown, strict=True):
                    plain.execute("SELECT set_config('cognifold.tenant', %s, false)", [memory.tenant])
                    chosen = memory.events[len(memory.events) // 2 :][:: max(1, len(memory.events) // 2 // rounds)]
                    tried, done = [], []
                    for event in chosen[:rounds]:
                        tried.append(_timed(plain, [event], dry_run=True))
                        done.append(_timed(plain, [event]))
                    metrics[f"one_ms_{short(size)}"] = 1000 * median(done)
                    metrics[f"dry_run_ms_{short(size)}"] = 1000 * median(tried)
                    if size == sizes[0]:
                        metrics["faults"] = len(plain.execute("SELECT FROM cognifold.check()").fetchall())
                metrics["one_ratio"] = metrics[f"one_ms_{short(sizes[-1])}"] / metrics[f"one_ms_{short(sizes[0])}"]
                began = time.perf_counter()
                plain.execute("SELECT cognifold.forget(subject => 'Zqxw Vbnm', dry_run => true)")
                metrics["subject_seconds"] = time.perf_counter() - began
                waiting = list(grown[-1].events)
                for batch in batches:
                    taken, waiting = waiting[:batch], waiting[batch:]
                    seconds = _timed(plain, taken)
                    metrics[f"batch_{short(batch)}_seconds"] = seconds
                    metrics[f"batch_{short(batch)}_per_event_ms"] = 1000 * seconds / len(taken)
        finally:
            drop_role(admin)
    return metrics


def _timed(connection: Connection, events: list[Any], *, dry_run: bool = False) -> float:
    began = time.perf_counter()
    connection.execute("SELECT cognifold.forget(node_ids => %s, dry_run => %s)", [events, dry_run])
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
