"""Folding with a language model over real HTTP: however it fails, no event is lost and no half plan is applied."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.planner import FoldRequest, LanguagePlanner, Proposal
from cognifold_pg.results import Folded
from tests.conftest import Connection, value
from tests.fold.stream import states, told
from tests.planner.server import (
    Answer,
    Asked,
    ModelServer,
    Script,
    cut,
    fails,
    hangs,
    one_concept,
    plans,
    refuses,
    says,
)

TEXTS = ("The roof leaks", "The printer jams", "Frost on the seedlings")


@pytest.fixture
def planner(server: ModelServer) -> LanguagePlanner:
    """Asks once, and repairs once; waits longer for an answer than the busiest machine takes."""
    return LanguagePlanner("scripted", base_url=server.base_url, retries=0, timeout=30)


@pytest.fixture
def event(memory: Memory) -> UUID:
    return memory.remember("The roof leaks above the stairs")


def concepts(memory: Memory) -> list[str]:
    return [row["title"] for row in memory.rows("SELECT title FROM cognifold.concept ORDER BY title")]


def plans_of(memory: Memory) -> list[tuple[str, int]]:
    """Each plan's proposer, and of how many events it is the fold."""
    rows = memory.rows(
        "SELECT p.proposer, count(f.event_id) AS events FROM cognifold.plan AS p "
        "LEFT JOIN cognifold.folded_event AS f USING (tenant_id, plan_id) "
        "GROUP BY p.version, p.proposer ORDER BY p.version"
    )
    return [(row["proposer"], row["events"]) for row in rows]


def no_fallback(connection: Connection) -> None:
    connection.execute("SELECT cognifold.set_setting('fold.fallback', 0)")


def outcome(row: Folded) -> tuple[str, str, str | None]:
    return row.outcome, row.proposer, row.error_state


# -------------------------------------------------------------------------------------------------- what goes well


def test_a_batch_is_one_question_and_one_plan(memory: Memory, server: ModelServer, planner: LanguagePlanner) -> None:
    ids = memory.remember_many(told(*TEXTS)).ids
    folded = memory.fold(planner=planner)
    assert [(row.event_id, *outcome(row)) for row in folded] == [(event, "folded", "llm", None) for event in ids]
    assert {row.operations for row in folded} == {1}
    assert plans_of(memory) == [("llm", 3)]
    assert memory.rows("SELECT model FROM cognifold.plan") == [{"model": "scripted-1"}]
    assert len(concepts(memory)) == 1
    assert len(server.requests) == 1
    assert memory.check() == []
    assert memory.fold(planner=planner) == []


def test_the_model_is_told_of_the_nearest_concepts_and_may_reinforce_one(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, event: UUID
) -> None:
    memory.fold(planner=planner)
    memory.remember("The roof leaks again")

    def reinforces(asked: Asked) -> Answer:
        [concept] = [node["name"] for node in asked.memory if node["name"].startswith("c")]
        new = asked.events[0]["name"]
        return plans(
            {"op": "ADD_EDGE", "reasoning": "again", "grounded_in": [new], "source": new, "target": concept,
             "type": "reinforces"}
        )  # fmt: skip

    server.will(reinforces)
    assert [outcome(row) for row in memory.fold(planner=planner)] == [("folded", "llm", None)]
    assert memory.rows("SELECT evidence_count FROM cognifold.concept") == [{"evidence_count": 2}]
    assert memory.check() == []


def test_fold_all_goes_on_until_nothing_waits(memory: Memory, planner: LanguagePlanner) -> None:
    memory.remember_many(told(*TEXTS))
    assert memory.fold_all(planner=planner) == 3
    assert plans_of(memory) == [("llm", 1)] * 3


def test_an_answer_in_prose_and_fences_is_read(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, event: UUID
) -> None:
    def chatty(asked: Asked) -> Answer:
        plan = json.loads(one_concept(asked).body["choices"][0]["message"]["content"])
        return says(f"Of course! Here is the plan:\n```json\n{json.dumps(plan)}\n```\nAnything else?")

    server.will(chatty)
    assert [outcome(row) for row in memory.fold(planner=planner)] == [("folded", "llm", None)]
    assert len(server.requests) == 1


def test_an_answer_with_bad_escapes_is_read(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, event: UUID
) -> None:
    server.will(says('{"reasoning": "caf\\ud8zz\\u00e9 \\ud800", "operations": []}'))
    assert [outcome(row) for row in memory.fold(planner=planner)] == [("folded", "llm", None)]
    assert "\x00" not in memory.rows("SELECT reasoning FROM cognifold.plan")[0]["reasoning"]


