"""What one tenant does changes nothing of another's, and shows nothing of it, on one connection or under one plan."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest
from psycopg_pool import ConnectionPool

from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidPlanError, UnknownNodeError
from cognifold_pg.experience import Experience
from tests.conftest import Connection, value
from tests.tenant.conftest import SAYINGS, set_tenant, snapshot


def test_everything_another_tenant_does_leaves_a_tenant_as_it_was(
    admin: Connection, make_lively: Callable[[], str], dsn: str
) -> None:
    ours, theirs = make_lively(), make_lively()
    before = snapshot(admin, ours)
    assert {name for name, (number, _) in before.items() if number} >= {
        "tenant", "setting", "decay_clock", "node", "node_content", "concept_state", "concept_lexeme", "graph_edge",
        "embedding", "embedding_statistics", "lexical_document", "lexical_statistics", "posting", "lexeme_frequency",
        "actor_frequency", "actor_name", "work", "plan", "journal",
    }  # fmt: skip
    our_concept = value(admin, "SELECT id FROM cognifold.node WHERE tenant_id = %s AND kind = 'concept' LIMIT 1", ours)
    our_event = value(admin, "SELECT id FROM cognifold.node WHERE tenant_id = %s AND kind = 'event' LIMIT 1", ours)
    our_plan = value(admin, "SELECT plan_id FROM cognifold.plan WHERE tenant_id = %s LIMIT 1", ours)
    with Memory(dsn, tenant=ours, learn=False) as memory:
        answer = memory.recall("Which coil does the kiln need?")

    with Memory(dsn, tenant=theirs) as other:
        # The same words, times, actor and key as ours.
        other.remember(SAYINGS[0], source="notes", actor="Mira", idempotency_key="known")
        other.remember("An event of their own", actor="Mira", idempotency_key="known too")
        assert other.fold_all() >= 2
        concept = other.rows("SELECT id FROM cognifold.concept LIMIT 1")[0]["id"]
        event = other.rows("SELECT id FROM cognifold.event LIMIT 1")[0]["id"]
        other.apply_plan({
            "plan_id": str(our_plan),
            "operations": [
                {"op": "ADD_NODE", "ref": "c", "kind": "concept", "title": "Glazes", "grounded_in": [str(event)]},
                {"op": "ADD_EDGE", "source": str(concept), "target": "c", "type": "related_to"},
                {"op": "UPDATE_NODE", "node": str(concept), "title": "Kilns"},
            ],
        })  # fmt: skip
        other.rows("SELECT cognifold.set_setting('fold.related', 0)")
        other.rows("SELECT cognifold.set_decay('episodic', 5, '2101-01-01Z')")
        other.rows("SELECT cognifold.retry()")
        other.rows("SELECT cognifold.create_tenant(%s, 'Renamed', 'Asia/Tokyo')", [ours])
        for statement in (
            "SELECT cognifold.explain(%s)",
            "SELECT cognifold.propose(%s)",
            "SELECT cognifold.store_embedding(%s, cognifold.embed('kiln'), 'lexicon')",
            "SELECT cognifold.fold_without_embedding(%s)",
            "SELECT cognifold.retry(%s)",
        ):
            with pytest.raises(UnknownNodeError):
                other.rows(statement, [our_event])
        for operation in (
            {"op": "ADD_EDGE", "source": str(event), "target": str(our_concept), "type": "reinforces"},
            {"op": "UPDATE_NODE", "node": str(our_concept), "title": "Theirs now"},
            {"op": "ADD_NODE", "kind": "concept", "title": "Stolen", "grounded_in": [str(our_event)]},
        ):
            with pytest.raises(InvalidPlanError):
                other.apply_plan({"operations": [operation]})
        assert other.check() == []

    assert snapshot(admin, ours) == before
    with Memory(dsn, tenant=ours, learn=False) as memory:
        again = memory.recall("Which coil does the kiln need?")
        assert [(row.node_id, row.cosine, row.keyword) for row in again] == [
            (row.node_id, row.cosine, row.keyword) for row in answer
        ]
        assert memory.check() == []


LIGHTHOUSE = [f"The lighthouse keeper wrote line {number} about the lamp" for number in range(10)]
QUESTION = "the lamp of the lighthouse keeper"

# As if folded, but without a graph: folding 20,000 events would take minutes.
CROWD = """
CREATE TEMPORARY TABLE made ON COMMIT DROP AS
SELECT cognifold.new_id() AS id, %(tenant)s AS tenant, %(text)s AS text,
       '2026-01-01Z'::timestamptz + n * interval '1 minute' AS moment
FROM generate_series(1, 20000) AS n;
INSERT INTO cognifold.node (tenant_id, id, kind, memory_type, title, occurred_at, recorded_at, digest)
SELECT m.tenant, m.id, 'event', 'episodic', m.text, m.moment, now(),
       cognifold.event_digest(m.text, m.text, NULL, m.moment, NULL, NULL) FROM made AS m;
INSERT INTO cognifold.node_content (tenant_id, node_id, content) SELECT m.tenant, m.id, m.text FROM made AS m;
INSERT INTO cognifold.embedding (tenant_id, model_id, kind, node_id, dimensions, vector)
SELECT m.tenant, 1, 'event', m.id, 256, v.vector::halfvec
FROM made AS m CROSS JOIN (SELECT cognifold.embed(%(text)s) AS vector) AS v;
INSERT INTO cognifold.lexical_document (tenant_id, node_id, length, truncated, lexemes, frequencies)
SELECT m.tenant, m.id, 3, false, l.lexemes, l.frequencies
FROM made AS m CROSS JOIN (SELECT array_agg(l.lexeme ORDER BY l.lexeme) AS lexemes,
    array_agg(l.frequency ORDER BY l.lexeme) AS frequencies FROM cognifold.lexemes(%(text)s) AS l) AS l;
