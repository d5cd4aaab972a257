"""Who may see and do what: two tenants, readers, writers, workers."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.workers.delivering import webhooks_due
from tests.conftest import Connection, make_role, value
from tests.delivery.desk import answer, create, drain, kinds, make_intent, take
from tests.graph.plans import START, rows

READER = "test_delivery_reader"
BOUND = "test_delivery_bound"


def test_a_tenants_consumers_and_happenings_are_its_own(
    connect: Callable[..., Connection], new_tenant: Callable[..., str]
) -> None:
    ours, theirs = (connect(new_tenant(), now=START) for _ in range(2))
    assert create(ours) and create(theirs)  # of one name, and two
    intent = make_intent(ours)
    answer(ours, intent, "accept")
    make_intent(theirs, "of theirs")
    assert [row["position"] for row in drain(ours)] == [1, 2]
    [delivery] = take(theirs)
    assert (delivery["position"], delivery["payload"]["title"]) == (1, "of theirs")
    assert kinds(theirs) == ["emitted"]
    for table in (
        "outbox",
        "outbox_head",
        "outbox_consumer",
        "delivery",
        "delivery_lag",
        "dead_deliveries",
        "intent_alarm",
    ):
        tenants = {row["tenant_id"] for row in rows(theirs, f"SELECT tenant_id FROM cognifold.{table}")}
        assert tenants <= {value(theirs, "SELECT cognifold.current_tenant()")}, table
    with pytest.raises(psycopg.Error, match="was given while"):
        theirs.execute(
            "SELECT cognifold.take_deliveries('app', tenant => %s)", [value(ours, "SELECT cognifold.current_tenant()")]
        )
    # The fence of the other's delivery at the same position opens nothing here.
    with pytest.raises(psycopg.Error, match="not under fence"):
        ours.execute("SELECT cognifold.acknowledge('app', ARRAY[1], %s)", [delivery["fence"]])
    theirs.execute("SELECT cognifold.purge_outbox('0')")
    theirs.execute("SELECT cognifold.drop_consumer('app')")
    assert kinds(ours) == ["emitted", "scheduled"]
    assert [row["consumer"] for row in rows(ours, "SELECT consumer FROM cognifold.delivery_lag")] == ["app"]


VERBS = (
    "create_consumer('app')", "drop_consumer('app')", "disable_consumer('app')", "enable_consumer('app')",
    "take_deliveries('app')", "acknowledge('app', ARRAY[1], 1)", "fail_delivery('app', ARRAY[1], 1, 'x')",
    "release_deliveries('app', ARRAY[1], 1)", "redeliver('app')", "purge_outbox()", "note_alarms()",
    "set_webhook('app', 'https://example.com')", "webhook_of('app')", "webhooks_due()",
    "write_outbox('x', '[]')", "write_alarms('x', now())",
)  # fmt: skip


@pytest.fixture
def reader(admin: Connection, connect: Callable[..., Connection], tenant: str, desk: Connection) -> Connection:
    make_role(admin, READER, "cognifold_reader", "cognifold_multitenant")
    return connect(tenant, user=READER)


@pytest.mark.parametrize("call", VERBS)
def test_a_reader_takes_nothing_and_changes_nothing(reader: Connection, call: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        reader.execute(f"SELECT cognifold.{call}".encode())


def test_a_reader_sees_what_happened_and_how_far_consumers_are_and_no_webhook(
    reader: Connection, desk: Connection
) -> None:
    create(desk)
    make_intent(desk)
    assert kinds(reader) == ["emitted"]
    assert [row["waiting"] for row in rows(reader, "SELECT waiting FROM cognifold.delivery_lag")] == [1]
    for role in (reader, desk):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            role.execute("SELECT FROM cognifold.webhook")


@pytest.mark.parametrize(
    "call",
    ["set_webhook('app', 'https://example.com')", "webhook_of('app')", "webhooks_due()", "write_outbox('x', '[]')"],
)
def test_a_writer_neither_sees_nor_sets_where_is_posted(desk: Connection, call: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        desk.execute(f"SELECT cognifold.{call}".encode())


def test_a_worker_bound_to_a_tenant_sees_that_tenants_webhooks_alone(
    admin: Connection,
    admin_dsn: str,
    new_tenant: Callable[..., str],
    connect: Callable[..., Connection],
    worker_dsn: str,
) -> None:
    tenants = [new_tenant(), new_tenant()]
    for tenant in tenants:
        with Memory(admin_dsn, tenant=tenant) as administrator:
            administrator.create_consumer("app")
            administrator.set_webhook("app", "https://example.com/")
        make_intent(connect(tenant, now=START))
    assert set(webhooks_due(worker_dsn)) == {(tenant, "app") for tenant in tenants}
    admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = %s", [BOUND])
    make_role(admin, BOUND, "cognifold_worker")
    admin.execute("SELECT cognifold.bind_role(%s, %s)", [BOUND, tenants[0]])
    bound = make_conninfo(admin_dsn, user=BOUND)
    assert webhooks_due(bound) == [(tenants[0], "app")]
    with (
        psycopg.connect(bound, autocommit=True) as connection,
        pytest.raises(psycopg.Error, match="may not use tenant"),
    ):
        connection.execute("SELECT cognifold.webhook_of('app', %s)", [tenants[1]])
    with psycopg.connect(bound, autocommit=True) as connection:
        found = connection.execute("SELECT url FROM cognifold.webhook_of('app', %s)", [tenants[0]]).fetchall()
        assert found == [("https://example.com/",)]
