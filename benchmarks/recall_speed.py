"""How fast is recall, beside a bare vector lookup and beside the SQL that anybody would write, at growing sizes?

    python -m benchmarks.recall_speed [--sizes 1000,10000,100000,1000000] [--tenants 5000] [--questions 100]
                                      [--rounds 3] [--json FILE] [--dsn DSN [--keep DATABASE]]

Needs no data. At each size N (1k, 10k, ...) one tenant has a memory of so many nodes, made at once
(benchmarks.synthetic); beside them stand so many tenants of 200 nodes (N = ``tenants``). The same rows lie in plain
tables without row-level security. In turns, question by question, one client with prepared statements asks

    recall    cognifold.recall for ten memories, as a plain role under row-level security
    bare      the ten nearest vectors of the plain table by its HNSW index, nothing else; ef_search is the least that
              finds 95 of 100 of them (for the tenants: of one tenant's 200 rows, exactly)
    obvious   the ten best by reciprocal rank of 60 by that index and 60 by ts_rank over a GIN index

Questions are of the same make as the texts: 2 to 4 words of a topic, 3 to 6 common ones. Metrics, each with its N:

    p50_ms, p95_ms         time of a call at the client; baselines bare and obvious the same
    ratio_to_bare, ratio_to_obvious    of the medians
    vector_recall          share of the ten nearest vectors of an exact scan that near_vectors finds, as a superuser
    vector_recall_rls      the same under row-level security
    stage_S_ms             median time of a stage alone: terms, embed, vectors, words, as deep as recall asks
    rows, buffers          index entries and scanned rows, and blocks, that a recall reads (medians)
    memory_mb              memory of the asking backend when all is asked
    remember_p95_ms        time to remember an event while another client asks all the time
    remember_p95_ratio     that of the largest memory as a multiple of the smallest one's

Making the memories is what takes long. With --keep they are made in DATABASE of that server and left there, and what
is there already is asked as it is, by the functions that are installed now: so a change is measured in a minute, with
the same questions. Nothing is remembered there, which would change the memories, so the last two metrics are left out.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, LiteralString

import numpy as np
import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from rich.console import Console

from benchmarks import synthetic
from benchmarks.harness import ROLE, Report, drop_role, finish, kept_database, make_role, scratch_database, short
from cognifold_pg.install import package_version

Connection = psycopg.Connection[Any]

_TENANT_NODES = 200
_SEED = 7
_FOUND = 0.95
_EF_SEARCH = (10, 20, 40, 60, 80, 100, 120, 140, 160, 200, 240, 280, 320, 400, 500, 600, 800, 1000)
_K = 10

_RECALL: LiteralString = "SELECT * FROM cognifold.recall(%(text)s, 10)"
_BARE: LiteralString = "SELECT id FROM plain.{table} {where} ORDER BY vector <=> %(vector)s::halfvec LIMIT 10"
_OBVIOUS: LiteralString = """
WITH meaning AS (
    SELECT id, row_number() OVER (ORDER BY distance) AS rank
    FROM (SELECT id, vector <=> %(vector)s::halfvec AS distance FROM plain.{table} {where}
          ORDER BY vector <=> %(vector)s::halfvec LIMIT 60) AS m
), words AS (
    SELECT id, row_number() OVER (ORDER BY score DESC) AS rank
    FROM (SELECT id, ts_rank(document, to_tsquery('english', %(either)s)) AS score FROM plain.{table}
          {where} {also} document @@ to_tsquery('english', %(either)s) ORDER BY score DESC LIMIT 60) AS w
)
SELECT p.id, p.content, f.score
FROM (SELECT id, sum(1.0 / (60 + rank)) AS score FROM (SELECT * FROM meaning UNION ALL SELECT * FROM words) AS r
      GROUP BY id ORDER BY score DESC, id LIMIT 10) AS f
