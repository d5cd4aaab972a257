"""The journal: for every row a plan changed, the row as it was before, or NULL where the plan made it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tests.conftest import Connection, value
from tests.graph.plans import add_edge, add_node, apply, concept, edges, make_concept, rows, update_node

Key = tuple[str, tuple[str, ...]]

NODES = """
    SELECT n.id, n.title, c.content FROM cognifold.node AS n
    JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id WHERE n.kind <> 'event'
"""
STATES = """
    SELECT node_id, jsonb_build_object('node_id', node_id, 'strength', strength, 'evidence_count', evidence_count,
                                       'evidence_potential', evidence_potential) AS image
    FROM cognifold.concept_state
"""


def images(connection: Connection) -> dict[Key, Any]:
    """Every row that plans write, as JSON, by relation and key; nodes by what of them a plan can change."""
    found: dict[Key, Any] = {}
    for row in rows(connection, NODES):
        found["node", (str(row["id"]),)] = {"title": row["title"], "content": row["content"]}
    for row in rows(
        connection,
        "SELECT source_id, target_id, type, to_jsonb(e) - 'tenant_id' AS image FROM cognifold.graph_edge AS e",
    ):
        found["graph_edge", (str(row["source_id"]), str(row["target_id"]), row["type"])] = row["image"]
    for row in rows(connection, STATES):
        found["concept_state", (str(row["node_id"]),)] = row["image"]
    return found


def journal(connection: Connection, plan_id: str) -> dict[Key, Any]:
    found: dict[Key, Any] = {}
    entries = rows(connection, "SELECT * FROM cognifold.journal WHERE plan_id = %s ORDER BY position", plan_id)
    assert [entry["position"] for entry in entries] == list(range(len(entries)))
    for entry in entries:
        names = ("source_id", "target_id", "type") if entry["relation"] == "graph_edge" else ("id", "node_id")
        key = (entry["relation"], tuple(entry["row_key"][name] for name in names if name in entry["row_key"]))
        assert key not in found, "one entry a changed row"
        found[key] = entry["before"]
    return found


def check_plan(connection: Connection, *operations: dict[str, Any], **more: Any) -> dict[Key, Any]:
    """Apply a plan and compare its journal with the tables before and after."""
    before = images(connection)
    result = apply(connection, *operations, **more)
    after = images(connection)
    entries = journal(connection, result["plan_id"])
    changed = {key for key in after if after[key] != before.get(key)}
    assert set(before) <= set(after)
    # A new concept's state goes with its node, but is listed when evidence came with it.
    assert {key for key in changed if key[0] != "concept_state" or key in before} <= set(entries)
    assert set(entries) <= changed | {key for key in entries if key[0] == "graph_edge" and key in before}
    for key, image in entries.items():
        assert image == before.get(key), key
    return entries


def test_what_a_plan_makes_has_no_before(connection: Connection, events: list[UUID]) -> None:
    entries = check_plan(connection, concept("Music", events[1], ref="m"), add_node("intent", "Practise", "m"),
                         add_edge(events[0], "causes", events[1]),
                         add_node("time", "Noon", occurred_at="2026-03-02T12:00:00Z"))  # fmt: skip
    assert sorted(relation for relation, _ in entries) == [
        "concept_state", "graph_edge", "graph_edge", "graph_edge", "node", "node", "node"
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
    assert entries["node", (str(music),)] == {"title": "Music", "content": "What we play"}
    assert entries["node", (str(garden),)] == {"title": "Garden", "content": "Garden"}
    assert entries["graph_edge", (str(music), str(garden), "related_to")]["metadata"] == {"a": 1}
    assert entries["concept_state", (str(music),)]["strength"] == 0.5
    assert entries["graph_edge", (str(events[0]), str(music), "reinforces")] is None
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
        walked = {
            **later,
            **{key: before for key, before in journal(connection, plan_id).items() if before is not None},
        }
        for key, before in journal(connection, plan_id).items():
            if before is None:
                walked.pop(key)
        # A state that came with its node goes with it.
        nodes = {key[1][0] for key in walked if key[0] == "node"}
        walked = {key: image for key, image in walked.items() if key[0] != "concept_state" or key[1][0] in nodes}
        assert walked == earlier


def test_a_plan_is_kept_whole_with_its_reasons(connection: Connection, events: list[UUID]) -> None:
    operation = concept("Music", events[1], reasoning="she plays")
    result = apply(connection, operation, reasoning="heard a violin", trigger_event_id=events[1])
    (row,) = rows(connection, "SELECT * FROM cognifold.plan")
    assert (row["operations"], row["reasoning"], row["result"]) == ([operation], "heard a violin", result)
    assert (row["proposer"], row["status"], row["trigger_event_id"]) == ("user", "applied", events[1])
    assert row["as_of"].isoformat() == "2026-03-02T09:00:00+00:00" and row["folded_event_id"] is None
    assert {str(edge["plan_id"]) for edge in edges(connection).values()} == {result["plan_id"]}
