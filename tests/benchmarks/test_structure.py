from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import psycopg
import pytest

from benchmarks import structure
from benchmarks.gold import files_of, read
from benchmarks.graph_measures import (
    Concept,
    Shape,
    bipartite,
    chain_measures,
    clusters,
    content_words,
    edge_type_entropy,
    gini,
    is_supported,
    modularity,
    purity,
    separation,
    title_match,
    title_support,
    topology,
)
from benchmarks.harness import finish
from benchmarks.intent_measures import Emitted, GoldIntent, intent_measures, matched
from benchmarks.life import Lived, live
from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.planner.server import ModelServer, one_concept

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


# ------------------------------------------------------------------------------------------------- concepts


def test_titles_are_matched_one_to_one_so_that_the_most_pairs_reach_the_bar() -> None:
    # The first title is nearest to the first label, but only it can have the second.
    cosines = np.array([[0.9, 0.6], [0.8, 0.1], [0.4, 0.4]])
    found = title_match(cosines)
    assert found["gold_precision"] == pytest.approx(2 / 3)
    assert found["gold_recall"] == 1.0
    assert found["gold_f1"] == pytest.approx(4 / 5)
    assert found["gold_cosine"] == pytest.approx((0.9 + 0.6) / 2)


def test_a_pair_below_the_bar_displaces_none_that_reaches_it() -> None:
    # .5 + .0 < .49 + .49, yet the one that counts is taken.
    assert title_match(np.array([[0.5, 0.49], [0.49, 0.0]]))["gold_f1"] == pytest.approx(0.5)


def test_no_title_and_no_match_are_zero() -> None:
    assert set(title_match(np.zeros((0, 3))).values()) == {0.0}
    assert title_match(np.array([[0.2]]))["gold_f1"] == 0.0


def test_purity_is_the_mean_cosine_within_a_concept_and_separation_that_between_titles_turned_round() -> None:
    half = np.array([0.5, math.sqrt(3) / 2])
    vectors = {"a": np.array([1.0, 0.0]), "b": half, "c": np.array([0.0, 1.0])}
    # a and b .5; a, b and c: (.5 + 0 + sqrt(3)/2) / 3; one alone is none.
    groups = [Concept("x", ("a", "b")), Concept("y", ("a", "b", "c")), Concept("z", ("a",))]
    assert purity(groups, vectors) == pytest.approx((0.5 + (0.5 + math.sqrt(3) / 2) / 3) / 2)
    assert separation(np.array([[1.0, 0.0], half])) == pytest.approx(0.5)
    assert separation(np.array([[1.0, 0.0]])) == 1.0


def test_a_title_is_supported_when_each_word_that_says_something_is_in_two_events() -> None:
    texts = {"a": "The roof leaks", "b": "Leaking roofs again", "c": "A loaf of bread"}
    assert content_words("The leaking roofs of 2409") == {"leaki", "roofs", "2409"}
    assert is_supported("Roof leaks", ["roof leaks", "The ROOF leaks!"])
    assert not is_supported("Roof, bread", texts.values())
    assert not is_supported("what it is", texts.values())
    concepts = [Concept("The roof", ("a", "b")), Concept("Bread", ("c",))]
    assert title_support(concepts, {"a": "roof", "b": "my roof", "c": "bread"}) == 0.5


def test_average_linkage_joins_while_the_mean_cosine_holds_and_leaves_those_alone_that_are_alone() -> None:
    angles = {"a": 0.0, "b": 20.0, "c": 50.0, "d": 180.0}
    vectors = np.array([[math.cos(math.radians(x)), math.sin(math.radians(x))] for x in angles.values()])
    # a and b: .94; c to both: (.643 + .866) / 2 = .754.
    assert clusters(list(angles), vectors, 0.8) == [("a", "b")]
    assert clusters(list(angles), vectors, 0.75) == [("a", "b", "c")]
    assert clusters(list(angles), vectors, 0.95) == []


# ------------------------------------------------------------------------------------------------- shape


