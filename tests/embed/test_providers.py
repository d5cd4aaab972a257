"""Providers of embeddings: what they refuse, and how an OpenAI-compatible service is spoken to."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest

from cognifold_pg.embedding import (
    EmbeddingProvider,
    LexiconEmbedder,
    OpenAICompatibleEmbedder,
    ProviderUnavailableError,
    unit_rows,
)
from cognifold_pg.embedding.openai_compatible import TEXTS_AT_ONCE
from cognifold_pg.errors import DimensionMismatchError, ZeroVectorError


class Service(BaseHTTPRequestHandler):
    """Answers each text with (its length, 1, 0), the vectors in reverse order; notes what it was asked."""

    requests: list[dict[str, Any]]

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(asked | {"path": self.path, "authorization": self.headers["Authorization"]})
        data = [
            {
                "object": "embedding",
                "index": place,
                "embedding": [0, 0, 0] if text == "zero" else [len(text), 1, 0],
            }
            for place, text in enumerate(asked["input"])
        ]
        answer = {"object": "list", "model": asked["model"], "data": data[::-1], "usage": {}}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the tests' screen."""


@pytest.fixture
def service() -> Iterator[str]:
    """The base URL of a service on this machine that speaks the embeddings protocol."""
    Service.requests = []
    with HTTPServer(("127.0.0.1", 0), Service) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def provider(service: str, dimensions: int = 3) -> OpenAICompatibleEmbedder:
    return OpenAICompatibleEmbedder("small", dimensions, base_url=service, api_key="key")


def test_vectors_come_in_the_order_of_the_texts_and_have_length_one(service: str) -> None:
    vectors = provider(service).embed(["four", "sixsix"], "query")
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[4, 1, 0], [6, 1, 0]]) / np.sqrt([[17], [37]]), abs=1e-6)
    (asked,) = Service.requests
    assert (asked["path"], asked["model"], asked["input"]) == ("/v1/embeddings", "small", ["four", "sixsix"])
    assert asked["authorization"] == "Bearer key"


def test_many_texts_go_in_several_requests(service: str) -> None:
    texts = ["x" * (1 + number % 5) for number in range(TEXTS_AT_ONCE + 1)]
    vectors = provider(service).embed(texts)
    assert [len(asked["input"]) for asked in Service.requests] == [TEXTS_AT_ONCE, 1]
    assert vectors[:, 0] / vectors[:, 1] == pytest.approx([len(text) for text in texts], rel=1e-5)


def test_no_text_asks_nothing(service: str) -> None:
    assert provider(service).embed([]).shape == (0, 3)
    assert Service.requests == []


def test_other_dimensions_than_registered_are_refused_with_both_numbers(service: str) -> None:
    with pytest.raises(DimensionMismatchError, match=r"'small' is registered with 4 dimensions but answered with 3"):
        provider(service, dimensions=4).embed(["text"])


def test_a_vector_without_direction_is_refused_with_its_position(service: str) -> None:
    with pytest.raises(ZeroVectorError, match="Text 1 of 2"):
        provider(service).embed(["text", "zero"])


def test_an_empty_text_is_refused_before_anything_is_sent(service: str) -> None:
    with pytest.raises(ZeroVectorError, match="Text 0 of 2 is empty"):
        provider(service).embed([" \n", "text"])
    assert Service.requests == []


def test_lone_surrogates_and_nul_do_not_break_the_request(service: str) -> None:
    provider(service).embed(["a\ud800b\0c"])
    assert Service.requests[0]["input"] == ["a?b c"]


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ProviderUnavailableError, match=r"cognifold-pg\[openai\]"):
        OpenAICompatibleEmbedder()


def test_every_provider_fits_the_interface(service: str, embedder: LexiconEmbedder) -> None:
    for one in (embedder, provider(service)):
        assert isinstance(one, EmbeddingProvider)
        assert one.embed(["some words"]).shape == (1, one.dimensions)
    assert (embedder.name, embedder.dimensions) == ("lexicon", 256)


@pytest.mark.parametrize("bad", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0]])
def test_a_row_without_direction_is_never_scaled(bad: list[float]) -> None:
    with pytest.raises(ZeroVectorError, match="Text 1 of 2 has no direction in model 'm'"):
        unit_rows([[1.0, 2.0], bad], "m")


def test_rows_of_another_length_are_refused() -> None:
    with pytest.raises(DimensionMismatchError, match="with 3 dimensions"):
        unit_rows([[1.0, 2.0]], "m", 3)
