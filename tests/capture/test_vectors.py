"""A vector from outside is of the tenant's model, has its dimensions and a direction, or is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tests.capture.conftest import remember
from tests.conftest import Connection, value

MODEL = "text-embedding-3-small"
DIMENSIONS = 1536


def notation(*starts: float, dimensions: int = DIMENSIONS) -> str:
    """pgvector's notation of a vector that begins with these numbers and is zero from there on."""
    return "[" + ",".join(map(str, [*starts, *[0] * (dimensions - len(starts))])) + "]"


@pytest.fixture
def outside(new_tenant: Callable[..., str], connect: Callable[..., Connection]) -> Connection:
    """A connection to a tenant whose model does not live in the database."""
    return connect(new_tenant(model=MODEL))


@pytest.fixture
def event(outside: Connection) -> UUID:
    known: UUID = remember(outside, content="the gate creaks")
    return known


STORE = "SELECT cognifold.store_embedding(%(event)s, %(vector)s, %(model)s)"
RECALL = "SELECT * FROM cognifold.recall('gate', query_embedding => %(vector)s, model => %(model)s)"

REFUSED = {
    "zero": (notation(), MODEL, "CF011", ("no direction",)),
    "of another length": (notation(1, dimensions=256), MODEL, "CF013", ("256 dimensions", f"has {DIMENSIONS}")),
    "of one dimension": ("[1]", MODEL, "CF013", ("1 dimensions", f"has {DIMENSIONS}")),
    "of another model": (notation(1), "lexicon", "CF012", ("'lexicon'", f'"{MODEL}"')),
    "of an unknown model": (notation(1), "word-o-tron", "CF012", ("'word-o-tron'", f'"{MODEL}"')),
    "of no model": (notation(1), None, "CF012", ("none named", f'"{MODEL}"')),
    "missing": (None, MODEL, "CF013", ("0 dimensions", f"has {DIMENSIONS}")),
}


@pytest.mark.parametrize("query", [STORE, RECALL], ids=["stored", "asked with"])
@pytest.mark.parametrize("kind", REFUSED)
def test_a_vector_that_does_not_fit_is_refused_and_both_sides_are_named(
    outside: Connection, event: UUID, query: str, kind: str
) -> None:
    vector, model, sqlstate, names = REFUSED[kind]
    with pytest.raises(psycopg.Error) as caught:
        outside.execute(query.encode(), {"event": event, "vector": vector, "model": model})
    assert caught.value.sqlstate == sqlstate
    assert all(name in str(caught.value) for name in names), caught.value
    assert caught.value.diag.message_hint
    assert value(outside, "SELECT count(*) FROM cognifold.embedding") == 0


@pytest.mark.parametrize("query", [STORE, RECALL], ids=["stored", "asked with"])
@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e39"])
def test_a_vector_with_a_number_that_is_none_is_refused(
    outside: Connection, event: UUID, query: str, number: str
) -> None:
    vector: dict[str, Any] = {"event": event, "vector": notation(1).replace("[1,", f"[{number},"), "model": MODEL}
    with pytest.raises(psycopg.errors.DataError):  # by pgvector itself, which says so
        outside.execute(query.encode(), vector)
    assert value(outside, "SELECT count(*) FROM cognifold.embedding") == 0


def test_a_vector_of_any_length_is_stored_with_length_one(outside: Connection, event: UUID) -> None:
    outside.execute(STORE.encode(), {"event": event, "vector": notation(3, 4), "model": MODEL})
    stored = value(outside, "SELECT vector::text FROM cognifold.embedding")
    assert [float(number) for number in stored.strip("[]").split(",")[:3]] == pytest.approx([0.6, 0.8, 0], abs=1e-3)


@pytest.mark.parametrize("size", [1e-30, 1e30])
def test_a_very_small_or_large_vector_keeps_its_direction(outside: Connection, event: UUID, size: float) -> None:
    outside.execute(STORE.encode(), {"event": event, "vector": notation(3 * size, 4 * size), "model": MODEL})
    stored = value(outside, "SELECT vector::text FROM cognifold.embedding")
    assert [float(number) for number in stored.strip("[]").split(",")[:2]] == pytest.approx([0.6, 0.8], abs=1e-3)


def test_the_vector_that_fits_is_stored_folded_and_found(outside: Connection, event: UUID) -> None:
    outside.execute(STORE.encode(), {"event": event, "vector": notation(3, 4), "model": MODEL})
    assert outside.execute("SELECT outcome FROM cognifold.fold()").fetchall() == [("folded",)]
    rows = outside.execute(
        "SELECT node_id, cosine FROM cognifold.recall('what?', query_embedding => %s, model => %s)",
        [notation(0, 1), MODEL],
    ).fetchall()
    assert [node for node, _ in rows] == [event]
    assert rows[0][1] == pytest.approx(0.8, abs=1e-3)


def test_a_question_without_a_vector_says_which_model_to_embed_it_with(outside: Connection) -> None:
    with pytest.raises(psycopg.Error) as caught:
        outside.execute("SELECT * FROM cognifold.recall('gate')")
    assert caught.value.sqlstate == "CF012"
    assert MODEL in str(caught.value)


def test_a_vector_of_the_outside_is_refused_for_a_tenant_of_the_lexicon(connection: Connection) -> None:
    event = remember(connection, content="the gate creaks")
    with pytest.raises(psycopg.Error) as caught:
        connection.execute(STORE.encode(), {"event": event, "vector": notation(1), "model": MODEL})
    assert caught.value.sqlstate == "CF012"
    assert MODEL in str(caught.value) and '"lexicon"' in str(caught.value)
