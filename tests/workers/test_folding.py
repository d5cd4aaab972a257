"""Workers find what waits, for every tenant, and stop when told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.workers.folding import fold_tenant, fold_waiting, tenants_with_work
from tests.conftest import Connection, make_role, value
from tests.embedded.servers import eventually

WORKER = "test_worker"


@pytest.fixture
def worker_dsn(admin: Connection, admin_dsn: str) -> Iterator[str]:
    make_role(admin, WORKER, "cognifold_worker")
    yield make_conninfo(admin_dsn, user=WORKER)


@pytest.fixture
def nothing_waiting(admin: Connection) -> None:
    """No event of an earlier test waits: to fold them all takes minutes, and nobody looks at what comes of it."""
    admin.execute("DELETE FROM cognifold.work")


def remember(dsn: str, tenant: str, *texts: str) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        for text in texts:
            memory.remember(text)


def states(connect: Callable[..., Connection], tenant: str) -> list[str]:
    return [row[0] for row in connect(tenant).execute("SELECT fold_state FROM cognifold.event")]


@pytest.mark.usefixtures("nothing_waiting")
def test_a_worker_folds_what_waits_for_every_tenant(
    worker_dsn: str, dsn: str, new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    one, other = new_tenant(), new_tenant()
    remember(dsn, one, "The kettle is broken", "The kettle leaks")
    remember(dsn, other, "A letter came from the bank")
    assert {one, other} <= set(tenants_with_work(worker_dsn))
    assert fold_waiting(worker_dsn) == 3
    assert not {one, other} & set(tenants_with_work(worker_dsn))
    assert states(connect, one) == ["folded", "folded"]
    assert states(connect, other) == ["folded"]


def test_a_turn_ends_at_its_limit_so_that_others_are_not_kept_waiting(
    worker_dsn: str, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    remember(dsn, tenant, *(f"Note number {number} about the garden" for number in range(5)))
    assert fold_tenant(worker_dsn, tenant, limit=3) == 3
    assert sorted(states(connect, tenant)) == ["folded"] * 3 + ["pending"] * 2
    assert fold_tenant(worker_dsn, tenant) == 2


def test_only_workers_may_look_across_tenants(dsn: str, connect: Callable[..., Connection]) -> None:
    with pytest.raises(Exception, match="permission denied"):
        connect().execute("SELECT * FROM cognifold.tenants_with_work()")


def test_a_worker_process_folds_and_ends_at_sigterm(
    worker_dsn: str, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    remember(dsn, tenant, "The roof leaks above the stairs")
    process = subprocess.Popen(
        [sys.executable, "-m", "cognifold_pg", "worker", "--every", "0.05", "--dsn", worker_dsn],
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        watching = connect(tenant)
        while value(watching, "SELECT count(*) FROM cognifold.work WHERE tenant_id = %s", tenant):
            assert process.poll() is None, "the worker ended by itself"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
    assert states(connect, tenant) == ["folded"]


def test_a_worker_started_while_its_database_is_away_waits_for_it(
    worker_dsn: str, dsn: str, tenant: str, connect: Callable[..., Connection], tmp_path: Path
) -> None:
    remember(dsn, tenant, "The roof leaks above the stairs")
    place = tmp_path / "sockets"  # where the server is to be found as soon as this leads there
    away = make_conninfo(worker_dsn, host=str(place))
    process = subprocess.Popen(
        [sys.executable, "-m", "cognifold_pg", "worker", "--every", "0.05", "--dsn", away],
        stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert process.stderr is not None
        assert any("does not answer" in line for line in process.stderr)
        place.symlink_to(str(conninfo_to_dict(worker_dsn)["host"]))
        eventually(lambda: states(connect, tenant) == ["folded"])
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()


def test_a_tenant_whose_graph_somebody_holds_keeps_no_other_waiting(
    worker_dsn: str, dsn: str, new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    held, free = new_tenant(), new_tenant()
    remember(dsn, held, "The first to wait")
    remember(dsn, free, "The second to wait")
    holding = connect(held)
    with holding.transaction():
        holding.execute("""SELECT cognifold.apply_plan('{"operations": []}')""")
        fold_waiting(worker_dsn)
        assert states(connect, free) == ["folded"]
        assert states(connect, held) == ["pending"]
    assert fold_waiting(worker_dsn) == 1


def test_a_bound_worker_folds_its_own_tenant_and_does_not_hear_of_others(
    admin: Connection, admin_dsn: str, dsn: str, new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    own, foreign = new_tenant(), new_tenant()
    remember(dsn, foreign, "Not for this worker")
    remember(dsn, own, "For this worker")
    make_role(admin, "test_bound_worker", "cognifold_worker")
    value(admin, "SELECT cognifold.bind_role('test_bound_worker', %s)", own)
    try:
        bound = make_conninfo(admin_dsn, user="test_bound_worker")
        assert tenants_with_work(bound) == [own]
        assert fold_waiting(bound) == 1
    finally:
        admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = 'test_bound_worker'")
    assert states(connect, foreign) == ["pending"]


def test_a_lock_that_is_not_to_be_had_is_not_charged_to_the_event(
    admin: Connection, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    remember(dsn, tenant, "An event like any other")
    folding = connect(tenant)
    folding.execute("SELECT cognifold.set_setting('fold.attempts', 1)")
    folding.execute("SET lock_timeout = '50ms'")
    with admin.transaction():
        admin.execute("LOCK TABLE cognifold.posting IN EXCLUSIVE MODE")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            folding.execute("SELECT outcome FROM cognifold.fold()")
    assert states(connect, tenant) == ["pending"]
    assert value(folding, "SELECT outcome FROM cognifold.fold()") == "folded"
