"""UPDATE_NODE: what is learned about a node later. Events themselves never change."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tests.conftest import Connection
from tests.graph.journaled import images, journal, walked_back
from tests.graph.plans import (
    apply,
    concept,
    make_concept,
    merge_nodes,
    rows,
    update_node,
    violations,
)


def noted(connection: Connection, node: UUID) -> dict[str, Any]:
    found = rows(connection, "SELECT name, value FROM cognifold.annotation WHERE node_id = %s", node)
    return {row["name"]: row["value"] for row in found}


def test_an_event_is_annotated_and_stays_what_it_was(connection: Connection, events: list[UUID]) -> None:
    (before,) = rows(connection, "SELECT * FROM cognifold.event WHERE id = %s", events[1])
    result = apply(
        connection,
        update_node(events[1], annotations={"valence": "positive", "arousal": 0.4, "entities": ["Anna"]}),
    )
    assert result["counts"]["annotations_set"] == 3 and result["counts"]["nodes_updated"] == 0
    assert noted(connection, events[1]) == {"valence": "positive", "arousal": 0.4, "entities": ["Anna"]}
    (after,) = rows(connection, "SELECT * FROM cognifold.event WHERE id = %s", events[1])
    assert after == before
    assert violations(connection) == []


def test_the_last_word_on_a_name_counts_and_null_takes_it_away(connection: Connection, events: list[UUID]) -> None:
    apply(connection, update_node(events[1], annotations={"mood": "glad", "place": "hall"}))
    before = images(connection)
    result = apply(
        connection,
        update_node(events[1], annotations={"mood": "sad", "place": None}),
        update_node(events[1], annotations={"mood": "calm"}),
    )
    assert noted(connection, events[1]) == {"mood": "calm"}
    entries = journal(connection, result["plan_id"])
    assert {key[3] for key in entries} == {"mood", "place"}
    assert walked_back(images(connection), entries) == before


def test_a_concept_is_made_with_annotations_and_reworded_with_others(
    connection: Connection, events: list[UUID]
) -> None:
    music = make_concept(connection, "Music", events[1], annotations={"topic": "art"}, payload={"shelf": 1})
    apply(
        connection,
        update_node(music, annotations={"topic": "craft"}, memory_type="procedural", privacy_level="shared"),
        update_node(music, title="Violin"),
        update_node(music, payload={"shelf": 2}),
    )
    assert noted(connection, music) == {"topic": "craft"}
    (found,) = rows(connection, "SELECT title, content, memory_type, payload FROM cognifold.concept")
    assert found == {"title": "Violin", "content": "Violin", "memory_type": "procedural", "payload": {"shelf": 2}}
    (node,) = rows(connection, "SELECT privacy_level FROM cognifold.node WHERE id = %s", music)
    assert node == {"privacy_level": "private"}  # as its evidence is


def test_a_merge_takes_annotations_over_where_the_survivor_has_none_of_that_name(
    connection: Connection, events: list[UUID]
) -> None:
    one = make_concept(connection, "Alpha", events[1], annotations={"a": 1})
    other = make_concept(connection, "Beta", events[2], annotations={"a": 2, "b": 3})
    before = images(connection)
    result = apply(connection, merge_nodes(one, other, survivor=one))
    assert noted(connection, one) == {"a": 1, "b": 3}
    assert noted(connection, other) == {"a": 2}
    connection.execute("SELECT cognifold.undo_plan(%s)", [result["plan_id"]])
    assert images(connection) == before


def test_a_repeated_concept_lends_its_annotations_to_the_one_that_is_there(
    connection: Connection, events: list[UUID]
) -> None:
    music = make_concept(connection, "Music", events[1])
    apply(connection, concept("music", events[0], annotations={"topic": "art"}))
    assert noted(connection, music) == {"topic": "art"}
