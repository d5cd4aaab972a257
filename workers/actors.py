"""Dramatiq's actors: each looks at one tenant's work of one kind, as the tables tell it, and does it.

What an actor does is what a slot of ``cognifold worker`` does, and both may run beside each other: a message has no
content but a tenant's name, and who is told of work that is done finds none. Four queues are the slots: run a process
for each, and sleep never keeps a fold waiting. A sweeper in each process rings for what is left: lost messages, leases
that ran out, what became due.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import psycopg

from cognifold_pg.errors import CognifoldError, IncompatibleVersionError, ShareUsedUpError
from cognifold_pg.folding import worker_name
from cognifold_pg.workers.delivering import Posting, deliver_consumer, webhooks_due
from cognifold_pg.workers.folding import Embedders, ask, fold_tenant, tenants_with_work, working_connection
from cognifold_pg.workers.jobs import JOBS, NEED_AN_EMBEDDER
from cognifold_pg.workers.schedule import Claim, claim_jobs, do_job

if TYPE_CHECKING:
    from dramatiq import Actor, Broker

    from cognifold_pg.planner import Planner

log = logging.getLogger(__name__)

QUEUES = {name: f"cognifold_{name}" for name in ("fold", "light", "heavy", "deliver")}

# Seconds: of a tenant's turn before the next message has its; between two sweeps; between two signs of life of a job.
TURN_SECONDS = 2.0
SWEEP = 15.0
SIGN_OF_LIFE = 10.0

# Milliseconds. An old doorbell rings for nothing: what it was for was swept up long ago.
OLDEST = 10 * 60 * 1000
LONGEST = 60 * 60 * 1000

Actors = dict[str, "Actor[[str], Any]"]


def make_actors(
    broker: Broker,
    dsn: str,
    *,
    planner: Planner | None = None,
    embedders: Embedders | None = None,
    posting: Posting | None = None,
) -> Actors:
    """``fold``, ``deliver`` and an actor for each job of the schedule, on ``broker``; each takes a tenant's name."""
    import dramatiq

    # The sweeper rings again, not the broker.
    limits: dict[str, Any] = {"max_retries": 0, "max_age": OLDEST, "time_limit": LONGEST}
    with working_connection(dsn) as connection:
        slots = dict(connection.execute("SELECT job, slot FROM cognifold.job").fetchall())

    def fold(tenant: str) -> None:
        with working_connection(dsn) as connection:
            try:
                model = ask(connection, "SELECT cognifold.outside_model(%s)", tenant)
                taken = fold_tenant(
                    dsn, tenant, planner=planner, embedder=(embedders or {}).get(model or ""), connection=connection,
                    seconds=TURN_SECONDS,
                )  # fmt: skip
            except (psycopg.errors.LockNotAvailable, ShareUsedUpError):
                return  # whoever is at it goes on, or the sweeper rings later
            if taken:
                with contextlib.suppress(psycopg.errors.LockNotAvailable):  # then by the schedule
                    ask(connection, "SELECT cognifold.emit_due(%s)", tenant)
                ask(connection, "SELECT cognifold.note_due_jobs(%s)", tenant)
                actors["fold"].send(tenant)  # behind all others that wait; last, for the broker may be away

    def doing(job: str) -> Callable[[str], None]:
        def run(tenant: str) -> None:
            with working_connection(dsn) as connection:
                for claim in claim_jobs(connection, jobs=[job], tenants=[tenant], worker=worker_name()):
                    with _kept(dsn, claim):
                        do_job(dsn, connection, claim, embedders=embedders)

        return run

    def deliver(tenant: str) -> None:
        for due, consumer in webhooks_due(dsn):
            if due == tenant:
                try:
                    deliver_consumer(dsn, tenant, consumer, posting or Posting())
                except CognifoldError as error:  # no longer there, or its secret is missing: another's turn
                    log.warning("tenant %s, consumer %s: nothing is posted: %s", tenant, consumer, error)

    actors: Actors = {
        name: dramatiq.actor(broker=broker, actor_name=f"cognifold.{name}", queue_name=QUEUES[name], **limits)(work)
        for name, work in {"fold": fold, "deliver": deliver}.items()
    }
    for job in JOBS:
        if embedders or job not in NEED_AN_EMBEDDER:
            actors[job] = dramatiq.actor(
                broker=broker, actor_name=f"cognifold.{job}", queue_name=QUEUES[slots.get(job, "heavy")], **limits
            )(doing(job))
    return actors


def sweep(dsn: str, actors: Actors) -> int:
    """Ring for all that waits and all that is due; how many messages that were."""
    with working_connection(dsn) as connection:
        connection.execute("SELECT cognifold.note_due_jobs()")
        ring = [("fold", tenant) for tenant in tenants_with_work(connection)]
        ring += [(job, tenant) for job, tenant in connection.execute("SELECT job, tenant FROM cognifold.due_jobs()")]
    ring += [("deliver", tenant) for tenant in dict.fromkeys(tenant for tenant, _ in webhooks_due(dsn))]
    number = 0
    for name, tenant in ring:
        if name in actors:
            actors[name].send(tenant)
            number += 1
    return number


class Sweeper(threading.Thread):
    """Sweeps every so often until it is stopped, whatever fails: the database, or the broker.

    Ends where the schema and this program do not go together (any more), and calls ``on_refusal``.
    """

    def __init__(
        self,
        dsn: str,
        actors: Actors,
        every: float = SWEEP,
        on_refusal: Callable[[IncompatibleVersionError], object] = lambda error: None,
    ) -> None:
        super().__init__(name="cognifold-sweeper", daemon=True)
        self._dsn, self._actors, self._every, self._on_refusal = dsn, actors, every, on_refusal
        self._stopping = threading.Event()

    def run(self) -> None:
        """Until :meth:`stop`."""
        while not self._stopping.is_set():
            try:
                sweep(self._dsn, self._actors)
            except IncompatibleVersionError as error:
                log.error("%s", error)
                self._on_refusal(error)
                return
            except Exception as error:  # a broker has errors of its own; none ends the sweeping
                log.warning("no sweep this time: %s", error)
            self._stopping.wait(self._every)

    def stop(self) -> None:
        """Ring no more."""
        self._stopping.set()


@contextlib.contextmanager
def _kept(dsn: str, claim: Claim) -> Iterator[None]:
    """Within it the claim's lease is kept up."""
    done = threading.Event()

    def keep() -> None:
        while not done.wait(SIGN_OF_LIFE):
            with contextlib.suppress(psycopg.Error, CognifoldError), working_connection(dsn) as connection:
                claim.renew(connection)

    thread = threading.Thread(target=keep, name="cognifold-lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
