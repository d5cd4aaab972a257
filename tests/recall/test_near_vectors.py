"""Candidates by meaning: exact for small memories, by the index for large ones, and the same memories either way.

The expected order comes from NumPy, over the vectors as they are stored (half precision).
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
import psycopg
import pytest

from tests.conftest import Connection, at, value
from tests.partitions import of_tables

Matrix = npt.NDArray[np.float32]
START = at("2026-01-01T00:00:00+00:00")
ACTORS, SOURCES, PRIVACY = ("Ann", "Ben", "Cleo"), ("chat", "mail"), ("private",) * 99 + ("public",)
LARGE, SMALL = 700, 60
BAR = 200  # vector.exact of the large tenants here
HOLD = ["enable_seqscan", "enable_sort", "enable_hashjoin", "enable_mergejoin"]


def node_id(number: int) -> UUID:
    return UUID(int=0x7000_8000_0000_0000_0000 + number)


def notation(vector: Matrix) -> str:
    return "[" + ",".join(f"{x:.6g}" for x in vector) + "]"


def vectors_of(number: int, seed: int) -> Matrix:
    """Unit vectors about twenty centres, so that some are much nearer than others."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(20, 256))
    vectors = centres[random.integers(0, 20, number)] + random.normal(size=(number, 256))
    unit: Matrix = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16).astype(np.float32)
    return unit


class Store:
    """A tenant of events as they stand: vector i belongs to node_id(i), said a minute after the one before."""

    def __init__(self, admin: Connection, tenant: str, vectors: Matrix, kind: str = "event") -> None:
        self.admin, self.tenant, self.vectors = admin, tenant, vectors
        admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
        for number, vector in enumerate(vectors):
            self.node(number, kind)
            self.store(number, vector, kind)

    def node(self, number: int, kind: str = "event") -> None:
        self.admin.execute(
            "INSERT INTO cognifold.node (tenant_id, id, kind, memory_type, title, actor, source, occurred_at, "
            "recorded_at, privacy_level, digest)"
            " VALUES (%s, %s, 'event', 'episodic', 'said', %s, %s, %s, %s, %s, '')",
            [
                self.tenant, node_id(number), ACTORS[number % 3], SOURCES[number % 2],
                START + timedelta(minutes=number), START, PRIVACY[number % 100],
            ],
        )  # fmt: skip

    def store(self, number: int, vector: Matrix, kind: str = "event") -> None:
        self.admin.execute(
            "INSERT INTO cognifold.embedding (tenant_id, model_id, kind, node_id, dimensions, vector) VALUES "
            "(%s, 1, %s, %s, 256, %s::halfvec)",
            [self.tenant, kind, node_id(number), notation(vector)],
        )

    def best(self, question: Matrix, depth: int, within: Callable[[int], bool] = lambda _: True) -> list[UUID]:
        cosine = self.vectors @ question
        order = [int(number) for number in np.argsort(-cosine, kind="stable") if within(int(number))]
        return [node_id(number) for number in order[:depth]]


@pytest.fixture(scope="module")
def stores(admin_dsn: str) -> Iterator[dict[str, Store]]:
    """Three large tenants, indexed, and three small ones, all about the same centres."""
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        made = {}
        for number, size in enumerate((LARGE, LARGE, LARGE, SMALL, SMALL, SMALL)):
            tenant = f"near vectors {number}"
            admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
            admin.execute("SELECT cognifold.make_tenant(%s, NULL, 'UTC', 1::smallint)", [tenant])
            admin.execute("SELECT cognifold.set_setting('vector.exact', %s)", [BAR])
            admin.execute("SELECT cognifold.set_setting('vector.narrowed', 100)")
            with admin.transaction():
                made[tenant] = Store(admin, tenant, vectors_of(size, seed=1000 + number))
            while value(admin, "SELECT cognifold.index_vectors(300)"):
                pass
        yield made


@pytest.fixture
def pooled(admin_dsn: str) -> Iterator[Connection]:
    """One connection of the role that the verbs run as, under row-level security, which goes from tenant to tenant."""
    with psycopg.connect(admin_dsn, autocommit=True, prepare_threshold=0) as connection:
        connection.execute("SET ROLE cognifold_owner")
        yield connection


