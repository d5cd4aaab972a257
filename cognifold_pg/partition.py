"""Native partitioning: the memory's large tables in hash partitions by tenant, ``cognifold partition --by N``.

The verbs, views and answers are the same. The moving is done by ``sql/optional/partition``; here stands what it
leaves to be made anew, and what an operator has added and must not lose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from cognifold_pg.install import InstallError, install, remake, schema_lock
from cognifold_pg.sqlfiles import sql_file

SCHEMA = "cognifold_partition"
MOST = 256  # far above what locks and planning are good for; a typing error should not make a million files


@dataclass(frozen=True, slots=True)
class PartitionReport:
    """How many tables have partitions now, how many got theirs by this call, how many partitions each has."""

    tables: int
    divided: int
    partitions: int


def partition(dsn: str, partitions: int) -> PartitionReport:
    """Divide every large table of the memory into ``partitions`` by tenant, moving its rows, in one transaction.

    Brings the memory up to date first. Who uses it meanwhile waits. Called again it divides what tables a newer version
    of the package has added; the number cannot be changed. Raises :class:`InstallError` for another number than before,
    for objects of others that hang on the tables and would be lost, and for missing rights; then nothing is divided.
    """
    if not 2 <= partitions <= MOST:
        raise InstallError(f"{partitions} partitions: give a number from 2 to {MOST}; 8 or 16 are usual.")
    install(dsn)
    try:
        with psycopg.connect(dsn, client_encoding="UTF8") as connection:
            schema_lock(connection)
            return _divide(connection, partitions)
    except (psycopg.errors.OutOfMemory, InstallError) as error:
        if isinstance(error, InstallError) and not isinstance(error.__cause__, psycopg.errors.OutOfMemory):
            raise
        raise InstallError(
            f"The server's table of locks is too small to make {partitions} partitions of each table. Nothing was "
            "changed. Raise max_locks_per_transaction (and restart the server), or make fewer."
        ) from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise InstallError(
            f"Partitioning needs more rights: {error.diag.message_primary}. Run it as who installed the memory, or "
            "as a superuser. Nothing was changed."
        ) from error


def _divide(connection: psycopg.Connection[Any], partitions: int) -> PartitionReport:
    there = _partition_counts(connection)
    if there - {partitions}:
        raise InstallError(
            f"The memory has {min(there)} partitions a table already, and that number is not changed in place. For "
            f"{partitions}, load a dump of its data into a database that is partitioned so (docs/scale-out.md)."
        )
    before = _tables(connection)
    objects, grants = _objects(connection), _grants(connection)
    connection.execute("SET LOCAL client_min_messages = warning")
    connection.execute(
        sql.SQL("CREATE SCHEMA IF NOT EXISTS {} AUTHORIZATION cognifold_owner").format(sql.Identifier(SCHEMA))
    )
    connection.execute("SELECT set_config('cognifold.partitions', %s, true)", [str(partitions)])

    def divide(raw: psycopg.Connection[Any]) -> None:
        raw.execute(
            sql.SQL("COMMENT ON SCHEMA {} IS {}").format(
                sql.Identifier(SCHEMA),
                sql.Literal("Hash partitions, by tenant, of the tables in cognifold. Nobody is to read them directly."),
            )
        )
        raw.execute(sql_file("optional", "partition", "partition.sql").read_bytes())

    remake(connection, after=divide)
    for grant in grants:
        connection.execute(grant.encode())
    if lost := sorted(objects - _objects(connection)):
        raise InstallError(
            "Made by others, these hang on tables that are to be divided, and would be lost: "
            f"{'; '.join(lost[:20])}{' and more' if len(lost) > 20 else ''}. Nothing was changed. Drop them, "
            "partition, and make them again."
        )
    after = _tables(connection)
    return PartitionReport(tables=len(after), divided=len(after - before), partitions=partitions)


def _tables(connection: psycopg.Connection[Any]) -> set[str]:
    rows = connection.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'cognifold'::regnamespace AND relkind = 'p'"
    )
    return {name for (name,) in rows}


def _partition_counts(connection: psycopg.Connection[Any]) -> set[int]:
    rows = connection.execute(
        "SELECT DISTINCT (SELECT count(*) FROM pg_inherits AS i WHERE i.inhparent = c.oid) FROM pg_class AS c "
        "WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind = 'p'"
    )
    return {count for (count,) in rows}


# Every object of the database that could hang on a table, by what it is and what it is called.
_OBJECTS: LiteralString = """
SELECT o.type || ' ' || o.identity
FROM (
    SELECT 'pg_class'::regclass, oid FROM pg_class
    WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'i', 'I', 'S') AND relpersistence <> 't'
    UNION ALL SELECT 'pg_proc'::regclass, oid FROM pg_proc
    UNION ALL SELECT 'pg_trigger'::regclass, oid FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'pg_policy'::regclass, oid FROM pg_policy
    UNION ALL SELECT 'pg_constraint'::regclass, oid FROM pg_constraint
    UNION ALL SELECT 'pg_rewrite'::regclass, oid FROM pg_rewrite
    UNION ALL SELECT 'pg_attrdef'::regclass, oid FROM pg_attrdef
    UNION ALL SELECT 'pg_publication_rel'::regclass, oid FROM pg_publication_rel
    UNION ALL SELECT 'pg_statistic_ext'::regclass, oid FROM pg_statistic_ext
) AS c (catalog, oid)
CROSS JOIN LATERAL pg_identify_object(c.catalog, c.oid, 0) AS o
WHERE c.oid >= 16384 AND o.schema IS DISTINCT FROM 'pg_toast'
"""

# What was granted to others than the memory's own roles, whose privileges are made anew.
_GRANTS: LiteralString = """
SELECT format('GRANT %s ON %s TO %s%s', g.privilege, g.object,
              CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE g.grantee::regrole::text END,
              CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
FROM (
    SELECT a.privilege_type, 'TABLE ' || c.oid::regclass, a.grantee, a.is_grantable, c.relowner
    FROM pg_class AS c CROSS JOIN LATERAL aclexplode(c.relacl) AS a
    WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p', 'v')
    UNION ALL
    SELECT format('%s (%I)', a.privilege_type, t.attname), 'TABLE ' || c.oid::regclass,
           a.grantee, a.is_grantable, c.relowner
    FROM pg_class AS c JOIN pg_attribute AS t ON t.attrelid = c.oid CROSS JOIN LATERAL aclexplode(t.attacl) AS a
    WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p', 'v')
    UNION ALL
    SELECT a.privilege_type, 'ROUTINE ' || p.oid::regprocedure, a.grantee, a.is_grantable, p.proowner
    FROM pg_proc AS p CROSS JOIN LATERAL aclexplode(p.proacl) AS a
    WHERE p.pronamespace = 'cognifold'::regnamespace
) AS g (privilege, object, grantee, is_grantable, owner)
WHERE g.grantee <> g.owner
  AND NOT EXISTS (SELECT FROM pg_roles AS r WHERE r.oid = g.grantee AND r.rolname LIKE 'cognifold\\_%')
"""


def _objects(connection: psycopg.Connection[Any]) -> set[str]:
    return {name for (name,) in connection.execute(_OBJECTS)}


def _grants(connection: psycopg.Connection[Any]) -> list[str]:
    return [grant for (grant,) in connection.execute(_GRANTS)]
