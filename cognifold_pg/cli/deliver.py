"""Post what happens to intents to the webhooks that asked for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.rights import told_plainly
from cognifold_pg.errors import InvalidValueError


def deliver(
    tenant: Annotated[str | None, typer.Option(help="Only this tenant's consumer, with --consumer.")] = None,
    consumer: Annotated[str | None, typer.Option(help="Only this consumer; default: all that have a webhook.")] = None,
    every: Annotated[float, typer.Option(min=0.05, help="Seconds between two looks, when no doorbell rings.")] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Stop when nothing more can be delivered now.")] = False,
    secrets: Annotated[
        Path | None,
        typer.Option(envvar="COGNIFOLD_WEBHOOK_SECRETS", help="Folder of the signing secrets named file:NAME."),
    ] = None,
    parallel: Annotated[int, typer.Option(min=1, max=64, help="So many webhooks are posted to at once.")] = 4,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Post to addresses of private networks, too.")
    ] = False,
    dsn: Annotated[
        str | None, typer.Option("--dsn", help="Another PostgreSQL than COGNIFOLD_DSN or the embedded one.")
    ] = None,
) -> None:
    """Post what happens to intents to webhooks (SQL: set_webhook), until stopped.

    SIGTERM finishes the posts in hand and gives back what else was taken.
    """
    from cognifold_pg.webhooks import Secrets
    from cognifold_pg.workers.delivering import Posting, deliver_waiting, run

    if (tenant is None) != (consumer is None):
        raise InvalidValueError("--tenant and --consumer go together: a consumer is one of a tenant's.")
    only = None if tenant is None or consumer is None else (tenant, consumer)
    posting = Posting(allow_private, Secrets(secrets), parallel)
    with told_plainly(dsn, "cognifold_worker"):
        resolved = ready_dsn(dsn)
        if once:
            Console(highlight=False).print(f"{deliver_waiting(resolved, posting, only)} delivered")
        else:
            run(resolved, every, posting, only)
