"""The benchmark of the sleep pass on small memories: what it plants, and that its figures would show what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import numpy as np
import psycopg
import pytest

from benchmarks import metabolism, synthetic
from benchmarks.metabolism import Amounts, Planted, after_a_month, consolidate, enter, found_of, grow, measure, plant
from tests.conftest import Connection, value
from tests.graph.plans import apply, merge_nodes

FEW = Amounts(pairs=3, opposites=10, orphans=4, fading=20, changed=20)


@pytest.fixture
def session(admin: Connection, admin_dsn: str) -> Iterator[Connection]:
    with psycopg.connect(admin_dsn, autocommit=True) as opened:
        yield opened


@pytest.fixture
def planted(admin: Connection) -> Iterator[Planted]:
    one = Planted("140", grow(admin, 140), FEW)
    plant(admin, one)
    yield one
    for setting in ("tenant", "now"):
        admin.execute("SELECT set_config(%s, '', false)", [f"cognifold.{setting}"])


def edges(admin: Connection, one: Planted) -> int:
    return int(value(admin, "SELECT count(*) FROM cognifold.graph_edge WHERE tenant_id = %s", one.memory.tenant))


def test_a_memory_has_ten_edges_a_node_all_of_them_live(admin: Connection, session: Connection) -> None:
    one = Planted("1010", grow(admin, 1010), FEW)
    enter(session, one)
    assert edges(admin, one) > 9.4 * 1010
    assert value(session, "SELECT count(*) FROM cognifold.edge WHERE NOT live") == 0
    assert session.execute("SELECT * FROM cognifold.check()").fetchall() == []


def test_what_is_planted_is_sound_and_found_and_what_goes_wrong_shows(
    admin: Connection, session: Connection, planted: Planted
) -> None:
    enter(session, planted)
    assert session.execute("SELECT * FROM cognifold.check()").fetchall() == []
    nothing = {"merged_share": 0, "completed_share": 0, "faded_share": 0, "opposite_merged": 0, "others_merged": 0}
    assert found_of(admin, planted) == nothing, "nothing before the pass"
    counts = consolidate(session)
    assert found_of(admin, planted) == nothing | {"merged_share": 1, "completed_share": 1, "faded_share": 1}
    assert counts["edges_faded"] == 20 + 4, "and the orphans' own, which never lived"
    assert counts["concepts_changed"] == 2 * 3 + 2 * 10 + 4 + 10
    assert session.execute("SELECT * FROM cognifold.check()").fetchall() == []

    apply(session, merge_nodes(*planted.opposites[0]))
    assert found_of(admin, planted)["opposite_merged"] == 1
    apply(session, merge_nodes(*planted.memory.concepts[:2]))
    assert found_of(admin, planted)["others_merged"] == 1


def test_a_month_rewrites_nothing_and_a_weight_that_is_off_is_counted(
    admin: Connection, session: Connection, planted: Planted
) -> None:
    made = "SELECT count(*) FROM cognifold.graph_edge WHERE tenant_id = %s AND created_at BETWEEN %s AND %s"
    span = [synthetic.START, synthetic.START + timedelta(hours=200)]
    number = value(admin, made, planted.memory.tenant, *span)
    admin.execute(
        "UPDATE cognifold.graph_edge SET potential = potential + 1e-8 WHERE ctid = (SELECT min(ctid) "
        "FROM cognifold.graph_edge WHERE tenant_id = %s AND created_at BETWEEN %s AND %s AND type = 'related_to')",
        [planted.memory.tenant, *span],
    )
    enter(session, planted)
    consolidate(session)
    found = after_a_month(admin, session, planted)
    assert found["weights_checked"] == number
    assert found["weights_wrong"] == 1
    assert found["weights_worst_error"] == pytest.approx(1e-8, rel=0.01)
    assert (found["month_rows_rewritten"], found["month_edges_faded"]) == (0, 0)


def test_doubles_are_read_from_a_binary_copy_whatever_their_number(session: Connection) -> None:
    statement = psycopg.sql.SQL(
        "COPY (SELECT n::float8, sqrt(n) FROM generate_series(0, 25000) AS n) TO STDOUT (FORMAT binary)"
    )
    rows = np.concatenate(list(metabolism.floats(session, psycopg.sql.Composed([statement]), 2)))
    assert rows.shape == (25001, 2)
    assert np.array_equal(rows[:, 1], np.sqrt(rows[:, 0]))


def test_a_run_measures_passes_at_both_sizes_and_sets_them_in_relation(admin_dsn: str) -> None:
    report = measure(admin_dsn, [150, 300], 1, 0.3, FEW)
    metrics = report.metrics
    for name in ("merged_share", "completed_share", "faded_share"):
        assert metrics[f"{name}_150"] == metrics[f"{name}_300"] == 1
    assert metrics["counts_differ_300"] == metrics["opposite_merged_300"] == metrics["others_merged_300"] == 0
    assert metrics["pass_ratio"] == metrics["pass_seconds_300"] / metrics["pass_seconds_150"]
    assert (metrics["idle_rows_written"], metrics["month_rows_rewritten"], metrics["weights_wrong"]) == (0, 0, 0)
    assert metrics["deadlocks"] == 0
    assert report.baselines["naive.opposite_merged_150"] > 0, "near enough to be merged by cosine alone"
    assert report.baselines["naive.pass_seconds_300"] > 0


def test_folding_beside_passes_is_measured_alone_too(admin_dsn: str) -> None:
    metrics = metabolism.folding_alone(admin_dsn, 150, 0.5, FEW, windows=1).metrics
    assert metrics["deadlocks"] == 0
    assert metrics["passes_beside_folding"] >= 1
    ratio = metrics["folds_per_second_during_pass"] / metrics["folds_per_second"]
    assert metrics["fold_ratio_during_pass"] == pytest.approx(ratio)
    assert metrics["turn_ratio_during_pass"] > 0
