from __future__ import annotations

import json
from math import log
from pathlib import Path

import pytest

from benchmarks.harness import Report, finish, table_of
from benchmarks.ranking import (
    Bm25,
    Outcome,
    ranked,
    recall_at,
    reciprocal_rank,
    reciprocal_rank_fusion,
    summary,
)


def test_bm25_agrees_with_a_value_worked_out_by_hand() -> None:
    index = Bm25([["red", "boat"], ["red", "red", "car", "door"]])
    # N = 2, both hold "red": idf = ln(1 + .5/2.5). Mean length 3. In the second document, of length 4:
    # tf = 2, so 2 * 2.2 / (2 + 1.2 * (.25 + .75 * 4/3)) = 4.4 / 3.5.
    assert index.scores(["red"])[1] == pytest.approx(log(1.2) * 4.4 / 3.5)
    # "boat" is in one of two: idf = ln(1 + 1.5/1.5) = ln 2; length 2: 2.2 / (1 + 1.2 * .75) = 2.2 / 1.9.
    assert index.scores(["boat"]) == pytest.approx([log(2) * 2.2 / 1.9, 0.0])
    assert index.scores(["unknown"]) == [0.0, 0.0]


def test_equal_scores_keep_the_order_of_the_documents() -> None:
    assert ranked([0.0, 2.0, 0.0, 2.0]) == [1, 3, 0, 2]


def test_fusion_prefers_what_both_rankings_hold() -> None:
    # With k = 60: document 1 has 1/62 + 1/61, 2 has 1/63 + 1/62, 0 and 3 have 1/61 and 1/63.
    assert reciprocal_rank_fusion([[0, 1, 2], [1, 2, 3]]) == [1, 2, 0, 3]


def test_recall_is_the_part_of_the_evidence_found_and_rank_that_of_its_first_piece() -> None:
    outcome = Outcome(ranking=["x", "b", "y", "a"], evidence=["a", "b"], category="1")
    assert [recall_at(k, outcome) for k in (1, 2, 4)] == [0.0, 0.5, 1.0]
    assert reciprocal_rank(outcome) == 0.5
    assert reciprocal_rank(Outcome(ranking=["x"], evidence=["a"], category="1")) == 0.0


def test_a_summary_has_means_of_all_questions_and_of_each_category() -> None:
    found = summary([Outcome(["a"], ["a"], "1"), Outcome(["x", "b"], ["b"], "2"), Outcome(["x"], ["c"], "2")])
    assert found["mrr"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert found["mrr_category_2"] == pytest.approx(0.25)
    assert found["r_at_10_category_1"] == 1.0


def test_a_report_is_written_as_json_with_the_five_fields_of_the_house(tmp_path: Path) -> None:
    report = Report("toy", "0.1", "toy.json", {"r_at_10": 0.5}, {"bm25.r_at_10": 0.25})
    finish(report, tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text()) == {
        "benchmark": "toy",
        "version": "0.1",
        "data": "toy.json",
        "metrics": {"r_at_10": 0.5},
        "baselines": {"bm25.r_at_10": 0.25},
    }


def test_the_table_sets_each_baseline_beside_the_metric_it_is_compared_with() -> None:
    table = table_of(Report("toy", "0", "d", {"mrr": 0.5, "questions": 12}, {"bm25.mrr": 0.25, "fused.mrr": 0.75}))
    assert [column.header for column in table.columns] == ["metric", "cognifold", "bm25", "fused"]
    assert [list(column.cells) for column in table.columns] == [
        ["mrr", "questions"],
        ["0.500", "12"],
        ["0.250", ""],
        ["0.750", ""],
    ]