INSERT INTO cognifold.posting
    (tenant_id, lexeme, kind, node_id, impact, frequency, document_length, signature)
SELECT m.tenant, l.lexeme, 'event', m.id, 100, l.frequency, 3, s.signature
FROM cognifold.lexemes(%(text)s) AS l CROSS JOIN made AS m
CROSS JOIN (SELECT cognifold.signature(array_agg(l.lexeme)) AS signature FROM cognifold.lexemes(%(text)s) AS l) AS s;
INSERT INTO cognifold.lexeme_frequency (tenant_id, lexeme, document_count)
SELECT %(tenant)s, l.lexeme, 20000 FROM cognifold.lexemes(%(text)s) AS l;
UPDATE cognifold.lexical_statistics SET document_count = 20000, total_length = 60000 WHERE tenant_id = %(tenant)s;
"""


@pytest.fixture(scope="module")
def crowd(admin_dsn: str) -> str:
    """A tenant of 20,000 events, each nearer to the question than any of the small tenant's."""
    with psycopg.connect(admin_dsn, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute("SELECT cognifold.create_tenant('a crowd')")
        connection.execute(CROWD, {"tenant": "a crowd", "text": QUESTION})
        connection.commit()
        connection.autocommit = True
        connection.execute("ANALYZE")
    return "a crowd"


@pytest.fixture
def small(new_tenant: Callable[..., str], dsn: str) -> str:
    """A tenant of ten events."""
    name = new_tenant()
    with Memory(dsn, tenant=name) as memory:
        memory.remember_many(Experience(line) for line in LIGHTHOUSE)
        assert memory.fold_all(batch=10) == 10
    return name


# By the verb; by a reader's own vector search over the table; by a view. Each asks for the ten best.
QUERIES = {
    "recall": "SELECT content FROM cognifold.recall(%s, 10, ARRAY['event'])",
    "vectors": """
        SELECT c.content FROM cognifold.embedding AS e JOIN cognifold.node_content AS c USING (tenant_id, node_id)
        WHERE e.kind = 'event' ORDER BY e.vector <=> (SELECT cognifold.embed(%s))::halfvec LIMIT 10
    """,
    "view": "SELECT content FROM cognifold.event WHERE content LIKE '%%lamp%%' AND %s <> '' ORDER BY id LIMIT 10",
}


@pytest.mark.parametrize("mode", ["auto", "force_generic_plan", "force_custom_plan"])
@pytest.mark.parametrize("query", sorted(QUERIES))
def test_ten_rows_among_twenty_thousand_are_found_ten_of_ten_under_a_plan_another_tenant_made(
    crowd: str, small: str, connect: Callable[..., Connection], query: str, mode: str
) -> None:
    connection = connect(crowd)
    connection.execute(f"SET plan_cache_mode = {mode}".encode())

    def ask() -> list[str]:
        rows = connection.execute(QUERIES[query].encode(), [QUESTION], prepare=True).fetchall()
        return [content for (content,) in rows]

    for _ in range(7):  # PostgreSQL weighs a generic plan from the sixth execution on
        assert ask() == [QUESTION] * 10
    set_tenant(connection, small)
    assert sorted(ask()) == LIGHTHOUSE
    # As a pool would: the setting only for the transaction.
    set_tenant(connection, "")
    for tenant, expected in ((crowd, [QUESTION] * 10), (small, LIGHTHOUSE), (crowd, [QUESTION] * 10)):
        with connection.transaction():
            connection.execute("SELECT set_config('cognifold.tenant', %s, true)", [tenant])
            assert sorted(ask()) == expected
    assert value(connection, "SELECT count(*) FROM cognifold.event") == 0


def test_two_tenants_taking_turns_on_one_pooled_connection_stay_apart(dsn: str, new_tenant: Callable[..., str]) -> None:
    tenants = [new_tenant(), new_tenant()]
    with ConnectionPool(dsn, min_size=1, max_size=1, kwargs={"autocommit": True, "prepare_threshold": 1}) as pool:
        for turn in range(1, 11):
            for tenant in tenants:
                with pool.connection() as connection, connection.transaction():
                    connection.execute("SELECT set_config('cognifold.tenant', %s, true)", [tenant])
                    connection.execute("SELECT cognifold.remember(%s)", [f"turn {turn} of {tenant}"])
                    connection.execute("SELECT * FROM cognifold.fold()")
                    contents = connection.execute("SELECT content FROM cognifold.event ORDER BY id").fetchall()
                    assert contents == [(f"turn {number} of {tenant}",) for number in range(1, turn + 1)]
                    found = connection.execute(
                        "SELECT content FROM cognifold.recall('turn', 50, ARRAY['event'])"
                    ).fetchall()
                    assert sorted(found) == sorted(contents)
                with pool.connection() as connection:
                    assert value(connection, "SELECT count(*) FROM cognifold.event") == 0


def test_a_connection_returned_in_the_middle_of_a_scoped_call_carries_no_tenant_over(dsn: str, tenant: str) -> None:
    with ConnectionPool(dsn, min_size=1, max_size=1) as pool:
        with pytest.raises(psycopg.Error), pool.connection() as connection:
            connection.execute("SELECT set_config('cognifold.tenant', %s, true)", [tenant])
            connection.execute("SELECT cognifold.remember('')")
        with pool.connection() as connection:
            assert value(connection, "SELECT cognifold.current_tenant()") is None