def test_a_plan_of_nothing_is_a_plan(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, event: UUID
) -> None:
    server.will(plans())
    assert [outcome(row) for row in memory.fold(planner=planner)] == [("folded", "llm", None)]
    assert plans_of(memory) == [("llm", 1)]
    assert concepts(memory) == []


def test_a_very_long_event_is_folded_and_stays_as_it_was(
    memory: Memory, server: ModelServer, planner: LanguagePlanner
) -> None:
    text = " ".join(f"line {number}: the pump of basin {number % 7} was looked after" for number in range(3000))
    assert len(text) > 120_000  # some 30,000 tokens
    event = memory.remember(text)
    assert [outcome(row) for row in memory.fold(planner=planner)] == [("folded", "llm", None)]
    assert len(server.requests[0].prompt) < len(text)
    assert memory.rows("SELECT content = %s AS same FROM cognifold.event WHERE id = %s", [text, event]) == [
        {"same": True}
    ]


# -------------------------------------------------------------------------------------------------- what goes wrong


def edge(source: str, target: str, type_: str) -> Script:
    def answer(asked: Asked) -> Answer:
        new = asked.events[0]["name"]
        names = {"event": new, "new": "new1"}
        return plans(
            {"op": "ADD_NODE", "reasoning": "a pattern", "grounded_in": [new], "kind": "concept", "ref": "new1",
             "title": "Leaks"},
            {"op": "ADD_EDGE", "reasoning": "so it seems", "grounded_in": [new],
             "source": names.get(source, source), "target": names.get(target, target), "type": type_},
        )  # fmt: skip

    return answer


FOREIGN = "01890000-0000-7000-8000-000000000001"

# What a model may answer that is no plan, each given again when the planner asks for a repair.
NO_PLANS: dict[str, Script | Answer] = {
    "malformed JSON": says('{"reasoning": "x", "operations": [{"op": "ADD_NO'),
    "prose alone": says("I would rather talk about the weather."),
    "an empty answer": says(""),
    "an unknown id": edge("event", "c99", "reinforces"),
    "another tenant's id": edge("event", FOREIGN, "reinforces"),
    "an illegal edge": edge("new", "event", "causes"),
    "an event that is to be made": plans({"op": "ADD_NODE", "reasoning": "x", "grounded_in": [], "kind": "event",
                                          "ref": "new1", "title": "Invented"}),
}  # fmt: skip


@pytest.mark.parametrize("answer", NO_PLANS.values(), ids=NO_PLANS.keys())
def test_without_a_valid_plan_the_sql_planner_folds_and_the_reason_is_kept(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, event: UUID, answer: Script | Answer
) -> None:
    server.otherwise = answer
    [row] = memory.fold(planner=planner)
    assert (row.event_id, row.outcome, row.proposer) == (event, "folded", "sql")
    assert row.error
    assert len(server.requests) == 2  # the question, and one repair
    [plan] = memory.rows("SELECT proposer, reasoning FROM cognifold.plan")
    assert plan["proposer"] == "sql"
    assert "the model had no good plan" in plan["reasoning"]
    assert concepts(memory) == []
    assert states(memory) == ["folded"]
    assert memory.check() == []


@pytest.mark.parametrize("answer", NO_PLANS.values(), ids=NO_PLANS.keys())
def test_without_a_valid_plan_and_without_the_fallback_the_event_fails_visibly(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, connection: Connection, event: UUID,
    answer: Script | Answer,
) -> None:  # fmt: skip
    no_fallback(connection)
    server.otherwise = answer
    [row] = memory.fold(planner=planner)
    assert (row.event_id, row.outcome) == (event, "failed")
    [shown] = memory.rows("SELECT state, attempts, error_state, error, worker FROM cognifold.fold_queue")
    assert (shown["state"], shown["attempts"], shown["worker"]) == ("failed", 1, None)
    assert shown["error_state"] == row.error_state and shown["error"] == row.error
    assert plans_of(memory) == []
    assert concepts(memory) == []
    server.otherwise = one_concept
    assert memory.fold(planner=planner) == []  # not before its time
    assert memory.retry() == 1
    assert [outcome(row) for row in memory.fold(planner=planner)] == [("folded", "llm", None)]
    assert memory.rows("SELECT FROM cognifold.fold_queue") == []


UNREACHABLE: dict[str, Answer] = {
    "an error of the server": fails(500),
    "a gateway without anything behind it": fails(503, headers={"retry-after": "0"}),
    "a hang past the timeout": hangs(),
    "a cut connection": cut(),
    "a page instead of an answer": Answer(body=b"<html>Bad gateway</html>"),
}


