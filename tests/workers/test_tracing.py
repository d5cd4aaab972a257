"""Spans say whose work it was, how much and how it ended, and nothing that a memory holds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import psycopg
import pytest

from cognifold_pg import tracing
from cognifold_pg.client import Memory
from cognifold_pg.planner import LanguagePlanner
from cognifold_pg.workers.folding import fold_tenant, working_connection
from cognifold_pg.workers.schedule import do_due
from tests.conftest import Connection
from tests.planner.server import ModelServer, fails, one_concept
from tests.workers.test_folding import remember, worker_dsn

__all__ = ["worker_dsn"]

sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="opentelemetry-sdk is not installed")
from opentelemetry.sdk.trace import ReadableSpan  # noqa: E402
from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: E402
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter  # noqa: E402
from opentelemetry.trace import SpanKind, StatusCode  # noqa: E402

Spans = Callable[[], list[ReadableSpan]]


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[Spans]:
    """What has been traced so far, in the order of its end."""
    exporter = InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(tracing, "tracer", lambda: provider.get_tracer("test"))
    yield lambda: list(exporter.get_finished_spans())
    provider.shutdown()


def test_a_turn_of_folding_is_a_span_with_its_tenant_and_number(
    spans: Spans, worker_dsn: str, dsn: str, tenant: str
) -> None:
    remember(dsn, tenant, "The kettle is broken", "The kettle leaks")
    assert fold_tenant(worker_dsn, tenant) == 2
    (fold,) = spans()
    assert fold.name == "fold"
    assert dict(fold.attributes or {}) == {
        "cognifold.tenant": tenant, "cognifold.planner": "sql", "cognifold.events": 2,
    }  # fmt: skip
    assert fold.status.status_code is StatusCode.UNSET


def test_a_call_of_a_model_is_a_span_within_its_fold_whether_it_is_answered_or_not(
    spans: Spans, worker_dsn: str, dsn: str, tenant: str
) -> None:
    remember(dsn, tenant, "The kettle is broken")
    with ModelServer() as server:
        server.will(fails(503))
        server.otherwise = one_concept
        planner = LanguagePlanner("scripted", base_url=server.base_url, retries=1, timeout=30)
        assert fold_tenant(worker_dsn, tenant, planner=planner) == 1
    failed, answered, fold = spans()
    assert failed.name == answered.name == "chat scripted"
    assert failed.kind is answered.kind is SpanKind.CLIENT
    assert failed.status.status_code is StatusCode.ERROR
    assert (failed.attributes or {})["error.type"] == "ModelUnreachable"
    about = dict(answered.attributes or {})
    assert about["gen_ai.operation.name"] == "chat"
    assert about["gen_ai.request.model"] == "scripted"
    assert about["gen_ai.usage.input_tokens"] == 100
    assert about["gen_ai.usage.output_tokens"] == 10
    assert fold.context is not None
    assert answered.parent is not None and answered.parent.span_id == fold.context.span_id
    assert (fold.attributes or {})["cognifold.planner"] == "llm"


def test_a_job_is_a_span(spans: Spans, worker_dsn: str, dsn: str, tenant: str) -> None:
    with Memory(dsn, tenant=tenant) as memory:
        memory.rows("SELECT cognifold.ask_job('consolidate')")
    with working_connection(worker_dsn) as connection:
        do_due(worker_dsn, connection)
    jobs = [row for row in spans() if (row.attributes or {}).get("cognifold.tenant") == tenant]
    assert [row.name for row in jobs] == ["job consolidate"]


def test_a_tenant_that_is_busy_is_no_error_and_a_fault_says_its_class_and_not_its_words(
    spans: Spans, worker_dsn: str, dsn: str, tenant: str, connect: Callable[..., Connection]
) -> None:
    remember(dsn, tenant, "The kettle is broken")
    holding = connect(tenant)
    with holding.transaction():
        holding.execute("""SELECT cognifold.apply_plan('{"operations": []}')""")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            fold_tenant(worker_dsn, tenant)
    with pytest.raises(psycopg.errors.InvalidTextRepresentation), tracing.span("fold", {"cognifold.tenant": tenant}):
        holding.execute("SELECT 'a secret of the kettle'::integer")
    busy, faulty = spans()
    assert busy.status.status_code is StatusCode.UNSET
    assert (busy.attributes or {})["error.type"] == "55P03"
    assert faulty.status.status_code is StatusCode.ERROR
    assert (faulty.attributes or {})["error.type"] == "22P02"
    assert "kettle" not in busy.to_json() + faulty.to_json()
    assert faulty.events == ()


def test_without_opentelemetry_nothing_is_traced_and_all_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    assert tracing.tracer() is None
    with tracing.span("fold", {"cognifold.tenant": "acme"}) as noted:
        noted.note({"cognifold.events": 1})
