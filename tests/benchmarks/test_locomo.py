from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.locomo import conversations_of, measure
from cognifold_pg.ingest import open_stream


def conversation(sample: str, *texts: str) -> dict[str, object]:
    turns = [{"speaker": ("Ann", "Bob")[n % 2], "dia_id": f"D1:{n + 1}", "text": text} for n, text in enumerate(texts)]
    questions = [
        {"question": "Which fruit did Ann pick?", "category": 4, "evidence": ["D1:1"]},
        {"question": "What colour is the boat?", "category": 1, "evidence": ["D1:2; D9:9"]},
        {"question": "Who painted the fence?", "category": 5, "evidence": ["D1:3"]},
        {"question": "Nobody said this", "category": 4, "evidence": ["D9:9"]},
        {"question": "Nothing answers this", "category": 3, "evidence": []},
    ]
    return {
        "sample_id": sample,
        "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns},
        "qa": questions,
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "locomo.json"
    texts = [
        "I picked ripe cherries today",
        "My boat is green",
        "The fence was painted by Carl",
        "Goodnight then",
    ]
    path.write_text(json.dumps([conversation("conv-1", *texts), conversation("conv-2", *reversed(texts))]))
    return path


def test_a_question_counts_when_its_evidence_exists_and_only_existing_turns_are_evidence(data: Path) -> None:
    first, second = conversations_of(open_stream(data))
    assert [question.evidence for question in first.questions] == [
        ("conv-1:D1:1",),
        ("conv-1:D1:2",),
        ("conv-1:D1:3",),
    ]
    assert (second.name, len(second.events)) == ("conv-2", 4)


def test_the_report_counts_questions_and_sets_the_baselines_beside_the_product(data: Path, dsn: str) -> None:
    report = measure(dsn, data)
    assert (report.benchmark, report.data) == ("locomo", "locomo.json")
    assert (report.metrics["questions"], report.metrics["questions_without_5"]) == (6, 4)
    assert report.metrics["turns"] == 8
    assert report.baselines["bm25.r_at_5"] == 1.0  # a conversation has no more than four turns
    # conv-1: each question shares a rare stem with its evidence alone, so rank 1 three times. conv-2 has the
    # texts in reverse under the same ids. "pick" is in D1:4, then D1:1 is the shorter of Ann's two turns: rank
    # 2. "boat" is in D1:3, and "paint", "fence" in D1:2; of the turns that share nothing the evidence is the
    # second: rank 3, twice.
    assert report.baselines["bm25.mrr"] == pytest.approx((1 + 1 + 1 + 1 / 2 + 1 / 3 + 1 / 3) / 6)
    for name in (
        "r_at_10_category_1",
        "mrr_category_4",
        "r_at_20_category_5",
        "ingest_seconds",
        "recall_ms_median",
    ):
        assert name in report.metrics
    assert {name.partition(".")[0] for name in report.baselines} == {
        "bm25",
        "bm25_words",
        "embedder",
        "naive",
    }
