"""The way to a model: OpenAI's chat protocol through the ``openai`` client, with the only layer of retries there is.

The client's own retries are switched off. What a server does not know (a strict schema, a seed, a temperature) is left
out from then on; what may pass (429, 5xx, time-outs, cut connections) is tried again within the calls and the time
that a proposal has; everything else is told at once.
"""

from __future__ import annotations

import json
import math
import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from cognifold_pg.planner.budget import estimated_tokens
from cognifold_pg.planner.errors import (
    BudgetExceeded,
    ModelRefused,
    ModelUnreachable,
    PlannerError,
    PlannerUnavailable,
    RateLimited,
)
from cognifold_pg.tracing import span

MAXIMUM_BYTES = 8 * 1024 * 1024  # of a reply: no plan is longer, whatever a server sends
FIRST_WAIT = 0.5  # seconds before the first retry; doubled for each further one
LONGEST_WAIT = 20.0  # seconds, unless the server asks for more

Message = dict[str, str]

_TOO_LONG = re.compile(r"context.{0,3}(length|window|size)|maximum context|too many tokens|(prompt|input) is too long")
_OUT_OF_MONEY = re.compile(r"insufficient_quota|billing|exceeded your current quota")


@dataclass
class Meter:
    """What one proposal has used so far, and how long it may go on."""

    calls_left: int
    deadline: float
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def charge(self, error: PlannerError) -> PlannerError:
        """The error, saying what was used before it."""
        error.calls = self.calls
        error.prompt_tokens = self.prompt_tokens
        error.completion_tokens = self.completion_tokens
        return error


@dataclass(frozen=True)
class Reply:
    """A model's text, and which model says it has written it.

    :ivar cut_off: whether the text ends where the tokens did.
    """

    text: str
    model: str
    cut_off: bool


@dataclass(frozen=True)
class Dialect:
    """What is known of a server: the parameters it takes. Learned from its refusals, kept for the planner's life."""

    form: str = "json_schema"  # then json_object, then none
    limit: str = "max_tokens"  # then max_completion_tokens
    left_out: frozenset[str] = frozenset()

    def learned(self, said: str, parameter: str | None) -> Dialect | None:
        """What is known after a refusal; None if nothing is left to try."""
        text = f"{parameter or ''} {said}".lower()
        for name in ("temperature", "seed"):
            if name in text and name not in self.left_out:
                return replace(self, left_out=self.left_out | {name})
        if self.limit == "max_tokens" and "max_tokens" in text:
            return replace(self, limit="max_completion_tokens")
        # Whatever else it minds, the schema is the likeliest: it is also what servers describe least alike.
        if self.form == "none":
            return None
        return replace(self, form="json_object" if self.form == "json_schema" else "none")


class _Failure(Exception):
    """A call that brought no reply; ``error`` is what it comes to if it stays so."""

    def __init__(self, error: PlannerError, wait: float | None = None, refused: tuple[str, str | None] | None = None):
        super().__init__(str(error))
        self.error = error
        self.wait = wait
        self.refused = refused


