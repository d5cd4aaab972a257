"""UPDATE_NODE: other words for what plans have made."""

from __future__ import annotations

from uuid import UUID

from tests.conftest import Connection, value
from tests.graph.plans import apply, concept, make_concept, rows, update_node, violations


def words(connection: Connection, node: UUID) -> set[str]:
    return {row["lexeme"] for row in rows(connection, "SELECT lexeme FROM cognifold.posting WHERE node_id = %s", node)}


def test_a_new_title_takes_a_content_along_that_only_repeated_it(connection: Connection, events: list[UUID]) -> None:
    plants = make_concept(connection, "Plants", events[2])
    result = apply(connection, update_node(plants, title=" Frost damage "))
    assert result["counts"]["nodes_updated"] == 1
    (row,) = rows(connection, "SELECT title, content FROM cognifold.concept")
    assert row == {"title": "Frost damage", "content": "Frost damage"}
    assert words(connection, plants) == {"frost", "damag"}
    assert violations(connection) == []


def test_a_content_of_its_own_stays_until_it_is_replaced(connection: Connection, events: list[UUID]) -> None:
    plants = make_concept(connection, "Plants", events[2], content="What grows on the balcony")
    apply(connection, update_node(plants, title="Seedlings"))
    assert rows(connection, "SELECT title, content FROM cognifold.concept") == [
        {"title": "Seedlings", "content": "What grows on the balcony"}
    ]
    apply(connection, update_node(plants, content="What froze"))
    assert rows(connection, "SELECT title, content FROM cognifold.concept") == [
        {"title": "Seedlings", "content": "What froze"}
    ]
    assert words(connection, plants) == {"seedl", "froze"}


def test_of_several_updates_in_one_plan_the_last_of_each_field_counts(
    connection: Connection, events: list[UUID]
) -> None:
    plants = make_concept(connection, "Plants", events[2])
    apply(
        connection,
        update_node(plants, title="One", content="first"),
        update_node(plants, content="second"),
        update_node(str(plants).upper(), title="Two"),
    )
    assert rows(connection, "SELECT title, content FROM cognifold.concept") == [{"title": "Two", "content": "second"}]
    assert value(connection, "SELECT count(*) FROM cognifold.journal WHERE before ->> 'title' = 'Plants'") == 1


def test_a_renamed_concept_keeps_its_evidence_and_is_found_by_its_new_words(
    connection: Connection, events: list[UUID]
) -> None:
    plants = make_concept(connection, "Plants", events[2])
    before = rows(connection, "SELECT id, strength, evidence_count, evidence_mass FROM cognifold.concept")
    apply(connection, update_node(plants, title="Zucchini"))
    assert rows(connection, "SELECT id, strength, evidence_count, evidence_mass FROM cognifold.concept") == before
    found = rows(connection, "SELECT title FROM cognifold.recall('what about the zucchini?', kinds => '{concept}')")
    assert found == [{"title": "Zucchini"}]


def test_what_is_updated_in_the_plan_that_adds_edges_to_it_is_one_change_each(
    connection: Connection, events: list[UUID]
) -> None:
    plants = make_concept(connection, "Plants", events[2])
    result = apply(connection, update_node(plants, title="Frost"), concept("Late trains", events[3]))
    assert result["counts"] == {
        "nodes_added": 1, "nodes_repeated": 0, "nodes_updated": 1, "edges_added": 1, "edges_reinforced": 0
    }  # fmt: skip
