"""Whether this program and the schema in the database go together: asked once, told plainly.

The schema knows its own version and how old a program it takes (``cognifold.require_client``); this program knows how
old a schema it takes (:mod:`cognifold_pg.version`). Workers ask before each look for work, so that one that runs while
the schema is upgraded under it notices; the client asks with its first call on each connection.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import psycopg
from psycopg.rows import tuple_row

from cognifold_pg.errors import IncompatibleVersionError, from_sqlstate, told
from cognifold_pg.sqlfiles import repeatable_files, versioned_names
from cognifold_pg.version import OLDEST_SCHEMA, VERSION, numbers

# What a call fails with whose function, table or column the schema does not have yet.
MISSING = (psycopg.errors.UndefinedFunction, psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn)


def meet(connection: psycopg.Connection[Any], version: str = VERSION) -> str:
    """The schema's version; raises :class:`IncompatibleVersionError` where the two do not go together.

    ``connection`` is in autocommit mode, or within a transaction that is given up then.
    """
    try:
        with connection.cursor(row_factory=tuple_row) as cursor:
            row = cursor.execute("SELECT cognifold.require_client(%s)", [version], prepare=False).fetchone()
    except MISSING as error:
        if (behind := outdated(connection)) is not None:
            raise behind from error
        raise
    except psycopg.Error as error:
        if error.sqlstate != IncompatibleVersionError.sqlstate:
            raise
        raise from_sqlstate(error.sqlstate, told(error)) from error
    assert row is not None
    check_schema(connection, row[0])
    return str(row[0])


def check_schema(connection: psycopg.Connection[Any], schema: str) -> None:
    """Raise :class:`IncompatibleVersionError` where the schema's version is too old for this program."""
    if numbers(schema) < numbers(OLDEST_SCHEMA):
        raise _too_old(schema, lacking(connection))


def outdated(connection: psycopg.Connection[Any]) -> IncompatibleVersionError | None:
    """What to say of a call that failed because something is missing; None where the schema lacks no file of ours."""
    with suppress(psycopg.Error), connection.transaction():
        if not (missing := lacking(connection)):
            return None
        with connection.cursor(row_factory=tuple_row) as cursor:
            row = cursor.execute(
                "SELECT version FROM cognifold.schema_migration ORDER BY applied_at DESC, version DESC LIMIT 1"
            ).fetchone()
        return _too_old(row[0] if row else "unknown", missing)
    return None


def lacking(connection: psycopg.Connection[Any]) -> list[str]:
    """Names of the SQL files that this program brings and the schema has never had."""
    with connection.cursor(row_factory=tuple_row) as cursor:
        known = {name for (name,) in cursor.execute("SELECT name FROM cognifold.schema_migration")}
    ours = [*versioned_names(), *(name for name, _ in repeatable_files())]
    return [name for name in ours if name not in known]


def _too_old(schema: str, missing: list[str]) -> IncompatibleVersionError:
    shown = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more files" if len(missing) > 3 else "")
    lacks = f"; it lacks {shown}" if missing else ""
    return IncompatibleVersionError(
        f"The schema in this database is of version {schema}, too old for cognifold-pg {VERSION}{lacks}. Run, "
        "as whoever installed it: cognifold upgrade"
    )
