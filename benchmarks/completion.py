"""Does an open intent end with the event that completes it, and with no other?

    python -m benchmarks.completion [SCENARIO.json ...] [--data FOLDER] [--embedder lexicon|all-MiniLM-L6-v2|both]
                                    [--completion 0.2,0.25,...] [--json FILE] [--dsn DSN]

benchmarks.structure measures this of the intents that surface, which are few. Here each expected intent of a scenario
(benchmarks.gold; by default our own six) is stated by a user's plan with the event after which it emerges, grounded in
the expected evidence so far and in the concept that holds most of it. No other surfaces. After each event the memory
looks at what is wanted (emit_intents).

    intents, ending     how many are stated, and how many of them an event resolves
    resolved_in_time    share of the latter that are resolved with that event or one of the next three
    resolved_early      intents that are resolved before the event that does
    resolved_wrongly    intents that are resolved although nothing does

One life for each value of ``intent.completion``, that which ships first. What ends in ``_left_out`` is each scenario
under the value that is best on the others: the most in time, less those that are early or wrong; of equals the largest.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

import psycopg
from rich.console import Console
from rich.table import Table

from benchmarks.gold import Gold, files_of, read
from benchmarks.harness import Report, arguments, finish, scratch_database
from benchmarks.intent_measures import RESOLVED_WITHIN, passed
from benchmarks.structure import embedders
from cognifold_pg.client import Memory
from cognifold_pg.embedding.provider import EmbeddingProvider
from cognifold_pg.install import package_version
from cognifold_pg.replay import moments_of, replay

_SETTING = "intent.completion"


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of one scenario's intents."""

    intents: int = 0
    ending: int = 0
    in_time: int = 0
    early: int = 0
    wrong: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.intents + other.intents,
            self.ending + other.ending,
            self.in_time + other.in_time,
            self.early + other.early,
            self.wrong + other.wrong,
        )

    @property
    def worth(self) -> int:
        """What a bar is chosen by."""
        return self.in_time - self.early - self.wrong

    def figures(self) -> dict[str, float]:
        """As the head of this file names them."""
        return {
            "intents": float(self.intents),
            "ending": float(self.ending),
            "resolved_in_time": self.in_time / self.ending if self.ending else 0.0,
            "resolved_early": float(self.early),
            "resolved_wrongly": float(self.wrong),
        }


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    parser = arguments(__doc__ or "", data_required=False)
    parser.add_argument("scenarios", nargs="*", type=Path, help="scenario files (default: benchmarks/scenarios)")
    parser.add_argument("--embedder", choices=["lexicon", "all-MiniLM-L6-v2", "both"], default="both")
    parser.add_argument("--completion", default="", help="further values of the setting, for leave-one-out")
    options = parser.parse_args(argv)
    files = files_of(options.scenarios, options.data)
    if not files:
        parser.error("no scenario in that folder")
    values = [float(number) for number in options.completion.split(",") if number]
    console = Console()
    with scratch_database(options.dsn) as dsn:
        finish(measure(dsn, [read(file) for file in files], options.embedder, values, console), options.json, console)


def measure(dsn: str, golds: Sequence[Gold], embedder: str, values: Sequence[float], console: Console) -> Report:
    """Run in the scratch database ``dsn`` (an owner's)."""
    bars = list(dict.fromkeys([shipped(dsn), *values]))
    metrics: dict[str, float] = {}
    for name, (prefix, provider) in embedders(embedder).items():
        tried = [lives(dsn, golds, name, provider, bar) for bar in bars]
        for bar, tallies in zip(bars, tried, strict=True):
            console.print(table(f"{name}, {_SETTING} {bar:g}", golds, tallies))
        found = total(tried[0]).figures()
        if len(bars) > 1 and len(golds) > 1:
            unseen = total([tried[place][number] for number, place in enumerate(left_out(bars, tried))])
            found |= {f"{key}_left_out": value for key, value in unseen.figures().items()}
        metrics |= {f"{prefix}{key}": value for key, value in found.items()}
    return Report("completion", package_version(), "+".join(gold.name for gold in golds), metrics, {})


