"""What a filter leaves, and in which order it comes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.conftest import Connection, at
from tests.recall.conftest import CLOCK, hours_ago
from tests.recall.model import Library, Memo, recalled

QUESTION = "the dog, the concert, the invoice and the driving test"
EVENTS_AND_CONCEPTS = ("event", "concept", "intent")

# name -> (arguments of recall, what it keeps)
FILTERS: dict[str, tuple[dict[str, Any], Callable[[Memo], bool]]] = {
    "events": ({"kinds": ["event"]}, lambda m: m.kind == "event"),
    "concepts": ({"kinds": ["concept"]}, lambda m: m.kind == "concept"),
    "concepts and intents": ({"kinds": ["intent", "concept"]}, lambda m: m.kind == "concept"),
    "since": ({"since": hours_ago(100)}, lambda m: m.occurred_at >= hours_ago(100)),
    "until": ({"until": hours_ago(100)}, lambda m: m.occurred_at < hours_ago(100)),
    "a window": (
        {"since": hours_ago(500), "until": hours_ago(80)},
        lambda m: hours_ago(500) <= m.occurred_at < hours_ago(80),
    ),
    "one actor": ({"actors": ["Tom"]}, lambda m: m.actor == "Tom"),
    "several actors": (
        {"actors": ["C++ (dev)", "Zoë O'Neill", "nobody"]},
        lambda m: m.actor in ("C++ (dev)", "Zoë O'Neill"),
    ),
    "one source": ({"sources": ["mail"]}, lambda m: m.source == "mail"),
    "several sources": ({"sources": ["notes", "calendar"]}, lambda m: m.source in ("notes", "calendar")),
    "source and actor": (
        {"sources": ["chat"], "actors": ["Maria Silva"]},
        lambda m: (m.source, m.actor) == ("chat", "Maria Silva"),
    ),
    "nobody": ({"actors": ["nobody"]}, lambda m: False),
    "no kind": ({"kinds": []}, lambda m: False),
    "all filters": (
        {"kinds": ["event"], "since": hours_ago(400), "until": hours_ago(1), "actors": ["Tom"], "sources": ["chat"]},
        lambda m: (
            m.kind == "event"
            and hours_ago(400) <= m.occurred_at < hours_ago(1)
            and (m.source, m.actor) == ("chat", "Tom")
        ),
    ),
}


def expect(
    reader: Connection, library: Library, keep: Callable[[Memo], bool], clock: datetime, **arguments: Any
) -> None:
    """Compare with brute force: the model over every memory that is kept."""
    everything = {row["node_id"]: row for row in recalled(reader, QUESTION)}
    raw = {memo.id: everything.get(memo.id, {}) for memo in library.memos}
    expected = library.scores(
        {id_: row.get("cosine") for id_, row in raw.items()},
        {id_: row.get("keyword") for id_, row in raw.items()},
        None, clock, keep,
    )  # fmt: skip
    if "kinds" in arguments and "event" not in arguments["kinds"]:
        expected = {id_: part for id_, part in expected.items() if part.neighbours == 0}
    found = recalled(reader, QUESTION, **arguments)
    assert [row["node_id"] for row in found] == library.ranked(expected)
    for row in found:
        assert row["score"] == pytest.approx(expected[row["node_id"]].score, rel=1e-7), row


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_keeps_what_brute_force_keeps(reader: Connection, library: Library, name: str) -> None:
    arguments, keep = FILTERS[name]
    expect(reader, library, keep, CLOCK, **arguments)


@pytest.mark.parametrize("hours", [-100, 0, 79.95, 300, 699.9, 5000])
def test_as_of_scores_and_hides_as_that_moment_would(reader: Connection, library: Library, hours: float) -> None:
    moment = hours_ago(hours)
    expect(reader, library, lambda memo: memo.occurred_at <= moment, moment, as_of=moment)


def test_the_clock_of_the_session_is_as_good_as_an_argument_for_scoring(
    reader: Connection, library: Library, connect: Callable[..., Connection]
) -> None:
    moment = CLOCK + timedelta(days=400)
    then = connect("the library", now=moment.isoformat())
    assert recalled(then, QUESTION) == recalled(reader, QUESTION, as_of=moment)


@pytest.mark.parametrize("share", [0, 0.3, 0.999, 1, 2])
def test_minimum_score_cuts_the_list_and_changes_nothing_before_the_cut(
    reader: Connection, library: Library, share: float
) -> None:
    everything = recalled(reader, QUESTION)
    least = everything[0]["score"] * share
    assert recalled(reader, QUESTION, minimum_score=least) == [row for row in everything if row["score"] >= least]


def test_the_first_k_are_the_first_k_of_any_longer_list(reader: Connection, library: Library) -> None:
    everything = recalled(reader, QUESTION)
    assert len(everything) > 25
    for k in range(1, len(everything) + 2):
        assert recalled(reader, QUESTION, k) == everything[:k]


def test_the_same_question_gets_the_same_answer_bit_by_bit(reader: Connection, library: Library) -> None:
    assert recalled(reader, QUESTION) == recalled(reader, QUESTION)
    reader.execute("SET plan_cache_mode = force_generic_plan")
    generic = recalled(reader, QUESTION)
    reader.execute(
        "SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_sort = on; SET enable_indexscan = off"
    )
    assert recalled(reader, QUESTION) == generic


def test_equal_scores_come_in_a_total_order(
    connect: Callable[..., Connection], new_tenant: Callable[..., str], dsn: str
) -> None:
    tenant = new_tenant()
    moments = [at(f"2026-01-0{day}T00:00:00+00:00") for day in (1, 2, 2, 2, 3)]
    with Memory(dsn, tenant=tenant) as memory:
        ids = memory.remember_many(
            Experience("The very same words", occurred_at=moment, source=f"place {n}")
            for n, moment in enumerate(moments)
        ).ids
        memory.fold_all(batch=100)
    rows = recalled(connect(tenant, now="2036-01-01T00:00:00+00:00"), "same words", kinds=["event"])
    assert len({row["score"] for row in rows}) == 1  # ten years on, a day makes no difference
    assert [row["node_id"] for row in rows] == [ids[4], *sorted(ids[1:4]), ids[0]]


@pytest.fixture(scope="module")
def crowd(dsn: str) -> str:
    """A tenant of 120 events about trains and, the least like the question, three of Ada's about other things."""
    tenant, start = "the crowd", at("2026-01-01T00:00:00+00:00")
    rare = {10: "The kettle whistled", 60: "A spoon fell behind the stove", 110: "Two trains of thought, one kettle"}
    with Memory(dsn, tenant=tenant, clock=start + timedelta(days=300)) as memory:
        memory.create_tenant()
        memory.rows("SELECT cognifold.set_setting('fold.minimum_information', 100)")
        memory.rows("SELECT cognifold.set_setting('recall.candidates', 10)")
        memory.remember_many(
            Experience(rare.get(n, f"The train to Lisbon was {n} minutes late at the platform"),
                       occurred_at=start + timedelta(days=n), actor="Ada" if n in rare else "Bo",
                       source="kitchen" if n in rare else "station")
            for n in range(120)
        )  # fmt: skip
        memory.fold_all(batch=200)
    return tenant


