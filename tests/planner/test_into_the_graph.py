"""From a model's answer into the graph: what was checked without the database is what the database takes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.planner import LanguagePlanner
from tests.conftest import Connection, value
from tests.planner.conftest import MORNING
from tests.planner.server import Answer, Asked, ModelServer, plans


@pytest.fixture
def planner(server: ModelServer) -> LanguagePlanner:
    return LanguagePlanner("scripted", server.base_url, retries=0)


def names(asked: Asked) -> dict[str, str]:
    """Title or content -> the short name by which the model is shown it."""
    return {node["title"]: node["name"] for node in asked.memory} | {
        event["content"]: event["name"] for event in asked.events
    }


def concept(memory: Memory, title: str, event: UUID) -> UUID:
    operation = {"op": "ADD_NODE", "ref": "new", "kind": "concept", "title": title, "reasoning": "r"}
    result = memory.apply_plan({"operations": [operation | {"grounded_in": [str(event)]}]})
    return UUID(result["refs"]["new"])


def test_all_that_a_model_may_say_arrives(
    memory: Memory, connection: Connection, server: ModelServer, planner: LanguagePlanner
) -> None:
    old = memory.remember("Ann's knee hurt after the fall.", occurred_at=MORNING - timedelta(days=2))
    limp = memory.remember("A joint of Ann's aches on stairs.", occurred_at=MORNING - timedelta(days=1))
    ride = memory.remember("Ann sold the red bicycle.", occurred_at=MORNING - timedelta(hours=5))
    memory.fold_all()
    knee, pain = concept(memory, "Ann's knee", old), concept(memory, "Aching joint on stairs", limp)
    wrong = concept(memory, "Red bicycle", ride)
    said = "The knee is better, but I must see the doctor by Friday."
    new = memory.remember(said, occurred_at=MORNING)

    def answer(asked: Asked) -> Answer:
        known = names(asked)
        because: dict[str, Any] = {"reasoning": "it says so", "grounded_in": ["e1"]}
        return plans(
            {"op": "ADD_NODE", "ref": "doctor", "kind": "intent", "title": "See the doctor"} | because,
            {
                "op": "ADD_NODE",
                "ref": "friday",
                "kind": "time",
                "title": "Friday",
                "occurred_at": "2026-05-08",
                "precision": "day",
            }
            | because,
            {"op": "ADD_EDGE", "source": "friday", "target": "doctor", "type": "deadline_for"} | because,
            {"op": "ADD_EDGE", "source": "e1", "target": known["Ann's knee"], "type": "reinforces"} | because,
            {
                "op": "UPDATE_NODE",
                "node": "e1",
                "annotations": {
                    "valence": "mixed",
                    "arousal": 0.4,
                    "entities": [{"name": "the doctor", "kind": "person"}],
                    "dates": [{"phrase": "by Friday", "at": "2026-05-08", "precision": "day", "deadline": True}],
                    "causes": [{"node": known["Ann's knee hurt after the fall."], "what": "the fall"}],
                },
            }
            | because,
            {"op": "UPDATE_NODE", "node": known["Ann's knee"], "content": "Hurt by a fall, and healing."} | because,
            {
                "op": "MERGE_NODES",
                "ids": [known["Ann's knee"], known["Aching joint on stairs"]],
                "survivor": known["Ann's knee"],
            }
            | because,
            {"op": "REMOVE_NODE", "node": known["Red bicycle"]} | because,
        )

    server.otherwise = answer
    (folded,) = memory.fold(1, planner=planner)

    assert (folded.event_id, folded.outcome, folded.proposer, folded.error) == (new, "folded", "llm", None)
    edges = connection.execute(
        "SELECT e.type, s.title, t.title FROM cognifold.graph_edge AS e "
        "JOIN cognifold.node AS s ON s.tenant_id = e.tenant_id AND s.id = e.source_id "
        "JOIN cognifold.node AS t ON t.tenant_id = e.tenant_id AND t.id = e.target_id "
        "JOIN cognifold.node AS n ON n.tenant_id = e.tenant_id AND n.id = %s "
        "WHERE e.plan_id = %s AND n.id IN (e.source_id, e.target_id) OR e.plan_id = %s AND s.kind = 'time'",
        [new, folded.plan_id, folded.plan_id],
    ).fetchall()
    title = value(connection, "SELECT title FROM cognifold.node WHERE id = %s", new)
    earlier = value(connection, "SELECT title FROM cognifold.node WHERE id = %s", old)
    assert sorted(edges) == sorted(
        [
            ("grounds", title, "See the doctor"),
            ("deadline_for", "Friday", "See the doctor"),
            ("reinforces", title, "Ann's knee"),
            ("causes", earlier, title),
        ]
    )
    annotations = dict(
        connection.execute("SELECT name, value FROM cognifold.annotation WHERE node_id = %s", [new]).fetchall()
    )
    zone = value(connection, "SELECT cognifold.fold_request(ARRAY[%s]::uuid[]) ->> 'time_zone'", new)
    assert zone
    assert {"valence", "arousal", "entities", "dates", "causes"} <= annotations.keys()
    assert annotations["causes"] == [{"node": str(old), "what": "the fall"}]
    assert annotations["dates"][0]["at"].startswith("2026-05-08T00:00:00")
    assert value(connection, "SELECT merged_into FROM cognifold.node WHERE id = %s", pain) == knee
    assert value(connection, "SELECT count(*) FROM cognifold.node WHERE id = %s", wrong) == 0
    assert value(connection, "SELECT content FROM cognifold.event WHERE id = %s", new) == said

    assert folded.plan_id is not None
    memory.undo_plan(folded.plan_id)
    assert value(connection, "SELECT count(*) FROM cognifold.annotation WHERE node_id = %s", new) == 0
    assert value(connection, "SELECT merged_into FROM cognifold.node WHERE id = %s", pain) is None
    assert value(connection, "SELECT count(*) FROM cognifold.node WHERE id = %s", wrong) == 1


def test_another_tenants_node_cannot_be_reached_through_a_model(
    memory: Memory, dsn: str, new_tenant: Any, server: ModelServer, planner: LanguagePlanner, connection: Connection
) -> None:
    with Memory(dsn, tenant=new_tenant()) as other:
        theirs = concept(other, "Their secret", other.remember("Something of theirs."))
    event = memory.remember(f"Link this to {theirs}, please.")
    edge = {"op": "ADD_EDGE", "reasoning": "asked for", "grounded_in": ["e1"], "source": "e1", "type": "reinforces"}
    server.otherwise = plans(edge | {"target": str(theirs)})

    (folded,) = memory.fold(1, planner=planner)

    assert (folded.event_id, folded.outcome, folded.proposer) == (event, "folded", "sql")
    assert folded.error_state == "MalformedAnswer"
    assert f"target '{theirs}' is neither a name that was shown nor a ref of this plan" in str(folded.error)
    assert value(connection, "SELECT count(*) FROM cognifold.graph_edge WHERE target_id = %s", theirs) == 0
