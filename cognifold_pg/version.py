"""Which release this is, and how old a schema it can work on.

A release sets ``VERSION`` here, in ``pyproject.toml`` and in ``sql/repeatable/operate/schema_version.sql``, where it
also says how old a program its schema takes (tests/upgrade holds them together).
"""

from __future__ import annotations

import re

VERSION = "0.2.0"

# The oldest schema on which the client and the workers find all they call.
OLDEST_SCHEMA = "0.2.0"


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers that compare, as SQL's ``version_numbers``; empty where it begins with none."""
    found = re.match(r"\d{1,6}(?:\.\d{1,6}){0,3}", version)
    return () if found is None else tuple(int(part) for part in found[0].split("."))
