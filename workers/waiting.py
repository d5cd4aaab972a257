"""Wait at the start for a database that is away: a worker may be started while its server restarts."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from typing import TypeVar

import psycopg

from cognifold_pg.errors import CognifoldError

Found = TypeVar("Found")


def when_it_answers(
    attempt: Callable[[], Found], tell: Callable[[str, float], object], patience: float = math.inf
) -> Found:
    """What ``attempt`` returns, tried again as long as it fails for want of a connection, for ``patience`` seconds.

    ``tell`` is told the error and the seconds until the next try. Any other error, and the last one, is raised.
    """
    until = time.monotonic() + patience
    for wait in itertools.chain((0.25, 0.5, 1, 2, 4), itertools.repeat(8)):
        try:
            return attempt()
        except (CognifoldError, psycopg.OperationalError) as error:
            away = isinstance(error, psycopg.OperationalError) or isinstance(error.__cause__, psycopg.OperationalError)
            if not away or time.monotonic() + wait > until:
                raise
            tell(str(error).strip(), wait)
            time.sleep(wait)
    raise AssertionError("the tries do not end")
