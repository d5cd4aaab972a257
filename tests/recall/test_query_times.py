"""The spans of time a question speaks of; expected by the calendar of Wednesday, 17 June 2026."""

from __future__ import annotations

import pytest

from tests.conftest import Connection

CLOCK = "2026-06-17T15:00:00+00:00"


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("What did Ana do yesterday?", "2026-06-16", "2026-06-17"),
        ("What did we plan last week?", "2026-06-08", "2026-06-15"),
        ("Where did I go in May?", "2026-05-01", "2026-06-01"),
        ("Where did I go in May 2023?", "2023-05-01", "2023-06-01"),
        ("Who came on 3 June?", "2026-06-03", "2026-06-04"),
        ("What happened in September?", "2025-09-01", "2025-10-01"),
        ("What happened in 2024?", "2024-01-01", "2025-01-01"),
        ("What happened between March 2024 and May 2024?", "2024-03-01", "2024-06-01"),
    ],
)
def test_the_span_of_a_phrase(admin: Connection, question: str, since: str, until: str) -> None:
    row = admin.execute(
        "SELECT (since AT TIME ZONE 'UTC')::date::text, (until AT TIME ZONE 'UTC')::date::text, kind "
        "FROM cognifold.query_times(%s, %s, 'UTC')",
        [question, CLOCK],
    ).fetchall()
    assert row == [(since, until, "hard")]


def test_an_open_end(admin: Connection) -> None:
    rows = admin.execute(
        "SELECT since::text, until::text FROM cognifold.query_times('What did I do before March 2024?', %s, 'UTC')",
        [CLOCK],
    ).fetchall()
    assert [r[0] for r in rows] == ["-infinity"]
    assert rows[0][1].startswith("2024-03-01") or rows[0][1].startswith("2024-02-29")


@pytest.mark.parametrize("question", ["What is Ana's phone number?", "Why?", "", "May I come in?"])
def test_no_word_of_time_no_span(admin: Connection, question: str) -> None:
    assert admin.execute("SELECT * FROM cognifold.query_times(%s, %s, 'UTC')", [question, CLOCK]).fetchall() == []


def test_recently_is_soft(admin: Connection, tenant: str) -> None:
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    rows = admin.execute(
        "SELECT kind, rest FROM cognifold.query_times('What did Ana say recently?', %s, 'UTC')", [CLOCK]
    )
    assert rows.fetchall() == [("soft", "What did Ana say  ?")]
