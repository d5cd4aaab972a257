"""A tenant moves to another embedding model while it is used: every event, or nothing; never two models at once."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.embedding.provider import Matrix, Role
from cognifold_pg.errors import (
    DimensionMismatchError,
    EmbeddingModelMismatchError,
    ReembeddingError,
    ZeroVectorError,
    from_sqlstate,
)
from tests.conftest import Connection, at, value

TEXTS = [
    "The boiler in the cellar makes a knocking noise",
    "The boiler was bled and the knocking noise is softer",
    "The cellar boiler knocks again at night",
    "We booked the ferry to Naxos for June",
    "The ferry to Naxos leaves at seven",
    "Our ferry booking to Naxos was confirmed",
    "Lea practises the cello every evening",
    "Lea's cello teacher is on holiday",
    "The cello needs a new string",
    "!!! ???",
]


class Hashed:
    """A model outside the database: each word has a direction of its own, from its digest."""

    name, dimensions = "words of eight", 8

    def __init__(self, stop_after: int | None = None) -> None:
        self.left = stop_after

    def embed(self, texts: Sequence[str], role: Role = "document") -> Matrix:
        if self.left is not None:
            if self.left <= 0:
                os.kill(os.getpid(), 9)
            self.left -= 1
        made = []
        for text in texts:
            words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
            if not words:
                raise ZeroVectorError(f"no word in {text!r}")
            total = sum(
                np.frombuffer(hashlib.sha256(word.encode()).digest()[:8], np.uint8) / 255 - 0.5 for word in words
            )
            made.append(total / np.linalg.norm(total))
        return np.array(made, dtype=np.float32)


@pytest.fixture(scope="module")
def model(admin_dsn: str) -> Hashed:
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        admin.execute("SELECT cognifold.register_model(%s, 'external', %s)", [Hashed.name, Hashed.dimensions])
    return Hashed()


@pytest.fixture
def connection(connect: Callable[..., Connection], tenant: str) -> Connection:
    return connect(tenant)


@pytest.fixture
def memory(dsn: str, tenant: str, model: Hashed) -> Iterator[Memory]:
    with Memory(dsn, tenant=tenant) as opened:
        for number, text in enumerate(TEXTS):
            opened.remember(text, occurred_at=at(f"2026-03-01T08:{number:02}:00+00:00"), source="diary")
        opened.fold(100)
        yield opened


def stored(connection: Connection, tenant: str) -> dict[str, dict[str, list[float]]]:
    """Of each model the vectors of the events, by their text."""
    found: dict[str, dict[str, list[float]]] = {}
    for name, text, vector in connection.execute(
        "SELECT m.name, c.content, e.vector::vector::real[] FROM cognifold.embedding AS e JOIN "
        "cognifold.embedding_model AS m USING (model_id)"
        " JOIN cognifold.node_content AS c USING (tenant_id, node_id) WHERE e.tenant_id = %s AND e.kind = 'event'",
        [tenant],
    ):
        found.setdefault(name, {})[text] = vector
    return found


def faults(connection: Connection) -> list[Any]:
    return connection.execute("SELECT * FROM cognifold.check()").fetchall()


def whole(connection: Connection, tenant: str, texts: Sequence[str], embedder: Hashed) -> None:
    """All is as if the tenant had always had this model: vectors, concepts' means, sums, counts."""
    vectors = stored(connection, tenant)
    assert set(vectors) == {embedder.name}
    spoken = [text for text in texts if any(c.isalnum() for c in text)]
    assert set(vectors[embedder.name]) == set(spoken)
    expected = embedder.embed(spoken)
    assert np.allclose([vectors[embedder.name][text] for text in spoken], expected, atol=1e-3)
    total = value(
        connection, "SELECT vector_sum::real[] FROM cognifold.embedding_statistics WHERE tenant_id = %s", tenant
    )
    assert np.allclose(total, expected.sum(axis=0), atol=1e-2)
    assert value(connection, "SELECT events FROM cognifold.vector_count WHERE tenant_id = %s", tenant) == len(spoken)
    assert connection.execute("SELECT * FROM cognifold.reembedding_progress").fetchall() == []
    assert value(connection, "SELECT count(*) FROM cognifold.reembedding_queue") == 0
    concepts = connection.execute(
        "SELECT e.vector::vector::real[], array_agg(c.content) FROM cognifold.embedding AS e"
        " JOIN cognifold.graph_edge AS g ON g.tenant_id = e.tenant_id AND g.target_id = e.node_id AND g.type "
        "IN ('grounds', 'reinforces') AND NOT g.inferred"
        " JOIN cognifold.node_content AS c ON c.tenant_id = g.tenant_id AND c.node_id = g.source_id"
        " WHERE e.tenant_id = %s AND e.kind = 'concept' GROUP BY e.node_id, e.vector::vector",
        [tenant],
    ).fetchall()
    assert concepts
    for vector, evidence in concepts:
        mean = embedder.embed(evidence).sum(axis=0)
        assert np.allclose(vector, mean / np.linalg.norm(mean), atol=2e-3)


