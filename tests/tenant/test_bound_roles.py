"""A role bound to one tenant reaches no other, whatever it sets; a role with no right at all reaches none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from uuid import UUID

import psycopg
import pytest

from tests.conftest import Connection, value
from tests.tenant.conftest import refusal, set_tenant, visible
from tests.tenant.verbs import call, verbs

BOUND = "test_bound"  # to one tenant; a member of everything that could let it out
GROUP = "test_group"  # multitenant, bound to nothing; BOUND is a member of it


@dataclass(frozen=True)
class Bound:
    """A session of the bound role, the tenant it may reach, one it may not, and an event of that one."""

    connection: Connection
    own: str
    foreign: str
    event: UUID


@pytest.fixture
def bound(
    admin: Connection,
    role: Callable[..., str],
    lively: str,
    lively_too: str,
    new_event: Callable[[str], UUID],
    connect: Callable[..., Connection],
) -> Bound:
    role(GROUP, "cognifold_writer", "cognifold_multitenant")
    role(BOUND, "cognifold_writer", "cognifold_multitenant", GROUP, bound_to=(lively,))
    return Bound(connect(user=BOUND), lively, lively_too, new_event(lively_too))


def assert_sees_nothing_of_the_foreign_tenant(bound: Bound) -> None:
    counts = visible(bound.connection)
    assert {"node", "node_content", "embedding", "posting", "plan", "event", "concept", "edge"} <= set(counts)
    assert not any(counts.values()), counts
    error = refusal(bound.connection, call("recall"), {})
    assert error.sqlstate == "CF003"


def test_a_bound_role_reaches_its_own_tenant(bound: Bound, admin: Connection) -> None:
    set_tenant(bound.connection, bound.own)
    counts = visible(bound.connection)
    assert counts["event"] == value(
        admin, "SELECT count(*) FROM cognifold.node WHERE tenant_id = %s AND kind = 'event'", bound.own
    )
    assert counts["concept"] > 0
    assert bound.connection.execute(call("recall")).fetchall()
    assert len(bound.connection.execute(call("remember")).fetchall()) == 1
    assert len(bound.connection.execute(call("fold")).fetchall()) == 1
    assert bound.connection.execute(call("check")).fetchall() == []


def test_a_bound_role_that_sets_another_tenant_reads_no_row_of_any_table_or_view(bound: Bound) -> None:
    set_tenant(bound.connection, bound.foreign)
    assert_sees_nothing_of_the_foreign_tenant(bound)


def test_a_tenant_without_binding_still_reads_those_rows(bound: Bound, connect: Callable[..., Connection]) -> None:
    """The check on the test above: there are rows, and a role that may reads them."""
    counts = visible(connect(bound.foreign, user=GROUP))
    assert all(
        counts[name] for name in ("node", "node_content", "embedding", "posting", "plan", "event", "concept", "edge")
    )


def test_every_verb_tells_a_bound_role_that_another_tenant_is_not_permitted(admin: Connection, bound: Bound) -> None:
    for verb in verbs(admin):
        set_tenant(bound.connection, "")
        by_argument = refusal(bound.connection, verb.scoped, {"tenant": bound.foreign})
        set_tenant(bound.connection, bound.foreign)
        by_setting = refusal(bound.connection, verb.bare, {})
        for error in (by_argument, by_setting):
            assert error.sqlstate == "CF003", verb
            assert f'role "{BOUND}" may not use tenant "{bound.foreign}"' in str(error)
            assert "bind_role" in str(error.diag.message_hint)


def test_whether_a_tenant_exists_is_not_told_to_a_role_bound_elsewhere(bound: Bound) -> None:
    set_tenant(bound.connection, "no such tenant")
    assert refusal(bound.connection, call("recall"), {}).sqlstate == "CF003"
    error = refusal(bound.connection, b"SELECT cognifold.create_tenant(%(name)s)", {"name": bound.foreign})
    assert error.sqlstate == "CF003"


@pytest.mark.parametrize(
    "trick",
    [
        f"SET ROLE {GROUP}",
        f"SELECT set_config('role', '{GROUP}', false)",
        "SET ROLE cognifold_multitenant",
        "SET ROLE NONE",
    ],
)
def test_a_bound_login_stays_bound_under_another_role(bound: Bound, trick: str) -> None:
    bound.connection.execute(trick.encode())
    set_tenant(bound.connection, bound.foreign)
    if trick.endswith("cognifold_multitenant"):
        error = refusal(bound.connection, b"SELECT count(*) FROM cognifold.event", {})
        assert isinstance(error, psycopg.errors.InsufficientPrivilege)
    else:
        assert_sees_nothing_of_the_foreign_tenant(bound)


def test_a_bound_login_stays_bound_when_its_sessions_begin_as_another_role(
    admin: Connection, bound: Bound, connect: Callable[..., Connection]
) -> None:
    admin.execute(f"ALTER ROLE {BOUND} SET role = '{GROUP}'".encode())
    connection = connect(bound.foreign, user=BOUND)
    assert value(connection, "SELECT current_user") == GROUP
    assert_sees_nothing_of_the_foreign_tenant(Bound(connection, bound.own, bound.foreign, bound.event))


def test_a_plain_login_that_becomes_a_bound_role_is_bound(
    role: Callable[..., str], bound: Bound, connect: Callable[..., Connection]
) -> None:
    """As behind a gateway that logs in once and does SET ROLE for each of its users."""
    gateway = role("test_gateway", "cognifold_multitenant", BOUND)
    connection = connect(bound.foreign, user=gateway)
    connection.execute(f"SET ROLE {BOUND}".encode())
    assert_sees_nothing_of_the_foreign_tenant(Bound(connection, bound.own, bound.foreign, bound.event))
    set_tenant(connection, bound.own)
    assert visible(connection)["event"] > 0


def test_a_bound_role_may_not_take_another_login(bound: Bound) -> None:
    error = refusal(bound.connection, f"SET SESSION AUTHORIZATION {GROUP}".encode(), {})
    assert isinstance(error, psycopg.errors.InsufficientPrivilege)


@pytest.fixture
def workshop(admin: Connection) -> Iterator[str]:
    """A schema where anyone may make functions."""
    admin.execute("CREATE SCHEMA workshop")
    admin.execute("GRANT ALL ON SCHEMA workshop TO PUBLIC")
    yield "workshop"
    admin.execute("DROP SCHEMA workshop CASCADE")


SPY = """
CREATE FUNCTION workshop.spy(tenant text) RETURNS bigint LANGUAGE plpgsql {}
AS $$ BEGIN
    PERFORM set_config('cognifold.tenant', tenant, true);
    RETURN (SELECT count(*) FROM cognifold.event);
