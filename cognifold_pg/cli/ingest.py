"""`cognifold ingest FILE`: remember a file's events, fold them, and account for every record."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import psycopg
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.memory import TENANT
from cognifold_pg.cli.rights import told_plainly
from cognifold_pg.client import Memory
from cognifold_pg.errors import CognifoldError, InvalidValueError, TenantNotPermittedError
from cognifold_pg.experience import Experience
from cognifold_pg.ingest import Format, Stream, open_stream
from cognifold_pg.ingest.load import Report, TenantOf, load

# A file of the wrong form has as many bad lines as it has lines: show enough to see the pattern.
_BAD_SHOWN = 20
# Events folded per transaction. One each would be safe too; a commit costs as much as folding a short event.
_FOLD_BATCH = 20


class OnError(StrEnum):
    """What a bad record does to the run."""

    SKIP = "skip"
    STOP = "stop"


class _Memories:
    """The memories of one run, one a tenant, each made when its first record comes."""

    def __init__(self, dsn: str, time_zone: str, stack: ExitStack) -> None:
        self._dsn = dsn
        self._time_zone = time_zone
        self._stack = stack
        self._opened: dict[str, Memory] = {}

    def of(self, tenant: str) -> Memory:
        """The memory of ``tenant``, which is created where it does not exist."""
        if tenant not in self._opened:
            memory = self._stack.enter_context(Memory(self._dsn, tenant=tenant, pool_size=1))
            # A role that is bound to tenants may not make one, and need not: its verbs say what is wrong.
            with suppress(TenantNotPermittedError):
                memory.create_tenant(time_zone=self._time_zone)
            self._opened[tenant] = memory
        return self._opened[tenant]

    def remember(self, tenant: str, experiences: Sequence[Experience]) -> int:
        """Store a batch whole; how many of it were new. Raises InvalidValueError when one is refused."""
        try:
            return self.of(tenant).remember_many(experiences).new
        except (psycopg.DataError, psycopg.errors.ProgramLimitExceeded) as error:
            raise InvalidValueError(str(error).splitlines()[0]) from error


def ingest(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True, show_default=False)],
    tenant: Annotated[str, typer.Option(help="Whose memory; made if there is none.", envvar=TENANT)] = "default",
    format: Annotated[
        Format | None, typer.Option(help="How to read the file.", show_default="by its name and content")
    ] = None,
    map: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=COLUMN", help="Which column or key holds a field. Repeatable."),
    ] = None,
    timezone: Annotated[
        str | None, typer.Option(metavar="ZONE", help="The zone of times that name none: Europe/Lisbon.")
    ] = None,
    on_error: Annotated[OnError, typer.Option(help="What a bad record does to the run.")] = OnError.SKIP,
    tenant_per_source: Annotated[
        bool, typer.Option("--tenant-per-source", help="One tenant for each source, named TENANT:SOURCE.")
    ] = False,
    fold: Annotated[bool, typer.Option("--fold/--no-fold", help="Fold what was remembered.")] = True,
    dsn: Annotated[str | None, typer.Option(help="Another PostgreSQL than COGNIFOLD_DSN or the embedded one.")] = None,
) -> None:
    """Remember the events of FILE and fold them into concepts.

    Reads JSON Lines and CSV, whose fields are named as the arguments of remember, or: text, message, body,
    description for content; timestamp, time, ts for occurred_at; user, author, speaker for actor. What no
    field claims goes to the payload. Reads CogniFold timelines, scenarios and LoCoMo conversations too.

    Doing it twice with the same file changes nothing. In an edited file, lines that have moved are new events, unless
    they bring an idempotency_key of their own. Exit code 0: done, bad records skipped as asked. 1: stopped at a bad
    record, or nothing could be remembered. 2: the file or an option makes no sense.
    """
    console = Console(soft_wrap=True)
    try:
        stream = open_stream(file, format=format, mapping=_mapping(map or []), zone=_zone(timezone))
    except (CognifoldError, OSError) as error:
        raise typer.BadParameter(str(error)) from None
    for note in stream.notes:
        console.print(f"{stream.name}: {note}", style="dim", markup=False, highlight=False)
    with told_plainly(dsn, "cognifold_writer"), ExitStack() as stack:
        memories = _Memories(ready_dsn(dsn), timezone or "UTC", stack)

        def tenant_of(experience: Experience) -> str:
            split = tenant_per_source and experience.source
            return f"{tenant}:{experience.source}" if split else tenant

        report = _remembered(console, stream, tenant_of, memories, on_error)
        _print_bad(report, "line" if stream.unit == "bytes" else "record")
        console.print(_accounts(report), markup=False, highlight=False)
        for name in report.tenants if fold and not report.stopped else ():
            console.print(_folded(console, memories.of(name)), markup=False, highlight=False)
    if report.stopped or (report.read and not report.tenants):
        raise typer.Exit(1)


def _remembered(
    console: Console, stream: Stream, tenant_of: TenantOf, memories: _Memories, on_error: OnError
) -> Report:
    with _progress(console) as progress:
        bar = progress.add_task(f"remembering {stream.name}", total=stream.total)
        return load(
            stream,
            tenant_of,
            memories.remember,
            on_error=on_error.value,
            on_progress=lambda read: progress.update(bar, completed=read.position),
        )


def _folded(console: Console, memory: Memory) -> str:
    """Fold what waits in one memory, and say what there is now."""
    [waiting] = memory.rows("SELECT count(*) AS number FROM cognifold.event WHERE fold_state <> 'folded'")
    with _progress(console) as progress:
        bar = progress.add_task(f"folding {memory.tenant}", total=waiting["number"])
        folded = memory.fold_all(batch=_FOLD_BATCH, progress=lambda done: progress.update(bar, completed=done))
    [concepts] = memory.rows("SELECT count(*) AS number FROM cognifold.concept WHERE merged_into IS NULL")
    left = memory.rows(
        "SELECT fold_state, count(*) AS number, min(fold_error) AS error FROM cognifold.event "
        "WHERE fold_state <> 'folded' GROUP BY fold_state ORDER BY fold_state"
    )
    line = f"tenant {memory.tenant}: {folded} folded, {concepts['number']} concepts"
    return line + "".join(f", {row['number']} {row['fold_state']} ({row['error']})" for row in left)


def _accounts(report: Report) -> str:
    parts = [
        f"{report.read} read",
        f"{report.remembered} remembered",
        f"{report.known} already known",
        f"{len(report.bad)} bad",
    ]
    if report.cleaned:
        parts.append(f"{report.cleaned} had characters PostgreSQL can't store, now U+FFFD")
    return ", ".join(parts)


def _print_bad(report: Report, unit: str) -> None:
    errors = Console(stderr=True, soft_wrap=True)
    for bad in report.bad[:_BAD_SHOWN]:
        errors.print(f"{unit} {bad.number}: {bad.reason}", style="yellow", markup=False, highlight=False)
    if len(report.bad) > _BAD_SHOWN:
        errors.print(f"... and {len(report.bad) - _BAD_SHOWN} more", style="yellow")
    if report.stopped:
        errors.print(
            "stopped there; what came before is remembered. Mend the record and run again: nothing is stored twice.",
            style="yellow",
        )


def _progress(console: Console) -> Progress:
    """A progress bar on a terminal; nothing at all where the output goes to a file."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _mapping(written: Sequence[str]) -> dict[str, str]:
    """``content=body`` as ``{"content": "body"}``."""
    mapping = {}
    for pair in written:
        field, equals, column = pair.partition("=")
        if not (field and equals and column):
            raise typer.BadParameter(f"--map {pair}: write FIELD=COLUMN, as content=body")
        mapping[field.strip()] = column.strip()
    return mapping


def _zone(name: str | None) -> ZoneInfo | None:
    try:
        return None if name is None else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise typer.BadParameter(f"--timezone {name}: no such zone; write it as Europe/Lisbon") from None
