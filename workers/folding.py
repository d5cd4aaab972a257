"""Fold what waits, tenant by tenant: in a plain loop, or wherever a queue calls :func:`fold_tenant`.

Nothing is kept here. Which tenants have work is asked of the database each time, an event is folded and taken from
the queue in one transaction, and two workers on one tenant take turns; so a worker may be killed at any moment, and
any number of them may run. With a model (a planner) events are claimed first, and no transaction is open while it
thinks: see :mod:`cognifold_pg.folding`.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cognifold_pg.client import Memory
from cognifold_pg.embedding.provider import EmbeddingProvider
from cognifold_pg.errors import CognifoldError, ShareUsedUpError
from cognifold_pg.handshake import meet
from cognifold_pg.planner import FoldRequest, ModelUnreachable, Planner, Proposal, RateLimited
from cognifold_pg.tracing import span
from cognifold_pg.workers.turns import Turns

log = logging.getLogger(__name__)

# How long to wait for a tenant whose graph somebody else is changing.
PATIENCE = "2s"

# How long a model that did not answer, or did not say when to come again, is left alone; doubled up to a most.
QUIET = 5.0
MOST_QUIET = 300.0

# A tenant's turn ends after so many events, or so many seconds, and the next one has its own: one with a long queue
# does not keep the others waiting. With a model a turn is one batch.
TURN = 50
TURN_SECONDS = 0.25
TURN_WITH_A_MODEL = 8

# tenants_with_work counts no further.
COUNTED = 100

# Seconds until it is asked again who has work, while there is some.
LOOK = 0.25

# Seconds for which a tenant is passed over: one whose graph somebody is changing; one that has had its share, or is in
# trouble.
BUSY_REST = 0.1
REST = 1.0

# Vectors of a large memory that go into its index after a turn: more than a turn leaves.
INDEXED = 200


Connection = psycopg.Connection[Any]
Embedders = Mapping[str, EmbeddingProvider]


def tenants_with_work(database: str | Connection) -> list[str]:
    """The tenants that have events to fold now, the longest waiting first (role ``cognifold_worker``)."""
    if isinstance(database, str):
        with psycopg.connect(database, autocommit=True) as connection:
            return tenants_with_work(connection)
    return list(_waiting(database))


def working_connection(dsn: str, *, parting: bool = False) -> Connection:
    """A connection for a worker's own statements: it waits for no lock for long, and prepares nothing.

    Raises :class:`~cognifold_pg.errors.IncompatibleVersionError` where this program and the schema do not go together,
    but not ``parting``, to a worker that only gives back what it has.
    """
    connection = psycopg.connect(impatient(dsn), autocommit=True, prepare_threshold=None)
    if not parting:
        try:
            meet(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def ask(connection: Connection, query: str, *parameters: Any) -> Any:
    """What a statement says: the first column of its first row, None where there is no row."""
    row = connection.execute(query.encode(), parameters).fetchone()
    return None if row is None else row[0]


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


def fold_tenant(
    dsn: str,
    tenant: str,
    limit: int = TURN,
    planner: Planner | None = None,
    *,
    embedder: EmbeddingProvider | None = None,
    connection: Connection | None = None,
    seconds: float = math.inf,
    stopping: threading.Event | None = None,
) -> int:
    """Fold up to ``limit`` events of a tenant, each in its own transaction; how many were taken up.

    A batch of its noted recalls is counted, too. With a ``planner`` the plan of a batch is a transaction. Begins no
    event after ``seconds``, or once ``stopping`` is set. ``connection`` is one of :func:`working_connection`.

    Raises ``psycopg.errors.LockNotAvailable`` where somebody else is changing the tenant's graph, and
    :class:`~cognifold_pg.errors.ShareUsedUpError` where the tenant has reached ``fold.rate`` or ``fold.budget``.
    """
    if connection is None:
        with working_connection(dsn) as own:
            return fold_tenant(
                dsn, tenant, limit, planner, embedder=embedder, connection=own, seconds=seconds, stopping=stopping
            )
    about = {"cognifold.tenant": tenant, "cognifold.planner": "sql" if planner is None else "llm"}
    with span("fold", about, usual=(psycopg.errors.LockNotAvailable, ShareUsedUpError)) as noted:
        if embedder is not None:
            with Memory(dsn, tenant=tenant, pool_size=1, embedder=embedder) as memory:
                memory.embed_waiting(limit)
        if planner is not None:
            taken = _fold_by_plans(dsn, tenant, limit, planner)
        else:
            taken = _fold_one_by_one(connection, tenant, limit, seconds, stopping)
        noted.note({"cognifold.events": taken})
        return taken


def _fold_one_by_one(
    connection: Connection, tenant: str, limit: int, seconds: float, stopping: threading.Event | None
) -> int:
    """With the planner in SQL: an event is a transaction."""
    until = time.monotonic() + seconds
    taken = 0
    while taken < limit and time.monotonic() < until and not (taken and stopping is not None and stopping.is_set()):
        try:
            if not connection.execute("SELECT outcome FROM cognifold.fold_if_free(1, %s)", [tenant]).fetchone():
                break
        except psycopg.errors.LockNotAvailable:
            if not taken:
                raise
            break
        except psycopg.Error as error:
            if error.sqlstate != ShareUsedUpError.sqlstate:
                raise
            if not taken:
                raise ShareUsedUpError(str(error.diag.message_primary)) from error
            break
        taken += 1
    # No writer waits for the index of a large memory: what they left is done here.
    connection.execute("SELECT cognifold.index_vectors(%s, %s)", [INDEXED, tenant])
    connection.execute("SELECT cognifold.count_recalls(tenant => %s)", [tenant])
    return taken


def _fold_by_plans(dsn: str, tenant: str, limit: int, planner: Planner) -> int:
    """With a model that makes the plans: no transaction is open while it thinks."""
    with Memory(impatient(dsn), tenant=tenant, pool_size=1) as memory:
        allowed = memory.rows("SELECT cognifold.fold_allowance() AS events")[0]["events"]
        if allowed == 0:
            raise ShareUsedUpError(f'tenant "{tenant}" has had its share of folds for now')
        taken = len(memory.fold(min(limit, allowed), planner=planner))
        memory.index_vectors(INDEXED)
        memory.count_recalls()
    return taken


def impatient(dsn: str) -> str:
    """``dsn`` with :data:`PATIENCE`: no statement stands before a lock for longer."""
    options = conninfo_to_dict(dsn).get("options") or ""
    return make_conninfo(dsn, options=f"{options} -c lock_timeout={PATIENCE}".strip())


def fold_waiting(
    dsn: str,
    stopping: threading.Event | None = None,
    planner: Planner | None = None,
    *,
    embedders: Embedders | None = None,
    turns: Turns | None = None,
    connection: Connection | None = None,
    on_turn: Callable[[str, int, bool], object] | None = None,
) -> int:
    """Fold until nothing waits (or ``stopping`` is set), by turns (:class:`Turns`); how many events were taken up.

    A tenant that is busy or in trouble is passed over until the next look: it keeps no other waiting. A ``planner``
    should be an :class:`AttendedPlanner`: once its model is away, no event is taken up for it. ``embedders`` are the
    outside models whose vectors this worker can make, by name. ``on_turn`` is told of each turn: whose it was, how
    many events, and whether there may be more.
    """
    if connection is None:
        with working_connection(dsn) as own:
            return fold_waiting(
                dsn, stopping, planner, embedders=embedders, turns=turns, connection=own, on_turn=on_turn
            )
    turns = turns or Turns()
    limit = TURN if planner is None else TURN_WITH_A_MODEL
    total = 0
    while True:
        waiting = _waiting(connection)
        models = _outside_models(connection, list(waiting)) if embedders else {}
        done = 0
        looked = time.monotonic()
        while (tenant := turns.next(waiting)) is not None and time.monotonic() < looked + LOOK:
            if stopping is not None and stopping.is_set():
                return total + done
            if isinstance(planner, AttendedPlanner) and planner.is_away:
                return total + done
            began = time.monotonic()
            taken = 0
            try:
                taken = fold_tenant(
                    dsn,
                    tenant,
                    limit,
                    planner,
                    embedder=(embedders or {}).get(models.get(tenant, "")),
                    connection=connection,
                    seconds=TURN_SECONDS,
                    stopping=stopping,
                )
            except psycopg.errors.LockNotAvailable:
                log.debug("tenant %s is busy", tenant)
                turns.rest(tenant, BUSY_REST)
            except ShareUsedUpError as error:
                log.info("%s", error, extra={"tenant": tenant})
                turns.rest(tenant, REST)
            except CognifoldError as error:
                log.warning("tenant %s: %s", tenant, error, extra={"tenant": tenant})
                turns.rest(tenant, REST)
            except psycopg.Error as error:
                if isinstance(error, psycopg.OperationalError) and (error.sqlstate or "")[:2] not in ("40", "55"):
                    raise  # the database is away
                log.warning("tenant %s: %s", tenant, error, extra={"tenant": tenant})
                turns.rest(tenant, REST)
            spent = time.monotonic() - began
            turns.charge(tenant, spent)
            more = taken >= limit or spent >= TURN_SECONDS
            if not taken or not more:
                del waiting[tenant]
            else:
                waiting[tenant] = max(waiting[tenant] - taken, 1) if waiting[tenant] < COUNTED else COUNTED
            done += taken
            if taken and on_turn is not None:
                on_turn(tenant, taken, more)
        total += done
        if done == 0:  # another worker was faster, or all that wait are busy
            return total


def _waiting(connection: Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT tenant, waiting FROM cognifold.tenants_with_work()").fetchall())


def _outside_models(connection: Connection, tenants: list[str]) -> dict[str, str]:
    """Of the tenants whose vectors an outside model makes, which one."""
    return dict(
        connection.execute(
            "SELECT t.tenant, cognifold.outside_model(t.tenant) FROM unnest(%s::text[]) AS t (tenant)", [tenants]
        ).fetchall()
    )


def run(dsn: str, every: float = 1.0, planner: Planner | None = None) -> None:
    """Fold what arrives until SIGTERM or SIGINT, and do nothing else; the event in hand is finished first.

    A call of ``planner`` is not waited for: what was claimed for it is given back at once. A database that is away is
    tried again, less often the longer it is away. See :class:`~cognifold_pg.workers.service.Service` for all of it.
    """
    from cognifold_pg.workers.service import Service

    Service(dsn, every=every, planner=planner, slots=("fold",)).run()
