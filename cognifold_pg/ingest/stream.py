"""The few words all readers share: a record, a bad record, a question, and the stream that yields them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cognifold_pg.experience import Experience


@dataclass(frozen=True, slots=True)
class Record:
    """One good record: ``number`` is its line (JSON Lines, CSV) or its place in the document, from 1."""

    number: int
    experience: Experience
    # True when it holds characters PostgreSQL cannot store (NUL, lone surrogates): the client replaces them.
    cleaned: bool = False


@dataclass(frozen=True, slots=True)
class BadRecord:
    """One record that cannot become an event, by its number and the reason in plain words."""

    number: int
    reason: str


Item = Record | BadRecord


@dataclass(frozen=True, slots=True)
class Question:
    """A question a stream brings along; ``evidence`` are idempotency keys of the events that answer it.

    Questions are asked, never remembered. ``category`` is the data set's own label (empty where it has none).
    """

    text: str
    evidence: tuple[str, ...] = ()
    answer: str | None = None
    category: str = ""
    # Whose conversation or which document it is about: the ``source`` of its events, where that is one.
    source: str | None = None


@dataclass(slots=True)
class Stream:
    """A file being read: iterate it once for its items; ``position`` of ``total`` says how far it is.

    ``unit`` says what both count: ``bytes`` for formats read line by line (never the whole file in memory),
    ``records`` for documents. ``notes`` are what a reader decided that the file does not say itself.
    """

    name: str
    format: str
    unit: str
    total: int
    read: Callable[[Stream], Iterator[Item]]
    position: int = 0
    notes: tuple[str, ...] = ()
    questions: tuple[Question, ...] = field(default=(), repr=False)

    def __iter__(self) -> Iterator[Item]:
        return self.read(self)
