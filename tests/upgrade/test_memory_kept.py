"""A memory that 0.1.0 made goes on after an upgrade as if nothing had been: what it answers, undoes and folds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.install import install
from cognifold_pg.version import VERSION
from tests.conftest import Connection, value
from tests.upgrade import story
from tests.upgrade.conftest import RELEASED, as_app, copy
from tests.upgrade.snapshot import load


@pytest.fixture(scope="module")
def remembering_dsn(server_dsn: str, known: dict[str, Any]) -> str:
    """The snapshot with the lexicon as 0.1.0 loaded it, and then upgraded."""
    dsn = make_conninfo(server_dsn, dbname="cognifold_upgrade_remembering")
    copy(server_dsn, RELEASED, "cognifold_upgrade_remembering")
    with psycopg.connect(dsn) as admin:
        admin.execute("DELETE FROM cognifold.lexicon_release")
    load(dsn)
    assert not install(dsn).lexicon_loaded
    return dsn


@pytest.fixture
def upgraded_app(remembering_dsn: str) -> Iterator[Connection]:
    """The application, at home in the upgraded database."""
    with psycopg.connect(as_app(remembering_dsn), autocommit=True, prepare_threshold=None) as connection:
        yield connection


def enter(connection: Connection, tenant: str) -> None:
    value(connection, "SELECT set_config('cognifold.tenant', %s, false)", tenant)


def test_an_upgraded_database_is_up_to_date_and_in_health(remembering_dsn: str) -> None:
    report = install(remembering_dsn)
    assert (report.applied, report.lexicon_loaded) == ([], False)
    with psycopg.connect(remembering_dsn, autocommit=True) as admin:
        assert admin.execute("SELECT * FROM cognifold.health WHERE NOT ok").fetchall() == []
        assert admin.execute("SELECT * FROM cognifold.drift()").fetchall() == []
        assert value(admin, "SELECT cognifold.schema_version()") == VERSION


def test_every_row_is_there_and_no_invariant_is_broken(upgraded_app: Connection, known: dict[str, Any]) -> None:
    assert story.numbers(upgraded_app) == known["numbers"]
    for tenant in story.QUESTIONS:
        enter(upgraded_app, tenant)
        assert upgraded_app.execute("SELECT * FROM cognifold.check()").fetchall() == []


def test_the_same_questions_bring_the_same_answers(upgraded_app: Connection, known: dict[str, Any]) -> None:
    found = story.answers(upgraded_app)
    for tenant, questions in known["answers"].items():
        for question, rows in questions.items():
            assert [node for node, _ in found[tenant][question]] == [node for node, _ in rows], question
            for (_, now), (_, before) in zip(found[tenant][question], rows, strict=True):
                assert abs(now - before) <= 1e-6, question


def test_a_plan_of_before_is_undone_with_those_that_build_on_it_and_its_rows_are_as_they_were(
    upgraded_app: Connection, known: dict[str, Any]
) -> None:
    enter(upgraded_app, story.ALLOTMENT)
    title = "SELECT title FROM cognifold.concept WHERE id = %s"
    with upgraded_app.transaction(force_rollback=True):
        assert value(upgraded_app, title, known["concept"]) == "The pump is old"
        undone = value(upgraded_app, "SELECT cognifold.undo_plan(%s, cascade => true)", known["undo"])
        assert known["undo"] in undone["undone"]
        assert value(upgraded_app, title, known["concept"]) == known["title_before"]


def test_what_waited_is_folded_and_what_was_claimed_or_dead_can_be(upgraded_app: Connection) -> None:
    """The lease has run out by now; a row that was captured becomes an event and is folded, too."""
    enter(upgraded_app, story.ALLOTMENT)
    value(upgraded_app, "SELECT set_config('cognifold.now', '', false)")
    with upgraded_app.transaction(force_rollback=True):
        assert value(upgraded_app, "SELECT cognifold.retry()") == 1
        outcomes = upgraded_app.execute("SELECT outcome FROM cognifold.fold(100)").fetchall()
        assert [outcome for (outcome,) in outcomes] == ["folded"] * 4
        assert value(upgraded_app, "SELECT count(*) FROM cognifold.fold_queue") == 0
        assert (
            value(
                upgraded_app, "SELECT count(*) FROM cognifold.event WHERE content = 'Ticket 2: The shed has a new lock'"
            )
            == 1
        )
        assert upgraded_app.execute("SELECT * FROM cognifold.check()").fetchall() == []


def test_a_watched_table_a_bound_role_and_a_consumer_are_still_what_they_were(remembering_dsn: str) -> None:
    with psycopg.connect(remembering_dsn, autocommit=True) as admin, admin.transaction(force_rollback=True):
        enter(admin, story.ALLOTMENT)
        admin.execute("INSERT INTO ticket VALUES (3, 'A frog moved into the tank')")
        admin.execute("SELECT * FROM cognifold.fold(100)").fetchall()
        assert value(admin, "SELECT count(*) FROM cognifold.event WHERE content LIKE 'Ticket 3%%'") == 1
        assert (
            value(admin, "SELECT url FROM cognifold.webhook_of('hook', %s)", story.ALLOTMENT)
            == "https://hooks.example.org/memory"
        )
        admin.execute("SET LOCAL SESSION AUTHORIZATION test_upgrade_bound")
        enter(admin, story.DEMO)
        assert value(admin, "SELECT count(*) FROM cognifold.event") == 0
        enter(admin, story.ALLOTMENT)
        assert value(admin, "SELECT count(*) > 0 FROM cognifold.event")
