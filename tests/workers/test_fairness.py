"""A tenant with much to fold does not delay another, and one may be held to a share; both are seen."""

from __future__ import annotations

import threading
from collections.abc import Callable

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import ShareUsedUpError
from cognifold_pg.experience import Experience
from cognifold_pg.workers.folding import fold_tenant, fold_waiting, tenants_with_work, working_connection
from tests.conftest import Connection, value
from tests.workers.test_folding import nothing_waiting, states, worker_dsn

__all__ = ["nothing_waiting", "worker_dsn"]


def remember(dsn: str, tenant: str, number: int) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        memory.remember_many(Experience(f"Note number {place} about the garden") for place in range(number))


def turns_of(worker_dsn: str, stop_after: int) -> list[tuple[str, int]]:
    """Whose turns were made, and how many events each had, until so many are made."""
    made: list[tuple[str, int]] = []
    stopping = threading.Event()

    def note(tenant: str, taken: int, more: bool) -> None:
        made.append((tenant, taken))
        if len(made) >= stop_after:
            stopping.set()

    fold_waiting(worker_dsn, stopping, on_turn=note)
    return made


@pytest.mark.usefixtures("nothing_waiting")
def test_a_tenant_with_a_long_queue_has_its_turns_and_others_have_theirs_between(
    worker_dsn: str, dsn: str, new_tenant: Callable[..., str]
) -> None:
    long, short = new_tenant(), new_tenant()
    remember(dsn, long, 300)
    remember(dsn, short, 1)
    made = turns_of(worker_dsn, 3)
    assert (short, 1) in made[:2]
    assert all(taken <= 50 for _, taken in made)


@pytest.mark.usefixtures("nothing_waiting")
def test_who_has_work_is_told_with_what_the_head_of_each_queue_says(
    admin: Connection, worker_dsn: str, dsn: str, new_tenant: Callable[..., str]
) -> None:
    long, short, leased, dead = (new_tenant() for _ in range(4))
    for tenant, number in ((long, 150), (short, 2), (leased, 1), (dead, 1)):
        remember(dsn, tenant, number)
    admin.execute(
        "UPDATE cognifold.work SET fence = 1, worker = 'one', lease_until = now() + interval '1 hour' "
        "WHERE tenant_id = %s",
        [leased],
    )
    admin.execute("UPDATE cognifold.work SET state = 'dead' WHERE tenant_id = %s", [dead])
    with psycopg.connect(worker_dsn) as worker:
        told = worker.execute("SELECT tenant, waiting FROM cognifold.tenants_with_work()").fetchall()
    assert told == [(long, 100), (short, 2)]


@pytest.mark.usefixtures("nothing_waiting")
def test_a_look_at_who_has_work_reads_heads_and_no_whole_queue(
    admin: Connection, worker_dsn: str, dsn: str, new_tenant: Callable[..., str]
) -> None:
    tenant = new_tenant()
    remember(dsn, tenant, 2000)
    read = "SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'work_queue'"
    with psycopg.connect(worker_dsn, autocommit=True) as worker:
        worker.execute("SELECT pg_stat_force_next_flush()")
        tenants_with_work(worker)
        before = value(admin, read)
        for _ in range(10):
            assert tenants_with_work(worker) == [tenant]
        worker.execute("SELECT pg_stat_force_next_flush()")
        worker.execute("SELECT 1")
    assert value(admin, read) - before < 10 * 300


def test_a_tenant_is_held_to_its_rate_and_it_is_seen(
    worker_dsn: str, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    remember(dsn, tenant, 5)
    looking = connect(tenant)
    assert value(looking, "SELECT throttled FROM cognifold.lag") is False
    value(looking, "SELECT cognifold.set_setting('fold.rate', 2)")
    assert fold_tenant(worker_dsn, tenant) == 2
    with pytest.raises(ShareUsedUpError, match="has had its share"):
        fold_tenant(worker_dsn, tenant)
    assert looking.execute("SELECT waiting, folded_minute, throttled FROM cognifold.lag").fetchall() == [(3, 2, True)]
    value(looking, "SELECT cognifold.set_setting('fold.rate', NULL)")
    value(looking, "SELECT cognifold.set_setting('fold.budget', 4)")
    assert fold_tenant(worker_dsn, tenant) == 2
    value(looking, "SELECT cognifold.set_setting('fold.budget', NULL)")
    assert fold_tenant(worker_dsn, tenant) == 1


@pytest.mark.usefixtures("nothing_waiting")
def test_a_tenant_that_has_had_its_share_keeps_no_other_waiting(
    worker_dsn: str, dsn: str, new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    held, free = new_tenant(), new_tenant()
    remember(dsn, held, 3)
    remember(dsn, free, 3)
    value(connect(held), "SELECT cognifold.set_setting('fold.rate', 1)")
    assert fold_waiting(worker_dsn) == 4
    assert sorted(states(connect, held)) == ["folded", "pending", "pending"]


def test_a_busy_graph_is_not_waited_for(
    worker_dsn: str, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    remember(dsn, tenant, 1)
    holding = connect(tenant)
    with working_connection(worker_dsn) as connection, holding.transaction():
        holding.execute("""SELECT cognifold.apply_plan('{"operations": []}')""")
        connection.execute("SET lock_timeout = 0")  # it would wait for ever
        with pytest.raises(psycopg.errors.LockNotAvailable):
            fold_tenant(worker_dsn, tenant, connection=connection)
