"""Every text that may enter stays what it was, is folded, and can be found again."""

from __future__ import annotations

import json
import random
from typing import Any
from uuid import UUID

import pytest

from cognifold_pg.client import Memory
from tests.capture.conftest import remember, stored
from tests.conftest import Connection, value

HOSTILE = (
    'x"; drop table --',
    "'; DROP SCHEMA cognifold CASCADE; --",
    "Robert'); DELETE FROM cognifold.node; --",
    "$$; SELECT 1; $$",
    "%s %(name)s %% {0} {name}",
    "\\'; \\x00 \\u0041 E'\\n'",
    "/* */ -- :name @> ? ?| &",
    "</script><script>alert(1)</script>",
    "${jndi:ldap://x}",
    ".*(+?[^$|\\",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_that_looks_like_code_is_a_text_in_every_field(
    memory: Memory, connection: Connection, text: str
) -> None:
    fields = {"title": text, "source": text, "actor": text, "source_agent": text, "idempotency_key": text}
    event = memory.remember(text + " kettle", payload={text: [text]}, media=[{"uri": text}], **fields)
    assert memory.remember(text + " kettle", payload={text: [text]}, media=[{"uri": text}], **fields) == event
    assert memory.fold_all() == 1
    [row] = memory.rows(
        "SELECT content, title, source, actor, source_agent, idempotency_key, payload, media FROM cognifold.event"
    )
    assert row == {"content": text + " kettle", **fields, "payload": {text: [text]}, "media": [{"uri": text}]}
    assert [found.node_id for found in memory.recall(text + " kettle", actors=[text], sources=[text])] == [event]
    assert memory.recall(text + " kettle", actors=["someone else"]) == []
    assert memory.explain(event)[0].content == text + " kettle"
    assert memory.check() == []
    assert stored(connection)["events"] == 1


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a\x00b kettle", "a\ufffdb kettle"),
        ("lone \ud83d kettle", "lone \ufffd kettle"),
        ("lone \udc00 kettle", "lone \ufffd kettle"),
        ("whole \U0001f600 kettle", "whole \U0001f600 kettle"),
        ("cafe\u0301 kettle", "cafe\u0301 kettle"),
        ("\u202eright to left\u202c kettle", "\u202eright to left\u202c kettle"),
        ("  spaces and\r\nlines\t kettle  ", "  spaces and\r\nlines\t kettle  "),
    ],
)  # fmt: skip
def test_the_client_replaces_what_postgresql_cannot_hold_and_nothing_else(
    memory: Memory, given: str, kept: str
) -> None:
    memory.remember(given, payload={"key " + given: [given, {"deep": given}]}, actor=given.strip())
    assert memory.fold_all() == 1
    [row] = memory.rows("SELECT content, payload, actor FROM cognifold.event")
    assert row == {"content": kept, "payload": {"key " + kept: [kept, {"deep": kept}]}, "actor": kept.strip()}
    assert memory.recall("kettle")[0].content == kept
    assert memory.recall(given)[0].content == kept


WORDLESS = ("!!!", "…", "\U0001f600\U0001f680", "\u200b\u2060x"[:2] + ".", "—", "42", "the and of")


@pytest.mark.parametrize("content", WORDLESS)
def test_a_text_without_words_is_stored_folded_explained_and_found_by_time(
    memory: Memory, connection: Connection, content: str
) -> None:
    event = memory.remember(content, source="chat")
    assert [row.outcome for row in memory.fold()] == ["folded"]
    assert memory.explain(event)[0].content == content
    [row] = memory.rows("SELECT content, fold_state, indexed_in_part FROM cognifold.event WHERE occurred_at <= now()")
    assert row == {"content": content, "fold_state": "folded", "indexed_in_part": False}
    assert value(connection, "SELECT count(*) FROM cognifold.concept") == 0
    assert memory.check() == []


def test_a_wordless_event_is_found_by_recall_through_what_happened_beside_it(memory: Memory) -> None:
    """And so by time: its neighbour in the conversation passes some of its relevance on."""
    memory.remember("The kettle is broken again", source="chat", idempotency_key="1")
    event = memory.remember("!!!", source="chat", idempotency_key="2")
    memory.fold_all()
    assert event in [found.node_id for found in memory.recall("kettle")]