def test_a_memory_moves_to_another_model_and_back(
    memory: Memory, tenant: str, model: Hashed, connection: Connection
) -> None:
    before = stored(connection, tenant)["lexicon"]
    first = [row.content for row in memory.recall("ferry to Naxos", 3)]
    assert memory.reembed(model, max_rows=4) == len(TEXTS)
    whole(connection, tenant, TEXTS, model)
    assert faults(connection) == []
    assert set(first) == {row.content for row in memory.recall("ferry to Naxos", 3)}  # the client asks by the new model
    assert memory.reembed(model) == 0  # it is there
    memory.reembed(max_rows=3)
    assert stored(connection, tenant) == {"lexicon": before}
    assert faults(connection) == []
    assert [row.content for row in memory.recall("ferry to Naxos", 3)] == first


def test_while_it_is_filled_the_old_model_goes_on_and_new_events_get_both(
    memory: Memory, tenant: str, model: Hashed, connection: Connection
) -> None:
    assert value(connection, "SELECT cognifold.reembed(%s)", model.name) == len(TEXTS)
    assert value(connection, "SELECT cognifold.reembed(%s)", model.name) == len(TEXTS)  # it goes on
    ids, texts = zip(*connection.execute("SELECT * FROM cognifold.awaiting_reembedding(4)").fetchall(), strict=True)
    vectors = ["[" + ",".join(map(str, vector)) + "]" for vector in model.embed(texts)]
    store = "SELECT cognifold.store_reembedded(%s::uuid[], %s::text[]::vector[], %s)"
    assert value(connection, store, list(ids), vectors, model.name) == 4
    assert value(connection, store, list(ids), vectors, model.name) == 0  # a second worker with the same
    memory.remember("The knocking boiler was replaced", occurred_at=at("2026-03-02T08:00:00+00:00"), source="diary")
    memory.fold(10)
    assert memory.recall("boiler", 1)
    progress = connection.execute(
        "SELECT from_model, to_model, state, vectors, waiting FROM cognifold.reembedding_progress"
    ).fetchone()
    assert progress == ("lexicon", model.name, "filling", 4, len(TEXTS) - 4 + 1)
    assert value(connection, "SELECT cognifold.reembed_batch()") == 0  # waits for vectors from outside
    memory.reembed(model)
    whole(connection, tenant, [*TEXTS, "The knocking boiler was replaced"], model)
    assert faults(connection) == []


