"""What is due again and again is due at its next time, whatever the clock says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidRuleError
from tests.conftest import Connection, value
from tests.graph.plans import add_edge, add_node, apply, rows
from tests.intent.workshop import NEED, Workshop, moment

DAY = timedelta(days=1)
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def occurrences(
    connection: Connection, rule: str, starts_at: datetime, k: int, as_of: datetime, zone: str = "UTC"
) -> list[datetime]:
    query = "SELECT moment FROM cognifold.occurrences(%s, %s, %s, %s, %s)"
    return [row["moment"] for row in rows(connection, query, rule, starts_at, k, as_of, zone)]


def on(day: str, time: str = "09:00") -> datetime:
    return datetime.fromisoformat(f"{day}T{time}+00:00")


@pytest.mark.parametrize(
    ("rule", "starts_at", "expected"),
    [
        ("FREQ=DAILY", "2026-03-30", ["2026-04-02", "2026-04-03", "2026-04-04"]),
        ("FREQ=DAILY;INTERVAL=3", "2026-03-31", ["2026-04-03", "2026-04-06", "2026-04-09"]),
        ("FREQ=WEEKLY", "2026-03-31", ["2026-04-07", "2026-04-14", "2026-04-21"]),
        ("FREQ=WEEKLY;BYDAY=TH,MO", "2026-03-31", ["2026-04-02", "2026-04-06", "2026-04-09"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "2026-03-31", ["2026-04-02", "2026-04-13", "2026-04-16"]),
        ("FREQ=MONTHLY", "2026-01-31", ["2026-05-31", "2026-07-31", "2026-08-31"]),  # April and June have none
        ("FREQ=YEARLY", "2024-02-29", ["2028-02-29", "2032-02-29", "2036-02-29"]),
        ("FREQ=DAILY;COUNT=4", "2026-03-31", ["2026-04-02", "2026-04-03"]),
        ("FREQ=DAILY;UNTIL=20260403", "2026-03-31", ["2026-04-02", "2026-04-03"]),
        ("FREQ=DAILY;UNTIL=20260403T085959Z", "2026-03-31", ["2026-04-02"]),
        ("FREQ=WEEKLY;UNTIL=20260401", "2026-03-25", []),
        ("FREQ=YEARLY;INTERVAL=10", "2030-05-01", ["2030-05-01", "2040-05-01", "2050-05-01"]),
        ("FREQ=WEEKLY;BYDAY=TH,TH;COUNT=2", "2026-03-31", ["2026-04-02", "2026-04-09"]),  # a day named twice is one day
        ("FREQ=YEARLY;INTERVAL=999;COUNT=999", "2026-04-02", ["2026-04-02", "3025-04-02", "4024-04-02"]),
        ("FREQ=MONTHLY;INTERVAL=999;COUNT=2", "2026-04-02", ["2026-04-02", "2109-07-02"]),
    ],
)
def test_a_rule_says_when_it_comes_next(connection: Connection, rule: str, starts_at: str, expected: list[str]) -> None:
    assert occurrences(connection, rule, on(starts_at), 3, on("2026-04-02")) == [on(day) for day in expected]


def test_nine_in_the_morning_stays_nine_in_the_morning(connection: Connection) -> None:
    found = occurrences(connection, "FREQ=DAILY", on("2026-03-27", "08:00"), 3, on("2026-03-27"), "Europe/Berlin")
    assert found == [on("2026-03-28", "08:00"), on("2026-03-29", "07:00"), on("2026-03-30", "07:00")]


def test_no_rule_reaches_beyond_what_a_timestamp_can_hold(connection: Connection) -> None:
    for freq in ("DAILY", "WEEKLY", "MONTHLY", "YEARLY"):
        for number in ("", ";COUNT=999"):
            query = "SELECT count(*) FROM cognifold.occurrences(%s, %s, 1000, %s, 'UTC')"
            rule = f"FREQ={freq};INTERVAL=999{number}"
            found = value(connection, query, rule, on("2026-04-02"), on("2026-04-02"))
            assert 288 <= found <= 1000, rule  # so many, 999 years apart, there are until 290000


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    days=st.sets(st.integers(0, 6), max_size=4),
    every=st.integers(1, 5),
    weekly=st.booleans(),
    count=st.none() | st.integers(1, 12),
    start=st.integers(0, 400),
    ahead=st.integers(-100, 3000),
)
def test_it_is_what_a_walk_through_the_calendar_finds(
    connection: Connection, days: set[int], every: int, weekly: bool, count: int | None, start: int, ahead: int
) -> None:
    first = on("2025-01-01") + start * DAY
    as_of = first + ahead * DAY
    rule = f"FREQ={'WEEKLY' if weekly else 'DAILY'};INTERVAL={every}"
    rule += ";BYDAY=" + ",".join(WEEKDAYS[day] for day in sorted(days)) if days else ""
    rule += f";COUNT={count}" if count else ""
    monday = first - first.weekday() * DAY
    walk = []
    for number in range(ahead + 400 if ahead > 0 else 400):
        day = first + number * DAY
        if weekly:
            fits = ((day - monday).days // 7) % every == 0 and day.weekday() in (days or {first.weekday()})
        else:
            fits = number % every == 0 and (not days or day.weekday() in days)
        if fits:
            walk.append(day)
    expected = [day for day in walk[:count] if day >= as_of][:3]
    assert occurrences(connection, rule, first, 3, as_of) == expected


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("", "FREQ is missing"),
        ("every Monday", "'every Monday' is no part of a rule"),
        ("FREQ=HOURLY", "FREQ is HOURLY"),
        ("INTERVAL=2", "FREQ is missing"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL is not a number from 1 to 999"),
        ("FREQ=WEEKLY;BYDAY=1MO", "BYDAY is not a list"),
        ("FREQ=MONTHLY;BYDAY=MO", "BYDAY goes with DAILY and WEEKLY, not with MONTHLY"),
        ("FREQ=DAILY;UNTIL=20260231", "UNTIL is not a day"),
        ("FREQ=DAILY;UNTIL=20260101;COUNT=2", "exclude each other"),
        ("FREQ=DAILY;FREQ=WEEKLY", "a part is there twice"),
        ("FREQ=DAILY;BYSETPOS=1", "'BYSETPOS=1' is no part of a rule"),
    ],
)
def test_a_rule_it_cannot_read_is_refused(memory: Memory, rule: str, fault: str) -> None:
    with pytest.raises(InvalidRuleError, match=fault):
        memory.occurrences(rule, on("2026-01-01"))


def test_the_client_names_the_next_times(memory: Memory) -> None:
    found = memory.occurrences("FREQ=WEEKLY;BYDAY=MO", on("2026-03-02"), 2, as_of=on("2026-03-03"))
    assert found == [on("2026-03-09"), on("2026-03-16")]


def series(workshop: Workshop) -> list[dict[str, Any]]:
    """The deadlines of events, with what recurs."""
    return rows(
        workshop.connection,
        "SELECT n.occurred_at, g.metadata ->> 'recurrence' AS rule, e.content FROM cognifold.edge AS g "
        "JOIN cognifold.node AS n ON n.id = g.source_id JOIN cognifold.event AS e ON e.id = g.target_id "
        "WHERE g.type = 'deadline_for' ORDER BY n.occurred_at",
    )


@pytest.mark.parametrize(
    ("text", "payload", "first", "rule"),
    [  # START is Monday, 2 March 2026
        ("The report is due every Friday.", None, "2026-03-06", "FREQ=WEEKLY;BYDAY=FR"),
        ("Timesheets, by every other Tuesday please.", None, "2026-03-03", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("Her drops are due each day.", None, "2026-03-02", "FREQ=DAILY"),
        ("Standup notes are due every weekday.", None, "2026-03-02", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("Rent is due on the 31st of every month.", None, "2026-03-31", "FREQ=MONTHLY"),
        ("Water the plants", '{"recurrence": "FREQ=WEEKLY;BYDAY=WE"}', "2026-03-04", "FREQ=WEEKLY;BYDAY=WE"),
        ("Pay", '{"rrule": "FREQ=MONTHLY", "due": "2026-03-15"}', "2026-03-15", "FREQ=MONTHLY"),
    ],
)
def test_a_text_or_payload_that_says_it_recurs_makes_a_deadline_that_does(
    workshop: Workshop, text: str, payload: str | None, first: str, rule: str
) -> None:
    workshop.event(text, payload=payload)
    [found] = series(workshop)
    assert (found["occurred_at"], found["rule"]) == (on(first, "00:00"), rule)


@pytest.mark.parametrize(
    ("text", "payload"),
    [
        ("Every Monday I go running.", None),  # a habit is due to nobody
        ("Water the plants", '{"recurrence": "whenever"}'),
        ("Water the plants", '{"recurrence": {"FREQ": "WEEKLY"}}'),
        ("Water the plants", '["recurrence"]'),
    ],
)
def test_what_is_not_due_or_not_a_rule_makes_none(workshop: Workshop, text: str, payload: str | None) -> None:
    workshop.event(text, payload=payload)
    assert series(workshop) == []


def urgency(workshop: Workshop, node: UUID, hours: float) -> float:
    workshop.at(hours)
    [row] = rows(workshop.connection, "SELECT urgency FROM cognifold.context_window(100) WHERE node_id = %s", node)
    found: float = row["urgency"]
    return found


def test_it_is_urgent_before_each_of_its_times(workshop: Workshop) -> None:
    event = workshop.event("The report is due", payload='{"recurrence": "FREQ=WEEKLY;BYDAY=WE"}')
    wednesday = 39  # hours from START to midnight before it
    for week in (0, 1, 7):
        at = wednesday + week * 168
        assert urgency(workshop, event, at - 12) == pytest.approx(1.5)
        assert urgency(workshop, event, at + 12) == 2  # on the day itself
        assert urgency(workshop, event, at + 25) == 1


def test_the_urgency_of_a_deadline_reaches_the_intent(workshop: Workshop) -> None:
    due = f'{{"deadline": "{moment(60).isoformat()}"}}'
    workshop.concept("Kettle", *(workshop.event(f"{NEED} {n}", payload=due) for n in "ab"))
    [emitted] = workshop.emit(0)
    deadline = rows(
        workshop.connection,
        "SELECT n.occurred_at FROM cognifold.edge AS e JOIN cognifold.node AS n ON n.id = e.source_id "
        "WHERE e.type = 'deadline_for' AND e.target_id = %s",
        emitted["intent_id"],
    )
    assert [row["occurred_at"] for row in deadline] == [moment(60)]
    seen = [urgency(workshop, emitted["intent_id"], hours) for hours in (30, 48, 54, 59.999)]
    assert seen == pytest.approx([1, 1.5, 1.75, 2], abs=1e-3)


def test_a_plan_with_a_rule_that_is_none_is_refused(workshop: Workshop) -> None:
    event = workshop.event("The report is due")
    time = add_node("time", "Monday", event, ref="monday", occurred_at="2026-03-09T00:00:00Z", precision="day")
    edge = add_edge("monday", "deadline_for", event, metadata={"recurrence": "weekly"})
    with pytest.raises(psycopg.Error, match="recurrence: 'weekly' is no part of a rule") as refused:
        apply(workshop.connection, time, edge)
    assert refused.value.sqlstate == "CF020"


def test_a_recurring_deadline_is_its_next_time_and_its_last_when_it_has_ended(workshop: Workshop, admin: Any) -> None:
    query = "SELECT cognifold.deadline_moment(%s, %s, 'day', 'UTC', %s)"
    monday = datetime(2026, 3, 2, tzinfo=UTC)
    for days, weeks in [(-3, 0), (0, 0), (0.99, 0), (1, 1), (7.5, 1), (8, 2)]:
        found = value(admin, query, '{"recurrence": "FREQ=WEEKLY"}', monday, monday + days * DAY)
        assert found == monday + weeks * 7 * DAY, days
    assert value(admin, query, '{"recurrence": "FREQ=WEEKLY;COUNT=2"}', monday, monday + 30 * DAY) == monday
    assert value(admin, query, "{}", monday, monday + 30 * DAY) == monday
    assert value(admin, query, None, monday, monday + 30 * DAY) == monday
