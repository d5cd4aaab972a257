"""A worker whose clock can be moved, and a job of the tests' own that always finds something to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from tests.conftest import Connection, at, make_role

WORKER = "test_clocked_worker"
JOB = "probe"
START = at("2026-06-01T00:00:00+00:00")


def hours(number: float) -> datetime:
    """So many hours after the tests' beginning."""
    return START + timedelta(hours=number)


@pytest.fixture(scope="session")
def worker_dsn(admin_dsn: str) -> str:
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        make_role(admin, WORKER, "cognifold_worker", "cognifold_clock")
    return make_conninfo(admin_dsn, user=WORKER)


@pytest.fixture
def probe(admin: Connection) -> Iterator[str]:
    """A job every six hours of the memory's clock, without jitter; gone afterwards with all its runs."""
    admin.execute(
        "INSERT INTO cognifold.job (job, slot, clock, every, jitter, in_sql, description) "
        "VALUES (%s, 'light', 'memory', '6 hours', '0', false, 'of the tests')",
        [JOB],
    )
    yield JOB
    admin.execute("DELETE FROM cognifold.job WHERE job = %s", [JOB])


class Looking:
    """A worker's look at one tenant's jobs, at moments of the memory's clock."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self.connection, self.tenant = connection, tenant

    def at(self, moment: datetime) -> Looking:
        self.connection.execute("SELECT set_config('cognifold.now', %s, false)", [moment.isoformat()])
        return self

    def note(self) -> int:
        row = self.connection.execute("SELECT cognifold.note_due_jobs(%s)", [self.tenant]).fetchone()
        assert row is not None
        return int(row[0])

    def claim(self, job: str = JOB, worker: str = "one") -> list[tuple[Any, ...]]:
        """period, cause, attempts and fence of what could be claimed."""
        return self.connection.execute(
            "SELECT period, cause, attempts, fence "
            "FROM cognifold.claim_jobs(10, jobs => %s, tenants => %s, worker => %s)",
            [[job], [self.tenant], worker],
        ).fetchall()

    def finish(self, claim: tuple[Any, ...], error: str | None = None, job: str = JOB) -> str:
        row = self.connection.execute(
            "SELECT cognifold.finish_job(%s, %s, %s, error => %s, tenant => %s)",
            [job, claim[0], claim[3], error, self.tenant],
        ).fetchone()
        assert row is not None
        return str(row[0])

    def runs(self, job: str = JOB) -> list[tuple[Any, ...]]:
        """period, state and attempts of every run that is kept."""
        with self.connection.transaction():
            self.connection.execute("SELECT set_config('cognifold.tenant', %s, true)", [self.tenant])
            return self.connection.execute(
                "SELECT period, state, attempts FROM cognifold.job_run WHERE job = %s ORDER BY period", [job]
            ).fetchall()


@pytest.fixture
def looking(worker_dsn: str, tenant: str) -> Iterator[Looking]:
    with psycopg.connect(worker_dsn, autocommit=True, prepare_threshold=None) as connection:
        looking = Looking(connection, tenant).at(START)
        looking.note()
        yield looking


@pytest.fixture
def lease_runs_out(admin: Connection, tenant: str) -> Callable[[], None]:
    """As if the time of every lease of the tenant's jobs had passed."""

    def run_out() -> None:
        admin.execute(
            "UPDATE cognifold.job_run SET lease_until = clock_timestamp() "
            "WHERE tenant_id = %s AND lease_until IS NOT NULL",
            [tenant],
        )

    return run_out
