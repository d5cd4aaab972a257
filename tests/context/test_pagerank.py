"""PageRank in SQL against NetworkX, and by hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

import networkx
import pytest

from tests.conftest import Connection, at, value
from tests.graph.plans import START, add_edge, apply, edges, make_concept, move_clock, remember


@pytest.fixture
def connection(connect: Callable[..., Connection], tenant: str) -> Connection:
    """A plain role's connection, the memory's clock at START."""
    return connect(tenant, now=START)


def ranks(connection: Connection, as_of: datetime | None = None) -> dict[UUID, float]:
    return dict(connection.execute("SELECT node_id, rank FROM cognifold.pagerank(%s)", [as_of]).fetchall())


def ranks_by_networkx(connection: Connection) -> dict[UUID, float]:
    """The same from the views ``edge``, ``event`` and ``concept``, as they stand at the connection's clock."""
    graph = networkx.DiGraph()
    for view in ("event", "concept"):
        graph.add_nodes_from(node for (node,) in connection.execute(f"SELECT id FROM cognifold.{view}".encode()))
    for (source, _, target), edge in edges(connection).items():
        for start, end in [(source, target), (target, source)][: 2 if edge["bidirectional"] else 1]:
            if edge["live"]:
                before = graph.get_edge_data(start, end, {"weight": 0})["weight"]
                graph.add_edge(start, end, weight=before + edge["mass"])
    found: dict[UUID, float] = networkx.pagerank(graph, alpha=0.85, tol=1e-15, max_iter=10000)
    return {node: rank / max(found.values()) for node, rank in found.items()}


def random_graph(connection: Connection, seed: int) -> None:
    """Sixty events in two weeks, twelve concepts, some 250 edges: parallel, repeated, bidirectional, in circles."""
    chance = random.Random(seed)
    events = []
    for number in range(60):
        moment = at(START) - timedelta(hours=chance.uniform(0, 336))
        events.append(remember(connection, f"{number} {chance.random()}", moment.isoformat()))
    concepts = [make_concept(connection, f"Pattern {number}", *chance.sample(events, 2)) for number in range(12)]
    for _ in range(2):
        plan = []
        for _ in range(110):
            source, target = chance.sample(events[:50] + concepts, 2)  # ten events stay at the edge of things
            legal = {(False, True): ["reinforces", "part_of"], (True, True): ["part_of"]}
            type_ = chance.choice(legal.get((source in concepts, target in concepts), ["related_to"]))
            both = {"bidirectional": True} if type_ == "related_to" and chance.random() < 0.3 else {}
            plan.append(add_edge(source, type_, target, weight=chance.choice([0.3, 0.6, 1.0]), **both))
        apply(connection, *plan)


@pytest.mark.parametrize("seed", [1, 2])
def test_ranks_are_those_of_networkx_now_and_later(connection: Connection, seed: int) -> None:
    random_graph(connection, seed)
    shapes = set()
    for days in (0, 5, 30):
        move_clock(connection, (at(START) + timedelta(days=days)).isoformat())
        expected = ranks_by_networkx(connection)
        shapes.add(len([edge for edge in edges(connection).values() if edge["live"]]))
        assert ranks(connection) == pytest.approx(expected, rel=1e-6, abs=0)
        assert ranks(connection, at(START) + timedelta(days=days)) == pytest.approx(expected, rel=1e-6, abs=0)
    assert len(shapes) == 3, "edges fade in between, or this compares one graph with itself"


def test_two_nodes_by_hand(connection: Connection) -> None:
    # a -> c; c points nowhere. a = .075 + .425 c, a + c = 1: a = 20/57, c = 37/57.
    event = remember(connection, "Swam two kilometres")
    concept = make_concept(connection, "Swimming", event)
    assert ranks(connection) == pytest.approx({concept: 1, event: 20 / 37}, abs=1e-9)


def test_a_node_gives_in_proportion_to_the_masses_of_its_edges_beyond_one(connection: Connection) -> None:
    # a gives 3/4 to b (mass .9 + 3 * .1) and 1/4 to c (.4); b and c point nowhere.
    a, b, c = (remember(connection, text) for text in ("Rain all day", "The cellar is wet", "The roof leaks"))
    apply(connection, add_edge(a, "related_to", b, weight=0.9), add_edge(a, "related_to", c, weight=0.4))
    for _ in range(3):
        apply(connection, add_edge(a, "related_to", b))
    # With u = rank of a: b = u + .85 * .75 u, c = u + .85 * .25 u.
    expected = {b: 1, c: 1.2125 / 1.6375, a: 1 / 1.6375}
    assert ranks(connection) == pytest.approx(expected, abs=1e-9)
    # The cap on a weight, least(1, mass), would have the shares drift as time goes by.
    assert ranks(connection, at(START) + timedelta(hours=200)) == pytest.approx(expected, abs=1e-9)


def test_a_faded_edge_passes_nothing_on(connection: Connection) -> None:
    event = remember(connection, "Swam two kilometres")
    concept = make_concept(connection, "Swimming", event)
    # .9 exp(-.005 h) = .1 after 439.4 hours.
    assert ranks(connection, at(START) + timedelta(hours=439))[event] < 1
    assert ranks(connection, at(START) + timedelta(hours=440)) == {event: 1, concept: 1}


def test_what_happened_later_is_not_there_yet(connection: Connection) -> None:
    early = remember(connection, "Swam two kilometres", "2026-03-02T08:00:00+00:00")
    remember(connection, "Swam three kilometres", "2026-03-02T09:00:00+00:00")
    assert ranks(connection, at("2026-03-02T08:30:00+00:00")) == {early: 1}


def test_what_was_stated_later_does_not_change_ranks_of_before(connection: Connection) -> None:
    swimming, diving = (
        make_concept(connection, title, remember(connection, text, "2026-03-01T09:00:00+00:00"))
        for title, text in (("Swimming", "Swam two kilometres"), ("Diving", "Dived to the wreck"))
    )
    frost = make_concept(connection, "Frost", remember(connection, "Frost at night", "2026-03-01T09:00:00+00:00"))
    apply(connection, add_edge(swimming, "related_to", diving, weight=0.6), add_edge(swimming, "related_to", frost))
    before = ranks(connection, at(START))
    move_clock(connection, (at(START) + timedelta(days=2)).isoformat())
    apply(connection, add_edge(swimming, "related_to", diving), add_edge(frost, "related_to", diving))
    assert ranks(connection, at(START)) == pytest.approx(before, abs=1e-12)
    assert ranks(connection)[frost] < before[frost]


def test_an_empty_memory_has_no_ranks(connection: Connection) -> None:
    assert ranks(connection) == {}


def test_nothing_is_written_so_that_a_replica_can_answer(connection: Connection) -> None:
    make_concept(connection, "Swimming", remember(connection, "Swam two kilometres"))
    with connection.transaction():
        connection.execute("SET TRANSACTION READ ONLY")
        assert value(connection, "SELECT count(*) FROM cognifold.pagerank()") == 2
        assert value(connection, "SELECT count(*) FROM cognifold.context_window()") == 2