@pytest.mark.parametrize("answer", UNREACHABLE.values(), ids=UNREACHABLE.keys())
def test_a_model_that_is_not_reached_is_asked_again_later(
    memory: Memory, server: ModelServer, event: UUID, answer: Answer
) -> None:
    planner = LanguagePlanner("scripted", base_url=server.base_url, retries=0, timeout=0.3)
    server.otherwise = answer
    [row] = memory.fold(planner=planner)
    assert (row.event_id, *outcome(row)) == (event, "failed", "llm", "ModelUnreachable")
    [shown] = memory.rows(
        "SELECT state, attempts, error_state, error, not_before - now() AS wait FROM cognifold.fold_queue"
    )
    assert (shown["state"], shown["attempts"], shown["error_state"]) == ("failed", 1, "ModelUnreachable")
    assert shown["error"]
    assert timedelta(seconds=20) < shown["wait"] <= timedelta(seconds=30)  # fold.retry_delay
    assert plans_of(memory) == []
    server.otherwise = one_concept
    assert memory.retry(event) == 1
    assert [outcome(row) for row in memory.fold(planner=planner)] == [("folded", "llm", None)]
    assert memory.check() == []


@pytest.mark.parametrize(("fallback", "end"), [(1, ("folded", "sql")), (0, ("dead", "llm"))])
def test_a_model_that_is_never_reached_holds_no_event_up_for_ever(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, connection: Connection, event: UUID,
    fallback: int, end: tuple[str, str],
) -> None:  # fmt: skip
    for name, number in (("fold.fallback", fallback), ("fold.attempts", 3), ("fold.retry_delay", 0)):
        value(connection, "SELECT cognifold.set_setting(%s, %s)", name, number)
    server.otherwise = fails(500)
    rows = [memory.fold(planner=planner)[0] for _ in range(3)]
    assert [(row.outcome, row.proposer) for row in rows] == [("failed", "llm")] * 2 + [end]
    assert len(server.requests) == 3
    assert memory.fold(planner=planner) == []
    assert states(memory) == [end[0]]


def test_a_service_that_asks_to_wait_is_left_alone_so_long_and_no_attempt_is_charged(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, connection: Connection
) -> None:
    memory.remember_many(told(*TEXTS))
    value(connection, "SELECT cognifold.set_setting('fold.batch', 1)")
    server.will(fails(429, headers={"retry-after": "3600"}))
    [row] = memory.fold(planner=planner)  # and no further event is tried
    assert (row.outcome, row.error_state, row.retry_after) == ("rate_limited", "RateLimited", 3600)
    shown = memory.rows(
        "SELECT state, attempts, not_before - now() AS wait FROM cognifold.fold_queue ORDER BY occurred_at"
    )
    assert [(row["state"], row["attempts"]) for row in shown] == [("rate_limited", 0), ("ready", 0), ("ready", 0)]
    assert timedelta(minutes=59) < shown[0]["wait"] <= timedelta(minutes=60)
    assert states(memory) == ["rate_limited", "pending", "pending"]
    assert memory.retry() == 1
    assert len(memory.fold(planner=planner)) == 3


def test_a_refusal_is_not_argued_with(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, event: UUID
) -> None:
    server.otherwise = refuses()
    assert [outcome(row) for row in memory.fold(planner=planner)] == [("folded", "sql", "ModelRefused")]
    assert len(server.requests) == 1


def test_a_wrong_key_is_a_refusal(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, connection: Connection, event: UUID
) -> None:
    no_fallback(connection)
    server.otherwise = fails(401, "no such key")
    assert [outcome(row) for row in memory.fold(planner=planner)] == [("failed", "llm", "ModelRefused")]
    assert "no such key" in memory.rows("SELECT error FROM cognifold.fold_queue")[0]["error"]


def test_one_event_that_the_model_cannot_plan_for_takes_no_other_with_it(
    memory: Memory, server: ModelServer, planner: LanguagePlanner
) -> None:
    ids = memory.remember_many(told(*TEXTS)).ids

    def chokes(asked: Asked) -> Answer:
        contents = [event["content"] for event in asked.events]
        return says("I can't.") if "The printer jams" in contents else one_concept(asked)

    server.otherwise = chokes
    folded = memory.fold(planner=planner)
    assert [(row.event_id, row.outcome, row.proposer) for row in folded] == [
        (ids[0], "folded", "llm"),
        (ids[1], "folded", "sql"),
        (ids[2], "folded", "llm"),
    ]
    assert plans_of(memory) == [("llm", 1), ("sql", 1), ("llm", 1)]
    assert memory.check() == []


