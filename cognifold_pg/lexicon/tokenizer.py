r"""The words of a text, exactly as ``cognifold.words`` finds them in SQL.

The two must agree on every code point, under any locale and whichever version of Unicode either side was
built with. So neither asks its platform what a letter is: a word character is one of the ranges below, upper
case goes by an explicit table, and code points whose decomposition may still be settled by a later Unicode
part words like a space. The same ranges stand in ``sql/repeatable/embed``: ``\uXXXX`` and ``\UXXXXXXXX`` read
alike in both languages.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

MAXIMUM_CHARACTERS: Final = 20_000
"""Only this much of a text is embedded: of a longer one, a single vector no longer says what it is about."""

UNSETTLED: Final = (
    r"\u0870-\u08ff\u0c5c\u0c5d\u0ece\u1ab0-\u1aff\u1c80-\u1c8f\ua7c0-\ua7ff\ud800-\uf8ff"
    r"\U00010000-\U0001d3ff\U0001d800-\U0001ffff\U00040000-\U0010ffff"
)
"""Blocks that are still growing, surrogates, private use, emoji."""

MARKS: Final = r"\u00ad\u200c\u200d\u2060\ufeff\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u3099\u309a"
"""Dropped without parting a word: soft hyphen, joiners, accents, Hebrew points, Arabic vowels, kana voicing.
The encoder that the vectors come from never saw them either."""

IDEOGRAPHS: Final = r"\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
"""Each is a word of its own."""

LETTERS: Final = (
    r"a-z0-9\u00df-\u00f6\u00f8-\u02af\u0370-\u0481\u048a-\u052f\u0531-\u0556\u0560-\u0588\u05d0-\u05f2"
    r"\u0620-\u0669\u066e-\u06d3\u06d5-\u06dc\u06e1-\u06e8\u06ea-\u06fc\u06ff\u0710-\u07f5\u0900-\u0963"
    r"\u0966-\u096f\u0971-\u0df3\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0edf\u0f20-\u0f33\u0f40-\u0fbc"
    r"\u1000-\u1049\u1050-\u10fa\u10fc-\u135a\u1380-\u13ff\u1401-\u166c\u166f-\u167f\u1681-\u169a\u16a0-\u16ea"
    r"\u1780-\u17d3\u17e0-\u17e9\u1820-\u18aa\u1900-\u19d9\u1a00-\u1a1b\u1a20-\u1a99\u1b05-\u1b59\u1b80-\u1bf3"
    r"\u1c00-\u1c37\u1c40-\u1c7d\u1c90-\u1cbf\u1e00-\u1fff\u2c00-\u2ce4\u2d00-\u2dde\u3005-\u3007\u3041-\u3096"
    r"\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\ua000-\ua48c\ua4d0-\ua4fd"
    r"\ua500-\ua62b\ua640-\ua66e\ua680-\ua6ef\ua722-\ua7bf\ua800-\ua827\ua840-\ua873\ua880-\ua8d9\ua8e0-\ua8f7"
    r"\ua900-\ua9d9\uaa00-\uaadd\uab01-\uabed\ud7b0-\ud7fb"
) + IDEOGRAPHS
"""What words are made of, by block rather than by category: in Indic scripts and in Thai a vowel sign is no
letter by category, and yet a word without it is another word."""

APOSTROPHES: Final = "‘’ʻʼ"

UPPER: Final = (
    "ÆÐØÞĐĦŁŊŒŦƏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐҒҖҚҢҮҰҲҶҺӘӨ"
    "ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ"
)
LOWER: Final = (
    "æðøþđħłŋœŧəαβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяґғҗқңүұҳҷһәө"
    "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ"
)
"""The letters in daily use that do not decompose into another letter and an accent; all others keep their
case."""

_ASCII_LOWER: Final = str.maketrans({chr(upper): chr(upper + 32) for upper in range(ord("A"), ord("Z") + 1)})
_FOLDED: Final = str.maketrans(APOSTROPHES + UPPER, "'" * len(APOSTROPHES) + LOWER)
_UNSETTLED: Final = re.compile(f"[{UNSETTLED}]")
_MARKS: Final = re.compile(f"[{MARKS}]")
_IDEOGRAPH: Final = re.compile(f"([{IDEOGRAPHS}])")
_NO_LETTERS: Final = re.compile(f"[^{LETTERS}']+")
_POSSESSIVE: Final = re.compile("'+s$")


def words(text: str, maximum_characters: int = MAXIMUM_CHARACTERS) -> list[str]:
    """The words of the text's first characters in order, repeated ones repeatedly; none for a text without
    letters.

    A word is a run of letters and digits, lower case and without accents, with apostrophes inside but not at
    its ends, and without a possessive ``'s``: *Zoë's café isn't open* gives ``zoe cafe isn't open``.
    """
    plain = text[:maximum_characters]
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", _UNSETTLED.sub(" ", plain))
        plain = _IDEOGRAPH.sub(r" \1 ", _MARKS.sub("", plain).translate(_FOLDED))
    runs = _NO_LETTERS.sub(" ", plain.translate(_ASCII_LOWER)).split(" ")
    return [word for run in runs if (word := _POSSESSIVE.sub("", run.strip("'")))]
