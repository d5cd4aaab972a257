from __future__ import annotations

import json
import re
from pathlib import Path

from cognifold_pg.client import Memory
from tests.cli.conftest import Command


def concepts(output: str) -> list[str]:
    """The titles of the concepts a demo printed, without the number of their events."""
    shown = output.partition("what it folded into")[2].partition("and now some questions")[0]
    return re.findall(r"^[├└]── (.+?)  \d+ events$", shown, re.MULTILINE)


def test_the_demo_shows_growth_concepts_and_three_answers_and_the_second_time_the_same(run: Command, dsn: str) -> None:
    first = run("demo")
    assert first.exit_code == 0
    assert len(concepts(first.stdout)) >= 6
    assert first.stdout.count("a good answer: ") == 3
    assert first.stdout.count("most of this belongs to") == 3
    assert first.stdout.count("✓") >= 3
    growth = re.findall(r"^2026-\d\d-\d\d +(\d+) +(\d+) +(\d+)", first.stdout, re.MULTILINE)
    assert [int(events) for events, _, _ in growth] == [18, 33, 50, 66, 78, 82]
    assert run("demo").stdout == first.stdout
    with Memory(dsn, tenant="demo") as memory:
        assert memory.check() == []


def scenario(*themes: list[str]) -> dict[str, object]:
    texts = [text for place in range(4) for theme in themes for text in theme[place : place + 1]]
    return {
        "scenario_id": "kitchen",
        "events": [
            {
                "event_id": f"e{n}",
                "timestamp": f"2026-03-{n + 1:02}T09:00:00Z",
                "source": "diary",
                "description": text,
            }
            for n, text in enumerate(texts)
        ],
    }


KETTLE = [
    "The kettle in the kitchen is leaking again",
    "Kettle still leaking, water all over the kitchen",
    "Bought a new seal for the leaking kettle",
    "The leaking kettle flooded the kitchen shelf",
]
PIANO = [
    "Piano lesson: practised the scales with Ruth",
    "Second piano lesson, scales with both hands",
    "Practised scales for the piano lesson",
    "Ruth was pleased with my scales at the piano lesson",
]


def test_a_file_is_shown_too_and_without_the_events_of_a_concept_that_concept_is_gone(
    run: Command, tmp_path: Path
) -> None:
    path = tmp_path / "kitchen.json"
    path.write_text(json.dumps(scenario(KETTLE, PIANO)))
    both = run("demo", "--stream", path)
    assert both.exit_code == 0
    assert len(concepts(both.stdout)) == 2
    assert "What happened about" in both.stdout
    path.write_text(json.dumps(scenario(PIANO)))
    one = run("demo", "--stream", path)
    [title] = concepts(one.stdout)
    assert "kettle" not in title.lower()
    assert "kettle" not in one.stdout


def test_records_that_are_no_events_are_left_out_and_said_so(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text('{"content": "A fine day", "occurred_at": "2026-03-01T09:00:00Z"}\n{"content": ""}\n')
    result = run("demo", "--stream", path)
    assert result.exit_code == 0
    assert "1 records left out; the first is number 2: no content" in result.stdout
