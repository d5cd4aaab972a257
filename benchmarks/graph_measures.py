"""Measures of a memory's graph against a gold graph: of its concepts, and of its shape.

A concept is a title and the events that ground it. Events and concepts are nodes of one graph, as are intents and
times; its edges have types.

    gold_f1                  titles against the labels of the gold concepts, one to one by the Hungarian method, a pair
                             counts from a cosine of .5 on; gold_precision and gold_recall make it; gold_cosine is the
                             mean over the labels of the best title's cosine, which says more while F1 is near 0
    purity                   mean over concepts of the mean cosine of their events (MiniLM, whatever the memory uses)
    separation               1 - mean cosine of two titles
    title_support            share of the titles each of whose content words occurs in two of the concept's events
    chain_discovery          share of the gold chains each of whose steps is connected with the next by some path
    chain_discovery_strict   the same within two edges, hubs left out: nodes joined to over a quarter of all nodes,
                             unless they are a step themselves; chain_steps_strict counts steps instead of chains;
                             ``_ever`` where edges that have faded by the end count, too
    clustering_coefficient   mean over nodes of the share of their neighbours that are neighbours of each other
    modularity               of the communities that greedy merging finds
    edge_type_entropy        of the types of the edges, over that of as many types in equal parts; 0 of one type
    pagerank_gini            Gini coefficient of PageRank over the directed graph: 0 all alike, near 1 one has it all

B-cubed F1, gold purity, coverage, noise rejection, compression and largest are those of benchmarks.calibrate.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

import networkx as nx
import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.optimize import linear_sum_assignment

Vectors = npt.NDArray[np.float64]

SAME_TITLE = 0.5
HUB = 0.25
_WORD = re.compile(r"[^\W\d_]{3,}|\d+")
_STEM = 5
_STOP = frozenset(
    """
    the and for with that this from was were are but not you your his her its our their they them she him has have had
    who what when where why how all any can could did does don isn than then there these those too very will would just
    into out over about after again more some such only own same here been being also because before both each few most
    other once off down under until while which whom
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept by its title, with the keys of its events."""

    title: str
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """The graph: its nodes' names in a stable order, and (source, target, type) of each edge."""

    nodes: Sequence[str]
    edges: Sequence[tuple[str, str, str]]

    def undirected(self) -> nx.Graph[str]:
        """Its nodes and which are joined."""
        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from((one, other) for one, other, _ in self.edges if one != other)
        return graph

    def directed(self) -> nx.DiGraph[str]:
        """Its nodes and which point to which."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from((one, other) for one, other, _ in self.edges if one != other)
        return graph


def bipartite(concepts: Sequence[Concept], events: Iterable[str]) -> Shape:
    """The graph of a method that only groups: its events, its concepts, and who is in which."""
    names = [f"concept {place}" for place, _ in enumerate(concepts)]
    edges = [(key, name, "grounds") for name, concept in zip(names, concepts, strict=True) for key in concept.events]
    return Shape([*events, *names], edges)


# ------------------------------------------------------------------------------------------------- concepts


def title_match(cosines: Vectors, at_least: float = SAME_TITLE) -> dict[str, float]:
    """Precision, recall and F1 of titles (rows) against gold labels (columns) by their cosines."""
    found, wanted = cosines.shape
    right = 0
    if found and wanted:
        # What is below the bar is worth nothing, so that it displaces no pair that counts.
        worth = np.where(cosines >= at_least, cosines + min(cosines.shape), 0.0)
        rows, columns = linear_sum_assignment(worth, maximize=True)
        right = int((cosines[rows, columns] >= at_least).sum())
    return {
        "gold_precision": right / found if found else 0.0,
        "gold_recall": right / wanted if wanted else 1.0,
        "gold_f1": 2 * right / (found + wanted) if right else 0.0,
        "gold_cosine": float(cosines.max(axis=0).mean()) if found and wanted else 0.0,
    }


def purity(concepts: Sequence[Concept], vectors: Mapping[str, Vectors]) -> float:
    """Mean over the concepts of two events or more of their events' mean cosine; 0 without any."""
    found = []
    for concept in concepts:
        if len(concept.events) > 1:
            cosines = np.array([vectors[key] for key in concept.events])
            cosines = cosines @ cosines.T
            found.append(float(cosines[np.triu_indices(len(concept.events), 1)].mean()))
    return fmean(found) if found else 0.0


