"""What the tests of the way in ask of a memory."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import psycopg
import pytest

from tests.conftest import Connection

T = TypeVar("T")


def at_once(number: int, action: Callable[[int], T]) -> list[T]:
    """What ``number`` threads get that do the same thing at the same moment."""
    barrier = threading.Barrier(number)

    def one(place: int) -> T:
        barrier.wait()
        return action(place)

    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(one, range(number)))


def stored(connection: Connection) -> dict[str, int]:
    """How many events, contents and waiting folds the tenant has."""
    row = connection.execute(
        """
        SELECT (SELECT count(*) FROM cognifold.node WHERE kind = 'event'),
               (SELECT count(*) FROM cognifold.node_content),
               (SELECT count(*) FROM cognifold.work)
        """
    ).fetchone()
    assert row is not None
    return dict(zip(("events", "contents", "waiting"), row, strict=True))


def remember(connection: Connection, **arguments: Any) -> Any:
    """``cognifold.remember`` with its arguments by name; the id."""
    named = ", ".join(f"{name} => %({name})s" for name in arguments)
    row = connection.execute(f"SELECT cognifold.remember({named})".encode(), arguments).fetchone()
    assert row is not None
    return row[0]


def refused(connection: Connection, **arguments: Any) -> psycopg.Error:
    """The error that ``remember`` ends in."""
    with pytest.raises(psycopg.Error) as caught:
        remember(connection, **arguments)
    return caught.value
