"""What the jobs do when they are due: sleep after so many folds, forget old runs, and leave the memory sound."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidValueError
from cognifold_pg.workers.schedule import claim_jobs, do_job
from tests.conftest import Connection, value
from tests.schedule.conftest import Looking, hours


def fold(dsn: str, tenant: str, number: int, first: int = 0) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        for place in range(first, first + number):
            memory.remember(f"The kettle of flat {place} leaks", occurred_at=hours(place / 60))
        assert memory.fold_all() == number


def test_a_memory_sleeps_after_so_many_folds_and_the_count_begins_anew(looking: Looking, dsn: str, tenant: str) -> None:
    looking.connection.execute("SELECT cognifold.set_schedule('consolidate', after_folds => 3, tenant => %s)", [tenant])
    fold(dsn, tenant, 2)
    assert looking.note() == 0
    assert looking.claim("consolidate") == []
    fold(dsn, tenant, 1, 2)
    assert looking.note() == 1
    (claim,) = looking.claim("consolidate")
    assert claim[1] == "folds"
    looking.finish(claim, job="consolidate")
    fold(dsn, tenant, 2, 3)
    assert looking.note() == 0
    fold(dsn, tenant, 1, 5)
    assert looking.note() == 1


def test_fifty_folds_are_the_default(admin: Connection) -> None:
    assert admin.execute(
        "SELECT every, after_folds, clock, slot FROM cognifold.job WHERE job = 'consolidate'"
    ).fetchall()[0][1:] == (50, "memory", "heavy")


def test_a_pass_that_is_due_is_made_and_tells_what_it_did(
    looking: Looking, worker_dsn: str, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    fold(dsn, tenant, 4)
    looking.connection.execute("SELECT cognifold.ask_job('consolidate', %s)", [tenant])
    (claim,) = claim_jobs(looking.connection, jobs=["consolidate"], tenants=[tenant])
    assert do_job(worker_dsn, looking.connection, claim) == "done"
    state, report = (
        connect(tenant)
        .execute("SELECT state, report FROM cognifold.job_status WHERE job = 'consolidate'")
        .fetchall()[0]
    )
    assert state == "done"
    assert report["steps"] > 0
    assert connect(tenant).execute("SELECT * FROM cognifold.check()").fetchall() == []


def test_a_job_that_fails_says_why_where_people_look(
    looking: Looking, worker_dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    looking.connection.execute("SELECT cognifold.ask_job('embed', %s)", [tenant])
    (claim,) = claim_jobs(looking.connection, jobs=["embed"], tenants=[tenant])
    assert do_job(worker_dsn, looking.connection, claim) == "failed"
    shown = connect(tenant).execute("SELECT state, error FROM cognifold.job_status WHERE job = 'embed'").fetchall()
    assert shown[0][0] == "failed"
    assert "cannot make the vectors" in shown[0][1]


def test_a_graph_that_somebody_holds_lets_the_job_wait_and_not_the_worker(
    looking: Looking, worker_dsn: str, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    fold(dsn, tenant, 4)
    looking.connection.execute("SELECT cognifold.ask_job('consolidate', %s)", [tenant])
    (claim,) = claim_jobs(looking.connection, jobs=["consolidate"], tenants=[tenant])
    holding = connect(tenant)
    with holding.transaction():
        holding.execute("""SELECT cognifold.apply_plan('{"operations": []}')""")
        assert do_job(worker_dsn, looking.connection, claim) == "failed"


def test_old_runs_go_by_themselves(looking: Looking, worker_dsn: str, admin: Connection, tenant: str) -> None:
    admin.execute(
        "INSERT INTO cognifold.job_run "
        "(tenant_id, job, period, cause, state, attempts, fence, worker, started_at, finished_at) "
        "SELECT %s, 'index', d, 'period', 'done', 1, 0, 'one', d, d "
        "FROM (VALUES (now() - interval '31 days'), (now() - interval '29 days')) AS v (d)",
        [tenant],
    )
    looking.connection.execute("SELECT cognifold.ask_job('retention', %s)", [tenant])
    (claim,) = claim_jobs(looking.connection, jobs=["retention"], tenants=[tenant])
    assert do_job(worker_dsn, looking.connection, claim) == "done"
    assert len(looking.runs("index")) == 1


def test_the_database_works_alone_where_something_calls_it_by_the_clock(
    admin: Connection, worker_dsn: str, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    admin.execute("DELETE FROM cognifold.work")
    with Memory(dsn, tenant=tenant) as memory:
        for place in range(5):
            memory.remember(f"The kettle of flat {place} leaks")
    with psycopg.connect(worker_dsn, autocommit=True) as worker:
        worker.execute("SELECT cognifold.ask_job('consolidate', %s)", [tenant])
        worker.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
        worker.execute("CALL cognifold.work('1 minute')")
    looking = connect(tenant)
    assert value(looking, "SELECT count(*) FROM cognifold.event WHERE fold_state = 'folded'") == 5
    assert value(looking, "SELECT state FROM cognifold.job_status WHERE job = 'consolidate'") == "done"


def test_a_schedule_belongs_to_its_tenant(
    looking: Looking, new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    other = new_tenant()
    assert value(connect(other), "SELECT count(*) FROM cognifold.schedule") == 0
    assert value(connect(looking.tenant), "SELECT count(DISTINCT tenant_id) FROM cognifold.schedule") == 1


def test_the_client_says_when_and_asks_for_it_now(dsn: str, tenant: str, looking: Looking) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        memory.set_schedule("consolidate", every=timedelta(hours=2), after_folds=7, enabled=True)
        memory.ask_job("consolidate")
        row = memory.rows(
            "SELECT every, after_folds, enabled, wanted FROM cognifold.job_status WHERE job = 'consolidate'"
        )
        assert row == [{"every": timedelta(hours=2), "after_folds": 7, "enabled": True, "wanted": "asked"}]
        with pytest.raises(InvalidValueError, match="there is no job 'breakfast'"):
            memory.ask_job("breakfast")
