"""ADD_NODE: refs, the edges that grounded_in implies, time nodes."""

from __future__ import annotations

import math
from uuid import UUID

import pytest

from tests.conftest import Connection, at, value
from tests.graph.plans import START, add_edge, add_node, apply, concept, edges, make_concept, rows, violations


def test_a_concept_stands_on_its_events_by_grounds_edges(connection: Connection, events: list[UUID]) -> None:
    result = apply(connection, concept("Invoices", events[0], events[1], ref="c", reasoning="they belong together"),
                   trigger_event_id=events[1])  # fmt: skip
    made = UUID(result["refs"]["c"])
    assert result["counts"] == {
        "nodes_added": 1, "nodes_repeated": 0, "nodes_updated": 0, "edges_added": 2, "edges_reinforced": 0
    }  # fmt: skip
    found = edges(connection)
    assert set(found) == {(events[0], "grounds", made), (events[1], "grounds", made)}
    # An event's edge is stamped with the event's own time: five hours and three before the clock.
    assert found[events[0], "grounds", made]["weight"] == pytest.approx(0.9 * math.exp(-0.005 * 4), rel=1e-9)
    assert found[events[1], "grounds", made]["weight"] == pytest.approx(0.9 * math.exp(-0.005 * 3), rel=1e-9)
    (row,) = rows(connection, "SELECT * FROM cognifold.concept")
    assert (row["title"], row["content"], row["reasoning"]) == ("Invoices", "Invoices", "they belong together")
    assert (row["strength"], row["evidence_count"], row["memory_type"]) == (0.5, 2, "semantic")
    assert row["occurred_at"] == at("2026-03-02T06:00:00+00:00")  # the time of the event it was made at
    assert str(row["plan_id"]) == result["plan_id"]
    assert violations(connection) == []


def test_without_a_trigger_a_concept_is_of_the_moment_of_its_plan(connection: Connection, events: list[UUID]) -> None:
    make_concept(connection, "Invoices", events[0])
    assert value(connection, "SELECT occurred_at FROM cognifold.concept") == at(START)


def test_a_concept_keeps_the_fields_it_was_given(connection: Connection, events: list[UUID]) -> None:
    apply(connection, concept("  Invoices  ", events[0], content="What we owe", memory_type="procedural",
                              payload={"colour": "red"}, occurred_at="2026-01-01T00:00:00Z"))  # fmt: skip
    (row,) = rows(connection, "SELECT * FROM cognifold.concept")
    assert (row["title"], row["content"], row["memory_type"]) == ("Invoices", "What we owe", "procedural")
    assert (row["payload"], row["occurred_at"]) == ({"colour": "red"}, at("2026-01-01T00:00:00+00:00"))


def test_an_intent_is_triggered_by_concepts_and_grounded_in_events(connection: Connection, events: list[UUID]) -> None:
    invoices = make_concept(connection, "Invoices", events[0])
    refs = apply(connection, add_node("intent", "Pay the printer", events[1], invoices, ref="i"))["refs"]
    intent = UUID(refs["i"])
    found = edges(connection)
    assert found[events[1], "grounds", intent]["weight"] == pytest.approx(0.9 * math.exp(-0.015), rel=1e-9)
    assert found[invoices, "triggers", intent]["weight"] == pytest.approx(0.8, rel=1e-9)
    assert [row["title"] for row in rows(connection, "SELECT * FROM cognifold.intent")] == ["Pay the printer"]
    assert violations(connection) == []


def test_a_concept_grounded_in_a_concept_is_derived_from_it(connection: Connection, events: list[UUID]) -> None:
    invoices = make_concept(connection, "Invoices", events[0])
    household = make_concept(connection, "Household", invoices)
    found = edges(connection)
    assert found[household, "derived_from", invoices]["weight"] == pytest.approx(0.6, rel=1e-9)
    assert set(found) == {(events[0], "grounds", invoices), (household, "derived_from", invoices)}
    (row,) = rows(connection, "SELECT * FROM cognifold.concept WHERE id = %s", household)
    assert (row["evidence_count"], row["evidence_mass"], row["strength"]) == (0, 0, 0.5)
    assert violations(connection) == []


