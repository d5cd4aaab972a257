"""How fast does one tenant leave as a file and come back, beside pg_dump and psql of the same rows?

    python -m benchmarks.transfer [--nodes N] [--json FILE] [--dsn DSN]

Needs no data: a grown memory (``benchmarks.synthetic``, 10,000 nodes unless ``--nodes`` says otherwise) is exported and
imported under another name, without vectors, which the import then makes anew, and with them. Measured:

    export_s, export_rows_per_s            lines written to a file
    import_s, import_rows_per_s            lines read, checked, written, and indexed anew
    export_vectors_s, import_vectors_s     the same with the vectors in the file
    file_mb, file_vectors_mb               the files, not packed

The baseline ``pg_dump`` is the whole database without the lexicon's rows, written as a script and run by psql into an
empty database: it has every index row in it that the import makes anew, and nothing to check or to make.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from benchmarks.harness import Report, arguments, finish, scratch_database, short
from benchmarks.synthetic import grow
from cognifold_pg.embedded import find_backend
from cognifold_pg.install import package_version
from cognifold_pg.transfer import export_tenant, import_tenant

TENANT = "grown"


def main() -> None:
    """Measure and report."""
    parser = arguments(__doc__ or "", data_required=False)
    parser.add_argument("--nodes", type=int, default=10_000, help="how large a memory (10,000)")
    options = parser.parse_args()
    with scratch_database(options.dsn) as dsn, tempfile.TemporaryDirectory() as folder:
        with psycopg.connect(dsn, autocommit=True) as admin:
            grow(admin, TENANT, options.nodes)
            admin.execute("VACUUM ANALYZE")
        baselines = dumped(dsn, Path(folder))
        metrics = transfers(dsn, Path(folder))
    finish(
        Report("transfer", package_version(), f"{short(options.nodes)} nodes, grown", metrics, baselines), options.json
    )


def transfers(dsn: str, folder: Path) -> dict[str, float]:
    """Export and import, without vectors and with them."""
    metrics: dict[str, float] = {}
    for embeddings, name in ((False, ""), (True, "_vectors")):
        file = folder / f"memory{name}.jsonl"
        done, metrics[f"export{name}_s"] = timed(partial(export_tenant, dsn, TENANT, file, embeddings=embeddings))
        copy = f"copy{name}"
        _, metrics[f"import{name}_s"] = timed(partial(import_tenant, dsn, file, tenant=copy))
        metrics[f"file{name}_mb"] = file.stat().st_size / 1e6
        if not embeddings:
            metrics["rows"] = done.lines
            metrics["export_rows_per_s"] = done.lines / metrics["export_s"]
            metrics["import_rows_per_s"] = done.lines / metrics["import_s"]
        with psycopg.connect(dsn) as admin:
            assert admin.execute("SELECT * FROM cognifold.check(%s)", [copy]).fetchall() == []
    return metrics


def dumped(dsn: str, folder: Path) -> dict[str, float]:
    """The same by PostgreSQL's own programs, while there is no copy yet."""
    name = f"{conninfo_to_dict(dsn)['dbname']}_restored"
    script = folder / "memory.sql"
    backend = find_backend()
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(name)))
    target = make_conninfo(dsn, dbname=name)
    dump = [backend.program("pg_dump"), "--exclude-table-data=cognifold.lexicon", "--file", script, "--dbname", dsn]
    restore = [backend.program("psql"), "-X", "-q", "-o", "/dev/null", "--file", script, "--dbname", target]
    try:
        _, dump_s = timed(partial(subprocess.run, dump, check=True))
        _, restore_s = timed(partial(subprocess.run, restore, check=True))
    finally:
        with psycopg.connect(dsn, autocommit=True) as admin:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
    return {
        "pg_dump.export_s": dump_s, "pg_dump.import_s": restore_s, "pg_dump.file_mb": script.stat().st_size / 1e6,
    }  # fmt: skip


def timed(action: Callable[[], Any]) -> tuple[Any, float]:
    """What it returned, and how many seconds it took."""
    begun = time.perf_counter()
    result = action()
    return result, time.perf_counter() - begun


if __name__ == "__main__":
    main()
