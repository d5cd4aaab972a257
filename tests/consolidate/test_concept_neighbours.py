"""What is like a concept is found by an index of concepts where there are many, as exactly as it need be."""

from __future__ import annotations

import math
from collections.abc import Iterator
from uuid import UUID

import numpy as np
import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Connection, value
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import merged_into
from tests.graph.plans import add_edge, apply, concept, make_concept, violations
from tests.partitions import WHOLE

CONCEPTS = 60
NEIGHBOURS = "SELECT concept, neighbour, cosine::float8 FROM cognifold.concept_neighbours(%s, %s, %s, %s)"
SCANS = (
    "SELECT sum(pg_stat_get_xact_numscans(c.oid))::bigint FROM pg_class AS c "
    f"WHERE c.relkind = 'i' AND {WHOLE} = to_regclass('cognifold.vector_index_3_concepts')"
)


@pytest.fixture
def many(plane: Plane) -> dict[UUID, np.ndarray]:
    """Concepts all over the sphere, each of an event of its own, and many more events about one spot."""
    golden = math.pi * (3 - math.sqrt(5))
    made: dict[UUID, np.ndarray] = {}
    for start in range(0, CONCEPTS, 20):
        wanted = []
        for number in range(start, start + 20):
            z = 1 - 2 * (number + 0.5) / CONCEPTS
            flat = math.sqrt(1 - z * z)
            vector = np.array([flat * math.cos(golden * number), flat * math.sin(golden * number), z])
            wanted.append((number, vector, plane.event(f"Said {number}", *vector.tolist())))
        result = apply(plane.connection, *(concept(f"Thing {n}", e, ref=f"r{n}") for n, _, e in wanted))
        made |= {UUID(result["refs"][f"r{n}"]): vector for n, vector, _ in wanted}
    first = next(iter(made.values()))
    for number in range(40):
        plane.event(f"Much the same, {number}", *(first + np.array([0, 0, number / 10000])).tolist())
    return made


@pytest.fixture
def owner(plane: Plane, admin_dsn: str) -> Iterator[Connection]:
    """What the verbs run as, in the plane's tenant."""
    with psycopg.connect(admin_dsn, autocommit=True) as connection:
        connection.execute("SET ROLE cognifold_owner")
        connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [plane.tenant])
        yield connection


def test_by_the_index_and_the_tail_as_one_by_one(plane: Plane, many: dict[UUID, np.ndarray], owner: Connection) -> None:
    ids = list(many)
    matrix = np.array(list(many.values()))
    cosines = matrix @ matrix.T
    np.fill_diagonal(cosines, -1)
    asked = [plane.tenant, ids, 0.8, 3]

    def compare(found: list[tuple[UUID, UUID, float]]) -> None:
        for place, node in enumerate(ids):
            mine = [(other, cosine) for one, other, cosine in found if one == node]
            expected = sorted(-c for c in cosines[place] if c >= 0.8)[:3]
            assert [cosine for _, cosine in mine] == pytest.approx([-c for c in expected], abs=2e-3)  # half precision
            assert all(cosines[place, ids.index(other)] == pytest.approx(cosine, abs=2e-3) for other, cosine in mine)

    with owner.transaction():
        compare(owner.execute(NEIGHBOURS, asked).fetchall())
        assert value(owner, SCANS) == 0
    plane.set("vector.exact", 10)
    assert value(plane.connection, "SELECT cognifold.index_vectors(90)") == 90  # concepts first: some are left
    kinds = "SELECT count(*) FROM cognifold.vector_tail WHERE kind = %s"
    assert (value(plane.connection, kinds, "concept"), value(plane.connection, kinds, "event")) == (0, 70)
    plane.connection.execute("SELECT cognifold.set_setting('vector.search', 10)")
    moved = ids[:5]
    for node in moved:  # their vectors change, and so wait in the tail
        event = plane.event(f"Said again {node}", *many[node].tolist(), folded=True)
        apply(plane.connection, add_edge(event, "reinforces", node))
    assert value(plane.connection, kinds, "concept") == len(moved)
    with owner.transaction():
        compare(owner.execute(NEIGHBOURS, asked).fetchall())
        assert value(owner, SCANS) == CONCEPTS
        assert value(owner, "SHOW hnsw.ef_search") == "40", "set back"


def test_a_pass_merges_with_what_only_the_index_knows(plane: Plane, many: dict[UUID, np.ndarray]) -> None:
    spot = list(many.values())[30].tolist()
    old = make_concept(plane.connection, "Swimming", plane.event("Swam in the lake", *spot))
    plane.consolidate(0)
    plane.set("vector.exact", 10)
    while value(plane.connection, "SELECT cognifold.index_vectors(50)"):
        pass
    new = make_concept(plane.connection, "Laps in the pool", plane.event("Laps in the pool again", *spot))
    assert plane.consolidate(1)["counts"]["concepts_merged"] == 1
    assert (merged_into(plane.connection, new), merged_into(plane.connection, old)) == (old, None)
    assert violations(plane.connection) == []


def test_what_refers_to_a_new_node_stays_in_its_plan(plane: Plane, owner: Connection) -> None:
    plane.set("plan.maximum_operations", 4)
    events = [plane.event(f"Said {number}", 1, number, 0, folded=True) for number in range(3)]
    operations = []
    for number, event in enumerate(events):
        operations += [
            concept(f"Thing {number}", event, ref=f"r{number}"),
            {"op": "ADD_EDGE", "source": str(event), "target": f"r{number}", "type": "reinforces"},
            {"op": "ADD_EDGE", "source": f"r{number}", "target": str(event), "type": "related_to"},
        ]
    query = "SELECT cognifold.execute_in_plans(%s, cognifold.now(), 'a reason', %s::jsonb, cognifold.settings(%s))"
    done = value(owner, query, plane.tenant, Jsonb(operations), plane.tenant)
    assert (len(done["plans"]), done["counts"]["nodes_added"]) == (3, 3)
    links = [{"op": "ADD_EDGE", "source": str(events[0]), "target": str(e), "type": "related_to"} for e in events[1:]]
    done = value(owner, query, plane.tenant, Jsonb(links * 3), plane.tenant)
    assert (len(done["plans"]), done["counts"]["edges_added"]) == (2, 2)
    done = value(owner, query, plane.tenant, Jsonb([]), plane.tenant)
    assert done == {"plans": [], "counts": {}, "merged": []}
