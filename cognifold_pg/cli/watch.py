"""The commands that let a table of an application feed a memory, and that say how it does."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.memory import Dsn, Tenant
from cognifold_pg.cli.rights import told_plainly
from cognifold_pg.client import Memory

Name = Annotated[str, typer.Argument(show_default=False, help="The watch's name, or its table's.")]


def watch(
    relation: Annotated[str, typer.Argument(show_default=False, help="The table: schema.table.")],
    content: Annotated[str, typer.Argument(show_default=False, help='What the event says: "Order {id}: {status}".')],
    tenant: Tenant = "default",
    title: Annotated[str | None, typer.Option(help="Template of the title.")] = None,
    occurred_at: Annotated[str | None, typer.Option(help='When it happened: "{placed_at}".')] = None,
    actor: Annotated[str | None, typer.Option(help='Who did it: "{customer}".')] = None,
    tenants: Annotated[str | None, typer.Option(help='Whose memory a row is for, if rows say it: "{account}".')] = None,
    deadline: Annotated[str | None, typer.Option(help='Until when: "{due}".')] = None,
    source_key: Annotated[str | None, typer.Option(help="Rows with the same are one event.")] = None,
    payload: Annotated[list[str] | None, typer.Option(help="A column to keep beside the text; repeatable.")] = None,
    only_if: Annotated[str | None, typer.Option(help="A SQL condition on the row.")] = None,
    operation: Annotated[list[str] | None, typer.Option(help="insert or update; repeatable. Default: both.")] = None,
    changed: Annotated[list[str] | None, typer.Option(help="An update counts if this column changed.")] = None,
    content_of_update: Annotated[str | None, typer.Option(help="What an update says.")] = None,
    on_delete: Annotated[str | None, typer.Option(help="ignore, event or forget.")] = None,
    content_of_delete: Annotated[str | None, typer.Option(help="What a deletion says.")] = None,
    source: Annotated[str | None, typer.Option(help="The events' source. Default: the table.")] = None,
    name: Annotated[str | None, typer.Option(help="What to call the watch. Default: the table.")] = None,
    dsn: Dsn = None,
) -> None:
    """Let rows that are written to a table become events from now on. `cognifold backfill` brings those before."""
    with told_plainly(dsn, "cognifold_writer", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        made = memory.watch(
            relation,
            content,
            title=title,
            occurred_at=occurred_at,
            actor=actor,
            tenants=tenants,
            deadline=deadline,
            source_key=source_key,
            payload=payload or None,
            only_if=only_if,
            operations=operation or None,
            changed=changed or None,
            content_of_update=content_of_update,
            on_delete=on_delete,
            content_of_delete=content_of_delete,
            source=source,
            name=name,
        )
    Console(highlight=False).print(f"watching {made}", markup=False)


def unwatch(name: Name, tenant: Tenant = "default", dsn: Dsn = None) -> None:
    """End a watch. What it has captured still becomes events."""
    with told_plainly(dsn, "cognifold_writer", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        waiting = memory.unwatch(name)
    Console(highlight=False).print(f"no longer watching {name}; {waiting} rows wait to become events", markup=False)


def watched(
    tenant: Tenant = "default",
    errors: Annotated[bool, typer.Option("--errors", help="List why rows made no events.")] = False,
    dsn: Dsn = None,
) -> None:
    """Say which tables feed the memory, and how each stands."""
    console = Console(highlight=False)
    with told_plainly(dsn, "cognifold_reader", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        rows = memory.watched()
        faults = memory.watch_errors() if errors else []
    table = Table("watch", "table", "status", "waiting", "events", "faults", "last fault")
    for row in rows:
        status = row.status + (f": {row.detail}" if row.detail else "")
        said = f"{row.last_fault_state} {row.last_fault_message}" if row.last_fault_state else ""
        table.add_row(row.name, row.relation, status, str(row.waiting), str(row.events), str(row.faults), said)
    console.print(table if rows else "nothing is watched")
    for fault in faults:
        key = f" row {fault.row_key}" if fault.row_key else f" {fault.lost} rows"
        console.print(
            f"{fault.happened_at:%Y-%m-%d %H:%M:%S} {fault.name} {fault.operation}{key}: {fault.state} {fault.message}",
            markup=False,
        )


def backfill(
    name: Name,
    tenant: Tenant = "default",
    batch: Annotated[int, typer.Option(min=1, help="Rows a transaction.")] = 1000,
    restart: Annotated[bool, typer.Option("--restart", help="Begin at the first row again.")] = False,
    dsn: Dsn = None,
) -> None:
    """Capture the rows that were there before the watch, batch by batch. Stopped or killed, the next call goes on."""
    console = Console(highlight=False)
    with (
        told_plainly(dsn, "cognifold_writer", tenant),
        Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory,
        console.status("reading") as line,
    ):
        done = memory.backfill(name, batch, restart=restart)
        while not done.done:
            line.update(f"{done.total} rows read")
            done = memory.backfill(name, batch)
    console.print(f"{name}: {done.total} rows read", markup=False)
