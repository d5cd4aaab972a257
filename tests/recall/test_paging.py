"""Page after page: nothing twice, nothing left out, whatever the page size and whatever is remembered meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidValueError
from cognifold_pg.experience import Experience
from tests.conftest import Connection, at
from tests.recall.conftest import CLOCK, TENANT
from tests.recall.model import Library, recalled

QUESTION = "the dog, the concert, the invoice and the driving test"
START = at("2026-01-01T00:00:00+00:00")


def paged(connection: Connection, query: str, size: int, **arguments: Any) -> list[dict[str, Any]]:
    """All rows, in pages of ``size``."""
    rows: list[dict[str, Any]] = []
    while page := recalled(connection, query, size, seen=[row["node_id"] for row in rows], **arguments):
        assert len(page) <= size
        rows += page
    return rows


@pytest.fixture(scope="module")
def choir(dsn: str) -> str:
    """A tenant of ninety memories, forty of which tie in their score, and a question has twenty candidates at first."""
    tenant = "the choir"
    with Memory(dsn, tenant=tenant, clock=START + timedelta(days=3650)) as memory:
        memory.create_tenant()
        memory.rows("SELECT cognifold.set_setting('fold.minimum_information', 100)")
        memory.rows("SELECT cognifold.set_setting('recall.candidates', 20)")
        memory.remember_many(
            Experience(
                "The choir sang Bach" if n < 40 else f"The choir sang piece {n} by Bach on evening {n}",
                occurred_at=START + timedelta(hours=2 * (n % 10)), source=f"stage {n}",
            )
            for n in range(90)
        )  # fmt: skip
        memory.fold_all(batch=100)
    return tenant


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10, 50])
def test_pages_of_any_size_are_the_one_long_list_cut_up(reader: Connection, library: Library, size: int) -> None:
    everything = recalled(reader, QUESTION, 200)
    assert 25 < len(everything) < 200
    assert paged(reader, QUESTION, size) == everything


@pytest.mark.parametrize("size", [1, 3, 8, 20])
def test_ties_are_cut_up_in_one_order(choir: str, connect: Callable[..., Connection], size: int) -> None:
    connection = connect(choir, now="2035-12-30T00:00:00+00:00")
    first = recalled(connection, "choir Bach", 20)
    assert len({row["score"] for row in first}) == 1
    again: list[dict[str, Any]] = []
    while len(again) < 20:
        left = min(size, 20 - len(again))
        again += recalled(connection, "choir Bach", left, seen=[row["node_id"] for row in again])
    assert again == first


@pytest.mark.parametrize("size", [7, 13])
def test_beyond_the_candidates_of_one_question_nothing_comes_twice_and_nothing_is_left_out(
    choir: str, connect: Callable[..., Connection], size: int
) -> None:
    connection = connect(choir, now="2035-12-30T00:00:00+00:00")
    ids = [row["node_id"] for row in paged(connection, "choir Bach", size)]
    assert len(ids) == len(set(ids)) == 90
    assert set(ids) == {row["node_id"] for row in recalled(connection, "choir Bach", 1000)}


def test_what_is_seen_drops_out_and_changes_no_score(reader: Connection, library: Library) -> None:
    everything = recalled(reader, QUESTION, 200)
    seen = [row["node_id"] for row in everything[::3]]
    rest = [row for row in everything if row["node_id"] not in seen]
    assert recalled(reader, QUESTION, 150, seen=seen) == rest
    nobody: list[Any] = [UUID(int=1), None]
    assert recalled(reader, QUESTION, 200, seen=nobody) == everything
    assert recalled(reader, QUESTION, 200, seen=[]) == everything


def test_paging_goes_with_every_narrowing(reader: Connection, library: Library) -> None:
    arguments = {"kinds": ["event"], "actors": ["Maria Silva", "Tom"], "minimum_score": 0.05}
    assert paged(reader, QUESTION, 4, **arguments) == recalled(reader, QUESTION, 200, **arguments)


def test_the_client_pages_while_another_session_remembers(memory: Memory, dsn: str) -> None:
    first = memory.remember_many(
        Experience(f"The glacier lost {n} metres", source=f"station {n}", occurred_at=START) for n in range(12)
    ).ids
    memory.fold_all(batch=100)
    shown: list[UUID] = []
    with Memory(dsn, tenant=memory.tenant) as other:
        for number, page in enumerate(memory.recall_pages("glacier metres lost", 5, kinds=["event"])):
            shown += [row.node_id for row in page]
            if number < 2:  # ranks better than all: the newest, and it is found at once
                other.remember(f"The glacier lost {number + 100} metres", source=f"late {number}")
    assert len(shown) == len(set(shown)) == 14
    assert set(first) < set(shown)


def test_the_clients_pages_are_those_of_sql(dsn: str, reader: Connection, library: Library) -> None:
    with Memory(dsn, tenant=TENANT, clock=CLOCK, learn=False) as memory:
        pages = list(memory.recall_pages(QUESTION, 6, kinds=["event"]))
        rest = list(memory.recall_pages(QUESTION, 6, kinds=["event"], seen=[row.node_id for row in pages[0]]))
        assert rest == pages[1:]
        with pytest.raises(InvalidValueError, match="k = 0 is not between"):
            next(memory.recall_pages(QUESTION, 0))
        with pytest.raises(InvalidValueError, match="page_size = 'x'"):
            next(memory.recall_pages(QUESTION, "x"))  # type: ignore[arg-type]
    assert [row.node_id for page in pages for row in page] == [
        row["node_id"] for row in recalled(reader, QUESTION, 200, kinds=["event"])
    ]
    assert {len(page) for page in pages[:-1]} == {6}
