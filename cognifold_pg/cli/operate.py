"""The commands of whoever keeps it running: the worker, the doctor, the metrics."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import psycopg
import typer
from rich.console import Console
from rich.text import Text

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.memory import TENANT, Dsn
from cognifold_pg.cli.rights import told_plainly
from cognifold_pg.connect import resolve_dsn
from cognifold_pg.errors import InvalidValueError

if TYPE_CHECKING:
    from cognifold_pg.embedding import EmbeddingProvider
    from cognifold_pg.planner import Planner

# Seconds that a worker waits at its start for a database that is away.
PATIENCE = 60.0

_COLOURS = {"error": "bold red", "warning": "yellow", "note": "dim"}


def worker(
    every: Annotated[float, typer.Option(min=0.05, help="Seconds between two looks for work.")] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Stop when nothing waits.")] = False,
    slots: Annotated[
        str, typer.Option(help="What it does: fold, light, heavy, deliver; with commas.")
    ] = "fold,light,heavy,deliver",
    listen: Annotated[bool, typer.Option(help="Be woken by remember; a pooler may not let that through.")] = True,
    model: Annotated[
        str | None, typer.Option(help="Fold with this language model (or COGNIFOLD_LLM_MODEL); else with SQL.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Its server, speaking OpenAI's protocol (or COGNIFOLD_LLM_BASE_URL).")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(help="How it is told what to look for: a name or a file (or COGNIFOLD_LLM_PROFILE).")
    ] = None,
    embed: Annotated[
        list[str] | None,
        typer.Option(help="Make the vectors of tenants with this embedding model, as registered; may be repeated."),
    ] = None,
    embed_url: Annotated[str | None, typer.Option(help="The service of embedding models by OpenAI's protocol.")] = None,
    dimensions: Annotated[int, typer.Option(min=1, max=4000, help="Their vectors' length.")] = 1536,
    webhook_secrets: Annotated[
        Path | None,
        typer.Option(envvar="COGNIFOLD_WEBHOOK_SECRETS", help="Folder of the signing secrets named file:NAME."),
    ] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Post to webhooks in private networks, too.")
    ] = False,
    metrics_address: Annotated[
        str | None, typer.Option("--metrics", metavar="[HOST:]PORT", help="Serve /metrics and /health there.")
    ] = None,
    log: Annotated[str, typer.Option(help="How to log to standard error: text or json.")] = "text",
    quiet: Annotated[bool, typer.Option("--quiet", help="Log only what went wrong; no status line.")] = False,
    dsn: Dsn = None,
) -> None:
    """Do all that waits and all that is due, for every tenant, until stopped.

    It folds what arrives, lets memories sleep, has intents surface, makes and indexes vectors, posts to webhooks. Any
    number may run, and each may be killed: what one leaves another takes up. A key for the model is taken from
    COGNIFOLD_LLM_API_KEY.
    """
    from cognifold_pg.webhooks import Secrets
    from cognifold_pg.workers.delivering import Posting
    from cognifold_pg.workers.folding import AttendedPlanner
    from cognifold_pg.workers.logs import log_to_stderr
    from cognifold_pg.workers.service import SLOTS, Service, run_once
    from cognifold_pg.workers.waiting import when_it_answers

    chosen = [name.strip() for name in slots.split(",") if name.strip()]
    if not chosen or not set(chosen) <= set(SLOTS):
        raise InvalidValueError(f"--slots {slots}: give one or more of {', '.join(SLOTS)}, with commas between them.")
    if log not in ("text", "json"):
        raise InvalidValueError(f"--log {log}: give text or json.")
    address = None if metrics_address is None else _address(metrics_address)
    planner = _planner(model, base_url, profile)
    embedders = {name: _embedder(name, embed_url, dimensions) for name in embed or ()}
    posting = Posting(allow_private, Secrets(webhook_secrets))
    console = Console(highlight=False)
    errors = Console(stderr=True, highlight=False)
    with told_plainly(dsn, "cognifold_worker"):
        if once:
            resolved = ready_dsn(dsn)
            attended = None if planner is None else AttendedPlanner(planner)
            console.print(f"{run_once(resolved, attended, embedders, posting)} events taken up")
            if attended is not None and attended.is_away:
                console.print("The model does not answer: what waits, and why, is in the view cognifold.fold_queue.")
                raise typer.Exit(1)
            return
        resolved = when_it_answers(
            lambda: _working_dsn(dsn),
            lambda error, wait: errors.print(
                f"the database does not answer; next try in {wait:g} s: {error}", markup=False
            ),
            PATIENCE,
        )
        shown = errors.is_terminal and not quiet
        log_to_stderr(log, logging.WARNING if quiet or shown else logging.INFO)
        if not shown:
            Service(
                resolved, every=every, planner=planner, embedders=embedders, slots=chosen, listen=listen,
                metrics=address, posting=posting,
            ).run()  # fmt: skip
            return
        with errors.status("looking for work") as line:
            Service(
                resolved, every=every, planner=planner, embedders=embedders, slots=chosen, listen=listen,
                metrics=address, posting=posting, on_status=line.update,
            ).run()  # fmt: skip


def doctor(
    tenant: Annotated[
        str | None,
        typer.Option(help="Only this tenant's work.", show_default="all the role may see", envvar=TENANT),
    ] = None,
    dsn: Dsn = None,
) -> None:
    """Say what is wrong with the running memory and what to do; exit status 1 if it does not work.

    Tells of every tenant as a member of cognifold_monitor or cognifold_worker; a role bound to tenants names one.
    """
    console = Console(highlight=False, soft_wrap=True)
    resolved = resolve_dsn(dsn)
    try:
        with (
            told_plainly(dsn, "cognifold_monitor"),
            psycopg.connect(resolved, autocommit=True, prepare_threshold=None) as connection,
        ):
            if tenant is not None:
                connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
            installed = connection.execute("SELECT to_regclass('cognifold.diagnosis') IS NOT NULL").fetchone()
            found = (
                connection.execute("SELECT severity, subject, finding, remedy FROM cognifold.diagnosis").fetchall()
                if installed == (True,)
                else [("error", "schema", "the memory is not installed here, or older than this program",
                       "Run: cognifold init")]
            )  # fmt: skip
    except psycopg.OperationalError as error:
        found = [("error", "server", f"no connection: {' '.join(str(error).split())}",
                  "Start the server, or name another with --dsn or COGNIFOLD_DSN.")]  # fmt: skip
    found.sort(key=lambda row: list(_COLOURS).index(row[0]))
    for severity, subject, finding, remedy in found:
        console.print(Text.assemble((severity, _COLOURS[severity]), f"  {subject}: {finding}"))
        console.print(Text(f"    {remedy}", style="italic"))
    errors = sum(row[0] == "error" for row in found)
    if not found:
        console.print("All is well.")
    if errors:
        raise typer.Exit(1)


def metrics(
    tenants: Annotated[int, typer.Option(min=0, help="So many tenants have series of their own.")] = 100,
    dsn: Dsn = None,
) -> None:
    """Print how work stands, in Prometheus's text format. (A worker serves it: cognifold worker --metrics 9187.)"""
    from cognifold_pg.workers.metrics import collect

    with told_plainly(dsn, "cognifold_monitor"):
        sys.stdout.write(collect(resolve_dsn(dsn), tenants))


