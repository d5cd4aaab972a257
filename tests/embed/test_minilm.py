"""MiniLM: its tokenizer and file format by hand; the encoder itself where the weights are installed."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from cognifold_pg.embedding.minilm import (
    MiniLM,
    MiniLMEmbedder,
    MiniLMUnavailableError,
    WordPiece,
    find_weights,
    read_safetensors,
)

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "cafe", ",", "東", "##s"]


@pytest.fixture
def tokenizer(tmp_path: Path) -> WordPiece:
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    return WordPiece(path)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Unaffable", ["un", "##aff", "##able"]),
        ("CAFÉ, cafés", ["cafe", ",", "cafe", "##s"]),
        ("東東", ["東", "東"]),
        ("unx", ["[UNK]"]),
        ("un" + "x" * 99, ["[UNK]"]),
        ("un\x00\u200bun", ["[UNK]"]),
        ("", []),
    ],
)
def test_words_are_cut_into_their_longest_pieces(tokenizer: WordPiece, text: str, pieces: list[str]) -> None:
    expected = ["[CLS]", *pieces, "[SEP]"]
    assert [PIECES[number] for number in tokenizer.numbers(text)] == expected


def test_a_long_text_is_cut_to_the_length_of_the_model(tokenizer: WordPiece) -> None:
    numbers = tokenizer.numbers("cafe " * 1000)
    assert len(numbers) == 256
    assert PIECES[numbers[-1]] == "[SEP]"


def test_tensors_are_read_by_name_and_shape(tmp_path: Path) -> None:
    header = json.dumps(
        {
            "__metadata__": {"format": "pt"},
            "numbers": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]},
            "matrix": {"dtype": "F32", "shape": [2, 3], "data_offsets": [8, 32]},
        }
    ).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(8) + struct.pack("<6f", 1, 2, 3, 4, 5, 6))
    tensors = read_safetensors(path)
    assert list(tensors) == ["matrix"]
    assert tensors["matrix"].tolist() == [[1, 2, 3], [4, 5, 6]]


def test_a_folder_without_weights_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MiniLMUnavailableError, match=r"no model\.safetensors and no vocab\.txt"):
        find_weights(tmp_path)


def test_missing_weights_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cognifold_pg.embedding.minilm.WEIGHTS_PACKAGE", "no_such_package")
    with pytest.raises(MiniLMUnavailableError, match=r"cognifold-pg\[minilm\]"):
        MiniLM()


def test_the_encoder_tells_paraphrases_from_other_sentences() -> None:
    try:
        embedder = MiniLMEmbedder()
    except MiniLMUnavailableError:
        pytest.skip("the MiniLM weights are not installed (extra minilm)")
    vectors = embedder.embed(["A man is eating food.", "Someone eats a meal.", "The stock market fell."])
    assert vectors.shape == (3, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)
    assert vectors[0] @ vectors[1] > 0.6 > 0.2 > vectors[0] @ vectors[2]
    alone = embedder.embed(["Someone eats a meal."])[0]
    assert vectors[1] == pytest.approx(alone, abs=1e-5)  # neighbours in a batch make no difference
