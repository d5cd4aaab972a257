from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cognifold_pg.errors import InvalidValueError
from cognifold_pg.experience import Experience
from cognifold_pg.ingest import Stream, open_stream
from cognifold_pg.ingest.load import load


class Notebook:
    """A memory of lists: what was offered in which batch, under keys, and refused when it says "poison"."""

    def __init__(self) -> None:
        self.batches: list[tuple[str, list[str]]] = []
        self.keys: set[tuple[str, str | None]] = set()

    def remember(self, tenant: str, experiences: Sequence[Experience]) -> int:
        if any("poison" in experience.content for experience in experiences):
            raise InvalidValueError("the database refused it")
        self.batches.append((tenant, [experience.content for experience in experiences]))
        keys = {(tenant, experience.idempotency_key) for experience in experiences}
        new = len(keys - self.keys)
        self.keys |= keys
        return new


def stream_of(tmp_path: Path, *contents: str | None) -> Stream:
    path = tmp_path / "stream.jsonl"
    path.write_text("".join("{}\n" if c is None else f'{{"content": "{c}", "source": "{c[0]}"}}\n' for c in contents))
    return open_stream(path)


def test_every_record_is_accounted_for(tmp_path: Path) -> None:
    notebook = Notebook()
    report = load(stream_of(tmp_path, "a", None, "b", "poison", "c"), lambda _: "t", notebook.remember)
    assert (report.read, report.remembered, report.known) == (5, 3, 0)
    assert [bad.number for bad in report.bad] == [2, 4]
    assert not report.stopped
    again = load(stream_of(tmp_path, "a", None, "b", "poison", "c"), lambda _: "t", notebook.remember)
    assert (again.read, again.remembered, again.known, len(again.bad)) == (5, 0, 3, 2)


def test_records_go_in_batches_in_their_order(tmp_path: Path) -> None:
    notebook = Notebook()
    load(stream_of(tmp_path, "a", "b", "c", "d", "e"), lambda _: "t", notebook.remember, batch_size=2)
    assert notebook.batches == [("t", ["a", "b"]), ("t", ["c", "d"]), ("t", ["e"])]


def test_a_batch_of_long_texts_goes_before_it_is_full(tmp_path: Path) -> None:
    notebook = Notebook()
    load(stream_of(tmp_path, *["a" * 2_500_000] * 3), lambda _: "t", notebook.remember)
    assert [len(contents) for _, contents in notebook.batches] == [2, 1]


def test_a_tenant_that_takes_nothing_is_not_among_the_tenants(tmp_path: Path) -> None:
    report = load(stream_of(tmp_path, "poison", "b"), lambda e: f"t:{e.source}", Notebook().remember)
    assert report.tenants == ["t:b"]


def test_stopping_keeps_what_came_before_and_takes_nothing_after(tmp_path: Path) -> None:
    notebook = Notebook()
    report = load(stream_of(tmp_path, "a", "b", None, "c"), lambda _: "t", notebook.remember, on_error="stop")
    assert notebook.batches == [("t", ["a", "b"])]
    assert (report.read, report.remembered, report.stopped) == (3, 2, True)


def test_stopping_at_what_the_database_refuses_keeps_what_came_before(tmp_path: Path) -> None:
    notebook = Notebook()
    report = load(stream_of(tmp_path, "a", "poison", "c"), lambda _: "t", notebook.remember, on_error="stop")
    assert notebook.batches == [("t", ["a"])]
    assert (report.read, report.remembered, [bad.number for bad in report.bad]) == (2, 1, [2])


def test_each_tenant_gets_its_own_records(tmp_path: Path) -> None:
    notebook = Notebook()
    report = load(stream_of(tmp_path, "a1", "b1", "a2"), lambda e: f"t:{e.source}", notebook.remember)
    assert notebook.batches == [("t:a", ["a1", "a2"]), ("t:b", ["b1"])]
    assert report.tenants == ["t:a", "t:b"]
