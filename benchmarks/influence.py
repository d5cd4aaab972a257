"""What open intents do to folding and recall, and what that buys and costs.

    python -m benchmarks.influence SCENARIO.json ... [--data FOLDER] [--embedder lexicon|all-MiniLM-L6-v2|both]
                                   [--attraction 0,0.03,...] [--boost 0,0.1,...] [--json FILE] [--dsn DSN]

Each scenario (benchmarks.gold) is folded event by event as a new tenant, with a pass of consolidation a day, once for
each value of ``intent.attraction`` (``emitted`` only for the first and for what ships), in two ways:

    planted   each expected intent is stated by a user's plan with the event after which it emerges: grounded in the
              expected evidence so far, triggered by the concept that holds most of that. It is resolved with the event
              that resolves it, or at its deadline
    emitted   the memory's own intents, as emit_intents lets them surface after each event

While a planted intent is open, an event is *its own* if it is expected evidence of it or belongs to the gold concept
that most of its evidence belongs to.

    evidence_recall    share of the expected evidence that came while the intent was open and joined the concept that
                       triggers it
    own_recall         the same of all events that are its own
    own_precision      of the events that joined such a concept meanwhile, the share that is its own
    own_f1             harmonic mean of the last two
    drawn              events that joined only because an intent was open; drawn_right: those which share a gold
                       concept with most of what the concept then held
    b_cubed_f1, gold_purity, coverage, noise_rejection    of the graph in the end, as in benchmarks.calibrate
    r_at_10            for each value of ``intent.recall_boost``, in the planted lives under the first attraction: of
                       the scenario's questions that an open intent shares evidence with, the share of that evidence
                       among the ten best events; asked each time a further event of the intent's own has come.
                       r_at_10_other: of the questions that no open intent shares evidence with, at the same moments
    concept_at_10      share of those questions that have the triggering concept among the ten best of all kinds

Counts are summed over scenarios, graphs' measures are means. What ends in ``_left_out`` is each scenario's figure under
the value that is best on the others: the most ``own_f1`` and ``b_cubed_f1`` together; of equals the smaller.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any
from uuid import UUID

import psycopg
from rich.console import Console
from rich.table import Table

from benchmarks.calibrate import measures
from benchmarks.gold import Gold, files_of, read
from benchmarks.harness import Report, arguments, finish, scratch_database
from benchmarks.intent_measures import GoldIntent
from benchmarks.structure import embedders
from cognifold_pg.client import Memory
from cognifold_pg.embedding.provider import EmbeddingProvider
from cognifold_pg.install import package_version
from cognifold_pg.replay import moments_of, replay

ATTRACTIONS = (0.0, 0.03, 0.06, 0.09, 0.12)
BOOSTS = (0.0, 0.1, 0.25, 0.5)
_DAY = timedelta(days=1)
_K = 10


@dataclass(frozen=True, slots=True)
class Told:
    """A scenario, and its questions with the events that answer each."""

    gold: Gold
    questions: Sequence[tuple[str, frozenset[str]]]

    @classmethod
    def of(cls, file: Path) -> Told:
        """The scenario of a file; of its ``questions`` are read ``question`` and ``evidence_event_ids``."""
        content = json.loads(file.read_text(encoding="utf-8"))
        questions = [
            (asked["question"], frozenset(asked["evidence_event_ids"])) for asked in content.get("questions", [])
        ]
        return cls(read(file), questions)


@dataclass(slots=True)
class Tally:
    """What one life came to: counts to be summed, and the measures of its graph."""

    counts: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    graph: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Open:
    """A planted intent while it is open."""

    gold: GoldIntent
    node: UUID
    concept: UUID | None
    subject: str  # the gold concept most of its evidence belongs to


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the tables, write the report."""
    parser = arguments(__doc__ or "", data_required=False)
    parser.add_argument("scenarios", nargs="*", type=Path, help="scenario files (default: benchmarks/scenarios)")
    parser.add_argument("--embedder", choices=["lexicon", "all-MiniLM-L6-v2", "both"], default="both")
    parser.add_argument("--attraction", type=numbers, default=ATTRACTIONS, help="values of intent.attraction, 0 first")
    parser.add_argument("--boost", type=numbers, default=BOOSTS, help="values of intent.recall_boost, 0 first")
    parser.add_argument("--half-life", type=float, help="intent.attraction_half_life, in days")
    options = parser.parse_args(argv)
    files = files_of(options.scenarios, options.data)
    if not files:
        parser.error("no scenario in that folder")
    console = Console()
    settings = {} if options.half_life is None else {"intent.attraction_half_life": options.half_life}
    with scratch_database(options.dsn) as dsn:
        report = measure(
            dsn,
            [Told.of(file) for file in files],
            options.embedder,
            options.attraction,
            options.boost,
            settings,
            show=lambda made: console.print(made, highlight=False),
        )
    finish(report, options.json, console)


