"""However many events a call of fold takes, the graph is the one that folding one by one makes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import cycle
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.conftest import Connection
from tests.fold.stream import START, graph

TEXTS = (
    "The postgres pool is exhausted on the checkout service",
    "Postgres pool exhausted again, checkout is slow",
    "Checkout failed: no connection left in the postgres pool",
    "Marta rents the pottery kiln on Saturday",
    "The pottery kiln cracked two of Marta's bowls",
    "Marta fired the bowls in the kiln again",
    "The permit for the sea wall is due by Friday",
    "Lunch at the harbour",
    "Take care, bye!",
)
# What a batch keeps between its events is who spoke and when, so both vary.
streams = st.lists(
    st.tuples(st.sampled_from(TEXTS), st.sampled_from((None, "Ada", "Boris")), st.integers(1, 4)),
    min_size=6,
    max_size=9,
)
batches = st.lists(st.integers(2, 5), min_size=1, max_size=3)


def events(stream: Sequence[tuple[str, str | None, int]]) -> list[Experience]:
    """The stream as it is remembered; the last number of each is the hours since the one before."""
    said, moment = [], START
    for place, (text, actor, hours) in enumerate(stream):
        moment += timedelta(hours=hours)
        said.append(Experience(text, occurred_at=moment, source="notes", actor=actor, idempotency_key=str(place)))
    return said


def folded(connection: Connection, name: str, said: Sequence[Experience], sizes: Sequence[int]) -> list[Any]:
    """The graph of a new tenant that was told all of it, and folded so many events a call, in turns."""
    memory = Memory.joined(connection, tenant=name)
    memory.create_tenant()
    memory.remember_many(said)
    for size in cycle(sizes):
        outcomes = memory.fold(size)
        if not outcomes:
            return graph(memory)
        assert {row.outcome for row in outcomes} == {"folded"}
    raise AssertionError("no size was given")


@pytest.fixture(scope="module")
def session(dsn: str) -> Iterator[Connection]:
    """One session for all examples: it plans each statement once."""
    with psycopg.connect(dsn) as connection:
        yield connection


@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(stream=streams, sizes=batches)
def test_the_size_of_its_batches_does_not_change_what_a_stream_folds_into(
    session: Connection, stream: list[tuple[str, str | None, int]], sizes: list[int]
) -> None:
    said = events(stream)
    with session.transaction(force_rollback=True):
        one_by_one = folded(session, "one by one", said, [1])
        assert {edge["type"] for edge in one_by_one if "type" in edge}, "the stream folds into something"
        assert folded(session, "in batches", said, sizes) == one_by_one
