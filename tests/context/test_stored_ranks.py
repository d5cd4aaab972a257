"""Ranks kept up to date from what changed: against NetworkX after every kind of change, and at what cost."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import networkx
import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection, at, value
from tests.graph.plans import START, add_edge, apply, fold, make_concept, move_clock, remember, rows

BAR = 0.2


@pytest.fixture
def connection(connect: Callable[..., Connection], tenant: str) -> Connection:
    """A plain role's connection, the memory's clock at START."""
    return connect(tenant, now=START)


def refresh(connection: Connection, whole: bool = False) -> dict[str, int]:
    done: dict[str, int] = value(connection, "SELECT cognifold.refresh_ranks(%s)", whole)
    return done


def settle_exactly(connection: Connection) -> None:
    value(connection, "SELECT cognifold.set_setting('pagerank.residual', 1e-11)")


def stored(connection: Connection) -> dict[UUID, float]:
    """The rank of every node that is not merged, in the stored unit."""
    found = connection.execute(
        "SELECT n.id, coalesce(k.rank, 1) FROM cognifold.node AS n "
        "LEFT JOIN cognifold.node_rank AS k ON k.tenant_id = n.tenant_id AND k.node_id = n.id "
        "WHERE n.tenant_id = cognifold.current_tenant() AND n.merged_into IS NULL"
    )
    return dict(found.fetchall())


def exact(connection: Connection) -> dict[UUID, float]:
    """The same by NetworkX over the edges not marked as faded, in units of the jump and the dangling mass."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(stored(connection))
    for edge in rows(
        connection,
        "SELECT source_id, target_id, bidirectional, "
        "cognifold.mass(potential, cognifold.decay_integral(tenant_id, rate, cognifold.now())) AS mass "
        "FROM cognifold.graph_edge WHERE faded_at IS NULL ORDER BY 1, 2",
    ):
        source, target = edge["source_id"], edge["target_id"]
        for start, end in [(source, target), (target, source)][: 2 if edge["bidirectional"] else 1]:
            before = graph.get_edge_data(start, end, {"weight": 0})["weight"]
            graph.add_edge(start, end, weight=before + edge["mass"])
    if not graph:
        return {}
    ranks = networkx.pagerank(graph, alpha=0.85, tol=1e-15, max_iter=10000)
    unit = (0.15 + 0.85 * sum(rank for node, rank in ranks.items() if not graph.out_degree(node))) / len(graph)
    return {node: rank / unit for node, rank in ranks.items()}


def passed_on(connection: Connection) -> dict[UUID, tuple[float, float, float]]:
    """Of every row the rank as kept, as what others pass on makes it, and how much of it is not passed on."""
    ranks = {row["node_id"]: row for row in rows(connection, "SELECT node_id, rank, residual FROM cognifold.node_rank")}
    given: dict[UUID, float] = {}
    for arc in rows(connection, "SELECT node_id, targets, shares FROM cognifold.rank_arc"):
        assert sum(arc["shares"]) == pytest.approx(1)
        for target, share in zip(arc["targets"], arc["shares"], strict=True):
            row = ranks.get(arc["node_id"], {"rank": 1, "residual": 0})
            given[target] = given.get(target, 0) + 0.85 * share * (row["rank"] - row["residual"])
    assert set(given) <= set(ranks)
    return {node: (row["rank"], 1 + given.get(node, 0), row["residual"]) for node, row in ranks.items()}


def some_graph(connection: Connection, chance: random.Random) -> tuple[list[UUID], list[UUID]]:
    """Forty events, ten concepts, some hundred edges: parallel, bidirectional, in circles."""
    events = [
        remember(connection, f"{number} {chance.random()}", (at(START) - timedelta(hours=age)).isoformat())
        for number, age in enumerate(chance.uniform(0, 300) for _ in range(40))
    ]  # fmt: skip
    concepts = [make_concept(connection, f"Pattern {number}", *chance.sample(events, 3)) for number in range(10)]
    apply(connection, *(some_edge(chance, events, concepts) for _ in range(60)))
    return events, concepts


