"""Everything at once for a while: writers, workers that are killed, a restart of the server; and nothing may be lost.

Writers of several tenants remember through one restart of PostgreSQL, workers fold, sleep and let intents surface and
are killed (kill -9) at random, and at the end each promise is asked of the tables: every event that a writer had an
answer for is there, each is folded once, queues are empty, invariants hold, connections stayed bounded, and no writer
saw an error other than the restart itself.

    python -m benchmarks.soak --minutes 5
    python -m benchmarks.soak --minutes 5 --redis     # Dramatiq's workers, with a Redis that is taken away as well
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import psycopg
from psycopg.conninfo import make_conninfo

from benchmarks.harness import Report, arguments, finish, make_role
from benchmarks.redis_server import RedisServer
from cognifold_pg.client import Memory
from cognifold_pg.embedded import EmbeddedServer, temporary_server
from cognifold_pg.experience import Experience
from cognifold_pg.install import install, package_version

WRITERS = 4
WORKERS = 2
LEASE = 5  # seconds, of a job
TENANTS = ("acme", "globex", "initech")
WORKER_ROLE = "cognifold_soak_worker"
SAID = (
    "The kettle of flat {} leaks and needs repair",
    "Order {} was not delivered, the customer asks when it comes",
    "Rehearsal {} ended with the sarabande",
    "The beehive by orchard {} was inspected",
    "We need to renew the lease of the shop by Friday, and nobody has called the landlord yet",
)


@dataclass
class Soak:
    """A soak on a server, and what was found. With ``redis`` the workers are Dramatiq's, and it is their broker."""

    server: EmbeddedServer
    seconds: float
    rate: float
    redis: RedisServer | None = None
    seed: int = 7
    kept: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TENANTS, 0))
    interrupted: int = 0
    errors: list[str] = field(default_factory=list)
    killed: int = 0
    restarts: int = 0
    redis_restarts: int = 0
    most_connections: int = 0

    def run(self) -> dict[str, float]:
        """Make it, and look at what is left."""
        install(self.server.dsn())
        with psycopg.connect(self.server.dsn(), autocommit=True) as admin:
            make_role(admin)
            if not admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [WORKER_ROLE]).fetchone():
                admin.execute(f"CREATE ROLE {WORKER_ROLE} LOGIN".encode())
            admin.execute(f"GRANT cognifold_worker TO {WORKER_ROLE}".encode())
            # So that a killed worker's job is taken up within the soak.
            admin.execute("UPDATE cognifold.setting_default SET value = %s WHERE name = 'schedule.lease'", [LEASE])
        for tenant in TENANTS:
            with Memory(self._writer, tenant=tenant) as memory:
                memory.create_tenant()
                memory.rows("SELECT cognifold.set_schedule('consolidate', after_folds => 20)")
        stopping = threading.Event()
        writers = [threading.Thread(target=self._write, args=(number, stopping)) for number in range(WRITERS)]
        workers = [self._worker() for _ in range(WORKERS)]
        for thread in writers:
            thread.start()
        try:
            self._await_workers()
            self._disturb(workers)
            stopping.set()
            for thread in writers:
                thread.join()
            drained = self._drain(workers)
        finally:
            stopping.set()
            for process in workers:
                process.send_signal(signal.SIGTERM)
            ended = [process.wait(timeout=90) for process in workers]
        time.sleep(LEASE)  # what a worker could not give back is free once its lease has run out
        return self._found(drained, ended)

    @property
    def _writer(self) -> str:
        return make_conninfo(self.server.dsn(), user="cognifold_benchmark")

    def _worker(self) -> subprocess.Popen[bytes]:
        dsn = make_conninfo(self.server.dsn(), user=WORKER_ROLE)
        if self.redis is None:
            command = ["cognifold_pg", "worker", "--every", "0.5", "--quiet", "--dsn", dsn]
            environment = {}
        else:
            command = ["dramatiq", "cognifold_pg.workers.app", "--processes", "1", "--threads", "3"]
            environment = {"COGNIFOLD_DSN": dsn, "COGNIFOLD_BROKER": self.redis.url}
        return subprocess.Popen(
            [sys.executable, "-m", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | environment | {"PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # a group of its own, for Dramatiq's command has processes under it
        )  # fmt: skip

    def _write(self, number: int, stopping: threading.Event) -> None:
        rng = random.Random(self.seed * 100 + number)
        place = 0
        tenant = TENANTS[number % len(TENANTS)]
        with Memory(self._writer, tenant=tenant, pool_size=1) as memory:
            while not stopping.wait(rng.expovariate(self.rate)):
                place += 1
                said = Experience(
                    rng.choice(SAID).format(rng.randrange(20)), source="soak", actor=f"writer {number}",
                    # Of any of the last ten days: what is said in one sitting is talk, and no intent comes of it.
                    occurred_at=datetime.now(UTC) - timedelta(days=rng.uniform(0, 10)),
                    idempotency_key=f"{number} {place}",
                )  # fmt: skip
                while True:  # an answer that was lost is asked for again: the key makes it one event
                    try:
                        memory.remember(said)
                    except psycopg.OperationalError as error:
                        if error.sqlstate is not None and error.sqlstate[:2] not in ("57", "08"):
                            self.errors.append(str(error))
                        self.interrupted += 1
                        time.sleep(0.2)
                    except Exception as error:
                        self.errors.append(f"{type(error).__name__}: {error}")
                        break
                    else:
                        break
                self.kept[tenant] += 1

    def _disturb(self, workers: list[subprocess.Popen[bytes]]) -> None:
        rng = random.Random(self.seed)
        began = time.monotonic()
        restart_at = began + self.seconds / 2
        kill_at = began + self.seconds / 6
        while (now := time.monotonic()) < began + self.seconds:
            if now >= kill_at:
                victim = rng.randrange(len(workers))
                os.killpg(workers[victim].pid, signal.SIGKILL)
                workers[victim].wait()
                workers[victim] = self._worker()
                self.killed += 1
                kill_at = now + rng.uniform(0.5, 1.5) * max(self.seconds / 12, 8)  # time to start, and to work
            if now >= restart_at and not self.restarts:
                self.server.stop()
                self.server.start()
                self.restarts += 1
            if self.redis is not None and now >= began + self.seconds / 3 and not self.redis_restarts:
                self.redis.kill()
                time.sleep(self.seconds / 30)
                self.redis.start()
                self.redis_restarts += 1
            self._count_connections()
            time.sleep(0.25)

    def _await_workers(self) -> None:
        """A machine may take its time to start them, and it is not they that the soak is short for."""
        started = (
            "SELECT count(*) >= %s FROM cognifold.worker_process"
            if self.redis is None  # Dramatiq's are known by their work alone
            else "SELECT count(*) > 0 AND %s > 0 FROM cognifold.folded_event"
        )
        with psycopg.connect(self.server.dsn(), autocommit=True) as admin:
            for _ in range(600):
                if admin.execute(started.encode(), [WORKERS]).fetchone() == (True,):
                    return
                time.sleep(0.1)
        self.errors.append("the workers did not start within a minute")

    def _count_connections(self) -> None:
        try:
            with psycopg.connect(self.server.dsn(), autocommit=True) as admin:
                row = admin.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE usename IN ('cognifold_benchmark', %s)", [WORKER_ROLE]
                ).fetchone()
        except psycopg.OperationalError:
            return
        assert row is not None
        self.most_connections = max(self.most_connections, row[0])

    def _drain(self, workers: list[subprocess.Popen[bytes]]) -> float:
        began = time.monotonic()
        while time.monotonic() < began + 300:
            with psycopg.connect(self.server.dsn(), autocommit=True) as admin:
                left = admin.execute("SELECT count(*) FROM cognifold.work WHERE state <> 'dead'").fetchone()
                running = admin.execute(
                    "SELECT count(*) FROM cognifold.job_run WHERE lease_until IS NOT NULL"
                ).fetchone()
            if left == (0,) and running == (0,):
                break
            time.sleep(0.25)
        return time.monotonic() - began

    def _found(self, drained: float, ended: list[int]) -> dict[str, float]:
        found = {"events": 0.0, "lost": 0.0, "folded_twice": 0.0, "left_in_queues": 0.0, "dead": 0.0, "violations": 0.0,
                 "passes": 0.0, "intents": 0.0, "jobs_open": 0.0, "jobs_dead": 0.0}  # fmt: skip
        for tenant in TENANTS:
            with Memory(self._writer, tenant=tenant) as memory:
                row = memory.rows(
                    """
                    SELECT (SELECT count(*) FROM cognifold.event) AS events,
                           (SELECT count(*) FROM cognifold.event WHERE fold_state <> 'folded') AS unfolded,
                           (SELECT count(*) FROM (SELECT event_id FROM cognifold.folded_event
                                                  GROUP BY event_id HAVING count(*) > 1) AS t) AS twice,
                           (SELECT count(*) FROM cognifold.work WHERE state = 'dead') AS dead,
                           (SELECT count(*) FROM cognifold.consolidation_run) AS passes,
                           (SELECT count(*) FROM cognifold.intent) AS intents,
                           (SELECT count(*) FROM cognifold.job_run
                            WHERE lease_until > clock_timestamp()) AS jobs_open,
                           (SELECT count(*) FROM cognifold.job_run WHERE state = 'dead') AS jobs_dead
                    """
                )[0]
                found["events"] += row["events"]
                found["lost"] += self.kept[tenant] - row["events"]
                found["folded_twice"] += row["twice"]
                found["left_in_queues"] += row["unfolded"]
                for name in ("dead", "passes", "intents", "jobs_open", "jobs_dead"):
                    found[name] += row[name]
                found["violations"] += len(memory.check())
        return found | {
            "writer_errors": float(len(self.errors)),
            "writers_interrupted": float(self.interrupted),
            "workers_killed": float(self.killed),
            "restarts": float(self.restarts),
            "redis_restarts": float(self.redis_restarts),
            "workers_ended_badly": float(sum(code != 0 for code in ended)),
            "most_connections": float(self.most_connections),
            "drained_in_seconds": drained,
        }


# Each is 0 after a soak in which everything was kept.
PROMISES = (
    "lost",
    "folded_twice",
    "left_in_queues",
    "dead",
    "violations",
    "writer_errors",
    "workers_ended_badly",
    "jobs_open",
)

# A writer has one connection and one for looking whether the server is there; a worker one each for folding, the bell,
# its life, two for each of the slots light and heavy, and two for webhooks, and as many again while a killed one's are
# being noticed.
MOST_CONNECTIONS = 2 * WRITERS + 2 * 10 * WORKERS


def main() -> None:
    """Soak for a while and print what was found; exit status 1 if a promise was broken."""
    parser = arguments(__doc__ or "", data_required=False)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--rate", type=float, default=3, help="events a second of each writer")
    parser.add_argument("--redis", action="store_true", help="Dramatiq's workers, on a redis-server of their own")
    given = parser.parse_args()
    with temporary_server(durable=True) as server, RedisServer() if given.redis else contextlib.nullcontext() as redis:
        soak = Soak(server, given.minutes * 60, given.rate, redis)
        found = soak.run()
    for error in soak.errors[:10]:
        print(f"a writer saw: {error}", file=sys.stderr)
    data = f"{WRITERS} writers, {WORKERS} workers, {given.minutes:g} min" + (", redis" if given.redis else "")
    finish(Report("soak", package_version(), data, found, {}), given.json)
    broken = [name for name in PROMISES if found[name]]
    if found["most_connections"] > MOST_CONNECTIONS:
        broken.append("most_connections")
    if broken:
        raise SystemExit(f"broken: {', '.join(broken)}")


if __name__ == "__main__":
    main()
