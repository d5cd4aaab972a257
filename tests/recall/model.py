"""Recall worked out a second time, in Python: BM25, cosines, boosts, neighbours, questions and answers, modulation."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt

from cognifold_pg.embedding import LexiconEmbedder
from cognifold_pg.lexicon import words
from tests.conftest import Connection

Vector = npt.NDArray[np.float64]
K1, B = 1.2, 0.3
MEANING, WORDS, ACTOR, TIME = 0.55, 1.0, 0.3, 0.1
SHARPNESS = 1.75
SHARES = (0.3, 0.2)
ANSWER = 0.45  # more for what comes right after a question
ASKING = 0.2  # less for the question itself
LIFT_ACTOR, LIFT_TIME = 0.1, 1.0
WINDOW = 3600


@dataclass(frozen=True)
class Memo:
    """A node as the model sees it."""

    id: UUID
    kind: str
    text: str
    occurred_at: datetime
    source: str | None = None
    actor: str | None = None
    emotional_weight: float = 0
    access_count: int = 0
    integration_score: float = 0
    evidence: tuple[UUID, ...] = ()

    @property
    def asks(self) -> bool:
        return self.kind == "event" and self.text.rstrip().endswith("?")


@dataclass(frozen=True)
class Parts:
    cosine: float | None
    keyword: float | None
    neighbours: float
    relevance: float
    modulation: float

    @property
    def score(self) -> float:
        return self.relevance * self.modulation


def mne(emotional_weight: float, age_seconds: float, access_count: int, integration_score: float) -> float:
    """The modulation of a memory: the MNE score of a cosine of 1."""
    return (
        (1 + 0.5 * abs(emotional_weight))
        * (0.3 * math.exp(-min(max(age_seconds, 0) / 86400, 700)) + 0.7)
        * (1 + 0.1 * math.log(1 + access_count))
        * (1 + 0.2 * integration_score)
    )


@dataclass
class Library:
    """What a tenant holds. ``admin`` is asked for stems only: PostgreSQL's text search, not the memory's."""

    memos: list[Memo]
    admin: Connection
    embedder: LexiconEmbedder
    _counts: dict[str, dict[str, int]] = field(default_factory=dict)

    def counts(self, text: str) -> dict[str, int]:
        """How often each lexeme stands in a text."""
        if text not in self._counts:
            found = self.admin.execute(
                "SELECT lexeme, cardinality(positions) FROM unnest(to_tsvector('pg_catalog.english', %s))", [text]
            ).fetchall()
            self._counts[text] = dict(found)
        return self._counts[text]

    @property
    def events(self) -> list[Memo]:
        return [memo for memo in self.memos if memo.kind == "event"]

    def frequency(self, lexeme: str) -> int:
        return sum(lexeme in self.counts(event.text) for event in self.events)

    def keyword(self, asked: str, memo: Memo) -> float | None:
        """BM25 (Robertson and Zaragoza 2009) over the tenant's events; None where no word is shared."""
        lengths = [sum(self.counts(event.text).values()) for event in self.events]
        mean = sum(lengths) / len(lengths)
        own = self.counts(memo.text)
        shared = set(self.counts(asked)) & set(own)
        if not shared:
            return None
        length = sum(own.values())
        return math.fsum(
            math.log(1 + (len(lengths) - self.frequency(word) + 0.5) / (self.frequency(word) + 0.5))
            * own[word] * (K1 + 1) / (own[word] + K1 * (1 - B + B * length / mean))
            for word in shared
        )  # fmt: skip

    def vector(self, memo: Memo) -> Vector:
        if memo.kind == "event":
            return np.asarray(self.embedder.embed([memo.text])[0], dtype=float)
        by_id = {event.id: event for event in self.events}
        total = np.sum([self.vector(by_id[event]) for event in memo.evidence], axis=0)
        return np.asarray(total / np.linalg.norm(total), dtype=float)

    def question(self, asked: str) -> Vector:
        """The question's vector, its words weighed by how rare they are in this tenant."""
        stems = {
            word: self.admin.execute("SELECT coalesce((ts_lexize('english_stem', %s))[1], %s)", [word, word]).fetchone()
            for word in set(words(asked))
        }
        frequencies = {word: self.frequency(row[0]) for word, row in stems.items() if row is not None}
        return np.asarray(self.embedder.embed_query(asked, len(self.events), frequencies), dtype=float)

    def cosine(self, asked: str, memo: Memo) -> float:
        return float(self.question(asked) @ self.vector(memo))

    def scores(
        self,
        cosines: Mapping[UUID, float | None],
        keywords: Mapping[UUID, float | None],
        boosted: str | None,
        clock: datetime,
        keep: Callable[[Memo], bool] = lambda memo: True,
        span: tuple[datetime, datetime] | None = None,
    ) -> dict[UUID, Parts]:
        """The parts of every kept memory's score, from its raw cosine and BM25; those of relevance 0 left out.

        ``span`` is the time the question speaks of.
        """
        kept = [memo for memo in self.memos if keep(memo)]
        best_cosine = max((cosines[m.id] or 0 for m in kept), default=1) or 1
        best_keyword = max((keywords[m.id] or 0 for m in kept), default=1) or 1

        def is_dated(memo: Memo) -> bool:  # (No span of the tests holds more than are candidates.)
            return span is not None and memo.kind == "event" and span[0] <= memo.occurred_at < span[1]

        direct = {
            memo.id: MEANING * (max(cosines[memo.id] or 0, 0) / best_cosine) ** SHARPNESS
            + WORDS * ((keywords[memo.id] or 0) / best_keyword) ** SHARPNESS
            + (ACTOR if boosted is not None and memo.actor == boosted else 0)
            + (TIME if is_dated(memo) else 0)
            for memo in kept
        }
        received = dict.fromkeys((memo.id for memo in self.memos), 0.0)
        for memo in kept:
            if memo.kind == "event":
                for neighbour, share in self.neighbours(memo):
                    received[neighbour.id] += share * direct[memo.id]

        def factors(memo: Memo) -> float:
            return (
                (1 + LIFT_ACTOR if boosted is not None and memo.actor == boosted else 1)
                * (1 + LIFT_TIME if span is not None and span[0] <= memo.occurred_at < span[1] else 1)
                * (1 - ASKING if memo.asks else 1)
            )

        return {
            memo.id: Parts(cosines[memo.id], keywords[memo.id], received[memo.id], relevance,
                           mne(memo.emotional_weight, (clock - memo.occurred_at).total_seconds(), memo.access_count,
                               memo.integration_score) * factors(memo))
            for memo in kept
            if (relevance := direct[memo.id] + received[memo.id]) > 0
        }  # fmt: skip

    def neighbours(self, memo: Memo) -> Iterable[tuple[Memo, float]]:
        """The two events before and the two after in the same source, within the window, with their shares."""
        if memo.source is None:
            return
        line = sorted((e for e in self.events if e.source == memo.source), key=lambda e: (e.occurred_at, e.id))
        place = line.index(memo)
        for step, share in enumerate(SHARES, start=1):
            for other in (place - step, place + step):
                if (
                    0 <= other < len(line)
                    and abs((line[other].occurred_at - memo.occurred_at).total_seconds()) <= WINDOW
                ):
                    yield line[other], share + (ANSWER if memo.asks and other == place + 1 else 0)

    def ranked(self, scores: Mapping[UUID, Parts]) -> list[UUID]:
        """Best first; of equal scores the later memory, then the smaller id."""
        by_id = {memo.id: memo for memo in self.memos}
        return sorted(scores, key=lambda id_: (-scores[id_].score, -by_id[id_].occurred_at.timestamp(), id_))


def recalled(connection: Connection, query: str, k: int = 10000, **arguments: Any) -> list[dict[str, Any]]:
    """Rows of ``recall``; further arguments by name."""
    from psycopg.rows import dict_row

    names = "".join(f", {name} => %s" for name in arguments)
    values: Sequence[Any] = [query, k, *arguments.values()]
    statement = f"SELECT * FROM cognifold.recall(%s, %s{names})"
    return connection.cursor(row_factory=dict_row).execute(statement.encode(), values).fetchall()
