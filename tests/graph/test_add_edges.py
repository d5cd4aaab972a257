"""ADD_EDGE: default weights, legality, stated weights, and an edge stated again."""

from __future__ import annotations

import math
from collections.abc import Callable
from uuid import UUID

import psycopg
import pytest

from tests.conftest import Connection, value
from tests.graph.plans import START, add_edge, add_node, apply, edges, make_concept, remember, violations

# SPEC section 3, as a table of its own.
DEFAULT_WEIGHTS = {
    "grounds": 0.9, "causes": 0.9, "triggers": 0.8, "user_feedback": 0.8, "reinforces": 0.7, "part_of": 0.7,
    "derived_from": 0.6, "deadline_for": 0.6, "related_to": 0.5, "precedes": 0.5, "contradicts": 0.8,
}  # fmt: skip
KINDS = ("event", "concept", "intent", "time")
LEGAL = {
    ("event", "grounds", "concept"), ("event", "grounds", "intent"),
    ("event", "causes", "event"),
    ("concept", "triggers", "intent"), ("event", "triggers", "intent"),
    ("event", "user_feedback", "intent"),
    ("event", "reinforces", "concept"),
    ("event", "part_of", "concept"), ("concept", "part_of", "concept"),
    ("concept", "derived_from", "concept"),
    ("time", "deadline_for", "intent"), ("time", "deadline_for", "event"),
    ("event", "precedes", "event"),
    ("event", "contradicts", "event"), ("concept", "contradicts", "concept"),
    *((source, "related_to", target) for source in KINDS for target in KINDS),
}  # fmt: skip


@pytest.fixture
def pairs(connection: Connection) -> dict[str, tuple[UUID, UUID]]:
    """Two nodes of each kind; the events happened at START."""
    a, b, ground = (remember(connection, text) for text in ("A first event", "Another one", "The ground"))
    one, other = make_concept(connection, "Music", ground), make_concept(connection, "Garden", ground)
    refs = apply(
        connection,
        add_node("intent", "Practise", ground, ref="i"), add_node("intent", "Water it", ground, ref="j"),
        add_node("time", "Noon", ref="t", occurred_at="2026-03-02T12:00:00Z"),
        add_node("time", "Night", ref="u", occurred_at="2026-03-02T23:00:00Z"),
    )["refs"]  # fmt: skip
    i, j, t, u = (UUID(refs[name]) for name in "ijtu")
    return {"event": (a, b), "concept": (one, other), "intent": (i, j), "time": (t, u)}


def test_every_legal_edge_has_the_default_weight_of_its_type(
    connection: Connection, pairs: dict[str, tuple[UUID, UUID]]
) -> None:
    for source_kind, type_, target_kind in sorted(LEGAL):
        source, target = pairs[source_kind][0], pairs[target_kind][1]
        apply(connection, add_edge(source, type_, target))
        edge = edges(connection)[source, type_, target]
        assert edge["weight"] == pytest.approx(DEFAULT_WEIGHTS[type_], rel=1e-9), (source_kind, type_, target_kind)
        assert edge["rate"] == ("episodic" if source_kind == "event" else "semantic")
        assert (edge["source_kind"], edge["target_kind"], edge["inferred"]) == (source_kind, target_kind, False)
    assert {type_ for _, type_, _ in LEGAL} == set(DEFAULT_WEIGHTS)
    assert violations(connection) == []


def test_every_other_edge_is_refused_with_what_would_be_legal(
    connection: Connection, pairs: dict[str, tuple[UUID, UUID]]
) -> None:
    before = edges(connection)
    for type_ in DEFAULT_WEIGHTS:
        legal = sorted((s, t) for s, of_type, t in LEGAL if of_type == type_)
        for source_kind in KINDS:
            for target_kind in KINDS:
                if (source_kind, target_kind) in legal:
                    continue
                with pytest.raises(psycopg.Error) as refused:
                    apply(connection, add_edge(pairs[source_kind][0], type_, pairs[target_kind][1]))
                assert refused.value.sqlstate == "CF020"
                assert refused.value.diag.message_primary == (
                    f"plan rejected: operation 0 (ADD_EDGE): {type_} cannot join {source_kind} -> {target_kind}; "
                    "legal are: " + ", ".join(f"{s} -> {t}" for s, t in legal)
                )
    assert edges(connection) == before