def test_refs_name_new_nodes_anywhere_in_the_plan(connection: Connection, events: list[UUID]) -> None:
    refs = apply(
        connection,
        add_edge("älteste-1", "part_of", "whole"),  # named before they are made
        add_node("intent", "Sort it out", "whole", ref="goal"),
        concept("Parts", events[0], ref="älteste-1"),
        concept("A whole", events[1], ref="whole"),
        add_node("time", "Friday", ref="friday", occurred_at="2026-03-06T00:00:00+01:00", precision="day"),
        add_edge("friday", "deadline_for", "goal"),
    )["refs"]
    assert set(refs) == {"goal", "älteste-1", "whole", "friday"}
    part, whole, goal, friday = (UUID(refs[name]) for name in ("älteste-1", "whole", "goal", "friday"))
    assert set(edges(connection)) == {
        (part, "part_of", whole), (whole, "triggers", goal), (events[0], "grounds", part),
        (events[1], "grounds", whole), (friday, "deadline_for", goal),
    }  # fmt: skip
    assert violations(connection) == []


@pytest.mark.parametrize(
    "ref", ["deadbeef-deadbeef-deadbeef-deadbee", "abcdefabcdefabcdefabcdefabcdefabcd", "C++(new)", "a'b\"c%"]
)
def test_a_ref_may_look_like_anything_but_an_id(connection: Connection, events: list[UUID], ref: str) -> None:
    refs = apply(connection, concept("Invoices", events[0], ref=ref), concept("Household", ref, ref="h"))["refs"]
    assert (UUID(refs["h"]), "derived_from", UUID(refs[ref])) in edges(connection)


def test_a_node_named_twice_in_grounded_in_is_one_piece_of_evidence(connection: Connection, events: list[UUID]) -> None:
    upper = str(events[0]).upper()
    invoices = make_concept(connection, "Invoices", events[0], events[0], upper, events[0].hex)
    assert set(edges(connection)) == {(events[0], "grounds", invoices)}
    assert value(connection, "SELECT evidence_count FROM cognifold.concept") == 1


def test_a_moment_is_one_node_however_often_it_is_named(connection: Connection, events: list[UUID]) -> None:
    def moment(ref: str, written: str, precision: str = "day") -> dict[str, object]:
        return add_node("time", f"due {ref}", ref=ref, occurred_at=written, precision=precision)

    first = apply(connection, moment("a", "2026-03-06T00:00:00Z"), moment("b", "2026-03-06T01:00:00+01:00"),
                  add_edge("a", "deadline_for", events[0]))  # fmt: skip
    assert first["refs"]["a"] == first["refs"]["b"]
    assert (first["counts"]["nodes_added"], first["counts"]["nodes_repeated"]) == (1, 1)
    again = apply(connection, moment("c", "2026-03-05T19:00:00-05:00"), add_edge("c", "deadline_for", events[1]))
    assert again["refs"]["c"] == first["refs"]["a"]
    hour = apply(connection, moment("d", "2026-03-06T00:00:00Z", "instant"))  # as a moment, not as a day
    assert hour["refs"]["d"] != first["refs"]["a"]
    time = UUID(first["refs"]["a"])
    assert set(edges(connection)) == {(time, "deadline_for", events[0]), (time, "deadline_for", events[1])}
    assert value(connection, "SELECT count(*) FROM cognifold.node WHERE kind = 'time'") == 2
    assert value(connection, "SELECT title FROM cognifold.node WHERE id = %s", time) == "due a"


def test_an_empty_plan_is_recorded_and_changes_nothing(connection: Connection) -> None:
    result = apply(connection, reasoning="nothing to do")
    assert result["refs"] == {} and set(result["counts"].values()) == {0}
    assert value(connection, "SELECT reasoning FROM cognifold.plan") == "nothing to do"
    assert value(connection, "SELECT count(*) FROM cognifold.journal") == 0
