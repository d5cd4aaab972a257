"""The database a command works in, with the memory's schema in it."""

from __future__ import annotations

import psycopg

from cognifold_pg.connect import resolve_dsn
from cognifold_pg.errors import CognifoldError
from cognifold_pg.install import install


def ready_dsn(dsn: str | None) -> str:
    """The database that is meant (see :func:`resolve_dsn`), installed first where the schema is missing.

    A schema that is there is left as it is: upgrading a database is ``cognifold init``'s work. Raises
    CognifoldError where there is no database to connect to, or it cannot take the schema.
    """
    resolved = resolve_dsn(dsn)
    try:
        with psycopg.connect(resolved, autocommit=True) as connection:
            row = connection.execute("SELECT to_regclass('cognifold.schema_migration') IS NOT NULL").fetchone()
    except psycopg.OperationalError as error:
        raise CognifoldError(f"Cannot connect to the database that --dsn or COGNIFOLD_DSN names: {error}") from error
    if row is None or not row[0]:
        install(resolved)
    return resolved
