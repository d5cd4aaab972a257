"""Whatever made a change can be undone, back to the beginning: folds, passes, intents and answers as well as plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import psycopg
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from tests.conftest import Connection, value
from tests.graph.model import Model
from tests.graph.plans import remember, rows, violations
from tests.graph.stored import Stored, assert_same, model_rows, stored
from tests.graph.strategies import EXAMPLES, hour, plans, thorough

# Two things that come up again and again, one of them with something to be done, and one that does not.
SAID = (
    "The cello lesson with Marta was moved",
    "The cello lesson with Marta went well",
    "We must fix the leak under the sink",
    "The leak under the sink came back, I am worried",
    "Marta put new strings on the cello before the lesson",
    "I need to call a plumber about the leak under the sink by Friday",
    "Snow fell at last",
    "The sink leaks again",
    "The cello lesson with Marta is paid",
    "The leak under the sink must be fixed, call the plumber",
)


@pytest.fixture(scope="module")
def lived(dsn: str) -> Iterator[Connection]:
    """A tenant with some events that wait to be folded; each example's transaction goes back there."""
    with psycopg.connect(dsn, autocommit=True, prepare_threshold=None) as connection:
        connection.execute("SELECT cognifold.create_tenant('lived')")
        connection.execute("SELECT set_config('cognifold.tenant', 'lived', false)")
        for number, said in enumerate(SAID):
            remember(connection, said, hour(-40 + number).isoformat())
        yield connection


class Life:
    """What can happen to a memory, in any order."""

    def __init__(self, connection: Connection, data: st.DataObject) -> None:
        self.connection, self.data = connection, data
        self.number = 0

    def happen(self, clock: datetime) -> None:
        self.number += 1
        self.connection.execute("SELECT set_config('cognifold.now', %s, true)", [clock.isoformat()])
        step: Callable[[], Any] = self.data.draw(
            st.sampled_from(
                [
                    self.fold,
                    self.fold,
                    self.plan,
                    self.consolidate,
                    self.emit,
                    self.answer,
                    self.reopen,
                    self.act,
                    self.undo,
                ]
            )
        )
        note(f"{clock} {step.__name__}")
        step()

    def fold(self) -> None:
        outcomes = rows(self.connection, "SELECT outcome FROM cognifold.fold(%s)", self.data.draw(st.integers(1, 4)))
        assert {row["outcome"] for row in outcomes} <= {"folded"}

    def plan(self) -> None:
        model = Model(model_rows(stored(self.connection)))
        draft = self.data.draw(plans(model, self.number, longest=4))
        self.connection.execute("SELECT cognifold.apply_plan(%s)", [Jsonb({"operations": draft.operations})])

    def consolidate(self) -> None:
        self.connection.execute("SELECT cognifold.consolidate()")

    def emit(self) -> None:
        self.connection.execute("SELECT cognifold.set_setting('intent.theta', 0.1)")
        self.connection.execute("SELECT cognifold.emit_intents()")

    def answer(self) -> None:
        open_ones = rows(self.connection, "SELECT id FROM cognifold.intent WHERE status = 'pending' ORDER BY id")
        if open_ones:
            word = self.data.draw(st.sampled_from(["accept", "defer", "reject", "resolve"]))
            self.connection.execute("SELECT cognifold.answer_intent(%s, %s)", [open_ones[0]["id"], word])

    def reopen(self) -> None:
        # Where another of its concept is open it would be refused.
        query = """
            SELECT i.id FROM cognifold.intent AS i WHERE i.status IN ('resolved', 'rejected') AND NOT EXISTS (
                SELECT FROM cognifold.edge AS e
                JOIN cognifold.edge AS o ON o.source_id = e.source_id AND o.type = e.type
                JOIN cognifold.intent AS r ON r.id = o.target_id AND r.closed_at IS NULL
                WHERE e.target_id = i.id AND e.type = 'triggers')
            ORDER BY i.id LIMIT 1"""
        for closed in rows(self.connection, query):
            self.connection.execute("SELECT cognifold.answer_intent(%s, 'reopen')", [closed["id"]])

    def act(self) -> None:
        query = (
            "SELECT id FROM cognifold.intent WHERE status IN ('pending', 'scheduled', 'deferred') ORDER BY id LIMIT 1"
        )
        for intent in rows(self.connection, query):
            self.connection.execute("SELECT cognifold.propose_actions(%s)", [intent["id"]])
            what = f"Step {self.number}"
            position = value(self.connection, "SELECT cognifold.set_action(%s, what => %s)", intent["id"], what)
            if self.data.draw(st.booleans()):
                self.connection.execute(
                    "SELECT cognifold.set_action(%s, %s, status => 'done')", [intent["id"], position]
                )

    def undo(self) -> None:
        done = rows(self.connection, "SELECT plan_id FROM cognifold.plan WHERE status = 'applied' ORDER BY version")
        if done:
            plan = self.data.draw(st.sampled_from(range(len(done))))
            self.connection.execute("SELECT cognifold.undo_plan(%s, true)", [done[plan]["plan_id"]])


def looked_at(connection: Connection) -> tuple[int, Stored]:
    """The version of the graph, and the graph without its events, which nothing takes back."""
    found = stored(connection, derived=True)
    return value(connection, "SELECT coalesce(max(version), 0) FROM cognifold.plan"), {
        key: row for key, row in found.items() if key[0] != "node" or row["kind"] != "event"
    }


@settings(thorough, max_examples=max(20, EXAMPLES // 10))
@given(data=st.data())
def test_a_life_is_walked_back_plan_by_plan(lived: Connection, data: st.DataObject) -> None:
    with lived.transaction(force_rollback=True):
        life = Life(lived, data)
        states = dict([looked_at(lived)])
        for number in range(data.draw(st.integers(2, 7))):
            life.happen(hour(data.draw(st.sampled_from([0.0, 1.0, 300.0])) + 300 * number))
            states.update([looked_at(lived)])
        assert violations(lived) == []
        done = rows(lived, "SELECT plan_id, version, proposer FROM cognifold.plan ORDER BY version DESC")
        for plan in done:
            assert value(lived, "SELECT cognifold.undo_plan(%s)", plan["plan_id"])["undone"] == [str(plan["plan_id"])]
            if (state := states.get(plan["version"] - 1)) is not None:
                assert_same(looked_at(lived)[1], state)
        assert violations(lived) == []
