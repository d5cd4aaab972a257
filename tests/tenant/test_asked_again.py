"""A tenant that is there may be asked for again by whoever may use it."""

from __future__ import annotations

from collections.abc import Callable

from tests.conftest import Connection, make_role, value


def test_a_bound_role_asking_for_its_own_tenant_is_told_that_it_is_there(
    admin: Connection, connect: Callable[..., Connection], tenant: str
) -> None:
    make_role(admin, "test_asking_again", "cognifold_writer")
    value(admin, "SELECT cognifold.bind_role('test_asking_again', %s)", tenant)
    try:
        bound = connect(user="test_asking_again")
        assert value(bound, "SELECT cognifold.create_tenant(%s)", tenant) is False
        assert value(bound, "SELECT coalesce(cognifold.current_tenant(), 'none')") == "none"
    finally:
        admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = 'test_asking_again'")
