"""explain: from a memory down to the verbatim events it rests on."""

from __future__ import annotations

import math
from collections.abc import Callable
from uuid import UUID

import psycopg
import pytest

from tests.conftest import Connection, value
from tests.graph.plans import START, add_edge, add_node, apply, concept, make_concept, move_clock, remember, rows

NOBODY = "00000000-0000-7000-8000-000000000000"


def explain(connection: Connection, node: UUID | str, as_of: str | None = None) -> list[dict[str, object]]:
    return rows(connection, "SELECT * FROM cognifold.explain(%s, %s)", node, as_of)


def lines(found: list[dict[str, object]]) -> list[tuple[object, ...]]:
    return [(row["depth"], row["kind"], row["title"], row["relation"]) for row in found]


def test_an_event_explains_itself(connection: Connection, events: list[UUID]) -> None:
    (row,) = explain(connection, events[1])
    assert (row["depth"], row["kind"], row["content"]) == (0, "event", "Anna practised the violin")
    assert row["relation"] is row["supports"] is row["weight"] is row["stated"] is None


def test_a_concept_rests_on_its_events_verbatim_and_in_order(connection: Connection) -> None:
    said = '  Two   spaces,\n a newline and "quotes" — kept as they are.  '
    last = remember(connection, "And the last", "2026-03-02T08:00:00Z", actor="Anna", source="chat")
    first = remember(connection, said, "2026-03-01T08:00:00Z")
    notes = make_concept(connection, "Notes", last, reasoning="both are notes")
    apply(connection, add_edge(first, "reinforces", notes))
    found = explain(connection, notes)
    assert lines(found) == [
        (0, "concept", "Notes", None),
        (1, "event", 'Two spaces, a newline and "quotes" — kept as they are.', "reinforces"),
        (1, "event", "And the last", "grounds"),
    ]
    assert found[1]["content"] == said
    assert (found[2]["actor"], found[2]["source"], found[2]["supports"]) == ("Anna", "chat", notes)
    assert found[1]["weight"] == pytest.approx(0.7 * math.exp(-0.005 * 25), rel=1e-9)
    assert found[2]["weight"] == pytest.approx(0.9 * math.exp(-0.005), rel=1e-9)
    assert found[0]["reasoning"] == "both are notes" and found[1]["stated"] is True


