"""Edges between events: what came before, what is alike; and that proposing them changes nothing."""

from __future__ import annotations

from datetime import timedelta

from psycopg.types.json import Jsonb

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.conftest import Connection, value
from tests.fold.stream import START, bookbinder, links, live, proposed, told
from tests.graph.plans import snapshot


def test_propose_changes_nothing(memory: Memory, admin: Connection, tenant: str) -> None:
    live(memory, told("Postgres pool exhausted", "The postgres pool is exhausted by Friday"))
    event = memory.remember("Postgres pool exhausted again", occurred_at=START + timedelta(days=1))
    before = snapshot(admin, tenant)
    plan = memory.propose(event)
    assert {operation["op"] for operation in plan["operations"]} == {"ADD_EDGE"}
    assert snapshot(admin, tenant) == before
    assert memory.propose(event) == plan


def test_what_the_planner_proposes_is_never_at_fault(memory: Memory, admin: Connection, tenant: str) -> None:
    """A fold does not look again at edges that the planner has found; here each of its plans is looked at."""
    seen = set()
    for event in bookbinder():
        [waiting] = memory.remember_many([event]).ids
        plan = memory.propose(waiting)
        assert value(admin, "SELECT cognifold.plan_problem(%s, %s, 'sql')", tenant, Jsonb(plan)) is None
        seen |= {(operation["op"], operation.get("type")) for operation in plan["operations"]}
        memory.fold(1)
    assert {("ADD_EDGE", "reinforces"), ("ADD_EDGE", "related_to"), ("ADD_NODE", None)} <= seen


def test_the_last_event_of_the_same_source_and_actor_precedes(memory: Memory) -> None:
    said = [
        ("mail", "Anna", "Frost"),
        ("mail", "Tom", "Violins"),
        ("mail", "Anna", "Toner"),
        ("chat", "Anna", "Canoes"),
        (None, None, "Visas"),
        ("mail", "Anna", "Teeth"),
        (None, None, "Bees"),
    ]
    live(memory, [
        Experience(text, source=source, actor=actor, occurred_at=START + timedelta(hours=place),
                   idempotency_key=str(place))
        for place, (source, actor, text) in enumerate(said)
    ])  # fmt: skip
    assert links(memory, "precedes") == {("0", "2"), ("2", "5"), ("4", "6")}


def test_a_voice_heard_long_ago_still_precedes(memory: Memory) -> None:
    """Beyond the latest events, among which it is looked for first."""
    first = memory.remember("The beekeeper sells honey", occurred_at=START, actor="Ivo")
    readings = (f"Reading {number} of the gauge" for number in range(210))
    memory.remember_many(told(*readings, start=START + timedelta(hours=1), actor="Gauge"))
    last = memory.remember("A swarm settled in the chimney", occurred_at=START + timedelta(days=90), actor="Ivo")
    (operation,) = proposed(memory, last, "ADD_EDGE", "precedes")
    assert operation["source"] == str(first)


def test_an_event_is_related_to_three_others_at_most_and_the_most_alike(memory: Memory) -> None:
    texts = (
        ["Postgres pool exhausted"] * 2 + ["The postgres pool needs a larger machine"] * 3 + ["A novel about whaling"]
    )
    live(memory, told(*texts, "Postgres pool exhausted"))
    related = {target for source, target in links(memory, "related_to") if source == "6"}
    assert len(related) == 3
    assert {"0", "1"} <= related  # the two that say exactly the same
    assert "5" not in related


def test_equal_texts_are_linked_to_the_latest(memory: Memory) -> None:
    live(memory, told(*["Postgres pool exhausted"] * 6))
    assert {target for source, target in links(memory, "related_to") if source == "5"} == {"4", "3", "2"}


def test_how_many_are_related_is_a_setting(memory: Memory, connection: Connection) -> None:
    connection.execute("SELECT cognifold.set_setting('fold.related', 1)")
    live(memory, told(*["Postgres pool exhausted"] * 4))
    assert links(memory, "related_to") == {("1", "0"), ("2", "1"), ("3", "2")}


def test_a_deadline_hangs_on_a_time_that_events_share(memory: Memory) -> None:
    live(memory, [
        Experience("File the tax return by Friday", occurred_at=START, idempotency_key="text"),
        Experience("Sandbags", occurred_at=START, payload={"deadline": "2026-03-06"}, idempotency_key="payload"),
    ])  # fmt: skip
    rows = memory.rows("SELECT n.title, n.occurred_precision, e.idempotency_key AS key FROM cognifold.edge AS g "
                       "JOIN cognifold.node AS n ON n.id = g.source_id JOIN cognifold.event AS e ON e.id = g.target_id "
                       "WHERE g.type = 'deadline_for' ORDER BY 3")  # fmt: skip
    assert rows == [{"title": "6 March 2026", "occurred_precision": "day", "key": key} for key in ("payload", "text")]
    assert len(memory.rows("SELECT id FROM cognifold.node WHERE kind = 'time'")) == 1
