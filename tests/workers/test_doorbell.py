"""Remembering wakes whoever listens: once for a queue, with nothing in it, and never at the writer's cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.conftest import Connection, value


@pytest.fixture
def rings(dsn: str) -> Iterator[Callable[[], list[str]]]:
    """What has rung since it was last asked."""
    with psycopg.connect(dsn, autocommit=True) as listening:
        listening.execute("LISTEN cognifold_work")

        def rung() -> list[str]:
            listening.execute("SELECT 1")
            return [notify.payload for notify in listening.notifies(timeout=0)]

        yield rung


def test_what_is_stored_first_rings_and_what_joins_a_queue_does_not(
    rings: Callable[[], list[str]], memory: Memory
) -> None:
    memory.remember("The kettle is broken")
    assert rings() == [""]
    memory.remember("The kettle leaks")
    assert rings() == []
    memory.fold_all()
    memory.remember("The kettle is mended")
    assert rings() == [""]


def test_many_ring_once(rings: Callable[[], list[str]], memory: Memory) -> None:
    memory.remember_many(Experience(f"Note {number}") for number in range(500))
    assert rings() == [""]


def test_what_is_rolled_back_has_not_rung(rings: Callable[[], list[str]], connection: Connection) -> None:
    with pytest.raises(ZeroDivisionError), connection.transaction():
        connection.execute("SELECT cognifold.remember('The kettle is broken')")
        raise ZeroDivisionError
    assert rings() == []


def test_an_event_that_waits_for_its_next_try_does_not_keep_the_bell_quiet(
    rings: Callable[[], list[str]], memory: Memory, admin: Connection
) -> None:
    memory.remember("The kettle is broken")
    admin.execute(
        "UPDATE cognifold.work SET state = 'failed', not_before = now() + interval '1 hour' WHERE tenant_id = %s",
        [memory.tenant],
    )
    rings()
    memory.remember("The kettle leaks")
    assert rings() == [""]


def test_a_tenant_can_do_without(rings: Callable[[], list[str]], connection: Connection) -> None:
    value(connection, "SELECT cognifold.set_setting('fold.doorbell', 0)")
    connection.execute("SELECT cognifold.remember('The kettle is broken')")
    assert rings() == []
