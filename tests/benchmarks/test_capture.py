"""The benchmark of capture: what it compares is written by every way, and nothing of it stays."""

from __future__ import annotations

import psycopg

from benchmarks.capture import KINDS, SCHEMA, bulk, measure, percentile, singles
from benchmarks.harness import ROLE, scratch_database


def test_every_table_gets_the_same_rows_and_the_logs_and_the_inbox_as_many(server_dsn: str) -> None:
    with scratch_database(server_dsn) as dsn, psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute(SCHEMA.encode())
        admin.execute("SELECT cognifold.create_tenant('capture')")
        admin.execute("SELECT cognifold.watch('app.watched', 'Order {id} is {status}', tenants => 'capture')")
        assert {kind: len(times) for kind, times in bulk(admin, admin, 100, 2).items()} == dict.fromkeys(KINDS, 2)
        singles(admin, 3)
        counts = [
            admin.execute(query.encode()).fetchone()
            for query in (
                *(f"SELECT count(*) FROM app.{kind}" for kind in KINDS),
                "SELECT count(*) FROM app.copied",
                "SELECT count(*) FROM app.ordered",
                "SELECT sum(held) FROM cognifold_watch.inbox",
            )
        ]
        assert counts == [(103,)] * 7


def test_it_reports_ratios_and_latencies_and_leaves_nothing(server_dsn: str) -> None:
    with scratch_database(server_dsn) as dsn, psycopg.connect(dsn, autocommit=True) as admin:
        report = measure(dsn, rows=50, rounds=1, number=2, rate=4, seconds=0.5, every=0.05)
        assert {"bulk_ratio", "single_ratio", "folded_p50_ms_idle", "folded_p95_ms_busy"} <= report.metrics.keys()
        assert report.metrics["unfolded_idle"] == report.metrics["unfolded_busy"] == 0
        assert admin.execute("SELECT to_regnamespace('app')").fetchone() == (None,)
        assert admin.execute("SELECT FROM pg_roles WHERE rolname = %s", [ROLE]).fetchall() == []


def test_a_percentile_is_the_value_that_this_share_is_at_most() -> None:
    assert [percentile([5.0, 1.0, 4.0, 2.0, 3.0], share) for share in (0.0, 0.5, 0.95)] == [1.0, 3.0, 5.0]
