"""Whose memory is meant: none, an unknown one or two at once is an error; a call for one leaves no trace."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import UnknownTenantError
from tests.conftest import Connection, value
from tests.tenant.conftest import refusal, visible
from tests.tenant.verbs import CALLS, COMMITTING, call, verbs


def test_a_verb_without_a_tenant_says_how_to_set_one(admin: Connection, connect: Callable[..., Connection]) -> None:
    connection = connect()
    found = verbs(admin)
    assert {verb.name for verb in found} >= set(CALLS)
    for verb in found:
        error = refusal(connection, verb.bare, {})
        assert error.sqlstate == "CF001", verb
        assert "SET cognifold.tenant" in str(error.diag.message_hint)


@pytest.mark.parametrize("nothing", [None, ""])
def test_a_verb_given_no_tenant_by_name_says_so(
    admin: Connection, connect: Callable[..., Connection], nothing: str | None
) -> None:
    connection = connect()
    for verb in verbs(admin):
        assert refusal(connection, verb.scoped, {"tenant": nothing}).sqlstate == "CF001", verb


def test_an_unknown_tenant_is_an_error_that_names_it(admin: Connection, connect: Callable[..., Connection]) -> None:
    unset, set_wrong = connect(), connect("no such tenant")
    for verb in verbs(admin):
        for error in (
            refusal(unset, verb.scoped, {"tenant": "no such tenant"}),
            refusal(set_wrong, verb.bare, {}),
        ):
            assert error.sqlstate == "CF002", verb
            assert '"no such tenant" does not exist' in str(error)
            assert "create_tenant" in str(error.diag.message_hint)


def test_the_client_says_unknown_tenant_in_its_own_class(dsn: str) -> None:
    with (
        Memory(dsn, tenant="no such tenant") as memory,
        pytest.raises(UnknownTenantError, match="no such tenant"),
    ):
        memory.remember("hello")


def test_a_verb_given_one_tenant_while_another_is_set_is_refused(
    admin: Connection, connection: Connection, tenant: str, new_tenant: Callable[..., str]
) -> None:
    other = new_tenant()
    for verb in verbs(admin):
        error = refusal(connection, verb.scoped, {"tenant": other})
        assert error.sqlstate == "CF004", verb
        assert f'tenant "{other}" was given while "{tenant}" is set' in str(error)


@pytest.mark.parametrize("verb", sorted(CALLS))
def test_a_call_scoped_by_its_argument_leaves_no_trace(
    connect: Callable[..., Connection],
    lively: str,
    new_event: Callable[[str], UUID],
    new_plan: Callable[[str], UUID],
    verb: str,
) -> None:
    parameters = {"event": new_event(lively), "plan": new_plan(lively), "tenant": lively}
    connection = connect()
    connection.execute(call(verb, with_tenant=True), parameters)
    assert value(connection, "SELECT cognifold.current_tenant()") is None
    assert not any(visible(connection).values())
    if verb in COMMITTING:
        return
    with connection.transaction():
        connection.execute(call(verb, with_tenant=True), parameters | {"plan": new_plan(lively)})
        assert value(connection, "SELECT cognifold.current_tenant()") is None
        assert not any(visible(connection).values())
    assert value(connection, "SELECT cognifold.current_tenant()") is None


@pytest.mark.parametrize("verb", sorted(CALLS))
def test_a_call_leaves_the_tenant_that_was_set(
    connect: Callable[..., Connection],
    lively: str,
    new_event: Callable[[str], UUID],
    new_plan: Callable[[str], UUID],
    verb: str,
) -> None:
    connection = connect(lively)
    connection.execute(call(verb), {"event": new_event(lively), "plan": new_plan(lively)})
    assert value(connection, "SELECT cognifold.current_tenant()") == lively


# Each fails after it has entered the tenant.
FAILING = {
    "remember": "SELECT cognifold.remember('', tenant => %(tenant)s)",
    "remember_many": "SELECT cognifold.remember_many('{{}}', %(tenant)s)",
    "fold": "SELECT cognifold.fold(0, %(tenant)s)",
    "propose": "SELECT cognifold.propose(gen_random_uuid(), %(tenant)s)",
    "apply_plan": "SELECT cognifold.apply_plan('[]', %(tenant)s)",
    "recall": "SELECT cognifold.recall('', tenant => %(tenant)s)",
    "explain": "SELECT cognifold.explain(gen_random_uuid(), tenant => %(tenant)s)",
    "set_setting": "SELECT cognifold.set_setting('no such', 1, %(tenant)s)",
    "set_decay": "SELECT cognifold.set_decay('no such', 1, tenant => %(tenant)s)",
    "store_embedding": "SELECT cognifold.store_embedding(gen_random_uuid(), '[1]', 'lexicon', %(tenant)s)",
}


@pytest.mark.parametrize("verb", sorted(FAILING))
def test_a_call_that_fails_leaves_no_trace_either(connect: Callable[..., Connection], tenant: str, verb: str) -> None:
    connection = connect()
    statement = FAILING[verb].replace("{{}}", "{}").encode()
    refusal(connection, statement, {"tenant": tenant})
    assert value(connection, "SELECT cognifold.current_tenant()") is None
    with connection.transaction():
        with pytest.raises(Exception, match=r"[a-z]"), connection.transaction():
            connection.execute(statement, {"tenant": tenant})
        assert value(connection, "SELECT cognifold.current_tenant()") is None


def test_an_error_caught_inside_the_database_leaves_no_trace(connect: Callable[..., Connection], tenant: str) -> None:
    connection = connect()
    with connection.transaction():
        connection.execute("SELECT set_config('test.tenant', %s, true)", [tenant])
        connection.execute(
            """
            DO $$ BEGIN
                PERFORM cognifold.recall('', tenant => current_setting('test.tenant'));
            EXCEPTION WHEN OTHERS THEN
                ASSERT SQLSTATE = 'CF010', SQLERRM;
            END $$
            """
        )
        assert value(connection, "SELECT cognifold.current_tenant()") is None


def test_one_statement_may_ask_two_tenants_by_argument(
    connect: Callable[..., Connection], new_tenant: Callable[..., str]
) -> None:
    one, other = new_tenant(), new_tenant()
    connection = connect()
    connection.execute(
        "SELECT cognifold.remember('tea', tenant => %s), cognifold.remember('coffee', tenant => %s)", [one, other]
    )
    for tenant, content in ((one, "tea"), (other, "coffee")):
        rows = connect(tenant).execute("SELECT content FROM cognifold.event").fetchall()
        assert rows == [(content,)]


def test_creating_a_tenant_keeps_the_one_that_is_set(
    connection: Connection, connect: Callable[..., Connection], tenant: str
) -> None:
    assert value(connection, "SELECT cognifold.create_tenant('made beside another')")
    assert value(connection, "SELECT cognifold.current_tenant()") == tenant
    assert not value(connection, "SELECT cognifold.create_tenant('made beside another')")
    fresh = connect()
    fresh.execute("SELECT cognifold.create_tenant('made beside another')")
    assert value(fresh, "SELECT cognifold.current_tenant()") is None


@pytest.mark.parametrize("name", ["", "x" * 64, "é" * 32, "tab\there", "line\nbreak", None], ids=repr)
def test_a_tenant_that_no_key_can_begin_with_is_refused(connect: Callable[..., Connection], name: str | None) -> None:
    error = refusal(connect(), b"SELECT cognifold.create_tenant(%(name)s)", {"name": name})
    assert error.sqlstate == "CF010"
    assert "63 bytes" in str(error)


@pytest.mark.parametrize("name", ["x" * 63, "é" * 31, "Robert'); DROP TABLE x; --", '"', "%s", " "])
def test_a_tenant_may_have_any_other_name(connect: Callable[..., Connection], name: str) -> None:
    connection = connect()
    assert value(connection, "SELECT cognifold.create_tenant(%s)", name)
    value(connection, "SELECT cognifold.remember('hello', tenant => %s)", name)
    set_rows = connect(name).execute("SELECT tenant_id, content FROM cognifold.event").fetchall()
    assert set_rows == [(name, "hello")]


def test_a_tenant_needs_a_known_time_zone_and_model(connect: Callable[..., Connection]) -> None:
    connection = connect()
    zone = refusal(connection, b"SELECT cognifold.create_tenant('zoned', NULL, 'Europe/Atlantis')", {})
    assert zone.sqlstate == "CF010"
    assert "Europe/Atlantis" in str(zone)
    model = refusal(connection, b"SELECT cognifold.create_tenant('modelled', NULL, 'UTC', 'word-o-tron')", {})
    assert model.sqlstate == "CF012"
    assert "word-o-tron" in str(model)
