from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from cognifold_pg.cli.demo.life import live
from cognifold_pg.cli.demo.show import shipped
from cognifold_pg.cli.demo.story import chapters, wishes
from cognifold_pg.client import Memory
from cognifold_pg.replay import days_of, periods_of
from tests.cli.conftest import Command
from tests.conftest import Connection


def section(output: str, begin: str, end: str) -> str:
    return output.partition(begin)[2].partition(end)[0]


def concepts(output: str) -> list[str]:
    """The titles of the concepts a demo printed."""
    shown = section(output, "what it folded into", "what it came to want")
    return re.findall(r"^[├└]── (.+?)  \d+ events", shown, re.MULTILINE)


def unwrapped(output: str) -> str:
    """The words of an output without what draws its trees, on one line."""
    return " ".join(re.sub("[│├└─]", " ", output).split())


def row_counts(admin: Connection) -> dict[str, int]:
    tables = admin.execute(
        "SELECT c.oid::regclass::text FROM pg_class AS c "
        "WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind = 'r' ORDER BY 1"
    ).fetchall()
    counts = {}
    for (table,) in tables:
        row = admin.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
        assert row is not None
        counts[table] = row[0]
    return counts


def test_the_demo_shows_growth_concepts_and_three_answers(run: Command) -> None:
    shown = run("demo")
    assert shown.exit_code == 0
    assert len(concepts(shown.stdout)) >= 6
    assert shown.stdout.count("a good answer: ") == 3
    assert shown.stdout.count("most of this belongs to") == 3
    assert shown.stdout.count("✓") >= 3
    growth = re.findall(r"^2026-\d\d-\d\d +(\d+) +(\d+) +(\d+)", shown.stdout, re.MULTILINE)
    assert [int(events) for events, _, _ in growth] == [18, 33, 50, 66, 78, 82]
    assert max(map(len, shown.stdout.partition("go on yourself")[0].splitlines())) <= 80


def test_a_second_demo_prints_the_same_and_changes_no_table(run: Command, dsn: str, admin: Connection) -> None:
    first = run("demo").stdout
    before = row_counts(admin)
    assert run("demo").stdout == first
    assert row_counts(admin) == before
    with Memory(dsn, tenant="demo") as memory:
        assert memory.check() == []


def test_intents_are_shown_with_their_evidence_and_the_day_it_sufficed(run: Command, dsn: str) -> None:
    shown = unwrapped(section(run("demo").stdout, "what it came to want", "and now some questions"))
    with Memory(dsn, tenant="demo") as memory:
        intents = memory.rows("SELECT id, title, content, occurred_at FROM cognifold.intent")
        assert len(intents) >= 2
        for intent in intents:
            events = [row for row in memory.explain(intent["id"]) if row.kind == "event" and row.depth == 1]
            assert len([row for row in events if row.relation == "grounds"]) >= 2
            for line in [intent["title"], *intent["content"].splitlines()]:
                assert unwrapped(line) in shown
            latest = max(row.occurred_at for row in events if row.relation == "grounds")
            # Then, or soon after: a neighbour's evidence or a deadline drawing near can be what was still missing.
            assert timedelta(0) <= intent["occurred_at"] - latest < timedelta(days=2)
            assert f"{intent['occurred_at'].day} {intent['occurred_at']:%b %Y}, " in shown


def test_the_first_intent_is_accepted_and_the_second_is_back_when_its_week_is_over(run: Command, dsn: str) -> None:
    shown = run("demo").stdout
    with Memory(dsn, tenant="demo") as memory:
        first, second, *others = wishes(memory)
        assert [step.to_status for step in first.steps] == ["scheduled"]
        assert [step.to_status for step in second.steps] == ["deferred"]
        assert not any(step.answered for wish in others for step in wish.steps)
        back = second.steps[0].wake_at
        assert back is not None and back - second.steps[0].at == timedelta(days=7)
        standing = {}
        for moment in (back - timedelta(seconds=1), back):
            memory.clock = moment
            standing[moment] = wishes(memory)[1].status
        assert list(standing.values()) == ["deferred", "pending"]
    local = back.astimezone(shipped().zone)
    assert f"{local.day} {local:%b %Y}, {local:%H:%M}: pending again, by itself" in shown
    assert f"{local.day} {local:%b} returns: {second.title[:20]}" in shown


def test_the_sleep_passes_say_what_they_did_and_why(run: Command, dsn: str) -> None:
    shown = unwrapped(section(run("demo").stdout, "until", "what it folded into"))
    assert re.search(r"\d+ links forgotten \(mass below 0\.1\)", shown)
    assert re.search(r"merged: .*Running by the sea in the morning. are alike: cosine 0\.\d+", shown)
    with Memory(dsn, tenant="demo") as memory:
        passes = memory.rows("SELECT as_of, counts FROM cognifold.consolidation_run")
        assert len(passes) == 6
        replayed = [row["counts"]["events_replayed"] for row in passes]
        assert all(f"{number} events replayed" in shown for number in replayed)


def test_a_life_broken_off_goes_on_where_it_was(dsn: str, new_tenant: Callable[..., str]) -> None:
    stories = []
    for days_before_the_break in (0, 12):
        show = replace(shipped(), tenant=new_tenant(time_zone="Europe/Dublin"))
        periods = periods_of(days_of(show.experiences, datetime.now(UTC)))
        with Memory(dsn, tenant=show.tenant) as memory:
            list(islice(live(memory, show, periods), days_before_the_break))
            list(live(memory, show, periods))
            told = chapters(memory, periods)
            intents = [(wish.title, wish.emerged, [step.to_status for step in wish.steps]) for wish in wishes(memory)]
            stories.append((intents, [(c.born, c.stated, c.happenings, c.size, c.sleep) for c in told]))
            assert memory.check() == []
    assert stories[0] == stories[1]


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
    assert run("demo", "--stream", path).stdout == both.stdout
    path.write_text(json.dumps(scenario(PIANO)))
    one = run("demo", "--stream", path)
    [title] = concepts(one.stdout)
    assert "nothing: no concept had evidence enough" in one.stdout  # of lessons that please, nothing is wanted
    assert "kettle" not in title.lower()
    assert "kettle" not in one.stdout


def test_records_that_are_no_events_are_left_out_and_said_so(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text('{"content": "A fine day", "occurred_at": "2026-03-01T09:00:00Z"}\n{"content": ""}\n')
    result = run("demo", "--stream", path)
    assert result.exit_code == 0
    assert "1 records left out; the first is number 2: no content" in result.stdout
