"""The default embedder on the Python side: the same vectors as ``cognifold.embed``, without a database."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from cognifold_pg.embedding.provider import Matrix, Role, unit_rows
from cognifold_pg.lexicon import Lexicon, read_lexicon, words

MAXIMUM_WORD_CHARACTERS = 100  # a longer run is a code, whose pieces say nothing: it is hashed
PRIOR_DOCUMENTS = 100.0  # n0, the default of the setting embed.prior_documents
MINIMUM_RARITY = 0.001  # the default of the setting embed.minimum_rarity

Vector = npt.NDArray[np.float64]


class LexiconEmbedder:
    """Sums of word vectors: what SQL does with a join, done with a dictionary; equal to 1e-5."""

    name = "lexicon"

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self._lexicon = lexicon or read_lexicon()

    @property
    def dimensions(self) -> int:
        """Length of every vector: 256 in the shipped lexicon."""
        return self._lexicon.dimensions

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self._lexicon.words)}

    @cached_property
    def _weights(self) -> npt.NDArray[np.float32]:
        return self._lexicon.document_weights

    @cached_property
    def _vectors(self) -> npt.NDArray[np.float16]:
        return self._lexicon.document_vectors  # in half precision, as the database holds them

    def embed(self, texts: Sequence[str], role: Role = "document") -> Matrix:
        """Unit vectors, shape (len(texts), 256).

        Role ``query`` weighs words as a tenant without any document would; :meth:`embed_query` takes a
        tenant's statistics.

        :raises ZeroVectorError: a text has no word in it (SQL answers NULL);
            :func:`~cognifold_pg.lexicon.words` tells beforehand.
        """
        sums = np.zeros((len(texts), self.dimensions))
        for row, text in enumerate(texts):
            if role == "document":
                for word in words(text):
                    sums[row] += self._document_vector(word)
            else:
                sums[row] = self._query_sum(words(text), 0, {}, PRIOR_DOCUMENTS, MINIMUM_RARITY)
        return unit_rows(sums, self.name, self.dimensions)

    def embed_query(
        self,
        text: str,
        document_count: int,
        document_frequencies: Mapping[str, int],
        prior_documents: float = PRIOR_DOCUMENTS,
        minimum_rarity: float = MINIMUM_RARITY,
    ) -> npt.NDArray[np.float32]:
        """A question's unit vector by a tenant's statistics, shape (256,).

        :param document_count: N, the tenant's documents, >= 0.
        :param document_frequencies: in how many of them each *word* of the question stands (as its lexeme is
            counted: ``cognifold.lexeme``); a word left out stands in none.
        :param prior_documents: n0, documents of ordinary English mixed in, > 0.
        :param minimum_rarity: the least a word weighs, > 0.
        :raises ZeroVectorError: the text has no word in it.
        """
        total = self._query_sum(words(text), document_count, document_frequencies, prior_documents, minimum_rarity)
        row: npt.NDArray[np.float32] = unit_rows(total[None, :], self.name, self.dimensions)[0]
        return row

    def pieces(self, word: str) -> list[str] | None:
        """The rows an unlisted word is composed of, as ``cognifold.word_pieces``; None where it is hashed
        instead."""
        if len(word) > MAXIMUM_WORD_CHARACTERS:
            return None
        found: list[str] = []
        for part in word.split("'"):
            start = 0
            while start < len(part):
                mark = "##" if start else ""
                ends = range(len(part), start, -1)
                end = next((end for end in ends if mark + part[start:end] in self._rows), None)
                if end is None:
                    return None
                found.append(mark + part[start:end])
                start = end
        return found or None

    def _query_sum(
        self,
        asked: Sequence[str],
        documents: float,
        frequencies: Mapping[str, int],
        prior: float,
        minimum: float,
    ) -> Vector:
        total = np.zeros(self.dimensions)
        for word in asked:
            row = self._rows.get(word)
            share = self._lexicon.unknown_frequency if row is None else self._lexicon.frequencies[row]
            weight = 1.0 if row is None else float(self._weights[row])
            rarity = math.log((documents + prior) / (frequencies.get(word, 0) + prior * float(share)))
            total += self._document_vector(word) * (max(minimum, rarity) / weight)
        return total

    def _document_vector(self, word: str) -> Vector:
        row = self._rows.get(word)
        if row is not None:
            return np.asarray(self._vectors[row], dtype=np.float64)
        pieces = self.pieces(word)
        if pieces is None:
            return hashed_vector(word)
        rows = [self._rows[piece] for piece in pieces]
        plain = self._vectors[rows].astype(np.float64) / self._weights[rows, None]
        return np.asarray(plain.mean(axis=0), dtype=np.float64)


def hashed_vector(word: str) -> Vector:
    """A direction of its own for a word of which nothing is known: +-1/16 by the 256 bits of its SHA-256."""
    digest = hashlib.sha256(word.encode()).digest()
    bits = np.unpackbits(np.frombuffer(digest, dtype=np.uint8), bitorder="little")
    return np.asarray((1.0 - 2.0 * bits) / 16.0, dtype=np.float64)
