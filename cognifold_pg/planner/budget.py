"""What a fold by a language model may cost, counted without any model's tokenizer: on the safe side."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from cognifold_pg.errors import InvalidValueError

PLAIN_TOKENS = 0.35  # of a letter or a space of ASCII
TRIM_MARK = " [... {} characters left out ...] "


@dataclass(frozen=True)
class Budget:
    """Limits of one proposal. A batch of n events may use n times the tokens, in calls of at most ``call_tokens``.

    :ivar calls: requests in all that a proposal may make, and so that any event takes part in: the question, its
        repair, retries after failures, and questions asked again because the server does not know a parameter.
    :ivar prompt_tokens: for each event, over the question and its repair, as estimated before they are sent.
    :ivar completion_tokens: for each event, of each answer.
    :ivar call_tokens: prompt and answer of one call together: what the model can hold.
    """

    calls: int = 8
    prompt_tokens: int = 12_000
    completion_tokens: int = 2_000
    call_tokens: int = 32_000

    def __post_init__(self) -> None:
        for name in ("calls", "prompt_tokens", "completion_tokens", "call_tokens"):
            if getattr(self, name) < 1:
                raise InvalidValueError(f"{name} of a budget must be at least 1, not {getattr(self, name)}.")

    def answer(self, events: int) -> int:
        """Tokens that an answer for so many events may have: no more than half of what a call may hold."""
        return max(1, min(events * self.completion_tokens, self.call_tokens // 2))

    def total(self, events: int) -> int:
        """Prompt tokens that all calls for so many events may have together."""
        return events * self.prompt_tokens

    def question(self, events: int) -> int:
        """Prompt tokens of the first question: its repair repeats it, adds its answer, and must fit as well."""
        return min(self.total(events) * 2 // 5, (self.call_tokens - self.answer(events)) * 3 // 4)

    def repair(self, events: int, spent: int) -> int:
        """Prompt tokens that a repair may have."""
        return min(self.total(events) - spent, self.call_tokens - self.answer(events))


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, more rather than fewer: no tokenizer in use splits ordinary text finer.

    Letters and spaces of ASCII count 0.35 (English has some 4 characters to a token), digits and marks one each, other
    characters half of their bytes in UTF-8, those outside the basic plane one for each byte.
    """
    plain = marks = 0
    other = 0.0
    for character in text:
        code = ord(character)
        if code < 128:
            if character.isalpha() or character == " ":
                plain += 1
            else:
                marks += 1
        else:
            other += 1.0 if code < 0x800 else 1.5 if code < 0x10000 else 4.0
    return math.ceil(plain * PLAIN_TOKENS + marks + other)


def trim_middle(text: str, tokens: int, measure: Callable[[str], int] = estimated_tokens) -> str:
    """The text itself, or its beginning and its end about a visible mark, in at most so many tokens.

    The beginning gets two thirds: it says what a text is about. Nothing but the mark is left where not even that fits.

    :param measure: the tokens of a text as it will stand in the prompt.
    """
    most = math.ceil(tokens / PLAIN_TOKENS)  # characters: none counts less
    if len(text) <= most and measure(text) <= tokens:
        return text
    low, high = 0, min(len(text), most)
    while low < high:
        kept = (low + high + 1) // 2
        if measure(_about_mark(text, kept)) <= tokens:
            low = kept
        else:
            high = kept - 1
    return _about_mark(text, low)


def _about_mark(text: str, kept: int) -> str:
    head = kept * 2 // 3
    tail = kept - head
    return text[:head] + TRIM_MARK.format(len(text) - kept) + (text[len(text) - tail :] if tail else "")