def near(
    connection: Connection, store: Store, question: Matrix, depth: int, kinds: list[str] | None = None, **narrow: Any
) -> list[UUID]:
    connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [store.tenant])
    rows = connection.execute(
        "SELECT v.node_id, v.cosine FROM cognifold.near_vectors(%(tenant)s, 1::smallint, "
        "%(question)s::halfvec, cognifold.narrowed("
        "%(kinds)s, %(since)s, %(until)s, NULL, NULL, %(actors)s, %(sources)s, NULL, %(privacy)s), %(depth)s) AS v",
        {"tenant": store.tenant, "question": notation(question), "depth": depth, "kinds": kinds}
        | dict.fromkeys(("since", "until", "actors", "sources", "privacy")) | narrow,
    ).fetchall()  # fmt: skip
    cosines = [row[1] for row in rows]
    assert cosines == sorted(cosines, reverse=True)
    assert len({row[0] for row in rows}) == len(rows)
    return [row[0] for row in rows]


def share(found: list[UUID], wanted: list[UUID]) -> float:
    return len(set(found) & set(wanted)) / len(wanted)


def route(connection: Connection, store: Store, *kinds: str) -> str:
    connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [store.tenant])
    found: str = value(
        connection,
        "SELECT cognifold.vector_route(%s, 1::smallint, %s)",
        store.tenant,
        list(kinds) or ["event", "concept"],
    )
    return found


def test_a_small_memory_is_searched_exactly_and_a_large_one_by_the_index(
    pooled: Connection, stores: dict[str, Store]
) -> None:
    assert [route(pooled, store) for store in stores.values()] == ["index"] * 3 + ["exact"] * 3
    assert route(pooled, stores["near vectors 0"], "concept") == "exact"  # it has none: nothing to search an index for


@pytest.mark.parametrize("depth", [10, 50])
def test_a_pooled_connection_finds_every_tenants_own_nearest(
    pooled: Connection, stores: dict[str, Store], depth: int
) -> None:
    found: dict[bool, list[float]] = {True: [], False: []}
    for question in vectors_of(20, seed=5):
        for store in stores.values():
            share_found = share(near(pooled, store, question, depth), store.best(question, depth))
            found[len(store.vectors) == LARGE].append(share_found)
    assert np.mean(found[True]) >= 0.95
    assert min(found[False]) == 1


WITHIN: dict[str, tuple[dict[str, Any], Callable[[int], bool]]] = {
    "an hour": (
        {"since": START + timedelta(minutes=100), "until": START + timedelta(minutes=160)},
        lambda n: 100 <= n < 160,
    ),
    "an actor in three": ({"actors": ["Ben"]}, lambda n: n % 3 == 1),
    "a source in two": ({"sources": ["mail"], "kinds": ["event"]}, lambda n: n % 2 == 1),
    "an actor in a source within a day": (
        {"actors": ["Ann", "Cleo"], "sources": ["chat"], "since": START + timedelta(minutes=500)},
        lambda n: n % 3 != 1 and n % 2 == 0 and n >= 500,
    ),
    "one in a hundred, of which no index knows": ({"privacy": ["public"]}, lambda n: n % 100 == 99),
    "none": ({"actors": ["nobody"]}, lambda _: False),
}


@pytest.mark.parametrize("name", WITHIN)
def test_a_narrowing_loses_nothing(pooled: Connection, stores: dict[str, Store], name: str) -> None:
    narrow, within = WITHIN[name]
    shares = []
    for question in vectors_of(10, seed=6):
        for store in (stores["near vectors 0"], stores["near vectors 3"]):
            wanted = store.best(question, 10, within)
            found = near(pooled, store, question, 10, **narrow)
            assert len(found) == len(wanted)
            assert all(within(id.int - node_id(0).int) for id in found)
            shares.extend([share(found, wanted)] if wanted else [])
    assert not shares or np.mean(shares) >= 0.95


def test_a_scan_that_ends_too_early_is_made_good(
    pooled: Connection, admin: Connection, stores: dict[str, Store]
) -> None:
    store = stores["near vectors 1"]
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [store.tenant])
    admin.execute("SELECT cognifold.set_setting('vector.scan', 1), cognifold.set_setting('vector.search', 10)")
    question = vectors_of(1, seed=8)[0]
    try:
        assert near(pooled, store, question, 5, privacy=["public"]) == store.best(question, 5, lambda n: n % 100 == 99)
    finally:
        admin.execute("SELECT cognifold.set_setting('vector.scan', NULL), cognifold.set_setting('vector.search', NULL)")


