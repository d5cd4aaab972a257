"""Who did what is on record, and who asked what where the tenant wants that."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import psycopg
import pytest

from tests.conftest import Connection, make_role, value


@pytest.fixture
def auditor(admin: Connection, connect: Callable[..., Connection], tenant: str) -> Connection:
    """A connection of somebody who may read the account of the test's tenant, and nothing else."""
    make_role(admin, "govern_auditor")
    admin.execute("SELECT cognifold.grant_to('govern_auditor', 'auditor', %s)", [tenant])
    return connect(tenant, user="govern_auditor")


def asked(auditor: Connection) -> list[tuple[object, ...]]:
    return auditor.execute(
        "SELECT verb, question, cardinality(node_ids) FROM cognifold.audit "
        "WHERE digest IS NOT NULL OR node_ids IS NOT NULL ORDER BY at"
    ).fetchall()


def test_each_event_and_each_plan_names_the_role_it_is_by(
    connection: Connection, admin: Connection, auditor: Connection
) -> None:
    event = value(connection, "SELECT cognifold.remember('The gate was painted')")
    connection.execute("SELECT cognifold.remember('The gate was painted green')")
    connection.execute("SELECT count(*) FROM cognifold.fold(10)")
    rows = auditor.execute(
        "SELECT verb, role_name FROM cognifold.audit WHERE verb <> 'remember' OR subject = %s ORDER BY at", [event]
    )
    assert rows.fetchall() == [("remember", "test_writer"), ("plan: sql", "test_writer"), ("plan: sql", "test_writer")]


def test_questions_are_kept_by_digest_or_whole_only_where_the_tenant_says_so(
    connection: Connection, auditor: Connection
) -> None:
    event = value(connection, "SELECT cognifold.remember('The gate was painted')")
    ask = b"SELECT * FROM cognifold.recall('Who painted the gate?')"
    connection.execute(ask)
    assert asked(auditor) == []
    connection.execute("SELECT cognifold.set_setting('audit.reads', 1)")
    connection.execute(ask)
    assert asked(auditor) == [("recall", None, 1)]
    digest = hashlib.sha256(b"Who painted the gate?").digest()
    assert auditor.execute(
        "SELECT role_name, login_name, digest, node_ids FROM cognifold.audit WHERE verb = 'recall'"
    ).fetchone() == ("test_writer", "test_writer", digest, [event])
    connection.execute("SELECT cognifold.set_setting('audit.reads', 2)")
    for verb in (
        "recall('gate')",
        "explain_recall('gate')",
        "context('gate')",
        "context_window(5)",
        f"explain('{event}')",
    ):
        connection.execute(f"SELECT * FROM cognifold.{verb}".encode())
    assert asked(auditor)[1:] == [
        ("recall", "gate", 1),
        ("explain_recall", "gate", 1),
        ("context", "gate", 1),
        ("context_window", None, 1),
        ("explain", None, 1),
    ]


def test_a_question_of_who_sees_a_part_is_kept_as_well(connection: Connection, auditor: Connection) -> None:
    connection.execute("SELECT cognifold.remember('The gate was painted', privacy_level => 'public')")
    connection.execute("SELECT cognifold.remember('The safe was opened')")
    connection.execute("SELECT cognifold.set_setting('audit.reads', 2)")
    connection.execute("SET cognifold.clearance = 'public'")
    connection.execute("SELECT * FROM cognifold.recall('the gate and the safe')")
    assert asked(auditor) == [("recall", "the gate and the safe", 1)]


def test_in_a_transaction_that_may_not_write_a_question_is_answered_and_not_kept(
    connection: Connection, auditor: Connection
) -> None:
    connection.execute("SELECT cognifold.remember('The gate was painted')")
    connection.execute("SELECT cognifold.set_setting('audit.reads', 2)")
    with connection.transaction():
        connection.execute("SET TRANSACTION READ ONLY")
        assert connection.execute("SELECT title FROM cognifold.recall('gate')").fetchall() == [
            ("The gate was painted",)
        ]
    assert asked(auditor) == []


def test_the_account_is_for_auditors_who_see_no_text_of_the_memory_and_no_other_tenant(
    connection: Connection, connect: Callable[..., Connection], auditor: Connection, new_tenant: Callable[..., str]
) -> None:
    connection.execute("SELECT cognifold.remember('The gate was painted')")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SELECT * FROM cognifold.audit")
    for refused in (
        "SELECT title FROM cognifold.node",
        "SELECT operations FROM cognifold.plan",
        "SELECT * FROM cognifold.recall('gate')",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            auditor.execute(refused.encode())
    other = new_tenant()
    connect(other).execute("SELECT cognifold.remember('Elsewhere')")
    auditor.execute("SELECT set_config('cognifold.tenant', %s, false)", [other])
    assert value(auditor, "SELECT count(*) FROM cognifold.audit") == 0


def test_forgetting_takes_the_questions_out_and_leaves_who_asked_when_and_what_was_told(
    governor: Connection, auditor: Connection
) -> None:
    gone = value(governor, "SELECT cognifold.remember('Vera painted the gate')")
    kept = value(governor, "SELECT cognifold.remember('The safe was opened')")
    governor.execute("SELECT cognifold.set_setting('audit.reads', 2)")
    for question in ("What did Vera paint?", "the safe"):
        governor.execute("SELECT * FROM cognifold.recall(%s)", [question])
    governor.execute("SELECT cognifold.forget(node_ids => %s)", [[gone]])
    rows = auditor.execute(
        "SELECT role_name, verb, question, digest, node_ids FROM cognifold.audit WHERE digest IS NOT NULL ORDER BY at"
    ).fetchall()
    digests = [hashlib.sha256(question).digest() for question in (b"What did Vera paint?", b"the safe")]
    assert [row[:4] for row in rows] == [("test_governor", "recall", None, digest) for digest in digests]
    assert gone in rows[0][4]  # an id that leads nowhere
    assert kept in rows[1][4]
    governor.execute("SELECT * FROM cognifold.recall('the safe')")
    assert asked(auditor)[-1][:2] == ("recall", "the safe")  # what is asked afterwards is kept again


def test_old_rows_of_the_account_go_by_the_job_of_retention(
    connection: Connection, admin: Connection, auditor: Connection, tenant: str
) -> None:
    connection.execute("SELECT cognifold.remember('The gate was painted')")
    connection.execute("SELECT cognifold.set_setting('audit.reads', 2)")
    connection.execute("SELECT * FROM cognifold.recall('an old question')")
    admin.execute(
        "UPDATE cognifold.audit_read SET read_at = read_at - interval '366 days' WHERE tenant_id = %s", [tenant]
    )
    connection.execute("SELECT * FROM cognifold.recall('a new question')")
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    assert value(admin, "SELECT cognifold.job_has_work(%s, 'retention', clock_timestamp())", tenant) is True
    report = value(admin, "SELECT cognifold.run_in_sql('retention')")
    assert (report["audit_reads"], report["more"]) == (1, False)
    assert asked(auditor) == [("recall", "a new question", 1)]
    assert value(admin, "SELECT cognifold.job_has_work(%s, 'retention', clock_timestamp())", tenant) is False
