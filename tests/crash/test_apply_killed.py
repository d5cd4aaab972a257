"""kill -9 in the middle of apply_plan, of the server or the client: who asks again gets each plan applied once."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid5

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.embedded import EmbeddedServer
from cognifold_pg.experience import Experience
from tests.crash.conftest import START, as_writer, held, wait_for_waiters
from tests.crash.test_several_folding import sessions_of_others
from tests.embedded.servers import eventually, kill_postmaster

NUMBER = 16

# Applies the plans of a file, from a number on, one after the other; says which it has had an answer for, and waits for
# a word before the next. The client's own way is a transaction a plan; in the other each statement is one.
LOOP = """
    for number in range(int(sys.argv[4]), len(plans)):
        result = apply(plans[number])
        print(json.dumps([number, result]), flush=True)
        sys.stdin.readline()
"""
APPLY = {
    "client": f"""
import json, sys
from cognifold_pg.client import Memory
plans = json.load(open(sys.argv[3]))
with Memory(sys.argv[1], tenant=sys.argv[2]) as memory:
    apply = memory.apply_plan
{LOOP}""",
    "statement": f"""
import json, sys, psycopg
plans = json.load(open(sys.argv[3]))
with psycopg.connect(sys.argv[1], autocommit=True) as connection:
    def apply(plan):
        query = "SELECT cognifold.apply_plan(%s, %s)"
        return connection.execute(query, [json.dumps(plan), sys.argv[2]]).fetchone()[0]
{LOOP}""",
}

Applying = Callable[..., "subprocess.Popen[str]"]


class Diary:
    """A tenant, the plans that are to be applied to it in this order, and what is known of them."""

    def __init__(self, server: EmbeddedServer, tenant: str, path: Any) -> None:
        self.server, self.tenant = server, tenant
        self.path = path
        with Memory(as_writer(server), tenant=tenant) as memory:
            memory.create_tenant()
            self.events = [
                str(memory.remember(Experience(f"Said for the {n}. time", occurred_at=START))) for n in range(3)
            ]
            made = memory.apply_plan({"operations": [self.concept("Vorpex", "made")]})
        self.plans = [self.plan(number, made["refs"]["made"]) for number in range(NUMBER)]
        self.answers: dict[int, Any] = {}
        path.write_text(json.dumps(self.plans))

    def concept(self, title: str, ref: str) -> dict[str, Any]:
        return {"op": "ADD_NODE", "kind": "concept", "title": title, "grounded_in": [self.events[0]], "ref": ref}

    def plan(self, number: int, counted: str) -> dict[str, Any]:
        """Applied twice it would show: in the mass of an edge, in the count of a concept, in the number of intents."""
        return {
            "plan_id": str(uuid5(UUID(int=0), f"{self.tenant} {number}")),
            "operations": [
                {"op": "ADD_EDGE", "source": self.events[1], "type": "reinforces", "target": counted},
                {"op": "ADD_NODE", "kind": "intent", "title": f"Plan {number}", "grounded_in": [counted], "ref": "i"},
                {"op": "UPDATE_NODE", "node": self.events[2], "annotations": {"last": number}},
            ],
        }

    def hear(self, process: subprocess.Popen[str]) -> int:
        """Note the next answer; the number of its plan."""
        assert process.stdout is not None
        number, result = json.loads(process.stdout.readline())
        assert self.answers.setdefault(number, result) == result, "asked again, the first answer"
        return int(number)

    def applied(self) -> int:
        """How many of the plans are in the record."""
        with Memory(as_writer(self.server), tenant=self.tenant) as memory:
            found = {str(row["plan_id"]) for row in memory.rows("SELECT plan_id FROM cognifold.plan")}
        known = [plan["plan_id"] in found for plan in self.plans]
        assert known == sorted(known, reverse=True), "in their order, without a gap"
        return sum(known)

    def assert_each_was_applied_once(self) -> None:
        assert self.applied() == NUMBER
        with Memory(as_writer(self.server), tenant=self.tenant) as memory:
            assert memory.check() == []
            plans = memory.rows(
                "SELECT version, applied_at, plan_id::text, result FROM cognifold.plan ORDER BY version"
            )
            assert [plan["version"] for plan in plans] == list(range(1, NUMBER + 2))
            assert all(one["applied_at"] < other["applied_at"] for one, other in pairwise(plans))
            assert [plan["plan_id"] for plan in plans[1:]] == [plan["plan_id"] for plan in self.plans]
            assert {n: plans[n + 1]["result"] for n in self.answers} == self.answers
            (state,) = memory.rows("SELECT strength, evidence_count FROM cognifold.concept_state")
            assert state == {"strength": 1, "evidence_count": 1 + NUMBER}
            (edge,) = memory.rows(
                "SELECT exp(potential - cognifold.decay_integral(tenant_id, 'episodic', stamped_at)) AS mass "
                "FROM cognifold.graph_edge WHERE type = 'reinforces'"
            )
            assert edge["mass"] == pytest.approx(0.7 + 0.1 * (NUMBER - 1), rel=1e-9)
            assert memory.rows("SELECT title FROM cognifold.node WHERE kind = 'intent' ORDER BY id") == [
                {"title": f"Plan {number}"} for number in range(NUMBER)
            ]
            assert memory.rows("SELECT value FROM cognifold.annotation") == [{"value": NUMBER - 1}]
            # Each change of the event's annotation found what the plan before it had left.
            assert memory.rows(
                "SELECT (j.before ->> 'value')::integer AS before FROM cognifold.journal AS j "
                "JOIN cognifold.plan AS p USING (tenant_id, plan_id) WHERE j.relation = 'annotation' ORDER BY p.version"
            ) == [{"before": number - 1 if number else None} for number in range(NUMBER)]


@pytest.fixture
def diary(server: EmbeddedServer, tmp_path: Any, request: pytest.FixtureRequest) -> Diary:
    return Diary(server, str(request.node.name)[:60], tmp_path / "plans.json")


@pytest.fixture
def applying(diary: Diary) -> Iterator[Applying]:
    """Starts a process that applies the plans from this number on; it is ended with the test."""
    started: list[subprocess.Popen[str]] = []

    def start(number: int, way: str = "client") -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", APPLY[way], as_writer(diary.server), diary.tenant, str(diary.path), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def go_on(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go on\n")
    process.stdin.flush()


def finish(diary: Diary, applying: Applying) -> None:
    """Ask for every plan, from the first on: those that are there answer as they did."""
    process = applying(0)
    for _ in range(NUMBER):
        diary.hear(process)
        go_on(process)


def test_the_server_killed_in_the_middle_of_a_plan(diary: Diary, applying: Applying) -> None:
    """At steps of the plan where it waits for a table: the edge, the annotation, the journal."""
    server, dice = diary.server, random.Random(3)
    for middle in ("graph_edge", "annotation", "journal"):
        process = applying(diary.applied())
        for _ in range(dice.randint(0, 2)):
            diary.hear(process)
            go_on(process)
        number = diary.hear(process)
        with held(server.dsn(), f"LOCK TABLE cognifold.{middle} IN ACCESS EXCLUSIVE MODE"):
            go_on(process)
            wait_for_waiters(server.dsn(), 1)
            kill_postmaster(server)
        process.kill()
        server.start()
        # What was answered is there. The one it was at may be: a backend can outlive its postmaster for a moment.
        assert diary.applied() in (number + 1, number + 2)
    finish(diary, applying)
    diary.assert_each_was_applied_once()


def test_the_server_killed_at_any_moment(diary: Diary, applying: Applying) -> None:
    """The kill follows at once on the word to go on, so it may come at any step of a plan."""
    server, dice = diary.server, random.Random(4)
    for _ in range(2):
        process = applying(diary.applied())
        for _ in range(dice.randint(1, 6)):
            number = diary.hear(process)
            go_on(process)
        kill_postmaster(server)
        process.kill()
        server.start()
        assert diary.applied() > number
    finish(diary, applying)
    diary.assert_each_was_applied_once()


@pytest.mark.parametrize(("way", "applied"), [("client", 1), ("statement", 2)])
def test_the_client_killed_between_its_question_and_the_answer(
    diary: Diary, applying: Applying, way: str, applied: int
) -> None:
    """The client's transaction goes with it; a lone statement is carried out all the same. Who asks again is told."""
    server = diary.server
    for middle in ("graph_edge", "journal"):
        process = applying(diary.applied(), way)
        number = diary.hear(process)
        with held(server.dsn(), f"LOCK TABLE cognifold.{middle} IN ACCESS EXCLUSIVE MODE"):
            go_on(process)
            wait_for_waiters(server.dsn(), 1)
            process.kill()
            process.wait()
        eventually(lambda: sessions_of_others(server.dsn()) == 0)
        assert diary.applied() == number + applied
    finish(diary, applying)
    diary.assert_each_was_applied_once()


def test_a_client_killed_before_it_commits_leaves_nothing(diary: Diary, applying: Applying) -> None:
    """A plan inside a transaction of the application's own is that transaction's."""
    server = diary.server
    code = (
        "import json, sys, psycopg; connection = psycopg.connect(sys.argv[1]); "
        "connection.execute('SELECT cognifold.apply_plan(%s, %s)', [sys.argv[3], sys.argv[2]]); "
        "print('applied', flush=True); sys.stdin.readline()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, as_writer(server), diary.tenant, json.dumps(diary.plans[0])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None and process.stdout.readline() == "applied\n"
    finally:
        process.kill()
        process.communicate()
    assert diary.applied() == 0
    finish(diary, applying)  # which waits for the turn the dead one held, if it still does
    diary.assert_each_was_applied_once()
