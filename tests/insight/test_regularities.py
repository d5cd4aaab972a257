"""Regularities in time: found where they are planted, in words, and not found where there are none."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from math import comb, isclose
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from tests.conftest import Connection, value
from tests.graph.plans import rows
from tests.insight.conftest import Diary, when


def test_a_weekly_meeting_has_its_day_and_its_hour(diary: Diary) -> None:
    # Mondays, 2 March on, at 10:00 to 10:20; one week it is on a Wednesday afternoon.
    moments = [when(1 + 7 * week, f"10:{(week * 10) % 30:02}") for week in range(9) if week != 5]
    meeting = diary.habit("Team meeting", [*moments, when(3 + 7 * 5, "15:00")])
    diary.sleep(meeting)
    assert diary.said() == {
        "weekday": '"Team meeting" falls on Mondays: 8 of 9 days (UTC)',
        "time_of_day": '"Team meeting" is usually in the morning: 8 of 9 times between 10:00 and 10:20 (UTC)',
    }
    hour, weekday = diary.insights()
    assert hour["abstraction_level"] == weekday["abstraction_level"] == "general"
    assert hour["figures"]["held"], hour["figures"]["total"] == (8, 9)
    assert (weekday["about"], len(weekday["derived_from"])) == ("Team meeting", 8)
    # Seven weekdays; at least 8 of 9 on one of them.
    by_chance = 7 * sum(comb(9, k) * (1 / 7) ** k * (6 / 7) ** (9 - k) for k in (8, 9))
    assert isclose(weekday["figures"]["chance"], by_chance, rel_tol=1e-5)
    # The lower end of the Wilson interval of 8 of 9 at 95 %.
    assert isclose(weekday["confidence"], 0.565, abs_tol=0.001)


def test_local_time_is_that_of_the_tenant(diary: Diary, admin: Connection) -> None:
    admin.execute("UPDATE cognifold.tenant SET time_zone = 'Asia/Tokyo' WHERE tenant_id = %s", [diary.tenant])
    walk = diary.habit("Walk", [when(3 * n + n % 2, f"22:{n % 20:02}") for n in range(12)])
    diary.sleep(walk)
    assert diary.said()["time_of_day"] == (
        '"Walk" is usually in the morning: 12 of 12 times between 07:00 and 07:11 (Asia/Tokyo)'
    )


def test_what_comes_back_at_like_pauses_has_an_interval(diary: Diary) -> None:
    watering = diary.habit("Watering", [when(3 * n, f"{7 + (5 * n) % 13}:30") for n in range(12)])
    diary.sleep(watering)
    assert diary.said() == {
        "interval": '"Watering" comes back every 3 days or so: 11 of 11 pauses were between 2.7 and 3.2 days'
    }


def test_what_a_day_brings_several_times_in_a_row_counts_once(diary: Diary) -> None:
    talk = [
        when(4 * (day // 2) + day % 2, f"{9 + 4 * (day % 3)}:{minute:02}")
        for day in range(4)
        for minute in range(0, 50, 5)
    ]
    assert diary.find(diary.habit("Long talk", talk)) == []


def test_who_does_everything_in_the_evening_has_no_habit_of_the_evening(diary: Diary) -> None:
    diary.events([when(n, f"20:{n:02}") for n in range(50)], "the day's entry")
    knee = diary.habit("Knee", [when(5 * n + n % 3, f"20:{30 + n}") for n in range(9)])
    assert diary.find(knee) == []


def test_few_times_bear_no_regularity(diary: Diary) -> None:
    # Three Mondays at nine: one in 49 by chance, whatever the day.
    assert diary.find(diary.habit("Standup", [when(1 + 7 * n, "09:00") for n in range(3)])) == []


def test_days_without_an_hour_have_a_weekday_and_no_time_of_day(diary: Diary) -> None:
    market = diary.habit("Market", [when(6 + 7 * n, "00:00") for n in range(8)])
    diary.owner.execute(
        "UPDATE cognifold.node SET occurred_precision = 'day' WHERE tenant_id = %s AND kind = 'event'", [diary.tenant]
    )
    diary.sleep(market)
    assert diary.said() == {"weekday": '"Market" falls on Saturdays: 8 of 8 days (UTC)'}


def test_random_times_are_found_to_be_random(diary: Diary) -> None:
    settings = value(diary.owner, "SELECT cognifold.settings(%s)", diary.tenant)
    found: list[Any] = []
    for seed in range(200):
        chance = random.Random(seed)
        number = chance.choice([6, 12, 20, 40])
        moments = sorted(when(0) + timedelta(days=chance.uniform(0, 120)) for _ in range(number))
        moments = [m for m, before in zip(moments[1:], moments, strict=False) if m - before > timedelta(hours=4)]
        found += patterns(diary, moments, [chance.uniform(-1, 1) for _ in moments], settings)
    # Up to eight tests a stream at .003 each would let nearly five of 200 pass; they are conservative.
    assert len(found) <= 2, found


def patterns(diary: Diary, moments: list[datetime], tones: list[float], settings: dict[str, Any]) -> list[Any]:
    """What the tests in time find of moments at which something of one's own kind began."""
    events = [UUID(int=n + 1) for n in range(len(moments))]
    timed = [True] * len(moments)
    return rows(
        diary.owner,
        "SELECT p.kind, p.said, p.chance FROM cognifold.time_patterns("
        "'x', %s, %s::timestamp[], %s, '{}', 'UTC', %s) AS p WHERE p.chance <= 0.003 "
        "UNION ALL SELECT t.kind, t.said, t.chance FROM cognifold.trends("
        "%s, 'x', %s, %s, %s, %s::real[], 'UTC', %s) AS t WHERE t.chance <= 0.003",
        events, [m.replace(tzinfo=None) for m in moments], timed, Jsonb(settings),
        diary.tenant, events, moments, timed, tones, Jsonb(settings),
    )  # fmt: skip
