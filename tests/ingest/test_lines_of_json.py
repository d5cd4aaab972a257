from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from cognifold_pg.ingest import BadRecord, IngestFormatError, Record, open_stream
from cognifold_pg.ingest.fields import Reading
from cognifold_pg.ingest.jsonl import open_jsonl


def read_lines(tmp_path: Path, *lines: str | bytes, **options: object) -> list[Record | BadRecord]:
    path = tmp_path / "stream.jsonl"
    path.write_bytes(b"\n".join(x if isinstance(x, bytes) else x.encode() for x in lines) + b"\n")
    return list(open_stream(path, **options))  # type: ignore[arg-type]


def only_record(items: list[Record | BadRecord]) -> Record:
    [item] = items
    assert isinstance(item, Record), item
    return item


def only_reason(items: list[Record | BadRecord]) -> str:
    [item] = items
    assert isinstance(item, BadRecord), item
    return item.reason


def test_fields_named_as_the_arguments_of_remember_arrive_as_they_are(tmp_path: Path) -> None:
    line = {
        "content": "The kettle broke",
        "title": "Kettle",
        "occurred_at": "2026-05-04T08:30:00+02:00",
        "ended_at": "2026-05-04T09:00:00+02:00",
        "source": "journal",
        "actor": "Ada",
        "payload": {"deadline": "2026-05-09"},
        "media": [{"mime": "image/png", "uri": "file:///kettle.png"}],
        "emotional_weight": -0.25,
        "arousal": 0.5,
        "valence": "negative",
        "memory_type": "episodic",
        "privacy_level": "private",
        "source_agent": "phone",
        "idempotency_key": "k-1",
    }
    experience = only_record(read_lines(tmp_path, json.dumps(line))).experience
    assert experience.occurred_at == datetime(2026, 5, 4, 6, 30, tzinfo=UTC)
    assert experience.ended_at == datetime(2026, 5, 4, 7, 0, tzinfo=UTC)
    for name in set(line) - {"occurred_at", "ended_at"}:
        assert getattr(experience, name) == line[name], name


def test_common_other_names_are_understood_and_the_rest_is_kept_in_the_payload(tmp_path: Path) -> None:
    line = '{"text": "hello", "timestamp": "2026-05-04T08:30:00Z", "user": 17, "mood": "fine", "empty": null}'
    experience = only_record(read_lines(tmp_path, line)).experience
    assert experience.content == "hello"
    assert experience.occurred_at == datetime(2026, 5, 4, 8, 30, tzinfo=UTC)
    assert experience.actor == "17"
    assert experience.payload == {"mood": "fine"}


def test_a_payload_of_its_own_wins_over_a_loose_field_of_the_same_name(tmp_path: Path) -> None:
    line = '{"content": "x", "a": 1, "b": 2, "payload": {"a": 3}}'
    assert only_record(read_lines(tmp_path, line)).experience.payload == {"a": 3, "b": 2}


def test_a_mapping_names_the_key_of_a_field_and_frees_its_usual_name(tmp_path: Path) -> None:
    line = '{"content": "draft", "body": "final"}'
    experience = only_record(read_lines(tmp_path, line, mapping={"content": "body"})).experience
    assert experience.content == "final"
    assert experience.payload == {"content": "draft"}


def test_a_mapping_of_an_unknown_field_is_refused_with_the_fields_there_are(tmp_path: Path) -> None:
    with pytest.raises(IngestFormatError, match=r"'contnt'.*content, title"):
        read_lines(tmp_path, "{}", mapping={"contnt": "body"})


def test_equal_lines_stay_two_events_and_reading_again_gives_the_same_keys(tmp_path: Path) -> None:
    def keys() -> list[str | None]:
        items = read_lines(tmp_path, '{"content": "tick"}', '{"content": "tick"}')
        return [item.experience.idempotency_key for item in items if isinstance(item, Record)]

    first = keys()
    assert len(set(first)) == 2
    assert keys() == first


def test_another_file_of_the_same_name_has_other_keys(tmp_path: Path) -> None:
    first = only_record(read_lines(tmp_path, '{"content": "here"}'))
    second = only_record(read_lines(tmp_path, '{"content": "elsewhere"}'))
    assert first.experience.idempotency_key != second.experience.idempotency_key


def test_a_time_without_a_zone_is_refused_unless_a_zone_is_given(tmp_path: Path) -> None:
    line = '{"content": "x", "occurred_at": "2026-01-04T08:30:00"}'
    assert "has no zone" in only_reason(read_lines(tmp_path, line))
    experience = only_record(read_lines(tmp_path, line, zone=ZoneInfo("Europe/Berlin"))).experience
    assert experience.occurred_at == datetime(2026, 1, 4, 7, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        # 1,000,000,000 s after the epoch is 2001-09-09 01:46:40 UTC, a date many clocks celebrated.
        (1_000_000_000, datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)),
        (1_000_000_000_500, datetime(2001, 9, 9, 1, 46, 40, 500_000, tzinfo=UTC)),
        ("1000000000", datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)),
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        ("2026-05-04T08:30:00.5-03:30", datetime(2026, 5, 4, 12, 0, 0, 500_000, tzinfo=UTC)),
    ],
)
def test_a_number_is_unix_time_in_seconds_or_milliseconds(tmp_path: Path, written: object, expected: datetime) -> None:
    line = json.dumps({"content": "x", "occurred_at": written})
    assert only_record(read_lines(tmp_path, line)).experience.occurred_at == expected


