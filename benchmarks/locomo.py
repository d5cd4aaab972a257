"""Does recall find the turns of a long conversation that answer a question about it?

    python -m benchmarks.locomo --data locomo_dev.json [--embedder lexicon|minilm|both] [--whole]
                                [--json FILE] [--dsn DSN]

Each LoCoMo conversation is a tenant of its own for each embedder, read and folded by the product. A question counts
when its evidence names at least one turn that exists; what is measured is how much of that evidence is among the
first 5, 10 and 20 events recalled, and one divided by the rank of the first (MRR), averaged over questions.

Figures are given for all these questions (the headline), for each category (1 several turns, 2 time, 3 open
domain, 4 one turn, 5 adversarial: asked about the wrong person, its evidence is where the truth stands), and
without category 5. Those of MiniLM are called ``minilm_...`` where both embedders run, which they do unless its
weights are missing. Baselines in the same run, over the same texts ("speaker: text [picture: caption]"):

    bm25        BM25 (k1 1.2, b .75) over English stems without stop words
    bm25_words  BM25 over plain lower-case words
    embedder    cosine of the stored vectors with the question's, as it is written
    naive       reciprocal rank fusion of bm25 and embedder
    heuristic   what a careful hand writes: z-scores of BM25 and of the cosine, the speaker's name out of both, half
                and half, a boost for the speaker the question names, half of it for the turns just before and after

What each signal brings is measured on the product itself, by asking every question again with its settings such that
it says nothing (affect, which says nothing by default, at .3): ``without_words_r_at_10`` is what is left,
``words_gains_r_at_10`` what the signal brings, with ``_low`` and ``_high`` the ends of the 95 % interval of a paired
bootstrap over questions (10,000 resamples, seeded). ``--whole`` leaves that table out.

LoCoMo is Maharana et al., ACL 2024; the data is CC BY-NC 4.0 and not part of this project.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from benchmarks.harness import Report, arguments, finish, scratch_database
from benchmarks.ranking import MEASURES, Bm25, Outcome, ranked, reciprocal_rank_fusion, summary
from cognifold_pg.client import Memory
from cognifold_pg.embedding.minilm import MiniLMEmbedder, MiniLMUnavailableError, find_weights
from cognifold_pg.embedding.provider import EmbeddingProvider, Matrix, Role
from cognifold_pg.experience import Experience
from cognifold_pg.ingest import Question, Record, Stream, open_stream
from cognifold_pg.install import package_version

_ADVERSARIAL = "5"
_K = 20
_FOLD_BATCH = 20
_WORD = re.compile(r"\w+")
_SEED = 20261130
_RESAMPLES = 10_000

# What leaves a signal out, as settings; of affect, what brings it in.
SIGNALS: Mapping[str, Mapping[str, float]] = {
    "meaning": {"recall.weight_meaning": 0},
    "words": {"recall.weight_words": 0},
    "sharpness": {"recall.sharpness": 1},
    "actor": {"recall.weight_actor": 0, "recall.lift_actor": 0},
    "time": {"recall.lift_time": 0},
    "names": {"recall.weight_title": 0, "recall.weight_mention": 0},
    "spreading": {"spread.hops": 0},
    "state": {"state.minimum_strength": 1, "recall.weight_state": 0, "recall.standing": 0},
    "neighbours": {
        "recall.neighbour_share": 0,
        "recall.second_neighbour_share": 0,
        "recall.answer_share": 0,
    },
    "asking": {"recall.answer_share": 0, "recall.discount_asking": 0},
    "modulation": {"recall.weight_mne": 0},
    "affect": {"recall.weight_affect": 0.3},
}
OFF_BY_DEFAULT = frozenset({"affect"})

Ranker = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation: its events in order, and the questions whose evidence exists."""

    name: str
    events: Sequence[Experience]
    questions: Sequence[Question]


def conversations_of(stream: Stream) -> list[Conversation]:
    """The stream's conversations, each with its countable questions: evidence reduced to turns that exist."""
    events: dict[str, list[Experience]] = {}
    for item in stream:
        if isinstance(item, Record):
            events.setdefault(str(item.experience.source), []).append(item.experience)
    found = []
    for name, turns in events.items():
        keys = {turn.idempotency_key for turn in turns}
        questions = [
            Question(question.text, evidence, question.answer, question.category, name)
            for question in stream.questions
            if question.source == name and (evidence := tuple(k for k in question.evidence if k in keys))
        ]
        found.append(Conversation(name, turns, questions))
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the tables, write the report."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--embedder", choices=["lexicon", "minilm", "both"], default="both")
    parser.add_argument("--whole", action="store_true", help="the product as a whole only, no signal left out")
    options = parser.parse_args(argv)
    with scratch_database(options.dsn) as dsn:
        report = measure(dsn, options.data, options.embedder, signals={} if options.whole else SIGNALS)
    finish(report, options.json)
    if not options.whole:
        Console().print(gains_table(report))


