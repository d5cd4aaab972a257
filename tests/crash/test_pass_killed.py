"""kill -9 at random points of a sleep pass: the memory stays consistent, and the next pass finishes the work.

Thirty times in all: of the client, of the server process that serves it, of the whole server; between steps, in the
middle of one, and at any moment.
"""

from __future__ import annotations

import itertools
import os
import random
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.embedded import EmbeddedServer
from cognifold_pg.experience import Experience
from tests.crash.conftest import START, as_writer, held, stream, waiting_for_a_lock
from tests.crash.test_several_folding import sessions_of_others
from tests.embedded.servers import eventually, kill_postmaster

AS_OF = START + timedelta(days=60)
KILLS = 10  # a tenant

# Runs a pass: step by step, saying so and waiting for a word; by the procedure; or whole, in one transaction.
PASS = {
    "steps": """
    run = None
    while True:
        step = connection.execute(
            "SELECT cognifold.consolidate_step(%s, %s, tenant => %s)", [run, as_of, tenant]).fetchone()[0]
        run = step["run_id"]
        print(step["steps"], flush=True)
        if not step["running"]:
            break
        sys.stdin.readline()
""",
    "procedure": """
    connection.execute("CALL cognifold.consolidate_all(%s, tenant => %s)", [as_of, tenant])
""",
    "whole": """
    connection.execute("SELECT cognifold.consolidate(%s, %s)", [as_of, tenant])
""",
}
# Who waits for one of these is in the middle of a step: finding its work, changing the graph, writing the record.
MIDDLES = ("consolidation_run", "consolidation_dirty", "node", "graph_edge", "node_state", "journal", "embedding")

Passing = Callable[..., "subprocess.Popen[str]"]

PAIRS = (
    ("Repair of the violin", "The violin was repaired in the workshop by the harbour",
     "Violin repairs", "In the workshop by the harbour the violin was repaired"),
    ("Buying a tractor", "They bought a tractor for the vineyard",
     "Purchase of the tractor", "For the vineyard they bought another tractor"),
    ("Delivery of the carpet", "The carpet was delivered to the monastery",
     "Carpet delivered", "To the monastery the carpet was delivered"),
    ("Report about the glacier", "A report about the glacier and the volcano was written",
     "The glacier report", "Somebody wrote a report about the volcano and the glacier"),
    ("Launch of the satellite", "The satellite was launched from the parliament",
     "Satellite launched", "From the parliament the satellite was launched"),
    ("Painting of the chimney", "The chimney of the bakery was painted",
     "Chimney painted", "Somebody painted the chimney of the bakery"),
)  # fmt: skip
ORPHANS = (("penguin", "telescope"), ("trumpet", "laundry"), ("cactus", "elevator"))
DUE = 12


def plant(dsn: str, tenant: str) -> None:
    """What a pass has to do: six pairs are one concept each, three concepts to tie in, twelve edges to fade."""
    with Memory(dsn, tenant=tenant) as memory:
        assert memory.create_tenant()
        quiet = {"fold.minimum_information": 100, "fold.related": 0}  # the planner makes nothing of its own
        for name, number in ({"consolidate.step": 1, "consolidate.merge_share": 1} | quiet).items():
            memory.rows("SELECT cognifold.set_setting(%s, %s)", [name, number])
        numbers = itertools.count()

        def remember(text: str, days: float) -> str:
            number = next(numbers)  # each in a source of its own: none precedes another
            happened = AS_OF - timedelta(days=days) + timedelta(minutes=number)
            return str(memory.remember(Experience(text, occurred_at=happened, source=f"{number}", actor="Noor")))

        def make(*wanted: tuple[str, str]) -> None:
            made = memory.apply_plan({"operations": [
                {"op": "ADD_NODE", "kind": "concept", "title": title, "grounded_in": [event]}
                for title, event in wanted]})  # fmt: skip
            assert made["counts"]["nodes_added"] == len(wanted)

        for title, text, other, retold in PAIRS:
            one, two = remember(text, 1), remember(retold, 1)
            make((title, one), (other, two))
        for word, near in ORPHANS:
            long_ago = remember(f"The {word} near the {near}", 365)
            make((f"{word} of yore", long_ago))
            remember(f"Somebody painted the {word} beside the {near}", 1)
        past = [remember(f"Past note {number} about nothing", 40) for number in range(5)]
        pairs = [(a, b) for a in past for b in past if a != b][:DUE]
        memory.apply_plan({"trigger_event_id": past[0], "operations": [
            {"op": "ADD_EDGE", "source": a, "target": b, "type": "related_to"} for a, b in pairs]})  # fmt: skip
        memory.fold_all()
        for name in quiet:
            memory.rows("SELECT cognifold.set_setting(%s, NULL)", [name])


