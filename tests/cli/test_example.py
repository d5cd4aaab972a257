"""The shop of ``cognifold example``: what its rows become, what comes to be wanted, and that nothing of it remains."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from rich.console import Console
from typer.testing import CliRunner

from cognifold_pg.cli import app
from cognifold_pg.client import Memory
from cognifold_pg.errors import CognifoldError
from cognifold_pg.examples.shop import run as example
from cognifold_pg.examples.shop import traffic
from tests.conftest import WRITER, Connection

# Rows, and the changes of their status, as they are told from the tables alone.
STATES = {
    "shop.note": "SELECT count(*) FROM shop.note",
    "shop.purchase": "SELECT count(*) + count(*) FILTER (WHERE status = 'sent') FROM shop.purchase",
    "shop.ticket": "SELECT count(*) + count(*) FILTER (WHERE status = 'solved') FROM shop.ticket",
}
FORBIDDEN = (
    "SELECT count(*) FROM cognifold.event",
    "SELECT cognifold.remember('a rumour')",
    "SELECT cognifold.unwatch('shop.note')",
    "INSERT INTO cognifold_watch.inbox (tenant_id) VALUES ('shop')",
    "ALTER TABLE shop.note DISABLE TRIGGER ALL",
)


@dataclass
class Played:
    """What there was when the example had been played, before its database went."""

    output: str
    states: dict[str, int]
    events: list[dict[str, Any]]
    intents: list[dict[str, Any]]
    told: list[str]
    broken: list[object]
    app_privileges: int
    allowed: list[str]


@pytest.fixture(scope="module")
def played(admin_dsn: str) -> Played:
    shown = io.StringIO()
    with example.own_database(admin_dsn, keep=False) as dsn:
        example.play_in(dsn, Console(file=shown, width=80, highlight=False))
        with psycopg.connect(dsn, autocommit=True) as admin:
            states = {table: number(admin, query) for table, query in STATES.items()}
            privileges = number(
                admin,
                "SELECT count(*) FROM pg_class AS c "
                "WHERE c.relnamespace IN ('cognifold'::regnamespace, 'cognifold_watch'::regnamespace) "
                "AND c.relkind IN ('r', 'v', 'p') "
                "AND has_table_privilege('example_shop_app', c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')",
            )
        with Memory(example.as_role(dsn, example.MANAGER), tenant=example.TENANT, learn=False) as memory:
            memory.clock = traffic.FIRST.replace(month=6, day=1)
            events = memory.rows("SELECT source, content, occurred_at FROM cognifold.event")
            intents = memory.rows(
                "SELECT i.title, i.status, i.deadline, array_agg(e.content ORDER BY e.occurred_at) AS evidence "
                "FROM cognifold.intent AS i JOIN cognifold.edge AS g ON g.target_id = i.id AND g.type = 'grounds' "
                "JOIN cognifold.event AS e ON e.id = g.source_id GROUP BY i.id, i.title, i.status, i.deadline"
            )
            memory.create_consumer("a test", from_start=True)
            told = [f"{said.kind}: {said.payload['title']}" for said in memory.consume("a test", once=True)]
            broken: list[object] = list(memory.check())
        allowed = [statement for statement in FORBIDDEN if is_allowed(dsn, statement)]
    return Played(shown.getvalue(), states, events, intents, told, broken, privileges, allowed)


def number(connection: Connection, query: str) -> int:
    row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return int(row[0])


def is_allowed(dsn: str, statement: str) -> bool:
    with psycopg.connect(example.as_role(dsn, example.APP)) as clerk:
        try:
            clerk.execute(statement.encode())
        except psycopg.Error:
            return False
    return True


def remains(admin: Connection) -> int:
    """Databases and roles of the example on the server."""
    return number(
        admin,
        "SELECT (SELECT count(*) FROM pg_database WHERE datname = 'cognifold_example')"
        " + (SELECT count(*) FROM pg_roles WHERE rolname LIKE 'example\\_shop\\_%')",
    )


def intent(played: Played, word: str) -> dict[str, Any]:
    """The one intent all of whose evidence has to do with this word."""
    [found] = [wish for wish in played.intents if word in wish["title"].lower()]
    assert all(word in content.lower() for content in found["evidence"]), found
    return found


def test_each_row_and_each_change_of_status_is_one_event(played: Played) -> None:
    sources = [event["source"] for event in played.events]
    assert {table: sources.count(table) for table in STATES} == played.states
    assert len(sources) == len(traffic.traffic())
    assert played.broken == []


def test_an_event_happened_when_its_row_says(played: Played) -> None:
    assert sorted(event["occurred_at"] for event in played.events) == [s.at for s in traffic.traffic()]


def test_the_part_that_keeps_failing_is_wanted_and_still_open(played: Played) -> None:
    assert intent(played, "pump")["status"] == "pending"


def test_the_promise_is_wanted_by_its_date_and_expires_when_nobody_keeps_it(played: Played) -> None:
    promise = intent(played, "boiler")
    assert promise["status"] == "expired"
    assert promise["deadline"].astimezone(traffic.ZONE).date() == date(2026, 5, 15)


def test_the_customer_who_waits_is_wanted_until_the_parcel_is_there(played: Played) -> None:
    assert intent(played, "corvo")["status"] == "resolved"


def test_nothing_else_is_wanted_and_the_consumer_hears_all_of_it_once(played: Played) -> None:
    assert len(played.intents) == 3
    kinds = sorted(said.partition(":")[0] for said in played.told)
    assert kinds == ["emitted", "emitted", "emitted", "expired", "resolved"]
    for said in played.told:
        kind, _, title = said.partition(": ")
        assert f"told: {kind:<9} {title}"[:50] in played.output


def test_the_application_has_no_right_in_the_memory(played: Played) -> None:
    assert played.app_privileges == 0
    assert played.allowed == []


def test_what_is_printed_fits_two_screens(played: Played) -> None:
    lines = played.output.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 80


def test_nothing_remains_on_the_server(played: Played, admin: Connection) -> None:
    assert remains(admin) == 0


def test_the_same_seed_makes_the_same_rows_and_another_seed_the_same_stories() -> None:
    def stories(seed: int) -> set[str]:
        return {s.values["body"] for s in traffic.traffic(seed) if s.sql == traffic.NOTE}

    assert traffic.traffic(7) == traffic.traffic(7) != traffic.traffic(8)
    assert stories(7) == stories(8)


# ------------------------------------------------------------------------------------------------ the command


@pytest.fixture
def command(admin_dsn: str, admin: Connection, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """``cognifold example`` of three days; nothing of it is left afterwards."""

    def run_command(*arguments: str, dsn: str = admin_dsn) -> str:
        result = CliRunner().invoke(app, ["example", "--dsn", dsn, *arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.stdout

    everything = traffic.traffic
    monkeypatch.setattr(traffic, "DAYS", 3)
    monkeypatch.setattr(example, "traffic", lambda seed: [s for s in everything(seed) if s.at.day <= 6])
    yield run_command
    admin.execute("DROP DATABASE IF EXISTS cognifold_example WITH (FORCE)")
    for role in example.ROLES:
        admin.execute(f"DROP ROLE IF EXISTS {role}".encode())


def test_what_is_kept_can_be_looked_at_and_is_replaced_by_the_next_run(
    command: Callable[..., str], admin: Connection, admin_dsn: str
) -> None:
    assert "cognifold_example" in command("--keep")
    assert remains(admin) == 5
    with psycopg.connect(make_conninfo(admin_dsn, dbname="cognifold_example")) as kept:
        assert number(kept, "SELECT count(*) FROM shop.ticket") > 0
    assert "gone again" in command()
    assert remains(admin) == 0


def test_a_database_of_that_name_that_is_somebody_elses_is_left_alone(
    command: Callable[..., str], admin: Connection
) -> None:
    admin.execute("CREATE DATABASE cognifold_example")
    with pytest.raises(CognifoldError, match="left alone"):
        command()
    assert remains(admin) == 1


def test_a_role_that_may_not_make_a_database_is_told_so(command: Callable[..., str], dsn: str) -> None:
    with pytest.raises(CognifoldError, match="superuser"):
        command(dsn=make_conninfo(dsn, user=WRITER))
