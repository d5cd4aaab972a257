"""Which thresholds does an embedding model need? They are chosen on development data and judged on the rest.

    python -m benchmarks.calibrate --data SCENARIOS [--model NAME] [--locomo FILE] [--json FILE] [--dsn DSN]

SCENARIOS is a folder of scenario files (events labelled with the concepts they belong to, some with none: noise).
NAME is "lexicon" or "all-MiniLM-L6-v2"; the latter runs in the client and needs its weights (extra minilm).

Every figure is the product's own: a scenario is remembered once as a tenant of a scratch database and folded anew
for each point of a small grid of ``reinforce``, ``cluster`` and ``pair``, in a transaction that is rolled back.

    b_cubed_f1       F1 of the grouping; two events belong together if they share a gold concept, an ungrouped one
                     stands alone
    gold_purity      mean over concepts: share of its events that carry its commonest gold concept
    coverage         share of the events with a gold concept that are in a concept
    noise_rejection  share of the others that are in none
    compression      events per concept, ungrouped ones counted too
    largest          share of all events in the largest concept
    objective        b_cubed_f1, less what gold_purity falls short of .8, coverage of .7 and noise_rejection of .6

Averaged over scenarios. The point chosen is that whose surroundings are best: the mean objective of itself and its
neighbours on the grid, for a peak that falls off on all sides is luck; ``peak`` stands beside it. What ends in
``_leave_one_out`` is chosen without a scenario and measured on it, for each in turn. The other thresholds are read
off what the product stored:

    relate     the lowest at which two in three related_to links join events of one gold concept
    complete   that 95 % of pairs of a gold concept's description and an event of others stay below
    merge      midway between 1 and the highest cosine of two concepts that are about different things
    duplicate  three quarters of the way: a merge is a plan of its own, a duplicate is taken back silently

With --locomo (a file in LoCoMo's format, without any labels) the chosen thresholds are also tried on long
conversations: how much of each is in concepts, how large is the largest (hubs), and how many pairs of concepts would
be looked at for a merge?
"""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import fmean

import numpy as np
import numpy.typing as npt
import psycopg
from psycopg import sql
from rich.console import Console
from rich.table import Table

from benchmarks.harness import Report, arguments, finish, scratch_database
from benchmarks.locomo import conversations_of
from cognifold_pg.client import Memory
from cognifold_pg.embedding import EmbeddingProvider, MiniLMEmbedder
from cognifold_pg.experience import Experience
from cognifold_pg.ingest import open_stream
from cognifold_pg.install import package_version

Connection = psycopg.Connection[tuple[object, ...]]
Vectors = npt.NDArray[np.float64]
Point = tuple[float, float, float]  # reinforce, cluster, pair
Grid = tuple[Sequence[float], Sequence[float], Sequence[float]]
Groups = Mapping[str, Sequence[str]]  # a concept's id: the keys of its events

MODELS = ("lexicon", "all-MiniLM-L6-v2")
GRID: Grid = (
    (0.25, 0.28, 0.31, 0.34),
    (0.24, 0.28, 0.32),
    (0.26, 0.30, 0.34),
)
FLOORS = {"gold_purity": 0.8, "coverage": 0.7, "noise_rejection": 0.6}
MEASURES = ("objective", "b_cubed_f1", *FLOORS, "compression", "largest")
LINKS_RIGHT = 2 / 3
OTHERS_BELOW = 0.95
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Scenario:
    """A labelled stream: ``gold`` holds each event's concepts by its idempotency key, none for noise."""

    name: str
    events: Sequence[Experience]
    gold: Mapping[str, frozenset[str]]
    descriptions: Mapping[str, str]  # of each gold concept: its label and what is said of it


@dataclass(frozen=True, slots=True)
class Cosines:
    """What a fold at the chosen point left to read the other thresholds off."""

    links: Sequence[tuple[float, bool]]  # affinity of a possible link, and whether it joins one gold concept
    concepts: Sequence[tuple[float, bool]]  # of two concepts, and whether they are about one thing
    orphans: Sequence[tuple[float, bool]]  # of a gold concept's description and an event, and whether it is of it


