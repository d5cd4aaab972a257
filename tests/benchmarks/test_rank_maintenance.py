"""The benchmark of stored ranks on a small graph: its reference against NetworkX, its report, its errors."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

from benchmarks import rank_maintenance
from benchmarks.rank_maintenance import Graph, graph_of, measure, upheaval
from tests.conftest import Connection


@pytest.fixture
def graph(admin: Connection, monkeypatch: pytest.MonkeyPatch) -> Graph:
    """Two hundred nodes and two thousand edges; upheavals of four hubs with ten edges each."""
    monkeypatch.setattr(rank_maintenance, "HUBS", 4)
    monkeypatch.setattr(rank_maintenance, "HUB_EDGES", 10)
    monkeypatch.setattr(rank_maintenance, "CHANGES", 8)
    monkeypatch.setattr(rank_maintenance, "ROUNDS", 2)
    return graph_of(admin, 200)


def by_networkx(graph: Graph) -> list[float]:
    known = networkx.DiGraph()
    known.add_nodes_from(range(graph.nodes))
    known.add_weighted_edges_from((source, target, mass) for (source, target), mass in graph.masses.items())
    ranks = networkx.pagerank(known, alpha=0.85, tol=1e-14, max_iter=1000)
    return [ranks[node] / max(ranks.values()) for node in range(graph.nodes)]


def test_the_reference_is_pagerank_and_the_stored_ranks_are_within_the_bar(graph: Graph, admin: Connection) -> None:
    admin.execute("SELECT cognifold.refresh_ranks(true)")
    assert graph.exact() == pytest.approx(by_networkx(graph), rel=1e-6)
    assert np.max(np.abs(graph.stored() / graph.exact() - 1)) < 0.001
    before = set(graph.masses)
    removed, added = graph.old_edges(20), graph.new_edges(30)
    assert graph.change(removed, added) > 0
    assert set(graph.masses) == before - set(removed) | set(added)
    assert graph.exact() == pytest.approx(by_networkx(graph), rel=1e-6)
    assert 0 < np.max(np.abs(graph.stored() / graph.exact() - 1)) < 0.041


def test_an_upheaval_is_followed_and_the_vector_of_before_is_far_off(graph: Graph, admin: Connection) -> None:
    admin.execute("SELECT cognifold.refresh_ranks(true)")
    found, before = upheaval(graph)
    assert set(before) == {f"stale.{name}" for name in found} == {"stale.top_1000", "stale.touched", "stale.everywhere"}
    assert found["touched"] < 0.041 < 0.3 < before["stale.touched"]


def test_a_run_reports_times_at_both_sizes_and_their_ratio(graph: Graph, admin: Connection) -> None:
    metrics, baselines = measure(admin, (100, 150))
    assert metrics["time_ratio"] == metrics["maintenance_ms_150"] / metrics["maintenance_ms_100"]
    assert {"window_20_ms_100", "window_100_ms_150", "top_1000", "touched"} <= set(metrics)
    assert {"whole.maintenance_ms_100", "stale.top_1000"} <= set(baselines)
