"""Any sequence of valid plans does in SQL what a small model in Python says it does."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Connection, at, value
from tests.graph.plans import START, Operation, add_edge, add_node, apply, concept, remember, rows, violations

HOURS = [-60.0, -20.0, -20.0, 40.0]  # of four events, from START; so near that no edge fades and nothing is woken
TITLES = ["Ants", "Bees", "Cats"]
INTENTS = ["Feed them", "Walk them"]
RATE = {"event": 0.005, "concept": 0.0005, "intent": 0.0005}
DEFAULT = {"grounds": 0.9, "reinforces": 0.7, "part_of": 0.7, "derived_from": 0.6, "related_to": 0.5, "causes": 0.9,
           "triggers": 0.8}  # fmt: skip
EVIDENCE = ("grounds", "reinforces")

Key = tuple[str, str, str]


@dataclass
class Edge:
    potential: float
    inferred: bool


@dataclass
class Concept:
    strength: float = 0.5
    evidence_count: int = 0


@dataclass
class Model:
    """The graph by names: events are "0".."3", concepts and intents go by their titles."""

    concepts: dict[str, Concept] = field(default_factory=dict)
    intents: list[str] = field(default_factory=list)
    edges: dict[Key, Edge] = field(default_factory=dict)

    def kind(self, name: str) -> str:
        return "event" if name.isdigit() else "intent" if name in INTENTS else "concept"

    def apply(self, plan: list[dict[str, Any]], trigger: int | None) -> None:
        clock = HOURS[trigger] if trigger is not None else 0.0
        born = {step["title"] for step in plan if step["op"] == "concept" and step["title"] not in self.concepts}
        claims: dict[Key, list[tuple[float | None, bool, int]]] = {}
        for position, step in enumerate(plan):
            if step["op"] == "edge":
                claims.setdefault((step["source"], step["type"], step["target"]), []).append(
                    (step["weight"], step["inferred"], position)
                )
                continue
            title = step["title"]
            if step["op"] == "intent":
                self.intents.append(title)
            elif title in born:
                self.concepts.setdefault(title, Concept())
            for name in step["grounded_in"]:
                if step["op"] == "intent":
                    key = (name, "grounds" if name.isdigit() else "triggers", title)
                elif not name.isdigit():
                    key = (title, "derived_from", name)
                else:
                    key = (name, "grounds" if title in born else "reinforces", title)
                if key[0] != key[2]:
                    claims.setdefault(key, []).append((None, False, position))
        for key, said in claims.items():
            self.state(key, said, clock)
        # One reinforcement for each operation that speaks for a concept that was there; a new one counts its events.
        for title in self.concepts:
            speaking = [(key, said) for key, said in claims.items() if key[2] == title and key[1] in EVIDENCE]
            stated = [
                (key, min(where for _, _, where in said)) for key, said in speaking if not all(g for _, g, _ in said)
            ]
            if title in born:
                self.concepts[title].evidence_count += len({key[0] for key, _ in stated})
            else:
                steps = len({self.position(said) for key, said in speaking if not all(g for _, g, _ in said)})
                self.concepts[title].evidence_count += steps
                self.concepts[title].strength = min(1, self.concepts[title].strength + 0.1 * steps)

    @staticmethod
    def position(said: list[tuple[float | None, bool, int]]) -> int:
        """The operation an edge is put down to: that of the largest stated weight, else the first."""
        return min(said, key=lambda claim: (-(claim[0] or 0), claim[2]))[2]

    def state(self, key: Key, said: list[tuple[float | None, bool, int]], clock: float) -> None:
        stamp = HOURS[int(key[0])] if key[0].isdigit() else clock
        weights = [weight for weight, _, _ in said if weight is not None]
        only_guessed = all(guess for _, guess, _ in said)
        lost = RATE[self.kind(key[0])] * stamp
        if key in self.edges:
            edge = self.edges[key]
            edge.potential = math.log(math.exp(edge.potential) + 0.1 * math.exp(lost))
            edge.inferred = edge.inferred and only_guessed
        else:
            self.edges[key] = Edge(math.log(max(weights, default=DEFAULT[key[1]])) + lost, only_guessed)


@st.composite
def steps(draw: st.DrawFn) -> dict[str, Any]:
    """One operation, by names; edges may name concepts that do not exist (they are left out then)."""
    op = draw(st.sampled_from(["concept", "concept", "edge", "edge", "edge", "intent"]))
    if op != "edge":
        title = draw(st.sampled_from(TITLES if op == "concept" else INTENTS))
        grounds = st.sampled_from(["0", "1", "2", "3", *TITLES])
        return {"op": op, "title": title, "grounded_in": draw(st.lists(grounds, min_size=1, max_size=4))}
    type_ = draw(
        st.sampled_from(["grounds", "grounds", "reinforces", "part_of", "derived_from", "related_to", "causes"])
    )
    event, topic = st.sampled_from("0123"), st.sampled_from(TITLES)
    source = {"derived_from": topic, "part_of": event | topic, "related_to": event | topic}.get(type_, event)
    target = {"causes": event, "related_to": event | topic}.get(type_, topic)
    return {
        "op": "edge", "type": type_, "source": draw(source), "target": draw(target),
        "weight": draw(st.none() | st.sampled_from([0.2, 0.3, 0.9, 1.0])), "inferred": draw(st.booleans()),
    }  # fmt: skip


plans = st.lists(
    st.tuples(st.lists(steps(), min_size=2, max_size=8), st.none() | st.integers(0, 3)), min_size=2, max_size=8
)


def valid(plan: list[dict[str, Any]], known: set[str]) -> list[dict[str, Any]]:
    """The plan without what would make it invalid: unknown names, self-references, concepts named twice."""
    kept: list[dict[str, Any]] = []
    made: set[str] = set()
    for step in plan:
        if step["op"] == "edge":
            names = {name for name in (step["source"], step["target"]) if not name.isdigit()}
            if names <= known | made and step["source"] != step["target"]:
                kept.append(step)
            continue
        grounds = [name for name in step["grounded_in"] if name.isdigit() or name in known]
        if grounds and step["title"] not in made and not (step["op"] == "intent" and step["title"] in known):
            made.add(step["title"])
            kept.append({**step, "grounded_in": grounds})
    return kept


def operations(plan: list[dict[str, Any]], ids: dict[str, UUID]) -> list[Operation]:
    refs = {step["title"]: f"ref-{step['title'].replace(' ', '-')}" for step in plan if step["op"] != "edge"}

    def name(word: str) -> str:
        return str(ids[word]) if word in ids else refs[word]

    found = []
    for step in plan:
        if step["op"] == "edge":
            more = {} if step["weight"] is None else {"weight": step["weight"]}
            found.append(
                add_edge(name(step["source"]), step["type"], name(step["target"]), inferred=step["inferred"], **more)
            )
        else:
            make = concept if step["op"] == "concept" else lambda *a, **m: add_node("intent", *a, **m)
            found.append(
                make(step["title"], *(name(ground) for ground in step["grounded_in"]), ref=refs[step["title"]])
            )
    return found


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stream=plans)
def test_the_graph_is_what_the_model_says(
    connection: Connection, stream: list[tuple[list[dict[str, Any]], int | None]]
) -> None:
    model = Model()
    with connection.transaction(force_rollback=True):
        ids = {
            str(number): remember(
                connection, f"Animal number {number}", (at(START) + timedelta(hours=hours)).isoformat()
            )
            for number, hours in enumerate(HOURS)
        }
        for drawn, trigger in stream:
            plan = valid(drawn, set(ids) - set("0123"))
            more = {} if trigger is None else {"trigger_event_id": ids[str(trigger)]}
            refs = apply(connection, *operations(plan, ids), **more)["refs"]
            model.apply(plan, trigger)
            for step in plan:
                if step["op"] != "edge":
                    found = UUID(refs[f"ref-{step['title'].replace(' ', '-')}"])
                    assert ids.setdefault(step["title"], found) == found
        compare(connection, model, ids)
        assert violations(connection) == []


def compare(connection: Connection, model: Model, ids: dict[str, UUID]) -> None:
    names = {id_: name for name, id_ in ids.items()}
    hours = value(connection, "SELECT cognifold.hours(%s)", START)
    stored = {
        (names[row["source_id"]], row["type"], names[row["target_id"]]): row
        for row in rows(connection, "SELECT * FROM cognifold.graph_edge")
    }
    assert set(stored) == set(model.edges)
    for key, edge in model.edges.items():
        # The product counts D from 1970, the model from START.
        since_1970 = edge.potential + RATE[model.kind(key[0])] * hours
        assert stored[key]["potential"] == pytest.approx(since_1970, rel=1e-13, abs=1e-9), key
        assert stored[key]["inferred"] is edge.inferred, key
    cursor = connection.cursor(row_factory=psycopg.rows.dict_row)
    states = {row["title"]: row for row in cursor.execute(
        "SELECT c.title, c.strength, c.evidence_count, c.evidence_mass, s.event_count FROM cognifold.concept AS c "
        "JOIN cognifold.concept_state AS s ON s.tenant_id = c.tenant_id AND s.node_id = c.id")}  # fmt: skip
    assert set(states) == set(model.concepts)
    for title, topic in model.concepts.items():
        evidence = {key: edge for key, edge in model.edges.items()
                    if key[2] == title and key[1] in EVIDENCE and not edge.inferred}  # fmt: skip
        state = states[title]
        assert state["strength"] == pytest.approx(topic.strength, rel=1e-12)
        assert state["evidence_count"] == topic.evidence_count
        assert state["event_count"] == len({key[0] for key in evidence})
        mass = math.fsum(math.exp(edge.potential) for edge in evidence.values())
        assert state["evidence_mass"] == pytest.approx(mass, rel=1e-8)
    assert sorted(row["title"] for row in rows(connection, "SELECT title FROM cognifold.intent")) == sorted(
        model.intents
    )
