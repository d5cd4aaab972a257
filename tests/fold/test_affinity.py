"""What an event is to others, in numbers: the planner's affinities against NumPy, from the lexicon's own vectors."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.lexicon import Lexicon, read_lexicon, words
from tests.fold.stream import live, proposed, told

Vector = npt.NDArray[np.float64]

# The texts and, by hand, their lexemes: English stems without stop words.
EVENTS: list[tuple[str, set[str]]] = [
    ("Database pool exhausted", {"databas", "pool", "exhaust"}),
    ("The database pool is exhausted again", {"databas", "pool", "exhaust"}),
    ("Bought a blue bicycle helmet", {"bought", "blue", "bicycl", "helmet"}),
    ("A pool of database connections was exhausted", {"pool", "databas", "connect", "exhaust"}),
]
# The planner's constants (settings/defaults.sql, settings/embedding_models.sql).
HALF, USUAL, USUAL_WEIGHT, PRIOR_DOCUMENTS, SIZE_PENALTY = 3e-5, 0.12, 4, 100, 0.03


class Reckoning:
    """Affinity by its definition, one event after another."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.row = {word: place for place, word in enumerate(lexicon.words)}
        self.lexicon = lexicon

    def vector(self, text: str, half: float) -> Vector:
        """Words weighted half / (half + frequency), summed, of length 1."""
        rows = [self.row[word] for word in words(text)]
        weights = half / (half + self.lexicon.frequencies[rows].astype(np.float64))
        total: Vector = (self.lexicon.vectors[rows].astype(np.float64) * weights[:, None]).sum(axis=0)
        return total / np.linalg.norm(total)

    def to_events(self, new: int) -> Vector:
        """Affinity of event number ``new`` to each earlier one."""
        return self.cosines(new) + self.shares(new) - self.usual(new)

    def to_concept(self, new: int, members: Sequence[int]) -> float:
        """Affinity of event number ``new`` to a concept of these events."""
        mean = np.mean((self.cosines(new) + self.shares(new))[list(members)])
        return float(mean - self.usual(new) - SIZE_PENALTY * math.log(len(members) / 2))

    def cosines(self, new: int) -> Vector:
        focus = self.vector(EVENTS[new][0], HALF)
        return np.array([focus @ self.vector(text, self.lexicon.smoothing) for text, _ in EVENTS[:new]])

    def shares(self, new: int) -> Vector:
        known = [lexemes for _, lexemes in EVENTS[: new + 1]]
        rarity = {
            lexeme: math.log((new + 1 + PRIOR_DOCUMENTS) / sum(lexeme in other for other in known))
            for lexeme in known[new]
        }
        return np.array([sum(rarity[lexeme] for lexeme in known[new] & other) for other in known[:new]]) / sum(
            rarity.values()
        )

    def usual(self, new: int) -> float:
        return float((USUAL * USUAL_WEIGHT + self.cosines(new).sum()) / (USUAL_WEIGHT + new))


@pytest.fixture(scope="module")
def reckoning() -> Reckoning:
    return Reckoning(read_lexicon())


def stated(operation: dict[str, Any]) -> float:
    """The affinity that an operation's reasoning gives."""
    match = re.search(r"affinity (?:up to )?([-\d.]+)", operation["reasoning"])
    assert match, operation
    return float(match[1])


def test_a_link_weighs_as_much_as_the_affinity(memory: Memory, reckoning: Reckoning) -> None:
    ids = live(memory, told(*(text for text, _ in EVENTS)))
    for new, event in enumerate(ids):
        expected = reckoning.to_events(new) if new else np.array([])
        proposal = proposed(memory, event, "ADD_EDGE", "related_to")
        found = {operation["target"]: operation["weight"] for operation in proposal}
        # Statistics have moved on for all but the last event, so only that one is asked for numbers.
        if new == len(ids) - 1:
            assert found == {
                str(ids[place]): pytest.approx(min(1, expected[place]), abs=2e-3)
                for place in np.flatnonzero(expected >= 0.28)
            }
            assert [stated(operation) for operation in proposal] == sorted(map(stated, proposal), reverse=True)


def test_two_alike_events_found_a_concept_when_one_is_enough(memory: Memory, reckoning: Reckoning) -> None:
    assert reckoning.to_events(1)[0] >= 0.26
    first, second = live(memory, told(EVENTS[0][0], EVENTS[1][0]))
    plan = memory.rows(
        "SELECT operations FROM cognifold.plan JOIN cognifold.folded_event USING (plan_id) WHERE event_id = %s",
        [second],
    )[0]
    (founding,) = [o for o in plan["operations"] if o["op"] == "ADD_NODE"]
    assert founding["grounded_in"] == [str(first), str(second)]
    assert stated(founding) == pytest.approx(reckoning.to_events(1)[0], abs=2e-3)


def test_an_event_reinforces_the_concept_it_is_alike_on_average(memory: Memory, reckoning: Reckoning) -> None:
    ids = live(memory, told(*(text for text, _ in EVENTS)))
    assert reckoning.to_concept(3, [0, 1]) >= 0.30
    plan = memory.rows(
        "SELECT operations FROM cognifold.plan JOIN cognifold.folded_event USING (plan_id) WHERE event_id = %s",
        [ids[3]],
    )[0]
    (joining,) = [o for o in plan["operations"] if o.get("type") == "reinforces"]
    assert stated(joining) == pytest.approx(reckoning.to_concept(3, [0, 1]), abs=2e-3)


def test_an_event_like_no_other_stays_alone(memory: Memory, reckoning: Reckoning) -> None:
    assert reckoning.to_events(2).max() < 0.24
    ids = live(memory, told(*(text for text, _ in EVENTS)))
    rows = memory.rows("SELECT type FROM cognifold.edge WHERE %s IN (source_id, target_id)", [ids[2]])
    assert {row["type"] for row in rows} == {"precedes"}
