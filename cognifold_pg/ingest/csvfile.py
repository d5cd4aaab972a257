"""CSV: a header line, then one event a row; columns are matched by name or by the caller's mapping."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cognifold_pg.ingest.fields import ALIASES, BadFieldError, Reading, key_of, to_experience
from cognifold_pg.ingest.lines import MAX_LINE_BYTES, numbered_lines
from cognifold_pg.ingest.stream import BadRecord, Item, Record, Stream

DELIMITERS = ",;\t|"


class CsvHeaderError(ValueError):
    """The header does not carry what the mapping names, or names a column twice."""


def open_csv(path: Path, reading: Reading, limit: int = MAX_LINE_BYTES) -> Stream:
    """The stream of a CSV file; the delimiter is whichever of ``, ; tab |`` its header uses most.

    A row's number is the line it begins on. Columns nobody maps go to the payload as text. Raises
    CsvHeaderError when the header lacks a mapped column, or one for the content.
    """
    with path.open("rb") as file:
        first = next((line for _, line in numbered_lines(file, limit)), None) or b""
    delimiter = _delimiter_of(first)
    header = _header_of(first, delimiter)
    _check_header(path.name, header, reading)

    def read(stream: Stream) -> Iterator[Item]:
        csv.field_size_limit(limit)
        with path.open("rb") as file:
            seen = oversized = 0

            def texts() -> Iterator[str]:
                nonlocal seen, oversized
                for number, line in numbered_lines(file, limit):
                    seen = number
                    if line is None:
                        oversized = number
                    # Bytes that are not UTF-8 travel as lone surrogates, so that the row that holds them,
                    # and only that row, is reported.
                    yield "" if line is None else line.decode("utf-8", "surrogateescape")

            rows = csv.reader(texts(), delimiter=delimiter, strict=True)
            while True:
                begins = seen + 1
                try:
                    row = next(rows)
                except StopIteration:
                    return
                except csv.Error as error:
                    stream.position = file.tell()
                    yield BadRecord(begins, _why_not_csv(error, begins, seen))
                    continue
                stream.position = file.tell()
                if oversized >= begins:
                    yield BadRecord(begins, f"longer than {limit} bytes")
                elif begins > 1 and row:
                    yield _item(begins, row, header, reading)

    return Stream(name=path.name, format="csv", unit="bytes", total=path.stat().st_size, read=read)


def _item(number: int, row: list[str], header: list[str], reading: Reading) -> Item:
    if len(row) != len(header):
        return BadRecord(number, f"{len(row)} fields where the header has {len(header)}")
    for column, value in zip(header, row, strict=True):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as error:
            byte = ord(value[error.start]) & 0xFF
            return BadRecord(number, f"not UTF-8: byte 0x{byte:02x} in column {column!r}")
    raw = json.dumps(row).encode()
    try:
        experience, cleaned = to_experience(
            dict(zip(header, row, strict=True)), reading, key_of(reading.origin, number, raw)
        )
    except BadFieldError as error:
        return BadRecord(number, str(error))
    return Record(number, experience, cleaned)


def _delimiter_of(first: bytes) -> str:
    counts = Counter(first.decode("utf-8", "replace"))
    return max(DELIMITERS, key=lambda mark: counts[mark])


def _header_of(first: bytes, delimiter: str) -> list[str]:
    rows = list(csv.reader([first.decode("utf-8", "replace")], delimiter=delimiter))
    return [name.strip() for name in rows[0]] if rows else []


def _check_header(name: str, header: list[str], reading: Reading) -> None:
    twice = [column for column, count in Counter(header).items() if count > 1]
    if twice:
        raise CsvHeaderError(f"{name} has the column {twice[0]!r} twice: rename one")
    for field, column in reading.mapping.items():
        if column not in header:
            raise CsvHeaderError(f"{name} has no column {column!r} for {field}: its columns are {_quoted(header)}")
    wanted = ("content", *ALIASES["content"])
    if header and "content" not in reading.mapping and not set(wanted) & set(header):
        raise CsvHeaderError(
            f"{name} has no column for content ({', '.join(wanted)}): its columns are {_quoted(header)}. "
            "Say which of them holds the text of an event: --map content=COLUMN"
        )


def _quoted(header: list[str]) -> str:
    return ", ".join(map(repr, header)) or "none"


def _why_not_csv(error: csv.Error, begins: int, seen: int) -> str:
    if seen > begins:
        return f"not CSV: {error} (a quote opened here swallows everything up to line {seen})"
    return f"not CSV: {error}"
