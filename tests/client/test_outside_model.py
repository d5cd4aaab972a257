"""A tenant whose vectors come from a service over HTTP folds and recalls; models never mix."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.embedding import OpenAICompatibleEmbedder
from cognifold_pg.errors import DimensionMismatchError, EmbeddingModelMismatchError
from tests.conftest import Connection, value

# What the service thinks each word means: two directions, and none for anything else.
MEANINGS = {"disk": (1.0, 0.0, 0.0), "full": (1.0, 0.0, 0.0), "cat": (0.0, 1.0, 0.0), "sleeps": (0.0, 1.0, 0.0)}


class Service(BaseHTTPRequestHandler):
    """Answers POST /v1/embeddings with the sum of its words' meanings."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        data = []
        for place, text in enumerate(asked["input"]):
            meanings = [MEANINGS.get(word, (0.0, 0.0, 0.0)) for word in text.lower().split()]
            data.append(
                {"object": "embedding", "index": place, "embedding": [sum(c) for c in zip(*meanings, strict=True)]}
            )
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        body = json.dumps({"object": "list", "model": asked["model"], "data": data, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""


@pytest.fixture
def embedder() -> Iterator[OpenAICompatibleEmbedder]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        yield OpenAICompatibleEmbedder("tiny", 3, base_url=url, api_key="none")
        server.shutdown()


@pytest.fixture
def outside(
    admin: Connection, dsn: str, new_tenant: Callable[..., str], embedder: OpenAICompatibleEmbedder
) -> Iterator[Memory]:
    value(admin, "SELECT cognifold.register_model('tiny', 'openai', 3)")
    with Memory(dsn, tenant=new_tenant(model="tiny"), embedder=embedder) as memory:
        yield memory


def test_events_are_folded_and_recalled_by_the_services_vectors(outside: Memory) -> None:
    for text in ("disk full on monday", "disk full on tuesday", "cat sleeps"):
        outside.remember(text)
    assert [row.outcome for row in outside.fold()] == ["folded"] * 3
    found = outside.recall("full", kinds=["event"])
    assert {row.content for row in found[:2]} == {"disk full on monday", "disk full on tuesday"}
    assert found[0].cosine == pytest.approx(1, abs=1e-3)
    assert outside.check() == []


def test_an_event_waits_for_its_vector_and_is_not_folded_without(outside: Memory, dsn: str) -> None:
    outside.remember("disk full")
    with Memory(dsn, tenant=outside.tenant) as without:
        assert without.fold() == []
        assert [row["fold_state"] for row in without.rows("SELECT fold_state FROM cognifold.event")] == ["pending"]
    assert [row.outcome for row in outside.fold()] == ["folded"]


def test_a_text_without_direction_is_folded_and_found_by_its_words(outside: Memory) -> None:
    outside.remember("quarterly figures")
    outside.remember("disk full")
    assert [row.outcome for row in outside.fold()] == ["folded"] * 2
    found = outside.recall("full figures", kinds=["event"])
    assert {row.content: row.cosine is None for row in found} == {"quarterly figures": True, "disk full": False}


def test_a_question_without_vector_names_the_model_it_needs(outside: Memory) -> None:
    outside.embedder = None
    with pytest.raises(EmbeddingModelMismatchError, match="tiny"):
        outside.recall("disk")


def test_another_model_than_the_tenants_is_refused_by_both_names(
    outside: Memory, embedder: OpenAICompatibleEmbedder
) -> None:
    outside.embedder = OpenAICompatibleEmbedder("other", 3, client=embedder._client)
    outside.remember("disk full")
    with pytest.raises(EmbeddingModelMismatchError, match=r"(?s)'other'.*\"tiny\""):
        outside.fold()
    with pytest.raises(EmbeddingModelMismatchError, match=r"(?s)'other'.*\"tiny\""):
        outside.recall("disk")
    outside.embedder = embedder
    assert [row.outcome for row in outside.fold()] == ["folded"]


def test_vectors_of_another_length_are_refused_and_nothing_is_folded(
    outside: Memory, embedder: OpenAICompatibleEmbedder
) -> None:
    outside.remember("disk full")
    outside.embedder = OpenAICompatibleEmbedder("tiny", 4, client=embedder._client)
    with pytest.raises(DimensionMismatchError, match=r"4.*3"):
        outside.fold()
    outside.embedder = embedder
    assert [row.outcome for row in outside.fold()] == ["folded"]
