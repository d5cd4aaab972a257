"""The locks of an upgrade: taken so that nobody is harmed, and told to whoever asks what they are.

Whatever order an upgrade took its locks in as it goes, it might hold what somebody wants while it waits for what they
have. A deadlock costs one of the two its transaction, and PostgreSQL looks for one when somebody has waited for
``deadlock_timeout`` (1 s). So all that the files need is locked at the beginning, within less than that, or given back
and tried again: nobody who waits for the upgrade has waited long enough to be taken for the victim. ``tenant`` is
always among it, which every verb asks first: so no verb runs half before and half after.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg import sql

# Seconds for which others may stand behind an upgrade that waits for its locks, less than deadlock_timeout (1 s where
# nobody has set it); and for how long it goes on trying.
LOCK_TIMEOUT = 0.8
PATIENCE = 60.0

# Seconds between two tries: others have the time to finish what they were kept from.
_PAUSE = 0.5

# The three ways of waiting that a lock on a table can mean for others.
BLOCKS = {
    "ShareUpdateExclusiveLock": "vacuum and schema changes wait",
    "ShareLock": "writers wait",
    "ShareRowExclusiveLock": "writers wait",
    "ExclusiveLock": "writers wait",
    "AccessExclusiveLock": "readers and writers wait",
}


# The statements of a file that lock what is there, and the relations they name.
_LOCKS = re.compile(
    r"^(?:CREATE OR REPLACE VIEW|CREATE TABLE|ALTER (?:TABLE|VIEW)|DROP|CREATE (?:OR REPLACE |CONSTRAINT )?TRIGGER"
    r"|CREATE (?:UNIQUE )?INDEX|CREATE POLICY)\b[^;]*",
    re.MULTILINE,
)
_NAME = re.compile(r"\bcognifold(?:_watch)?\.\w+")


def needed(text: str) -> set[str]:
    """Which relations a file locks for readers or writers, as ``schema.name``; also names of other things."""
    found: set[str] = set()
    for statement in _LOCKS.findall(re.sub(r"--.*", "", text)):
        names = _NAME.findall(statement)
        found.update(names[:1] if statement.startswith("CREATE OR REPLACE VIEW") else names)
    return found


def take_all(raw: psycopg.Connection[Any], names: Iterable[str], lock_timeout: float, patience: float) -> None:
    """Keep everybody else out of these relations, and out of the verbs, till the end of the transaction.

    First without keeping anybody out but vacuum, which gives way; then from everybody, for ``lock_timeout`` at most,
    again and again. Raises :class:`psycopg.errors.LockNotAvailable` once ``patience`` (both in seconds) is at its end.
    """
    tables, views = _relations(raw, sorted(names))
    door = sql.Identifier("cognifold", "tenant")
    if _one(raw, "SELECT to_regclass('cognifold.tenant') IS NULL"):
        return  # a database without a memory
    for setting in ("statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"):
        raw.execute(f"SET LOCAL {setting} = 0".encode())
    if raw.info.server_version >= 170000:
        raw.execute("SET LOCAL transaction_timeout = 0")
    until = time.monotonic() + patience
    deadlock_timeout = _one(raw, "SELECT setting::integer / 1000.0 FROM pg_settings WHERE name = 'deadlock_timeout'")
    gentle = max(lock_timeout, 1.5 * float(deadlock_timeout))  # an autovacuum is told to go after deadlock_timeout
    while not _lock(raw, _locking([door, *tables], [], "SHARE UPDATE EXCLUSIVE"), gentle):
        _wait(until)
    # Who reads a view and then calls a verb is let through by the one order, who writes a table after it by the other.
    orders = itertools.cycle(
        (
            _locking(tables, views, "ACCESS EXCLUSIVE", last=door),
            _locking([door, *tables], views, "ACCESS EXCLUSIVE"),
        )
    )
    while not _lock(raw, next(orders), lock_timeout):
        _wait(until)
    raw.execute(f"SET LOCAL lock_timeout = {max(round(1000 * lock_timeout), 1)}".encode())


def _wait(until: float) -> None:
    if time.monotonic() > until:
        raise psycopg.errors.LockNotAvailable("what the upgrade has to lock was in use all the time")
    time.sleep(_PAUSE)


def _locking(
    tables: list[sql.Identifier], views: list[sql.Identifier], mode: str, last: sql.Identifier | None = None
) -> list[sql.Composed]:
    """Statements that lock views, then tables. LOCK TABLE would lock what a view reads, too: hence the other one."""
    statements = [sql.SQL("ALTER VIEW {} OWNER TO cognifold_owner").format(view) for view in views]
    for group in (tables, [last] if last is not None else []):
        if group:
            names = sql.SQL(", ").join(group)
            statements.append(sql.SQL("LOCK TABLE {} IN {} MODE").format(names, sql.SQL(mode)))
    return statements if last is not None else statements[::-1]


def _lock(raw: psycopg.Connection[Any], statements: list[sql.Composed], seconds: float) -> bool:
    """Lock all or none; of all together for so many seconds at most (``lock_timeout`` would be for each)."""
    until = time.monotonic() + seconds
    try:
        with raw.transaction():
            for statement in statements:
                left = max(round(1000 * (until - time.monotonic())), 1)
                raw.execute(f"SET LOCAL statement_timeout = {left}".encode())
                raw.execute(statement)
            raw.execute("SET LOCAL statement_timeout = 0")
    except (psycopg.errors.QueryCanceled, psycopg.errors.DeadlockDetected):
        return False
    return True


def _relations(raw: psycopg.Connection[Any], names: list[str]) -> tuple[list[sql.Identifier], list[sql.Identifier]]:
    """Of these names, the tables and the views that are there; a table's lock is its indexes' and partitions', too."""
    rows = raw.execute(
        """
        SELECT n.nspname, c.relname, c.relkind::text
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v') AND n.nspname || '.' || c.relname = ANY (%s)
          AND (n.nspname, c.relname) <> ('cognifold', 'tenant')
        ORDER BY c.relname COLLATE "C"
        """,
        [names],
    ).fetchall()
    return (
        [sql.Identifier(schema, name) for schema, name, kind in rows if kind != "v"],
        [sql.Identifier(schema, name) for schema, name, kind in rows if kind == "v"],
    )


