"""What stands in the caller's search_path changes nothing: the memory finds all its objects without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from tests.conftest import Connection
from tests.tenant.verbs import CALLS, COMMITTING, call

# Each raises when it is called. First those that shadow a function of PostgreSQL or of the memory by their very types;
# then those that fit an expression of ours better than PostgreSQL's own, which takes a cast. The first kind hides
# PostgreSQL's only where a search_path names pg_catalog after it; the second needs no more than to be in the path.
SHADOWS = {
    "now()": "timestamptz", "clock_timestamp()": "timestamptz", "current_tenant()": "text", "required_tenant()": "text",
    "tenant_permitted(text)": "boolean", "effective_role()": "text", "current_setting(text, boolean)": "text",
    "current_setting(text)": "text", "set_config(text, text, boolean)": "text",
    "exp(double precision)": "double precision", "ln(double precision)": "double precision",
    "abs(double precision)": "double precision", "abs(real)": "real", "jsonb_array_elements(jsonb)": "jsonb",
    "length(text)": "integer", "lower(text)": "text", "btrim(text)": "text",
    "sha256(bytea)": "bytea", "hashtextextended(text, bigint)": "bigint", "pg_advisory_xact_lock(bigint)": "void",
    "to_tsvector(regconfig, text)": "tsvector", "round(numeric, integer)": "numeric",
    "cardinality(anyarray)": "integer", "isfinite(timestamptz)": "boolean",
    "date_part(text, timestamptz)": "double precision",
}  # fmt: skip
BETTER_FITS = {
    "ln(bigint)": "double precision", "ln(integer)": "double precision", "exp(integer)": "double precision",
    "exp(numeric)": "double precision", "power(integer, integer)": "double precision",
    "power(integer, smallint)": "double precision",
    "round(double precision)": "double precision", "floor(integer)": "double precision", "greatest(integer)": "integer",
    "mne_score(double precision, real, double precision, bigint, real)": "double precision",
    "left(varchar, integer)": "text", "format(text)": "text",
}  # fmt: skip
NUMBERS = ("double precision", "real", "numeric", "bigint", "integer", "smallint")
MIXED = [(left, right) for left in NUMBERS for right in NUMBERS if left != right]
SAME = [(kind, kind) for kind in (*NUMBERS, "text", "boolean", "timestamptz", "uuid", "jsonb")]
ARITHMETIC = ("+", "-", "*", "/")
COMPARISON = ("=", "<>", "<", "<=", ">", ">=")


@pytest.fixture(scope="module")
def hostile(admin_dsn: str) -> Iterator[str]:
    """A schema full of functions and operators that raise when they are used."""
    trap = "LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'hostile object used: {}'; END $$"
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        admin.execute("DROP SCHEMA IF EXISTS hostile CASCADE")
        admin.execute("CREATE SCHEMA hostile")
        statements = []
        for signature, returns in (SHADOWS | BETTER_FITS).items():
            name, _, arguments = signature.partition("(")
            if returns is not None:
                statements.append(
                    f'CREATE FUNCTION hostile."{name}"({arguments} RETURNS {returns} ' + trap.format(signature)
                )
        number = 0
        for operators, kinds in (
            (ARITHMETIC + COMPARISON, MIXED),
            (COMPARISON, SAME),
            (ARITHMETIC, SAME[: len(NUMBERS)]),
        ):
            for operator in operators:
                for left, right in kinds:
                    number += 1
                    returns = "boolean" if operator in COMPARISON else "double precision"
                    meaning = f"{left} {operator} {right}"
                    statements.append(
                        f"CREATE FUNCTION hostile.trap{number}({left}, {right}) RETURNS {returns} "
                        + trap.format(meaning)
                    )
                    statements.append(
                        f"CREATE OPERATOR hostile.{operator} "
                        f"(FUNCTION = hostile.trap{number}, LEFTARG = {left}, RIGHTARG = {right})"
                    )
        with admin.transaction():
            admin.execute(";".join(statements).encode())
            admin.execute("GRANT USAGE ON SCHEMA hostile TO PUBLIC")
        yield "hostile"
        admin.execute("DROP SCHEMA hostile CASCADE")


# Verbs whose answer holds an id that is new each time.
MAKING = {
    "remember", "remember_many", "fold", "propose", "apply_plan", "undo_plan", "consolidate", "consolidate_step",
    "emit_intents", "claim_folds", "apply_claimed", "fold_claimed",
}  # fmt: skip


def outcomes(connection: Connection, event: UUID, plan: UUID) -> dict[str, Any]:
    """What every verb makes of the tenant, each in a transaction that is rolled back."""
    answers: dict[str, Any] = {}
    for verb in CALLS:
        if verb in COMMITTING:
            continue
        with connection.transaction() as transaction:
            rows = connection.execute(call(verb), {"event": event, "plan": plan}).fetchall()
            answers[verb] = len(rows) if verb in MAKING else rows
            raise psycopg.Rollback(transaction)
    return answers


READINGS = (
    "SELECT id, fold_state, content FROM cognifold.event ORDER BY id",
    "SELECT id, title, evidence_mass, strength FROM cognifold.concept ORDER BY id",
    "SELECT source_id, target_id, mass, weight, live FROM cognifold.edge ORDER BY 1, 2, potential",
    "SELECT id, title FROM cognifold.intent ORDER BY id",
    "SELECT cognifold.mne_score(0.5, 0.5, 3600, 3, 0.5)",
    "SELECT cognifold.hours('2026-03-01Z')",
    "SELECT cognifold.decay_integral(cognifold.required_tenant(), 'episodic', '2026-03-01Z')",
    "SELECT cognifold.mass(1, 2), cognifold.logaddexp(1, 2)",
    "SELECT cognifold.logsumexp(x) FROM (VALUES (1::double precision), (2)) AS v (x)",
    "SELECT cognifold.setting('fold.related'), cognifold.settings()",
    "SELECT cognifold.event_digest('a', 'b', '{}', '2026-03-01Z', 'c', 'd')",
    "SELECT cognifold.embed('the kiln', 'query'), cognifold.embed('zyzzyva''s kiln')",
    "SELECT * FROM cognifold.query_terms(cognifold.required_tenant(), 'What did Mira say?')",
    "SELECT cognifold.now() > 'epoch'",
)


def readings(connection: Connection) -> list[list[Any]]:
    return [connection.execute(query.encode()).fetchall() for query in READINGS]


@pytest.mark.parametrize(
    "path", ["hostile, public", "hostile, cognifold, public", "hostile, pg_catalog", "", "pg_temp"]
)
def test_no_search_path_changes_what_a_verb_does(
    hostile: str,
    lively: str,
    new_event: Callable[[str], UUID],
    new_plan: Callable[[str], UUID],
    connect: Callable[..., Connection],
    path: str,
) -> None:
    event, plan = new_event(lively), new_plan(lively)
    now = "2026-05-01T00:00:00+00:00"
    expected = outcomes(connect(lively, now=now), event, plan)
    connection = connect(lively, now=now)
    connection.execute("SELECT pg_catalog.set_config('search_path', %s, false)", [path])
    assert outcomes(connection, event, plan) == expected
    connection.execute("CALL cognifold.fold_all()")
    connection.execute("CALL cognifold.consolidate_all()")


@pytest.mark.parametrize("path", ["hostile, public", "hostile, cognifold, public", "", "pg_temp"])
def test_no_search_path_changes_what_a_view_or_helper_says(
    hostile: str, lively: str, connect: Callable[..., Connection], path: str
) -> None:
    now = "2026-05-01T00:00:00+00:00"
    expected = readings(connect(lively, now=now))
    connection = connect(lively, now=now)
    connection.execute("SELECT pg_catalog.set_config('search_path', %s, false)", [path])
    assert readings(connection) == expected


def test_the_traps_are_set(hostile: str, connection: Connection) -> None:
    """The check on the tests above: used by their callers, the hostile objects do raise."""
    connection.execute("SET search_path = hostile, pg_catalog")
    for expression in ("now()", "1::double precision / 2::integer", "ln(3::bigint)", "'a'::text = 'b'::text"):
        with pytest.raises(psycopg.errors.RaiseException, match="hostile object used"):
            connection.execute(sql.SQL("SELECT {}").format(sql.SQL(expression)))


def test_temporary_objects_named_like_ours_are_not_taken_for_them(
    lively: str, new_event: Callable[[str], UUID], new_plan: Callable[[str], UUID], connect: Callable[..., Connection]
) -> None:
    event, plan = new_event(lively), new_plan(lively)
    connection = connect(lively)
    for name in ("node", "work", "tenant", "tenant_member", "setting", "graph_edge", "event"):
        connection.execute(f"CREATE TEMPORARY TABLE {name} (tenant_id text, role_name text, id uuid)".encode())
    connection.execute(
        "CREATE FUNCTION pg_temp.tenant_permitted(text) RETURNS boolean LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'hostile object used'; END $$"
    )
    connection.execute("SET search_path = pg_temp, cognifold, public")
    assert outcomes(connection, event, plan)["recall"]
