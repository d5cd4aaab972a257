"""What Dramatiq's own command runs: ``dramatiq cognifold_pg.workers.app``.

    COGNIFOLD_DSN      the database that remembers
    COGNIFOLD_BROKER   the broker, by its URL; by default the same database
    COGNIFOLD_LLM_*    a language model that makes the plans, as of ``cognifold worker``
    COGNIFOLD_WEBHOOK_SECRETS   the folder of the webhooks' signing secrets

A process for each slot: ``dramatiq cognifold_pg.workers.app --queues cognifold_fold``, and ``cognifold_light``,
``cognifold_heavy``, ``cognifold_deliver``. Importing this module connects; import :mod:`cognifold_pg.workers.actors`
to use it otherwise.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from pathlib import Path

import dramatiq
from dramatiq.middleware import Middleware

from cognifold_pg.connect import resolve_dsn
from cognifold_pg.errors import IncompatibleVersionError
from cognifold_pg.planner import LanguagePlanner
from cognifold_pg.webhooks import Secrets
from cognifold_pg.workers.actors import Actors, Sweeper, make_actors
from cognifold_pg.workers.broker import make_broker
from cognifold_pg.workers.delivering import Posting
from cognifold_pg.workers.folding import AttendedPlanner
from cognifold_pg.workers.waiting import when_it_answers

log = logging.getLogger(__name__)

dsn = resolve_dsn()


def _set_up() -> tuple[dramatiq.Broker, Actors]:
    """The broker and its actors, as soon as the database answers: a process started while it is away waits for it.

    Told to stop meanwhile, it does: Dramatiq itself would hear of that only after the import.
    """
    planner = (
        AttendedPlanner(LanguagePlanner.from_environment(os.environ))
        if os.environ.get("COGNIFOLD_LLM_MODEL", "").strip()
        else None
    )
    secrets = os.environ.get("COGNIFOLD_WEBHOOK_SECRETS", "").strip()
    posting = Posting(secrets=Secrets(Path(secrets) if secrets else None))

    def attempt() -> tuple[dramatiq.Broker, Actors]:
        broker = make_broker(os.environ.get("COGNIFOLD_BROKER") or dsn)
        return broker, make_actors(broker, dsn, planner=planner, posting=posting)

    before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    try:
        return when_it_answers(
            attempt, lambda error, wait: log.warning("the database does not answer (%s); next try in %g s", error, wait)
        )
    finally:
        signal.signal(signal.SIGTERM, before)


broker, actors = _set_up()
dramatiq.set_broker(broker)


class Sweeping(Middleware):
    """A sweeper as long as the process works; it stops the process where the schema takes it no more."""

    _refused = False

    def after_worker_boot(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        """Begin to sweep."""
        self._sweeper = Sweeper(dsn, actors, on_refusal=self._stop_process)
        self._sweeper.start()

    def _stop_process(self, error: IncompatibleVersionError) -> None:
        self._refused = True
        os.kill(os.getpid(), signal.SIGTERM)

    def before_worker_shutdown(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        """Sweep no more."""
        self._sweeper.stop()

    def after_worker_shutdown(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        """Say by the exit status that this was no ordinary end, so that the other processes end, too."""
        if self._refused:
            sys.exit(1)


broker.add_middleware(Sweeping())