@pytest.mark.parametrize(
    "arguments",
    [
        {"actors": ["Ada"]},
        {"sources": ["kitchen"]},
        {"actors": ["Ada", "Bo"], "sources": ["kitchen"]},
        {"kinds": ["event"], "actors": ["Ada"]},
    ],
)
def test_a_rare_filter_loses_nothing_to_the_limit_on_candidates(
    crowd: str, connect: Callable[..., Connection], arguments: dict[str, Any]
) -> None:
    connection = connect(crowd, now="2026-12-01T00:00:00+00:00")
    question = "late train at the platform, kettle, spoon"
    assert len(recalled(connection, question, 10)) == 10
    rows = recalled(connection, question, 10, **arguments)
    assert {row["content"] for row in rows} == {
        "The kettle whistled", "A spoon fell behind the stove", "Two trains of thought, one kettle"
    }  # fmt: skip


@pytest.mark.parametrize("day", [10, 60, 110])
def test_a_narrow_window_or_moment_loses_nothing_either(
    crowd: str, connect: Callable[..., Connection], day: int
) -> None:
    connection = connect(crowd, now="2026-12-01T00:00:00+00:00")
    start = at("2026-01-01T00:00:00+00:00") + timedelta(days=day)
    rows = recalled(connection, "late train, kettle, spoon", 5, since=start, until=start + timedelta(hours=1))
    assert [row["occurred_at"] for row in rows] == [start]
    early = recalled(connection, "late train", 5, as_of=at("2026-01-02T00:00:00+00:00"))
    assert [row["occurred_at"].day for row in early] == [2, 1]


def test_more_rows_than_candidates_can_be_asked_for(crowd: str, connect: Callable[..., Connection]) -> None:
    connection = connect(crowd, now="2026-12-01T00:00:00+00:00")
    assert len(recalled(connection, "late train", 117)) == 117
