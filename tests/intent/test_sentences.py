"""A sentence that is too long for its place is cut so that it still reads."""

from __future__ import annotations

import pytest

from tests.conftest import Connection, value


@pytest.mark.parametrize(
    ("sentence", "maximum", "cut"),
    [
        ("The kettle needs a plug", 23, "The kettle needs a plug"),
        ("The kettle needs a plug", 22, "The kettle needs a…"),
        ("Ask Ann, then Bob", 9, "Ask Ann…"),  # no comma before what is left out
        ("Überraschungsgäste", 8, "Überras…"),  # no word ends before
    ],
)
def test_a_long_sentence_is_cut_after_a_word(admin: Connection, sentence: str, maximum: int, cut: str) -> None:
    assert value(admin, "SELECT cognifold.cut_sentence(%s, %s)", sentence, maximum) == cut
    assert len(cut) <= maximum
