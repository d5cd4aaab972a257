"""`cognifold graph`: a tenant's graph in Apache AGE, from its making to its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.memory import Dsn, Tenant
from cognifold_pg.cli.rights import told_plainly
from cognifold_pg.client import Memory
from cognifold_pg.graph import prepare

app = typer.Typer(no_args_is_help=True, help="A tenant's memory as a graph in Apache AGE, beside the tables.")
_console = Console(highlight=False, soft_wrap=True)


@contextmanager
def _memory(dsn: str | None, tenant: str, role: str) -> Iterator[Memory]:
    with told_plainly(dsn, role, tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        yield memory


def _value(memory: Memory, query: str, parameters: list[Any] | None = None) -> Any:
    return memory.rows(f"SELECT {query} AS value", parameters or [])[0]["value"]


@app.command()
def enable(tenant: Tenant = "default", dsn: Dsn = None) -> None:
    """Give the tenant a graph, and fill it. Workers keep it up to date from then on. Needs a superuser."""
    with told_plainly(dsn, "a superuser"):
        prepare(ready_dsn(dsn))
    with _memory(dsn, tenant, "a superuser") as memory:
        graph = _value(memory, "cognifold.graph_enable()")
        stored = _value(memory, "cognifold.graph_rebuild()")
    _console.print(f"tenant {tenant} has the graph {graph}: {stored} nodes and edges", markup=False)


@app.command()
def disable(tenant: Tenant = "default", dsn: Dsn = None) -> None:
    """Take the tenant's graph away. The memory keeps all it knows."""
    with _memory(dsn, tenant, "cognifold_owner") as memory:
        was_there = _value(memory, "cognifold.graph_disable()")
    _console.print(f"the graph of tenant {tenant} is gone" if was_there else f"tenant {tenant} had none", markup=False)


@app.command()
def rebuild(tenant: Tenant = "default", dsn: Dsn = None) -> None:
    """Fill the graph anew from the tables; one that a restore has broken is made anew first. Needs a superuser."""
    with _memory(dsn, tenant, "a superuser") as memory:
        _value(memory, "cognifold.graph_enable()")
        stored = _value(memory, "cognifold.graph_rebuild()")
    _console.print(f"{stored} nodes and edges", markup=False)


@app.command()
def sync(
    tenant: Tenant = "default",
    batch: Annotated[int, typer.Option(min=1, help="Changes in one transaction.")] = 2000,
    dsn: Dsn = None,
) -> None:
    """Carry over what has changed, batch by batch. Workers do so by themselves."""
    total = 0
    with _memory(dsn, tenant, "cognifold_writer") as memory:
        while carried := _value(memory, "cognifold.graph_sync(%s)", [batch]):
            total += carried
    _console.print(f"{total} changes carried over")


@app.command()
def status(dsn: Dsn = None) -> None:
    """Say which tenants have a graph, and how far each is behind. All of them as a member of cognifold_monitor."""
    import psycopg

    with (
        told_plainly(dsn, "cognifold_monitor"),
        psycopg.connect(ready_dsn(dsn), autocommit=True, prepare_threshold=None) as connection,
    ):
        rows = connection.execute(
            "SELECT tenant_id, graph_name, version, plans, changes, round(seconds::numeric, 1), stale "
            "FROM cognifold.graph_lag ORDER BY tenant_id"
        ).fetchall()
    table = Table("tenant", "graph", "shows plan", "plans behind", "changes behind", "seconds behind", "to be rebuilt")
    for *cells, stale in rows:
        table.add_row(*map(str, cells), "yes" if stale else "")
    _console.print(table if rows else "no tenant has a graph")
