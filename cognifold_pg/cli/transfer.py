"""The commands that carry one tenant's memory to a file, and from a file into a database."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.memory import Dsn
from cognifold_pg.cli.rights import told_plainly
from cognifold_pg.errors import InvalidValueError
from cognifold_pg.transfer import export_tenant, import_tenant


def export_(
    tenant: Annotated[str, typer.Argument(show_default=False, help="Whose memory.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            dir_okay=False,
            show_default="standard output",
            help="Packed by its ending: .gz, .xz, .bz2.",
        ),
    ] = None,
    embeddings: Annotated[bool, typer.Option("--embeddings", help="Take the vectors along.")] = False,
    dsn: Dsn = None,
) -> None:
    """Write a tenant's whole memory, all of one moment, as lines of JSON."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    with told_plainly(dsn, "cognifold_reader", tenant), console.status("reading") as line:
        done = export_tenant(
            ready_dsn(dsn),
            tenant,
            output or sys.stdout.buffer,
            embeddings=embeddings,
            progress=lambda number, total: line.update(f"{number:,} of {total:,} lines"),
        )
        sys.stdout.buffer.flush()
    console.print(f"tenant {tenant}: {done.lines:,} lines, {done.counts['node']:,} nodes", markup=False)
    for name, number in done.left_out.items():
        console.print(f"left out: {number:,} of {_LEFT_OUT.get(name, name)}", markup=False)


def import_(
    file: Annotated[Path, typer.Argument(show_default=False, help="- is standard input.")],
    tenant: Annotated[str | None, typer.Option(help="Under which name.", show_default="the file's")] = None,
    model: Annotated[str | None, typer.Option(help="Another embedding model.", show_default="the file's")] = None,
    dsn: Dsn = None,
) -> None:
    """Make a tenant from such a file, packed or not: whole, or not at all."""
    if str(file) != "-" and not file.is_file():
        raise InvalidValueError(f"{file} is no file. Name one that cognifold export wrote, or - for standard input.")
    console = Console(highlight=False, soft_wrap=True)
    with told_plainly(dsn, "cognifold_owner"), console.status("reading") as line:
        done = import_tenant(
            ready_dsn(dsn),
            sys.stdin.buffer if str(file) == "-" else file,
            tenant=tenant,
            model=model,
            started=lambda: line.update("writing, and making anew what follows from it"),
        )
    console.print(f"tenant {done.tenant}: {done.lines:,} lines, {done.counts['node']:,} nodes", markup=False)
    for name, number in done.left_out.items():
        console.print(f"not in the file: {number:,} of {_LEFT_OUT.get(name, name)}", markup=False)
    if done.vectors == "awaited":
        console.print(
            f"its vectors are made by {done.model}, outside the database: cognifold reembed {done.model} gets them",
            markup=False,
        )


_LEFT_OUT = {
    "webhook": "the webhooks: cognifold.set_webhook where it goes to",
    "tenant_member": "the bindings of roles: cognifold.bind_role where it goes to",
    "watch_count": "the watched tables' counts: they stay with the application",
    "inbox": "the captures that no fold has taken yet: fold first to take them along",
    "job_run": "the runs of the schedule",
    "reembedding": "the move to another embedding model: begin it again where it goes to",
    "reembedding_queue": "the events that wait for such a move",
}
