"""How long an event waits to be folded while another tenant has a long queue, and while nobody else has anything.

One worker folds. Tenant A has a queue of tens of thousands of events; tenant B remembers one event after another, and
each is timed from the commit to the fold, as the database's clock has it. ``alone`` is the same with A's queue empty.

    python -m benchmarks.fairness
    python -m benchmarks.fairness --queue 50000 --events 100 --json fairness.json
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time

import psycopg
from psycopg.conninfo import make_conninfo

from benchmarks.harness import Report, arguments, finish, make_role, scratch_database
from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from cognifold_pg.install import package_version

# How long the event of the next second but one may take: what a person takes for at once.
BAR_SECONDS = 2.0


def waits(writer: str, admin: psycopg.Connection[tuple[object, ...]], tenant: str, number: int) -> list[float]:
    """Seconds from commit to fold, of so many events one after the other."""
    with Memory(writer, tenant=tenant, pool_size=1) as memory:
        for place in range(number):
            memory.remember(f"Note {place} of {tenant} about the garden, told at {time.monotonic()}")
            time.sleep(0.1)
        until = time.monotonic() + 120
        while memory.rows("SELECT FROM cognifold.work") and time.monotonic() < until:
            time.sleep(0.1)
    rows = admin.execute(
        "SELECT extract(epoch FROM p.applied_at - n.recorded_at)::float8 FROM cognifold.node AS n "
        "JOIN cognifold.folded_event AS f ON f.tenant_id = n.tenant_id AND f.event_id = n.id "
        "JOIN cognifold.plan AS p ON p.tenant_id = f.tenant_id AND p.plan_id = f.plan_id WHERE n.tenant_id = %s",
        [tenant],
    ).fetchall()
    assert len(rows) == number, "not all were folded"
    return [float(str(row[0])) for row in rows]


def percentile(values: list[float], share: float) -> float:
    """The value below which this share lies, the nearest above."""
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def main() -> None:
    """Measure both and print them."""
    parser = arguments(__doc__ or "", data_required=False)
    parser.add_argument("--queue", type=int, default=50_000, help="events that tenant A has waiting")
    parser.add_argument("--events", type=int, default=100, help="events that tenant B remembers")
    given = parser.parse_args()
    with scratch_database(given.dsn) as dsn, psycopg.connect(dsn, autocommit=True) as admin:
        make_role(admin, "cognifold_worker")
        role = make_conninfo(dsn, user="cognifold_benchmark")
        for tenant in ("alone", "beside", "long"):
            with Memory(role, tenant=tenant) as memory:
                memory.create_tenant()
        worker = subprocess.Popen(
            [sys.executable, "-m", "cognifold_pg", "worker", "--quiet", "--dsn", role],
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        try:
            while not admin.execute("SELECT 1 FROM cognifold.worker_process").fetchone():
                time.sleep(0.1)  # how long it takes to start is no part of it
            alone = waits(role, admin, "alone", given.events)
            with Memory(role, tenant="long") as memory:
                memory.remember_many(Experience(f"Reading {n} of the meter, {n % 97}") for n in range(given.queue))
            beside = waits(role, admin, "beside", given.events)
            left = admin.execute("SELECT count(*) FROM cognifold.work WHERE tenant_id = 'long'").fetchone()
        finally:
            worker.send_signal(signal.SIGTERM)
            worker.wait(timeout=60)
    assert left is not None
    metrics = {
        "p50_seconds": statistics.median(beside),
        "p95_seconds": percentile(beside, 0.95),
        "most_seconds": max(beside),
        "still_queued": float(str(left[0])),
        "within_bar": float(percentile(beside, 0.95) <= BAR_SECONDS),
    }
    baselines = {
        "alone.p50_seconds": statistics.median(alone),
        "alone.p95_seconds": percentile(alone, 0.95),
        "alone.most_seconds": max(alone),
    }
    data = f"one worker, {given.queue} events of another tenant queued"
    finish(Report("fairness", package_version(), data, metrics, baselines), given.json)


if __name__ == "__main__":
    main()