def shipped(dsn: str) -> float:
    """The setting's value as installed."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute("SELECT value FROM cognifold.setting_default WHERE name = %s", [_SETTING]).fetchone()
    assert row is not None
    return float(row[0])


def total(tallies: Sequence[Tally]) -> Tally:
    """All scenarios together."""
    return sum(tallies, Tally())


def left_out(bars: Sequence[float], tried: Sequence[Sequence[Tally]]) -> list[int]:
    """For each scenario the place of the bar that is best on the others, the highest of equals."""

    def best(left: int) -> int:
        worth = [total([t for n, t in enumerate(tallies) if n != left]).worth for tallies in tried]
        return max(range(len(bars)), key=lambda place: (worth[place], bars[place]))

    return [best(left) for left in range(len(tried[0]))]


def lives(dsn: str, golds: Sequence[Gold], model: str, embedder: EmbeddingProvider | None, bar: float) -> list[Tally]:
    """Every scenario lived through, each as a new tenant, side by side."""

    def one(gold: Gold) -> Tally:
        name = f"completion {model[:7]} {bar:g} {gold.name}"
        with Memory(dsn, tenant=name, embedder=embedder, pool_size=1, learn=False) as memory:
            memory.create_tenant(model=model)
            for setting, value in {_SETTING: bar, "intent.theta_ceiling": 1.0, "intent.theta": 1.0}.items():
                memory.rows("SELECT cognifold.set_setting(%s, %s)", [setting, value])
            return live(memory, gold)

    with ThreadPoolExecutor(max_workers=min(len(golds), os.cpu_count() or 1)) as pool:
        return list(pool.map(one, golds))


def live(memory: Memory, gold: Gold) -> Tally:
    """One scenario event by event, its expected intents stated as they emerge."""
    stated: dict[str, UUID] = {}
    for period in moments_of(gold.stream.events, undated=datetime.min):
        for _ in replay(memory, [period]):
            pass
        for intent in gold.intents:
            if intent.emerges in {str(event.idempotency_key) for event in period.experiences}:
                stated[intent.name] = state(memory, intent.label, intent.evidence)
        memory.emit_intents()
    rows = memory.rows("SELECT id, status, closed_at FROM cognifold.intent")
    ends = {row["id"]: row["closed_at"] for row in rows if row["status"] == "resolved"}
    order = list(gold.moments)
    tally = Tally()
    for intent in gold.intents:
        closed = ends.get(stated[intent.name])
        late = None
        if closed is not None and intent.resolved_by is not None:
            late = passed(closed, gold.moments) - 1 - order.index(intent.resolved_by)
        tally += Tally(
            1,
            intent.resolved_by is not None,
            late is not None and 0 <= late <= RESOLVED_WITHIN,
            late is not None and late < 0,
            closed is not None and intent.resolved_by is None,
        )
    return tally


def state(memory: Memory, title: str, evidence: frozenset[str]) -> UUID:
    """A person's intent of what has been said of it so far; its id."""
    [row] = memory.rows(_KNOWN, [sorted(evidence)])
    grounded_in = [str(node) for node in [*row["events"], *row["concepts"]]]
    applied = memory.apply_plan({
        "reasoning": "a person wants it",
        "operations": [
            {"op": "ADD_NODE", "kind": "intent", "ref": "intent", "title": title, "grounded_in": grounded_in}
        ],
    })  # fmt: skip
    return UUID(applied["refs"]["intent"])


def table(title: str, golds: Sequence[Gold], tallies: Sequence[Tally]) -> Table:
    """A line for each scenario."""
    shown = Table(title=title)
    for column in ("scenario", "in time", "early", "wrongly"):
        shown.add_column(column, justify="left" if column == "scenario" else "right")
    for gold, tally in zip(golds, tallies, strict=True):
        shown.add_row(gold.name, f"{tally.in_time} of {tally.ending}", str(tally.early), str(tally.wrong))
    return shown


_KNOWN = """
WITH known AS (SELECT n.id FROM cognifold.event AS n WHERE n.idempotency_key = ANY (%s))
SELECT ARRAY(SELECT k.id FROM known AS k ORDER BY k.id) AS events, ARRAY(
    SELECT g.target_id FROM cognifold.edge AS g JOIN known AS k ON k.id = g.source_id
    WHERE g.target_kind = 'concept' AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
    GROUP BY g.target_id ORDER BY count(*) DESC, g.target_id LIMIT 1) AS concepts
"""


if __name__ == "__main__":
    main()
