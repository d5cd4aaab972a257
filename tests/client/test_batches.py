"""Many events at once: all or none, and each refused one named by its place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidValueError
from cognifold_pg.experience import Experience


def stream(number: int, bad: int | None = None) -> Iterator[Experience]:
    for n in range(number):
        yield Experience(f"entry {n}", idempotency_key=str(n), arousal=2 if n == bad else 0.5)


def test_more_events_than_a_batch_are_stored_in_order(memory: Memory) -> None:
    stored = memory.remember_many(stream(2100))
    assert (stored.new, stored.known, len(set(stored.ids))) == (2100, 0, 2100)
    kept = memory.rows("SELECT id, content FROM cognifold.event")
    assert {row["id"]: row["content"] for row in kept} == {id: f"entry {n}" for n, id in enumerate(stored.ids)}
    again = memory.remember_many(stream(2100))
    assert (again.new, again.known, again.ids) == (0, 2100, stored.ids)


# The last of 2,001 is a batch of its own, in which nothing else stands.
@pytest.mark.parametrize(("number", "bad"), [(1500, 7), (1500, 1200), (2001, 2000)])
def test_one_refused_event_is_named_by_its_place_and_none_is_stored(memory: Memory, number: int, bad: int) -> None:
    with pytest.raises(InvalidValueError, match=rf"^event {bad}: remember: arousal"):
        memory.remember_many(stream(number, bad))
    assert memory.rows("SELECT id FROM cognifold.event") == []


def test_a_stream_that_breaks_off_stores_nothing(memory: Memory) -> None:
    def broken() -> Iterator[Experience]:
        yield from stream(1100)
        raise OSError("the line went dead")

    with pytest.raises(OSError, match="went dead"):
        memory.remember_many(broken())
    assert memory.rows("SELECT id FROM cognifold.event") == []


def test_no_events_are_no_call(dsn: str) -> None:
    with Memory(dsn, tenant="nobody at all") as memory:
        assert memory.remember_many([]).ids == ()