def main(argv: Sequence[str] | None = None) -> None:
    """Choose, print the tables and the UPDATE, write the report."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--model", choices=MODELS, default=MODELS[0], help="whose thresholds")
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="conversations to look for hubs in")
    options = parser.parse_args(argv)
    with scratch_database(options.dsn) as dsn:
        report = calibrate(dsn, options.data, options.model, options.locomo)
    finish(report, options.json)
    Console().print(adoption(options.model, report.metrics), soft_wrap=True, highlight=False)


def scenarios(path: Path) -> list[Scenario]:
    """The scenarios of a file, or of every JSON file in a folder, in order of name."""
    found = []
    for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
        content = json.loads(file.read_text(encoding="utf-8"))
        events = [
            Experience(
                event["description"],
                title=event["title"],
                occurred_at=datetime.fromisoformat(event["timestamp"]),
                source=event["source"],
                actor=event["actor"],
                idempotency_key=event["event_id"],
            )
            for event in content["events"]
        ]
        gold = {event["event_id"]: frozenset(event["concepts"]) for event in content["events"]}
        used = frozenset().union(*gold.values())
        told = {c["id"]: f"{c['label']}. {c['description']}" for c in content["concepts"] if c["id"] in used}
        found.append(Scenario(file.stem, events, gold, told))
    return found


def calibrate(dsn: str, data: Path, model: str = "lexicon", locomo: Path | None = None, grid: Grid = GRID) -> Report:
    """Choose ``model``'s thresholds on the scenarios of ``data`` in the scratch database ``dsn`` (an owner's)."""
    console = Console(stderr=True)
    streams = scenarios(data)
    embedder = None if model == "lexicon" else MiniLMEmbedder()
    for stream in streams:
        remember(dsn, stream.name, stream.events, model, embedder)
    with psycopg.connect(dsn) as connection:
        now = registered(connection, model)
        present: Point = (now["reinforce"], now["cluster"], now["pair"])
        # Were `pair` the lower one, several that are alike would need more than a single one.
        eligible = [point for point in itertools.product(*grid) if point[2] >= point[1]]
        scores: dict[Point, list[dict[str, float]]] = {}
        # The present point is measured beside the others, chosen only if it is on the grid.
        for point in dict.fromkeys([*eligible, present]):
            console.print(f"reinforce {point[0]:.2f}  cluster {point[1]:.2f}  pair {point[2]:.2f}", style="dim")
            scores[point] = [measures(s.gold, folded(connection, model, s.name, point)) for s in streams]
        everyone = range(len(streams))
        chosen = choose(eligible, scores, everyone, grid)
        rest = [[other for other in everyone if other != place] or everyone for place in everyone]
        held_out = [choose(eligible, scores, places, grid) for places in rest]
        peak = choose(eligible, scores, everyone, grid, radius=0)
        peak_held_out = [choose(eligible, scores, places, grid, radius=0) for places in rest]
        cosines = read_off(connection, model, streams, chosen, embedder)

    thresholds = dict(zip(("reinforce", "cluster", "pair"), chosen, strict=True)) | others(cosines)
    console.print(detail(streams, scores, chosen, held_out, present))
    console.print(best(scores))
    metrics = judged(scores, chosen, held_out)
    metrics |= {f"threshold_{name}": value for name, value in thresholds.items()}
    metrics |= shares(cosines, thresholds)
    compared = mean_of(scores[present])
    # Nothing is chosen in a baseline, so that the same figure stands beside both.
    baselines = {f"present.{name}{end}": v for name, v in compared.items() for end in ("", "_leave_one_out")}
    baselines |= {f"present.threshold_{name}": now[name] for name in thresholds}
    baselines |= {f"present.{name}": value for name, value in shares(cosines, now).items()}
    baselines |= {f"peak.{name}": value for name, value in judged(scores, peak, peak_held_out).items()}
    axes = zip(("reinforce", "cluster", "pair"), peak, strict=True)
    baselines |= {f"peak.threshold_{name}": value for name, value in axes}
    for method, group in (("singletons", alone), ("one_concept", together)):
        trivial = mean_of([measures(stream.gold, group(stream)) for stream in streams])
        baselines |= {f"{method}.{name}": value for name, value in trivial.items()}
    if locomo is not None:
        tried = [(chosen, thresholds["merge"]), (present, now["merge"])]
        ours, theirs = conversations(dsn, locomo, model, embedder, tried)
        metrics |= ours
        baselines |= {f"present.{name}": value for name, value in theirs.items()}
    return Report(f"calibrate {model}", package_version(), data.name, metrics, baselines)


def remember(
    dsn: str, tenant: str, events: Sequence[Experience], model: str, embedder: EmbeddingProvider | None
) -> None:
    """The events as a new tenant, not folded; with an outside model, their vectors."""
    with Memory(dsn, tenant=tenant, embedder=embedder, pool_size=1) as memory:
        memory.create_tenant(model=model)
        memory.remember_many(events)
        memory.embed_waiting(_ALL)


def registered(connection: Connection, model: str) -> dict[str, float]:
    """The registry's present thresholds of ``model``."""
    names = ("reinforce", "cluster", "pair", "merge", "duplicate", "complete", "relate")
    columns = sql.SQL(", ").join(sql.Identifier(name) for name in names)
    row = connection.execute(
        sql.SQL("SELECT {} FROM cognifold.embedding_model WHERE name = %s").format(columns), [model]
    ).fetchone()
    assert row is not None
    return {name: float(str(value)) for name, value in zip(names, row, strict=True)}


