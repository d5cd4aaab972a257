"""Documents that hold a whole stream: the CogniFold timeline and the scenario with its gold answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from cognifold_pg.ingest.fields import BadFieldError, Reading, read_time, to_experience
from cognifold_pg.ingest.stream import BadRecord, Item, Question, Record, Stream

# What of a scenario's event is the event itself; everything else in it is gold and must not enter the memory.
_SCENARIO_FIELDS = ("timestamp", "source", "actor", "title", "description")


def open_timeline(name: str, document: Mapping[str, Any], reading: Reading) -> Stream:
    """A CogniFold timeline: ``{"timeline_id", "events": [{event_id, timestamp, title, description, ...}]}``.

    An event lasts its ``duration_minutes``; its actor is the timeline's persona or work profile; type, place
    and whatever else it says go to the payload. An event without a description is its title.
    """
    events = _events_of(document)
    origin = str(document.get("timeline_id") or name)
    actor = _named(document.get("persona")) or _named(document.get("work_profile"))

    def fields_of(event: Mapping[str, Any]) -> dict[str, Any]:
        raw = dict(event)
        raw.setdefault("source", document.get("source") or "timeline")
        if actor is not None:
            raw.setdefault("actor", actor)
        if not raw.get("description"):
            raw["description"] = raw.get("title")
        minutes = raw.get("duration_minutes")
        if isinstance(minutes, int | float) and not isinstance(minutes, bool) and minutes > 0:
            start = read_time(raw.get("timestamp"), reading.zone, "timestamp")
            try:
                raw["ended_at"] = (start + timedelta(minutes=minutes)).isoformat()
            except (OverflowError, ValueError):
                raise BadFieldError(f"duration_minutes {minutes!r} ends outside the years 1 to 9999") from None
        return raw

    def read(stream: Stream) -> Iterator[Item]:
        for number, event in enumerate(events, start=1):
            stream.position = number
            yield _item(number, event, origin, fields_of, reading)

    return Stream(name=name, format="timeline", unit="records", total=len(events), read=read)


def open_scenario(name: str, document: Mapping[str, Any], reading: Reading) -> Stream:
    """A scenario: events with gold concepts, chains, intents and questions beside them.

    Only the time, source, actor, title and description of an event are read into the memory. The questions
    come along on the stream, to be asked.
    """
    events = _events_of(document)
    origin = str(document.get("scenario_id") or name)

    def fields_of(event: Mapping[str, Any]) -> dict[str, Any]:
        return {key: event[key] for key in _SCENARIO_FIELDS if key in event}

    def read(stream: Stream) -> Iterator[Item]:
        for number, event in enumerate(events, start=1):
            stream.position = number
            yield _item(number, event, origin, fields_of, reading)

    questions = tuple(_questions_of(document, origin))
    return Stream(name=name, format="scenario", unit="records", total=len(events), read=read, questions=questions)


def _item(number: int, event: Any, origin: str, fields_of: Any, reading: Reading) -> Item:
    if not isinstance(event, Mapping):
        return BadRecord(number, "not a JSON object")
    # The document names its events; one it forgot to name goes by its place.
    key = f"{origin}:{event.get('event_id') or number}"
    try:
        experience, cleaned = to_experience(fields_of(event), reading, key)
    except BadFieldError as error:
        return BadRecord(number, f"{key}: {error}")
    return Record(number, experience, cleaned)


def _questions_of(document: Mapping[str, Any], origin: str) -> Iterator[Question]:
    for question in document.get("questions") or ():
        if isinstance(question, Mapping) and question.get("question"):
            answer = question.get("answer")
            yield Question(
                text=str(question["question"]),
                evidence=tuple(f"{origin}:{event}" for event in question.get("evidence_event_ids") or ()),
                answer=None if answer is None else str(answer),
                category=str(question.get("type") or ""),
            )


def _events_of(document: Mapping[str, Any]) -> list[Any]:
    events = document.get("events")
    return events if isinstance(events, list) else []


def _named(owner: object) -> str | None:
    if isinstance(owner, Mapping) and isinstance(owner.get("name"), str):
        return str(owner["name"])
    return None
