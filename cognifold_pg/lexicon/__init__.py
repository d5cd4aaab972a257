"""The lexicon: a word -> vector table small enough to ship, from which SQL alone embeds a text.

``lexicon.gz`` holds the words with their frequencies and vectors (ATTRIBUTION.md says whose work they rest
on); ``build`` makes it anew, :func:`read_lexicon` reads it, ``load`` puts it into the database, ``words``
finds the words of a text as SQL does.
"""

from __future__ import annotations

from cognifold_pg.lexicon.datafile import Lexicon, LexiconFileError, read_lexicon
from cognifold_pg.lexicon.load import LexiconMismatchError, load_affect, load_lexicon
from cognifold_pg.lexicon.tokenizer import MAXIMUM_CHARACTERS, words

__all__ = [
    "MAXIMUM_CHARACTERS",
    "Lexicon",
    "LexiconFileError",
    "LexiconMismatchError",
    "load_affect",
    "load_lexicon",
    "read_lexicon",
    "words",
]
