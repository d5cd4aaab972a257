"""UpdatePlan's models: what is documented, what is strict, and what the database says of the same things."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from cognifold_pg.client import Memory
from cognifold_pg.planner.models import KINDS, LEGAL_EDGES, MAXIMUM_OPERATIONS, OPERATIONS, EdgeType, UpdatePlan
from cognifold_pg.planner.profiles import SHIPPED, load_profile
from cognifold_pg.planner.schema import document_schema, strict_schema
from cognifold_pg.planner.sections import EDGE_MEANINGS
from tests.conftest import Connection

PAGE = Path(__file__).resolve().parents[2] / "docs" / "update-plan.md"

# Keywords that OpenAI's strict mode has always known; every further one is refused by some server.
STRICT_KEYWORDS = {"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "description"}


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for name, part in schema.items():
            if name == "properties":
                for value in part.values():
                    yield from objects(value)
            else:
                yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


def keywords(schema: Any) -> set[str]:
    found: set[str] = set()
    if isinstance(schema, dict):
        for name, part in schema.items():
            found.add(name)
            parts = part.values() if name == "properties" else [part]
            found |= {word for one in parts for word in keywords(one)}
    elif isinstance(schema, list):
        found |= {word for part in schema for word in keywords(part)}
    return found


def test_the_page_shows_the_schema_of_the_models() -> None:
    blocks = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    # `python -m cognifold_pg.planner` prints it anew
    assert json.loads(blocks[-1]) == document_schema()


def test_the_page_shows_a_plan_that_is_one() -> None:
    text = PAGE.read_text(encoding="utf-8")
    (sql,) = re.findall(r"apply_plan\('(.*?)'\);", text, re.DOTALL)
    plan = UpdatePlan.model_validate(json.loads(sql.replace("''", "'")))
    assert [operation.op for operation in plan.operations] == ["ADD_NODE", "ADD_EDGE"]
    (update,) = (
        block for block in re.findall(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) if '"op"' in block[:10]
    )
    UpdatePlan.model_validate({"operations": [json.loads(update)]})


@pytest.mark.parametrize("name", SHIPPED)
def test_what_a_model_answers_in_is_strict(name: str) -> None:
    profile = load_profile(name)
    schema = strict_schema(profile.operations, profile.annotations, kinds=profile.kinds, leave_out=profile.leave_out)
    assert keywords(schema) <= STRICT_KEYWORDS
    found = list(objects(schema))
    assert len(found) > len(profile.operations)
    for part in found:
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
    choices = schema["properties"]["operations"]["items"]["anyOf"]
    assert [choice["properties"]["op"]["enum"] for choice in choices] == [[op] for op in profile.operations]


def test_a_reason_and_its_grounds_are_never_null_and_what_is_optional_may_be() -> None:
    (schema,) = strict_schema(["ADD_NODE"], [])["properties"]["operations"]["items"]["anyOf"]
    fields = schema["properties"]
    assert next(iter(fields)) == "op"
    assert fields["reasoning"]["type"] == "string"
    assert fields["grounded_in"] == {
        "type": "array",
        "items": {"type": "string"},
        "description": "The events and concepts that this operation rests on.",
    }
    assert fields["content"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert {"payload", "privacy_level", "annotations"}.isdisjoint(fields)  # the application's, not a model's


def test_a_bounded_schema_keeps_texts_and_lists_short_and_names_to_those_there_are() -> None:
    schema = strict_schema(["ADD_NODE"], [], kinds=["concept"], leave_out=["content"], bounded=True, names=["e1", "e2"])
    operations = schema["properties"]["operations"]
    assert (operations["minItems"], operations["maxItems"]) == (1, 2)
    fields = operations["items"]["anyOf"][0]["properties"]
    assert fields["title"] == fields["title"] | {"minLength": 1, "maxLength": 100}
    assert fields["grounded_in"]["items"] == {"type": "string", "enum": ["e1", "e2"]}
    assert fields["kind"]["enum"] == ["concept"]
    assert "content" not in fields


def test_edge_types_join_what_the_database_lets_them_join(connection: Connection) -> None:
    rows = connection.execute("SELECT type, source_kind, target_kind FROM cognifold.edge_legality").fetchall()
    stored: dict[str, set[tuple[str, str]]] = {}
    for name, source, target in rows:
        stored.setdefault(name, set()).add((source, target))
    assert stored == {name: set(legal) for name, legal in LEGAL_EDGES.items()}
    assert set(get_args(EdgeType)) == set(stored) == set(EDGE_MEANINGS)
    assert {kind for legal in stored.values() for pair in legal for kind in pair} == set(KINDS)


def test_a_plan_is_as_long_as_the_database_lets_it_be(memory: Memory) -> None:
    assert memory.setting("plan.maximum_operations") == MAXIMUM_OPERATIONS


def test_the_models_have_the_fields_that_the_database_takes(connection: Connection) -> None:
    """A field too many is refused by name: with all of ours given, none may be."""
    for name, model in OPERATIONS.items():
        body: dict[str, Any] = dict.fromkeys(model.model_fields) | {"op": name}
        try:
            connection.execute("SELECT cognifold.apply_plan(%s)", [json.dumps({"operations": [body]})])
        except Exception as error:
            assert "has no field" not in str(error)
    with pytest.raises(Exception, match="ADD_NODE has no field 'because'"):
        connection.execute(
            "SELECT cognifold.apply_plan(%s)", [json.dumps({"operations": [{"op": "ADD_NODE", "because": 1}]})]
        )


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "event", "title": "T"},
        {"kind": "concept", "title": ""},
        {"kind": "time", "title": "T", "occurred_at": 2026},
        {"kind": "time", "title": "T", "occurred_at": "0001-01-01T00:00:00Z"},
        {"kind": "concept", "title": "T", "colour": "red"},
    ],
)
def test_models_refuse_what_is_not_meant(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        UpdatePlan.model_validate({"operations": [{"op": "ADD_NODE"} | fields]})
