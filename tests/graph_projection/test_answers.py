"""What the graph verbs answer: worked out by hand, the same from the tables and from Apache AGE, and within bounds."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from tests.conftest import Connection, value
from tests.graph.plans import add_edge, add_node, apply, remember
from tests.graph_projection.conftest import READER
from tests.graph_projection.projection import Projection

ENGINES = ("sql", "age")


def answer(connection: Connection, verb: str, *arguments: Any, engine: str = "sql", **named: Any) -> list[Any]:
    places = ", ".join(["%s"] * len(arguments) + [f"{name} => %s" for name in {**named, "engine": engine}])
    query = f"SELECT * FROM cognifold.{verb}({places})".encode()
    return connection.execute(query, [*arguments, *named.values(), engine]).fetchall()


@pytest.fixture(scope="module")
def family(admin_dsn: str, dsn: str) -> tuple[Projection, dict[str, UUID]]:
    """Six events a to f, a concept and an intent: a causes b causes c causes d; a, b, e are a triangle; f is apart.

    The concept is grounded in c and d, and triggers the intent.
    """
    admin = psycopg.connect(admin_dsn, autocommit=True)
    connection = psycopg.connect(dsn, autocommit=True, prepare_threshold=None)
    connection.execute("SELECT cognifold.create_tenant('graph of a family')")
    connection.execute("SELECT set_config('cognifold.tenant', 'graph of a family', false)")
    known = {name: remember(connection, f"Event {name} about {word}") for name, word in
             zip("abcdef", ("plums", "nails", "ropes", "tiles", "boots", "glass"), strict=True)}  # fmt: skip
    refs = apply(
        connection,
        add_edge(known["a"], "causes", known["b"]),
        add_edge(known["b"], "causes", known["c"]),
        add_edge(known["c"], "causes", known["d"]),
        add_edge(known["e"], "related_to", known["a"]),
        add_edge(known["b"], "related_to", known["e"]),
        add_node("concept", "Ropes and tiles", known["c"], known["d"], ref="concept"),
        add_node("intent", "Tie them", known["d"], ref="intent"),
        add_edge("concept", "triggers", "intent"),
    )["refs"]
    known |= {name: UUID(refs[name]) for name in ("concept", "intent")}
    graph = Projection(admin, connection, "graph of a family")
    graph.enable()
    return graph, known


@pytest.mark.parametrize("engine", ENGINES)
def test_a_neighbourhood_is_all_within_so_many_edges_whichever_way_they_lead(
    family: tuple[Projection, dict[str, UUID]], engine: str
) -> None:
    graph, known = family
    rows = answer(graph.connection, "graph_neighbourhood", known["a"], 3, engine=engine)
    names = {id: name for name, id in known.items()}
    assert [(hop, names[id]) for hop, id, *_ in rows] == [
        *((1, name) for name in sorted("be", key=known.__getitem__)),
        (2, "c"),
        *((3, name) for name in sorted(("d", "concept"), key=known.__getitem__)),
    ]
    assert rows[0][2:4] == (
        "event",
        f"Event {names[rows[0][1]]} about {'nails' if names[rows[0][1]] == 'b' else 'boots'}",
    )
    assert answer(graph.connection, "graph_neighbourhood", known["f"], 5, engine=engine) == []
    assert len(answer(graph.connection, "graph_neighbourhood", known["a"], 3, 2, engine=engine)) == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_paths_are_the_shortest_ways_with_their_edges_and_the_way_these_were_stated(
    family: tuple[Projection, dict[str, UUID]], engine: str
) -> None:
    graph, known = family
    a, b, c, e = (known[name] for name in "abce")
    assert answer(graph.connection, "graph_paths", a, c, 3, engine=engine) == [
        (2, [a, b, c], ["causes", "causes"], [True, True],
         ["Event a about plums", "Event b about nails", "Event c about ropes"]),
        (3, [a, e, b, c], ["related_to", "related_to", "causes"], [False, False, True],
         ["Event a about plums", "Event e about boots", "Event b about nails", "Event c about ropes"]),
    ]  # fmt: skip
    assert len(answer(graph.connection, "graph_paths", a, c, 3, 1, engine=engine)) == 1
    assert answer(graph.connection, "graph_paths", a, known["f"], 5, engine=engine) == []
    assert answer(graph.connection, "graph_paths", a, a, 3, engine=engine) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_patterns_are_found_at_a_node(family: tuple[Projection, dict[str, UUID]], engine: str) -> None:
    graph, known = family
    a, b, c, d, e = (known[name] for name in "abcde")

    def pattern(*arguments: Any, **named: Any) -> list[list[UUID]]:
        return [row[0] for row in answer(graph.connection, "graph_pattern", *arguments, engine=engine, **named)]

    assert pattern("chain", a) == [[a, b], [a, b, c], [a, b, c, d]]
    assert pattern("chain", a, hops=2) == [[a, b], [a, b, c]]
    assert pattern("chain", d) == []
    assert pattern("triangle", a) == [[a, *sorted((b, e))]]
    assert pattern("triangle", c) == [[c, *sorted((d, known["concept"]))]]  # c causes d, both ground the concept
    assert pattern("common_neighbour", a, c) == [[a, b, c]]
    assert pattern("evidence", known["intent"]) == [
        [known["intent"], known["concept"], event] for event in sorted((c, d))
    ]


def test_both_engines_answer_alike_on_a_random_graph(new_graph: Callable[..., Projection]) -> None:
    graph = new_graph(enabled=False)
    chance = random.Random(3)
    words = ("apple", "brick", "cloud", "drum", "eagle", "fern", "grape", "horn", "ink", "jar", "kite", "lamp", "moss",
             "nut", "oar", "pine", "quill", "rust")  # fmt: skip
    events = [remember(graph.connection, f"A word on {word}") for word in words]
    ties: list[tuple[UUID, str, UUID]] = [
        (s, chance.choice(["causes", "related_to", "precedes"]), t)
        for s, t in itertools.permutations(events, 2)
        if chance.random() < 0.15
    ]
    refs = apply(
        graph.connection,
        *(add_edge(*tie) for tie in ties),
        *(add_node("concept", f"Pair {n}", *chance.sample(events, 3), ref=f"c{n}") for n in range(4)),
        add_node("intent", "Do it", events[0], ref="i"),
        *(add_edge(f"c{n}", "triggers", "i") for n in (0, 1)),
    )["refs"]
    graph.enable()
    nodes = [*events, *(UUID(id) for id in refs.values())]
    asked: list[tuple[Any, ...]] = [
        *(("graph_neighbourhood", node, hops) for node in nodes[:4] for hops in (1, 3)),
        *(("graph_paths", *pair, 4, 50) for pair in itertools.combinations(nodes[:3] + nodes[-1:], 2)),
        *(("graph_pattern", shape, node) for shape in ("chain", "triangle") for node in nodes[:3]),
        *(("graph_pattern", "common_neighbour", *pair) for pair in itertools.combinations(nodes[:4], 2)),
        ("graph_pattern", "evidence", UUID(refs["i"])),
    ]
    found = 0
    for question in asked:
        by_sql = answer(graph.connection, *question)
        assert answer(graph.connection, *question, engine="age") == by_sql, question
        found += len(by_sql)
    assert found > 150


def test_ways_found_by_the_tables_are_those_of_a_search_by_hand(new_graph: Callable[..., Projection]) -> None:
    graph = new_graph(enabled=False)
    chance = random.Random(8)
    events = [remember(graph.connection, f"Pebble {chr(97 + n)} on the {n} beach") for n in range(9)]
    ties = [(s, "related_to", t) for s, t in itertools.combinations(events, 2) if chance.random() < 0.4]
    apply(graph.connection, *(add_edge(*tie) for tie in ties))
    near: dict[UUID, set[UUID]] = {event: set() for event in events}
    for source, _, target in ties:
        near[source].add(target)
        near[target].add(source)

    def ways(way: list[UUID], goal: UUID, left: int) -> list[list[UUID]]:
        if way[-1] == goal:
            return [way]
        return [] if left == 0 else [
            found for node in near[way[-1]] - set(way) for found in ways([*way, node], goal, left - 1)
        ]  # fmt: skip

    for start, goal in itertools.combinations(events[:4], 2):
        expected = sorted(ways([start], goal, 4), key=lambda way: (len(way), way))
        assert [row[1] for row in answer(graph.connection, "graph_paths", start, goal, 4, 1000)] == expected


def test_a_session_that_has_read_the_graph_sees_what_was_carried_over_since(
    graph: Projection, connect: Callable[..., Connection]
) -> None:
    said = [remember(graph.connection, f"The {animal} slept") for animal in ("cat", "dog", "hen")]
    apply(graph.connection, add_edge(said[0], "related_to", said[1]))
    graph.catch_up()
    reading = connect(graph.tenant)
    assert answer(reading, "graph_paths", said[0], said[2], engine="age") == []
    assert len(answer(reading, "graph_paths", said[0], said[1], engine="age")) == 1
    apply(graph.connection, add_edge(said[1], "related_to", said[2]))
    graph.catch_up()
    assert [row[1] for row in answer(reading, "graph_paths", said[0], said[2], engine="age")] == [said]


def test_the_first_question_of_eight_fresh_sessions_of_a_plain_reader_is_answered(
    family: tuple[Projection, dict[str, UUID]], dsn: str
) -> None:
    graph, known = family
    assert value(graph.admin, "SHOW shared_preload_libraries") == ""

    def first(number: int) -> list[Any]:
        with psycopg.connect(make_conninfo(dsn, user=READER), autocommit=True) as fresh:
            fresh.execute("SELECT set_config('cognifold.tenant', %s, false)", [graph.tenant])
            return answer(fresh, "graph_paths", known["a"], known["d"], 3, engine="age")

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(first, range(8)))
    assert answers == [answers[0]] * 8
    assert [row[1] for row in answers[0]] == [[known[name] for name in "abcd"]]


OUT_OF_BOUNDS: list[tuple[str, list[Any], dict[str, Any]]] = [
    ("graph_neighbourhood", ["{a}", 6], {}),
    ("graph_neighbourhood", ["{a}", 0], {}),
    ("graph_neighbourhood", ["{a}", 1, 1001], {}),
    ("graph_paths", ["{a}", "{b}", None], {}),
    ("graph_paths", ["{a}", "{b}", 3, 0], {}),
    ("graph_pattern", ["square", "{a}"], {}),
    ("graph_pattern", ["common_neighbour", "{a}"], {}),
    ("graph_pattern", ["chain", "{a}", "{b}"], {}),
]


@pytest.mark.parametrize(("verb", "arguments", "named"), OUT_OF_BOUNDS)
def test_what_is_out_of_bounds_is_refused(
    family: tuple[Projection, dict[str, UUID]], verb: str, arguments: list[Any], named: dict[str, Any]
) -> None:
    graph, known = family
    given = [known[a[1]] if isinstance(a, str) and a.startswith("{") else a for a in arguments]
    for engine in ENGINES:
        with pytest.raises(psycopg.Error) as caught:
            answer(graph.connection, verb, *given, engine=engine, **named)
        assert caught.value.sqlstate == "CF010"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_question_that_would_look_at_too_much_is_refused_before_it_does(
    family: tuple[Projection, dict[str, UUID]], engine: str
) -> None:
    graph, known = family
    with graph.connection.transaction(force_rollback=True):
        value(graph.connection, "SELECT cognifold.set_setting('graph.reach', 3)")
        for verb, arguments in (("graph_neighbourhood", [known["a"], 5]), ("graph_paths", [known["a"], known["d"], 5])):
            with pytest.raises(psycopg.Error) as caught, graph.connection.transaction():
                answer(graph.connection, verb, *arguments, engine=engine)
            assert caught.value.sqlstate == "CF053"
            assert "graph.reach" in (caught.value.diag.message_hint or "")


def test_a_node_that_is_not_there_is_an_error(family: tuple[Projection, dict[str, UUID]]) -> None:
    graph, known = family
    nobody = UUID(int=7)
    for verb, arguments in (("graph_neighbourhood", [nobody]), ("graph_paths", [known["a"], nobody]),
                            ("graph_pattern", ["common_neighbour", known["a"], nobody])):  # fmt: skip
        for engine in ENGINES:
            with pytest.raises(psycopg.Error) as caught:
                answer(graph.connection, verb, *arguments, engine=engine)
            assert caught.value.sqlstate == "CF021"
