"""How near is the vector stage of recall to a bare pgvector look-up, and how much does it find?

    python -m benchmarks.vectors [--json FILE] [--dsn DSN] [--sizes N ...] [--others TENANTS N] [--small TENANTS N]

Needs no data: each event's vector is the mean of twelve words of the lexicon, most of them from one of four hundred
topics, the rest as frequent as words are (Zipf); a question is five such words. One tenant of each size (1,000, 10,000,
100,000 unless ``--sizes`` says otherwise) stands among ``--others`` (5 of 20,000) and ``--small`` ones (200 of 200).
Measured for each size N:

    recall_10_N, recall_50_N   share of the exact best 10 and 50 that near_vectors(depth 50) finds (by NumPy)
    ms_N                       its median time, as the owner under row-level security, over one pooled connection that
                               goes from tenant to tenant
    times_bare_N               the same as a multiple of the baseline's: ``bare``, a top-10 from a table that holds this
                               tenant's vectors alone, with pgvector's default index and settings
    narrowed_recall_10_N       as recall_10, for the events of one thousandth of the time and for those of one actor in
                               three
    index_seconds              what build_vector_index took for all tenants of the run

``load_vectors`` and ``time_vector_stage`` serve other benchmarks, too.
"""

from __future__ import annotations

import argparse
import secrets
import struct
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from benchmarks.harness import Report, finish, scratch_database
from cognifold_pg.install import package_version

Connection = psycopg.Connection[Any]
Matrix = npt.NDArray[np.float32]

SIZES = (1_000, 10_000, 100_000)
OTHERS = (5, 20_000)
SMALL = (200, 200)
QUESTIONS = 60
DEPTH = 50
DIMENSIONS = 256
ACTORS = 3
_START = datetime(2026, 1, 1, tzinfo=UTC)
_STAGE = """
    SELECT v.node_id
    FROM cognifold.near_vectors(%s, 1::smallint, %s::halfvec,
                                cognifold.narrowed(NULL, %s, %s, NULL, NULL, %s, NULL, NULL, NULL), %s) AS v
"""


class Texts:
    """Vectors like those of texts, from the lexicon of the database."""

    def __init__(self, connection: Connection, seed: int = 7) -> None:
        rows = connection.execute(
            "SELECT document_vector::text FROM cognifold.lexicon ORDER BY md5(word) LIMIT 30000"
        ).fetchall()
        self._words: Matrix = np.array([np.fromstring(row[0][1:-1], sep=",") for row in rows], dtype=np.float32)
        self._random = np.random.default_rng(seed)
        self._frequency = 1 / np.arange(1, len(rows) + 1)
        self._frequency /= self._frequency.sum()
        self._topics = self._random.choice(len(rows), size=(400, 60))

    def make(self, number: int, words: int = 12, share: float = 0.6) -> Matrix:
        """So many unit vectors of so many words, of which ``share`` are of the text's topic."""
        topic = self._random.integers(0, len(self._topics), number)
        total = np.zeros((number, DIMENSIONS), np.float32)
        for _ in range(words):
            own = self._topics[topic, self._random.integers(0, self._topics.shape[1], number)]
            common = self._random.choice(len(self._words), number, p=self._frequency)
            total += self._words[np.where(self._random.random(number) < share, own, common)]
        unit: Matrix = total / np.linalg.norm(total, axis=1, keepdims=True)
        return unit


def _halves(vectors: Matrix) -> Iterator[bytes]:
    for row in vectors.astype(">f2"):
        yield struct.pack(">HH", len(row), 0) + row.tobytes()


def notation(vector: Matrix) -> str:
    """pgvector's notation."""
    return "[" + ",".join(f"{x:.6g}" for x in vector) + "]"


def node_id(number: int) -> UUID:
    """The id of a tenant's event of this number."""
    return UUID(int=0x7000_8000_0000_0000_0000 + number)


