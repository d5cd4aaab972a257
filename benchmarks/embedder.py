"""Do vectors alone tell which events belong together, and what does one cost?

    python -m benchmarks.embedder --data SCENARIOS [--json FILE] [--dsn DSN]

SCENARIOS is a scenario file or a folder of them; an event's gold is the first concept it is labelled with.
Measured in SQL with the lexicon, and beside it the full MiniLM encoder where its weights are installed (extra
minilm):

    auc          a pair of events of one concept has a higher cosine than a pair of two (area under the
                 ROC curve)
    b_cubed      F1 of average-link grouping against the gold, at the one threshold that is best over all
                 scenarios
    same, other  median cosine of pairs of one concept, and of two: what thresholds are set between

and the median time of one call of ``cognifold.embed`` on these texts, warm, by role.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

import numpy as np
import numpy.typing as npt
import psycopg

from benchmarks.harness import Report, arguments, finish, scratch_database
from cognifold_pg.embedding import MiniLMEmbedder, MiniLMUnavailableError
from cognifold_pg.install import package_version

Matrix = npt.NDArray[np.float64]
Embed = Callable[[Sequence[str]], npt.NDArray[np.floating]]

_THRESHOLDS = np.arange(0.02, 0.9, 0.02)
_REPEATS = 5


@dataclass(frozen=True, slots=True)
class Labelled:
    """The events of one scenario; a distractor's ``concept`` is None."""

    texts: Sequence[str]
    concepts: Sequence[str | None]


def scenarios(path: Path) -> list[Labelled]:
    """The scenarios of a file, or of every JSON file in a folder."""
    found = []
    for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
        events = json.loads(file.read_text(encoding="utf-8"))["events"]
        texts = [f"{event['title']}. {event['description']}" for event in events]
        found.append(Labelled(texts, [next(iter(event["concepts"]), None) for event in events]))
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    options = arguments(__doc__ or "").parse_args(argv)
    data = scenarios(options.data)
    with scratch_database(options.dsn) as dsn, psycopg.connect(dsn, autocommit=True) as connection:
        metrics = quality(data, in_sql(connection)) | speed(data, connection)
    baselines = {}
    try:
        minilm = MiniLMEmbedder()
    except MiniLMUnavailableError:
        pass
    else:
        baselines = {f"minilm.{name}": value for name, value in quality(data, minilm.embed).items()}
    finish(Report("embedder", package_version(), options.data.name, metrics, baselines), options.json)


def in_sql(connection: psycopg.Connection[tuple[object, ...]]) -> Embed:
    """``cognifold.embed`` in the role document, for texts that have words."""

    def embed(texts: Sequence[str]) -> Matrix:
        rows = connection.execute(
            "SELECT cognifold.embed(t.text)::real[] "
            "FROM unnest(%s::text[]) WITH ORDINALITY AS t (text, place) ORDER BY t.place",
            [list(texts)],
        ).fetchall()
        return np.array([row[0] for row in rows], dtype=np.float64)

    return embed


def quality(data: Sequence[Labelled], embed: Embed) -> dict[str, float]:
    """The measures of the vectors that ``embed`` makes."""
    same: list[float] = []
    other: list[float] = []
    scores = []
    for scenario in data:
        vectors = np.asarray(embed(scenario.texts), dtype=np.float64)
        cosines = vectors @ vectors.T
        gold = [concept or f"event {place}" for place, concept in enumerate(scenario.concepts)]
        for place, concept in enumerate(scenario.concepts):
            for before in range(place):
                if concept and scenario.concepts[before]:
                    (same if concept == scenario.concepts[before] else other).append(cosines[place, before])
        scores.append([b_cubed(gold, average_link(cosines, threshold)) for threshold in _THRESHOLDS])
    mean = np.mean(scores, axis=0)
    return {
        "auc": auc(same, other),
        "b_cubed": float(mean.max()),
        "b_cubed_threshold": float(_THRESHOLDS[mean.argmax()]),
        "same": median(same),
        "other": median(other),
    }


def speed(data: Sequence[Labelled], connection: psycopg.Connection[tuple[object, ...]]) -> dict[str, float]:
    """Median microseconds of one call on these texts, for each role; nothing is sent to the client."""
    texts = [text for scenario in data for text in scenario.texts]
    connection.execute("SELECT cognifold.create_tenant('speed')")
    connection.execute("SET cognifold.tenant = 'speed'")
    found = {}
    for role in ("document", "query"):
        runs = []
        for _ in range(_REPEATS):
            started = time.perf_counter()
            connection.execute("SELECT count(cognifold.embed(t, %s)) FROM unnest(%s::text[]) AS t", [role, texts])
            runs.append(1e6 * (time.perf_counter() - started) / len(texts))
        found[f"{role}_microseconds"] = median(runs)
    return found


def auc(same: Sequence[float], other: Sequence[float]) -> float:
    """The chance that one of ``same`` is above one of ``other``, ties counting half, in [0, 1]."""
    ordered = np.sort(other)
    below = np.searchsorted(ordered, same, side="left")
    not_above = np.searchsorted(ordered, same, side="right")
    return float((below + not_above).sum() / 2 / len(same) / len(other))


def average_link(cosines: Matrix, threshold: float) -> list[int]:
    """Groups by joining the two with the highest mean cosine between them while that is above the
    threshold."""
    groups = {place: [place] for place in range(len(cosines))}
    totals = cosines.copy()  # between two groups: the sum over their pairs
    np.fill_diagonal(totals, -np.inf)
    sizes = np.ones(len(cosines))
    while len(groups) > 1:
        means = totals / np.outer(sizes, sizes)
        first, second = divmod(int(means.argmax()), len(cosines))
        if means[first, second] < threshold:
            break
        groups[first] += groups.pop(second)
        totals[first] += totals[second]
        totals[:, first] += totals[:, second]
        totals[first, first] = -np.inf
        totals[second, :] = totals[:, second] = -np.inf
        sizes[first] += sizes[second]
    label = [0] * len(cosines)
    for name, members in groups.items():
        for member in members:
            label[member] = name
    return label


def b_cubed(gold: Sequence[str], found: Sequence[int]) -> float:
    """B-cubed F1 of a grouping (Bagga and Baldwin, 1998), in (0, 1]."""
    truth = np.array(gold)[:, None] == np.array(gold)
    together = np.array(found)[:, None] == np.array(found)
    right = (truth & together).sum(axis=1)
    precision = fmean(right / together.sum(axis=1))
    recall = fmean(right / truth.sum(axis=1))
    return 2 * precision * recall / (precision + recall)


if __name__ == "__main__":
    main()
