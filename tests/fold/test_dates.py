"""Dates in texts: which day, month, year or moment is meant, from where and when it was said."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection

ZONES = ["UTC", "America/New_York", "Pacific/Auckland"]

# 2026-06-02 is a Tuesday; 2026 and 2027 are no leap years, 2028 is one.
TUESDAY = "2026-06-02T10:00"
THURSDAY = "2026-11-12T18:20"

# text, said at by the clock on the wall, what is meant: 2026-06-05 a day, 2026-06 a month, 2026 a year,
# 2026-06-05T09:00 a moment, 2026-06-06..2026-06-07 from the first to the last of them; ! marks a deadline.
CASES: list[tuple[str, str, list[str]]] = [
    # days by name
    ("I saw the doctor today", TUESDAY, ["2026-06-02"]),
    ("See you tomorrow.", TUESDAY, ["2026-06-03"]),
    ("Yesterday I repotted the fern", TUESDAY, ["2026-06-01"]),
    ("We are cooking tonight", TUESDAY, ["2026-06-02"]),
    ("This morning the kettle broke", TUESDAY, ["2026-06-02"]),
    ("Last night it rained", TUESDAY, ["2026-06-01"]),
    ("I leave the day after tomorrow", TUESDAY, ["2026-06-04"]),
    ("the day before yesterday we sailed", TUESDAY, ["2026-05-31"]),
    # weekdays
    ("The plumber will come on Friday", TUESDAY, ["2026-06-05"]),
    ("The plumber came on Friday", TUESDAY, ["2026-05-29"]),
    ("I'll be there on Tuesday", TUESDAY, ["2026-06-09"]),
    ("Last Friday we danced", TUESDAY, ["2026-05-29"]),
    ("Last Tuesday we danced", TUESDAY, ["2026-05-26"]),
    ("See you next Friday", TUESDAY, ["2026-06-12"]),
    ("This Thursday is a holiday", TUESDAY, ["2026-06-04"]),
    ("The inspection is on Wednesday next week", TUESDAY, ["2026-06-10"]),
    ("Let's talk on Monday and again on Thursday", TUESDAY, ["2026-06-08", "2026-06-04"]),
    # weeks, weekends, months, years
    ("Next week I start the course", TUESDAY, ["2026-06-08..2026-06-14"]),
    ("Last week was long", TUESDAY, ["2026-05-25..2026-05-31"]),
    ("This weekend we paint the fence", TUESDAY, ["2026-06-06..2026-06-07"]),
    ("Last weekend we hiked", TUESDAY, ["2026-05-30..2026-05-31"]),
    ("next month the rent goes up", TUESDAY, ["2026-07"]),
    ("We moved last month", "2027-01-15T10:00", ["2026-12"]),
    ("Next year I retire", TUESDAY, ["2027"]),
    ("Last year was better", TUESDAY, ["2025"]),
    ("at the end of the month", "2028-02-10T10:00", ["2028-02-29"]),
    ("the audit is at the end of this week", TUESDAY, ["2026-06-07"]),
    ("by the end of next month", TUESDAY, ["!2026-07-31"]),
    # counted
    ("The trial ends in two weeks", TUESDAY, ["!2026-06-16"]),
    ("I broke it 3 days ago", TUESDAY, ["2026-05-30"]),
    ("A fortnight ago she called", TUESDAY, ["2026-05-19"]),
    ("a couple of days ago", TUESDAY, ["2026-05-31"]),
    ("We met two years ago", TUESDAY, ["2024"]),
    ("He left three months ago", TUESDAY, ["2026-03"]),
    ("a week from Friday", TUESDAY, ["2026-06-12"]),
    ("ten days from now", TUESDAY, ["2026-06-12"]),
    ("The pills run out in a week's time", TUESDAY, ["!2026-06-09"]),
    ("Call me in 20 minutes", TUESDAY, ["2026-06-02T10:20"]),
    ("Half an hour ago the alarm went off", TUESDAY, ["2026-06-02T09:30"]),
    # dates
    ("The fair is on 14 May 2027", TUESDAY, ["2027-05-14"]),
    ("May 14th, 2024 was sunny", TUESDAY, ["2024-05-14"]),
    ("Friday the 12th of June we marry", TUESDAY, ["2026-06-12"]),
    ("Released 2024-05-14", TUESDAY, ["2024-05-14"]),
    ("Released 14/05/2024", TUESDAY, ["2024-05-14"]),
    ("Released 05/14/2024", TUESDAY, ["2024-05-14"]),
    ("Signed on 04.05.2024", TUESDAY, ["2024-05-04"]),  # with points the day comes first
    ("Released 04/05/2024", TUESDAY, []),  # April or May: not read
    ("The festival is 12-14 June", TUESDAY, ["2026-06-12..2026-06-14"]),
    ("I was born on 29 February 2024", TUESDAY, ["2024-02-29"]),
    ("on 29 February 2027", TUESDAY, []),
    ("The rent is due on the 3rd", TUESDAY, ["!2026-06-03"]),
    ("Payday was on the 28th", TUESDAY, ["2026-05-28"]),
    # months and years, by tense
    ("In May I went to Porto", TUESDAY, ["2026-05"]),
    ("In May I will go to Porto", TUESDAY, ["2027-05"]),
    ("We will ski in January", "2026-12-20T10:00", ["2027-01"]),
    ("We skied in January", "2026-12-20T10:00", ["2026-01"]),
    ("in January", "2026-12-20T10:00", ["2027-01"]),  # neither tense: the nearer one
    ("in November", "2027-01-20T10:00", ["2026-11"]),
    ("She graduated in May 2023", TUESDAY, ["2023-05"]),
    ("last October we moved", TUESDAY, ["2025-10"]),
    ("I learned to swim in 2022", TUESDAY, ["2022"]),
    ("since 2019 I have run", TUESDAY, ["2019"]),
    ("Sales grew in Q3 2024", TUESDAY, ["2024-07..2024-09"]),
    # times of the day
    ("Lunch at noon", TUESDAY, ["2026-06-02T12:00"]),
    ("The train goes at 15:30", TUESDAY, ["2026-06-02T15:30"]),
    ("Call at 3pm", TUESDAY, ["2026-06-02T15:00"]),
    ("Call at half past three", TUESDAY, ["2026-06-02T15:30"]),
    ("Next Friday at 9am", TUESDAY, ["2026-06-12T09:00"]),
    ("At 9.15 a.m. on Friday we begin", TUESDAY, ["2026-06-05T09:15"]),
    ("tomorrow evening at 7", TUESDAY, ["2026-06-03T19:00"]),
    ("Dinner tomorrow at quarter to eight in the evening", TUESDAY, ["2026-06-03T19:45"]),
    ("12 June 2026, 17:00", TUESDAY, ["2026-06-12T17:00"]),
    ("by midnight on 14 May 2027", TUESDAY, ["!2027-05-15T00:00"]),  # at the end of the day
    ("2026-07-01 08:30 restart", TUESDAY, ["2026-07-01T08:30"]),
    # deadlines
    ("Send it by Friday at 17:00", TUESDAY, ["!2026-06-05T17:00"]),
    ("until tomorrow", TUESDAY, ["!2026-06-03"]),
    ("The deadline for the essay is 10 July", TUESDAY, ["!2026-07-10"]),
    ("due within two weeks", TUESDAY, ["!2026-06-16"]),
    # near the turn of the year
    ("tomorrow", "2026-12-31T23:30", ["2027-01-01"]),
    ("yesterday", "2028-03-01T00:30", ["2028-02-29"]),
    ("next week", "2026-12-30T10:00", ["2027-01-04..2027-01-10"]),
    ("on 2 January we fly", "2026-12-30T10:00", ["2027-01-02"]),
    # said in other words: written after the reader was done, and how well it did then stands in docs/how-it-works.md
    ("Dentist appointment Thursday afternoon", TUESDAY, ["2026-06-04"]),
    ("My sister's wedding is Saturday the 20th of June", TUESDAY, ["2026-06-20"]),
    ("Got back from Lisbon the night before last", TUESDAY, ["2026-05-31"]),
    ("I've been vegan since January 2021", TUESDAY, ["2021-01"]),
    ("Submit your application no later than September 30th", TUESDAY, ["!2026-09-30"]),
    ("We're flying out a week from tomorrow", TUESDAY, ["2026-06-10"]),
    ("Mum visited us over the weekend", TUESDAY, ["2026-05-30..2026-05-31"]),
    ("Six months ago I could barely run a mile", TUESDAY, ["2025-12"]),
    ("I'll call you back in an hour", TUESDAY, ["2026-06-02T11:00"]),
    ("The concert starts at 8 p.m. tomorrow", TUESDAY, ["2026-06-03T20:00"]),
    ("Team lunch next Wednesday at half past twelve", TUESDAY, ["2026-06-10T12:30"]),
    ("Rent must be paid before the 1st of July", TUESDAY, ["!2026-07-01"]),
    ("Back in 2015 we lived in Oslo", TUESDAY, ["2015"]),
    ("We adopted Luna in early March", TUESDAY, ["2026-03"]),
    ("Your parcel arrives between 5 and 7 June", TUESDAY, ["2026-06-05..2026-06-07"]),
    ("The exam is a month from now", TUESDAY, ["2026-07"]),
    ("Meeting moved to Mon 8 June, 14:00", TUESDAY, ["2026-06-08T14:00"]),
    ("She was born on the 4th of July, 1999", TUESDAY, ["1999-07-04"]),
    ("Let's meet the Friday after next", TUESDAY, ["2026-06-19"]),
    ("I saw him earlier today", TUESDAY, ["2026-06-02"]),
    ("The warranty expires on 31/12/2026", TUESDAY, ["!2026-12-31"]),
    ("Finish the slides by tomorrow noon", TUESDAY, ["!2026-06-03T12:00"]),
    ("We might go camping later this month", TUESDAY, ["2026-06"]),
    ("Ten years ago this place was a farm", TUESDAY, ["2016"]),
    ("The shop closes at 6pm today", TUESDAY, ["!2026-06-02T18:00"]),
    ("I had a fever on Sunday night", TUESDAY, ["2026-05-31"]),
    ("Graduation was on June 1", TUESDAY, ["2026-06-01"]),
    ("May the force be with you, Mr. March", TUESDAY, []),
    ("The bus takes 45 minutes and runs 24 hours a day", TUESDAY, []),
    ("Chapter 12:30 of the manual, page 2019", TUESDAY, []),
    ("see you at the beginning of August", TUESDAY, ["2026-08-01"]),
    ("He proposed on Christmas Eve", TUESDAY, ["2025-12-24"]),
    ("The landlord wants the keys by Sunday evening", THURSDAY, ["!2026-11-15"]),
    ("I quit smoking four years ago", THURSDAY, ["2022"]),
    ("My flight leaves at 6:45 am on Saturday", THURSDAY, ["2026-11-14T06:45"]),
    ("Yesterday evening we watched the meteor shower", THURSDAY, ["2026-11-11"]),
    ("The museum reopens in February", THURSDAY, ["2027-02"]),
    ("We broke up in August", THURSDAY, ["2026-08"]),
    ("Please review this before end of day", THURSDAY, ["!2026-11-12"]),
    ("The library books are due back on 26 November", THURSDAY, ["!2026-11-26"]),
    ("Our anniversary is on December 9th", THURSDAY, ["2026-12-09"]),
    ("She started kindergarten this September", THURSDAY, ["2026-09"]),
    ("Grandpa turned 90 last Saturday", THURSDAY, ["2026-11-07"]),
    ("Registration closes on 2027-01-15 at 23:59", THURSDAY, ["!2027-01-15T23:59"]),
    ("I met Ana five weeks ago at a workshop", THURSDAY, ["2026-10-08"]),
    ("The war ended in 1945", THURSDAY, ["1945"]),
    ("Let's catch up in a couple of weeks", THURSDAY, ["2026-11-26"]),
    ("It happened around midnight on Tuesday", THURSDAY, ["2026-11-11T00:00"]),
    ("The quarterly report for Q1 2027 is a draft", THURSDAY, ["2027-01..2027-03"]),
    ("I'm off from 21 to 24 December", THURSDAY, ["2026-12-21..2026-12-24"]),
    ("I was promoted at the beginning of last year", THURSDAY, ["2025-01-01"]),
    ("I'll be there Friday at nine o'clock", THURSDAY, ["2026-11-13T09:00"]),
    ("They got married on October 3, 2020", THURSDAY, ["2020-10-03"]),
    ("I will see her the weekend after next", THURSDAY, ["2026-11-28..2026-11-29"]),
    ("The new policy takes effect from 1 January 2027", THURSDAY, ["2027-01-01"]),
    ("I'll pay you back on the 15th", THURSDAY, ["2026-11-15"]),
    ("Let's do it sometime next month", THURSDAY, ["2026-12"]),
    ("Our plane landed at 5 this morning", THURSDAY, ["2026-11-12T05:00"]),
    ("Ring me at a quarter past ten tomorrow morning", THURSDAY, ["2026-11-13T10:15"]),
    ("April is my best friend and June is her sister", THURSDAY, []),
    ("The server has 2048 MB and version 10.2.2024-rc1", THURSDAY, []),
    ("Just a minute, second thoughts are normal these days", THURSDAY, []),
    # what is no date
    ("May I come in?", TUESDAY, []),
    ("March on, brave soldiers", TUESDAY, []),
    ("10/10 would eat again", TUESDAY, []),
    ("Upgrade to version 1.2.3 or 10.11.2024.5", TUESDAY, []),
    ("Call 555-2024 or +44 20 7946 2022", TUESDAY, []),
    ("Wait a second", TUESDAY, []),
    ("The Sun is a star", TUESDAY, []),
    ("mon ami, sat down", TUESDAY, []),
    ("I run every Friday", TUESDAY, []),
    ("It took five days", TUESDAY, []),
    ("He finished it in two days", TUESDAY, []),
    ("on the 3rd floor", TUESDAY, []),
    ("It cost $2022, and 1990s music played", TUESDAY, []),
    ("The score was 3:16", TUESDAY, []),
]

Meaning = tuple[datetime, datetime, str, bool]


def following(start: date, precision: str) -> date:
    """The day on which the next day, month or year begins."""
    if precision == "day":
        return start + timedelta(days=1)
    if precision == "month":
        return date(start.year + start.month // 12, start.month % 12 + 1, 1)
    return date(start.year + 1, 1, 1)


def meaning(notation: str, zone: str) -> Meaning:
    """What a notation of ``CASES`` stands for in a zone."""
    tz = ZoneInfo(zone)
    bare = notation.lstrip("!")
    if "T" in bare:
        moment = datetime.fromisoformat(bare).replace(tzinfo=tz)
        return moment, moment, "instant", notation != bare
    first, _, last = bare.partition("..")
    precision = {4: "year", 7: "month", 10: "day"}[len(first)]
    days = [date.fromisoformat(f"{part}-01-01"[:10]) for part in (first, last or first)]
    ends = datetime.combine(following(days[1], precision), time(), tz)
    return datetime.combine(days[0], time(), tz), ends, precision, notation != bare


def read(connection: Connection, text: str, said_at: datetime, zone: str) -> list[Meaning]:
    rows = connection.execute(
        'SELECT EXTRACT(epoch FROM starts_at)::bigint, EXTRACT(epoch FROM ends_at)::bigint, "precision", is_deadline '
        "FROM cognifold.dates(%s, %s, %s)",
        [text, said_at, zone],
    ).fetchall()
    return [(datetime.fromtimestamp(a, UTC), datetime.fromtimestamp(b, UTC), p, d) for a, b, p, d in rows]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(("text", "said", "meant"), CASES)
def test_a_text_means_days_and_moments_of_the_place_where_it_was_said(
    admin: Connection, text: str, said: str, meant: list[str], zone: str
) -> None:
    said_at = datetime.fromisoformat(said).replace(tzinfo=ZoneInfo(zone))
    assert read(admin, text, said_at, zone) == [meaning(notation, zone) for notation in meant]


def test_the_cases_are_many_and_each_of_its_own_wording() -> None:
    assert len({re.sub(r"\W+", " ", text) + said for text, said, _ in CASES}) == len(CASES) >= 60


@pytest.mark.parametrize(
    ("text", "zone", "start", "end"),
    [
        ("last summer", "Europe/Paris", "2025-06-01", "2025-09-01"),
        ("last summer", "Pacific/Auckland", "2025-12-01", "2026-03-01"),
        ("next winter", "America/New_York", "2026-12-01", "2027-03-01"),
        ("in the spring of 2024", "Europe/Paris", "2024-03-01", "2024-06-01"),
        ("in the spring of 2024", "Australia/Sydney", "2024-09-01", "2024-12-01"),
    ],
)
def test_a_season_is_that_of_the_hemisphere(admin: Connection, text: str, zone: str, start: str, end: str) -> None:
    tz = ZoneInfo(zone)
    expected = [datetime.fromisoformat(day).replace(tzinfo=tz) for day in (start, end)]
    assert read(admin, text, datetime(2026, 6, 2, 10, tzinfo=tz), zone) == [(*expected, "month", False)]


def test_an_iso_time_with_an_offset_is_that_moment_wherever_it_is_read(admin: Connection) -> None:
    moment = datetime(2026, 7, 1, 13, 30, tzinfo=UTC)
    for zone in ZONES:
        said_at = datetime(2026, 6, 2, 10, tzinfo=ZoneInfo(zone))
        assert read(admin, "at 2026-07-01T15:30:00+02:00", said_at, zone) == [(moment, moment, "instant", False)]


@pytest.mark.parametrize(
    ("text", "said", "moment"),
    [
        ("at 2:30 tomorrow", "2026-03-07T10:00", "2026-03-08T07:30"),  # skipped: moved on by an hour
        ("at 1:30 tomorrow", "2026-10-31T10:00", "2026-11-01T06:30"),  # occurs twice: the later
        ("tomorrow at noon", "2026-03-07T10:00", "2026-03-08T16:00"),
    ],
)
def test_the_change_to_summer_time_and_back(admin: Connection, text: str, said: str, moment: str) -> None:
    zone = "America/New_York"
    expected = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    found = read(admin, text, datetime.fromisoformat(said).replace(tzinfo=ZoneInfo(zone)), zone)
    assert found == [(expected, expected, "instant", False)]


def test_a_day_of_summer_time_has_its_own_length(admin: Connection) -> None:
    zone = ZoneInfo("America/New_York")
    ((start, end, _, _),) = read(admin, "tomorrow", datetime(2026, 3, 7, 10, tzinfo=zone), "America/New_York")
    assert end - start == timedelta(hours=23)


@pytest.mark.parametrize("style", ["German, DMY", "SQL, MDY"])
def test_the_sessions_zone_and_date_style_change_nothing(admin: Connection, style: str) -> None:
    admin.execute("SELECT set_config('TimeZone', 'Asia/Tokyo', false), set_config('DateStyle', %s, false)", [style])
    for text, said, meant in CASES:
        said_at = datetime.fromisoformat(said).replace(tzinfo=ZoneInfo("America/New_York"))
        assert read(admin, text, said_at, "America/New_York") == [meaning(m, "America/New_York") for m in meant], text


@pytest.mark.parametrize("moment", ["infinity", "-infinity", None])
def test_what_was_said_at_no_time_has_no_dates(admin: Connection, moment: str | None) -> None:
    assert admin.execute("SELECT * FROM cognifold.dates('by Friday', %s, 'UTC')", [moment]).fetchall() == []


@pytest.mark.parametrize(
    "moment", ["4713-01-02 12:00+00 BC", "3900-01-01 00:00+00 BC", "293500-01-01 00:00+00", "294276-12-31 23:00+00"]
)
def test_near_the_ends_of_time_no_date_is_an_error(admin: Connection, moment: str) -> None:
    text = "999 years ago, in 999 years, by Friday, next year, at the end of the month, on 3 May, last winter, tomorrow"
    assert admin.execute("SELECT count(*) FROM cognifold.dates(%s, %s, 'Asia/Tokyo')", [text, moment]).fetchone() == (
        0,
    )


@pytest.mark.parametrize("moment", ["3699-01-01 00:00+00 BC", "293199-12-31 00:00+00"])
def test_a_little_further_in_they_are_read(admin: Connection, moment: str) -> None:
    text = "999 years ago, in 999 years, by Friday, next year, at the end of the month, on 3 May, last winter, tomorrow"
    [(read,)] = admin.execute("SELECT count(*) FROM cognifold.dates(%s, %s, 'Asia/Tokyo')", [text, moment]).fetchall()
    assert read > 4


def test_impossible_dates_and_times_are_never_an_error(admin: Connection) -> None:
    said_at = datetime(2026, 6, 2, 10, tzinfo=UTC)
    texts = (
        "on 31 June", "99/99/2024", "2024-13-45", "at 25:99", "at 13pm", "0 May 2024", "2024-02-30T99:00",
        "in 999 years", "999 years ago", "12-3 May", "the 99th.", "on 0000-01-01", "at 0am on 40 May",
        "999 days from tomorrow",
    )  # fmt: skip
    for text in texts:
        for _, _, precision, _ in read(admin, text, said_at, "UTC"):
            assert precision in {"instant", "day", "month", "year"}


def test_the_client_reads_dates_in_the_tenants_zone(memory: Memory) -> None:
    said_at = datetime(2026, 6, 2, 10, tzinfo=UTC)
    (found,) = memory.dates("Send it by Friday", said_at, time_zone="America/New_York")
    midnight = datetime(2026, 6, 5, tzinfo=ZoneInfo("America/New_York"))
    assert (found.starts_at, found.ends_at - found.starts_at) == (midnight, timedelta(days=1))
    assert (found.phrase, found.precision, found.is_deadline) == ("by Friday", "day", True)
    (in_utc,) = memory.dates("Send it by Friday", said_at)
    assert in_utc.starts_at == datetime(2026, 6, 5, tzinfo=UTC)
