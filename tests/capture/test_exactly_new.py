"""Which events of a batch are new: told by what was stored, however many sessions store at the same moment."""

from __future__ import annotations

from collections.abc import Callable

from tests.capture.conftest import at_once, stored
from tests.conftest import Connection

MANY = "SELECT is_new, event_id FROM cognifold.remember_many(%s) ORDER BY position"


def test_of_sessions_that_store_one_key_at_the_same_moment_one_says_it_is_new(
    tenant: str, connect: Callable[..., Connection]
) -> None:
    sessions = [connect(tenant) for _ in range(6)]
    for key in range(20):
        batch = f'[{{"content": "the tap drips", "idempotency_key": "{key}"}}]'
        rows = at_once(6, lambda place, batch=batch: sessions[place].execute(MANY, [batch]).fetchone())  # type: ignore[misc]
        assert sorted(row[0] for row in rows if row is not None) == [False] * 5 + [True]
        assert len({row[1] for row in rows if row is not None}) == 1
    assert stored(sessions[0])["events"] == 20


def test_an_event_that_another_transaction_stored_meanwhile_is_not_new(
    tenant: str, connect: Callable[..., Connection]
) -> None:
    """The first session stores after the second's transaction and statement have begun."""
    first, second = connect(tenant), connect(tenant)
    second.autocommit = False
    second.execute("SELECT 1")
    batch = '[{"content": "a bell rings", "idempotency_key": "bell"}]'
    assert first.execute(MANY, [batch]).fetchall()[0][0] is True
    assert second.execute(MANY, [batch]).fetchall()[0][0] is False
    second.rollback()


def test_an_event_stored_within_a_savepoint_is_new_once(connection: Connection) -> None:
    batch = '[{"content": "one", "idempotency_key": "k"}, {"content": "one again", "idempotency_key": "k"}]'
    with connection.transaction():
        with connection.transaction():
            assert [row[0] for row in connection.execute(MANY, [batch])] == [True, False]
        assert [row[0] for row in connection.execute(MANY, [batch])] == [False, False]


def test_a_repeat_in_another_time_zone_of_the_session_is_one_event(connection: Connection) -> None:
    batch = (
        '[{"content": "a walk", "occurred_at": "2026-05-04T09:00:00+02:00", "ended_at": "2026-05-04T10:00:00+02:00"}]'
    )
    assert connection.execute(MANY, [batch]).fetchall()[0][0] is True
    connection.execute("SET TimeZone = 'Asia/Kathmandu'")
    assert connection.execute(MANY, [batch]).fetchall()[0][0] is False