def some_edge(chance: random.Random, events: list[UUID], concepts: list[UUID]) -> dict[str, Any]:
    source, target = chance.sample(events + concepts, 2)
    type_ = "reinforces" if source in events and target in concepts and chance.random() < 0.5 else "related_to"
    # Both ways within a kind only: the edges of such a node fade at one rate, so that its shares stand still.
    alike = (source in events) == (target in events)
    both = {"bidirectional": True} if alike and chance.random() < 0.5 else {}
    return add_edge(source, type_, target, weight=chance.choice([0.3, 0.6, 1.0]), **both)


def some_change(connection: Connection, chance: random.Random, events: list[UUID], concepts: list[UUID]) -> None:
    """One plan of a random kind, or one taken back."""
    kind = chance.choice(["add", "remove edges", "remove concept", "merge", "undo", "sleep", "new"])
    if kind == "add":
        apply(connection, *(some_edge(chance, events, concepts) for _ in range(8)))
    elif kind == "new":
        event = remember(connection, f"late {chance.random()}")
        events.append(event)
        concepts.append(
            make_concept(connection, f"Late pattern {chance.random()}", event, *chance.sample(events[:-1], 2))
        )
    elif kind == "remove edges":
        found = rows(connection, "SELECT source_id, type, target_id FROM cognifold.edge WHERE type = 'related_to'")
        chosen = chance.sample(found, min(5, len(found)))
        apply(connection, *({"op": "REMOVE_EDGE", "source": str(edge["source_id"]), "type": edge["type"],
                             "target": str(edge["target_id"])} for edge in chosen))  # fmt: skip
    elif kind == "remove concept" and len(concepts) > 3:
        apply(connection, {"op": "REMOVE_NODE", "node": str(concepts.pop(chance.randrange(len(concepts))))})
    elif kind == "merge" and len(concepts) > 3:
        kept, absorbed = chance.sample(concepts, 2)
        concepts.remove(absorbed)
        apply(connection, {"op": "MERGE_NODES", "ids": [str(kept), str(absorbed)], "survivor": str(kept)})
    elif kind == "undo":
        last = value(connection, "SELECT plan_id FROM cognifold.plan ORDER BY version DESC LIMIT 1")
        value(connection, "SELECT cognifold.undo_plan(%s, true)", last)
        alive = {row["id"] for row in rows(connection, "SELECT id FROM cognifold.node WHERE merged_into IS NULL")}
        events[:] = [event for event in events if event in alive]
        concepts[:] = [row["id"] for row in rows(connection, "SELECT id FROM cognifold.concept ORDER BY title")]
    elif kind == "sleep":
        move_clock(
            connection, (at(value(connection, "SELECT cognifold.now()::text")) + timedelta(hours=60)).isoformat()
        )
        value(connection, "SELECT cognifold.consolidate()")
        concepts[:] = [row["id"] for row in rows(connection, "SELECT id FROM cognifold.concept ORDER BY title")]


