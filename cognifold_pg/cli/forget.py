"""The command that forgets: first it says what that comes to, then it asks."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import typer
from rich.console import Console

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.memory import Dsn, Tenant
from cognifold_pg.cli.rights import told_plainly
from cognifold_pg.client import Memory
from cognifold_pg.results import Forgotten

_FORMATS = ["%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S%z"]


def forget(
    node: Annotated[list[UUID] | None, typer.Option(help="A node by its id; as often as there are.")] = None,
    key: Annotated[str | None, typer.Option(help="The idempotency key of an event.")] = None,
    source: Annotated[str | None, typer.Option(help="Where events came from.")] = None,
    source_key: Annotated[
        str | None, typer.Option(help="A key within the source; a watched row's primary key.")
    ] = None,
    actor: Annotated[str | None, typer.Option(help="Who did or said it, exactly.")] = None,
    subject: Annotated[str | None, typer.Option(help="A name that anything stored of an event holds.")] = None,
    since: Annotated[
        datetime | None, typer.Option(formats=_FORMATS, help="From this time on, with its offset.")
    ] = None,
    until: Annotated[datetime | None, typer.Option(formats=_FORMATS, help="Before this time.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would come to.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    tenant: Tenant = "default",
    dsn: Dsn = None,
) -> None:
    """Forget what meets all conditions, and all that was made of it. It cannot be undone."""
    given: dict[str, Any] = {
        "node_ids": node or None,
        "idempotency_key": key,
        "source": source,
        "source_key": source_key,
        "actor": actor,
        "subject": subject,
        "since": since,
        "until": until,
    }
    console = Console(highlight=False, soft_wrap=True)
    with told_plainly(dsn, "cognifold_governor", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        if dry_run or not yes:
            console.print(f"would forget {_said(memory.forget(**given, dry_run=True))}")
        if dry_run:
            return
        if not yes:
            typer.confirm("This cannot be undone. Forget?", abort=True)
        done = memory.forget(**given)
    console.print(f"forgot {_said(done)}")
    if done.forget_id is not None:
        console.print("What was deleted stays in the tables' pages until: cognifold db psql -c 'VACUUM (ANALYZE)'")


def _said(report: Forgotten) -> str:
    """3 events, 1 concepts; 2 concepts reworded, 5 plans blotted."""
    said = (f"{number} {name.replace('_', ' ')}" for name, number in report.counts.items() if number)
    return ", ".join(said) or "nothing"