def fold(connection: Connection, model: str, tenant: str, point: Point, relate: float | None = None) -> None:
    """Fold all that waits with these thresholds, in a transaction that is left open: roll it back."""
    connection.execute(
        "UPDATE cognifold.embedding_model SET reinforce = %s, cluster = %s, pair = %s, relate = coalesce(%s, relate) "
        "WHERE name = %s",
        [*point, relate, model],
    )
    connection.execute("SELECT set_config('cognifold.tenant', %s, true)", [tenant])
    failed = connection.execute("SELECT count(*) FROM cognifold.fold(%s) WHERE outcome <> 'folded'", [_ALL]).fetchone()
    assert failed == (0,), f"{failed} events of {tenant} were not folded"


def members(connection: Connection, tenant: str) -> dict[str, list[str]]:
    """The events of each concept of a folded tenant, by their keys."""
    found: dict[str, list[str]] = {}
    rows = connection.execute(
        "SELECT DISTINCT g.target_id::text, n.idempotency_key FROM cognifold.graph_edge AS g "
        "JOIN cognifold.node AS n ON n.tenant_id = g.tenant_id AND n.id = g.source_id AND n.kind = 'event' "
        "WHERE g.tenant_id = %s AND g.target_kind = 'concept' AND g.type IN ('grounds', 'reinforces') "
        "AND NOT g.inferred ORDER BY 1, 2",
        [tenant],
    )
    for concept, key in rows:
        found.setdefault(str(concept), []).append(str(key))
    return found


def folded(connection: Connection, model: str, tenant: str, point: Point) -> dict[str, list[str]]:
    """The concepts that ``tenant`` has at this point; the tenant stays unfolded."""
    fold(connection, model, tenant, point)
    found = members(connection, tenant)
    connection.rollback()
    return found


def measures(gold: Mapping[str, frozenset[str]], groups: Groups) -> dict[str, float]:
    """The measures of a grouping (see the head of this file), each in [0, 1] but ``compression``.

    A group of one is none. Without any group ``gold_purity``, ``compression`` and ``largest`` are 0.
    """
    real = [list(group) for group in groups.values() if len(group) > 1]
    grouped = {key for group in real for key in group}
    signal = [key for key, labels in gold.items() if labels]
    noise = [key for key, labels in gold.items() if not labels]
    found = {
        "b_cubed_f1": b_cubed_f1(gold, real),
        "gold_purity": fmean(purity(gold, group) for group in real) if real else 0.0,
        "coverage": share(key in grouped for key in signal),
        "noise_rejection": share(key not in grouped for key in noise),
        "compression": len(gold) / len(real) if real else 0.0,
        "largest": max((len(group) for group in real), default=0) / len(gold),
    }
    return {"objective": objective(found)} | found


