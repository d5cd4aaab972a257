"""The journal: for every row a plan changed, the row as it was before, or NULL where the plan made it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tests.conftest import Connection, value
from tests.graph.journaled import Key, images, journal, walked_back
from tests.graph.plans import add_edge, add_node, apply, concept, edges, make_concept, rows, update_node


def check_plan(connection: Connection, *operations: dict[str, Any], **more: Any) -> dict[Key, Any]:
    """Apply a plan and compare its journal with the tables before and after."""
    before = images(connection)
    result = apply(connection, *operations, **more)
    after = images(connection)
    entries = journal(connection, result["plan_id"])
    assert {key for key in {*before, *after} if after.get(key) != before.get(key)} <= set(entries)
    for key, image in entries.items():
        assert image == before.get(key), key
    assert walked_back(after, entries) == before
    return entries


def test_what_a_plan_makes_has_no_before(connection: Connection, events: list[UUID]) -> None:
    entries = check_plan(connection, concept("Music", events[1], ref="m"), add_node("intent", "Practise", "m"),
                         add_edge(events[0], "causes", events[1]),
                         add_node("time", "Noon", occurred_at="2026-03-02T12:00:00Z"))  # fmt: skip
    assert sorted(key[0] for key in entries) == [
        "concept_state", "graph_edge", "graph_edge", "graph_edge", "intent_state", "node", "node", "node"
    ]  # fmt: skip
    assert set(map(str, entries.values())) == {"None"}


def test_what_a_plan_changes_is_kept_as_it_was(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Music", events[1], content="What we play")
    garden = make_concept(connection, "Garden", events[2])
    apply(connection, add_edge(music, "related_to", garden, metadata={"a": 1}))
    entries = check_plan(
        connection,
        add_edge(music, "related_to", garden, metadata={"b": 2}, bidirectional=True),
        add_edge(events[1], "grounds", music),
        concept("music", events[0]),
        update_node(garden, title="Kitchen garden"),
        update_node(music, content="What we sing"),
        trigger_event_id=events[3],
    )
    node, other = entries["node", str(music), None, None], entries["node", str(garden), None, None]
    assert (node["title"], node["content"]) == ("Music", "What we play")
    assert (other["title"], other["content"]) == ("Garden", "Garden")
    assert entries["graph_edge", str(music), str(garden), "related_to"]["metadata"] == {"a": 1}
    assert entries["concept_state", str(music), None, None]["strength"] == 0.5
    assert entries["graph_edge", str(events[0]), str(music), "reinforces"] is None
    assert len(entries) == 6


def test_a_chain_of_plans_can_be_walked_back_to_the_beginning(connection: Connection, events: list[UUID]) -> None:
    states = [images(connection)]
    plans = []
    for operations in (
        [concept("Music", events[1])],
        [concept("Music", events[0])],
        [concept("Music", events[0])],
        [concept("Garden", events[2], ref="g"), add_edge(events[3], "grounds", "g", inferred=True)],
        [concept("Garden", events[3])],
        [add_edge(events[3], "grounds", value(connection, "SELECT gen_random_uuid()"))],
    ):
        if operations[0].get("type") == "grounds":
            garden = value(connection, "SELECT id FROM cognifold.concept WHERE title = 'Garden'")
            operations = [add_edge(events[3], "grounds", garden), update_node(garden, title="Gardens")]
        plans.append(apply(connection, *operations)["plan_id"])
        states.append(images(connection))
    for plan_id, earlier, later in zip(reversed(plans), reversed(states[:-1]), reversed(states[1:]), strict=True):
        assert walked_back(later, journal(connection, plan_id)) == earlier


def test_a_plan_is_kept_whole_with_its_reasons(connection: Connection, events: list[UUID]) -> None:
    operation = concept("Music", events[1], reasoning="she plays")
    result = apply(connection, operation, reasoning="heard a violin", trigger_event_id=events[1])
    (row,) = rows(connection, "SELECT * FROM cognifold.plan")
    assert (row["operations"], row["reasoning"], row["result"]) == ([operation], "heard a violin", result)
    assert (row["proposer"], row["status"], row["trigger_event_id"]) == ("user", "applied", events[1])
    assert row["as_of"].isoformat() == "2026-03-02T09:00:00+00:00"
    assert (row["version"], row["undoes"]) == (1, None)
    assert {str(edge["plan_id"]) for edge in edges(connection).values()} == {result["plan_id"]}
