"""The JSON of remember_many: each value of the type its field has, or a refusal with event, field and value."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import psycopg
import pytest

from tests.capture.conftest import stored
from tests.conftest import Connection, at

NOTHING = {"events": 0, "contents": 0, "waiting": 0}
NOT_ISO = "is not a time of ISO 8601 with an offset"


def many(connection: Connection, *events: dict[str, Any]) -> None:
    connection.execute("SELECT * FROM cognifold.remember_many(%s)", [json.dumps(events)])


@pytest.mark.parametrize("field", ["occurred_at", "ended_at"])
@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("2026-01-01 10:00", NOT_ISO),
        ("2026-01-01T10:00:00", NOT_ISO),
        ("2026-01-01", NOT_ISO),
        ("now", NOT_ISO),
        ("tomorrow", NOT_ISO),
        ("infinity", NOT_ISO),
        ("", NOT_ISO),
        ("2026-01-01 10:00:00 Nowhere/Zone+00", NOT_ISO),
        ("2026-01-01T10:00:00 Europe/Lisbon", NOT_ISO),
        ("2026-01-01T10:00:00Z\nand more", NOT_ISO),
        ("01/02/2026 10:00:00+00", NOT_ISO),
        (1767261600, NOT_ISO),
        ("2026-02-30T10:00:00Z", "is not a time there is"),
        ("2026-01-01T25:00:00Z", "is not a time there is"),
    ],
)
def test_a_time_that_depends_on_when_or_where_it_is_read_is_refused(
    connection: Connection, field: str, given: object, why: str
) -> None:
    with pytest.raises(psycopg.Error) as caught:
        many(connection, {"content": "good"}, {"content": "x", field: given})
    assert caught.value.sqlstate == "CF010"
    assert str(caught.value.diag.message_primary).startswith(f"event 1: {field} = {json.dumps(given)} {why}")
    assert "Nothing was stored" in str(caught.value.diag.message_hint)
    assert stored(connection) == NOTHING


@pytest.mark.parametrize(
    "given",
    [
        "2026-05-04T09:30:00+02:00",
        "2026-05-04T07:30:00Z",
        "2026-05-04 07:30:00+00",
        "2026-05-04T07:30Z",
        "2026-05-04T13:15:00.000000+0545",
        "2026-05-04T07:49:32+00:19:32",
    ],
)
def test_iso_8601_with_any_offset_is_the_instant_it_says(connection: Connection, given: str) -> None:
    connection.execute("SET TimeZone = 'America/New_York'")
    connection.execute("SET DateStyle = 'SQL, DMY'")
    many(connection, {"content": "x", "occurred_at": given})
    connection.execute("SET DateStyle = 'ISO'")
    row = connection.execute("SELECT occurred_at FROM cognifold.event").fetchone()
    assert row == (at("2026-05-04T07:30:00+00:00"),)
    assert isinstance(row[0], datetime)


@pytest.mark.parametrize(
    "field",
    ["content", "title", "source", "actor", "source_agent", "idempotency_key", "memory_type", "privacy_level",
     "valence", "occurred_precision"],
)  # fmt: skip
@pytest.mark.parametrize("given", [5, True, {"a": 1}, ["x"]])
def test_a_text_field_that_is_no_text_is_refused_and_not_stored_as_its_json(
    connection: Connection, field: str, given: object
) -> None:
    with pytest.raises(psycopg.Error) as caught:
        many(connection, {"content": "good"}, {"content": "x"} | {field: given})
    assert caught.value.sqlstate == "CF010"
    assert str(caught.value.diag.message_primary) == f"event 1: {field} = {json.dumps(given)} is not a JSON string"
    assert stored(connection) == NOTHING


@pytest.mark.parametrize("given", ['"0.5"', '"NaN"', "true", "1e400"])
def test_a_number_that_is_none_is_refused(connection: Connection, given: str) -> None:
    with pytest.raises(psycopg.Error, match=r"event 0: arousal = .* is not a JSON number") as caught:
        connection.execute("SELECT * FROM cognifold.remember_many(%s)", [f'[{{"content": "x", "arousal": {given}}}]'])
    assert caught.value.sqlstate == "CF010"
    assert stored(connection) == NOTHING


def test_null_is_a_field_left_out(connection: Connection) -> None:
    many(connection, {"content": "x", "title": None, "occurred_at": None, "arousal": None, "media": None})
    assert stored(connection)["events"] == 1


def test_what_remember_refuses_of_a_single_event_has_its_place_too(connection: Connection) -> None:
    with pytest.raises(psycopg.Error, match=r"^event 0: remember: content is empty"):
        many(connection, {"content": " "})
