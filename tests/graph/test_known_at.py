"""The graph as it was known at a moment: the views, explain and recall against what they said at that moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection, value
from tests.graph.plans import (
    START,
    add_edge,
    add_node,
    apply,
    concept,
    make_concept,
    merge_nodes,
    remember,
    remove_edge,
    remove_node,
    rows,
    update_node,
)

VIEWS = {
    "event": "id, title, content, occurred_at, source, actor",
    "edge": (
        "source_id, target_id, type, mass, weight, live, inferred, bidirectional, potential, stamped_at, metadata, "
        "plan_id"
    ),
    "concept": "id, title, content, strength, evidence_count, evidence_mass, merged_into, dormant, plan_id",
    "intent": "id, title, content, status, category, evidence_count, answer_count, closed_at, plan_id",
}


def shown(connection: Connection) -> dict[str, Any]:
    """What the views say now, under whatever the connection has set."""
    return {
        view: sorted(
            (tuple(row.values()) for row in rows(connection, f"SELECT {columns} FROM cognifold.{view}")), key=repr
        )
        for view, columns in VIEWS.items()
    }


def explained(connection: Connection, node: UUID) -> list[dict[str, Any]]:
    return rows(connection, "SELECT * FROM cognifold.explain(%s)", node)


def present(connection: Connection) -> datetime:
    moment: datetime = value(connection, "SELECT clock_timestamp()")
    return moment


def look_back(connection: Connection, moment: datetime | None) -> None:
    told = "" if moment is None else moment.isoformat()
    connection.execute("SELECT set_config('cognifold.known_at', %s, false)", [told])


def test_every_view_tells_of_each_moment_what_it_told_then(connection: Connection, events: list[UUID]) -> None:
    said: list[tuple[datetime, dict[str, Any]]] = [(present(connection), shown(connection))]

    def then(*operations: dict[str, Any]) -> dict[str, Any]:
        result = apply(connection, *operations)
        said.append((present(connection), shown(connection)))
        return result

    music = UUID(then(concept("Music", events[1], ref="m"))["refs"]["m"])
    garden = UUID(then(concept("Garden", events[2], ref="g"), add_edge("g", "related_to", music))["refs"]["g"])
    intent = UUID(then(add_node("intent", "Practise", music, ref="i"), update_node(music, title="Violin"))["refs"]["i"])
    strengthened = then(concept("violin", events[0]), add_edge(garden, "related_to", music))
    connection.execute("SELECT cognifold.answer_intent(%s, 'accept')", [intent])
    said.append((present(connection), shown(connection)))
    then(merge_nodes(music, garden, survivor=garden))
    connection.execute("SELECT cognifold.undo_plan(%s, true)", [strengthened["plan_id"]])
    said.append((present(connection), shown(connection)))
    then(remove_node(intent), remove_node(garden))
    then(add_edge(events[0], "causes", events[1]))

    assert len({repr(then) for _, then in said}) == len(said)
    for moment, told in said:
        look_back(connection, moment)
        assert shown(connection) == told, moment
    look_back(connection, None)
    assert shown(connection) == said[-1][1]


def test_explain_tells_what_a_removed_concept_rested_on(connection: Connection, events: list[UUID]) -> None:
    music = make_concept(connection, "Music", events[1], events[3])
    whole, before = present(connection), explained(connection, music)
    apply(connection, update_node(music, title="Violin"))
    apply(connection, remove_edge(events[3], "grounds", music))
    less, after = present(connection), explained(connection, music)
    apply(connection, remove_node(music))
    query = "SELECT * FROM cognifold.explain(%s, known_at => %s)"
    assert rows(connection, query, music, whole) == before and len(before) == 3
    assert rows(connection, query, music, less) == after and len(after) == 2
    assert [after[0]["title"], before[0]["title"]] == ["Violin", "Music"]
    look_back(connection, whole)
    assert explained(connection, music) == before, "the setting serves where the argument is left out"
    with pytest.raises(psycopg.Error, match="was not known at 2020") as error:
        connection.execute("SELECT * FROM cognifold.explain(%s, known_at => '2020-01-01Z')", [music])
    assert error.value.sqlstate == "CF021"


def test_recall_finds_what_was_known_in_the_words_it_had(connection: Connection, events: list[UUID]) -> None:
    seedlings = make_concept(connection, "Frosted seedlings", events[2])
    violin = make_concept(connection, "Violin practice", events[1])
    asked = "SELECT node_id, title, cosine FROM cognifold.recall(%s, kinds => '{concept}', known_at => %s)"
    then = present(connection)
    before = rows(connection, asked, "frosted seedlings in the garden", None)
    assert before[0]["node_id"] == seedlings and before[0]["title"] == "Frosted seedlings"

    apply(connection, update_node(seedlings, title="Kiln repairs"), concept("Violin practice", events[3]))
    make_concept(connection, "Tomato seedlings", events[2], events[0])
    apply(connection, remove_node(violin))
    remember(connection, "The seedlings in the garden died of frost", START)

    # The weights of the question's words are today's.
    assert rows(connection, asked, "frosted seedlings in the garden", then) == [
        {**row, "cosine": pytest.approx(row["cosine"], abs=1e-3)} for row in before
    ]
    now = rows(connection, asked, "violin practice", None)
    assert violin not in [row["node_id"] for row in now]
    found = rows(connection, asked, "violin practice", then)
    assert (found[0]["node_id"], found[0]["title"]) == (violin, "Violin practice")
    # Its direction then was that of its one event.
    cosine = value(
        connection,
        "SELECT 1 - (vector <=> cognifold.embed('violin practice', 'query')::halfvec) "
        "FROM cognifold.embedding WHERE node_id = %s",
        events[1],
    )
    assert found[0]["cosine"] == pytest.approx(cosine, abs=1e-3)
    texts = rows(connection, "SELECT content FROM cognifold.recall('seedlings died', known_at => %s)", then)
    assert "The seedlings in the garden died of frost" not in [row["content"] for row in texts]


def test_a_moment_before_the_memory_knows_nothing(connection: Connection, events: list[UUID]) -> None:
    make_concept(connection, "Music", events[1])
    early = datetime.now(UTC) - timedelta(days=1)
    assert rows(connection, "SELECT * FROM cognifold.recall('music', known_at => %s)", early) == []
    look_back(connection, early)
    assert shown(connection) == {view: [] for view in VIEWS}


def test_looking_back_changes_nothing_that_is_written(connection: Connection, events: list[UUID]) -> None:
    look_back(connection, datetime.now(UTC) - timedelta(days=1))
    made = apply(connection, concept("Music", events[1], ref="m"))
    connection.execute("SELECT cognifold.undo_plan(%s)", [made["plan_id"]])
    look_back(connection, None)
    assert shown(connection)["concept"] == []


@pytest.mark.parametrize("said", ["yesterday", "2026-03-01 10:00", "2026-02-30T10:00:00Z"])
def test_a_moment_that_is_none_is_refused_by_name(connection: Connection, said: str) -> None:
    connection.execute("SELECT set_config('cognifold.known_at', %s, false)", [said])
    with pytest.raises(psycopg.Error, match="is not a time with a time zone") as error:
        connection.execute("SELECT * FROM cognifold.edge")
    assert error.value.sqlstate == "CF010" and said in str(error.value)


def test_the_client_asks_of_a_moment(memory: Memory) -> None:
    event = memory.remember("Anna practised the violin")
    memory.fold()
    made = memory.apply_plan({"operations": [concept("Music", event, ref="m")]})
    then = memory.rows("SELECT clock_timestamp() AS now")[0]["now"]
    memory.apply_plan({"operations": [{"op": "REMOVE_NODE", "node": made["refs"]["m"]}]})
    assert memory.explain(made["refs"]["m"], known_at=then)[0].title == "Music"
    assert {found.title for found in memory.recall("music", kinds=["concept"], known_at=then)} == {"Music"}
    assert memory.recall("music", kinds=["concept"]) == []
