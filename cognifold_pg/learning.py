"""What a client recalled is noted for the memory to learn from: later, in batches, out of the caller's way.

Nothing here may make a recall slower or fail. What cannot be noted, on a standby, by a role that may only read, or
because notes come faster than they are taken, is counted in ``missed`` and forgotten.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import groupby
from typing import Protocol
from uuid import UUID

from cognifold_pg.transactions import Statements

# So many recalls may wait to be noted; of more the oldest are dropped.
LONGEST_QUEUE = 1000
# A note waits so long for others to go with it, and the thread that writes them so long for another, in seconds.
GATHERING = 0.5
LINGERING = 10.0


class _Begin(Protocol):
    def __call__(self, clock: datetime | None) -> AbstractContextManager[Statements]: ...


class RecallNotes:
    """Queues what was recalled and notes it from a thread of its own, which is there only while there is work.

    ``begin`` opens a transaction with the memory's clock set. ``noted`` and ``missed`` count recalls.
    """

    def __init__(self, begin: _Begin) -> None:
        self._begin = begin
        self._waiting: deque[tuple[datetime | None, list[UUID]]] = deque()
        self._changed = threading.Condition()
        self._writing = threading.Lock()  # one writer at a time: the thread, or who flushes
        self._thread: threading.Thread | None = None
        self._closed = False
        self._failing = False
        self.noted = 0
        self.missed = 0

    def add(self, clock: datetime | None, node_ids: Sequence[UUID]) -> None:
        """Queue one recall; returns at once."""
        if not node_ids:
            return
        with self._changed:
            if self._closed:
                self.missed += 1
                return
            if len(self._waiting) >= LONGEST_QUEUE:
                self._waiting.popleft()
                self.missed += 1
            self._waiting.append((clock, list(node_ids)))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="cognifold-recall-notes", daemon=True)
                self._thread.start()
            self._changed.notify()

    def flush(self) -> None:
        """Note what waits, now and in the caller's thread."""
        with self._writing:
            with self._changed:
                batch = list(self._waiting)
                self._waiting.clear()
            if batch:
                self._write(batch)

    def close(self) -> None:
        """Note what waits, unless the last attempt failed, and take no more."""
        with self._changed:
            self._closed = True
            if self._failing:  # a server that is away is not waited for once more
                self.missed += len(self._waiting)
                self._waiting.clear()
            self._changed.notify()
        self.flush()

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._waiting and not self._closed:
                    self._changed.wait(LINGERING)
                if not self._waiting:
                    self._thread = None
                    return
            if not self._closed:
                time.sleep(GATHERING)
            self.flush()

    def _write(self, batch: list[tuple[datetime | None, list[UUID]]]) -> None:
        for clock, notes in groupby(batch, key=lambda note: note[0]):
            recalls = [node_ids for _, node_ids in notes]
            try:
                with self._begin(clock) as statements:
                    row = statements.execute(_MAY_WRITE).fetchone()
                    if row is None or not row[0]:
                        self._count(missed=len(recalls))
                        continue
                    for node_ids in recalls:
                        statements.execute("SELECT cognifold.note_recall(%s)", [node_ids])
            except Exception:  # whatever it is: the caller has had the answer, and this is none of their business
                self._failing = True
                self._count(missed=len(recalls))
            else:
                self._failing = False
                self._count(noted=len(recalls))

    def _count(self, *, noted: int = 0, missed: int = 0) -> None:
        with self._changed:
            self.noted += noted
            self.missed += missed


# A standby reads only, and so may a role or a session; and a reader may not note.
_MAY_WRITE = """
SELECT NOT pg_catalog.pg_is_in_recovery() AND pg_catalog.current_setting('transaction_read_only') = 'off'
   AND pg_catalog.has_function_privilege('cognifold.note_recall(uuid[], text)', 'EXECUTE')
"""
