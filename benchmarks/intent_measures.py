"""How well the intents that surfaced are those that were wanted, and why not.

An intent is right for an expected one if the events it rests on overlap with the expected evidence (Jaccard at least
.3, at least two shared), and it surfaced at or after the moment at which the evidence sufficed, before the deadline
and before the event that resolves it. Pairs are one to one: as many as there can be, of those the best overlap.

    intent_precision, intent_recall, intent_f1
    false_alarms_per_60   intents that are right for nothing, per 60 events
    deadline_in_time      share of the expected intents with a deadline that surfaced before it
    resolved_in_time      share of the expected intents that an event resolves whose intent was resolved with that
                          event or one of the next three; one that never surfaced was not
    resolved_wrongly      intents that were resolved although nothing resolves what they are right for
    intent_delay_hours    median from the moment the evidence sufficed to the emission (and, in events, _events)
    intent_lead_hours     median from the emission to the deadline or resolution, whichever comes first
    proactivity           share of the intents that rest on two nodes or more: 1 by construction where a memory
                          never emits another, so it says little

Times of intents that are right for nothing don't count; a median of nothing is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

import numpy as np
from scipy.optimize import linear_sum_assignment

OVERLAP = 0.3
SHARED = 2
RESOLVED_WITHIN = 3
PER = 60


@dataclass(frozen=True, slots=True)
class GoldIntent:
    """An expected intent; ``emerges`` and ``resolved_by`` are events' keys."""

    name: str
    label: str
    evidence: frozenset[str]
    emerges: str
    deadline: datetime | None = None
    resolved_by: str | None = None


@dataclass(frozen=True, slots=True)
class Emitted:
    """An intent that surfaced: on what it rested then, and how it ended.

    ``concept`` is the id of the concept it came of, ``whole`` all events of that concept at the time.
    """

    title: str
    evidence: frozenset[str]
    at: datetime
    status: str = "pending"
    closed_at: datetime | None = None
    whole: frozenset[str] = frozenset()
    concept: str = ""
    grounds: int = 2


@dataclass(frozen=True, slots=True)
class Bound:
    """When an expected intent may surface: from ``opens`` on and before ``closes``."""

    opens: datetime
    closes: datetime | None


def bound(gold: GoldIntent, moments: Mapping[str, datetime]) -> Bound:
    """The time an expected intent has."""
    ends = [moment for moment in (gold.deadline, moments.get(gold.resolved_by or "")) if moment is not None]
    return Bound(moments[gold.emerges], min(ends, default=None))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared over all; 0 of two empty sets."""
    return len(one & other) / len(one | other) if one | other else 0.0


def overlaps(gold: GoldIntent, evidence: frozenset[str]) -> bool:
    """Whether evidence is about what the expected intent is about."""
    return jaccard(gold.evidence, evidence) >= OVERLAP and len(gold.evidence & evidence) >= SHARED


def in_time(at: datetime, given: Bound) -> bool:
    """Whether it surfaced when it may."""
    return given.opens <= at and (given.closes is None or at < given.closes)


def matched(
    gold: Sequence[GoldIntent],
    emitted: Sequence[Emitted],
    moments: Mapping[str, datetime],
    *,
    whole: bool = False,
    any_time: bool = False,
) -> dict[int, int]:
    """The place of the emitted intent that is right for each expected one, by the expected one's place.

    ``whole``: the concept's events count as evidence, too. ``any_time``: when it surfaced does not matter.
    """
    if not gold or not emitted:
        return {}
    worth = np.zeros((len(gold), len(emitted)))
    for row, wanted in enumerate(gold):
        given = bound(wanted, moments)
        for column, intent in enumerate(emitted):
            evidence = intent.evidence | intent.whole if whole else intent.evidence
            if overlaps(wanted, evidence) and (any_time or in_time(intent.at, given)):
                # One more pair is worth more than any overlap.
                worth[row, column] = len(gold) + jaccard(wanted.evidence, evidence)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return {int(row): int(column) for row, column in zip(rows, columns, strict=True) if worth[row, column] > 0}


def f1(right: int, found: int, wanted: int) -> float:
    """Harmonic mean of right / found and right / wanted; 0 where nothing is right."""
    return 2 * right / (found + wanted) if right else 0.0


def intent_measures(
    gold: Sequence[GoldIntent], emitted: Sequence[Emitted], moments: Mapping[str, datetime]
) -> dict[str, float]:
    """The measures at the head of this file; ``moments`` are those of all events by key, in order."""
    pairs = matched(gold, emitted, moments)
    order = list(moments)
    whole = matched(gold, emitted, moments, whole=True)
    any_time = matched(gold, emitted, moments, any_time=True)
    found = {
        "intents": float(len(emitted)),
        "intent_precision": len(pairs) / len(emitted) if emitted else 0.0,
        "intent_recall": len(pairs) / len(gold) if gold else 1.0,
        "intent_f1": f1(len(pairs), len(emitted), len(gold)),
        "intent_f1_whole_concept": f1(len(whole), len(emitted), len(gold)),
        "intent_f1_any_time": f1(len(any_time), len(emitted), len(gold)),
        "false_alarms_per_60": PER * (len(emitted) - len(pairs)) / len(order),
        "proactivity": sum(i.grounds >= SHARED for i in emitted) / len(emitted) if emitted else 0.0,
    }
    due = [place for place, wanted in enumerate(gold) if wanted.deadline is not None]
    if due:
        found["deadline_in_time"] = sum(place in pairs for place in due) / len(due)
    ending = [place for place, wanted in enumerate(gold) if wanted.resolved_by is not None]
    if ending:
        in_order = [
            place in pairs and resolved_in_time(gold[place], emitted[pairs[place]], moments) for place in ending
        ]
        found["resolved_in_time"] = sum(in_order) / len(ending)
    found["resolved_wrongly"] = float(
        sum(emitted[of].status == "resolved" for place, of in pairs.items() if gold[place].resolved_by is None)
    )
    right = [(gold[place], emitted[of], bound(gold[place], moments)) for place, of in pairs.items()]
    if right:
        found["intent_delay_hours"] = median(hours(intent.at - given.opens) for _, intent, given in right)
        found["intent_delay_events"] = median(
            passed(intent.at, moments) - 1 - order.index(wanted.emerges) for wanted, intent, _ in right
        )
    leads = [hours(given.closes - intent.at) for _, intent, given in right if given.closes is not None]
    if leads:
        found["intent_lead_hours"] = median(leads)
    return found


def resolved_in_time(gold: GoldIntent, intent: Emitted, moments: Mapping[str, datetime]) -> bool:
    """Whether it was resolved with the event that resolves it, or one of the next three."""
    if gold.resolved_by is None or intent.status != "resolved" or intent.closed_at is None:
        return False
    late = passed(intent.closed_at, moments) - 1 - list(moments).index(gold.resolved_by)
    return 0 <= late <= RESOLVED_WITHIN


def passed(moment: datetime, moments: Mapping[str, datetime]) -> int:
    """How many events had happened by then."""
    return sum(at <= moment for at in moments.values())


def hours(span: timedelta) -> float:
    """A span in hours."""
    return span.total_seconds() / 3600
