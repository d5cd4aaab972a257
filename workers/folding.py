"""Fold what waits, tenant by tenant: in a plain loop, or wherever a queue calls :func:`fold_tenant`.

Nothing is kept here. Which tenants have work is asked of the database each time, an event is folded and taken from
the queue in one transaction, and two workers on one tenant take turns; so a worker may be killed at any moment, and
any number of them may run.
"""

from __future__ import annotations

import logging
import signal
import threading
from types import FrameType

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.errors import CognifoldError

log = logging.getLogger(__name__)

# How long to wait for a tenant whose graph somebody else is changing.
PATIENCE = "2s"

# Events of one tenant before the next tenant has its turn: one with a long queue does not keep the others waiting.
TURN = 50


def tenants_with_work(dsn: str) -> list[str]:
    """The tenants that have events to fold now, the longest waiting first (role ``cognifold_worker``)."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        return [row[0] for row in connection.execute("SELECT tenant FROM cognifold.tenants_with_work()")]


def fold_tenant(dsn: str, tenant: str, limit: int = TURN) -> int:
    """Fold up to ``limit`` events of a tenant, each in its own transaction; how many were taken up.

    Raises ``psycopg.errors.LockNotAvailable`` where somebody else has held the tenant's graph for :data:`PATIENCE`.
    """
    taken = 0
    with Memory(_impatient(dsn), tenant=tenant, pool_size=1) as memory:
        while taken < limit and memory.fold(1):
            taken += 1
    return taken


def _impatient(dsn: str) -> str:
    options = conninfo_to_dict(dsn).get("options") or ""
    return make_conninfo(dsn, options=f"{options} -c lock_timeout={PATIENCE}".strip())


def fold_waiting(dsn: str, stopping: threading.Event | None = None) -> int:
    """Go round the tenants until nothing waits (or ``stopping`` is set); how many events were taken up.

    A tenant that is busy or in trouble is passed over until the next look: it keeps no other waiting.
    """
    total = 0
    while tenants := tenants_with_work(dsn):
        taken = 0
        for tenant in tenants:
            if stopping is not None and stopping.is_set():
                return total + taken
            try:
                taken += fold_tenant(dsn, tenant)
            except psycopg.errors.LockNotAvailable:
                log.info("tenant %s is busy", tenant)
            except CognifoldError as error:
                log.warning("tenant %s: %s", tenant, error)
        total += taken
        if taken == 0:  # another worker was faster, or all that wait are busy
            break
    return total


def run(dsn: str, every: float = 1.0) -> None:
    """Fold what arrives until SIGTERM or SIGINT; the event in hand is finished first.

    A database that is away is tried again at each look, less often the longer it is away.
    """
    stopping = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    pause = every
    while not stopping.is_set():
        try:
            if folded := fold_waiting(dsn, stopping):
                log.info("folded %s events", folded)
            pause = every
        except psycopg.OperationalError as error:
            pause = min(pause * 2, 30)
            log.warning("the database does not answer (%s); next look in %s s", str(error).strip(), pause)
        stopping.wait(pause)
