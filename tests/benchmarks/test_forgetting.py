"""The year of a stream in small: what is read, what is counted, and that silence empties the live graph."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

from benchmarks import forgetting
from benchmarks.forgetting import measure, messages_of, weeks_table
from tests.benchmarks.test_locomo import conversation
from tests.conftest import Connection

CHAT = """[09:19] <ann> the printer jams on every second page
=== bob has joined #ubuntu
[09:20] <bob> ann: which printer jams?
[09:21] <ann> the printer in the hall jams
no line of chat
[09:24] <bob> clean the rollers of the printer
"""
LOG = 'LineId,Component,Content\n1,disk,"full, again"\n2,disk,emptied\n'


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    folder = tmp_path / "chat"
    folder.mkdir()
    (folder / "one.ascii.txt").write_text(CHAT)
    return folder


def test_chat_and_logs_are_read_line_by_line(chat: Path, tmp_path: Path) -> None:
    assert list(messages_of(chat)) == [
        ("ann", "the printer jams on every second page"),
        ("bob", "ann: which printer jams?"),
        ("ann", "the printer in the hall jams"),
        ("bob", "clean the rollers of the printer"),
    ]
    (tmp_path / "Thing_2k.log_structured.csv").write_text(LOG)
    assert list(messages_of(tmp_path))[4:] == [("disk", "full, again"), ("disk", "emptied")]


def test_the_year_is_counted_by_week_and_silence_empties_the_live_graph(
    connect: Callable[..., Connection], admin_dsn: str, chat: Path, tmp_path: Path
) -> None:
    locomo = tmp_path / "locomo.json"
    locomo.write_text(json.dumps([conversation("c", "I picked ripe cherries", "My boat is green", "A fence")]))
    report, weeks = measure(admin_dsn, chat, locomo, 3, 84, 4)
    metrics = report.metrics
    assert "repeated, times shifted into 4 weeks" in report.data
    assert metrics["repeated"] == 2, "twelve messages of a log of four"
    assert [week["stored_nodes"] for week in weeks] == sorted(week["stored_nodes"] for week in weeks)
    assert weeks[-1]["stored_nodes"] >= 12
    assert all(0 < week["live_edges"] <= week["stored_edges"] for week in weeks)
    assert metrics["live_edges_growth"] == weeks[3]["live_edges"] / weeks[1]["live_edges"]
    assert weeks_table(weeks).row_count == 3
    assert (metrics["questions"], metrics["r_at_10_before"]) == (3, 1), "four turns, of which ten are recalled"
    assert metrics["r_at_10_difference"] == 0

    session = connect("a year", now=(forgetting.START + timedelta(weeks=60)).isoformat())
    counted = session.cursor(row_factory=psycopg.rows.dict_row).execute(forgetting.COUNTS).fetchone()
    assert counted is not None
    assert (counted["live_edges"], counted["live_nodes"]) == (0, 0)
    assert counted["stored_edges"] == weeks[-1]["stored_edges"]
    assert session.execute("SELECT * FROM cognifold.check()").fetchall() == []
