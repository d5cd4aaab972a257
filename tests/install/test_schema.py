"""The schema as the files make it: compared with what was agreed, compiled, and documented."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from importlib import import_module, resources
from pathlib import Path

import psycopg
import pytest

from cognifold_pg.embedded.backends import find_backend
from cognifold_pg.errors import EmbeddedServerError
from cognifold_pg.sqlfiles import policy_files, repeatable_files
from tests.conftest import Connection, value
from tests.golden import UPDATE, assert_golden

REPOSITORY = Path(__file__).resolve().parents[2]
VERSIONED = REPOSITORY / "sql" / "versioned"
FROZEN = REPOSITORY / "sql" / "frozen.txt"


def dump(dsn: str) -> str:
    """The schema as pg_dump writes it, without what every dump has: settings, notes, blank lines, bodies of functions.

    Those stand in sql/repeatable, comments in the reference, privileges in privileges.txt.
    """
    try:
        program = find_backend().program("pg_dump")
    except EmbeddedServerError:
        pytest.skip("no embedded backend is installed, whose pg_dump this test runs")
    if not program.exists():
        pytest.skip("the embedded backend brings no pg_dump")
    command = [
        str(program),
        "--schema-only",
        "--no-owner",
        "--no-privileges",
        "--no-comments",
        "--schema=cognifold",
        dsn,
    ]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    text = re.sub(r"AS (\$\w*\$).*?\1;", "AS '...';", text, flags=re.DOTALL)
    text = re.sub(
        r"^    (RETURN|BEGIN ATOMIC)\b.*?;\n(?=\n\n)", "    RETURN ...;\n", text, flags=re.DOTALL | re.MULTILINE
    )
    kept = [
        line for line in text.splitlines() if line and not re.match(r"--|SET |SELECT pg_catalog\.set_config|\\", line)
    ]
    return "\n".join(kept) + "\n"


def test_the_schema_is_as_the_golden_dump_says(fresh_dsn: str) -> None:
    with psycopg.connect(fresh_dsn) as connection:
        if connection.info.server_version // 10000 != 18:
            pytest.skip("the dump was made by PostgreSQL 18, and others spell some things differently")
    assert_golden("schema.sql", dump(fresh_dsn))


def frozen_lines() -> list[list[str]]:
    lines = FROZEN.read_text(encoding="utf-8").splitlines() if FROZEN.exists() else []
    return [line.split() for line in lines if line and not line.startswith("#")]


def test_every_versioned_file_has_the_checksum_it_was_frozen_with() -> None:
    """``sql/frozen.txt``: checksum, file, and the release it went out with (``-`` before: it may change)."""
    now = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(VERSIONED.glob("*.sql"))}
    known = {name: (checksum, release) for checksum, name, release in frozen_lines()}
    for name, (checksum, release) in known.items():
        if release != "-":
            assert now.get(name) == checksum, (
                f"{name} went out with release {release} and has changed since. Databases that ran it will not run it "
                "again: put it back, and write the change as a new versioned file with its revision."
            )
    if os.environ.get(UPDATE):
        head = (
            [line for line in FROZEN.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
            if FROZEN.exists()
            else []
        )
        lines = [f"{checksum}  {name}  {known.get(name, ('', '-'))[1]}" for name, checksum in now.items()]
        FROZEN.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")
        known = {name: (checksum, release) for checksum, name, release in frozen_lines()}
    assert {name: checksum for name, (checksum, _) in known.items()} == now, (
        f"{UPDATE}=1 and this test write the checksums of files not released yet."
    )


def test_the_revisions_run_every_versioned_file_once_in_the_order_of_their_names() -> None:
    folder = resources.files("cognifold_pg.migrations.versions")
    names = sorted(path.name.removesuffix(".py") for path in folder.iterdir() if re.match(r"\d{4}_", path.name))
    assert names == [path.stem for path in sorted(VERSIONED.glob("*.sql"))]
    previous = None
    for name in names:
        revision = import_module(f"cognifold_pg.migrations.versions.{name}")
        assert (revision.revision, revision.down_revision) == (name, previous)
        previous = name


def test_every_function_compiles_on_an_installed_database(admin_dsn: str) -> None:
    """The install turns this check off, for files refer to each other; here everything is there to be referred to.

    No variable hides another, either.
    """
    with psycopg.connect(admin_dsn) as connection:
        schema = value(
            connection,
            "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
            "WHERE e.extname = 'vector'",
        )
        connection.execute(f'SET LOCAL search_path = pg_catalog, cognifold, "{schema}", pg_temp'.encode())
        connection.execute("SET LOCAL check_function_bodies = on")
        connection.execute("SET LOCAL plpgsql.extra_warnings = 'all'")
        warned: list[str] = []
        connection.add_notice_handler(lambda notice: warned.append(notice.message_primary or ""))
        connection.execute("SET LOCAL client_min_messages = warning")
        connection.execute("SET LOCAL ROLE cognifold_owner")
        for name, file in (*repeatable_files(), *policy_files()):
            try:
                text = file.read_text(encoding="utf-8")
                connection.execute(text.encode())
            except psycopg.Error as error:
                pytest.fail(f"{name}: {error}", pytrace=False)
            # A variable "found" hides PL/pgSQL's own, which is called FOUND here where it is meant.
            meant = "FOUND" in text.replace("NOT_FOUND", "").replace("NO_DATA_FOUND", "")
            assert [w for w in warned if "shadows" in w and ('"found"' not in w or meant)] == [], name
            warned.clear()
        connection.rollback()


def without_comment(connection: Connection, query: str) -> list[str]:
    return [name for (name,) in connection.execute(query.encode()).fetchall()]


def test_every_table_view_and_function_says_what_it_is(admin: Connection) -> None:
    assert (
        without_comment(
            admin,
            """
        SELECT c.relname FROM pg_class AS c
        WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
          AND obj_description(c.oid, 'pg_class') IS NULL
        UNION ALL
        SELECT p.oid::regprocedure::text FROM pg_proc AS p
        WHERE p.pronamespace = 'cognifold'::regnamespace AND obj_description(p.oid, 'pg_proc') IS NULL
        UNION ALL
        SELECT r.rolname FROM pg_roles AS r
        WHERE r.rolname ~ '^cognifold_' AND shobj_description(r.oid, 'pg_authid') IS NULL
        """,
        )
        == []
    )


# Columns whose name does not say what they hold: every number (its range and unit) and time (which clock), and these.
TELLING = (
    "('fold_state', 'fold_error', 'memory_type', 'digest', 'rate', 'live', 'inferred', 'merged_into', "
    "'indexed_in_part', 'source', 'actor')"
)


def test_every_number_and_time_of_a_view_says_its_unit_range_or_clock(admin: Connection) -> None:
    assert (
        without_comment(
            admin,
            f"""
        SELECT c.relname || '.' || a.attname
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relname IN ('event', 'concept', 'intent', 'edge')
          AND (a.atttypid IN ('real'::regtype, 'double precision'::regtype, 'timestamptz'::regtype)
               OR a.attname IN {TELLING})
          AND col_description(c.oid, a.attnum) IS NULL
        ORDER BY 1
        """,
        )
        == []
    )


def test_a_fresh_tenant_violates_nothing(connection: Connection) -> None:
    assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []


@pytest.mark.parametrize("damage", ["digest", "count", "queue"])
def test_the_check_finds_damage(admin: Connection, connection: Connection, tenant: str, damage: str) -> None:
    """The check on the test above, past every rule that keeps a memory sound."""
    value(connection, "SELECT cognifold.remember('a sound event')")
    connection.execute("SELECT * FROM cognifold.fold()").fetchall()
    assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []
    admin.execute(
        {
            "digest": b"UPDATE cognifold.node_content SET content = 'an altered event' WHERE tenant_id = %s",
            "count": b"UPDATE cognifold.lexical_statistics SET document_count = 7 WHERE tenant_id = %s",
            "queue": b"DELETE FROM cognifold.folded_event WHERE tenant_id = %s",
        }[damage],
        [tenant],
    )
    violations = connection.execute("SELECT invariant FROM cognifold.check()").fetchall()
    assert violations == [
        (
            {
                "digest": "an event never changes",
                "count": "the lexical statistics count the indexed events",
                "queue": "an event waits or is folded, never both or neither",
            }[damage],
        )
    ]