def objective(found: Mapping[str, float]) -> float:
    """B-cubed F1 less the shortfalls: F1 alone is well served by one big heap."""
    return found["b_cubed_f1"] - sum(max(0.0, floor - found[name]) for name, floor in FLOORS.items())


def b_cubed_f1(gold: Mapping[str, frozenset[str]], groups: Iterable[Sequence[str]]) -> float:
    """B-cubed F1 (Bagga and Baldwin, 1998) where an event may have several labels and be in several groups.

    Two belong together if they share a label, are put together if they share a group; each with itself always.
    """
    truth = {key: {other for other in gold if other == key or gold[key] & gold[other]} for key in gold}
    found = {key: {key} for key in gold}
    for group in groups:
        for key in group:
            found[key] |= set(group)
    precision = fmean(len(truth[key] & found[key]) / len(found[key]) for key in gold)
    recall = fmean(len(truth[key] & found[key]) / len(truth[key]) for key in gold)
    return 2 * precision * recall / (precision + recall)


def purity(gold: Mapping[str, frozenset[str]], group: Sequence[str]) -> float:
    """Share of a group's events that carry its commonest label."""
    labels = Counter(label for key in group for label in gold[key])
    return max(labels.values(), default=0) / len(group)


def share(answers: Iterable[bool]) -> float:
    """Share of true answers; 1 of none, for then nothing went wrong."""
    counted = list(answers)
    return sum(counted) / len(counted) if counted else 1.0


def alone(stream: Scenario) -> dict[str, list[str]]:
    """No concept at all."""
    return {key: [key] for key in stream.gold}


def together(stream: Scenario) -> dict[str, list[str]]:
    """One concept of everything."""
    return {"all": list(stream.gold)}