def test_where_the_service_goes_away_within_a_split_batch_the_rest_is_given_back(
    memory: Memory, server: ModelServer, planner: LanguagePlanner
) -> None:
    memory.remember_many(told(*TEXTS))
    server.will(says("no"), says("no"), one_concept, fails(429, headers={"retry-after": "60"}))
    assert [row.outcome for row in memory.fold(planner=planner)] == ["folded", "rate_limited"]
    shown = memory.rows("SELECT state, attempts FROM cognifold.fold_queue ORDER BY occurred_at")
    assert [tuple(row.values()) for row in shown] == [("rate_limited", 0), ("ready", 0)]


class Proposing:
    """A planner of the caller's own: whatever ``plan`` makes of a request."""

    def __init__(self, plan: Callable[[FoldRequest], dict[str, Any]]) -> None:
        self.plan = plan
        self.asked = 0

    def propose(self, request: FoldRequest) -> Proposal:
        self.asked += 1
        return Proposal(self.plan(request), "own", 1, 0, 0)


def test_a_planner_that_names_another_tenants_node_gets_nowhere(
    memory: Memory, dsn: str, new_tenant: Callable[..., str], event: UUID
) -> None:
    with Memory(dsn, tenant=new_tenant()) as other:
        foreign = other.remember("What another tenant said")
        before = other.rows("SELECT * FROM cognifold.event")
        grab = Proposing(
            lambda request: {
                "operations": [
                    {"op": "ADD_EDGE", "source": str(request.events[0].id), "target": str(foreign), "type": "causes"}
                ]
            }
        )
        [row] = memory.fold(planner=grab)
        assert outcome(row) == ("folded", "sql", "CF020")
        assert str(foreign) in str(row.error)
        assert other.rows("SELECT * FROM cognifold.event") == before
    assert memory.check() == []


def test_a_planner_that_fails_in_a_way_of_its_own_loses_no_event(
    memory: Memory, connection: Connection, event: UUID
) -> None:
    no_fallback(connection)

    def broken(request: FoldRequest) -> dict[str, Any]:
        raise ZeroDivisionError("oh no")

    [row] = memory.fold(planner=Proposing(broken))
    assert outcome(row) == ("failed", "llm", "ZeroDivisionError")
    nonsense: Any = {"operations": [{"op": "UPDATE_NODE", "weight": float("nan")}]}
    memory.retry()
    assert memory.fold(planner=Proposing(lambda request: nonsense))[0].outcome == "failed"
    assert states(memory) == ["failed"]


def test_an_interrupted_planner_gives_the_claim_back(memory: Memory, event: UUID) -> None:
    def interrupted(request: FoldRequest) -> dict[str, Any]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.fold(planner=Proposing(interrupted))
    assert memory.rows("SELECT state, attempts, lease_until FROM cognifold.fold_queue") == [
        {"state": "ready", "attempts": 0, "lease_until": None}
    ]


# -------------------------------------------------------------------------------------------------- time passes


def open_transactions(admin_dsn: str) -> list[tuple[Any, ...]]:
    """Every session of the database, but the one that asks, that is within a transaction or holds a lock."""
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        return admin.execute(
            """
            SELECT a.state, a.query FROM pg_stat_activity AS a
            WHERE a.datname = current_database() AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()
              AND (a.xact_start IS NOT NULL OR a.backend_xmin IS NOT NULL
                   OR EXISTS (SELECT FROM pg_locks AS l WHERE l.pid = a.pid))
            """
        ).fetchall()


def test_no_transaction_is_open_while_the_model_thinks(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, admin_dsn: str
) -> None:
    memory.remember_many(told(*TEXTS))
    seen: list[list[tuple[Any, ...]]] = []
    held: list[list[str]] = []

    def looks(asked: Asked) -> Answer:
        seen.append(open_transactions(admin_dsn))
        held.append(states(memory))
        # The first answer is no plan, so that a repair and then single events are asked about, too.
        return says("no") if len(seen) <= 2 else one_concept(asked)

    server.otherwise = looks
    assert [row.outcome for row in memory.fold(planner=planner)] == ["folded"] * 3
    assert len(seen) == 5
    assert seen == [[]] * 5
    assert held[0] == ["leased"] * 3


