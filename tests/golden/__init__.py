"""Files that say how something is to look; a change of it shows as a difference here.

``COGNIFOLD_UPDATE_GOLDEN=1 make test`` writes them anew: look at the difference before you commit it.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
UPDATE = "COGNIFOLD_UPDATE_GOLDEN"


def assert_golden(name: str, text: str) -> None:
    """Fail with the difference if ``text`` is not what the file ``name`` of this folder holds."""
    path = FOLDER / name
    if os.environ.get(UPDATE):
        path.write_text(text, encoding="utf-8")
    golden = path.read_text(encoding="utf-8") if path.exists() else ""
    if golden != text:
        lines = difflib.unified_diff(
            golden.splitlines(), text.splitlines(), f"tests/golden/{name}", "now", lineterm="", n=2
        )
        pytest.fail("\n".join([*lines, "", f"If that is meant: {UPDATE}=1 and run the test again."]), pytrace=False)
