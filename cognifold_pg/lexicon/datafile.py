"""The lexicon's data file: how it is written and read.

One gzip member holding, in this order: a line of JSON (:class:`Header`), the words in UTF-8 with a line feed
after each, their frequencies as little-endian uint16, the vectors as int8, component by component. A
frequency is stored as milli-Zipf, round(1000 * log10(occurrences per 10^9 words)): 0.2 % apart. A vector is
stored as whole numbers of its word's grid and set to unit length when read, so the reader need not know the
grid. Component by component, because each has a spread of its own and Huffman codes adapt along the way;
searching for repeats would find none.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cognifold_pg.errors import CognifoldError

DATA_FILE = Path(__file__).with_name("lexicon.gz")
CHECKSUM_FILE = Path(__file__).with_name("checksum.txt")
FORMAT = 1


class LexiconFileError(CognifoldError):
    """The data file is missing, damaged, or of a format this version can't read."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a reader must know before the data, and what it was made from."""

    format: int
    words: int
    dimensions: int
    text_bytes: int
    smoothing: float
    unknown_frequency: float
    made_from: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words with their frequencies and vectors.

    ``words``: whole words, and continuations of words written ``##ing``; unique, most frequent first, then
    the pieces. ``frequencies``: share of all words of English that is this one, in (0, 1], float32, shape
    (n,); pieces have the frequency of an unknown word. ``vectors``: unit length, float32, shape (n,
    dimensions). ``smoothing`` is a in the document weight a / (a + frequency); ``unknown_frequency`` stands
    for a word that is not listed. ``checksum``: SHA-256 of the data file, hexadecimal.
    """

    words: tuple[str, ...]
    frequencies: npt.NDArray[np.float32]
    vectors: npt.NDArray[np.float32]
    smoothing: float
    unknown_frequency: float
    checksum: str

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        return int(self.vectors.shape[1])

    @property
    def document_weights(self) -> npt.NDArray[np.float32]:
        """What each word weighs in a document, in (0, 1], float32, shape (n,)."""
        share = self.frequencies.astype(np.float64)
        return (self.smoothing / (self.smoothing + share)).astype(np.float32)

    @property
    def document_vectors(self) -> npt.NDArray[np.float16]:
        """Each vector times its word's document weight, in half precision: what the database stores; shape
        (n, d)."""
        return (self.vectors * self.document_weights[:, None]).astype(np.float16)


def write_lexicon(lexicon: Lexicon, steps: npt.NDArray[np.float32], made_from: str, path: Path = DATA_FILE) -> str:
    """Write the data file and its checksum beside it; returns the checksum.

    :param steps: the grid of each word's vector, > 0, shape (n,).
    :raises LexiconFileError: a component does not fit int8 on its grid.
    """
    grid = np.rint(lexicon.vectors / steps[:, None])
    if np.abs(grid).max() > 127:
        raise LexiconFileError(f"A component is {np.abs(grid).max():.0f} steps of its grid; 127 fit.")
    text = "".join(f"{word}\n" for word in lexicon.words).encode()
    header = Header(
        format=FORMAT,
        words=len(lexicon.words),
        dimensions=lexicon.dimensions,
        text_bytes=len(text),
        smoothing=lexicon.smoothing,
        unknown_frequency=lexicon.unknown_frequency,
        made_from=made_from,
    )
    zipf = np.rint(1000 * (np.log10(lexicon.frequencies.astype(np.float64)) + 9)).astype("<u2")
    encoder = zlib.compressobj(9, zlib.DEFLATED, 31, 9, zlib.Z_HUFFMAN_ONLY)  # 31: with gzip's header, no timestamp
    parts = (
        json.dumps(asdict(header)).encode() + b"\n",
        text,
        zipf.tobytes(),
        grid.astype(np.int8).T.tobytes(),
    )
    data = b"".join(encoder.compress(part) for part in parts) + encoder.flush()
    path.write_bytes(data)
    checksum = hashlib.sha256(data).hexdigest()
    path.with_name(CHECKSUM_FILE.name).write_text(f"{checksum}  {path.name}\n", encoding="ascii")
    return checksum


def shipped_checksum(path: Path = DATA_FILE) -> str:
    """What ``checksum.txt`` says of the data file: SHA-256, hexadecimal.

    :raises LexiconFileError: ``checksum.txt`` is missing.
    """
    try:
        return path.with_name(CHECKSUM_FILE.name).read_text(encoding="ascii").split()[0]
    except OSError as error:
        raise LexiconFileError(f"The lexicon can't be read: {error}. Reinstall cognifold-pg.") from error


def read_lexicon(path: Path = DATA_FILE) -> Lexicon:
    """The lexicon as shipped, after comparing the file with its checksum.

    :raises LexiconFileError: the file is missing, does not match ``checksum.txt``, or is of another format.
    """
    return read_lexicon_and_grid(path)[0]


def read_lexicon_and_grid(path: Path = DATA_FILE) -> tuple[Lexicon, npt.NDArray[np.int8]]:
    """The lexicon, and its vectors as the whole numbers that are stored, shape (n, dimensions).

    :raises LexiconFileError: as :func:`read_lexicon`.
    """
    expected = shipped_checksum(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LexiconFileError(f"The lexicon can't be read: {error}. Reinstall cognifold-pg.") from error
    checksum = hashlib.sha256(data).hexdigest()
    if checksum != expected:
        raise LexiconFileError(
            f"The lexicon {path} has the checksum {checksum}, not {expected} as {CHECKSUM_FILE.name} says. "
            "It is damaged or half replaced: reinstall cognifold-pg."
        )
    content = memoryview(gzip.decompress(data))
    header_bytes = bytes(content[:4096]).index(b"\n") + 1
    fields = json.loads(bytes(content[:header_bytes]))
    if fields.get("format") != FORMAT:
        raise LexiconFileError(f"The lexicon has format {fields.get('format')}; this version reads {FORMAT}.")
    header = Header(**fields)
    text_end = header_bytes + header.text_bytes
    matrix_start = text_end + 2 * header.words
    zipf = np.frombuffer(content[text_end:matrix_start], dtype="<u2")
    grid = np.frombuffer(content[matrix_start:], dtype=np.int8).reshape(header.dimensions, header.words).T
    vectors = np.ascontiguousarray(grid, dtype=np.float32)
    vectors /= np.sqrt(np.square(vectors).sum(axis=1, keepdims=True))
    lexicon = Lexicon(
        words=tuple(bytes(content[header_bytes:text_end]).decode().split("\n")[:-1]),
        frequencies=(10.0 ** (zipf / 1000.0 - 9)).astype(np.float32),
        vectors=vectors,
        smoothing=header.smoothing,
        unknown_frequency=header.unknown_frequency,
        checksum=checksum,
    )
    return lexicon, grid
