"""Commands for administrators: who has which rights, who sees how much, and how long what is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import psycopg
import typer
from rich.console import Console
from rich.table import Table

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.memory import Dsn, Tenant
from cognifold_pg.cli.rights import told_plainly
from cognifold_pg.client import Memory
from cognifold_pg.errors import errors_by_class

Role = Annotated[str, typer.Argument(help="A role of the server, as written.", show_default=False)]
Profile = Annotated[
    str,
    typer.Argument(
        help="reader, writer, governor, worker, monitor, auditor, multitenant, clock or partial.", show_default=False
    ),
]
Bound = Annotated[str | None, typer.Option(help="Bind the role to this tenant, or loose it from it.")]

retention = typer.Typer(no_args_is_help=True, help="How long a memory keeps what.")


def grant(role: Role, profile: Profile, tenant: Bound = None, dsn: Dsn = None) -> None:
    """Give a role a profile, and bind it to a tenant."""
    changed = _asked(dsn, "SELECT cognifold.grant_to(%s, %s, %s)", [role, profile, tenant])[0][0]
    _say(f"{role} {'is' if changed else 'was'} {profile}" + (f" of tenant {tenant}" if tenant else ""))


def revoke(role: Role, profile: Profile, tenant: Bound = None, dsn: Dsn = None) -> None:
    """Take a profile from a role; with --tenant only its binding to that one."""
    changed = _asked(dsn, "SELECT cognifold.revoke_from(%s, %s, %s)", [role, profile, tenant])[0][0]
    what = f"bound to tenant {tenant}" if tenant else profile
    _say(f"{role} is no longer {what}" if changed else f"{role} was not {what}")


def grants(dsn: Dsn = None) -> None:
    """Show which role has which profile, for which tenant, and how private a memory it sees there."""
    _table(
        ("role", "profile", "by way of", "tenant", "clearance"),
        _asked(
            dsn,
            "SELECT role_name, profile, by_way_of, tenant_id, clearance FROM cognifold.grants ORDER BY 1, 2, 4",
        ),
    )


def clearance(
    role: Annotated[str, typer.Argument(help='A role; "public" for all without one.', show_default=False)],
    level: Annotated[str, typer.Argument(help="private (all), shared, public; none.", show_default=False)],
    tenant: Tenant = "default",
    dsn: Dsn = None,
) -> None:
    """Say how private a memory a role may see."""
    _asked(dsn, "SELECT cognifold.set_clearance(%s, %s, %s)", [role, None if level == "none" else level, tenant])
    _say(f"{role}: {level} in tenant {tenant}")


@retention.command("list")
def list_rules(tenant: Tenant = "default", dsn: Dsn = None) -> None:
    """Show the rules."""
    with told_plainly(dsn, "cognifold_reader", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        rules = memory.retention()
    _table(
        ("rule", "keep", "then", "kind", "sources", "levels", "types"),
        [
            (r.name, r.keep, r.action, r.kind, *map(_any_of, (r.sources, r.privacy_levels, r.memory_types)))
            for r in rules
        ],
    )


@retention.command("set")
def set_rule(
    name: Annotated[str, typer.Argument(show_default=False)],
    keep: Annotated[str, typer.Argument(help='How long, such as "1 year".', show_default=False)],
    action: Annotated[str, typer.Option("--then", help="archive or forget.")] = "archive",
    kind: Annotated[str, typer.Option(help="event, concept or intent.")] = "event",
    source: Annotated[list[str] | None, typer.Option(help="Only from this source; repeatable.")] = None,
    level: Annotated[list[str] | None, typer.Option(help="Only of this privacy level; repeatable.")] = None,
    memory_type: Annotated[list[str] | None, typer.Option(help="Only of this memory type; repeatable.")] = None,
    tenant: Tenant = "default",
    dsn: Dsn = None,
) -> None:
    """Make a rule, or set one of that name anew. Workers apply the rules once a day."""
    needed = "cognifold_governor" if action == "forget" else "cognifold_writer"
    with told_plainly(dsn, needed, tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        memory.set_retention(
            name, keep, action, kind=kind, sources=source or None, privacy_levels=level or None,
            memory_types=memory_type or None,
        )  # fmt: skip
    _say(f"{name}: {action} after {keep}")


@retention.command("remove")
def remove_rule(
    name: Annotated[str, typer.Argument(show_default=False)], tenant: Tenant = "default", dsn: Dsn = None
) -> None:
    """Take a rule away."""
    with told_plainly(dsn, "cognifold_writer", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        memory.remove_retention(name)
    _say(f"{name} removed")


@retention.command("apply")
def apply_rules(tenant: Tenant = "default", dsn: Dsn = None) -> None:
    """Apply the rules now."""
    with told_plainly(dsn, "cognifold_writer", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        done = memory.apply_retention()
    _say(f"{done.looked_at} looked at, {done.archived} archived, {done.forgotten} forgotten")


def _asked(dsn: str | None, query: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows; an error of the memory's own comes with its remedy."""
    with (
        told_plainly(dsn, "cognifold_owner"),
        psycopg.connect(ready_dsn(dsn), autocommit=True) as connection,
        errors_by_class(),
    ):
        return connection.execute(query.encode(), parameters).fetchall()


def _any_of(values: Sequence[str] | None) -> str:
    return "any" if values is None else ", ".join(values)


def _table(heading: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    table = Table(*heading, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*("" if cell is None else str(cell) for cell in row))
    Console(highlight=False, soft_wrap=True).print(table, markup=False)


def _say(text: str) -> None:
    Console(highlight=False, soft_wrap=True).print(text, markup=False)
