"""A server that finds the extension, and what two databases on it are compared by."""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from cognifold_pg.embedded import EmbeddedServer
from cognifold_pg.embedded.backends import find_backend
from tests.conftest import Connection

SCHEMAS = ("cognifold", "cognifold_watch")
CLOCKS = ("applied_at", "loaded_at")  # when it was done is not what was done
TABLES = """
SELECT c.oid::regclass::text FROM pg_class AS c
WHERE c.relnamespace::regnamespace::text = ANY (%s) AND c.relkind IN ('r', 'p') ORDER BY 1
"""
LEXICON = """
SELECT count(*)::text || ' ' || md5(string_agg(sha256(convert_to(word, 'UTF8') || float4send(frequency)
    || float4send(document_weight) || halfvec_send(document_vector)), ''::bytea ORDER BY word)) FROM cognifold.lexicon
"""


@dataclass(frozen=True)
class Site:
    """A server, and a folder that its databases look for extensions in: this version and an earlier one, both short."""

    server: EmbeddedServer
    short: Path
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def database(self, template: str = "template0", owner: str = "postgres", share: Path | None = None) -> str:
        """The name of a new database that has pgvector and finds the extension in ``share`` (``short``)."""
        name = f"extension_{next(self.numbers)}"
        with self.connect("postgres") as admin:
            admin.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {} STRATEGY file_copy").format(
                    sql.Identifier(name), sql.Identifier(template), sql.Identifier(owner)
                )
            )
            admin.execute(
                sql.SQL("ALTER DATABASE {} SET extension_control_path = {}").format(
                    sql.Identifier(name), sql.Literal(f"{share or self.short}:$system")
                )
            )
        if template == "template0":
            with self.connect(name) as admin:
                admin.execute("CREATE EXTENSION vector")  # as a managed server's provider does: it is not trusted
        return name

    def connect(self, database: str, user: str = "postgres") -> Connection:
        return psycopg.connect(self.server.dsn(database, user), autocommit=True)


def program(name: str) -> str:
    """The path of one of the backend's programs."""
    path = find_backend().program(name)
    if not path.exists():
        pytest.skip(f"the embedded backend brings no {name}")
    return str(path)


def schema_of(dsn: str) -> list[str]:
    """Everything that pg_dump knows of the memory's schemas: definitions, bodies, owners, rights, policies, comments.

    Members of the extension are not the memory, and not in it.
    """
    command = [program("pg_dump"), "--schema-only", *(f"--schema={name}" for name in SCHEMAS), dsn]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [line for line in text.splitlines() if not re.match(r"\\(un)?restrict ", line)]


def rows_of(dsn: str, tables: Sequence[str] = ()) -> dict[str, str]:
    """A checksum of the rows of each table, or of these; of the lexicon's to the last bit."""
    found = {}
    with psycopg.connect(dsn) as connection:
        for table in tables or [name for (name,) in connection.execute(TABLES, [list(SCHEMAS)])]:
            query = LEXICON
            if table != "cognifold.lexicon":
                query = (
                    "SELECT count(*) || ' ' || coalesce(sum(hashtextextended((to_jsonb(t) - "
                    f"'{{{','.join(CLOCKS)}}}'::text[])::text, 0)::numeric), 0) FROM {table} AS t"
                )
            found[table] = str(connection.execute(query.encode()).fetchone())
    return found