def load_vectors(admin: Connection, tenant: str, vectors: Matrix) -> None:
    """A tenant of as many events as there are vectors, one a minute, loaded as they stand (superuser)."""
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    admin.execute("SELECT cognifold.make_tenant(%s, NULL, 'UTC', 1::smallint)", [tenant])
    with admin.cursor() as cursor:
        with cursor.copy(
            "COPY cognifold.node (tenant_id, id, kind, memory_type, title, actor, occurred_at, recorded_at, "
            "digest) FROM STDIN"
        ) as copy:
            for number in range(len(vectors)):
                moment = _START + timedelta(minutes=number)
                copy.write_row(
                    (
                        tenant,
                        node_id(number),
                        "event",
                        "episodic",
                        f"event {number}",
                        f"actor {number % ACTORS}",
                        moment,
                        moment,
                        b"\0",
                    )
                )
        with cursor.copy(
            "COPY cognifold.embedding (tenant_id, model_id, kind, node_id, dimensions, vector) FROM STDIN "
            "(FORMAT binary)"
        ) as copy:
            copy.set_types(["text", "int2", "text", "uuid", "int4", "bytea"])
            for number, half in enumerate(_halves(vectors)):
                copy.write_row((tenant, 1, "event", node_id(number), DIMENSIONS, half))


def build_index(admin: Connection) -> float:
    """Index all that waits in one go; in seconds."""
    started = time.perf_counter()
    admin.execute("SET maintenance_work_mem = '1500MB'")
    admin.execute("SET max_parallel_maintenance_workers = 2")
    admin.execute("SELECT cognifold.build_vector_index(%s)", [DIMENSIONS])
    seconds = time.perf_counter() - started
    admin.execute(
        "VACUUM ANALYZE cognifold.node, cognifold.embedding, cognifold.vector_index, cognifold.vector_tail, "
        "cognifold.vector_count"
    )
    return seconds


def exact(vectors: Matrix, question: Matrix, depth: int, among: npt.NDArray[np.bool_] | None = None) -> list[UUID]:
    """The nearest by NumPy, in the precision that is stored."""
    cosine = vectors.astype(np.float16).astype(np.float32) @ question.astype(np.float16).astype(np.float32)
    if among is not None:
        cosine = np.where(among, cosine, -2)
    return [node_id(int(number)) for number in np.argsort(-cosine, kind="stable")[:depth]]


def time_vector_stage(
    connection: Connection,
    tenant: str,
    question: Matrix,
    depth: int = DEPTH,
    since: datetime | None = None,
    until: datetime | None = None,
    actors: list[str] | None = None,
) -> tuple[float, list[UUID]]:
    """Milliseconds and result of one call of near_vectors, by the owner under row-level security."""
    connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    parameters = [tenant, notation(question), since, until, actors, depth]
    started = time.perf_counter()
    rows = connection.execute(_STAGE, parameters, prepare=True).fetchall()
    return 1000 * (time.perf_counter() - started), [row[0] for row in rows]


def _share(found: Sequence[UUID], wanted: Sequence[UUID]) -> float:
    return len(set(found) & set(wanted)) / len(wanted)


def measure(dsn: str, sizes: Sequence[int], others: tuple[int, int], small: tuple[int, int]) -> Report:
    """Build the tenants, index them and measure each of ``sizes``."""
    metrics: dict[str, float] = {}
    baselines: dict[str, float] = {}
    with psycopg.connect(dsn, autocommit=True) as admin, psycopg.connect(dsn, autocommit=True) as pooled:
        texts = Texts(admin)
        tenants = {size: f"tenant of {size}" for size in sizes}
        held = {size: texts.make(size) for size in sizes}
        for number in range(others[0]):
            load_vectors(admin, f"other {number}", texts.make(others[1]))
        for number in range(small[0]):
            load_vectors(admin, f"small {number}", texts.make(small[1]))
        for size in sizes:
            load_vectors(admin, tenants[size], held[size])
        metrics["index_seconds"] = build_index(admin)
        role = sql.Identifier(f"writer_{secrets.token_hex(4)}")
        pooled.execute("SET ROLE cognifold_owner")
        for size in sizes:
            _measure_one(admin, pooled, tenants[size], held[size], texts, (metrics, baselines))
        del role
    return Report(
        "vectors",
        package_version(),
        f"{sizes} among {others[0]} of {others[1]} and {small[0]} of {small[1]}",
        metrics,
        baselines,
    )


