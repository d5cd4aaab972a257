"""Fold what waits, tenant by tenant: in a plain loop, or wherever a queue calls :func:`fold_tenant`.

Nothing is kept here. Which tenants have work is asked of the database each time, an event is folded and taken from
the queue in one transaction, and two workers on one tenant take turns; so a worker may be killed at any moment, and
any number of them may run. With a model (a planner) events are claimed first, and no transaction is open while it
thinks: see :mod:`cognifold_pg.folding`.
"""

from __future__ import annotations

import logging
import math
import signal
import threading
import time
from types import FrameType

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.errors import CognifoldError
from cognifold_pg.planner import FoldRequest, ModelUnreachable, Planner, Proposal, RateLimited

log = logging.getLogger(__name__)

# How long to wait for a tenant whose graph somebody else is changing.
PATIENCE = "2s"

# How long a model that did not answer, or did not say when to come again, is left alone; doubled up to a most.
QUIET = 5.0
MOST_QUIET = 300.0

# Events of one tenant before the next tenant has its turn: one with a long queue does not keep the others waiting.
TURN = 50

# Vectors of a large memory that go into its index after a turn: more than a turn leaves.
INDEXED = 200


def tenants_with_work(dsn: str) -> list[str]:
    """The tenants that have events to fold now, the longest waiting first (role ``cognifold_worker``)."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        return [row[0] for row in connection.execute("SELECT tenant FROM cognifold.tenants_with_work()")]


class Stopped(BaseException):
    """The worker was told to stop while a model was thinking. No ``Exception``: nothing on the way takes it for one."""


class AttendedPlanner:
    """A planner in a worker: it can be interrupted, and a model that is away is left alone for a while.

    While it is, every request is turned away as the service itself would (:class:`RateLimited`), without a call: so
    the events of all tenants wait as long, and no attempt is charged to them.
    """

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self._quiet_until = -math.inf
        self._failures = 0
        self._thinking = False
        self._stopping = False

    def propose(self, request: FoldRequest) -> Proposal:
        """As of :class:`Planner`; raises :class:`Stopped` once the worker is stopping."""
        if self._stopping:
            raise Stopped
        if (left := self._quiet_until - time.monotonic()) > 0:
            raise RateLimited(f"The model's service is left alone for another {left:.1f} s.", left)
        try:
            self._thinking = True
            proposal = self._planner.propose(request)
        except RateLimited as error:
            self._be_quiet(error.retry_after)
            raise
        except ModelUnreachable:
            self._be_quiet(None)
            raise
        finally:
            self._thinking = False
        self._failures = 0
        return proposal

    @property
    def is_away(self) -> bool:
        """Whether the model's service is being left alone: nothing need be claimed for it."""
        return time.monotonic() < self._quiet_until

    def stop(self) -> None:
        """Ask no more; called by the handler of a signal, it interrupts the model's call."""
        self._stopping = True
        if self._thinking:
            raise Stopped

    def _be_quiet(self, seconds: float | None) -> None:
        pause = min(QUIET * 2**self._failures, MOST_QUIET) if seconds is None else seconds
        self._failures = min(self._failures + 1, 10)
        self._quiet_until = time.monotonic() + pause


def fold_tenant(dsn: str, tenant: str, limit: int = TURN, planner: Planner | None = None) -> int:
    """Fold up to ``limit`` events of a tenant, each in its own transaction; how many were taken up.

    A batch of its noted recalls is counted, too. With a ``planner`` the plan of a batch is a transaction. Raises
    ``psycopg.errors.LockNotAvailable`` where somebody else has held the tenant's graph for :data:`PATIENCE`.
    """
    taken = 0
    with Memory(_impatient(dsn), tenant=tenant, pool_size=1) as memory:
        if planner is not None:
            taken = len(memory.fold(limit, planner=planner))
        else:
            while taken < limit and memory.fold(1):
                taken += 1
        memory.index_vectors(INDEXED)  # no writer waits for the index of a large memory: what they left is done here
        memory.count_recalls()
    return taken


def _impatient(dsn: str) -> str:
    options = conninfo_to_dict(dsn).get("options") or ""
    return make_conninfo(dsn, options=f"{options} -c lock_timeout={PATIENCE}".strip())


def fold_waiting(dsn: str, stopping: threading.Event | None = None, planner: Planner | None = None) -> int:
    """Go round the tenants until nothing waits (or ``stopping`` is set); how many events were taken up.

    A tenant that is busy or in trouble is passed over until the next look: it keeps no other waiting. A ``planner``
    should be an :class:`AttendedPlanner`: once its model is away, no event is taken up for it.
    """
    total = 0
    while tenants := tenants_with_work(dsn):
        taken = 0
        for tenant in tenants:
            if stopping is not None and stopping.is_set():
                return total + taken
            if isinstance(planner, AttendedPlanner) and planner.is_away:
                return total + taken
            try:
                taken += fold_tenant(dsn, tenant, planner=planner)
            except psycopg.errors.LockNotAvailable:
                log.info("tenant %s is busy", tenant)
            except CognifoldError as error:
                log.warning("tenant %s: %s", tenant, error)
        total += taken
        if taken == 0:  # another worker was faster, or all that wait are busy
            break
    return total


def run(dsn: str, every: float = 1.0, planner: Planner | None = None) -> None:
    """Fold what arrives until SIGTERM or SIGINT; the event in hand is finished first.

    A call of ``planner`` is not waited for: what was claimed for it is given back at once.

    A database that is away is tried again at each look, less often the longer it is away.
    """
    stopping = threading.Event()
    attended = None if planner is None else AttendedPlanner(planner)

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.set()
        if attended is not None:
            attended.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    pause = every
    while not stopping.is_set():
        try:
            if folded := fold_waiting(dsn, stopping, attended):
                log.info("folded %s events", folded)
            pause = every
        except Stopped:
            break
        except psycopg.OperationalError as error:
            pause = min(pause * 2, 30)
            log.warning("the database does not answer (%s); next look in %s s", str(error).strip(), pause)
        stopping.wait(pause)
