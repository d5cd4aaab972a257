"""Which texts PostgreSQL cannot store as they are: those with a NUL or a lone surrogate, at any depth."""

from __future__ import annotations

import re
from typing import Any

# JSON can spell both ("\u0000", "\ud800"); UTF-8 text in PostgreSQL can hold neither.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def unstorable(value: Any) -> bool:
    """Whether a string in ``value`` has such a character. The client replaces them; a reader counts them."""
    if isinstance(value, str):
        return _UNSTORABLE.search(value) is not None
    if isinstance(value, dict):
        return any(unstorable(key) or unstorable(item) for key, item in value.items())
    if isinstance(value, list):
        return any(unstorable(item) for item in value)
    return False
