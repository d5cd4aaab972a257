"""Each part of a recollection's score against a second way to it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import pytest

from tests.conftest import Connection, at
from tests.recall.conftest import CLOCK
from tests.recall.model import Library, Parts, recalled

APRIL = (at("2026-04-01T00:00:00+00:00"), at("2026-05-01T00:00:00+00:00"))
# question -> the time it speaks of (of those that speak of a time in which something happened)
TIMES = {"What did Tom say about the printer in April?": APRIL}
# question -> (the question without the names in it, the one actor it names)
QUESTIONS: dict[str, tuple[str, str | None]] = {
    "Where was the invoice sent?": ("Where was the invoice sent?", None),
    "dogs and puppies": ("dogs and puppies", None),
    "Which Bach does the choir sing? Bach, Bach!": ("Which Bach does the choir sing? Bach, Bach!", None),
    "When did Tom pass the driving test?": ("When did   pass the driving test?", "Tom"),
    "What does Maria's dog eat?": ("What does   dog eat?", "Maria Silva"),
    "Do Maria and Tom practise parking?": ("Do   and   practise parking?", None),  # of two neither is meant more
    "O'Neill": ("O'Neill", "Zoë O'Neill"),
    "zoë’s concert": ("concert", "Zoë O'Neill"),
    "concert ZOË": ("concert", "Zoë O'Neill"),
    "ownership of a zebra": ("ownership of a zebra", None),  # one word of a concept's title alone, one of nobody's
    "100% true_ticket": ("100% true_ticket", None),
    "the of and": ("the of and", None),
    "1953": ("1953", None),
    "What did Tom say about the printer in April?": ("What did   say about the printer in April?", "Tom"),
}


def parts(rows: list[dict[str, object]]) -> dict[UUID, Parts]:
    return {
        row["node_id"]: Parts(row["cosine"], row["keyword"], row["neighbours"], row["relevance"], row["modulation"])  # type: ignore[misc, arg-type]
        for row in rows
    }


@pytest.mark.parametrize("question", QUESTIONS)
def test_keyword_is_bm25_over_the_tenants_own_statistics(reader: Connection, library: Library, question: str) -> None:
    asked, _ = QUESTIONS[question]
    found = parts(recalled(reader, question))
    for memo in library.memos:
        expected = library.keyword(asked, memo)
        if expected is not None:
            assert found[memo.id].keyword == pytest.approx(expected, rel=1e-9), memo.text
        elif memo.id in found:
            assert found[memo.id].keyword is None, memo.text


@pytest.mark.parametrize("question", QUESTIONS)
def test_cosine_is_that_of_the_question_and_the_stored_vector(
    reader: Connection, library: Library, question: str
) -> None:
    asked, _ = QUESTIONS[question]
    found = parts(recalled(reader, question))
    for memo in library.memos:
        if memo.text == "!!! ??? ...":  # no word in it, so no direction
            assert memo.id not in found or found[memo.id].cosine is None
            continue
        expected = library.cosine(asked, memo)
        if memo.id in found:
            assert found[memo.id].cosine == pytest.approx(expected, abs=2e-3), memo.text
        else:
            assert expected < 2e-3, memo.text


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_score_is_the_sum_and_product_of_its_parts(reader: Connection, library: Library, question: str) -> None:
    _, boosted = QUESTIONS[question]
    rows = recalled(reader, question)
    found = parts(rows)
    raw = {memo.id: found.get(memo.id) for memo in library.memos}
    expected = library.scores(
        {id_: part.cosine if part else None for id_, part in raw.items()},
        {id_: part.keyword if part else None for id_, part in raw.items()},
        boosted,
        CLOCK,
        span=TIMES.get(question),
    )
    assert set(found) == set(expected)
    for row in rows:
        model = expected[row["node_id"]]
        assert row["neighbours"] == pytest.approx(model.neighbours, rel=1e-9, abs=1e-12), row
        assert row["relevance"] == pytest.approx(model.relevance, rel=1e-9), row
        assert row["modulation"] == pytest.approx(model.modulation, rel=1e-7), row  # affect is kept as real
        assert row["score"] == pytest.approx(model.score, rel=1e-7), row
    assert [row["node_id"] for row in rows] == library.ranked(found)


def test_a_row_says_what_was_stored(reader: Connection, library: Library) -> None:
    by_id = {memo.id: memo for memo in library.memos}
    for row in recalled(reader, "the dog, the concert and the invoice"):
        memo = by_id[row["node_id"]]
        assert (row["kind"], row["content"], row["title"]) == (memo.kind, memo.text, memo.text)
        assert (row["occurred_at"], row["actor"], row["source"]) == (memo.occurred_at, memo.actor, memo.source)
        assert isinstance(row["occurred_at"], datetime)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What did Maria say?", {"Maria Silva"}),
        ("MARIA or tom", {"Maria Silva", "Tom"}),
        ("silvas tomato", set()),
        ("the dev's leak", {"C++ (dev)"}),
        ("Zoë", {"Zoë O'Neill"}),
        ("billing", {"Billing (Dept.)"}),
        ("the dog", set()),
    ],
)
def test_rows_say_whether_the_question_names_their_actor(reader: Connection, question: str, named: set[str]) -> None:
    rows = recalled(reader, question)
    assert rows
    assert {row["actor"] for row in rows if row["names_actor"]} == named
    assert all(row["names_actor"] is (row["actor"] in named) for row in rows)


def test_naming_one_actor_lifts_that_actors_memories(reader: Connection, library: Library) -> None:
    plain, named = (recalled(reader, question) for question in ("concert", "concert Zoë"))

    def score(rows: list[dict[str, object]], text: str) -> object:
        return next(row["relevance"] for row in rows if row["content"] == text)

    text = "Is the dog coming to the concert?"
    # Alone in its source within the hour, so nothing but its own boost is added.
    assert score(named, text) == pytest.approx(float(score(plain, text)) + 0.3, rel=1e-9)  # type: ignore[arg-type]


def test_a_concept_and_its_events_are_both_found(reader: Connection, library: Library) -> None:
    found = {row["content"]: row["kind"] for row in recalled(reader, "dog", 12)}
    assert found["Dog ownership"] == "concept"
    assert found["The dog ate my concert ticket"] == "event"


def test_how_the_parts_are_weighed_is_a_setting(reader: Connection, library: Library) -> None:
    with reader.transaction(force_rollback=True):
        for name in (
            "weight_meaning",
            "neighbour_share",
            "second_neighbour_share",
            "answer_share",
            "bm25_b",
            "weight_actor",
        ):
            reader.execute("SELECT cognifold.set_setting(%s, 0)", [f"recall.{name}"])
        rows = recalled(reader, "the invoice, Tom")
        best = max(row["keyword"] for row in rows if row["keyword"] is not None)
        assert {row["content"] for row in rows} == {memo.text for memo in library.memos if "invoice" in memo.text}
        for row in rows:
            assert row["relevance"] == pytest.approx((row["keyword"] / best) ** 1.75, rel=1e-12)
