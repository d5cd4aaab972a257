"""``cognifold upgrade``: bring a memory up to date, or say what that would do."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from cognifold_pg.cli.memory import Dsn
from cognifold_pg.connect import resolve_dsn
from cognifold_pg.errors import InvalidValueError
from cognifold_pg.install import install
from cognifold_pg.locks import BLOCKS, LOCK_TIMEOUT, PATIENCE
from cognifold_pg.upgrade import PlannedFile, UpgradePlan, plan
from cognifold_pg.version import VERSION


def upgrade(
    plan_only: Annotated[bool, typer.Option("--plan", help="Say what would run and what it would lock.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="With --plan: by checksums alone, no dry run.")] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Run every repeatable file again: puts back what was changed by hand.")
    ] = False,
    lock_timeout: Annotated[
        float, typer.Option(min=0.01, max=3600, help="Seconds others may stand behind it while it waits for its locks.")
    ] = LOCK_TIMEOUT,
    patience: Annotated[float, typer.Option(min=0, help="Seconds until it gives up trying to get them.")] = PATIENCE,
    dsn: Dsn = None,
) -> None:
    """Bring the memory in the database up to date, in one transaction. Doing it again changes nothing.

    With --plan nothing is changed: the upgrade is run, its locks are read, and it is rolled back.
    """
    console = Console(highlight=False, soft_wrap=True)
    if offline and not plan_only:
        raise InvalidValueError("--offline is for --plan: an upgrade cannot go without the database.")
    resolved = resolve_dsn(dsn)
    if plan_only:
        for line in lines_of(plan(resolved, dry_run=not offline, repair=repair)):
            console.print(line, markup=False)
        return
    report = install(resolved, lock_timeout=lock_timeout, patience=patience, repair=repair)
    for warning in report.warnings:
        console.print(f"warning: {warning}", markup=False)
    if not report.applied and not report.lexicon_loaded:
        console.print(f"Up to date with version {VERSION}: nothing to do.")
        return
    console.print(
        f"Version {VERSION}: {len(report.applied)} SQL files applied"
        + (", lexicon loaded" if report.lexicon_loaded else "")
    )


def lines_of(found: UpgradePlan) -> list[str]:
    """A plan for people to read."""
    lines = [f"warning: {warning}" for warning in found.warnings]
    lines += [
        f"warning: {identity} was {'dropped' if digest is None else 'changed'} by hand since the last install"
        for identity, digest in found.drift.items()
    ]
    if not found.files:
        return [*lines, f"Up to date with version {found.to_version}: nothing to do."]
    if found.from_version is None:
        lines.append(
            f"There is no memory here. An install of version {found.to_version} runs {len(found.files)} files:"
        )
    else:
        lines.append(
            f"From version {found.from_version} to {found.to_version}, {len(found.files)} files in this order:"
        )
    for planned in found.files:
        lines += _lines_of_file(planned)
    if found.lexicon:
        lines.append("Then the lexicon is loaded.")
    if found.seconds is not None:
        lines.append(
            f"The dry run took {found.seconds:.1f} s and was rolled back. The upgrade keeps verbs waiting for about "
            "as long, and whoever wants what it locks; it does all of this or nothing."
        )
    elif found.from_version is not None:
        lines.append("No dry run was made: what each file locks is not known.")
    return lines


def _lines_of_file(planned: PlannedFile) -> list[str]:
    file = planned.file
    before = "new" if file.before is None else file.before[:12]
    change = f"{before} -> {file.now[:12]}" if file.before != file.now else f"{before}, again"
    lines = [f"  {file.name}  {change}"]
    if planned.locked is not None:
        for mode, relations in planned.locked.modes.items():
            lines.append(f"      {mode} ({BLOCKS[mode]}): {', '.join(relations)}")
        lines += [f"      writes every row of {name} anew" for name in planned.locked.rewritten]
    return lines
