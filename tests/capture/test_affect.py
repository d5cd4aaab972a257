"""How a text feels: what is stored where the caller does not say, and what never is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from psycopg.types.json import Jsonb

from cognifold_pg.client import Memory
from cognifold_pg.lexicon.affect import read_affect
from cognifold_pg.results import Affect
from tests.conftest import Connection, value

GOOD = "What a wonderful surprise, I love it!"
BAD = "My father died in the terrible accident."


def stored(connection: Connection, event: object) -> tuple[float, str | None, float]:
    row = connection.execute(
        "SELECT emotional_weight, valence, arousal FROM cognifold.event WHERE id = %s", [event]
    ).fetchone()
    assert row is not None
    return row[0], row[1], row[2]


def test_a_text_says_how_it_feels(memory: Memory) -> None:
    good, bad, plain = (memory.affect(text) for text in (GOOD, BAD, "The meeting is in room 12."))
    assert (good.valence, bad.valence, plain.valence) == ("positive", "negative", "neutral")
    assert -1 <= bad.emotional_weight < plain.emotional_weight < good.emotional_weight <= 1
    assert 0 <= plain.arousal < good.arousal <= 1


def test_words_that_pull_both_ways_are_mixed(memory: Memory) -> None:
    assert memory.affect("I love the wonderful house where my friend was killed").valence == "mixed"


@pytest.mark.parametrize("text", ["", "  ", "!!!", "数据", "xqzzyk"])
def test_a_text_without_a_listed_word_is_neutral(memory: Memory, text: str) -> None:
    assert memory.affect(text) == Affect(emotional_weight=0, valence="neutral", arousal=0.5)


@pytest.mark.parametrize("text", [
    GOOD, BAD, "don't 'quote' the dogs' dog's dinner, it's 'the dog's'", "''s x''s a's's rock'n'roll'",
    "Zoë’s CAFÉ isn’t open", "word " * 1000, "!" * 5000, "A" * 2500, "tab\there\nand 'there'",
    "über-good, so-so; 3,000 reasons?", "'s", "she said 'hello'!",
])  # fmt: skip
def test_sql_and_python_reckon_alike(connection: Connection, text: str) -> None:
    row = connection.execute("SELECT emotional_weight, arousal FROM cognifold.affect(%s)", [text]).fetchone()
    ((valence, arousal),) = np.nan_to_num(read_affect().ratings([text]))
    assert row is not None
    assert row == pytest.approx((np.clip(valence / 2, -1, 1), np.clip(0.5 + arousal / 4, 0, 1)), abs=1e-6)


def test_remember_fills_in_what_nobody_gave(connection: Connection, memory: Memory) -> None:
    affect = memory.affect(BAD)
    one = value(connection, "SELECT cognifold.remember(%s)", BAD)
    many = value(
        connection, "SELECT event_id FROM cognifold.remember_many(%s)", Jsonb([{"content": BAD, "actor": "Ada"}])
    )
    for event in (one, many):
        weight, valence, arousal = stored(connection, event)
        assert (weight, arousal) == pytest.approx((affect.emotional_weight, affect.arousal), abs=1e-6)
        assert valence == "negative"


def test_only_what_was_given_makes_more_salient_unless_a_tenant_wants_it(connection: Connection) -> None:
    ask = "SELECT modulation FROM cognifold.recall('accident', as_of => %s, kinds => '{event}')"
    event = value(connection, "SELECT cognifold.remember(%s, occurred_at => now())", BAD)
    moment = value(connection, "SELECT occurred_at FROM cognifold.event WHERE id = %s", event)
    connection.execute("SELECT cognifold.fold()")
    assert value(connection, ask, moment) == pytest.approx(1)
    connection.execute("SELECT cognifold.set_setting('recall.inferred_affect', 1)")
    assert value(connection, ask, moment) == pytest.approx(1 + 0.5 * abs(stored(connection, event)[0]))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"emotional_weight": 0}, (0, None, 0)),
        ({"arousal": 0.25}, (0, None, 0.25)),
        ({"valence": "positive"}, (0, "positive", 0)),
        ({"emotional_weight": 0.5, "valence": "mixed", "arousal": 1}, (0.5, "mixed", 1)),
    ],
)
def test_what_the_caller_says_of_any_of_the_three_stands(
    connection: Connection, given: dict[str, Any], expected: tuple[float, str | None, float]
) -> None:
    event = value(connection, "SELECT event_id FROM cognifold.remember_many(%s)", Jsonb([{"content": BAD, **given}]))
    assert stored(connection, event) == expected


def test_a_tenant_can_turn_it_off(connection: Connection) -> None:
    connection.execute("SELECT cognifold.set_setting('remember.affect', 0)")
    assert stored(connection, value(connection, "SELECT cognifold.remember(%s)", BAD)) == (0, None, 0)


def test_the_same_event_said_again_is_one_event_whether_or_not_affect_was_read(connection: Connection) -> None:
    moment = "2026-06-02T10:00:00Z"
    first = value(connection, "SELECT cognifold.remember(%s, occurred_at => %s)", BAD, moment)
    connection.execute("SELECT cognifold.set_setting('remember.affect', 0)")
    assert value(connection, "SELECT cognifold.remember(%s, occurred_at => %s)", BAD, moment) == first


def test_the_table_is_the_shipped_file(connection: Connection) -> None:
    model = read_affect()
    assert value(connection, "SELECT checksum FROM cognifold.affect_release") == model.checksum
    assert value(connection, "SELECT count(*) FROM cognifold.affect_word") == len(model.words)
    place = model.words.index("wonderful")
    row = connection.execute("SELECT valence, arousal FROM cognifold.affect_word WHERE word = 'wonderful'").fetchone()
    assert row == pytest.approx(model.scores[place])
