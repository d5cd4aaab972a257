"""`cognifold extension`: the same SQL files as an extension, for servers without Python."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Build the extension, for servers without Python.")


@app.callback()
def extension() -> None:
    """A group, though it has one command: ``cognifold extension build`` says what is built."""


@app.command()
def build(
    folder: Annotated[Path, typer.Argument(help="Where pgxs/ and pg_tle/ are written.", show_default=False)],
) -> None:
    """Write the extension of this version: `pgxs/` for `make install`, `pg_tle/` for servers out of reach."""
    from cognifold_pg.sqlbuild import build

    build(folder)
