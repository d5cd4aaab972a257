from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.locomo import SIGNALS, conversations_of, embedders, gains, gains_table, measure
from benchmarks.ranking import Outcome
from cognifold_pg.embedding.minilm import MiniLMUnavailableError
from cognifold_pg.ingest import open_stream
from tests.conftest import Connection


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
    report = measure(dsn, data, "lexicon", signals={"words": {"recall.weight_words": 0}})
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
        "heuristic",
    }
    # Without its words the memory is asked again, and what they bring is the difference.
    assert report.metrics["words_gains_mrr"] == pytest.approx(
        report.metrics["mrr"] - report.metrics["without_words_mrr"]
    )
    assert gains_table(report).row_count == 1


def test_what_a_signal_brings_is_the_mean_difference_within_the_interval_of_its_resamples() -> None:
    def outcomes(*places: int) -> list[Outcome]:
        return [Outcome(["x"] * place + ["e"], ["e"], "4") for place in places]

    # With it the evidence is always first, without it second in every other question: half a question in two.
    found = gains("words", outcomes(*[0] * 100), outcomes(*[0, 1] * 50))
    assert (found["without_words_mrr"], found["words_gains_mrr"]) == (0.75, 0.25)
    # The mean of 100 draws of 0 or .5: .25, give or take 1.96 times .025.
    assert found["words_gains_mrr_low"] == pytest.approx(0.25 - 0.049, abs=0.01)
    assert found["words_gains_mrr_high"] == pytest.approx(0.25 + 0.049, abs=0.01)
    assert found["words_gains_r_at_10"] == found["words_gains_r_at_10_high"] == 0
    # Affect is off by default: asking with it is the gain, whichever way it goes.
    assert gains("affect", outcomes(0, 0), outcomes(1, 1))["affect_gains_mrr"] == -0.5


def test_every_setting_that_leaves_a_signal_out_exists(connect: Callable[..., Connection]) -> None:
    known = {name for (name,) in connect("nobody").execute("SELECT name FROM cognifold.setting_default").fetchall()}
    assert {name for settings in SIGNALS.values() for name in settings} <= known


def test_both_embedders_without_the_weights_of_minilm_is_the_lexicon_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise MiniLMUnavailableError("no weights")

    monkeypatch.setattr("benchmarks.locomo.find_weights", missing)
    assert embedders("both") == {"": None}
    with pytest.raises(MiniLMUnavailableError):
        embedders("minilm")