def mean_of(scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Means over scenarios; the objective is that of the means, since it is they that are to pass the floors."""
    found = {name: fmean(score[name] for score in scores) for name in MEASURES}
    return found | {"objective": objective(found)}


def judged(
    scores: Mapping[Point, Sequence[Mapping[str, float]]], chosen: Point, held_out: Sequence[Point]
) -> dict[str, float]:
    """The means at the point chosen on all, and, as ``..._leave_one_out``, of each scenario at the point chosen
    without it."""
    unseen = mean_of([scores[point][place] for place, point in enumerate(held_out)])
    return mean_of(scores[chosen]) | {f"{name}_leave_one_out": value for name, value in unseen.items()}


def choose(
    points: Sequence[Point],
    scores: Mapping[Point, Sequence[Mapping[str, float]]],
    places: Iterable[int],
    grid: Grid,
    radius: int = 1,
) -> Point:
    """The point whose surroundings have the best mean objective over the scenarios in ``places``.

    Its surroundings are the points at most ``radius`` steps along the axes away; 0: it alone counts.
    """
    counted = list(places)
    index = {point: tuple(axis.index(value) for axis, value in zip(grid, point, strict=True)) for point in points}
    value = {point: mean_of([scores[point][place] for place in counted])["objective"] for point in points}

    def surroundings(point: Point) -> float:
        return fmean(
            value[other]
            for other in points
            if sum(abs(a - b) for a, b in zip(index[point], index[other], strict=True)) <= radius
        )

    return max(points, key=lambda point: (round(surroundings(point), 9), point))


def read_off(
    connection: Connection, model: str, streams: Sequence[Scenario], point: Point, embedder: EmbeddingProvider | None
) -> Cosines:
    """Fold each scenario at ``point`` without a floor for links, and collect what is near what."""
    links: list[tuple[float, bool]] = []
    concepts: list[tuple[float, bool]] = []
    orphans: list[tuple[float, bool]] = []
    for stream in streams:
        gold = stream.gold
        fold(connection, model, stream.name, point, relate=0.0)
        rows = connection.execute(
            "SELECT (o.op ->> 'weight')::float8, s.idempotency_key, t.idempotency_key FROM cognifold.plan AS p "
            "CROSS JOIN jsonb_array_elements(p.operations) AS o (op) "
            "JOIN cognifold.node AS s ON s.tenant_id = p.tenant_id AND s.id::text = o.op ->> 'source' "
            "JOIN cognifold.node AS t ON t.tenant_id = p.tenant_id AND t.id::text = o.op ->> 'target' "
            "WHERE p.tenant_id = %s AND o.op ->> 'type' = 'related_to'",
            [stream.name],
        ).fetchall()
        links += [(float(str(w)), bool(gold[str(one)] & gold[str(other)])) for w, one, other in rows]
        events = vectors(connection, stream.name, "event")
        centroids = vectors(connection, stream.name, "concept")
        about = {concept: commonest(gold, keys) for concept, keys in members(connection, stream.name).items()}
        for one, other in itertools.combinations(sorted(about), 2):
            concepts.append((float(centroids[one] @ centroids[other]), bool(about[one] & about[other])))
        told = list(stream.descriptions)
        texts = [stream.descriptions[concept] for concept in told]
        directions = in_sql(connection, texts) if embedder is None else embedder.embed(texts)
        for concept, direction in zip(told, np.asarray(directions, dtype=np.float64), strict=True):
            orphans += [(float(direction @ vector), concept in gold[key]) for key, vector in events.items()]
        connection.rollback()
    return Cosines(links, concepts, orphans)


def commonest(gold: Mapping[str, frozenset[str]], group: Sequence[str]) -> frozenset[str]:
    """What a group is about: its commonest labels, several if they are equally common."""
    labels = Counter(label for key in group for label in gold[key])
    most = max(labels.values(), default=0)
    return frozenset(label for label, count in labels.items() if count == most)


def vectors(connection: Connection, tenant: str, kind: str) -> dict[str, Vectors]:
    """Stored vectors of unit length by an event's key or a concept's id."""
    rows = connection.execute(
        "SELECT coalesce(n.idempotency_key, n.id::text), e.vector::real[] FROM cognifold.embedding AS e "
        "JOIN cognifold.node AS n ON n.tenant_id = e.tenant_id AND n.id = e.node_id "
        "WHERE e.tenant_id = %s AND e.kind = %s",
        [tenant, kind],
    ).fetchall()
    return {str(key): np.array(vector, dtype=np.float64) for key, vector in rows}


def in_sql(connection: Connection, texts: Sequence[str]) -> Vectors:
    """The lexicon's vectors of texts that have words."""
    rows = connection.execute(
        "SELECT cognifold.embed(t.text)::real[] FROM unnest(%s::text[]) WITH ORDINALITY AS t (text, place) "
        "ORDER BY t.place",
        [list(texts)],
    ).fetchall()
    return np.array([row[0] for row in rows], dtype=np.float64)


def others(cosines: Cosines) -> dict[str, float]:
    """The thresholds that are read off, by the rules at the head of this file, rounded up to hundredths."""
    unlike = [cosine for cosine, same in cosines.concepts if not same]
    highest = max(unlike, default=0.7)
    strangers = [cosine for cosine, same in cosines.orphans if not same]
    found = {
        "merge": 1 - (1 - highest) / 2,
        "duplicate": 1 - (1 - highest) / 4,
        "complete": float(np.quantile(strangers, OTHERS_BELOW)),
        "relate": lowest_right(cosines.links),
    }
    return {name: math.ceil(round(100 * value, 6)) / 100 for name, value in found.items()}


def lowest_right(links: Sequence[tuple[float, bool]]) -> float:
    """The lowest affinity from which at least two in three links are right; 1 if there is none."""
    right = 0
    lowest = 1.0
    for count, (affinity, same) in enumerate(sorted(links, key=lambda link: -link[0]), start=1):
        right += same
        if right / count >= LINKS_RIGHT:
            lowest = affinity
    return lowest


def shares(cosines: Cosines, thresholds: Mapping[str, float]) -> dict[str, float]:
    """What the thresholds that were read off let through on the same data."""

    def above(pairs: Sequence[tuple[float, bool]], name: str) -> list[bool]:
        return [same for cosine, same in pairs if cosine >= thresholds[name]]

    def passing(pairs: Sequence[tuple[float, bool]], name: str, wanted: bool) -> float:
        kept = [cosine >= thresholds[name] for cosine, same in pairs if same is wanted]
        return share(kept) if kept else 0.0

    return {
        "links_right": share(above(cosines.links, "relate")),
        "links_kept": len(above(cosines.links, "relate")) / max(1, len(cosines.links)),
        "complete_same_above": passing(cosines.orphans, "complete", True),
        "complete_other_above": passing(cosines.orphans, "complete", False),
        "merge_same_above": passing(cosines.concepts, "merge", True),
        "merge_other_above": passing(cosines.concepts, "merge", False),
    }


def conversations(
    dsn: str, file: Path, model: str, embedder: EmbeddingProvider | None, tried: Sequence[tuple[Point, float]]
) -> list[dict[str, float]]:
    """What becomes of the conversations at each point and its ``merge``.

    Mean share of events in concepts, largest share in one, the highest cosine of two concepts, and how many pairs
    reach ``merge``.
    """
    seen: dict[Point, list[tuple[float, float, list[float]]]] = {point: [] for point, _ in tried}
    for conversation in conversations_of(open_stream(file, format="locomo")):
        remember(dsn, conversation.name, conversation.events, model, embedder)
        total = len(conversation.events)
        with psycopg.connect(dsn) as connection:
            for point, rows in seen.items():
                fold(connection, model, conversation.name, point)
                groups = members(connection, conversation.name).values()
                stored = list(vectors(connection, conversation.name, "concept").values())
                connection.rollback()
                cosines = [float(one @ other) for one, other in itertools.combinations(stored, 2)]
                grouped = {key for group in groups for key in group}
                rows.append((len(grouped) / total, max(map(len, groups), default=0) / total, cosines))
    return [
        {
            "conversation_coverage": fmean(coverage for coverage, _, _ in seen[point]),
            "conversation_largest": max(largest for _, largest, _ in seen[point]),
            "conversation_concept_cosine": max(max(cosines, default=0.0) for _, _, cosines in seen[point]),
            "conversation_merge_pairs": sum(cosine >= merge for _, _, cosines in seen[point] for cosine in cosines),
        }
        for point, merge in tried
    ]


def detail(
    streams: Sequence[Scenario],
    scores: Mapping[Point, Sequence[Mapping[str, float]]],
    chosen: Point,
    held_out: Sequence[Point],
    present: Point,
) -> Table:
    """Each scenario at the point chosen on all, at the one chosen without it, and at the present one."""
    table = Table(title="scenario by scenario")
    for name in ("scenario", "chosen on", "reinforce / cluster / pair", *MEASURES):
        table.add_column(name, justify="left" if name in ("scenario", "chosen on") else "right")
    for place, stream in enumerate(streams):
        for label, point in (("all", chosen), ("the others", held_out[place]), ("(present)", present)):
            score = scores[point][place]
            shown = " / ".join(f"{value:.2f}" for value in point)
            table.add_row(stream.name, label, shown, *(f"{score[name]:.3f}" for name in MEASURES))
    return table


def best(scores: Mapping[Point, Sequence[Mapping[str, float]]], rows: int = 10) -> Table:
    """The points with the highest objective: how flat the top is."""
    table = Table(title=f"the {rows} best of {len(scores)} points")
    for name in ("reinforce / cluster / pair", *MEASURES):
        table.add_column(name, justify="right")
    means = {point: mean_of(of) for point, of in scores.items()}
    for point in sorted(means, key=lambda point: -means[point]["objective"])[:rows]:
        shown = " / ".join(f"{value:.2f}" for value in point)
        table.add_row(shown, *(f"{means[point][name]:.3f}" for name in MEASURES))
    return table


def adoption(model: str, metrics: Mapping[str, float]) -> str:
    """The statement that gives a registered model the chosen thresholds."""
    prefix = "threshold_"
    columns = ", ".join(
        f'"{name.removeprefix(prefix)}" = {value:.2f}' for name, value in metrics.items() if name.startswith(prefix)
    )
    return f"UPDATE cognifold.embedding_model SET {columns} WHERE name = '{model}';"


if __name__ == "__main__":
    main()