def test_an_intent_rests_on_its_concepts_and_they_on_their_events(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Music", events[1])
    hobby = make_concept(connection, "Hobbies", music)
    apply(connection, add_edge(events[2], "causes", events[1]), add_edge(events[0], "part_of", hobby))
    refs = apply(connection, add_node("intent", "Practise more", hobby, events[3], ref="i"),
                 add_node("time", "Noon", ref="t", occurred_at="2026-03-05T12:00:00Z"),
                 add_edge("t", "deadline_for", "i"))["refs"]  # fmt: skip
    assert lines(explain(connection, refs["i"])) == [
        (0, "intent", "Practise more", None),
        (1, "event", "The train to Lisbon was late", "grounds"),
        (1, "concept", "Hobbies", "triggers"),
        (1, "time", "Noon", "deadline_for"),
        (2, "event", "The invoice of the printer arrived", "part_of"),
        (2, "concept", "Music", "derived_from"),
        (3, "event", "Anna practised the violin", "grounds"),
        (4, "event", "Frost damaged the tomato seedlings", "causes"),
    ]


def test_what_is_only_related_is_no_evidence(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Music", events[1])
    garden = make_concept(connection, "Garden", events[2])
    apply(connection, add_edge(music, "related_to", garden), add_edge(garden, "contradicts", music),
          add_edge(events[0], "precedes", events[1]))  # fmt: skip
    assert len(explain(connection, music)) == 2


def test_inferred_edges_are_marked(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Music", events[1])
    apply(connection, add_edge(events[2], "grounds", music, inferred=True, weight=0.4))
    assert {row["id"]: row["stated"] for row in explain(connection, music)} == {
        music: None, events[1]: True, events[2]: False
    }  # fmt: skip


def test_as_of_hides_what_came_later(connection: Connection, events: list[UUID]) -> None:
    garden = make_concept(connection, "Garden", events[0], events[2], trigger=events[2])
    apply(connection, add_edge(events[3], "reinforces", garden), trigger_event_id=events[3])
    apply(connection, concept("Plans", garden), trigger_event_id=events[3])
    for as_of, shown in (
        ("2026-03-02T04:59:59Z", 0),
        ("2026-03-02T05:00:00Z", 1),
        ("2026-03-02T07:30:00Z", 2),
        (None, 3),
    ):
        assert len(explain(connection, garden, as_of)) == 1 + shown
    weights = {row["id"]: row["weight"] for row in explain(connection, garden, "2026-03-02T07:30:00Z")}
    assert weights[events[0]] == pytest.approx(0.9 * math.exp(-0.0125), rel=1e-9)
    plans = value(connection, "SELECT id FROM cognifold.concept WHERE title = 'Plans'")
    assert len(explain(connection, plans, "2026-03-02T07:30:00Z")) == 1  # the link to Garden came an hour later


def test_before_an_edge_was_stated_again_it_weighs_what_it_weighed_then(connection: Connection) -> None:
    a, b, c = (remember(connection, f"Day {day}", f"2026-03-0{day}T09:00:00Z") for day in (1, 2, 3))
    swimming, hobbies = (make_concept(connection, title, a, trigger=a) for title in ("Swimming", "Hobbies"))
    for trigger in (a, b, c):
        apply(connection, add_edge(swimming, "part_of", hobbies), trigger_event_id=trigger)
    for as_of, mass in {
        "2026-03-01T21:00:00Z": 0.7 * math.exp(-0.006),
        "2026-03-02T21:00:00Z": 0.7 * math.exp(-0.018) + 0.1 * math.exp(-0.006),
        "2026-03-03T21:00:00Z": 0.7 * math.exp(-0.03) + 0.1 * math.exp(-0.018) + 0.1 * math.exp(-0.006),
    }.items():
        weight = next(row["weight"] for row in explain(connection, hobbies, as_of) if row["relation"] == "part_of")
        assert weight == pytest.approx(mass, rel=1e-9), as_of


def test_what_was_taken_back_never_weighed_anything(connection: Connection) -> None:
    a, b, c = (remember(connection, f"Day {day}", f"2026-03-0{day}T09:00:00Z") for day in (1, 2, 3))
    swimming, hobbies = (make_concept(connection, title, a, trigger=a) for title in ("Swimming", "Hobbies"))
    part_of = add_edge(swimming, "part_of", hobbies)
    apply(connection, part_of, trigger_event_id=a)
    value(connection, "SELECT cognifold.undo_plan(%s)", apply(connection, part_of, trigger_event_id=b)["plan_id"])
    apply(connection, part_of, trigger_event_id=c)
    evening = explain(connection, hobbies, "2026-03-02T21:00:00Z")
    weight = next(row["weight"] for row in evening if row["relation"] == "part_of")
    assert weight == pytest.approx(0.7 * math.exp(-0.018), rel=1e-9)


def test_faded_evidence_still_explains(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Music", events[1])
    move_clock(connection, "2031-01-01T00:00:00Z")
    found = explain(connection, music)
    assert len(found) == 2 and 0 <= found[1]["weight"] < 1e-50  # type: ignore[operator]


def test_causes_in_a_circle_and_in_a_crowd_come_to_an_end(connection: Connection) -> None:
    crowd = [remember(connection, f"Part {n}", f"2026-03-01T{n:02}:00:00Z") for n in range(14)]
    apply(connection, *(add_edge(a, "causes", b) for a in crowd for b in crowd if a != b))
    found = explain(connection, crowd[0])
    # Each of the other 13 supports the first, and each other; nothing stands twice.
    assert [row["depth"] for row in found] == [0] + [1] * 13 + [2] * 13 * 12
    assert len({(row["id"], row["supports"]) for row in found}) == len(found)


def test_explaining_writes_nothing(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Music", events[1])
    with connection.transaction():
        connection.execute("SET TRANSACTION READ ONLY")
        assert len(explain(connection, music)) == 2


def test_an_unknown_node_is_an_error_that_names_it(
    connection: Connection, new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    other = connect(new_tenant(), now=START)
    for node in (NOBODY, str(remember(other, "Of another tenant"))):
        with pytest.raises(psycopg.Error, match=node) as refused:
            explain(connection, node)
        assert refused.value.sqlstate == "CF021"
    with pytest.raises(psycopg.Error, match="NULL") as refused:
        connection.execute("SELECT * FROM cognifold.explain(NULL)")
    assert refused.value.sqlstate == "CF021"
