"""A standby answers as its primary does, and nothing that recalls wants to write there."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.rows import dict_row

from cognifold_pg.client import Memory
from cognifold_pg.embedded import temporary_server
from cognifold_pg.embedded.account import server_account
from cognifold_pg.embedded.backends import find_backend, reachable_copy
from cognifold_pg.experience import Experience
from cognifold_pg.install import install
from tests.conftest import WRITER, at, make_role
from tests.embedded.servers import eventually
from tests.tenant.verbs import CALLS, call

TENANT = "the lighthouse"
CLOCK = at("2026-05-10T12:00:00+00:00")
ASKED = (
    "SELECT * FROM cognifold.recall('lamp of the lighthouse', 20)",
    "SELECT * FROM cognifold.explain_recall('lamp of the lighthouse', 20)",
    "SELECT * FROM cognifold.context('lamp of the lighthouse')",
    "SELECT * FROM cognifold.context_window(20)",
    "SELECT e.* FROM cognifold.concept AS c, cognifold.explain(c.id) AS e ORDER BY c.id, e.depth, e.id",
    "SELECT h.* FROM cognifold.concept AS c, cognifold.history(c.id) AS h",
    "SELECT * FROM cognifold.event ORDER BY id",
    "SELECT * FROM cognifold.edge ORDER BY source_id, target_id, type",
    "SELECT * FROM cognifold.check()",
)
# What every other verb does on a standby: it answers as in a read-only transaction of the primary, or is refused there.
READING = {
    "recall", "explain_recall", "context", "context_window", "explain", "history", "plan", "pagerank", "ranked_intents",
    "check", "propose", "awaiting_embedding", "awaiting_reembedding",
}  # fmt: skip


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[str, str]]:
    """DSNs of a primary and of its hot standby, as a plain role; the standby has all that the primary holds."""
    binaries = find_backend()
    with temporary_server(backend=binaries) as primary:
        install(primary.dsn())
        with psycopg.connect(primary.dsn(), autocommit=True) as admin:
            make_role(admin, WRITER, "cognifold_writer", "cognifold_multitenant", "cognifold_clock")
        dsn = make_conninfo(primary.dsn(), user=WRITER)
        with Memory(dsn, tenant=TENANT, clock=CLOCK) as memory:
            memory.create_tenant()
            memory.remember_many(
                Experience(
                    f"The lamp of the lighthouse was cleaned by keeper {n}", occurred_at=at(f"2026-05-0{n}T08:00:00Z")
                )
                for n in range(1, 9)
            )
            memory.fold_all(batch=100)
            memory.remember("The lighthouse keeper waits to be folded")
        base = Path(tempfile.mkdtemp(prefix="cognifold-standby-", dir="/tmp")).resolve()
        base.chmod(0o711)
        account = server_account(base)
        backend = reachable_copy(binaries, account, base)
        own = base / "standby"
        own.mkdir()
        if account.switch:
            shutil.chown(own, account.uid)
        rules = own / "rules"
        rules.write_text("local all all trust\n")
        rules.chmod(0o644)
        server = ["-D", str(own / "data")]
        options = " ".join(
            f"-c {name}={setting}"
            for name, setting in {
                "listen_addresses": "''", "unix_socket_directories": own, "hba_file": rules,
                "shared_preload_libraries": "'" + ",".join(backend.preload) + "'", "max_connections": 100,
            }.items()
        )  # fmt: skip

        def run(*command: str) -> None:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL,
                **account.popen(),
            )  # fmt: skip
            assert done.returncode == 0, done.stdout

        try:
            run(str(backend.program("pg_basebackup")), "-d", primary.dsn("postgres", "postgres"), *server,
                "-R", "-X", "stream", "-c", "fast", "--no-sync")  # fmt: skip
            run(str(backend.program("pg_ctl")), *server, "-w", "-l", str(own / "log"), "-o", options, "start")
            try:
                yield dsn, make_conninfo(dsn, host=str(own))
            finally:
                run(str(backend.program("pg_ctl")), *server, "-m", "immediate", "stop")
        finally:
            shutil.rmtree(base, ignore_errors=True)


def caught_up(primary: str, standby: str) -> bool:
    with psycopg.connect(primary) as one, psycopg.connect(standby) as other:
        (written,) = one.execute("SELECT pg_current_wal_lsn()").fetchone() or (None,)
        row = other.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", [written]).fetchone()
    return bool(row and row[0])


def told(dsn: str, statement: str, options: str = "") -> list[dict[str, object]]:
    with psycopg.connect(make_conninfo(dsn, options=options), row_factory=dict_row) as connection:
        connection.execute(
            "SELECT set_config('cognifold.tenant', %s, false), set_config('cognifold.now', %s, false)",
            [TENANT, CLOCK.isoformat()],
        )
        return connection.execute(statement.encode()).fetchall()


@pytest.mark.parametrize("statement", ASKED)
def test_a_standby_and_a_read_only_session_answer_as_the_primary_does(pair: tuple[str, str], statement: str) -> None:
    primary, standby = pair
    eventually(lambda: caught_up(primary, standby))
    (where,) = told(standby, "SELECT pg_is_in_recovery() AS standby")
    assert where == {"standby": True}
    here = told(primary, statement)
    assert here or "check()" in statement
    assert told(standby, statement) == here
    assert told(primary, statement, options="-c default_transaction_read_only=on") == here


def test_the_client_recalls_from_a_standby_and_notes_nothing(pair: tuple[str, str]) -> None:
    primary, standby = pair
    eventually(lambda: caught_up(primary, standby))
    with Memory(standby, tenant=TENANT, clock=CLOCK) as replica:
        assert len(replica.recall("lighthouse", 3)) == 3
        assert [len(page) for page in replica.recall_pages("lighthouse", 4, kinds=["event"])] == [4, 4, 1]
        assert replica.context("lighthouse").source_ids
        noted, missed = replica.flush_recalls()
    assert noted == 0 and missed > 0
    assert told(primary, "SELECT count(*) FROM cognifold.recall_log") == [{"count": 0}]


def test_what_is_remembered_on_the_primary_is_recalled_from_the_standby(pair: tuple[str, str]) -> None:
    primary, standby = pair
    with Memory(primary, tenant=TENANT, clock=CLOCK, learn=False) as memory:
        memory.remember("A schooner ran aground below the lighthouse")
    eventually(lambda: caught_up(primary, standby))
    assert told(standby, "SELECT title FROM cognifold.recall('schooner', 1)") == [
        {"title": "A schooner ran aground below the lighthouse"}
    ]


def test_a_standby_answers_what_reads_and_refuses_what_writes(pair: tuple[str, str]) -> None:
    primary, standby = pair
    eventually(lambda: caught_up(primary, standby))
    (some,) = told(
        primary,
        "SELECT (SELECT id FROM cognifold.event WHERE fold_state <> 'folded' LIMIT 1) AS event, "
        "(SELECT plan_id FROM cognifold.plan ORDER BY version LIMIT 1) AS plan",
    )
    outcomes: dict[str, list[object]] = {}
    for dsn in (primary, standby):
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("SET default_transaction_read_only = on")
            connection.execute(
                "SELECT set_config('cognifold.tenant', %s, false), set_config('cognifold.now', %s, false)",
                [TENANT, CLOCK.isoformat()],
            )
            for verb in CALLS:
                answer: object
                try:
                    answer = connection.execute(call(verb), some).fetchall()
                except psycopg.errors.ReadOnlySqlTransaction as error:  # SQLSTATE 25006
                    answer = f"refused: {error.diag.message_primary}"
                except psycopg.Error as error:
                    answer = f"{error.sqlstate}: {error.diag.message_primary}"
                outcomes.setdefault(verb, []).append(answer)
    refused = {verb for verb, (_, there) in outcomes.items() if str(there).startswith("refused: ")}
    assert refused.isdisjoint(READING), {verb: outcomes[verb] for verb in refused & READING}
    assert {verb: both for verb, both in outcomes.items() if verb in READING and both[0] != both[1]} == {}
    assert {"remember", "fold", "apply_plan", "undo_plan", "consolidate", "set_setting", "note_recall"} <= refused
    assert {verb: there for verb, (here, there) in outcomes.items() if verb not in refused and here != there} == {}
