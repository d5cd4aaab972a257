"""Dramatiq's worker for a test: of whichever broker, and for as long as a block lasts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cognifold_pg.workers.actors import Actors, make_actors


@pytest.fixture
def actors(broker: Any, worker_dsn: str) -> Actors:
    return make_actors(broker, worker_dsn)


@contextmanager
def working(broker: Any) -> Iterator[None]:
    import dramatiq

    worker = dramatiq.Worker(broker, worker_timeout=100, worker_threads=2)
    worker.start()
    try:
        yield
    finally:
        worker.stop()
