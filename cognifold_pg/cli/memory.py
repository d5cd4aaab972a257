"""The small commands: install the memory, make a tenant, ask it, check it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from cognifold_pg.arguments import Narrowing
from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.rights import told_plainly
from cognifold_pg.client import Memory
from cognifold_pg.connect import resolve_dsn
from cognifold_pg.install import install, install_roles
from cognifold_pg.results import RecallExplanation

Dsn = Annotated[str | None, typer.Option("--dsn", help="Another PostgreSQL than COGNIFOLD_DSN or the embedded one.")]
# Says once for all commands whose memory is meant.
TENANT = "COGNIFOLD_TENANT"
Tenant = Annotated[str, typer.Option(help="Whose memory.", envvar=TENANT)]


def init(
    dsn: Dsn = None,
    roles_only: Annotated[
        bool, typer.Option("--roles-only", help="Only the roles, which a server needs that is to restore a dump.")
    ] = False,
) -> None:
    """Install the memory in the database, or bring it up to date. Doing it again changes nothing."""
    console = Console(highlight=False, soft_wrap=True)
    if roles_only:
        install_roles(resolve_dsn(dsn))
        console.print("The memory's roles are there.")
        return
    report = install(resolve_dsn(dsn))
    for warning in report.warnings:
        console.print(f"warning: {warning}", markup=False)
    if not report.applied and not report.lexicon_loaded:
        console.print("Up to date: nothing to do.")
        return
    console.print(f"{len(report.applied)} SQL files applied" + (", lexicon loaded" if report.lexicon_loaded else ""))


def tenant(
    name: Annotated[str, typer.Argument(show_default=False)],
    time_zone: Annotated[str, typer.Option(help="The zone dates in texts are read in.")] = "UTC",
    model: Annotated[str, typer.Option(help="The embedding model, as registered.")] = "lexicon",
    dsn: Dsn = None,
) -> None:
    """Make a tenant: whose memory it is."""
    with told_plainly(dsn, "cognifold_writer"), Memory(ready_dsn(dsn), tenant=name, pool_size=1) as memory:
        made = memory.create_tenant(time_zone=time_zone, model=model)
    Console(highlight=False).print(f"tenant {name} {'made' if made else 'was there'}", markup=False)


def ask(
    query: Annotated[str, typer.Argument(show_default=False)],
    tenant: Tenant = "default",
    k: Annotated[int, typer.Option(min=1, max=1000, help="How many memories.")] = 5,
    dsn: Dsn = None,
) -> None:
    """Recall what answers a question."""
    recall(query, tenant, k, dsn=dsn)


def recall(
    query: Annotated[str, typer.Argument(show_default=False)],
    tenant: Tenant = "default",
    k: Annotated[int, typer.Option(min=1, max=1000, help="How many memories.")] = 5,
    explain: Annotated[bool, typer.Option("--explain", help="Say what each score is made of.")] = False,
    kind: Annotated[list[str] | None, typer.Option(help="Only event, concept, intent or time; repeatable.")] = None,
    actor: Annotated[list[str] | None, typer.Option(help="Only what this one said or did; may be repeated.")] = None,
    dsn: Dsn = None,
) -> None:
    """Recall what answers a question, best first."""
    console = Console(highlight=False)
    with told_plainly(dsn, "cognifold_reader", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        narrowing: Narrowing = {"kinds": kind or None, "actors": actor or None}
        if explain:
            for why in memory.explain_recall(query, k, **narrowing):
                console.print(_line(why.score, why.occurred_at, why.kind, why.actor, why.title))
                console.print(Text(f"        {_made_of(why)}", style="dim"))
            return
        rows = memory.recall(query, k, **narrowing)
    for row in rows:
        console.print(_line(row.score, row.occurred_at, row.kind, row.actor, row.content))


def context(
    query: Annotated[str, typer.Argument(show_default=False)],
    tenant: Tenant = "default",
    budget: Annotated[int, typer.Option(min=50, max=1_000_000, help="How many tokens it may have.")] = 1000,
    dsn: Dsn = None,
) -> None:
    """Print what the memory knows about a question as a text for a prompt."""
    with told_plainly(dsn, "cognifold_reader", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        print(memory.context(query, budget).text)


def _line(score: float, occurred_at: datetime, kind: str, actor: str | None, said: str) -> Text:
    line = Text(f"{score:6.3f}  ", style="bold")
    line.append(f"{occurred_at:%Y-%m-%d} {kind:<8}", style="cyan not bold")
    line.append(f"{actor + ': ' if actor else ''}{' '.join(said.split())}", style="not bold")
    return line


def _made_of(why: RecallExplanation) -> str:
    """(meaning .37 + words .98) * recency .72, and by which path."""
    signals = " + ".join(f"{name} {brought:.2f}" for name, brought in why.signals.items())
    factors = "".join(f" * {name} {factor:.2f}" for name, factor in why.factors.items() if factor != 1)
    path = " -> ".join(node["title"] for node in why.path or ())
    return f"({signals}){factors}" + (f"; by way of {path}" if path else "")


def check(tenant: Tenant = "default", dsn: Dsn = None) -> None:
    """Look for violated invariants; exit status 1 if there are any."""
    console = Console(highlight=False)
    with told_plainly(dsn, "cognifold_reader", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        violations = memory.check()
    for row in violations:
        console.print(f"{row.invariant}: {row.subject}: {row.detail}", markup=False)
    console.print(f"tenant {tenant}: {len(violations) or 'no'} violated invariants", markup=False)
    if violations:
        raise typer.Exit(1)
