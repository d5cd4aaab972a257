"""What is done about intents once they are there: the verbs beside ``emit_intents`` and ``answer_intent``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from cognifold_pg.arguments import check_aware, check_int, checked_text, checked_uuid
from cognifold_pg.verbs import Verbs


@dataclass(frozen=True, slots=True)
class RankedIntent:
    """One row of ``ranked_intents``: ``value`` = ``acceptance`` * ``readiness`` * ``urgency``, in [0, 2].

    ``readiness`` is ``None``, and counts 1, for an intent that a user stated.
    """

    rank: int
    intent_id: UUID
    title: str
    status: str
    category: str
    value: float
    readiness: float | None
    acceptance: float
    urgency: float
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class IntentAction:
    """One step of an intent, as ``propose_actions`` returns it; ``event_id`` is the event it was taken from."""

    position: int
    what: str
    due_at: datetime | None
    status: str
    proposer: str
    event_id: UUID | None


@dataclass(frozen=True, slots=True)
class Consequence:
    """One row of ``what_if_ignored``: an event that followed an earlier situation like this one.

    ``situation`` counts the situations, the most alike first, ``step`` the events that followed, in order of time;
    ``after`` is the time since ``like_event``, from which ``path`` leads here over stated edges, the last a
    ``relation`` of ``weight``. ``because_of`` and ``likeness`` say which event of the intent it is like and how much;
    ``earlier_intent`` and ``outcome`` which intent there was then, if any, and whether it was rejected or expired.
    """

    situation: int
    step: int
    event_id: UUID
    title: str
    occurred_at: datetime
    after: timedelta
    relation: str
    weight: float
    hop: int
    path: Sequence[UUID]
    like_event: UUID
    because_of: UUID | None
    likeness: float | None
    earlier_intent: UUID | None
    outcome: str | None


class IntentVerbs(Verbs):
    """The part of :class:`~cognifold_pg.client.Memory` that deals with intents once they are there."""

    def ranked_intents(self, k: int = 10, *, as_of: datetime | None = None) -> list[RankedIntent]:
        """The ``k`` open intents most worth showing, best first: likely to be welcome, ready, and urgent."""
        check_int("k", k)
        check_aware("as_of", as_of)
        return self._rows(RankedIntent, "SELECT * FROM cognifold.ranked_intents(%s, %s)", [k, as_of])

    def what_if_ignored(
        self, intent_id: UUID | str, *, as_of: datetime | None = None, max_hops: int = 4
    ) -> list[Consequence]:
        """What followed the last time something like this was left alone; empty where the memory knows of nothing."""
        check_aware("as_of", as_of)
        check_int("max_hops", max_hops)
        return self._rows(
            Consequence,
            "SELECT * FROM cognifold.what_if_ignored(%s, %s, %s)",
            [checked_uuid("intent_id", intent_id), as_of, max_hops],
        )

    def propose_actions(self, intent_id: UUID | str) -> list[IntentAction]:
        """The steps of an open intent; where it has none they are read off its evidence, by rule, first.

        Nothing is ever carried out by the memory. Raises :class:`~cognifold_pg.errors.ClosedIntentError` for an
        intent that is closed or expired.
        """
        return self._rows(
            IntentAction, "SELECT * FROM cognifold.propose_actions(%s)", [checked_uuid("intent_id", intent_id)]
        )

    def set_action(
        self,
        intent_id: UUID | str,
        position: int | None = None,
        *,
        status: str | None = None,
        what: str | None = None,
        due_at: datetime | None = None,
        reasoning: str | None = None,
    ) -> int:
        """Add a step to an open intent (without ``position``), change one, or say how far it has come; its position.

        ``status`` is proposed, accepted, done or skipped; what is left out stays as it was. Raises
        :class:`~cognifold_pg.errors.IllegalStepError` for a change of status there is not, as of what is done.
        """
        if position is not None:
            check_int("position", position)
        check_aware("due_at", due_at)
        number: int = self._value(
            "SELECT cognifold.set_action(%s, %s, %s, %s, %s, %s)",
            [
                checked_uuid("intent_id", intent_id),
                position,
                None if status is None else checked_text("status", status),
                None if what is None else checked_text("what", what),
                due_at,
                None if reasoning is None else checked_text("reasoning", reasoning),
            ],
        )
        return number

    def occurrences(
        self,
        rule: str,
        starts_at: datetime,
        k: int = 1,
        *,
        as_of: datetime | None = None,
        time_zone: str | None = None,
    ) -> list[datetime]:
        """The next ``k`` times of what recurs by ``rule`` (a part of iCalendar's RRULE) from ``starts_at`` on.

        Raises :class:`~cognifold_pg.errors.InvalidRuleError` for a rule that it cannot read.
        """
        check_aware("starts_at", starts_at)
        check_aware("as_of", as_of)
        check_int("k", k)
        found: list[datetime] = self._value(
            "SELECT coalesce(array_agg(o.moment ORDER BY o.moment), '{}') "
            "FROM cognifold.occurrences(%s, %s, %s, %s, %s) AS o",
            [checked_text("rule", rule), starts_at, k, as_of, time_zone],
        )
        return found
