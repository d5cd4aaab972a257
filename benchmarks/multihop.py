"""Does recall find all the passages that a question needs together, where one only names what leads to the other?

    python -m benchmarks.multihop --data FOLDER [--model NAME ...] [--json FILE] [--dsn DSN]

FOLDER holds hotpotqa_corpus.json, hotpotqa_dev.json, musique_corpus.json and musique_dev.json. Each set is a tenant of
its own: every passage of its whole pool is remembered as one event under its title and folded. What is measured is the
share of a question's supporting passages among the first 5 events recalled (r_at_5), averaged over questions; also at
10 and 20. NAME is "lexicon" or "all-MiniLM-L6-v2" (extra minilm); without it those that are there.

Metrics are named SET.MODEL.r_at_5. Ablations in the same run, on the same rows, are SET.MODEL.without_PART.r_at_5 (and
with_edges), each with what the whole gains over it and the 95 % interval of that by paired bootstrap:

    without_names    the names in a question count for nothing
    without_spread   nothing spreads
    with_edges       activation spreads over the graph's live edges, too (setting spread.edge)

Baselines, over the same texts (title and content):

    bm25       BM25 (k1 1.2, b .75) over English stems without stop words
    embedder   cosine of the stored vectors with the question's
    naive      reciprocal rank fusion of the two
    ppr        personalised PageRank (damping .5) from the ten best of naive, weighted by rank, over the undirected
               graph that joins a passage with each whose title its text holds word for word

HotpotQA is Yang et al., EMNLP 2018 (CC BY-SA 4.0), MuSiQue Trivedi et al., TACL 2022 (CC BY 4.0), in the pools of
HippoRAG; the data is not part of this project.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

import networkx
from rich.console import Console

from benchmarks.harness import Report, arguments, finish, scratch_database
from benchmarks.locomo import English
from benchmarks.ranking import Bm25, Outcome, ranked, recall_at, reciprocal_rank_fusion
from cognifold_pg.arguments import vector_notation
from cognifold_pg.client import Memory
from cognifold_pg.embedding import EmbeddingProvider, MiniLMEmbedder, MiniLMUnavailableError
from cognifold_pg.experience import Experience
from cognifold_pg.install import package_version

MODELS = ("lexicon", "all-MiniLM-L6-v2")
ABLATIONS: Mapping[str, Mapping[str, float]] = {
    "without_names": {"recall.weight_title": 0, "recall.weight_mention": 0},
    "without_spread": {"spread.hops": 0},
    "with_edges": {"spread.edge": 0.3},
}
_DEPTHS = (5, 10, 20)
_FOLD_BATCH = 20
_RESAMPLES = 2000

Ranker = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage of a pool."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of passages, and questions with the places of the passages that support them."""

    name: str
    passages: Sequence[Passage]
    questions: Sequence[tuple[str, frozenset[str]]]


