"""What recall may be narrowed to, and how it says that it can't be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidValueError
from cognifold_pg.experience import Experience
from tests.conftest import Connection, at, value
from tests.graph.plans import rows

TYPES: tuple[Literal["episodic", "semantic", "procedural", "associative"], ...] = (
    "episodic", "semantic", "procedural", "associative",
)  # fmt: skip
LEVELS: tuple[Literal["private", "shared", "public"], ...] = ("private", "shared", "public")


@pytest.fixture(scope="module")
def shelf(dsn: str) -> str:
    """A tenant with a memory of each type at each level, and a concept of them."""
    tenant = "the shelf"
    with Memory(dsn, tenant=tenant) as memory:
        memory.create_tenant()
        memory.rows("SELECT cognifold.set_setting('fold.minimum_information', 100)")
        ids = memory.remember_many(
            Experience(f"The lamp, {type_} and {level}", memory_type=type_, privacy_level=level, source=type_ + level)
            for type_ in TYPES
            for level in LEVELS
        ).ids
        memory.fold_all(batch=100)
        memory.remember("A lamp that waits to be folded", memory_type="procedural", privacy_level="public")
        memory.apply_plan(
            {"operations": [{"op": "ADD_NODE", "kind": "concept", "title": "Lamps", "grounded_in": ids[:2]}]}
        )
    return tenant


@pytest.fixture
def on_shelf(shelf: str, connect: Callable[..., Connection]) -> Connection:
    return connect(shelf)


@pytest.mark.parametrize("verb", ["recall", "explain_recall"])
@pytest.mark.parametrize(
    "narrowing",
    [
        {"memory_types": ["semantic"]},
        {"memory_types": ["procedural", "associative"]},
        {"memory_types": []},
        {"privacy_levels": ["public"]},
        {"privacy_levels": ["shared", "public"]},
        {"privacy_levels": ["private", "shared", "public"]},
        {"memory_types": ["procedural"], "privacy_levels": ["public", "private"]},
        {"memory_types": ["semantic"], "kinds": ["concept"]},
    ],
)
def test_types_and_levels_leave_what_bears_them(on_shelf: Connection, verb: str, narrowing: dict[str, Any]) -> None:
    stored = rows(
        on_shelf,
        "SELECT id FROM cognifold.node WHERE merged_into IS NULL AND kind = ANY (%s) AND memory_type = ANY (%s) "
        "AND privacy_level = ANY (%s)",
        narrowing.get("kinds", ["event", "concept"]),
        narrowing.get("memory_types", list(TYPES)),
        narrowing.get("privacy_levels", list(LEVELS)),
    )
    named = "".join(f", {name} => %s" for name in narrowing)
    found = rows(on_shelf, f"SELECT node_id FROM cognifold.{verb}('lamp', 100{named})", *narrowing.values())
    assert {row["node_id"] for row in found} == {row["id"] for row in stored}


def test_a_text_for_a_prompt_keeps_to_the_levels(on_shelf: Connection) -> None:
    text = value(on_shelf, "SELECT text FROM cognifold.context('lamp', privacy_levels => ARRAY['public'])")
    assert "public" in text
    assert "private" not in text and "shared" not in text


@pytest.mark.parametrize("verb", ["recall", "explain_recall", "context"])
@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("kinds => ARRAY['concept', 'thing']", r"kinds = {concept,thing} holds an unknown kind"),
        ("kinds => ARRAY[NULL]::text[]", r"kinds = {NULL} holds an unknown kind"),
        ("memory_types => ARRAY['Semantic']", r"memory_types = {Semantic} holds an unknown memory type"),
        ("privacy_levels => ARRAY['secret']", r"privacy_levels = {secret} holds an unknown privacy level"),
        ("minimum_score => 'NaN'", "minimum_score = NaN is not a number"),
        ("minimum_score => 'Infinity'", "minimum_score = Infinity is not a number"),
        ("as_of => '2026-01-01Z', known_at => NULL, query => ' '", "the query is empty"),
    ],
)
def test_what_there_is_not_is_refused_by_name_with_the_remedy(
    on_shelf: Connection, verb: str, argument: str, told: str
) -> None:
    query = argument if "query" in argument else f"query => 'lamp', {argument}"
    with pytest.raises(psycopg.Error, match=told) as caught:
        rows(on_shelf, f"SELECT * FROM cognifold.{verb}({query})")
    assert caught.value.sqlstate == "CF010"
    assert caught.value.diag.message_hint


def test_the_client_takes_the_same_and_checks_its_kind(dsn: str, shelf: str) -> None:
    with Memory(dsn, tenant=shelf, learn=False) as memory:
        found = memory.recall("lamp", 50, memory_types=["semantic"], privacy_levels={"shared"})
        assert [row.content for row in found] == ["The lamp, semantic and shared"]
        for arguments, told in (
            ({"memory_types": "semantic"}, r"memory_types = 'semantic' is one text"),
            ({"privacy_levels": 3}, r"privacy_levels = 3 is not a list of texts"),
            ({"privacy_levels": ["secret"]}, r"privacy_levels = {secret} holds an unknown privacy level"),
            ({"seen": "abc"}, "seen = 'abc' is no list of ids"),
            ({"seen": ["abc"]}, r"seen\[0\] = 'abc' is not a uuid"),
            ({"minimum_score": "high"}, "minimum_score = 'high' is of type str"),
            ({"since": at("2026-01-01T00:00:00Z").replace(tzinfo=None)}, "has no time zone"),
            ({"until": "2026"}, "until = '2026' is of type str"),
        ):
            for ask in (memory.recall, memory.explain_recall, memory.context):
                with pytest.raises(InvalidValueError, match=told):
                    ask("lamp", **arguments)
        with pytest.raises(TypeError, match="there is no argument 'kind'; use kinds, since"):
            memory.recall("lamp", kind=["event"])  # type: ignore[call-arg]