END $$;
CREATE FUNCTION workshop.ask(tenant text) RETURNS bigint LANGUAGE plpgsql {}
AS $$ BEGIN
    RETURN (SELECT count(*) FROM cognifold.recall('kiln', tenant => tenant));
END $$;
"""


@pytest.mark.parametrize(
    ("owner", "clause"),
    [(GROUP, "SECURITY DEFINER"), (BOUND, f"SET role = '{GROUP}'")],
    ids=["another's function", "a function under another role"],
)
def test_a_function_does_not_let_a_bound_role_out(
    workshop: str, bound: Bound, connect: Callable[..., Connection], owner: str, clause: str
) -> None:
    connect(user=owner).execute(SPY.format(clause, clause).encode())
    assert value(bound.connection, "SELECT workshop.spy(%s)", bound.foreign) == 0
    error = refusal(bound.connection, b"SELECT workshop.ask(%(tenant)s)", {"tenant": bound.foreign})
    assert error.sqlstate == "CF003"


def test_a_role_neither_bound_nor_multitenant_gets_nothing(
    admin: Connection, role: Callable[..., str], lively: str, connect: Callable[..., Connection]
) -> None:
    connection = connect(lively, user=role("test_stranger", "cognifold_writer"))
    assert not any(visible(connection).values())
    for verb in verbs(admin):
        error = refusal(connection, verb.bare, {})
        assert error.sqlstate == "CF003", verb
        assert "GRANT cognifold_multitenant" in str(error.diag.message_hint)
    assert refusal(connection, b"SELECT cognifold.create_tenant('mine')", {}).sqlstate == "CF003"


def test_a_role_without_membership_does_not_even_enter_the_schema(
    role: Callable[..., str], lively: str, connect: Callable[..., Connection]
) -> None:
    connection = connect(lively, user=role("test_outsider", "cognifold_multitenant"))
    for query in (b"SELECT FROM cognifold.event", call("recall"), b"SELECT cognifold.now()"):
        assert isinstance(refusal(connection, query, {}), psycopg.errors.InsufficientPrivilege)


def test_a_role_bound_to_two_tenants_reaches_both_and_no_third(
    role: Callable[..., str], new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    one, other, third = new_tenant(), new_tenant(), new_tenant()
    connection = connect(user=role("test_twice", "cognifold_writer", bound_to=(one, other)))
    for tenant in (one, other):
        connection.execute("SELECT cognifold.remember('hello', tenant => %s)", [tenant])
        set_tenant(connection, tenant)
        assert visible(connection)["event"] == 1
        set_tenant(connection, "")
    assert refusal(connection, call("recall", with_tenant=True), {"tenant": third}).sqlstate == "CF003"


def test_only_an_administrator_binds_a_role_and_only_to_what_exists(
    admin: Connection, connection: Connection, tenant: str
) -> None:
    error = refusal(connection, b"SELECT cognifold.bind_role('test_writer', %(t)s)", {"t": tenant})
    assert isinstance(error, psycopg.errors.InsufficientPrivilege)
    assert refusal(admin, b"SELECT cognifold.bind_role('no such role', %(t)s)", {"t": tenant}).sqlstate == "CF010"
    assert refusal(admin, b"SELECT cognifold.bind_role('test_writer', 'no such tenant')", {}).sqlstate == "CF002"


def test_a_worker_sees_who_has_work_and_no_one_else_does(
    role: Callable[..., str], lively_too: str, connection: Connection, connect: Callable[..., Connection]
) -> None:
    worker = connect(user=role("test_worker", "cognifold_worker"))
    waiting = {name: number for name, number, _ in worker.execute("SELECT * FROM cognifold.tenants_with_work()")}
    assert waiting[lively_too] >= 1
    error = refusal(connection, b"SELECT * FROM cognifold.tenants_with_work()", {})
    assert isinstance(error, psycopg.errors.InsufficientPrivilege)


def test_a_monitor_counts_every_tenants_work_and_reads_no_content(
    role: Callable[..., str], lively_too: str, connect: Callable[..., Connection]
) -> None:
    monitor = connect(user=role("test_monitor", "cognifold_monitor"))
    assert value(monitor, "SELECT count(state) FROM cognifold.work WHERE tenant_id = %s", lively_too) >= 1
    for query in (
        b"SELECT FROM cognifold.node_content",
        b"SELECT FROM cognifold.node",
        b"SELECT FROM cognifold.event",
        b"SELECT error FROM cognifold.work",
    ):
        assert isinstance(refusal(monitor, query, {}), psycopg.errors.InsufficientPrivilege), query
