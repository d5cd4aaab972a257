"""What happens to intents, handed to whoever asked to be told: the part of the client that consumes the outbox.

::

    memory.create_consumer("app", kinds=["emitted", "woken"])
    for delivery in memory.consume("app"):
        show(delivery.payload["title"])      # acknowledged when the loop comes back for the next one

At least once, in order for each intent; how and why is in docs/delivery.md.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Self
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from cognifold_pg.arguments import as_json, check_int, checked_number, checked_text, checked_texts
from cognifold_pg.errors import InvalidValueError, LostDeliveryError
from cognifold_pg.verbs import Verbs

log = logging.getLogger(__name__)

CHANNEL = "cognifold_delivery"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One row of ``take_deliveries``: something that happened to an intent.

    ``id`` is the same at every attempt: know a repetition by it. ``moment`` is on the memory's clock, ``attempt``
    counts from 1, ``fence`` goes back with :meth:`Deliveries.acknowledge`.
    """

    position: int
    id: UUID
    intent_id: UUID
    kind: str
    moment: datetime
    recorded_at: datetime
    fence: int
    attempt: int
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class FailedDelivery:
    """One row of ``fail_delivery``: ``ready`` to be tried again from ``not_before`` on, or ``dead``."""

    position: int
    state: str
    not_before: datetime


def _checked_positions(positions: Iterable[int]) -> list[int]:
    if isinstance(positions, str | bytes) or not isinstance(positions, Iterable):
        raise InvalidValueError(f"positions = {positions!r} is no list of numbers. Give those of take_deliveries.")
    listed = list(positions)
    for position in listed:
        check_int("positions", position, 64)
    return listed


def _handed_out(positions: Iterable[int], fence: int) -> tuple[list[int], int]:
    check_int("fence", fence, 64)
    return _checked_positions(positions), fence


def _pause(retry_after: float) -> timedelta:
    if math.isnan(checked_number("retry_after", retry_after)):
        raise InvalidValueError("retry_after = nan is no time. Give seconds, or leave it out for the usual pause.")
    return timedelta(seconds=min(max(retry_after, 0.0), 86400.0))


