"""The planner that asks a language model."""

from __future__ import annotations

import json
import os
import random as randomness
import re
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import openai  # noqa: F401 - asked for here, so that its absence is told when the planner is made

from cognifold_pg.errors import InvalidValueError
from cognifold_pg.planner.answer import FaultyPlan, plan_from
from cognifold_pg.planner.budget import Budget, estimated_tokens, trim_middle
from cognifold_pg.planner.errors import BudgetExceeded, MalformedAnswer, PlannerError, PlannerUnavailable
from cognifold_pg.planner.profiles import Profile, load_profile
from cognifold_pg.planner.prompt import Prompt, compose
from cognifold_pg.planner.reading import UnreadableAnswer, read_object
from cognifold_pg.planner.request import FoldRequest, Proposal
from cognifold_pg.planner.schema import Schema, strict_schema
from cognifold_pg.planner.wire import Message, Meter, Reply, Wire, openai_client

MAXIMUM_EVENTS = 20  # in one batch: with more, models lose the thread


class LanguagePlanner:
    """Proposes plans by asking a language model over OpenAI's protocol.

    One question for a batch, and if its answer is no valid plan, one repair that tells the model what is wrong. Holds
    no connection to a database. Safe to share between threads.

    :param model: its name at the server.
    :param base_url: the server, such as ``http://localhost:8080/v1``; None is OpenAI.
    :param api_key: None takes OpenAI's from the environment, for OpenAI only; a local server needs none.
    :param profile: a shipped profile by name, the path of one of your own, or a :class:`Profile`.
    :param timeout: seconds for one call.
    :param deadline: seconds for a whole proposal, waits included.
    :param retries: how often a failed call is repeated; the only retries there are.
    :param parameters: further fields of each request, such as ``{"reasoning_effort": "low"}``.
    :param clock: seconds that only grow; ``sleep``, ``random`` and ``now`` are what they say. For tests.
    :raises PlannerUnavailable: the profile is not to be had.
    :raises InvalidValueError: an argument is out of its range or of the wrong form.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        profile: str | Path | Profile = "default",
        *,
        timeout: float = 60.0,
        deadline: float = 180.0,
        retries: int = 3,
        budget: Budget | None = None,
        parameters: Mapping[str, Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = randomness.random,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        if not model.strip():
            raise InvalidValueError("A planner needs the name of a model.")
        if timeout <= 0 or deadline <= 0 or retries < 0:
            raise InvalidValueError(
                f"timeout and deadline must be above 0 and retries at least 0, not {timeout}, {deadline}, {retries}."
            )
        if base_url is not None and not re.match(r"https?://[^\s/?#]+", base_url):
            raise InvalidValueError(f"base_url is {base_url!r}; give an address such as http://localhost:8080/v1.")
        if api_key is not None and not re.fullmatch(r"[!-~]+", api_key):  # not shown: it is a secret all the same
            raise InvalidValueError("api_key holds white space or characters that no header can carry, or nothing.")
        self.model = model
        self.profile = profile if isinstance(profile, Profile) else load_profile(profile)
        self.budget = budget or Budget()
        self._deadline = deadline
        self._clock = clock
        self._wire = Wire(
            lambda: openai_client(base_url, api_key),
            model,
            timeout=timeout,
            retries=retries,
            parameters=parameters or {},
            secret=api_key,
            clock=clock,
            sleep=sleep,
            random=random,
            now=now,
        )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **options: Any) -> LanguagePlanner:
        """A planner by ``COGNIFOLD_LLM_MODEL``, ``_BASE_URL``, ``_API_KEY``, ``_PROFILE`` and ``_TIMEOUT`` (seconds).

        :raises PlannerUnavailable: no model is named, or the time is no number above 0.
        """
        found = os.environ if environment is None else environment
        model = found.get("COGNIFOLD_LLM_MODEL", "").strip()
        if not model:
            raise PlannerUnavailable("No model is named: set COGNIFOLD_LLM_MODEL (and COGNIFOLD_LLM_BASE_URL).")
        chosen: dict[str, Any] = {
            "base_url": found.get("COGNIFOLD_LLM_BASE_URL", "").strip() or None,
            "api_key": found.get("COGNIFOLD_LLM_API_KEY", "").strip() or None,
            "profile": found.get("COGNIFOLD_LLM_PROFILE", "").strip() or "default",
        }
        if text := found.get("COGNIFOLD_LLM_TIMEOUT"):
            try:
                chosen["timeout"] = float(text)
            except ValueError:
                chosen["timeout"] = 0.0
            if not 0 < chosen["timeout"] < float("inf"):
                raise PlannerUnavailable(f"COGNIFOLD_LLM_TIMEOUT is {text!r}; give seconds above 0.")
        return cls(model, **chosen | options)

    def __repr__(self) -> str:
        return f"LanguagePlanner({self.model!r}, profile={self.profile.name!r})"

    def propose(self, request: FoldRequest) -> Proposal:
        """A plan for the batch: one question, at most one repair.

        :raises InvalidValueError: the batch has no event, or more than 20.
        :raises PlannerError: by its subclasses; each says what was spent in vain.
        """
        count = len(request.events)
        if not 1 <= count <= MAXIMUM_EVENTS:
            raise InvalidValueError(f"A batch has 1 to {MAXIMUM_EVENTS} events, not {count}.")
        meter = Meter(self.budget.calls, self._clock() + self._deadline)
        try:
            return self._propose(request, meter)
        except PlannerError as error:
            raise meter.charge(error) from error.__cause__

    def _propose(self, request: FoldRequest, meter: Meter) -> Proposal:
        count = len(request.events)
        prompt = compose(request, self.profile, self.budget.question(count))
        schema = self._schema(prompt)
        messages: list[Message] = [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ]
        spent = prompt.tokens
        reply = self._ask(messages, schema, count, meter)
        try:
            plan = self._plan(reply, prompt, request)
        except (UnreadableAnswer, FaultyPlan) as fault:
            problems = fault.problems if isinstance(fault, FaultyPlan) else [str(fault)]
            messages += self._repair(reply, problems, spent, self.budget.repair(count, spent))
            reply = self._ask(messages, schema, count, meter)
            try:
                plan = self._plan(reply, prompt, request)
            except (UnreadableAnswer, FaultyPlan) as again:
                raise MalformedAnswer(f"No valid plan, nor after one repair: {again}") from again
        return Proposal(plan, reply.model, meter.calls, meter.prompt_tokens, meter.completion_tokens)

    def _schema(self, prompt: Prompt) -> Schema:
        profile = self.profile
        return strict_schema(
            profile.operations,
            profile.annotations,
            kinds=profile.kinds,
            leave_out=profile.leave_out,
            bounded=profile.bounded,
            names=tuple(prompt.names) if profile.enumerate_names else (),
        )

    def _ask(self, messages: list[Message], schema: Schema, count: int, meter: Meter) -> Reply:
        # Instructions that describe the answer are enough without a schema; those that don't are given it as text.
        described = {"answer", "operations"} <= set(self.profile.sections)
        hint = None if described else f"Answer with one JSON object by this JSON schema: {json.dumps(schema)}"
        return self._wire.ask(messages, schema, hint, self.budget.answer(count), meter)

    def _plan(self, reply: Reply, prompt: Prompt, request: FoldRequest) -> dict[str, Any]:
        try:
            return plan_from(read_object(reply.text), prompt.names, self.profile, request.time_zone)
        except UnreadableAnswer as error:
            if reply.cut_off:
                limit = self.budget.answer(len(request.events))
                raise UnreadableAnswer(
                    f"the answer was cut off after {limit} tokens; give fewer operations and shorter texts"
                ) from error
            raise

    def _repair(self, reply: Reply, problems: list[str], spent: int, limit: int) -> list[Message]:
        wrong = "\n".join(f"- {problem}" for problem in problems)
        complaint = (
            f"That is no valid plan. Wrong is:\n{wrong}\nGive the whole plan again, corrected, as one JSON object."
        )
        room = limit - spent - estimated_tokens(complaint)
        if room < 1:
            raise BudgetExceeded(f"No prompt tokens are left for a repair. The answer was no valid plan: {problems[0]}")
        said = reply.text.encode("utf-8", "ignore").decode("utf-8").replace("\0", "")
        return [
            {"role": "assistant", "content": trim_middle(said, room) if said.strip() else "{}"},
            {"role": "user", "content": complaint},
        ]
