"""From a path to a :class:`Stream`: its format is found by file name and first line, or taken as told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo
from enum import StrEnum
from pathlib import Path
from typing import Any

from cognifold_pg.errors import CognifoldError
from cognifold_pg.ingest.csvfile import DELIMITERS, CsvHeaderError, open_csv
from cognifold_pg.ingest.documents import open_scenario, open_timeline
from cognifold_pg.ingest.fields import BadFieldError, Reading, strict_json
from cognifold_pg.ingest.jsonl import open_jsonl
from cognifold_pg.ingest.lines import numbered_lines
from cognifold_pg.ingest.locomo import open_locomo
from cognifold_pg.ingest.stream import Stream


class Format(StrEnum):
    """The formats there are a reader for."""

    JSONL = "jsonl"
    CSV = "csv"
    TIMELINE = "timeline"
    SCENARIO = "scenario"
    LOCOMO = "locomo"


FORMATS: tuple[str, ...] = tuple(Format)

_BY_SUFFIX = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "csv"}
# Documents are read whole; the line-by-line formats have no such limit.
_MAX_DOCUMENT_BYTES = 256 * 1024 * 1024


class IngestFormatError(CognifoldError, ValueError):
    """The file cannot be read as any known format, or not as the one that was asked for."""


def open_stream(
    path: Path,
    format: str | None = None,
    mapping: Mapping[str, str] | None = None,
    zone: tzinfo | None = None,
) -> Stream:
    """The events of the file at ``path``, in its own order.

    ``format``: one of :data:`FORMATS`, or None to find it. ``mapping``: field of ``remember`` -> column or
    key (JSON Lines and CSV). ``zone``: for times that name none; without it such a record is bad. Raises
    IngestFormatError, and OSError when the file cannot be read.
    """
    chosen = format or _format_by_name(path) or _format_by_first_line(path)
    if chosen is not None and chosen not in FORMATS:
        raise IngestFormatError(f"unknown format {chosen!r}: one of {', '.join(FORMATS)}")
    try:
        reading = Reading(origin=path.name, mapping=dict(mapping or {}), zone=zone)
        if chosen == "jsonl":
            return open_jsonl(path, reading)
        if chosen == "csv":
            return open_csv(path, reading)
    except (BadFieldError, CsvHeaderError) as error:
        raise IngestFormatError(str(error)) from None
    if mapping:
        raise IngestFormatError(f"{path.name}: a mapping is for JSON Lines and CSV, whose fields are free")
    return _open_document(path, chosen, reading)


def _open_document(path: Path, chosen: str | None, reading: Reading) -> Stream:
    document = _document_of(path)
    found = _document_format(document)
    chosen = chosen or found
    if chosen is None:
        raise IngestFormatError(_unknown_document(path.name, document))
    if (chosen == "locomo") != (found == "locomo") or found is None:
        raise IngestFormatError(f"{path.name} is not a {chosen} document")
    if chosen == "timeline":
        return open_timeline(path.name, document, reading)
    if chosen == "scenario":
        return open_scenario(path.name, document, reading)
    return open_locomo(path.name, document, reading)


def _format_by_name(path: Path) -> str | None:
    return _BY_SUFFIX.get(path.suffix.lower())


def _format_by_first_line(path: Path) -> str | None:
    """``jsonl`` when the first line is an object of its own, ``csv`` when it is a header, else None."""
    with path.open("rb") as file:
        first = next((line for _, line in numbered_lines(file) if line is None or line.strip()), None)
    if first is None:
        return None
    if first.lstrip()[:1] in (b"{", b"["):
        try:
            value = strict_json(first.decode("utf-8"))
        except ValueError:
            return None
        return "jsonl" if isinstance(value, dict) and _document_format(value) is None else None
    try:
        header = first.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "csv" if any(mark in header for mark in DELIMITERS) else None


def _document_of(path: Path) -> Any:
    size = path.stat().st_size
    if size > _MAX_DOCUMENT_BYTES:
        raise IngestFormatError(f"{path.name} has {size} bytes: a document this large must be JSON Lines")
    try:
        return strict_json(path.read_bytes().decode("utf-8-sig"))
    except ValueError as error:
        raise IngestFormatError(
            f"cannot tell the format of {path.name}: not JSON ({error}), no CSV header; "
            f"name it with --format {'|'.join(FORMATS)}"
        ) from None


def _document_format(document: Any) -> str | None:
    """Which of the document formats ``document`` is, by the keys only that format has."""
    first = document[0] if isinstance(document, list) and document else document
    if not isinstance(first, dict):
        return None
    if isinstance(first.get("conversation"), dict):
        return "locomo"
    if isinstance(document, dict) and isinstance(document.get("events"), list):
        return "scenario" if "scenario_id" in document else "timeline"
    return None


def _unknown_document(name: str, document: Any) -> str:
    if isinstance(document, list):
        return f"{name} is a JSON array: write one object a line (JSON Lines), as `jq -c '.[]'` does"
    return f"{name} is JSON, but neither a timeline, a scenario nor a LoCoMo file"
