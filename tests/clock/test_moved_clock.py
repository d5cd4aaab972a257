"""cognifold.now(): the memory's clock, for those who may move it."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from tests.conftest import Connection, at, make_role, value


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-06-01T09:00:00+02:00", "2026-06-01T07:00:00+00:00"),
        ("2026-06-01T09:00:00Z", "2026-06-01T09:00:00+00:00"),
        ("1970-01-01 00:00:00-0330", "1970-01-01T03:30:00+00:00"),
    ],
)
def test_the_clock_stands_where_it_was_set_whatever_the_time_zone(
    connect: Callable[..., Connection], tenant: str, written: str, meant: str
) -> None:
    connection = connect(tenant, now=written)
    for zone in ("UTC", "Asia/Kathmandu"):
        connection.execute("SELECT set_config('TimeZone', %s, false)", [zone])
        assert value(connection, "SELECT cognifold.now()") == at(meant)


def test_an_unset_clock_is_the_transactions_time(connection: Connection) -> None:
    connection.execute("SELECT set_config('cognifold.now', '', false)")
    with connection.transaction():
        assert value(connection, "SELECT cognifold.now() = now()")


def test_a_role_that_may_not_move_the_clock_reads_the_real_one(
    admin: Connection, connect: Callable[..., Connection], tenant: str
) -> None:
    make_role(admin, "test_clockless", "cognifold_writer", "cognifold_multitenant")
    connection = connect(tenant, user="test_clockless", now="1970-01-01T00:00:00Z")
    assert value(connection, "SELECT cognifold.now() = now()")


@pytest.mark.parametrize("written", ["2026-06-01T09:00:00", "2026-06-01", "tomorrow", "2026-13-01T00:00:00Z", "now Z"])
def test_a_clock_without_a_zone_or_that_is_no_time_is_refused(
    connect: Callable[..., Connection], tenant: str, written: str
) -> None:
    connection = connect(tenant, now=written)
    with pytest.raises(psycopg.Error, match=r"cognifold\.now") as refused:
        connection.execute("SELECT cognifold.now()")
    assert refused.value.sqlstate == "CF010"
