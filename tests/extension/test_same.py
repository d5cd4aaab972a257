"""Whichever way a memory was made, it is the same; and the ways can be mixed and changed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from cognifold_pg.install import _prepare, install
from cognifold_pg.sqlbuild import compose, write
from tests.conftest import value
from tests.extension.conftest import EARLIER, KEEPER, LEXICON, at_once, migrate, note_lexicon
from tests.extension.site import Site, program, rows_of, schema_of
from tests.golden import FOLDER
from tests.install.smoke import assert_remembers_folds_recalls_and_explains
from tests.install.test_schema import dump

OLD_HEADLINE = """
UPDATE cognifold.schema_migration SET sha256 = 'of an older release' WHERE name = 'capture/headline.sql';
CREATE OR REPLACE FUNCTION cognifold.headline(content text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'old' $$;
"""
BY_HAND = "ALTER FUNCTION cognifold.plain_letters(text) COST 7"
POLICIES = ["policies/clearance.sql", "policies/privileges.sql", "policies/row_level_security.sql"]
AFTER_HEADLINE = ["capture/headline.sql", *POLICIES]


LOADED = ["cognifold.lexicon", "cognifold.lexicon_release"]


@pytest.fixture(scope="module")
def by_extension(site: Site, open_folder: Callable[[], Path]) -> str:
    """The name of a database by a plain role's CREATE EXTENSION and migrate(), lexicon and all; to be copied only."""
    folder = open_folder()
    write(compose(releases=[]), folder)
    (folder / "pgxs").rename(folder / "extension")
    database = site.database(owner=KEEPER, share=folder)
    with site.connect(database, KEEPER) as keeper:
        keeper.execute("CREATE EXTENSION cognifold")
    assert migrate(site.server.dsn(database, KEEPER)) != []
    return database


def assert_is_as(site: Site, database: str, schema: list[str], rows: dict[str, str]) -> None:
    """The database is as init makes one, but for the lexicon's words."""
    dsn = site.server.dsn(database)
    now = schema_of(dsn)
    assert set(now) ^ set(schema) == set()
    assert now == schema
    found = rows_of(dsn)
    assert {table for table in rows if found.get(table) != rows[table]} <= set(LOADED)


def test_the_roles_are_made_by_who_migrates_first_and_say_what_they_are_for(site: Site) -> None:
    with site.connect("postgres") as admin:
        roles = admin.execute(
            """
            SELECT r.rolname, shobj_description(r.oid, 'pg_authid') IS NOT NULL
            FROM pg_roles AS r JOIN pg_auth_members AS m ON m.roleid = r.oid AND m.member = 'keeper'::regrole
            WHERE r.rolname ~ '^cognifold_' AND m.admin_option ORDER BY 1
            """
        ).fetchall()
    names = [
        "auditor", "cleared", "clock", "dispatch", "governor", "monitor", "multitenant", "nobody", "owner", "partial",
        "reader", "worker", "writer",
    ]  # fmt: skip
    assert roles == [(f"cognifold_{name}", True) for name in names]


def test_the_extension_and_init_make_the_same_schema_with_the_same_rows(
    site: Site, by_extension: str, schema: list[str], rows: dict[str, str], admin_dsn: str
) -> None:
    dsn = site.server.dsn(by_extension)
    now = schema_of(dsn)
    assert set(now) ^ set(schema) == set()
    assert now == schema
    lexicon = rows_of(admin_dsn, LOADED)
    assert rows_of(dsn) == rows | lexicon
    assert len(rows) > 50 and lexicon["cognifold.lexicon"].startswith("('87243 ")
    assert dump(dsn) == (FOLDER / "schema.sql").read_text(encoding="utf-8")


def test_the_members_are_the_installer_and_nothing_else(site: Site, by_extension: str) -> None:
    with site.connect(by_extension) as admin:
        members = admin.execute(
            "SELECT p.proname, p.proowner = 10, obj_description(p.oid, 'pg_proc') IS NOT NULL, p.prosecdef "
            "FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid AND e.extname = 'cognifold' "
            "LEFT JOIN pg_proc AS p ON p.oid = d.objid AND d.classid = 'pg_proc'::regclass "
            "WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' ORDER BY 1"
        ).fetchall()
    assert [name for name, *_ in members] == [
        "installer_affect", "installer_check_history", "installer_files", "installer_lexicon", "installer_load_affect",
        "installer_load_lexicon", "installer_lock", "installer_number", "installer_prepare", "installer_release",
        "migrate", "migration_plan",
    ]  # fmt: skip
    # A trusted script made them: they are the superuser's, so nobody can put others in their place, and run as who
    # calls them.
    assert {tuple(facts) for _, *facts in members} == {(True, True, False)}


# What is done to a schema, and what of it must show in the comparison.
CHANGES = {
    "CREATE OR REPLACE FUNCTION cognifold.headline(content text) RETURNS text LANGUAGE sql IMMUTABLE AS "
    "$$ SELECT 'of another' $$": "SELECT 'of another'",
    "ALTER FUNCTION cognifold.plain_letters(text) OWNER TO keeper": "OWNER TO keeper;",
    "GRANT EXECUTE ON FUNCTION cognifold.headline(text) TO cognifold_monitor": "(content text) TO cognifold_monitor",
    "ALTER POLICY readers ON cognifold.node USING (true)": "CREATE POLICY readers ON cognifold.node FOR SELECT TO "
    "cognifold_reader USING (true)",
    "COMMENT ON COLUMN cognifold.node.title IS 'something else'": "IS 'something else'",
    "ALTER TABLE cognifold.node NO FORCE ROW LEVEL SECURITY": "ONLY cognifold.node FORCE ROW LEVEL SECURITY",
    "CREATE INDEX by_actor ON cognifold.node (tenant_id, actor)": "CREATE INDEX by_actor",
    "UPDATE cognifold.setting_default SET value = value + 1 WHERE name = 'fold.lease'": "cognifold.setting_default",
    "UPDATE cognifold.lexicon SET document_vector = document_vector + array_fill(0.01::real, '{256}')::halfvec "
    "WHERE word = 'zebra'": "cognifold.lexicon",
}


def test_the_comparison_sees_every_kind_of_difference_and_a_dump_takes_it_along(
    site: Site, by_init: str, schema: list[str]
) -> None:
    database = site.database(by_init)
    dsn = site.server.dsn(database)
    with site.connect(database) as admin:
        admin.execute("CREATE EXTENSION cognifold")
        admin.execute(
            "INSERT INTO cognifold.lexicon VALUES ('zebra', 1e-6, 1, array_fill(0.5::real, '{256}')::halfvec)"
        )
        rows = rows_of(dsn)
        for change in CHANGES:
            admin.execute(change.encode())
    changed, found = schema_of(dsn), rows_of(dsn)
    seen = [*(set(changed) ^ set(schema)), *(table for table in rows if found[table] != rows[table])]
    assert [mark for mark in CHANGES.values() if not any(mark in line for line in seen)] == []

    dumped = subprocess.run([program("pg_dump"), dsn], capture_output=True, text=True, check=True).stdout
    restored = site.database()
    psql = [program("psql"), "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
    subprocess.run([*psql, site.server.dsn(restored)], input=dumped, text=True, check=True)

    def plain(lines: list[str]) -> list[str]:
        """PostgreSQL writes (a AND b) AND c once and a AND b AND c the next time."""
        return [line.replace("(", "").replace(")", "") for line in lines]

    assert plain(schema_of(site.server.dsn(restored))) == plain(changed)
    assert rows_of(site.server.dsn(restored)) == found
    assert migrate(site.server.dsn(restored)) == []


def test_a_file_that_differs_in_the_extension_shows_in_the_comparison(
    site: Site, by_init: str, schema: list[str]
) -> None:
    database = site.database(by_init)
    dsn = site.server.dsn(database)
    with site.connect(database) as admin:
        admin.execute("CREATE EXTENSION cognifold")
        source = value(admin, "SELECT prosrc FROM pg_proc WHERE proname = 'installer_files'")
        content, digest = admin.execute(
            "SELECT content, sha256 FROM cognifold.installer_files() WHERE name = 'capture/headline.sql'"
        ).fetchone() or ("", "")
        edited = content.replace("headline(text) IS '", "headline(text) IS 'Edited: ")
        assert edited != content
        new_digest = value(admin, "SELECT encode(sha256(convert_to(%s, 'UTF8')), 'hex')", edited)
        create = (
            "CREATE OR REPLACE FUNCTION cognifold.installer_files() RETURNS TABLE (place integer, kind text, "
            "name text, sha256 text, locks text[], content text) LANGUAGE sql AS $edit${}$edit$"
        )
        body = source.replace(content, edited)
        admin.execute(create.format(body).encode())
        with pytest.raises(psycopg.errors.DataCorrupted, match=r"script is damaged: capture/headline.sql differ"):
            migrate(dsn)
        admin.execute(create.format(body.replace(digest, new_digest)).encode())
    assert migrate(dsn) == AFTER_HEADLINE
    changed = set(schema_of(dsn)) ^ set(schema)
    assert len(changed) == 2 and all("COMMENT ON FUNCTION cognifold.headline" in line for line in changed)


def test_ten_calls_of_init_and_migrate_at_once_all_succeed_and_one_of_them_does_the_work(
    site: Site, schema: list[str], rows: dict[str, str]
) -> None:
    """Without the lexicon's words, which tests/install has twenty load at once."""
    database = site.database()
    dsn = site.server.dsn(database, "postgres")
    with site.connect(database) as admin, pytest.MonkeyPatch.context() as patch:
        patch.setattr("cognifold_pg.install.load_lexicon", lambda raw: False)
        admin.execute("CREATE EXTENSION cognifold")
        admin.execute(b"CREATE OR REPLACE FUNCTION cognifold.installer_load_lexicon() RETURNS boolean RETURN false")
        applied = at_once(10, lambda number: migrate(dsn) if number % 2 else install(dsn).applied)
        admin.execute("DROP EXTENSION cognifold")
        note_lexicon(admin)
    assert sorted(bool(files) for files in applied) == [False] * 9 + [True]
    assert_is_as(site, database, schema, rows)


def test_init_takes_over_the_schema_that_create_extension_made(site: Site) -> None:
    database = site.database()
    with site.connect(database) as admin:
        admin.execute("CREATE EXTENSION cognifold")
        _prepare(admin)
        assert admin.execute(
            b"SELECT nspname, nspowner::regrole::text FROM pg_namespace WHERE nspname LIKE 'cognifold%%' ORDER BY 1"
        ).fetchall() == [("cognifold", "cognifold_owner"), ("cognifold_watch", "cognifold_owner")]


def test_a_memory_that_init_made_takes_the_extension_and_there_is_nothing_to_do(
    site: Site, by_init: str, schema: list[str], rows: dict[str, str]
) -> None:
    database = site.database(by_init)
    with site.connect(database) as admin:
        admin.execute("CREATE EXTENSION cognifold")
        assert admin.execute("SELECT * FROM cognifold.migration_plan()").fetchall() == []
        assert migrate(site.server.dsn(database)) == []
        assert value(admin, "SELECT cognifold.installer_lexicon()") == LEXICON
        assert_is_as(site, database, schema, rows)
        # And from now on it can bring the memory up to date, here to the files of the next version.
        admin.execute(OLD_HEADLINE.encode())
        assert admin.execute("SELECT name, reason FROM cognifold.migration_plan() ORDER BY place").fetchall() == [
            ("capture/headline.sql", "changed"),
            *((policy, "a file before it runs") for policy in POLICIES),
        ]
        assert migrate(site.server.dsn(database)) == AFTER_HEADLINE
    assert_is_as(site, database, schema, rows)


def test_a_memory_that_the_extension_made_is_brought_up_to_date_by_init_and_outlives_the_extension(
    site: Site, by_extension: str, schema: list[str], rows: dict[str, str]
) -> None:
    database = site.database(by_extension)
    dsn = site.server.dsn(database, "postgres")
    with site.connect(database) as admin:
        admin.execute(OLD_HEADLINE.encode())
        assert install(dsn).applied == AFTER_HEADLINE
        assert migrate(dsn) == []
        admin.execute("DROP EXTENSION cognifold")
        assert value(admin, "SELECT to_regproc('cognifold.migrate') IS NULL")
    assert_is_as(site, database, schema, rows)
    assert_remembers_folds_recalls_and_explains(dsn)


def test_an_update_of_the_extension_brings_the_newer_files_and_keeps_the_lexicon(site: Site, by_init: str) -> None:
    database = site.database(by_init)
    dsn = site.server.dsn(database)
    with site.connect(database) as admin:
        admin.execute(f"CREATE EXTENSION cognifold VERSION '{EARLIER}'".encode())
        admin.execute(f"UPDATE cognifold.schema_migration SET version = '{EARLIER}'".encode())
        assert migrate(dsn) == []
        admin.execute(OLD_HEADLINE.encode())
        admin.execute(BY_HAND)
        admin.execute("ALTER EXTENSION cognifold UPDATE")
        assert migrate(dsn) == AFTER_HEADLINE
        # What somebody changed by hand, and no file put back, is told of as before; the rest is noted as it is.
        drift = "SELECT identity, change FROM cognifold.drift()"
        assert admin.execute(drift.encode()).fetchall() == [("function plain_letters(text)", "changed")]
        admin.execute("UPDATE cognifold.schema_migration SET sha256 = '' WHERE name = 'embed/plain_letters.sql'")
        assert migrate(dsn) == ["embed/plain_letters.sql", *POLICIES]
        assert admin.execute(drift.encode()).fetchall() == []
        now = value(admin, "SELECT extversion FROM pg_extension WHERE extname = 'cognifold'")
        assert now == value(admin, "SELECT cognifold.installer_release() ->> 'version'") != EARLIER
        assert admin.execute(
            "SELECT name FROM cognifold.schema_migration WHERE version = %s ORDER BY 1", [now]
        ).fetchall() == [(name,) for name in sorted({*AFTER_HEADLINE, "embed/plain_letters.sql"})]
        assert value(admin, "SELECT cognifold.installer_lexicon()") == LEXICON
    owned = site.database(owner=KEEPER)
    with site.connect(owned, KEEPER) as keeper:
        keeper.execute(f"CREATE EXTENSION cognifold VERSION '{EARLIER}'".encode())
        keeper.execute("ALTER EXTENSION cognifold UPDATE")  # a plain role may
        assert value(keeper, "SELECT cognifold.installer_release() ->> 'version'") == now
