"""A fold that fails: its reason stays, it is tried again, given up, and folds after retry once the cause is gone."""

from __future__ import annotations

from collections.abc import Callable

from cognifold_pg.client import Memory
from tests.conftest import Connection
from tests.fold.stream import told


def states(memory: Memory) -> list[tuple[str, int | None]]:
    rows = memory.rows("SELECT fold_state, attempts FROM cognifold.event ORDER BY occurred_at")
    return [(row["fold_state"], row["attempts"]) for row in rows]


def break_zone(admin: Connection, tenant: str) -> None:
    """A zone that no function of ours would let in: every deadline of the tenant now fails to be resolved."""
    admin.execute("UPDATE cognifold.tenant SET time_zone = 'Nowhere/Atlantis' WHERE tenant_id = %s", [tenant])


def test_the_reason_stays_and_the_other_events_fold(
    memory: Memory, admin: Connection, connection: Connection, tenant: str
) -> None:
    connection.execute("SELECT cognifold.set_setting('fold.retry_delay', 3600)")
    broken = memory.remember_many(told("The roof leaks", "Frost on the seedlings", "The printer jams")).ids[1]
    admin.execute("DELETE FROM cognifold.node_content WHERE tenant_id = %s AND node_id = %s", [tenant, broken])
    assert [row.outcome for row in memory.fold()] == ["folded", "failed", "folded"]
    waiting = "SELECT node_id, state, attempts, error_state, error FROM cognifold.work WHERE tenant_id = %s"
    ((event, state, attempts, error_state, error),) = admin.execute(waiting, [tenant]).fetchall()
    assert (event, state, attempts) == (broken, "failed", 1)
    assert len(error_state) == 5 and error
    assert memory.fold() == []  # not before the delay has passed
    assert admin.execute("SELECT FROM cognifold.lexical_document WHERE node_id = %s", [broken]).fetchone() is None


def test_it_is_tried_again_given_up_and_folds_after_retry(
    memory: Memory, admin: Connection, connection: Connection, tenant: str
) -> None:
    connection.execute("SELECT cognifold.set_setting('fold.retry_delay', 0), cognifold.set_setting('fold.attempts', 3)")
    break_zone(admin, tenant)
    memory.remember_many(told("File the tax return by Friday"))
    outcomes = [memory.fold(1)[0].outcome for _ in range(3)]
    assert outcomes == ["failed", "failed", "dead"]
    assert memory.fold() == []
    assert states(memory) == [("dead", 3)]
    assert memory.rows("SELECT id FROM cognifold.node WHERE kind <> 'event'") == []

    admin.execute("UPDATE cognifold.tenant SET time_zone = 'Europe/Dublin' WHERE tenant_id = %s", [tenant])
    row = connection.execute("SELECT cognifold.retry()").fetchone()
    assert row is not None and row[0] == 1
    assert [row.outcome for row in memory.fold()] == ["folded"]
    assert states(memory) == [("folded", None)]
    assert len(memory.rows("SELECT id FROM cognifold.node WHERE kind = 'time'")) == 1
    assert memory.check() == []


def test_one_tenants_failure_is_not_anothers(
    memory: Memory, admin: Connection, tenant: str, dsn: str, new_tenant: Callable[..., str]
) -> None:
    break_zone(admin, tenant)
    memory.remember_many(told("File the tax return by Friday"))
    with Memory(dsn, tenant=new_tenant()) as other:
        other.remember_many(told("File the tax return by Friday"))
        assert [row.outcome for row in other.fold()] == ["folded"]
    assert [row.outcome for row in memory.fold()] == ["failed"]


def test_events_fold_in_order_of_event_time(memory: Memory) -> None:
    events = told("The roof leaks", "The printer jams", "Frost on the seedlings", "A novel about whaling")
    stored = memory.remember_many([events[2], events[0], events[3], events[1]]).ids
    folded = [row.event_id for row in memory.fold(3)] + [row.event_id for row in memory.fold(3)]
    assert folded == [stored[1], stored[3], stored[0], stored[2]]
