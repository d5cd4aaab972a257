"""What a role lacks, said as the GRANT that it needs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg

from cognifold_pg.connect import resolve_dsn
from cognifold_pg.errors import CognifoldError, UnknownTenantError


@contextmanager
def told_plainly(dsn: str | None, role: str, tenant: str | None = None) -> Iterator[None]:
    """Within it, rights that are missing are an error that names ``role``, the memory's role with those rights.

    A ``tenant`` that is not there is an error with the command that makes it.
    """
    try:
        yield
    except UnknownTenantError as error:
        if tenant is None:
            raise
        raise UnknownTenantError(
            f'tenant "{tenant}" does not exist. Make it with: cognifold tenant {shlex.quote(tenant)}, '
            "or name another with --tenant."
        ) from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise CognifoldError(
            f"{error.diag.message_primary}: this command needs the rights of {role}. As a superuser, or whoever "
            f"installed the memory: GRANT {role} TO {_user_of(dsn)}"
        ) from error


def _user_of(dsn: str | None) -> str:
    """The role that ``dsn`` connects as, quoted where SQL wants it."""
    with suppress(CognifoldError, psycopg.Error), psycopg.connect(resolve_dsn(dsn)) as connection:
        row = connection.execute("SELECT quote_ident(current_user)").fetchone()
        if row is not None:
            return str(row[0])
    return "that role"
