"""Thresholds follow the formula under any answers, and nothing is silenced for ever."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import value
from tests.graph.plans import add_node, apply, rows
from tests.intent.workshop import Workshop

ANSWERS = {"accept": 1.5, "modify": 1.1, "defer": 0.8, "reject": 0.3}
DAYS = 24


@dataclass
class Category:
    """The formula in so many words: an average that relaxes to 1 by half in thirty days."""

    said: list[tuple[float, float]] = field(default_factory=list)  # hours, w just after

    def w(self, hours: float) -> float:
        heard = [(at, w) for at, w in self.said if at <= hours]
        at, w = heard[-1] if heard else (0.0, 1.0)
        relaxed: float = 1 + (w - 1) * 0.5 ** ((hours - at) / (30 * DAYS))
        return relaxed

    def answer(self, hours: float, answer: str) -> None:
        self.said.append((hours, 0.7 * self.w(hours) + 0.3 * ANSWERS[answer]))

    def theta(self, hours: float) -> float:
        return min(0.9, max(0.1, 0.5 / self.w(hours)))


def stated(workshop: Workshop, number: int) -> list[UUID]:
    """So many intents that a user's plan states."""
    event = workshop.event("Ideas")
    plan = [add_node("intent", f"Idea {n}", event, ref=f"idea{n}") for n in range(number)]
    refs = apply(workshop.connection, *plan)["refs"]
    return [UUID(refs[f"idea{n}"]) for n in range(number)]


said = st.lists(
    st.tuples(st.sampled_from(sorted(ANSWERS)), st.sampled_from([0.0, 0.5, 24.0, 240.0, 720.0, 5000.0])),
    min_size=1,
    max_size=12,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=said, later=st.lists(st.floats(0, 20000), min_size=1, max_size=4))
def test_the_bar_is_what_the_formula_says_after_any_answers(
    new_workshop: Callable[[], Workshop], said: list[tuple[str, float]], later: list[float]
) -> None:
    workshop, model, hours = new_workshop(), Category(), 0.0
    for intent, (answer, pause) in zip(stated(workshop, len(said)), said, strict=True):
        hours += pause
        workshop.at(hours)
        workshop.answer(intent, answer)
        model.answer(hours, answer)
        assert workshop.theta("other", hours) == pytest.approx(model.theta(hours), rel=1e-9)
    for moment in later:  # before, between and after
        assert workshop.theta("other", moment) == pytest.approx(model.theta(moment), rel=1e-9)
    assert workshop.theta("other", hours + 3650 * DAYS) == pytest.approx(0.5, rel=1e-9)
    assert workshop.theta("health", hours) == 0.5
    [row] = rows(workshop.connection, "SELECT * FROM cognifold.intent_calibration WHERE category = 'other'")
    counts = [[answer for answer, _ in said].count(answer) for answer in ("accept", "modify", "defer", "reject")]
    assert [row[name] for name in ("accept", "modify", "defer", "reject")] == counts
    assert row["answers"] == len(said) and row["emitted"] == row["accepted"] == 0
    assert row["acceptance_rate"] == pytest.approx((counts[0] + counts[1]) / len(said))
    assert row["acceptance"] == pytest.approx((counts[0] + counts[1] + counts[2] / 2 + 2) / (len(said) + 4))
    assert (row["w"], row["theta"]) == (pytest.approx(model.w(hours)), pytest.approx(model.theta(hours)))
    workshop.connection.close()


def test_after_ten_rejections_a_density_of_eight_tenths_is_enough_within_sixty_days(workshop: Workshop) -> None:
    for intent in stated(workshop, 10):
        workshop.answer(intent, "reject")
    workshop.kettle(0, times=4)
    assert workshop.emit(0) == []  # the bar is at its ceiling
    concept = workshop.kettle(60 * DAYS, times=4)
    [emitted] = workshop.emit(60 * DAYS)
    assert value(workshop.connection, "SELECT cognifold.density(%s)", concept) == pytest.approx(emitted["density"])
    assert 0.75 <= emitted["density"] <= 0.85
    w = 1 + (0.3 + 0.7 * 0.7**10 - 1) / 4
    assert emitted["theta"] == pytest.approx(0.5 / w)
