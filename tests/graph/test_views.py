"""The views: what a reader of plain SQL sees, at the memory's clock."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from decimal import Decimal
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Connection, at, value
from tests.graph.plans import START, add_edge, add_node, apply, concept, fold, make_concept, move_clock, remember, rows


def test_an_event_shows_all_that_was_said_about_it(connection: Connection) -> None:
    event = remember(
        connection, "  Wrote the exam  ", "2026-03-02T09:00:00+01:00", title="Exam", source="diary", actor="Anna",
        payload=Jsonb({"room": 12}), emotional_weight=Decimal("-0.5"), arousal=Decimal("0.75"),
        memory_type="associative", privacy_level="shared",
        idempotency_key="exam-1", ended_at="2026-03-02T11:00:00+01:00", valence="mixed",
        media=Jsonb([{"mime": "image/png", "uri": "file:exam.png"}]), source_agent="scribe", occurred_precision="day",
    )  # fmt: skip
    (row,) = rows(connection, "SELECT * FROM cognifold.event")
    assert row["id"] == event
    assert (row["title"], row["content"], row["source"], row["actor"]) == (
        "Exam",
        "  Wrote the exam  ",
        "diary",
        "Anna",
    )
    assert (row["occurred_at"], row["ended_at"]) == (at("2026-03-02T08:00:00+00:00"), at("2026-03-02T10:00:00+00:00"))
    assert (row["emotional_weight"], row["arousal"], row["valence"]) == (-0.5, 0.75, "mixed")
    assert (row["memory_type"], row["privacy_level"], row["source_agent"]) == ("associative", "shared", "scribe")
    assert (row["payload"], row["media"]) == ({"room": 12}, [{"mime": "image/png", "uri": "file:exam.png"}])
    assert (row["idempotency_key"], row["occurred_precision"]) == ("exam-1", "day")
    assert (row["access_count"], row["replay_count"], row["integration_score"]) == (0, 0, 0)
    assert (row["consolidation_state"], row["last_accessed"]) == ("fresh", None)
    assert len(row["digest"]) == hashlib.sha256().digest_size


def test_an_event_is_pending_until_it_is_folded(connection: Connection) -> None:
    event = remember(connection, "Something happened")
    state = "SELECT fold_state, indexed_in_part FROM cognifold.event WHERE id = %s"
    assert connection.execute(state, [event]).fetchone() == ("pending", None)
    fold(connection)
    assert connection.execute(state, [event]).fetchone() == ("folded", False)


def test_a_text_beyond_the_limit_is_stored_whole_and_said_to_be_indexed_in_part(connection: Connection) -> None:
    connection.execute("SELECT cognifold.set_setting('lexical.max_characters', 1000)")
    text = "harbour " * 200 + "lighthouse"
    event = remember(connection, text)
    fold(connection)
    assert connection.execute(
        "SELECT content, indexed_in_part FROM cognifold.event WHERE id = %s", [event]
    ).fetchone() == (text, True)
    found = rows(connection, "SELECT lexeme, frequency FROM cognifold.posting WHERE node_id = %s", event)
    assert found == [{"lexeme": "harbour", "frequency": 125}]


def test_a_concepts_evidence_mass_is_that_of_the_clock(connection: Connection, events: list[UUID]) -> None:
    make_concept(connection, "Garden", events[2])
    for now, hours in ((START, 2), ("2026-03-06T13:00:00+00:00", 102)):
        move_clock(connection, now)
        mass = value(connection, "SELECT evidence_mass FROM cognifold.concept")
        assert mass == pytest.approx(0.9 * math.exp(-0.005 * hours), rel=1e-9)


def test_an_intent_shows_its_reason_and_payload(connection: Connection, events: list[UUID]) -> None:
    apply(connection, add_node("intent", "Water the seedlings", events[2], content="Before noon", reasoning="frost",
                               payload={"urgent": True}))  # fmt: skip
    (row,) = rows(connection, "SELECT * FROM cognifold.intent")
    assert (row["title"], row["content"], row["reasoning"]) == ("Water the seedlings", "Before noon", "frost")
    assert (row["payload"], row["occurred_at"]) == ({"urgent": True}, at(START))


def test_without_a_tenant_every_view_is_empty(
    connection: Connection, events: list[UUID], connect: Callable[..., Connection]
) -> None:
    apply(connection, concept("Garden", events[2], ref="g"), add_node("intent", "Water", "g"))
    nobody = connect()
    for view in ("event", "concept", "intent", "edge"):
        assert value(connection, f"SELECT count(*) FROM cognifold.{view}") > 0
        assert value(nobody, f"SELECT count(*) FROM cognifold.{view}") == 0


def test_a_tenant_sees_its_own_rows_only(
    connection: Connection, events: list[UUID], new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    apply(connection, concept("Garden", events[2], ref="g"), add_node("intent", "Water", "g"))
    other = connect(new_tenant())
    for view in ("event", "concept", "intent", "edge"):
        assert value(other, f"SELECT count(*) FROM cognifold.{view}") == 0


def test_views_cannot_be_written(connection: Connection, events: list[UUID]) -> None:
    make_concept(connection, "Garden", events[2])
    for view in ("event", "concept", "intent", "edge"):
        with pytest.raises(psycopg.Error):
            connection.execute(f"DELETE FROM cognifold.{view}".encode())
    apply(connection, add_edge(events[0], "causes", events[1]))
    assert value(connection, "SELECT count(*) FROM cognifold.edge") == 2