# ---------------------------------------------------------------------------------------------- writing and indexing
@pytest.fixture
def growing(admin: Connection, tenant: str) -> Store:
    """A tenant just too small for the index."""
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    admin.execute("SELECT cognifold.set_setting('vector.exact', 30)")
    return Store(admin, tenant, vectors_of(30, seed=9))


def rows(admin: Connection, table: str, tenant: str) -> int:
    return int(value(admin, f"SELECT count(*) FROM cognifold.{table} WHERE tenant_id = %s", tenant))


def held(growing: Store) -> tuple[int, int, int]:
    """Rows of the tail, rows of the index, what the counts say there is."""
    admin, tenant = growing.admin, growing.tenant
    counted = int(value(admin, "SELECT events + concepts FROM cognifold.vector_count WHERE tenant_id = %s", tenant))
    assert counted == rows(admin, "embedding", tenant)
    faults = admin.execute("SELECT * FROM cognifold.check() AS c WHERE c.invariant LIKE '%vector%'").fetchall()
    assert not faults, faults
    return rows(admin, "vector_tail", tenant), rows(admin, "vector_index", tenant), counted


def add(growing: Store, number: int, seed: int = 10) -> None:
    vectors = vectors_of(number, seed)
    for vector in vectors:
        growing.node(len(growing.vectors))
        growing.store(len(growing.vectors), vector)
        growing.vectors = np.vstack([growing.vectors, vector])


def test_no_writer_touches_the_index_and_what_waits_is_found(growing: Store, pooled: Connection) -> None:
    index = "SELECT cognifold.index_vectors(%s)"
    question = vectors_of(1, seed=11)[0]
    assert value(growing.admin, index, 100) == 0 and held(growing) == (0, 0, 30)
    add(growing, 5)
    assert held(growing) == (0, 0, 35) and route(pooled, growing) == "exact"
    assert value(growing.admin, index, 20) == 20 and held(growing) == (15, 20, 35)
    assert route(pooled, growing) == "index"
    assert near(pooled, growing, question, 40) == growing.best(question, 40)
    add(growing, 3, seed=12)
    assert held(growing) == (18, 20, 38)
    assert near(pooled, growing, growing.vectors[37], 1) == [node_id(37)]
    assert near(pooled, growing, question, 40) == growing.best(question, 40)
    backlog = growing.admin.execute("SELECT indexed, waiting FROM cognifold.vector_backlog").fetchone()
    assert backlog == (True, 18)
    assert [value(growing.admin, index, 10) for _ in range(3)] == [10, 8, 0] and held(growing) == (0, 38, 38)
    assert near(pooled, growing, question, 40) == growing.best(question, 40)


def test_a_vector_that_changes_leaves_the_index_and_one_that_goes_leaves_nothing(
    growing: Store, pooled: Connection
) -> None:
    add(growing, 5)
    while value(growing.admin, "SELECT cognifold.index_vectors(100)"):
        pass
    other = vectors_of(1, seed=13)[0]
    growing.admin.execute(
        "UPDATE cognifold.embedding SET vector = %s::halfvec WHERE tenant_id = %s AND node_id = %s",
        [notation(other), growing.tenant, node_id(4)],
    )
    growing.vectors[4] = other
    assert held(growing) == (1, 34, 35)
    assert near(pooled, growing, other, 35) == growing.best(other, 35)
    growing.admin.execute(
        "DELETE FROM cognifold.node WHERE tenant_id = %s AND id = ANY (%s)", [growing.tenant, [node_id(4), node_id(5)]]
    )
    assert held(growing) == (0, 33, 33)
    assert near(pooled, growing, other, 35) == growing.best(other, 35, lambda n: n not in (4, 5))


