"""What a demo replays: the shipped stream with what a person does in it, or a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from importlib.resources import as_file, files
from pathlib import Path
from zoneinfo import ZoneInfo

from cognifold_pg.experience import Experience
from cognifold_pg.ingest import BadRecord, Question, Record, Stream, open_stream

_SHIPPED = "bookbinder.jsonl"
_SHIPPED_ZONE = "Europe/Dublin"  # where Orla lives: dates in her texts are read there


@dataclass(frozen=True, slots=True)
class Answer:
    """What the person says to an intent as it emerges; ``wait`` is how long one that is deferred stays away."""

    answer: str
    note: str
    wait: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A concept the person writes down at the end of ``day``, resting on events named by idempotency key."""

    day: date
    title: str
    rests_on: Sequence[str]


@dataclass(frozen=True, slots=True)
class Show:
    """What is replayed: the events, the questions it brings, the tenant it lives in, and what a person does.

    ``answers`` go to the first intents in order, one each; the rest stay as they are.
    """

    name: str
    tenant: str
    experiences: Sequence[Experience]
    questions: Sequence[Question]
    bad: Sequence[BadRecord]
    time_zone: str = "UTC"
    answers: Sequence[Answer] = ()
    statements: Sequence[Statement] = ()

    @property
    def zone(self) -> ZoneInfo:
        """The tenant's time zone, in which times are shown."""
        return ZoneInfo(self.time_zone)


def shipped() -> Show:
    """Five weeks of a bookbinder."""
    folder = files("cognifold_pg.examples")
    with as_file(folder / _SHIPPED) as path:
        show = _show_of(open_stream(path), "demo")
    asked = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    return replace(
        show,
        questions=[Question(q["question"], tuple(q["rests_on"]), q["good_answer"]) for q in asked],
        time_zone=_SHIPPED_ZONE,
        answers=[
            Answer("accept", "Yes. I will see to it."),
            Answer("defer", "Not this week, ask me again.", timedelta(days=7)),
        ],
        # Folding has made this concept already. That the two are one, the sleep pass finds out.
        statements=[Statement(date(2026, 5, 17), "Running by the sea in the morning", ("orla-001", "orla-009"))],
    )


def show_from(path: Path) -> Show:
    """Any file that `cognifold ingest` reads, in a tenant named after the file and its content."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    # A tenant's name has 63 bytes.
    stem = path.stem.encode()[:40].decode("utf-8", "ignore")
    return _show_of(open_stream(path), f"demo:{stem}:{digest}")


def _show_of(stream: Stream, tenant: str) -> Show:
    items = list(stream)
    return Show(
        name=stream.name,
        tenant=tenant,
        experiences=[item.experience for item in items if isinstance(item, Record)],
        questions=[question for question in stream.questions if question.evidence],
        bad=[item for item in items if isinstance(item, BadRecord)],
    )
