"""What an upgrade would do and keep from others, found out by doing it and taking it back."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import psycopg

from cognifold_pg.install import (
    InstallReport,
    Pending,
    Way,
    check_history,
    found_drift,
    installing,
    ran_here,
    run_install,
    what_is_pending,
)
from cognifold_pg.locks import Locked, LockWatch
from cognifold_pg.version import VERSION

# Seconds that a dry run waits for a lock: it holds others while it waits, and is the one that has time.
DRY_RUN_WAITS = 0.05


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file that an upgrade would run; ``locked`` is None where nobody tried."""

    file: Pending
    locked: Locked | None = None


@dataclass(slots=True)
class UpgradePlan:
    """What an upgrade would do.

    ``from_version`` is the schema's (None: there is none yet), ``files`` are in the order they would run,
    ``drift`` names what was changed by hand since the last install, ``seconds`` is how long the dry run was at it
    (None: no dry run). ``lexicon`` says whether the words would be loaded.
    """

    from_version: str | None
    to_version: str = VERSION
    files: list[PlannedFile] = field(default_factory=list)
    drift: dict[str, str | None] = field(default_factory=dict)
    seconds: float | None = None
    lexicon: bool | None = None
    warnings: list[str] = field(default_factory=list)


def plan(dsn: str, *, dry_run: bool = True, repair: bool = False) -> UpgradePlan:
    """What :func:`cognifold_pg.install.install` would do in this database; nothing is changed.

    Without ``dry_run`` checksums are compared, and nobody is kept from anything. With it the upgrade is run in a
    transaction that is rolled back; meanwhile it has the locks it tells of, and waits :data:`DRY_RUN_WAITS` seconds for
    each. Raises what an upgrade would raise.
    """
    found = _listed(dsn, repair)
    if not dry_run or found.from_version is None or not found.files:
        return found
    began = time.monotonic()
    watch: LockWatch | None = None
    locked: dict[str, Locked] = {}

    def begun(raw: psycopg.Connection[object], pending: list[Pending]) -> None:
        nonlocal watch
        raw.execute(f"SET LOCAL lock_timeout = {round(1000 * DRY_RUN_WAITS)}".encode())
        watch = LockWatch(raw)

    def done(name: str) -> None:
        assert watch is not None
        locked[name] = watch.since_last()

    report: InstallReport
    with installing(dsn, DRY_RUN_WAITS) as (connection, raw):
        report = run_install(connection, raw, Way(alone=False, repair=repair, begun=begun, done=done))
        connection.rollback()
    found.seconds = time.monotonic() - began
    found.lexicon = report.lexicon_loaded
    found.warnings = report.warnings
    found.files = [PlannedFile(planned.file, locked.get(planned.file.name)) for planned in found.files]
    return found


def _listed(dsn: str, repair: bool) -> UpgradePlan:
    with psycopg.connect(dsn, client_encoding="UTF8") as raw:
        raw.execute("SET TRANSACTION READ ONLY")
        known = ran_here(raw)
        check_history(raw, known)
        schema = raw.execute(
            "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
            "WHERE e.extname = 'vector'"
        ).fetchone()
        pending = what_is_pending(known, schema[0] if schema else "public", repair=repair)
        version = None
        if known:
            row = raw.execute(
                "SELECT version FROM cognifold.schema_migration ORDER BY applied_at DESC, version DESC LIMIT 1"
            ).fetchone()
            version = None if row is None else row[0]
        return UpgradePlan(version, files=[PlannedFile(file) for file in pending], drift=found_drift(raw))
