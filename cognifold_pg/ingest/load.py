"""Carry a stream into the memory in batches, and account for every record of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from cognifold_pg.errors import InvalidValueError
from cognifold_pg.experience import Experience
from cognifold_pg.ingest.stream import BadRecord, Record, Stream

OnError = Literal["skip", "stop"]

# Stores experiences for a tenant in one transaction and says how many of them were not known before. Raises
# InvalidValueError when the database refuses one of them; then none of the batch is stored.
Remember = Callable[[str, Sequence[Experience]], int]
TenantOf = Callable[[Experience], str]

# A batch travels as one JSON text: beyond this many characters it goes before it has its number of records.
_BATCH_CHARACTERS = 4_000_000


@dataclass(slots=True)
class Report:
    """What became of each record: ``read`` = ``remembered`` + ``known`` + the number of ``bad`` ones.

    ``known`` were in the memory already (an idempotency key seen before). ``tenants`` are those that
    hold at least one record of the stream, in the order they were first met. ``stopped``: a bad record ended the run.
    """

    read: int = 0
    remembered: int = 0
    known: int = 0
    cleaned: int = 0
    bad: list[BadRecord] = field(default_factory=list)
    tenants: list[str] = field(default_factory=list)
    stopped: bool = False


def load(
    stream: Stream,
    tenant_of: TenantOf,
    remember: Remember,
    on_error: OnError = "skip",
    batch_size: int = 200,
    on_progress: Callable[[Stream], None] = lambda stream: None,
) -> Report:
    """Remember every good record of ``stream`` and report on all of them.

    With ``on_error="stop"`` the first bad record ends the run; the records before it stay remembered, so that
    a second run over the mended file goes on where this one ended.
    """
    report = Report()
    waiting: dict[str, list[Record]] = {}
    count = characters = 0
    for item in stream:
        report.read += 1
        if isinstance(item, BadRecord):
            report.bad.append(item)
        else:
            report.cleaned += item.cleaned
            waiting.setdefault(tenant_of(item.experience), []).append(item)
            count += 1
            characters += len(item.experience.content)
            if count >= batch_size or characters >= _BATCH_CHARACTERS:
                _flush(waiting, remember, on_error, report)
                count = characters = 0
        if report.bad and on_error == "stop":
            break
        on_progress(stream)
    _flush(waiting, remember, on_error, report)
    report.stopped = on_error == "stop" and bool(report.bad)
    report.bad.sort(key=lambda record: record.number)
    on_progress(stream)
    return report


def _flush(waiting: dict[str, list[Record]], remember: Remember, on_error: OnError, report: Report) -> None:
    """Store what waits. A batch the database refuses goes in one by one, so that only bad ones are lost."""
    for tenant, records in waiting.items():
        try:
            _store(tenant, records, remember, report)
        except InvalidValueError:
            _one_by_one(tenant, records, remember, on_error, report)
    waiting.clear()


def _one_by_one(tenant: str, records: Sequence[Record], remember: Remember, on_error: OnError, report: Report) -> None:
    for place, record in enumerate(records):
        try:
            _store(tenant, [record], remember, report)
        except InvalidValueError as error:
            report.bad.append(BadRecord(record.number, str(error)))
            if on_error == "stop":
                # What came after the bad record was read but not offered: it does not count as read.
                report.read -= len(records) - place - 1
                return


def _store(tenant: str, records: Sequence[Record], remember: Remember, report: Report) -> None:
    new = remember(tenant, [record.experience for record in records])
    report.remembered += new
    report.known += len(records) - new
    if tenant not in report.tenants:
        report.tenants.append(tenant)
