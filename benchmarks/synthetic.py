"""A grown memory of a given size, made at once: for measuring speed where folding a stream would take hours.

Its texts are words drawn by Zipf's law from the lexicon that the product ships, about topics; every table that the
product derives from them is derived here from the same texts by set-based statements, so that ``check()`` finds
nothing and a plan meets the memory it would meet in use: about 8 events a concept, 10 edges at a node.
"""

from __future__ import annotations

import random
import uuid
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import Any, LiteralString

import numpy as np
import numpy.typing as npt
import psycopg
from scipy import sparse

from cognifold_pg.lexicon import read_lexicon

START = datetime(2025, 1, 1, tzinfo=UTC)
_STEP = timedelta(minutes=7)
_NAMES = ("Ada", "Boris", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ingrid", "Jonas")
_EVENTS_A_CONCEPT = 8
_EVENTS_A_DEADLINE = 20
_RELATED = 3
_RECENT = 50


class Topics:
    """Makes texts: each about one of ``number`` topics, or about nothing in particular."""

    def __init__(self, vocabulary: Sequence[tuple[str, float]], number: int, seed: int) -> None:
        self.random = random.Random(seed)
        self._words = [word for word, _ in vocabulary]
        self._common = list(accumulate(frequency for _, frequency in vocabulary))
        # What a topic is about is not among the most frequent words, and rarer words are less often a topic's.
        subjects = vocabulary[300:]
        weights = list(accumulate(frequency**0.5 for _, frequency in subjects))
        self.words = [
            list(dict.fromkeys(self.random.choices([word for word, _ in subjects], cum_weights=weights, k=14)))
            for _ in range(number)
        ]
        self._shares = [list(accumulate(1 / (rank + 1) for rank in range(len(words)))) for words in self.words]

    def text(self, topic: int | None) -> str:
        """10 to 20 words, half of them the topic's own."""
        length = self.random.randint(10, 20)
        if topic is None:
            return " ".join(self.random.choices(self._words, cum_weights=self._common, k=length))
        places = self.random.getrandbits(length)  # a bit for each word: the topic's own or any
        own = self.random.choices(self.words[topic], cum_weights=self._shares[topic], k=places.bit_count())
        common = self.random.choices(self._words, cum_weights=self._common, k=length - len(own))
        return " ".join((own if places >> place & 1 else common).pop() for place in range(length))

    def question(self) -> str:
        """5 to 10 words, half of them one topic's own."""
        topic = self.random.randrange(len(self.words))
        own = self.random.sample(self.words[topic], min(self.random.randint(2, 4), len(self.words[topic])))
        return " ".join(
            [*own, *self.random.choices(self._words, cum_weights=self._common, k=self.random.randint(3, 6))]
        )

    def any(self, opened: int) -> int | None:
        """One of the first ``opened`` topics, every other time a recent one; none for one event in ten."""
        if self.random.random() < 0.1:
            return None
        return self.random.randrange(max(0, opened - _RECENT) if self.random.random() < 0.5 else 0, opened)


@dataclass(frozen=True, slots=True)
class Event:
    """An event to come, as ``remember`` takes it."""

    content: str
    occurred_at: datetime
    actor: str


@dataclass(frozen=True, slots=True)
class Memory:
    """What was made: the tenant, the ids of its nodes by kind, and how its story goes on."""

    tenant: str
    events: list[uuid.UUID]
    concepts: list[uuid.UUID]
    times: list[uuid.UUID]
    topics: Topics
    step: timedelta = _STEP

    def next_events(self, number: int) -> Iterator[Event]:
        """Further events of the same story."""
        for place in range(number):
            yield Event(
                self.topics.text(self.topics.any(len(self.topics.words))),
                START + self.step * (len(self.events) + place),
                self.topics.random.choice(_NAMES),
            )


def multiply(connection: psycopg.Connection[Any], tenant: str, copies: Sequence[str]) -> None:
    """Give each of ``copies``, tenants to be, all that ``tenant`` has, row by row the same but for the tenant."""
    tables = connection.execute(
        """
        SELECT format('%I.%I', n.nspname, c.relname), string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
               string_agg('original.' || quote_ident(a.attname), ', ' ORDER BY a.attnum)
        FROM pg_class AS c
        JOIN pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        WHERE n.nspname = 'cognifold' AND c.relkind = 'r' AND a.attname <> 'tenant_id'
          AND EXISTS (SELECT FROM pg_attribute AS t WHERE t.attrelid = c.oid AND t.attname = 'tenant_id')
        GROUP BY n.nspname, c.relname ORDER BY c.relname
        """
    ).fetchall()
    with connection.transaction():
        connection.execute("SET LOCAL session_replication_role = replica; SET LOCAL maintenance_work_mem = '512MB'")
        with _without_indexes(connection, _LOADED if len(copies) * _COPIED >= _MANY else ()):
            for table, columns, values in tables:
                connection.execute(
                    f"INSERT INTO {table} (tenant_id, {columns}) SELECT copy.name, {values} FROM {table} AS original "
                    "CROSS JOIN unnest(%s::text[]) AS copy (name) WHERE original.tenant_id = %s".encode(),
                    [list(copies), tenant],
                )
    connection.execute("VACUUM ANALYZE")


def topics(connection: psycopg.Connection[Any], nodes: int, seed: int = 1) -> Topics:
    """What a memory of ``nodes`` nodes is about, before anything was said."""
    vocabulary = connection.execute(
        "SELECT word, frequency::float8 FROM cognifold.lexicon WHERE word ~ '^[a-z]{3,}$' "
        "ORDER BY frequency DESC, word LIMIT 20000"
    ).fetchall()
    return Topics(vocabulary, _concepts(nodes), seed)


def _concepts(nodes: int) -> int:
    return max(2, nodes * 2 // (2 * _EVENTS_A_CONCEPT + 3))


def nodes_of(concepts: int) -> int:
    """How many nodes a memory of so many concepts has."""
    return -(-concepts * (2 * _EVENTS_A_CONCEPT + 3) // 2)


def grow(
    connection: psycopg.Connection[Any],
    tenant: str,
    nodes: int,
    seed: int = 1,
    *,
    ranked: bool = True,
    step: timedelta = _STEP,
    related: tuple[int, int] = (_RELATED, _RELATED),
) -> Memory:
    """Make the tenant with a memory of ``nodes`` nodes; ``connection`` is a superuser's, in autocommit.

    Without ``ranked`` there is no PageRank. ``step`` is the time from one event to the next, ``related`` how many
    others each event and each concept is related to: with (8, 12) there are ten edges a node.
    """
    numbers = random.Random(seed)
    concepts = _concepts(nodes)
    events = nodes - concepts
    times = events // (_EVENTS_A_DEADLINE + 1)
    events -= times

    def some_id(place: int) -> uuid.UUID:
        """A uuid of version 7, as new_id makes them: in the order in which the nodes came."""
        milliseconds = int((START + step * place).timestamp() * 1000)
        return uuid.UUID(
            int=milliseconds << 80 | 7 << 76 | numbers.getrandbits(12) << 64 | 1 << 63 | numbers.getrandbits(62)
        )

    connection.execute("SELECT cognifold.create_tenant(tenant => %s)", [tenant])
    talk = topics(connection, nodes, seed)
    memory = Memory(
        tenant,
        [some_id(place) for place in range(events)],
        [some_id(topic * events // concepts + 2) for topic in range(concepts)],
        [some_id(number * _EVENTS_A_DEADLINE) for number in range(times)],
        talk,
        step,
    )
    about: list[list[int]] = [[] for _ in range(concepts)]
    links = Links(events, concepts)
    last_of: dict[str, int] = {}
    nodes_made: list[tuple[uuid.UUID, str, str, datetime, str | None, uuid.UUID]] = []
    opened, again = 0, False  # a topic comes with two events at once, which make it a concept
    for place in range(events):
        topic: int | None
        if again:
            topic, again = opened - 1, False
        elif place * concepts // events >= opened:
            topic, opened, again = opened, opened + 1, True
        else:
            topic = talk.any(opened)
        actor = numbers.choice(_NAMES)
        nodes_made.append(
            (memory.events[place], "event", talk.text(topic), START + step * place, actor, memory.events[place])
        )
        if actor in last_of:
            links.add("precedes", last_of[actor], place, place)
        last_of[actor] = place
        alike = about[topic][-related[0] :] if topic is not None else []
        while place and len(alike) < min(related[0], place):
            alike.append(numbers.randrange(place))
        for other in alike:
            links.add("related_to", place, other, place)
        if topic is not None:
            about[topic].append(place)
            kind = "grounds" if len(about[topic]) <= 2 else "reinforces"
            links.add(kind, place, events + topic, place)
        if place % _EVENTS_A_DEADLINE == 0 and place // _EVENTS_A_DEADLINE < times:
            links.add("deadline_for", events + concepts + place // _EVENTS_A_DEADLINE, place, place)
    for number, concept in enumerate(memory.concepts):
        place = about[number][1]
        title = ", ".join(talk.words[number][:2]).capitalize()
        nodes_made.append((concept, "concept", title, START + step * place, None, memory.events[place]))
        for _ in range(related[1] if number else 0):
            links.add("related_to", events + number, events + numbers.randrange(number), place)
    for number, time in enumerate(memory.times):
        place = number * _EVENTS_A_DEADLINE
        moment = START + timedelta(days=number)
        nodes_made.append((time, "time", f"{moment:%d %B %Y}", moment, None, memory.events[place]))
    ids = np.frombuffer(b"".join(row[0].bytes for row in nodes_made), "V16")

    with connection.transaction():
        # The rows are consistent by their making, and check() says so; foreign keys would be looked up a million times.
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute("SELECT set_config('cognifold.tenant', %s, true)", [tenant])
        connection.execute(_STAGE)
        with connection.cursor().copy("COPY staged_node FROM STDIN") as copy:
            for row in nodes_made:
                copy.write_row(row)
        with connection.cursor().copy("COPY staged_edge FROM STDIN (FORMAT binary)") as copy:
            for part in links.binary(ids):
                copy.write(part)
        with connection.cursor().copy("COPY staged_vector FROM STDIN (FORMAT binary)") as copy:
            for part in _vectors([(row[0], row[2]) for row in nodes_made if row[1] == "event"]):
                copy.write(part)
        del nodes_made
        connection.execute("SET LOCAL maintenance_work_mem = '1GB'; SET LOCAL work_mem = '512MB'")
        connection.execute("CREATE UNIQUE INDEX ON staged_node (id)")
        connection.execute("ANALYZE staged_node, staged_edge, staged_vector")
        with _without_indexes(connection, _LOADED if nodes >= _MANY else ()):
            for statement in _DERIVE:
                connection.execute(statement)
            if ranked:
                found = links.ranks(connection, ids, step)
                with connection.cursor().copy(_COPY_RANKS) as copy:
                    for ranked_row in _rank_rows(ids, *found):
                        copy.write_row(ranked_row)
                connection.execute(_STORE_RANKS)
        connection.execute("DROP TABLE staged_node, staged_edge, staged_vector, staged_rank")
    connection.execute("VACUUM ANALYZE")
    return memory


class Links:
    """The edges to be made, by the numbers of their ends and of the event that states them: each once."""

    TYPES = ("precedes", "related_to", "grounds", "reinforces", "deadline_for")

    def __init__(self, events: int, concepts: int) -> None:
        self._events, self._concepts = events, concepts
        self._rows = array("i")  # type, source, target, maker
        self._codes = {name: code for code, name in enumerate(self.TYPES)}

    def add(self, kind: str, source: int, target: int, maker: int) -> None:
        """State an edge; one that was stated before stays as it is."""
        self._rows.extend((self._codes[kind], source, target, maker))

    def table(self) -> npt.NDArray[np.int64]:
        """Each edge once, as (type, source, target, maker), in the order they were made."""
        rows = np.frombuffer(self._rows, np.int32).reshape(-1, 4).astype(np.int64)
        size = int(rows[:, 1:3].max()) + 1
        _, first = np.unique((rows[:, 0] * size + rows[:, 1]) * size + rows[:, 2], return_index=True)
        rows = rows[np.sort(first)]
        ordered: npt.NDArray[np.int64] = rows[np.argsort(rows[:, 3], kind="stable")]
        return ordered

    def binary(self, ids: npt.NDArray[np.void]) -> Iterator[bytes]:
        """The edges as a binary COPY of (type, source, target, maker, position in the maker's plan)."""
        layout = np.dtype([
            ("fields", ">i2"), ("code_length", ">i4"), ("code", ">i2"), ("source_length", ">i4"), ("source", "V16"),
            ("target_length", ">i4"), ("target", "V16"), ("maker_length", ">i4"), ("maker", "V16"),
            ("position_length", ">i4"), ("position", ">i4"),
        ])  # fmt: skip
        rows = self.table()
        starts = np.flatnonzero(np.r_[True, np.diff(rows[:, 3]) != 0])
        positions = np.arange(len(rows)) - np.repeat(starts, np.diff(np.r_[starts, len(rows)]))
        yield b"PGCOPY\n\xff\r\n\0" + bytes(8)
        for start in range(0, len(rows), _PART * 10):
            part = rows[start : start + _PART * 10]
            made = np.zeros(len(part), layout)
            made["fields"], made["code_length"], made["position_length"] = 5, 2, 4
            made["code"], made["position"] = part[:, 0], positions[start : start + _PART * 10]
            for place, name in enumerate(("source", "target", "maker"), 1):
                made[f"{name}_length"], made[name] = 16, ids[part[:, place]]
            yield made.tobytes()
        yield b"\xff\xff"

    def ranks(
        self, connection: psycopg.Connection[Any], ids: npt.NDArray[np.void], step: timedelta
    ) -> tuple[npt.NDArray[np.float64], sparse.csr_matrix]:
        """What restart_ranks would store: the rank of each node, and which share of it goes to which other."""
        rows = self.table()
        weights = dict(connection.execute("SELECT type, default_weight FROM cognifold.edge_type").fetchall())
        rates = connection.execute(
            "SELECT c.lambda FROM cognifold.decay_clock AS c WHERE c.tenant_id = cognifold.required_tenant() "
            "ORDER BY c.rate"
        ).fetchall()
        damping = connection.execute(
            "SELECT cognifold.setting('pagerank.damping', cognifold.required_tenant())"
        ).fetchone()
        assert damping is not None and len(rates) == 2
        kinds, sources, targets, makers = rows.T
        rate = np.where(sources < self._events, float(rates[0][0]), float(rates[1][0]))
        age = (makers - makers.max()) * (step / timedelta(hours=1))
        masses = np.array([weights[name] for name in self.TYPES])[kinds] * np.exp(rate * age)
        flow = sparse.csr_matrix((masses, (sources, targets)), (len(ids), len(ids)))  # parallel edges sum
        given = np.asarray(flow.sum(axis=1)).ravel()
        flow = sparse.diags(np.divide(1, given, out=np.zeros(len(ids)), where=given > 0)) @ flow
        flow.sort_indices()
        back, ranks = flow.T.tocsr(), np.ones(len(ids))
        for _ in range(200):
            before, ranks = ranks, 1 + damping[0] * (back @ ranks)
            if np.abs(ranks - before).max() < 1e-9:
                break
        return ranks, flow


def _rank_rows(
    ids: npt.NDArray[np.void], ranks: npt.NDArray[np.float64], flow: sparse.csr_matrix
) -> Iterator[tuple[uuid.UUID, float, list[uuid.UUID] | None, list[float] | None]]:
    """Each node with its rank, and where it passes it on in which shares."""
    names = [uuid.UUID(bytes=id_.tobytes()) for id_ in ids]
    for place, name in enumerate(names):
        to = slice(flow.indptr[place], flow.indptr[place + 1])
        shares = sorted(zip((names[other] for other in flow.indices[to]), flow.data[to].tolist(), strict=True))
        yield name, float(ranks[place]), [id_ for id_, _ in shares] or None, [share for _, share in shares] or None


def _vectors(texts: Sequence[tuple[uuid.UUID, str]]) -> Iterator[bytes]:
    """What ``cognifold.embed`` makes of each text, as a binary COPY of (uuid, halfvec): one sparse product a part."""
    lexicon = read_lexicon()
    rows = {word: row for row, word in enumerate(lexicon.words)}
    vectors = lexicon.document_vectors.astype(np.float32)
    layout = np.dtype([
        ("fields", ">i2"), ("id_length", ">i4"), ("id", "V16"),
        ("length", ">i4"), ("dimensions", ">i2"), ("unused", ">i2"), ("vector", ">f2", (lexicon.dimensions,)),
    ])  # fmt: skip
    yield b"PGCOPY\n\xff\r\n\0" + bytes(8)
    for start in range(0, len(texts), _PART):
        part = texts[start : start + _PART]
        words = [[rows[word] for word in text.split()] for _, text in part]
        places = np.cumsum([0, *map(len, words)])
        columns = np.fromiter((row for text in words for row in text), np.int32, int(places[-1]))
        shape = (len(part), len(rows))
        sums = sparse.csr_matrix((np.ones(len(columns), np.float32), columns, places), shape) @ vectors
        table = np.zeros(len(part), layout)
        table["fields"], table["id_length"], table["length"] = 2, 16, 4 + 2 * lexicon.dimensions
        table["id"] = np.frombuffer(b"".join(id_.bytes for id_, _ in part), "V16")
        table["dimensions"] = lexicon.dimensions
        table["vector"] = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        yield table.tobytes()
    yield b"\xff\xff"


@contextmanager
def _without_indexes(connection: psycopg.Connection[Any], tables: Sequence[str]) -> Iterator[None]:
    """Load ``tables`` first and index them after: many times faster for many rows.

    Indexes that foreign keys lean on stay.
    """
    found = connection.execute(
        """
        SELECT format('%%I.%%I', n.nspname, t.relname), i.relname, c.conname,
               coalesce(pg_get_constraintdef(c.oid), pg_get_indexdef(i.oid))
        FROM pg_index AS x
        JOIN pg_class AS i ON i.oid = x.indexrelid
        JOIN pg_class AS t ON t.oid = x.indrelid
        JOIN pg_namespace AS n ON n.oid = t.relnamespace
        LEFT JOIN pg_constraint AS c ON c.conindid = i.oid AND c.contype IN ('p', 'u')
        WHERE n.nspname = 'cognifold' AND t.relname = ANY (%s)
          AND NOT EXISTS (SELECT FROM pg_constraint AS f WHERE f.contype = 'f' AND f.conindid = i.oid)
        ORDER BY i.relname
        """,
        [list(tables)],
    ).fetchall()
    for table, index, constraint, _ in found:
        connection.execute(
            (
                f'ALTER TABLE {table} DROP CONSTRAINT "{constraint}"' if constraint else f"DROP INDEX cognifold.{index}"
            ).encode()
        )
    yield
    for table, _, constraint, definition in found:
        connection.execute(
            f'ALTER TABLE {table} ADD CONSTRAINT "{constraint}" {definition}' if constraint else definition
        )


# From so many nodes on these tables are indexed after they are filled.
_MANY = 20_000
_PART = 10_000
_COPIED = 200
_LOADED = ("node", "plan", "node_content", "folded_event", "graph_edge", "journal", "posting", "concept_lexeme",
           "lexical_document", "node_rank", "rank_arc")  # fmt: skip

# Each node with the event whose plan made it; that event's id also stands for the plan.
_STAGE: LiteralString = """
CREATE TEMPORARY TABLE staged_node (id uuid, kind text, content text, occurred_at timestamptz, actor text, maker uuid);
CREATE TEMPORARY TABLE staged_edge (code smallint, source uuid, target uuid, maker uuid, position integer);
CREATE TEMPORARY TABLE staged_vector (id uuid, vector halfvec);
CREATE TEMPORARY TABLE staged_rank (id uuid, rank double precision, targets uuid[], shares double precision[])
"""

_COPY_RANKS: LiteralString = "COPY staged_rank FROM STDIN"
_STORE_RANKS: LiteralString = """
INSERT INTO cognifold.rank_arc (tenant_id, node_id, targets, shares)
SELECT cognifold.required_tenant(), r.id, r.targets, r.shares FROM staged_rank AS r WHERE r.targets IS NOT NULL;
INSERT INTO cognifold.node_rank (tenant_id, node_id, rank, residual)
SELECT cognifold.required_tenant(), r.id, r.rank, 0 FROM staged_rank AS r WHERE r.rank > 1
"""

_DERIVE: Sequence[LiteralString] = (
    """
    INSERT INTO cognifold.plan
        (tenant_id, plan_id, version, proposer, trigger_event_id, reasoning, operations, result, as_of, applied_at)
    SELECT cognifold.required_tenant(), s.id, row_number() OVER (ORDER BY s.occurred_at), 'sql', s.id, 'made at once',
           '[]', jsonb_build_object('plan_id', s.id, 'counts', '{}'::jsonb, 'refs', '{}'::jsonb), s.occurred_at,
           s.occurred_at
    FROM staged_node AS s WHERE s.kind = 'event'
    """,
    """
    INSERT INTO cognifold.node
        (tenant_id, id, kind, memory_type, title, source, actor, occurred_at, recorded_at, digest, plan_id)
    SELECT cognifold.required_tenant(), s.id, s.kind, CASE s.kind WHEN 'event' THEN 'episodic' ELSE 'semantic' END,
           t.title, CASE s.kind WHEN 'event' THEN 'story' END, s.actor, s.occurred_at, s.occurred_at,
           CASE s.kind WHEN 'event'
                THEN cognifold.event_digest(s.content, t.title, NULL, s.occurred_at, 'story', s.actor) END,
           CASE s.kind WHEN 'event' THEN NULL ELSE s.maker END
    FROM staged_node AS s
    CROSS JOIN LATERAL (
        SELECT CASE s.kind WHEN 'event' THEN cognifold.headline(s.content) ELSE s.content END AS title OFFSET 0
    ) AS t
    ORDER BY s.occurred_at
    """,
    """
    INSERT INTO cognifold.node_content (tenant_id, node_id, content)
    SELECT cognifold.required_tenant(), s.id, s.content FROM staged_node AS s ORDER BY s.occurred_at
    """,
    """
    INSERT INTO cognifold.folded_event (tenant_id, event_id, plan_id)
    SELECT cognifold.required_tenant(), s.id, s.id FROM staged_node AS s WHERE s.kind = 'event' ORDER BY s.occurred_at
    """,
    """
    CREATE TEMPORARY TABLE staged_moment ON COMMIT DROP AS
    SELECT s.id, s.occurred_at, r.rate,
           cognifold.decay_integral(cognifold.required_tenant(), r.rate, s.occurred_at) AS forgotten
    FROM staged_node AS s CROSS JOIN (VALUES ('episodic'), ('semantic')) AS r (rate) WHERE s.kind = 'event'
    """,
    """
    CREATE TEMPORARY TABLE staged_type ON COMMIT DROP AS
    SELECT c.code - 1 AS code, y.type, y.default_weight
    FROM unnest('{precedes,related_to,grounds,reinforces,deadline_for}'::text[]) WITH ORDINALITY AS c (type, code)
    JOIN cognifold.edge_type AS y ON y.type = c.type
    """,
    "ANALYZE staged_moment, staged_type",
    """
    INSERT INTO cognifold.graph_edge
        (tenant_id, source_id, target_id, type, source_kind, target_kind, rate, potential, stamped_at, created_at,
        plan_id)
    SELECT cognifold.required_tenant(), e.source, e.target, y.type, s.kind, t.kind, r.rate,
           ln(y.default_weight) + m.forgotten, m.occurred_at, m.occurred_at, e.maker
    FROM staged_edge AS e
    JOIN staged_node AS s ON s.id = e.source
    JOIN staged_node AS t ON t.id = e.target
    JOIN staged_type AS y ON y.code = e.code
    CROSS JOIN LATERAL (SELECT CASE s.kind WHEN 'event' THEN 'episodic' ELSE 'semantic' END AS rate) AS r
    JOIN staged_moment AS m ON m.id = e.maker AND m.rate = r.rate
    """,
    "ANALYZE cognifold.graph_edge",
    """
    INSERT INTO cognifold.journal (tenant_id, plan_id, position, relation, node_id, other_id, part)
    SELECT cognifold.required_tenant(), e.maker, m.nodes + e.position, 'graph_edge', e.source, e.target, y.type
    FROM staged_edge AS e JOIN staged_type AS y ON y.code = e.code
    JOIN (SELECT s.maker, count(*) AS nodes FROM staged_node AS s GROUP BY s.maker) AS m ON m.maker = e.maker
    UNION ALL
    SELECT cognifold.required_tenant(), s.maker, row_number() OVER (PARTITION BY s.maker ORDER BY s.id) - 1,
           CASE s.kind WHEN 'event' THEN 'folded_event' ELSE 'node' END, s.id, NULL, NULL
    FROM staged_node AS s
    """,
    """
    INSERT INTO cognifold.lexical_document (tenant_id, node_id, length, truncated, lexemes, frequencies)
    SELECT cognifold.required_tenant(), s.id, coalesce(l.length, 0), false, coalesce(l.lexemes, '{}'),
           coalesce(l.frequencies, '{}')
    FROM staged_node AS s
    CROSS JOIN LATERAL (
        SELECT sum(l.frequency) AS length, array_agg(l.lexeme ORDER BY l.lexeme) AS lexemes,
               array_agg(l.frequency ORDER BY l.lexeme) AS frequencies
        FROM cognifold.lexemes(s.content) AS l
    ) AS l
    ORDER BY s.occurred_at
    """,
    "ANALYZE cognifold.lexical_document",
    """
    INSERT INTO cognifold.posting
        (tenant_id, lexeme, kind, node_id, impact, frequency, document_length, signature)
    SELECT d.tenant_id, l.lexeme, s.kind, d.node_id,
           CASE s.kind WHEN 'event' THEN cognifold.impact(l.frequency, d.length, o.usual, o.k1, o.b) ELSE 0 END,
           l.frequency, d.length, d.signature
    FROM (SELECT d.*, cognifold.signature(d.lexemes) AS signature FROM cognifold.lexical_document AS d
          WHERE d.tenant_id = cognifold.required_tenant() OFFSET 0) AS d
    JOIN staged_node AS s ON s.id = d.node_id
    CROSS JOIN (SELECT cognifold.setting('lexical.usual_length', cognifold.required_tenant()) AS usual,
                       cognifold.setting('recall.bm25_k1', cognifold.required_tenant()) AS k1,
                       cognifold.setting('recall.bm25_b', cognifold.required_tenant()) AS b OFFSET 0) AS o
    CROSS JOIN LATERAL unnest(d.lexemes, d.frequencies) AS l (lexeme, frequency)
    """,
    "ANALYZE cognifold.posting",
    """
    INSERT INTO cognifold.lexeme_frequency (tenant_id, lexeme, document_count)
    SELECT cognifold.required_tenant(), p.lexeme, count(*) FROM cognifold.posting AS p
    WHERE p.tenant_id = cognifold.required_tenant() AND p.kind = 'event' GROUP BY p.lexeme
    """,
    """
    UPDATE cognifold.lexical_statistics AS s SET document_count = d.number, total_length = d.length
    FROM (SELECT count(*) AS number, sum(d.length) AS length
          FROM cognifold.lexical_document AS d JOIN staged_node AS n ON n.id = d.node_id AND n.kind = 'event'
          WHERE d.tenant_id = cognifold.required_tenant()) AS d
    WHERE s.tenant_id = cognifold.required_tenant()
    """,
    """
    INSERT INTO cognifold.actor_frequency (tenant_id, actor, event_count)
    SELECT cognifold.required_tenant(), s.actor, count(*) FROM staged_node AS s
        WHERE s.actor IS NOT NULL GROUP BY s.actor
    """,
    """
    INSERT INTO cognifold.actor_name (tenant_id, word, actor)
    SELECT f.tenant_id, w.word, f.actor FROM cognifold.actor_frequency AS f CROSS
        JOIN LATERAL cognifold.name_words(f.actor) AS w
    WHERE f.tenant_id = cognifold.required_tenant()
    """,
    # What follows from vectors is left to their triggers.
    "SET LOCAL session_replication_role = origin",
    """
    INSERT INTO cognifold.embedding (tenant_id, model_id, kind, node_id, dimensions, vector)
    SELECT cognifold.required_tenant(), m.model_id, 'event', v.id, m.dimensions, v.vector
    FROM staged_vector AS v CROSS JOIN cognifold.tenant_model(cognifold.required_tenant()) AS m
    """,
    "ANALYZE cognifold.embedding",
    "SET LOCAL session_replication_role = replica",
    """
    INSERT INTO cognifold.embedding_statistics (tenant_id, model_id, vector_count, vector_sum)
    SELECT e.tenant_id, e.model_id, count(*), sum(e.vector::vector) FROM cognifold.embedding AS e
    WHERE e.tenant_id = cognifold.required_tenant() GROUP BY e.tenant_id, e.model_id
    """,
    """
    INSERT INTO cognifold.concept_state
        (tenant_id, node_id, strength, evidence_count, evidence_potential, event_count, vector_sum, vector_count)
    SELECT g.tenant_id, g.target_id, least(1, 0.5 + 0.1 * (count(*) - 2)), count(*),
        cognifold.logsumexp(g.potential ORDER BY g.potential),
           count(*), sum(e.vector::vector), count(e.vector)
    FROM cognifold.graph_edge AS g
    LEFT JOIN cognifold.embedding AS e ON e.tenant_id = g.tenant_id AND e.node_id = g.source_id
    WHERE g.tenant_id = cognifold.required_tenant() AND g.target_kind = 'concept' AND g.type IN ('grounds',
        'reinforces')
    GROUP BY g.tenant_id, g.target_id
    """,
    "ANALYZE cognifold.concept_state",
    "SET LOCAL session_replication_role = origin",
    """
    INSERT INTO cognifold.embedding (tenant_id, model_id, kind, node_id, dimensions, vector)
    SELECT c.tenant_id, m.model_id, 'concept', c.node_id, m.dimensions, l2_normalize(c.vector_sum)::halfvec
    FROM cognifold.concept_state AS c CROSS JOIN cognifold.tenant_model(cognifold.required_tenant()) AS m
    WHERE c.tenant_id = cognifold.required_tenant()
    """,
    "SET LOCAL session_replication_role = replica",
    """
    INSERT INTO cognifold.concept_lexeme (tenant_id, lexeme, node_id, event_count)
    SELECT g.tenant_id, p.lexeme, g.target_id, count(*)
    FROM cognifold.graph_edge AS g
    JOIN cognifold.posting AS p ON p.tenant_id = g.tenant_id AND p.node_id = g.source_id
    WHERE g.tenant_id = cognifold.required_tenant() AND g.target_kind = 'concept' AND g.type IN ('grounds',
        'reinforces')
    GROUP BY g.tenant_id, p.lexeme, g.target_id
    """,
)
