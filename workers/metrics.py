"""Metrics in Prometheus's text format: how work stands, asked of the tables; and what this process has done.

The tables are asked, and no counters kept beside them, so that every process tells the same, whoever did the work.
Names of tenants are labels; nothing of what they remember is.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.rows import dict_row

if TYPE_CHECKING:
    from cognifold_pg.workers.service import Service

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

# So many tenants have series of their own, those that are furthest behind; the others are one, tenant="".
TENANTS = 100

# An answer is given again for so many seconds: however many ask, the database is asked so often.
FRESH = 5.0

Sample = tuple[dict[str, str], float]

_QUEUE = {
    "waiting": "Events that wait to be folded.",
    "ready": "Events that wait, and that nobody has in hand.",
    "leased": "Events that a worker has claimed.",
    "failed": "Events whose fold failed and will be tried again.",
    "rate_limited": "Events that wait for a model's service.",
    "dead": "Events that were given up.",
}
_BEHIND = {
    "folded_minute": ("folded_last_minute", "Events folded in the last minute."),
    "unsettled": ("unsettled_nodes", "Nodes that the next sleep pass will look at."),
    "intents_due": ("intents_due", "Looks at concepts that emit_intents has before it."),
    "jobs_running": ("jobs_running", "Jobs of the schedule in hand."),
    "jobs_failed": ("jobs_failed", "Jobs that failed, or were left, and will be tried again."),
}


def collect(dsn: str, tenants: int = TENANTS) -> str:
    """All that the database tells (role ``cognifold_monitor`` or ``cognifold_worker``), as one text."""
    with psycopg.connect(dsn, autocommit=True, prepare_threshold=None, row_factory=dict_row) as connection:
        lags = connection.execute("SELECT * FROM cognifold.lag").fetchall()
        jobs = connection.execute(
            "SELECT job, max(overdue) AS overdue, max(seconds) FILTER (WHERE state IN ('running', 'done')) AS seconds, "
            "count(*) FILTER (WHERE state = 'dead') AS dead, count(*) FILTER (WHERE state = 'failed') AS failed, "
            "count(*) FILTER (WHERE state = 'running') AS running, "
            "extract(epoch FROM max(last_run_at))::float8 AS last FROM cognifold.job_status GROUP BY job ORDER BY job"
        ).fetchall()
        workers = connection.execute(
            "SELECT count(*) FILTER (WHERE stopped_at IS NULL AND seen_at > now() - interval '1 minute') AS alive, "
            "count(*) FILTER (WHERE stopped_at IS NULL AND seen_at <= now() - interval '1 minute') AS lost "
            "FROM cognifold.worker_process"
        ).fetchall()[0]
        graphs = connection.execute("SELECT tenant_id, changes, seconds FROM cognifold.graph_lag").fetchall()
    return _text(
        _of_tenants(_shown(lags, tenants)) + _of_jobs(jobs) + _of_workers(workers) + _of_graphs(graphs, tenants)
    )


def _shown(lags: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """The tenants furthest behind, and one more for all the others."""
    ordered = sorted(lags, key=lambda row: (-row["dead"], -row["seconds"], -row["waiting"], row["tenant_id"]))
    rest = ordered[most:]
    if not rest:
        return ordered
    others: dict[str, Any] = {name: sum(row[name] for row in rest) for name in (*_QUEUE, *_BEHIND, "throttled")}
    return [*ordered[:most], others | {"tenant_id": "", "seconds": max(row["seconds"] for row in rest)}]


Family = tuple[str, str, str, list[Sample]]


def _of_tenants(lags: list[dict[str, Any]]) -> list[Family]:
    def series(name: str) -> list[Sample]:
        return [({"tenant": row["tenant_id"]}, float(row[name])) for row in lags]

    queued = [
        ({"tenant": row["tenant_id"], "state": state}, float(row[state]))
        for row in lags
        for state in _QUEUE
        if state != "waiting"
    ]
    return [
        ("events_waiting", "gauge", _QUEUE["waiting"], series("waiting")),
        ("events_queued", "gauge", "Events by where they stand: " + "; ".join(_QUEUE) + ".", queued),
        ("lag_seconds", "gauge", "How long the longest waiting event has waited.", series("seconds")),
        ("throttled", "gauge", "1: events wait because fold.rate or fold.budget is reached.", series("throttled")),
        *((name, "gauge", said, series(column)) for column, (name, said) in _BEHIND.items()),
    ]


def _of_jobs(jobs: list[dict[str, Any]]) -> list[Family]:
    return [
        ("job_overdue_seconds", "gauge", "Since when a job is due, of the tenant that waits longest.",
         [({"job": row["job"]}, row["overdue"]) for row in jobs]),
        ("job_seconds", "gauge", "How long the last run took, of the tenant with the longest.",
         [({"job": row["job"]}, row["seconds"]) for row in jobs if row["seconds"] is not None]),
        ("job_last_run_timestamp_seconds", "gauge", "When a job was last begun, for any tenant.",
         [({"job": row["job"]}, row["last"]) for row in jobs if row["last"] is not None]),
        ("job_tenants", "gauge", "Tenants by how the last run of the job ended, where it has not ended well.",
         [({"job": row["job"], "state": state}, float(row[state])) for row in jobs
          for state in ("running", "failed", "dead")]),
    ]  # fmt: skip


def _of_workers(row: dict[str, Any]) -> list[Family]:
    return [
        ("workers", "gauge", "Worker processes: alive, or lost (not heard of for a minute, and no good-bye).",
         [({"state": state}, float(row[state])) for state in ("alive", "lost")]),
    ]  # fmt: skip


def _of_graphs(graphs: list[dict[str, Any]], most: int) -> list[Family]:
    """The graphs in Apache AGE furthest behind; those of the other tenants as one, tenant=""."""
    ordered = sorted(graphs, key=lambda row: (-row["seconds"], -row["changes"], row["tenant_id"]))
    shown, rest = ordered[:most], ordered[most:]
    if rest:
        others = {"changes": sum(row["changes"] for row in rest), "seconds": max(row["seconds"] for row in rest)}
        shown = [*shown, {"tenant_id": "", **others}]
    return [
        ("graph_lag_changes", "gauge", "Changes that a tenant's graph in Apache AGE does not show yet.",
         [({"tenant": row["tenant_id"]}, float(row["changes"])) for row in shown]),
        ("graph_lag_seconds", "gauge", "How long the oldest of them has waited.",
         [({"tenant": row["tenant_id"]}, float(row["seconds"])) for row in shown]),
    ]  # fmt: skip


def of_process(service: Service) -> str:
    """What this worker has done since it began."""
    jobs: list[Sample] = [
        ({"job": job, "outcome": outcome}, float(number)) for (job, outcome), number in sorted(service.jobs.items())
    ]
    return _text(
        [
            ("worker_folded_total", "counter", "Events this process has folded.", [({}, float(service.folded))]),
            ("worker_jobs_total", "counter", "Jobs this process has ended, by outcome.", jobs),
            ("worker_errors_total", "counter", "Times the database was away, or failed a look.",
             [({}, float(service.lost_connections))]),
            ("worker_rings_total", "counter", "Times the bell rang.", [({}, float(service.rings))]),
            ("worker_uptime_seconds", "gauge", "Since this process began.", [({}, time.monotonic() - service.started)]),
        ]
    )  # fmt: skip


def _text(families: Iterable[Family]) -> str:
    lines: list[str] = []
    for name, kind, said, samples in families:
        lines += [f"# HELP cognifold_{name} {said}", f"# TYPE cognifold_{name} {kind}"]
        for labels, value in samples:
            named = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
            lines.append(f"cognifold_{name}{{{named}}} {value:.10g}" if named else f"cognifold_{name} {value:.10g}")
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


@contextlib.contextmanager
def serving(host: str, port: int, dsn: str, service: Service) -> Iterator[tuple[str, int]]:
    """Serve ``/metrics`` and ``/health`` until the block ends; the address it listens at (port 0: any free one)."""
    lock = threading.Lock()
    kept: list[tuple[float, str]] = []

    def of_database() -> str:
        with lock:
            if not kept or time.monotonic() > kept[0][0] + FRESH:
                kept[:] = [(time.monotonic(), collect(dsn))]
            return kept[0][1]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path not in ("/metrics", "/health"):
                self._answer(404, "There is /metrics, and /health.\n")
                return
            try:
                told = of_database()
            except psycopg.Error as error:
                # The scrape still tells of the process; the health check says that it can do nothing.
                if path == "/metrics":
                    self._answer(200, "# HELP cognifold_up Whether the database answers.\n# TYPE cognifold_up gauge\n"
                                      "cognifold_up 0\n" + of_process(service))  # fmt: skip
                else:
                    self._answer(503, f"The database does not answer: {str(error).strip()}\n")
                return
            if path == "/health":
                stopping = service.stopping.is_set()
                self._answer(503 if stopping else 200, "stopping\n" if stopping else "ok\n")
            else:
                self._answer(200, "# HELP cognifold_up Whether the database answers.\n# TYPE cognifold_up gauge\n"
                                  "cognifold_up 1\n" + told + of_process(service))  # fmt: skip

        def _answer(self, status: int, text: str) -> None:
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", CONTENT_TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """A scrape every few seconds is nothing to tell of."""

    server = ThreadingHTTPServer((host, port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="cognifold-metrics", daemon=True)
    thread.start()
    try:
        yield str(server.server_address[0]), int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
