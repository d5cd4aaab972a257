"""One tenant's memory as a file of JSON lines, and back: what `cognifold export` and `cognifold import` do.

The lines are made and read by the database (``cognifold.export_tenant``, ``cognifold.import_tenant``); here they are
only carried, a block at a time, through gzip, xz or bzip2 where the file is one of those.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import psycopg

from cognifold_pg.errors import FileNotWholeError, InvalidValueError, errors_by_class

# Which of a file's first bytes say how it was packed, which ending asks for it, and what opens it.
_PACKERS: tuple[tuple[bytes, str, Callable[..., Any]], ...] = (
    (b"\x1f\x8b", ".gz", gzip.open),
    (b"\xfd7zXZ\x00", ".xz", lzma.open),
    (b"BZh", ".bz2", bz2.open),
)
_UNKNOWN_PACKERS = {b"\x28\xb5\x2f\xfd": "zstd"}
_LINES_AT_ONCE = 2000
_BLOCK = 1 << 18

# Lines of JSON hold none of these signs, so that COPY takes each line as the one value it is.
_COPY = "COPY import_line (line) FROM STDIN (FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01', ESCAPE E'\\x01')"


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote: how many lines (head and end among them), the rows of each table, what was left out."""

    lines: int
    counts: dict[str, int]
    left_out: dict[str, int]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import made: the tenant, the rows of each table, what the file had left out, the embedding model.

    ``vectors`` is ``imported``, ``made anew``, or ``awaited``: an outside model's, which ``reembed`` then gets.
    """

    tenant: str
    lines: int
    counts: dict[str, int]
    left_out: dict[str, int]
    model: str
    vectors: str


def export_tenant(
    dsn: str,
    tenant: str,
    to: Path | BinaryIO,
    *,
    embeddings: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Exported:
    """Write a tenant's memory, all of one moment, to a file; ``embeddings`` takes the vectors along.

    A path ending in ``.gz``, ``.xz`` or ``.bz2`` is packed, and is there under its name only when it is whole.
    ``progress`` is told the lines so far and how many there will be. Raises as the verb does (``CF002``, ``CF003``).
    """
    with _written(to) as file, _errors(), psycopg.connect(dsn, client_encoding="UTF8") as connection:
        connection.read_only = True
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        with connection.cursor(name="export") as cursor:
            cursor.itersize = _LINES_AT_ONCE
            cursor.execute("SELECT line FROM cognifold.export_tenant(%s, %s)", [embeddings, tenant])
            header: dict[str, Any] = {}
            number = 0
            total = 0
            for (line,) in cursor:
                if number == 0:
                    header = json.loads(line)
                    total = sum(header["counts"].values()) + 2
                file.write(line.encode() + b"\n")
                number += 1
                if progress is not None and number % _LINES_AT_ONCE == 0:
                    progress(number, total)
    return Exported(number, header["counts"], header["left_out"])


def import_tenant(
    dsn: str,
    source: Path | BinaryIO,
    *,
    tenant: str | None = None,
    model: str | None = None,
    started: Callable[[], None] | None = None,
) -> Imported:
    """Make a tenant from a file of :func:`export_tenant`, packed or not: whole, or not at all.

    ``tenant`` is another name than the file's; it must be new, or empty. ``model`` is another embedding model.
    ``started`` is called once the file is read and the database begins. The role must own the memory's tables (be a
    superuser, or a member of ``cognifold_owner``). Raises :class:`~cognifold_pg.errors.FileNotWholeError` for a file
    that was cut or changed, naming the line, and :class:`~cognifold_pg.errors.NewerFormatError` for one of a later
    version.
    """
    with _read(source) as file, _errors(), psycopg.connect(dsn, client_encoding="UTF8") as connection:
        connection.execute(
            "CREATE TEMPORARY TABLE import_line (place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, line text) "
            "ON COMMIT DROP"
        )
        with connection.cursor().copy(_COPY) as copy:
            while block := _block_of(file):
                copy.write(block)
        if started is not None:
            started()
        row = connection.execute(
            "SELECT cognifold.import_tenant('pg_temp.import_line', %s, %s)", [tenant, model]
        ).fetchone()
    assert row is not None
    return Imported(**row[0])


@contextmanager
def _errors() -> Iterator[None]:
    """The memory's errors by their class; what COPY cannot take as the line that it is."""
    try:
        with errors_by_class():
            yield
    except psycopg.DataError as error:
        place = re.search(r"\bline (\d+)", error.diag.context or "")
        if place is None or "COPY import_line" not in (error.diag.context or ""):
            raise
        raise FileNotWholeError(
            f"line {place[1]} cannot be imported: {error.diag.message_primary}. Nothing was written. "
            "Take the file as export_tenant wrote it, whole and unchanged."
        ) from error


@contextmanager
def _written(to: Path | BinaryIO) -> Iterator[BinaryIO]:
    if not isinstance(to, Path):
        yield to
        return
    if to.suffix in (".zst", ".zstd"):
        raise InvalidValueError(f"{to.name} asks for zstd, which is not at hand. End it in .gz, .xz or .bz2.")
    part = to.with_name(to.name + ".part")
    opener = next((opener for _, ending, opener in _PACKERS if to.suffix == ending), open)
    try:
        with cast(BinaryIO, opener(part, "wb")) as file:
            yield file
        part.replace(to)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _read(source: Path | BinaryIO) -> Iterator[BinaryIO]:
    """The lines of a file, unpacked by what its first bytes say."""
    if isinstance(source, Path):
        with source.open("rb") as file, _read(file) as lines:
            yield lines
        return
    buffered = source if isinstance(source, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, source))
    first = buffered.peek(6)[:6]
    if name := next((name for magic, name in _UNKNOWN_PACKERS.items() if first.startswith(magic)), None):
        raise InvalidValueError(f"The file is packed with {name}, which is not at hand. Unpack it: {name} -d.")
    opener = next((opener for magic, _, opener in _PACKERS if first.startswith(magic)), None)
    if opener is None:
        yield buffered
        return
    with cast(BinaryIO, opener(buffered, "rb")) as lines:
        yield lines


def _block_of(file: BinaryIO) -> bytes:
    try:
        return file.read(_BLOCK)
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error, OSError) as error:
        raise FileNotWholeError(
            f"The file cannot be unpacked to its end, and is not whole: {error}. Nothing was written."
        ) from error