def measure(
    dsn: str, data: Path, embedder: str = "both", signals: Mapping[str, Mapping[str, float]] | None = None
) -> Report:
    """Run the benchmark in the database ``dsn``, which must hold none of these tenants yet.

    ``both`` is the lexicon alone where the weights of MiniLM are not installed. ``signals``: what is left out in turn,
    by name, as the settings that leave it out.
    """
    conversations = conversations_of(open_stream(data, format="locomo"))
    metrics: dict[str, float] = {}
    compared: dict[str, float] = {}
    for prefix, provider in embedders(embedder).items():
        found, beside = measured(dsn, conversations, prefix, provider, SIGNALS if signals is None else signals)
        metrics |= {f"{prefix}{name}": value for name, value in found.items()}
        compared |= {f"{method}.{prefix}{name}": value for (method, name), value in beside.items()}
    return Report("locomo", package_version(), data.name, metrics, compared)


def embedders(which: str) -> dict[str, EmbeddingProvider | None]:
    """The embedders to run, by the prefix of their figures: the first has none; None is the one in the database.

    :raises MiniLMUnavailableError: ``minilm`` alone is asked for and its weights are not installed.
    """
    if which == "lexicon":
        return {"": None}
    try:
        find_weights()
    except MiniLMUnavailableError:
        if which == "minilm":
            raise
        Console(stderr=True).print("MiniLM's weights are not installed: the lexicon alone", style="yellow")
        return {"": None}
    return {"": Remembering()} if which == "minilm" else {"": None, "minilm_": Remembering()}


class Remembering(MiniLMEmbedder):
    """MiniLM that encodes a text once: the same questions are asked with every signal left out."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, Matrix] = {}

    def embed(self, texts: Sequence[str], role: Role = "document") -> Matrix:
        """As the encoder's, in the order of the texts."""
        unknown = [text for text in dict.fromkeys(texts) if text not in self._known]
        if unknown:
            self._known |= dict(zip(unknown, super().embed(unknown, role), strict=True))
        return np.stack([self._known[text] for text in texts])


def measured(
    dsn: str,
    conversations: Sequence[Conversation],
    prefix: str,
    embedder: EmbeddingProvider | None,
    signals: Mapping[str, Mapping[str, float]],
) -> tuple[dict[str, float], dict[tuple[str, str], float]]:
    """The metrics of the product with one embedder, and those of the baselines by (method, metric)."""
    console = Console(stderr=True)
    outcomes: dict[str, list[Outcome]] = {}
    without: dict[str, list[Outcome]] = {}
    seconds = {"ingest": 0.0, "fold": 0.0}
    recall_ms: list[float] = []
    turns = 0
    for conversation in conversations:
        console.print(f"{prefix}{conversation.name}: {len(conversation.events)} turns", style="dim")
        turns += len(conversation.events)
        tenant = f"locomo:{prefix}{conversation.name}"
        with Memory(dsn, tenant=tenant, pool_size=1, embedder=embedder, learn=False) as memory:
            memory.create_tenant(model="lexicon" if embedder is None else embedder.name)
            started = time.perf_counter()
            memory.remember_many(conversation.events)
            remembered = time.perf_counter()
            memory.fold_all(batch=_FOLD_BATCH)
            seconds["ingest"] += remembered - started
            seconds["fold"] += time.perf_counter() - remembered

            rankers = baselines(memory, conversation.events)
            rankers["cognifold"] = recaller(memory, recall_ms)
            for name, rank in rankers.items():
                outcomes.setdefault(name, []).extend(asked(rank, conversation.questions))
            for signal, settings in signals.items():
                with changed(memory, settings):
                    without.setdefault(signal, []).extend(asked(recaller(memory, []), conversation.questions))
    whole = outcomes.pop("cognifold")
    metrics = summarised(whole)
    metrics |= {
        "turns": turns,
        "ingest_seconds": seconds["ingest"],
        "fold_seconds": seconds["fold"],
        "recall_ms_median": median(recall_ms),
    }
    for signal, rest in without.items():
        metrics |= gains(signal, whole, rest)
    compared = {
        (method, name): value
        for method, answered in outcomes.items()
        for name, value in summarised(answered).items()
        if not name.startswith("questions")
    }
    return metrics, compared


