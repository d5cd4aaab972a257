"""Any sequence of plans does what the model says, and undoing takes exactly that back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from tests.conftest import Connection, value
from tests.graph.model import Key, Model
from tests.graph.plans import remember, rows, violations
from tests.graph.stored import Stored, assert_model, assert_same, model_rows, stored
from tests.graph.strategies import CLOCKS, HOURS, Draft, faulty, hour, plans, thorough

SAID = (
    "The kettle whistled",
    "A courier rang twice",
    "Frost on the seedlings",
    "The piano was tuned",
    "Snow fell at last",
)


class Graph:
    """A tenant's graph beside its model; what is done to the one is done to the other."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.state = stored(connection, derived=True)
        self.model = Model(model_rows(self.state))

    def apply(self, draft: Draft) -> str:
        """Apply a valid plan to both; its id."""
        plan = written(draft)
        note(f"{draft.clock} {plan}")
        result = value(self.connection, APPLY, draft.clock.isoformat(), Jsonb(plan))
        self.model.apply(plan["plan_id"], draft.operations, result["refs"], clock=draft.clock, trigger=draft.trigger)
        for key, image in self.read_journal(plan["plan_id"]).items():
            assert image == (self.state.get(key) and image_of(key, self.state[key])), key
        self.state = stored(self.connection, derived=True)
        return str(plan["plan_id"])

    def undo(self, plan_id: str, *, cascade: bool = False) -> list[str]:
        """Undo a plan in both; the plans that did so, first to last."""
        note(f"undo {plan_id} {cascade=}")
        expected = self.model.cascade(plan_id) if cascade else [plan_id]
        known = len(self.model.record)
        result = value(self.connection, "SELECT cognifold.undo_plan(%s, %s)", plan_id, cascade)
        assert result["undone"] == expected
        new = rows(self.connection, "SELECT * FROM cognifold.plan WHERE version > %s ORDER BY version", known)
        assert [str(row["undoes"]) for row in new] == expected
        assert {row["proposer"] for row in new} == {"undo"} and str(new[-1]["plan_id"]) == result["plan_id"]
        for row in new:
            self.model.undo(str(row["plan_id"]), str(row["undoes"]))
            self.read_journal(str(row["plan_id"]))
        self.state = stored(self.connection, derived=True)
        return [str(row["plan_id"]) for row in new]

    def read_journal(self, plan_id: str) -> Stored:
        """The journal names every row that changed, and no other but those that were written again as they were."""
        entries = journal(self.connection, plan_id)
        changed = self.model.record[plan_id].before.keys()
        ours = {key for key in entries if key[0] in ("node", "graph_edge", "concept_state", "annotation")}
        assert changed <= ours, changed - ours
        # Evidence mass alone, a strength at its end, an edge made and merged away.
        self.model.touched(plan_id, ours - changed)
        return entries

    def assert_equal(self) -> None:
        assert_model(self.state, self.model)
        assert violations(self.connection) == []
        status = {
            str(row["plan_id"]): (row["version"], row["status"])
            for row in rows(self.connection, "SELECT plan_id, version, status FROM cognifold.plan")
        }
        assert status == {
            plan.plan_id: (plan.version, "applied" if plan.applied else "undone") for plan in self.model.record.values()
        }


APPLY = (
    "SELECT cognifold.apply_plan(p.plan) FROM set_config('cognifold.now', %s, true), (VALUES (%s::jsonb)) AS p (plan)"
)


def written(draft: Draft) -> dict[str, Any]:
    plan: dict[str, Any] = {"plan_id": str(uuid4()), "operations": draft.operations}
    return plan if draft.trigger is None else {**plan, "trigger_event_id": draft.trigger}


def image_of(key: Key, row: dict[str, Any]) -> dict[str, Any]:
    """What the journal keeps of a row."""
    if key[0] == "concept_state":
        return {name: row[name] for name in ("node_id", "strength", "evidence_count", "evidence_potential")}
    return {name: found for name, found in row.items() if name != "title_key"}


def journal(connection: Connection, plan_id: str) -> Stored:
    entries = rows(connection, "SELECT * FROM cognifold.journal WHERE plan_id = %s ORDER BY position", plan_id)
    assert [entry["position"] for entry in entries] == list(range(len(entries)))
    found = {
        (
            entry["relation"],
            *(str(entry[name]) for name in ("node_id", "other_id", "part") if entry[name] is not None),
        ): entry["before"]
        for entry in entries
    }
    assert len(found) == len(entries), "one entry a row"
    return found


@pytest.fixture(scope="module")
def begun(dsn: str) -> Iterator[Connection]:
    """A tenant with five events that nothing has been made of yet; each example's transaction goes back there."""
    with psycopg.connect(dsn, autocommit=True, prepare_threshold=None) as connection:
        connection.execute("SELECT cognifold.create_tenant('properties')")
        connection.execute("SELECT set_config('cognifold.tenant', 'properties', false)")
        for said, number in zip(SAID, HOURS, strict=True):
            remember(connection, said, hour(number).isoformat())
        yield connection


