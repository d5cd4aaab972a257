"""Spreading activation equals a model of it in plain Python, reads no more for a hub, and shows the way it came."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.conftest import Connection, value
from tests.partitions import WHOLE

SHARE, SHARED_NAME, EDGE = 0.5, 0.2, 0.4
NARROW = "cognifold.narrowed(ARRAY['event'], NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)"
BEARS, NAMES = 0, 1

Names = Mapping[tuple[UUID, str], int]  # which node has which name, in which role
Edges = Mapping[tuple[UUID, UUID], float]  # mass


def model(
    total: int, names: Names, edges: Edges, front: Mapping[UUID, float], seeds: int, hops: int, fan_out: int
) -> dict[UUID, float]:
    """The strongest activation of each node over all ways of up to ``hops`` hops from ``front``."""
    holders: dict[str, dict[UUID, int]] = {}
    for (node, name), role in names.items():
        holders.setdefault(name, {})[node] = role
    strongest: dict[UUID, float] = {}
    ways: dict[UUID, list[UUID]] = {node: [] for node in front}
    for _ in range(hops):
        chosen = sorted(front, key=lambda node: (-front[node], node))[:seeds]
        reached: dict[UUID, float] = {}
        next_ways: dict[UUID, list[UUID]] = {}
        for seed in chosen:
            weights: dict[UUID, float] = {}
            for nodes in holders.values():
                if seed not in nodes:
                    continue
                bearers = sum(role == BEARS for role in nodes.values())
                rarity = math.log(total / min(len(nodes), fan_out + 1)) / math.log(total)  # no further is counted
                for node, role in nodes.items():
                    if node == seed or (bearers if role == BEARS else len(nodes)) > fan_out:
                        continue
                    divided = 1 / bearers if role == BEARS else 1 / len(nodes)
                    part = SHARED_NAME if role == nodes[seed] == NAMES else 1.0
                    weights[node] = weights.get(node, 0) + rarity * divided * part
            for pair, mass in edges.items():
                if seed in pair:
                    other = pair[pair[0] == seed]
                    weights[other] = weights.get(other, 0) + EDGE * min(mass, 1)
            for node, weight in weights.items():
                strength = SHARE * front[seed] * min(weight, 1)
                if strength > reached.get(node, 0) and node not in ways[seed]:
                    reached[node] = strength
                    next_ways[node] = [*ways[seed], seed]
        for node, strength in reached.items():
            strongest[node] = max(strongest.get(node, 0), strength)
        front, ways = reached, next_ways
    return strongest


def activated(connection: Connection, tenant: str, front: Mapping[UUID, float]) -> list[tuple[Any, ...]]:
    connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    query = f"SELECT node_id, strength, via, reason FROM cognifold.spread(%s, %s::uuid[], %s::float8[], {NARROW})"
    return connection.execute(query.encode(), [tenant, list(front), list(front.values())]).fetchall()


def lower_case_events(memory: Memory, count: int) -> list[UUID]:
    """Events whose texts name nothing, indexed."""
    memory.rows("SELECT cognifold.set_setting('fold.minimum_information', 100)")
    stored = memory.remember_many(Experience(f"nothing of note, entry {number}") for number in range(count))
    memory.fold_all(batch=100)
    memory.rows("SELECT cognifold.set_setting('spread.edge', %s)", [EDGE])
    return list(stored.ids)


def write_names(admin: Connection, tenant: str, names: Names) -> None:
    admin.cursor().executemany(
        "INSERT INTO cognifold.mention (tenant_id, node_id, name, role) VALUES (%s, %s, %s, %s)",
        [(tenant, node, name, role) for (node, name), role in names.items()],
    )


def write_edges(admin: Connection, tenant: str, edges: Edges) -> None:
    admin.execute("DELETE FROM cognifold.graph_edge WHERE tenant_id = %s", [tenant])
    admin.cursor().executemany(
        "INSERT INTO cognifold.graph_edge (tenant_id, source_id, target_id, type, source_kind, target_kind, rate, "
        "potential, stamped_at, created_at, plan_id) SELECT %s, %s, %s, 'related_to', 'event', 'event', 'episodic', "
        "ln(%s::float8) + cognifold.decay_integral(%s, 'episodic', cognifold.now()), "
        "cognifold.now(), cognifold.now(), %s",
        [(tenant, source, target, mass, tenant, uuid4()) for (source, target), mass in edges.items()],
    )


def test_activation_is_that_of_the_model(memory: Memory, tenant: str, admin: Connection) -> None:
    nodes = lower_case_events(memory, 14)
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    now = value(admin, "SELECT cognifold.now()::text")
    admin.execute("SELECT set_config('cognifold.now', %s, false)", [now])
    for seed in range(25):
        chance = random.Random(seed)
        seeds, hops, fan_out = chance.randint(1, 5), chance.randint(1, 3), chance.randint(1, 6)
        for name, setting in (("seeds", seeds), ("hops", hops), ("fan_out", fan_out)):
            memory.rows("SELECT cognifold.set_setting(%s, %s)", [f"spread.{name}", setting])
        names = {
            (chance.choice(nodes), f"name {chance.randint(1, 9)}"): chance.choice((BEARS, NAMES, NAMES))
            for _ in range(chance.randint(0, 35))
        }
        pairs = {tuple(sorted(chance.sample(nodes, 2))) for _ in range(chance.randint(0, 8) if fan_out > 4 else 0)}
        edges = {(a, b): chance.choice((0.3, 0.6, 1.0, 1.7)) for a, b in pairs}
        degree = max((sum(n in pair for pair in edges) for n in nodes), default=0)
        if degree > fan_out:
            edges = {}
        front = {node: chance.uniform(0.1, 2) for node in chance.sample(nodes, chance.randint(1, 6))}
        admin.execute("DELETE FROM cognifold.mention WHERE tenant_id = %s", [tenant])
        write_names(admin, tenant, names)
        write_edges(admin, tenant, edges)
        found = {row[0]: row[1] for row in activated(admin, tenant, front)}
        expected = model(len(nodes), names, edges, front, seeds, hops, fan_out)
        expected = {node: strength for node, strength in expected.items() if strength > 0}
        assert found == pytest.approx(expected, rel=1e-9), f"seed {seed}"


def test_the_way_and_its_last_step_are_shown(memory: Memory, tenant: str, admin: Connection) -> None:
    film = memory.remember("A mystery by Rui Costa", title="Still Waters (film)")
    person = memory.remember("He was born in Faro", title="Rui Costa")
    town = memory.remember("A town by the sea", title="Faro, Algarve")
    memory.remember("nothing of note")
    memory.fold_all()
    memory.rows("SELECT cognifold.set_setting('spread.hops', 2)")
    rows = activated(admin, tenant, {film: 1.0})
    assert [(row[0], row[2], row[3]) for row in rows] == [
        (person, [film], 'names "rui costa"'),
        (town, [film, person], 'names "faro"'),
    ]
    rarity = math.log(4 / 2) / math.log(4)
    assert [row[1] for row in rows] == pytest.approx([SHARE * rarity, (SHARE * rarity) ** 2])


def test_recall_reaches_what_an_answer_names(memory: Memory) -> None:
    memory.remember("A mystery by Rui Costa about a lighthouse", title="Still Waters (film)")
    director = memory.remember("He was born in Faro and studied medicine", title="Rui Costa")
    memory.remember_many(Experience(f"A report on lorries and bridges, number {n}") for n in range(20))
    memory.fold_all()
    assert director in [found.node_id for found in memory.recall("Who directed Still Waters?", 2)]


def test_another_tenant_is_not_reached(
    memory: Memory, tenant: str, new_tenant: Any, dsn: str, admin: Connection
) -> None:
    film = memory.remember("A mystery by Rui Costa", title="Still Waters")
    memory.remember("He was born in Faro", title="Somebody Else")
    memory.fold_all()
    with Memory(dsn, tenant=new_tenant()) as other:
        other.remember("He was born in Faro", title="Rui Costa")
        other.fold_all()
    assert activated(admin, tenant, {film: 1.0}) == []


def entries_read(connection: Connection) -> dict[str, int]:
    """Index entries the open transaction has read so far, by table."""
    rows = connection.execute(
        f"SELECT w.relname, sum(pg_stat_get_xact_tuples_returned(i.indexrelid))::bigint FROM pg_index AS i "
        f"JOIN pg_class AS c ON c.oid = i.indrelid AND c.relkind = 'r' JOIN pg_class AS w ON w.oid = {WHOLE} "
        "WHERE w.oid IN ('cognifold.mention'::regclass, 'cognifold.graph_edge'::regclass) GROUP BY 1".encode()
    ).fetchall()
    return dict(rows)


def test_a_hub_is_read_no_further_than_the_fan_out(memory: Memory, tenant: str, admin: Connection) -> None:
    nodes = lower_case_events(memory, 300)
    write_names(admin, tenant, {(node, "everywhere"): NAMES for node in nodes})
    write_edges(admin, tenant, {(nodes[0], node): 0.5 for node in nodes[1:]})
    memory.rows("SELECT cognifold.set_setting('spread.hops', 2)")
    fan_out = int(memory.setting("spread.fan_out"))
    with admin.transaction():
        before = entries_read(admin)
        found = activated(admin, tenant, {nodes[0]: 1.0})
        after = entries_read(admin)
    # Of 300 that share the name none is reached over it; over edges the strongest fan_out.
    assert 0 < len(found) <= fan_out and {row[3] for row in found} == {"related_to"}
    seeds, hops = int(memory.setting("spread.seeds")), int(memory.setting("spread.hops"))
    assert 0 < after["graph_edge"] - before["graph_edge"] <= hops * 4 * seeds * fan_out
    assert 0 < after["mention"] - before["mention"] <= hops * (seeds + fan_out + 1)
