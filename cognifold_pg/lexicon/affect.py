"""How a text feels, without a language model: scores of words and weights of a few features.

``affect.gz`` holds them (``build_affect`` makes it anew, ATTRIBUTION.md says from what); the database loads it
beside the lexicon, and ``cognifold.affect`` needs one look-up of the text's words. Here it is read, and
:meth:`AffectModel.ratings` says the same as the SQL function.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cognifold_pg.lexicon.datafile import LexiconFileError
from cognifold_pg.lexicon.tokenizer import words

Matrix = npt.NDArray[np.float64]

AFFECT_FILE = Path(__file__).with_name("affect.gz")
AFFECT_CHECKSUM_FILE = Path(__file__).with_name("affect.checksum.txt")
FORMAT = 1
STEP = 0.001  # the grid of the scores
MAXIMUM_CHARACTERS = 2_000  # the SQL function reads as many

PRIOR_WORDS = 4  # a text of few words is nearer to neutral than their mean


FEATURES = (
    "one", "mean_valence", "highest_valence", "lowest_valence", "mean_arousal", "highest_arousal", "lowest_arousal",
    "length", "exclamations", "questions",
)  # fmt: skip
"""What the weights stand for, in this order, here and in ``sql/repeatable/embed/affect.sql``."""


@dataclass(frozen=True, slots=True)
class AffectModel:
    """Scores of words and weights of features.

    ``words``: as the lexicon spells them. ``scores``: shape (n, 2), valence and arousal. ``weights``: shape
    (features, 2), in the order of :data:`FEATURES`. ``neutral`` and ``mixed``: what the words for valence go by.
    ``checksum``: SHA-256 of the data file, hexadecimal.
    """

    words: tuple[str, ...]
    scores: Matrix
    weights: Matrix
    neutral: float
    mixed: float
    checksum: str

    def ratings(self, texts: Sequence[str]) -> Matrix:
        """Valence and arousal of each text, neutral being 0; shape (n, 2). NaN for a text without a listed
        word."""
        index = {word: place for place, word in enumerate(self.words)}
        found = [known_words(text, index) for text in texts]
        ratings: Matrix = (
            np.hstack([word_features(found, self.scores), surface(texts)]) @ self.weights[1:] + self.weights[0]
        )
        ratings[[not places for places in found]] = np.nan
        return ratings


def known_words(text: str, index: dict[str, int]) -> list[int]:
    """The places of the text's listed words, each once."""
    return sorted({index[word] for word in words(text, MAXIMUM_CHARACTERS) if word in index})


def surface(texts: Sequence[str]) -> Matrix:
    """Length, exclamation marks, question marks; shape (n, 3)."""
    rows = []
    for text in texts:
        start = text[:MAXIMUM_CHARACTERS]
        rows.append((np.log1p(min(len(start), 400)), min(start.count("!"), 3), min(start.count("?"), 2)))
    return np.array(rows, dtype=np.float64).reshape(len(rows), 3)


def word_features(found: Sequence[Sequence[int]], scores: Matrix) -> Matrix:
    """Mean, highest and lowest score of each text's words, for valence and then arousal; shape (n, 6)."""
    features = np.zeros((len(found), 6))
    for row, places in enumerate(found):
        if places:
            own = scores[places]
            summary = (own.sum(axis=0) / (len(places) + PRIOR_WORDS), own.max(axis=0), own.min(axis=0))
            features[row] = np.array(summary).T.ravel()
    return features


def affect_checksum(path: Path = AFFECT_FILE) -> str:
    """What ``affect.checksum.txt`` says of the data file: SHA-256, hexadecimal.

    :raises LexiconFileError: the file is missing.
    """
    try:
        return path.with_name(AFFECT_CHECKSUM_FILE.name).read_text(encoding="ascii").split()[0]
    except OSError as error:
        raise LexiconFileError(f"The affect weights can't be read: {error}. Reinstall cognifold-pg.") from error


def read_affect(path: Path = AFFECT_FILE) -> AffectModel:
    """The model as shipped, after comparing the file with its checksum.

    :raises LexiconFileError: the file is missing, damaged, or of another format.
    """
    expected = affect_checksum(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LexiconFileError(f"The affect weights can't be read: {error}. Reinstall cognifold-pg.") from error
    if (checksum := hashlib.sha256(data).hexdigest()) != expected:
        raise LexiconFileError(f"{path} has the checksum {checksum}, not {expected}: reinstall cognifold-pg.")
    head, *lines = gzip.decompress(data).decode().splitlines()
    header = json.loads(head)
    if header.get("format") != FORMAT:
        raise LexiconFileError(f"{path} has format {header.get('format')}; this version reads {FORMAT}.")
    rows = [line.split("\t") for line in lines]
    scores = np.array([[int(valence), int(arousal)] for _, valence, arousal in rows]) * STEP
    weights = np.array([header["weights"][name] for name in FEATURES])
    return AffectModel(tuple(row[0] for row in rows), scores, weights, header["neutral"], header["mixed"], checksum)
