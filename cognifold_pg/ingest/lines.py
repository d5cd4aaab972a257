"""Lines of a file as bytes, with their numbers, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

# PostgreSQL stores a text of up to 1 GB, but one event of that size is a mistake in the file (a missing line
# end). 64 MiB leaves room for any real one and keeps the reader's memory bounded.
MAX_LINE_BYTES = 64 * 1024 * 1024

_BOM = b"\xef\xbb\xbf"
_CHUNK = 1024 * 1024


def numbered_lines(file: BinaryIO, limit: int = MAX_LINE_BYTES) -> Iterator[tuple[int, bytes | None]]:
    """Each line with its number from 1, line end kept, byte order mark removed.

    A line longer than ``limit`` bytes comes as None; its rest is passed over without being held.
    """
    number = 0
    while line := file.readline(limit + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(_BOM)
        if len(line) <= limit:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(_CHUNK)
        yield number, None


def why_not_utf8(error: UnicodeDecodeError) -> str:
    """The reason a line could not be decoded, in a reader's words."""
    return f"not UTF-8: byte 0x{error.object[error.start]:02x} at position {error.start + 1}"
