"""What surfaces in the shipped stream, lived through day by day, and that words alone raise nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from importlib.resources import as_file, files

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from cognifold_pg.ingest import Record, open_stream
from cognifold_pg.replay import days_of, replay
from cognifold_pg.results import Intent

NEEDS = {
    "damp workshop": {"orla-002", "orla-010", "orla-020", "orla-030", "orla-035", "orla-058", "orla-069", "orla-070"},
    "failing checkout": {"orla-005", "orla-013", "orla-014", "orla-023", "orla-024", "orla-027", "orla-036", "orla-043",
                         "orla-053", "orla-062", "orla-074", "orla-082"},
    "VAT return": {"orla-016", "orla-028", "orla-055", "orla-060", "orla-080", "orla-081"},
}  # fmt: skip
HABIT = {f"orla-{n:03}" for n in (1, 9, 15, 19, 25, 29, 34, 39, 44, 51, 56, 61, 67, 71, 79)}
MET_ORDER = {f"orla-{n:03}" for n in (3, 11, 22, 42, 59, 68, 72, 75, 76)}
MET_ON = date(2026, 6, 5)


def stream() -> list[Experience]:
    with as_file(files("cognifold_pg.examples") / "bookbinder.jsonl") as path:
        return [item.experience for item in open_stream(path) if isinstance(item, Record)]


def shuffled(experiences: Sequence[Experience], seed: int) -> list[Experience]:
    """All words of all titles and texts dealt out anew, each title and text as long as it was; payloads left out."""
    words = [word for e in experiences for text in (e.title or "", e.content) for word in text.split()]
    random.Random(seed).shuffle(words)
    deal = iter(words)

    def like(text: str) -> str:
        return " ".join(next(deal) for _ in text.split())

    return [replace(e, title=like(e.title or "") or None, content=like(e.content), payload=None) for e in experiences]


def lived(memory: Memory, experiences: Sequence[Experience]) -> Iterator[tuple[date, list[Intent]]]:
    for day in replay(memory, days_of(experiences, datetime.now(UTC))):
        yield day.day, memory.emit_intents()


@pytest.fixture
def orla(dsn: str, new_tenant: Callable[..., str]) -> Iterator[Memory]:
    with Memory(dsn, tenant=new_tenant(time_zone="Europe/Dublin")) as memory:
        yield memory


def test_the_needs_nobody_has_met_surface_with_their_evidence_and_nothing_else_does(orla: Memory) -> None:
    emitted = [(day, intent) for day, intents in lived(orla, stream()) for intent in intents]
    keys = {row["id"]: row["idempotency_key"] for row in orla.rows("SELECT id, idempotency_key FROM cognifold.event")}
    evidence = [(day, {keys[event] for event in intent.evidence}) for day, intent in emitted]
    for name, events in NEEDS.items():
        assert any(found <= events and len(found) >= 2 for _, found in evidence), name
    for day, found in evidence:
        assert not found & HABIT
        assert not (found & MET_ORDER and day >= MET_ON)
    assert len(emitted) <= 8
    for _, intent in emitted:
        assert intent.readiness >= intent.theta and len(intent.evidence) >= 2 and intent.title and intent.reason
    status = orla.rows("SELECT status, category, deadline FROM cognifold.intent")
    due = {(row["category"], row["deadline"]) for row in status if row["deadline"]}
    assert ("money", datetime.fromisoformat("2026-06-12T00:00:00+01:00")) in due
    assert orla.check() == [] and orla.emit_intents() == []


@pytest.mark.parametrize("seed", range(6))
def test_words_dealt_out_anew_among_the_events_raise_no_intent(orla: Memory, seed: int) -> None:
    assert [intent.title for _, intents in lived(orla, shuffled(stream(), seed)) for intent in intents] == []


def test_an_intent_is_explained_down_to_what_was_said(orla: Memory) -> None:
    first = next(intent for _, intents in lived(orla, stream()) for intent in intents)
    explained = orla.explain(first.intent_id)
    assert (explained[0].kind, explained[0].title, explained[0].content) == ("intent", first.title, first.reason)
    grounds = {row.id for row in explained if row.relation == "grounds" and row.supports == first.intent_id}
    assert grounds == set(first.evidence)
    assert any(row.relation == "triggers" and row.kind == "concept" for row in explained)
