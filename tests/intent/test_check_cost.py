"""What a look at a concept reads does not grow with what it rests on: counted in rows, as the server counts them."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest
from psycopg.types.json import Jsonb

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.conftest import Connection, value
from tests.graph.plans import START, add_node, make_concept
from tests.partitions import WHOLE

ROWS_READ = f"""
SELECT coalesce(sum(coalesce(s.idx_tup_fetch, 0) + coalesce(s.seq_tup_read, 0)), 0)::bigint
FROM pg_stat_xact_user_tables AS s JOIN pg_class AS c ON c.oid = s.relid
WHERE {WHOLE} = format('cognifold.%%I', %s::text)::regclass
"""


def grown(memory: Memory, events: int) -> list[UUID]:
    """So many folded events of which the planner makes nothing."""
    for name in ("fold.minimum_information", "fold.related"):
        memory.rows("SELECT cognifold.set_setting(%s, %s)", [name, 100 if name == "fold.minimum_information" else 0])
    told = (Experience(f"Sample {n} weighed", occurred_at=None, source=f"source {n}") for n in range(events))
    memory.remember_many(told)
    memory.fold_all(batch=100)
    return [row["id"] for row in memory.rows("SELECT id FROM cognifold.event ORDER BY id")]


def read_by(connection: Connection, statement: str, relation: str = "graph_edge") -> int:
    """Rows of a table that a statement reads."""
    # A test's tables are so small that reading them whole would seem cheaper.
    connection.execute("SET enable_seqscan = off")
    with connection.transaction(force_rollback=True):
        before = value(connection, ROWS_READ, relation)
        connection.execute(statement.encode()).fetchall()
        return int(value(connection, ROWS_READ, relation)) - int(before)


def test_a_check_reads_no_more_of_a_concept_of_three_hundred_events_than_of_one_of_seventy_five(
    memory: Memory, connect: Callable[..., Connection], admin: Connection
) -> None:
    if admin.info.server_version < 170000:
        pytest.skip("beside many small tenants PostgreSQL 16 takes three hundred edges for so few that it sorts them")
    events = grown(memory, 300)
    read = []
    for number in (75, 300):
        connection = connect(memory.tenant)
        connection.execute("SELECT cognifold.emit_intents()")
        make_concept(connection, f"Of {number}", *events[:number])
        admin.execute("ANALYZE cognifold.graph_edge")  # as autovacuum does; of an empty table every index seems equal
        read.append(read_by(connection, "SELECT * FROM cognifold.emit_intents()"))
    assert read[0] >= 50 and read[1] <= 1.1 * read[0]  # both have more than intent.evidence edges


def test_what_an_intent_is_about_is_found_without_reading_other_edges(
    memory: Memory, connect: Callable[..., Connection], admin: Connection
) -> None:
    events = grown(memory, 30)
    connection = connect(memory.tenant, now=START)
    for number in range(20):
        make_concept(connection, f"Of all, {number}", *events)
    plan = {"operations": [add_node("intent", "Weigh again", *events[:2])]}
    connection.execute("SELECT cognifold.apply_plan(%s)", [Jsonb(plan)])
    asked = (
        "SELECT * FROM cognifold.attracting('{}', ARRAY(SELECT id FROM cognifold.node WHERE tenant_id = '{}'), "
        "'{{grounds}}', cognifold.now() + interval '1 day', NULL, cognifold.settings('{}'))"
    )
    assert read_by(admin, asked.format(*[memory.tenant] * 3)) == 2


def test_reading_an_event_looks_up_its_words_and_not_every_name(
    memory: Memory, connect: Callable[..., Connection], admin: Connection
) -> None:
    memory.rows("SELECT cognifold.set_setting('fold.minimum_information', 100)")
    voices = [a + b for a in "bcdfghjklmnpqrst" for b in ("aba", "ebe", "ibi", "obo", "ubu")]
    memory.remember_many(Experience("A word", source=f"source {voice}", actor=voice) for voice in voices)
    told = ["Babas kettle needs a new plug", "The kettle needs a new lid"]
    memory.remember_many(Experience(text, source=text, actor="Baba") for text in told)
    memory.fold_all(batch=100)
    rows = memory.rows("SELECT id FROM cognifold.event WHERE strpos(content, 'kettle') > 0 ORDER BY id")
    connection = connect(memory.tenant)
    make_concept(connection, "Kettle", *(row["id"] for row in rows))
    admin.execute("ANALYZE cognifold.actor_name")
    assert read_by(connection, "SELECT * FROM cognifold.emit_intents()", "actor_name") < len(voices)
