"""PostgreSQL's knowledge of the tables grows with the memory, so that plans made for an empty one don't stay."""

from __future__ import annotations

from cognifold_pg.client import Memory
from tests.conftest import Connection, value
from tests.fold.stream import live, told


def known(admin: Connection) -> float:
    return float(value(admin, "SELECT reltuples FROM pg_class WHERE oid = 'cognifold.lexical_document'::regclass"))


def forget(admin: Connection) -> None:
    """As it is before anything was analyzed."""
    admin.execute("UPDATE pg_class SET reltuples = -1 WHERE oid = 'cognifold.lexical_document'::regclass")


def test_a_memory_that_outgrew_the_statistics_refreshes_them(memory: Memory, admin: Connection) -> None:
    forget(admin)
    live(memory, told(*(f"Reading {number} of the gauge" for number in range(70))))
    memory.remember("The last reading of the gauge")
    memory.fold()
    assert known(admin) >= 70


def test_a_handful_of_events_is_not_worth_it(memory: Memory, admin: Connection) -> None:
    forget(admin)
    live(memory, told(*(f"Reading {number} of the gauge" for number in range(10))))
    assert known(admin) == -1
