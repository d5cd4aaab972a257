"""A server of its own to kill, a stream to fold on it, and the graph that an undisturbed fold makes of it."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.embedded import EmbeddedServer, temporary_server
from cognifold_pg.experience import Experience
from cognifold_pg.install import install
from tests.conftest import WRITER, Connection, make_role
from tests.embedded.servers import eventually

START = datetime(2026, 4, 6, 8, tzinfo=UTC)

# Each subject is spoken of in several ways, so that concepts arise, grow and are renamed.
SUBJECTS = (
    ("The beehive by the orchard", ("was inspected, the queen is laying", "swarmed over the fence",
                                    "needs a second box before May",
                                    "gave nine frames of honey", "shows no sign of varroa mites")),
    ("The cello lesson with Marta", ("was moved to Thursday", "went through the first Bach suite",
                                     "is paid until the end of June",
                                     "needs new strings by Friday", "ended with the sarabande")),
    ("The leak under the kitchen sink", ("came back during the night", "was traced to the siphon",
                                         "needs a plumber before Monday",
                                         "ruined the box of onions", "is dry since the new siphon")),
    ("The trail run around the lake", ("took fifty-one minutes", "was cut short by hail",
                                       "felt easy after the rest day",
                                       "is the last long one before the race", "left a blister on the heel")),
)  # fmt: skip


def stream(number: int) -> list[Experience]:
    """The same events each time, in an order that mixes the subjects."""
    rng = random.Random(11)
    said = []
    for place in range(number):
        subject, ways = rng.choice(SUBJECTS)
        content = f"{subject} {rng.choice(ways)}"
        said.append(Experience(content, occurred_at=START + timedelta(hours=5 * place), source="diary", actor="Noor"))
    return said


@pytest.fixture(scope="session")
def server() -> Iterator[EmbeddedServer]:
    """Durable, and never the session's: it is killed again and again."""
    with temporary_server(durable=True) as running:
        install(running.dsn())
        with psycopg.connect(running.dsn(), autocommit=True) as admin:
            make_role(admin, WRITER, "cognifold_writer", "cognifold_multitenant")
        yield running


@pytest.fixture(autouse=True)
def running(server: EmbeddedServer) -> None:
    """Whatever became of the server in the test before."""
    server.start()


def as_writer(server: EmbeddedServer) -> str:
    """The DSN of a plain role under row-level security."""
    return make_conninfo(server.dsn(), user=WRITER)


NUMBER = 60


def fill(dsn: str, tenant: str) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        assert memory.create_tenant()
        assert memory.remember_many(stream(NUMBER)).new == NUMBER


@pytest.fixture(scope="session")
def undisturbed(server: EmbeddedServer) -> list[tuple[Any, ...]]:
    """The graph that the stream folds into when nothing happens."""
    fill(as_writer(server), "undisturbed")
    with Memory(as_writer(server), tenant="undisturbed") as memory:
        assert memory.fold_all(batch=NUMBER) == NUMBER
        made = graph(memory)
    assert {row[2] for row in made} >= {"grounds", "reinforces", "precedes"}
    return made


def graph(memory: Memory) -> list[tuple[Any, ...]]:
    """Every edge with what it joins, ids aside, and every concept with its state."""
    edges = memory.rows(
        """
        SELECT s.title || ' @ ' || s.occurred_at AS source,
               t.kind || ' ' || t.title || ' @ ' || t.occurred_at AS target, e.type,
               round(e.potential::numeric, 9) AS potential, e.inferred, e.stamped_at
        FROM cognifold.graph_edge AS e
        JOIN cognifold.node AS s ON s.tenant_id = e.tenant_id AND s.id = e.source_id
        JOIN cognifold.node AS t ON t.tenant_id = e.tenant_id AND t.id = e.target_id
        """
    )
    concepts = memory.rows(
        """
        SELECT n.title, s.strength, s.evidence_count, s.event_count, s.vector_count,
               round(s.evidence_potential::numeric, 9) AS potential,
               (SELECT md5(string_agg(l.lexeme || l.event_count, ' ' ORDER BY l.lexeme COLLATE "C"))
                FROM cognifold.concept_lexeme AS l
                WHERE l.tenant_id = n.tenant_id AND l.node_id = n.id) AS words
        FROM cognifold.node AS n JOIN cognifold.concept_state AS s ON s.tenant_id = n.tenant_id AND s.node_id = n.id
        """
    )
    return sorted((tuple(row.values()) for row in [*edges, *concepts]), key=repr)


def assert_every_event_was_folded_once(memory: Memory, expected: list[tuple[Any, ...]]) -> None:
    """No event lost, none folded twice, nothing unsound, and the graph of an undisturbed fold."""
    assert memory.rows("SELECT fold_state, count(*) AS events FROM cognifold.event GROUP BY 1") == [
        {"fold_state": "folded", "events": NUMBER}
    ]
    plans = memory.rows(
        "SELECT count(DISTINCT p.plan_id) AS plans, count(*) AS events FROM cognifold.plan AS p "
        "JOIN cognifold.folded_event AS f ON f.tenant_id = p.tenant_id AND f.plan_id = p.plan_id "
        "WHERE p.status = 'applied'"
    )
    assert plans == [{"plans": NUMBER, "events": NUMBER}]
    assert memory.rows("SELECT FROM cognifold.work") == []
    assert memory.check() == []
    assert graph(memory) == expected


FOLD = {
    "client": "from cognifold_pg.client import Memory; Memory(dsn, tenant=tenant).fold_all()",
    # Says how far it is after each event, and goes on when it is answered.
    "step by step": "from cognifold_pg.client import Memory; Memory(dsn, tenant=tenant).fold_all("
                    "progress=lambda folded: (print(folded, flush=True), sys.stdin.readline()))",
    "procedure": "import psycopg; connection = psycopg.connect(dsn, autocommit=True); "
                 "connection.execute('CALL cognifold.fold_all(tenant => %s)', [tenant])",
}  # fmt: skip


@pytest.fixture
def folding() -> Iterator[Callable[[str, str, str], subprocess.Popen[str]]]:
    """Starts a process that folds all of a tenant, in one of these ways; it is ended with the test."""
    started: list[subprocess.Popen[str]] = []

    def start(way: str, dsn: str, tenant: str) -> subprocess.Popen[str]:
        code = f"import sys; dsn, tenant = sys.argv[1:]; {FOLD[way]}"
        process = subprocess.Popen(
            [sys.executable, "-c", code, dsn, tenant],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        for stream_end in (process.stdin, process.stdout, process.stderr):
            if stream_end is not None:
                stream_end.close()


@contextmanager
def held(dsn: str, statement: str) -> Iterator[Connection]:
    """Hold the locks that a statement takes, until the block ends (or the server does)."""
    connection = psycopg.connect(dsn)
    try:
        connection.execute(statement.encode())
        yield connection
    finally:
        connection.close()


def waiting_for_a_lock(dsn: str) -> int:
    """How many sessions stand before a lock."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        row = connection.execute("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted").fetchone()
    assert row is not None
    return int(row[0])


def wait_for_waiters(dsn: str, number: int) -> None:
    eventually(lambda: waiting_for_a_lock(dsn) == number)