def _measure_one(
    admin: Connection,
    pooled: Connection,
    tenant: str,
    vectors: Matrix,
    texts: Texts,
    report: tuple[dict[str, float], dict[str, float]],
) -> None:
    metrics, baselines = report
    size = len(vectors)
    admin.execute("DROP TABLE IF EXISTS bare")
    admin.execute("CREATE TABLE bare (id uuid, vector halfvec(256))")
    with admin.cursor() as cursor, cursor.copy("COPY bare FROM STDIN (FORMAT binary)") as copy:
        copy.set_types(["uuid", "bytea"])
        for number, half in enumerate(_halves(vectors)):
            copy.write_row((node_id(number), half))
    admin.execute("CREATE INDEX ON bare USING hnsw (vector halfvec_cosine_ops)")
    admin.execute("VACUUM ANALYZE bare")
    admin.execute("SET enable_seqscan = off")
    questions = texts.make(QUESTIONS, words=5, share=0.8)
    found: dict[str, list[float]] = {name: [] for name in ("ten", "fifty", "bare", "ms", "bare_ms", "narrowed")}
    for place in range(-5, QUESTIONS):  # the first warm caches and plans
        question = questions[place]
        time_vector_stage(pooled, "small 0", question)  # the pool's connection comes from another tenant
        ms, ids = time_vector_stage(pooled, tenant, question)
        started = time.perf_counter()
        rows = admin.execute(
            "SELECT id FROM bare ORDER BY vector <=> %s::halfvec LIMIT 10", [notation(question)], prepare=True
        ).fetchall()
        bare_ms = 1000 * (time.perf_counter() - started)
        best = exact(vectors, question, DEPTH)
        if place < 0:
            continue
        found["ms"].append(ms)
        found["bare_ms"].append(bare_ms)
        found["ten"].append(_share(ids[:10], best[:10]))
        found["fifty"].append(_share(ids, best))
        found["bare"].append(_share([row[0] for row in rows], best[:10]))
        if place % 4 == 0:
            span = max(size // 1000, 20)
            start = (place * size // QUESTIONS) // 2
            inside = np.zeros(size, bool)
            inside[start : start + span] = True
            since = _START + timedelta(minutes=start)
            _, ids = time_vector_stage(pooled, tenant, question, 10, since=since, until=since + timedelta(minutes=span))
            found["narrowed"].append(_share(ids, exact(vectors, question, 10, inside)))
            actor = np.arange(size) % ACTORS == 1
            _, ids = time_vector_stage(pooled, tenant, question, 10, actors=["actor 1"])
            found["narrowed"].append(_share(ids, exact(vectors, question, 10, actor)))
    metrics[f"recall_10_{size}"] = float(np.mean(found["ten"]))
    metrics[f"recall_50_{size}"] = float(np.mean(found["fifty"]))
    metrics[f"narrowed_recall_10_{size}"] = float(np.mean(found["narrowed"]))
    metrics[f"ms_{size}"] = median(found["ms"])
    metrics[f"times_bare_{size}"] = median(found["ms"]) / median(found["bare_ms"])
    baselines[f"bare.ms_{size}"] = median(found["bare_ms"])
    baselines[f"bare.recall_10_{size}"] = float(np.mean(found["bare"]))
    admin.execute("DROP TABLE bare")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report there, as JSON")
    parser.add_argument("--dsn", help="a PostgreSQL to use instead of the embedded one")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N")
    parser.add_argument("--others", type=int, nargs=2, default=OTHERS, metavar=("TENANTS", "N"))
    parser.add_argument("--small", type=int, nargs=2, default=SMALL, metavar=("TENANTS", "N"))
    given = parser.parse_args()
    with scratch_database(given.dsn) as dsn:
        finish(measure(make_conninfo(dsn), given.sizes, tuple(given.others), tuple(given.small)), given.json)


if __name__ == "__main__":
    main()
