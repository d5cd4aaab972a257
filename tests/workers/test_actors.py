"""Dramatiq's actors on a PostgreSQL broker: messages are doorbells, and the tables are the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import CognifoldError, InvalidValueError
from cognifold_pg.workers.actors import Actors, sweep
from cognifold_pg.workers.broker import SCHEMA, make_broker, prepare
from tests.conftest import Connection, value
from tests.embedded.servers import eventually
from tests.workers.test_folding import nothing_waiting, remember, states, worker_dsn
from tests.workers.working import actors, working

__all__ = ["actors", "nothing_waiting", "worker_dsn"]

pytest.importorskip("dramatiq", reason="dramatiq is not installed (extra workers)")
pytest.importorskip("dramatiq_postgres", reason="dramatiq-postgres is not installed (extra workers)")


@pytest.fixture
def broker(admin_dsn: str, worker_dsn: str) -> Iterator[Any]:
    prepare(admin_dsn)
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        admin.execute(f"DELETE FROM {SCHEMA}.queue".encode())
    made = make_broker(worker_dsn)
    yield made
    made.close()


@pytest.mark.usefixtures("nothing_waiting")
def test_a_message_has_a_tenants_events_folded_and_none_is_needed_for_the_rest(
    broker: Any, actors: Actors, dsn: str, new_tenant: Callable[..., str], connect: Callable[..., Connection],
    worker_dsn: str, admin: Connection,
) -> None:  # fmt: skip
    told, lost = new_tenant(), new_tenant()
    remember(dsn, told, "The kettle is broken", "The kettle leaks")
    remember(dsn, lost, "A letter came from the bank")
    actors["fold"].send(told)
    with working(broker):
        eventually(lambda: states(connect, told) == ["folded", "folded"])
        assert states(connect, lost) == ["pending"]  # its message was lost
        sweep(worker_dsn, actors)
        eventually(lambda: states(connect, lost) == ["folded"])
    written = value(admin, f"SELECT string_agg(message::text, ' ') FROM {SCHEMA}.queue") or ""
    assert "kettle" not in written


def test_a_message_for_work_that_is_done_or_was_never_there_does_nothing(
    broker: Any, actors: Actors, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    remember(dsn, tenant, "The kettle is broken")
    for _ in range(3):
        actors["fold"].send(tenant)
        actors["consolidate"].send(tenant)
    with working(broker):
        eventually(lambda: states(connect, tenant) == ["folded"])
    folds = value(connect(tenant), "SELECT count(*) FROM cognifold.folded_event")
    assert folds == 1
    assert value(connect(tenant), "SELECT count(*) FROM cognifold.job_run") == 0


def test_what_is_due_is_rung_for_and_done_once(
    broker: Any, actors: Actors, dsn: str, tenant: str, connect: Callable[..., Connection], worker_dsn: str
) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        memory.remember("The kettle is broken")
        memory.fold_all()
        memory.rows("SELECT cognifold.ask_job('consolidate')")
    assert sweep(worker_dsn, actors) > 0
    sweep(worker_dsn, actors)
    looking = connect(tenant)
    with working(broker):
        eventually(lambda: value(looking, "SELECT count(*) FROM cognifold.job_run WHERE state = 'done'") == 1)
    assert value(looking, "SELECT count(*) FROM cognifold.job_run") == 1


def test_each_slot_has_a_queue_of_its_own(actors: Actors) -> None:
    queues = {name: actor.queue_name for name, actor in actors.items()}
    assert queues["fold"] == "cognifold_fold"
    assert queues["intents"] == "cognifold_light"
    assert queues["consolidate"] == "cognifold_heavy"


def test_a_broker_that_is_not_known_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="No broker is known by kafka://"):
        make_broker("kafka://somewhere")


def test_tables_that_a_role_may_not_make_are_an_error_that_says_who_must(admin: Connection, worker_dsn: str) -> None:
    admin.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE".encode())
    with pytest.raises(CognifoldError, match="as the database's owner"):
        make_broker(worker_dsn)
