"""Who may do what is given and taken by profile, and whoever may not is told what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.errors import from_sqlstate
from tests.conftest import Connection, make_role, value


@pytest.fixture
def clerk(admin: Connection) -> Iterator[str]:
    """A role of the application with nothing granted to it."""
    make_role(admin, "govern clerk")
    yield "govern clerk"
    admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = 'govern clerk'")
    admin.execute('DROP OWNED BY "govern clerk"')
    admin.execute('DROP ROLE "govern clerk"')


def refused(connection: Connection, call: str, *parameters: object) -> str:
    """The message and hint of the CF039 that a call raises."""
    with pytest.raises(psycopg.Error) as error:
        connection.execute(call.encode(), parameters)
    assert error.value.sqlstate == "CF039"
    assert from_sqlstate("CF039", "").__class__.__name__ == "GrantError"
    return f"{error.value.diag.message_primary} {error.value.diag.message_hint}"


def test_a_profile_with_a_tenant_is_all_that_a_role_needs_and_given_twice_changes_nothing(
    admin: Connection, connect: Callable[..., Connection], tenant: str, clerk: str
) -> None:
    assert value(admin, "SELECT cognifold.grant_to(%s, 'writer', %s)", clerk, tenant) is True
    assert value(admin, "SELECT cognifold.grant_to(%s, 'writer', %s)", clerk, tenant) is False
    connection = connect(tenant, user=clerk)
    assert value(connection, "SELECT cognifold.remember('The clerk was here')") is not None
    assert admin.execute(
        "SELECT profile, by_way_of, may_grant, tenant_id, clearance FROM cognifold.grants "
        "WHERE role_name = %s ORDER BY 1",
        [clerk],
    ).fetchall() == [
        ("reader", "cognifold_writer", False, tenant, "private"),
        ("writer", None, False, tenant, "private"),
    ]


def test_what_is_taken_is_gone_and_taken_twice_changes_nothing(admin: Connection, tenant: str, clerk: str) -> None:
    admin.execute("SELECT cognifold.grant_to(%s, 'writer', %s)", [clerk, tenant])
    assert value(admin, "SELECT cognifold.revoke_from(%s, 'writer')", clerk) is True
    assert value(admin, "SELECT cognifold.revoke_from(%s, 'writer')", clerk) is False
    assert value(admin, "SELECT pg_has_role(%s, 'cognifold_reader', 'MEMBER')", clerk) is False
    assert value(admin, "SELECT cognifold.revoke_from(%s, 'writer', %s)", clerk, tenant) is True
    assert value(admin, "SELECT count(*) FROM cognifold.tenant_member WHERE role_name = %s", clerk) == 0


def test_a_role_that_may_choose_its_tenant_keeps_its_last_binding(admin: Connection, tenant: str, clerk: str) -> None:
    admin.execute(
        "SELECT cognifold.grant_to(%s, 'reader', %s), cognifold.grant_to(%s, 'multitenant')", [clerk, tenant, clerk]
    )
    told = refused(admin, "SELECT cognifold.revoke_from(%s, 'reader', %s)", clerk, tenant)
    assert "could choose any" in told
    assert "revoke_from('govern clerk', 'multitenant')" in told


def test_an_unknown_profile_or_role_and_the_memorys_own_roles_are_refused_by_name(
    admin: Connection, clerk: str
) -> None:
    assert "no profile 'owner'" in refused(admin, "SELECT cognifold.grant_to(%s, 'owner')", clerk)
    assert "reader, writer, governor, worker, monitor, auditor, multitenant, clock, partial" in refused(
        admin, "SELECT cognifold.revoke_from(%s, 'king')", clerk
    )
    assert 'role "nobody at all" does not exist' in refused(
        admin, "SELECT cognifold.grant_to('nobody at all', 'reader')"
    )
    assert "memory's own" in refused(admin, "SELECT cognifold.grant_to('cognifold_monitor', 'reader')")


def test_an_installer_that_is_no_superuser_may_grant_what_it_has_with_admin_option_and_else_is_told_the_grant(
    admin: Connection, admin_dsn: str, tenant: str, clerk: str
) -> None:
    make_role(admin, "govern_installer", "cognifold_owner")
    admin.execute("GRANT cognifold_reader, cognifold_partial TO govern_installer WITH ADMIN OPTION")
    with psycopg.connect(make_conninfo(admin_dsn, user="govern_installer"), autocommit=True) as installer:
        assert value(installer, "SELECT cognifold.grant_to(%s, 'reader', %s)", clerk, tenant) is True
        told = refused(installer, "SELECT cognifold.grant_to(%s, 'worker')", clerk)
        assert 'role "govern_installer" may not grant cognifold_worker' in told
        assert "GRANT cognifold_worker TO govern_installer WITH ADMIN OPTION" in told
        admin.execute("SELECT cognifold.grant_to(%s, 'monitor')", [clerk])
        assert "granted it: let that role, or a superuser, do it" in refused(
            installer, "SELECT cognifold.revoke_from(%s, 'monitor')", clerk
        )
        assert value(installer, "SELECT cognifold.revoke_from(%s, 'reader')", clerk) is True
        installer.execute("SELECT cognifold.set_clearance(%s, 'public', %s)", [clerk, tenant])
    admin.execute('REVOKE cognifold_partial FROM "govern clerk" GRANTED BY govern_installer')
    admin.execute("DROP ROLE govern_installer")


def test_no_role_of_an_application_may_grant(connect: Callable[..., Connection], tenant: str) -> None:
    for call in (
        "SELECT cognifold.grant_to('test_writer', 'worker')",
        "SELECT cognifold.revoke_from('test_writer', 'writer')",
        "SELECT cognifold.set_clearance('test_writer', 'private')",
        "SELECT * FROM cognifold.grants",
        "SELECT * FROM cognifold.clearance",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connect(tenant).execute(call.encode())
