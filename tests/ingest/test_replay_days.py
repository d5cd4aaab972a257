from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from cognifold_pg.experience import Experience
from cognifold_pg.replay import days_of, periods_of


def at(*moments: str) -> list[Experience]:
    return [Experience(moment, occurred_at=datetime.fromisoformat(moment)) for moment in moments]


def test_a_day_is_the_day_where_it_was_lived_and_ends_with_its_last_event() -> None:
    # 23:30 on the 4th in New York is the 5th in UTC, and still an evening of the 4th.
    days = days_of(
        at("2026-05-04T23:30:00-04:00", "2026-05-04T08:00:00-04:00", "2026-05-05T09:00:00-04:00"),
        datetime.max,
    )
    assert [(day.day, len(day.experiences)) for day in days] == [(date(2026, 5, 4), 2), (date(2026, 5, 5), 1)]
    assert days[0].end == datetime(2026, 5, 5, 3, 30, tzinfo=UTC)
    assert [e.content[11:16] for e in days[0].experiences] == ["08:00", "23:30"]


def test_an_event_without_a_time_happens_when_it_is_told() -> None:
    told = datetime(2026, 6, 1, 12, tzinfo=UTC)
    [day] = days_of([Experience("now")], told)
    assert (day.day, day.end) == (date(2026, 6, 1), told)


def test_a_few_days_are_shown_one_by_one_and_many_in_weeks_that_begin_on_monday() -> None:
    monday = datetime(2026, 5, 4, 9, tzinfo=UTC)
    experiences = [Experience(str(n), occurred_at=monday + timedelta(days=n)) for n in range(15)]
    days = days_of(experiences, monday)
    assert [len(period) for period in periods_of(days[:12])] == [1] * 12
    assert [len(period) for period in periods_of(days)] == [7, 7, 1]
    assert [len(period) for period in periods_of(days[3:], most=5)] == [4, 7, 1]
    assert [len(period) for period in periods_of(days, most=2)] == [14, 1]
    assert periods_of([]) == []
