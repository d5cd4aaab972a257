"""A job is run once a period, however many look, whatever the clock does, and whoever dies."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from tests.conftest import Connection, make_role
from tests.schedule.conftest import JOB, START, Looking, hours

pytestmark = pytest.mark.usefixtures("probe")

# A scheduler and worker of its own clock, which goes through ten days hour by hour.
TEN_DAYS = """
import sys
from datetime import datetime, timedelta
import psycopg
from cognifold_pg.workers import jobs, schedule
dsn, tenant, start = sys.argv[1:]
jobs.JOBS.clear()
jobs.JOBS["probe"] = lambda duty: {"done": 1}
with psycopg.connect(dsn, autocommit=True, prepare_threshold=None) as connection:
    connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    for hour in range(10 * 24):
        now = datetime.fromisoformat(start) + timedelta(hours=hour)
        connection.execute("SELECT set_config('cognifold.now', %s, false)", [now.isoformat()])
        connection.execute("SELECT cognifold.note_due_jobs()")
        schedule.do_due(dsn, connection, clock=now)
"""


def test_two_processes_going_through_ten_days_run_each_period_once(
    looking: Looking, worker_dsn: str, tenant: str
) -> None:
    looking.at(hours(-1)).connection.execute("SELECT cognifold.set_schedule(%s, tenant => %s)", [JOB, tenant])
    command = [sys.executable, "-c", textwrap.dedent(TEN_DAYS), worker_dsn, tenant, START.isoformat()]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in processes:
        _, said = process.communicate(timeout=200)
        assert process.returncode == 0, said
    assert looking.runs() == [(hours(6 * period), "done", 1) for period in range(40)]


def test_a_new_tenants_first_period_is_the_next_one(looking: Looking) -> None:
    assert looking.at(hours(5.9)).claim() == []
    assert [row[:2] for row in looking.at(hours(6)).claim()] == [(hours(6), "period")]


def test_within_a_period_it_is_claimed_once(looking: Looking) -> None:
    (claim,) = looking.at(hours(6)).claim()
    assert looking.claim(worker="other") == []
    assert looking.finish(claim) == "done"
    assert looking.at(hours(11.9)).claim() == []
    assert len(looking.at(hours(12)).claim()) == 1


def test_periods_that_nobody_was_there_for_are_run_once_and_not_one_after_the_other(looking: Looking) -> None:
    (claim,) = looking.at(hours(100)).claim()
    assert claim[0] == hours(96)
    looking.finish(claim)
    assert looking.claim() == []


def test_a_clock_that_is_set_back_does_not_stop_the_schedule(looking: Looking) -> None:
    (claim,) = looking.at(hours(24 * 365)).claim()
    looking.finish(claim)
    (claim,) = looking.at(hours(12)).claim()
    assert claim[0] == hours(12)
    looking.finish(claim)
    assert looking.claim() == []
    assert len(looking.at(hours(18)).claim()) == 1


def test_what_a_dead_worker_has_left_is_taken_up_once_its_lease_has_run_out(
    looking: Looking, lease_runs_out: Callable[[], None]
) -> None:
    (first,) = looking.at(hours(6)).claim(worker="the dead one")
    lease_runs_out()
    (second,) = looking.claim(worker="the next one")
    assert second[:3] == (hours(6), "period", 2)
    with pytest.raises(psycopg.Error, match="is not yours any more") as late:
        looking.finish(first)
    assert late.value.sqlstate == "CF050"
    assert looking.finish(second) == "done"
    assert looking.runs() == [(hours(6), "done", 2)]


def test_a_lease_that_is_renewed_does_not_run_out(looking: Looking, lease_runs_out: Callable[[], None]) -> None:
    (claim,) = looking.at(hours(6)).claim()
    lease_runs_out()
    renewed = looking.connection.execute(
        "SELECT cognifold.renew_job(%s, %s, %s, %s)", [JOB, claim[0], claim[3], looking.tenant]
    ).fetchone()
    assert renewed == (True,)
    assert looking.claim() == []


def test_what_is_given_back_is_there_for_others_at_once_and_is_not_counted(looking: Looking) -> None:
    (claim,) = looking.at(hours(6)).claim()
    given = looking.connection.execute(
        "SELECT cognifold.release_job(%s, %s, %s, %s)", [JOB, claim[0], claim[3], looking.tenant]
    ).fetchone()
    assert given == (True,)
    (again,) = looking.claim()
    assert again[:3] == (hours(6), "period", 1)
    assert again[3] > claim[3]


def test_one_that_fails_is_tried_again_later_and_given_up_after_three_times(
    looking: Looking, lease_runs_out: Callable[[], None]
) -> None:
    (claim,) = looking.at(hours(6)).claim()
    assert looking.finish(claim, error="no") == "failed"
    assert looking.claim() == []  # not yet
    lease_runs_out()
    (claim,) = looking.claim()
    assert looking.finish(claim, error="no") == "failed"
    lease_runs_out()
    (claim,) = looking.claim()
    assert looking.finish(claim, error="no") == "dead"
    assert looking.claim() == []
    assert looking.runs() == [(hours(6), "dead", 3)]
    assert len(looking.at(hours(12)).claim()) == 1


def test_one_that_ends_its_worker_each_time_is_given_up_too(
    looking: Looking, lease_runs_out: Callable[[], None]
) -> None:
    looking.at(hours(6))
    for attempt in (1, 2, 3):
        assert [row[2] for row in looking.claim()] == [attempt]
        lease_runs_out()
    assert looking.claim() == []
    assert looking.runs() == [(hours(6), "dead", 3)]


def test_what_was_left_over_into_the_next_period_is_missed_and_the_next_is_run(
    looking: Looking, lease_runs_out: Callable[[], None]
) -> None:
    looking.at(hours(6)).claim()
    lease_runs_out()
    (claim,) = looking.at(hours(12)).claim()
    looking.finish(claim)
    assert looking.runs() == [(hours(6), "missed", 1), (hours(12), "done", 1)]


def test_one_that_takes_longer_than_a_period_is_left_alone(looking: Looking) -> None:
    (claim,) = looking.at(hours(6)).claim()
    assert looking.at(hours(14)).claim() == []
    looking.finish(claim)
    assert [row[0] for row in looking.claim()] == [hours(12)]


def test_a_period_without_work_is_passed_over_without_a_trace(looking: Looking) -> None:
    assert looking.at(hours(24)).claim("consolidate") == []
    assert looking.runs("consolidate") == []


def test_asked_for_it_is_done_at_once_and_once(looking: Looking) -> None:
    looking.connection.execute("SELECT cognifold.ask_job(%s, %s)", [JOB, looking.tenant])
    (claim,) = looking.at(hours(1)).claim()
    assert claim[:2] == (hours(1), "asked")
    looking.finish(claim)
    assert looking.at(hours(2)).claim() == []


def test_a_tenant_may_have_it_done_more_often_or_not_at_all(looking: Looking) -> None:
    looking.connection.execute("SELECT cognifold.set_schedule(%s, '1 hour', tenant => %s)", [JOB, looking.tenant])
    (claim,) = looking.at(hours(1)).claim()
    looking.finish(claim)
    looking.connection.execute(
        "SELECT cognifold.set_schedule(%s, enabled => false, tenant => %s)", [JOB, looking.tenant]
    )
    assert looking.at(hours(48)).claim() == []


def test_an_administrator_sets_it_for_all(looking: Looking, admin: Connection) -> None:
    admin.execute("SELECT cognifold.set_job(%s, '2 hours')", [JOB])
    (claim,) = looking.at(hours(2)).claim()
    looking.finish(claim)
    admin.execute("SELECT cognifold.set_job(%s, enabled => false)", [JOB])
    assert looking.at(hours(48)).claim() == []


@pytest.mark.parametrize("every", ["1 month", "0", "-1 hour", "1 year"])
def test_a_period_that_is_none_is_refused(looking: Looking, every: str) -> None:
    with pytest.raises(psycopg.Error, match="is no period") as refused:
        looking.connection.execute("SELECT cognifold.set_schedule(%s, %s, tenant => %s)", [JOB, every, looking.tenant])
    assert refused.value.sqlstate == "CF010"


def test_periods_of_tenants_are_shifted_so_that_not_all_sleep_at_once(
    looking: Looking, new_tenant: Callable[..., str]
) -> None:
    begins = set()
    for _ in range(5):
        other = Looking(looking.connection, new_tenant()).at(START)
        other.note()
        (moment,) = looking.connection.execute(
            "SELECT next_at FROM cognifold.job_status WHERE job = 'consolidate' AND tenant_id = %s", [other.tenant]
        ).fetchall()[0]
        assert hours(0) < moment <= hours(6)
        begins.add(moment)
    assert len(begins) > 1


def test_a_bound_worker_claims_its_own_tenants_jobs_and_no_writer_any(
    admin: Connection, admin_dsn: str, looking: Looking, new_tenant: Callable[..., str], dsn: str
) -> None:
    other = new_tenant()
    make_role(admin, "test_bound_scheduler", "cognifold_worker", "cognifold_clock")
    admin.execute("SELECT cognifold.bind_role('test_bound_scheduler', %s)", [other])
    try:
        with psycopg.connect(make_conninfo(admin_dsn, user="test_bound_scheduler"), autocommit=True) as bound:
            mine = Looking(bound, other).at(START)
            mine.note()
            mine.at(hours(6))
            claimed = bound.execute("SELECT tenant FROM cognifold.claim_jobs(100, jobs => '{probe}')").fetchall()
            assert claimed == [(other,)]
    finally:
        admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = 'test_bound_scheduler'")
    with psycopg.connect(dsn, autocommit=True) as writer, pytest.raises(psycopg.errors.InsufficientPrivilege):
        writer.execute("SELECT FROM cognifold.claim_jobs()")