JOIN plain.{table} AS p ON p.id = f.id {mine}
ORDER BY f.score DESC, p.id
"""
_STAGES: dict[str, LiteralString] = {
    "terms": "SELECT * FROM cognifold.query_terms(%(tenant)s, %(text)s)",
    "embed": "SELECT cognifold.embed(%(text)s, 'query', %(tenant)s)",
    "vectors": "SELECT * FROM cognifold.near_vectors(%(tenant)s, %(model)s, %(vector)s::halfvec, {narrow}, {depth})",
    "words": "SELECT * FROM cognifold.near_words(%(tenant)s, %(text)s, {narrow}, {depth})",
}
_NARROW: LiteralString = "cognifold.narrowed(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)"
_READ: LiteralString = """
SELECT coalesce(sum(pg_stat_get_xact_tuples_returned(c.oid)), 0) FROM pg_class AS c
WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'i')
"""


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000,1000000", help="nodes of each memory, ascending")
    parser.add_argument("--tenants", type=int, default=5000, help="tenants of 200 nodes beside them; 0 for none")
    parser.add_argument("--questions", type=int, default=100, help="questions asked of each memory in a round")
    parser.add_argument("--rounds", type=int, default=3, help="rounds after a first one that does not count")
    parser.add_argument("--events", type=int, default=200, help="events remembered in each memory while it is asked")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report there, as JSON")
    parser.add_argument("--dsn", help="a PostgreSQL to use instead of the embedded one")
    parser.add_argument("--keep", metavar="DATABASE", help="make the memories in this database of --dsn, once for all")
    options = parser.parse_args(argv)
    if options.keep and not options.dsn:
        parser.error("--keep needs --dsn: the embedded server is gone afterwards")
    sizes = [int(size) for size in options.sizes.split(",")]
    events = 0 if options.keep else options.events
    with kept_database(options.dsn, options.keep) if options.keep else scratch_database(options.dsn) as dsn:
        report = measure(
            dsn, sizes, options.tenants, options.questions, options.rounds, events, kept=bool(options.keep)
        )
    finish(report, options.json)


@dataclass
class Asked:
    """A memory, or many small ones, the plain table of the same rows, and the questions."""

    name: str
    table: str
    tenants: list[str]
    topics: synthetic.Topics
    questions: list[dict[str, Any]] = field(default_factory=list)
    ef_search: int = _EF_SEARCH[0]
    seconds: dict[str, list[float]] = field(default_factory=dict)

    @property
    def single(self) -> bool:
        """Whether it is one memory."""
        return len(self.tenants) == 1

    def statement(self, template: LiteralString) -> sql.Composed:
        """``template`` over this memory's plain table, and its tenant's rows alone where there are many."""
        parts: tuple[LiteralString, LiteralString, LiteralString] = (
            ("", "WHERE", "") if self.single else ("WHERE tenant = %(tenant)s", "AND", "AND p.tenant = %(tenant)s")
        )
        where, also, mine = map(sql.SQL, parts)
        return sql.SQL(template).format(table=sql.Identifier(self.table), where=where, also=also, mine=mine)


def measure(
    dsn: str, sizes: Sequence[int], tenants: int, questions: int, rounds: int, events: int, *, kept: bool = False
) -> Report:
    """Run the benchmark in the database ``dsn`` (a superuser's), which must be the memory's alone.

    ``kept``: what was made in it stays, the role that asks included.
    """
    console = Console(stderr=True)
    metrics: dict[str, float] = {}
    baselines: dict[str, float] = {}
    with ExitStack() as opened:
        admin = opened.enter_context(psycopg.connect(dsn, autocommit=True))
        make_role(admin, "pg_read_all_stats")  # it looks at how much memory it takes itself
        if not kept:
            opened.callback(drop_role, admin)
        asked = _grown(admin, sizes, tenants, console)
        for one in asked:
            _ask(admin, one, questions)
        plain = make_conninfo(dsn, user=ROLE)
        sessions = [opened.enter_context(psycopg.connect(plain, autocommit=True)) for _ in asked]
        for number in range(rounds + 1):
            for one, session in zip(asked, sessions, strict=True):
                _round(session, one, number)
                if number == 0:
                    one.seconds.clear()
        owner = opened.enter_context(psycopg.connect(dsn, autocommit=True))
        for one, session in zip(asked, sessions, strict=True):
            _summarise(one, metrics, baselines)
            metrics[f"ef_search_{one.name}"] = one.ef_search
            _work(session, one, metrics)
            if one.single:
                _vector_recall(owner, one, metrics)
            _stages(owner, one, metrics)
            metrics[f"memory_mb_{one.name}"] = (
                float(_value(session, "SELECT sum(total_bytes) FROM pg_backend_memory_contexts")) / 1e6
            )
            console.print(
                f"{one.name}: { ({k: v for k, v in metrics.items() if k.endswith('_' + one.name)}) }", style="dim"
            )
        single = [one for one in asked if one.single] if events else []
        for one in single:
            metrics[f"remember_p95_ms_{one.name}"] = _remember(plain, one, events)
        if single:
            metrics["remember_p95_ratio"] = (
                metrics[f"remember_p95_ms_{single[-1].name}"] / metrics[f"remember_p95_ms_{single[0].name}"]
            )
    return Report("recall_speed", package_version(), f"{len(asked)} memories", metrics, baselines)


def _grown(admin: Connection, sizes: Sequence[int], tenants: int, console: Console) -> list[Asked]:
    """The memories and their plain tables, indexed; those that are there already are taken as they are."""
    admin.execute("CREATE SCHEMA IF NOT EXISTS plain")
    asked, made = [], []
    for size in sizes:
        tenant, table = f"memory of {size}", f"memory_{size}"
        if _is_there(admin, table):
            asked.append(Asked(short(size), table, [tenant], synthetic.topics(admin, size)))
            continue
        started = time.perf_counter()
        memory = synthetic.grow(admin, tenant, size, ranked=False)
        asked.append(Asked(short(size), table, [tenant], memory.topics))
        made.append(asked[-1])
        console.print(f"{size} nodes made in {time.perf_counter() - started:.0f} s", style="dim")
    if tenants:
        names = [f"small {number}" for number in range(1, tenants + 1)]
        if _is_there(admin, "tenants"):
            asked.append(Asked("tenants", "tenants", names, synthetic.topics(admin, _TENANT_NODES)))
        else:
            started = time.perf_counter()
            memory = synthetic.grow(admin, names[0], _TENANT_NODES, ranked=False)
            synthetic.multiply(admin, names[0], names[1:])
            asked.append(Asked("tenants", "tenants", names, memory.topics))
            made.append(asked[-1])
            console.print(f"{tenants} tenants made in {time.perf_counter() - started:.0f} s", style="dim")
    if made:
        started = time.perf_counter()
        index_vectors(admin, [one.tenants[0] for one in made if one.single])
        console.print(f"vectors indexed in {time.perf_counter() - started:.0f} s", style="dim")
    for one in made:
        started = time.perf_counter()
        _make_plain(admin, one)
        console.print(f"plain table {one.name} made in {time.perf_counter() - started:.0f} s", style="dim")
    readable = "GRANT USAGE ON SCHEMA plain TO {0}; GRANT SELECT ON ALL TABLES IN SCHEMA plain TO {0}"
    admin.execute(sql.SQL(readable).format(sql.Identifier(ROLE)))
    for one in asked:
        one.topics.random.seed(_SEED)  # the same questions of a memory just made as of one that was there
    return asked


def _is_there(admin: Connection, table: str) -> bool:
    """Whether a memory was made whole: its plain table is what is made last."""
    return bool(_value(admin, "SELECT to_regclass('plain.' || %s) IS NOT NULL", table))


def index_vectors(admin: Connection, tenants: Sequence[str]) -> None:
    """Bring all vectors into the memory's own index of them, in whatever way the installed version has."""
    if _value(admin, "SELECT to_regprocedure('cognifold.build_vector_index(integer)')") is not None:
        for (dimensions,) in admin.execute("SELECT DISTINCT dimensions FROM cognifold.embedding").fetchall():
            with admin.transaction():
                admin.execute("SET LOCAL maintenance_work_mem = '2GB'")
                admin.execute("SELECT cognifold.build_vector_index(%s)", [dimensions])
    elif _value(admin, "SELECT to_regproc('cognifold.index_vectors')") is not None:
        for tenant in tenants:
            while _value(admin, "SELECT cognifold.index_vectors(10000, tenant => %s)", tenant):
                pass
    admin.execute("VACUUM ANALYZE")


def _make_plain(admin: Connection, one: Asked) -> None:
    table = sql.Identifier("plain", one.table)
    dimensions = _value(admin, "SELECT dimensions FROM cognifold.embedding LIMIT 1")
    admin.execute("SET maintenance_work_mem = '2GB'")
    admin.execute(
        sql.SQL(
            "CREATE TABLE {} AS SELECT n.tenant_id AS tenant, n.id, c.content, e.vector::halfvec({}) AS vector, "
            "to_tsvector('english', c.content) AS document FROM cognifold.node AS n "
            "JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id "
            "LEFT JOIN cognifold.embedding AS e ON e.tenant_id = n.tenant_id AND e.node_id = n.id "
            "WHERE n.tenant_id = ANY (%s)"
        ).format(table, sql.Literal(dimensions)),
        [one.tenants],
    )
    indexes: Sequence[LiteralString] = (
        ("(id)", "USING gin (document)", "USING hnsw (vector halfvec_cosine_ops)") if one.single else ("(tenant, id)",)
    )
    for index in indexes:
        admin.execute(sql.SQL("CREATE INDEX ON {} " + index).format(table))
    admin.execute("RESET maintenance_work_mem")
    admin.execute(sql.SQL("VACUUM ANALYZE {}").format(table))


def _ask(admin: Connection, one: Asked, number: int) -> None:
    """Make the questions, and find out how far the bare index must look for the nearest vectors."""
    texts = [one.topics.question() for _ in range(number)]
    for place, text in enumerate(texts):
        tenant = one.tenants[place * 7919 % len(one.tenants)]
        with admin.transaction():
            admin.execute("SELECT set_config('cognifold.tenant', %s, true)", [tenant])
            vector = _value(admin, "SELECT cognifold.embed(%s, 'query', %s)::halfvec::text", text, tenant)
        one.questions.append(
            {"text": text, "vector": vector, "either": " | ".join(text.split()), "tenant": tenant}
        )  # fmt: skip
    if not one.single:
        return
    bare = one.statement(_BARE)
    with admin.transaction():
        admin.execute("SET LOCAL enable_indexscan = off")
        exact = [_ids(admin, bare, question) for question in one.questions]
    for one.ef_search in _EF_SEARCH:
        admin.execute(sql.SQL("SET hnsw.ef_search = {}").format(one.ef_search))
        found = [_ids(admin, bare, question) for question in one.questions]
        if _share(exact, found) >= _FOUND:
            break


def _round(session: Connection, one: Asked, number: int) -> None:
    """Each question each way, the ways in turns."""
    session.execute(sql.SQL("SET hnsw.ef_search = {}").format(one.ef_search))
    ways: list[tuple[str, sql.SQL | sql.Composed]] = [
        ("recall", sql.SQL(_RECALL)), ("bare", one.statement(_BARE)), ("obvious", one.statement(_OBVIOUS)),
    ]  # fmt: skip
    for place, question in enumerate(one.questions):
        if _value(session, "SELECT current_setting('cognifold.tenant', true)") != question["tenant"]:
            session.execute("SELECT set_config('cognifold.tenant', %s, false)", [question["tenant"]])
        turn = (place + number) % len(ways)
        for name, statement in ways[turn:] + ways[:turn]:
            started = time.perf_counter()
            session.execute(statement, question, prepare=True).fetchall()
            one.seconds.setdefault(name, []).append(time.perf_counter() - started)


def _summarise(one: Asked, metrics: dict[str, float], baselines: dict[str, float]) -> None:
    figures = {way: np.percentile(seconds, [50, 95]) * 1000 for way, seconds in one.seconds.items()}
    for place, name in enumerate(("p50_ms", "p95_ms")):
        metrics[f"{name}_{one.name}"] = float(figures["recall"][place])
        for way in ("bare", "obvious"):
            baselines[f"{way}.{name}_{one.name}"] = float(figures[way][place])
    for way in ("bare", "obvious"):
        metrics[f"ratio_to_{way}_{one.name}"] = float(figures["recall"][0] / figures[way][0])


def _work(session: Connection, one: Asked, metrics: dict[str, float]) -> None:
    """What recalls read."""
    rows, buffers = [], []
    for question in one.questions:
        with session.transaction():
            session.execute("SELECT set_config('cognifold.tenant', %s, true)", [question["tenant"]])
            before = _value(session, _READ)
            plan = _value(session, f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {_RECALL}", question)[0]["Plan"]
            rows.append(float(_value(session, _READ) - before))
            buffers.append(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])
    metrics[f"rows_{one.name}"] = median(rows)
    metrics[f"buffers_{one.name}"] = median(buffers)


def _vector_recall(admin: Connection, one: Asked, metrics: dict[str, float]) -> None:
    """near_vectors against the exact scan, without row-level security and with it."""
    exact_statement = sql.SQL(
        "SELECT node_id FROM cognifold.embedding WHERE tenant_id = %(tenant)s AND model_id = %(model)s "
        "AND kind IN ('event', 'concept', 'intent') ORDER BY vector <=> %(vector)s::halfvec, node_id LIMIT 10"
    )
    near = _stage("vectors", _K)
    for name, role in (("vector_recall", "NONE"), ("vector_recall_rls", "cognifold_owner")):
        admin.execute(sql.SQL("SET ROLE {}").format(sql.SQL(role)))
        exact, found = [], []
        for question in one.questions:
            admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [question["tenant"]])
            values = {**question, "model": _model(admin, question["tenant"])}
            exact.append(_ids(admin, exact_statement, values))
            found.append(_ids(admin, near, values))
        metrics[f"{name}_{one.name}"] = _share(exact, found)
    admin.execute("RESET ROLE")


