"""What graph does the memory make of a stream, beside the graph that people drew of it?

    python -m benchmarks.structure SCENARIO.json ... [--data FOLDER] [--embedder lexicon|all-MiniLM-L6-v2|both]
                                   [--held-out none|thin|full] [--intent-grid] [--irc FOLDER]
                                   [--titles] [--misses] [--json FILE] [--dsn DSN]
                                   [--model NAME [--base-url URL] [--profile NAME]]

The files' format is described in benchmarks.gold. Each is lived through as a tenant of its own by the public client
(benchmarks.life says on which schedule) and measured: benchmarks.graph_measures (concepts and shape),
benchmarks.intent_measures (intents) and benchmarks.calibrate (groups) say what each figure means. Figures are means
over scenarios; those of the second embedder begin with ``minilm_``.

Constants are those that ship. What ends in ``_leave_one_out`` is measured on each scenario under thresholds
(``reinforce``, ``cluster``, ``pair``) that calibrate chooses on the others: ``full`` on its whole grid, ``thin`` on
that part of it where ``cluster`` has its middle value.

With --intent-grid the intents' figures that end in ``_left_one_out`` are measured on each scenario under the
point of a small grid of settings of strands that was best on the others: the most F1, less a
twentieth for each false alarm per 60 events above three; of equals the one nearest to what ships.

Baselines, so that a figure that a trivial graph wins fools nobody:

    star        one concept of all events, with the scenario's name
    singletons  a concept of each event, with its title
    clustering  average-linkage clusters of MiniLM vectors, at the one threshold with the best mean B-cubed F1 on these
                very files; a cluster has the title of its most central event

``irc_intents``: how many intents 1,000 lines of a chat room (--irc, files NAME.ascii.txt) make surface in which
nobody of the memory's wants anything. With --model a language model folds instead of SQL, and nothing is left out.

Scenarios are lived through side by side; on few cores OPENBLAS_NUM_THREADS=1 keeps MiniLM's threads from fighting.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
import psycopg
from rich.console import Console
from rich.table import Table

from benchmarks import calibrate
from benchmarks.calibrate import Grid, Point, b_cubed_f1, choose, folded, measures, registered
from benchmarks.gold import Gold, files_of, read
from benchmarks.graph_measures import (
    Concept,
    Shape,
    bipartite,
    chain_measures,
    clusters,
    is_supported,
    purity,
    separation,
    title_match,
    title_support,
    topology,
)
from benchmarks.harness import Report, arguments, finish, scratch_database
from benchmarks.intent_measures import intent_measures
from benchmarks.life import Lived, live
from benchmarks.locomo import Remembering
from cognifold_pg.client import Memory
from cognifold_pg.embedding.minilm import MiniLMEmbedder, MiniLMUnavailableError, find_weights
from cognifold_pg.embedding.provider import EmbeddingProvider
from cognifold_pg.experience import Experience
from cognifold_pg.install import package_version

if TYPE_CHECKING:
    from cognifold_pg.planner.request import Planner

_THRESHOLDS = np.arange(0.02, 0.9, 0.02)
_IRC_LINES = 1000
_ALARMS = 3

# Beside what ships, from near to far.
INTENT_GRID: Sequence[Mapping[str, float]] = [
    {"intent.near_deadline": 0.12},
    {"intent.near_deadline": 0.18},
    {"intent.approach": 10},
    {"intent.strand": 4},
    {"intent.strand": 6},
    {"intent.signs": 1.5},
    {"intent.strand_weight": 0.25},
]
INTENT_FIGURES = (
    "intents", "intent_precision", "intent_recall", "intent_f1", "intent_f1_any_time", "false_alarms_per_60",
    "deadline_in_time", "resolved_in_time", "intent_delay_hours", "intent_lead_hours",
)  # fmt: skip
_SAID = re.compile(r"\[(\d\d):(\d\d)\] <([^>]+)> (.*)")


@dataclass(frozen=True, slots=True)
class Result:
    """What one life of one scenario came to."""

    gold: Gold
    lived: Lived
    figures: Mapping[str, float]


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the tables, write the report."""
    parser = arguments(__doc__ or "", data_required=False)
    parser.add_argument("scenarios", nargs="*", type=Path, help="scenario files (default: benchmarks/scenarios)")
    parser.add_argument("--embedder", choices=["lexicon", "all-MiniLM-L6-v2", "both"], default="both")
    parser.add_argument("--held-out", choices=["none", "thin", "full"], default="thin", help="grid of leave-one-out")
    parser.add_argument("--intent-grid", action="store_true", help="also leave one out in choosing intents' settings")
    parser.add_argument("--irc", type=Path, metavar="FOLDER", help="a chat room's logs")
    parser.add_argument("--titles", action="store_true", help="print every concept's title")
    parser.add_argument("--misses", action="store_true", help="print what became of each expected intent, and why")
    parser.add_argument("--model", help="fold with this language model (or COGNIFOLD_LLM_MODEL)")
    parser.add_argument("--base-url", help="its server, speaking OpenAI's protocol (or COGNIFOLD_LLM_BASE_URL)")
    parser.add_argument("--profile", help="how it is told what to look for (or COGNIFOLD_LLM_PROFILE)")
    options = parser.parse_args(argv)
    files = files_of(options.scenarios, options.data)
    if not files:
        parser.error("no scenario in that folder")
    console = Console()
    with scratch_database(options.dsn) as dsn:
        report = measure(
            dsn,
            [read(file) for file in files],
            options.embedder,
            held_out=options.held_out,
            intent_grid=INTENT_GRID if options.intent_grid else (),
            irc=options.irc,
            planner=planner_of(options),
            show=lambda told: console.print(told, highlight=False),
            titles=options.titles,
            misses=options.misses,
        )
    finish(report, options.json, console)


