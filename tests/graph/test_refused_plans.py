"""What is wrong with a plan: one case a rule. The message names operation and reason, and nothing has changed."""

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

# name -> (faulty operation, what is said of it). EVENT, OTHER, CONCEPT and TIME stand for stored nodes. A sound
# operation goes before and after, so that a plan applied in part would show.
TYPES = (
    "causes, contradicts, deadline_for, derived_from, grounds, part_of, precedes, reinforces, related_to, triggers, "
    "user_feedback"
)
FAULTS: dict[str, tuple[Any, str]] = {
    "no object": ("ADD_NODE", 'an operation must be a JSON object with "op"'),
    "no op": ({"kind": "concept"}, 'an operation must be a JSON object with "op"'),
    "unknown op": ({"op": "DROP_TABLE"}, "op 'DROP_TABLE' is not known"),
    "update of an event": (
        update_node("EVENT", title="x"),
        "an event never changes; what was learned about it goes into annotations",
    ),
    "update of a new node": (
        update_node("sound", title="x"),
        "node must be stored already; give a new one its title in ADD_NODE",
    ),
    "update with nothing": (
        update_node("CONCEPT"),
        "an update needs a title, content, memory_type, privacy_level, payload or annotations, and no empty text",
    ),
    "update with a blank title": (
        update_node("CONCEPT", title=" ", content="x"),
        "an update needs a title, content, memory_type, privacy_level, payload or annotations, and no empty text",
    ),
    "update with a blank content": (
        update_node("CONCEPT", content="\t\n"),
        "an update needs a title, content, memory_type, privacy_level, payload or annotations, and no empty text",
    ),
    "update of nobody": (
        update_node(NOBODY, title="x"),
        f"node '{NOBODY}' is no node of this tenant and no ref of this plan",
    ),
    "update without a node": (
        {"op": "UPDATE_NODE", "title": "x"},
        "node 'NULL' is no node of this tenant and no ref of this plan",
    ),
    "a new event": (add_node("event", "x", "EVENT"), "events enter by remember only"),
    "unknown kind": (add_node("idea", "x", "EVENT"), "kind 'idea' is not concept, intent or time"),
    "no kind": ({"op": "ADD_NODE", "title": "x", "grounded_in": ["EVENT"]}, "kind NULL is not concept, intent or time"),
    "no title": ({"op": "ADD_NODE", "kind": "concept", "grounded_in": ["EVENT"]}, "a node needs a title"),
    "a title too long": (concept("x" * 301, "EVENT"), "a title has at most 300 characters; this one has 301"),
    "blank title": (concept(" \n ", "EVENT"), "a node needs a title"),
    "ref with a space": (
        concept("x", "EVENT", ref="a b"),
        "ref 'a b' is not a short name of its own (a letter first, at most 63 bytes, no uuid)",
    ),
    "ref that is an id": (
        concept("x", "EVENT", ref="a" * 32),
        f"ref '{'a' * 32}' is not a short name of its own (a letter first, at most 63 bytes, no uuid)",
    ),
    "long ref": (
        concept("x", "EVENT", ref="é" * 32),
        f"ref '{'é' * 32}' is not a short name of its own (a letter first, at most 63 bytes, no uuid)",
    ),
    "ref used twice": (concept("x", "EVENT", ref="sound"), "ref 'sound' is used twice"),
    "time without a moment": (add_node("time", "x"), "a time node needs occurred_at with a time zone (ISO 8601)"),
    "time without a zone": (
        add_node("time", "x", occurred_at="2026-03-06T00:00:00"),
        "a time node needs occurred_at with a time zone (ISO 8601)",
    ),
    "time that is no time": (
        add_node("time", "x", occurred_at="2026-02-30T00:00:00Z"),
        "occurred_at '2026-02-30T00:00:00Z' is not a time with a time zone (ISO 8601)",
    ),
    "concept of no time": (
        concept("x", "EVENT", occurred_at="recently"),
        "occurred_at 'recently' is not a time with a time zone (ISO 8601)",
    ),
    "concept of a naive time": (
        concept("x", "EVENT", occurred_at="2026-02-03T04:05"),
        "occurred_at '2026-02-03T04:05' is not a time with a time zone (ISO 8601)",
    ),
    "unknown precision": (
        add_node("time", "x", occurred_at="2026-03-06T00:00:00Z", precision="week"),
        "precision 'week' is not instant, day, month or year",
    ),
    "unknown memory type": (
        concept("x", "EVENT", memory_type="vague"),
        "memory_type 'vague' is not episodic, semantic, procedural or associative",
    ),
    "concept of nothing": (concept("x"), "a concept needs provenance: name events or concepts in grounded_in"),
    "intent of nothing": (
        {"op": "ADD_NODE", "kind": "intent", "title": "x"},
        "an intent needs provenance: name events or concepts in grounded_in",
    ),
    "grounded_in no array": (
        {**concept("x"), "grounded_in": "EVENT"},
        "grounded_in is not an array of node ids or refs",
    ),
    "grounded_in null": (
        {**concept("x"), "grounded_in": None},
        "a concept needs provenance: name events or concepts in grounded_in",
    ),
    "grounded in nobody": (
        concept("x", "EVENT", NOBODY),
        f"grounded_in '{NOBODY}' is no node of this tenant and no ref of this plan",
    ),
    "grounded in a null": (
        {**concept("x"), "grounded_in": ["EVENT", None]},
        "grounded_in 'NULL' is no node of this tenant and no ref of this plan",
    ),
    "grounded in a number": (
        {**concept("x"), "grounded_in": [7]},
        "grounded_in '7' is no node of this tenant and no ref of this plan",
    ),
    "grounded in a time": (concept("x", "EVENT", "TIME"), "a node cannot be grounded in a node of kind time"),
    "grounded in itself": (
        concept("x", "self", ref="self"),
        "it is grounded in nothing but itself and new nodes that are grounded in it",
    ),
    "edge from nobody": (
        add_edge(NOBODY, "causes", "EVENT"),
        f"source '{NOBODY}' is no node of this tenant and no ref of this plan",
    ),
    "edge to no ref": (
        add_edge("EVENT", "grounds", "elsewhere"),
        "target 'elsewhere' is no node of this tenant and no ref of this plan",
    ),
    "edge without an end": (
        {"op": "ADD_EDGE", "source": "EVENT", "type": "grounds"},
        "target 'NULL' is no node of this tenant and no ref of this plan",
    ),
    "unknown edge type": (add_edge("EVENT", "likes", "OTHER"), "edge type 'likes' is not known; types are " + TYPES),
    "no edge type": (
        {"op": "ADD_EDGE", "source": "EVENT", "target": "OTHER"},
        "edge type NULL is not known; types are " + TYPES,
    ),
    "illegal edge": (
        add_edge("CONCEPT", "causes", "EVENT"),
        "causes cannot join concept -> event; legal are: event -> event",
    ),
    "edge to itself": (add_edge("EVENT", "causes", "EVENT"), "source and target are the same node"),
    "edge of a ref to itself": (add_edge("sound", "related_to", "sound"), "source and target are the same node"),
    "weight zero": (add_edge("EVENT", "causes", "OTHER", weight=0), "weight 0 is not a number in (0, 1]"),
    "weight above one": (add_edge("EVENT", "causes", "OTHER", weight=1.01), "weight 1.01 is not a number in (0, 1]"),
    "weight below nothing": (add_edge("EVENT", "causes", "OTHER", weight=-1), "weight -1 is not a number in (0, 1]"),
    "weight in words": (add_edge("EVENT", "causes", "OTHER", weight="much"), 'weight "much" is not a number in (0, 1]'),
    "inferred in words": (add_edge("EVENT", "causes", "OTHER", inferred="maybe"), "inferred is not true or false"),
    "bidirectional in words": (
        add_edge("EVENT", "causes", "OTHER", bidirectional="both"),
        "bidirectional is not true or false",
    ),
    "annotations no object": (
        update_node("EVENT", annotations=["mood"]),
        "annotations is not a JSON object with names of 1 to 63 bytes",
    ),
    "annotation without a name": (
        update_node("EVENT", annotations={"": 1}),
        "annotations is not a JSON object with names of 1 to 63 bytes",
    ),
    "unknown privacy level": (
        update_node("CONCEPT", privacy_level="secret"),
        "privacy_level 'secret' is not private, shared or public",
    ),
    "a field misspelt": (
        {**add_edge("EVENT", "causes", "OTHER"), "weigth": 0.5},
        "ADD_EDGE has no field 'weigth'; it has reasoning, grounded_in, source, target, type, weight, inferred, "
        "bidirectional, metadata",
    ),
    "a title that is a number": (concept(7, "EVENT"), "title is not a text"),  # type: ignore[arg-type]
    "reasons that are a list": (concept("x", "EVENT", reasoning=["because"]), "reasoning is not a text"),
    "grounds of an edge that are no array": (
        {**add_edge("EVENT", "causes", "OTHER"), "grounded_in": "EVENT"},
        "grounded_in is not an array of node ids or refs",
    ),
    "removal of an event": ({"op": "REMOVE_NODE", "node": "EVENT"}, "a plan removes no event"),
    "removal of a new node": (
        {"op": "REMOVE_NODE", "node": "sound"},
        "a node that the plan makes is not there to be removed",
    ),
    "removal of nobody": (
        {"op": "REMOVE_NODE", "node": NOBODY},
        f"node '{NOBODY}' is no node of this tenant and no ref of this plan",
    ),
    "removal of no edge": (
        {"op": "REMOVE_EDGE", "source": "EVENT", "target": "OTHER", "type": "causes"},
        "there is no such edge",
    ),
    "removal of an edge of a new node": (
        {"op": "REMOVE_EDGE", "source": "EVENT", "target": "sound", "type": "grounds"},
        "there is no such edge",
    ),
    "removal of an edge of no type": (
        {"op": "REMOVE_EDGE", "source": "EVENT", "target": "CONCEPT", "type": "likes"},
        "edge type 'likes' is not known; types are " + TYPES,
    ),
    "metadata no object": (add_edge("EVENT", "causes", "OTHER", metadata=[1]), "metadata is not a JSON object"),
}


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
    op = operation.get("op", "?") if isinstance(operation, dict) else "?"
    assert refused(connection, filled(plan, stored)).split("; use")[0] == f"operation 1 ({op}): {reason}"
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
    assert refused(connection, filled(plan, stored)) == (
        f"operation 1 (ADD_EDGE): edge type 'likes' is not known; types are {TYPES}"
    )


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