def numbers(text: str) -> tuple[float, ...]:
    """Numbers between commas.

    :raises argparse.ArgumentTypeError: one of them is none.
    """
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not numbers with commas between them") from None


def measure(
    dsn: str,
    told: Sequence[Told],
    embedder: str = "both",
    attractions: Sequence[float] = ATTRACTIONS,
    boosts: Sequence[float] = BOOSTS,
    settings: Mapping[str, float] | None = None,
    show: Callable[[object], None] = lambda made: None,
) -> Report:
    """Run in the scratch database ``dsn`` (an owner's)."""
    metrics: dict[str, float] = {}
    baselines: dict[str, float] = {}
    for name, (prefix, provider) in embedders(embedder).items():
        for way, values in (("planted", attractions), ("emitted", (attractions[0], shipped(dsn)))):
            Console(stderr=True).print(f"{name}, {way}: {len(told)} scenarios", style="dim")
            tried = []
            for place, value in enumerate(values):
                given = {**(settings or {}), "intent.attraction": value}
                tried.append(lives(dsn, told, name, provider, way, given, boosts if place == 0 else ()))
            show(table(f"{name}, {way}: intent.attraction", values, [summed(tallies) for tallies in tried]))
            for value, tallies in zip(values, tried, strict=True):
                metrics |= {f"{prefix}{way}_{key}_{value:g}": found for key, found in summed(tallies).items()}
            if way == "planted" and len(told) > 1:
                unseen = summed([tried[place][number] for number, place in enumerate(left_out(tried))])
                off = summed(tried[0])
                for key in ("evidence_recall", "own_f1", "b_cubed_f1", "gold_purity"):
                    metrics[f"{prefix}{key}_left_out"] = unseen[key]
                    baselines[f"off.{prefix}{key}_left_out"] = off[key]
    return Report("influence", package_version(), "+".join(one.gold.name for one in told), metrics, baselines)


