"""The client within the caller's own transaction: psycopg's or SQLAlchemy's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
import sqlalchemy
from psycopg.rows import dict_row
from sqlalchemy import orm

from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidValueError, UnknownTenantError
from cognifold_pg.experience import Experience
from tests.conftest import Connection, at, value

TENANT = "SELECT current_setting('cognifold.tenant', true)"


@pytest.fixture
def caller(dsn: str) -> Iterator[Connection]:
    """A connection as an application has one: a transaction begins with its first statement."""
    with psycopg.connect(dsn) as connection:
        yield connection


@pytest.fixture
def engine(dsn: str) -> Iterator[sqlalchemy.Engine]:
    engine = sqlalchemy.create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn))
    yield engine
    engine.dispose()


def contents(memory: Memory) -> list[str]:
    """What others see of the memory."""
    return [row["content"] for row in memory.rows("SELECT content FROM cognifold.event ORDER BY recorded_at")]


# -------------------------------------------------------------------------------------------------- SQLAlchemy


def test_a_remember_in_a_session_that_is_rolled_back_leaves_nothing(engine: sqlalchemy.Engine, memory: Memory) -> None:
    with orm.Session(engine) as session:
        joined = Memory.joined(session, tenant=memory.tenant)
        joined.remember("the kiln was fired")
        assert contents(joined) == ["the kiln was fired"]
        session.rollback()
        assert contents(joined) == []
    assert contents(memory) == []


def test_a_remember_is_committed_with_the_sessions_own_rows(engine: sqlalchemy.Engine, memory: Memory) -> None:
    with orm.Session(engine) as session:
        joined = Memory.joined(session, tenant=memory.tenant)
        session.execute(sqlalchemy.text("CREATE TEMPORARY TABLE firing (note text)"))
        session.execute(sqlalchemy.text("INSERT INTO firing VALUES ('cone 6')"))
        joined.remember("the kiln was fired")
        assert contents(memory) == []
        session.commit()
        assert session.execute(sqlalchemy.text("SELECT note FROM firing")).scalars().all() == ["cone 6"]
        assert contents(memory) == ["the kiln was fired"]
        joined.remember("the kiln cooled")  # the session's next transaction
        session.commit()
    assert contents(memory) == ["the kiln was fired", "the kiln cooled"]


def test_a_nested_transaction_of_the_session_takes_back_its_part(engine: sqlalchemy.Engine, memory: Memory) -> None:
    with orm.Session(engine) as session, session.begin():
        joined = Memory.joined(session, tenant=memory.tenant)
        joined.remember("kept")
        with session.begin_nested() as nested:
            joined.remember("taken back")
            nested.rollback()
        joined.remember("kept too")
    assert contents(memory) == ["kept", "kept too"]


def test_a_scoped_session_and_a_connection_can_be_joined(engine: sqlalchemy.Engine, memory: Memory) -> None:
    scoped = orm.scoped_session(orm.sessionmaker(engine))
    Memory.joined(scoped, tenant=memory.tenant).remember("by the session")
    scoped.commit()
    scoped.remove()
    with engine.connect() as connection:
        joined = Memory.joined(connection, tenant=memory.tenant)
        joined.remember("by the connection")
        connection.commit()
        joined.remember("never")
    with engine.connect() as connection:
        Memory.joined(connection, tenant=memory.tenant).remember("never either")
        connection.rollback()
    assert contents(memory) == ["by the session", "by the connection"]


def test_every_verb_works_in_a_session(engine: sqlalchemy.Engine, memory: Memory) -> None:
    with orm.Session(engine) as session:
        joined = Memory.joined(session, tenant=memory.tenant)
        events = [joined.remember(f"Backup failed, disk full on db-{n}", payload={"n": n}) for n in (1, 2)]
        assert joined.propose(events[0])["operations"] is not None
        assert joined.fold_all() == 2
        assert joined.recall("which disk is full?", kinds=["event"])[0].node_id in events
        [concept] = [row for row in joined.context_window() if row.kind == "concept"]
        assert {row.id for row in joined.explain(concept.node_id)[1:]} == set(events)
        assert joined.rows("SELECT payload FROM cognifold.event ORDER BY title")[0]["payload"] == {"n": 1}
        assert joined.stats().events == 2
        assert joined.check() == []
        session.rollback()
    assert memory.stats().events == 0


def test_what_can_not_be_joined_is_said(dsn: str) -> None:
    with (
        sqlalchemy.create_engine("sqlite://").connect() as other,
        pytest.raises(TypeError, match=r"postgresql\+psycopg"),
    ):
        Memory.joined(other, tenant="t").recall("x")
    unfit: Any = "postgresql://somewhere"
    with pytest.raises(TypeError, match="str is no connection"):
        Memory.joined(unfit, tenant="t")


# -------------------------------------------------------------------------------------------------- psycopg


def test_the_callers_transaction_decides(caller: Connection, memory: Memory) -> None:
    joined = Memory.joined(caller, tenant=memory.tenant)
    joined.remember("never happened")
    caller.rollback()
    joined.remember("happened")
    assert contents(memory) == []
    caller.commit()
    assert contents(memory) == ["happened"]


def test_joining_opens_a_transaction_and_does_not_end_it(caller: Connection, memory: Memory) -> None:
    Memory.joined(caller, tenant=memory.tenant).recall("anything")
    assert caller.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS


def test_a_connection_in_autocommit_mode_commits_each_call(connect: Callable[..., Connection], memory: Memory) -> None:
    connection = connect()
    Memory.joined(connection, tenant=memory.tenant).remember("at once")
    assert contents(memory) == ["at once"]
    with connection.transaction(force_rollback=True):
        Memory.joined(connection, tenant=memory.tenant).remember("not at all")
    assert contents(memory) == ["at once"]


@pytest.mark.parametrize("scope", ["SET cognifold.tenant = 'mine'", "SET LOCAL cognifold.tenant = 'mine'"])
def test_the_callers_tenant_is_set_again_afterwards(caller: Connection, memory: Memory, scope: str) -> None:
    caller.execute(scope.encode())
    joined = Memory.joined(caller, tenant=memory.tenant)
    joined.remember("the kiln was fired")
    assert value(caller, TENANT) == "mine"
    with pytest.raises(InvalidValueError):
        joined.recall(" ")
    assert value(caller, TENANT) == "mine"


def test_where_no_tenant_was_set_none_is(caller: Connection, memory: Memory) -> None:
    Memory.joined(caller, tenant=memory.tenant).remember("the kiln was fired")
    assert value(caller, "SELECT cognifold.current_tenant()") is None


def test_an_error_takes_back_its_own_call_and_no_more(caller: Connection, memory: Memory) -> None:
    joined = Memory.joined(caller, tenant=memory.tenant)
    joined.remember("before")
    with pytest.raises(InvalidValueError, match=r"event 1: .*emotional_weight"):
        joined.remember_many([Experience("good"), Experience("bad", emotional_weight=2)])
    with pytest.raises(UnknownTenantError):
        Memory.joined(caller, tenant="nobody").remember("lost")
    joined.remember("after")
    caller.commit()
    assert contents(memory) == ["before", "after"]


def test_the_connections_own_clock_holds_unless_another_is_given(caller: Connection, memory: Memory) -> None:
    caller.execute("SET cognifold.now = '2026-03-02T09:00:00+00:00'")
    Memory.joined(caller, tenant=memory.tenant).remember("first")
    Memory.joined(caller, tenant=memory.tenant, clock=at("2026-03-05T09:00:00+00:00")).remember("second")
    assert value(caller, "SELECT cognifold.now()") == at("2026-03-02T09:00:00+00:00")
    caller.commit()
    times = memory.rows("SELECT content, occurred_at FROM cognifold.event")
    assert {row["content"]: row["occurred_at"].day for row in times} == {"first": 2, "second": 5}


def test_what_the_caller_set_up_on_the_connection_does_not_matter(dsn: str, memory: Memory) -> None:
    with psycopg.connect(dsn, row_factory=dict_row, cursor_factory=psycopg.ClientCursor) as connection:
        connection.prepare_threshold = 0
        joined = Memory.joined(connection, tenant=memory.tenant)
        event = joined.remember("in the beginning")
        joined.fold()
        assert joined.recall("beginning")[0].node_id == event
        assert connection.execute("SELECT 1 AS one").fetchone() == {"one": 1}
        prepared = connection.execute("SELECT statement FROM pg_prepared_statements").fetchall()
        assert not [row for row in prepared if "recall" in row["statement"]]


def test_closing_a_joined_memory_leaves_the_connection_open(caller: Connection, memory: Memory) -> None:
    with Memory.joined(caller, tenant=memory.tenant) as joined:
        joined.remember("the kiln was fired")
    assert not caller.closed
    caller.rollback()
    assert contents(memory) == []
