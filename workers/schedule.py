"""Do what is due by schedule: claim a period's job, do it, say what came of it.

When a job is due, and who may do it, is decided in the database (``claim_jobs``): a row is unique to a tenant, a job
and a period, and carries a lease. So any number of processes may look, each period is run once, and what a process that
was killed has left is taken up when its lease runs out.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from cognifold_pg.client import Memory
from cognifold_pg.embedding.provider import EmbeddingProvider
from cognifold_pg.tracing import span
from cognifold_pg.workers.folding import Connection, ask, impatient
from cognifold_pg.workers.jobs import JOBS, NEED_AN_EMBEDDER, Duty, Interrupted

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Claim:
    """A job of a period that this process has in hand, until its lease runs out."""

    tenant: str
    job: str
    period: datetime
    cause: str
    fence: int
    attempts: int

    def renew(self, connection: Connection) -> bool:
        """Keep it for another lease; False where somebody else has it."""
        return bool(ask(connection, "SELECT cognifold.renew_job(%s, %s, %s, %s)", *self._key))

    def release(self, connection: Connection) -> bool:
        """Give it back, as if it had not been claimed."""
        return bool(ask(connection, "SELECT cognifold.release_job(%s, %s, %s, %s)", *self._key))

    def finish(self, connection: Connection, report: Mapping[str, Any] | None, error: BaseException | None) -> str:
        """Say what came of it: ``done``, ``failed``, ``dead``; ``lost`` where somebody else has it by now."""
        job, period, fence, tenant = self._key
        kind = None if error is None else getattr(error, "sqlstate", None) or type(error).__name__
        try:
            outcome = ask(
                connection,
                "SELECT cognifold.finish_job(%s, %s, %s, %s, %s, %s, %s)",
                job, period, fence, None if report is None else Jsonb(dict(report)), kind,
                None if error is None else str(error).strip()[:2000] or kind, tenant,
            )  # fmt: skip
        except psycopg.Error as fault:
            if fault.sqlstate != "CF050":
                raise
            return "lost"
        return str(outcome)

    @property
    def _key(self) -> tuple[str, datetime, int, str]:
        return self.job, self.period, self.fence, self.tenant


def claim_jobs(
    connection: Connection,
    max_jobs: int = 1,
    *,
    slots: Sequence[str] | None = None,
    jobs: Sequence[str] | None = None,
    tenants: Sequence[str] | None = None,
    worker: str | None = None,
) -> list[Claim]:
    """Claim what is due, on a connection in autocommit mode: nothing is held but the leases."""
    rows = connection.execute(
        "SELECT tenant, job, period, cause, fence, attempts FROM cognifold.claim_jobs(%s, %s, %s, %s, %s)",
        [max_jobs, *(None if names is None else list(names) for names in (slots, jobs, tenants)), worker],
    )
    return [Claim(*row) for row in rows]


def do_job(
    dsn: str,
    connection: Connection,
    claim: Claim,
    *,
    embedders: Mapping[str, EmbeddingProvider] | None = None,
    stopping: threading.Event | None = None,
    clock: datetime | None = None,
) -> str:
    """Do a claimed job and say what came of it: ``done``, ``failed``, ``dead``, ``lost``, or ``given back``.

    Raises the database's own error where that is away: the claim then ends with its lease.
    """
    about = {"tenant": claim.tenant, "job": claim.job}
    try:
        with (
            span(
                f"job {claim.job}", {"cognifold.tenant": claim.tenant, "cognifold.job": claim.job}, usual=(Interrupted,)
            ),
            Memory(impatient(dsn), tenant=claim.tenant, pool_size=1, clock=clock) as memory,
        ):
            duty = Duty(memory, claim.job, stopping or threading.Event(), embedders or {})
            report = JOBS[claim.job](duty)
    except Interrupted:
        claim.release(connection)
        log.info("tenant %s: %s is given back", claim.tenant, claim.job, extra=about)
        return "given back"
    except psycopg.OperationalError as error:
        if (error.sqlstate or "")[:2] not in ("40", "55"):
            raise
        if stopping is not None and stopping.is_set():
            claim.release(connection)
            return "given back"
        outcome = claim.finish(connection, None, error)
        log.warning("tenant %s: %s %s: %s", claim.tenant, claim.job, outcome, error, extra=about)
        return outcome
    except Exception as error:  # whatever it is, it is this job's alone
        outcome = claim.finish(connection, None, error)
        log.warning("tenant %s: %s %s: %s", claim.tenant, claim.job, outcome, error, extra=about)
        return outcome
    except BaseException:  # the process is ending
        with suppress(psycopg.Error):
            claim.release(connection)
        raise
    outcome = claim.finish(connection, report, None)
    log.info("tenant %s: %s %s: %s", claim.tenant, claim.job, outcome, dict(report), extra=about)
    return outcome


def do_due(
    dsn: str,
    connection: Connection,
    *,
    slots: Sequence[str] | None = None,
    embedders: Mapping[str, EmbeddingProvider] | None = None,
    stopping: threading.Event | None = None,
    clock: datetime | None = None,
    worker: str | None = None,
    at_most: int | None = None,
    on_claim: Callable[[Claim], object] = lambda claim: None,
    on_end: Callable[[Claim, str], object] = lambda claim, outcome: None,
) -> int:
    """Claim and do, one at a time, until nothing is due, or ``at_most``; how many were done, well or not."""
    able = [job for job in JOBS if embedders or job not in NEED_AN_EMBEDDER]
    number = 0
    while (stopping is None or not stopping.is_set()) and number != at_most:
        claims = claim_jobs(connection, slots=slots, jobs=able, worker=worker)
        if not claims:
            break
        on_claim(claims[0])
        outcome = "lost"
        try:
            outcome = do_job(dsn, connection, claims[0], embedders=embedders, stopping=stopping, clock=clock)
        finally:
            on_end(claims[0], outcome)
        number += 1
    return number