REFUSED: dict[str, tuple[type[Exception], str, str]] = {
    "of another length": (DimensionMismatchError, "[1,2,3]", Hashed.name),
    "without direction": (ZeroVectorError, "[0,0,0,0,0,0,0,0]", Hashed.name),
    "of the old model": (EmbeddingModelMismatchError, "[1,0,0,0,0,0,0,0]", "lexicon"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_batch_with_a_vector_that_does_not_fit_is_refused_whole(
    memory: Memory, tenant: str, model: Hashed, connection: Connection, kind: str
) -> None:
    error, vector, name = REFUSED[kind]
    value(connection, "SELECT cognifold.reembed(%s)", model.name)
    ids = [row[0] for row in connection.execute("SELECT event_id FROM cognifold.awaiting_reembedding(2)")]
    with pytest.raises(psycopg.Error) as caught:
        connection.execute(
            "SELECT cognifold.store_reembedded(%s::uuid[], %s::text[]::vector[], %s)",
            [ids, ["[1,0,0,0,0,0,0,0]", vector], name],
        )
    assert isinstance(from_sqlstate(caught.value.sqlstate, str(caught.value)), error)
    assert set(stored(connection, tenant)) == {"lexicon"}
    assert value(connection, "SELECT waiting FROM cognifold.reembedding_progress") == len(TEXTS)


def test_a_move_is_abandoned_and_leaves_nothing(
    memory: Memory, tenant: str, model: Hashed, connection: Connection
) -> None:
    before = stored(connection, tenant)
    value(connection, "SELECT cognifold.reembed(%s)", model.name)
    with pytest.raises(ReembeddingError, match="words of eight"):
        memory.reembed(type("Other", (Hashed,), {"name": "all-MiniLM-L6-v2"})())
    ids = [row[0] for row in connection.execute("SELECT event_id FROM cognifold.awaiting_reembedding(2)")]
    value(
        connection,
        "SELECT cognifold.store_reembedded(%s::uuid[], %s::text[]::vector[], %s)",
        ids,
        ["[1,0,0,0,0,0,0,0]"] * 2,
        model.name,
    )
    assert memory.abandon_reembedding() is True
    assert memory.abandon_reembedding() is False
    assert stored(connection, tenant) == before
    assert connection.execute("SELECT model_id FROM cognifold.vector_count").fetchall() == [(1,)]
    assert connection.execute("SELECT * FROM cognifold.reembedding_progress").fetchall() == []
    with pytest.raises(EmbeddingModelMismatchError, match="no such model"):
        memory.reembed(type("Other", (Hashed,), {"name": "no such model"})())
    with pytest.raises(psycopg.Error) as caught:
        connection.execute("SELECT cognifold.store_reembedded('{}', '{}', %s)", [model.name])
    assert isinstance(from_sqlstate(caught.value.sqlstate, str(caught.value)), ReembeddingError)


def test_killed_in_the_middle_it_goes_on(
    memory: Memory, tenant: str, model: Hashed, connection: Connection, dsn: str
) -> None:
    program = (
        "from cognifold_pg.client import Memory; from tests.embed.test_reembedding import Hashed; import sys;"
        "Memory(sys.argv[1], tenant=sys.argv[2]).__enter__().reembed(Hashed(stop_after=2), max_rows=2)"
    )
    killed = subprocess.run([sys.executable, "-c", program, dsn, tenant], check=False, capture_output=True)
    assert killed.returncode == -9, killed.stderr.decode()
    assert value(connection, "SELECT waiting FROM cognifold.reembedding_progress") == len(TEXTS) - 4
    memory.reembed(model)
    whole(connection, tenant, TEXTS, model)
    assert faults(connection) == []


def test_a_step_that_is_broken_off_is_as_if_it_had_not_begun(
    memory: Memory, tenant: str, model: Hashed, connection: Connection, dsn: str
) -> None:
    memory.reembed(model)
    value(connection, "SELECT cognifold.reembed('lexicon')")
    with psycopg.connect(dsn) as other:
        other.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
        assert value(other, "SELECT cognifold.reembed_batch(5)") == 5
        other.rollback()
    assert value(connection, "SELECT waiting FROM cognifold.reembedding_progress") == len(TEXTS)


def test_a_reader_sees_one_model_or_the_other_and_answers_throughout(
    memory: Memory, tenant: str, model: Hashed, connection: Connection, connect: Callable[..., Connection]
) -> None:
    asked = ["[" + ",".join(map(str, model.embed(["ferry to Naxos"], "query")[0])) + "]", model.name]
    by_old = "SELECT node_id, cosine FROM cognifold.recall('ferry to Naxos', 5) ORDER BY 1"
    by_new = (
        "SELECT node_id, cosine"
        " FROM cognifold.recall('ferry to Naxos', 5, query_embedding => %s::vector, model => %s) ORDER BY 1"
    )
    old = connection.execute(by_old.encode()).fetchall()
    earlier = connect(tenant)
    earlier.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    assert earlier.execute(by_old.encode()).fetchall() == old
    reader, seen, over = connect(tenant), [], threading.Event()

    def read() -> None:
        while not over.is_set():
            try:
                seen.append(("old", reader.execute(by_old.encode()).fetchall()))
            except psycopg.Error as error:
                assert error.sqlstate == "CF012"
                seen.append(("new", reader.execute(by_new.encode(), asked).fetchall()))

    thread = threading.Thread(target=read)
    thread.start()
    memory.reembed(model, max_rows=1)
    new = connection.execute(by_new.encode(), asked).fetchall()
    while seen[-1][0] == "old":
        assert thread.is_alive()
    over.set()
    thread.join()
    order = [name for name, _ in seen]
    assert order == sorted(order, reverse=True)  # old, and from the switch on new
    assert all(rows == (old if name == "old" else new) for name, rows in seen)
    assert earlier.execute(by_old.encode()).fetchall() == old  # also with its vectors gone for everybody else


def test_folding_goes_on_meanwhile(
    memory: Memory, tenant: str, model: Hashed, connection: Connection, dsn: str
) -> None:
    more = [
        f"Note {number}: the {thing} was moved to room {number}"
        for number, thing in enumerate(["lamp", "desk", "piano", "globe"] * 5)
    ]

    def write() -> None:
        with Memory(dsn, tenant=tenant) as writer:
            for number, text in enumerate(more):
                writer.remember(text, occurred_at=at(f"2026-03-03T08:{number:02}:00+00:00"), source="diary")
                writer.fold(1)

    thread = threading.Thread(target=write)
    thread.start()
    memory.reembed(model, max_rows=1)
    thread.join()
    memory.embed_waiting()
    memory.fold(100)
    memory.reembed(model)
    whole(connection, tenant, [*TEXTS, *more], model)
    assert faults(connection) == []
