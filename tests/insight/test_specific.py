"""What the evidence keeps saying, and by whom."""

from __future__ import annotations

from tests.graph.plans import fold, make_concept
from tests.insight.conftest import NOW, Diary, when


def test_a_statement_made_again_and_again_is_an_insight(diary: Diary) -> None:
    events = [
        *diary.events([when(0)], "Hello. My doctor is Dr. Lee. It rained", "Ana"),
        *diary.events([when(9)], "My doctor is Dr. Lee", "Ana"),
        *diary.events([when(30)], "Asked again. My doctor is Dr. Lee, still", "Ana"),
    ]
    fold(diary.connection)
    health = make_concept(diary.connection, "Health", *events)
    diary.sleep(health)
    (insight,) = diary.insights()
    assert insight["kind"] == "statement"
    assert insight["node_id"] is None  # it is of Ana, whatever concept it was met in
    assert insight["insight"].startswith('Ana said 3 times, last on 31 March 2026: "My doctor is Dr. Lee')
    assert set(insight["derived_from"]) == set(events)


def test_what_is_said_otherwise_since_is_closed(diary: Diary) -> None:
    events = [event for day in (0, 9, 30) for event in diary.events([when(day)], "I live in Lisbon", "Ana")]
    fold(diary.connection)
    home = make_concept(diary.connection, "Home", *events)
    diary.sleep(home)
    assert [row["kind"] for row in diary.insights()] == ["statement"]
    diary.more(home, [when(60)], actor="Ana")
    moved = diary.events([when(61)], "I moved to Porto", "Ana")
    fold(diary.connection)
    diary.execute(
        {"op": "ADD_EDGE", "source": str(moved[0]), "target": str(home), "type": "reinforces"}, proposer="sql"
    )
    assert diary.sleep(home)["counts"]["insights_closed"] == 1
    assert "statement" not in diary.said()


def test_whatever_else_was_said_of_it_counts_however_seldom(diary: Diary) -> None:
    said = "Porto", "Lisbon", "Lisbon", "Rome", "Lisbon"
    events = [diary.events([when(day)], f"I live in {city}", "Ana")[0] for day, city in enumerate(said)]
    fold(diary.connection)
    diary.sleep(make_concept(diary.connection, "Home", *events))
    (insight,) = [row for row in diary.insights() if row["kind"] == "statement"]
    assert (insight["figures"]["held"], insight["figures"]["total"]) == (3, 5)


def test_of_more_statements_than_are_looked_at_no_exact_number_is_said(diary: Diary) -> None:
    diary.set("insight.evidence", 10)
    events = [diary.events([when(day)], "I live in Lisbon", "Ana")[0] for day in range(12)]
    fold(diary.connection)
    diary.sleep(make_concept(diary.connection, "Home", *events))
    assert diary.said()["statement"].startswith("Ana said at least 10 times, last on 12 March 2026")


def test_what_is_said_on_one_day_only_is_said_once(diary: Diary) -> None:
    events = [diary.events([when(0, f"{hour:02}:00")], "I live in Lisbon", "Ana")[0] for hour in range(9, 15)]
    fold(diary.connection)
    assert diary.find(make_concept(diary.connection, "Home", *events)) == []


def test_who_alone_has_a_subject_is_named(diary: Diary) -> None:
    diary.events([when(n, f"{8 + n % 12}:00") for n in range(0, 40, 2)], "entry", "Ben")
    diary.events([when(n, f"{8 + n % 12}:30") for n in range(0, 40, 2)], "entry", "Mia")
    run = make_concept(
        diary.connection,
        "Morning run",
        *diary.events([when(n, f"{7 + n % 13}:20") for n in range(1, 27, 2)], "run", "Mia"),
        *diary.events([when(30, "19:00")], "run", "Ben"),
    )
    diary.sleep(run)
    assert diary.said()["actor"] == '13 of 14 events of "Morning run" are by Mia'


def test_where_one_person_does_everything_that_is_no_insight(diary: Diary) -> None:
    diary.events([when(n, f"{8 + n % 12}:00") for n in range(40)], "entry", "Mia")
    run = make_concept(
        diary.connection, "Run", *diary.events([when(2 * n, f"{7 + n % 13}:20") for n in range(12)], "run", "Mia")
    )
    assert [o for o in diary.find(run) if o["kind"] == "actor"] == []


def test_only_the_latest_evidence_is_read(diary: Diary) -> None:
    diary.set("insight.evidence", 10)
    meeting = diary.habit("Meeting", [when(1 + 7 * week, "10:00") for week in range(14)])
    diary.sleep(meeting)
    assert diary.said()["weekday"] == '"Meeting" falls on Mondays: 10 of 10 days (UTC)'


def test_only_evidence_up_to_the_moment_is_read(diary: Diary) -> None:
    meeting = diary.habit("Meeting", [when(1 + 7 * week, "10:00") for week in range(9)])
    early = when(16).isoformat()  # three of them
    assert diary.find(meeting, as_of=early) == []
    assert {o["kind"] for o in diary.find(meeting, as_of=NOW)} == {"weekday", "time_of_day"}