def test_a_chain_is_discovered_by_a_path_and_strictly_within_two_edges_that_lead_through_no_hub() -> None:
    graph = networkx.Graph()
    # a - b directly; b - x - c; c - hub - d; e alone.
    graph.add_edges_from([("a", "b"), ("b", "x"), ("x", "c"), ("c", "hub"), ("hub", "d")])
    graph.add_edges_from([("hub", f"leaf {n}") for n in range(3)])
    graph.add_node("e")
    # 10 nodes, the hub has 5 of them.
    chains = [("a", "b", "c"), ("b", "c", "d"), ("d", "e")]
    found = chain_measures(graph, chains)
    assert found["chain_discovery"] == pytest.approx(2 / 3)
    assert found["chain_discovery_strict"] == pytest.approx(1 / 3)
    assert found["chain_steps_strict"] == pytest.approx(3 / 5)  # a-b, b-c, b-c again
    # Two steps are too far.
    assert chain_measures(graph, [("a", "c")])["chain_discovery_strict"] == 0.0
    assert chain_measures(graph, [("a", "nowhere")])["chain_discovery"] == 0.0


def test_a_star_discovers_every_chain_and_none_strictly() -> None:
    star = bipartite([Concept("all", ("a", "b", "c", "d", "e"))], "abcde")
    found = topology(star, ["abc"])
    assert (found["chain_discovery"], found["chain_discovery_strict"]) == (1.0, 0.0)
    assert (found["clustering_coefficient"], found["edge_type_entropy"]) == (0.0, 0.0)


def test_the_shape_of_a_small_graph_is_that_worked_out_by_hand() -> None:
    # A triangle with a tail, a joined to d and d to e, and an edge said twice.
    edges = [
        *(("a", "b", "grounds"), ("b", "c", "grounds"), ("b", "a", "precedes")),
        *(("c", "a", "causes"), ("a", "d", "causes"), ("d", "e", "causes")),
    ]
    found = topology(Shape("abcde", edges), [])
    # a has three neighbours with one of three pairs joined; b and c one of one; d none of one; e one neighbour.
    assert found["clustering_coefficient"] == pytest.approx((1 / 3 + 1 + 1) / 5)
    # Types 2, 3, 1 of 6.
    entropy = -(2 / 6 * math.log(2 / 6) + 3 / 6 * math.log(3 / 6) + 1 / 6 * math.log(1 / 6))
    assert found["edge_type_entropy"] == pytest.approx(entropy / math.log(3))
    assert found["chain_discovery"] == 1.0


def test_two_pairs_have_the_modularity_of_two_communities() -> None:
    graph = networkx.Graph([("a", "b"), ("c", "d")])
    # Each has 1 of 2 edges and half the degrees: 2 * (1/2 - 1/4).
    assert modularity(graph) == pytest.approx(0.5)
    assert modularity(networkx.empty_graph(3)) == 0.0


def test_gini_is_zero_of_equals_and_near_one_where_one_has_all() -> None:
    assert gini([3.0, 3.0, 3.0]) == pytest.approx(0.0)
    assert gini([0.0, 0.0, 0.0, 1.0]) == pytest.approx(3 / 4)
    # Half the mean difference over the mean: pairs of 1, 2, 6 differ by 1, 4, 5, each twice, and by 0 thrice.
    assert gini([6.0, 1.0, 2.0]) == pytest.approx((20 / 9) / (2 * 3))
    assert gini([]) == 0.0


def test_entropy_is_one_of_equal_parts_whatever_their_number_and_zero_of_one_type() -> None:
    assert edge_type_entropy(["a", "b", "c"]) == pytest.approx(1.0)
    assert edge_type_entropy(["a", "a"]) == 0.0


# ------------------------------------------------------------------------------------------------- intents


def moment(day: int, hour: int = 0) -> datetime:
    return START + timedelta(days=day, hours=hour)


MOMENTS = {f"e{n}": moment(n) for n in range(10)}
BY_DEADLINE = GoldIntent("I1", "file it", frozenset({"e0", "e1", "e2", "e5"}), "e2", deadline=moment(8))
RESOLVED = GoldIntent("I2", "mend it", frozenset({"e1", "e3", "e4"}), "e4", resolved_by="e6")


def emitted(evidence: str, at: datetime, **fields: object) -> Emitted:
    return Emitted("wanted", frozenset(evidence.split()), at, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("evidence", "at", "right"),
    [
        ("e0 e2", moment(2), True),  # 2 of 4, with the very event that suffices
        ("e0 e2", moment(2, -1), False),  # an hour before
        ("e0 e2", moment(8, -1), True),
        ("e0 e2", moment(8), False),  # the deadline itself is too late
        ("e2", moment(3), False),  # Jaccard .25, and one shared is no agreement
        ("e0 e2 e6 e7", moment(3), True),  # 2 of 6 is .33
        ("e0 e2 e6 e7 e8", moment(3), False),  # 2 of 7 is .29
    ],
)
def test_an_intent_is_right_for_its_evidence_in_its_time(evidence: str, at: datetime, right: bool) -> None:
    assert bool(matched([BY_DEADLINE], [emitted(evidence, at)], MOMENTS)) is right


