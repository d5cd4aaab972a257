"""What is wrong with a plan: one case a rule. The message names the operation and the reason, and nothing has changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from tests.conftest import Connection, value
from tests.graph.plans import add_edge, add_node, apply, concept, make_concept, rows, snapshot, update_node

NOBODY = "00000000-0000-7000-8000-000000000000"
FINE = {"op": "ADD_NODE", "kind": "concept", "title": "A sound one", "grounded_in": ["EVENT"]}

# name -> (faulty operation, position and reason). EVENT, OTHER, CONCEPT and TIME stand for stored nodes. A sound
# operation goes before and after, so that a plan applied in part would show.
FAULTS: dict[str, tuple[Any, str]] = {
    "no object": ("ADD_NODE", 'operation 1 (?): an operation must be a JSON object with "op"'),
    "no op": ({"kind": "concept"}, 'operation 1 (?): an operation must be a JSON object with "op"'),
    "unknown op": ({"op": "DROP_TABLE"}, "operation 1 (DROP_TABLE): op 'DROP_TABLE' is not known; use ADD_NODE, ADD_EDGE or UPDATE_NODE"),
    "op of a later version": ({"op": "MERGE_NODES", "ids": []}, "operation 1 (MERGE_NODES): this version applies ADD_NODE, ADD_EDGE and UPDATE_NODE only"),
    "update of an event": (update_node("EVENT", title="x"), "operation 1 (UPDATE_NODE): an event never changes"),
    "update of a new node": (update_node("sound", title="x"), "operation 1 (UPDATE_NODE): node must be stored already; give a new one its title in ADD_NODE"),
    "update with nothing": (update_node("CONCEPT"), "operation 1 (UPDATE_NODE): an update needs a title or a content that is not empty"),
    "update with a blank title": (update_node("CONCEPT", title=" ", content="x"), "operation 1 (UPDATE_NODE): an update needs a title or a content that is not empty"),
    "update with a blank content": (update_node("CONCEPT", content="\t\n"), "operation 1 (UPDATE_NODE): an update needs a title or a content that is not empty"),
    "update of nobody": (update_node(NOBODY, title="x"), f"operation 1 (UPDATE_NODE): node '{NOBODY}' is no node of this tenant and no ref of this plan"),
    "update without a node": ({"op": "UPDATE_NODE", "title": "x"}, "operation 1 (UPDATE_NODE): node 'NULL' is no node of this tenant and no ref of this plan"),
    "a new event": (add_node("event", "x", "EVENT"), "operation 1 (ADD_NODE): events enter by remember only"),
    "unknown kind": (add_node("idea", "x", "EVENT"), "operation 1 (ADD_NODE): kind 'idea' is not concept, intent or time"),
    "no kind": ({"op": "ADD_NODE", "title": "x", "grounded_in": ["EVENT"]}, "operation 1 (ADD_NODE): kind NULL is not concept, intent or time"),
    "no title": ({"op": "ADD_NODE", "kind": "concept", "grounded_in": ["EVENT"]}, "operation 1 (ADD_NODE): a node needs a title"),
    "blank title": (concept(" \n ", "EVENT"), "operation 1 (ADD_NODE): a node needs a title"),
    "ref with a space": (concept("x", "EVENT", ref="a b"), "operation 1 (ADD_NODE): ref 'a b' is not a short name of its own (a letter first, at most 63 bytes, no uuid)"),
    "ref that is an id": (concept("x", "EVENT", ref="a" * 32), f"operation 1 (ADD_NODE): ref '{'a' * 32}' is not a short name of its own (a letter first, at most 63 bytes, no uuid)"),
    "long ref": (concept("x", "EVENT", ref="é" * 32), f"operation 1 (ADD_NODE): ref '{'é' * 32}' is not a short name of its own (a letter first, at most 63 bytes, no uuid)"),
    "ref used twice": (concept("x", "EVENT", ref="sound"), "operation 1 (ADD_NODE): ref 'sound' is used twice"),
    "time without a moment": (add_node("time", "x"), "operation 1 (ADD_NODE): a time node needs occurred_at with a time zone (ISO 8601)"),
    "time without a zone": (add_node("time", "x", occurred_at="2026-03-06T00:00:00"), "operation 1 (ADD_NODE): a time node needs occurred_at with a time zone (ISO 8601)"),
    "time that is no time": (add_node("time", "x", occurred_at="2026-02-30T00:00:00Z"), "operation 1 (ADD_NODE): occurred_at '2026-02-30T00:00:00Z' is not a time with a time zone (ISO 8601)"),
    "concept of no time": (concept("x", "EVENT", occurred_at="recently"), "operation 1 (ADD_NODE): occurred_at 'recently' is not a time with a time zone (ISO 8601)"),
    "concept of a naive time": (concept("x", "EVENT", occurred_at="2026-02-03T04:05"), "operation 1 (ADD_NODE): occurred_at '2026-02-03T04:05' is not a time with a time zone (ISO 8601)"),
    "unknown precision": (add_node("time", "x", occurred_at="2026-03-06T00:00:00Z", precision="week"), "operation 1 (ADD_NODE): precision 'week' is not instant, day, month or year"),
    "unknown memory type": (concept("x", "EVENT", memory_type="vague"), "operation 1 (ADD_NODE): memory_type 'vague' is not episodic, semantic, procedural or associative"),
    "concept of nothing": (concept("x"), "operation 1 (ADD_NODE): a concept needs provenance: name events or concepts in grounded_in"),
    "intent of nothing": ({"op": "ADD_NODE", "kind": "intent", "title": "x"}, "operation 1 (ADD_NODE): an intent needs provenance: name events or concepts in grounded_in"),
    "grounded_in no array": ({**concept("x"), "grounded_in": "EVENT"}, "operation 1 (ADD_NODE): a concept needs provenance: name events or concepts in grounded_in"),
    "grounded_in null": ({**concept("x"), "grounded_in": None}, "operation 1 (ADD_NODE): a concept needs provenance: name events or concepts in grounded_in"),
    "grounded in nobody": (concept("x", "EVENT", NOBODY), f"operation 1 (ADD_NODE): grounded_in '{NOBODY}' is no node of this tenant and no ref of this plan"),
    "grounded in a null": ({**concept("x"), "grounded_in": ["EVENT", None]}, "operation 1 (ADD_NODE): grounded_in 'NULL' is no node of this tenant and no ref of this plan"),
    "grounded in a number": ({**concept("x"), "grounded_in": [7]}, "operation 1 (ADD_NODE): grounded_in '7' is no node of this tenant and no ref of this plan"),
    "grounded in a time": (concept("x", "EVENT", "TIME"), "operation 1 (ADD_NODE): a node cannot be grounded in a node of kind time"),
    "grounded in itself": (concept("x", "self", ref="self"), "operation 1 (ADD_NODE): it is grounded in nothing but itself and new nodes that are grounded in it"),
    "edge from nobody": (add_edge(NOBODY, "causes", "EVENT"), f"operation 1 (ADD_EDGE): source '{NOBODY}' is no node of this tenant and no ref of this plan"),
    "edge to no ref": (add_edge("EVENT", "grounds", "elsewhere"), "operation 1 (ADD_EDGE): target 'elsewhere' is no node of this tenant and no ref of this plan"),
    "edge without an end": ({"op": "ADD_EDGE", "source": "EVENT", "type": "grounds"}, "operation 1 (ADD_EDGE): target 'NULL' is no node of this tenant and no ref of this plan"),
    "unknown edge type": (add_edge("EVENT", "likes", "OTHER"), "operation 1 (ADD_EDGE): edge type 'likes' is not known"),
    "no edge type": ({"op": "ADD_EDGE", "source": "EVENT", "target": "OTHER"}, "operation 1 (ADD_EDGE): edge type NULL is not known"),
    "illegal edge": (add_edge("CONCEPT", "causes", "EVENT"), "operation 1 (ADD_EDGE): causes cannot join concept -> event; legal are: event -> event"),
    "edge to itself": (add_edge("EVENT", "causes", "EVENT"), "operation 1 (ADD_EDGE): source and target are the same node"),
    "edge of a ref to itself": (add_edge("sound", "related_to", "sound"), "operation 1 (ADD_EDGE): source and target are the same node"),
    "weight zero": (add_edge("EVENT", "causes", "OTHER", weight=0), "operation 1 (ADD_EDGE): weight 0 is not a number in (0, 1]"),
    "weight above one": (add_edge("EVENT", "causes", "OTHER", weight=1.01), "operation 1 (ADD_EDGE): weight 1.01 is not a number in (0, 1]"),
    "weight below nothing": (add_edge("EVENT", "causes", "OTHER", weight=-1), "operation 1 (ADD_EDGE): weight -1 is not a number in (0, 1]"),
    "weight in words": (add_edge("EVENT", "causes", "OTHER", weight="much"), 'operation 1 (ADD_EDGE): weight "much" is not a number in (0, 1]'),
    "inferred in words": (add_edge("EVENT", "causes", "OTHER", inferred="maybe"), "operation 1 (ADD_EDGE): inferred is not true or false"),
    "bidirectional in words": (add_edge("EVENT", "causes", "OTHER", bidirectional="both"), "operation 1 (ADD_EDGE): bidirectional is not true or false"),
    "metadata no object": (add_edge("EVENT", "causes", "OTHER", metadata=[1]), "operation 1 (ADD_EDGE): metadata is not a JSON object"),
}  # fmt: skip


@pytest.fixture
def stored(connection: Connection, events: list[UUID]) -> dict[str, str]:
    """The nodes the faulty operations name."""
    made = make_concept(connection, "Kept", events[0])
    time = apply(connection, add_node("time", "Noon", ref="t", occurred_at="2026-03-02T12:00:00Z"))["refs"]["t"]
    return {"EVENT": str(events[0]), "OTHER": str(events[1]), "CONCEPT": str(made), "TIME": time}


def filled(plan: Any, stored: dict[str, str]) -> str:
    text = json.dumps(plan)
    for name, node in stored.items():
        text = text.replace(f'"{name}"', f'"{node}"')
    return text


def refused(connection: Connection, plan: str) -> str:
    with pytest.raises(psycopg.Error) as error:
        connection.execute("SELECT cognifold.apply_plan(%s::jsonb)", [plan])
    assert error.value.sqlstate == "CF020", error.value
    return str(error.value.diag.message_primary).removeprefix("plan rejected: ")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_operation_rejects_the_whole_plan(
    connection: Connection, admin: Connection, tenant: str, stored: dict[str, str], fault: str
) -> None:
    operation, reason = FAULTS[fault]
    before = snapshot(admin, tenant)
    plan = {"operations": [{**FINE, "ref": "sound"}, operation, {**FINE, "title": "Another sound one"}]}
    assert refused(connection, filled(plan, stored)) == reason
    assert snapshot(admin, tenant) == before


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ([], 'the plan is not a JSON object with an array "operations"'),
        ("a plan", 'the plan is not a JSON object with an array "operations"'),
        ({}, 'the plan is not a JSON object with an array "operations"'),
        ({"operations": {"op": "ADD_NODE"}}, 'the plan is not a JSON object with an array "operations"'),
        ({"operations": None}, 'the plan is not a JSON object with an array "operations"'),
        ({"plan_id": "first", "operations": []}, "plan_id 'first' is not a uuid"),
        ({"plan_id": 7, "operations": []}, "plan_id '7' is not a uuid"),
        ({"trigger_event_id": NOBODY, "operations": []}, f"trigger_event_id '{NOBODY}' is not an event of this tenant"),
        ({"trigger_event_id": "x", "operations": []}, "trigger_event_id 'x' is not an event of this tenant"),
    ],
)  # fmt: skip
def test_a_plan_of_the_wrong_form_is_refused(
    connection: Connection, admin: Connection, tenant: str, plan: Any, reason: str
) -> None:
    before = snapshot(admin, tenant)
    assert refused(connection, json.dumps(plan)) == reason
    assert snapshot(admin, tenant) == before


def test_no_plan_at_all_is_refused(connection: Connection) -> None:
    with pytest.raises(psycopg.Error) as error:
        connection.execute("SELECT cognifold.apply_plan(NULL)")
    assert error.value.sqlstate == "CF020"


def test_a_trigger_must_be_an_event(connection: Connection, stored: dict[str, str]) -> None:
    plan = filled({"trigger_event_id": "CONCEPT", "operations": []}, stored)
    assert refused(connection, plan) == f"trigger_event_id '{stored['CONCEPT']}' is not an event of this tenant"


def test_of_several_faults_the_first_is_named(connection: Connection, stored: dict[str, str]) -> None:
    plan = {"operations": [FINE, add_edge("EVENT", "likes", "OTHER"), {"op": "X"}, FINE]}
    assert refused(connection, filled(plan, stored)) == "operation 1 (ADD_EDGE): edge type 'likes' is not known"


def test_two_hundred_operations_are_applied_and_one_more_is_refused(
    connection: Connection, admin: Connection, tenant: str, events: list[UUID]
) -> None:
    operations = [add_edge(events[0], "related_to", events[1], reasoning=str(n)) for n in range(201)]
    before = snapshot(admin, tenant)
    assert refused(connection, json.dumps({"operations": operations})) == (
        "the plan has 201 operations; at most 200 are allowed"
    )
    assert snapshot(admin, tenant) == before
    assert apply(connection, *operations[:200])["counts"]["edges_added"] == 1
    assert value(connection, "SELECT jsonb_array_length(operations) FROM cognifold.plan") == 200


def test_the_same_plan_again_returns_the_first_result_and_changes_nothing(
    connection: Connection, admin: Connection, tenant: str, events: list[UUID]
) -> None:
    plan_id = uuid4()
    first = apply(connection, concept("Trains", events[3], ref="c"), plan_id=plan_id)
    assert first["plan_id"] == str(plan_id)
    before = snapshot(admin, tenant)
    assert apply(connection, concept("Trains", events[3], ref="c"), plan_id=plan_id) == first
    assert snapshot(admin, tenant) == before


def test_a_plan_id_of_another_plan_is_refused(
    connection: Connection, admin: Connection, tenant: str, events: list[UUID]
) -> None:
    plan_id = uuid4()
    apply(connection, concept("Trains", events[3]), plan_id=plan_id)
    before = snapshot(admin, tenant)
    with pytest.raises(psycopg.Error, match=f"plan_id {plan_id} was used for another plan") as error:
        apply(connection, concept("Ships", events[3]), plan_id=plan_id)
    assert error.value.sqlstate == "CF020"
    assert snapshot(admin, tenant) == before


def test_a_plan_id_belongs_to_one_tenant(
    connection: Connection, events: list[UUID], new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    plan_id = uuid4()
    apply(connection, concept("Trains", events[3]), plan_id=plan_id)
    other = connect(new_tenant())
    assert apply(other, plan_id=plan_id)["counts"]["nodes_added"] == 0
    assert len(rows(connection, "SELECT * FROM cognifold.plan")) == 1


def test_a_plan_undone_with_its_transaction_leaves_no_trace(
    connection: Connection, admin: Connection, tenant: str, events: list[UUID]
) -> None:
    before = snapshot(admin, tenant)
    with connection.transaction(force_rollback=True):
        make_concept(connection, "Trains", *events)
    assert snapshot(admin, tenant) == before


def test_new_concepts_may_not_stand_on_each_other_alone(connection: Connection, events: list[UUID]) -> None:
    ring = [concept("A", "b", ref="a"), concept("B", "c", ref="b"), concept("C", "a", ref="c")]
    assert refused(connection, json.dumps({"operations": ring})) == (
        "operation 0 (ADD_NODE): it is grounded in nothing but itself and new nodes that are grounded in it"
    )
    apply(connection, ring[0], ring[1], concept("C", "a", events[0], ref="c"))