class Wire:
    """Calls of one model at one server.

    :param client: made on first use: a worker that forks afterwards must not share connections.
    """

    def __init__(
        self,
        client: Callable[[], Any],
        model: str,
        *,
        timeout: float,
        retries: int,
        parameters: Mapping[str, Any],
        secret: str | None,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
        random: Callable[[], float],
        now: Callable[[], datetime],
    ) -> None:
        self._make_client = client
        self._model = model
        self._timeout = timeout
        self._retries = retries
        self._parameters = dict(parameters)
        self._secret = secret
        self._clock = clock
        self._sleep = sleep
        self._random = random
        self._now = now
        self._client: Any = None
        self._lock = threading.Lock()
        self.dialect = Dialect()

    def ask(
        self, messages: Sequence[Message], schema: Mapping[str, Any], hint: str | None, limit: int, meter: Meter
    ) -> Reply:
        """One answer, after as many calls as it takes and ``meter`` allows.

        :param schema: the strict schema of the answer.
        :param hint: what to add to the instructions where the server takes no schema.
        :param limit: the most tokens of the answer.
        :raises PlannerError: there is none to be had.
        """
        failures = 0
        last: PlannerError | None = None
        while True:
            left = meter.deadline - self._clock()
            if meter.calls_left < 1 or left <= 0:
                raise last or (
                    BudgetExceeded(f"The {meter.calls} calls that a proposal may make are used up.")
                    if meter.calls_left < 1
                    else ModelUnreachable("The time that a proposal may take is used up.")
                )
            meter.calls += 1
            meter.calls_left -= 1
            dialect = self.dialect
            try:
                return self._call(
                    self._request(dialect, messages, schema, hint, limit), min(self._timeout, left), meter
                )
            except _Failure as failure:
                last = failure.error
                if failure.refused is not None:
                    with self._lock:
                        # Another thread may have learned it meanwhile: then try again with what it learned.
                        learned = dialect.learned(*failure.refused) if self.dialect == dialect else self.dialect
                        if learned is not None:
                            self.dialect = learned
                            continue
                    raise last from failure
                if not last.transient:
                    raise last from failure
                failures += 1
                wait = self._wait(failures, failure.wait)
                if failures > self._retries or meter.calls_left < 1 or self._clock() + wait >= meter.deadline:
                    raise last from failure
                self._sleep(wait)

    def _call(self, request: dict[str, Any], timeout: float, meter: Meter) -> Reply:
        """One call, which is a span by the conventions for generative AI."""
        about = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",  # the protocol, whoever speaks it
            "gen_ai.request.model": self._model,
        }
        with span(f"chat {self._model}", about, outgoing=True) as noted:
            before = meter.prompt_tokens, meter.completion_tokens
            try:
                reply = self._read(self._post(request, timeout), request["messages"], meter)
            except _Failure as failure:
                noted.note({"error.type": type(failure.error).__name__})
                raise
            finally:
                noted.note(
                    {
                        "gen_ai.usage.input_tokens": meter.prompt_tokens - before[0],
                        "gen_ai.usage.output_tokens": meter.completion_tokens - before[1],
                    }
                )
            noted.note({"gen_ai.response.model": reply.model})
            return reply

    def _wait(self, failures: int, asked: float | None) -> float:
        # Jitter in both cases: those who were turned away together should not come back together.
        if asked is not None:
            return asked + self._random() * FIRST_WAIT
        return float(min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1)) * (0.5 + self._random() / 2))

    def _request(
        self, dialect: Dialect, messages: Sequence[Message], schema: Mapping[str, Any], hint: str | None, limit: int
    ) -> dict[str, Any]:
        request: dict[str, Any] = {"model": self._model, "messages": list(messages)}
        request |= {name: value for name, value in (("temperature", 0), ("seed", 7)) if name not in dialect.left_out}
        request[dialect.limit] = limit
        if dialect.form == "json_schema":
            form = {"name": "update_plan", "strict": True, "schema": schema}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        else:
            if hint:
                first = request["messages"][0]
                request["messages"][0] = first | {"content": f"{first['content']}\n\n{hint}"}
            if dialect.form == "json_object":
                request["response_format"] = {"type": "json_object"}
        return request

    def _post(self, request: dict[str, Any], timeout: float) -> bytes:
        """The reply's bytes. Read piece by piece, so that a server that drips is told from one that answers."""
        import openai

        with self._lock:
            if self._client is None:
                self._client = self._make_client()
            client = self._client
        # Errors while a body is read come as they are from the client's transport, whichever of the two it uses.
        transport = tuple(
            sys.modules[name].RequestError
            for name in ("httpx", "httpx2")
            if hasattr(sys.modules.get(name), "RequestError")
        )
        began = self._clock()
        parts: list[bytes] = []
        size = 0
        try:
            create = client.chat.completions.with_streaming_response.create
            with create(**request, extra_body=self._parameters or None, timeout=timeout) as response:
                for part in response.iter_bytes():
                    parts.append(part)
                    size += len(part)
                    if size > MAXIMUM_BYTES:
                        raise _Failure(ModelUnreachable(f"The reply is longer than {MAXIMUM_BYTES} bytes."))
                    if self._clock() - began > timeout:
                        raise _Failure(ModelUnreachable(f"The reply was not complete after {timeout:g} s."))
        except openai.APIStatusError as error:
            raise self._status_failure(error) from error
        except openai.APITimeoutError as error:
            raise _Failure(ModelUnreachable(f"No reply within {timeout:g} s.")) from error
        except openai.APIConnectionError as error:
            raise _Failure(ModelUnreachable(self._safe(f"No connection: {error.__cause__ or error}"))) from error
        except transport as error:
            raise _Failure(ModelUnreachable(self._safe(f"The connection was lost: {error!r}"))) from error
        return b"".join(parts)

    def _read(self, body: bytes, messages: Sequence[Message], meter: Meter) -> Reply:
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise _Failure(ModelUnreachable(f"The reply is no JSON: {body[:80]!r}.")) from error
        if isinstance(data, dict) and isinstance(data.get("error"), dict):  # some gateways say 200 to that
            detail = data["error"]
            said = self._safe(str(detail.get("message", detail)))
            code = str(detail.get("code"))
            raise _Failure(RateLimited(said) if code == "429" else ModelUnreachable(f"Error within the reply: {said}"))
        choice = _first(data.get("choices") if isinstance(data, dict) else None)
        message = choice.get("message") if choice is not None else None
        if choice is None or not isinstance(message, dict):
            raise _Failure(ModelUnreachable(f"The reply has no choices: {body[:80]!r}."))
        text = _text(message.get("content"))
        self._count(data.get("usage"), messages, text, meter)
        if message.get("refusal"):
            raise _Failure(ModelRefused(self._safe(f"The model refuses: {str(message['refusal'])[:300]}")))
        if choice.get("finish_reason") == "content_filter":
            raise _Failure(ModelRefused("The server's content filter withheld the answer."))
        model = data.get("model")
        return Reply(
            text, model if isinstance(model, str) and model else self._model, choice.get("finish_reason") == "length"
        )

    @staticmethod
    def _count(usage: Any, messages: Sequence[Message], text: str, meter: Meter) -> None:
        counted = usage if isinstance(usage, dict) else {}
        prompt, completion = counted.get("prompt_tokens"), counted.get("completion_tokens")
        if not isinstance(prompt, int):  # not every server counts
            prompt = sum(estimated_tokens(message["content"]) for message in messages)
        meter.prompt_tokens += prompt
        meter.completion_tokens += completion if isinstance(completion, int) else estimated_tokens(text)

    def _status_failure(self, error: Any) -> _Failure:
        status: int = error.status_code
        body = error.body if isinstance(error.body, dict) else {}
        inner = body.get("error")
        detail: dict[str, Any] = inner if isinstance(inner, dict) else body
        message = detail.get("message")
        said = self._safe(message if isinstance(message, str) else str(error.message))[:500]
        marks = f"{detail.get('code')} {detail.get('type')} {said}".lower()
        parameter = detail.get("param") if isinstance(detail.get("param"), str) else None
        if status == 429:
            if _OUT_OF_MONEY.search(marks):
                return _Failure(ModelRefused(f"The account's quota is used up (429): {said}"))
            wait = retry_after(error.response.headers, self._now())
            return _Failure(RateLimited(f"Too many requests (429): {said}", wait), wait)
        if status >= 500 or status in (408, 409, 425):
            wait = retry_after(error.response.headers, self._now())
            return _Failure(ModelUnreachable(f"The server failed ({status}): {said}"), wait)
        if status == 413 or (status in (400, 422) and _TOO_LONG.search(marks)):
            return _Failure(BudgetExceeded(f"The prompt is too long for the model ({status}): {said}"))
        refused = ModelRefused(f"The server refuses the request ({status}): {said}")
        return _Failure(refused, refused=(said, parameter) if status in (400, 422) else None)

    def _safe(self, text: str) -> str:
        return text.replace(self._secret, "***") if self._secret else text


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that a server asks to wait, said in seconds, milliseconds or as an HTTP date; None: it does not ask."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * unit
        except ValueError:
            try:
                moment = parsedate_to_datetime(value)
            except ValueError:
                continue
            seconds = ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now).total_seconds()
        if math.isfinite(seconds):
            return max(0.0, seconds)
    return None


def openai_client(base_url: str | None, api_key: str | None) -> Any:
    """A client without retries of its own.

    A server of one's own is never sent the key that the environment holds for OpenAI.

    :raises PlannerUnavailable: there is no key for OpenAI.
    """
    import openai

    key = api_key if api_key is not None or base_url is None else "none"
    try:
        return openai.OpenAI(base_url=base_url, api_key=key, max_retries=0)
    except openai.OpenAIError as error:
        raise PlannerUnavailable(
            "There is no API key: give api_key, or set COGNIFOLD_LLM_API_KEY (a local server needs only base_url)."
        ) from error


def _first(choices: Any) -> dict[str, Any] | None:
    return choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # parts, as some servers answer
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return ""
