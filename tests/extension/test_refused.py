"""What the extension refuses, and what it says then."""

from __future__ import annotations

import psycopg
import pytest

from tests.conftest import Connection, value
from tests.extension.conftest import EARLIER, KEEPER, migrate
from tests.extension.site import Site


def refusal(connection: Connection, statement: str) -> tuple[str | None, str]:
    """SQLSTATE, and message with hint, of a statement that is refused."""
    with pytest.raises(psycopg.Error) as caught:
        connection.execute(statement.encode())
    return caught.value.sqlstate, f"{caught.value.diag.message_primary} {caught.value.diag.message_hint}"


def memory_is_there(connection: Connection) -> bool:
    return bool(value(connection, "SELECT to_regclass('cognifold.schema_migration') IS NOT NULL"))


@pytest.fixture(scope="module")
def extended(site: Site, by_init: str) -> str:
    """A memory with the extension beside it, for tests that change nothing."""
    database = site.database(by_init)
    with site.connect(database) as admin:
        admin.execute("CREATE EXTENSION cognifold")
    return database


HOSTILE = {
    "of another role": (
        "CREATE SCHEMA cognifold AUTHORIZATION {stranger}",
        'schema "cognifold" of role {stranger} is already there',
    ),
    "with somebody's objects in it": (
        "CREATE SCHEMA cognifold AUTHORIZATION keeper; CREATE TABLE cognifold.theirs (id int)",
        "holds objects that are not this memory's",
    ),
    "where another may create": (
        "CREATE SCHEMA cognifold AUTHORIZATION keeper; GRANT CREATE ON SCHEMA cognifold TO {stranger}",
        'Others than keeper may create objects in the schema "cognifold". REVOKE CREATE',
    ),
    "where everyone may create": (
        "CREATE SCHEMA cognifold AUTHORIZATION keeper; GRANT CREATE ON SCHEMA cognifold TO PUBLIC",
        'Others than keeper may create objects in the schema "cognifold". REVOKE CREATE',
    ),
}


@pytest.fixture(scope="module")
def stranger(site: Site) -> str:
    with site.connect("postgres") as admin:
        admin.execute("CREATE ROLE stranger LOGIN")
    return "stranger"


@pytest.fixture(scope="module")
def empty(site: Site) -> str:
    """A database of the keeper's without a memory; whoever makes something there undoes it."""
    return site.database(owner=KEEPER)


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_schema_by_our_name_is_refused_if_it_is(site: Site, empty: str, stranger: str, kind: str) -> None:
    prepare, told = (text.format(stranger=stranger) for text in HOSTILE[kind])
    with site.connect(empty) as admin, site.connect(empty, KEEPER) as keeper:
        admin.execute(prepare.encode())
        state, message = refusal(keeper, "CREATE EXTENSION cognifold")
        assert state == "CF028"
        assert told in message
        assert value(admin, "SELECT count(*) FROM pg_extension WHERE extname = 'cognifold'") == 0
        admin.execute("DROP SCHEMA cognifold CASCADE")


def test_an_empty_schema_of_the_installers_own_is_taken(site: Site, empty: str) -> None:
    with site.connect(empty, KEEPER) as keeper:
        keeper.execute("CREATE SCHEMA cognifold")
        keeper.execute("CREATE EXTENSION cognifold")
        keeper.execute("DROP EXTENSION cognifold")
        keeper.execute("DROP SCHEMA cognifold")


def test_a_function_in_the_place_of_a_member_is_not_taken_for_one(site: Site, by_init: str) -> None:
    with site.connect(site.database(by_init)) as admin:
        admin.execute("SET ROLE cognifold_owner")
        admin.execute("CREATE FUNCTION cognifold.migrate() RETURNS jsonb RETURN '{}'::jsonb")
        admin.execute("RESET ROLE")
        state, message = refusal(admin, "CREATE EXTENSION cognifold")
        assert state == "55000"
        assert "function cognifold.migrate() is not a member of extension" in message


def test_a_stranger_may_not_put_the_extension_beside_a_memory(site: Site, by_init: str, stranger: str) -> None:
    database = site.database(by_init)
    with site.connect(database) as admin, site.connect(database, stranger) as connection:
        admin.execute(f"GRANT CREATE ON DATABASE {database} TO {stranger}".encode())
        assert refusal(connection, "CREATE EXTENSION cognifold") == (
            "CF028",
            "The memory in this database belongs to cognifold_owner, and stranger is no member. Let whoever installed "
            "it, or a superuser, run: GRANT cognifold_owner TO stranger.",
        )


