"""The shipped stream says what its README says, and every line of it can be remembered."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from cognifold_pg.experience import Experience
from cognifold_pg.ingest import Record, open_stream

EXAMPLES = Path(str(files("cognifold_pg.examples")))


@pytest.fixture(scope="module")
def events() -> dict[str, Experience]:
    items = list(open_stream(EXAMPLES / "bookbinder.jsonl"))
    assert all(isinstance(item, Record) for item in items)
    found = [item.experience for item in items if isinstance(item, Record)]
    return {str(event.idempotency_key): event for event in found}


def test_there_are_82_events_over_five_weeks_in_order(events: dict[str, Experience]) -> None:
    times = [event.occurred_at for event in events.values() if event.occurred_at is not None]
    assert len(times) == len(events) == 82
    assert times == sorted(times)
    assert (times[-1] - times[0]).days == 36


def test_the_table_of_themes_names_every_event_once(events: dict[str, Experience]) -> None:
    rows = [line for line in (EXAMPLES / "README.md").read_text().splitlines() if re.search(r"\d{3} \|", line)]
    themes = [re.findall(r"\b\d{3}\b", line.rstrip(" |").rpartition("|")[2]) for line in rows]
    named = [f"orla-{number}" for theme in themes for number in theme]
    assert sorted(named) == sorted(events)
    assert len(themes) == 9
    assert min(len(theme) for theme in themes) >= 6


def test_every_question_rests_on_events_that_are_there(events: dict[str, Experience]) -> None:
    questions = json.loads((EXAMPLES / "questions.json").read_text())
    assert len(questions) == 3
    for question in questions:
        assert question["question"].endswith("?")
        assert set(question["rests_on"]) <= set(events)


def test_one_deadline_stands_in_a_payload_and_one_in_a_text(events: dict[str, Experience]) -> None:
    assert [key for key, event in events.items() if event.payload and "deadline" in event.payload] == ["orla-003"]
    assert [key for key, event in events.items() if "Friday 12 June" in event.content] == [
        "orla-016",
        "orla-080",
    ]
