"""Putting the memory into a database: once, twice, twenty times at once, and where it is not easy."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cognifold_pg.embedded import EmbeddedServer, temporary_server
from cognifold_pg.install import InstallError, InstallReport, install
from cognifold_pg.sqlfiles import policy_files, repeatable_files
from tests.conftest import Connection, make_role, value
from tests.install.conftest import installed_objects
from tests.install.smoke import assert_remembers_folds_recalls_and_explains


def test_a_second_install_applies_nothing_and_leaves_every_object_as_it_is(new_database: Callable[..., str]) -> None:
    dsn = new_database()
    first = install(dsn)
    objects = installed_objects(dsn)
    assert first.lexicon_loaded
    assert next(name for name in first.applied if name.startswith("versioned/")) == "versioned/0001_core.sql"
    assert {name for name, _ in (*repeatable_files(), *policy_files())} <= set(first.applied)
    assert install(dsn) == InstallReport(applied=[], lexicon_loaded=False)
    assert installed_objects(dsn) == objects


def test_twenty_installs_at_once_all_succeed_and_one_of_them_does_the_work(
    new_database: Callable[..., str], fresh_dsn: str
) -> None:
    dsn = new_database()
    barrier = threading.Barrier(20)

    def one(_: int) -> InstallReport:
        barrier.wait()
        return install(dsn)

    with ThreadPoolExecutor(20) as threads:
        reports = list(threads.map(one, range(20)))
    assert sorted(bool(report.applied) for report in reports) == [False] * 19 + [True]
    assert sum(report.lexicon_loaded for report in reports) == 1
    assert installed_objects(dsn) == installed_objects(fresh_dsn)


@pytest.fixture(scope="module")
def pristine() -> Iterator[EmbeddedServer]:
    """A server on which nobody has made the memory's roles yet."""
    with temporary_server() as server:
        yield server


INSTALL = "import sys; from cognifold_pg.install import install; print(len(install(sys.argv[1]).applied))"


def test_two_databases_of_a_fresh_server_are_installed_at_the_same_time(
    pristine: EmbeddedServer,
) -> None:
    """Roles belong to the whole server, so the two race for them."""
    names = ["first", "second", "third"]
    with psycopg.connect(pristine.dsn("postgres"), autocommit=True) as admin:
        assert value(admin, "SELECT count(*) FROM pg_roles WHERE rolname ~ '^cognifold'") == 0
        for name in names:
            admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", INSTALL, pristine.dsn(name)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for name in names for _ in range(2)
    ]  # fmt: skip
    outputs = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), outputs
    applied = [int(out) for out, _ in outputs]
    for place in range(0, len(applied), 2):
        assert sorted(count > 0 for count in applied[place : place + 2]) == [False, True]
    first = installed_objects(pristine.dsn("first"))
    assert installed_objects(pristine.dsn("second")) == installed_objects(pristine.dsn("third")) == first


def test_one_process_installs_two_databases_at_the_same_time(new_database: Callable[..., str]) -> None:
    dsns = [new_database(), new_database()]
    barrier = threading.Barrier(2)

    def one(dsn: str) -> InstallReport:
        barrier.wait()
        return install(dsn)

    with ThreadPoolExecutor(2) as threads:
        assert all(report.applied for report in threads.map(one, dsns))
    assert installed_objects(dsns[0]) == installed_objects(dsns[1])


def test_a_role_that_may_create_roles_and_schemas_needs_no_superuser(pristine: EmbeddedServer) -> None:
    """As on a managed server, where the provider has made the extension."""
    with psycopg.connect(pristine.dsn("postgres"), autocommit=True) as admin:
        for row in admin.execute(
            "SELECT datname FROM pg_database WHERE datname IN ('first', 'second', 'third')"
        ).fetchall():
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(row[0])))
        for (name,) in admin.execute("SELECT rolname FROM pg_roles WHERE rolname ~ '^cognifold_'").fetchall():
            admin.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))
        admin.execute("CREATE ROLE keeper LOGIN CREATEROLE")
        admin.execute("CREATE DATABASE kept OWNER keeper")
    with psycopg.connect(pristine.dsn("kept"), autocommit=True) as admin:
        admin.execute("CREATE EXTENSION vector")
    dsn = pristine.dsn("kept", "keeper")
    assert install(dsn).lexicon_loaded
    assert install(dsn).applied == []
    assert_remembers_folds_recalls_and_explains(pristine.dsn("kept", "postgres"))


@pytest.mark.parametrize("search_path", [None, "''", "nowhere"])
def test_pgvector_in_a_schema_of_its_own_and_any_search_path_serve_as_well(
    new_database: Callable[..., str], search_path: str | None
) -> None:
    dsn = new_database()
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("CREATE SCHEMA extensions")
        admin.execute("CREATE EXTENSION vector SCHEMA extensions")
        if search_path is not None:
            name = conninfo_to_dict(dsn)["dbname"]
            admin.execute(f"ALTER DATABASE {name} SET search_path = {search_path}".encode())
    install(dsn)
    assert_remembers_folds_recalls_and_explains(dsn)


