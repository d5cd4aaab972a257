"""undo_plan: exactly what a plan changed comes back, or the plans in the way are named."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import DependentPlansError, UnknownNodeError
from tests.conftest import Connection, value
from tests.graph.journaled import images
from tests.graph.plans import (
    Operation,
    add_edge,
    add_node,
    apply,
    concept,
    edges,
    fold,
    make_concept,
    merge_nodes,
    remember,
    remove_edge,
    remove_node,
    rows,
    update_node,
    violations,
)


def plan(connection: Connection, *operations: Operation) -> UUID:
    return UUID(apply(connection, *operations)["plan_id"])


def undo(connection: Connection, plan_id: UUID, cascade: bool = False) -> dict[str, Any]:
    result: dict[str, Any] = value(connection, "SELECT cognifold.undo_plan(%s, %s)", plan_id, cascade)
    return result


def dependents(connection: Connection, plan_id: UUID) -> list[UUID]:
    """The plans that an undo of this one is refused for."""
    with pytest.raises(psycopg.Error) as error:
        undo(connection, plan_id)
    assert error.value.sqlstate == "CF023", error.value
    return [UUID(found) for found in json.loads(str(error.value.diag.message_detail))]


def test_an_undone_plan_leaves_no_trace_in_the_graph(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Music", events[1], annotations={"topic": "art"})
    garden = make_concept(connection, "Garden", events[2])
    apply(connection, add_edge(music, "related_to", garden, weight=0.3), add_edge(events[0], "causes", events[2]))
    before = images(connection)
    made = plan(
        connection,
        concept("Travel", events[3], ref="t", annotations={"topic": "trains"}),
        concept("music", events[0]),
        add_node("time", "Noon", ref="n", occurred_at="2026-03-02T12:00:00Z"),
        add_edge("n", "deadline_for", events[3]),
        add_node("intent", "Book a seat", "t"),
        update_node(music, title="Violin", annotations={"topic": None}),
        update_node(events[3], annotations={"mood": "cross"}),
        remove_edge(events[0], "causes", events[2]),
        remove_node(garden),
    )  # fmt: skip
    assert violations(connection) == []
    result = undo(connection, made)
    assert result["undone"] == [str(made)] and result["counts"]["plans_undone"] == 1
    assert images(connection) == before
    assert violations(connection) == []
    assert rows(connection, "SELECT status FROM cognifold.plan WHERE plan_id = %s", made) == [{"status": "undone"}]
    found = rows(connection, "SELECT node_id FROM cognifold.recall('frost garden', kinds => '{concept}')")
    assert found[0]["node_id"] == garden, "what came back is found again"


def test_an_undo_can_be_undone_and_that_again(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Music", events[1])
    before = images(connection)
    made = plan(connection, update_node(music, title="Violin"), concept("Travel", events[3]),
                add_edge(events[0], "reinforces", music))  # fmt: skip
    after = images(connection)
    taken_back = UUID(undo(connection, made)["plan_id"])
    assert images(connection) == before
    redone = UUID(undo(connection, taken_back)["plan_id"])
    assert images(connection) == after
    statuses = "SELECT plan_id, status, undoes FROM cognifold.plan ORDER BY version DESC LIMIT 3"
    assert [tuple(row.values()) for row in rows(connection, statuses)] == [
        (redone, "applied", taken_back), (taken_back, "undone", made), (made, "applied", None)
    ]  # fmt: skip
    undo(connection, redone)
    assert images(connection) == before
    assert value(connection, "SELECT status FROM cognifold.plan WHERE plan_id = %s", made) == "undone"
    assert violations(connection) == []


def test_plans_that_build_on_it_are_named_and_with_cascade_go_first(connection: Connection, events: list[UUID]) -> None:
    empty = images(connection)
    first = UUID(apply(connection, concept("Music", events[1], ref="m"))["plan_id"])
    music = value(connection, "SELECT id FROM cognifold.concept")
    linked = plan(connection, add_edge(events[0], "related_to", music))  # an edge of its node
    aside = plan(connection, add_edge(events[2], "causes", events[3]))  # nothing of it
    only_aside = {key: image for key, image in images(connection).items() if key[3] == "causes"}
    stronger = plan(connection, add_edge(events[0], "reinforces", music))  # its evidence
    assert dependents(connection, first) == [stronger, linked]
    result = undo(connection, first, cascade=True)
    assert result["undone"] == [str(stronger), str(linked), str(first)]
    assert images(connection) == only_aside
    undo(connection, aside)
    assert images(connection) == empty


def test_what_was_undone_in_between_is_not_in_the_way(connection: Connection, events: list[UUID]) -> None:
    first = plan(connection, concept("Music", events[1]))
    second = plan(connection, concept("music", events[0]))
    back = UUID(undo(connection, second)["plan_id"])
    undo(connection, first)
    # Now the second can't come back: what it built on is gone.
    (in_the_way,) = dependents(connection, back)
    assert rows(connection, "SELECT undoes FROM cognifold.plan WHERE plan_id = %s", in_the_way) == [{"undoes": first}]
    undo(connection, back, cascade=True)
    assert value(connection, "SELECT evidence_count FROM cognifold.concept") == 2
    assert dependents(connection, first) == [second]
    assert violations(connection) == []


def test_what_is_undone_is_not_undone_twice(connection: Connection, events: list[UUID]) -> None:
    made = plan(connection, concept("Music", events[1]))
    back = undo(connection, made)["plan_id"]
    with pytest.raises(psycopg.Error) as error:
        undo(connection, made)
    assert error.value.sqlstate == "CF023"
    assert error.value.diag.message_primary == f"plan {made} is undone already, by plan {back}"


def test_an_unknown_plan_and_that_of_another_tenant_are_refused(
    connection: Connection, connect: Callable[..., Connection], new_tenant: Callable[..., str], events: list[UUID]
) -> None:
    made = plan(connection, concept("Music", events[1]))
    for unknown, speaker in ((uuid4(), connection), (made, connect(new_tenant()))):
        for verb in ("undo_plan", "plan"):
            with pytest.raises(psycopg.Error) as error:
                speaker.execute(f"SELECT cognifold.{verb}(%s)".encode(), [unknown])
            assert error.value.sqlstate == "CF021"


def test_an_undone_fold_waits_for_nobody_until_it_is_retried(connection: Connection) -> None:
    event = remember(connection, "The kiln was fired to 1200 degrees")
    fold(connection)
    folded = value(connection, "SELECT plan_id FROM cognifold.folded_event WHERE event_id = %s", event)
    undo(connection, folded)
    state = "SELECT fold_state FROM cognifold.event WHERE id = %s"
    assert value(connection, state, event) == "undone"
    fold(connection)
    assert value(connection, state, event) == "undone"
    assert violations(connection) == []


def test_a_moment_that_stands_again_is_in_the_way_of_the_one_before_it(
    connection: Connection, events: list[UUID]
) -> None:
    noon: dict[str, Any] = {"occurred_at": "2026-03-02T12:00:00Z", "ref": "t"}
    first = UUID(apply(connection, add_node("time", "Noon", **noon))["refs"]["t"])
    removal = plan(connection, remove_node(first))
    again = plan(connection, add_node("time", "Midday", **noon))
    assert dependents(connection, removal) == [again]
    undo(connection, removal, cascade=True)
    assert rows(connection, "SELECT id, title FROM cognifold.node WHERE kind = 'time'") == [
        {"id": first, "title": "Noon"}
    ]


def test_a_removed_node_comes_back_with_its_accesses(
    connection: Connection, admin: Connection, tenant: str, events: list[UUID]
) -> None:
    music = make_concept(connection, "Music", events[1])
    admin.execute(
        "INSERT INTO cognifold.node_state (tenant_id, node_id, access_count, last_accessed) VALUES (%s, %s, 7, %s)",
        [tenant, music, "2026-03-01T00:00:00Z"],
    )
    removal = plan(connection, remove_node(music))
    undo(connection, removal)
    assert value(connection, "SELECT access_count FROM cognifold.concept WHERE id = %s", music) == 7


def test_an_undone_merge_gives_each_concept_its_own_accesses(
    connection: Connection, admin: Connection, tenant: str, events: list[UUID]
) -> None:
    one, other = make_concept(connection, "Alpha", events[1]), make_concept(connection, "Beta", events[2])
    for node, count in ((one, 5), (other, 2)):
        admin.execute(
            "INSERT INTO cognifold.node_state (tenant_id, node_id, access_count) VALUES (%s, %s, %s)",
            [tenant, node, count],
        )
    counts = "SELECT id, access_count FROM cognifold.concept ORDER BY title"
    merged = plan(connection, merge_nodes(one, other))
    assert [row["access_count"] for row in rows(connection, counts)] == [7, 2]
    back = UUID(undo(connection, merged)["plan_id"])
    assert [row["access_count"] for row in rows(connection, counts)] == [5, 2]
    undo(connection, back)
    assert [row["access_count"] for row in rows(connection, counts)] == [7, 2]


def test_what_an_undone_undo_merges_again_waits_for_no_pass(connection: Connection, events: list[UUID]) -> None:
    one, other = make_concept(connection, "Alpha", events[1]), make_concept(connection, "Beta", events[2])
    merged = plan(connection, merge_nodes(one, other))
    undo(connection, UUID(undo(connection, merged)["plan_id"]))
    assert rows(connection, "SELECT * FROM cognifold.check()") == []


def test_the_answer_to_an_intent_can_be_taken_back(connection: Connection, events: list[UUID]) -> None:
    intent = UUID(apply(connection, add_node("intent", "Pay the printer", events[0], ref="i"))["refs"]["i"])
    before = images(connection)
    theta = value(connection, "SELECT cognifold.theta('other')")
    event = value(connection, "SELECT cognifold.answer_intent(%s, 'reject', 'not mine')", intent)
    answered = value(connection, "SELECT plan_id FROM cognifold.folded_event WHERE event_id = %s", event)
    assert value(connection, "SELECT status FROM cognifold.intent") == "rejected"
    assert value(connection, "SELECT cognifold.theta('other')") > theta
    back = UUID(undo(connection, answered)["plan_id"])
    assert images(connection) == before
    assert value(connection, "SELECT status FROM cognifold.intent") == "pending"
    assert value(connection, "SELECT cognifold.theta('other')") == theta
    assert value(connection, "SELECT content FROM cognifold.event WHERE id = %s", event) == "not mine"
    undo(connection, back)
    assert value(connection, "SELECT status FROM cognifold.intent") == "rejected"
    assert violations(connection) == []


def test_a_consolidation_can_be_taken_back(connection: Connection, events: list[UUID]) -> None:
    make_concept(connection, "Music", events[1])
    before = images(connection)
    connection.execute("SELECT set_config('cognifold.now', '2027-03-02T00:00:00Z', false)")
    (faded,) = value(connection, "SELECT cognifold.consolidate()")["plans"]
    assert {edge["live"] for edge in edges(connection).values()} == {False}
    undo(connection, UUID(faded))
    assert images(connection) == before


def test_history_tells_what_was_done_to_a_node_and_by_whom(connection: Connection, events: list[UUID]) -> None:
    made = UUID(apply(connection, concept("Music", events[1], ref="m", reasoning="she plays"))["plan_id"])
    music = value(connection, "SELECT id FROM cognifold.concept")
    renamed = plan(connection, update_node(music, title="Violin", reasoning="more exact"))
    removed = plan(connection, remove_node(music, reasoning="wrong"))
    told = rows(connection, "SELECT * FROM cognifold.history(%s)", music)
    assert [(row["version"], row["plan_id"], row["relation"], row["change"]) for row in told] == [
        (1, made, "node", "made"), (1, made, "concept_state", "made"), (1, made, "graph_edge", "made"),
        (2, renamed, "node", "changed"),
        (3, removed, "node", "removed"), (3, removed, "concept_state", "removed"),
        (3, removed, "graph_edge", "removed"),
    ]  # fmt: skip
    assert told[3]["before"]["title"] == "Music" and told[3]["reasoning"] == "more exact"
    assert (told[2]["other_id"], told[2]["part"]) == (events[1], "grounds")
    assert {row["proposer"] for row in told} == {"user"} and {row["status"] for row in told} == {"applied"}


def test_a_plan_is_told_whole(connection: Connection, events: list[UUID]) -> None:
    made = plan(connection, concept("Music", events[1]))
    back = UUID(undo(connection, made)["plan_id"])
    told = value(connection, "SELECT cognifold.plan(%s)", made)
    assert (told["version"], told["status"], told["undone_by"], told["undoes"]) == (1, "undone", str(back), None)
    assert [entry["relation"] for entry in told["journal"]] == ["node", "concept_state", "graph_edge"]
    assert told["operations"][0]["title"] == "Music" and told["folded_events"] == []
    assert value(connection, "SELECT cognifold.plan(%s)", back)["undoes"] == str(made)


def test_the_client_speaks_the_same_words(memory: Memory) -> None:
    event = memory.remember("Anna practised the violin")
    memory.fold()
    first = memory.apply_plan({"operations": [concept("Music", event, ref="m")]})
    second = memory.apply_plan({"operations": [concept("music", event)]})
    with pytest.raises(DependentPlansError, match="1 later plan") as error:
        memory.undo_plan(first["plan_id"])
    assert error.value.dependents == (UUID(second["plan_id"]),)
    undone = memory.undo_plan(first["plan_id"], cascade=True)
    assert undone.undone == (UUID(second["plan_id"]), UUID(first["plan_id"])) and undone.rows_restored > 3
    assert memory.plan(first["plan_id"])["undone_by"] == str(undone.plan_id)
    assert memory.history(first["refs"]["m"])[-1].change == "removed"
    with pytest.raises(UnknownNodeError):
        memory.undo_plan(uuid4())


def test_a_row_does_not_come_back_to_a_node_that_has_gone(connection: Connection, events: list[UUID]) -> None:
    one, other = make_concept(connection, "Alpha", events[1]), make_concept(connection, "Beta", events[2])
    apply(connection, add_edge(one, "related_to", other), update_node(other, annotations={"x": 1}))
    edge = plan(connection, remove_edge(one, "related_to", other))
    note = plan(connection, update_node(other, annotations={"x": None}))
    before = images(connection)
    removal = plan(connection, remove_node(other))
    assert dependents(connection, edge) == [removal] and dependents(connection, note) == [removal]
    undo(connection, removal)
    merge = plan(connection, merge_nodes(one, other, survivor=one))
    assert dependents(connection, edge) == [merge]
    undo(connection, merge)
    assert images(connection) == before
    undo(connection, edge)
    assert (one, "related_to", other) in edges(connection)


def test_an_undo_leaves_nothing_without_provenance(connection: Connection, events: list[UUID]) -> None:
    intent = UUID(apply(connection, add_node("intent", "Practise", events[1], ref="i"))["refs"]["i"])
    more = plan(connection, add_edge(events[2], "grounds", intent))
    less = plan(connection, remove_edge(events[1], "grounds", intent))
    assert dependents(connection, more) == [less]
    assert undo(connection, more, cascade=True)["undone"] == [str(less), str(more)]
    assert set(edges(connection)) == {(events[1], "grounds", intent)}
    assert violations(connection) == []


def test_a_ring_of_concepts_that_rest_on_each_other_is_no_provenance(
    connection: Connection, events: list[UUID]
) -> None:
    one, other = make_concept(connection, "Alpha", events[1]), make_concept(connection, "Beta", events[2])
    apply(connection, add_edge(one, "derived_from", other), add_edge(other, "derived_from", one))
    apply(connection, remove_edge(events[1], "grounds", one))
    with pytest.raises(
        psycopg.Error, match=r'operation 0 \(REMOVE_EDGE\) would leave concept "Beta" without provenance'
    ):
        apply(connection, remove_edge(events[2], "grounds", other))


def test_an_undone_plan_does_not_pass_for_applied_when_it_is_sent_again(
    connection: Connection, events: list[UUID]
) -> None:
    sent = uuid4()
    result = apply(connection, concept("Music", events[1]), plan_id=sent)
    assert apply(connection, concept("Music", events[1]), plan_id=sent) == result
    back = UUID(undo(connection, sent)["plan_id"])
    with pytest.raises(psycopg.Error, match="was applied, and is undone") as error:
        apply(connection, concept("Music", events[1]), plan_id=sent)
    assert error.value.sqlstate == "CF023"
    undo(connection, back)
    assert apply(connection, concept("Music", events[1]), plan_id=sent) == result
