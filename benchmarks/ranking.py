"""Simple rankings to compare with (BM25, rank fusion), and how good a ranking is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean


class Bm25:
    """Okapi BM25 over token lists (k1 1.2, b .75), the idf of Lucene: ln(1 + (N - df + .5)/(df + .5))."""

    def __init__(self, documents: Sequence[Sequence[str]], k1: float = 1.2, b: float = 0.75) -> None:
        self._frequencies = [Counter(tokens) for tokens in documents]
        count = len(documents)
        mean_length = fmean(len(tokens) for tokens in documents) or 1.0
        holding = Counter(token for frequencies in self._frequencies for token in frequencies)
        self._idf = {token: math.log1p((count - number + 0.5) / (number + 0.5)) for token, number in holding.items()}
        self._k1 = k1
        self._damping = [k1 * (1 - b + b * len(tokens) / mean_length) for tokens in documents]

    def scores(self, query: Iterable[str]) -> list[float]:
        """The score of every document for ``query``, in the documents' order; 0 where no token is shared."""
        tokens = [token for token in query if token in self._idf]
        return [
            sum(self._idf[t] * frequencies[t] * (self._k1 + 1) / (frequencies[t] + damping) for t in tokens)
            for frequencies, damping in zip(self._frequencies, self._damping, strict=True)
        ]


def ranked(scores: Sequence[float]) -> list[int]:
    """Document indexes, best first; equal scores in the documents' order."""
    return sorted(range(len(scores)), key=lambda index: (-scores[index], index))


def reciprocal_rank_fusion(rankings: Sequence[Sequence[int]], k: int = 60) -> list[int]:
    """The fused ranking: each document scores the sum of 1/(k + rank) (Cormack et al., SIGIR 2009)."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, document in enumerate(ranking, start=1):
            scores[document] = scores.get(document, 0.0) + 1.0 / (k + rank)
    return sorted(scores, key=lambda document: (-scores[document], document))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one method answered to one question: its ranking, the evidence, the question's category."""

    ranking: Sequence[str]
    evidence: Collection[str]
    category: str


def recall_at(k: int, outcome: Outcome) -> float:
    """The part of the evidence among the first ``k``, in [0, 1]."""
    return len(set(outcome.ranking[:k]) & set(outcome.evidence)) / len(outcome.evidence)


def reciprocal_rank(outcome: Outcome) -> float:
    """One divided by the rank of the first piece of evidence; 0 when the ranking holds none."""
    places = (place for place, found in enumerate(outcome.ranking, start=1) if found in outcome.evidence)
    return 1.0 / next(places, math.inf)


MEASURES: Mapping[str, Callable[[Outcome], float]] = {
    "r_at_5": lambda outcome: recall_at(5, outcome),
    "r_at_10": lambda outcome: recall_at(10, outcome),
    "r_at_20": lambda outcome: recall_at(20, outcome),
    "mrr": reciprocal_rank,
}


def summary(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Means over questions: of all, and per category as ``r_at_10_category_1``."""
    found = {name: fmean(map(measure, outcomes)) for name, measure in MEASURES.items()}
    for category in sorted({outcome.category for outcome in outcomes}):
        chosen = [outcome for outcome in outcomes if outcome.category == category]
        for name, measure in MEASURES.items():
            found[f"{name}_category_{category}"] = fmean(map(measure, chosen))
    return found
