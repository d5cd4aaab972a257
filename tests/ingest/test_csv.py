from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from cognifold_pg.ingest import BadRecord, IngestFormatError, Record, open_stream
from cognifold_pg.ingest.csvfile import open_csv
from cognifold_pg.ingest.fields import Reading


def read_csv(tmp_path: Path, text: str | bytes, **options: object) -> list[Record | BadRecord]:
    path = tmp_path / "table.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(open_stream(path, **options))  # type: ignore[arg-type]


def test_columns_are_mapped_as_asked_and_the_others_go_to_the_payload(tmp_path: Path) -> None:
    table = "ts,who,body,level\n2026-05-04T08:30:00Z,Ada,The kettle broke,3\n"
    mapping = {"content": "body", "occurred_at": "ts", "actor": "who"}
    [item] = read_csv(tmp_path, table, mapping=mapping)
    assert isinstance(item, Record)
    assert item.number == 2
    assert item.experience.content == "The kettle broke"
    assert item.experience.occurred_at == datetime(2026, 5, 4, 8, 30, tzinfo=UTC)
    assert item.experience.actor == "Ada"
    assert item.experience.payload == {"level": "3"}


def test_a_mapped_column_the_header_lacks_is_refused_with_the_columns_there_are(tmp_path: Path) -> None:
    with pytest.raises(IngestFormatError, match="no column 'body' for content: its columns are 'a', 'b'"):
        read_csv(tmp_path, "a,b\n1,2\n", mapping={"content": "body"})


def test_a_column_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IngestFormatError, match="the column 'a' twice"):
        read_csv(tmp_path, "a,a\n1,2\n")


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_the_header_uses(tmp_path: Path, mark: str) -> None:
    [item] = read_csv(tmp_path, f"content{mark}actor{mark}arousal\nhello{mark}Ada{mark}0.5\n")
    assert isinstance(item, Record)
    assert (item.experience.content, item.experience.actor, item.experience.arousal) == ("hello", "Ada", 0.5)


def test_a_quoted_field_may_span_lines_and_the_next_row_keeps_its_line_number(tmp_path: Path) -> None:
    items = read_csv(tmp_path, 'content,actor\n"first\nsecond, ""third""",Ada\nnext,Bo\n')
    assert [item.number for item in items] == [2, 4]
    assert isinstance(items[0], Record)
    assert items[0].experience.content == 'first\nsecond, "third"'


def test_rows_of_another_width_and_broken_quotes_are_bad_by_the_line_they_begin_on(tmp_path: Path) -> None:
    items = read_csv(tmp_path, 'content,actor\na,b,c\n"a"x,b\nok,Bo\n"never closed,b\nlost,c\n')
    assert [(item.number, isinstance(item, Record)) for item in items] == [
        (2, False),
        (3, False),
        (4, True),
        (5, False),
    ]
    assert items[0] == BadRecord(2, "3 fields where the header has 2")
    last = items[-1]
    assert isinstance(last, BadRecord)
    assert "swallows everything up to line 6" in last.reason


def test_a_row_that_is_not_utf8_is_bad_alone(tmp_path: Path) -> None:
    items = read_csv(tmp_path, b"content,actor\ncaf\xe9,Ada\ncafe,Bo\n")
    assert items[0] == BadRecord(2, "not UTF-8: byte 0xe9 in column 'content'")
    assert isinstance(items[1], Record)


def test_a_row_beyond_the_limit_is_bad_and_the_next_one_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("content,actor\n" + "x" * 200 + ",Ada\nshort,Bo\n")
    first, second = open_csv(path, Reading(origin=path.name), limit=100)
    assert first == BadRecord(2, "longer than 100 bytes")
    assert isinstance(second, Record)
    assert second.number == 3


def test_a_payload_column_holds_json(tmp_path: Path) -> None:
    good, bad = read_csv(tmp_path, 'content,payload\na,"{""n"": 1}"\nb,{n}\n')
    assert isinstance(good, Record)
    assert good.experience.payload == {"n": 1}
    assert isinstance(bad, BadRecord)
    assert "payload '{n}' is not JSON" in bad.reason


def test_an_empty_cell_is_an_absent_value(tmp_path: Path) -> None:
    [item] = read_csv(tmp_path, "content,actor,arousal,note\nhello,,,\n")
    assert isinstance(item, Record)
    assert (item.experience.actor, item.experience.arousal, item.experience.payload) == (None, None, None)


def test_equal_rows_stay_two_events(tmp_path: Path) -> None:
    items = read_csv(tmp_path, "content\ntick\ntick\n")
    assert len({item.experience.idempotency_key for item in items if isinstance(item, Record)}) == 2