def settled(memory: Memory) -> dict[str, list[tuple[Any, ...]]]:
    """What passes have made of it, ids aside."""
    asked = {
        "merged": "SELECT n.title, s.title AS survivor FROM cognifold.node AS n "
                  "JOIN cognifold.node AS s ON s.tenant_id = n.tenant_id AND s.id = n.merged_into",
        "tied": "SELECT s.title, t.title AS target, e.type, round(e.potential::numeric, 9) "
        "FROM cognifold.graph_edge AS e "
                "JOIN cognifold.node AS s ON s.tenant_id = e.tenant_id AND s.id = e.source_id "
                "JOIN cognifold.node AS t ON t.tenant_id = e.tenant_id AND t.id = e.target_id WHERE e.inferred",
        "faded": "SELECT s.title, t.title AS target, e.type, e.faded_at FROM cognifold.graph_edge AS e "
                 "JOIN cognifold.node AS s ON s.tenant_id = e.tenant_id AND s.id = e.source_id "
                 "JOIN cognifold.node AS t ON t.tenant_id = e.tenant_id AND t.id = e.target_id "
                 "WHERE e.faded_at IS NOT NULL",
        "replayed": "SELECT n.title, s.consolidation_state, s.replay_count FROM cognifold.node_state AS s "
                    "JOIN cognifold.node AS n ON n.tenant_id = s.tenant_id AND n.id = s.node_id WHERE n.kind = 'event'",
        "left": "SELECT d.kind FROM cognifold.consolidation_dirty AS d",
    }  # fmt: skip
    return {name: sorted(tuple(row.values()) for row in memory.rows(query)) for name, query in asked.items()}


@pytest.fixture(scope="session")
def uninterrupted(server: EmbeddedServer) -> dict[str, list[tuple[Any, ...]]]:
    """What a pass makes of it that nothing happens to."""
    dsn = as_writer(server)
    plant(dsn, "uninterrupted pass")
    with Memory(dsn, tenant="uninterrupted pass") as memory:
        memory.consolidate(as_of=AS_OF)
        made = settled(memory)
        assert memory.check() == []
    assert len(made["merged"]) == len(PAIRS)
    assert {target for _, target, *_ in made["tied"]} >= {f"{one} of yore" for one, _ in ORPHANS}
    assert len(made["faded"]) == DUE + len(ORPHANS), "and the orphans' own edges, which never lived"
    assert made["left"] == []
    return made


@pytest.fixture
def passing() -> Iterator[Passing]:
    """Starts a process that runs a pass, in one of these ways; it is ended with the test."""
    started: list[subprocess.Popen[str]] = []

    def start(way: str, dsn: str, tenant: str) -> subprocess.Popen[str]:
        code = (
            "import sys, psycopg\ndsn, tenant, as_of = sys.argv[1:]\n"
            f"with psycopg.connect(dsn, autocommit=True) as connection:{PASS[way]}"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code, dsn, tenant, AS_OF.isoformat()],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        with suppress(BrokenPipeError, ValueError):
            process.communicate()