def test_an_illegal_edge_cannot_be_stored_even_past_the_verbs(
    connection: Connection, admin: Connection, tenant: str, pairs: dict[str, tuple[UUID, UUID]]
) -> None:
    def insert(source: UUID, type_: str, target: UUID, source_kind: str, target_kind: str) -> None:
        admin.execute(
            "INSERT INTO cognifold.graph_edge (tenant_id, source_id, target_id, type, source_kind, target_kind, rate, "
            "potential, stamped_at, created_at, plan_id) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s, 0, now(), now(), gen_random_uuid())",
            [tenant, source, target, type_, source_kind, target_kind,
             "episodic" if source_kind == "event" else "semantic"],
        )  # fmt: skip

    (event, other_event), (music, _) = pairs["event"], pairs["concept"]
    with pytest.raises(psycopg.errors.ForeignKeyViolation, match="graph_edge_type_source_kind"):
        insert(music, "grounds", event, "concept", "event")
    with pytest.raises(psycopg.errors.ForeignKeyViolation):  # nor under another kind than the node's
        insert(music, "grounds", other_event, "event", "concept")
    with pytest.raises(psycopg.errors.CheckViolation):
        insert(event, "causes", event, "event", "event")


def test_no_role_writes_the_graph_but_through_the_verbs(connection: Connection, events: list[UUID]) -> None:
    for statement in (
        "UPDATE cognifold.node SET title = 'x'", "DELETE FROM cognifold.graph_edge", "DELETE FROM cognifold.journal",
        "UPDATE cognifold.node_content SET content = 'x'", "INSERT INTO cognifold.plan DEFAULT VALUES",
        "SELECT cognifold.execute_plan('x', '{}', 'user')", "SELECT cognifold.plan_problem('x', '{}')",
    ):  # fmt: skip
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement.encode())


@pytest.mark.parametrize("weight", [1, 0.25, 1e-12])
def test_a_stated_weight_is_taken_as_it_is(connection: Connection, events: list[UUID], weight: float) -> None:
    apply(connection, add_edge(events[2], "causes", events[3], weight=weight))
    mass = edges(connection)[events[2], "causes", events[3]]["mass"]
    assert mass == pytest.approx(weight * math.exp(-0.005 * 2), rel=1e-9)


def test_a_stated_weight_of_an_implied_edge_goes_before_the_default(connection: Connection, events: list[UUID]) -> None:
    refs = apply(
        connection,
        add_node("concept", "Frost", events[2], events[3], ref="c"),
        add_edge(events[2], "grounds", "c", weight=0.3),
    )["refs"]
    found = edges(connection)
    frost = UUID(refs["c"])
    assert found[events[2], "grounds", frost]["mass"] == pytest.approx(0.3 * math.exp(-0.01), rel=1e-9)
    assert found[events[3], "grounds", frost]["mass"] == pytest.approx(0.9 * math.exp(-0.005), rel=1e-9)


def test_an_edge_stated_again_gains_a_tenth_whatever_weight_is_named(
    connection: Connection, events: list[UUID]
) -> None:
    for _ in range(2):
        result = apply(connection, add_edge(events[2], "causes", events[3], weight=0.4))
    assert (result["counts"]["edges_added"], result["counts"]["edges_reinforced"]) == (0, 1)
    mass = edges(connection)[events[2], "causes", events[3]]["mass"]
    assert mass == pytest.approx(0.5 * math.exp(-0.01), rel=1e-9)


def test_how_much_a_repeated_statement_adds_is_a_setting(connection: Connection, events: list[UUID]) -> None:
    connection.execute("SELECT cognifold.set_setting('edge.reinforcement', 0.25)")
    for _ in range(2):
        apply(connection, add_edge(events[2], "causes", events[3], weight=0.4))
    mass = edges(connection)[events[2], "causes", events[3]]["mass"]
    assert mass == pytest.approx(0.65 * math.exp(-0.01), rel=1e-9)


