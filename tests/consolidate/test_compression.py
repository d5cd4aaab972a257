"""Concepts that are alike become one in a pass, unless what they say differs."""

from __future__ import annotations

import math
from collections.abc import Callable
from uuid import UUID

import pytest

from tests.conftest import Connection, value
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import NOTHING, concepts, merged_into, plans
from tests.graph.plans import START, add_edge, apply, concept, make_concept, remember, rows, update_node, violations


def at_angle(degrees: float) -> tuple[float, float, float]:
    """A unit vector; two of them have the cosine of the difference of their angles. merge .85 is 31.8 degrees."""
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0


def topic(plane: Plane, title: str, degrees: float, *texts: str) -> UUID:
    """A concept at an angle, grounded in an event for each text."""
    return make_concept(plane.connection, title, *(plane.event(text, *at_angle(degrees)) for text in texts or (title,)))


@pytest.mark.parametrize(("degrees", "merges"), [(31, True), (33, False)])
def test_concepts_above_the_models_threshold_become_one(plane: Plane, degrees: float, merges: bool) -> None:
    one = topic(plane, "Garden watering", 0)
    other = topic(plane, "Tomato beds", degrees)
    report = plane.consolidate(1)
    assert report["counts"]["concepts_merged"] == merges
    assert merged_into(plane.connection, other) == (one if merges else None)
    if merges:
        (plan,) = plans(plane.connection)
        (operation,) = plan["operations"]
        assert operation["op"] == "MERGE_NODES"
        assert operation["reasoning"] == '"Garden watering" and "Tomato beds" are alike: cosine 0.857'
    assert plane.consolidate(1)["counts"] == NOTHING
    assert violations(plane.connection) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("prefers morning meetings", "prefers evening meetings"),
        ("Rent due 1 June", "Rent due 1 July"),
        ("Rent due 1 June", "Rent due 2 June"),
        ("likes coffee", "does not like coffee"),
        ("Lunch with Anna", "Lunch with Boris"),
        ("Budget of 1,200 euros", "Budget of 1,300 euros"),
    ],
)
@pytest.mark.parametrize("where", ["titles", "events", "both"])
def test_concepts_that_say_different_things_stay_apart_however_near(
    plane: Plane, one: str, other: str, where: str
) -> None:
    titles = (one, other) if where != "events" else ("A habit", "The custom")
    texts = (one, other) if where != "titles" else ("said so", "told us")
    nodes = [topic(plane, title, number, text) for number, (title, text) in enumerate(zip(titles, texts, strict=True))]
    assert plane.consolidate(1)["counts"]["concepts_merged"] == 0
    assert [merged_into(plane.connection, node) for node in nodes] == [None, None]


def test_one_pair_of_events_that_agree_is_enough_if_the_titles_do(plane: Plane) -> None:
    topic(plane, "Running", 0, "Ran 5 kilometres", "Ran along the river")
    topic(plane, "River runs", 10, "Ran 8 kilometres", "Ran by the river")
    assert plane.consolidate(1)["counts"]["concepts_merged"] == 1


@pytest.mark.parametrize("where", ["titles", "events"])
def test_opposites_do_not_come_together_by_way_of_a_third(plane: Plane, where: str) -> None:
    said = ["bought a boat", "the boat yard is open", "the boat yard is closed"]
    neutral = ["Purchase", "Harbour", "Shore"]
    titles, texts = (said, neutral) if where == "titles" else (neutral, said)
    for angle, title, text in zip((0, 20, 25), titles, texts, strict=True):
        topic(plane, title, angle, text)
    for hours in (1, 2):
        plane.consolidate(hours)
    bought, opened, closed = rows(plane.connection, "SELECT id, merged_into FROM cognifold.concept ORDER BY id")
    assert opened["merged_into"] == bought["id"]
    assert closed["merged_into"] is None


def test_only_the_most_typical_events_are_read(plane: Plane) -> None:
    plane.set("consolidate.merge_events", 1)
    for title, number, angle in (("Running", "5", 0), ("River runs", "8", 10)):
        typical = plane.event(f"Ran {number} kilometres", *at_angle(angle))
        beside = [plane.event("Ran along the river", *at_angle(angle + turn)) for turn in (-20, 20)]
        make_concept(plane.connection, title, typical, *beside)
    assert plane.consolidate(1)["counts"]["concepts_merged"] == 0
    assert len(concepts(plane.connection)) == 2


def test_a_survivor_that_has_become_like_a_third_takes_it_in_the_same_pass(plane: Plane) -> None:
    # 0 and 30 degrees merge into 15; 45 was 45 degrees from the one and 15 from the other, and is 30 from their mean.
    topic(plane, "Alpha", 0)
    topic(plane, "Beta", 16)
    topic(plane, "Gamma", 39)  # beyond the reach of alpha, within that of beta, which alpha takes first
    for number in range(40):
        topic(plane, f"Other thing {number}", 180)  # numbers conflict, so these stay; they let more than one merge pass
    report = plane.consolidate(1)
    assert (report["counts"]["concepts_merged"], len(report["plans"])) == (2, 2)
    assert plane.consolidate(1)["counts"] == NOTHING


