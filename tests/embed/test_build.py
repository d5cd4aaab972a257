"""Making the lexicon: the steps of the recipe by an independent route, on small data."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from cognifold_pg.embedding.minilm import WordPiece
from cognifold_pg.lexicon.build import DIMENSIONS, frequent_words, pieces_of, word_vectors


def test_vectors_are_the_components_after_the_first_around_the_weighted_mean() -> None:
    random = np.random.default_rng(7)
    pooled = (random.standard_normal((600, 300)) * np.linspace(3, 0.5, 300) + 5).astype(np.float32)
    contribution = random.uniform(0, 1, 600)
    contribution[500:] = 0  # pieces: placed by the others, placing none
    vectors = word_vectors(pooled, contribution)

    share = contribution / contribution.sum()
    centred = pooled - np.average(pooled.astype(float), axis=0, weights=share)
    _, _, axes = np.linalg.svd(centred * np.sqrt(share)[:, None], full_matrices=False)
    expected = centred @ axes[1 : 1 + DIMENSIONS].T
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert vectors.shape == (600, DIMENSIONS)
    # An axis may point either way: cosines between words do not depend on it.
    assert vectors @ vectors.T == pytest.approx(expected @ expected.T, abs=1e-5)


def test_only_pieces_that_can_occur_in_our_words_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(["[UNK]", "[CLS]", "[SEP]", "dog", "##ing", ",", "##²", "Σ", "straße"]), encoding="utf-8")
    assert pieces_of(WordPiece(path)) == (["dog", "straße"], ["##ing"])


def test_spellings_of_one_word_share_its_frequency() -> None:
    if importlib.util.find_spec("wordfreq") is None:
        pytest.skip("wordfreq is not installed (extra lexicon-build)")
    import wordfreq

    frequencies = frequent_words(5000)
    assert len(frequencies) == 5000
    assert next(iter(frequencies)) == "the"
    assert "don't" in frequencies
    assert "dog's" not in frequencies
    assert frequencies["dog"] > wordfreq.word_frequency("dog", "en")
