"""Events in hand: a claim holds for a while, its fence decides who may write, and what goes wrong stays visible."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import (
    ConflictError,
    InvalidPlanError,
    InvalidValueError,
    LostClaimError,
    TenantConflictError,
    UnknownNodeError,
)
from cognifold_pg.results import Claimed
from tests.conftest import Connection, value
from tests.fold.stream import states, told

AT_ONCE = timedelta(microseconds=1)  # a lease that has lapsed when it is given


def reinforces(event: UUID, concept: UUID | str) -> dict[str, Any]:
    return {
        "reasoning": "more of the same",
        "operations": [
            {"op": "ADD_EDGE", "source": event, "target": concept, "type": "reinforces", "grounded_in": [event]}
        ],
    }


def founds(event: UUID, title: str = "Things that drip") -> dict[str, Any]:
    return {
        "reasoning": "a pattern",
        "operations": [{"op": "ADD_NODE", "kind": "concept", "ref": "c", "title": title, "grounded_in": [event]}],
    }


def queue(memory: Memory) -> list[tuple[Any, ...]]:
    rows = memory.rows("SELECT state, attempts, error_state, error FROM cognifold.fold_queue ORDER BY occurred_at")
    return [tuple(row.values()) for row in rows]


@pytest.fixture
def events(memory: Memory) -> tuple[UUID, ...]:
    return memory.remember_many(told("The roof leaks", "The printer jams", "Frost on the seedlings")).ids


# -------------------------------------------------------------------------------------------------- claims


def test_the_oldest_are_claimed_first_under_one_fence_and_nobody_else_gets_them(
    memory: Memory, events: tuple[UUID, ...]
) -> None:
    first = memory.claim_folds(2, worker="one")
    assert [row.event_id for row in first] == [events[0], events[1]]
    assert {row.attempts for row in first} == {1}
    assert len({row.fence for row in first}) == 1
    second = memory.claim_folds(2, worker="two")
    assert [row.event_id for row in second] == [events[2]]
    assert second[0].fence > first[0].fence
    assert memory.claim_folds(2) == []
    assert memory.fold() == []
    assert states(memory) == ["leased"] * 3
    shown = memory.rows("SELECT worker, lease_until > now() AS holds FROM cognifold.fold_queue ORDER BY occurred_at")
    assert [tuple(row.values()) for row in shown] == [("one", True), ("one", True), ("two", True)]


def test_no_more_are_claimed_at_once_than_the_setting_says(
    memory: Memory, events: tuple[UUID, ...], connection: Connection
) -> None:
    connection.execute("SELECT cognifold.set_setting('fold.batch', 2)")
    assert len(memory.claim_folds(50)) == 2


def test_claims_at_the_same_moment_share_the_events_out(dsn: str, memory: Memory, tenant: str) -> None:
    ids = memory.remember_many(told(*(f"Note {number} about the garden" for number in range(40)))).ids
    claimed: list[Claimed] = []
    start = threading.Barrier(8)

    def claim() -> None:
        with Memory(dsn, tenant=tenant, pool_size=1) as own:
            start.wait()
            while rows := own.claim_folds(3):
                claimed.extend(rows)

    threads = [threading.Thread(target=claim) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(row.event_id for row in claimed) == sorted(ids)
    fences = {row.fence for row in claimed}
    assert all(1 <= sum(row.fence == fence for row in claimed) <= 3 for fence in fences)


def test_a_lapsed_lease_is_claimed_anew_and_the_old_fence_is_worth_nothing(
    memory: Memory, events: tuple[UUID, ...]
) -> None:
    [late] = memory.claim_folds(1, lease=AT_ONCE, worker="late")
    assert states(memory)[0] == "pending"
    [now] = memory.claim_folds(1, worker="quick")
    assert (now.event_id, now.attempts) == (late.event_id, 2)
    assert now.fence > late.fence
    with pytest.raises(LostClaimError, match=rf"{late.event_id} .*: quick has it with fence {now.fence} until"):
        memory.apply_claimed([late.event_id], late.fence, founds(late.event_id))
    with pytest.raises(LostClaimError, match="quick"):
        memory.fold_claimed(late.event_id, late.fence)
    assert memory.fail_claimed([late.event_id], late.fence, "dead", "X", "x") == []
    assert memory.release_claimed([late.event_id], late.fence) == 0
    assert queue(memory)[0] == ("leased", 2, None, None)
    assert memory.rows("SELECT FROM cognifold.plan") == []


def test_who_comes_late_but_before_anybody_else_has_not_worked_in_vain(
    memory: Memory, events: tuple[UUID, ...]
) -> None:
    [claim] = memory.claim_folds(1, lease=AT_ONCE)
    memory.apply_claimed([claim.event_id], claim.fence, founds(claim.event_id))
    assert states(memory) == ["folded", "pending", "pending"]


def test_the_sql_fold_takes_what_a_lapsed_lease_left_and_the_late_one_is_told(
    memory: Memory, events: tuple[UUID, ...]
) -> None:
    [late] = memory.claim_folds(1, lease=AT_ONCE)
    folded = memory.fold(1)
    assert [row.event_id for row in folded] == [late.event_id]
    with pytest.raises(LostClaimError, match=f"it was folded by plan {folded[0].plan_id}"):
        memory.apply_claimed([late.event_id], late.fence, founds(late.event_id))
    assert memory.check() == []


def test_what_is_claimed_again_and_again_and_never_finished_is_dead(
    memory: Memory, events: tuple[UUID, ...], connection: Connection
) -> None:
    connection.execute("SELECT cognifold.set_setting('fold.attempts', 3)")
    for attempt in (1, 2, 3):
        [claim] = memory.claim_folds(1, lease=AT_ONCE, worker=f"worker {attempt}")
        assert (claim.event_id, claim.attempts) == (events[0], attempt)
    assert [row.event_id for row in memory.claim_folds(1)] == [events[1]]
    assert queue(memory)[0] == ("dead", 3, "CF024", "claimed 3 times, never finished; last by worker 3")
    assert memory.stats().folds_dead == 1
    assert memory.retry() == 1
    assert [(row.event_id, row.attempts) for row in memory.claim_folds(1)] == [(events[0], 1)]


def test_what_was_tried_before_is_claimed_alone(memory: Memory, events: tuple[UUID, ...]) -> None:
    [first] = memory.claim_folds(1, lease=AT_ONCE)
    assert [row.event_id for row in memory.claim_folds(3)] == [first.event_id]
    assert [row.event_id for row in memory.claim_folds(3)] == list(events[1:])


def test_a_batch_ends_before_one_that_was_tried_before(memory: Memory, events: tuple[UUID, ...]) -> None:
    claim = memory.claim_folds(3)
    memory.release_claimed([events[0]], claim[0].fence)
    memory.fail_claimed([events[1]], claim[0].fence, "failed", "X", "x", retry_after=0)
    memory.release_claimed([events[2]], claim[0].fence)
    assert [row.event_id for row in memory.claim_folds(3)] == [events[0]]


def test_what_was_given_back_may_be_claimed_at_once_and_was_not_an_attempt(
    memory: Memory, events: tuple[UUID, ...]
) -> None:
    claim = memory.claim_folds(2)
    assert memory.release_claimed([row.event_id for row in claim], claim[0].fence) == 2
    assert queue(memory) == [("ready", 0, None, None)] * 3
    with pytest.raises(LostClaimError, match="nobody has it, its state is ready"):
        memory.apply_claimed([claim[0].event_id], claim[0].fence, founds(claim[0].event_id))


@pytest.mark.parametrize(("number", "lease"), [(0, None), (1, timedelta(0)), (1, timedelta(days=2))])
def test_a_claim_of_nothing_or_for_no_time_is_refused(memory: Memory, number: int, lease: timedelta | None) -> None:
    with pytest.raises(InvalidValueError, match=r"max_events = 0|lease ="):
        memory.claim_folds(number, lease=lease)


def test_an_event_named_twice_is_refused_and_still_claimed(memory: Memory, events: tuple[UUID, ...]) -> None:
    claim = memory.claim_folds(1)
    with pytest.raises(InvalidValueError, match="more than once"):
        memory.apply_claimed([claim[0].event_id] * 2, claim[0].fence, founds(claim[0].event_id))
    memory.apply_claimed([claim[0].event_id], claim[0].fence, founds(claim[0].event_id))


def test_a_claim_of_no_fence_is_refused(memory: Memory, events: tuple[UUID, ...]) -> None:
    fence: Any = None
    with pytest.raises(InvalidValueError, match="by its events and its fence"):
        memory.apply_claimed([events[0]], fence, founds(events[0]))
    with pytest.raises(InvalidValueError, match="by its events and its fence"):
        memory.apply_claimed([], 1, founds(events[0]))
    assert states(memory) == ["pending"] * 3


def test_with_an_outside_model_an_event_is_claimed_once_its_vector_is_there(
    admin: Connection, dsn: str, new_tenant: Callable[..., str]
) -> None:
    if not admin.execute("SELECT FROM cognifold.embedding_model WHERE name = 'claimed'").fetchone():
        value(admin, "SELECT cognifold.register_model('claimed', 'external', 3)")
    with Memory(dsn, tenant=new_tenant(model="claimed")) as outside:
        ids = outside.remember_many(told("The roof leaks", "The printer jams", "?!")).ids
        assert outside.claim_folds(5) == []
        outside.rows("SELECT cognifold.store_embedding(%s, '[1, 0, 0]', 'claimed')", [ids[1]])
        outside.rows("SELECT cognifold.fold_without_embedding(%s)", [ids[2]])
        claim = outside.claim_folds(5)
        assert [row.event_id for row in claim] == [ids[1], ids[2]]
        request = outside.fold_request([row.event_id for row in claim])
        assert [event["id"] for event in request["events"]] == [str(ids[1]), str(ids[2])]
        outside.apply_claimed([row.event_id for row in claim], claim[0].fence, founds(ids[1]))
        outside.rows("SELECT cognifold.store_embedding(%s, '[1, 0, 0]', 'claimed')", [ids[0]])
        [near] = outside.fold_request([ids[0]])["candidates"]
        assert near["score"] >= 1  # the same direction
        assert outside.check() == []


# -------------------------------------------------------------------------------------------------- failures


def test_a_failure_waits_longer_each_time_until_it_is_dead(
    memory: Memory, events: tuple[UUID, ...], connection: Connection, admin: Connection
) -> None:
    connection.execute(
        "SELECT cognifold.set_setting('fold.attempts', 3), cognifold.set_setting('fold.retry_delay', 1000)"
    )
    outcomes, waits = [], []
    for _ in range(3):
        [claim] = memory.claim_folds(1)
        assert claim.event_id == events[0]
        [row] = memory.fail_claimed([claim.event_id], claim.fence, "failed", "Timeout", "the model said nothing")
        outcomes.append(row.outcome)
        waits.append(
            value(
                admin,
                "SELECT round(extract(epoch FROM not_before - now()) / 1000) FROM cognifold.work WHERE node_id = %s",
                claim.event_id,
            )
        )
        # As if that time had passed.
        admin.execute("UPDATE cognifold.work SET not_before = '-infinity' WHERE node_id = %s", [claim.event_id])
    assert outcomes == ["failed", "failed", "dead"]
    assert waits[:2] == [1, 2]
    assert queue(memory)[0] == ("dead", 3, "Timeout", "the model said nothing")
    assert memory.rows("SELECT fold_state, fold_error FROM cognifold.event ORDER BY occurred_at")[0] == {
        "fold_state": "dead",
        "fold_error": "the model said nothing",
    }


def test_who_was_turned_away_waits_as_long_as_asked_and_was_not_tried(memory: Memory, events: tuple[UUID, ...]) -> None:
    claim = memory.claim_folds(2)
    ids = [row.event_id for row in claim]
    rows = memory.fail_claimed(ids, claim[0].fence, "rate_limited", "RateLimited", "slow down", retry_after=7000)
    assert {row.outcome for row in rows} == {"rate_limited"}
    assert queue(memory)[:2] == [("rate_limited", 0, "RateLimited", "slow down")] * 2
    assert states(memory) == ["rate_limited", "rate_limited", "pending"]
    wait = memory.rows("SELECT max(not_before) - now() AS wait FROM cognifold.fold_queue")[0]["wait"]
    assert timedelta(seconds=6900) < wait <= timedelta(seconds=7000)
    assert [row.event_id for row in memory.claim_folds(3)] == [events[2]]
    assert (memory.stats().folds_failed, memory.stats().folds_pending) == (2, 1)
    assert memory.retry(ids[0]) == 1
    assert [row.event_id for row in memory.claim_folds(3)] == [ids[0]]


def test_no_service_is_waited_for_longer_than_a_day(memory: Memory, events: tuple[UUID, ...]) -> None:
    claim = memory.claim_folds(1)
    memory.fail_claimed([events[0]], claim[0].fence, "rate_limited", "RateLimited", "later", retry_after=1e12)
    wait = memory.rows("SELECT not_before - now() AS wait FROM cognifold.fold_queue WHERE not_before IS NOT NULL")
    assert timedelta(hours=23) < wait[0]["wait"] <= timedelta(days=1)


def test_a_failure_of_no_known_state_is_refused(memory: Memory, events: tuple[UUID, ...]) -> None:
    claim = memory.claim_folds(1)
    with pytest.raises(InvalidValueError, match="state = 'folded'"):
        memory.fail_claimed([events[0]], claim[0].fence, "folded", "X", "x")


def test_retry_leaves_alone_what_somebody_is_folding_and_what_is_folded(
    memory: Memory, events: tuple[UUID, ...]
) -> None:
    memory.fold(1)
    claim = memory.claim_folds(1)
    assert memory.retry() == 0
    assert [memory.retry(event) for event in events] == [0, 0, 0]
    assert memory.release_claimed([claim[0].event_id], claim[0].fence) == 1
    with pytest.raises(UnknownNodeError):
        memory.retry(uuid4())


def test_an_undone_event_is_folded_again_by_retry_alone(memory: Memory, events: tuple[UUID, ...]) -> None:
    folded = memory.fold()
    memory.undo_plan(folded[2].plan_id or "")
    assert states(memory) == ["folded", "folded", "undone"]
    assert memory.retry() == 0
    assert memory.fold() == []
    assert memory.retry(events[2]) == 1
    assert states(memory) == ["folded", "folded", "pending"]
    assert [row.outcome for row in memory.fold()] == ["folded"]
    assert memory.check() == []


def test_an_event_that_was_queued_again_and_then_redone_is_folded_once(
    memory: Memory, events: tuple[UUID, ...]
) -> None:
    """Undone, queued again, and then the undoing itself undone."""
    folded = memory.fold()
    undone = memory.undo_plan(folded[2].plan_id or "")
    memory.retry(events[2])
    memory.undo_plan(undone.plan_id)
    memory.fold()
    memory.retry()
    assert states(memory) == ["folded"] * 3
    assert memory.rows("SELECT FROM cognifold.fold_queue") == []
    assert memory.check() == []


# -------------------------------------------------------------------------------------------------- plans


def test_a_batch_is_folded_by_one_plan(memory: Memory, events: tuple[UUID, ...]) -> None:
    claim = memory.claim_folds(3)
    result = memory.apply_claimed([row.event_id for row in claim], claim[0].fence, founds(events[0]))
    assert states(memory) == ["folded"] * 3
    plans = memory.rows("SELECT plan_id, proposer, trigger_event_id FROM cognifold.plan")
    assert plans == [{"plan_id": UUID(result["plan_id"]), "proposer": "llm", "trigger_event_id": events[2]}]
    assert queue(memory) == []
    assert memory.check() == []


def test_a_rejected_plan_changes_nothing_and_the_claim_stays(memory: Memory, events: tuple[UUID, ...]) -> None:
    claim = memory.claim_folds(1)
    plan = founds(events[0])
    plan["operations"].append({"op": "ADD_EDGE", "source": events[0], "target": "c", "type": "causes"})
    with pytest.raises(InvalidPlanError, match="operation 1 "):
        memory.apply_claimed([events[0]], claim[0].fence, plan)
    assert memory.rows("SELECT FROM cognifold.node WHERE kind = 'concept'") == []
    assert memory.rows("SELECT FROM cognifold.lexical_document") == []
    assert states(memory)[0] == "leased"
    memory.apply_claimed([events[0]], claim[0].fence, founds(events[0]))
    assert states(memory)[0] == "folded"


def test_a_plan_id_of_the_models_choice_is_not_heeded(memory: Memory, events: tuple[UUID, ...]) -> None:
    """Else an id it has seen would make the fold a repetition of another plan, and the event be lost."""
    earlier = memory.fold(1)[0].plan_id
    claim = memory.claim_folds(1)
    result = memory.apply_claimed([events[1]], claim[0].fence, founds(events[1]) | {"plan_id": str(earlier)})
    assert UUID(result["plan_id"]) != earlier
    assert states(memory)[:2] == ["folded", "folded"]


def test_a_plan_about_a_node_that_changed_meanwhile_is_refused_and_one_about_others_is_not(
    memory: Memory, events: tuple[UUID, ...]
) -> None:
    first = memory.claim_folds(1)
    concept = memory.apply_claimed([events[0]], first[0].fence, founds(events[0]))["refs"]["c"]
    claim = memory.claim_folds(1)
    version = memory.fold_request([events[1]])["version"]
    memory.apply_plan({"operations": [{"op": "UPDATE_NODE", "node": concept, "title": "Water where it should not be"}]})
    with pytest.raises(ConflictError, match=rf"{concept} was changed at version {version + 1} \(user\)"):
        memory.apply_claimed([events[1]], claim[0].fence, reinforces(events[1], concept), read_version=version)
    assert states(memory)[1] == "leased"
    memory.apply_claimed([events[1]], claim[0].fence, founds(events[1], "Paper"), read_version=version)
    again = memory.claim_folds(1)
    now = memory.fold_request([events[2]])["version"]
    memory.apply_claimed([events[2]], again[0].fence, reinforces(events[2], concept), read_version=now)
    assert memory.check() == []


@pytest.mark.parametrize("removal", ["merged", "removed"])
def test_a_plan_about_a_node_that_is_gone_meanwhile_is_refused(
    memory: Memory, events: tuple[UUID, ...], removal: str
) -> None:
    made = []
    for event, title in ((events[0], "Leaks"), (events[1], "Printers")):
        claim = memory.claim_folds(1)
        made.append(memory.apply_claimed([event], claim[0].fence, founds(event, title))["refs"]["c"])
    claim = memory.claim_folds(1)
    version = memory.fold_request([events[2]])["version"]
    gone = (
        {"op": "MERGE_NODES", "ids": made, "survivor": made[0]}
        if removal == "merged"
        else {"op": "REMOVE_NODE", "node": made[1]}
    )
    memory.apply_plan({"operations": [gone]})
    with pytest.raises(ConflictError, match=made[1]):
        memory.apply_claimed([events[2]], claim[0].fence, reinforces(events[2], made[1]), read_version=version)


# -------------------------------------------------------------------------------------------------- the request


def test_a_request_holds_the_events_the_window_and_the_nearest_concepts(memory: Memory) -> None:
    memory.remember_many(told("The roof leaks in the attic", "The roof leaks over the stairs", "The roof leaks again"))
    memory.fold()
    [concept] = memory.rows("SELECT id, title FROM cognifold.concept")
    event = memory.remember("Rain came through the roof", actor="Noor", source="diary", payload={"room": "attic"})
    memory.claim_folds(1)
    request = memory.fold_request([event])
    assert request["tenant"] == memory.tenant and request["time_zone"] == "UTC"
    assert request["version"] == memory.rows("SELECT max(version) AS version FROM cognifold.plan")[0]["version"]
    [shown] = request["events"]
    assert (shown["id"], shown["content"], shown["actor"], shown["source"], shown["payload"]) == (
        str(event), "Rain came through the roof", "Noor", "diary", {"room": "attic"},
    )  # fmt: skip
    [candidate] = request["candidates"]
    assert (candidate["id"], candidate["title"]) == (str(concept["id"]), concept["title"])
    assert candidate["evidence_count"] == 3
    assert {node["kind"] for node in request["context"]} == {"event", "concept"}
    assert str(event) not in {node["id"] for node in request["context"]}


def test_a_request_about_another_tenants_event_is_refused(
    memory: Memory, events: tuple[UUID, ...], dsn: str, new_tenant: Callable[..., str]
) -> None:
    with Memory(dsn, tenant=new_tenant()) as other:
        with pytest.raises(UnknownNodeError):
            other.fold_request([events[0]])
        claim = memory.claim_folds(1)
        with pytest.raises(LostClaimError, match="does not wait to be folded"):
            other.apply_claimed([events[0]], claim[0].fence, {"operations": []})
        assert other.release_claimed([events[0]], claim[0].fence) == 0
        assert other.rows("SELECT FROM cognifold.fold_queue") == []
    assert states(memory)[0] == "leased"


def test_a_request_is_read_in_a_transaction_that_can_only_read(
    connection: Connection, events: tuple[UUID, ...]
) -> None:
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        assert value(connection, "SELECT cognifold.fold_request(%s)", list(events))["version"] == 0


def test_a_monitor_sees_how_the_queue_stands_and_no_content(admin: Connection) -> None:
    columns = admin.execute(
        """
        SELECT a.attname FROM pg_attribute AS a
        WHERE a.attrelid = 'cognifold.work'::regclass AND a.attnum > 0
          AND has_column_privilege('cognifold_monitor', a.attrelid, a.attnum, 'SELECT')
        """
    ).fetchall()
    named = {name for (name,) in columns}
    assert "lease_until" in named
    assert not named & {"error", "worker", "fence"}


def test_a_verb_of_claims_obeys_the_tenant_that_is_set(connection: Connection) -> None:
    with pytest.raises(psycopg.Error) as refused:
        connection.execute("SELECT * FROM cognifold.claim_folds(1, tenant => 'another')")
    assert refused.value.sqlstate == TenantConflictError.sqlstate
