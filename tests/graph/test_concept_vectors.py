"""What a concept is about: the mean of its events' vectors, and in how many of its events each word stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from uuid import UUID

import numpy as np
import numpy.typing as npt
import psycopg
import pytest

from tests.conftest import Connection, value
from tests.graph.plans import START, add_edge, apply, concept, fold, make_concept, remember, rows, violations

Vector = npt.NDArray[np.float64]
TEXTS = [
    "The dog barked at the postman again",
    "Again the dog chased the postman down the road",
    "A new leash for the dog, and a dog blanket",
    "12345 !!! 6789",
]


@pytest.fixture
def stories(connection: Connection) -> list[UUID]:
    """Four events about a dog, folded but in no concept of the planner's."""
    connection.execute("SELECT cognifold.set_setting('fold.minimum_information', 100)")
    told = [remember(connection, text, f"2026-03-02T0{hour}:00:00+00:00") for hour, text in enumerate(TEXTS)]
    fold(connection)
    assert not rows(connection, "SELECT * FROM cognifold.concept")
    return told


def vector(connection: Connection, node: UUID) -> Vector:
    return np.array(
        value(connection, "SELECT vector::vector::real[] FROM cognifold.embedding WHERE node_id = %s", node),
        dtype=float,
    )


def lexemes(connection: Connection, text: str) -> set[str]:
    return set(value(connection, "SELECT tsvector_to_array(to_tsvector('pg_catalog.english', %s))", text))


def unit(sum_: Vector) -> Vector:
    return sum_ / np.linalg.norm(sum_)


def state(connection: Connection, node: UUID) -> tuple[int, int]:
    (row,) = rows(connection, "SELECT event_count, vector_count FROM cognifold.concept_state WHERE node_id = %s", node)
    return row["event_count"], row["vector_count"]


def test_a_concepts_vector_is_the_normalised_mean_of_its_events_as_evidence_arrives(
    connection: Connection, stories: list[UUID]
) -> None:
    vectors = [vector(connection, event) for event in stories]
    dog = make_concept(connection, "The dog", stories[0], stories[1])
    assert vector(connection, dog) == pytest.approx(unit(vectors[0] + vectors[1]), abs=2e-4)  # half precision
    assert state(connection, dog) == (2, 2)

    apply(connection, add_edge(stories[2], "reinforces", dog))
    assert vector(connection, dog) == pytest.approx(unit(vectors[0] + vectors[1] + vectors[2]), abs=2e-4)
    assert state(connection, dog) == (3, 3)

    # Neither a statement made again nor another kind of edge is new evidence.
    apply(connection, add_edge(stories[2], "reinforces", dog), add_edge(stories[0], "reinforces", dog))
    apply(connection, add_edge(stories[3], "part_of", dog), add_edge(stories[3], "grounds", dog, inferred=True))
    assert vector(connection, dog) == pytest.approx(unit(vectors[0] + vectors[1] + vectors[2]), abs=2e-4)
    assert state(connection, dog) == (3, 3)

    apply(connection, add_edge(stories[3], "grounds", dog))  # what was guessed is stated now
    assert vector(connection, dog) == pytest.approx(unit(np.sum(vectors, axis=0)), abs=2e-4)
    assert state(connection, dog) == (4, 4)
    assert violations(connection) == []


def test_a_concept_counts_in_how_many_of_its_events_each_lexeme_stands(
    connection: Connection, stories: list[UUID]
) -> None:
    dog = make_concept(connection, "The dog", stories[0], stories[1])
    apply(connection, add_edge(stories[2], "grounds", dog))
    apply(connection, add_edge(stories[2], "reinforces", dog), concept("The dog", stories[0]))
    expected = Counter(lexeme for text in TEXTS[:3] for lexeme in lexemes(connection, text))
    assert (expected["dog"], expected["postman"], expected["leash"]) == (3, 2, 1)
    found = rows(connection, "SELECT lexeme, event_count FROM cognifold.concept_lexeme WHERE node_id = %s", dog)
    assert {row["lexeme"]: row["event_count"] for row in found} == dict(expected)


def test_a_concept_over_concepts_alone_has_no_vector_of_its_own(connection: Connection, stories: list[UUID]) -> None:
    dog = make_concept(connection, "The dog", *stories)
    pets = make_concept(connection, "Pets", dog)
    assert not rows(connection, "SELECT FROM cognifold.embedding WHERE node_id = %s", pets)
    assert state(connection, pets) == (0, 0)
    assert violations(connection) == []


def test_evidence_that_is_not_folded_yet_counts_from_the_start(connection: Connection) -> None:
    told = [remember(connection, text) for text in TEXTS[:3]]
    dog = make_concept(connection, "The dog", *told[:2])
    assert state(connection, dog) == (2, 2)
    assert vector(connection, dog) == pytest.approx(
        unit(vector(connection, told[0]) + vector(connection, told[1])), abs=2e-4
    )
    fold(connection)
    assert violations(connection) == []
    (row,) = rows(connection, "SELECT event_count FROM cognifold.concept_lexeme "
                              "WHERE node_id = %s AND lexeme = 'postman'", dog)  # fmt: skip
    assert row["event_count"] == 2


def test_vectors_of_an_outside_model_join_their_concepts_when_they_arrive(
    admin: Connection, new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    admin.execute("SELECT cognifold.register_model('three numbers', 'external', 3)")
    connection = connect(new_tenant(model="three numbers"), now=START)
    one, other, third = (remember(connection, text) for text in TEXTS[:3])

    def store(event: UUID, given: list[float]) -> None:
        connection.execute("SELECT cognifold.store_embedding(%s, %s::real[]::vector, 'three numbers')", [event, given])

    store(one, [2, 0, 0])
    dog = make_concept(connection, "The dog", one, other)
    assert state(connection, dog) == (2, 1)
    assert violations(connection) == []
    store(other, [0, 3, 0])
    store(other, [9, 9, 9])  # an event that has a vector keeps it
    store(third, [0, 0, 1])
    assert state(connection, dog) == (2, 2)
    assert vector(connection, dog) == pytest.approx(np.array([1, 1, 0]) / np.sqrt(2), abs=2e-4)
    assert violations(connection) == []
    for given, model, code in (
        ([1, 0], "three numbers", "CF013"),
        ([0, 0, 0], "three numbers", "CF011"),
        ([1, 0, 0], "lexicon", "CF012"),
        ([float("nan"), 0.0, 0.0], "three numbers", "22"),
    ):
        with pytest.raises(psycopg.Error) as refused:
            connection.execute("SELECT cognifold.store_embedding(%s, %s::real[]::vector, %s)", [third, given, model])
        assert (refused.value.sqlstate or "").startswith(code)
    with pytest.raises(psycopg.Error) as refused:
        store(dog, [1, 0, 0])
    assert refused.value.sqlstate == "CF021"
