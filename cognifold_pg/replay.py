"""Replay a stream on the memory's own clock, a day at a time, and see the graph as it was at any moment.

A day's events are remembered and folded with the clock at the day's last event, so that decay and recency are
what they would have been then. Replaying again changes nothing and shows the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience

if TYPE_CHECKING:
    from cognifold_pg.planner.request import Planner

# Events folded per transaction; a day of a dense stream takes several.
_FOLD_BATCH = 20


@dataclass(frozen=True, slots=True)
class Day:
    """The events of one day, in order of event time; ``end`` is the time of the last of them."""

    day: date
    end: datetime
    experiences: Sequence[Experience]


@dataclass(frozen=True, slots=True)
class Growth:
    """How many events, concepts and unfaded edges the graph held at ``moment`` of the memory's clock.

    Answers to intents, which the memory itself writes down (source "cognifold"), are not counted as events.
    """

    moment: datetime
    events: int
    concepts: int
    edges: int


def days_of(experiences: Iterable[Experience], undated: datetime) -> list[Day]:
    """The experiences by the day they happened, each in the offset it was written with, earliest first.

    ``undated`` is taken for those that carry no time.
    """
    dated = [(experience.occurred_at or undated, experience) for experience in experiences]
    dated.sort(key=lambda pair: pair[0])
    days = []
    for day, members in groupby(dated, key=lambda pair: pair[0].date()):
        found = list(members)
        days.append(Day(day, found[-1][0], [experience for _, experience in found]))
    return days


def periods_of(days: Sequence[Day], most: int = 12) -> list[list[Day]]:
    """``days`` in at most ``most`` periods: days if so few, else 1, 2, 4, 8 ... weeks from Monday."""
    if len(days) <= most:
        return [[day] for day in days]
    first = days[0].day - timedelta(days=days[0].day.weekday())
    length = 7
    while (days[-1].day - first).days // length >= most:
        length *= 2
    return [list(members) for _, members in groupby(days, key=lambda day: (day.day - first).days // length)]


def moments_of(experiences: Iterable[Experience], undated: datetime) -> list[Day]:
    """As :func:`days_of`, but a period of its own for each moment: what arrives together is lived together."""
    dated = sorted(((e.occurred_at or undated, e) for e in experiences), key=lambda pair: pair[0])
    return [
        Day(moment.date(), moment, [experience for _, experience in found])
        for moment, found in groupby(dated, key=lambda pair: pair[0])
    ]


def replay(memory: Memory, days: Iterable[Day], planner: Planner | None = None) -> Iterator[Day]:
    """Live through ``days`` in ``memory``, yielding each when it is folded; the clock is left at its end.

    ``planner`` as of :meth:`~cognifold_pg.client.Memory.fold`.
    """
    for day in days:
        memory.clock = day.end
        memory.remember_many(day.experiences)
        memory.fold_all(batch=_FOLD_BATCH, planner=planner)
        yield day


def growth(memory: Memory, moment: datetime) -> Growth:
    """The size of the graph at ``moment``, as far as it can be told from what it is now."""
    [row] = memory.rows(
        "SELECT (SELECT count(*) FROM cognifold.event AS e"
        "  WHERE e.occurred_at <= at.moment AND e.source IS DISTINCT FROM 'cognifold') AS events,"
        " (SELECT count(*) FROM cognifold.concept AS c WHERE c.occurred_at <= at.moment AND NOT EXISTS ("
        "   SELECT FROM cognifold.plan AS p CROSS JOIN jsonb_array_elements(p.operations) AS o"
        "   WHERE c.merged_into IS NOT NULL AND p.as_of <= at.moment AND p.proposer = 'consolidate'"
        "   AND o.value ->> 'op' = 'MERGE_NODES' AND o.value -> 'ids' ? c.id::text)) AS concepts,"
        " (SELECT count(*) FROM cognifold.edge AS g"
        "  WHERE g.created_at <= at.moment AND (g.faded_at IS NULL OR g.faded_at > at.moment)) AS edges "
        "FROM (SELECT %s::timestamptz AS moment) AS at",
        [moment],
    )
    return Growth(moment, row["events"], row["concepts"], row["edges"])
