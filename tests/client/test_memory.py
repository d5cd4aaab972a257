"""The Python client: every verb, its types and its errors."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import (
    CognifoldError,
    EmbeddingModelMismatchError,
    InvalidPlanError,
    InvalidValueError,
    TenantNotPermittedError,
    UnknownNodeError,
    UnknownTenantError,
)
from cognifold_pg.experience import Experience
from cognifold_pg.results import Evidence, Folded, Recollection, Stored, Violation
from tests.conftest import Connection, at, make_role

MORNING = at("2026-03-02T09:00:00+00:00")


def make_concept(memory: Memory, title: str, event: UUID) -> UUID:
    operation = {"op": "ADD_NODE", "kind": "concept", "title": title, "ref": "made", "grounded_in": [event]}
    return UUID(memory.apply_plan({"operations": [operation]})["refs"]["made"])


def test_a_tenant_is_made_once(dsn: str) -> None:
    with Memory(dsn, tenant="made once") as memory:
        assert memory.create_tenant(display_name="Once", time_zone="Europe/Amsterdam") is True
        assert memory.create_tenant() is False
        assert memory.rows("SELECT display_name, time_zone FROM cognifold.tenant") == [
            {"display_name": "Once", "time_zone": "Europe/Amsterdam"}
        ]


def test_an_event_is_remembered_with_all_its_fields(memory: Memory) -> None:
    experience = Experience(
        "Wrote the exam", title="Exam", occurred_at=MORNING, ended_at=MORNING + timedelta(hours=2), source="diary",
        actor="Anna", payload={"room": [1, None, "ü"]}, media=[{"mime": "image/png"}], emotional_weight=-0.5,
        arousal=0.25, valence="mixed", memory_type="procedural", privacy_level="public", source_agent="scribe",
        idempotency_key="exam",
    )  # fmt: skip
    event = memory.remember(experience)
    (row,) = memory.rows("SELECT * FROM cognifold.event")
    for field in dataclasses.fields(Experience):
        assert row[field.name] == getattr(experience, field.name), field.name
    assert row["id"] == event and isinstance(event, UUID)
    assert memory.remember("Wrote it again", idempotency_key="exam") == event


def test_a_text_with_fields_by_name_is_an_experience(memory: Memory) -> None:
    event = memory.remember("Wrote the exam", actor="Anna", occurred_at=MORNING)
    assert memory.remember(Experience("Wrote the exam", actor="Anna", occurred_at=MORNING)) == event
    with pytest.raises(TypeError):
        memory.remember(Experience("Wrote the exam"), actor="Anna")
    with pytest.raises(TypeError):
        memory.remember("Wrote the exam", author="Anna")


def test_many_are_stored_in_the_order_given_and_counted(memory: Memory) -> None:
    known = memory.remember("Two", occurred_at=MORNING)
    stored = memory.remember_many(Experience(text, occurred_at=MORNING) for text in ("Three", "Two", "One", "Three"))
    assert (stored.new, stored.known, len(stored.ids)) == (2, 2, 4)
    assert stored.ids[1] == known and stored.ids[0] == stored.ids[3] != stored.ids[2]
    assert memory.remember_many([]) == Stored(0, 0, ())


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        (Experience(""), "content"),
        (Experience("x", emotional_weight=1.5), "emotional_weight"),
        (Experience("x", arousal=-0.1), "arousal"),
        (Experience("x", memory_type="vague"), "memory_type"),  # type: ignore[arg-type]
        (Experience("x", privacy_level="secret"), "privacy_level"),  # type: ignore[arg-type]
        (Experience("x", valence="odd"), "valence"),  # type: ignore[arg-type]
        (Experience("x", occurred_at=MORNING, ended_at=MORNING - timedelta(seconds=1)), "ended_at"),
        (Experience("x", occurred_at=datetime(2026, 3, 2, 9)), "occurred_at"),
        (Experience("x", occurred_at=MORNING, ended_at=datetime(2026, 3, 2, 10)), "ended_at"),
        (Experience("x", emotional_weight=math.nan), "emotional_weight"),
        (Experience("x", payload={"n": math.inf}), "payload"),
        (Experience("x", payload={"when": MORNING}), "payload"),
        (Experience("x", idempotency_key=""), "idempotency_key"),
    ],
)
def test_of_many_all_are_stored_or_none(memory: Memory, bad: Experience, named: str) -> None:
    with pytest.raises(InvalidValueError, match=named):
        memory.remember_many([Experience("fine", occurred_at=MORNING), bad, Experience("also fine")])
    assert memory.rows("SELECT * FROM cognifold.event") == []


def test_naive_times_are_refused_everywhere_by_name(memory: Memory, dsn: str) -> None:
    naive = datetime(2026, 3, 2, 9)
    event = memory.remember("Something")
    with pytest.raises(InvalidValueError, match="clock = 2026-03-02T09:00:00 has no time zone"):
        Memory(dsn, tenant="x", clock=naive)
    for name in ("since", "until", "as_of"):
        with pytest.raises(InvalidValueError, match=f"{name} = "):
            memory.recall("something", **{name: naive})  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match="as_of = "):
        memory.explain(event, as_of=naive)


def test_one_instant_in_any_zone_is_one_time(memory: Memory) -> None:
    moments = [
        datetime(2026, 3, 29, 3, 30, tzinfo=ZoneInfo("Europe/Amsterdam")),  # just after the clocks went forward
        datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
        datetime(2026, 3, 28, 22, 0, tzinfo=timezone(timedelta(hours=-3, minutes=-30))),
    ]
    assert len({memory.remember("Early", occurred_at=moment) for moment in moments}) == 1


def test_folding_reports_each_event(memory: Memory) -> None:
    texts = ["The dog barked at the postman", "The dog chased the postman again", "Lentils with cumin", "The dog slept"]
    ids = memory.remember_many(
        Experience(text, occurred_at=MORNING + timedelta(minutes=n)) for n, text in enumerate(texts)
    ).ids
    first = memory.fold(1)
    assert first == [Folded(ids[0], first[0].plan_id, "folded", first[0].operations)]
    assert isinstance(first[0].plan_id, UUID)
    seen: list[int] = []
    assert memory.fold_all(batch=2, progress=seen.append) == 3
    assert seen == [2, 3]
    assert memory.fold() == [] and memory.fold_all() == 0
    assert memory.check() == []


def test_a_proposal_is_a_plan_that_changes_nothing_until_it_is_applied(memory: Memory) -> None:
    memory.remember("The dog barked at the postman", occurred_at=MORNING, source="home")
    memory.fold()
    event = memory.remember("The dog chased the postman", occurred_at=MORNING + timedelta(hours=1), source="home")
    plan = memory.propose(event)
    assert plan["trigger_event_id"] == str(event) and plan["operations"]
    assert memory.rows("SELECT * FROM cognifold.edge") == []
    result = memory.apply_plan(plan)
    assert result["counts"]["edges_added"] == len(memory.rows("SELECT * FROM cognifold.edge")) > 0
    with pytest.raises(UnknownNodeError):
        memory.propose(uuid4())


def test_plans_take_ids_as_they_come_and_text_as_it_is(memory: Memory) -> None:
    event = memory.remember("Something", occurred_at=MORNING)
    plan_id = uuid4()
    operation = {"op": "ADD_NODE", "kind": "concept", "title": "A\x00B \ud800", "grounded_in": [event]}
    result = memory.apply_plan({"plan_id": plan_id, "trigger_event_id": event, "operations": [operation]})
    assert result["plan_id"] == str(plan_id)
    assert memory.rows("SELECT title FROM cognifold.concept") == [{"title": "A\ufffdB \ufffd"}]
    with pytest.raises(InvalidPlanError, match=r"operation 0 \(ADD_EDGE\): edge type 'likes' is not known"):
        memory.apply_plan({"operations": [{"op": "ADD_EDGE", "source": event, "target": event, "type": "likes"}]})
    with pytest.raises(CognifoldError):
        memory.apply_plan({"operations": [{"op": "ADD_EDGE", "weight": math.nan}]})


def test_recollections_and_evidence_are_typed(memory: Memory) -> None:
    memory.clock = MORNING
    event = memory.remember("The kettle whistled", occurred_at=MORNING, actor="Anna", source="kitchen")
    memory.fold()
    kettle = make_concept(memory, "Kettle", event)
    found = memory.recall("kettle", 1, kinds=["event"])
    assert len(found) == 1 and isinstance(found[0], Recollection)
    row = found[0]
    assert (row.node_id, row.kind, row.title, row.content) == (
        event,
        "event",
        "The kettle whistled",
        "The kettle whistled",
    )
    assert (row.occurred_at, row.actor, row.source, row.names_actor) == (MORNING, "Anna", "kitchen", False)
    assert row.score == pytest.approx(row.relevance * row.modulation)
    assert row.cosine is not None and row.keyword is not None and row.occurred_at.utcoffset() is not None
    top, below = memory.explain(kettle)
    assert isinstance(top, Evidence) and (top.depth, top.kind, top.weight) == (0, "concept", None)
    assert (below.depth, below.relation, below.supports, below.stated) == (1, "grounds", kettle, True)
    assert below.weight == pytest.approx(0.9, rel=1e-9)


def test_recall_passes_every_filter_on(memory: Memory) -> None:
    for number, (actor, source) in enumerate((("Anna", "a"), ("Bo", "a"), ("Anna", "b"))):
        memory.remember(
            f"Kettle number {number}", occurred_at=MORNING + timedelta(days=number), actor=actor, source=source
        )
    memory.fold()

    def found(**filters: object) -> set[str]:
        return {row.content[-1] for row in memory.recall("kettle", kinds=["event"], **filters)}  # type: ignore[arg-type]

    assert found() == {"0", "1", "2"}
    assert found(actors=["Anna"]) == found(actors=("Anna", "C")) == {"0", "2"}
    assert found(sources=["a"]) == {"0", "1"}
    assert found(since=MORNING + timedelta(days=1)) == {"1", "2"}
    assert found(until=MORNING + timedelta(days=1)) == {"0"}
    assert found(as_of=MORNING + timedelta(days=1)) == {"0", "1"}
    assert found(minimum_score=1000) == set()
    assert len(memory.recall("kettle", 2)) == 2
    assert memory.recall("kettle\x00 \ud83d", 1)[0].content.startswith("Kettle")


def test_the_clock_moves_everything(dsn: str, tenant: str) -> None:
    with Memory(dsn, tenant=tenant, clock=MORNING) as memory:
        event = memory.remember("The kettle whistled")  # without a time: the clock's
        assert memory.rows("SELECT occurred_at FROM cognifold.event") == [{"occurred_at": MORNING}]
        memory.fold()
        kettle = make_concept(memory, "Kettle", event)
        fresh = memory.recall("kettle", 1, kinds=["event"])[0]
        memory.clock = MORNING + timedelta(hours=100)
        assert memory.explain(kettle)[1].weight == pytest.approx(0.9 * math.exp(-0.5), rel=1e-9)
        later = memory.recall("kettle", 1, kinds=["event"])[0]
        assert fresh.modulation == pytest.approx(1, rel=1e-9)
        assert later.modulation == pytest.approx(0.7 + 0.3 * math.exp(-100 / 24), rel=1e-9)
        # as_of says the same as a moved clock.
        memory.clock = None
        as_of = MORNING + timedelta(hours=100)
        assert memory.recall("kettle", 1, kinds=["event"], as_of=as_of)[0] == later
        assert memory.explain(kettle, as_of=as_of)[1].weight == pytest.approx(0.9 * math.exp(-0.5), rel=1e-9)


def test_errors_come_by_class_with_a_remedy(dsn: str, memory: Memory, admin: Connection, tenant: str) -> None:
    with Memory(dsn, tenant="never made") as nobody:
        with pytest.raises(UnknownTenantError, match=r'tenant "never made" does not exist\. .*create_tenant'):
            nobody.remember("Something")
        with pytest.raises(UnknownTenantError):
            nobody.recall("something")
        with pytest.raises(EmbeddingModelMismatchError, match="no-such-model"):
            nobody.create_tenant(model="no-such-model")
        with pytest.raises(InvalidValueError, match="Mars/Olympus"):
            nobody.create_tenant(time_zone="Mars/Olympus")
    with pytest.raises(InvalidValueError, match="empty"):
        memory.recall("  ")
    with pytest.raises(UnknownNodeError, match=str(UUID(int=0))):
        memory.explain(UUID(int=0))
    with pytest.raises(InvalidValueError, match="max_events"):
        memory.fold(0)
    make_role(admin, "test_stranger", "cognifold_writer")
    with Memory(psycopg.conninfo.make_conninfo(dsn, user="test_stranger"), tenant=tenant) as stranger:
        with pytest.raises(TenantNotPermittedError, match="test_stranger"):
            stranger.remember("Something")
        with pytest.raises(TenantNotPermittedError):
            stranger.check()


def test_other_errors_of_the_database_are_psycopgs_own(memory: Memory) -> None:
    with pytest.raises(psycopg.errors.UndefinedTable):
        memory.rows("SELECT * FROM cognifold.nothing_of_the_kind")
    assert memory.check() == []  # and the connection goes on


def test_violations_say_which_invariant_and_where(memory: Memory, admin: Connection, tenant: str) -> None:
    event = memory.remember("Something")
    admin.execute("UPDATE cognifold.node SET title = 'Forged' WHERE tenant_id = %s", [tenant])
    assert memory.check() == [Violation("an event never changes", str(event), "its digest differs from its content")]


def test_rows_are_dicts_of_this_tenant_only(memory: Memory, new_tenant: Callable[..., str], dsn: str) -> None:
    memory.remember("Ours", occurred_at=MORNING)
    with Memory(dsn, tenant=new_tenant()) as other:
        other.remember("Theirs")
        assert memory.rows("SELECT content FROM cognifold.event WHERE occurred_at = %s", [MORNING]) == [
            {"content": "Ours"}
        ]
        assert other.rows("SELECT content FROM cognifold.event") == [{"content": "Theirs"}]


def test_nothing_of_a_call_stays_on_the_connection(dsn: str, tenant: str) -> None:
    with Memory(dsn, tenant=tenant, clock=MORNING, pool_size=1) as memory:
        memory.remember("Something")
        memory.clock = None
        (row,) = memory.rows("SELECT cognifold.now() = now() AS real, current_setting('cognifold.tenant') AS tenant")
        assert row == {"real": True, "tenant": tenant}


def test_a_memory_works_without_with_and_after_it_was_closed_says_so(dsn: str, tenant: str, admin: Connection) -> None:
    memory = Memory(dsn, tenant=tenant)
    memory.remember("Something")
    memory.close()
    count = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'test_writer' AND state IS NOT NULL"
    row = admin.execute(count).fetchone()
    assert row is not None
    memory.close()  # twice does no harm


def test_a_with_block_closes_even_when_it_fails(dsn: str, tenant: str) -> None:
    memory = Memory(dsn, tenant=tenant)
    with pytest.raises(ZeroDivisionError), memory:
        memory.remember("Something")
        _ = 1 / 0
    assert memory._transactions._pool.closed  # type: ignore[attr-defined]
    with Memory(dsn, tenant=tenant) as again:
        assert len(again.rows("SELECT FROM cognifold.event")) == 1  # each call is a transaction of its own


def test_times_python_cannot_hold_come_as_its_first_and_last_moment(memory: Memory, connection: Connection) -> None:
    for moment in ("infinity", "-infinity", "20000-01-01Z", "0044-03-15Z BC"):
        connection.execute("SELECT cognifold.remember('A comet', occurred_at => %s, source => %s)", [moment, moment])
    memory.fold()
    years = sorted(row.occurred_at.year for row in memory.recall("comet", kinds=["event"]))
    assert years == [1, 1, 9999, 9999]
