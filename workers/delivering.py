"""Post what happened to intents to the webhooks that asked for it, tenant by tenant.

Nothing is kept here: which webhooks are due is asked of the database each time, a delivery is taken under a lease,
posted with no transaction open, and acknowledged or failed; so a worker may be killed at any moment, and any number of
them may run. A webhook that is slow or away keeps no other waiting: each has its turn in a thread of its own.
"""

from __future__ import annotations

import json
import logging
import signal
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from types import FrameType

import psycopg

from cognifold_pg.client import Memory
from cognifold_pg.delivery import Delivery, Doorbell
from cognifold_pg.errors import (
    CognifoldError,
    ConsumerDisabledError,
    IncompatibleVersionError,
    LostDeliveryError,
    UnknownConsumerError,
)
from cognifold_pg.folding import worker_name
from cognifold_pg.handshake import meet
from cognifold_pg.webhooks import Reply, Secrets, post

log = logging.getLogger(__name__)

# So many are taken at once, and so many batches before another webhook has its turn.
BATCH = 5
TURN = 4

# Beyond what its posts may take, a batch's lease is so many seconds longer.
SPARE = 10.0

# So many seconds a webhook is left alone for whose sake the worker itself is in trouble: it lacks the secret.
REST = 30.0

# So often a worker removes what all consumers have acknowledged, tenant by tenant.
PURGE_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Posting:
    """How a worker posts, as whoever starts it says: the database cannot change that."""

    allow_private: bool = False
    secrets: Secrets = field(default_factory=Secrets)
    parallel: int = 4


def webhooks_due(dsn: str) -> list[tuple[str, str]]:
    """Tenants and consumers whose webhooks may be told something now (role ``cognifold_worker``).

    Raises :class:`~cognifold_pg.errors.IncompatibleVersionError` where this program and the schema do not go together.
    """
    with psycopg.connect(dsn, autocommit=True) as connection:
        meet(connection)
        return [(row[0], row[1]) for row in connection.execute("SELECT tenant, consumer FROM cognifold.webhooks_due()")]


def deliver_consumer(
    dsn: str, tenant: str, consumer: str, posting: Posting, stopping: threading.Event | None = None
) -> int:
    """One turn of one webhook: a few batches of posts; how many the receiver has taken.

    Once ``stopping`` is set the post in hand is finished and the rest of its batch given back.
    """
    stopping = stopping or threading.Event()
    delivered = 0
    with Memory(dsn, tenant=tenant, pool_size=1, learn=False) as memory:
        found = memory.rows("SELECT url, secret, headers FROM cognifold.webhook_of(%s)", [consumer])
        if not found:
            raise UnknownConsumerError(
                f'consumer "{consumer}" of tenant "{tenant}" has no webhook. set_webhook makes one.'
            )
        target = found[0]
        secrets = posting.secrets.find(target["secret"])  # before anything is taken: no attempt is charged for it
        timeout = memory.setting("delivery.timeout")
        lease = BATCH * timeout + SPARE
        for _ in range(TURN):
            if stopping.is_set():
                break
            until = time.monotonic() + lease - timeout
            taken = memory.take_deliveries(consumer, BATCH, lease=timedelta(seconds=lease), worker=worker_name())
            if not taken:
                break
            left = list(taken)
            reply: Reply | None = None
            try:
                while left and not stopping.is_set() and time.monotonic() < until:
                    delivery = left[0]
                    reply = post(
                        target["url"],
                        _body(delivery),
                        message_id=str(delivery.id),
                        secrets=secrets,
                        headers=target["headers"],
                        timeout=timeout,
                        allow_private=posting.allow_private,
                    )
                    if reply.gone:
                        break
                    left.pop(0)
                    delivered += _settle(memory, consumer, delivery, reply)
                    if not reply.answered or reply.retry_after is not None:
                        break  # nobody is there, or asks for peace: the others are not charged for it
            finally:
                if left:
                    memory.release_deliveries(consumer, [row.position for row in left], left[0].fence)
            if reply is not None and reply.gone:
                memory.disable_consumer(consumer, f"its webhook answered 410 Gone: {reply.reason}")
                log.warning("tenant %s: the webhook of consumer %s is gone; the consumer is disabled", tenant, consumer)
                break
            if left or (reply is not None and not reply.answered):
                break
    return delivered


def _settle(memory: Memory, consumer: str, delivery: Delivery, reply: Reply) -> int:
    if not reply.ok:
        said = " ".join(reply.reason.split())  # on one line, whatever the receiver wrote
        log.warning("tenant %s, consumer %s: delivery %s failed: %s", memory.tenant, consumer, delivery.position, said)
        memory.fail_delivery(consumer, [delivery.position], delivery.fence, reply.reason, retry_after=reply.retry_after)
        return 0
    try:
        memory.acknowledge(consumer, [delivery.position], delivery.fence)
    except LostDeliveryError as error:
        log.warning("%s", error)  # the receiver may see it twice, by the same id
    return 1


