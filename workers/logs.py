"""Logs as lines for people, or as JSON for machines: one object a line."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

# What callers say of a record by ``extra``: written where it is there.
FIELDS = ("tenant", "job", "worker")


class JsonFormatter(logging.Formatter):
    """Each record an object with time, level, logger and message, and what it is about."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever the message holds."""
        said: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        said |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def log_to_stderr(form: str, level: int = logging.INFO) -> None:
    """Have this package's loggers write to standard error, as ``text`` or ``json``."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        JsonFormatter() if form == "json" else logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    )
    root = logging.getLogger("cognifold_pg")
    root.handlers[:] = [handler]
    root.setLevel(level)
    root.propagate = False