def faults(admin: Connection, tenant: str) -> list[tuple[str, str]]:
    """What ``rank_faults`` finds, as (invariant, subject)."""
    value(admin, "SELECT set_config('cognifold.tenant', %s, false)", tenant)
    found = admin.execute("SELECT invariant, subject FROM cognifold.rank_faults(%s) ORDER BY 1, 2", [tenant])
    return found.fetchall()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ranks_follow_every_kind_of_change(connection: Connection, admin: Connection, tenant: str, seed: int) -> None:
    settle_exactly(connection)
    chance = random.Random(seed)
    events, concepts = some_graph(connection, chance)
    for _ in range(15):
        some_change(connection, chance, events, concepts)
        assert faults(admin, tenant) == []
        refresh(connection)
        assert faults(admin, tenant) == []
        assert stored(connection) == pytest.approx(exact(connection), rel=1e-6)
    assert value(connection, "SELECT count(*) FROM cognifold.rank_dirty") == 0
    kept, arcs = (
        rows(connection, f"SELECT * FROM cognifold.{table} ORDER BY node_id") for table in ("node_rank", "rank_arc")
    )
    refresh(connection, whole=True)
    again = {row["node_id"]: row["rank"] for row in rows(connection, "SELECT * FROM cognifold.node_rank")}
    assert {row["node_id"]: row["rank"] for row in kept if row["rank"] > 1 + 1e-9} == pytest.approx(again, rel=1e-6)
    assert {row["node_id"]: row["targets"] for row in arcs} == {
        row["node_id"]: row["targets"] for row in rows(connection, "SELECT * FROM cognifold.rank_arc")
    }


@pytest.mark.parametrize("seed", [4, 5])
def test_no_rank_is_further_off_than_the_bar_and_is_what_others_pass_on(connection: Connection, seed: int) -> None:
    chance = random.Random(seed)
    events, concepts = some_graph(connection, chance)
    worst = 0.0
    for _ in range(15):
        some_change(connection, chance, events, concepts)
        refresh(connection)
        wanted = exact(connection)
        # Each is off by at most the bar's share of what it has from others.
        worst = max(
            worst, *(abs(rank - wanted[node]) / (wanted[node] - 1 + 1e-9) for node, rank in stored(connection).items())
        )
        assert all(
            abs(residual) <= BAR and kept == pytest.approx(due, abs=1e-9)
            for kept, due, residual in passed_on(connection).values()
        )
    assert 1e-6 < worst <= BAR


def test_ranks_are_one_of_what_nothing_points_at_and_a_chain_by_hand(connection: Connection) -> None:
    a, b, c = (remember(connection, text) for text in ("Rain all day", "The cellar is wet", "The pump runs"))
    apply(connection, add_edge(a, "causes", b), add_edge(b, "causes", c))
    assert refresh(connection) == {"changed": 2, "pushed": 0}
    assert stored(connection) == pytest.approx({a: 1, b: 1.85, c: 1 + 0.85 * 1.85})


def test_what_is_unchanged_is_not_written_again(connection: Connection) -> None:
    some_graph(connection, random.Random(6))
    refresh(connection)
    version = "SELECT node_id, xmin::text, ctid::text FROM cognifold.node_rank ORDER BY 1"
    before = connection.execute(version.encode()).fetchall()
    assert refresh(connection) == {"changed": 0, "pushed": 0}
    assert connection.execute(version.encode()).fetchall() == before
    # Two new events that point at each other concern nobody else.
    a, b = remember(connection, "It snowed"), remember(connection, "The pass is closed")
    apply(connection, add_edge(a, "causes", b))
    refresh(connection)
    after = connection.execute(version.encode()).fetchall()
    assert [row for row in after if row not in before] == [row for row in after if row[0] == b]


def test_reinforcing_the_only_edge_of_a_node_changes_no_rank(connection: Connection) -> None:
    event = remember(connection, "Swam two kilometres")
    concept = make_concept(connection, "Swimming", event)
    refresh(connection)
    apply(connection, add_edge(event, "grounds", concept))
    assert refresh(connection) == {"changed": 0, "pushed": 0}


def test_a_removed_node_leaves_nothing_behind(connection: Connection) -> None:
    event = remember(connection, "Swam two kilometres")
    concept = make_concept(connection, "Swimming", event)
    refresh(connection)
    apply(connection, {"op": "REMOVE_NODE", "node": str(concept)})
    refresh(connection)
    assert stored(connection) == {event: 1}
    assert [value(connection, f"SELECT count(*) FROM cognifold.{table}") for table in ("node_rank", "rank_arc")] == [
        0,
        0,
    ]


