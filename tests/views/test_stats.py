"""The numbers of a tenant's memory, and who may see them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import psycopg
import pytest

from tests.conftest import Connection, at, make_role, value
from tests.graph.plans import START, add_node, apply, fold, make_concept, move_clock, remember, rows

MONITOR, BOUND = "test_monitor", "test_bound_monitor"


@pytest.fixture
def monitor(admin: Connection, connect: Callable[..., Connection]) -> Connection:
    """A role that is nothing but a monitor, with no tenant set."""
    make_role(admin, MONITOR, "cognifold_monitor")
    return connect(user=MONITOR)


def test_stats_count_the_memory_and_its_work(
    connect: Callable[..., Connection], tenant: str, admin: Connection
) -> None:
    connection = connect(tenant, now=START)
    events = [remember(connection, text) for text in ("Swam two kilometres", "The bicycle squeaks", "Frost at night")]
    fold(connection)
    before = rows(connection, "SELECT * FROM cognifold.stats")[0]
    make_concept(connection, "Swimming", events[0])
    moment = add_node("time", "Friday", occurred_at="2026-03-06T00:00:00+00:00")
    apply(connection, add_node("intent", "Oil the chain", events[1]), moment)
    for text in ("one", "two", "three"):
        remember(connection, text)
    admin.execute("UPDATE cognifold.work SET state = 'failed' WHERE tenant_id = %s AND node_id = %s",
                  [tenant, remember(connection, "four")])  # fmt: skip
    admin.execute("UPDATE cognifold.work SET state = 'dead' WHERE tenant_id = %s AND node_id = %s",
                  [tenant, remember(connection, "five")])  # fmt: skip
    [after] = rows(connection, "SELECT * FROM cognifold.stats")
    assert (before["events"], after["events"]) == (3, 8)
    assert [after[name] - before[name] for name in ("concepts", "intents", "times")] == [1, 1, 1]
    assert after["edges_live"] - before["edges_live"] == 2
    assert [after[name] for name in ("folds_pending", "folds_failed", "folds_dead")] == [3, 1, 1]
    assert after["last_fold"] == before["last_fold"] < after["oldest_pending"] < after["last_event"]
    assert after["embedding_model"] == "lexicon" and after["last_consolidation"] is None
    # 0.9 exp(-.005 h) falls below .1 after 440 hours.
    move_clock(connection, (at(START) + timedelta(hours=440)).isoformat())
    [later] = rows(connection, "SELECT * FROM cognifold.stats")
    assert later["edges_faded"] >= 2
    assert later["edges_faded"] + later["edges_live"] == after["edges_faded"] + after["edges_live"]


def test_without_a_tenant_no_numbers_are_shown(connect: Callable[..., Connection], tenant: str) -> None:
    connection = connect()
    assert rows(connection, "SELECT * FROM cognifold.stats") == []
    assert value(connect(tenant), "SELECT tenant_id FROM cognifold.stats") == tenant


def test_a_monitor_sees_every_tenants_numbers_and_no_content(
    monitor: Connection, connect: Callable[..., Connection], new_tenant: Callable[..., str]
) -> None:
    tenants = {new_tenant(), new_tenant()}
    for tenant in tenants:
        remember(connect(tenant), "waits to be folded")
    assert tenants <= {row["tenant_id"] for row in rows(monitor, "SELECT * FROM cognifold.stats")}
    assert rows(monitor, "SELECT tenant_id, state, attempts, error_state FROM cognifold.work") != []
    assert monitor.execute("SELECT current_setting('cognifold.tenant', true)").fetchone() in [(None,), ("",)]
    for relation in ("node", "node_content", "event", "concept", "tenant", "plan"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            monitor.execute(f"SELECT * FROM cognifold.{relation}".encode())
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        monitor.execute("SELECT * FROM cognifold.all_tenants()")


def test_a_bound_role_sees_the_numbers_of_its_own_tenant_even_as_a_monitor(
    admin: Connection, connect: Callable[..., Connection], new_tenant: Callable[..., str]
) -> None:
    own, other = new_tenant(), new_tenant()
    for tenant in (own, other):
        remember(connect(tenant), "waits to be folded")
    make_role(admin, BOUND, "cognifold_reader", "cognifold_monitor")
    admin.execute("SELECT cognifold.bind_role(%s, %s)", [BOUND, own])
    try:
        assert value(connect(own, user=BOUND), "SELECT tenant_id FROM cognifold.stats") == own
        assert rows(connect(other, user=BOUND), "SELECT * FROM cognifold.stats") == []
        assert rows(connect(user=BOUND), "SELECT * FROM cognifold.stats") == []
        # It is a reader, who sees whole rows: those of others' queues would tell why a fold failed.
        assert rows(connect(own, user=BOUND), "SELECT tenant_id FROM cognifold.work") == [{"tenant_id": own}]
        assert rows(connect(other, user=BOUND), "SELECT tenant_id FROM cognifold.work") == []
    finally:
        admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = %s", [BOUND])
