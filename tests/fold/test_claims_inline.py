"""Folding within the caller's own open transaction: row and memory commit together, or not at all."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import sqlalchemy
from sqlalchemy import orm

from cognifold_pg.client import Memory
from cognifold_pg.errors import InlineFoldWarning, InvalidValueError
from cognifold_pg.planner import LanguagePlanner
from tests.conftest import Connection, value
from tests.fold.stream import states
from tests.planner.server import Answer, Asked, ModelServer, fails, hangs, one_concept


@pytest.fixture
def caller(dsn: str) -> Iterator[Connection]:
    """The application's connection, with transactions of its own."""
    with psycopg.connect(dsn) as connection:
        yield connection


@pytest.fixture
def planner(server: ModelServer) -> LanguagePlanner:
    return LanguagePlanner("scripted", base_url=server.base_url, retries=0, timeout=30)


def proposers(memory: Memory) -> list[str]:
    return [row["proposer"] for row in memory.rows("SELECT proposer FROM cognifold.plan ORDER BY version")]


@pytest.mark.parametrize("end", ["commit", "rollback"])
def test_the_sql_fold_commits_or_rolls_back_with_the_caller(caller: Connection, memory: Memory, end: str) -> None:
    joined = Memory.joined(caller, tenant=memory.tenant)
    event = joined.remember("The roof leaks")
    folded = memory.fold(connection=caller)
    assert [(row.event_id, row.outcome) for row in folded] == [(event, "folded")]
    assert memory.rows("SELECT FROM cognifold.event") == []
    getattr(caller, end)()
    assert states(memory) == (["folded"] if end == "commit" else [])
    assert memory.check() == []


@pytest.mark.parametrize("end", ["commit", "rollback"])
def test_it_does_so_in_a_session_of_sqlalchemy(dsn: str, memory: Memory, end: str) -> None:
    memory.remember("The roof leaks")
    engine = sqlalchemy.create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn))
    with orm.Session(engine) as session:
        assert [row.outcome for row in memory.fold(connection=session)] == ["folded"]
        getattr(session, end)()
    engine.dispose()
    assert states(memory) == (["folded"] if end == "commit" else ["pending"])


def test_a_model_is_not_called_within_an_open_transaction_unless_asked_for(
    caller: Connection, memory: Memory, server: ModelServer, planner: LanguagePlanner
) -> None:
    memory.remember("The roof leaks")
    joined = Memory.joined(caller, tenant=memory.tenant)
    with pytest.raises(InvalidValueError, match=r"keep your transaction open .* inline=True"):
        memory.fold(planner=planner, connection=caller)
    with pytest.raises(InvalidValueError, match=r"keep your transaction open .* inline=True"):
        joined.fold(planner=planner)
    with pytest.raises(InvalidValueError, match="inline = True is for a planner within your own transaction"):
        memory.fold(planner=planner, inline=True)
    with pytest.raises(InvalidValueError, match="inline = True is for a planner within your own transaction"):
        memory.fold(connection=caller, inline=True)
    assert server.requests == []
    assert states(memory) == ["pending"]


@pytest.mark.parametrize("end", ["commit", "rollback"])
def test_inline_commits_or_rolls_back_with_the_caller_and_warns(
    caller: Connection, memory: Memory, planner: LanguagePlanner, end: str
) -> None:
    Memory.joined(caller, tenant=memory.tenant).remember("The roof leaks")
    with pytest.warns(InlineFoldWarning, match="keeps your transaction open while a model thinks, up to 10 s"):
        folded = memory.fold(planner=planner, connection=caller, inline=True)
    assert [(row.outcome, row.proposer) for row in folded] == [("folded", "llm")]
    assert memory.rows("SELECT FROM cognifold.event") == []
    getattr(caller, end)()
    assert states(memory) == (["folded"] if end == "commit" else [])
    assert proposers(memory) == (["llm"] if end == "commit" else [])
    assert memory.check() == []


def test_inline_keeps_the_callers_transaction_open_and_others_away_from_the_event(
    caller: Connection, memory: Memory, server: ModelServer, planner: LanguagePlanner, admin: Connection
) -> None:
    """What the warning says: seen from outside while the model thinks."""
    memory.remember("The roof leaks")
    seen: list[Any] = []

    def looks(asked: Asked) -> Answer:
        seen.append(value(admin, "SELECT state FROM pg_stat_activity WHERE pid = %s", caller.info.backend_pid))
        seen.append(memory.claim_folds(5))
        seen.append(memory.fold(5))
        return one_concept(asked)

    server.will(looks)
    with pytest.warns(InlineFoldWarning):
        memory.fold(planner=planner, connection=caller, inline=True)
    assert seen == ["idle in transaction", [], []]
    caller.commit()
    assert states(memory) == ["folded"]


def test_inline_waits_a_short_while_only_and_the_transaction_goes_on(
    caller: Connection, memory: Memory, server: ModelServer, planner: LanguagePlanner, connection: Connection
) -> None:
    value(connection, "SELECT cognifold.set_setting('fold.inline_timeout', 0.2)")
    joined = Memory.joined(caller, tenant=memory.tenant)
    joined.remember("The roof leaks")
    server.otherwise = hangs()
    with pytest.warns(InlineFoldWarning, match=r"0\.2 s"):
        [row] = joined.fold(planner=planner, inline=True)
    assert (row.outcome, row.error_state) == ("failed", "ModelUnreachable")
    assert "fold.inline_timeout" in str(row.error)
    joined.remember("And the printer jams")
    caller.commit()
    assert states(memory) == ["failed", "pending"]


def test_what_fails_inline_takes_nothing_of_the_callers_with_it(
    caller: Connection,
    memory: Memory,
    server: ModelServer,
    planner: LanguagePlanner,
) -> None:
    server.otherwise = fails(500)
    joined = Memory.joined(caller, tenant=memory.tenant)
    joined.remember("The roof leaks")
    with pytest.warns(InlineFoldWarning):
        assert [row.outcome for row in joined.fold(planner=planner, inline=True)] == ["failed"]
    caller.commit()
    shown = memory.rows("SELECT state, attempts, error_state FROM cognifold.fold_queue")
    assert shown == [{"state": "failed", "attempts": 1, "error_state": "ModelUnreachable"}]


def test_without_a_model_nobody_is_warned(caller: Connection, memory: Memory) -> None:
    memory.remember("The roof leaks")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        memory.fold(connection=caller)
    caller.commit()
    assert states(memory) == ["folded"]