def test_an_inferred_edge_is_no_evidence_until_an_event_states_it(connection: Connection, events: list[UUID]) -> None:
    frost = make_concept(connection, "Frost", events[2])
    apply(connection, add_edge(events[3], "grounds", frost, inferred=True, weight=0.4))
    state = "SELECT evidence_mass, evidence_count, strength FROM cognifold.concept WHERE id = %s"
    assert connection.execute(state, [frost]).fetchone() == (
        pytest.approx(0.9 * math.exp(-0.01), rel=1e-9), 1, 0.5
    )  # fmt: skip
    assert edges(connection)[events[3], "grounds", frost]["inferred"] is True
    assert violations(connection) == []

    apply(connection, add_edge(events[3], "grounds", frost))
    assert edges(connection)[events[3], "grounds", frost]["inferred"] is False
    assert connection.execute(state, [frost]).fetchone() == (
        pytest.approx(0.9 * math.exp(-0.01) + 0.5 * math.exp(-0.005), rel=1e-9), 2, pytest.approx(0.6)
    )  # fmt: skip
    assert violations(connection) == []


def test_a_stated_edge_never_becomes_inferred_again(connection: Connection, events: list[UUID]) -> None:
    frost = make_concept(connection, "Frost", events[2])
    apply(connection, add_edge(events[2], "grounds", frost, inferred=True))
    assert edges(connection)[events[2], "grounds", frost]["inferred"] is False
    assert violations(connection) == []


def test_metadata_and_direction_are_kept_and_added_to(connection: Connection, events: list[UUID]) -> None:
    apply(connection, add_edge(events[0], "related_to", events[1], metadata={"a": 1, "b": 2}))
    apply(connection, add_edge(events[0], "related_to", events[1], metadata={"b": 3}, bidirectional=True))
    apply(connection, add_edge(events[0], "related_to", events[1]))
    edge = edges(connection)[events[0], "related_to", events[1]]
    assert (edge["metadata"], edge["bidirectional"]) == ({"a": 1, "b": 3}, True)


def test_an_edge_between_concepts_is_stamped_with_its_trigger_and_else_with_the_clock(
    connection: Connection, pairs: dict[str, tuple[UUID, UUID]], events: list[UUID]
) -> None:
    (music, garden) = pairs["concept"]
    apply(connection, add_edge(music, "related_to", garden))
    apply(connection, add_edge(garden, "related_to", music), trigger_event_id=events[0])
    found = edges(connection)
    assert found[music, "related_to", garden]["mass"] == pytest.approx(0.5, rel=1e-9)
    assert found[garden, "related_to", music]["mass"] == pytest.approx(0.5 * math.exp(-0.0005 * 4), rel=1e-9)


def test_another_tenants_graph_is_out_of_reach_and_unchanged(
    connection: Connection, events: list[UUID], new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    other = connect(new_tenant(), now=START)
    theirs = remember(other, "A secret of theirs")
    topic = make_concept(other, "Secrets", theirs)
    before = edges(other)
    for node in (theirs, topic):
        for operation in (
            add_edge(node, "related_to", events[0]), add_edge(events[0], "related_to", node),
            add_node("concept", "Stolen", node), add_node("intent", "Stolen", events[0], node),
            {"op": "UPDATE_NODE", "node": str(node), "title": "Stolen"},
        ):  # fmt: skip
            with pytest.raises(psycopg.Error, match="is no node of this tenant") as refused:
                apply(connection, operation)
            assert refused.value.sqlstate == "CF020"
    with pytest.raises(psycopg.Error, match="not an event of this tenant"):
        apply(connection, trigger_event_id=theirs)
    assert edges(other) == before and value(other, "SELECT title FROM cognifold.concept") == "Secrets"


def test_an_edge_said_twice_in_one_plan_is_said_once_with_the_larger_weight(
    connection: Connection, events: list[UUID]
) -> None:
    result = apply(
        connection,
        add_edge(events[2], "causes", events[3], weight=0.3, inferred=True),
        add_edge(events[2], "causes", events[3], weight=0.6),
        add_edge(events[2], "causes", events[3]),
    )
    assert (result["counts"]["edges_added"], result["counts"]["edges_reinforced"]) == (1, 0)
    edge = edges(connection)[events[2], "causes", events[3]]
    assert edge["mass"] == pytest.approx(0.6 * math.exp(-0.01), rel=1e-9)
    assert edge["inferred"] is False  # one of the three states it
