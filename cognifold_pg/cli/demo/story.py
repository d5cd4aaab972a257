"""What happened in a memory, read back from its tables: period by period, concept by concept, intent by intent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from cognifold_pg.client import Memory
from cognifold_pg.replay import Day, Growth, growth
from cognifold_pg.results import Evidence

_MOVED = 0.25  # evidence mass gained or lost in a period from which on a concept rises or fades


@dataclass(frozen=True, slots=True)
class Change:
    """A concept whose evidence mass went from ``before`` to ``after`` in a period."""

    title: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened to an intent: ``what`` is emerges, returns, or the status a step led to."""

    moment: datetime
    what: str
    title: str


@dataclass(frozen=True, slots=True)
class Sleep:
    """What a sleep pass did; ``reasons`` hold a sentence for each concept merged or tied in."""

    replayed: int
    faded: int
    fading_reason: str
    merges: Sequence[str]
    completions: Sequence[str]
    archived: int


@dataclass(frozen=True, slots=True)
class Chapter:
    """One period: its last day, the size of the graph then, and what happened in it."""

    last: Day
    size: Growth
    born: Sequence[str]
    stated: Sequence[str]
    rising: Sequence[Change]
    fading: Sequence[Change]
    happenings: Sequence[Happening]
    sleep: Sleep | None


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept and its evidence mass at the end of each period."""

    id: UUID
    title: str
    masses: Sequence[float]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of an intent's life and the words that brought it about."""

    at: datetime
    to_status: str
    wake_at: datetime | None
    words: str
    answered: bool


@dataclass(frozen=True, slots=True)
class Wish:
    """An intent: why it is there, the events it is grounded in, the numbers it emerged by, and its life since."""

    title: str
    reason: str
    emerged: datetime
    category: str
    readiness: float | None
    theta: float | None
    deadline: datetime | None
    status: str
    evidence: Sequence[Evidence]
    steps: Sequence[Step]

    def returned(self, by: datetime) -> datetime | None:
        """When its last deferral ended, if that was until ``by`` and nothing else had become of it."""
        if not self.steps or (wake_at := self.steps[-1].wake_at) is None or wake_at > by:
            return None
        return wake_at


def chapters(memory: Memory, periods: Sequence[Sequence[Day]]) -> list[Chapter]:
    """What happened in each period. Moves the memory's clock to the end of the last."""
    made = memory.rows(
        "SELECT c.id, c.title, c.occurred_at, c.merged_into, p.proposer FROM cognifold.concept AS c "
        "JOIN cognifold.plan AS p ON p.plan_id = c.plan_id ORDER BY c.occurred_at, c.title"
    )
    titles = {row["id"]: row["title"] for row in made if row["merged_into"] is None}
    sleeps = _sleeps(memory)
    happened = _happenings(wishes(memory), periods[-1][-1].end)
    told = []
    start: datetime | None = None
    masses: dict[UUID, float] = {}
    for period in periods:
        end = period[-1].end

        def within(moment: datetime, start: datetime | None = start, end: datetime = end) -> bool:
            return (start is None or moment > start) and moment <= end

        before, masses = masses, _masses(memory, end)
        changes = [Change(titles[id_], before[id_], masses.get(id_, 0)) for id_ in titles if id_ in before]
        changes.sort(key=lambda change: (-abs(change.after - change.before), change.title))
        new = [row for row in made if within(row["occurred_at"])]
        told.append(
            Chapter(
                last=period[-1],
                size=growth(memory, end),
                born=[row["title"] for row in new if row["proposer"] != "user"],
                stated=[row["title"] for row in new if row["proposer"] == "user"],
                rising=[change for change in changes if change.after - change.before >= _MOVED],
                fading=[change for change in changes if change.before - change.after >= _MOVED],
                happenings=[happening for happening in happened if within(happening.moment)],
                sleep=sleeps.get(end),
            )
        )
        start = end
    return told


def concepts(memory: Memory, periods: Sequence[Sequence[Day]]) -> list[Concept]:
    """The concepts that stand by themselves, those of most evidence first. Moves the memory's clock as above."""
    masses = [_masses(memory, period[-1].end) for period in periods]
    rows = memory.rows(
        "SELECT id, title FROM cognifold.concept WHERE merged_into IS NULL "
        "ORDER BY evidence_count DESC, occurred_at, title"
    )
    return [Concept(row["id"], row["title"], [mass.get(row["id"], 0) for mass in masses]) for row in rows]


