"""An impulse waits while a stronger goal of the same matter is active, and no longer."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from tests.conftest import value
from tests.graph.plans import add_edge, apply, rows, violations
from tests.intent.workshop import NEED, Workshop, moment


def held(workshop: Workshop) -> list[dict[str, Any]]:
    query = "SELECT node_id, held_by, held_because FROM cognifold.intent_density WHERE held_by IS NOT NULL"
    return rows(workshop.connection, query)


def goal_and_impulse(workshop: Workshop, payload: str | None = None) -> tuple[UUID, UUID]:
    """A strong open intent, and a concept two live edges away that only just reaches its bar."""
    goal = workshop.kettle(times=6)
    [emitted] = workshop.emit(0)
    between = workshop.concept("Kitchen", workshop.event("The kitchen is white"))
    impulse = workshop.concept("Lamp", *(workshop.event(f"The lamp needs a bulb {n}", payload=payload) for n in "ab"))
    workshop.set("intent.suppress", 0)
    workshop.set("intent.theta_ceiling", 1)
    workshop.set("intent.theta", 1)
    apply(workshop.connection, add_edge(goal, "related_to", between), add_edge(between, "related_to", impulse))
    assert workshop.emit(0) == []
    query = "SELECT readiness FROM cognifold.intent_density WHERE node_id = %s"
    workshop.set("intent.theta", value(workshop.connection, query, impulse) - 0.01)
    workshop.set("intent.suppress", 1)
    return emitted["intent_id"], impulse


@pytest.fixture
def lamp(workshop: Workshop) -> tuple[UUID, UUID]:
    return goal_and_impulse(workshop)


def look(workshop: Workshop, concept: UUID, admin: Any) -> None:
    admin.execute(
        "INSERT INTO cognifold.intent_due VALUES (%s, %s, '-infinity') ON CONFLICT DO NOTHING",
        [workshop.tenant, concept],
    )


def test_it_is_held_back_and_the_reason_is_seen(workshop: Workshop, lamp: tuple[UUID, UUID], admin: Any) -> None:
    goal, impulse = lamp
    look(workshop, impulse, admin)
    assert workshop.emit(0) == []
    [seen] = held(workshop)
    assert (seen["node_id"], seen["held_by"]) == (impulse, goal)
    title = value(workshop.connection, "SELECT title FROM cognifold.intent WHERE id = %s", goal)
    assert seen["held_because"].endswith(f'is less than 0.05 above the bar, no deadline is near, and "{title}" is open')
    assert workshop.emit(0) == [] and violations(workshop.connection) == []


@pytest.mark.parametrize(("answer", "w"), [("resolve", 1), ("reject", 0.79), ("defer", 0.94)])
def test_it_is_reconsidered_when_the_stronger_one_is_no_longer_active(
    workshop: Workshop, lamp: tuple[UUID, UUID], admin: Any, answer: str, w: float
) -> None:
    goal, impulse = lamp
    look(workshop, impulse, admin)
    assert workshop.emit(0) == []
    workshop.answer(goal, answer)
    # the bar itself stays where it was
    workshop.set("intent.theta", value(workshop.connection, "SELECT cognifold.setting('intent.theta')") * w)
    assert [intent["title"][:4] for intent in workshop.emit(0)] == ["Lamp"]
    assert held(workshop) == []


def test_it_is_reconsidered_when_the_stronger_one_is_taken_back(
    workshop: Workshop, lamp: tuple[UUID, UUID], admin: Any
) -> None:
    goal, impulse = lamp
    look(workshop, impulse, admin)
    assert workshop.emit(0) == []
    plan = value(workshop.connection, "SELECT plan_id FROM cognifold.intent WHERE id = %s", goal)
    workshop.connection.execute("SELECT cognifold.undo_plan(%s, true)", [plan])
    assert "Lamp" in {intent["title"][:4] for intent in workshop.emit(0)}


def test_a_setting_turns_it_off(workshop: Workshop, lamp: tuple[UUID, UUID], admin: Any) -> None:
    look(workshop, lamp[1], admin)
    workshop.set("intent.suppress", 0)
    assert [intent["title"][:4] for intent in workshop.emit(0)] == ["Lamp"]


def test_what_is_well_above_its_bar_is_no_impulse(workshop: Workshop, lamp: tuple[UUID, UUID], admin: Any) -> None:
    look(workshop, lamp[1], admin)
    workshop.set("intent.theta", value(workshop.connection, "SELECT cognifold.setting('intent.theta')") - 0.05)
    assert [intent["title"][:4] for intent in workshop.emit(0)] == ["Lamp"]


def test_a_deadline_that_is_near_waits_for_nobody(workshop: Workshop, admin: Any) -> None:
    _goal, impulse = goal_and_impulse(workshop, payload=f'{{"deadline": "{moment(100).isoformat()}"}}')
    look(workshop, impulse, admin)
    assert [intent["title"][:4] for intent in workshop.emit(0)] == ["Lamp"]


def test_without_a_link_it_is_another_matter(workshop: Workshop, admin: Any) -> None:
    goal, impulse = goal_and_impulse(workshop)
    query = "UPDATE cognifold.graph_edge SET faded_at = '2026-01-01' WHERE tenant_id = %s AND target_id = %s"
    admin.execute(query + " AND source_kind = 'concept'", [workshop.tenant, impulse])
    look(workshop, impulse, admin)
    assert [intent["title"][:4] for intent in workshop.emit(0)] == ["Lamp"]
    assert workshop.status(goal) == "pending"


def suppressing(workshop: Workshop, *evidence: UUID, readiness: float = 0.5) -> UUID | None:
    """The stronger intent for a candidate that is joined to it by its evidence alone."""
    found: UUID | None = value(
        workshop.connection, "SELECT cognifold.suppressing_intent(%s, '{}', %s, %s, 'other', NULL, %s, %s)",
        workshop.tenant, list(evidence), readiness, moment(0), settings(workshop),
    )  # fmt: skip
    return found


def settings(workshop: Workshop) -> str:
    found: str = value(workshop.connection, "SELECT cognifold.settings()::text")
    return found


def test_the_same_events_and_the_same_names_make_one_matter(workshop: Workshop, admin: Any) -> None:
    workshop.connection = admin  # the function is no verb
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [workshop.tenant])
    for number in range(16):
        workshop.event(f"Something else {number}")
    told = [workshop.event(f"Tell Ottoline in Brixton: {NEED} {n}") for n in "abcd"]
    workshop.concept("Kettle", *told)
    [goal] = workshop.emit(0)
    same = workshop.event("We met Ottoline in Brixton")  # 5 of 21 events name each: 2 ln(21 / 5) / ln(21) = .94
    assert suppressing(workshop, told[0]) == goal["intent_id"]
    assert suppressing(workshop, same) is None
    workshop.set("intent.shared_names", 0.9)
    assert suppressing(workshop, same) == goal["intent_id"]
    assert suppressing(workshop, workshop.event("We met in Brixton")) is None
    assert suppressing(workshop, told[0], readiness=0.549) == goal["intent_id"]
    assert suppressing(workshop, told[0], readiness=0.551) is None  # no impulse
    workshop.set("intent.impulse", 1)
    assert suppressing(workshop, told[0], readiness=goal["readiness"] + 0.01) is None  # the stronger itself
    workshop.answer(goal["intent_id"], "accept")
    assert suppressing(workshop, told[0], readiness=goal["readiness"] + 0.01) == goal["intent_id"]  # agreed to