def test_the_offset_a_time_was_written_with_is_kept(tmp_path: Path) -> None:
    line = '{"content": "x", "occurred_at": "2026-05-04T08:30:00-03:30"}'
    moment = only_record(read_lines(tmp_path, line)).experience.occurred_at
    assert moment is not None
    assert moment.tzinfo == timezone(-timedelta(hours=3, minutes=30))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"content": "x", "emotional_weight": NaN}', "NaN is not JSON"),
        (
            '{"content": "x", "emotional_weight": "nan"}',
            "emotional_weight 'nan' is not a number from -1 to 1",
        ),
        ('{"content": "x", "emotional_weight": 1.01}', "emotional_weight 1.01 is not a number from -1 to 1"),
        ('{"content": "x", "arousal": -0.1}', "arousal -0.1 is not a number from 0 to 1"),
        ('{"content": "x", "arousal": true}', "arousal True is not a number from 0 to 1"),
        ('{"content": "x", "level": 1e999}', "the number 1e999 is too large"),
        ('{"content": "x", "valence": "sad"}', "valence 'sad' is none of positive"),
        ('{"content": "x", "payload": [1]}', r"payload [1] is not a JSON object"),
        ('{"content": "x", "media": [1]}', r"media [1] is not a list of JSON objects"),
        ('{"content": "x", "actor": ["a"]}', "actor ['a'] is not a text"),
        ('{"content": "x", "occurred_at": "yesterday"}', "occurred_at 'yesterday' is not an ISO 8601 time"),
        ('{"content": "x", "occurred_at": "2026"}', "occurred_at '2026' is not an ISO 8601 time"),
        ('{"content": "x", "occurred_at": 1e17}', "outside the years 1 to 9999"),
        ('{"content": "x", "occurred_at": "0001-01-01T00:00:00+14:00"}', "outside the years 1 to 9999"),
        (
            '{"content": "x", "occurred_at": "2026-05-04T09:00:00Z", "ended_at": "2026-05-04T08:00:00Z"}',
            "is before occurred_at",
        ),
        ('{"content": "x", "ended_at": "2026-05-04T08:00:00Z"}', "ended_at without occurred_at"),
        ('{"content": " "}', "no content"),
        ('{"title": "only a title"}', "no content"),
        ('["content"]', "not a JSON object"),
        ('{"content": "x"', "not JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_cannot_be_an_event_is_a_bad_record_with_its_reason(tmp_path: Path, line: str, reason: str) -> None:
    assert reason in only_reason(read_lines(tmp_path, line))


def test_a_bad_line_is_reported_by_its_number_and_the_others_are_read(tmp_path: Path) -> None:
    items = read_lines(tmp_path, '{"content": "a"}', "", b'{"content": "\xff"}', '{"content": "b"}')
    assert [(item.number, isinstance(item, Record)) for item in items] == [(1, True), (3, False), (4, True)]
    bad = items[1]
    assert isinstance(bad, BadRecord)
    assert bad.reason == "not UTF-8: byte 0xff at position 14"


@pytest.mark.parametrize(
    "line",
    [
        r'{"content": "a\u0000b"}',
        r'{"content": "a\ud800b"}',
        r'{"content": "x", "payload": {"k\u0000": 1}}',
        r'{"content": "x", "loose": [{"a": "\udfff"}]}',
    ],
)
def test_a_record_with_characters_postgresql_cannot_store_is_good_and_marked(tmp_path: Path, line: str) -> None:
    assert only_record(read_lines(tmp_path, line)).cleaned
    assert not only_record(read_lines(tmp_path, r'{"content": "\ud83d\ude00"}')).cleaned


def test_a_byte_order_mark_windows_line_ends_and_a_missing_last_one_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"content": "a"}\r\n{"content": "b"}')
    assert [i.experience.content for i in open_stream(path) if isinstance(i, Record)] == ["a", "b"]


def test_a_line_of_three_megabytes_is_one_event(tmp_path: Path) -> None:
    text = "word " * 600_000
    assert only_record(read_lines(tmp_path, json.dumps({"content": text}))).experience.content == text


def test_a_line_beyond_the_limit_is_bad_and_the_next_one_is_read(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_text('{"content": "' + "x" * 500 + '"}\n{"content": "short"}\n')
    first, second = open_jsonl(path, Reading(origin=path.name), limit=100)
    assert first == BadRecord(1, "longer than 100 bytes")
    assert isinstance(second, Record)
    assert second.number == 2


def test_the_position_moves_from_nothing_to_the_size_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_text('{"content": "a"}\n{"content": "b"}\n')
    stream = open_stream(path)
    assert (stream.position, stream.total, stream.unit) == (0, 34, "bytes")
    positions = [stream.position for _ in stream]
    assert positions == [17, 34]