def _stages(admin: Connection, one: Asked, metrics: dict[str, float]) -> None:
    """The stages alone, as the role that recall runs as."""
    admin.execute("SET ROLE cognifold_owner")
    for name in _STAGES:
        kept = "recall.vector_candidates" if name == "vectors" else "recall.candidates"
        depth = int(_value(admin, "SELECT cognifold.setting(%s)", kept))
        seconds = []
        warm = one.questions[:10]
        for place, question in enumerate([*warm, *one.questions]):
            admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [question["tenant"]])
            values = {**question, "model": _model(admin, question["tenant"])}
            started = time.perf_counter()
            admin.execute(_stage(name, depth), values, prepare=True).fetchall()
            if place >= len(warm):
                seconds.append(time.perf_counter() - started)
        metrics[f"stage_{name}_ms_{one.name}"] = median(seconds) * 1000
    admin.execute("RESET ROLE")


def _stage(name: str, depth: int) -> sql.Composed:
    return sql.SQL(_STAGES[name]).format(narrow=sql.SQL(_NARROW), depth=sql.Literal(depth))


def _remember(plain: str, one: Asked, events: int) -> float:
    """The 95th percentile of the milliseconds in which an event is remembered while another client asks."""
    stop = threading.Event()

    def search() -> None:
        with psycopg.connect(plain, autocommit=True) as session:
            session.execute("SELECT set_config('cognifold.tenant', %s, false)", [one.tenants[0]])
            while not stop.is_set():
                for question in one.questions:
                    session.execute(_RECALL, question, prepare=True).fetchall()
                    if stop.is_set():
                        break

    searcher = threading.Thread(target=search)
    searcher.start()
    try:
        seconds = []
        with psycopg.connect(plain, autocommit=True) as session:
            session.execute("SELECT set_config('cognifold.tenant', %s, false)", [one.tenants[0]])
            for number in range(events + 10):
                text = f"{one.topics.text(one.topics.any(len(one.topics.words)))} {number}"
                started = time.perf_counter()
                session.execute("SELECT cognifold.remember(%s, source => 'story')", [text], prepare=True).fetchall()
                if number >= 10:
                    seconds.append(time.perf_counter() - started)
    finally:
        stop.set()
        searcher.join()
    return float(np.percentile(seconds, 95)) * 1000


def _model(connection: Connection, tenant: str) -> int:
    return int(_value(connection, "SELECT model_id FROM cognifold.tenant WHERE tenant_id = %s", tenant))


def _ids(connection: Connection, statement: sql.SQL | sql.Composed, values: dict[str, Any]) -> set[Any]:
    """What is found, by a plan made now: a prepared one would go on scanning where it was told to use no index."""
    return {row[0] for row in connection.execute(statement, values, prepare=False).fetchall()}


def _share(exact: Sequence[set[Any]], found: Sequence[set[Any]]) -> float:
    """Mean share of the exact ones that were found."""
    return float(np.mean([len(e & f) / len(e) if e else 1.0 for e, f in zip(exact, found, strict=True)]))


def _value(connection: Connection, statement: Any, *parameters: Any) -> Any:
    values = parameters[0] if len(parameters) == 1 and isinstance(parameters[0], dict) else parameters
    row = connection.execute(statement, values).fetchone()
    return row[0] if row is not None else None


if __name__ == "__main__":
    main()
