"""What each job of the schedule does, by its name in the table ``job``.

One more is a function here that takes a :class:`Duty` and returns what came of it in numbers, and a line in
:data:`JOBS`. What the database can do by itself (``run_in_sql``) needs neither.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from cognifold_pg.client import Memory
from cognifold_pg.embedding.provider import EmbeddingProvider
from cognifold_pg.errors import CognifoldError, ConsolidationBusyError

# How long one run of a job goes on, where more is left for the next; and how many rows a step of it has.
AT_MOST = timedelta(minutes=10)
BATCH = 200

# What run_in_sql removes step by step in the job retention; the rest of its report is of the whole pass.
_RECORDS = ("runs", "passes", "retention_runs", "audit_reads", "outbox")


class Interrupted(BaseException):
    """The worker was told to stop in the middle of a job. No ``Exception``: nothing on the way takes it for one."""


@dataclass(frozen=True)
class Duty:
    """A job in hand: whose memory, with what, and whether to leave off."""

    memory: Memory
    job: str
    stopping: threading.Event = field(default_factory=threading.Event)
    embedders: Mapping[str, EmbeddingProvider] = field(default_factory=dict)
    until: float = field(default_factory=lambda: time.monotonic() + AT_MOST.total_seconds())

    def go_on(self) -> None:
        """Raises :class:`Interrupted` once the worker is stopping: called between two steps."""
        if self.stopping.is_set():
            raise Interrupted

    def has_time(self) -> bool:
        """Whether another step may begin, within :data:`AT_MOST`; :meth:`go_on` beforehand."""
        self.go_on()
        return time.monotonic() < self.until


Job = Callable[[Duty], Mapping[str, Any]]


def in_sql(duty: Duty) -> Mapping[str, Any]:
    """What needs nothing outside the database."""
    report: dict[str, Any] = duty.memory.rows("SELECT cognifold.run_in_sql(%s) AS report", [duty.job])[0]["report"]
    return report


def index(duty: Duty) -> Mapping[str, Any]:
    """Batch by batch, each a transaction, so that nobody waits for it."""
    moved = 0
    while duty.has_time():
        batch = duty.memory.index_vectors(BATCH)
        moved += batch
        if batch == 0:
            break
    return {"indexed": moved}


def graph(duty: Duty) -> Mapping[str, Any]:
    """Changes to the tenant's graph in Apache AGE, batch by batch, each a transaction."""
    carried = 0
    while duty.has_time():
        batch: int = duty.memory.rows("SELECT cognifold.graph_sync() AS changes")[0]["changes"]
        carried += batch
        if batch == 0:
            break
    return {"changes": carried}


def consolidate(duty: Duty) -> Mapping[str, Any]:
    """A sleep pass, in steps between which folding has its turn. One that runs elsewhere does for this one."""
    try:
        done = duty.memory.consolidate(time_budget=AT_MOST, wait=False, progress=lambda step: duty.go_on())
    except ConsolidationBusyError:
        return {"busy": True}
    return {"steps": done.steps, "plans": len(done.plans), "more": done.more}


def embed(duty: Duty) -> Mapping[str, Any]:
    """Vectors for events that wait for them, by the tenant's outside model."""
    memory = duty.memory
    memory.embedder = _embedder(duty, memory.rows("SELECT cognifold.outside_model() AS model")[0]["model"])
    made = 0
    while duty.has_time():
        batch = memory.embed_waiting(BATCH)
        made += batch
        if batch == 0:
            break
    return {"embedded": made}


def reembed(duty: Duty) -> Mapping[str, Any]:
    """A tenant's move to another model: all that is left of it, by steps that are each whole."""
    memory = duty.memory
    made = dropped = 0
    while duty.has_time():
        moving = memory.rows(
            "SELECT p.to_model, m.provider, p.state FROM cognifold.reembedding_progress AS p "
            "JOIN cognifold.embedding_model AS m ON m.name = p.to_model"
        )
        if not moving:
            break
        stored = 0
        if moving[0]["state"] == "filling" and moving[0]["provider"] != "lexicon":
            stored = memory.store_reembedded_batch(_embedder(duty, moving[0]["to_model"]), BATCH)
        step = memory.rows("SELECT cognifold.reembed_batch(%s) AS rows", [BATCH])[0]["rows"]
        made += stored
        dropped += step
        if not step and not stored:
            break
    return {"vectors": made, "rows": dropped}


def retention(duty: Duty) -> Mapping[str, Any]:
    """What is old by the tenant's rules, and what only tells of work long done; each step is a transaction."""
    removed: Counter[str] = Counter()
    pass_so_far: dict[str, Any] = {}
    while duty.has_time():
        report = dict(in_sql(duty))
        removed.update({name: report.pop(name) for name in _RECORDS})
        pass_so_far = report
        if not report["more"]:
            break
    return {**removed, **pass_so_far}


def _embedder(duty: Duty, model: str | None) -> EmbeddingProvider:
    if model is None or model not in duty.embedders:
        raise CognifoldError(
            f"This worker cannot make the vectors of {model!r}. Start one that can: cognifold worker --embed {model}"
        )
    return duty.embedders[model]


JOBS: dict[str, Job] = {
    "intents": in_sql,
    "alarms": in_sql,
    "embed": embed,
    "index": index,
    "graph": graph,
    "consolidate": consolidate,
    "reembed": reembed,
    "retention": retention,
}

# Jobs that only a worker with an outside model's embedder takes up.
NEED_AN_EMBEDDER = frozenset({"embed"})
