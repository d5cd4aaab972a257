"""What was remembered a moment ago is found before anything has folded it."""

from __future__ import annotations

import math

import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection, at, value


def test_an_event_is_found_in_the_transaction_that_remembers_it(connection: Connection) -> None:
    with connection.transaction():
        remembered = value(connection, "SELECT cognifold.remember('The spare key is under the blue pot')")
        found = value(connection, "SELECT node_id FROM cognifold.recall('where is the spare key?', 1)")
    assert found == remembered


def test_it_is_found_by_words_and_by_meaning(memory: Memory) -> None:
    for text in ("The boiler was serviced in March", "Tickets for the theatre on Saturday"):
        memory.remember(text)
    memory.fold_all()
    memory.remember("The heating went cold during the night")
    [waiting] = [row for row in memory.recall("heating", kinds=["event"]) if "heating" in row.content]
    # Two events of three lexemes each are folded, none holds "heat"; this one has four lexemes (k1 1.2, b .3).
    assert waiting.keyword == pytest.approx(math.log(1 + 2.5 / 0.5) * 2.2 / (1 + 1.2 * (0.7 + 0.3 * 4 / 3)))
    assert waiting.cosine is not None and waiting.cosine > 0.2
    memory.fold_all()
    [folded] = [row for row in memory.recall("heating", kinds=["event"]) if "heating" in row.content]
    assert waiting.cosine == pytest.approx(folded.cosine, abs=1e-6)  # one word: its rarity scales, nothing turns


def test_only_the_latest_are_searched_and_filters_hold_for_them(memory: Memory, connection: Connection) -> None:
    connection.execute("SELECT cognifold.set_setting('recall.unfolded', 2)")
    for day in (1, 2, 3):
        memory.remember(f"Parcel number {day} arrived", occurred_at=at(f"2026-05-0{day}T09:00:00Z"), actor="Post")
    found = {row.content for row in memory.recall("parcel", kinds=["event"])}
    assert found == {"Parcel number 2 arrived", "Parcel number 3 arrived"}
    assert memory.recall("parcel", actors=["Somebody"]) == []
    early = memory.recall("parcel", as_of=at("2026-05-01T12:00:00Z"))
    assert [row.content for row in early] == ["Parcel number 1 arrived"]


def test_a_concept_is_not_looked_for_among_them(memory: Memory) -> None:
    memory.remember("Parcel arrived")
    assert memory.recall("parcel", kinds=["concept"]) == []


def test_of_a_long_text_the_beginning_is_searched(memory: Memory) -> None:
    memory.remember("The boiler was serviced in March " + "blah " * 5000 + "zebra")
    assert [row.kind for row in memory.recall("boiler")] == ["event"]
    assert memory.recall("zebra") == [] or memory.recall("zebra")[0].keyword is None