def test_what_a_call_has_no_room_for_is_left_to_the_next(
    connection: Connection, admin: Connection, tenant: str
) -> None:
    settle_exactly(connection)
    some_graph(connection, random.Random(7))
    value(connection, "SELECT cognifold.set_setting('pagerank.pushes', 30)")
    value(
        admin, "SELECT set_config('cognifold.tenant', %s, false), set_config('cognifold.now', %s, false)", tenant, START
    )
    waiting: list[int] = []
    while not waiting or waiting[-1]:
        [row] = rows(admin, "SELECT * FROM cognifold.settle_ranks(%s)", tenant)
        waiting.append(row["waiting"])
        assert row["waiting"] == value(connection, "SELECT count(*) FROM cognifold.rank_dirty")
        assert all(kept == pytest.approx(due, abs=1e-9) for kept, due, _ in passed_on(connection).values())
    assert len(waiting) > 2
    assert stored(connection) == pytest.approx(exact(connection), rel=1e-6)


def test_folding_settles_and_a_plan_alone_does_once_enough_has_changed(connection: Connection) -> None:
    dirty = "SELECT count(*) FROM cognifold.rank_dirty"
    for text in ("The kiln was fired", "The kiln was fired again", "The kiln is cooling"):
        remember(connection, text)
    fold(connection)
    assert value(connection, dirty) == 0
    events = [remember(connection, f"Entry {number} of the log") for number in range(50)]
    concept = make_concept(connection, "The log", *events[:49])
    assert value(connection, dirty) == 49
    apply(connection, add_edge(events[49], "reinforces", concept))
    assert value(connection, dirty) == 0
    assert stored(connection)[concept] == pytest.approx(1 + 50 * 0.85, rel=BAR)


def test_edges_that_came_without_a_plan_count_after_a_whole_computation(
    connection: Connection, admin: Connection, tenant: str
) -> None:
    settle_exactly(connection)
    some_graph(connection, random.Random(8))
    refresh(connection)
    admin.execute("DELETE FROM cognifold.graph_edge WHERE tenant_id = %s AND type = 'related_to'", [tenant])
    assert refresh(connection) == {"changed": 0, "pushed": 0}
    assert {invariant for invariant, _ in faults(admin, tenant)} == {"rank flows along the live edges"}
    refresh(connection, whole=True)
    assert faults(admin, tenant) == []
    assert stored(connection) == pytest.approx(exact(connection), rel=1e-6)


def test_a_rank_that_was_tampered_with_is_found(connection: Connection, admin: Connection, tenant: str) -> None:
    event = remember(connection, "Swam two kilometres")
    concept = make_concept(connection, "Swimming", event)
    refresh(connection)
    admin.execute("UPDATE cognifold.node_rank SET rank = rank + 1 WHERE tenant_id = %s", [tenant])
    assert faults(admin, tenant) == [("a rank is what was passed on to it", str(concept))]


def test_the_client_says_what_settling_did(memory: Memory) -> None:
    memory.remember("The kiln was fired")
    assert memory.refresh_ranks() == memory.refresh_ranks(whole=True)
    assert (memory.refresh_ranks().changed, memory.refresh_ranks().pushed) == (0, 0)


# ------------------------------------------------------------------------------------------ the window over them


