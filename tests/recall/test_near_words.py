"""near_words: BM25 worked out a second time from the stored texts, and what it reads."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks import synthetic
from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.conftest import Connection, at, value
from tests.partitions import WHOLE

K1, B = 1.2, 0.3
ALL = ("event", "concept", "intent")
# Words that the stemmer leaves as they are.
WORDS = ("kiln", "glaze", "boat", "anchor", "violin", "lentil", "tram", "comet")


@dataclass
class Corpus:
    """A tenant's texts by node, as counts of their lexemes; statistics are those of its events."""

    admin: Connection
    tenant: str
    counts: dict[UUID, Counter[str]]
    kinds: dict[UUID, str]
    questions: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, admin: Connection, tenant: str) -> Corpus:
        """Read from the texts, by PostgreSQL's own text search and not by the memory's."""
        rows = admin.execute(
            "SELECT n.id, n.kind, t.lexeme, cardinality(t.positions) FROM cognifold.node AS n "
            "JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id "
            "CROSS JOIN LATERAL unnest(to_tsvector('pg_catalog.english', cognifold.indexed_text(n.title, c.content))) "
            "AS t WHERE n.tenant_id = %s", [tenant]).fetchall()  # fmt: skip
        counts: dict[UUID, Counter[str]] = {}
        for id_, _, lexeme, number in rows:
            counts.setdefault(id_, Counter())[lexeme] = number
        return cls(admin, tenant, counts, {id_: kind for id_, kind, _, _ in rows})

    def scores(self, asked: Iterable[str], keep: Callable[[UUID], bool] = lambda id_: True) -> dict[UUID, float]:
        """BM25 of every kept text that holds a word asked for."""
        events = [counts for id_, counts in self.counts.items() if self.kinds[id_] == "event"]
        mean = max(sum(map(Counter.total, events)) / max(len(events), 1), 1)
        rarity = {}
        for word in asked:
            number = sum(word in counts for counts in events)
            rarity[word] = math.log(1 + (len(events) - number + 0.5) / (number + 0.5))
        return {
            id_: math.fsum(
                rarity[word] * own[word] * (K1 + 1) / (own[word] + K1 * (1 - B + B * own.total() / mean))
                for word in rarity.keys() & own.keys()
            )
            for id_, own in self.counts.items()
            if rarity.keys() & own.keys() and self.kinds[id_] in ALL and keep(id_)
        }

    def near(self, words: str, depth: int = 1000, **narrow: Any) -> list[tuple[UUID, float]]:
        """near_words, as the role that recall runs as."""
        names = ("kinds", "since", "until", "as_of", "known_at", "actors", "sources", "memory_types", "privacy_levels")
        values = [narrow.get(name) for name in names]
        with self.admin.transaction():
            self.admin.execute("SET LOCAL ROLE cognifold_owner")
            self.admin.execute("SELECT set_config('cognifold.tenant', %s, true)", [self.tenant])
            return self.admin.execute(
                "SELECT * FROM cognifold.near_words("
                "%s, %s, cognifold.narrowed(%s, %s, %s, %s, %s, %s, %s, %s, %s), %s)",
                [self.tenant, words, *values, depth]).fetchall()  # fmt: skip

    def put(self, name: str, number: float) -> None:
        """Set a constant of the tenant."""
        self.admin.execute("SELECT cognifold.set_setting(%s, %s, %s)", [name, number, self.tenant])

    def lexemes(self, words: str) -> set[str]:
        return set(value(self.admin, "SELECT tsvector_to_array(to_tsvector('pg_catalog.english', %s))", words))


def ranked(scores: Mapping[UUID, float]) -> list[UUID]:
    """Best first, of equal ones the newest."""
    return sorted(scores, key=lambda id_: (-round(scores[id_], 9), -id_.int))


