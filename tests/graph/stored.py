"""The graph as it is stored, row by row: as JSON to compare states exactly, and in the model's terms."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.conftest import Connection
from tests.graph.model import Annotation, Concept, Edge, Key, Model, Node, Row, log_sum, moment

Stored = dict[Key, Any]

# What plans write and the journal keeps; derived columns apart. Of each table its key and the rest of the row.
JOURNALED = """
SELECT jsonb_build_array('node', n.id), to_jsonb(n) - 'tenant_id' || jsonb_build_object('content', c.content, 'payload', c.payload, 'media', c.media)
FROM cognifold.node AS n JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
UNION ALL SELECT jsonb_build_array('graph_edge', e.source_id, e.target_id, e.type), to_jsonb(e) - 'tenant_id' FROM cognifold.graph_edge AS e
UNION ALL SELECT jsonb_build_array('concept_state', s.node_id), to_jsonb(s) - 'tenant_id' - 'vector_sum' FROM cognifold.concept_state AS s
UNION ALL SELECT jsonb_build_array('annotation', a.node_id, a.name), to_jsonb(a) - 'tenant_id' FROM cognifold.annotation AS a
UNION ALL SELECT jsonb_build_array('insight_state', i.insight_id), to_jsonb(i) - 'tenant_id' FROM cognifold.insight_state AS i
UNION ALL SELECT jsonb_build_array('folded_event', f.event_id), to_jsonb(f) - 'tenant_id' FROM cognifold.folded_event AS f
UNION ALL SELECT jsonb_build_array('intent_state', s.node_id), to_jsonb(s) - 'tenant_id' FROM cognifold.intent_state AS s
UNION ALL SELECT jsonb_build_array('intent_transition', t.node_id, t.position), to_jsonb(t) - 'tenant_id' FROM cognifold.intent_transition AS t
UNION ALL SELECT jsonb_build_array('intent_action_state', a.node_id, NULL, a.position::text), to_jsonb(a) - 'tenant_id'
    FROM cognifold.intent_action_state AS a
UNION ALL SELECT jsonb_build_array('intent_feedback', f.node_id, f.event_id, f.category), to_jsonb(f) - 'tenant_id' FROM cognifold.intent_feedback AS f
"""  # noqa: E501

# What is made of the journaled rows: search finds the same as before.
DERIVED = """
SELECT jsonb_build_array('posting', p.node_id, p.lexeme), to_jsonb(p) - 'tenant_id' FROM cognifold.posting AS p WHERE p.kind <> 'event'
UNION ALL SELECT jsonb_build_array('lexical_document', d.node_id), to_jsonb(d) - 'tenant_id'
FROM cognifold.lexical_document AS d JOIN cognifold.node AS n ON n.tenant_id = d.tenant_id AND n.id = d.node_id AND n.kind <> 'event'
UNION ALL SELECT jsonb_build_array('concept_lexeme', l.node_id, l.lexeme), to_jsonb(l) - 'tenant_id' FROM cognifold.concept_lexeme AS l
UNION ALL SELECT jsonb_build_array('embedding', e.node_id), to_jsonb(e) - 'tenant_id' - 'vector'
FROM cognifold.embedding AS e WHERE e.kind <> 'event'
"""  # noqa: E501


def stored(connection: Connection, *, derived: bool = False) -> Stored:
    """Every journaled row of the tenant, and what is derived from them if asked for."""
    query = f"{JOURNALED} UNION ALL {DERIVED}" if derived else JOURNALED
    return {tuple(map(str, key)): row for key, row in connection.execute(query.encode())}


def assert_same(found: Stored, expected: Stored) -> None:
    """Row by row equal; the evidence mass to twelve digits, since it is summed again."""
    assert found.keys() == expected.keys(), (found.keys() - expected.keys(), expected.keys() - found.keys())
    for key, row in expected.items():
        if key[0] == "concept_state":
            one, other = found[key]["evidence_potential"], row["evidence_potential"]
            assert (one is None) is (other is None), key
            assert one is None or math.isclose(one, other, rel_tol=1e-12), key
            assert found[key] == {**row, "evidence_potential": one}, key
        else:
            assert found[key] == row, key


def row_of(relation: str, row: dict[str, Any]) -> Row:
    """A stored row in the model's terms."""
    if relation == "node":
        return Node(
            row["kind"],
            row["title"],
            row["content"],
            moment(row["occurred_at"]),
            row["occurred_precision"],
            row["reasoning"],
            row["memory_type"],
            row["payload"],
            row["privacy_level"],
            row["merged_into"],
            row["plan_id"],
        )
    if relation == "graph_edge":
        return Edge(
            row["potential"],
            moment(row["stamped_at"]),
            moment(row["created_at"]),
            row["inferred"],
            row["bidirectional"],
            row["faded_at"] and moment(row["faded_at"]),
            row["metadata"],
            row["plan_id"],
        )
    if relation == "concept_state":
        return Concept(row["strength"], row["evidence_count"])
    return Annotation(row["value"], moment(row["created_at"]), row["plan_id"])


def model_rows(found: Stored) -> dict[Key, Row]:
    """What of the stored rows a model has, too."""
    relations = ("node", "graph_edge", "concept_state", "annotation")
    return {key: row_of(key[0], row) for key, row in found.items() if key[0] in relations}


def assert_model(found: Stored, model: Model) -> None:
    """The stored graph is the model's; sums of masses to twelve digits."""
    there = model_rows(found)
    assert there.keys() == model.rows.keys(), (there.keys() - model.rows.keys(), model.rows.keys() - there.keys())
    for key, expected in model.rows.items():
        row = there[key]
        if isinstance(expected, Edge) and isinstance(row, Edge):
            assert row.potential == pytest.approx(expected.potential, rel=1e-13, abs=1e-9), key
            row = Edge(expected.potential, *list(vars(row).values())[1:])
        if isinstance(expected, Concept) and isinstance(row, Concept):
            assert row.strength == pytest.approx(expected.strength, rel=1e-12), key
            row = Concept(expected.strength, row.evidence_count)
            evidence = model.evidence(key[1])
            assert found[key]["event_count"] == len({source for source, _, _ in evidence}), key
            potential = found[key]["evidence_potential"]
            if evidence:
                assert potential == pytest.approx(
                    log_sum(edge.potential for _, _, edge in evidence), rel=1e-13, abs=1e-9
                ), key
            else:
                assert potential is None, key
        assert row == expected, key