def loaded(admin: Connection, tenant: str, seed: int, nodes: int = 3000) -> None:
    """A graph of events, concepts, intents and deadlines with accesses, put there as it stands."""
    chance = random.Random(seed)
    ids = sorted(uuid4() for _ in range(nodes))
    kinds = {node: chance.choices(["event", "concept", "intent", "time"], [85, 10, 3, 2])[0] for node in ids}
    merged = {node: chance.choice([other for other in ids if kinds[other] == "concept"])
              for node in ids if kinds[node] == "concept" and chance.random() < 0.1}  # fmt: skip
    edges = set()
    for source in chance.choices([node for node in ids if node not in merged], k=4 * nodes):
        target = ids[int(nodes * chance.random() ** 3)]
        if source != target and target not in merged:
            edges.add((source, target))
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = replica")
        with admin.cursor() as cursor:
            moments = {node: at(START) - timedelta(hours=chance.expovariate(1 / 300)) for node in ids}
            moments |= {
                node: at(START) + timedelta(hours=chance.uniform(-30, 200)) for node in ids if kinds[node] == "time"
            }
            cursor.executemany(
                "INSERT INTO cognifold.node (tenant_id, id, kind, memory_type, title, occurred_at, occurred_precision, "
                "recorded_at, digest, plan_id, merged_into) "
                "VALUES (%s, %s, %s, 'episodic', %s, %s, %s, now(), %s, %s, %s)",
                [[tenant, node, kinds[node], str(node), moments[node],
                  chance.choice(["instant", "day"]) if kinds[node] == "time" else "instant",
                  b"-" if kinds[node] == "event" else None, None if kinds[node] == "event" else uuid4(),
                  merged.get(node)]
                 for node in ids],
            )  # fmt: skip
            cursor.executemany(
                "INSERT INTO cognifold.graph_edge (tenant_id, source_id, target_id, type, source_kind, target_kind, "
                "rate, potential, stamped_at, created_at, plan_id) VALUES (%s, %s, %s, %s, %s, %s, %s, "
                "ln(%s::double precision) + cognifold.decay_integral(%s, %s, %s), %s, %s, %s)",
                [[tenant, source, target,
                  "deadline_for" if kinds[source] == "time" and kinds[target] in ("event", "intent") else "related_to",
                  kinds[source], kinds[target], rate, chance.uniform(0.3, 1), tenant, rate, START, START, START,
                  uuid4()]
                 for source, target in sorted(edges)
                 for rate in ["episodic" if kinds[source] == "event" else "semantic"]],
            )  # fmt: skip
            cursor.executemany(
                "INSERT INTO cognifold.node_state (tenant_id, node_id, access_count, last_accessed) "
                "VALUES (%s, %s, %s, %s)",
                [[tenant, node, int(chance.expovariate(0.2)),
                  at(START) - timedelta(hours=chance.expovariate(1 / 400)) if chance.random() < 0.8 else None]
                 for node in ids if chance.random() < 0.3],
            )  # fmt: skip


@pytest.mark.parametrize(("seed", "pool"), [(1, 200), (2, 20)])
def test_the_heads_of_the_lists_hold_the_window_of_the_whole_memory(
    connection: Connection, admin: Connection, tenant: str, seed: int, pool: int
) -> None:
    value(admin, "SELECT set_config('cognifold.tenant', %s, false)", tenant)
    loaded(admin, tenant, seed)
    settle_exactly(connection)
    refresh(connection)
    value(connection, "SELECT cognifold.set_setting('context.background_pool', %s)", pool)
    for places in (1, 7, 20, 100, 400):
        now, whole = (
            rows(connection, "SELECT * FROM cognifold.context_window(%s, %s::timestamptz)", places, moment)
            for moment in (None, START)
        )
        assert len(now) == places
        assert [(row["tier"], row["node_id"]) for row in now] == [(row["tier"], row["node_id"]) for row in whole]
        for name in ("score", "pagerank", "recency", "access", "urgency", "tier_score"):
            assert [row[name] for row in now] == pytest.approx([row[name] for row in whole], rel=1e-6), name
    assert {row["urgency"] > 1 for row in now} == {True, False}


def test_the_band_that_is_stored_is_the_band_of_the_rank(connection: Connection, admin: Connection) -> None:
    some_graph(connection, random.Random(11))
    refresh(connection)
    found = rows(admin, "SELECT band, cognifold.rank_band(rank) AS worked_out FROM cognifold.node_rank WHERE rank > 1")
    assert len({row["band"] for row in found}) > 3
    assert all(row["band"] == row["worked_out"] for row in found)
