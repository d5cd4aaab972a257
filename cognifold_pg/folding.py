"""Fold with a planner outside the database: claim, read, ask, apply.

Each step is a short transaction of its own, and between the read and the apply none is open: a model may think for a
minute, and holds no lock, no connection and no snapshot meanwhile. What makes that safe is in the database. A claim
gives the events to this process for a while (a lease), and its fence is checked by whatever is written of them; so a
process that dies, or comes back too late, neither loses an event nor folds one twice. A plan is applied whole or not at
all, and not if the nodes it speaks of have changed since they were read.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

import psycopg

from cognifold_pg.errors import ConflictError, InvalidPlanError, InvalidValueError, LostClaimError
from cognifold_pg.planner.errors import (
    BudgetExceeded,
    MalformedAnswer,
    ModelUnreachable,
    PlannerUnavailable,
    RateLimited,
)
from cognifold_pg.planner.request import FoldRequest, KnownNode, Planner, Proposal, WaitingEvent
from cognifold_pg.results import Claimed, Folded

if TYPE_CHECKING:
    from cognifold_pg.client import Memory

# Says which event, and what kind of failure: the reason itself may quote what the memory holds, and is kept there.
log = logging.getLogger(__name__)

# A plan that is out of date is made anew at most so often.
REREADS = 3

# An apply that stands before a lock, or loses to another transaction, is tried so often: its answer is paid for.
APPLIES = 10

# Faults that are not the plan's: the connection, a conflict, a full disk, a shutdown, a broken file.
_SURROUNDINGS = ("08", "25", "40", "53", "55", "57", "58")


def worker_name() -> str:
    """How this process signs its claims: host and process."""
    return f"{socket.gethostname()}:{os.getpid()}"


class PlannedFold:
    """Folds a memory's events by the plans of ``planner``.

    ``patience`` (seconds) is for calls within the caller's open transaction: a planner that takes longer counts as
    unreachable, and what it answers after that is dropped.
    """

    def __init__(
        self, memory: Memory, planner: Planner, *, patience: float | None = None, worker: str | None = None
    ) -> None:
        self._memory = memory
        self._planner = planner
        self._patience = patience
        self._worker = worker or worker_name()

    def fold(self, max_events: int) -> list[Folded]:
        """Fold up to ``max_events`` waiting events, batch by batch; what became of each.

        Ends early where the model's service is away or asks to wait. Raises what the database raises of itself
        (psycopg's errors), and :class:`~cognifold_pg.planner.errors.PlannerUnavailable`; the claim is given back then,
        as it is if the process is interrupted.
        """
        done: list[Folded] = []
        while len(done) < max_events:
            claimed = self._memory.claim_folds(max_events - len(done), worker=self._worker)
            if not claimed:
                break
            batch = _Batch.of(claimed)
            try:
                done.extend(self._fold(batch))
            except BaseException:
                self._give_back(batch)
                raise
            if any(is_away(row) for row in done):
                break
        return done

    # ------------------------------------------------------------------------------------------------ one batch

    def _fold(self, batch: _Batch) -> list[Folded]:
        conflict: ConflictError | None = None
        for _ in range(1 + REREADS):
            request = as_request(self._memory.fold_request(batch.events))
            try:
                proposal = self._ask(request)
                if not isinstance(proposal, Proposal) or not isinstance(proposal.plan.get("operations"), list):
                    raise MalformedAnswer(f"The planner answered with no proposal but {type(proposal).__name__}.")
            except RateLimited as error:
                return self._fail(batch, error, state="rate_limited", retry_after=error.retry_after)
            except ModelUnreachable as error:
                return self._unreachable(batch, error)
            except PlannerUnavailable:
                raise
            except (MalformedAnswer, BudgetExceeded) as error:
                return self._one_by_one(batch, error)
            except Exception as error:  # a refusal; or a planner that fails in a way of its own
                return self._fall_back(batch, error)
            try:
                return self._apply(batch, proposal, request.version)
            except ConflictError as error:
                conflict = error
            except LostClaimError as error:
                return self._lost(batch, error)
            except (InvalidPlanError, InvalidValueError, psycopg.Error) as error:
                if isinstance(error, psycopg.Error) and _is_surroundings(error):
                    raise
                return self._one_by_one(batch, error)
        assert conflict is not None
        return self._fail(batch, conflict)

    def _ask(self, request: FoldRequest) -> Proposal:
        if self._patience is None:
            return self._planner.propose(request)
        answer: list[Proposal | BaseException] = []

        def ask() -> None:
            try:
                answer.append(self._planner.propose(request))
            except BaseException as error:  # raised anew where it is waited for
                answer.append(error)

        thinking = threading.Thread(target=ask, name="cognifold-planner", daemon=True)
        thinking.start()
        thinking.join(self._patience)
        if not answer:
            raise ModelUnreachable(
                f"The planner did not answer within {self._patience:g} s, which is all that is waited for while the "
                "caller's transaction is open. Fold without `inline`, or raise the setting fold.inline_timeout."
            )
        if isinstance(answer[0], BaseException):
            raise answer[0]
        return answer[0]

    def _apply(self, batch: _Batch, proposal: Proposal, version: int) -> list[Folded]:
        for left in reversed(range(APPLIES)):
            try:
                result = self._memory.apply_claimed(
                    batch.events, batch.fence, proposal.plan, read_version=version, model=proposal.model
                )
                break
            except psycopg.errors.OperationalError as error:
                if left == 0 or (error.sqlstate or "")[:2] not in ("40", "55"):
                    raise
        log.info(
            "tenant %s: %s folded %s events in %s calls, %s + %s tokens",
            self._memory.tenant, proposal.model, len(batch.events), proposal.calls, proposal.prompt_tokens,
            proposal.completion_tokens,
        )  # fmt: skip
        operations = len(proposal.plan["operations"])
        return [Folded(event, UUID(result["plan_id"]), "folded", operations, "llm") for event in batch.events]

    # ------------------------------------------------------------------------------------------------ failures

    def _one_by_one(self, batch: _Batch, error: Exception) -> list[Folded]:
        """One bad event must not take the others with it: each is asked about alone."""
        if len(batch.events) == 1:
            return self._fall_back(batch, error)
        log.info("tenant %s: a batch of %s events is split: %s", self._memory.tenant, len(batch.events), _kind(error))
        done: list[Folded] = []
        for place, single in enumerate(batch.singles()):
            done.extend(self._fold(single))
            if is_away(done[-1]):
                rest = _Batch(batch.claimed[place + 1 :])
                if rest.claimed:
                    self._memory.release_claimed(rest.events, rest.fence)
                break
        return done

    def _unreachable(self, batch: _Batch, error: ModelUnreachable) -> list[Folded]:
        """Another time; but not for ever, for it may be this very event that the model chokes on."""
        attempts = self._memory.setting("fold.attempts")
        done: list[Folded] = []
        for single in batch.singles():
            spent = single.claimed[0].attempts >= attempts
            done.extend(self._fall_back(single, error) if spent else self._fail(single, error))
        return done

    def _fall_back(self, batch: _Batch, error: Exception) -> list[Folded]:
        """The SQL planner's turn, where the tenant's setting fold.fallback says so; else a failure like others."""
        if not self._memory.setting("fold.fallback"):
            return self._fail(batch, error)
        done: list[Folded] = []
        for single in batch.singles():
            reason = f"the model had no good plan ({_kind(error)}: {error})"
            try:
                result = self._memory.fold_claimed(single.events[0], single.fence, reason)
            except LostClaimError as lost:
                done.extend(self._lost(single, lost))
            except psycopg.Error as fault:
                if _is_surroundings(fault):
                    raise
                done.extend(self._fail(single, fault))
            else:
                log.warning(
                    "tenant %s: event %s was folded by SQL: %s", self._memory.tenant, single.events[0], _kind(error)
                )
                plan, operations = UUID(result["plan_id"]), result["operations"]
                done.append(Folded(single.events[0], plan, "folded", operations, "sql", _kind(error), str(error)))
        return done

    def _fail(
        self, batch: _Batch, error: Exception, *, state: str = "failed", retry_after: float | None = None
    ) -> list[Folded]:
        rows = self._memory.fail_claimed(
            batch.events, batch.fence, state, _kind(error), str(error), retry_after=retry_after
        )
        outcome = {row.event_id: row.outcome for row in rows}
        for event in batch.events:
            log.warning("tenant %s: event %s was not folded: %s", self._memory.tenant, event, _kind(error))
        return [
            Folded(event, None, outcome.get(event, "lost"), 0, "llm", _kind(error), str(error), retry_after)
            for event in batch.events
        ]

    def _lost(self, batch: _Batch, error: Exception) -> list[Folded]:
        """Somebody has taken up one of them; what is still ours of the batch is given back."""
        self._memory.release_claimed(batch.events, batch.fence)
        log.warning("tenant %s: %s", self._memory.tenant, error)
        return [Folded(event, None, "lost", 0, "llm", _kind(error), str(error)) for event in batch.events]

    def _give_back(self, batch: _Batch) -> None:
        try:
            self._memory.release_claimed(batch.events, batch.fence)
        except psycopg.Error as error:  # the lease ends by itself
            log.warning("tenant %s: a claim could not be given back: %s", self._memory.tenant, error)


@dataclass(frozen=True)
class _Batch:
    """Events of one claim, in order of event time."""

    claimed: tuple[Claimed, ...]

    @classmethod
    def of(cls, rows: Sequence[Claimed]) -> _Batch:
        return cls(tuple(rows))

    @property
    def events(self) -> list[UUID]:
        return [row.event_id for row in self.claimed]

    @property
    def fence(self) -> int:
        return self.claimed[0].fence

    def singles(self) -> list[_Batch]:
        return [_Batch((row,)) for row in self.claimed]


def is_away(row: Folded) -> bool:
    """Whether the model's service, and not the event, is what kept it from being folded."""
    return row.outcome == "rate_limited" or row.error_state == ModelUnreachable.__name__


def _is_surroundings(error: psycopg.Error) -> bool:
    """Whether the fault lies with neither the event nor the plan, so that the claim is given back uncharged."""
    return error.sqlstate is None or error.sqlstate[:2] in _SURROUNDINGS


def _kind(error: Exception) -> str:
    """What the column error_state says: a SQLSTATE where the database said no, else the error's class."""
    return getattr(error, "sqlstate", None) or type(error).__name__


# ---------------------------------------------------------------------------------------------------- the request


def as_request(read: dict[str, Any]) -> FoldRequest:
    """What ``fold_request`` answers, as a planner takes it."""
    return FoldRequest(
        tenant=read["tenant"],
        time_zone=read["time_zone"],
        version=read["version"],
        events=tuple(
            WaitingEvent(
                id=UUID(event["id"]),
                title=event["title"],
                content=event["content"],
                occurred_at=_moment(event["occurred_at"]),
                actor=event["actor"],
                source=event["source"],
                payload=_payload(event["payload"]),
            )
            for event in read["events"]
        ),
        context=tuple(_node(node) for node in read["context"]),
        candidates=tuple(_node(node) for node in read["candidates"]),
    )


def _node(node: dict[str, Any]) -> KnownNode:
    return KnownNode(
        id=UUID(node["id"]),
        kind=node["kind"],
        title=node["title"],
        content=node["content"],
        occurred_at=_moment(node["occurred_at"]),
        evidence_count=node["evidence_count"],
        score=node["score"],
    )


def _payload(payload: Any) -> dict[str, Any] | None:
    """Planners take fields by name; anything else that JSON can say is one field."""
    return payload if payload is None or isinstance(payload, dict) else {"payload": payload}


def _moment(text: str) -> datetime:
    """A time as JSON has it; what Python's datetime cannot hold is its first or last moment."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        early = text == "-infinity" or text.endswith("BC")
        return (datetime.min if early else datetime.max).replace(tzinfo=UTC)
