"""The same from Python and from the command line."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from cognifold_pg.cli import app
from cognifold_pg.client import Memory
from cognifold_pg.errors import ClearanceError, CognifoldError, GrantError, InvalidValueError, UnknownRetentionError
from tests.conftest import Connection, make_role, value

NOW = datetime.fromisoformat("2026-06-01T12:00:00+00:00")


@pytest.fixture
def clerk(admin: Connection) -> Iterator[str]:
    make_role(admin, "govern_typist")
    yield "govern_typist"
    admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = 'govern_typist'")
    admin.execute("DROP ROLE govern_typist")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_rules_are_made_shown_applied_and_removed_from_python(dsn: str, tenant: str) -> None:
    with Memory(dsn, tenant=tenant, clock=NOW) as memory:
        memory.remember("An old letter", occurred_at=NOW - timedelta(days=40), source="mail")
        memory.remember("A new letter", occurred_at=NOW - timedelta(days=20), source="mail")
        memory.fold_all()
        memory.set_retention("letters", timedelta(days=30), sources=["mail"])
        (rule,) = memory.retention()
        assert (rule.name, rule.keep, rule.action, rule.sources) == ("letters", "30 days", "archive", ["mail"])
        done = memory.apply_retention(max_nodes=1)
        assert (done.looked_at, done.archived, done.by_rule, done.as_of) == (1, 1, {"letters": 1}, NOW)
        memory.remove_retention("letters")
        with pytest.raises(UnknownRetentionError, match="no rule of retention 'letters'"):
            memory.remove_retention("letters")
        with pytest.raises(InvalidValueError, match="action = 'burn'"):
            memory.set_retention("letters", "1 year", "burn")
        assert memory.clearance() == "private"


def test_a_verb_refused_for_clearance_has_a_class_of_its_own(
    dsn: str, admin: Connection, tenant: str, clerk: str
) -> None:
    run("grant", clerk, "writer", "--tenant", tenant, "--dsn", admin.info.dsn)
    assert (
        run("clearance", clerk, "public", "--tenant", tenant, "--dsn", admin.info.dsn)
        == f"{clerk}: public in tenant {tenant}\n"
    )
    with (
        Memory(make_conninfo(dsn, user=clerk), tenant=tenant) as memory,
        pytest.raises(ClearanceError, match="only what is public"),
    ):
        memory.check()


def test_profiles_are_given_shown_and_taken_from_the_command_line(admin: Connection, tenant: str, clerk: str) -> None:
    where = ("--dsn", admin.info.dsn)
    assert run("grant", clerk, "reader", "--tenant", tenant, *where) == f"{clerk} is reader of tenant {tenant}\n"
    assert run("grant", clerk, "reader", *where) == f"{clerk} was reader\n"
    assert [line.split() for line in run("grants", *where).splitlines() if line.startswith(clerk)] == [
        [clerk, "reader", *tenant.split(), "private"]
    ]
    assert run("revoke", clerk, "reader", *where) == f"{clerk} is no longer reader\n"
    assert value(admin, "SELECT pg_has_role(%s, 'cognifold_reader', 'MEMBER')", clerk) is False
    with pytest.raises(GrantError, match=r"no profile 'king'.*Use reader, writer"):
        run("grant", clerk, "king", *where)


def test_rules_are_made_shown_applied_and_removed_from_the_command_line(dsn: str, tenant: str) -> None:
    where = ("--tenant", tenant, "--dsn", dsn)
    assert run("retention", "set", "chat", "1 year", "--source", "chat", *where) == "chat: archive after 1 year\n"
    assert run("retention", "list", *where).splitlines()[1].split() == [
        "chat",
        "1",
        "year",
        "archive",
        "event",
        "chat",
        "any",
        "any",
    ]
    assert run("retention", "apply", *where) == "0 looked at, 0 archived, 0 forgotten\n"
    assert run("retention", "remove", "chat", *where) == "chat removed\n"
    with pytest.raises(CognifoldError, match=r"may not set a rule that forgets: .* GRANT cognifold_governor TO test_w"):
        run("retention", "set", "chat", "1 year", "--then", "forget", *where)
