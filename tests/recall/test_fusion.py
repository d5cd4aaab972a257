"""What each signal does to a recollection, and that any of them may be missing."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection
from tests.recall.conftest import CLOCK, TENANT
from tests.recall.model import Library, mne, recalled

BREED = "What breed is the puppy?"
BEAGLE = "A beagle, and she chews every shoe in the house"
Rows = list[dict[str, Any]]


def by_text(rows: Rows) -> dict[str, dict[str, Any]]:
    return {row["content"]: row for row in rows}


def with_settings(connection: Connection, query: str, **settings: float) -> Rows:
    """Rows of ``recall`` under other settings of ``recall.``, which are taken back."""
    with connection.transaction(force_rollback=True):
        for name, value in settings.items():
            connection.execute("SELECT cognifold.set_setting(%s, %s)", [f"recall.{name}", value])
        return recalled(connection, query)


def test_a_question_passes_its_relevance_on_to_its_answer(reader: Connection, library: Library) -> None:
    rows = by_text(with_settings(reader, "breed", weight_meaning=0))
    # The one event with the word is the best there is: strength 1. It asks, so its answer is given .3 + .45 of it,
    # the event before it .3, and the one after the answer .2.
    assert {text: row["neighbours"] for text, row in rows.items()} == pytest.approx(
        {
            BREED: 0,
            BEAGLE: 0.75,
            "We adopted a puppy from the shelter on Sunday": 0.3,
            "Our old dog chewed the sofa": 0.2,
        }
    )
    assert rows[BREED]["modulation"] == pytest.approx(0.8 * mne(0, 699.8 * 3600, 0, 0), rel=1e-9)
    assert rows[BEAGLE]["modulation"] == pytest.approx(mne(0.5, 699.6 * 3600, 7, 0.5), rel=1e-7)


def test_what_is_merely_like_the_best_counts_less_the_sharper_the_fusion(reader: Connection, library: Library) -> None:
    def shares(sharpness: float) -> dict[str, float]:
        quiet = dict.fromkeys(("weight_meaning", "neighbour_share", "second_neighbour_share", "answer_share"), 0.0)
        rows = with_settings(reader, "invoice printer", sharpness=sharpness, **quiet)
        return {text: row["relevance"] for text, row in by_text(rows).items()}

    plain, sharp = shares(1), shares(2)
    assert max(plain.values()) == pytest.approx(1) and min(plain.values()) < 0.9
    assert sharp == pytest.approx({text: share**2 for text, share in plain.items()})


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/St_Johns"])
def test_what_happened_when_the_question_says_is_raised_under_every_time_zone(
    reader: Connection, library: Library, zone: str
) -> None:
    reader.execute("SELECT set_config('TimeZone', %s, false)", [zone])
    try:
        asked = "Which invoice was sent in April?"
        raised, plain = by_text(recalled(reader, asked)), by_text(with_settings(reader, asked, lift_time=0))
    finally:
        reader.execute("RESET TimeZone")
    # 499 hours before noon of 10 May is 19 April, 60 hours before is 8 May.
    factors = {text: row["modulation"] / plain[text]["modulation"] for text, row in raised.items() if text in plain}
    assert factors["A corrected invoice was sent on Monday"] == pytest.approx(2)
    assert factors["The beagle had her vaccination at the vet"] == pytest.approx(1)


def test_events_of_the_one_actor_named_are_raised_in_the_end(reader: Connection, library: Library) -> None:
    raised, plain = (by_text(recalled(reader, query)) for query in ("concert Zoë", "concert"))
    for text, row in raised.items():
        lift = 1.1 if row["actor"] == "Zoë O'Neill" else 1
        assert row["modulation"] == pytest.approx(lift * plain[text]["modulation"], rel=1e-9), text


def test_affect_like_the_questions_raises_a_memory_where_it_is_asked_to(reader: Connection, library: Library) -> None:
    query = "I failed, this terrible accident was a nightmare"
    felt = reader.execute("SELECT emotional_weight, arousal FROM cognifold.affect(%s)", [query]).fetchone()
    assert felt is not None and felt[0] < -0.1
    raised, plain = by_text(with_settings(reader, query, weight_affect=0.5)), by_text(recalled(reader, query))
    for memo in library.events:
        if memo.text in raised:
            near = max(0, 1 - abs(felt[0] - memo.emotional_weight) / 2 - abs(felt[1] - 0))  # no arousal was given
            assert raised[memo.text]["modulation"] == pytest.approx(
                (1 + 0.5 * near) * plain[memo.text]["modulation"], rel=1e-6
            ), memo.text


def test_the_mne_score_can_be_left_out(reader: Connection, library: Library) -> None:
    rows = with_settings(reader, "the beagle and the concert", weight_mne=0)
    assert {row["modulation"] for row in rows if not str(row["content"]).endswith("?")} == {1.0}


@pytest.mark.parametrize("query", ["?!", "…", "&"])
def test_a_question_without_a_word_finds_nothing(reader: Connection, library: Library, query: str) -> None:
    assert recalled(reader, query) == []


def test_an_actor_nobody_knows_is_a_word_like_others(reader: Connection, library: Library) -> None:
    rows = recalled(reader, "What did Ignatius say about the corrected invoice?", 1)
    assert [row["content"] for row in rows] == ["A corrected invoice was sent on Monday"]
    assert not rows[0]["names_actor"]


def test_words_alone_answer_where_no_vector_is_stored(admin_dsn: str, library: Library) -> None:
    with psycopg.connect(admin_dsn) as admin:
        admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [TENANT])
        admin.execute("DELETE FROM cognifold.embedding WHERE tenant_id = %s", [TENANT])
        rows = recalled(admin, "the corrected invoice", 1)
        admin.rollback()
    assert [(row["content"], row["cosine"]) for row in rows] == [("A corrected invoice was sent on Monday", None)]


def test_meaning_alone_answers_where_no_word_is_shared(reader: Connection, library: Library) -> None:
    alone = dict.fromkeys(
        ("neighbour_share", "second_neighbour_share", "answer_share", "weight_mne", "discount_asking"), 0.0
    )
    rows = with_settings(reader, "hound", **alone)
    assert rows and all(row["keyword"] is None for row in rows)
    cosines = [row["cosine"] for row in rows]
    assert cosines == sorted(cosines, reverse=True)
    assert rows[0]["relevance"] == pytest.approx(0.55)  # the weight of meaning, of the best


@pytest.mark.parametrize("off", ["enable_indexscan", "enable_nestloop", "enable_sort", "enable_hashagg"])
def test_the_answer_is_the_same_under_other_plans(
    library: Library, connect: Callable[..., Connection], reader: Connection, off: str
) -> None:
    query = "When did Tom pass the driving test?"
    expected = [(row["node_id"], row["score"]) for row in recalled(reader, query)]
    other = connect(TENANT, now=CLOCK.isoformat())
    other.execute(f"SET {off} = off".encode())
    found = [(row["node_id"], row["score"]) for row in recalled(other, query)]
    assert [id_ for id_, _ in found] == [id_ for id_, _ in expected]
    assert all(math.isclose(a, b, rel_tol=1e-12) for (_, a), (_, b) in zip(found, expected, strict=True))


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Are you coming?", True),
        ('He asked: "Are you coming?"', True),
        ("Really?!", True),
        ("Are you coming? I am.", False),
        ("来ますか？", True),
        ("Coming?  \n", True),
    ],
)
def test_an_event_asks_when_its_text_ends_with_a_question_mark(
    connect: Callable[..., Connection], text: str, asks: bool
) -> None:
    connection = connect("askers")
    with connection.transaction(force_rollback=True):
        connection.execute("SELECT cognifold.create_tenant('askers')")
        event = connection.execute("SELECT cognifold.remember(%s)", [text]).fetchone()
        assert event is not None
        found = connection.execute("SELECT asks FROM cognifold.node WHERE id = %s", [event[0]]).fetchone()
        assert found == (asks,)


def test_what_happened_in_the_time_asked_about_is_found_though_nothing_else_speaks_for_it(
    connection: Connection, memory: Memory
) -> None:
    for day, text in ((1, "Tulips"), (20, "Quarrel"), (21, "Plumber")):
        memory.remember(text, occurred_at=datetime(2026, 5, day, 9, tzinfo=UTC))
    memory.fold_all()
    asked = (
        "SELECT title, signals -> 'time' FROM cognifold.explain_recall(%s, kinds => '{event}', "
        "as_of => '2026-06-10T00:00:00Z')"
    )
    found = dict(connection.execute(asked, ["what happened between 20 May and 21 May?"]).fetchall())
    assert found["Quarrel"] == found["Plumber"] == pytest.approx(0.1)
    assert found.get("Tulips") is None
