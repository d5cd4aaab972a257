"""JSON Lines: one object a line, its keys named as the arguments of ``remember``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cognifold_pg.ingest.fields import BadFieldError, Reading, key_of, strict_json, to_experience
from cognifold_pg.ingest.lines import MAX_LINE_BYTES, numbered_lines, why_not_utf8
from cognifold_pg.ingest.stream import BadRecord, Item, Record, Stream


def open_jsonl(path: Path, reading: Reading, limit: int = MAX_LINE_BYTES) -> Stream:
    """The stream of a JSON Lines file; empty lines are passed over, everything else is an item."""

    def read(stream: Stream) -> Iterator[Item]:
        with path.open("rb") as file:
            for number, line in numbered_lines(file, limit):
                stream.position = file.tell()
                if line is None:
                    yield BadRecord(number, f"longer than {limit} bytes")
                elif line.strip():
                    yield _item(number, line, reading)

    return Stream(name=path.name, format="jsonl", unit="bytes", total=path.stat().st_size, read=read)


def _item(number: int, line: bytes, reading: Reading) -> Item:
    try:
        raw = strict_json(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return BadRecord(number, why_not_utf8(error))
    except ValueError as error:
        return BadRecord(number, f"not JSON: {error}")
    if not isinstance(raw, dict):
        return BadRecord(number, "not a JSON object")
    try:
        experience, cleaned = to_experience(raw, reading, key_of(reading.origin, number, line.strip()))
    except BadFieldError as error:
        return BadRecord(number, str(error))
    return Record(number, experience, cleaned)