def test_one_shared_event_is_too_few_even_where_the_overlap_is_large() -> None:
    single = GoldIntent("I", "x", frozenset({"e1"}), "e1")
    assert matched([single], [emitted("e1", moment(2))], MOMENTS) == {}


def test_pairs_are_one_to_one_as_many_as_can_be() -> None:
    other = GoldIntent("I3", "x", frozenset({"e0", "e2"}), "e2")
    # The first could be right for both, the second for the first expected one only.
    both = [emitted("e0 e2", moment(3)), emitted("e1 e2 e5", moment(5))]
    assert matched([BY_DEADLINE, other], both, MOMENTS) == {0: 1, 1: 0}
    assert matched([BY_DEADLINE], [*both, emitted("e0 e1 e2 e5", moment(5))], MOMENTS) == {0: 2}


def test_the_measures_of_intents_are_those_worked_out_by_hand() -> None:
    surfaced = [
        emitted("e0 e1", moment(3, 6)),  # for the first, 30 hours and one event late, 114 before its deadline
        emitted("e3 e4", moment(4), status="resolved", closed_at=moment(8)),  # at once, and resolved two events late
        emitted("e8 e9", moment(9), grounds=1),
    ]
    found = intent_measures([BY_DEADLINE, RESOLVED], surfaced, MOMENTS)
    assert found["intent_precision"] == pytest.approx(2 / 3)
    assert found["intent_recall"] == 1.0
    assert found["intent_f1"] == pytest.approx(4 / 5)
    assert found["false_alarms_per_60"] == 6.0
    assert (found["deadline_in_time"], found["resolved_in_time"], found["resolved_wrongly"]) == (1.0, 1.0, 0.0)
    assert found["intent_delay_hours"] == pytest.approx((30 + 0) / 2)
    assert found["intent_delay_events"] == pytest.approx((1 + 0) / 2)
    assert found["intent_lead_hours"] == pytest.approx((114 + 48) / 2)
    assert found["proactivity"] == pytest.approx(2 / 3)


def test_a_resolution_counts_with_its_event_and_three_more_and_not_before() -> None:
    def resolved(at: datetime) -> float:
        intent = emitted("e3 e4", moment(4), status="resolved", closed_at=at)
        return intent_measures([RESOLVED], [intent], MOMENTS)["resolved_in_time"]

    assert [resolved(moment(day)) for day in (5, 6, 9)] == [0.0, 1.0, 1.0]
    later = dict(MOMENTS) | {"e10": moment(10)}
    intent = emitted("e3 e4", moment(4), status="resolved", closed_at=moment(10))
    assert intent_measures([RESOLVED], [intent], later)["resolved_in_time"] == 0.0
    assert intent_measures([RESOLVED], [emitted("e3 e4", moment(4))], MOMENTS)["resolved_in_time"] == 0.0


def test_an_intent_resolved_though_nothing_resolves_it_is_counted() -> None:
    closed = emitted("e0 e1", moment(3), status="resolved", closed_at=moment(4))
    assert intent_measures([BY_DEADLINE], [closed], MOMENTS)["resolved_wrongly"] == 1.0


def test_softer_readings_stand_beside_the_strict_one() -> None:
    early = emitted("e0 e2", moment(1))
    narrow = emitted("e3", moment(4), whole=frozenset({"e1", "e3", "e4"}))
    found = intent_measures([BY_DEADLINE, RESOLVED], [early, narrow], MOMENTS)
    assert (found["intent_f1"], found["intent_f1_any_time"], found["intent_f1_whole_concept"]) == (0.0, 0.5, 0.5)


def test_without_any_intent_there_is_none_to_be_right() -> None:
    found = intent_measures([BY_DEADLINE], [], MOMENTS)
    assert (found["intent_f1"], found["intent_recall"], found["deadline_in_time"]) == (0.0, 0.0, 0.0)
    assert "intent_delay_hours" not in found
    assert intent_measures([], [], MOMENTS)["intent_recall"] == 1.0


# ------------------------------------------------------------------------------------------------- whole runs