def _working_dsn(dsn: str | None) -> str:
    """The database that is meant, in which this role may work."""
    resolved = ready_dsn(dsn)
    _check_rights(resolved)
    return resolved


def _check_rights(dsn: str) -> None:
    """Once, at the beginning: later a refusal is one failure among others, and tried again."""
    with psycopg.connect(dsn, autocommit=True, prepare_threshold=None) as connection:
        connection.execute("SELECT FROM cognifold.tenants_with_work() LIMIT 0")


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise InvalidValueError(f"--metrics {text}: give a port, or host:port.")
    return host.strip("[]") or "127.0.0.1", int(port)


def _planner(model: str | None, base_url: str | None, profile: str | None) -> Planner | None:
    """The planner that the options, and for the rest the environment, name; None: the SQL planner."""
    named = {"MODEL": model, "BASE_URL": base_url, "PROFILE": profile}
    given = {f"COGNIFOLD_LLM_{name}": text for name, text in named.items() if text is not None}
    environment = {**os.environ, **given}
    if not environment.get("COGNIFOLD_LLM_MODEL", "").strip():
        if given:
            raise InvalidValueError("--base-url and --profile are for a language model. Name it with --model.")
        return None
    from cognifold_pg.planner import LanguagePlanner

    return LanguagePlanner.from_environment(environment)


def _embedder(model: str, url: str | None, dimensions: int) -> EmbeddingProvider:
    from cognifold_pg.embedding import MiniLMEmbedder, OpenAICompatibleEmbedder

    if model == MiniLMEmbedder.name and url is None:
        return MiniLMEmbedder()
    return OpenAICompatibleEmbedder(model, dimensions, base_url=url)
