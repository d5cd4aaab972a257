"""What writes at a moment of the caller's choice never works ahead of the clock, unless the role may move the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.conftest import Connection, make_role, value


@pytest.fixture
def plain(admin: Connection, connect: Callable[..., Connection], tenant: str) -> Iterator[Connection]:
    """A writer that may not move the clock."""
    make_role(admin, "test_no_clock", "cognifold_writer", "cognifold_multitenant")
    yield connect(tenant, user="test_no_clock")


@pytest.mark.parametrize(
    "call",
    [
        "SELECT cognifold.consolidate(now() + interval '1 hour')",
        "SELECT cognifold.emit_intents(now() + interval '1 hour')",
        "SELECT cognifold.set_decay('episodic', 1, now() + interval '1 hour')",
        "SELECT cognifold.consolidate('infinity')",
    ],
)
def test_a_plain_writer_cannot_make_the_memory_forget_ahead_of_time(plain: Connection, call: str) -> None:
    with pytest.raises(psycopg.Error) as refused:
        plain.execute(call.encode())
    assert refused.value.sqlstate == "CF010"


def test_the_past_and_the_present_are_open_to_it(plain: Connection) -> None:
    plain.execute("SELECT cognifold.consolidate()")
    plain.execute("SELECT cognifold.consolidate(now() - interval '1 hour')")
    assert value(plain, "SELECT count(*) FROM cognifold.emit_intents(now())") == 0


def test_a_member_of_cognifold_clock_may_work_ahead(connection: Connection) -> None:
    connection.execute("SELECT cognifold.consolidate(now() + interval '1 year')")
