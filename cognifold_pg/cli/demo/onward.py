"""What to type next: the same from SQL and from Python."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.rule import Rule

from cognifold_pg.ingest import Question


def show_what_next(console: Console, tenant: str, questions: Sequence[Question], dsn: str | None) -> None:
    """The same from SQL and from Python, ready to be pasted; a DSN may hold a password and is not repeated."""
    question = questions[0].text if questions else "What keeps coming back?"
    lines = [
        *(["export COGNIFOLD_DSN=...  # what you gave as --dsn"] if dsn else []),
        f'{_program()} db psql -c "set cognifold.tenant={_quoted(tenant)}; '
        f'select title, round(score::numeric, 3) from cognifold.recall({_quoted(question)})"',
        "",
        "from cognifold_pg.client import Memory",
        "from cognifold_pg.connect import resolve_dsn",
        f"with Memory(resolve_dsn(), tenant={tenant!r}) as memory:",
        f"    for found in memory.recall({question!r}):",
        "        print(found.title, round(found.score, 3))",
    ]
    console.print(Rule("go on yourself"))
    console.print("\n".join(lines), markup=False, soft_wrap=True)


def _program() -> str:
    """How to call this program from here: by its name, or by its path where it is not on the PATH."""
    return "cognifold" if shutil.which("cognifold") else os.path.relpath(sys.argv[0])


def _quoted(text: str) -> str:
    """``text`` as a SQL literal inside a shell's double quotes."""
    literal = "'" + text.replace("'", "''") + "'"
    return "".join(f"\\{mark}" if mark in '\\"$`' else mark for mark in literal)