def _body(delivery: Delivery) -> bytes:
    moment = delivery.moment.astimezone(UTC).isoformat()
    body = {"type": f"intent.{delivery.kind}", "timestamp": moment, "data": delivery.payload}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


class _Round:
    """The webhooks that have their turn just now, each in a thread; none has two at once here."""

    def __init__(self, dsn: str, posting: Posting, only: tuple[str, str] | None, stopping: threading.Event) -> None:
        self._dsn = dsn
        self._posting = posting
        self._only = only
        self._stopping = stopping
        self._threads = ThreadPoolExecutor(posting.parallel, "deliver")
        self._running: dict[Future[int], tuple[str, str]] = {}
        self._purged: dict[str, float] = {}
        self._resting: dict[tuple[str, str], float] = {}  # until when those in trouble are left alone

    def begin(self) -> int:
        """Give a turn to whatever is due and has none; how many have one now."""
        passed_over = set(self._running.values())
        passed_over |= {due for due, until in self._resting.items() if time.monotonic() < until}
        for due in webhooks_due(self._dsn):
            if due not in passed_over and self._only in (None, due):
                turn = self._threads.submit(deliver_consumer, self._dsn, *due, self._posting, self._stopping)
                self._running[turn] = due
        return len(self._running)

    def collect(self, timeout: float | None) -> int:
        """Wait for the end of a turn; how many deliveries were made in those that have ended."""
        ended, _ = wait(self._running, timeout, FIRST_COMPLETED)
        delivered = 0
        for turn in ended:
            tenant, consumer = due = self._running.pop(turn)
            try:
                delivered += turn.result()
                self._purge(tenant)
            except (ConsumerDisabledError, UnknownConsumerError) as error:
                log.info("%s", error)  # since the look
            except (CognifoldError, psycopg.Error) as error:  # a secret that is missing, among others
                self._resting[due] = time.monotonic() + REST
                log.warning("tenant %s, consumer %s: nothing is posted for %g s: %s", tenant, consumer, REST, error)
        return delivered

    def _purge(self, tenant: str) -> None:
        if time.monotonic() - self._purged.get(tenant, -PURGE_SECONDS) >= PURGE_SECONDS:
            self._purged[tenant] = time.monotonic()
            with Memory(self._dsn, tenant=tenant, pool_size=1, learn=False) as memory:
                memory.purge_outbox()

    def end(self) -> None:
        """Wait for the posts in hand."""
        self._threads.shutdown(wait=True)
        self.collect(0)


def deliver_waiting(dsn: str, posting: Posting | None = None, only: tuple[str, str] | None = None) -> int:
    """Post until nothing is due that can be delivered now; how many were. ``only``: one tenant's one consumer."""
    turns = _Round(dsn, posting or Posting(), only, threading.Event())
    total = 0
    try:
        while turns.begin():
            delivered = 0
            while turns._running:
                delivered += turns.collect(None)
            total += delivered
            if delivered == 0:
                break
    finally:
        turns.end()
    return total


def run(dsn: str, every: float = 1.0, posting: Posting | None = None, only: tuple[str, str] | None = None) -> None:
    """Post what happens until SIGTERM or SIGINT; the posts in hand are finished first, what was taken goes back.

    It looks every so many seconds, sooner when the doorbell rings. A database that is away is tried again, less often
    the longer it is away. Where the schema is upgraded beyond this program, what was taken goes back, too, and
    :class:`~cognifold_pg.errors.IncompatibleVersionError` is raised.
    """
    stopping = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    deliver_until(stopping, dsn, every, posting, only)


def deliver_until(
    stopping: threading.Event,
    dsn: str,
    every: float = 1.0,
    posting: Posting | None = None,
    only: tuple[str, str] | None = None,
) -> None:
    """As :func:`run`, until ``stopping`` is set."""
    turns = _Round(dsn, posting or Posting(), only, stopping)
    bell: Doorbell | None = None
    pause = every
    while not stopping.is_set():
        try:
            if bell is None:
                bell = Doorbell(dsn)
            if turns.begin() and (delivered := turns.collect(every)):
                log.info("delivered %s", delivered)
            else:
                bell.wait(every)
            pause = every
        except psycopg.OperationalError as error:
            if bell is not None:
                bell.close()
            bell = None
            pause = min(pause * 2, 30)
            log.warning("the database does not answer (%s); next look in %s s", str(error).strip(), pause)
            stopping.wait(pause)
        except IncompatibleVersionError:
            stopping.set()
            turns.end()
            raise
    turns.end()
    if bell is not None:
        bell.close()
