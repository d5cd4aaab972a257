"""Who may install, and who may put objects where the verbs look for pgvector's."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from cognifold_pg.cli import app
from cognifold_pg.embedded import EmbeddedServer, temporary_server
from cognifold_pg.install import InstallError, install
from tests.conftest import Connection, make_role, value


@pytest.fixture(scope="module")
def pristine() -> Iterator[EmbeddedServer]:
    """A server on which nobody has made the memory's roles yet."""
    with temporary_server() as server:
        yield server


def test_an_owner_whose_server_has_the_roles_of_another_is_told_the_grant_that_helps(pristine: EmbeddedServer) -> None:
    with psycopg.connect(pristine.dsn("postgres"), autocommit=True) as admin:
        for role, database in (("first_keeper", "first"), ("second_keeper", "second")):
            admin.execute(f"CREATE ROLE {role} LOGIN CREATEROLE".encode())
            admin.execute(f"CREATE DATABASE {database} OWNER {role}".encode())
    for database in ("first", "second"):
        with psycopg.connect(pristine.dsn(database), autocommit=True) as admin:
            admin.execute("CREATE EXTENSION vector")
    install(pristine.dsn("first", "first_keeper"))
    with pytest.raises(InstallError) as caught:
        install(pristine.dsn("second", "second_keeper"))
    assert 'permission denied to grant role "cognifold_owner"' in str(caught.value)
    grant = "GRANT cognifold_owner TO second_keeper WITH ADMIN OPTION"
    assert grant in str(caught.value)
    with psycopg.connect(pristine.dsn("second", "postgres")) as admin:
        assert value(admin, "SELECT count(*) FROM pg_namespace WHERE nspname = 'cognifold'") == 0
    # The first installer made the roles, so needs no superuser to follow the advice.
    with psycopg.connect(pristine.dsn("first", "first_keeper"), autocommit=True) as keeper:
        keeper.execute(grant.encode())
        keeper.execute(b"GRANT cognifold_writer TO second_keeper WITH ADMIN OPTION")
    assert install(pristine.dsn("second", "second_keeper")).lexicon_loaded
    with psycopg.connect(pristine.dsn("second", "second_keeper"), autocommit=True) as keeper:
        keeper.execute("CREATE ROLE second_application LOGIN")
        keeper.execute("GRANT cognifold_writer TO second_application")


def test_a_role_that_may_create_beside_pgvector_is_warned_of_by_name(
    new_database: Callable[..., str], admin: Connection
) -> None:
    make_role(admin, "test_builder")
    dsn = new_database()
    try:
        with psycopg.connect(dsn, autocommit=True) as owner:
            owner.execute("GRANT CREATE ON SCHEMA public TO test_builder")
        for _ in range(2):  # an install that has nothing to do warns as well
            output = CliRunner().invoke(app, ["init", "--dsn", dsn]).stdout
            assert 'warning: test_builder may create objects in the schema "public"' in output
        with psycopg.connect(dsn, autocommit=True) as owner:
            owner.execute("REVOKE CREATE ON SCHEMA public FROM test_builder")
        assert install(dsn).warnings == []
        assert "warning" not in CliRunner().invoke(app, ["init", "--dsn", dsn]).stdout
    finally:
        with psycopg.connect(make_conninfo(dsn), autocommit=True) as owner:
            owner.execute("DROP OWNED BY test_builder")
        admin.execute("DROP ROLE test_builder")