def asked(rank: Ranker, questions: Sequence[Question]) -> list[Outcome]:
    """How ``rank`` answers each question."""
    return [Outcome(rank(question.text)[:_K], question.evidence, question.category) for question in questions]


@contextmanager
def changed(memory: Memory, settings: Mapping[str, float]) -> Iterator[None]:
    """The memory with other settings, which are the defaults again afterwards."""
    for name, value in settings.items():
        memory.rows("SELECT cognifold.set_setting(%s, %s)", [name, value])
    try:
        yield
    finally:
        for name in settings:
            memory.rows("SELECT cognifold.set_setting(%s, NULL)", [name])


def gains(signal: str, whole: Sequence[Outcome], without: Sequence[Outcome]) -> dict[str, float]:
    """What a signal brings: the mean difference over questions, and the 95 % interval of a paired bootstrap.

    For affect, which is off by default, ``without`` is the memory with it.
    """
    chance = np.random.default_rng(_SEED)
    drawn = chance.integers(0, len(whole), (_RESAMPLES, len(whole)))
    found: dict[str, float] = {}
    for name in ("r_at_10", "mrr"):
        measure = MEASURES[name]
        left = np.array([measure(outcome) for outcome in without])
        brought = np.array([measure(outcome) for outcome in whole]) - left
        if signal in OFF_BY_DEFAULT:
            brought = -brought
        low, high = np.quantile(brought[drawn].mean(axis=1), [0.025, 0.975])
        found |= {
            f"{'with' if signal in OFF_BY_DEFAULT else 'without'}_{signal}_{name}": float(left.mean()),
            f"{signal}_gains_{name}": float(brought.mean()),
            f"{signal}_gains_{name}_low": float(low),
            f"{signal}_gains_{name}_high": float(high),
        }
    return found


def gains_table(report: Report) -> Table:
    """What each signal brings to R@10 and MRR, with its interval, one row a signal and embedder."""
    table = Table(title="what each signal brings (95 % interval of a paired bootstrap)")
    for column in ("signal", "embedder", "R@10", "MRR"):
        table.add_column(column, justify="left" if column in ("signal", "embedder") else "right")
    for signal in SIGNALS:
        for prefix in ("", "minilm_"):
            cells = []
            for name in ("r_at_10", "mrr"):
                key = f"{prefix}{signal}_gains_{name}"
                if key in report.metrics:
                    low, high = report.metrics[f"{key}_low"], report.metrics[f"{key}_high"]
                    cells.append(f"{report.metrics[key]:+.3f} [{low:+.3f}, {high:+.3f}]")
            if cells:
                table.add_row(signal, "MiniLM" if prefix else "the first", *cells)
    return table


