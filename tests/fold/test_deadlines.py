"""Deadlines in texts and payloads: which day is meant, from where and when it was said."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Connection

# 2026-06-02 is a Tuesday; 2026 and 2027 are no leap years, 2028 is one.
TUESDAY = "2026-06-02T10:00:00+00:00"

# text, said at, zone, the days meant
TEXTS: list[tuple[str, str, str, list[str]]] = [
    ("Pay the invoice by Friday", TUESDAY, "UTC", ["2026-06-05"]),
    ("Pay the invoice by Tuesday", TUESDAY, "UTC", ["2026-06-09"]),  # not today: the first one after
    ("Send it by next Friday", TUESDAY, "UTC", ["2026-06-12"]),  # the week after this one
    ("Send it by next Monday", TUESDAY, "UTC", ["2026-06-08"]),
    ("Send it by next Sunday", TUESDAY, "UTC", ["2026-06-14"]),
    ("Return the books before this Saturday", TUESDAY, "UTC", ["2026-06-06"]),
    ("due on Wednesday", TUESDAY, "UTC", ["2026-06-03"]),
    ("The report is due 12 June.", TUESDAY, "UTC", ["2026-06-12"]),
    ("due on the 12th of June", TUESDAY, "UTC", ["2026-06-12"]),
    ("Register by June 12th, please", TUESDAY, "UTC", ["2026-06-12"]),
    ("Register by June 12, 2027", TUESDAY, "UTC", ["2027-06-12"]),
    ("deadline: 3 Sept", TUESDAY, "UTC", ["2026-09-03"]),
    ("The deadline is Friday 12 June", TUESDAY, "UTC", ["2026-06-12"]),  # one day, not that Friday and this one
    ("The deadline is Friday, June 12", TUESDAY, "UTC", ["2026-06-12"]),
    ("due 1 June", TUESDAY, "UTC", ["2027-06-01"]),  # yesterday is gone: next year
    ("due 2 June", TUESDAY, "UTC", ["2026-06-02"]),
    ("The offer expires on 31 December", TUESDAY, "UTC", ["2026-12-31"]),
    ("Applications close on 2026-07-01", TUESDAY, "UTC", ["2026-07-01"]),
    ("The call closes 2026-07-01", TUESDAY, "UTC", ["2026-07-01"]),
    ("no later than 2026-07-01", TUESDAY, "UTC", ["2026-07-01"]),
    ("by tomorrow", TUESDAY, "UTC", ["2026-06-03"]),
    ("by the day after tomorrow", TUESDAY, "UTC", ["2026-06-04"]),
    ("due today", TUESDAY, "UTC", ["2026-06-02"]),
    ("by the end of the week", TUESDAY, "UTC", ["2026-06-07"]),
    ("by end of month", TUESDAY, "UTC", ["2026-06-30"]),
    ("until the end of the year", TUESDAY, "UTC", ["2026-12-31"]),
    ("Due in three days", TUESDAY, "UTC", ["2026-06-05"]),
    ("to be done within two weeks", TUESDAY, "UTC", ["2026-06-16"]),
    ("expires in a month", "2026-01-31T10:00:00+00:00", "UTC", ["2026-02-28"]),
    ("due 29 February", TUESDAY, "UTC", ["2028-02-29"]),
    ("due 29 February", "2028-03-01T10:00:00+00:00", "UTC", ["2032-02-29"]),
    ("due 29 February", "2097-01-01T10:00:00+00:00", "UTC", ["2104-02-29"]),  # 2100 is no leap year
    ("due 29 February 2027", TUESDAY, "UTC", []),
    ("due 31 June", TUESDAY, "UTC", []),
    ("by 2026-02-30", TUESDAY, "UTC", []),
    ("by 2026-13-01", TUESDAY, "UTC", []),
    ("We met on Friday, 12 June and again on Monday", TUESDAY, "UTC", []),  # dates, no deadlines
    ("It takes five days", TUESDAY, "UTC", []),
    ("Standing by Monday's statue", TUESDAY, "UTC", ["2026-06-08"]),  # what a rule without grammar can't know
    ("The tax return by Friday, the receipts by 10 June", TUESDAY, "UTC", ["2026-06-05", "2026-06-10"]),
    # At 23:30 in London it is tomorrow in Auckland and still today in Los Angeles.
    ("by tomorrow", "2026-06-02T22:30:00+00:00", "Europe/London", ["2026-06-03"]),
    ("by tomorrow", "2026-06-02T22:30:00+00:00", "Pacific/Auckland", ["2026-06-04"]),
    ("by Friday", "2026-06-05T03:00:00+00:00", "America/Los_Angeles", ["2026-06-05"]),  # Thursday evening there
    ("by Friday", "2026-06-05T12:00:00+00:00", "America/Los_Angeles", ["2026-06-12"]),
]

# payload, zone, (moment, precision)
PAYLOADS: list[tuple[dict[str, Any], str, list[tuple[str, str]]]] = [
    ({"deadline": "2026-06-05"}, "UTC", [("2026-06-05T00:00:00+00:00", "day")]),
    ({"deadline": "2026-06-05"}, "Pacific/Auckland", [("2026-06-04T12:00:00+00:00", "day")]),
    ({"due_at": "2026-06-05T17:00:00+01:00"}, "Pacific/Auckland", [("2026-06-05T16:00:00+00:00", "instant")]),
    ({"due": "2026-06-05T17:00:00Z"}, "UTC", [("2026-06-05T17:00:00+00:00", "instant")]),
    ({"Due_By": "2026-06-05 17:00"}, "America/Los_Angeles", [("2026-06-06T00:00:00+00:00", "instant")]),
    ({"due_on": "2026-06-05", "due_date": "2026-06-05"}, "UTC", [("2026-06-05T00:00:00+00:00", "day")]),
    ({"deadline": "2026-02-30"}, "UTC", []),
    ({"deadline": "2027-02-29"}, "UTC", []),
    ({"deadline": "next week"}, "UTC", []),
    ({"deadline": None, "due": 20260605, "order": "2026-06-05"}, "UTC", []),
]


def deadlines(connection: Connection, text: str, payload: Any, said_at: str, zone: str) -> list[tuple[datetime, str]]:
    # As seconds: psycopg reads no timestamps in foreign date styles.
    rows = connection.execute(
        'SELECT EXTRACT(epoch FROM moment)::bigint, "precision" FROM cognifold.deadlines(%s, %s, %s, %s) ORDER BY 1, 2',
        [text, Jsonb(payload), said_at, zone],
    ).fetchall()
    return [(datetime.fromtimestamp(seconds, UTC), precision) for seconds, precision in rows]


@pytest.mark.parametrize(("text", "said_at", "zone", "days"), TEXTS)
def test_a_text_means_the_start_of_a_day_in_the_tenants_zone(
    admin: Connection, text: str, said_at: str, zone: str, days: list[str]
) -> None:
    expected = [(datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(zone)), "day") for day in days]
    assert deadlines(admin, text, None, said_at, zone) == expected


@pytest.mark.parametrize(("payload", "zone", "moments"), PAYLOADS)
def test_a_payload_means_a_day_or_an_instant(
    admin: Connection, payload: dict[str, Any], zone: str, moments: list[tuple[str, str]]
) -> None:
    expected = [(datetime.fromisoformat(moment), precision) for moment, precision in moments]
    assert deadlines(admin, "nothing to read here", payload, TUESDAY, zone) == expected


@pytest.mark.parametrize("payload", [["2026-06-05"], "2026-06-05", 5, None])
def test_a_payload_without_names_has_no_deadline(admin: Connection, payload: Any) -> None:
    assert deadlines(admin, "nothing to read here", payload, TUESDAY, "UTC") == []


@pytest.mark.parametrize(("zone", "style"), [("Asia/Tokyo", "German, DMY"), ("America/Los_Angeles", "SQL, MDY")])
def test_the_sessions_zone_and_date_style_change_nothing(admin: Connection, zone: str, style: str) -> None:
    admin.execute("SELECT set_config('TimeZone', %s, false), set_config('DateStyle', %s, false)", [zone, style])
    for text, said_at, its_zone, days in TEXTS:
        expected = [(datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(its_zone)), "day") for day in days]
        assert deadlines(admin, text, None, said_at, its_zone) == expected, text
    for payload, its_zone, moments in PAYLOADS:
        found = deadlines(admin, "", payload, TUESDAY, its_zone)
        assert found == [(datetime.fromisoformat(moment), precision) for moment, precision in moments], payload


def test_what_was_said_at_no_time_has_no_deadline(admin: Connection) -> None:
    assert deadlines(admin, "by Friday", None, "infinity", "UTC") == []
