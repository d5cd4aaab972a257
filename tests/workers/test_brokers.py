"""Dramatiq on Redis and on RabbitMQ: a broker may be away, and lose its messages, and each event is folded once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from benchmarks import redis_server
from benchmarks.own_server import OwnServer
from benchmarks.redis_server import RedisServer
from cognifold_pg.workers.actors import Actors, Sweeper, sweep
from cognifold_pg.workers.broker import make_broker
from tests.conftest import Connection, value
from tests.embedded.servers import eventually
from tests.workers import rabbit
from tests.workers.rabbit import RabbitServer
from tests.workers.test_folding import nothing_waiting, remember, states, worker_dsn
from tests.workers.working import actors, working

__all__ = ["actors", "nothing_waiting", "worker_dsn"]

dramatiq = pytest.importorskip("dramatiq", reason="dramatiq is not installed (extra workers)")
redis = pytest.importorskip("redis", reason="redis is not installed (extra workers-redis)")
pika = pytest.importorskip("pika", reason="pika is not installed (extra workers-rabbitmq)")
pytestmark = pytest.mark.usefixtures("nothing_waiting")

# What sending a message raises where the broker is away.
AWAY = (redis.exceptions.ConnectionError, pika.exceptions.AMQPError, dramatiq.errors.BrokerConnectionError)


@pytest.fixture(
    params=[
        pytest.param(made, id=name, marks=pytest.mark.skipif(not there, reason=f"{name} is not installed"))
        for name, made, there in (
            ("redis-server", RedisServer, redis_server.is_installed()),
            ("rabbitmq-server", RabbitServer, rabbit.is_installed()),
        )
    ]
)
def server(request: pytest.FixtureRequest) -> Iterator[OwnServer]:
    with request.param() as running:
        yield running


@pytest.fixture
def redis_url() -> Iterator[str]:
    if not redis_server.is_installed():
        pytest.skip("redis-server is not installed")
    with RedisServer() as running:
        yield running.url


@pytest.fixture
def broker(server: OwnServer) -> Iterator[Any]:
    made = make_broker(server.url)
    yield made
    made.close()


@contextmanager
def sweeping(dsn: str, actors: Actors) -> Iterator[None]:
    sweeper = Sweeper(dsn, actors, every=0.2)
    sweeper.start()
    try:
        yield
    finally:
        sweeper.stop()
        sweeper.join(timeout=30)


def folds(connect: Callable[..., Connection], tenant: str) -> object:
    return value(connect(tenant), "SELECT count(*) FROM cognifold.folded_event")


def test_a_message_by_a_broker_has_a_tenants_events_folded(
    broker: Any, actors: Actors, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    remember(dsn, tenant, "The kettle is broken", "The kettle leaks")
    actors["fold"].send(tenant)
    with working(broker):
        eventually(lambda: states(connect, tenant) == ["folded", "folded"])
    assert folds(connect, tenant) == 2


def test_a_broker_that_was_away_and_has_lost_its_messages_is_rung_again(
    server: OwnServer, broker: Any, actors: Actors, dsn: str, new_tenant: Callable[..., str],
    connect: Callable[..., Connection], worker_dsn: str,
) -> None:  # fmt: skip
    before, while_away = new_tenant(), new_tenant()
    remember(dsn, before, "The kettle is broken")
    actors["fold"].send(before)
    server.kill()
    with working(broker), sweeping(worker_dsn, actors):
        remember(dsn, while_away, "A letter came from the bank")  # nothing of an application's needs the broker
        with pytest.raises(AWAY):
            sweep(worker_dsn, actors)
        assert states(connect, before) == states(connect, while_away) == ["pending"]
        server.start()
        eventually(lambda: states(connect, before) == states(connect, while_away) == ["folded"])
    assert folds(connect, before) == folds(connect, while_away) == 1


def test_a_fold_in_hand_is_kept_where_the_broker_goes_away_before_the_next_is_rung_for(
    server: OwnServer, actors: Actors, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    remember(dsn, tenant, "The kettle is broken")
    server.kill()
    with pytest.raises(AWAY):
        actors["fold"](tenant)  # as the worker calls it
    assert states(connect, tenant) == ["folded"]


def test_dramatiqs_command_waits_for_a_database_that_is_away(
    redis_url: str,
    dsn: str,
    tenant: str,
    connect: Callable[..., Connection],
    worker_dsn: str,
    tmp_path: Path,
) -> None:
    remember(dsn, tenant, "The kettle is broken")
    place = tmp_path / "sockets"  # where the server is to be found as soon as this leads there
    command = "dramatiq cognifold_pg.workers.app --processes 1 --threads 2 --worker-fork-timeout 100"
    process = subprocess.Popen(
        [sys.executable, "-m", *command.split()], stderr=subprocess.PIPE, text=True,
        env=os.environ | {"COGNIFOLD_DSN": make_conninfo(worker_dsn, host=str(place)), "COGNIFOLD_BROKER": redis_url},
    )  # fmt: skip
    try:
        assert process.stderr is not None
        assert any("does not answer" in line for line in process.stderr)
        place.symlink_to(str(conninfo_to_dict(worker_dsn)["host"]))
        eventually(lambda: states(connect, tenant) == ["folded"], 60)
    finally:
        process.terminate()
        assert process.wait(timeout=60) == 0


def test_dramatiqs_command_ends_when_told_while_it_waits_for_a_database(redis_url: str, tmp_path: Path) -> None:
    command = "dramatiq cognifold_pg.workers.app --processes 1 --threads 2 --worker-fork-timeout 100"
    process = subprocess.Popen(
        [sys.executable, "-m", *command.split()], stderr=subprocess.PIPE, text=True,
        env=os.environ | {"COGNIFOLD_DSN": f"host={tmp_path} dbname=none", "COGNIFOLD_BROKER": redis_url},
    )  # fmt: skip
    assert process.stderr is not None
    assert any("does not answer" in line for line in process.stderr)
    process.terminate()
    assert process.wait(timeout=60) == 0
