"""The shipped data file, and the writing and reading of such files."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from cognifold_pg.lexicon import Lexicon, LexiconFileError, read_lexicon
from cognifold_pg.lexicon.datafile import CHECKSUM_FILE, DATA_FILE, write_lexicon

SMALL = Lexicon(
    words=("the", "isn't", "東", "##ing"),
    frequencies=np.array([0.05, 1e-3, 1e-6, 1e-8], dtype=np.float32),
    vectors=np.array([[1, 0, 0], [0.6, 0.8, 0], [0, -0.6, 0.8], [0, 0, -1]], dtype=np.float32),
    smoothing=1e-3,
    unknown_frequency=1e-8,
    checksum="",
)


def test_the_shipped_lexicon_has_enough_words_and_is_small(lexicon: Lexicon) -> None:
    listed = [word for word in lexicon.words if not word.startswith("##")]
    assert len(listed) >= 40_000
    assert len(lexicon.words) == len(set(lexicon.words))
    assert {"the", "don't", "kubernetes", "##ing"} <= set(lexicon.words)
    assert DATA_FILE.stat().st_size <= 10_000_000
    assert lexicon.checksum == hashlib.sha256(DATA_FILE.read_bytes()).hexdigest()


def test_every_word_of_the_shipped_lexicon_has_a_frequency_and_a_direction(lexicon: Lexicon) -> None:
    assert lexicon.vectors.shape == (len(lexicon.words), 256)
    assert np.linalg.norm(lexicon.vectors, axis=1) == pytest.approx(1, abs=1e-6)
    assert lexicon.frequencies.min() >= 0.99e-8
    assert 0.02 < lexicon.frequencies[lexicon.words.index("the")] < 0.1
    assert 0.5 < lexicon.frequencies.sum() < 1.2


def test_everyday_texts_about_nothing_in_common_are_nearly_at_right_angles(lexicon: Lexicon) -> None:
    share = lexicon.frequencies.astype(np.float64) * lexicon.document_weights
    share[[word.startswith("##") for word in lexicon.words]] = 0
    mean = share @ lexicon.vectors / share.sum()
    assert np.linalg.norm(mean) < 0.2  # squared: the cosine of two random texts' expected parts


def test_document_weights_follow_the_formula_and_vectors_carry_them() -> None:
    assert SMALL.document_weights == pytest.approx([1 / 51, 0.5, 1000 / 1001, 1], rel=1e-4)
    assert SMALL.document_vectors[1] == pytest.approx([0.3, 0.4, 0], rel=1e-3)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.gz"
    checksum = write_lexicon(SMALL, np.full(4, 0.1, dtype=np.float32), "a test", path)
    again = read_lexicon(path)
    assert again.words == SMALL.words
    assert again.frequencies == pytest.approx(SMALL.frequencies, rel=2e-3)
    assert again.vectors == pytest.approx(SMALL.vectors, abs=1e-6)
    assert (again.smoothing, again.unknown_frequency, again.checksum) == (1e-3, 1e-8, checksum)


def test_a_grid_too_fine_for_a_byte_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LexiconFileError, match="1000 steps"):
        write_lexicon(SMALL, np.full(4, 0.001, dtype=np.float32), "a test", tmp_path / "lexicon.gz")


def test_a_damaged_file_is_named_and_not_read(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.gz"
    write_lexicon(SMALL, np.full(4, 0.1, dtype=np.float32), "a test", path)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(LexiconFileError, match=r"lexicon\.gz has the checksum"):
        read_lexicon(path)


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / CHECKSUM_FILE.name).write_text("0  lexicon.gz\n")
    with pytest.raises(LexiconFileError, match="Reinstall"):
        read_lexicon(tmp_path / "lexicon.gz")
