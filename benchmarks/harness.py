"""What every benchmark shares: its arguments, its report, the table it prints and the JSON it writes."""

from __future__ import annotations

import argparse
import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from rich.console import Console
from rich.table import Table

from cognifold_pg.embedded import temporary_server
from cognifold_pg.install import install

# As whom a benchmark speaks where the policies of row-level security are to hold.
ROLE = "cognifold_benchmark"


@dataclass(frozen=True, slots=True)
class Report:
    """One run: ``metrics`` of the product, ``baselines`` of simpler methods on the same data in the same run.

    A baseline's name is the method's, a dot, and the metric it is to be compared with: ``bm25.r_at_10``.
    """

    benchmark: str
    version: str
    data: str
    metrics: Mapping[str, float]
    baselines: Mapping[str, float]


def value(connection: psycopg.Connection[Any], query: str, *parameters: Any) -> Any:
    """The first column of the one row that a query gives."""
    row = connection.execute(query.encode(), parameters).fetchone()
    assert row is not None
    return row[0]


def arguments(description: str, *, data_required: bool = True) -> argparse.ArgumentParser:
    """The arguments all benchmarks take: ``--data``, ``--json``, ``--dsn``."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=data_required, help="the data set's file or folder")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report there, as JSON")
    parser.add_argument("--dsn", help="a PostgreSQL to use instead of the embedded one")
    return parser


@contextmanager
def scratch_database(dsn: str | None) -> Iterator[str]:
    """The DSN of a database that holds the schema and nothing else, gone afterwards.

    Without ``dsn`` on an embedded server of its own, with it a new database of that server.
    """
    if dsn is None:
        with temporary_server(durable=True) as server:
            install(server.dsn())
            yield server.dsn()
        return
    name = f"cognifold_benchmark_{secrets.token_hex(4)}"
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(name))
        )
        try:
            scratch = make_conninfo(dsn, dbname=name)
            install(scratch)
            yield scratch
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@contextmanager
def kept_database(dsn: str, name: str) -> Iterator[str]:
    """The DSN of the database ``name`` of that server, made where it is not, with the schema of now; it stays."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(name))
            )
    kept = make_conninfo(dsn, dbname=name)
    install(kept)
    yield kept


def make_role(admin: psycopg.Connection[Any], *more: str) -> None:
    """Make :data:`ROLE`, a plain login role that writes for every tenant, and give it these memberships besides."""
    role = sql.Identifier(ROLE)
    if not admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone():
        admin.execute(sql.SQL("CREATE ROLE {} LOGIN").format(role))
    memberships = map(sql.Identifier, ("cognifold_writer", "cognifold_multitenant", *more))
    admin.execute(sql.SQL("GRANT {} TO {}").format(sql.SQL(", ").join(memberships), role))


def drop_role(admin: psycopg.Connection[Any]) -> None:
    """And away with it."""
    role = sql.Identifier(ROLE)
    admin.execute(sql.SQL("DROP OWNED BY {}").format(role))
    admin.execute(sql.SQL("DROP ROLE {}").format(role))


def short(size: int) -> str:
    """1k, 10k, 1m; a size between is written out."""
    for unit, name in ((1_000_000, "m"), (1_000, "k")):
        if size >= unit and size % unit == 0:
            return f"{size // unit}{name}"
    return str(size)


def finish(report: Report, write_to: Path | None, console: Console | None = None) -> None:
    """Print the report as a table, one row a metric and one column a method, and write it when asked."""
    console = console or Console()
    console.print(table_of(report))
    if write_to is not None:
        write_to.write_text(json.dumps(asdict(report), indent=2) + "\n")
        console.print(f"written to {write_to}")


def table_of(report: Report) -> Table:
    """``report`` as a table: metrics down, the product and then its baselines across."""
    methods = list(dict.fromkeys(name.partition(".")[0] for name in report.baselines))
    table = Table(title=f"{report.benchmark} · cognifold_pg {report.version} · {report.data}")
    table.add_column("metric")
    table.add_column("cognifold", justify="right", style="bold")
    for method in methods:
        table.add_column(method, justify="right")
    for name, value in report.metrics.items():
        others = [report.baselines.get(f"{method}.{name}") for method in methods]
        table.add_row(name, _shown(value), *(_shown(other) for other in others))
    return table


def _shown(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:g}" if value == int(value) and abs(value) > 1 else f"{value:.3f}"