def test_who_lacks_a_right_is_told_which_and_nothing_is_left_behind(site: Site, by_init: str, stranger: str) -> None:
    """Step by step: each grant that a refusal asks for brings the next refusal, and the last is followed by none."""
    database = site.database()
    with site.connect(database) as admin, site.connect(database, stranger) as plain:
        admin.execute(f"GRANT CREATE ON DATABASE {database} TO {stranger}".encode())
        plain.execute("CREATE EXTENSION cognifold")
        with site.connect(database, KEEPER) as keeper:  # as if roles were still to be made
            keeper.execute("REVOKE cognifold_nobody FROM cognifold_owner")
        state, message = refusal(plain, "SELECT cognifold.migrate()")
        assert state == "CF028"
        assert "The role stranger lacks the right to make the memory's roles" in message
        assert "ALTER ROLE stranger CREATEROLE" in message
        with site.connect(database, KEEPER) as keeper:
            keeper.execute("GRANT cognifold_nobody TO cognifold_owner WITH INHERIT FALSE, SET TRUE")

        state, message = refusal(plain, "SELECT cognifold.migrate()")
        assert state == "CF028"
        assert "made by another role's install, and stranger may not use them" in message
        assert "GRANT cognifold_owner TO stranger WITH ADMIN OPTION" in message
        admin.execute("GRANT cognifold_owner TO stranger")

        admin.execute(f"REVOKE CREATE ON DATABASE {database} FROM {stranger}".encode())
        assert refusal(plain, "SELECT cognifold.migrate()") == (
            "CF028",
            f"The role stranger lacks the right to create schemas in the database {database} (permission denied for "
            f"database {database}). Let the database's owner or a superuser run: GRANT CREATE ON DATABASE {database} "
            "TO stranger; then call migrate() again.",
        )
        admin.execute(f"GRANT CREATE ON DATABASE {database} TO {stranger}".encode())

        admin.execute("REVOKE USAGE ON SCHEMA public FROM PUBLIC")
        state, message = refusal(plain, "SELECT cognifold.migrate()")
        assert (state, "GRANT USAGE ON SCHEMA public TO cognifold_owner" in message) == ("CF028", True)
        admin.execute("GRANT USAGE, CREATE ON SCHEMA public TO PUBLIC")
        state, message = refusal(plain, "SELECT cognifold.migrate()")
        assert state == "CF028"
        assert 'Everyone may create objects in the schema "public"' in message
        assert "REVOKE CREATE ON SCHEMA public FROM PUBLIC" in message
        assert not memory_is_there(admin)
        admin.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")

        state, message = refusal(admin, "SELECT cognifold.migrate()")
        assert state == "CF028"
        assert 'schema "cognifold" belongs to stranger, neither to the memory nor to postgres' in message
        assert "Call migrate() as stranger" in message
        plain.execute("SELECT cognifold.installer_prepare()")  # with all it was told to ask for
        admin.execute("REVOKE cognifold_owner FROM stranger")


def test_a_schema_for_watches_that_is_anothers_is_refused(site: Site, by_init: str, empty: str, stranger: str) -> None:
    with site.connect(empty) as admin, site.connect(empty, KEEPER) as keeper:
        admin.execute("CREATE SCHEMA cognifold_watch AUTHORIZATION stranger")
        keeper.execute("CREATE EXTENSION cognifold")
        state, message = refusal(keeper, "SELECT cognifold.migrate()")
        assert state == "CF028"
        assert 'schema "cognifold_watch" belongs to stranger' in message
        assert "ALTER SCHEMA cognifold_watch RENAME TO" in message
        assert not memory_is_there(admin)
        keeper.execute("DROP EXTENSION cognifold")
        admin.execute("DROP SCHEMA cognifold, cognifold_watch")


def test_an_older_installer_on_a_newer_schema_is_refused_with_both_versions(site: Site, by_init: str) -> None:
    database = site.database(by_init)
    with site.connect(database) as admin:
        admin.execute(f"CREATE EXTENSION cognifold VERSION '{EARLIER}'".encode())
        made_by = value(admin, "SELECT max(version) FROM cognifold.schema_migration")
        for call in ("cognifold.migrate()", "cognifold.migration_plan()"):
            state, message = refusal(admin, f"SELECT {call}")
            assert state == "CF029"
            assert (
                f"Version {made_by} of cognifold made this schema, and this installer is version {EARLIER}" in message
            )
            assert "ALTER EXTENSION cognifold UPDATE" in message
        admin.execute("ALTER EXTENSION cognifold UPDATE")
        assert migrate(site.server.dsn(database)) == []
        # A versioned file that this version does not know says the same, whatever the numbers.
        admin.execute("UPDATE cognifold.alembic_version SET version_num = '9999_later'")
        assert refusal(admin, "SELECT cognifold.migrate()")[0] == "CF029"


def test_a_versioned_file_that_is_not_the_one_that_ran_is_refused_with_both_checksums(site: Site, by_init: str) -> None:
    with site.connect(site.database(by_init)) as admin:
        admin.execute("CREATE EXTENSION cognifold")
        name = "versioned/0003_consolidation.sql"
        now = value(admin, "SELECT sha256 FROM cognifold.installer_files() WHERE name = %s", name)
        admin.execute("UPDATE cognifold.schema_migration SET sha256 = 'edited' WHERE name = %s", [name])
        for call in ("cognifold.migrate()", "cognifold.migration_plan()"):
            state, message = refusal(admin, f"SELECT {call}")
            assert state == "55000"
            assert f"{name} ran in this database with checksum edited, and the one of version" in message
            assert f"has {now}" in message
            assert "build the extension of the release that ran it" in message