def test_a_vector_changed_while_it_is_moved_is_not_found_where_it_was(
    growing: Store, admin_dsn: str, pooled: Connection
) -> None:
    """The move is open when the change begins: the change waits for it, and takes out what the move has put in."""
    add(growing, 5)
    value(growing.admin, "SELECT cognifold.index_vectors(1)")
    other = vectors_of(1, seed=14)[0]
    with psycopg.connect(admin_dsn) as mover, psycopg.connect(admin_dsn, autocommit=True) as writer:
        mover.execute("SELECT set_config('cognifold.tenant', %s, false)", [growing.tenant])
        mover.execute("SELECT cognifold.index_vectors(100)")
        process = writer.info.backend_pid
        change = threading.Thread(
            target=writer.execute,
            args=(
                "UPDATE cognifold.embedding SET vector = %s::halfvec WHERE tenant_id = %s AND node_id = %s",
                [notation(other), growing.tenant, node_id(20)],
            ),
        )
        change.start()
        while not value(growing.admin, "SELECT cardinality(pg_blocking_pids(%s)) > 0", process):
            assert change.is_alive()
        mover.commit()
        change.join()
    growing.vectors[20] = other
    assert held(growing) == (1, 34, 35)
    assert near(pooled, growing, other, 35) == growing.best(other, 35)


def test_what_is_being_written_is_left_for_the_next_batch(growing: Store, admin_dsn: str) -> None:
    add(growing, 5)
    value(growing.admin, "SELECT cognifold.index_vectors(30)")
    with psycopg.connect(admin_dsn) as writer:
        writer.execute(
            "DELETE FROM cognifold.embedding WHERE tenant_id = %s AND node_id = %s", [growing.tenant, node_id(34)]
        )
        assert value(growing.admin, "SELECT cognifold.index_vectors(100)") == 4
    assert value(growing.admin, "SELECT cognifold.index_vectors(100)") in (0, 1)


# ---------------------------------------------------------------------------------------------- plans
EMBEDDINGS = {"embedding_pkey", "embedding_by_node"}  # a range of either holds the tenant's vectors and no others
NODES = {"node_pkey", "node_tenant_id_id_kind_key"}
STATEMENTS = {  # the function: its further argument's type, and the indexes of each of which it must walk one
    "nearest_exact": ("", [EMBEDDINGS]),
    "nearest_exact_narrowed": ("", [EMBEDDINGS, NODES]),
    "nearest_among": (", uuid[]", [EMBEDDINGS, NODES]),
    "nearest_indexed": (", halfvec", [{"vector_index_256"}]),
    "nearest_indexed_narrowed": (", halfvec", [{"vector_index_256"}, NODES]),
}


def nodes(plan: Any) -> Iterator[dict[str, Any]]:
    if isinstance(plan, dict):
        if "Node Type" in plan:
            yield plan
        for part in plan.values():
            yield from nodes(part)
    elif isinstance(plan, list):
        for part in plan:
            yield from nodes(part)


@pytest.mark.parametrize("tenant", ["near vectors 0", "near vectors 3"], ids=["large", "small"])
@pytest.mark.parametrize("mode", ["force_generic_plan", "force_custom_plan"])
@pytest.mark.parametrize(
    ("name", "role"),
    [
        *((name, "cognifold_owner") for name in STATEMENTS),
        ("nearest_exact", "test_writer"),
        ("nearest_indexed", "test_writer"),
    ],
)  # what narrows calls what is the owner's
def test_each_way_walks_its_index(
    admin: Connection, stores: dict[str, Store], name: str, role: str, mode: str, tenant: str
) -> None:
    further, indexes = STATEMENTS[name]
    body, settings = admin.execute(
        "SELECT p.prosrc, n.proconfig FROM pg_proc AS p, pg_proc AS n WHERE p.oid = %s::regprocedure AND "
        "n.proname = 'near_vectors'",
        [f"cognifold.{name}(text, smallint, halfvec, cognifold.narrowing, integer{further})"],
    ).fetchone() or pytest.fail("no such function")
    for setting in settings:
        key, _, given = setting.partition("=")
        if key in HOLD:
            admin.execute("SELECT set_config(%s, %s, false)", [key, given])
    admin.execute(
        "SELECT set_config('plan_cache_mode', %s, false), set_config('cognifold.tenant', %s, false)", [mode, tenant]
    )
    question = notation(vectors_of(1, seed=15)[0])
    last = {"": "", ", uuid[]": f", '{{{node_id(1)},{node_id(2)}}}'"}
    if further == ", halfvec":  # the signature is the owner's to read
        located = f"SELECT ('{question}'::halfvec || cognifold.tenant_signature('{tenant}'))::text"
        last[further] = f", '{value(admin, located)}'::halfvec"
    admin.execute(f"PREPARE asked (text, smallint, halfvec, cognifold.narrowing, integer{further}) AS {body}".encode())
    admin.execute(f"SET ROLE {role}".encode())
    within = "NULL, '{public}', true" if indexes[-1] is NODES else "NULL, NULL, false"
    narrow = f"ROW('{{event,concept}}'{', NULL' * 6}, {within})::cognifold.narrowing"
    plan = value(
        admin,
        f"EXPLAIN (FORMAT JSON) EXECUTE asked('{tenant}', 1::smallint, '{question}', {narrow}, 10{last[further]})",
    )
    plan = of_tables(admin, json.loads(plan) if isinstance(plan, str) else plan)
    walked = {node["Index Name"] for node in nodes(plan) if "Index Name" in node}
    assert indexes[0] & walked, plan
    assert not [node for node in nodes(plan) if node["Node Type"] == "Seq Scan"], plan
    if further == ", halfvec":
        [scan] = [node for node in nodes(plan) if node.get("Index Name") == "vector_index_256"]
        assert scan["Node Type"] == "Index Scan" and "<#>" in scan["Order By"]
    if NODES in indexes and mode == "force_generic_plan":  # as near_vectors asks: one node at a time, by its id
        scans = [node for node in nodes(plan) if node.get("Relation Name") == "node"]
        assert scans, plan
        for scan in scans:
            assert scan["Index Name"] in NODES and re.search(r"\bid = ", scan["Index Cond"]), plan