def separation(vectors: Vectors) -> float:
    """1 - mean cosine of two different rows; 1 of fewer than two."""
    if len(vectors) < 2:
        return 1.0
    return 1 - float((vectors @ vectors.T)[np.triu_indices(len(vectors), 1)].mean())


def content_words(text: str) -> set[str]:
    """Words of three letters or more that say something, numbers too, by their first five letters."""
    return {word[:_STEM] for word in _WORD.findall(text.casefold()) if word not in _STOP}


def is_supported(title: str, texts: Iterable[str]) -> bool:
    """Whether a title has content words and each occurs in at least two of the texts."""
    counts = Counter(word for text in texts for word in content_words(text))
    wanted = content_words(title)
    return bool(wanted) and all(counts[word] >= 2 for word in wanted)


def title_support(concepts: Sequence[Concept], texts: Mapping[str, str]) -> float:
    """Share of titles that their events support; 0 without any concept."""
    if not concepts:
        return 0.0
    return fmean(is_supported(concept.title, [texts[key] for key in concept.events]) for concept in concepts)


def clusters(keys: Sequence[str], vectors: Vectors, threshold: float) -> list[tuple[str, ...]]:
    """Average-linkage clusters of at least two: joined while the mean cosine between two is ``threshold`` or more."""
    labels = fcluster(linkage(vectors, "average", metric="cosine"), 1 - threshold, criterion="distance")
    found: dict[int, list[str]] = {}
    for key, label in zip(keys, labels, strict=True):
        found.setdefault(int(label), []).append(key)
    return [tuple(members) for members in found.values() if len(members) > 1]


# ------------------------------------------------------------------------------------------------- shape


def topology(shape: Shape, chains: Sequence[Sequence[str]]) -> dict[str, float]:
    """The measures of a graph's shape."""
    graph = shape.undirected()
    found = chain_measures(graph, chains)
    found |= {
        "clustering_coefficient": float(nx.average_clustering(graph)) if graph else 0.0,
        "modularity": modularity(graph),
        "edge_type_entropy": edge_type_entropy([kind for _, _, kind in shape.edges]),
        "pagerank_gini": gini(list(nx.pagerank(shape.directed()).values())) if graph else 0.0,
    }
    return found


def chain_measures(graph: nx.Graph[str], chains: Sequence[Sequence[str]]) -> dict[str, float]:
    """How many chains, and of the strict measure how many steps, the graph connects; 1 of none."""
    hubs = {node for node, degree in graph.degree() if degree > HUB * len(graph)}
    loose = [[step in graph and after in graph and nx.has_path(graph, step, after) for step, after in pairwise(chain)]
             for chain in chains]  # fmt: skip
    strict = [[is_near(graph, step, after, hubs) for step, after in pairwise(chain)] for chain in chains]
    steps = [near for chain in strict for near in chain]
    return {
        "chain_discovery": fmean(all(chain) for chain in loose) if chains else 1.0,
        "chain_discovery_strict": fmean(all(chain) for chain in strict) if chains else 1.0,
        "chain_steps_strict": fmean(steps) if steps else 1.0,
    }


def is_near(graph: nx.Graph[str], one: str, other: str, hubs: set[str]) -> bool:
    """Whether two nodes are joined, or have a neighbour in common that is no hub."""
    if one not in graph or other not in graph:
        return False
    return graph.has_edge(one, other) or bool((set(graph[one]) & set(graph[other])) - hubs)


def modularity(graph: nx.Graph[str]) -> float:
    """Modularity of the communities of greedy merging; 0 without an edge."""
    if not graph.number_of_edges():
        return 0.0
    communities = nx.community.greedy_modularity_communities(graph)
    return float(nx.community.modularity(graph, communities))


def edge_type_entropy(types: Sequence[str]) -> float:
    """Entropy of the types over the most that so many types could have."""
    counts = Counter(types)
    if len(counts) < 2:
        return 0.0
    shares = [count / len(types) for count in counts.values()]
    return -sum(share * math.log(share) for share in shares) / math.log(len(counts))


def gini(values: Sequence[float]) -> float:
    """Gini coefficient: half the mean difference of two values over their mean; 0 of none."""
    total = sum(values)
    if not total:
        return 0.0
    places = range(1, len(values) + 1)
    weighted = sum(place * value for place, value in zip(places, sorted(values), strict=True))
    return 2 * weighted / (len(values) * total) - (len(values) + 1) / len(values)