def expect(found: list[tuple[UUID, float]], scores: Mapping[UUID, float], depth: int = 1000) -> None:
    assert [id_ for id_, _ in found] == ranked(scores)[:depth]
    assert [score for _, score in found] == pytest.approx([scores[id_] for id_, _ in found], rel=1e-9)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), min_size=1, max_size=12),
    asked=st.lists(st.sampled_from([*WORDS, "the", "zither"]), min_size=1, max_size=12),
    depth=st.integers(1, 15),
)
def test_a_small_memory_is_ranked_by_bm25(
    admin: Connection, dsn: str, new_tenant: Callable[..., str], texts: list[list[str]], asked: list[str], depth: int
) -> None:
    tenant = new_tenant()
    with Memory(dsn, tenant=tenant) as memory:
        stored = memory.remember_many(
            Experience(" ".join(text), occurred_at=at("2026-01-01T00:00:00+00:00"), source=str(place))
            for place, text in enumerate(texts)
        )
    with admin.transaction():
        admin.execute("SELECT set_config('cognifold.tenant', %s, true)", [tenant])
        for id_ in dict.fromkeys(stored.ids):
            admin.execute("SELECT cognifold.index_node(%s, %s)", [tenant, id_])
    corpus = Corpus.of(admin, tenant)
    expect(corpus.near(" ".join(asked), depth), corpus.scores(set(asked) - {"the"}), depth)


@pytest.fixture(scope="module")
def crowd(admin_dsn: str) -> Iterator[Corpus]:
    """A grown memory of 1,500 nodes."""
    import psycopg

    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        memory = synthetic.grow(admin, "crowd of words", 1500, ranked=False)
        corpus = Corpus.of(admin, memory.tenant)
        corpus.questions.extend(memory.topics.question() for _ in range(20))
        yield corpus


@pytest.fixture
def questions(crowd: Corpus) -> list[str]:
    return crowd.questions


@pytest.fixture
def bounded(crowd: Corpus) -> Iterator[Corpus]:
    """The same with settings that cut most lists; they are gone afterwards."""
    crowd.put("recall.postings", 100)
    crowd.put("recall.least_postings", 20)
    yield crowd
    crowd.admin.execute("DELETE FROM cognifold.setting WHERE tenant_id = %s", [crowd.tenant])


def test_a_larger_memory_is_ranked_by_bm25_where_all_postings_are_read(crowd: Corpus, questions: list[str]) -> None:
    for question in questions:
        expect(crowd.near(question, 50), crowd.scores(crowd.lexemes(question)), 50)


def test_where_lists_are_cut_scores_are_still_exact_and_hardly_one_of_the_best_is_missed(
    bounded: Corpus, questions: list[str]
) -> None:
    hits = wanted = 0
    for question in questions:
        scores = bounded.scores(bounded.lexemes(question))
        found = bounded.near(question, 50)
        expect(found, {id_: scores[id_] for id_, _ in found}, 50)
        best = set(ranked(scores)[:10])
        hits += len(best & {id_ for id_, _ in found})
        wanted += len(best)
    assert hits >= 0.9 * wanted


