"""A receiver of webhooks over real HTTP on a free port, that answers as a test wants.

::

    with Receiver() as receiver:
        receiver.will(fails(500), hangs())   # one answer a post, in this order; then 204 for every further one
        ...
        receiver.posts                       # what came, as it came
"""

from __future__ import annotations

import json
import ssl
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class Answer:
    status: int = 204
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    hangs: bool = False
    drips: bool = False


def fails(status: int, body: str = "", **headers: str) -> Answer:
    return Answer(status, {name.replace("_", "-"): value for name, value in headers.items()}, body.encode())


def hangs() -> Answer:
    return Answer(hangs=True)


def drips() -> Answer:
    """A byte now and then, so that no single read times out."""
    return Answer(drips=True)


@dataclass(frozen=True)
class Post:
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def said(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.body)
        return said

    @property
    def kind(self) -> str:
        return str(self.said["type"])


class Receiver:
    def __init__(self, certificate: Path | None = None, key: Path | None = None) -> None:
        self.posts: list[Post] = []
        self.agents: list[list[str]] = []  # every header user-agent of each post
        self.on_post: Callable[[Post], None] = lambda post: None
        self._answers: deque[Answer] = deque()
        self._closing = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", "0")))
                post = Post(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                receiver.agents.append(self.headers.get_all("user-agent", []))
                receiver.on_post(post)
                receiver.posts.append(post)
                answer = receiver._answers.popleft() if receiver._answers else Answer()
                if answer.hangs:
                    self.close_connection = True
                    receiver._closing.wait()
                    return
                if answer.drips:
                    self.close_connection = True
                    try:
                        while not receiver._closing.wait(0.02):
                            self.wfile.write(b"H")
                    except OSError:
                        pass
                    return
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)

            def do_GET(self) -> None:
                receiver.posts.append(Post(f"GET {self.path}", {}, b""))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if certificate is not None:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate, key)
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def will(self, *answers: Answer) -> None:
        self._answers.extend(answers)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/hook?of=intents"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
