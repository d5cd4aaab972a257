"""A model server that says what a test wants: OpenAI's chat protocol over real HTTP on a free port.

::

    with ModelServer() as server:
        server.will(fails(503), cut(), says('{"reasoning": "..."}'))   # one answer a request, in this order
        server.otherwise = one_concept                                       # and then, for every further request
        planner = LanguagePlanner("scripted", base_url=server.base_url, ...)

``server.requests`` holds what was asked. Nothing sleeps: a request that hangs does so until its client hangs up or
the server closes.
"""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What goes over the wire: a status, headers and a body; or less than that."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    hangs: bool = False  # nothing is answered at all
    drips: bool = False  # the body comes byte by byte, slowly, and does not end
    cut_after: int | None = None  # bytes of the body after which the connection is reset


@dataclass(frozen=True)
class Asked:
    """One request as the server received it."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """All messages as one text."""
        return "\n".join(str(message["content"]) for message in self.body["messages"])

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of the batch as the model is shown them: name, at, content, ..."""
        return self._lines("events")

    @property
    def memory(self) -> list[dict[str, Any]]:
        """The nodes shown: candidates (c1, ...) and context (n1, ...)."""
        return self._lines("memory")

    def _lines(self, block: str) -> list[dict[str, Any]]:
        found = re.findall(rf"^<{block}>\n(.*?)^</{block}>$", self.prompt, re.DOTALL | re.MULTILINE)
        return [json.loads(line) for line in found[-1].splitlines()] if found else []


Script = Callable[[Asked], Answer]


def says(
    text: str | None,
    *,
    finish_reason: str = "stop",
    refusal: str | None = None,
    prompt_tokens: int = 100,
    completion_tokens: int = 10,
) -> Answer:
    """The model answers with a text."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    return Answer(
        body={
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": "scripted-1",
            "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
            "usage": {
                "prompt_tokens": prompt_tokens,
                "completion_tokens": completion_tokens,
                "total_tokens": prompt_tokens + completion_tokens,
            },
        }
    )


def plans(
    *operations: dict[str, Any],
    reasoning: str = "because the test says so",
    prompt_tokens: int = 100,
    completion_tokens: int = 10,
) -> Answer:
    """The model answers with a plan of these operations."""
    text = json.dumps({"reasoning": reasoning, "operations": list(operations)})
    return says(text, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)


def refuses(text: str = "I can't help with that.") -> Answer:
    """The model declines, as OpenAI says it."""
    return says(None, refusal=text)


def fails(
    status: int, message: str = "scripted failure", headers: Mapping[str, str] | None = None, **error: Any
) -> Answer:
    """The server answers with an error."""
    body = {"error": {"message": message, "type": "scripted", "param": None, "code": None} | error}
    return Answer(status=status, body=body, headers=headers or {})


def hangs() -> Answer:
    """The server takes the request and never answers."""
    return Answer(hangs=True)


def drips() -> Answer:
    """The server sends a byte now and then, so that no single read ever times out."""
    return Answer(drips=True)


def cut(after: int = 40) -> Answer:
    """The connection is reset after some bytes of a good answer."""
    good = plans()
    return Answer(status=good.status, body=good.body, cut_after=after)


def one_concept(asked: Asked) -> Answer:
    """A small valid plan whatever is asked: one concept that all the batch's events ground."""
    names = [event["name"] for event in asked.events]
    return plans(
        {
            "op": "ADD_NODE",
            "reasoning": "they belong together",
            "grounded_in": names,
            "kind": "concept",
            "ref": "new1",
            "title": f"what {asked.events[0].get('actor') or 'somebody'} said: {asked.events[0]['content'][:60]}",
        }
    )


class ModelServer:
    """The server, in a thread of its own; a context manager."""

    def __init__(self) -> None:
        self.requests: list[Asked] = []
        self.otherwise: Script | Answer | None = None
        self._answers: deque[Script | Answer] = deque()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", "0"))
                body = json.loads(self.rfile.read(length))
                asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                self._give(server._next(asked))

            def _give(self, answer: Answer) -> None:
                if answer.hangs:
                    self.close_connection = True
                    self.connection.settimeout(0.05)  # look now and then whether anybody still waits
                    while not server._closing.is_set():
                        try:
                            if not self.connection.recv(1):
                                return  # the client hung up
                        except TimeoutError:
                            continue
                        except OSError:
                            return
                    return
                if answer.drips:
                    self.close_connection = True
                    self.send_response(200)
                    self.send_header("content-type", "application/json")
                    self.end_headers()
                    try:
                        while not server._closing.wait(0.02):
                            self.wfile.write(b" ")
                            self.wfile.flush()
                    except OSError:
                        pass
                    return
                body = answer.body
                data = (
                    body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
                )
                self.send_response(answer.status)
                for name, value in ({"content-type": "application/json"} | dict(answer.headers)).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if answer.cut_after is None:
                    self.wfile.write(data)
                    return
                self.wfile.write(data[: answer.cut_after])
                self.wfile.flush()
                # A reset, not an orderly end: what a dying server or a middlebox does.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        """What a planner takes as ``base_url``."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def will(self, *answers: Script | Answer) -> None:
        """Queue answers, one a request."""
        with self._lock:
            self._answers.extend(answers)

    def close(self) -> None:
        """Release what hangs and stop."""
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> ModelServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _next(self, asked: Asked) -> Answer:
        with self._lock:
            self.requests.append(asked)
            answer = self._answers.popleft() if self._answers else self.otherwise
        if answer is None:
            return fails(500, "the test has no answer left for this request")
        return answer if isinstance(answer, Answer) else answer(asked)
