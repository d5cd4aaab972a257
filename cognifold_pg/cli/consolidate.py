"""The command that lets a memory sleep: a pass in steps, seen while it runs."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Annotated

import typer
from rich.console import Console

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.memory import Dsn, Tenant
from cognifold_pg.cli.rights import told_plainly
from cognifold_pg.client import Memory
from cognifold_pg.results import ConsolidationStep


def consolidate(
    tenant: Tenant = "default",
    seconds: Annotated[float | None, typer.Option(min=0.001, help="End after so long; the next pass goes on.")] = None,
    rows: Annotated[int | None, typer.Option(min=1, help="End after so many recalls, edges and nodes.")] = None,
    wait: Annotated[bool, typer.Option(help="Wait for a pass that is running.")] = True,
    dsn: Dsn = None,
) -> None:
    """Let a memory sleep: what has faded goes, what is alike becomes one. Stopped or killed, the next pass goes on."""
    console = Console(highlight=False, soft_wrap=True)
    counts: Counter[str] = Counter()
    with (
        told_plainly(dsn, "cognifold_writer", tenant),
        Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory,
        console.status("looking for what has changed") as line,
    ):

        def progress(step: ConsolidationStep) -> None:
            counts.update(step.counts)
            line.update(f"{step.phase}, step {step.steps}: {_said(counts)}")

        done = memory.consolidate(
            time_budget=None if seconds is None else timedelta(seconds=seconds),
            row_budget=rows,
            wait=wait,
            progress=progress,
        )
    if done.run_id is None:
        console.print("nothing to do")
        return
    console.print(f"{done.steps} steps, {len(done.plans)} plans: {_said(counts)}")
    if done.more:
        console.print("more is left: the next pass goes on")


def _said(counts: Counter[str]) -> str:
    """3 concepts merged, 10 events replayed."""
    said = (f"{number} {name.replace('_', ' ')}" for name, number in counts.items() if number)
    return ", ".join(said) or "nothing changed"