def planner_of(options: argparse.Namespace) -> Planner | None:
    """The language model that options and environment name; None: the SQL planner."""
    named = {"MODEL": options.model, "BASE_URL": options.base_url, "PROFILE": options.profile}
    given = {f"COGNIFOLD_LLM_{name}": text for name, text in named.items() if text is not None}
    environment = {**os.environ, **given}
    if not environment.get("COGNIFOLD_LLM_MODEL", "").strip():
        return None
    from cognifold_pg.planner import LanguagePlanner

    return LanguagePlanner.from_environment(environment)


def measure(
    dsn: str,
    golds: Sequence[Gold],
    embedder: str = "both",
    *,
    held_out: str = "thin",
    intent_grid: Sequence[Mapping[str, float]] = (),
    irc: Path | None = None,
    planner: Planner | None = None,
    show: Callable[[object], None] = lambda told: None,
    titles: bool = False,
    misses: bool = False,
) -> Report:
    """Run in the scratch database ``dsn`` (an owner's)."""
    judge = Judge.of(golds)
    metrics: dict[str, float] = {}
    for name, (prefix, provider) in embedders(embedder).items():
        console = Console(stderr=True)
        console.print(f"{name}: living through {len(golds)} scenarios", style="dim")
        shipped = lives(dsn, golds, f"structure {name}", name, provider, judge, planner)
        show(by_scenario(f"{name}, shipped constants", shipped))
        found = means(shipped)
        if held_out != "none" and planner is None and len(golds) > 1:
            console.print(f"{name}: leaving one out", style="dim")
            grid = calibrate.GRID if held_out == "full" else thin()
            points = held_out_points(dsn, golds, name, provider, grid)
            unseen = left_out(dsn, golds, points, name, provider, judge)
            chosen_points = ", ".join(" / ".join(f"{value:.2f}" for value in point) for point in points)
            show(by_scenario(f"{name}, thresholds chosen on the others: {chosen_points}", unseen))
            found |= {f"{key}_leave_one_out": value for key, value in means(unseen).items()}
        if intent_grid and planner is None and len(golds) > 1:
            console.print(f"{name}: {len(intent_grid)} settings of intents", style="dim")
            tried = [shipped]
            for place, settings in enumerate(intent_grid):
                tried.append(lives(dsn, golds, f"settings {place} {name}", name, provider, judge, settings=settings))
            show(by_settings(name, intent_grid, tried))
            chosen = [tried[place][number] for number, place in enumerate(chosen_settings(tried))]
            found |= {f"{key}_left_one_out": value for key, value in means(chosen).items() if key in INTENT_FIGURES}
        if irc is not None:
            found["irc_intents"] = float(irc_intents(dsn, irc, name, provider, planner))
        if titles:
            for result in shipped:
                show(titles_of(name, result))
        if misses:
            from benchmarks.misses import alarms_of, misses_of

            for result in shipped:
                show(misses_of(name, result.gold, result.lived))
                show(alarms_of(name, result.gold, result.lived))
        metrics |= {f"{prefix}{key}": value for key, value in found.items()}
    names = "+".join(gold.name for gold in golds)
    return Report("structure", package_version(), names, metrics, baselines(golds, judge, list(metrics)))