def wishes(memory: Memory) -> list[Wish]:
    """The intents in the order they emerged, with their status at the memory's clock."""
    intents = memory.rows(
        "SELECT id, title, content, occurred_at, category, readiness, theta, deadline, status FROM cognifold.intent "
        "ORDER BY occurred_at, recorded_at, title"
    )
    steps: dict[UUID, list[Step]] = {}
    for row in memory.rows(
        "SELECT t.node_id, t.at, t.to_status, t.wake_at, e.content, e.source = 'cognifold' AS answered "
        "FROM cognifold.intent_transition AS t JOIN cognifold.event AS e ON e.id = t.event_id "
        "ORDER BY t.node_id, t.position"
    ):
        step = Step(row["at"], row["to_status"], row["wake_at"], row["content"], bool(row["answered"]))
        steps.setdefault(row["node_id"], []).append(step)
    return [
        Wish(
            title=row["title"],
            reason=row["content"],
            emerged=row["occurred_at"],
            category=row["category"],
            readiness=row["readiness"],
            theta=row["theta"],
            deadline=row["deadline"],
            status=row["status"],
            evidence=[
                found
                for found in memory.explain(row["id"])
                if found.supports == row["id"] and found.relation == "grounds" and found.kind == "event"
            ],
            steps=steps.get(row["id"], []),
        )
        for row in intents
    ]


def _masses(memory: Memory, moment: datetime) -> dict[UUID, float]:
    """What the evidence of each concept there was weighed at ``moment``, where the memory's clock is left."""
    memory.clock = moment
    rows = memory.rows(
        "SELECT e.target_id, sum(e.mass ORDER BY e.potential) AS mass FROM cognifold.edge AS e "
        "JOIN cognifold.concept AS c ON c.id = e.target_id "
        "WHERE e.type IN ('grounds', 'reinforces') AND NOT e.inferred "
        "AND e.stamped_at <= %s AND c.occurred_at <= %s GROUP BY e.target_id",
        [moment, moment],
    )
    return {row["target_id"]: row["mass"] for row in rows}


def _happenings(told: Sequence[Wish], until: datetime) -> list[Happening]:
    """What became of the intents until ``until``, in order."""
    found = [Happening(wish.emerged, "emerges", wish.title) for wish in told]
    for wish in told:
        following = [step.at for step in wish.steps[1:]]
        for step, after in zip(wish.steps, [*following, until], strict=False):
            found.append(Happening(step.at, step.to_status, wish.title))
            if step.wake_at is not None and step.wake_at <= after:
                found.append(Happening(step.wake_at, "returns", wish.title))
    return sorted(found, key=lambda happening: happening.moment)


def _sleeps(memory: Memory) -> dict[datetime, Sleep]:
    """The sleep passes by the moment they decided by."""
    found = {}
    for row in memory.rows(
        "SELECT r.as_of, r.counts, p.said FROM cognifold.consolidation_run AS r CROSS JOIN LATERAL ("
        "  SELECT coalesce(jsonb_object_agg(o.op, o.reasons), '{}') AS said FROM ("
        "    SELECT o.value ->> 'op' AS op, "
        "      array_agg(o.value ->> 'reasoning' ORDER BY p.version, o.ordinality) AS reasons "
        "    FROM cognifold.plan AS p CROSS JOIN jsonb_array_elements(p.operations) WITH ORDINALITY AS o "
        "    WHERE p.proposer = 'consolidate' AND p.applied_at BETWEEN r.started_at AND r.updated_at "
        "    GROUP BY o.value ->> 'op') AS o) AS p ORDER BY r.as_of, r.started_at"
    ):
        counts, said = row["counts"], row["said"]
        found[row["as_of"]] = Sleep(
            replayed=counts.get("events_replayed", 0),
            faded=counts.get("edges_faded", 0),
            fading_reason=next(iter(said.get("FADE_EDGES", ())), ""),
            merges=said.get("MERGE_NODES", ()),
            completions=list(dict.fromkeys(said.get("ADD_EDGE", ()))),
            archived=counts.get("events_archived", 0),
        )
    return found