def holders(connection: psycopg.Connection[Any], seconds: float) -> list[str]:
    """Who has locks on the memory's relations for longer than ``seconds``, the longest first: at most three."""
    rows = connection.execute(
        """
        SELECT coalesce('process ' || l.pid || ' (' || coalesce(nullif(a.application_name, ''), 'no application_name')
                        || ', role ' || coalesce(a.usename, '?') || ', ' || coalesce(a.state, a.backend_type) || ')',
                        'a prepared transaction (see pg_prepared_xacts)'),
               extract(epoch FROM clock_timestamp() - min(a.xact_start))::float8,
               extract(epoch FROM clock_timestamp() - min(a.query_start))::float8,
               left(regexp_replace(min(a.query), '\\s+', ' ', 'g'), 100), min(c.relname), count(DISTINCT c.oid)
        FROM pg_locks AS l
        JOIN pg_class AS c ON c.oid = l.relation AND l.locktype = 'relation'
        JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname IN ('cognifold', 'cognifold_watch')
        LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
        WHERE l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
          AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
          AND coalesce(a.xact_start < clock_timestamp() - make_interval(secs => %s), true)
        GROUP BY l.pid, a.application_name, a.usename, a.state, a.backend_type
        ORDER BY 2 DESC NULLS FIRST LIMIT 3
        """,
        [seconds],
    ).fetchall()
    told = []
    for who, transaction, query, text, relation, number in rows:
        age = "" if transaction is None else f", transaction open for {transaction:.0f} s"
        doing = "" if query is None else f", last statement {query:.0f} s ago: {text}"
        more = "" if number == 1 else f" and {number - 1} more"
        told.append(f"{who} has {relation}{more}{age}{doing}")
    return told


@dataclass(frozen=True, slots=True)
class Locked:
    """What a file kept from others: relations by mode, and those whose rows it wrote anew."""

    modes: dict[str, list[str]] = field(default_factory=dict)
    rewritten: list[str] = field(default_factory=list)


class LockWatch:
    """Reads, after each file of a transaction, which locks it has taken on what was there before the transaction."""

    def __init__(self, raw: psycopg.Connection[Any]) -> None:
        self._raw = raw
        self._files = self._filenodes()
        self._before = frozenset(self._files)
        self._held: set[tuple[str, str]] = set()
        self.since_last()

    def since_last(self) -> Locked:
        """What has been added since the last call: relations under a stronger lock than before, by its mode."""
        held = {
            (relation, mode)
            for oid, relation, mode in self._raw.execute(
                """
                SELECT l.relation, c.oid::regclass::text, l.mode
                FROM pg_locks AS l
                JOIN pg_class AS c ON c.oid = l.relation
                WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND l.granted
                  AND c.relnamespace <> 'pg_catalog'::regnamespace
                  AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
                """
            )
            if oid in self._before and mode in BLOCKS
        }
        modes: dict[str, list[str]] = {}
        for relation in sorted({relation for relation, _ in held}):
            mode = _strongest(held, relation)
            if mode != _strongest(self._held, relation):
                modes.setdefault(mode, []).append(relation)
        files = self._filenodes()
        rewritten = sorted(
            name
            for oid, (name, node) in files.items()
            if oid in self._before and self._files.get(oid, (name, node))[1] != node
        )
        self._held, self._files = held, files
        return Locked(modes, rewritten)

    def _filenodes(self) -> dict[int, tuple[str, int]]:
        return {
            oid: (name, node)
            for oid, name, node in self._raw.execute(
                """
                SELECT c.oid, c.oid::regclass::text, pg_relation_filenode(c.oid) FROM pg_class AS c
                WHERE c.relkind IN ('r', 'p', 'i', 'I', 'm', 'S', 'v')
                  AND c.relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
                """
            )
        }


def _strongest(held: set[tuple[str, str]], relation: str) -> str:
    return max((mode for name, mode in held if name == relation), key=list(BLOCKS).index, default="")


def _one(raw: psycopg.Connection[Any], query: str) -> Any:
    row = raw.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]
