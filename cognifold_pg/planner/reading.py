"""From a model's text to the JSON object in it: bare, in a fence, in prose; mended where that changes no meaning."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

MAXIMUM_CHARACTERS = 200_000  # of an answer; 200 long operations have fewer
MAXIMUM_STARTS = 200  # places in a text where an object may begin

FENCE = re.compile(r"```[a-zA-Z0-9_]*\s*\n(.*?)```", re.DOTALL)
STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)  # to the end where unclosed: each place is read once
BAD_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|(.|\Z))', re.DOTALL)


class UnreadableAnswer(ValueError):
    """The text holds no JSON object, or more than one that could be meant; the message is for the model."""


def read_object(text: str) -> dict[str, Any]:
    """The JSON object in a model's text: bare, in a fence, within prose, after thoughts aloud.

    Escapes that JSON does not know are read as the characters they are, control characters within texts are allowed,
    NUL and lone surrogates are taken out. A comma too many is forgiven; a missing end is not.

    :raises UnreadableAnswer: there is none, or two different ones.
    """
    text = text.strip().lstrip("\ufeff").lstrip()
    if text.startswith("<think"):
        text = text.partition("</think")[2].partition(">")[2].strip() or text
    if not text:
        raise UnreadableAnswer("the answer is empty")
    if len(text) > MAXIMUM_CHARACTERS:
        raise UnreadableAnswer(f"the answer is longer than {MAXIMUM_CHARACTERS} characters")
    reasons: list[str] = []
    for candidates in ([text], [match.group(1).strip() for match in FENCE.finditer(text)]):
        whole = [found for found in (_whole(candidate, reasons) for candidate in candidates) if found is not None]
        if whole:
            return _only(whole)
    for attempt in (text, _mended(text)):
        inside = [found for found in _inside(attempt) if "operations" in found]
        if inside:
            return _only(inside)
    raise UnreadableAnswer(reasons[0] if reasons else "there is no JSON object in the answer")


def _only(found: list[dict[str, Any]]) -> dict[str, Any]:
    plans = [one for one in found if "operations" in one] or found
    if any(one != plans[0] for one in plans):
        raise UnreadableAnswer("the answer holds several different JSON objects; give exactly one")
    return plans[0]


def _whole(text: str, reasons: list[str]) -> dict[str, Any] | None:
    for attempt in (text, _mended(text)):
        try:
            found = _DECODER.decode(attempt)
        except RecursionError:
            reasons.append("the JSON is nested too deeply")
        except ValueError as error:
            reasons.append(f"the answer is not valid JSON ({error})"[:200])
        else:
            if isinstance(found, dict):
                cleaned: dict[str, Any] = _cleaned(found)
                return cleaned
            reasons.append("the answer is not a JSON object")
            return None
    return None


def _inside(text: str) -> Iterator[dict[str, Any]]:
    """The outermost objects that begin anywhere in a text."""
    start = text.find("{")
    for _ in range(MAXIMUM_STARTS):
        if start < 0:
            return
        end = start + 1
        try:
            found, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            pass
        else:
            yield _cleaned(found)
        start = text.find("{", end)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the field {twice!r} is given twice in one object")
    return made


# strict=False: line breaks within texts. NaN and Infinity become floats here, and are refused by the models.
_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_pairs)


def _mended(text: str) -> str:
    """Escapes made valid within strings, commas too many taken out between them."""
    parts: list[str] = []
    end = 0
    for match in STRING.finditer(text):
        parts.append(re.sub(r",(\s*[}\]])", r"\1", text[end : match.start()]))
        parts.append(
            BAD_ESCAPE.sub(lambda found: found.group(0) if found.group(1) else "\\" + found.group(0), match.group(0))
        )
        end = match.end()
    parts.append(re.sub(r",(\s*[}\]])", r"\1", text[end:]))
    return "".join(parts)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        # Lone surrogates have no UTF-8, and PostgreSQL has no NUL.
        return value.encode("utf-8", "ignore").decode("utf-8").replace("\0", "")
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(item) for key, item in value.items()}
    return value