class Deliveries(Verbs):
    """The verbs of delivery, one to one, and a loop over them. :class:`~cognifold_pg.client.Memory` is one."""

    def create_consumer(
        self,
        name: str,
        *,
        kinds: Iterable[str] | None = None,
        categories: Iterable[str] | None = None,
        from_start: bool = False,
    ) -> bool:
        """Ask to be told of these ``kinds`` and ``categories`` (None: all) under ``name``, from now on or the start.

        False where it is there already and asks for the same. Raises
        :class:`~cognifold_pg.errors.ConsumerConflictError` where it asks for something else.
        """
        made: bool = self._value(
            "SELECT cognifold.create_consumer(%s, %s::text[], %s::text[], %s)",
            [
                checked_text("name", name),
                checked_texts("kinds", kinds),
                checked_texts("categories", categories),
                from_start,
            ],
        )
        return made

    def drop_consumer(self, name: str) -> bool:
        """End a consumer, with what it has not acknowledged; False if there was none."""
        dropped: bool = self._value("SELECT cognifold.drop_consumer(%s)", [checked_text("name", name)])
        return dropped

    def disable_consumer(self, name: str, reason: str | None = None) -> bool:
        """Hand out nothing to a consumer until :meth:`enable_consumer`; it misses nothing. False if it was so."""
        changed: bool = self._value(
            "SELECT cognifold.disable_consumer(%s, %s)",
            [checked_text("name", name), None if reason is None else checked_text("reason", reason)],
        )
        return changed

    def enable_consumer(self, name: str) -> bool:
        """Let a disabled consumer go on where it stood; False if it was not disabled."""
        changed: bool = self._value("SELECT cognifold.enable_consumer(%s)", [checked_text("name", name)])
        return changed

    def set_webhook(
        self, consumer: str, url: str | None, *, secret: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        """Have ``cognifold deliver`` post a consumer's deliveries to ``url`` (None: no more). For administrators.

        ``secret`` says where the worker finds the signing secret: ``env:COGNIFOLD_WEBHOOK_NAME`` or ``file:NAME``.
        """
        self._value(
            "SELECT cognifold.set_webhook(%s, %s, %s, %s)::text",
            [
                checked_text("consumer", consumer),
                None if url is None else checked_text("url", url),
                None if secret is None else checked_text("secret", secret),
                Jsonb(as_json("headers", dict(headers or {}))),
            ],
        )

    def note_alarms(self) -> int:
        """Note in the outbox which intents have woken or expired since somebody last asked; how many."""
        noted: int = self._value("SELECT cognifold.note_alarms()", [])
        return noted

    def take_deliveries(
        self, consumer: str, max_deliveries: int = 10, *, lease: timedelta | None = None, worker: str | None = None
    ) -> list[Delivery]:
        """Up to so many of a consumer's next deliveries, of each intent the earliest, for ``lease``.

        Raises :class:`~cognifold_pg.errors.UnknownConsumerError`,
        :class:`~cognifold_pg.errors.ConsumerDisabledError`.
        """
        check_int("max_deliveries", max_deliveries)
        return self._rows(
            Delivery,
            "SELECT * FROM cognifold.take_deliveries(%s, %s, %s, %s)",
            [
                checked_text("consumer", consumer),
                max_deliveries,
                lease,
                None if worker is None else checked_text("worker", worker),
            ],
        )

    def acknowledge(self, consumer: str, positions: Iterable[int], fence: int) -> int:
        """Say that these deliveries, handed out under ``fence``, are dealt with: all or none of them; how many.

        Raises :class:`~cognifold_pg.errors.LostDeliveryError` where one is somebody else's by now.
        """
        number: int = self._value(
            "SELECT cognifold.acknowledge(%s, %s::bigint[], %s)",
            [checked_text("consumer", consumer), *_handed_out(positions, fence)],
        )
        return number

    def fail_delivery(
        self, consumer: str, positions: Iterable[int], fence: int, reason: str, *, retry_after: float | None = None
    ) -> list[FailedDelivery]:
        """Say why these could not be dealt with; tried again after ``retry_after`` seconds, or the usual pause."""
        return self._rows(
            FailedDelivery,
            "SELECT * FROM cognifold.fail_delivery(%s, %s::bigint[], %s, %s, %s)",
            [
                checked_text("consumer", consumer),
                *_handed_out(positions, fence),
                checked_text("reason", reason),
                None if retry_after is None else _pause(retry_after),
            ],
        )

    def release_deliveries(self, consumer: str, positions: Iterable[int], fence: int) -> int:
        """Give these back as if they had not been handed out; how many were still under ``fence``."""
        number: int = self._value(
            "SELECT cognifold.release_deliveries(%s, %s::bigint[], %s)",
            [checked_text("consumer", consumer), *_handed_out(positions, fence)],
        )
        return number

    def redeliver(self, consumer: str, positions: Iterable[int] | None = None) -> int:
        """Have dead deliveries handed out again, all or those at ``positions``, acknowledged ones there too."""
        number: int = self._value(
            "SELECT cognifold.redeliver(%s, %s::bigint[])",
            [checked_text("consumer", consumer), None if positions is None else _checked_positions(positions)],
        )
        return number

    def purge_outbox(self, older_than: timedelta | None = None) -> int:
        """Remove what is older than this (setting ``delivery.retention``) and every consumer has acknowledged."""
        number: int = self._value("SELECT cognifold.purge_outbox(%s)", [older_than])
        return number

    def consume(
        self,
        consumer: str,
        *,
        batch: int = 10,
        lease: timedelta | None = None,
        worker: str | None = None,
        every: float = 1.0,
        doorbell: Doorbell | None = None,
        stopping: threading.Event | None = None,
        once: bool = False,
    ) -> Iterator[Delivery]:
        """A consumer's deliveries, one after another, each acknowledged when the next one is asked for.

        Where nothing waits, it looks again after ``every`` seconds, at once when ``doorbell`` rings, and ends when
        ``stopping`` is set, or with ``once`` right away. Leaving the loop, by ``break`` or an error, gives the one in
        hand back as failed, to be tried again after the usual pause, and the others of its batch as they were.
        No transaction is open while you work. One whose lease lapsed meanwhile was given to another and is passed over.
        """
        if self._is_joined:
            raise InvalidValueError(
                "consume() needs transactions of its own. In a joined memory call take_deliveries and acknowledge."
            )
        stopping = stopping or threading.Event()
        seconds = lease.total_seconds() if lease is not None else self._lease()
        while not stopping.is_set():
            until = time.monotonic() + seconds
            taken = self.take_deliveries(consumer, batch, lease=timedelta(seconds=seconds), worker=worker)
            if taken:
                yield from self._handed(consumer, taken, until, stopping)
            elif once:
                return
            elif doorbell is None:
                stopping.wait(every)
            else:
                doorbell.wait(every)

    def _lease(self) -> float:
        seconds: float = self._value("SELECT cognifold.setting('delivery.lease')", [])
        return seconds

    def _handed(
        self, consumer: str, taken: list[Delivery], until: float, stopping: threading.Event
    ) -> Iterator[Delivery]:
        fence = taken[0].fence
        left = [delivery.position for delivery in taken]
        try:
            for delivery in taken:
                if stopping.is_set():
                    return
                if time.monotonic() >= until:
                    left.clear()  # the lease has lapsed, and the attempt counts: it was had and not done
                    return
                try:
                    yield delivery
                except GeneratorExit:
                    left.remove(delivery.position)
                    with suppress(psycopg.OperationalError):
                        self.fail_delivery(consumer, [delivery.position], fence, "the consumer left its loop")
                    raise
                left.remove(delivery.position)
                try:
                    self.acknowledge(consumer, [delivery.position], fence)
                except LostDeliveryError as error:
                    log.warning("%s", error)
        finally:
            if left:
                with suppress(psycopg.OperationalError):
                    self.release_deliveries(consumer, left, fence)


class Doorbell:
    """Listens for the NOTIFY that something was noted: a reason to look at once, never the only one.

    It holds a connection of its own, which must be to the server itself and not to a pooler of transactions.
    """

    def __init__(self, dsn: str) -> None:
        self._connection = psycopg.connect(dsn, autocommit=True)
        self._connection.execute(f"LISTEN {CHANNEL}".encode())

    def wait(self, seconds: float) -> bool:
        """Wait until it rings, ``seconds`` at most; whether it did. All rings until now are one."""
        rung = len(list(self._connection.notifies(timeout=seconds, stop_after=1)))
        return rung + len(list(self._connection.notifies(timeout=0))) > 0

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
