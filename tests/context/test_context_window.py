"""The context window: its formulas by hand, and whole windows against a computation that shares no code with it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import networkx
import numpy
import psycopg
import pytest

from tests.conftest import Connection, at, value
from tests.graph.plans import START, Operation, add_edge, add_node, apply, fold, make_concept, remember, rows

NOW = at(START)
Row = dict[str, Any]


@pytest.fixture
def connection(connect: Callable[..., Connection], tenant: str) -> Connection:
    """A plain role's connection, the memory's clock at START."""
    return connect(tenant, now=START)


def window(connection: Connection, max_nodes: int = 100, as_of: str | None = None) -> list[Row]:
    if as_of is None:  # what is not settled yet is another question, as is how closely
        connection.execute("SELECT cognifold.set_setting('pagerank.residual', 1e-12), cognifold.refresh_ranks(true)")
    return rows(connection, "SELECT * FROM cognifold.context_window(%s, %s)", max_nodes, as_of)


def of(connection: Connection, node: UUID, as_of: str | None = None) -> Row:
    [row] = [row for row in window(connection, as_of=as_of) if row["node_id"] == node]
    return row


def accessed(admin: Connection, tenant: str, node: UUID, times: int, last: str | None) -> None:
    admin.execute(
        "INSERT INTO cognifold.node_state (tenant_id, node_id, access_count, last_accessed) VALUES (%s, %s, %s, %s) "
        "ON CONFLICT (tenant_id, node_id) DO UPDATE "
        "SET access_count = excluded.access_count, last_accessed = excluded.last_accessed",
        [tenant, node, times, last],
    )


def deadline(moment: str, target: UUID, precision: str = "instant", weight: float = 0.6) -> list[Operation]:
    return [
        add_node("time", moment, occurred_at=moment, precision=precision, ref="moment"),
        add_edge("moment", "deadline_for", target, weight=weight),
    ]


# -------------------------------------------------------------------------------------------------- by hand


def test_recency_falls_by_a_hundredth_per_hour_since_it_happened(connection: Connection) -> None:
    event = remember(connection, "Swam two kilometres", (NOW - timedelta(hours=100)).isoformat())
    assert of(connection, event)["recency"] == pytest.approx(math.exp(-1))


def test_an_access_makes_a_memory_recent_again(connection: Connection, admin: Connection, tenant: str) -> None:
    event = remember(connection, "Swam two kilometres", (NOW - timedelta(hours=100)).isoformat())
    accessed(admin, tenant, event, 1, (NOW - timedelta(hours=10)).isoformat())
    assert of(connection, event)["recency"] == pytest.approx(math.exp(-0.1))


def test_access_is_logarithmic_and_one_for_the_most_used(
    connection: Connection, admin: Connection, tenant: str
) -> None:
    often, once, never = (remember(connection, text) for text in ("Swam", "Ran", "Rowed"))
    assert of(connection, often)["access"] == 0
    accessed(admin, tenant, often, 7, None)
    accessed(admin, tenant, once, 1, None)
    assert [of(connection, node)["access"] for node in (often, once, never)] == pytest.approx([1, 1 / 3, 0])


@pytest.mark.parametrize(
    ("moment", "precision", "urgency"),
    [
        ("2026-03-02T21:00:00+00:00", "instant", 1.5),  # 12 hours ahead
        ("2026-03-02T09:00:00+00:00", "instant", 2),  # now
        ("2026-03-02T08:59:00+00:00", "instant", 1),  # over
        ("2026-03-03T09:00:00+00:00", "instant", 1),  # 24 hours ahead
        ("2026-03-09T09:00:00+00:00", "instant", 1),
        ("2026-03-03T00:00:00+00:00", "day", 1 + 9 / 24),  # tomorrow: the day begins in 15 hours
        ("2026-03-02T00:00:00+00:00", "day", 2),  # today, until it ends
        ("2026-03-01T00:00:00+00:00", "day", 1),
    ],
)
def test_a_deadline_makes_urgent_within_its_last_day(
    connection: Connection, moment: str, precision: str, urgency: float
) -> None:
    event = remember(connection, "Hand in the tax form", (NOW - timedelta(hours=50)).isoformat())
    apply(connection, *deadline(moment, event, precision))
    assert of(connection, event)["urgency"] == pytest.approx(urgency)


def test_a_faded_deadline_still_counts_and_the_nearest_one_decides(connection: Connection) -> None:
    event = remember(connection, "Hand in the tax form", (NOW - timedelta(hours=50)).isoformat())
    apply(connection, *deadline("2026-03-02T15:00:00+00:00", event, weight=0.05))
    apply(connection, *deadline("2026-03-02T21:00:00+00:00", event))
    assert of(connection, event)["urgency"] == pytest.approx(1.75)


def test_the_score_is_equation_one(connection: Connection, admin: Connection, tenant: str) -> None:
    event = remember(connection, "Hand in the tax form", (NOW - timedelta(hours=50)).isoformat())
    concept = make_concept(connection, "Paperwork", event)
    accessed(admin, tenant, concept, 3, START)
    accessed(admin, tenant, event, 1, None)
    apply(connection, *deadline("2026-03-02T21:00:00+00:00", event))
    # PageRank of event -> concept with the time node pointing at the event: a chain of three, u = rank of the time.
    # event = u + .85 u, concept = u + .85 event; normalised by the concept.
    rank = 1.85 / (1 + 0.85 * 1.85)
    assert of(connection, event)["score"] == pytest.approx((0.4 * rank + 0.4 * math.exp(-0.5) + 0.2 * 0.5) * 1.5)


def test_the_window_is_shared_out_among_the_tiers(connection: Connection) -> None:
    for hour in range(30):
        remember(connection, f"Entry {hour} of the log", (NOW - timedelta(hours=hour)).isoformat())
    tiers = [row["tier"] for row in window(connection, 20)]
    assert tiers == ["immediate"] * 2 + ["working"] * 6 + ["background"] * 10 + ["priority"] * 2
    # Of 7 places 0.7, 2.1 and 3.5 are rounded down; what that leaves over goes by priority.
    assert [row["tier"] for row in window(connection, 7)] == ["working"] * 2 + ["background"] * 3 + ["priority"] * 2
    assert [row["tier"] for row in window(connection, 1)] == ["priority"]


def test_a_node_stands_once_in_the_highest_tier_it_qualifies_for(connection: Connection) -> None:
    old = [remember(connection, f"Old entry {n}", (NOW - timedelta(hours=500 + n)).isoformat()) for n in range(10)]
    # Newest, and the one concept: best in both the immediate and the working tier.
    concept = make_concept(connection, "The log", *old)
    found = window(connection, 10)
    assert [row["tier"] for row in found if row["node_id"] == concept] == ["immediate"]
    assert len({row["node_id"] for row in found}) == 10


def test_the_background_prefers_what_is_unlike_the_rest(connection: Connection) -> None:
    printer = ["The printer is out of paper again", "The printer ran out of paper", "Out of paper: the printer"]
    said = [*printer, "Grandmother bakes apple cake"]
    for hour, text in enumerate(said):
        remember(connection, text, (NOW - timedelta(hours=hour)).isoformat())
    fold(connection)
    found = [row for row in window(connection, 6) if row["kind"] == "event" and row["tier"] == "background"]
    cake = next(row for row in found if "cake" in row["title"])
    assert all(row["diversity"] < cake["diversity"] for row in found if row is not cake)


def test_times_and_what_happens_later_are_left_out(connection: Connection) -> None:
    event = remember(connection, "Hand in the tax form", START)
    apply(connection, *deadline("2026-03-02T21:00:00+00:00", event))
    remember(connection, "It was handed in", (NOW + timedelta(hours=1)).isoformat())
    assert [row["node_id"] for row in window(connection, as_of=START)] == [event]


@pytest.mark.parametrize("number", [0, -1, 10001, None])
def test_a_number_of_nodes_out_of_range_is_refused(connection: Connection, number: int | None) -> None:
    with pytest.raises(psycopg.Error, match="max_nodes") as refused:
        window(connection, number)  # type: ignore[arg-type]
    assert refused.value.sqlstate == "CF010"


# -------------------------------------------------------------------------------------------------- against Python


def lived(connection: Connection, admin: Connection, tenant: str, seed: int) -> None:
    """Seventy events in five weeks, folded; intents, deadlines, accesses, and edges that have faded meanwhile."""
    chance = random.Random(seed)
    things = ["the kiln", "the roof", "the tax form", "a letter from Ana", "the printer", "the garden"]
    ends = ["broke again", "needs paint", "was late", "cost forty euros", "made a noise", "must be seen to"]
    events = []
    for number in range(70):
        text = f"{chance.choice(things)} {chance.choice(ends)}, note {number}"
        moment = NOW - timedelta(hours=chance.uniform(0, 840))
        events.append(remember(connection, text, moment.isoformat(), actor=chance.choice(["Ana", "Ben"])))
    fold(connection)
    goals = [add_node("intent", f"See to {things[n]}", *chance.sample(events, 2), ref=f"goal{n}") for n in range(3)]
    intents = [UUID(node) for node in apply(connection, *goals)["refs"].values()]
    for target in [*intents, *chance.sample(events, 12)]:
        moment = NOW + timedelta(hours=chance.uniform(-10, 40))
        apply(connection, *deadline(moment.isoformat(), target))
    for node in [*intents[:1], *chance.sample(events, 20)]:
        last = NOW - timedelta(hours=chance.uniform(0, 400))
        accessed(admin, tenant, node, chance.randrange(1, 30), last.isoformat())
    value(connection, "SELECT cognifold.consolidate()")  # what has faded leaves the live graph, and so the ranks


def expected_window(admin: Connection, tenant: str, max_nodes: int, pool: int = 200) -> list[Row]:
    """What the specification asks for, from the bare tables; ``pool`` as of ``context.background_pool``."""
    found = rows(admin, "SELECT n.*, s.access_count, s.last_accessed FROM cognifold.node AS n "
                        "LEFT JOIN cognifold.node_state AS s ON s.tenant_id = n.tenant_id AND s.node_id = n.id "
                        "WHERE n.tenant_id = %s AND n.merged_into IS NULL", tenant)  # fmt: skip
    nodes = {row["id"]: row for row in found}
    now = NOW.timestamp() / 3600

    graph = networkx.DiGraph()
    graph.add_nodes_from(nodes)
    due: dict[UUID, list[float]] = {}
    for edge in rows(admin, "SELECT * FROM cognifold.graph_edge WHERE tenant_id = %s", tenant):
        mass = math.exp(edge["potential"] - {"episodic": 0.005, "semantic": 0.0005}[edge["rate"]] * now)
        source, target = edge["source_id"], edge["target_id"]
        if edge["faded_at"] is None and mass >= 0.1:
            for start, end in [(source, target), (target, source)][: 2 if edge["bidirectional"] else 1]:
                before = graph.get_edge_data(start, end, {"weight": 0})["weight"]
                graph.add_edge(start, end, weight=before + mass)
        if edge["type"] == "deadline_for":
            due.setdefault(target, []).append(nodes[source]["occurred_at"].timestamp() / 3600 - now)
    ranks = networkx.pagerank(graph, alpha=0.85, tol=1e-15, max_iter=10000)

    # In units of what a node has that nothing points at, in steps of 3 %.
    unit = (0.15 + 0.85 * sum(ranks[node] for node in graph if not graph.out_degree(node))) / len(graph)
    bands = {node: math.floor(32 * math.log(max(1, rank / unit * (1 - 1e-12)))) for node, rank in ranks.items()}

    most = max(math.log1p(row["access_count"] or 0) for row in nodes.values())
    parts: dict[UUID, Row] = {}
    for node, row in nodes.items():
        if row["kind"] != "time":
            age = now - (row["last_accessed"] or row["occurred_at"]).timestamp() / 3600
            part = {
                "node_id": node, "kind": row["kind"], "title": row["title"],
                "pagerank": ranks[node] / max(ranks.values()),
                "recency": math.exp(-0.01 * max(age, 0)),
                "access": math.log1p(row["access_count"] or 0) / most,
                "urgency": max([2 - hours / 24 for hours in due.get(node, []) if 0 <= hours < 24], default=1),
            }  # fmt: skip
            part["score"] = (0.4 * part["pagerank"] + 0.4 * part["recency"] + 0.2 * part["access"]) * part["urgency"]
            parts[node] = part

    vectors: dict[UUID, Any] = {}
    stored = admin.execute("SELECT node_id, vector::text FROM cognifold.embedding WHERE tenant_id = %s", [tenant])
    for node, text in stored:
        vector = numpy.array(text.strip("[]").split(","), dtype=float)
        vectors[node] = vector / numpy.linalg.norm(vector)

    chosen: list[Row] = []

    def standing(part: Row) -> tuple[int, float, int]:
        band = bands[part["node_id"]]
        return band, 0 if band else nodes[part["node_id"]]["occurred_at"].timestamp(), part["node_id"].int

    def take(tier: str, places: int, score: Callable[[Row], float]) -> None:
        free = [part for node, part in parts.items() if node not in {row["node_id"] for row in chosen}]
        if tier == "background":
            free = sorted(free, key=standing, reverse=True)[: places + pool]
        for _ in range(places):
            left = [part for part in free if part["node_id"] not in {row["node_id"] for row in chosen}]
            if left:
                best = max(left, key=lambda part: (round(score(part), 12), part["score"]))  # of equals by priority
                diversity = distance(best) if tier == "background" else None
                chosen.append(best | {"tier": tier, "tier_score": score(best), "diversity": diversity})

    def distance(part: Row) -> float:
        own = vectors.get(part["node_id"])
        others = [vectors[row["node_id"]] for row in chosen if row["node_id"] in vectors]
        return 1.0 if own is None else 1 - max([0.0, *(float(own @ other) for other in others)])

    of_type = {"concept": 1.0, "intent": 0.8, "event": 0.0}
    take("immediate", max_nodes * 10 // 100, lambda p: 0.7 * p["recency"] + 0.3 * (p["urgency"] - 1))
    working = lambda p: 0.5 * p["pagerank"] + 0.3 * p["recency"] + 0.2 * of_type[p["kind"]]  # noqa: E731
    take("working", max_nodes * 30 // 100, working)
    take("background", max_nodes * 50 // 100, lambda p: 0.8 * p["pagerank"] + 0.2 * distance(p))
    take("priority", max_nodes - len(chosen), lambda p: float(p["score"]))
    return chosen


@pytest.mark.parametrize(("seed", "pool"), [(3, 200), (4, 200), (5, 4)])
def test_windows_equal_an_independent_computation_row_for_row(
    connection: Connection, admin: Connection, tenant: str, seed: int, pool: int
) -> None:
    lived(connection, admin, tenant, seed)
    value(connection, "SELECT cognifold.set_setting('context.background_pool', %s)", pool)
    for max_nodes in (20, 43, 100):
        found, expected = window(connection, max_nodes), expected_window(admin, tenant, max_nodes, pool)
        assert [(row["tier"], row["node_id"]) for row in found] == [(row["tier"], row["node_id"]) for row in expected]
        for got, wanted in zip(found, expected, strict=True):
            for name in wanted:
                same = (
                    pytest.approx(wanted[name], rel=1e-6, abs=1e-6) if isinstance(wanted[name], float) else wanted[name]
                )
                assert got[name] == same, (name, got)
    assert {row["kind"] for row in found} == {"event", "concept", "intent"}
    assert any(row["urgency"] > 1 for row in found)


def test_a_tenants_own_constants_decide(connection: Connection) -> None:
    for hour in range(10):
        remember(connection, f"Entry {hour} of the log", (NOW - timedelta(hours=hour)).isoformat())
    value(connection, "SELECT cognifold.set_setting('context.immediate_share', 0.5)")
    value(connection, "SELECT cognifold.set_setting('priority.decay', 0)")
    found = window(connection, 10)
    assert [row["tier"] for row in found[:5]] == ["immediate"] * 5
    assert {row["recency"] for row in found} == {1}
