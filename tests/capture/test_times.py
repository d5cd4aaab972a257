"""Event time: any moment survives the whole way, and one instant is one instant in every time zone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from cognifold_pg.client import Memory
from tests.capture.conftest import remember, stored
from tests.conftest import Connection, value

EXTREME = {
    "1970": datetime(1970, 1, 1, tzinfo=UTC),
    "before 1970": datetime(1889, 3, 4, 5, 6, tzinfo=UTC),
    "in five years": datetime(2031, 11, 30, tzinfo=UTC),
    "the last moment of Python": datetime.max.replace(tzinfo=UTC),
    "the first moment of Python": datetime.min.replace(tzinfo=UTC),
}


@pytest.mark.parametrize("moment", EXTREME.values(), ids=EXTREME.keys())
def test_an_event_of_any_time_is_folded_explained_and_recalled(dsn: str, tenant: str, moment: datetime) -> None:
    with Memory(dsn, tenant=tenant, clock=datetime(2026, 11, 30, tzinfo=UTC)) as memory:
        said = [
            memory.remember(f"The barometer in the hall fell to {n} by Friday", occurred_at=moment, actor="Ida")
            for n in "abc"
        ]
        assert memory.fold_all() == 3
        found = memory.recall("barometer", kinds=["event"])
        assert {row.node_id for row in found} == set(said)
        assert {row.occurred_at for row in found} == {moment}
        assert all(0 < row.score < 100 for row in found)
        assert memory.explain(said[0])[0].occurred_at == moment
        assert {row["mass"] >= 0 for row in memory.rows("SELECT mass FROM cognifold.edge")} <= {True}
        assert memory.check() == []


@pytest.mark.parametrize(
    ("moment", "shown"),
    [
        ("infinity", datetime.max.replace(tzinfo=UTC)),
        ("-infinity", datetime.min.replace(tzinfo=UTC)),
        ("20000-01-01T00:00:00Z", datetime.max.replace(tzinfo=UTC)),
        ("0044-03-15T12:00:00Z BC", datetime.min.replace(tzinfo=UTC)),
    ],
)
def test_a_time_that_python_cannot_hold_survives_and_is_shown_as_its_first_or_last(
    connection: Connection, memory: Memory, moment: str, shown: datetime
) -> None:
    for word in ("brass", "copper", "silver"):
        remember(
            connection, content=f"The {word} barometer in the hall fell by Friday", occurred_at=moment, actor="Ida"
        )
    assert {row.outcome for row in memory.fold()} == {"folded"}
    found = memory.recall("barometer", kinds=["event"])
    assert [row.occurred_at for row in found] == [shown] * 3
    assert value(connection, "SELECT bool_and(occurred_at = %s::timestamptz) FROM cognifold.event", moment)
    assert memory.explain(found[0].node_id)[0].occurred_at == shown
    assert memory.check() == []


def test_an_event_of_the_clock_that_stands_at_infinity_is_stored(
    tenant: str, connect: Callable[..., Connection]
) -> None:
    connection = connect(tenant, now="infinity")
    first = remember(connection, content="at the end of days")
    assert remember(connection, content="at the end of days") == first
    assert value(connection, "SELECT occurred_at = 'infinity' FROM cognifold.event")


# The night of 25 October 2026 in Amsterdam: 02:30 comes twice, at 00:30 and at 01:30 UTC. New York is an hour behind.
BEFORE = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
AFTER = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
SPELLINGS = {
    BEFORE: (
        "2026-10-25T00:30:00Z",
        "2026-10-25T02:30:00+02:00",
        "2026-10-24T20:30:00-04:00",
        "2026-10-25 06:00:00+05:30",
    ),
    AFTER: (
        "2026-10-25T01:30:00Z",
        "2026-10-25T02:30:00+01:00",
        "2026-10-24T21:30:00-04:00",
        "2026-10-25 07:00:00+05:30",
    ),
}


def test_one_instant_is_one_event_under_every_time_zone_and_spelling(connection: Connection) -> None:
    ids: dict[datetime, set[Any]] = {}
    for instant, spellings in SPELLINGS.items():
        ids[instant] = set()
        for zone in ("UTC", "Europe/Amsterdam", "America/New_York", "Asia/Kolkata", "Pacific/Apia"):
            connection.execute(f"SET TimeZone = '{zone}'".encode())
            for spelling in spellings:
                ids[instant].add(remember(connection, content="the clocks change", occurred_at=spelling))
    assert all(len(one) == 1 for one in ids.values())
    assert stored(connection)["events"] == 2
    digests = []
    for zone in ("UTC", "Europe/Amsterdam", "America/New_York"):
        connection.execute(f"SET TimeZone = '{zone}'".encode())
        digests.append(
            connection.execute(
                "SELECT cognifold.event_digest(content, title, payload, occurred_at, source, actor) = digest, digest "
                "FROM cognifold.event ORDER BY occurred_at"
            ).fetchall()
        )
        assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []
    assert digests[0] == digests[1] == digests[2]
    assert all(same for same, _ in digests[0])


def test_the_client_keeps_the_two_half_past_twos_of_an_autumn_night_apart(memory: Memory) -> None:
    amsterdam = ZoneInfo("Europe/Amsterdam")
    first = memory.remember("an owl calls", occurred_at=datetime(2026, 10, 25, 2, 30, tzinfo=amsterdam, fold=0))
    second = memory.remember("an owl calls", occurred_at=datetime(2026, 10, 25, 2, 30, tzinfo=amsterdam, fold=1))
    assert first != second
    assert memory.remember("an owl calls", occurred_at=BEFORE) == first
    assert memory.remember("an owl calls", occurred_at=AFTER.astimezone(timezone(timedelta(hours=9)))) == second


def test_microseconds_count(memory: Memory) -> None:
    moment = datetime(2026, 5, 4, 9, tzinfo=UTC)
    assert memory.remember("tick", occurred_at=moment) != memory.remember(
        "tick", occurred_at=moment + timedelta(microseconds=1)
    )


def test_the_memorys_clock_dates_an_event_that_states_no_time(dsn: str, tenant: str) -> None:
    clock = datetime(2019, 7, 20, 20, 17, tzinfo=UTC)
    with Memory(dsn, tenant=tenant, clock=clock) as memory:
        memory.remember("one small step")
        [row] = memory.rows("SELECT occurred_at, recorded_at > '2026-01-01' AS recorded_now FROM cognifold.event")
    assert row == {"occurred_at": clock, "recorded_now": True}
