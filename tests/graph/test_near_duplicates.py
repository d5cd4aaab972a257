"""A concept proposed again is a reinforcement of the one that is there; texts that differ in substance never are."""

from __future__ import annotations

import math
from collections.abc import Callable
from uuid import UUID

import numpy as np
import pytest

from tests.conftest import Connection, value
from tests.graph.plans import (
    START,
    add_edge,
    add_node,
    apply,
    concept,
    edges,
    fold,
    make_concept,
    remember,
    rows,
    violations,
)

DIFFERENT = [
    ("prefers morning meetings", "prefers evening meetings"),
    ("Rent due 1 June", "Rent due 1 July"),
    ("Rent due 1 June", "Rent due 2 June"),
    ("Budget of 1,200 euros", "Budget of 1,300 euros"),
    ("Meeting at 10:30", "Meeting at 11:30"),
    ("Runs two kilometres a day", "Runs three kilometres a day"),
    ("The first attempt", "The second attempt"),
    ("Standup on Monday", "Standup on Tuesday"),
    ("Standup on Mon", "Standup on Tue"),
    ("Release in Jan", "Release in Feb"),
    ("Release in 2025", "Release in 2026"),
    ("Anna practises the violin", "Boris practises the violin"),
    ("Lunch with Carla", "Lunch with Diego"),
    ("Likes coffee", "Does not like coffee"),
    ("He can swim", "He can't swim"),
    ("He can swim", "He can’t swim"),
    ("He can swim", "He cannot swim"),
    ("Always eats breakfast", "Never eats breakfast"),
    ("Tea with sugar", "Tea without sugar"),
    ("Deployments that failed", "Deployments that succeeded"),
    ("The shop is open", "The shop is closed"),
    ("Prices are rising", "Prices are falling"),
    ("Cheap hotels", "Expensive hotels"),
    ("Opened the window", "Closed the window"),
    ("Increasing the dose", "Decreasing the dose"),
    ("Loves olives", "Hates olives"),
    ("Version 1.2 of the app", "Version 1.3 of the app"),
    ("Nobody came to the party", "Everybody came to the party"),
]
ALIKE = [
    ("Morning meetings", "Meetings in the morning"),
    ("Practising the violin", "Violin practice"),
    ("The tomato seedlings", "Tomato seedling"),
    ("Rent due 1 June", "The rent is due on 1 June"),
    ("Late trains", "Trains that are late"),
    ("Does not like coffee", "He does not like his coffee"),
    ("Kubernetes migration", "Migration to kubernetes"),
    ("Anna practises the violin", "Violin practice of Anna"),
]


def conflict(admin: Connection, tenant: str, one: str, other: str) -> bool:
    found = admin.execute(
        "SELECT cognifold.texts_conflict(%s, %s, %s), cognifold.texts_conflict(%s, %s, %s)",
        [tenant, one, other, tenant, other, one],
    ).fetchone()
    assert found is not None and found[0] is found[1], "the order of the two must not matter"
    return bool(found[0])


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_texts_that_differ_in_substance_conflict(
    connection: Connection, admin: Connection, tenant: str, one: str, other: str
) -> None:
    for actor in ("Anna Kovač", "Boris"):
        remember(connection, "Says hello", actor=actor)
    fold(connection)
    assert conflict(admin, tenant, one, other)


@pytest.mark.parametrize(("one", "other"), ALIKE + [(text, text) for pair in DIFFERENT for text in pair[:1]])
def test_texts_that_say_the_same_in_other_words_do_not_conflict(
    connection: Connection, admin: Connection, tenant: str, one: str, other: str
) -> None:
    remember(connection, "Says hello", actor="Anna Kovač")
    fold(connection)
    assert not conflict(admin, tenant, one, other)


def test_a_concept_of_the_same_title_is_reinforced_instead_of_made_again(
    connection: Connection, events: list[UUID]
) -> None:
    trains = make_concept(connection, "Late trains", events[3])
    result = apply(
        connection,
        concept(" late TRAINS ", events[0], events[1], ref="again"),
        add_node("intent", "Complain", "again", ref="i"),
        add_edge(events[2], "part_of", "again"),
    )
    assert result["refs"]["again"] == str(trains)  # refs are rewritten
    assert (result["counts"]["nodes_added"], result["counts"]["nodes_repeated"]) == (1, 1)
    found = edges(connection)
    assert set(found) == {
        (events[3], "grounds", trains), (events[0], "reinforces", trains), (events[1], "reinforces", trains),
        (events[2], "part_of", trains), (trains, "triggers", UUID(result["refs"]["i"])),
    }  # fmt: skip
    assert found[events[0], "reinforces", trains]["weight"] == pytest.approx(0.7 * math.exp(-0.02), rel=1e-9)
    (row,) = rows(connection, "SELECT title, strength, evidence_count, evidence_mass FROM cognifold.concept")
    assert (row["title"], row["strength"], row["evidence_count"]) == ("Late trains", pytest.approx(0.6), 2)
    assert row["evidence_mass"] == pytest.approx(
        0.9 * math.exp(-0.005) + 0.7 * math.exp(-0.02) + 0.7 * math.exp(-0.015), rel=1e-9
    )
    assert violations(connection) == []


