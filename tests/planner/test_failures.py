"""Everything a model and its server may do wrong, over real HTTP. Nothing sleeps: waits are counted, not waited for."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from cognifold_pg.planner import (
    Budget,
    BudgetExceeded,
    LanguagePlanner,
    MalformedAnswer,
    ModelRefused,
    ModelUnreachable,
    PlannerError,
    RateLimited,
)
from cognifold_pg.planner.budget import estimated_tokens
from tests.planner.conftest import MORNING, Waits, fold_request, uuid
from tests.planner.server import Answer, ModelServer, cut, drips, fails, hangs, one_concept, plans, refuses, says

Make = Callable[..., LanguagePlanner]

GOOD = {"op": "ADD_EDGE", "reasoning": "r", "grounded_in": ["e1"], "source": "e1", "target": "c1", "type": "reinforces"}
GOOD_TEXT = json.dumps({"reasoning": "r", "operations": [GOOD]})


def operation(**changes: Any) -> dict[str, Any]:
    return GOOD | changes


# ---------------------------------------------------------------------- answers that are no plan

FAULTS = [
    (says("{'reasoning': 'single quotes'}"), "not valid JSON"),
    (says('{"reasoning": "cut", "operations": [{"op": "ADD'), "not valid JSON"),
    (says(""), "the answer is empty"),
    (says(None), "the answer is empty"),
    (says("I would rather talk about something else."), "not valid JSON"),
    (says("[1, 2]"), "not a JSON object"),
    (says("{}"), "operations: Field required"),
    (says('{"operations": []}'), "the plan has no reasoning"),
    (says('{"reasoning": "r", "reasoning": "s", "operations": []}'), "given twice"),
    (says(GOOD_TEXT + "\nor rather\n" + json.dumps({"reasoning": "s", "operations": []})), "several different"),
    (says("[" * 100_000), "nested too deeply"),
    (says('{"reasoning": "r", "operations": ' + "1" * 5_000 + "}"), "not valid JSON"),
    (says("<think>" * 200_000), "longer than 200000 characters"),
    (says('{"reasoning": "cut"', finish_reason="length"), "cut off after 2000 tokens"),
    (plans(*[GOOD] * 201), "at most 200 items"),
    (plans(operation(op="DROP_TABLE")), "operation 0 (DROP_TABLE)"),
    (plans(operation(source="e9")), "operation 0 (ADD_EDGE): source 'e9' is neither"),
    (plans(operation(target=str(uuid(999)))), f"target '{uuid(999)}' is neither"),  # another tenant's, or nobody's
    (plans(operation(target=str(uuid(101)))), "is neither"),  # right, but never shown: only names are
    (plans(operation(grounded_in=["c9"])), "grounded_in 'c9' is neither"),
    (plans(operation(grounded_in=["n2"])), "of kind intent"),
    (plans(operation(type="loves")), "type: Input should be 'grounds', 'causes'"),
    (
        plans(operation(source="c1", target="e1")),
        "reinforces cannot join concept -> event; legal are: event -> concept",
    ),
    (plans(operation(source="c1", target="c1", type="part_of")), "the same node"),
    (plans(operation(source="e1", target="n1", type="causes")), "e1 happened after n1, so it does not cause it"),
    (plans(operation(weight=0)), "greater than 0"),
    (says(GOOD_TEXT.replace('"source"', '"weight": NaN, "source"')), "finite number"),
    (says(GOOD_TEXT.replace('"source"', '"weight": 1e999, "source"')), "finite number"),
    (plans(operation(reasoning=" ")), "it has no reasoning"),
    (plans(operation(because="x")), "because: Extra inputs are not permitted"),
    (plans(operation(metadata={"a": 1})), "'metadata' is not yours"),
    (plans(operation(op="REMOVE_EDGE")), "only ADD_NODE, ADD_EDGE, UPDATE_NODE, MERGE_NODES, REMOVE_NODE may be used"),
    (
        plans({"op": "UPDATE_NODE", "reasoning": "r", "grounded_in": ["e1"], "node": "e1", "title": "Another"}),
        "an event never changes",
    ),
    (
        plans({"op": "UPDATE_NODE", "reasoning": "r", "grounded_in": ["e1"], "node": "c1", "annotations": {"mood": 1}}),
        "annotation 'mood' is not one of",
    ),
    (
        plans(
            {"op": "UPDATE_NODE", "reasoning": "r", "grounded_in": ["e1"], "node": "c1", "annotations": {"arousal": 2}}
        ),
        "annotations.arousal: Input should be less than or equal to 1",
    ),
    (plans({"op": "REMOVE_NODE", "reasoning": "r", "grounded_in": ["e1"], "node": "n1"}), "are not removed"),
    (plans({"op": "REMOVE_NODE", "reasoning": "r", "grounded_in": ["c1"], "node": "c1"}, GOOD), "c1 is removed by"),
    (
        plans({"op": "MERGE_NODES", "reasoning": "r", "grounded_in": ["e1"], "ids": ["c1", "n2"]}),
        "'n2' is no stored concept",
    ),
    (
        plans({"op": "MERGE_NODES", "reasoning": "r", "grounded_in": ["e1"], "ids": ["c1", "c1"]}),
        "two different concepts",
    ),
    (
        plans(
            {"op": "ADD_NODE", "reasoning": "r", "grounded_in": ["e1"], "kind": "concept", "ref": "c1", "title": "T"}
        ),
        "is the name of a node that was shown",
    ),
    (
        plans(
            {"op": "ADD_NODE", "reasoning": "r", "grounded_in": ["new"], "kind": "concept", "ref": "new", "title": "T"}
        ),
        "it is grounded in itself",
    ),
    (
        plans({"op": "ADD_NODE", "reasoning": "r", "grounded_in": ["e1"], "kind": "event", "title": "T"}),
        "kind: Input should be 'concept', 'intent' or 'time'",
    ),
    (
        plans({"op": "ADD_NODE", "reasoning": "r", "grounded_in": ["e1"], "kind": "time", "title": "T"}),
        "needs occurred_at",
    ),
    (
        plans(
            {
                "op": "ADD_NODE",
                "reasoning": "r",
                "grounded_in": ["e1"],
                "kind": "time",
                "title": "T",
                "occurred_at": "2026",
            }
        ),
        "a time is written as ISO 8601",
    ),
]


@pytest.mark.parametrize(("bad", "problem"), FAULTS, ids=[problem[:40] for _, problem in FAULTS])
def test_the_model_is_told_what_is_wrong_and_repairs_it_once(
    server: ModelServer, planner: Make, waits: Waits, bad: Answer, problem: str
) -> None:
    server.will(bad, says(GOOD_TEXT))
    proposal = planner().propose(fold_request())
    assert proposal.plan["operations"][0]["target"] == str(uuid(101))
    assert (proposal.calls, waits.waits) == (2, [])
    repair = server.requests[1].body["messages"]
    assert [message["role"] for message in repair] == ["system", "user", "assistant", "user"]
    assert repair[:2] == server.requests[0].body["messages"]
    assert problem in repair[3]["content"]


@pytest.mark.parametrize(("bad", "problem"), FAULTS[:1] + FAULTS[15:18], ids=["json", "name", "other", "uuid"])
def test_a_second_bad_answer_is_the_end(server: ModelServer, planner: Make, bad: Answer, problem: str) -> None:
    server.otherwise = bad
    with pytest.raises(MalformedAnswer, match="nor after one repair") as error:
        planner().propose(fold_request())
    assert problem in str(error.value)
    assert not error.value.transient
    assert (error.value.calls, error.value.prompt_tokens, error.value.completion_tokens) == (2, 200, 20)
    assert len(server.requests) == 2


READABLE = [
    f"Here is the plan:\n```json\n{GOOD_TEXT}\n```\nI hope it helps.",
    f"Sure! {GOOD_TEXT} Anything else?",
    f"<think>perhaps {{e1}} or {{}}?</think>{GOOD_TEXT}",
    f"\ufeff\n{GOOD_TEXT}\n",
    GOOD_TEXT.replace("}]}", "},]}"),
    f"```\n{GOOD_TEXT}\n```\n\n```json\n{GOOD_TEXT}\n```",
    f"{{maybe}} {GOOD_TEXT}",
    "Nothing like {} but: " + GOOD_TEXT.replace('"r"', '"C:\\users"'),
]


@pytest.mark.parametrize(
    "text", READABLE, ids=["fence", "prose", "thoughts", "mark", "comma", "twice", "braces", "escape in prose"]
)
def test_a_plan_is_found_in_whatever_surrounds_it(server: ModelServer, planner: Make, text: str) -> None:
    server.will(says(text))
    proposal = planner().propose(fold_request())
    assert (proposal.calls, len(proposal.plan["operations"])) == (1, 1)


def test_bad_escapes_are_read_as_they_stand_and_unstorable_characters_taken_out(
    server: ModelServer, planner: Make
) -> None:
    text = r'{"reasoning": "nul\u0000 lone\ud800 C:\users \x41 \"q\" \u00e9", "operations": []}'
    server.will(says(text))
    assert planner().propose(fold_request()).plan["reasoning"] == 'nul lone C:\\users \\x41 "q" é'


# ---------------------------------------------------------------------- refusals


def test_a_refusal_is_not_asked_again(server: ModelServer, planner: Make) -> None:
    server.otherwise = refuses("I won't.")
    with pytest.raises(ModelRefused, match=r"The model refuses: I won't\.") as error:
        planner().propose(fold_request())
    assert (len(server.requests), error.value.transient) == (1, False)


def test_a_withheld_answer_is_a_refusal(server: ModelServer, planner: Make) -> None:
    server.otherwise = says("", finish_reason="content_filter")
    with pytest.raises(ModelRefused, match="content filter"):
        planner().propose(fold_request())


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_key_or_model_is_told_at_once_without_the_key(server: ModelServer, planner: Make, status: int) -> None:
    server.otherwise = fails(status, "the key sk-secret is not known here")
    with pytest.raises(ModelRefused, match=rf"\({status}\): the key \*\*\* is not") as error:
        planner(api_key="sk-secret").propose(fold_request())
    assert len(server.requests) == 1
    assert server.requests[0].headers["authorization"] == "Bearer sk-secret"
    assert "sk-secret" not in str(error.value) + repr(planner(api_key="sk-secret"))


def test_a_server_of_ones_own_is_not_sent_the_key_for_openai(
    server: ModelServer, planner: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    server.otherwise = one_concept
    planner().propose(fold_request())
    assert "sk-openai" not in server.requests[0].headers["authorization"]


def test_an_empty_account_is_no_reason_to_wait(server: ModelServer, planner: Make, waits: Waits) -> None:
    server.otherwise = fails(429, "You exceeded your current quota", code="insufficient_quota")
    with pytest.raises(ModelRefused, match="quota"):
        planner().propose(fold_request())
    assert waits.waits == []


# ---------------------------------------------------------------------- waiting


def test_retry_after_in_seconds_is_waited_out(server: ModelServer, planner: Make, waits: Waits) -> None:
    server.will(fails(429, headers={"retry-after": "7"}), says(GOOD_TEXT))
    assert planner().propose(fold_request()).calls == 2
    assert waits.waits == [7.0]


def test_retry_after_as_a_date_is_waited_out(server: ModelServer, planner: Make, waits: Waits) -> None:
    then = (MORNING + timedelta(seconds=90)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    server.will(fails(503, headers={"retry-after": then}), says(GOOD_TEXT))
    planner().propose(fold_request())
    assert waits.waits == [90.0]


@pytest.mark.parametrize(
    ("said", "waited"), [("-5", 0.0), ("soon", 0.25), ("nan", 0.25), ("Mon, 01 Jan 1990 00:00:00 GMT", 0.0)]
)
def test_a_strange_retry_after_does_no_harm(
    server: ModelServer, planner: Make, waits: Waits, said: str, waited: float
) -> None:
    server.will(fails(429, headers={"retry-after": said}), says(GOOD_TEXT))
    planner().propose(fold_request())
    assert waits.waits == [waited]


def test_a_longer_wait_than_the_deadline_is_left_to_the_caller(
    server: ModelServer, planner: Make, waits: Waits
) -> None:
    server.otherwise = fails(429, headers={"retry-after": "3600"})
    with pytest.raises(RateLimited) as error:
        planner(deadline=60).propose(fold_request())
    assert (error.value.retry_after, error.value.transient, waits.waits) == (3600.0, True, [])


def test_waits_double_with_jitter_and_end_with_the_retries(server: ModelServer, planner: Make, waits: Waits) -> None:
    server.otherwise = fails(500, "out of order")
    with pytest.raises(ModelUnreachable, match=r"\(500\): out of order") as error:
        planner(retries=3, random=lambda: 0.5).propose(fold_request())
    # .5, 1, 2 seconds, each three quarters of itself at jitter .5
    assert waits.waits == [0.375, 0.75, 1.5]
    assert (len(server.requests), error.value.calls, error.value.transient) == (4, 4, True)


def test_ours_are_the_only_retries(server: ModelServer, planner: Make) -> None:
    server.otherwise = fails(500)
    with pytest.raises(ModelUnreachable):
        planner(retries=0).propose(fold_request())
    assert len(server.requests) == 1


def test_the_call_budget_ends_retries_too(server: ModelServer, planner: Make) -> None:
    server.otherwise = fails(502)
    with pytest.raises(ModelUnreachable):
        planner(retries=50, budget=Budget(calls=2)).propose(fold_request())
    assert len(server.requests) == 2


def test_without_a_call_left_there_is_no_repair(server: ModelServer, planner: Make) -> None:
    server.otherwise = says("nonsense")
    with pytest.raises(BudgetExceeded, match="The 1 calls"):
        planner(budget=Budget(calls=1)).propose(fold_request())
    assert len(server.requests) == 1


def test_a_repair_stays_within_the_budget_however_long_the_bad_answer_is(server: ModelServer, planner: Make) -> None:
    budget = Budget(prompt_tokens=9_000)
    server.will(says("nonsense without end " * 20_000), says(GOOD_TEXT))
    planner(budget=budget).propose(fold_request("many words follow here " * 2_000))
    sent = [message["content"] for asked in server.requests for message in asked.body["messages"]]
    assert len(sent) == 6
    assert sum(estimated_tokens(text) for text in sent) <= budget.total(1)


def test_a_hanging_server_is_given_up(server: ModelServer, planner: Make) -> None:
    server.will(hangs(), says(GOOD_TEXT))
    assert planner(timeout=0.2).propose(fold_request()).calls == 2
    server.otherwise = hangs()
    with pytest.raises(ModelUnreachable, match=r"No reply within 0\.2 s") as error:
        planner(timeout=0.2, retries=1).propose(fold_request())
    assert error.value.calls == 2


def test_a_server_that_drips_is_given_up_although_each_of_its_bytes_is_in_time(
    server: ModelServer, planner: Make
) -> None:
    server.otherwise = drips()
    with pytest.raises(ModelUnreachable, match=r"not complete after 0\.3 s"):
        planner(timeout=0.3, retries=0, clock=time.monotonic).propose(fold_request())


def test_a_cut_connection_is_tried_again(server: ModelServer, planner: Make) -> None:
    server.will(cut(0), cut(40), says(GOOD_TEXT))
    assert planner().propose(fold_request()).calls == 3


def test_nobody_listening_is_unreachable(waits: Waits) -> None:
    with ModelServer() as closed:
        base_url = closed.base_url
    planner = LanguagePlanner("m", base_url, sleep=waits.sleep, clock=waits.clock)
    with pytest.raises(ModelUnreachable, match="No connection"):
        planner.propose(fold_request())
    assert len(waits.waits) == 3


@pytest.mark.parametrize(
    "broken",
    [
        Answer(body="<html>gateway</html>", headers={"content-type": "text/html"}),
        Answer(body={"choices": []}),
        Answer(body={"object": "list"}),
        Answer(body=[]),
        Answer(body={"error": {"message": "upstream gone", "code": 502}}),
    ],
    ids=["html", "no choice", "no choices", "list", "error within"],
)
def test_a_reply_that_is_none_is_tried_again(server: ModelServer, planner: Make, broken: Answer) -> None:
    server.will(broken, says(GOOD_TEXT))
    assert planner().propose(fold_request()).calls == 2


# ---------------------------------------------------------------------- servers that know less


def test_a_server_without_strict_schemas_is_asked_more_plainly_from_then_on(server: ModelServer, planner: Make) -> None:
    def knows_little(asked: Any) -> Answer:
        form = asked.body.get("response_format", {}).get("type")
        return one_concept(asked) if form is None else fails(400, f"response_format {form!r} is not supported")

    server.otherwise = knows_little
    shared = planner()
    assert shared.propose(fold_request()).calls == 3
    assert shared.propose(fold_request()).calls == 1
    forms = [asked.body.get("response_format", {}).get("type") for asked in server.requests]
    assert forms == ["json_schema", "json_object", None, None]


def test_instructions_that_do_not_describe_the_answer_are_given_the_schema_as_text(
    server: ModelServer, planner: Make
) -> None:
    server.will(fails(400, "no json_schema here"), one_concept)
    planner(profile="small").propose(fold_request())
    first, second = (asked.body["messages"][0]["content"] for asked in server.requests)
    assert "JSON schema" not in first
    assert '"additionalProperties": false' in second


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("temperature", "Unsupported value: 'temperature' does not support 0 with this model."),
        ("seed", "Unknown parameter: 'seed'."),
        ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    ],
)
def test_a_parameter_that_a_server_does_not_know_is_left_out(
    server: ModelServer, planner: Make, parameter: str, message: str
) -> None:
    server.will(fails(400, message, param=parameter), says(GOOD_TEXT))
    planner().propose(fold_request())
    asked = server.requests[1].body
    assert parameter not in asked
    assert asked["response_format"]["type"] == "json_schema"
    assert ("max_completion_tokens" in asked) == (parameter == "max_tokens")


def test_what_one_thread_learns_of_a_server_does_not_mislead_another(server: ModelServer, planner: Make) -> None:
    both_asked = threading.Barrier(2)

    def minds_the_temperature(asked: Any) -> Answer:
        if "temperature" not in asked.body:
            return one_concept(asked)
        both_asked.wait(5)
        return fails(400, "no temperature, please", param="temperature")

    server.otherwise = minds_the_temperature
    shared = planner()
    threads = [threading.Thread(target=shared.propose, args=(fold_request(),)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [asked.body["response_format"]["type"] for asked in server.requests] == ["json_schema"] * 4


def test_a_server_that_refuses_everything_is_told_as_a_refusal(server: ModelServer, planner: Make) -> None:
    server.otherwise = fails(400, "go away")
    with pytest.raises(ModelRefused, match=r"\(400\): go away"):
        planner().propose(fold_request())
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "answer",
    [
        fails(400, "too long", code="context_length_exceeded"),
        fails(400, "the request exceeds the available context size", type="exceed_context_size_error"),
        fails(413, "Payload Too Large"),
    ],
    ids=["openai", "llama.cpp", "413"],
)
def test_a_prompt_that_the_model_cannot_hold_is_a_matter_of_the_budget(
    server: ModelServer, planner: Make, answer: Answer
) -> None:
    server.otherwise = answer
    with pytest.raises(BudgetExceeded, match="too long for the model"):
        planner().propose(fold_request())
    assert len(server.requests) == 1


def test_every_error_says_whether_waiting_helps() -> None:
    transient = {error.__name__ for error in PlannerError.__subclasses__() if error.transient}
    assert transient == {"RateLimited", "ModelUnreachable"}