def embedders(which: str) -> dict[str, tuple[str, EmbeddingProvider | None]]:
    """The embedding models to run, with the prefix of their figures; the database's own has no provider.

    :raises MiniLMUnavailableError: MiniLM alone is asked for and its weights are not installed.
    """
    chosen: dict[str, tuple[str, EmbeddingProvider | None]] = {}
    if which != "all-MiniLM-L6-v2":
        chosen["lexicon"] = ("", None)
    if which != "lexicon":
        try:
            find_weights()
        except MiniLMUnavailableError:
            if not chosen:
                raise
            Console(stderr=True).print("MiniLM's weights are not installed: the lexicon alone", style="yellow")
        else:
            chosen["all-MiniLM-L6-v2"] = ("minilm_" if chosen else "", Remembering())
    return chosen


# ------------------------------------------------------------------------------------------------- lives


def lives(
    dsn: str,
    golds: Sequence[Gold],
    label: str,
    model: str,
    embedder: EmbeddingProvider | None,
    judge: Judge,
    planner: Planner | None = None,
    settings: Mapping[str, float] | None = None,
) -> list[Result]:
    """Every scenario lived through, each as a new tenant, side by side."""
    with ThreadPoolExecutor(max_workers=min(len(golds), os.cpu_count() or 1)) as pool:
        return list(
            pool.map(
                lambda gold: one_life(dsn, gold, f"{label} {gold.name}", model, embedder, judge, planner, settings),
                golds,
            )
        )


def one_life(
    dsn: str,
    gold: Gold,
    tenant: str,
    model: str,
    embedder: EmbeddingProvider | None,
    judge: Judge,
    planner: Planner | None = None,
    settings: Mapping[str, float] | None = None,
) -> Result:
    """One scenario lived through as a new tenant, under other settings where given."""
    with Memory(dsn, tenant=tenant, embedder=embedder, pool_size=1, learn=False) as memory:
        memory.create_tenant(model=model)
        for name, value in (settings or {}).items():
            memory.rows("SELECT cognifold.set_setting(%s, %s)", [name, value])
        lived = live(memory, gold.stream.events, planner)
    concepts = list(lived.concepts.values())
    figures = judge.figures(gold, concepts, lived.shape)
    ever = chain_measures(lived.ever.undirected(), gold.chains)
    figures |= {f"{name}_ever": value for name, value in ever.items()}
    figures |= intent_measures(gold.intents, lived.intents, gold.moments)
    return Result(gold, lived, figures)