@pytest.fixture(scope="module")
def megabyte() -> str:
    """A million characters of distinct made-up words, more than a tsvector can hold."""
    rng = random.Random(2026)
    words = {"".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=8)) for _ in range(111_200)}
    text = " ".join(sorted(words))
    assert len(text) > 1_000_000
    return text


def test_a_megabyte_of_distinct_words_is_stored_whole_indexed_in_part_and_said_so(
    memory: Memory, connection: Connection, megabyte: str
) -> None:
    event = memory.remember(megabyte, actor="Ida")
    [row] = memory.rows(
        """
        SELECT content, length(title) AS title,
               digest = cognifold.event_digest(content, title, payload, occurred_at, source, actor) AS intact
        FROM cognifold.event
        """
    )
    assert row["content"] == megabyte
    assert row["intact"]
    assert row["title"] <= 80
    assert [folded.outcome for folded in memory.fold()] == ["folded"]
    assert memory.rows("SELECT indexed_in_part FROM cognifold.event") == [{"indexed_in_part": True}]
    assert [found.node_id for found in memory.recall(megabyte[:60])] == [event]
    assert memory.recall(megabyte[:60])[0].content == megabyte
    # Its end is not in the lexical index, and the setting says from where on.
    last = megabyte[-8:]
    assert value(connection, "SELECT count(*) FROM cognifold.posting WHERE lexeme LIKE %s", last[:6] + "%") == 0
    assert memory.check() == []


def test_as_much_as_the_setting_allows_is_indexed(tenant: str, dsn: str, megabyte: str) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        memory.rows("SELECT cognifold.set_setting('lexical.max_characters', 500000)")
        event = memory.remember(megabyte)
        assert [folded.outcome for folded in memory.fold()] == ["folded"]
        assert [found.node_id for found in memory.recall(megabyte[499_000:499_040])] == [event]


def test_a_payload_comes_back_as_it_went_in(memory: Memory) -> None:
    payload: dict[str, Any] = {
        "number": 12345678901234567890, "small": 1e-12, "nested": [[{"a": None}], True], "empty": {},
        "text": "äöü \\ \" / \n",
        "": "no name",
    }  # fmt: skip
    memory.remember("with a payload", payload=payload)
    [row] = memory.rows("SELECT payload, payload::text AS text FROM cognifold.event")
    assert row["payload"] == payload
    assert json.loads(row["text"]) == payload


def test_a_title_is_the_first_words_unless_one_is_given(memory: Memory) -> None:
    long = "The quick brown fox jumps over the lazy dog and then over the sleeping cat and the bored horse"
    for key, (content, title) in enumerate(
        [("Short", None), ("  two\n lines ", None), (long, None), (long, "Foxes"), ("x", "   ")]
    ):
        memory.remember(content, title=title, idempotency_key=str(key))
    titles = [row["title"] for row in memory.rows("SELECT title FROM cognifold.event ORDER BY idempotency_key")]
    assert titles == [
        "Short",
        "two lines",
        "The quick brown fox jumps over the lazy dog and then over the sleeping cat...",
        "Foxes",
        "x",
    ]


@pytest.mark.parametrize("path", ["sql", "client"])
def test_a_deadline_of_any_form_in_a_payload_never_stops_the_fold(
    connection: Connection, memory: Memory, path: str
) -> None:
    odd = [
        "2026-13-45",
        "soon",
        "",
        7,
        None,
        {"date": 1},
        ["2026-06-01"],
        "9999-12-31T23:59:59Z",
        "0001-01-01",
        "infinity",
    ]
    ids: list[UUID] = []
    for place, deadline in enumerate(odd):
        payload = {"deadline": deadline, "due": deadline}
        if path == "sql":
            ids.append(remember(connection, content=f"pay bill {place}", payload=json.dumps(payload)))
        else:
            ids.append(memory.remember(f"pay bill {place}", payload=payload))
    assert {row.outcome for row in memory.fold(20)} == {"folded"}
    assert memory.check() == []


def test_dates_in_a_text_that_no_calendar_has_never_stop_the_fold(memory: Memory) -> None:
    for text in (
        "due by 31 February", "by 99 March 2026", "until 2026-02-30", "deadline is 0000-00-00", "due in 999 months",
        "before 29 February", "by next Friday", "due on the 32nd of May", "expires in a month", "by 9999-12-31",
    ):  # fmt: skip
        memory.remember(f"The library book is {text}")
    assert {row.outcome for row in memory.fold(20)} == {"folded"}
    assert memory.check() == []
