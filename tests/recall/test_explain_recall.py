"""Why a memory was recalled: parts that make up its score exactly, and what it stands against."""

from __future__ import annotations

import math
from typing import Any

import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection, value
from tests.graph.plans import add_edge, apply, fold, remember, rows
from tests.recall.conftest import CLOCK, STATES, TENANT, hours_ago
from tests.recall.model import Library, mne, recalled

QUESTIONS = (
    "the dog, the concert, the invoice and the driving test",
    "What did Tom fail?",
    "Bach",
    "lentils and cumin",
)


def explained(connection: Connection, query: str, k: int = 10, **arguments: Any) -> list[dict[str, Any]]:
    names = "".join(f", {name} => %s" for name in arguments)
    return rows(connection, f"SELECT * FROM cognifold.explain_recall(%s, %s{names})", query, k, *arguments.values())


@pytest.mark.parametrize("query", QUESTIONS)
@pytest.mark.parametrize(
    "arguments",
    [{}, {"kinds": ["event"]}, {"actors": ["Tom"]}, {"as_of": hours_ago(79)}, {"minimum_score": 0.2}],
    ids=["", "kinds", "actors", "as_of", "minimum_score"],
)
def test_it_explains_the_rows_of_recall_and_no_others(
    reader: Connection, library: Library, query: str, arguments: dict[str, Any]
) -> None:
    found, why = recalled(reader, query, 50, **arguments), explained(reader, query, 50, **arguments)
    shared = (
        "node_id",
        "kind",
        "title",
        "occurred_at",
        "actor",
        "score",
        "relevance",
        "modulation",
        "cosine",
        "keyword",
    )
    assert [{name: row[name] for name in shared} for row in why] == [
        {name: row[name] for name in shared} for row in found
    ]
    assert [row["place"] for row in why] == list(range(1, len(found) + 1))


@pytest.mark.parametrize("query", QUESTIONS)
def test_the_parts_make_up_the_score(reader: Connection, library: Library, query: str) -> None:
    for row in explained(reader, query, 100):
        signals, factors = row["signals"], row["factors"]
        assert all(signals.values()), "a signal that brought nothing is not named"
        assert sum(signals.values()) == pytest.approx(row["relevance"], rel=1e-9)
        assert math.prod(factors.values()) == pytest.approx(row["modulation"], rel=1e-9)
        assert sum(signals.values()) * math.prod(factors.values()) == pytest.approx(row["score"], rel=1e-9)


def test_each_factor_is_its_part_of_the_mne_score(reader: Connection, library: Library) -> None:
    memos = {memo.id: memo for memo in library.memos}
    share = value(reader, "SELECT coalesce(cognifold.setting('recall.weight_mne'), 1)")  # how far it counts
    seen = set()
    for row in explained(reader, QUESTIONS[0], 100):
        memo = memos[row["node_id"]]
        age = (CLOCK - memo.occurred_at).total_seconds()
        expected = {
            "emotion": mne(memo.emotional_weight, 0, 0, 0), "recency": mne(0, age, 0, 0),
            "use": mne(0, 0, memo.access_count, 0), "integration": mne(0, 0, 0, memo.integration_score),
        }  # fmt: skip
        found = {name: row["factors"][name] for name in expected}
        assert found == pytest.approx({name: part**share for name, part in expected.items()}, rel=1e-9)
        seen.add(memo.access_count)
    assert {accesses for accesses, _ in STATES.values()} <= seen


def test_the_actor_a_question_names_is_a_signal_of_its_own(reader: Connection, library: Library) -> None:
    brought = {row["actor"]: row["signals"].get("actor") for row in explained(reader, "What did Tom fail?", 100)}
    assert brought.pop("Tom") == value(reader, "SELECT cognifold.setting('recall.weight_actor')")
    assert set(brought.values()) == {None}


def test_results_that_cannot_both_hold_name_each_other(connection: Connection) -> None:
    one = remember(connection, "The museum opens at nine", source="a")
    other = remember(connection, "The museum opens at ten", source="b")
    third = remember(connection, "The museum has a garden", source="c")
    fold(connection)
    apply(connection, add_edge(other, "contradicts", one))
    found = {row["node_id"]: row["contradicts"] for row in explained(connection, "museum", kinds=["event"])}
    assert found == {one: [other], other: [one], third: None}
    # Only among what is returned.
    assert [row["contradicts"] for row in explained(connection, "museum", seen=[one], kinds=["event"])] == [None, None]


def test_as_it_was_known_before_somebody_saw_that_they_contradict(connection: Connection) -> None:
    one = remember(connection, "The museum opens at nine", source="a")
    other = remember(connection, "The museum opens at ten", source="b")
    fold(connection)
    before = value(connection, "SELECT clock_timestamp()")
    apply(connection, add_edge(other, "contradicts", one))
    found = explained(connection, "museum", known_at=before, kinds=["event"])
    assert [row["contradicts"] for row in found] == [None, None]


def test_as_it_was_known_before_somebody_said_otherwise(connection: Connection) -> None:
    one = remember(connection, "My phone is a Nokia", actor="Ana", occurred_at="2026-05-01T12:00:00Z")
    fold(connection)
    before = value(connection, "SELECT clock_timestamp()")
    other = remember(connection, "My phone is a Pixel", actor="Ana", occurred_at="2026-05-02T12:00:00Z")
    fold(connection)
    now = explained(connection, "What is my phone?", kinds=["event"])
    assert {row["node_id"]: row["replaced_by"] for row in now} == {one: other, other: None}
    then = explained(connection, "What is my phone?", known_at=before, kinds=["event"])
    assert {row["node_id"]: row["replaced_by"] for row in then} == {one: None}


def test_the_client_tells_the_same(dsn: str, reader: Connection, library: Library) -> None:
    with Memory(dsn, tenant=TENANT, clock=CLOCK) as memory:
        told = memory.explain_recall(QUESTIONS[0], 5, kinds=["event"])
        assert memory.flush_recalls() == (0, 0)
    rows_ = explained(reader, QUESTIONS[0], 5, kinds=["event"])
    assert [(row.place, row.node_id, row.signals, row.factors) for row in told] == [
        (row["place"], row["node_id"], row["signals"], row["factors"]) for row in rows_
    ]
