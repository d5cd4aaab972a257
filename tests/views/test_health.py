"""Health is green only where an event was really stored, folded and found."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.conftest import Connection, make_role

CHECKS = ["encoding", "extension", "schema", "lexicon", "row level security", "write", "fold", "recall"]
BOUND = "test_health_bound"


def health(connection: Connection) -> dict[str, tuple[bool, str]]:
    found = connection.execute("SELECT name, ok, detail FROM cognifold.health").fetchall()
    return {name: (ok, detail) for name, ok, detail in found}


def failing(connection: Connection) -> list[str]:
    return [name for name, (ok, _) in health(connection).items() if not ok]


@pytest.fixture
def broken(admin: Connection) -> Iterator[Connection]:
    """A superuser's connection whose changes to the installation are taken back."""
    with admin.transaction(force_rollback=True):
        yield admin


def everything(admin: Connection) -> list[tuple[str, int]]:
    """How many rows each table holds."""
    tables = admin.execute("SELECT c.oid::regclass::text FROM pg_class AS c WHERE c.relkind = 'r' "
                           "AND c.relnamespace = 'cognifold'::regnamespace ORDER BY 1").fetchall()  # fmt: skip
    counts = []
    for (table,) in tables:
        [(number,)] = admin.execute(f"SELECT count(*) FROM {table}".encode())
        counts.append((table, number))
    return counts


def test_a_sound_installation_is_green_and_nothing_of_the_proof_stays(
    connect: Callable[..., Connection], admin: Connection
) -> None:
    connection = connect()
    before = everything(admin)
    found = health(connection)
    assert list(found) == CHECKS
    assert {ok for ok, _ in found.values()} == {True}, found
    assert everything(admin) == before
    assert connection.execute("SELECT current_setting('cognifold.tenant', true)").fetchone() in [(None,), ("",)]


def test_it_is_asked_in_the_middle_of_work_and_leaves_the_tenant_as_it_was(connection: Connection, tenant: str) -> None:
    with connection.transaction():
        connection.execute("SELECT cognifold.remember('half done')")
        assert failing(connection) == []
        assert connection.execute("SELECT count(*) FROM cognifold.event").fetchone() == (1,)


@pytest.mark.parametrize("membership", ["cognifold_monitor", "cognifold_reader"])
def test_a_monitor_and_a_bound_role_may_ask(
    admin: Connection, connect: Callable[..., Connection], tenant: str, membership: str
) -> None:
    make_role(admin, BOUND, membership)
    if membership == "cognifold_reader":
        admin.execute("SELECT cognifold.bind_role(%s, %s)", [BOUND, tenant])
    try:
        assert failing(connect(tenant, user=BOUND)) == []
    finally:
        admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = %s", [BOUND])


def test_a_read_only_server_is_not_green(connection: Connection) -> None:
    with connection.transaction():
        connection.execute("SET TRANSACTION READ ONLY")
        found = health(connection)
    assert not found["write"][0] and "read-only" in found["write"][1]
    assert [found[name] for name in ("fold", "recall")] == [(False, "not reached")] * 2


def test_a_store_that_says_yes_and_keeps_nothing_is_not_green(broken: Connection) -> None:
    broken.execute("CREATE FUNCTION pg_temp.swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
    broken.execute("CREATE TRIGGER swallow BEFORE INSERT ON cognifold.node_content "
                   "FOR EACH ROW EXECUTE FUNCTION pg_temp.swallow()")  # fmt: skip
    found = health(broken)
    assert found["write"] == (False, "an event was stored, and what was read back is not what was stored")
    assert not found["recall"][0]


def test_a_fold_that_fails_is_not_green(broken: Connection) -> None:
    broken.execute("CREATE OR REPLACE FUNCTION cognifold.latest_events(tenant text, moment timestamptz, event_id uuid, "
                   "model_id smallint, most integer, OUT ids uuid[], OUT times timestamptz[], OUT actors text[], "
                   "OUT vectors halfvec[]) LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'")  # fmt: skip
    found = health(broken)
    assert found["write"][0]
    assert found["fold"] == (False, "0 of 2 events were folded")


def test_a_lexicon_with_words_missing_is_not_green(broken: Connection) -> None:
    broken.execute("UPDATE cognifold.lexicon_release SET word_count = word_count + 1")
    assert failing(broken) == ["lexicon"]


def test_a_table_without_row_level_security_is_not_green(broken: Connection) -> None:
    broken.execute("ALTER TABLE cognifold.node NO FORCE ROW LEVEL SECURITY")
    assert failing(broken) == ["row level security"]


def test_a_schema_behind_its_files_is_not_green(broken: Connection) -> None:
    broken.execute("UPDATE cognifold.alembic_version SET version_num = '0001_core'")
    assert failing(broken) == ["schema"]
