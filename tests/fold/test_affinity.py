"""What an event is to others, in numbers: the planner's affinities against NumPy, from the lexicon's own vectors."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from cognifold_pg.lexicon import Lexicon, read_lexicon, words
from tests.fold.stream import START, live, proposed, told

Vector = npt.NDArray[np.float64]

# The texts and, by hand, their lexemes: English stems without stop words.
EVENTS: list[tuple[str, set[str]]] = [
    ("Database pool exhausted", {"databas", "pool", "exhaust"}),
    ("The database pool is exhausted again", {"databas", "pool", "exhaust"}),
    ("Bought a blue bicycle helmet", {"bought", "blue", "bicycl", "helmet"}),
    ("A pool of database connections was exhausted", {"pool", "databas", "connect", "exhaust"}),
]
# The planner's constants (settings/defaults.sql, settings/embedding_models.sql).
HALF, USUAL, USUAL_WEIGHT, PRIOR_DOCUMENTS, SIZE_PENALTY, NAMES = 3e-5, 0.12, 4, 100, 0.03, 0.4
REINFORCE, PAIR, RELATE, FLOOR = 0.34, 0.34, 0.43, 0.24

# Who says what, and the lexemes: Ruth Adler speaks twice, of Ormond; nobody else does either.
CAST: list[tuple[str, str, set[str]]] = [
    ("Ines Moreau", "Kiln fired at dawn", {"kiln", "fire", "dawn"}),
    ("Tom Hill", "Glaze samples sent to Ines", {"glaze", "sampl", "sent", "ine"}),
    ("Tom Hill", "Bought rope for the boat", {"bought", "rope", "boat"}),
    ("Ruth Adler", "The Ormond ferry was late", {"ormond", "ferri", "late"}),
    ("Tom Hill", "Rope frayed again on the boat", {"rope", "fray", "boat"}),
    ("Ruth Adler", "Missed the bus", {"miss", "bus"}),
]
# What the names of the last one weigh, by hand: of six events two are Ruth's, so "ruth" and "adler" weigh ln(6/2)/ln(6)
# = .61 each. Both bind it to the fourth event, and together they weigh no more than 1.
NAMED = np.array([0, 0, 0, 1, 0], dtype=np.float64)


class Reckoning:
    """Affinity by its definition, one event after another."""

    def __init__(self, lexicon: Lexicon, events: Sequence[tuple[str, set[str]]] = EVENTS) -> None:
        self.row = {word: place for place, word in enumerate(lexicon.words)}
        self.lexicon = lexicon
        self.events = events

    def vector(self, text: str, half: float) -> Vector:
        """Words weighted half / (half + frequency), summed, of length 1."""
        rows = [self.row[word] for word in words(text)]
        weights = half / (half + self.lexicon.frequencies[rows].astype(np.float64))
        total: Vector = (self.lexicon.vectors[rows].astype(np.float64) * weights[:, None]).sum(axis=0)
        return total / np.linalg.norm(total)

    def to_events(self, new: int) -> Vector:
        """Affinity of event number ``new`` to each earlier one."""
        return self.cosines(new) + self.shares(new) - self.usual(new)

    def to_concept(self, new: int, members: Sequence[int], nearest: int = 16) -> float:
        """Affinity of event number ``new`` to a concept of these events."""
        best = np.sort(self.to_events(new)[list(members)])[::-1][:nearest]
        return float(best[best >= FLOOR].sum() / len(best) - SIZE_PENALTY * math.log(len(members) / 2))

    def cosines(self, new: int) -> Vector:
        focus = self.vector(self.events[new][0], HALF)
        return np.array([focus @ self.vector(text, self.lexicon.smoothing) for text, _ in self.events[:new]])

    def shares(self, new: int) -> Vector:
        known = [lexemes for _, lexemes in self.events[: new + 1]]
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
                for place in np.flatnonzero(expected >= RELATE)
            }
            assert [stated(operation) for operation in proposal] == sorted(map(stated, proposal), reverse=True)


def test_two_alike_events_found_a_concept_when_one_is_enough(memory: Memory, reckoning: Reckoning) -> None:
    assert reckoning.to_events(1)[0] >= PAIR
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
    assert reckoning.to_concept(3, [0, 1]) >= REINFORCE
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


def test_of_a_large_concept_only_the_events_most_alike_count(memory: Memory, reckoning: Reckoning) -> None:
    memory.rows("SELECT cognifold.set_setting('fold.nearest', 1)")
    ids = live(memory, told(*(text for text, _ in EVENTS)))
    plan = memory.rows(
        "SELECT operations FROM cognifold.plan JOIN cognifold.folded_event USING (plan_id) WHERE event_id = %s",
        [ids[3]],
    )[0]
    (joining,) = [o for o in plan["operations"] if o.get("type") == "reinforces"]
    best = reckoning.to_concept(3, [0, 1], nearest=1)
    assert best > reckoning.to_concept(3, [0, 1]) + 0.002
    assert stated(joining) == pytest.approx(best, abs=2e-3)


def test_who_acts_counts_and_the_more_the_fewer_events_are_theirs(memory: Memory, reckoning: Reckoning) -> None:
    cast = Reckoning(reckoning.lexicon, [(text, lexemes) for _, text, lexemes in CAST])
    expected = cast.to_events(5) + NAMES * (NAMED - NAMED.mean())
    ids = live(memory, by_cast())
    (link,) = proposed(memory, ids[5], "ADD_EDGE", "related_to")
    assert link["target"] == str(ids[3])
    assert link["weight"] == pytest.approx(expected[3], abs=2e-3)


def test_where_names_tell_much_apart_more_is_asked_of_a_new_concept(memory: Memory, reckoning: Reckoning) -> None:
    cast = Reckoning(reckoning.lexicon, [(text, lexemes) for _, text, lexemes in CAST])
    affinity = (cast.to_events(5) + NAMES * (NAMED - NAMED.mean()))[3]
    assert PAIR < affinity < PAIR + NAMES * NAMED.std()  # .34 < .49 < .50
    ids = live(memory, by_cast())
    assert proposed(memory, ids[5], "ADD_NODE", "concept") == []


def test_a_text_that_names_a_speaker_is_bound_to_what_that_speaker_said(memory: Memory, reckoning: Reckoning) -> None:
    texts = [*CAST[:5], ("Lena Voss", "Kiln broke, so Ines waits", {"kiln", "broke", "ine", "wait"})]
    cast = Reckoning(reckoning.lexicon, [(text, lexemes) for _, text, lexemes in texts])
    # "Ines" stands in two texts and acts in one event, "Kiln" stands in two texts: ln(6/3)/ln(6) + ln(6/2)/ln(6) = 1.
    named = np.array([1, math.log(2) / math.log(6), 0, 0, 0])
    expected = cast.to_events(5) + NAMES * (named - named.mean())
    ids = live(memory, by_cast(texts))
    found = {o["target"]: o["weight"] for o in proposed(memory, ids[5], "ADD_EDGE", "related_to")}
    assert found == {
        str(ids[place]): pytest.approx(expected[place], abs=2e-3) for place in np.flatnonzero(expected >= RELATE)
    }
    assert len(found) == 2


def by_cast(cast: Sequence[tuple[str, str, set[str]]] = CAST) -> list[Experience]:
    """What the cast says, an hour apart."""
    return [
        Experience(text, actor=actor, occurred_at=START + timedelta(hours=hour))
        for hour, (actor, text, _) in enumerate(cast)
    ]