clocks = st.lists(st.sampled_from(CLOCKS), min_size=1, max_size=6).map(sorted)
fewer_clocks = st.lists(st.sampled_from(CLOCKS), min_size=1, max_size=5).map(sorted)


@thorough
@given(data=st.data())
def test_any_sequence_of_plans_makes_the_graph_that_the_model_makes(begun: Connection, data: st.DataObject) -> None:
    with begun.transaction(force_rollback=True):
        graph = Graph(begun)
        for number, clock in enumerate(data.draw(clocks)):
            graph.apply(data.draw(plans(graph.model, number, clock=hour(clock))))
            graph.assert_equal()


@thorough
@given(data=st.data())
def test_a_plan_with_one_fault_is_refused_at_that_operation_and_changes_nothing(
    begun: Connection, data: st.DataObject
) -> None:
    with begun.transaction(force_rollback=True):
        graph = Graph(begun)
        for number in range(data.draw(st.integers(1, 2))):
            graph.apply(data.draw(plans(graph.model, number, longest=4)))
        draft, fault = data.draw(faulty(graph.model, 2))
        plan = written(draft)
        note(str(plan))
        with pytest.raises(psycopg.Error) as error, begun.transaction():
            begun.execute(APPLY.encode(), [draft.clock.isoformat(), Jsonb(plan)])
        assert error.value.sqlstate == "CF020", error.value
        wrong = draft.operations.pop(fault)
        assert str(error.value).startswith(f"plan rejected: operation {fault} ({wrong['op']})"), error.value
        assert stored(begun, derived=True) == graph.state
        if draft.operations:  # without it the plan is sound
            graph.apply(draft)
        graph.assert_equal()


@thorough
@given(data=st.data())
def test_undone_newest_first_each_plan_leaves_the_graph_exactly_as_it_found_it(
    begun: Connection, data: st.DataObject
) -> None:
    """And undoing the undos, newest first again, brings back exactly what each had taken."""
    with begun.transaction(force_rollback=True):
        graph = Graph(begun)
        states = [graph.state]
        done: list[str] = []
        for number, clock in enumerate(data.draw(fewer_clocks)):
            done.append(graph.apply(data.draw(plans(graph.model, number, clock=hour(clock), longest=5))))
            states.append(graph.state)
        back: list[str] = []
        for plan_id, state in zip(reversed(done), reversed(states[:-1]), strict=True):
            back += graph.undo(plan_id)
            assert_same(graph.state, state)
        assert violations(begun) == []
        for undo_id, state in zip(reversed(back), states[1:], strict=True):
            graph.undo(undo_id)
            assert_same(graph.state, state)
        graph.assert_equal()


@thorough
@given(data=st.data())
def test_undone_out_of_order_a_plan_is_refused_with_its_dependents_or_goes_alone_or_with_them(
    begun: Connection, data: st.DataObject
) -> None:
    with begun.transaction(force_rollback=True):
        graph = Graph(begun)
        number = 0
        for number, clock in enumerate(data.draw(fewer_clocks)):
            graph.apply(data.draw(plans(graph.model, number, clock=hour(clock), longest=4)))
        for _ in range(data.draw(st.integers(1, 4))):
            plan_id, cascade = data.draw(st.sampled_from(list(graph.model.record))), data.draw(st.booleans())
            plan = graph.model.record[plan_id]
            if not plan.applied:
                by = [one.plan_id for one in graph.model.record.values() if one.undoes == plan_id and one.applied]
                assert refused(graph, plan_id, cascade) == (f"plan {plan_id} is undone already, by plan {by[-1]}", [])
            elif not cascade and (dependents := graph.model.in_turn(plan_id)):
                message = f"plan {plan_id} cannot be undone: {len(dependents)} later plan(s) build on it"
                assert refused(graph, plan_id, cascade) == (message, dependents)
            else:
                graph.undo(plan_id, cascade=cascade)
            graph.assert_equal()
        # What stands then can be built on as ever.
        graph.apply(data.draw(plans(graph.model, number + 1, clock=hour(CLOCKS[-1]), longest=4)))
        graph.assert_equal()


def refused(graph: Graph, plan_id: str, cascade: bool) -> tuple[str, list[str]]:
    """What is said of an undo that is refused; nothing has changed."""
    with pytest.raises(psycopg.Error) as error, graph.connection.transaction():
        graph.connection.execute("SELECT cognifold.undo_plan(%s, %s)", [plan_id, cascade])
    assert error.value.sqlstate == "CF023", error.value
    assert stored(graph.connection, derived=True) == graph.state
    return str(error.value.diag.message_primary), json.loads(error.value.diag.message_detail or "[]")
