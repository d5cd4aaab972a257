"""Insights are rows that plans write: refreshed and not repeated, closed, undone, carried over, refused."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.conftest import at, value
from tests.graph.plans import apply, make_concept, merge_nodes, remember, remove_node, rows, violations
from tests.graph.stored import stored
from tests.insight.conftest import Diary, when

STATED: dict[str, Any] = {
    "op": "ADD_INSIGHT",
    "kind": "noted",
    "insight": "Mondays are hard",
    "confidence": 0.5,
    "abstraction_level": "general",
}


def test_a_second_pass_finds_nothing_to_do(diary: Diary) -> None:
    meeting = diary.habit("Meeting", [when(1 + 7 * week, "10:00") for week in range(9)])
    assert diary.sleep(meeting)["counts"]["insights_added"] == 2
    assert diary.find(meeting) == []


def test_more_evidence_refreshes_the_row(diary: Diary) -> None:
    meeting = diary.habit("Meeting", [when(1 + 7 * week, "10:00") for week in range(9)])
    diary.sleep(meeting)
    before = {row["kind"]: row for row in diary.insights()}
    diary.more(meeting, [when(1 + 7 * 9, "10:00")])
    counts = diary.sleep(meeting, as_of="2026-09-02T00:00:00+00:00")["counts"]
    assert (counts["insights_refreshed"], counts.get("insights_added")) == (2, None)
    after = {row["kind"]: row for row in diary.insights()}
    assert after["weekday"]["insight"] == '"Meeting" falls on Mondays: 10 of 10 days (UTC)'
    for kind, row in after.items():
        assert row["insight_id"] == before[kind]["insight_id"]
        assert row["created_at"] == before[kind]["created_at"]
        assert row["as_of"] == at("2026-09-02T00:00:00+00:00")
        assert row["confidence"] > before[kind]["confidence"]


def test_an_insight_whose_evidence_no_longer_bears_it_is_closed_and_may_come_back(diary: Diary) -> None:
    meeting = diary.habit("Meeting", [when(1 + 7 * week, f"{8 + week}:00") for week in range(6)])
    diary.sleep(meeting)
    assert set(diary.said()) == {"weekday"}
    diary.more(meeting, [when(50 + day, f"{8 + day % 13}:10") for day in (0, 4, 5, 16, 28, 31, 48)])
    assert diary.sleep(meeting)["counts"]["insights_closed"] == 1
    assert diary.insights() == []
    (closed,) = rows(diary.connection, "SELECT * FROM cognifold.insight_state")
    assert closed["closed_at"] == at("2026-09-01T00:00:00+00:00")
    assert violations(diary.connection) == []


def test_what_is_stated_is_kept_though_it_would_no_longer_be_found(diary: Diary) -> None:
    # Five of six on one weekday: 7 * (6 * 6 + 1) / 7^6 = .0022 by chance. Of seven .0126: above .003, not ten times.
    meeting = diary.habit("Meeting", [when(1 + 7 * week + (week == 2), f"{7 + 2 * week}:00") for week in range(6)])
    diary.sleep(meeting)
    diary.more(meeting, [when(52, "22:00")])
    diary.sleep(meeting)
    assert diary.said()["weekday"] == '"Meeting" falls on Mondays: 5 of 7 days (UTC)'
    twin = diary.habit(
        "Twin", [when(1 + 7 * week + (week == 2), f"{7 + 2 * week}:00") for week in range(6)] + [when(52, "22:00")]
    )
    assert [o for o in diary.find(twin) if o["kind"] == "weekday"] == []


def test_undo_takes_insights_back_to_the_last_bit(diary: Diary) -> None:
    meeting = diary.habit("Meeting", [when(1 + 7 * week, "10:00") for week in range(9)])
    bare = stored(diary.connection)
    first = diary.sleep(meeting)["plan_id"]
    stated = stored(diary.connection)
    diary.more(meeting, [when(64, "10:00")])
    grown = stored(diary.connection)
    second = diary.sleep(meeting)["plan_id"]
    undo = "SELECT cognifold.undo_plan(%s, true)"
    value(diary.connection, undo, second)
    assert stored(diary.connection) == grown
    result = value(diary.connection, undo, first)
    assert {key: row for key, row in stored(diary.connection).items() if key[0] == "insight_state"} == {}
    assert len(stated) - len(bare) == 2
    value(diary.connection, undo, result["plan_id"])
    assert len(diary.insights()) == 2


def test_a_merge_carries_insights_to_the_survivor(diary: Diary) -> None:
    one = diary.habit("Standup", [when(1 + 7 * week, "10:00") for week in range(9)])
    other = diary.habit("Daily", [when(3 + 7 * week, "18:00") for week in range(9)])
    event = remember(diary.connection, "aside")
    diary.sleep(one, other)
    apply(diary.connection, STATED | {"node": str(other), "grounded_in": [str(event), str(other)]})
    before = stored(diary.connection)
    merged = diary.execute(merge_nodes(one, other, survivor=one))["plan_id"]
    held = {row["kind"]: row for row in diary.insights()}
    assert {kind: row["about"] for kind, row in held.items()} == dict.fromkeys(
        ["noted", "time_of_day", "weekday"], "Standup"
    )
    assert held["weekday"]["insight"] == '"Standup" falls on Mondays: 9 of 9 days (UTC)'  # the survivor's own
    assert set(held["noted"]["derived_from"]) == {event, one}
    value(diary.connection, "SELECT cognifold.undo_plan(%s)", merged)
    assert stored(diary.connection) == before


def test_what_is_about_a_removed_concept_goes_and_comes_back_with_it(diary: Diary) -> None:
    meeting = diary.habit("Meeting", [when(1 + 7 * week, "10:00") for week in range(9)])
    rest = make_concept(diary.connection, "Rest", remember(diary.connection, "slept"))
    diary.sleep(meeting)
    apply(diary.connection, STATED | {"node": str(rest), "grounded_in": [str(meeting)]})
    before = stored(diary.connection)
    removed = apply(diary.connection, remove_node(meeting))["plan_id"]
    assert diary.insights() == []
    value(diary.connection, "SELECT cognifold.undo_plan(%s)", removed)
    assert stored(diary.connection) == before


def test_the_concepts_history_and_known_at_know_of_them(diary: Diary) -> None:
    meeting = diary.habit("Meeting", [when(1 + 7 * week, "10:00") for week in range(9)])
    diary.sleep(meeting)
    then = value(diary.connection, "SELECT clock_timestamp()")
    told = rows(
        diary.connection,
        "SELECT relation, change, part FROM cognifold.history(%s) WHERE relation = 'insight_state'",
        meeting,
    )
    assert [(row["change"], row["part"]) for row in told] == [("made", "time_of_day"), ("made", "weekday")]
    said = diary.said()
    diary.more(meeting, [when(64, "10:00")])
    diary.sleep(meeting)
    assert diary.said() != said
    diary.connection.execute("SELECT set_config('cognifold.known_at', %s, false)", [str(then)])
    assert diary.said() == said


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"insight": " "}, 'an insight needs a text, "insight"'),
        ({"insight": "x" * 1001}, "an insight has at most 1000 characters; this one has 1001"),
        ({"kind": "Of a sort"}, "kind 'Of a sort' is not a word of small letters (at most 63)"),
        ({"confidence": 1.5}, "confidence 1.5 is not a number in [0, 1]"),
        ({"confidence": None}, "confidence null is not a number in [0, 1]"),
        ({"abstraction_level": "vague"}, "abstraction_level 'vague' is not specific, general or principle"),
        ({"grounded_in": []}, "an insight needs evidence: name events or concepts in grounded_in"),
        ({"figures": []}, "figures is not a JSON object"),
        (
            {"sure": True},
            "ADD_INSIGHT has no field 'sure'; it has reasoning, grounded_in, node, kind, aspect, insight, confidence, "
            "abstraction_level, figures",
        ),
        ({"node": "EVENT"}, "an insight is about a concept, and EVENT is of kind event"),
    ],
)
def test_a_faulty_insight_is_refused(diary: Diary, change: dict[str, Any], reason: str) -> None:
    event = str(remember(diary.connection, "said"))
    concept = str(make_concept(diary.connection, "Week", event))
    operation = STATED | {"node": concept, "grounded_in": [event]} | change
    operation = {key: event if field == "EVENT" else field for key, field in operation.items()}
    with pytest.raises(psycopg.Error, match="plan rejected") as refused:
        apply(diary.connection, operation)
    assert refused.value.sqlstate == "CF020"
    assert (
        str(refused.value).split("\n")[0]
        == f"plan rejected: operation 0 (ADD_INSIGHT): {reason.replace('EVENT', event)}"
    )


def test_only_a_pass_and_users_state_insights(diary: Diary) -> None:
    event = remember(diary.connection, "said")
    with pytest.raises(psycopg.Error, match="not by proposer 'llm'"):
        diary.execute(STATED | {"grounded_in": [str(event)]}, proposer="llm")
    apply(diary.connection, STATED | {"grounded_in": [str(event)]})
    assert [row["insight"] for row in diary.insights()] == ["Mondays are hard"]


def test_only_an_insight_that_holds_is_closed(diary: Diary) -> None:
    event = remember(diary.connection, "said")
    apply(diary.connection, STATED | {"grounded_in": [str(event)]})
    (insight,) = diary.insights()
    close = {"op": "CLOSE_INSIGHT", "insight_id": str(insight["insight_id"])}
    with pytest.raises(psycopg.Error, match="states or closes the same insight twice"):
        apply(diary.connection, close, close)
    apply(diary.connection, close)
    assert diary.insights() == []
    with pytest.raises(psycopg.Error, match="is not an insight of this tenant that holds"):
        apply(diary.connection, close)


def test_what_was_stated_as_of_a_later_moment_is_not_judged_by_what_was_known_before(diary: Diary) -> None:
    swimming = diary.habit("Swimming", [when(7 * week, f"{7 + week}:10") for week in range(8)])
    diary.sleep(swimming)
    before = diary.insights()
    assert [row["kind"] for row in before] == ["weekday"]
    for moment in ("2026-01-01", "2026-03-20", "2026-04-12"):  # before all, some and most of the evidence
        diary.sleep(swimming, as_of=f"{moment}T20:00:00+00:00")
        assert diary.insights() == before
    diary.more(swimming, [when(60 + day, f"{9 + day}:10") for day in range(6)])
    diary.sleep(swimming)
    assert diary.insights() == [], "what is known now is"