def scenario(name: str) -> dict[str, object]:
    texts: list[tuple[Any, ...]] = [
        ("s1", 1, "The cellar pump failed again, water stands in the cellar", "P"),
        ("s2", 2, "Baked sourdough bread, the sourdough loaves rose well", "B"),
        ("s3", 3, "Cellar pump failed again overnight, water in the cellar, someone must call the plumber", "P"),
        ("s4", 4, "Sourdough bread again, four sourdough loaves in the oven", "B"),
        ("s5", 5, "We still have no plumber for the cellar pump and the water is getting worse", "P"),
        ("s6", 6, "Renewed the library card at the counter"),
        ("s7", 9, "The plumber came, the cellar pump is fixed and the water is gone", "P"),
    ]
    return {
        "name": name,
        "concepts": [
            {"id": "P", "label": "Failing cellar pump", "description": "Water in the cellar."},
            {"id": "B", "label": "Baking sourdough bread", "description": "Loaves."},
            {"id": "H", "label": "The house", "description": "Parent of both."},
        ],
        "chains": [{"id": "K", "event_ids": ["s1", "s3", "s5"]}],
        "intents": [
            {
                "id": "I",
                "label": "Get the pump mended",
                "evidence_event_ids": ["s1", "s3", "s5"],
                "emerges_after_event": "s3",
                "deadline": None,
                "resolved_by_event": "s7",
            }
        ],
        "events": [
            {
                "event_id": key,
                "timestamp": f"2026-03-{day:02}T09:00:00+00:00",
                "source": "journal",
                "actor": "Ann",
                "title": text.split(",")[0],
                "description": text,
                "concepts": concepts,
            }
            for key, day, text, *concepts in texts
        ],
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "lives"
    folder.mkdir()
    for name in ("one house", "other house"):
        (folder / f"{name}.json").write_text(json.dumps(scenario(name)))
    return folder


def test_files_and_folders_name_each_scenario_once(data: Path) -> None:
    one = data / "one house.json"
    assert files_of([one], data) == [one, data / "other house.json"]
    assert files_of([], one) == [one]


def test_our_own_scenarios_are_whole() -> None:
    files = files_of([], None)
    assert len(files) == 6
    for gold in map(read, files):
        keys = set(gold.moments)
        assert len(keys) == 60 and list(gold.moments.values()) == sorted(gold.moments.values())
        assert len(gold.intents) == 3 and len(gold.chains) == 2
        for intent in gold.intents:
            assert intent.evidence <= keys and intent.emerges in intent.evidence
            assert len(intent.evidence) >= 4


def test_the_gold_of_a_file_leaves_out_parents_and_knows_when_an_intent_may_surface(data: Path) -> None:
    gold = read(data / "one house.json")
    assert gold.name == "one house"
    assert gold.labels == {"P": "Failing cellar pump", "B": "Baking sourdough bread"}
    assert gold.chains == [("s1", "s3", "s5")]
    assert gold.intents[0].resolved_by == "s7"
    assert list(gold.moments) == [f"s{n}" for n in range(1, 8)]


def test_a_stream_lived_through_is_folded_slept_on_and_lets_an_intent_surface_in_its_time(
    data: Path, memory: Memory
) -> None:
    gold = read(data / "one house.json")
    lived = live(memory, gold.stream.events)
    [row] = memory.rows("SELECT count(*) AS passes FROM cognifold.consolidation_run")
    assert row["passes"] > 1
    pump = [concept for concept in lived.concepts.values() if {"s1", "s3"} <= set(concept.events)]
    assert len(pump) == 1
    assert "s2" not in pump[0].events
    assert set(gold.moments) < set(lived.shape.nodes)
    assert all(one in lived.shape.nodes and other in lived.shape.nodes for one, other, _ in lived.shape.edges)
    assert any(edge[0] == "s3" and edge[1].startswith("concept") for edge in lived.shape.edges)
    found = intent_measures(gold.intents, lived.intents, gold.moments)
    assert (found["intent_f1"], found["resolved_in_time"]) == (1.0, 1.0)
    assert lived.intents[0].whole >= {"s1", "s3"}
    assert any(stand.readiness >= stand.theta for stand in lived.stands)


def test_a_run_reports_the_product_held_out_constants_and_graphs_that_fool_nobody(
    data: Path, tmp_path: Path, admin_dsn: str, admin: psycopg.Connection[tuple[object, ...]]
) -> None:
    (tmp_path / "irc").mkdir()
    (tmp_path / "irc" / "2026-03-01_10.ascii.txt").write_text(
        "=== ann has joined #x\n[23:59] <ann> hello there\n[00:01] <bob> hi ann\n"
    )
    before = thresholds(admin)
    shown: list[object] = []
    report = structure.measure(
        admin_dsn,
        [read(file) for file in files_of([], data)],
        "lexicon",
        intent_grid=[{"intent.theta": 0.01}],
        irc=tmp_path / "irc",
        show=shown.append,
        titles=True,
        misses=True,
    )
    assert thresholds(admin) == before
    metrics = report.metrics
    assert (metrics["irc_intents"], metrics["noise_rejection"]) == (0.0, 1.0)
    assert metrics["b_cubed_f1"] > report.baselines["star.b_cubed_f1"]
    assert metrics["intent_f1"] == 1.0
    assert "intent_f1_leave_one_out" in metrics
    assert metrics["intent_f1_left_one_out"] == 1.0  # what ships is as good and comes first
    assert report.baselines["star.chain_discovery"] == 1.0
    assert report.baselines["star.chain_discovery_strict"] == 0.0
    assert report.baselines["singletons.coverage_leave_one_out"] == 0.0
    assert len(shown) == 2 + 1 + 2 + 4  # figures twice, settings; titles, misses and alarms of each
    finish(report, tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text())["metrics"] == metrics


def test_settings_are_chosen_on_the_other_scenarios_false_alarms_counting_above_three(data: Path) -> None:
    gold = read(data / "one house.json")

    def results(*pairs: tuple[float, float]) -> list[structure.Result]:
        nothing = Lived({}, Shape([], []), Shape([], []), [], [], {})
        return [
            structure.Result(gold, nothing, {"intent_f1": f1, "false_alarms_per_60": alarms}) for f1, alarms in pairs
        ]

    tried = [
        results((0.0, 0.0), (0.5, 0.0), (0.2, 0.0)),
        results((0.9, 0.0), (0.3, 0.0), (0.4, 0.0)),
        results((0.9, 9.0), (0.9, 9.0), (0.9, 9.0)),  # .9 - 6 / 20
    ]
    # Without the first: .35, .35, .6; without the second: .1, .65, .6; without the third: .25, .6, .6.
    assert structure.chosen_settings(tried) == [2, 1, 1]


def thresholds(admin: psycopg.Connection[tuple[object, ...]]) -> tuple[object, ...] | None:
    return admin.execute(
        "SELECT reinforce, cluster, pair FROM cognifold.embedding_model WHERE name = 'lexicon'"
    ).fetchone()


def test_a_chat_room_is_read_line_by_line_without_who_comes_and_goes_and_past_midnight(tmp_path: Path) -> None:
    (tmp_path / "2026-03-01_10.ascii.txt").write_text(
        "=== ann has joined #x\n[23:59] <ann> one\n[00:01] <b]b> two > three\n[00:01] <ann> four\n"
    )
    said = structure.irc_lines(tmp_path, 2)
    assert [(e.actor, e.content, e.occurred_at) for e in said] == [
        ("ann", "one", datetime(2026, 3, 1, 23, 59, tzinfo=UTC)),
        ("b]b", "two > three", datetime(2026, 3, 2, 0, 1, tzinfo=UTC)),
    ]


def test_a_language_model_folds_in_place_of_sql_where_one_is_named(data: Path, admin_dsn: str) -> None:
    from cognifold_pg.planner import LanguagePlanner

    gold = read(data / "one house.json")
    with ModelServer() as server:
        server.otherwise = one_concept
        planner = LanguagePlanner("scripted", base_url=server.base_url, api_key="none")
        [result] = structure.lives(admin_dsn, [gold], "by a model", "lexicon", None, structure.Judge(None, {}), planner)
        assert len(server.requests) == len(gold.moments)
    titles = [concept.title for concept in result.lived.concepts.values()]
    assert len(titles) >= 1
    assert all(title.startswith("what Ann said:") for title in titles)


def test_what_arrives_at_one_moment_is_lived_through_together(memory: Memory) -> None:
    events = [
        Experience(text, occurred_at=START, source="journal", actor="Ann", idempotency_key=text)
        for text in ("rain on the tiles", "rain on the slates")
    ]
    lived = live(memory, events, onward=timedelta())
    assert {"rain on the tiles", "rain on the slates"} <= set(lived.shape.nodes)