def test_strength_grows_by_a_tenth_with_each_reinforcement_and_stops_at_one(connection: Connection) -> None:
    make_concept(connection, "Rain", remember(connection, "Rain number 0"))
    for number in range(1, 8):
        apply(connection, concept("Rain", remember(connection, f"Rain number {number}")))
        (row,) = rows(connection, "SELECT strength, evidence_count FROM cognifold.concept")
        assert row["strength"] == pytest.approx(min(1, 0.5 + 0.1 * number))
        assert row["evidence_count"] == 1 + number
    assert violations(connection) == []


def test_the_same_event_again_adds_no_new_event_but_a_reinforcement(connection: Connection, events: list[UUID]) -> None:
    trains = make_concept(connection, "Late trains", events[3])
    apply(connection, concept("Late trains", events[3]))
    apply(connection, concept("Late trains", events[3]))
    found = edges(connection)
    assert found[events[3], "grounds", trains]["mass"] == pytest.approx(0.9 * math.exp(-0.005), rel=1e-9)
    assert found[events[3], "reinforces", trains]["mass"] == pytest.approx(0.8 * math.exp(-0.005), rel=1e-9)
    assert rows(connection, "SELECT s.event_count, s.evidence_count FROM cognifold.concept_state AS s") == [
        {"event_count": 1, "evidence_count": 3}
    ]
    assert violations(connection) == []


def test_a_title_that_differs_in_a_number_is_another_concept(connection: Connection, events: list[UUID]) -> None:
    first = make_concept(connection, "Rent due 1 June", events[0])
    assert make_concept(connection, "Rent due 1 July", events[0]) != first
    assert make_concept(connection, "RENT due 1 june", events[0]) == first


def near(connection: Connection, texts: tuple[str, str]) -> float:
    """Cosine of two texts as documents."""
    query = (
        "SELECT vector::vector::real[] FROM cognifold.embedding "
        "JOIN cognifold.node_content AS c USING (tenant_id, node_id) WHERE c.content = %s"
    )
    one, other = (np.array(value(connection, query, text)) for text in texts)
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_another_title_over_nearly_the_same_meaning_is_a_duplicate_at_the_models_threshold(
    connection: Connection,
) -> None:
    said = ("We practise the violin together every morning", "Every morning we practise the violin, together!",
            "The parcel was sent to the wrong address")  # fmt: skip
    one, other, apart = (remember(connection, text) for text in said)
    connection.execute(
        "SELECT cognifold.set_setting('fold.minimum_information', 100)"
    )  # the planner makes nothing of it
    fold(connection)
    assert not rows(connection, "SELECT * FROM cognifold.concept")
    duplicate = value(connection, "SELECT duplicate FROM cognifold.embedding_model WHERE name = 'lexicon'")
    assert near(connection, said[:2]) > duplicate > near(connection, (said[0], said[2]))
    connection.execute("SELECT cognifold.set_setting('concept.strength_step', 0.2)")
    violin = make_concept(connection, "Violin practice", one)
    assert make_concept(connection, "Practising the violin", other) == violin
    assert make_concept(connection, "Never practising the violin", other) != violin
    assert make_concept(connection, "Lost parcels", apart) not in (violin,)
    assert value(connection, "SELECT strength FROM cognifold.concept WHERE id = %s", violin) == pytest.approx(0.7)
    assert violations(connection) == []


def test_one_event_may_found_two_concepts(connection: Connection) -> None:
    event = remember(connection, "Sang in the choir and then pruned the roses")
    singing = make_concept(connection, "Singing", event)
    assert make_concept(connection, "Gardening", event) != singing
    assert make_concept(connection, "Singing in a choir", event) == singing


def test_a_concept_of_another_tenant_is_no_duplicate(
    connection: Connection, events: list[UUID], new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    ours = make_concept(connection, "Late trains", events[3])
    other = connect(new_tenant(), now=START)
    theirs = make_concept(other, "Late trains", remember(other, "The train to Lisbon was late"))
    assert theirs != ours
    assert value(connection, "SELECT strength FROM cognifold.concept") == 0.5


def test_one_plan_that_names_a_concept_twice_makes_it_once(connection: Connection, events: list[UUID]) -> None:
    refs = apply(connection, concept("Late trains", events[3], ref="a"), concept("Late trains", events[2], ref="b"))[
        "refs"
    ]
    assert refs["a"] == refs["b"]
    assert value(connection, "SELECT count(*) FROM cognifold.concept") == 1
    assert violations(connection) == []
