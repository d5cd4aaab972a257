"""Does recall find the turns of a long conversation that answer a question about it?

    python -m benchmarks.locomo --data locomo_dev.json [--json FILE] [--dsn DSN]

Each LoCoMo conversation is a tenant of its own, read and folded by the product. A question counts when its
evidence names at least one turn that exists; what is measured is how much of that evidence is among the first
5, 10 and 20 events recalled, and one divided by the rank of the first (MRR), averaged over questions.

Figures are given for all these questions (the headline), for each category (1 several turns, 2 time, 3 open
domain, 4 one turn, 5 adversarial: asked about the wrong person, its evidence is where the truth stands), and
without category 5. Baselines in the same run, over the same texts ("speaker: text [picture: caption]"):

    bm25        BM25 (k1 1.2, b .75) over English stems without stop words
    bm25_words  BM25 over plain lower-case words
    embedder    cosine of the stored vectors with the question's, as it is written
    naive       reciprocal rank fusion of bm25 and embedder

LoCoMo is Maharana et al., ACL 2024; the data is CC BY-NC 4.0 and not part of this project.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console

from benchmarks.harness import Report, arguments, finish, scratch_database
from benchmarks.ranking import Bm25, Outcome, ranked, reciprocal_rank_fusion, summary
from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from cognifold_pg.ingest import Question, Record, Stream, open_stream
from cognifold_pg.install import package_version

_ADVERSARIAL = "5"
_K = 20
_FOLD_BATCH = 20
_WORD = re.compile(r"\w+")

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
    """Measure, print the table, write the report."""
    options = arguments(__doc__ or "").parse_args(argv)
    with scratch_database(options.dsn) as dsn:
        report = measure(dsn, options.data)
    finish(report, options.json)


def measure(dsn: str, data: Path) -> Report:
    """Run the benchmark in the database ``dsn``, which must hold none of these tenants yet."""
    console = Console(stderr=True)
    outcomes: dict[str, list[Outcome]] = {}
    seconds = {"ingest": 0.0, "fold": 0.0}
    recall_ms: list[float] = []
    turns = 0
    for conversation in conversations_of(open_stream(data, format="locomo")):
        console.print(f"{conversation.name}: {len(conversation.events)} turns", style="dim")
        turns += len(conversation.events)
        with Memory(dsn, tenant=f"locomo:{conversation.name}", pool_size=1) as memory:
            memory.create_tenant()
            started = time.perf_counter()
            memory.remember_many(conversation.events)
            remembered = time.perf_counter()
            memory.fold_all(batch=_FOLD_BATCH)
            seconds["ingest"] += remembered - started
            seconds["fold"] += time.perf_counter() - remembered

            rankers = baselines(memory, conversation.events)
            rankers["cognifold"] = recaller(memory, recall_ms)
            for name, rank in rankers.items():
                outcomes.setdefault(name, []).extend(
                    Outcome(rank(question.text)[:_K], question.evidence, question.category)
                    for question in conversation.questions
                )
    metrics = summarised(outcomes.pop("cognifold"))
    metrics |= {
        "turns": turns,
        "ingest_seconds": seconds["ingest"],
        "fold_seconds": seconds["fold"],
        "recall_ms_median": median(recall_ms),
    }
    compared = {
        f"{method}.{name}": value
        for method, answered in outcomes.items()
        for name, value in summarised(answered).items()
        if not name.startswith("questions")
    }
    return Report("locomo", package_version(), data.name, metrics, compared)


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

    return {"bm25": bm25, "bm25_words": bm25_words, "embedder": cosines, "naive": naive}


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

    def rank(question: str) -> list[str]:
        rows = memory.rows(
            "WITH question AS MATERIALIZED (SELECT cognifold.embed(%s, 'query')::halfvec AS vector) "
            "SELECT n.idempotency_key AS key FROM question AS q CROSS JOIN cognifold.embedding AS e "
            "JOIN cognifold.event AS n ON n.tenant_id = e.tenant_id AND n.id = e.node_id "
            "WHERE e.kind = 'event' ORDER BY e.vector <=> q.vector, n.occurred_at",
            [question],
        )
        return [str(row["key"]) for row in rows]

    return rank


if __name__ == "__main__":
    main()
