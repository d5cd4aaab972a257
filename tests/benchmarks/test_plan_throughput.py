from __future__ import annotations

import uuid
from collections import Counter

import pytest

from benchmarks import synthetic
from benchmarks.plan_throughput import PlanMaker, measure, recorded_changes, require_durability
from tests.conftest import Connection, value


@pytest.fixture
def grown(admin: Connection) -> synthetic.Memory:
    return synthetic.grow(admin, f"grown {uuid.uuid4()}", 150)


def test_a_memory_made_at_once_is_sound_and_of_the_size_asked_for(admin: Connection, grown: synthetic.Memory) -> None:
    assert admin.execute("SELECT * FROM cognifold.check(tenant => %s)", [grown.tenant]).fetchall() == []
    kinds = dict(
        admin.execute(
            "SELECT kind, count(*) FROM cognifold.node WHERE tenant_id = %s GROUP BY kind", [grown.tenant]
        ).fetchall()
    )
    assert kinds == {"event": len(grown.events), "concept": len(grown.concepts), "time": len(grown.times)}
    assert sum(kinds.values()) == 150
    # Vectors, words and links are what folding would have made of the same texts.
    assert value(admin, "SELECT count(*) FROM cognifold.graph_edge WHERE tenant_id = %s", grown.tenant) > 4 * 150
    assert value(
        admin,
        "SELECT max(1 - (e.vector <=> cognifold.embed(c.content)::halfvec)) > 0.999 FROM cognifold.embedding AS e "
        "JOIN cognifold.node_content AS c USING (tenant_id, node_id) WHERE e.tenant_id = %s AND e.kind = 'event'",
        grown.tenant,
    )


def test_every_plan_has_twenty_operations_of_all_six_kinds(admin: Connection, grown: synthetic.Memory) -> None:
    maker = PlanMaker(admin, grown)
    for _ in range(3):
        mix = Counter(operation["op"] for operation in maker.plan()["operations"])
        assert mix == {
            "ADD_EDGE": 9, "ADD_NODE": 3, "REMOVE_EDGE": 3, "REMOVE_NODE": 2, "UPDATE_NODE": 2, "MERGE_NODES": 1,
        }  # fmt: skip


def test_the_rows_of_a_plan_are_noted_and_the_plan_is_taken_back(admin: Connection, grown: synthetic.Memory) -> None:
    version = "SELECT count(*) FROM cognifold.plan WHERE tenant_id = %s"
    before = value(admin, version, grown.tenant)
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [grown.tenant])
    with recorded_changes(admin) as record:
        (changes,) = record(PlanMaker(admin, grown), 1)
    counts = {key: len(rows) for key, rows in changes.rows.items()}
    assert counts["cognifold.plan", "insert"] == 1
    assert counts["cognifold.node", "insert"] == 3
    assert counts["cognifold.node", "delete"] >= 2
    assert counts["cognifold.journal", "insert"] > 20
    assert value(admin, version, grown.tenant) == before


def test_figures_of_a_server_that_loses_what_it_committed_are_refused(admin: Connection, admin_dsn: str) -> None:
    if value(admin, "SHOW fsync") == "on":
        require_durability(admin_dsn)
    else:
        with pytest.raises(SystemExit, match=r"on disk.*'fsync': 'off'"):
            require_durability(admin_dsn)


def test_plans_bare_plans_and_folds_are_measured_at_each_size_and_set_in_relation(admin_dsn: str) -> None:
    report = measure(admin_dsn, [150, 300], 5, 5)
    metrics, baselines = report.metrics, report.baselines
    assert set(baselines) == {"bare.plans_per_second_150", "bare.plans_per_second_300"}
    assert metrics["folds_per_second_150"] > 0
    assert 0 < metrics["ranks_ms_a_plan_150"] < 1000 / metrics["plans_per_second_150"]
    assert metrics["plans_ratio_300_to_150"] == metrics["plans_per_second_300"] / metrics["plans_per_second_150"]
    assert metrics["folds_ratio_300_to_150"] == metrics["folds_per_second_300"] / metrics["folds_per_second_150"]
    each = [metrics[f"plans_per_second_{size}"] / baselines[f"bare.plans_per_second_{size}"] for size in (150, 300)]
    assert metrics["plans_ratio_to_bare"] == pytest.approx(sum(each) / 2)
