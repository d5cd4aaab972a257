"""Make ``affect.gz`` anew: ``python -m cognifold_pg.lexicon.build_affect --data emobank_train_dev.csv``, about
a minute.

The model, for valence and arousal alike (people's ratings from 1 to 5, minus the neutral 3):

1. Each word has a score: its vector in the lexicon times one direction, plus a deviation of its own for words
   that the ratings show often enough. Both are fitted together by ridge regression, on the text's sum of scores
   divided by (number of its words + 4).
2. A text's rating is a weighted sum of nine features: that mean of scores, the highest and the lowest score,
   each for valence and arousal (so a long calm text with one terrible word is still told apart), its length, and
   its exclamation and question marks. The weights are fitted by ridge regression on scores of words that were
   fitted without the text's fold: else they would trust the scores too much.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cognifold_pg.lexicon.affect import (
    AFFECT_CHECKSUM_FILE,
    AFFECT_FILE,
    FEATURES,
    FORMAT,
    PRIOR_WORDS,
    STEP,
    AffectModel,
    Matrix,
    known_words,
    surface,
    word_features,
)
from cognifold_pg.lexicon.datafile import Lexicon, read_lexicon

LISTED_WORDS = 40_000  # of the lexicon, most frequent first
RATED_TEXTS = 8  # a word in so many texts has a deviation of its own
DIRECTION_PENALTY = 0.05
DEVIATION_PENALTY = 0.15
FEATURE_PENALTY = 10.0
FOLDS = 5
NEUTRAL = 0.08  # of emotional weight: a sixth of a rating point
MIXED = 2.0  # of a word's score: one text in six of EmoBank has a word this good, and one in six a word this bad


class Fitting:
    """Rated texts, prepared so that the model can be fitted on any of their folds.

    :param ratings: valence and arousal from 1 to 5, shape (n, 2).
    :param folds: a number from 0 to ``FOLDS`` - 1 for each text.
    """

    def __init__(self, lexicon: Lexicon, texts: Sequence[str], ratings: Matrix, folds: npt.NDArray[np.int_]) -> None:
        self.words = tuple(word for word in lexicon.words if not word.startswith("##"))[:LISTED_WORDS]
        places = {word: place for place, word in enumerate(lexicon.words)}
        self.vectors = (lexicon.vectors * lexicon.document_weights[:, None])[[places[word] for word in self.words]]
        index = {word: place for place, word in enumerate(self.words)}
        self.found = [known_words(text, index) for text in texts]
        self.surface = surface(texts)
        self.targets = np.asarray(ratings, dtype=np.float64) - 3
        self.folds = folds
        counts = Counter(place for found in self.found for place in found)
        self.rated = np.array(sorted(place for place, count in counts.items() if count >= RATED_TEXTS), dtype=np.int_)
        self._products = [self._product(np.flatnonzero(folds == fold)) for fold in range(FOLDS)]
        self._scores: dict[frozenset[int], Matrix] = {}

    def _product(self, rows: npt.NDArray[np.int_]) -> tuple[npt.NDArray[np.float32], Matrix]:
        """The normal equations of one fold's texts: columns are the vector, the rated words, and one."""
        dimensions = self.vectors.shape[1]
        column = {int(place): dimensions + at for at, place in enumerate(self.rated)}
        design = np.zeros((len(rows), dimensions + len(self.rated) + 1), dtype=np.float32)
        design[:, -1] = 1
        for at, row in enumerate(rows):
            found = self.found[row]
            share = 1 / (len(found) + PRIOR_WORDS)
            design[at, :dimensions] = self.vectors[found].sum(axis=0) * share
            design[at, [column[place] for place in found if place in column]] = share
        return design.T @ design, design.T.astype(np.float64) @ self.targets[rows]

    def scores(self, without: frozenset[int] = frozenset()) -> Matrix:
        """The words' scores, fitted on all folds but these; shape (words, 2)."""
        if without not in self._scores:
            kept = [product for fold, product in enumerate(self._products) if fold not in without]
            dimensions = self.vectors.shape[1]
            penalty = np.full(len(kept[0][0]), DEVIATION_PENALTY)
            penalty[:dimensions] = DIRECTION_PENALTY
            penalty[-1] = 1e-3
            left = sum(product[0].astype(np.float64) for product in kept) + np.diag(penalty)
            solved = np.linalg.solve(left, sum(product[1] for product in kept))
            scores = self.vectors @ solved[:dimensions]
            scores[self.rated] += solved[dimensions:-1]
            self._scores[without] = np.rint(scores / STEP) * STEP
        return self._scores[without]

    def weights(self, without: frozenset[int] = frozenset()) -> Matrix:
        """The features' weights, fitted on all folds but these; shape (features, 2)."""
        parts = []
        targets = []
        for fold in sorted(set(range(FOLDS)) - without):
            rows = np.flatnonzero(self.folds == fold)
            found = [self.found[row] for row in rows]
            parts.append(np.hstack([word_features(found, self.scores(without | {fold})), self.surface[rows]]))
            targets.append(self.targets[rows])
        design = np.vstack(parts)
        target = np.vstack(targets)
        centre, spread = design.mean(axis=0), design.std(axis=0) + 1e-9
        scaled = (design - centre) / spread
        left = scaled.T @ scaled + FEATURE_PENALTY * np.eye(scaled.shape[1])
        solved = np.linalg.solve(left, scaled.T @ (target - target.mean(axis=0))) / spread[:, None]
        return np.vstack([target.mean(axis=0) - centre @ solved, solved])

    def model(self, without: frozenset[int] = frozenset()) -> AffectModel:
        """The model, fitted on all folds but these."""
        return AffectModel(self.words, self.scores(without), self.weights(without), NEUTRAL, MIXED, "")

    def held_out(self) -> Matrix:
        """Ratings of each text by the model of the other folds, neutral being 0; shape (n, 2)."""
        predicted = np.zeros_like(self.targets)
        for fold in range(FOLDS):
            rows = np.flatnonzero(self.folds == fold)
            model = self.model(frozenset({fold}))
            features = np.hstack([word_features([self.found[row] for row in rows], model.scores), self.surface[rows]])
            predicted[rows] = features @ model.weights[1:] + model.weights[0]
        return predicted


