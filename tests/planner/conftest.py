"""A scripted model server, requests to plan for, and a planner whose waiting costs no time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from cognifold_pg.planner import FoldRequest, KnownNode, LanguagePlanner, WaitingEvent
from tests.planner.server import ModelServer

MORNING = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)  # a Monday


def uuid(number: int) -> UUID:
    return UUID(int=number)


def event(number: int, content: str, **fields: Any) -> WaitingEvent:
    values: dict[str, Any] = {
        "title": content[:40],
        "occurred_at": MORNING + timedelta(hours=number),
        "actor": "Ann",
        "source": "chat",
        "payload": None,
    }
    return WaitingEvent(id=uuid(number), content=content, **values | fields)


def node(number: int, title: str, kind: str = "concept", **fields: Any) -> KnownNode:
    values: dict[str, Any] = {
        "content": title,
        "occurred_at": MORNING - timedelta(days=number),
        "evidence_count": 3 if kind == "concept" else None,
        "score": 0.5,
    }
    return KnownNode(id=uuid(number), kind=kind, title=title, **values | fields)


def fold_request(*contents: str, **fields: Any) -> FoldRequest:
    """Events 1, 2, ...; candidates: concepts 101 and 102; context: event 201, intent 202 and time 203."""
    events = tuple(event(number, content) for number, content in enumerate(contents or ("My knee hurts again.",), 1))
    values: dict[str, Any] = {
        "tenant": "acme",
        "time_zone": "Europe/Berlin",
        "version": 7,
        "events": events,
        "context": (
            node(201, "Ann ran 30 km on Sunday.", "event"),
            node(202, "See a doctor about the knee", "intent"),
            node(203, "Berlin marathon", "time"),
        ),
        "candidates": (node(101, "Ann's knee pain"), node(102, "Ann's marathon training")),
    }
    return FoldRequest(**values | fields)


class Waits:
    """A clock that only waiting moves on, and the waits themselves."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds

    def clock(self) -> float:
        return self.seconds


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def planner(server: ModelServer, waits: Waits) -> Callable[..., LanguagePlanner]:
    """Makes a planner of the scripted server; its jitter is nothing unless said otherwise."""

    def make(**options: Any) -> LanguagePlanner:
        values: dict[str, Any] = {
            "sleep": waits.sleep,
            "clock": waits.clock,
            "random": lambda: 0.0,
            "now": lambda: MORNING,
            "timeout": 5.0,
        }
        return LanguagePlanner("scripted", server.base_url, **values | options)

    return make
