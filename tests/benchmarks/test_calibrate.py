from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest

from benchmarks.calibrate import (
    Cosines,
    Point,
    adoption,
    b_cubed_f1,
    calibrate,
    choose,
    lowest_right,
    measures,
    objective,
    others,
    purity,
)
from benchmarks.harness import finish

GRID = ((0.1, 0.2), (0.2, 0.3), (0.3,))

# Two of the roof, one of both, one of bread, one of nothing.
GOLD = {
    "a": frozenset({"roof"}),
    "b": frozenset({"roof"}),
    "c": frozenset({"roof", "bread"}),
    "d": frozenset({"bread"}),
    "e": frozenset[str](),
}


def event(key: str, day: int, text: str, *concepts: str) -> dict[str, object]:
    return {
        "event_id": key,
        "timestamp": f"2026-03-{day:02}T09:00:00+00:00",
        "source": "journal",
        "actor": "Ann",
        "title": text.split()[0],
        "description": text,
        "concepts": list(concepts),
        "distractor": not concepts,
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "streams"
    folder.mkdir()
    concepts = [
        {"id": "R", "label": "Leaking roof", "description": "Rain comes through the tiles of the roof."},
        {"id": "B", "label": "Baking bread", "description": "Loaves of sourdough from the oven."},
        {"id": "P", "label": "The house", "description": "Parent of both: no event carries it."},
    ]
    texts = [
        ("r1", "Rain leaked through the roof tiles again", "R"),
        ("b1", "Baked two sourdough loaves in the oven", "B"),
        ("r2", "The roof leaked, rain ran past the cracked tiles", "R"),
        ("b2", "The sourdough loaves rose well, oven at 240", "B"),
        ("n1", "Renewed the library card at the counter"),
    ]
    for name in ("calibrated first", "calibrated second"):
        events = [event(key, day, text, *gold) for day, (key, text, *gold) in enumerate(texts, start=1)]
        (folder / f"{name}.json").write_text(json.dumps({"concepts": concepts, "events": events}))
    return folder


def test_b_cubed_counts_with_each_event_those_that_share_a_label_and_those_that_share_a_group() -> None:
    # Truth: a, b, c together, c and d together, e alone. Found: {a, b}, {c, d}.
    # Precision 1. Recall: a 2/3, b 2/3, c 2/4, d 2/2, e 1 = 23/30.
    recall = 23 / 30
    assert b_cubed_f1(GOLD, [["a", "b"], ["c", "d"]]) == pytest.approx(2 * recall / (1 + recall))
    # Found with a: b, e; with b: a, c; with c: b; with d: none; with e: a.
    # Precision: a 2/3, b 1, c 1, d 1, e 1/2; recall: a 2/3, b 1, c 2/4, d 1/2, e 1.
    precision, recall = (2 / 3 + 3 + 1 / 2) / 5, (2 / 3 + 1 + 1 / 2 + 1 / 2 + 1) / 5
    assert b_cubed_f1(GOLD, [["a", "b"], ["b", "c"], ["a", "e"]]) == pytest.approx(
        2 * precision * recall / (precision + recall)
    )


def test_the_measures_of_a_small_grouping_are_those_worked_out_by_hand() -> None:
    found = measures(GOLD, {"x": ["a", "b", "e"], "y": ["c"]})  # a group of one is none
    assert found["gold_purity"] == pytest.approx(2 / 3)
    assert found["coverage"] == pytest.approx(2 / 4)
    assert found["noise_rejection"] == 0.0
    assert found["compression"] == 5.0
    assert found["largest"] == pytest.approx(3 / 5)
    # Precision: a 2/3, b 2/3, c 1, d 1, e 1/3; recall: a 2/3, b 2/3, c 1/4, d 1/2, e 1.
    precision, recall = (4 / 3 + 2 + 1 / 3) / 5, (4 / 3 + 1 / 4 + 1 / 2 + 1) / 5
    f1 = 2 * precision * recall / (precision + recall)
    assert found["b_cubed_f1"] == pytest.approx(f1)
    assert found["objective"] == pytest.approx(f1 - (0.8 - 2 / 3) - 0.2 - 0.6)


def test_purity_goes_by_the_commonest_label_of_events_that_may_carry_several() -> None:
    assert purity(GOLD, ["a", "c", "d"]) == pytest.approx(2 / 3)
    assert purity(GOLD, ["e", "e"]) == 0.0


def test_what_is_above_a_floor_earns_nothing() -> None:
    enough = {"b_cubed_f1": 0.5, "gold_purity": 0.8, "coverage": 0.7, "noise_rejection": 0.6}
    assert objective(enough) == pytest.approx(0.5)
    assert objective(enough | {"coverage": 1.0}) == pytest.approx(0.5)
    assert objective(enough | {"coverage": 0.6}) == pytest.approx(0.4)


def test_a_point_with_good_surroundings_is_chosen_before_a_lonely_peak() -> None:
    line = ((0.1, 0.2, 0.3, 0.4, 0.5), (0.2,), (0.3,))
    values = (0.9, 0.0, 0.5, 0.6, 0.5)
    points: list[Point] = [(reinforce, 0.2, 0.3) for reinforce in line[0]]
    rest = {"gold_purity": 1.0, "coverage": 1.0, "noise_rejection": 1.0, "compression": 3.0, "largest": 0.1}
    scores = {
        point: [{"objective": value, "b_cubed_f1": value} | rest] for point, value in zip(points, values, strict=True)
    }
    # (.9 + 0) / 2 < (.5 + .6 + .5) / 3 < (.6 + .5) / 2, the edge of the grid having one neighbour.
    assert choose(points, scores, [0], line) == (0.5, 0.2, 0.3)
    assert choose(points, scores, [0], line, radius=0) == (0.1, 0.2, 0.3)


def test_links_start_where_two_in_three_are_right() -> None:
    assert lowest_right([(0.9, True), (0.5, False), (0.7, True), (0.4, False)]) == 0.5
    assert lowest_right([(0.9, False)]) == 1.0


def test_merge_and_duplicate_lie_between_what_is_unlike_and_what_is_one() -> None:
    found = others(Cosines([], [(0.6, False), (0.2, False), (0.9, True)], [(0.01 * n, False) for n in range(101)]))
    assert (found["merge"], found["duplicate"]) == (0.8, 0.9)
    assert found["complete"] == 0.95


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    turns = [
        "The kayak has a cracked paddle",
        "Did you post the parcel for Grandma?",
        "That cracked kayak paddle is glued now",
    ]
    said = [{"speaker": ("Ann", "Bob")[n % 2], "dia_id": f"D1:{n + 1}", "text": text} for n, text in enumerate(turns)]
    path = tmp_path / "talk.json"
    conversation = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": said}
    path.write_text(json.dumps([{"sample_id": "calibrated talk", "conversation": conversation, "qa": []}]))
    return path


def test_a_run_from_labelled_streams_to_the_report_names_every_measure_and_leaves_the_registry_as_it_was(
    data: Path, talk: Path, tmp_path: Path, admin_dsn: str
) -> None:
    report = calibrate(admin_dsn, data, locomo=talk, grid=GRID)
    finish(report, tmp_path / "report.json")
    written = json.loads((tmp_path / "report.json").read_text())
    assert set(written) == {"benchmark", "version", "data", "metrics", "baselines"}
    names = {"b_cubed_f1", "gold_purity", "coverage", "noise_rejection", "compression"}
    for end in ("", "_leave_one_out"):
        assert {f"{name}{end}" for name in names} <= set(written["metrics"])
        assert {f"present.{name}{end}" for name in names} <= set(written["baselines"])
    assert {f"{method}.b_cubed_f1" for method in ("singletons", "one_concept", "peak")} <= set(written["baselines"])
    thresholds = {"reinforce", "cluster", "pair", "merge", "duplicate", "complete", "relate"}
    assert {f"threshold_{name}" for name in thresholds} <= set(written["metrics"])

    # The two streams are the same, so what is chosen on one is measured on its like.
    assert report.metrics["b_cubed_f1_leave_one_out"] == report.metrics["b_cubed_f1"]
    # Both pairs share three rare words, the rest nothing: two concepts of two, the library card alone.
    assert report.metrics["b_cubed_f1"] == 1.0
    assert report.metrics["compression"] == 2.5
    # All alone: precision 1, recall 1/2 for four of five events.
    assert report.baselines["singletons.b_cubed_f1"] == pytest.approx(0.75)

    # Of the three turns the two about the paddle are one concept; there is no second one to merge with.
    assert report.metrics["conversation_coverage"] == pytest.approx(2 / 3)
    assert report.metrics["conversation_largest"] == pytest.approx(2 / 3)
    assert report.metrics["conversation_merge_pairs"] == 0

    with psycopg.connect(admin_dsn) as connection:
        now = connection.execute(
            "SELECT reinforce, cluster, pair, relate FROM cognifold.embedding_model WHERE name = 'lexicon'"
        ).fetchone()
        assert now == tuple(
            report.baselines[f"present.threshold_{n}"] for n in ("reinforce", "cluster", "pair", "relate")
        )
        connection.execute(adoption("lexicon", report.metrics).encode())
        adopted = connection.execute(
            "SELECT reinforce FROM cognifold.embedding_model WHERE name = 'lexicon'"
        ).fetchone()
        assert adopted == (report.metrics["threshold_reinforce"],)
        connection.rollback()
