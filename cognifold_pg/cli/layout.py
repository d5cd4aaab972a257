"""Commands for how the tables lie on disk."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from cognifold_pg.cli.memory import Dsn
from cognifold_pg.connect import resolve_dsn
from cognifold_pg.partition import partition as divide


def partition(
    by: Annotated[int, typer.Option("--by", help="Partitions of each table; 8 or 16 are usual.", show_default=False)],
    dsn: Dsn = None,
) -> None:
    """Divide the large tables into partitions by tenant. Whoever uses the memory waits meanwhile."""
    report = divide(resolve_dsn(dsn), by)
    Console(highlight=False).print(
        f"{report.tables} tables in {report.partitions} partitions each, {report.divided} of them since just now"
    )
