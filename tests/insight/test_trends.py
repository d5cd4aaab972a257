"""Trends: a habit that moves, that becomes frequent or rare, that turns from good to bad."""

from __future__ import annotations

from tests.graph.plans import make_concept
from tests.insight.conftest import Diary, when


def test_a_habit_moves_from_mornings_to_afternoons(diary: Diary) -> None:
    mornings = [when(3 * n + n % 2, f"07:{n:02}") for n in range(9)]
    afternoons = [when(30 + 3 * n + n % 2, f"15:{n:02}") for n in range(9)]
    diary.sleep(diary.habit("Run", mornings + afternoons))
    assert diary.said()["shift"] == (
        '"Run" moved from mornings to afternoons: 9 of 9 times in the morning before 31 March 2026, '
        "9 of 9 in the afternoon since (UTC)"
    )
    assert "time_of_day" not in diary.said()


def test_what_moves_with_everything_else_is_no_trend_of_its_own(diary: Diary) -> None:
    for shift in range(3):
        days = range(shift, 27, 3)
        diary.events([when(n, f"08:{n:02}") for n in days] + [when(30 + n, f"16:{n:02}") for n in days], "entry")
    run = diary.habit(
        "Run", [when(3 * n, f"07:{n:02}") for n in range(9)] + [when(30 + 3 * n, f"15:{n:02}") for n in range(9)]
    )
    assert [o["kind"] for o in diary.find(run) if o["kind"] == "shift"] == []


def test_what_becomes_frequent_is_told_with_its_days(diary: Diary) -> None:
    seldom = [when(day, "09:00") for day in (0, 20, 40)]
    often = [when(day, f"{9 + day % 9}:00") for day in range(61, 101, 2)]
    diary.sleep(diary.habit("Headache", [*seldom, *often]))
    # Halfway from 1 March 9:00 to 8 June 9:00 is 19 April 21:00; beyond it lie all but three of the 23 days.
    assert diary.said()["frequency"] == (
        '"Headache" became more frequent: on 3 days from 1 March 2026 to 19 April 2026, '
        "on 20 days from then to 8 June 2026"
    )


def test_what_grows_with_the_whole_memory_is_no_trend(diary: Diary) -> None:
    diary.events([when(day, "12:00") for day in (5, 25, 45)] + [when(day, "12:00") for day in range(60, 100)], "entry")
    ache = diary.habit(
        "Headache", [when(0, "09:00"), when(20), when(40)] + [when(d, f"{9 + d % 9}:00") for d in range(61, 101, 2)]
    )
    assert [o for o in diary.find(ache) if o["kind"] == "frequency"] == []


def test_a_tone_that_turns_is_a_trend(diary: Diary) -> None:
    good = diary.events([when(5 * n + n % 3) for n in range(8)], "work", emotional_weight=0.6)
    bad = diary.events([when(50 + 5 * n + n % 3) for n in range(8)], "work", emotional_weight=-0.5)
    diary.sleep(make_concept(diary.connection, "New job", *good, *bad))
    assert (
        diary.said()["tone"]
        == '"New job" turned from good to bad: 8 of 8 times felt good before 20 April 2026, 0 of 8 since'
    )