def shipped(dsn: str) -> float:
    """The default of ``intent.attraction``."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute(
            "SELECT value FROM cognifold.setting_default WHERE name = 'intent.attraction'"
        ).fetchone()
    assert row is not None
    return float(row[0])


def left_out(tried: Sequence[Sequence[Tally]]) -> list[int]:
    """For each scenario the place of the value that was best on the others, the smallest of equals."""

    def worth(tallies: Sequence[Tally]) -> float:
        found = summed(tallies)
        return round(found["own_f1"] + found["b_cubed_f1"], 9)

    places = []
    for left in range(len(tried[0])):
        worths = [worth([tally for place, tally in enumerate(tallies) if place != left]) for tallies in tried]
        places.append(worths.index(max(worths)))
    return places


def summed(tallies: Sequence[Tally]) -> dict[str, float]:
    """The figures at the head of this file over several lives."""
    counts: dict[str, float] = defaultdict(float)
    for tally in tallies:
        for name, count in tally.counts.items():
            counts[name] += count
    found: dict[str, float] = {}
    if counts["intents"]:
        found["intents"] = float(counts["intents"])
    if counts["own"]:
        found["evidence_recall"] = share(counts["evidence_joined"], counts["evidence"])
        found["own_recall"] = share(counts["own_joined"], counts["own"])
        found["own_precision"] = share(counts["own_joined"], counts["joined"])
        found["own_f1"] = 2 * counts["own_joined"] / (counts["own"] + counts["joined"])
    found["drawn"] = float(counts["drawn"])
    found["drawn_right"] = float(counts["drawn_right"])
    for name in ("b_cubed_f1", "gold_purity", "coverage", "noise_rejection"):
        found[name] = fmean(tally.graph[name] for tally in tallies)
    for key in sorted(counts):
        measured, _, boost = key.partition(" asked ")
        if boost:
            found[f"{measured}_boost_{boost}"] = counts[f"{measured} found {boost}"] / counts[key]
    return found


def share(part: float, whole: float) -> float:
    """Part of whole; 0 of nothing."""
    return part / whole if whole else 0.0


# ------------------------------------------------------------------------------------------------- lives


def lives(
    dsn: str,
    told: Sequence[Told],
    model: str,
    embedder: EmbeddingProvider | None,
    way: str,
    settings: Mapping[str, float],
    boosts: Sequence[float],
) -> list[Tally]:
    """Every scenario lived through, each as a new tenant, side by side."""

    def one(scenario: Told) -> Tally:
        name = f"{way} {model[:7]} {settings['intent.attraction']:g} {scenario.gold.name}"
        with Memory(dsn, tenant=name, embedder=embedder, pool_size=1, learn=False) as memory:
            memory.create_tenant(model=model)
            for setting, value in settings.items():
                memory.rows("SELECT cognifold.set_setting(%s, %s)", [setting, value])
            return Life(memory, scenario, way, boosts).lived()

    with ThreadPoolExecutor(max_workers=min(len(told), os.cpu_count() or 1)) as pool:
        return list(pool.map(one, told))


class Life:
    """One scenario folded event by event, and what becomes of the events of its open intents."""

    def __init__(self, memory: Memory, told: Told, way: str, boosts: Sequence[float]) -> None:
        self._memory, self._gold, self._way, self._boosts = memory, told.gold, way, boosts
        self._questions = told.questions
        self._open: list[Open] = []
        self._tally = Tally()
        self._so_far: set[str] = set()

    def lived(self) -> Tally:
        """Live it through, and count."""
        slept = None
        for period in moments_of(self._gold.stream.events, undated=datetime.min):
            if slept is None or period.end - slept >= _DAY:
                self._memory.clock = slept = period.end
                self._memory.consolidate()
            self._close(period.end)
            for _ in replay(self._memory, [period]):
                pass
            keys = [str(event.idempotency_key) for event in period.experiences]
            self._so_far.update(keys)
            for key in keys:
                self._judge(key)
            if self._way == "planted":
                self._plant(keys)
                self._resolve(keys)
            else:
                while emitted := self._memory.emit_intents():
                    self._tally.counts["intents"] += len(emitted)
        groups = {concept: sorted(members) for concept, members in self._members().items()}
        self._tally.graph = measures(self._gold.stream.gold, groups)
        return self._tally

    def _members(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for row in self._memory.rows(_MEMBERS):
            found.setdefault(str(row["concept"]), set()).add(row["key"])
        return found

    def _judge(self, key: str) -> None:
        """Count what an event that was just folded joined, and ask what it gives reason to ask."""
        counts, gold = self._tally.counts, self._gold.stream.gold
        members = self._members()
        for row in self._memory.rows(_DRAWN, [key]):
            counts["drawn"] += 1
            others = members[str(row["concept"])] - {key}
            main = Counter(label for other in others for label in gold[other]).most_common(1)
            counts["drawn_right"] += bool(main and main[0][0] in gold[key])
        asked = False
        for intent in self._open:
            concept = self._survivor(intent.concept)
            joined = concept is not None and key in members.get(str(concept), ())
            evidence = key in intent.gold.evidence
            own = evidence or intent.subject in gold[key]
            counts["evidence"] += evidence
            counts["evidence_joined"] += evidence and joined
            counts["own"] += own
            counts["joined"] += joined
            counts["own_joined"] += own and joined
            asked |= own
        if asked and self._boosts:
            self._ask()

    def _survivor(self, concept: UUID | None) -> UUID | None:
        if concept is None:
            return None
        [row] = self._memory.rows("SELECT cognifold.resolve_node(cognifold.required_tenant(), %s) AS id", [concept])
        found: UUID = row["id"]
        return found

    def _ask(self) -> None:
        counts = self._tally.counts
        about = {key for intent in self._open for key in intent.gold.evidence}
        concepts = {self._survivor(intent.concept) for intent in self._open}
        keys = {row["id"]: row["key"] for row in self._memory.rows(_KEYS)}
        for question, evidence in self._questions:
            wanted = evidence & self._so_far
            if not wanted:
                continue
            name = "r_at_10" if wanted & about else "r_at_10_other"
            for boost in self._boosts:
                self._memory.rows("SELECT cognifold.set_setting('intent.recall_boost', %s)", [boost])
                found = {keys.get(memo.node_id) for memo in self._memory.recall(question, _K, kinds=["event"])}
                counts[f"{name} asked {boost:g}"] += 1
                counts[f"{name} found {boost:g}"] += len(found & wanted) / len(wanted)
                if name == "r_at_10":
                    every = {memo.node_id for memo in self._memory.recall(question, _K)}
                    counts[f"concept_at_10 asked {boost:g}"] += 1
                    counts[f"concept_at_10 found {boost:g}"] += bool(every & concepts)

    # ------------------------------------------------------------------------------------ planted intents

    def _plant(self, keys: Sequence[str]) -> None:
        gold = self._gold.stream.gold
        for intent in self._gold.intents:
            if intent.emerges not in keys:
                continue
            evidence = intent.evidence & self._so_far
            holding = {concept: len(evidence & members) for concept, members in self._members().items()}
            most = max(holding.values(), default=0)
            concept = min((UUID(c) for c, held in holding.items() if held == most), default=None) if most else None
            ids = {row["key"]: row["id"] for row in self._memory.rows(_KEYS)}
            grounded_in = [str(ids[key]) for key in sorted(evidence)] + ([str(concept)] if concept else [])
            applied = self._memory.apply_plan({
                "reasoning": "a person wants it",
                "operations": [{
                    "op": "ADD_NODE", "kind": "intent", "ref": "intent", "title": intent.label,
                    "occurred_at": self._gold.moments[intent.emerges].isoformat(), "grounded_in": grounded_in,
                }],
            })  # fmt: skip
            subject = Counter(label for key in sorted(evidence) for label in sorted(gold[key])).most_common(1)[0][0]
            self._open.append(Open(intent, UUID(applied["refs"]["intent"]), concept, subject))
            self._tally.counts["intents"] += 1

    def _close(self, moment: datetime) -> None:
        """Those whose deadline has passed."""
        for intent in [i for i in self._open if i.gold.deadline is not None and i.gold.deadline < moment]:
            self._end(intent, intent.gold.deadline)

    def _resolve(self, keys: Sequence[str]) -> None:
        for intent in [i for i in self._open if i.gold.resolved_by in keys]:
            self._end(intent, self._memory.clock)

    def _end(self, intent: Open, moment: datetime | None) -> None:
        self._memory.clock = moment
        self._memory.answer_intent(intent.node, "resolve")
        self._open.remove(intent)


def table(title: str, values: Sequence[float], found: Sequence[Mapping[str, float]]) -> Table:
    """Each figure, one column a value of the setting."""
    made = Table(title=title)
    made.add_column("metric")
    for value in values:
        made.add_column(f"{value:g}", justify="right")
    for name in dict.fromkeys(name for figures in found for name in figures):
        cells: list[Any] = [figures.get(name) for figures in found]
        made.add_row(name, *("" if cell is None else f"{cell:.3f}" for cell in cells))
    return made


_MEMBERS = """
SELECT DISTINCT e.target_id AS concept, n.idempotency_key AS key
FROM cognifold.edge AS e JOIN cognifold.event AS n ON n.id = e.source_id
WHERE e.target_kind = 'concept' AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred
  AND n.source IS DISTINCT FROM 'cognifold'
"""

_KEYS = "SELECT id, idempotency_key AS key FROM cognifold.event WHERE source IS DISTINCT FROM 'cognifold'"

# The planner says so where an open intent was what let an event join.
_DRAWN = """
SELECT (o.value ->> 'target')::uuid AS concept
FROM cognifold.event AS n
JOIN cognifold.plan AS p ON p.tenant_id = n.tenant_id AND p.trigger_event_id = n.id
CROSS JOIN jsonb_array_elements(p.operations) AS o
WHERE n.idempotency_key = %s AND o.value ->> 'type' = 'reinforces' AND o.value ->> 'reasoning' LIKE '%%intent is open%%'
"""

if __name__ == "__main__":
    main()
