"""Does what affect reads in a text agree with what people feel when they read it, and what does it cost?

    python -m benchmarks.affect --data EMOBANK [--json FILE] [--dsn DSN]

EMOBANK is a CSV file with the columns id, V, A (ratings from 1 to 5) and text, or a folder with such files.
Pearson's r with people's mean rating:

    valence_r, arousal_r                        of ``cognifold.affect`` in the database. Its weights were fitted
                                                on the development half of EmoBank: on that file this is no
                                                honest figure, on any other it is the one that counts
    valence_r_cv, arousal_r_cv                  fitted anew, each sentence by a model that has not seen its fifth
    valence_r_cv_documents, arousal_r_cv_...    the same with whole documents held out together

and the median time of one call on these sentences, warm. Baselines, cross-validated in the same folds: ``vector``
is ridge regression on the text's vector by the lexicon, ``surface`` on length, exclamation and question marks.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import numpy as np
import psycopg

from benchmarks.harness import Report, arguments, finish, scratch_database
from cognifold_pg.install import package_version
from cognifold_pg.lexicon import read_lexicon
from cognifold_pg.lexicon.affect import Matrix, surface
from cognifold_pg.lexicon.build_affect import FOLDS, Fitting, random_folds, read_ratings
from cognifold_pg.lexicon.tokenizer import words

_NAMES = ("valence_r", "arousal_r")
_REPEATS = 3
_VECTOR_PENALTY = 1.0


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    options = arguments(__doc__ or "").parse_args(argv)
    files: list[Path] = sorted(options.data.glob("*.csv")) if options.data.is_dir() else [options.data]
    ids: list[str] = []
    texts: list[str] = []
    parts = []
    for file in files:
        own_ids, own_texts, ratings = read_ratings(file)
        ids += own_ids
        texts += own_texts
        parts.append(ratings)
    gold = np.vstack(parts)

    with scratch_database(options.dsn) as dsn, psycopg.connect(dsn, autocommit=True) as connection:
        metrics = correlations(in_sql(connection, texts), gold)
        microseconds = speed(connection, texts)
    lexicon = read_lexicon()
    folds = random_folds(len(texts))
    metrics |= correlations(Fitting(lexicon, texts, gold, folds).held_out(), gold, "_cv")
    metrics |= correlations(Fitting(lexicon, texts, gold, document_folds(ids)).held_out(), gold, "_cv_documents")
    metrics |= {"sentences": float(len(texts)), "microseconds": microseconds}

    vectors = np.zeros((len(texts), lexicon.dimensions))
    index = {word: place for place, word in enumerate(lexicon.words)}
    weighted = lexicon.vectors * lexicon.document_weights[:, None]
    for row, text in enumerate(texts):
        places = [index[word] for word in words(text) if word in index]
        if places:
            total = weighted[places].sum(axis=0)
            vectors[row] = total / np.linalg.norm(total)
    baselines: dict[str, float] = {}
    for name, features in (("vector", vectors), ("surface", surface(texts))):
        found = correlations(ridge_held_out(features, gold, folds), gold, "_cv")
        baselines |= {f"{name}.{metric}": value for metric, value in found.items()}
    finish(Report("affect", package_version(), options.data.name, metrics, baselines), options.json)


def in_sql(connection: psycopg.Connection[tuple[object, ...]], texts: Sequence[str]) -> Matrix:
    """Emotional weight and arousal of each text by ``cognifold.affect``; shape (n, 2)."""
    rows = connection.execute(
        "SELECT a.emotional_weight, a.arousal FROM unnest(%s::text[]) WITH ORDINALITY AS t (text, place) "
        "CROSS JOIN LATERAL cognifold.affect(t.text) AS a ORDER BY t.place",
        [list(texts)],
    ).fetchall()
    return np.array(rows, dtype=np.float64)


def speed(connection: psycopg.Connection[tuple[object, ...]], texts: Sequence[str]) -> float:
    """Median microseconds of one call; nothing is sent to the client."""
    runs = []
    for _ in range(_REPEATS):
        started = time.perf_counter()
        connection.execute(
            "SELECT sum(a.arousal) FROM unnest(%s::text[]) AS t (text) "
            "CROSS JOIN LATERAL cognifold.affect(t.text) AS a",
            [list(texts)],
        )
        runs.append(1e6 * (time.perf_counter() - started) / len(texts))
    return median(runs)


def correlations(predicted: Matrix, gold: Matrix, suffix: str = "") -> dict[str, float]:
    """Pearson's r of each column, by name."""
    return {
        f"{name}{suffix}": float(np.corrcoef(predicted[:, column], gold[:, column])[0, 1])
        for column, name in enumerate(_NAMES)
    }


def document_folds(ids: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int_]]:
    """A fold for each sentence, all of one document in one: an id ends in the sentence's place in it."""
    documents = [re.sub(r"_\d+_\d+$", "", name) for name in ids]
    names = sorted(set(documents))
    fold = dict(zip(names, np.random.default_rng(0).integers(0, FOLDS, len(names)).tolist(), strict=True))
    return np.array([fold[document] for document in documents])


def ridge_held_out(features: Matrix, gold: Matrix, folds: np.ndarray[tuple[int], np.dtype[np.int_]]) -> Matrix:
    """Ratings of each text by ridge regression on the other folds; shape (n, 2)."""
    predicted = np.zeros_like(gold)
    for fold in range(FOLDS):
        held = folds == fold
        centre, mean = features[~held].mean(axis=0), gold[~held].mean(axis=0)
        design = features[~held] - centre
        left = design.T @ design + _VECTOR_PENALTY * np.eye(design.shape[1])
        predicted[held] = (features[held] - centre) @ np.linalg.solve(left, design.T @ (gold[~held] - mean)) + mean
    return predicted


if __name__ == "__main__":
    main()
