"""Make the snapshot of a release: ``python -m tests.upgrade.snapshot --revision REVISION --version 0.1.0``.

The revision's files are taken from this repository's history, its package installs the schema into a server of its
own and lives through its demo, :mod:`tests.upgrade.story` does the rest, and pg_dump writes it down, compressed, beside
what the memory then answered. The rows of the lexicon and of the words' affect, which are the package's and 40 MB, are
left out: :func:`load` loads them as the old release did.
"""

from __future__ import annotations

import argparse
import io
import json
import lzma
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from cognifold_pg.embedded import temporary_server
from cognifold_pg.embedded.backends import find_backend
from cognifold_pg.lexicon import load_affect, load_lexicon
from tests.conftest import make_role
from tests.upgrade import story

FOLDER = Path(__file__).resolve().parent
REPOSITORY = FOLDER.parents[1]

# What the package brings, release by release the same: not worth a megabyte in every snapshot.
SHIPPED = ("lexicon", "lexicon_release", "affect_word", "affect_release")

_NEW_ID = REPOSITORY / "sql" / "repeatable" / "graph" / "new_id.sql"

# Of the dump: psql's own commands, and a setting that older servers do not know.
_NOT_SQL = re.compile(rb"^(\\.*|SET transaction_timeout.*)$", re.MULTILINE)


def main() -> None:
    """Make the snapshot that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--revision", required=True, help="the release's commit or tag")
    parser.add_argument("--version", required=True, help="its version, which names the files")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, temporary_server() as server:
        package = unpack(wanted.revision, wanted.version, Path(folder))
        dsn = server.dsn("postgres", "postgres")
        with psycopg.connect(dsn, autocommit=True) as admin:
            admin.execute("CREATE DATABASE snapshot TEMPLATE template0 ENCODING 'UTF8'")
        dsn = make_conninfo(dsn, dbname="snapshot")
        for command in ("init", "demo"):
            subprocess.run(
                [sys.executable, "-m", "cognifold_pg", command, "--dsn", dsn],
                env=os.environ | {"PYTHONPATH": str(package)}, cwd=folder, check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip
        with psycopg.connect(dsn, autocommit=True) as admin:
            for role, memberships in story.ROLES.items():
                make_role(admin, role, *memberships)
            with psycopg.connect(
                make_conninfo(dsn, user="test_upgrade_app"), autocommit=True, prepare_threshold=None
            ) as app:
                known: dict[str, Any] = story.live(admin, app)
                if empty := story.empty_tables(admin):
                    sys.exit(f"nothing was written to {', '.join(empty)}: the story has to be told differently")
                known |= {"numbers": story.numbers(app), "answers": story.answers(app)}
        text = dump(dsn)
    (FOLDER / f"{wanted.version}.sql.xz").write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    (FOLDER / f"{wanted.version}.json").write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def unpack(revision: str, version: str, folder: Path) -> Path:
    """Lay out a revision as it is installed, and give the folder to import ``cognifold_pg`` from."""
    archive = subprocess.run(["git", "archive", revision], cwd=REPOSITORY, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder / "repository", filter="data")
    for name in ("sql", "migrations", "workers", "examples"):
        (folder / "repository" / name).rename(folder / "repository" / "cognifold_pg" / name)
    # The package asks for its own version, and would find that of the one installed here.
    about = folder / "repository" / f"cognifold_pg-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: cognifold-pg\nVersion: {version}\n", encoding="utf-8"
    )
    return folder / "repository"


def dump(dsn: str) -> bytes:
    """Everything of the database as SQL, but what the package brings."""
    left_out = [f"--exclude-table-data=cognifold.{table}" for table in SHIPPED]
    return subprocess.run(
        [str(find_backend().program("pg_dump")), "--inserts", "--rows-per-insert=500", *left_out, dsn],
        check=True, capture_output=True,
    ).stdout  # fmt: skip


def restore(version: str, dsn: str) -> dict[str, Any]:
    """Put a snapshot into an empty database of a server that has the memory's roles; what was known of it.

    Without what the package brings: see :func:`load`.
    """
    text = _NOT_SQL.sub(b"", lzma.decompress((FOLDER / f"{version}.sql.xz").read_bytes()))
    with psycopg.connect(dsn, autocommit=True) as admin:
        for role, memberships in story.ROLES.items():
            if not admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
                admin.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
            for membership in memberships:
                admin.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(membership), sql.Identifier(role)))
        admin.execute(text)
        if admin.info.server_version < 180000:  # the dump is PostgreSQL 18's: what the release installs on an older one
            admin.execute(_NEW_ID.read_bytes())
    known: dict[str, Any] = json.loads((FOLDER / f"{version}.json").read_text(encoding="utf-8"))
    return known


def load(dsn: str) -> None:
    """What the package brings, as the old release loaded it."""
    with psycopg.connect(dsn) as admin:
        admin.execute("SET search_path = pg_catalog, cognifold, public")
        load_lexicon(admin)
        load_affect(admin)


if __name__ == "__main__":
    main()
