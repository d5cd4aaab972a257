"""Which database is meant: the one that is named, else the embedded one, which is started."""

from __future__ import annotations

import os

from cognifold_pg.errors import EmbeddedServerError, InvalidValueError

ENVIRONMENT = "COGNIFOLD_DSN"


def resolve_dsn(dsn: str | None = None) -> str:
    """``dsn``, else ``COGNIFOLD_DSN``, else a URI of the embedded server, started if it is down.

    What is named is passed on as it is (a URI or libpq's ``key=value`` words). Raises
    :class:`~cognifold_pg.errors.InvalidValueError` for an empty ``dsn``, and
    :class:`~cognifold_pg.errors.EmbeddedServerError` when it comes to the embedded server and that can't
    start.
    """
    if dsn is not None and not dsn.strip():
        # Most likely a variable of a script that is not set: to go on with another database would be a surprise.
        raise InvalidValueError("The DSN given (--dsn) is empty. Name a database, or leave it out.")
    named = dsn or os.environ.get(ENVIRONMENT)
    if named:
        return named
    try:
        from cognifold_pg.embedded import EmbeddedServer
    except ImportError as error:  # fcntl and pwd: a system without Unix's ways
        raise EmbeddedServerError(
            f"The embedded server runs on Linux and macOS only; name a PostgreSQL with --dsn or {ENVIRONMENT}."
        ) from error
    server = EmbeddedServer()
    server.start()
    return server.dsn()
