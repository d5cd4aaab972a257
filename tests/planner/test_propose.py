"""What becomes of a good answer: a plan with ids, checked, that says what it rests on."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from cognifold_pg.errors import InvalidValueError
from cognifold_pg.planner import Budget, BudgetExceeded, LanguagePlanner
from cognifold_pg.planner.budget import estimated_tokens
from tests.planner.conftest import event, fold_request, uuid
from tests.planner.server import Asked, ModelServer, one_concept, plans

Make = Callable[..., LanguagePlanner]


def test_names_of_an_answer_become_the_ids_they_stood_for(server: ModelServer, planner: Make) -> None:
    server.will(
        plans(
            {
                "op": "ADD_NODE",
                "reasoning": "a new habit",
                "grounded_in": ["e1", "e2"],
                "kind": "concept",
                "ref": "new1",
                "title": "Evening runs",
                "content": None,
                "memory_type": "procedural",
                "occurred_at": None,
                "precision": None,
            },
            {
                "op": "ADD_EDGE",
                "reasoning": "it belongs there",
                "grounded_in": ["e2"],
                "source": "new1",
                "target": "c2",
                "type": "part_of",
                "weight": 0.5,
            },
            {
                "op": "ADD_EDGE",
                "reasoning": "the knee again",
                "grounded_in": ["e1"],
                "source": "e1",
                "target": "c1",
                "type": "reinforces",
                "weight": None,
            },
            reasoning=" two things ",
            prompt_tokens=900,
            completion_tokens=80,
        )
    )
    proposal = planner().propose(fold_request("My knee hurts.", "Ran in the evening."))

    assert proposal.plan == {
        "trigger_event_id": str(uuid(2)),
        "reasoning": "two things",
        "operations": [
            {
                "op": "ADD_NODE",
                "reasoning": "a new habit",
                "grounded_in": [str(uuid(1)), str(uuid(2))],
                "kind": "concept",
                "ref": "new1",
                "title": "Evening runs",
                "memory_type": "procedural",
            },
            {
                "op": "ADD_EDGE",
                "reasoning": "it belongs there",
                "grounded_in": [str(uuid(2))],
                "source": "new1",
                "target": str(uuid(102)),
                "type": "part_of",
                "weight": 0.5,
            },
            {
                "op": "ADD_EDGE",
                "reasoning": "the knee again",
                "grounded_in": [str(uuid(1))],
                "source": str(uuid(1)),
                "target": str(uuid(101)),
                "type": "reinforces",
            },
        ],
    }
    assert (proposal.model, proposal.calls) == ("scripted-1", 1)
    assert (proposal.prompt_tokens, proposal.completion_tokens) == (900, 80)


def test_what_is_learned_of_an_event_is_annotated_and_causes_between_events_are_edges_too(
    server: ModelServer, planner: Make
) -> None:
    server.will(
        plans(
            {
                "op": "UPDATE_NODE",
                "reasoning": "what it says",
                "grounded_in": [],
                "node": "e2",
                "title": None,
                "content": None,
                "annotations": {
                    "entities": [{"name": "Jonas", "kind": "person"}],
                    "actor": None,
                    "emotional_weight": -0.6,
                    "valence": "negative",
                    "arousal": 0.7,
                    "dates": [
                        {"phrase": "by Friday", "at": "2026-05-08", "precision": "day", "deadline": True},
                        {"phrase": "soon", "at": None, "precision": "day", "deadline": False},
                    ],
                    "contradictions": [
                        {"node": "n1", "what": "he said he had not run"},
                        {"node": "c1", "what": "no pain"},
                    ],
                    "causes": [{"node": "e1", "what": "the fall"}, {"node": None, "what": "old shoes"}],
                },
            },
            {
                "op": "ADD_EDGE",
                "reasoning": "said outright as well",
                "grounded_in": ["e2"],
                "source": "e2",
                "target": "n1",
                "type": "contradicts",
            },
        )
    )
    plan = planner().propose(fold_request("Jonas fell.", "Jonas limps, sees a doctor by Friday.")).plan
    update, said_outright, cause = plan["operations"]

    assert update["grounded_in"] == [str(uuid(2))]  # the only thing it can rest on
    assert update["annotations"] == {
        "entities": [{"name": "Jonas", "kind": "person"}],
        "emotional_weight": -0.6,
        "valence": "negative",
        "arousal": 0.7,
        "dates": [
            {"phrase": "by Friday", "at": "2026-05-08T00:00:00+02:00", "precision": "day", "deadline": True},
            {"phrase": "soon", "at": None, "precision": "day", "deadline": False},
        ],
        "contradictions": [
            {"node": str(uuid(201)), "what": "he said he had not run"},
            {"node": str(uuid(101)), "what": "no pain"},
        ],
        "causes": [{"node": str(uuid(1)), "what": "the fall"}, {"node": None, "what": "old shoes"}],
    }
    assert said_outright["type"] == "contradicts"  # once, though said twice
    assert cause == {
        "op": "ADD_EDGE",
        "reasoning": "the fall",
        "grounded_in": [str(uuid(2)), str(uuid(1))],
        "source": str(uuid(1)),
        "target": str(uuid(2)),
        "type": "causes",
    }


def test_removals_come_first_and_merges_last(server: ModelServer, planner: Make) -> None:
    reinforce = {
        "op": "ADD_EDGE",
        "reasoning": "r",
        "grounded_in": ["e1"],
        "source": "e1",
        "target": "c1",
        "type": "reinforces",
    }
    merge = {"op": "MERGE_NODES", "reasoning": "r", "grounded_in": ["e1"], "ids": ["c1", "c2"], "survivor": "c2"}
    remove = {"op": "REMOVE_NODE", "reasoning": "r", "grounded_in": ["e1"], "node": "n3"}
    server.will(plans(merge, reinforce, remove))
    plan = planner().propose(fold_request()).plan
    assert [operation["op"] for operation in plan["operations"]] == ["REMOVE_NODE", "ADD_EDGE", "MERGE_NODES"]
    assert plan["operations"][2]["ids"] == [str(uuid(101)), str(uuid(102))]
    assert plan["operations"][2]["survivor"] == str(uuid(102))


def test_a_plan_that_changes_nothing_is_a_plan(server: ModelServer, planner: Make) -> None:
    server.will(plans(reasoning="small talk"))
    assert planner().propose(fold_request("Hi!")).plan["operations"] == []


def test_an_update_that_says_nothing_is_left_out(server: ModelServer, planner: Make) -> None:
    nothing = {"op": "UPDATE_NODE", "reasoning": "r", "grounded_in": ["e1"], "node": "e1", "title": None}
    server.will(plans(nothing | {"annotations": {"valence": None, "entities": []}}, nothing))
    assert planner().propose(fold_request()).plan["operations"] == []


def test_further_parameters_are_sent_along(server: ModelServer, planner: Make) -> None:
    server.otherwise = one_concept
    planner(parameters={"reasoning_effort": "low"}).propose(fold_request())
    assert server.requests[0].body["reasoning_effort"] == "low"


def test_a_request_is_strict_deterministic_and_bounded(server: ModelServer, planner: Make) -> None:
    server.otherwise = one_concept
    planner(budget=Budget(completion_tokens=700)).propose(fold_request("One.", "Two."))
    asked = server.requests[0]
    form = asked.body["response_format"]
    assert (form["type"], form["json_schema"]["strict"]) == ("json_schema", True)
    assert (asked.body["temperature"], asked.body["max_tokens"]) == (0, 1400)
    assert isinstance(asked.body["seed"], int)
    assert asked.path == "/v1/chat/completions"


def test_an_event_of_thirty_thousand_tokens_is_trimmed_in_the_middle_and_never_dropped(
    server: ModelServer, planner: Make
) -> None:
    long = "It began with a fall. " + "Then she told at length what followed. " * 4_000 + "It ended in tears."
    assert estimated_tokens(long) > 30_000
    server.otherwise = one_concept
    budget = Budget(prompt_tokens=10_000)
    planner(budget=budget).propose(fold_request("My knee hurts.", long))
    asked = server.requests[0]
    short, trimmed = asked.events
    assert short["content"] == "My knee hurts."
    assert trimmed["content"].startswith("It began with a fall. Then she told")
    assert trimmed["content"].endswith("what followed. It ended in tears.")
    left_out = len(long) - len(trimmed["content"])
    assert (
        f"[... {left_out + len(' [... 123456 characters left out ...] ')} characters left out ...]"
        in trimmed["content"]
    )
    assert estimated_tokens(asked.prompt) <= budget.question(2)


def test_twenty_events_of_the_longest_kind_share_what_a_call_may_hold(server: ModelServer, planner: Make) -> None:
    server.otherwise = one_concept
    budget = Budget(call_tokens=16_000)
    planner(budget=budget).propose(fold_request(*["many words follow here " * 5_000] * 20))
    asked = server.requests[0]
    lengths = {len(shown["content"]) for shown in asked.events}
    assert len(asked.events) == 20
    assert max(lengths) - min(lengths) < 20
    assert estimated_tokens(asked.prompt) + asked.body["max_tokens"] <= 16_000


def test_the_memory_gives_way_before_an_event_is_cut_to_a_stub(server: ModelServer, planner: Make) -> None:
    server.otherwise = one_concept
    long = "many words follow here " * 300
    planner(budget=Budget(prompt_tokens=7_000)).propose(fold_request(long))
    asked = server.requests[0]
    shown = [node["name"] for node in asked.memory]
    assert shown == ["c1", "c2", "n1", "n2", "n3"][: len(shown)]  # the least important went first
    assert len(shown) < 5
    assert len(asked.events[0]["content"]) > 100


def test_events_that_do_not_fit_at_all_are_refused_before_any_call(server: ModelServer, planner: Make) -> None:
    with pytest.raises(BudgetExceeded, match="even with their middles left out"):
        planner(budget=Budget(prompt_tokens=200)).propose(fold_request("many words follow here " * 300))
    assert server.requests == []


@pytest.mark.parametrize("count", [0, 21])
def test_a_batch_has_one_to_twenty_events(planner: Make, count: int) -> None:
    request = fold_request()
    events = tuple(event(number, "x") for number in range(1, count + 1))
    with pytest.raises(InvalidValueError, match=f"1 to 20 events, not {count}"):
        planner().propose(fold_request(events=events, time_zone=request.time_zone))


def test_one_planner_serves_many_threads(server: ModelServer, planner: Make) -> None:
    server.otherwise = one_concept
    shared = planner()
    titles: list[str] = []

    def work(number: int) -> None:
        plan = shared.propose(fold_request(f"Text of {number}.")).plan
        titles.append(plan["operations"][0]["title"])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(titles) == [f"what Ann said: Text of {number}." for number in range(8)]


def test_a_scripted_answer_can_read_what_it_was_asked(server: ModelServer, planner: Make) -> None:
    def script(asked: Asked) -> object:
        assert [shown["name"] for shown in asked.memory] == ["c1", "c2", "n1", "n2", "n3"]
        return one_concept(asked)

    server.will(script)  # type: ignore[arg-type]
    planner().propose(fold_request())
    assert len(server.requests) == 1