def summarised(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The measures of all questions, of each category, and of all but the adversarial ones."""
    fair = [outcome for outcome in outcomes if outcome.category != _ADVERSARIAL]
    found = summary(outcomes)
    found |= {f"{name}_without_5": v for name, v in summary(fair).items() if "category" not in name}
    return found | {"questions": len(outcomes), "questions_without_5": len(fair)}


def recaller(memory: Memory, milliseconds: list[float]) -> Ranker:
    """The product's own recall of events, timed."""
    keys = {row["id"]: row["idempotency_key"] for row in memory.rows("SELECT id, idempotency_key FROM cognifold.event")}

    def rank(question: str) -> list[str]:
        started = time.perf_counter()
        found = memory.recall(question, _K, kinds=["event"])
        milliseconds.append(1000 * (time.perf_counter() - started))
        return [keys[memory.node_id] for memory in found]

    return rank


def baselines(memory: Memory, events: Sequence[Experience]) -> dict[str, Ranker]:
    """The simple methods over the same events, by name."""
    keys = [str(event.idempotency_key) for event in events]
    texts = [f"{event.actor}: {event.content}" for event in events]
    stems = English(memory)
    stemmed = Bm25(stems.tokens(texts))
    plain = Bm25([words(text) for text in texts])
    cosines = cosine_ranker(memory)
    place = {key: index for index, key in enumerate(keys)}

    def bm25(question: str) -> list[str]:
        return [keys[index] for index in ranked(stemmed.scores(stems.tokens([question])[0]))]

    def bm25_words(question: str) -> list[str]:
        return [keys[index] for index in ranked(plain.scores(words(question)))]

    def naive(question: str) -> list[str]:
        fused = reciprocal_rank_fusion([[place[key] for key in rank(question)] for rank in (bm25, cosines)])
        return [keys[index] for index in fused]

    return {
        "bm25": bm25,
        "bm25_words": bm25_words,
        "embedder": cosines,
        "naive": naive,
        "heuristic": heuristic(memory, events, stems),
    }


def words(text: str) -> list[str]:
    """Lower-case words of ``text``."""
    return _WORD.findall(text.lower())


class English:
    """English stems by the dictionary that PostgreSQL brings; a stop word has none."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._stems: dict[str, list[str]] = {}

    def tokens(self, texts: Iterable[str]) -> list[list[str]]:
        """The stems of each text, in order, one for each time a word stands there."""
        split = [words(text) for text in texts]
        unknown = sorted({word for tokens in split for word in tokens} - set(self._stems))
        rows = self._memory.rows(
            "SELECT w AS word, ts_lexize('pg_catalog.english_stem', w) AS stems FROM unnest(%s::text[]) AS w",
            [unknown],
        )
        self._stems |= {row["word"]: row["stems"] for row in rows}
        return [[stem for word in tokens for stem in self._stems[word]] for tokens in split]


def cosine_ranker(memory: Memory) -> Ranker:
    """The stored vectors of the events by their cosine with the question's vector, nearest first."""
    cosines = cosines_of(memory)

    def rank(question: str) -> list[str]:
        found = cosines(question)
        return sorted(found, key=lambda key: -found[key])

    return rank


def cosines_of(memory: Memory) -> Callable[[str], dict[str, float]]:
    """A question's cosine with each event that has a vector, by the event's key, in order of event time."""
    rows = memory.rows(
        "SELECT n.idempotency_key AS key, e.vector::text AS vector FROM cognifold.embedding AS e "
        "JOIN cognifold.event AS n ON n.tenant_id = e.tenant_id AND n.id = e.node_id "
        "WHERE e.tenant_id = cognifold.current_tenant() AND e.kind = 'event' ORDER BY n.occurred_at, n.id"
    )
    keys = [str(row["key"]) for row in rows]
    vectors = np.array([numbers(row["vector"]) for row in rows])
    embedder = memory.embedder

    def cosines(question: str) -> dict[str, float]:
        if embedder is None:
            asked = numbers(memory.rows("SELECT cognifold.embed(%s, 'query')::text AS vector", [question])[0]["vector"])
        else:
            asked = embedder.embed([question], "query")[0]
        return dict(zip(keys, (vectors @ asked).tolist(), strict=True))

    return cosines


def numbers(vector: str) -> npt.NDArray[np.float64]:
    """A vector from pgvector's notation."""
    return np.array(vector.strip("[]").split(","), dtype=float)


def heuristic(memory: Memory, events: Sequence[Experience], stems: English) -> Ranker:
    """Z-scores of BM25 and cosine half and half, speaker boost, half of it passed to the turns beside."""
    keys = [str(event.idempotency_key) for event in events]
    speakers = sorted({str(event.actor) for event in events})
    scorer = Bm25(stems.tokens([event.content for event in events]))
    cosines = cosines_of(memory)

    def rank(question: str) -> list[str]:
        named = [name for name in speakers if re.search(rf"\b{re.escape(name)}\b", question, re.IGNORECASE)]
        bare = re.sub("|".join(rf"\b{re.escape(name)}\b('s)?" for name in speakers), " ", question, flags=re.IGNORECASE)
        near = cosines(bare if _WORD.search(bare) else question)
        scores = 0.5 * standard(scorer.scores(stems.tokens([bare])[0])) + 0.5 * standard(
            [near.get(k, 0.0) for k in keys]
        )
        if len(named) == 1:
            scores = scores + np.array([float(event.actor == named[0]) for event in events])
        beside = np.zeros_like(scores)
        beside[1:] += scores[:-1] / 2
        beside[:-1] += scores[1:] / 2
        return [keys[index] for index in ranked((scores + beside).tolist())]

    return rank


def standard(scores: Sequence[float]) -> npt.NDArray[np.float64]:
    """Scores less their mean, in standard deviations."""
    found = np.asarray(scores, dtype=float)
    return np.asarray((found - found.mean()) / max(float(found.std()), 1e-9), dtype=float)


if __name__ == "__main__":
    main()