def test_a_read_only_transaction_recalls_by_the_index(
    connect: Callable[..., Connection], stores: dict[str, Store], pooled: Connection
) -> None:
    store = stores["near vectors 2"]
    pooled.execute("SET default_transaction_read_only = on")
    question = vectors_of(1, seed=16)[0]
    assert share(near(pooled, store, question, 10), store.best(question, 10)) >= 0.8
    assert value(pooled, "SELECT current_setting('hnsw.ef_search', true)") in (
        None,
        "",
        "40",
    )  # ours ends with the function


def test_a_model_of_other_dimensions_gets_an_index_when_it_is_registered(
    admin: Connection, new_tenant: Callable[..., str]
) -> None:
    admin.execute("SELECT cognifold.register_model('a model of 5', 'external', 5)")
    assert value(admin, "SELECT to_regclass('cognifold.vector_index_5') IS NOT NULL")
    tenant = new_tenant(model="a model of 5")
    model = value(admin, "SELECT model_id FROM cognifold.embedding_model WHERE name = 'a model of 5'")
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    admin.execute("SELECT cognifold.set_setting('vector.exact', 10)")
    random = np.random.default_rng(17)
    vectors = random.normal(size=(40, 5))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store = Store(admin, tenant, vectors_of(0, seed=1))
    for number, vector in enumerate(vectors):
        store.node(number)
        admin.execute(
            "INSERT INTO cognifold.embedding VALUES (%s, %s, 'event', %s, 5, %s::halfvec)",
            [tenant, model, node_id(number), notation(vector)],
        )
    assert value(admin, "SELECT cognifold.index_vectors(30)") == 30
    for narrow in ("false", "true"):
        found = admin.execute(
            "SELECT v.node_id FROM cognifold.near_vectors(%s, %s::smallint, %s::halfvec,"
            f" ROW('{{event}}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, {narrow})::cognifold.narrowing, "
            f"12) AS v",
            [tenant, model, notation(vectors[3])],
        ).fetchall()
        cosine = vectors.astype(np.float16).astype(np.float64) @ vectors[3].astype(np.float16).astype(np.float64)
        assert [row[0] for row in found] == [node_id(int(n)) for n in np.argsort(-cosine)[:12]]


def test_vectors_too_long_for_an_index_are_searched_exactly_and_it_is_said(admin: Connection) -> None:
    told: list[str] = []
    admin.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))
    admin.execute("SELECT cognifold.register_model('a model of 4000', 'external', 4000)")
    assert any(re.search("4000 dimensions.*exactly", text) for text in told)
    assert value(admin, "SELECT to_regclass('cognifold.vector_index_4000') IS NULL")


def test_every_registered_model_has_its_index_or_is_too_long(admin: Connection) -> None:
    lacking = admin.execute(
        "SELECT DISTINCT m.dimensions FROM cognifold.embedding_model AS m"
        " WHERE to_regclass(format('cognifold.vector_index_%s', m.dimensions)) IS NULL AND m.dimensions <= 3984"
    ).fetchall()
    assert lacking == []
