"""The command line: one module per group of commands."""

from __future__ import annotations

import sys

import typer

from cognifold_pg.cli import db
from cognifold_pg.errors import CognifoldError

app = typer.Typer(no_args_is_help=True, help="A memory that folds events into concepts, inside PostgreSQL.")
app.add_typer(db.app, name="db")


def main() -> None:
    """Run the command line; an error of ours is told on standard error, exit status 1."""
    try:
        app()
    except CognifoldError as error:
        print(f"cognifold: {error}", file=sys.stderr)
        raise SystemExit(1) from None
