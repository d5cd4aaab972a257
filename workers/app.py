"""What Dramatiq's own command runs: ``dramatiq cognifold_pg.workers.app``.

    COGNIFOLD_DSN      the database that remembers
    COGNIFOLD_BROKER   the broker, by its URL; by default the same database
    COGNIFOLD_LLM_*    a language model that makes the plans, as of ``cognifold worker``

A process for each slot: ``dramatiq cognifold_pg.workers.app --queues cognifold_fold``, and ``cognifold_light``,
``cognifold_heavy``. Importing this module connects; import :mod:`cognifold_pg.workers.actors` to use it otherwise.
"""

from __future__ import annotations

import os

import dramatiq
from dramatiq.middleware import Middleware

from cognifold_pg.connect import resolve_dsn
from cognifold_pg.planner import LanguagePlanner
from cognifold_pg.workers.actors import Sweeper, make_actors
from cognifold_pg.workers.broker import make_broker
from cognifold_pg.workers.folding import AttendedPlanner

dsn = resolve_dsn()
broker = make_broker(os.environ.get("COGNIFOLD_BROKER") or dsn)
dramatiq.set_broker(broker)
actors = make_actors(
    broker,
    dsn,
    planner=(
        AttendedPlanner(LanguagePlanner.from_environment(os.environ))
        if os.environ.get("COGNIFOLD_LLM_MODEL", "").strip()
        else None
    ),
)


class Sweeping(Middleware):
    """A sweeper as long as the process works."""

    def after_worker_boot(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        """Begin to sweep."""
        self._sweeper = Sweeper(dsn, actors)
        self._sweeper.start()

    def before_worker_shutdown(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        """Sweep no more."""
        self._sweeper.stop()


broker.add_middleware(Sweeping())