# One file to run that replaces a view, in a memory that somebody reads.
STALE_VIEW = "UPDATE cognifold.schema_migration SET sha256 = 'old' WHERE name = 'operate/diagnosis.sql'"
LOCKED = """
SELECT c.relname FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
WHERE l.pid = pg_backend_pid() AND l.mode = 'AccessExclusiveLock' AND c.relname IN ('tenant', 'node', 'diagnosis')
ORDER BY 1
"""


def test_migrate_behind_a_long_transaction_gives_up_and_says_whose_it_is_and_else_locks_what_it_alters(
    site: Site, by_init: str
) -> None:
    database = site.database(by_init)
    with site.connect(database) as admin, site.connect(database) as reader:
        admin.execute("CREATE EXTENSION cognifold")
        admin.execute(STALE_VIEW)
        reader.execute("SET application_name = 'the month''s report'")
        reader.execute("BEGIN; SELECT count(*) FROM cognifold.tenant")
        admin.execute("SET lock_timeout = '30ms'")
        state, message = refusal(admin, "SELECT cognifold.migrate()")
        assert state == "55P03"
        assert "was in use for 00:00:00.03; nothing was changed" in message
        assert f"held by process {reader.info.backend_pid} (the month's report, role postgres)" in message
        reader.execute("COMMIT")
        # Nobody is in the way: all is locked, to the end of the transaction, and the caller's setting is as it was.
        admin.execute("BEGIN")
        assert "operate/diagnosis.sql" in value(admin, "SELECT cognifold.migrate()")["applied"]
        assert admin.execute(LOCKED.encode()).fetchall() == [("diagnosis",), ("tenant",)]
        assert value(admin, "SELECT current_setting('lock_timeout')") == "30ms"
        admin.execute("COMMIT")
        # With nothing to run, nobody is waited for.
        reader.execute("BEGIN; SELECT count(*) FROM cognifold.tenant")
        assert value(admin, "SELECT cognifold.migrate()")["applied"] == []


def test_a_memory_with_graphs_is_told_that_their_files_are_not_the_extensions(site: Site, by_init: str) -> None:
    with site.connect(site.database(by_init)) as admin:
        admin.execute("CREATE EXTENSION cognifold")
        admin.execute(STALE_VIEW)
        admin.execute(
            "INSERT INTO cognifold.schema_migration VALUES ('optional/age/10_tables.sql', 'x', '0.1.0', now())"
        )
        [warning] = value(admin, "SELECT cognifold.migrate()")["warnings"]
        assert "cognifold graph enable" in warning


@pytest.mark.parametrize(
    ("older", "newer"), [("0.9.2", "0.10"), ("0.10.0", "0.10.1"), ("1.0", "1.0.1"), ("9", "10.0"), ("unknown", "0.1")]
)
def test_versions_are_compared_by_their_numbers(site: Site, extended: str, older: str, newer: str) -> None:
    with site.connect(extended) as admin:
        compare = "SELECT cognifold.installer_number(%s) < cognifold.installer_number(%s)"
        assert value(admin, compare, older, newer) is True
        assert value(admin, compare, newer, older) is False
        assert value(admin, compare.replace("<", "="), f"{newer}.0", newer) is True


def test_another_release_of_the_lexicon_is_refused(site: Site, by_init: str) -> None:
    with site.connect(site.database(by_init)) as admin:
        admin.execute("CREATE EXTENSION cognifold")
        admin.execute("UPDATE cognifold.lexicon_release SET checksum = repeat('0', 64)")
        state, message = refusal(admin, "SELECT cognifold.migrate()")
        assert state == "55000"
        assert "holds the lexicon 000000000000, this version ships" in message


def test_a_damaged_lexicon_is_refused(site: Site, by_init: str) -> None:
    with site.connect(site.database(by_init)) as admin:
        admin.execute("CREATE EXTENSION cognifold")  # whose lexicon is the tests' stand-in
        admin.execute("DELETE FROM cognifold.lexicon_release")
        state, message = refusal(admin, "SELECT cognifold.migrate()")
        assert state == "XX001"
        assert "lexicon in the extension's script is damaged" in message
        assert "Build the extension anew" in message


def test_a_transaction_that_would_not_see_another_install_is_refused(site: Site, extended: str) -> None:
    with site.connect(extended) as admin:
        admin.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        state, message = refusal(admin, "SELECT cognifold.migrate()")
        assert state == "25001"
        assert "in a repeatable read transaction" in message


def test_migrate_leaves_role_and_search_path_as_they_were(site: Site, extended: str) -> None:
    with site.connect(extended) as admin:
        admin.execute("SET search_path = pg_catalog")
        admin.execute("BEGIN")
        admin.execute("SELECT cognifold.migrate()")
        settings = "SELECT current_user::text, current_setting('role'), current_setting('search_path')"
        assert admin.execute(settings.encode()).fetchone() == ("postgres", "none", "pg_catalog")
        admin.execute("ROLLBACK")