def test_at_most_a_tenth_of_the_concepts_merge_and_the_next_pass_goes_on(plane: Plane) -> None:
    for number, (one, other) in enumerate([("Talk", "Chat"), ("Walk", "Stroll"), ("Meal", "Dinner")]):
        topic(plane, one, 90 * number)
        topic(plane, other, 90 * number + 1)
    for expected in ((1, 2), (1, 1), (1, 0)):
        counts = plane.consolidate(1)["counts"]
        assert (counts["concepts_merged"], counts["merges_left"]) == expected
    assert plane.consolidate(1)["counts"] == NOTHING
    assert len(concepts(plane.connection)) == 3


def test_a_merge_that_was_undone_is_not_made_again(plane: Plane) -> None:
    one, other = topic(plane, "Garden watering", 0), topic(plane, "Tomato beds", 10)
    (plan,) = plane.consolidate(1)["plans"]
    undo = value(plane.connection, "SELECT cognifold.undo_plan(%s) ->> 'plan_id'", plan)
    for hours in (2, 3):
        assert plane.consolidate(hours)["counts"]["concepts_merged"] == 0
    assert (merged_into(plane.connection, one), merged_into(plane.connection, other)) == (None, None)
    value(plane.connection, "SELECT cognifold.undo_plan(%s)", undo)
    assert merged_into(plane.connection, other) == one, "and with the undo undone it is there"


def test_a_merge_that_only_stood_in_the_way_of_an_undo_is(plane: Plane) -> None:
    topic(plane, "Garden watering", 0)
    event = plane.event("Tomato beds", *at_angle(10))
    other = apply(plane.connection, concept("Tomato beds", event, ref="made"))
    plane.consolidate(1)
    undo = value(plane.connection, "SELECT cognifold.undo_plan(%s, true) ->> 'plan_id'", other["plan_id"])
    assert concepts(plane.connection) == {"Garden watering"}
    value(plane.connection, "SELECT cognifold.undo_plan(%s)", undo)
    assert concepts(plane.connection) == {"Garden watering", "Tomato beds"}
    assert plane.consolidate(2)["counts"]["concepts_merged"] == 1


def test_what_one_event_says_of_two_things_stays_two(plane: Plane) -> None:
    event, more = plane.event("Swims for her health", 1, 0, 0), plane.event("Swims again", 1, 0.1, 0)
    make_concept(plane.connection, "Swimming", event)
    make_concept(plane.connection, "Health", event, more)
    assert plane.consolidate(1)["counts"]["concepts_merged"] == 0
    topic(plane, "Lanes in the pool", 1)  # evidence of its own, and as near
    assert plane.consolidate(2)["counts"]["concepts_merged"] == 1


def test_only_what_changed_since_the_last_pass_is_looked_at(plane: Plane) -> None:
    topic(plane, "Garden watering", 0)
    other = topic(plane, "Tomato beds", 40)
    assert plane.consolidate(1)["counts"]["concepts_changed"] == 2
    assert plane.consolidate(2)["counts"]["concepts_changed"] == 0
    # Evidence moves the mean of one of them: it alone is looked at, and finds the other.
    apply(plane.connection, add_edge(plane.event("Watered", *at_angle(0)), "reinforces", other))
    counts = plane.consolidate(3)["counts"]
    assert (counts["concepts_changed"], counts["concepts_merged"]) == (1, 1)


def test_a_new_title_is_a_change(plane: Plane) -> None:
    one = topic(plane, "Not garden watering", 0, "Watered")
    topic(plane, "Garden watering", 1, "Watered the beds")
    assert plane.consolidate(1)["counts"]["concepts_merged"] == 0
    apply(plane.connection, update_node(one, title="Watering"))
    assert plane.consolidate(2)["counts"]["concepts_merged"] == 1


def test_a_vector_that_comes_late_is_a_change(plane: Plane) -> None:
    topic(plane, "Garden watering", 0)
    event = plane.event("Tomato beds")
    make_concept(plane.connection, "Tomato beds", event)
    assert plane.consolidate(1)["counts"]["concepts_merged"] == 0
    plane.connection.execute("SELECT cognifold.store_embedding(%s, '[1,0,0]', 'plane')", [event])
    assert plane.consolidate(2)["counts"]["concepts_merged"] == 1


def test_the_lexicons_own_vectors_tell_duplicates_from_opposites(
    connect: Callable[..., Connection], tenant: str
) -> None:
    connection = connect(tenant, now=START)
    for number, (title, text) in enumerate([
        ("Budget review", "The weekly budget review meeting took place"),
        ("Reviewing budgets", "The budget review meeting of the week took place"),
        ("Meetings he prefers", "He prefers morning meetings"),
        ("Preferred meetings", "He prefers evening meetings"),
        ("Rent", "The rent is due on 1 June"),
        ("The lease", "The rent is due on 1 July"),
    ]):  # fmt: skip
        make_concept(connection, title, remember(connection, text, source=str(number)))
    connection.execute("SELECT cognifold.consolidate()")
    assert len(concepts(connection)) == 5
    assert len(concepts(connection) & {"Budget review", "Reviewing budgets"}) == 1
    assert violations(connection) == []