def test_moving_pgvector_to_another_schema_is_followed_by_the_next_install(new_database: Callable[..., str]) -> None:
    dsn = new_database()
    install(dsn)
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("CREATE SCHEMA extensions")
        admin.execute("ALTER EXTENSION vector SET SCHEMA extensions")
    assert install(dsn).applied
    assert_remembers_folds_recalls_and_explains(dsn)


def test_a_schema_of_someone_else_by_our_name_is_refused_and_kept(new_database: Callable[..., str]) -> None:
    dsn = new_database()
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("CREATE SCHEMA cognifold")
        admin.execute("CREATE TABLE cognifold.theirs (id int)")
    with pytest.raises(
        InstallError, match=r"schema \"cognifold\" of role postgres.*ALTER SCHEMA cognifold RENAME"
    ) as caught:
        install(dsn)
    assert "not this memory's" in str(caught.value)
    with psycopg.connect(dsn) as admin:
        relations = admin.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'cognifold'::regnamespace"
        ).fetchall()
        assert relations == [("theirs",)]
        assert value(admin, "SELECT count(*) FROM pg_extension WHERE extname = 'vector'") == 0


def test_pgvector_in_a_schema_where_everyone_may_create_objects_is_refused(new_database: Callable[..., str]) -> None:
    """An operator put there could fit an expression of a verb better than PostgreSQL's, and run as the verb's owner."""
    dsn = new_database()
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("GRANT CREATE ON SCHEMA public TO PUBLIC")
        with pytest.raises(InstallError, match="REVOKE CREATE ON SCHEMA public FROM PUBLIC"):
            install(dsn)
        admin.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    assert install(dsn).lexicon_loaded


@pytest.mark.parametrize(
    ("options", "encoding"),
    [("ENCODING 'SQL_ASCII' LOCALE 'C'", "SQL_ASCII"), ("ENCODING 'LATIN1' LOCALE 'C'", "LATIN1")],
)
def test_a_database_that_cannot_hold_every_text_is_refused_by_its_encoding(
    new_database: Callable[..., str], options: str, encoding: str
) -> None:
    with pytest.raises(InstallError, match=f"encoding is {encoding}: create one with ENCODING 'UTF8'"):
        install(new_database(f"{options} LOCALE_PROVIDER libc"))


def test_another_client_encoding_in_the_environment_does_no_harm(
    new_database: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    dsn = new_database()
    install(dsn)
    monkeypatch.delenv("PGCLIENTENCODING")
    with psycopg.connect(dsn) as connection:
        assert value(connection, "SELECT cognifold.plain_letters('CAFÉ ŁÓDŹ')") == "CAFE łODZ"


def test_a_role_without_the_rights_is_told_which_it_needs_and_nothing_is_left_behind(
    new_database: Callable[..., str], admin: Connection
) -> None:
    dsn = new_database()
    make_role(admin, "test_powerless")
    with pytest.raises(InstallError, match=r"needs more rights.*superuser.*CREATEROLE") as caught:
        install(make_conninfo(dsn, user="test_powerless"))
    assert "permission denied" in str(caught.value)
    with psycopg.connect(dsn) as connection:
        assert value(connection, "SELECT count(*) FROM pg_namespace WHERE nspname = 'cognifold'") == 0
    admin.execute("DROP ROLE test_powerless")


def test_a_database_that_is_not_there_is_an_install_error(server_dsn: str) -> None:
    with pytest.raises(InstallError, match="cognifold_nowhere"):
        install(make_conninfo(server_dsn, dbname="cognifold_nowhere"))


def test_an_install_that_fails_on_the_way_changes_nothing(
    new_database: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dsn = new_database()

    def stumble(*_: object, **__: object) -> bool:
        raise RuntimeError("power cut")

    monkeypatch.setattr("cognifold_pg.install.load_lexicon", stumble)
    with pytest.raises(RuntimeError, match="power cut"):
        install(dsn)
    with psycopg.connect(dsn) as connection:
        assert value(connection, "SELECT count(*) FROM pg_namespace WHERE nspname = 'cognifold'") == 0
    monkeypatch.undo()
    assert install(dsn).lexicon_loaded


def test_a_file_that_changed_is_run_again_and_alone_with_the_policies(new_database: Callable[..., str]) -> None:
    dsn = new_database()
    install(dsn)
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute(
            "UPDATE cognifold.schema_migration SET sha256 = 'of an older release' WHERE name = 'capture/headline.sql'"
        )
        admin.execute(
            "CREATE OR REPLACE FUNCTION cognifold.headline(content text) RETURNS text LANGUAGE sql IMMUTABLE "
            "AS $$ SELECT 'old' $$"
        )
    assert install(dsn).applied == ["capture/headline.sql", *(name for name, _ in policy_files())]
    with psycopg.connect(dsn) as connection:
        assert value(connection, "SELECT cognifold.headline('a new heading')") == "a new heading"