@pytest.mark.parametrize("few", [10, 1000])
@pytest.mark.parametrize(
    ("narrow", "condition"),
    [
        ({"kinds": ["concept"]}, "kind = 'concept'"),
        ({"since": "2025-01-03T00:00:00Z", "until": "2025-01-04T00:00:00Z"},
         "occurred_at >= '2025-01-03T00:00:00Z' AND occurred_at < '2025-01-04T00:00:00Z'"),
        ({"as_of": "2025-01-02T00:00:00Z"}, "occurred_at <= '2025-01-02T00:00:00Z'"),
        ({"actors": ["Ada", "Hugo"]}, "actor IN ('Ada', 'Hugo')"),
        ({"actors": ["nobody"]}, "false"),
        ({"sources": ["story"], "actors": ["Greta"], "until": "2025-01-05T00:00:00Z"},
         "source = 'story' AND actor = 'Greta' AND occurred_at < '2025-01-05T00:00:00Z'"),
        ({"sources": ["elsewhere"]}, "false"),
        ({"memory_types": ["semantic"]}, "memory_type = 'semantic'"),
        ({"privacy_levels": ["public"]}, "privacy_level = 'public'"),
        ({"known_at": "2025-01-04T00:00:00Z", "kinds": ["event"]},
         "recorded_at <= '2025-01-04T00:00:00Z' AND kind = 'event'"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)  # fmt: skip
def test_what_a_question_is_narrowed_to_is_ranked_as_it_were_alone(
    crowd: Corpus, questions: list[str], narrow: dict[str, Any], condition: str, few: int
) -> None:
    rows = crowd.admin.execute(
        f"SELECT id FROM cognifold.node WHERE tenant_id = %s AND {condition}".encode(), [crowd.tenant]
    ).fetchall()
    kept = {id_ for (id_,) in rows}
    crowd.put("recall.narrowed", few)
    try:
        for question in questions[:5]:
            scores = crowd.scores(crowd.lexemes(question), kept.__contains__)
            expect(crowd.near(question, 50, **narrow), scores, 50)
    finally:
        crowd.admin.execute("DELETE FROM cognifold.setting WHERE tenant_id = %s", [crowd.tenant])


_INDEXES = ("posting_pkey", "lexical_document_pkey")
_READ = f"""
SELECT sum(pg_stat_get_xact_tuples_returned(c.oid))::bigint FROM pg_class AS c
WHERE {WHOLE} = ('cognifold.' || %s)::regclass AND c.relkind = 'i'
"""
_SCANNED = f"""
SELECT c.relkind::text, w.relname, sum(pg_stat_get_xact_numscans(c.oid))
FROM pg_class AS c JOIN pg_class AS w ON w.oid = {WHOLE} LEFT JOIN pg_index AS x ON x.indexrelid = w.oid
WHERE c.relkind IN ('r', 'i') AND coalesce(x.indrelid, w.oid) = ANY (
          '{{cognifold.posting,cognifold.lexical_document,cognifold.node}}'::regclass[])
GROUP BY 1, 2
"""


def test_at_most_the_budget_is_read_of_a_word_that_is_everywhere(bounded: Corpus) -> None:
    frequent = value(
        bounded.admin,
        "SELECT string_agg(f.lexeme, ' ') FROM (SELECT f.lexeme FROM cognifold.lexeme_frequency AS f "
        "WHERE f.tenant_id = %s ORDER BY f.document_count DESC LIMIT 8) AS f",
        bounded.tenant,
    )
    postings = sum(bool(counts[word]) for counts in bounded.counts.values() for word in frequent.split())
    with bounded.admin.transaction():
        before = [value(bounded.admin, _READ, index) for index in _INDEXES]
        bounded.near(frequent, 40, kinds=["event"])
        read, scored = (value(bounded.admin, _READ, index) - was for index, was in zip(_INDEXES, before, strict=True))
    # 100 of the first, 20 of each of the others, and of each list one more than is taken.
    assert read <= 100 + 7 * 20 + 8 < postings
    assert scored <= 60  # one and a half times what is wanted


@pytest.mark.parametrize("plans", ["force_custom_plan", "force_generic_plan"])
@pytest.mark.parametrize("size", ["small", "large"])
def test_every_table_is_read_by_its_index_whatever_the_plan(
    crowd: Corpus, tenant: str, questions: list[str], plans: str, size: str
) -> None:
    admin = crowd.admin
    asked = crowd.tenant if size == "large" else tenant
    with admin.transaction(force_rollback=True):
        for name in ("near_words", "posted_texts", "few_asked_for"):
            routine = value(admin, "SELECT p.oid::regprocedure::text FROM pg_proc AS p WHERE p.proname = %s", name)
            admin.execute(f"ALTER FUNCTION {routine} SET plan_cache_mode = {plans}".encode())
        admin.execute("SET LOCAL ROLE cognifold_owner")
        admin.execute("SELECT set_config('cognifold.tenant', %s, true)", [asked])
        before = set(admin.execute(_SCANNED.encode()).fetchall())  # an earlier transaction's may not be handed on yet
        for narrow in ("NULL, NULL", "'2025-01-03', '2025-01-04'"):
            admin.execute(
                "SELECT * FROM cognifold.near_words(%s, %s, cognifold.narrowed(NULL, "
                f"{narrow}, NULL, NULL, NULL, NULL, NULL, NULL), 50)".encode(), [asked, questions[0]])  # fmt: skip
        scanned = [(kind, name) for kind, name, _ in set(admin.execute(_SCANNED.encode()).fetchall()) - before]
    assert [name for kind, name in scanned if kind == "r"] == []  # no table whole
    used = {name for kind, name in scanned if kind == "i"}
    by_id = {"node_pkey", "node_tenant_id_id_kind_key"}
    assert used - by_id <= {"posting_pkey", "posting_by_node", "lexical_document_pkey", "node_by_time"}
    if size == "large":
        assert used - by_id == {"posting_pkey", "lexical_document_pkey", "node_by_time"} and used & by_id
