"""What may not enter: each bad value is named with what to do, and nothing is stored."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidValueError
from cognifold_pg.experience import Experience
from tests.capture.conftest import refused, remember, stored
from tests.conftest import Connection, at

NOTHING = {"events": 0, "contents": 0, "waiting": 0}
START = "2026-05-04T09:00:00+00:00"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"content": None}, "content is empty"),
        ({"content": ""}, "content is empty"),
        ({"content": " \t\n "}, "content is empty"),
        ({"content": "x", "emotional_weight": 1.25}, "emotional_weight = 1.25 is not in [-1, 1]"),
        ({"content": "x", "emotional_weight": -2}, "emotional_weight = -2 is not in [-1, 1]"),
        ({"content": "x", "emotional_weight": float("nan")}, "emotional_weight = NaN is not in [-1, 1]"),
        ({"content": "x", "arousal": -0.5}, "arousal = -0.5 is not in [0, 1]"),
        ({"content": "x", "arousal": float("inf")}, "arousal = Infinity is not in [0, 1]"),
        ({"content": "x", "memory_type": "photographic"}, "'photographic' is not one of episodic, semantic"),
        ({"content": "x", "privacy_level": "secret"}, "privacy_level = 'secret' is not one of private, shared, public"),
        ({"content": "x", "valence": "meh"}, "valence = 'meh' is not one of positive, negative, neutral, mixed"),
        ({"content": "x", "occurred_precision": "week"}, "'week' is not one of instant, day, month, year"),
        ({"content": "x", "occurred_at": START, "ended_at": "2026-05-04T08:00:00Z"}, "is before occurred_at = 2026"),
        ({"content": "x", "media": '{"mime": "image/png"}'}, "media is not a JSON array"),
        ({"content": "x", "idempotency_key": ""}, "idempotency_key is empty"),
        ({"content": "x", "idempotency_key": "k" * 1025}, "longer than 1024 bytes"),
        ({"content": "x", "source": "s" * 1001}, "source is 1001 bytes long, more than 1000"),
        ({"content": "x", "actor": "é" * 501}, "actor is 1002 bytes long, more than 1000"),
    ],
    ids=lambda given: str(given)[:60],
)  # fmt: skip
def test_a_bad_value_is_named_and_nothing_is_stored(
    connection: Connection, arguments: dict[str, Any], named: str
) -> None:
    error = refused(connection, **arguments)
    assert error.sqlstate == "CF010"
    assert named in str(error)
    assert "Nothing was stored" in str(error.diag.message_hint)
    assert stored(connection) == NOTHING


def test_the_largest_names_that_may_enter_are_folded_and_found(connection: Connection) -> None:
    """The longest source, actor, key and word at once: all of them stand in index keys."""
    letters = random.Random(7).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=2000)
    actor, source, word = "".join(letters[:1000]), "".join(letters[1000:]), "".join(reversed(letters))
    remember(connection, content=f"said {word}", source=source, actor=actor, idempotency_key="".join(letters[:1024]))
    assert connection.execute("SELECT outcome FROM cognifold.fold()").fetchall() == [("folded",)]
    assert connection.execute("SELECT actor FROM cognifold.recall(%s)", [word]).fetchall() == [(actor,)]
    assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"occurred_at": datetime(2026, 5, 4, 9)}, "occurred_at = 2026-05-04T09:00:00 has no time zone"),
        ({"occurred_at": at(START), "ended_at": datetime(2026, 5, 4, 10)}, "ended_at = 2026-05-04T10:00:00 has no"),
        ({"emotional_weight": float("nan")}, "emotional_weight = nan"),
        ({"payload": {"readings": [1.0, float("inf")]}}, "payload.readings[1] = inf"),
        ({"payload": {"when": at(START)}}, "payload.when"),
        ({"media": [{"mime": b"image/png"}]}, "media[0].mime"),
        ({"arousal": 2.0}, "arousal = 2 is not in [0, 1]"),
    ],
    ids=lambda given: str(given)[:40],
)  # fmt: skip
def test_the_client_names_a_bad_value_too(
    memory: Memory, connection: Connection, fields: dict[str, Any], named: str
) -> None:
    with pytest.raises(InvalidValueError) as caught:
        memory.remember("x", **fields)
    assert named in str(caught.value)
    assert stored(connection) == NOTHING


def test_a_batch_with_one_bad_event_stores_none_and_says_which(memory: Memory, connection: Connection) -> None:
    with pytest.raises(InvalidValueError, match="event 2: remember: content is empty"):
        memory.remember_many([Experience("good"), Experience("better"), Experience(" "), Experience("best")])
    assert stored(connection) == NOTHING


@pytest.mark.parametrize(
    ("events", "named"),
    [
        ("{}", "events is not a JSON array"),
        ('["hello"]', "event 0 is not a JSON object"),
        (
            '[{"content": "x"}, {"content": "y", "occured_at": "2026-05-04T09:00:00Z"}]',
            "event 1 has a field 'occured_at'",
        ),
        (
            '[{"content": "x", "occurred_at": "half past nine"}]',
            'event 0: occurred_at = "half past nine" is not a time of ISO 8601',
        ),
        ('[{"content": "x", "arousal": "much"}]', 'event 0: arousal = "much" is not a JSON number'),
        ('[{"content": "x", "occurred_at": "2026-02-30T09:00:00Z"}]', "2026-02-30"),
    ],
)
def test_json_that_is_no_list_of_events_is_refused_by_what_is_wrong(
    connection: Connection, events: str, named: str
) -> None:
    with pytest.raises(psycopg.Error) as caught:
        connection.execute("SELECT * FROM cognifold.remember_many(%s)", [events])
    assert caught.value.sqlstate == "CF010"
    assert named in str(caught.value)
    assert stored(connection) == NOTHING


def test_a_null_character_in_a_json_payload_is_a_clear_error_in_sql(connection: Connection) -> None:
    error = refused(connection, content="x", payload='{"a": "b\\u0000c"}')
    assert isinstance(error, psycopg.errors.UntranslatableCharacter)
    assert r"\u0000 cannot be converted to text" in str(error)
    assert stored(connection) == NOTHING


def test_an_empty_media_list_and_payload_of_null_are_no_error(connection: Connection) -> None:
    remember(connection, content="x", media="[]", payload="null")
    assert stored(connection)["events"] == 1