def thin() -> Grid:
    """Calibrate's grid with the middle value of ``cluster`` only."""
    reinforce, cluster, pair = calibrate.GRID
    return reinforce, (cluster[len(cluster) // 2],), pair


def left_out(
    dsn: str,
    golds: Sequence[Gold],
    points: Sequence[Point],
    model: str,
    embedder: EmbeddingProvider | None,
    judge: Judge,
) -> list[Result]:
    """Each scenario lived through under its own thresholds, those that are best on the others."""
    found = []
    with psycopg.connect(dsn, autocommit=True) as connection:
        now = registered(connection, model)
        try:
            for gold, point in zip(golds, points, strict=True):
                set_thresholds(connection, model, point)
                found.append(one_life(dsn, gold, f"left out {model} {gold.name}", model, embedder, judge))
        finally:
            set_thresholds(connection, model, (now["reinforce"], now["cluster"], now["pair"]))
    return found


def held_out_points(
    dsn: str, golds: Sequence[Gold], model: str, embedder: EmbeddingProvider | None, grid: Grid
) -> list[Point]:
    """For each scenario the point of the grid that calibrate chooses on the others."""
    for gold in golds:
        calibrate.remember(dsn, f"unfolded {model} {gold.name}", gold.stream.events, model, embedder)
    eligible = [(r, c, p) for r in grid[0] for c in grid[1] for p in grid[2] if p >= c]
    with psycopg.connect(dsn) as connection:
        scores = {
            point: [
                measures(gold.stream.gold, folded(connection, model, f"unfolded {model} {gold.name}", point))
                for gold in golds
            ]
            for point in eligible
        }
    everyone = range(len(golds))
    return [choose(eligible, scores, [other for other in everyone if other != place], grid) for place in everyone]


def chosen_settings(tried: Sequence[Sequence[Result]]) -> list[int]:
    """For each scenario the place of the settings that were best on the others, the earliest of equals."""

    def worth(results: Sequence[Result]) -> float:
        f1 = fmean(result.figures["intent_f1"] for result in results)
        alarms = fmean(result.figures["false_alarms_per_60"] for result in results)
        return round(f1 - max(0.0, alarms - _ALARMS) / 20, 9)

    found = []
    for left in range(len(tried[0])):
        worths = [worth([r for place, r in enumerate(results) if place != left]) for results in tried]
        found.append(worths.index(max(worths)))
    return found


def set_thresholds(connection: psycopg.Connection[tuple[object, ...]], model: str, point: Point) -> None:
    """Give a registered model these thresholds for good."""
    connection.execute(
        "UPDATE cognifold.embedding_model SET reinforce = %s, cluster = %s, pair = %s WHERE name = %s", [*point, model]
    )


# ------------------------------------------------------------------------------------------------- judging


@dataclass(frozen=True, slots=True)
class Judge:
    """Measures a grouping; titles are compared, and purity is taken, by MiniLM where its weights are installed."""

    minilm: MiniLMEmbedder | None
    vectors: Mapping[str, Mapping[str, np.ndarray]]  # of each scenario's events by key

    @classmethod
    def of(cls, golds: Sequence[Gold]) -> Judge:
        """A judge of these scenarios."""
        try:
            find_weights()
        except MiniLMUnavailableError:
            Console(stderr=True).print("MiniLM's weights are not installed: no gold F1, no purity", style="yellow")
            return cls(None, {})
        minilm = Remembering()
        made = {}
        for gold in golds:
            texts = gold.texts
            rows = np.asarray(minilm.embed(list(texts.values())), dtype=np.float64)
            made[gold.name] = dict(zip(texts, rows, strict=True))
        return cls(minilm, made)

    def figures(self, gold: Gold, concepts: Sequence[Concept], shape: Shape) -> dict[str, float]:
        """Everything but intents."""
        groups = {str(place): concept.events for place, concept in enumerate(concepts)}
        found = measures(gold.stream.gold, groups)
        grounded = {key for concept in concepts for key in concept.events}
        noise = [key for key, labels in gold.stream.gold.items() if not labels]
        # Calibrate lets a concept of one pass as none; here it is one.
        found["noise_rejection"] = fmean(key not in grounded for key in noise) if noise else 1.0
        found["compression"] = len(gold.stream.gold) / len(concepts) if concepts else 0.0
        found["concepts"] = float(len(concepts))
        found["title_support"] = title_support(concepts, gold.texts)
        if self.minilm is not None:
            found |= self._by_minilm(gold, concepts)
        return found | topology(shape, gold.chains)

    def _by_minilm(self, gold: Gold, concepts: Sequence[Concept]) -> dict[str, float]:
        assert self.minilm is not None
        labels = np.asarray(self.minilm.embed(list(gold.labels.values())), dtype=np.float64)
        titles = np.zeros((0, labels.shape[1]))
        if concepts:
            titles = np.asarray(self.minilm.embed([concept.title for concept in concepts]), dtype=np.float64)
        return {
            **title_match(titles @ labels.T),
            "purity": purity(concepts, self.vectors[gold.name]),
            "separation": separation(titles),
        }


def means(results: Sequence[Result]) -> dict[str, float]:
    """The mean of each figure over the scenarios that have it."""
    names = dict.fromkeys(name for result in results for name in result.figures)
    return {name: fmean(r.figures[name] for r in results if name in r.figures) for name in names}


def baselines(golds: Sequence[Gold], judge: Judge, wanted: Sequence[str]) -> dict[str, float]:
    """The same figures of trivial graphs and of plain clustering, by method."""
    made: dict[str, list[list[Concept]]] = {
        "star": [[Concept(gold.name.replace("_", " "), tuple(gold.stream.gold))] for gold in golds],
        "singletons": [
            [Concept(str(e.title), (str(e.idempotency_key),)) for e in gold.stream.events] for gold in golds
        ],
    }
    if judge.minilm is not None:
        made["clustering"] = plain_clusters(golds, judge)
    found: dict[str, float] = {}
    for method, groupings in made.items():
        rows = [
            judge.figures(gold, concepts, bipartite(concepts, gold.stream.gold))
            for gold, concepts in zip(golds, groupings, strict=True)
        ]
        for name in rows[0]:
            mean = fmean(row[name] for row in rows)
            for beside in (name, f"{name}_leave_one_out", f"minilm_{name}", f"minilm_{name}_leave_one_out"):
                if beside in wanted:
                    found[f"{method}.{beside}"] = mean
    return found


def plain_clusters(golds: Sequence[Gold], judge: Judge) -> list[list[Concept]]:
    """Average-linkage clusters of each scenario's vectors at the threshold that is best on all of them."""

    def grouped(threshold: float) -> list[list[tuple[str, ...]]]:
        return [
            clusters(list(judge.vectors[g.name]), np.array(list(judge.vectors[g.name].values())), threshold)
            for g in golds
        ]

    def score(threshold: float) -> float:
        return fmean(b_cubed_f1(g.stream.gold, found) for g, found in zip(golds, grouped(threshold), strict=True))

    best = max(_THRESHOLDS, key=lambda threshold: round(score(float(threshold)), 9))
    made = []
    for gold, found in zip(golds, grouped(float(best)), strict=True):
        titles = {str(e.idempotency_key): str(e.title) for e in gold.stream.events}
        vectors = judge.vectors[gold.name]
        made.append(
            [
                Concept(titles[max(keys, key=lambda k: float(vectors[k] @ sum(vectors[o] for o in keys)))], keys)
                for keys in found
            ]
        )
    return made


# ------------------------------------------------------------------------------------------------- noise


def irc_lines(folder: Path, most: int = _IRC_LINES) -> list[Experience]:
    """What was said in a chat room, from the files in order of name; its minute is all that is known of its time."""
    found: list[Experience] = []
    for file in sorted(folder.rglob("*.ascii.txt")):
        day = datetime.fromisoformat(file.name[:10]).replace(tzinfo=UTC)
        last = day
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            if (said := _SAID.match(line)) is None:
                continue
            moment = last.replace(hour=int(said[1]), minute=int(said[2]))
            if moment < last:
                moment += timedelta(days=1)
            last = moment
            found.append(
                Experience(
                    said[4], occurred_at=moment, source="irc", actor=said[3], idempotency_key=f"{file.name}:{number}"
                )
            )
            if len(found) == most:
                return found
    return found


def irc_intents(dsn: str, folder: Path, model: str, embedder: EmbeddingProvider | None, planner: Planner | None) -> int:
    """How many intents surface from a chat room's lines."""
    with Memory(dsn, tenant=f"irc {model}", embedder=embedder, pool_size=1, learn=False) as memory:
        memory.create_tenant(model=model)
        lived = live(memory, irc_lines(folder), planner, onward=timedelta(days=1))
    for intent in lived.intents:
        Console(stderr=True).print(f"irc: {intent.title}", style="dim", highlight=False)
    return len(lived.intents)


# ------------------------------------------------------------------------------------------------- tables


def by_scenario(title: str, results: Sequence[Result]) -> Table:
    """Each figure, one column a scenario, and the mean."""
    table = Table(title=title)
    table.add_column("metric")
    for result in results:
        table.add_column(result.gold.name, justify="right")
    table.add_column("mean", justify="right", style="bold")
    for name, mean in means(results).items():
        cells = [f"{r.figures[name]:.3f}" if name in r.figures else "" for r in results]
        table.add_row(name, *cells, f"{mean:.3f}")
    return table


def by_settings(model: str, grid: Sequence[Mapping[str, float]], tried: Sequence[Sequence[Result]]) -> Table:
    """What each point of the grid makes of intents, what ships first."""
    table = Table(title=f"{model}: settings of intents, means")
    names = ("settings", "intents", "intent_f1", "intent_f1_any_time", "false_alarms_per_60")
    for name in names:
        table.add_column(name, justify="left" if name == "settings" else "right")
    for settings, results in zip([{}, *grid], tried, strict=True):
        mean = means(results)
        shown = ", ".join(f"{name} {value:g}" for name, value in settings.items()) or "(shipped)"
        table.add_row(shown, *(f"{mean[name]:.3f}" for name in names[1:]))
    return table


def titles_of(model: str, result: Result) -> Table:
    """Every concept's title with its events; a cross where its events do not support it."""
    table = Table(title=f"{model}: concepts of {result.gold.name}")
    for name in ("", "title", "events", "gold"):
        table.add_column(name)
    gold = result.gold
    for concept in result.lived.concepts.values():
        about = calibrate.commonest(gold.stream.gold, concept.events)
        table.add_row(
            "" if is_supported(concept.title, [gold.texts[key] for key in concept.events]) else "x",
            concept.title,
            " ".join(concept.events),
            ", ".join(sorted(gold.labels[label] for label in about)) or "noise",
        )
    return table


if __name__ == "__main__":
    main()