def test_others_fold_and_remember_while_the_model_thinks(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, dsn: str
) -> None:
    first = memory.remember("The roof leaks")

    def meanwhile(asked: Asked) -> Answer:
        with Memory(dsn, tenant=memory.tenant, pool_size=1) as other:
            second = other.remember("The printer jams")
            assert [row.event_id for row in other.fold()] == [second]
        return one_concept(asked)

    server.will(meanwhile)
    assert [row.event_id for row in memory.fold(1, planner=planner)] == [first]
    assert plans_of(memory) == [("sql", 1), ("llm", 1)]


def test_a_plan_for_a_graph_that_moved_on_is_made_anew(
    memory: Memory, server: ModelServer, planner: LanguagePlanner, event: UUID, dsn: str
) -> None:
    memory.fold(planner=planner)
    [concept] = memory.rows("SELECT id FROM cognifold.concept")
    memory.remember("The roof leaks again")
    titles: list[str] = []

    def renames(asked: Asked) -> Answer:
        [shown] = [node for node in asked.memory if node["name"].startswith("c")]
        titles.append(shown["title"])
        if len(titles) < 3:
            with Memory(dsn, tenant=memory.tenant, pool_size=1) as other:
                other.apply_plan(
                    {"operations": [{"op": "UPDATE_NODE", "node": concept["id"], "title": f"Leak {len(titles)}"}]}
                )
        new = asked.events[0]["name"]
        return plans(
            {"op": "ADD_EDGE", "reasoning": "again", "grounded_in": [new], "source": new, "target": shown["name"],
             "type": "reinforces"}
        )  # fmt: skip

    server.otherwise = renames
    assert [outcome(row) for row in memory.fold(planner=planner)] == [("folded", "llm", None)]
    assert titles[1:] == ["Leak 1", "Leak 2"]
    assert memory.check() == []


def test_a_graph_that_never_stands_still_is_asked_about_four_times_and_then_later(
    memory: Memory, dsn: str, event: UUID
) -> None:
    memory.fold(planner=Proposing(lambda request: founding(request)))
    [concept] = memory.rows("SELECT id FROM cognifold.concept")
    memory.remember("The roof leaks again")

    def too_late(request: FoldRequest) -> dict[str, Any]:
        with Memory(dsn, tenant=memory.tenant, pool_size=1) as other:
            title = f"Version {request.version}"
            other.apply_plan({"operations": [{"op": "UPDATE_NODE", "node": concept["id"], "title": title}]})
        new = str(request.events[0].id)
        edge = {"op": "ADD_EDGE", "source": new, "target": str(concept["id"]), "type": "reinforces"}
        return {"operations": [edge]}

    planner = Proposing(too_late)
    assert [outcome(row) for row in memory.fold(planner=planner)] == [("failed", "llm", "CF025")]
    assert planner.asked == 4
    assert states(memory) == ["folded", "failed"]


def founding(request: FoldRequest) -> dict[str, Any]:
    events = [str(event.id) for event in request.events]
    return {"operations": [{"op": "ADD_NODE", "kind": "concept", "title": "Leaks", "grounded_in": events}]}


def test_who_thinks_longer_than_the_lease_and_is_overtaken_changes_nothing(
    memory: Memory, connection: Connection, dsn: str
) -> None:
    ids = memory.remember_many(told(*TEXTS[:2])).ids
    value(connection, "SELECT cognifold.set_setting('fold.lease', 0.001)")

    def overtaken(request: FoldRequest) -> dict[str, Any]:
        with Memory(dsn, tenant=memory.tenant, pool_size=1) as other:
            folded: list[Folded] = []
            while not folded:
                folded = other.fold(1)
            assert [row.event_id for row in folded] == [ids[0]]
        return founding(request)

    rows = memory.fold(2, planner=Proposing(overtaken))
    assert [(row.event_id, *outcome(row)) for row in rows] == [(event, "lost", "llm", "CF024") for event in ids]
    assert plans_of(memory) == [("sql", 1)]
    assert states(memory) == ["folded", "pending"]
    assert memory.rows("SELECT attempts FROM cognifold.fold_queue") == [{"attempts": 0}]
    assert concepts(memory) == []


@pytest.mark.parametrize("answer", [None, "a plan", Proposal({}, "odd", 1, 0, 0)])
def test_a_planner_that_proposes_nothing_is_as_good_as_none(memory: Memory, event: UUID, answer: Any) -> None:
    class Odd:
        def propose(self, request: FoldRequest) -> Proposal:
            return answer  # type: ignore[no-any-return]

    assert [outcome(row) for row in memory.fold(planner=Odd())] == [("folded", "sql", "MalformedAnswer")]
