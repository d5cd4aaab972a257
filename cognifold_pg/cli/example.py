"""``cognifold example``: the worked example of cognifold_pg/examples/shop."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from cognifold_pg.cli.memory import Dsn
from cognifold_pg.connect import resolve_dsn


def example(
    keep: Annotated[bool, typer.Option("--keep", help="Leave its database and roles, to look around in.")] = False,
    seed: Annotated[int, typer.Option(help="Other everyday rows between the same stories.")] = 7,
    dsn: Dsn = None,
) -> None:
    """Let the tables of a small shop feed a memory for four weeks, in some seconds.

    A plain role watches three tables, an application without any right in the memory writes to them, a worker folds,
    and a consumer is told of the intents that emerge. All in a database of its own, cognifold_example, which is
    dropped at the end. Needs a superuser's DSN, as the embedded server's is.
    """
    from cognifold_pg.examples.shop.run import play

    play(resolve_dsn(dsn), Console(highlight=False), keep=keep, seed=seed)
