"""The same question gets the same answer, whatever the session is set to and however it is planned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Connection
from tests.graph.plans import rows
from tests.recall.conftest import CLOCK, TENANT, hours_ago
from tests.recall.model import Library

QUESTIONS = ("the dog, the concert, the invoice and the driving test", "What did Maria say of the beagle last week?")
ARGUMENTS: tuple[dict[str, Any], ...] = (
    {},
    {"kinds": ["event"], "since": hours_ago(500), "until": hours_ago(1), "actors": ["Tom", "Maria Silva"]},
    {"as_of": hours_ago(79), "memory_types": ["episodic"], "minimum_score": 0.05},
)
# The moments of ARGUMENTS, CLOCK and the tenant's data have no zone but their own.
SETTINGS = {
    "UTC": "SET TimeZone = 'UTC'",
    "half past": "SET TimeZone = 'Asia/Kolkata'",
    "summer time": "SET TimeZone = 'America/New_York'; SET DateStyle = 'SQL, MDY'",
    "German dates": "SET DateStyle = 'German, DMY'; SET IntervalStyle = 'sql_standard'",
    "custom plans": "SET plan_cache_mode = force_custom_plan",
    "generic plans": "SET plan_cache_mode = force_generic_plan",
    "no index": "SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off",
    "no sequential scan": "SET enable_seqscan = off",
    "nested loops": "SET enable_hashjoin = off; SET enable_mergejoin = off",
    "merge joins": "SET enable_hashjoin = off; SET enable_nestloop = off",
    "hash joins": "SET enable_mergejoin = off; SET enable_nestloop = off; SET enable_sort = off",
    "no memory": "SET work_mem = '64kB'; SET hash_mem_multiplier = 1",
    "parallel": "SET max_parallel_workers_per_gather = 4; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; "
    "SET min_parallel_table_scan_size = 0; SET min_parallel_index_scan_size = 0; SET debug_parallel_query = on",
    "jit": "SET jit = on; SET jit_above_cost = 0; SET jit_optimize_above_cost = 0; SET jit_inline_above_cost = 0",
    "another path": "SET search_path = pg_catalog",
    "read only": "SET default_transaction_read_only = on",
    "one snapshot": "SET default_transaction_isolation = 'repeatable read'",
    "serializable": "SET default_transaction_isolation = 'serializable'; SET default_transaction_read_only = on",
    "other texts": "SET default_text_search_config = 'pg_catalog.german'",
    "iterative": "SET hnsw.iterative_scan = strict_order; SET hnsw.ef_search = 10",
}


def answers(connection: Connection) -> list[Any]:
    """What every verb that recalls answers to each question, as texts whose form no setting changes."""
    found = []
    for query in QUESTIONS:
        for arguments in ARGUMENTS:
            names = "".join(f", {name} => %s" for name in arguments)
            for verb in ("recall", "explain_recall", "context"):
                # In JSON a time is ISO 8601 with its offset: read back, it is compared as the moment it is.
                moment = "extract(epoch FROM r.occurred_at)" if verb != "context" else "NULL"
                found.append([
                    (row["r"] | {"occurred_at": None}, row["moment"])
                    for row in rows(connection, f"SELECT to_jsonb(r) AS r, {moment} AS moment "
                                                f"FROM cognifold.{verb}(%s{names}) AS r", query, *arguments.values())
                ])  # fmt: skip
    return found


@pytest.fixture(scope="module")
def usual() -> list[Any]:
    return []


@pytest.mark.parametrize("name", SETTINGS)
def test_no_setting_of_a_session_changes_an_answer(
    library: Library, reader: Connection, connect: Callable[..., Connection], usual: list[Any], name: str
) -> None:
    if not usual:
        usual += answers(reader)
        assert all(found for found in usual)
    other = connect(TENANT, now=CLOCK.isoformat())
    for setting in SETTINGS[name].split("; "):
        other.execute(setting.encode())
    for _ in range(2):  # also with what the session has cached by then
        assert answers(other) == usual


def test_parts_of_a_score_are_whole_where_numbers_are_shown_short(library: Library, reader: Connection) -> None:
    ask = "SELECT signals, factors FROM cognifold.explain_recall(%s, 20)"
    usual = rows(reader, ask, QUESTIONS[0])
    reader.execute("SET extra_float_digits = -3")
    assert rows(reader, ask, QUESTIONS[0]) == usual


def test_prepared_statements_answer_as_plain_ones(
    library: Library, reader: Connection, connect: Callable[..., Connection]
) -> None:
    statement = "SELECT node_id, score FROM cognifold.recall($1, $2, kinds => $3)"
    plain = rows(
        reader, "SELECT node_id, score FROM cognifold.recall(%s, %s, kinds => %s)", QUESTIONS[0], 10, ["event"]
    )
    for mode in ("force_custom_plan", "force_generic_plan"):
        other = connect(TENANT, now=CLOCK.isoformat())
        other.execute(f"SET plan_cache_mode = {mode}".encode())
        other.execute(f"PREPARE ask (text, int, text[]) AS {statement}".encode())
        for _ in range(7):
            assert rows(other, f"EXECUTE ask('{QUESTIONS[0]}', 10, '{{event}}')") == plain


def test_one_statement_prepared_for_one_tenant_serves_another(
    library: Library, reader: Connection, connect: Callable[..., Connection], tenant: str
) -> None:
    other = connect(tenant, now=CLOCK.isoformat())
    other.execute(b"PREPARE ask AS SELECT node_id, score FROM cognifold.recall($1::text, 20)")
    ask = f"EXECUTE ask('{QUESTIONS[0]}')"
    for _ in range(6):
        assert rows(other, ask) == []
    other.execute("SELECT set_config('cognifold.tenant', %s, false)", [TENANT])
    assert rows(other, ask) == rows(reader, "SELECT node_id, score FROM cognifold.recall(%s, 20)", QUESTIONS[0])