def backend_of(dsn: str) -> int | None:
    """The server process that runs a pass just now."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        row = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE query ~ 'cognifold.consolidate' AND pid <> pg_backend_pid()"
        ).fetchone()
    return None if row is None else int(row[0])


def kill(server: EmbeddedServer, process: subprocess.Popen[str], victim: str) -> None:
    """kill -9 of the client, of the server process that serves it, or of the whole server."""
    dsn = server.dsn()
    backend = backend_of(dsn) if victim == "backend" else None
    if victim == "server":
        kill_postmaster(server)
    elif backend is not None:
        os.kill(backend, signal.SIGKILL)  # the others are ended by the server, which recovers by itself
    process.kill()
    process.communicate()


def recover(server: EmbeddedServer) -> None:
    """The server answers, and who served the dead has noticed."""
    server.start()
    eventually(lambda: is_quiet(server.dsn()))


def is_quiet(dsn: str) -> bool:
    """Whether it answers and nobody is at it; one whose backend was killed may answer once more before it restarts."""
    try:
        return sessions_of_others(dsn) == 0
    except psycopg.OperationalError:
        return False


@pytest.mark.parametrize("seed", [3, 5, 8])
def test_killed_again_and_again_at_random_points_the_next_pass_finishes_the_work(
    server: EmbeddedServer, uninterrupted: dict[str, list[tuple[Any, ...]]], passing: Passing, seed: int
) -> None:
    dsn, writer = server.dsn(), as_writer(server)
    chance = random.Random(seed)
    names = (f"pass killed {seed}.{number}" for number in itertools.count())
    tenant, kills = "", 0
    done: dict[str, list[tuple[Any, ...]]] = {}
    while kills < KILLS:
        if not done:
            tenant, done = next(names), {"merged": [], "faded": [], "tied": []}
            plant(writer, tenant)
        way = "whole" if kills == 0 else "procedure" if kills % 3 == 0 else "steps"
        # Where no word is waited for, a server process whose client is gone would go on to the end.
        victim = chance.choice(("client", "backend", "server") if way == "steps" else ("backend", "server"))
        middle = chance.choice((*MIDDLES, None) if way == "steps" else MIDDLES[:2])  # None: at any moment
        process, goes_on = passing(way, writer, tenant) if way == "steps" else None, True
        if process is not None:
            assert process.stdout is not None
            for place in range(chance.randrange(1, 4)):
                if place > 0 and goes_on:
                    say(process, "go on\n")
                goes_on = goes_on and bool(process.stdout.readline())
        if goes_on and process is not None and middle is None:
            say(process, "go on\n")
            kill(server, process, victim)
        elif goes_on:
            with held(dsn, f"LOCK TABLE cognifold.{middle} IN ACCESS EXCLUSIVE MODE"):
                if process is None:
                    process = passing(way, writer, tenant)
                else:
                    say(process, "go on\n")
                eventually(lambda process=process: waiting_for_a_lock(dsn) > 0 or spoke(process))  # type: ignore[misc]
                goes_on = process.poll() is None
                if goes_on:
                    kill(server, process, victim)
        if not goes_on:  # it came to its end before it could be killed
            assert process is not None
            finish(process)
            with Memory(writer, tenant=tenant) as memory:
                assert settled(memory) == uninterrupted
            done = {}
            continue
        kills += 1
        recover(server)
        with Memory(writer, tenant=tenant) as memory:
            assert memory.check() == []
            made = settled(memory)
        for name, before in done.items():
            assert set(before) <= set(made[name]), "what was done stays done"
            assert set(made[name]) <= set(uninterrupted[name]), "and nothing else is"
        done = {name: made[name] for name in done}
    with Memory(writer, tenant=tenant) as memory:
        memory.consolidate(as_of=AS_OF)
        assert settled(memory) == uninterrupted
        assert memory.check() == []


def say(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):  # it has come to its end
        process.stdin.write(word)
        process.stdin.flush()


def spoke(process: subprocess.Popen[str]) -> bool:
    """Whether it has said something, or ended."""
    assert process.stdout is not None
    return process.poll() is not None or bool(select.select([process.stdout], [], [], 0)[0])


def finish(process: subprocess.Popen[str]) -> str:
    """Wait for its end, which must be a good one; what it complained of."""
    process.wait(timeout=120)
    assert process.stderr is not None
    said = process.stderr.read()
    assert process.returncode == 0, said
    return said


def test_of_two_passes_at_once_one_waits_and_the_work_is_done_once(
    server: EmbeddedServer, uninterrupted: dict[str, list[tuple[Any, ...]]], passing: Passing
) -> None:
    dsn, writer, tenant = server.dsn(), as_writer(server), "two passes"
    plant(writer, tenant)
    with held(dsn, "LOCK TABLE cognifold.journal IN ACCESS EXCLUSIVE MODE"):
        passes = [passing("procedure", writer, tenant), passing("whole", writer, tenant)]
        eventually(lambda: waiting_for_a_lock(dsn) > 0 and sessions_of_others(dsn) == 3)
    for one in passes:
        finish(one)
    with Memory(writer, tenant=tenant) as memory:
        assert settled(memory) == uninterrupted
        assert memory.check() == []


def test_a_pass_and_four_folding_workers_come_to_the_same_end_without_a_deadlock(
    server: EmbeddedServer, passing: Passing, folding: Callable[[str, str, str], subprocess.Popen[str]]
) -> None:
    """Bounded by the work: forty events to fold while passes run until there is nothing left to do."""
    dsn, writer, tenant = server.dsn(), as_writer(server), "folded while it sleeps"
    plant(writer, tenant)
    with Memory(writer, tenant=tenant) as memory:
        assert memory.remember_many(stream(40)).new == 40
        deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        before = memory.rows(deadlocks)
        with held(dsn, f"SELECT FROM cognifold.graph_turn WHERE tenant_id = '{tenant}' FOR NO KEY UPDATE"):
            workers = [folding("procedure", writer, tenant) for _ in range(4)]
            sleeper = passing("procedure", writer, tenant)
            eventually(lambda: waiting_for_a_lock(dsn) == 5)
        while any(worker.poll() is None for worker in workers):
            finish(sleeper)
            sleeper = passing("procedure", writer, tenant)
        for process in (*workers, sleeper):
            finish(process)
        assert memory.rows(deadlocks) == before
        assert memory.rows("SELECT fold_state, count(*) AS events FROM cognifold.event GROUP BY 1") == [
            {"fold_state": "folded", "events": 2 * len(PAIRS) + 2 * len(ORPHANS) + 5 + 40}
        ]
        assert memory.rows("SELECT event_id FROM cognifold.folded_event GROUP BY 1 HAVING count(*) > 1") == []
        merged = {frozenset(pair) for pair in settled(memory)["merged"]}
        assert merged >= {frozenset((title, other)) for title, _, other, _ in PAIRS}
        assert memory.check() == []
