"""The benchmark of the partitioned layout runs, and compares like with like, at a tiny size."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import layouts


def test_every_metric_is_of_both_layouts_with_their_ratio(server_dsn: str, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    layouts.main(
        ["--nodes", "100", "--partitions", "2", "--tenants", "2", "--questions", "3", "--events", "2", "--rounds", "1",
         "--json", str(file), "--dsn", server_dsn])  # fmt: skip
    report = json.loads(file.read_text())
    metrics, baselines = report["metrics"], report["baselines"]
    names = {name.removeprefix("plain.") for name in baselines}
    assert names == {"recall_p50_ms", "recall_p95_ms", "remember_ms", "fold_ms", "first_recall_ms", "session_mb"}
    for name in names:
        assert metrics[name] > 0
        assert metrics[f"ratio_{name}"] == pytest.approx(metrics[name] / baselines[f"plain.{name}"])
