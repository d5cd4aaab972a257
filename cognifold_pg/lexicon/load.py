"""Put the lexicon into the database: once for each release of the data file, whoever installs and how
often."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import psycopg

from cognifold_pg.errors import CognifoldError
from cognifold_pg.lexicon.affect import affect_checksum, read_affect
from cognifold_pg.lexicon.datafile import Lexicon, read_lexicon, shipped_checksum

# COPY's binary format: signature, flags, length of the header's extension; -1 fields end the data.
_COPY_START = b"PGCOPY\n\xff\r\n\x00" + struct.pack("!ii", 0, 0)
_COPY_END = struct.pack("!h", -1)
_ROWS_AT_ONCE = 4096


class LexiconMismatchError(CognifoldError):
    """The database holds another release of the lexicon, whose vectors can't be compared with this one's."""


def load_lexicon(conn: psycopg.Connection[Any], lexicon: Lexicon | None = None, *, replace: bool = False) -> bool:
    """Load the shipped lexicon (or the given one) unless the database holds it already; True if it was
    loaded.

    Runs in the connection's transaction, or one of its own under autocommit. Installers that come at the same
    time wait for the first one and then find the work done. Needs INSERT, and TRUNCATE to replace, on the two
    tables of ``sql/versioned/0002_lexicon.sql``.

    :param replace: load although another release is there. Every vector stored so far is then worthless and
        has to be made again from its text.
    :raises LexiconMismatchError: another release is there, and ``replace`` was not said.
    :raises LexiconFileError: the data file is damaged.
    """
    checksum = lexicon.checksum if lexicon else shipped_checksum()
    with conn.transaction(), conn.cursor() as cursor:
        cursor.execute("LOCK TABLE cognifold.lexicon_release IN SHARE ROW EXCLUSIVE MODE")
        row = cursor.execute("SELECT checksum FROM cognifold.lexicon_release").fetchone()
        if row is not None and row[0] == checksum:
            return False
        if row is not None and not replace:
            raise LexiconMismatchError(
                f"The database holds the lexicon {row[0][:12]}, this version ships {checksum[:12]}: their "
                "vectors can't be compared. Keep the version of cognifold-pg that loaded it, or load this "
                "one with replace=True and embed every text again."
            )
        lexicon = lexicon or read_lexicon()
        if row is not None:
            cursor.execute("TRUNCATE cognifold.lexicon, cognifold.lexicon_release")
        with cursor.copy(
            "COPY cognifold.lexicon (word, frequency, document_weight, document_vector) FROM STDIN (FORMAT binary)"
        ) as copy:
            for block in _copy_blocks(lexicon):
                copy.write(block)
        cursor.execute(
            "INSERT INTO cognifold.lexicon_release "
            "(checksum, word_count, smoothing, unknown_frequency, loaded_at) "
            "VALUES (%s, %s, %s, %s, clock_timestamp())",
            (lexicon.checksum, len(lexicon.words), lexicon.smoothing, lexicon.unknown_frequency),
        )
        cursor.execute("ANALYZE cognifold.lexicon")
    return True


def load_affect(conn: psycopg.Connection[Any]) -> bool:
    """Load what the words feel like, unless the database holds the shipped fit already; True if it was
    loaded.

    Another fit is replaced: what it said of the events stored so far stays with them. Runs in the connection's
    transaction, or one of its own under autocommit; installers that come at the same time wait for the first.

    :raises LexiconFileError: the data file is damaged.
    """
    checksum = affect_checksum()
    with conn.transaction(), conn.cursor() as cursor:
        cursor.execute("LOCK TABLE cognifold.affect_release IN SHARE ROW EXCLUSIVE MODE")
        row = cursor.execute("SELECT checksum FROM cognifold.affect_release").fetchone()
        if row is not None and row[0] == checksum:
            return False
        model = read_affect()
        cursor.execute("DELETE FROM cognifold.affect_word")
        cursor.execute("DELETE FROM cognifold.affect_release")
        ordered = sorted(zip(model.words, model.scores.tolist(), strict=True), key=lambda item: item[0].encode())
        with cursor.copy("COPY cognifold.affect_word (word, valence, arousal) FROM STDIN") as copy:
            # Words are letters, digits and apostrophes: nothing that COPY would take for its own signs.
            copy.write("".join(f"{word}\t{valence:.3f}\t{arousal:.3f}\n" for word, (valence, arousal) in ordered))
        cursor.execute(
            "INSERT INTO cognifold.affect_release "
            "(checksum, word_count, valence_weights, arousal_weights, neutral, mixed, loaded_at) "
            "VALUES (%s, %s, %s, %s, %s, %s, clock_timestamp())",
            (model.checksum, len(model.words), *model.weights.T.tolist(), model.neutral, model.mixed),
        )
        cursor.execute("ANALYZE cognifold.affect_word")
    return True


def _copy_blocks(lexicon: Lexicon) -> Iterator[bytes]:
    """The table in COPY's binary format, a few thousand rows at a time, in the order of its primary key."""
    words = [word.encode() for word in lexicon.words]
    # By bytes, as COLLATE "C" compares: the index only grows at its end.
    order = sorted(range(len(words)), key=words.__getitem__)
    # A row's numbers are four bytes each; a halfvec is its dimensions, two spare bytes and the halves, all
    # big-endian.
    frequencies = lexicon.frequencies.astype(">f4").tobytes()
    weights = lexicon.document_weights.astype(">f4").tobytes()
    vectors = lexicon.document_vectors.astype(">f2").tobytes()
    size = 2 * lexicon.dimensions
    vector_head = struct.pack("!ihh", 4 + size, lexicon.dimensions, 0)
    four_bytes = struct.pack("!i", 4)
    yield _COPY_START
    for start in range(0, len(order), _ROWS_AT_ONCE):
        block: list[bytes] = []
        for row in order[start : start + _ROWS_AT_ONCE]:
            word = words[row]
            block += (
                struct.pack("!hi", 4, len(word)),
                word,
                four_bytes,
                frequencies[4 * row : 4 * row + 4],
                four_bytes,
                weights[4 * row : 4 * row + 4],
                vector_head,
                vectors[size * row : size * row + size],
            )
        yield b"".join(block)
    yield _COPY_END
