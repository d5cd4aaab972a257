"""The benchmark of recall's speed: what it builds is sound, and what it says is there, at a tiny size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from benchmarks import recall_speed, synthetic
from tests.conftest import Connection


@pytest.fixture(scope="module")
def report(server_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    file: Path = tmp_path_factory.mktemp("recall_speed") / "report.json"
    recall_speed.main(
        ["--sizes", "100,150", "--tenants", "3", "--questions", "3", "--rounds", "1", "--events", "3",
         "--json", str(file), "--dsn", server_dsn])  # fmt: skip
    found: dict[str, Any] = json.loads(file.read_text())
    return found


@pytest.mark.parametrize("memory", ["100", "150", "tenants"])
def test_it_compares_every_memory_with_a_bare_lookup_and_the_obvious_sql(report: dict[str, Any], memory: str) -> None:
    metrics, baselines = report["metrics"], report["baselines"]
    for way in ("bare", "obvious"):
        assert metrics[f"ratio_to_{way}_{memory}"] == pytest.approx(
            metrics[f"p50_ms_{memory}"] / baselines[f"{way}.p50_ms_{memory}"]
        )
    assert metrics[f"p95_ms_{memory}"] >= metrics[f"p50_ms_{memory}"] > 0
    for stage in ("terms", "embed", "vectors", "words"):
        assert metrics[f"stage_{stage}_ms_{memory}"] > 0
    assert metrics[f"rows_{memory}"] > 0 and metrics[f"buffers_{memory}"] > 0 and metrics[f"memory_mb_{memory}"] > 0


def test_it_measures_the_vector_stage_against_an_exact_scan(report: dict[str, Any]) -> None:
    for memory in ("100", "150"):
        assert report["metrics"][f"vector_recall_{memory}"] >= 0.95
        assert report["metrics"][f"vector_recall_rls_{memory}"] >= 0.95


def test_it_measures_remembering_while_another_asks(report: dict[str, Any]) -> None:
    metrics = report["metrics"]
    assert metrics["remember_p95_ratio"] == pytest.approx(
        metrics["remember_p95_ms_150"] / metrics["remember_p95_ms_100"]
    )


def test_memories_that_were_kept_are_asked_again_as_they_are(server_dsn: str, tmp_path: Path) -> None:
    name = "kept_memories"
    arguments = ["--sizes", "100", "--tenants", "2", "--questions", "3", "--rounds", "1", "--dsn", server_dsn]
    made = []
    try:
        for place in range(2):
            file = tmp_path / f"{place}.json"
            recall_speed.main([*arguments, "--keep", name, "--json", str(file)])
            assert json.loads(file.read_text())["metrics"]["p50_ms_100"] > 0
            with psycopg.connect(make_conninfo(server_dsn, dbname=name)) as kept:
                made.append(kept.execute("SELECT min(created_at), count(*) FROM cognifold.tenant").fetchone())
        assert made[0] == made[1] and made[0] is not None and made[0][1] == 3
    finally:
        with psycopg.connect(server_dsn, autocommit=True) as admin:
            admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            admin.execute("DROP ROLE IF EXISTS cognifold_benchmark")


def _checked(admin: Connection, tenant: str) -> list[Any]:
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    # Its ranks have not been reckoned.
    return [
        row for row in admin.execute("SELECT * FROM cognifold.check(%s)", [tenant]).fetchall() if "rank" not in row[0]
    ]


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Also so small a memory is loaded without indexes."""
    monkeypatch.setattr(synthetic, "_MANY", 10)
    yield


def test_a_memory_made_at_once_and_its_copies_are_sound_and_all_indexes_are_back(
    many: None, admin_dsn: str, new_tenant: Any
) -> None:
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        indexes = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'cognifold' ORDER BY indexdef"
        before = admin.execute(indexes).fetchall()
        synthetic.grow(admin, "made at once", 120, ranked=False)
        synthetic.multiply(admin, "made at once", ["a copy", "another copy"])
        assert admin.execute(indexes).fetchall() == before
        for tenant in ("made at once", "another copy"):
            assert _checked(admin, tenant) == []


def test_postings_made_at_once_are_those_that_indexing_a_node_makes(admin: Connection) -> None:
    memory = synthetic.grow(admin, "indexed twice", 60, ranked=False)
    rows = (
        "SELECT d.node_id, d.length, d.lexemes, d.frequencies, p.lexeme, p.impact, p.frequency, p.document_length, "
        "p.signature FROM cognifold.lexical_document AS d JOIN cognifold.posting AS p USING (tenant_id, node_id) "
        "WHERE d.tenant_id = %s ORDER BY d.node_id, p.lexeme"
    )
    made = admin.execute(rows, [memory.tenant]).fetchall()
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [memory.tenant])
    with admin.transaction(force_rollback=True):
        admin.execute("DELETE FROM cognifold.lexical_document WHERE tenant_id = %s", [memory.tenant])
        admin.execute("SELECT cognifold.index_node(%s, n.id) FROM cognifold.node AS n WHERE n.tenant_id = %s",
                      [memory.tenant, memory.tenant])  # fmt: skip
        assert admin.execute(rows, [memory.tenant]).fetchall() == made
    assert len(made) > 300