def random_folds(count: int) -> npt.NDArray[np.int_]:
    """A fold for each text, the same on every call."""
    return np.random.default_rng(0).integers(0, FOLDS, count)


def read_ratings(path: Path) -> tuple[list[str], list[str], Matrix]:
    """Ids, texts, and valence and arousal from 1 to 5 of a file in EmoBank's format."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ratings = np.array([[float(row["V"]), float(row["A"])] for row in rows])
    return [row["id"] for row in rows], [row["text"] for row in rows], ratings


def write_affect(model: AffectModel, made_from: str, path: Path = AFFECT_FILE) -> str:
    """Write the data file and its checksum beside it; returns the checksum.

    A line of JSON, then one line a word: the word, valence, arousal, parted by tabs, the scores in steps of a
    thousandth.
    """
    header = {
        "format": FORMAT,
        "words": len(model.words),
        "weights": {name: list(row) for name, row in zip(FEATURES, model.weights.tolist(), strict=True)},
        "neutral": model.neutral,
        "mixed": model.mixed,
        "made_from": made_from,
    }
    grid = np.rint(model.scores / STEP).astype(int).tolist()
    lines = "".join(
        f"{word}\t{valence}\t{arousal}\n" for word, (valence, arousal) in zip(model.words, grid, strict=True)
    )
    data = gzip.compress(f"{json.dumps(header)}\n{lines}".encode(), 9, mtime=0)
    path.write_bytes(data)
    checksum = hashlib.sha256(data).hexdigest()
    path.with_name(AFFECT_CHECKSUM_FILE.name).write_text(f"{checksum}  {path.name}\n", encoding="ascii")
    return checksum


def main(argv: Sequence[str] | None = None) -> None:
    """Fit the model on a file of ratings and write it."""
    parser = argparse.ArgumentParser(prog="python -m cognifold_pg.lexicon.build_affect", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a file with EmoBank's columns id, V, A, text")
    parser.add_argument("--output", type=Path, default=AFFECT_FILE, help="the data file to write")
    options = parser.parse_args(argv)
    _, texts, ratings = read_ratings(options.data)
    fitting = Fitting(read_lexicon(), texts, ratings, random_folds(len(texts)))
    model = fitting.model()
    checksum = write_affect(model, f"{len(texts)} rated sentences of EmoBank (CC BY-SA 4.0)", options.output)
    print(f"{options.output}: {options.output.stat().st_size:,} bytes, SHA-256 {checksum}", file=sys.stderr)


if __name__ == "__main__":
    main()
