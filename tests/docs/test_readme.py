"""What the README and the reference print is what the product does."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import CognifoldError, from_sqlstate
from cognifold_pg.reference import reference
from tests.conftest import Connection

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def own_session(connect: Callable[..., Connection]) -> Connection:
    return connect()


@pytest.fixture
def other_tenant_of_many_plans(dsn: str, new_tenant: Callable[..., str]) -> str:
    """Somebody else's memory, whose versions go beyond those of the README's: the demo's, say."""
    other = new_tenant()
    with Memory(dsn, tenant=other) as memory:
        for _ in range(9):
            memory.apply_plan({"operations": []})
    return other


def test_the_first_sql_of_the_readme_folds_a_concept_and_finds_it(own_session: Connection) -> None:
    [statements] = [block for block in blocks("sql") if "cognifold.remember" in block]
    results = [own_session.execute(statement.encode()) for statement in statements.split(";") if statement.strip()]
    folded, concepts, found, evidence = (result.fetchall() for result in results[-4:])
    assert [outcome for outcome, _ in folded] == ["folded"] * 3
    assert len(concepts) == 1 and concepts[0][1] == 2
    assert "ackup" in found[0][0]
    assert [depth for depth, _ in evidence] == [0, 1, 1]
    assert all("ackup" in content for _, content in evidence[1:])


def test_what_the_readme_wants_surfaces_and_can_be_deferred(connect: Callable[..., Connection], tenant: str) -> None:
    session = connect(tenant)
    [first] = [block for block in blocks("sql") if "cognifold.remember" in block]
    for statement in first.split(";"):
        if "remember" in statement or "fold()" in statement:
            session.execute(statement.encode())
    [statements] = [block for block in blocks("sql") if "emit_intents" in block]
    three = [statement.encode() for statement in statements.split(";") if statement.strip()]
    results = [session.execute(statement).fetchall() for statement in three]
    [(title, category, reason)], _, [(_, status, _)] = results
    assert "ackup" in title and "Backup failed again" in reason and category == "work" and status == "deferred"


def test_the_table_of_the_readme_feeds_the_memory(admin: Connection, tenant: str) -> None:
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    [statements] = [block for block in blocks("sql") if "cognifold.watch(" in block]
    try:
        results = [admin.execute(statement.encode()) for statement in statements.split(";") if statement.strip()]
        told = [content for (content,) in results[-1].fetchall()]
        assert told == [
            "Ticket 1 of Vera: The invoice counts the deposit twice",
            "Ticket 1 of Vera went from open to solved",
        ]
    finally:
        admin.execute("SELECT cognifold.unwatch('public.ticket')")
        admin.execute("DROP TABLE ticket")


def test_the_consumer_of_the_readme_is_told_what_was_emitted(
    connect: Callable[..., Connection], dsn: str, tenant: str
) -> None:
    session = connect(tenant)
    with Memory(dsn, tenant=tenant) as memory:
        event = memory.remember("The nightly backup failed: disk full")
        memory.fold_all()
        wish = {"op": "ADD_NODE", "kind": "intent", "title": "Free some disk", "grounded_in": [str(event)]}
        memory.apply_plan({"reasoning": "stated", "operations": [wish | {"reasoning": "stated"}]})
    [statements] = [block for block in blocks("sql") if "create_consumer" in block]
    results = [session.execute(statement.encode()) for statement in statements.split(";") if statement.strip()]
    assert [(kind, title) for kind, title, _, _ in results[-1].fetchall()] == [("emitted", "Free some disk")]


@pytest.mark.parametrize("who", ["writer", "superuser"])
def test_what_the_readme_takes_back_is_the_answer(
    connect: Callable[..., Connection], admin: Connection, tenant: str, other_tenant_of_many_plans: str, who: str
) -> None:
    session = connect(tenant) if who == "writer" else admin  # as in `cognifold db psql` of the embedded server
    session.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    statements = [
        statement.encode()
        for block in blocks("sql")
        if "cognifold.remember" in block or "emit_intents" in block or "undo_plan" in block
        for statement in block.split(";")
        if statement.strip() and "create_tenant" not in statement and "SET " not in statement
    ]
    results = [session.execute(statement) for statement in statements]
    plans, history, _, intents = (result.fetchall() for result in results[-4:])
    assert [proposer for _, proposer, _, _ in plans] == ["sql"] * 3 + ["intent"] * 2
    assert {change for _, _, change, _, _ in history} == {"made"} and len(history) > 3
    assert [status for _, status in intents] == ["pending"]


def test_the_forgetting_of_the_readme_says_what_it_would_come_to(admin: Connection, tenant: str) -> None:
    [statements] = [block for block in blocks("sql") if "cognifold.forget(" in block]
    with admin.transaction(force_rollback=True):
        admin.execute("CREATE ROLE privacy_officer LOGIN")
        admin.execute("SELECT set_config('cognifold.tenant', %s, true)", [tenant])
        admin.execute("SELECT cognifold.remember('Vera wants her data deleted', actor => 'Vera')")
        results = [admin.execute(statement.encode()) for statement in statements.split(";") if statement.strip()]
        [(report,)] = results[-1].fetchall()
    assert (report["dry_run"], report["counts"]["events"]) == (True, 1)


def test_the_grants_of_the_readme_bind_a_role_to_its_tenant(admin: Connection) -> None:
    [statements] = [block for block in blocks("sql") if "'worker'" in block]
    with admin.transaction(force_rollback=True):
        admin.execute("CREATE ROLE app_user LOGIN")
        admin.execute("CREATE ROLE folding LOGIN")
        admin.execute("CREATE ROLE service LOGIN")
        admin.execute("SELECT cognifold.create_tenant('me')")
        admin.execute("SELECT cognifold.create_tenant('somebody else')")
        admin.execute(statements.encode())
        admin.execute("SET LOCAL ROLE app_user")
        admin.execute("SET LOCAL cognifold.tenant = 'me'")
        assert admin.execute("SELECT count(*) FROM cognifold.event").fetchone() is not None
        admin.execute("SET LOCAL cognifold.tenant = 'somebody else'")
        with pytest.raises(psycopg.Error) as refused:
            admin.execute("SELECT cognifold.remember('not mine')")
        assert refused.value.sqlstate == "CF003"


def run(program: str, dsn: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"COGNIFOLD_DSN": dsn, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_python_of_the_readme_prints_what_it_remembered(dsn: str) -> None:
    remembering, joining = blocks("python")
    assert "Ana prefers meetings before ten" in run(remembering, dsn)
    assert run(joining, dsn) == "2 events\n", "the transaction was rolled back"


def test_the_reference_is_made_from_the_comments_as_they_are(admin: Connection) -> None:
    written = (ROOT / "docs" / "sql-reference.md").read_text(encoding="utf-8")
    assert written == reference(admin), "the comments have changed: run `make docs`"


def test_every_sqlstate_that_is_raised_has_a_class_and_a_line_in_the_reference(admin: Connection) -> None:
    raised = {
        state
        for file in (*(ROOT / "sql" / "repeatable").rglob("*.sql"), *(ROOT / "extension").rglob("*.sql"))
        for state in re.findall(r"ERRCODE = '(CF\d{3})'", file.read_text(encoding="utf-8"))
    } - {"CF099"}  # how health leaves its round trip: nobody sees it
    assert len(raised) > 10
    assert {state for state in raised if type(from_sqlstate(state, "")) is CognifoldError} == set()
    assert raised == set(re.findall(r"^\| (CF\d{3}) \|", reference(admin), re.MULTILINE))


def test_every_file_the_readme_names_exists() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
