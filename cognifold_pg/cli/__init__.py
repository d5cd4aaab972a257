"""The command line: one module per command or group of commands, put together here."""

from __future__ import annotations

import sys

import psycopg
import typer

from cognifold_pg.cli import db, extension, graph
from cognifold_pg.cli.consolidate import consolidate
from cognifold_pg.cli.deliver import deliver
from cognifold_pg.cli.demo import demo
from cognifold_pg.cli.example import example
from cognifold_pg.cli.forget import forget
from cognifold_pg.cli.govern import clearance, grant, grants, retention, revoke
from cognifold_pg.cli.ingest import ingest
from cognifold_pg.cli.layout import partition
from cognifold_pg.cli.memory import ask, check, context, init, recall, tenant
from cognifold_pg.cli.operate import doctor, metrics, worker
from cognifold_pg.cli.transfer import export_, import_
from cognifold_pg.cli.upgrade import upgrade
from cognifold_pg.cli.vectors import index, reembed
from cognifold_pg.cli.watch import backfill, unwatch, watch, watched
from cognifold_pg.errors import CognifoldError

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_show_locals=False,  # locals would show what the memory holds
    help="PostgreSQL that remembers: events fold into concepts, in the database you already run.",
)
app.command()(init)
app.command()(upgrade)
app.command()(demo)
app.command()(example)
app.command()(ingest)
app.command()(ask)
app.command()(recall)
app.command()(context)
app.command()(check)
app.command()(consolidate)
app.command()(forget)
app.command()(worker)
app.command()(deliver)
app.command()(doctor)
app.command()(metrics)
app.command()(tenant)
app.command()(partition)
app.command()(index)
app.command()(reembed)
app.command("export")(export_)
app.command("import")(import_)
app.command()(watch)
app.command()(unwatch)
app.command()(watched)
app.command()(backfill)
app.command()(grant)
app.command()(revoke)
app.command()(grants)
app.command()(clearance)
app.add_typer(retention, name="retention")
app.add_typer(db.app, name="db")
app.add_typer(extension.app, name="extension")
app.add_typer(graph.app, name="graph")


def main() -> None:
    """Run the command line; an error of ours or the database's is told on standard error, exit status 1."""
    try:
        app()
    except (CognifoldError, psycopg.Error) as error:
        print(f"cognifold: {error}", file=sys.stderr)
        raise SystemExit(1) from None
