"""How long does each way to install take, and how large is what it carries?

    python -m benchmarks.installing [--json FILE]

On an embedded server of its own (PostgreSQL 18, which finds extensions in a folder that a setting names), with fsync
on: the shortest of three installs each into a fresh database that has pgvector, by turns. Seconds by the clock: on a
busy machine their ratio counts.

    init_s                 ``cognifold init``
    create_s, migrate_s    ``CREATE EXTENSION cognifold``, and ``SELECT cognifold.migrate()``
    extension_s            both: to be compared with init_s
    again_s, init_again_s  when there is nothing to do
    script_mb, update_mb   the extension's script; an update whose lexicon is the same
    members_mb             what the extension's members take in the database's catalog
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from benchmarks.harness import Report, arguments, finish
from cognifold_pg.embedded import EmbeddedServer, temporary_server
from cognifold_pg.install import install, package_version
from cognifold_pg.sqlbuild import Extension, Release, compose, write

ROUNDS = 3
NAME = "cognifold_installing"


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    parser = arguments(__doc__ or "", data_required=False)
    options = parser.parse_args(argv)
    if options.dsn:
        parser.error("the server is one of its own: it has to find the extension's files")
    extension = compose(releases=[Release("0.0.1", compose(releases=[]).lexicon)])
    share = Path(tempfile.mkdtemp(prefix="cognifold-installing-"))
    try:
        share.chmod(0o755)
        write(extension, share)
        shutil.copytree(share / "pgxs", share / "extension")
        with temporary_server(durable=True) as server:
            metrics = measure(server, share)
    finally:
        shutil.rmtree(share)
    metrics |= sizes(extension)
    init = {"init.extension_s": metrics["init_s"], "init.again_s": metrics["init_again_s"]}
    finish(Report("installing", package_version(), "the lexicon as shipped", metrics, init), options.json)


def sizes(extension: Extension) -> dict[str, float]:
    """Of the scripts, in megabytes."""
    texts = {"script_mb": extension.script, "update_mb": extension.updates["0.0.1"]}
    return {name: len(text.encode()) / 1e6 for name, text in texts.items()}


def measure(server: EmbeddedServer, share: Path) -> dict[str, float]:
    """The shortest time of each step over the rounds."""
    best: dict[str, float] = {}

    def timed(name: str, step: Callable[[], object]) -> None:
        began = time.perf_counter()
        step()
        best[f"{name}_s"] = min(best.get(f"{name}_s", float("inf")), time.perf_counter() - began)

    for _ in range(ROUNDS):
        target = fresh(server.dsn("postgres", "postgres"), share)
        timed("init", partial(install, target))
        timed("init_again", partial(install, target))
        target = fresh(server.dsn("postgres", "postgres"), share)
        before = catalog_megabytes(target)
        timed("create", partial(run, target, "CREATE EXTENSION cognifold"))
        best["members_mb"] = catalog_megabytes(target) - before
        timed("migrate", partial(run, target, "SELECT cognifold.migrate()"))
        timed("again", partial(run, target, "SELECT cognifold.migrate()"))
    best["extension_s"] = best["create_s"] + best["migrate_s"]
    return best


def run(dsn: str, statement: str) -> None:
    """On a connection of its own, which then ends."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(statement.encode())


def catalog_megabytes(dsn: str) -> float:
    """Where functions lie."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute("SELECT pg_total_relation_size('pg_catalog.pg_proc') / 1e6").fetchone()
    assert row is not None
    return float(row[0])


def fresh(dsn: str, share: Path) -> str:
    """The DSN of a database that has pgvector and nothing else, and looks for extensions in the folder."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)".encode())
        connection.execute(f"CREATE DATABASE {NAME} TEMPLATE template0 ENCODING 'UTF8'".encode())
        connection.execute(f"ALTER DATABASE {NAME} SET extension_control_path = '{share}:$system'".encode())
    target = make_conninfo(dsn, dbname=NAME)
    with psycopg.connect(target, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
    return target


if __name__ == "__main__":
    main()