def pools_of(folder: Path) -> Iterator[Pool]:
    """The two sets of the folder."""
    corpus = json.loads((folder / "hotpotqa_corpus.json").read_text())
    passages = [Passage(title, "".join(sentences).strip()) for title, sentences in corpus.items()]
    places = {passage.title: str(place) for place, passage in enumerate(passages)}
    asked = json.loads((folder / "hotpotqa_dev.json").read_text())
    yield Pool(
        "hotpotqa",
        passages,
        [(q["question"], frozenset(places[title] for title, _ in q["supporting_facts"])) for q in asked],
    )
    passages = [Passage(row["title"], row["text"]) for row in json.loads((folder / "musique_corpus.json").read_text())]
    exact = {(passage.title, passage.text): str(place) for place, passage in enumerate(passages)}
    asked = json.loads((folder / "musique_dev.json").read_text())
    yield Pool(
        "musique",
        passages,
        [
            (
                q["question"],
                frozenset(exact[p["title"], p["paragraph_text"]] for p in q["paragraphs"] if p["is_supporting"]),
            )
            for q in asked
        ],
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--model", action="append", choices=MODELS, help="an embedder; may be given again")
    options = parser.parse_args(argv)
    with scratch_database(options.dsn) as dsn:
        report = measure(dsn, options.data, options.model or MODELS, required=bool(options.model))
    finish(report, options.json)


def measure(dsn: str, data: Path, models: Sequence[str], *, required: bool = True) -> Report:
    """Run the benchmark in the database ``dsn``; a model whose weights are missing is left out unless ``required``."""
    console = Console(stderr=True)
    metrics: dict[str, float] = {}
    compared: dict[str, float] = {}
    for model in models:
        embedder: EmbeddingProvider | None = None
        if model != "lexicon":
            try:
                embedder = MiniLMEmbedder()
            except MiniLMUnavailableError:
                if required:
                    raise
                console.print(f"{model}: no weights here, left out", style="dim")
                continue
        for pool in pools_of(data):
            console.print(f"{pool.name}, {model}: {len(pool.passages)} passages", style="dim")
            with Memory(dsn, tenant=f"{pool.name}:{model}", embedder=embedder, pool_size=1, learn=False) as memory:
                memory.create_tenant(model=model)
                fill(memory, pool)
                of_pool, of_baselines = answered(memory, pool)
            metrics |= {f"{pool.name}.{model}.{name}": value for name, value in of_pool.items()}
            compared |= {
                f"{method}.{pool.name}.{model}.{name}": value
                for method, found in of_baselines.items()
                for name, value in found.items()
            }
    return Report("multihop", package_version(), data.name, metrics, compared)


def fill(memory: Memory, pool: Pool) -> None:
    """Remember and fold every passage."""
    memory.remember_many(
        Experience(passage.text, title=passage.title, idempotency_key=str(place))
        for place, passage in enumerate(pool.passages)
    )
    while memory.embed_waiting(200):
        pass
    memory.fold_all(batch=_FOLD_BATCH)


def answered(memory: Memory, pool: Pool) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """The measures of recall with its ablations, and of each baseline."""
    milliseconds: list[float] = []
    rank = recaller(memory, milliseconds)
    whole = outcomes(pool, rank)
    metrics = measures(whole) | {"questions": len(whole), "recall_ms_median": median(milliseconds)}
    for name, changed in ABLATIONS.items():
        with settings(memory, changed):
            part = outcomes(pool, rank)
        low, mean, high = difference(whole, part)
        metrics |= {f"{name}.r_at_5": measures(part)["r_at_5"], f"{name}.gain": mean}
        metrics |= {f"{name}.gain_low": low, f"{name}.gain_high": high}
    return metrics, {name: measures(outcomes(pool, ranker)) for name, ranker in baselines(memory, pool).items()}


def outcomes(pool: Pool, rank: Ranker) -> list[Outcome]:
    """What one method answers to every question."""
    return [Outcome(rank(question)[: _DEPTHS[-1]], evidence, "") for question, evidence in pool.questions]


def measures(found: Sequence[Outcome]) -> dict[str, float]:
    """Mean share of the supporting passages among the first 5, 10, 20."""
    return {f"r_at_{depth}": fmean(recall_at(depth, outcome) for outcome in found) for depth in _DEPTHS}


def difference(whole: Sequence[Outcome], part: Sequence[Outcome]) -> tuple[float, float, float]:
    """What the whole gains over the part in R@5: 2.5 %, mean, 97.5 % of a paired bootstrap over questions."""
    gains = [recall_at(5, w) - recall_at(5, p) for w, p in zip(whole, part, strict=True)]
    chance = random.Random(0)
    means = sorted(fmean(chance.choices(gains, k=len(gains))) for _ in range(_RESAMPLES))
    return means[int(0.025 * _RESAMPLES)], fmean(gains), means[int(0.975 * _RESAMPLES) - 1]


@contextmanager
def settings(memory: Memory, changed: Mapping[str, float]) -> Iterator[None]:
    """The tenant's settings changed for a while."""
    before = {name: memory.setting(name) for name in changed}
    try:
        for name, value in changed.items():
            memory.rows("SELECT cognifold.set_setting(%s, %s)", [name, value])
        yield
    finally:
        for name, value in before.items():
            memory.rows("SELECT cognifold.set_setting(%s, %s)", [name, value])


def recaller(memory: Memory, milliseconds: list[float]) -> Ranker:
    """The product's own recall of events, timed."""
    keys = {row["id"]: row["idempotency_key"] for row in memory.rows("SELECT id, idempotency_key FROM cognifold.event")}

    def rank(question: str) -> list[str]:
        started = time.perf_counter()
        found = memory.recall(question, _DEPTHS[-1], kinds=["event"])
        milliseconds.append(1000 * (time.perf_counter() - started))
        return [keys[memory.node_id] for memory in found]

    return rank


def baselines(memory: Memory, pool: Pool) -> dict[str, Ranker]:
    """The simple methods over the same passages, by name."""
    stems = English(memory)
    words = Bm25(stems.tokens([f"{passage.title} {passage.text}" for passage in pool.passages]))
    graph = title_graph(pool.passages)

    def bm25(question: str) -> list[int]:
        return ranked(words.scores(stems.tokens([question])[0]))

    def cosine(question: str) -> list[int]:
        if memory.embedder is None:
            vector = memory.rows("SELECT cognifold.embed(%s, 'query')::text AS v", [question])[0]["v"]
        else:
            vector = vector_notation(memory.embedder.embed([question], "query")[0])
        rows = memory.rows(
            "SELECT n.idempotency_key AS key FROM cognifold.embedding AS e "
            "JOIN cognifold.event AS n ON n.tenant_id = e.tenant_id AND n.id = e.node_id "
            "WHERE e.kind = 'event' ORDER BY e.vector <=> %s::text::halfvec, n.idempotency_key",
            [vector],
        )
        return [int(row["key"]) for row in rows]

    def naive(question: str) -> list[int]:
        return reciprocal_rank_fusion([bm25(question), cosine(question)])

    def ppr(question: str) -> list[int]:
        first = naive(question)
        start = {place: 1 / rank for rank, place in enumerate(first[:10], start=1)}
        ranks = networkx.pagerank(graph, alpha=0.5, personalization=start)
        order = {place: rank for rank, place in enumerate(first)}
        return sorted(first, key=lambda place: (-ranks[place], order[place]))

    def named(rank: Callable[[str], list[int]]) -> Ranker:
        return lambda question: [str(place) for place in rank(question)]

    return {name: named(rank) for name, rank in [("bm25", bm25), ("embedder", cosine), ("naive", naive), ("ppr", ppr)]}


def title_graph(passages: Sequence[Passage]) -> networkx.Graph:
    """Passages joined with each whose title, without what stands in brackets at its end, their text holds."""
    titles: dict[str, list[int]] = {}
    for place, passage in enumerate(passages):
        titles.setdefault(re.sub(r"\s*\([^()]*\)$", "", passage.title).lower(), []).append(place)
    longest = max((title.count(" ") + 1 for title in titles), default=0)
    graph: networkx.Graph = networkx.Graph()
    graph.add_nodes_from(range(len(passages)))
    for place, passage in enumerate(passages):
        words = re.findall(r"\w[\w'’.-]*\w|\w", passage.text.lower())
        held = {
            other
            for start in range(len(words))
            for end in range(start + 1, min(start + longest, len(words)) + 1)
            for other in titles.get(" ".join(words[start:end]), ())
        }
        graph.add_edges_from((place, other) for other in held - {place})
    return graph


if __name__ == "__main__":
    main()
