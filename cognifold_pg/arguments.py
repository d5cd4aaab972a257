"""What a caller gives, checked and written as the database reads it; what is wrong is named with its remedy."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from cognifold_pg.errors import InvalidValueError
from cognifold_pg.experience import Experience


def vector_notation(vector: Iterable[float]) -> str:
    """A vector as pgvector writes it."""
    return "[" + ",".join(f"{number:.8g}" for number in vector) + "]"


def clean(text: str) -> str:
    """The text as PostgreSQL can hold it: NUL and lone surrogates become U+FFFD, the replacement character."""
    # By way of UTF-16, in which a pair of surrogates is one character and a lone one is the error it is.
    return text.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def as_json(name: str, value: Any) -> Any:
    """The value as JSON can hold it; ``name`` is where it stands, for the error."""
    try:
        return clean_json(name, value)
    except RecursionError:
        raise InvalidValueError(f"{name} is nested too deeply, or contains itself. Give a tree of JSON.") from None


def clean_json(name: str, value: Any) -> Any:
    """The value as JSON can hold it; ``name`` is where it stands, for the error."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, dict):
        return {clean(str(key)): clean_json(f"{name}.{key}", item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean_json(f"{name}[{place}]", item) for place, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidValueError(f"{name} = {value} is not a number of JSON. Give a finite number, or leave it out.")
    if not isinstance(value, int | float | None):
        raise InvalidValueError(
            f"{name} = {value!r} is of type {type(value).__name__}, which JSON does not have. "
            "Write it as text or number."
        )
    return value


def check_tenant(tenant: str) -> None:
    """Refuse a name PostgreSQL cannot hold."""
    if tenant != checked_text("tenant", tenant):
        raise InvalidValueError(f"tenant = {tenant!r} holds a character PostgreSQL can't store. Leave it out.")


def checked_text(name: str, value: str) -> str:
    """The text, cleaned; raises InvalidValueError for anything else."""
    if not isinstance(value, str):
        raise InvalidValueError(f"{name} = {value!r} is of type {type(value).__name__}, not a text. Give a str.")
    return clean(value)


def checked_texts(name: str, values: Iterable[str] | None) -> list[str] | None:
    """A filter's texts; one text is refused, whose letters it would be taken for."""
    if values is None:
        return None
    if isinstance(values, str):
        raise InvalidValueError(f"{name} = {values!r} is one text, not a list of them. Write {name}=[{values!r}].")
    if not isinstance(values, Iterable):
        raise InvalidValueError(f"{name} = {values!r} is not a list of texts. Write {name}=['...'].")
    return [checked_text(f"{name}[{place}]", value) for place, value in enumerate(values)]


def check_int(name: str, value: int, bits: int = 32) -> None:
    """Refuse what is no whole number of so many bits, four bytes' by default."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 2 ** (bits - 1):
        raise InvalidValueError(f"{name} = {value!r} is not a whole number the database can count with. Give an int.")


def checked_number(name: str, value: float) -> float:
    """The number, or an error that names what was given."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InvalidValueError(f"{name} = {value!r} is of type {type(value).__name__}. Give a number.")
    return value


def checked_uuid(name: str, value: UUID | str) -> UUID:
    """A node's id, from text too."""
    try:
        return value if isinstance(value, UUID) else UUID(value)
    except (ValueError, AttributeError, TypeError):
        raise InvalidValueError(f"{name} = {value!r} is not a uuid. Give one, as a UUID or as text.") from None


def checked_uuids(values: Iterable[UUID | str], name: str = "event_ids") -> list[UUID]:
    """Ids of nodes, from text too; a single one is refused."""
    if isinstance(values, str | UUID) or not isinstance(values, Iterable):
        raise InvalidValueError(f"{name} = {values!r} is no list of ids. Write {name}=[...].")
    return [checked_uuid(f"{name}[{place}]", value) for place, value in enumerate(values)]


class WatchOptions(TypedDict, total=False):
    """What ``watch`` can be told besides the table and the content, by the arguments' names in SQL."""

    title: str | None
    occurred_at: str | None
    actor: str | None
    tenants: str | None
    deadline: str | None
    source_key: str | None
    payload: list[str] | None
    only_if: str | None
    operations: list[str] | None
    changed: list[str] | None
    content_of_update: str | None
    on_delete: str | None
    content_of_delete: str | None
    source: str | None
    name: str | None
    path: str | None


class Narrowing(TypedDict, total=False):
    """What a recall is narrowed to, by the arguments' names in SQL; what is left out or None narrows nothing."""

    kinds: Iterable[str] | None
    since: datetime | None
    until: datetime | None
    actors: Iterable[str] | None
    sources: Iterable[str] | None
    memory_types: Iterable[str] | None
    privacy_levels: Iterable[str] | None
    minimum_score: float
    as_of: datetime | None
    known_at: datetime | None
    seen: Iterable[UUID | str] | None


def checked_narrowing(narrowing: Narrowing) -> dict[str, Any]:
    """The arguments as the database takes them, without those that narrow nothing."""
    given: dict[str, Any] = {}
    for name, value in narrowing.items():
        if name not in Narrowing.__annotations__:
            raise TypeError(f"there is no argument {name!r}; use {', '.join(Narrowing.__annotations__)}")
        if value is None:
            continue
        if isinstance(value, datetime) or name in ("since", "until", "as_of", "known_at"):
            check_aware(name, value)  # type: ignore[arg-type]
            given[name] = value
        elif name == "minimum_score":
            given[name] = checked_number(name, value)  # type: ignore[arg-type]
        elif name == "seen":
            given[name] = checked_uuids(value, name)  # type: ignore[arg-type]
        else:
            given[name] = checked_texts(name, value)  # type: ignore[arg-type]
    return given


def check_aware(name: str, moment: datetime | None) -> None:
    """Refuse what is no datetime, or one without a time zone."""
    if moment is not None and not isinstance(moment, datetime):
        raise InvalidValueError(
            f"{name} = {str(moment)!r} is of type {type(moment).__name__}. Give an aware datetime, for instance "
            "datetime(2026, 6, 1, 9, tzinfo=ZoneInfo('Europe/Amsterdam'))."
        )
    if moment is not None and moment.utcoffset() is None:
        raise InvalidValueError(
            f"{name} = {moment.isoformat()} has no time zone. Give an aware datetime, for instance "
            "datetime(2026, 6, 1, 9, tzinfo=ZoneInfo('Europe/Amsterdam'))."
        )


def as_record(experience: Experience) -> str:
    """The experience as JSON for the database: cleaned text, aware times in ISO 8601."""
    if not isinstance(experience, Experience):
        raise InvalidValueError(
            f"{experience!r:.80} is of type {type(experience).__name__}, not an Experience. "
            "Give Experience('what happened', ...)."
        )
    check_aware("occurred_at", experience.occurred_at)
    check_aware("ended_at", experience.ended_at)
    record: dict[str, Any] = {}
    for item in fields(experience):
        value = getattr(experience, item.name)
        if isinstance(value, datetime):
            record[item.name] = value.isoformat()
        elif value is not None:
            record[item.name] = as_json(item.name, value)
    return json.dumps(record)


def as_records(experiences: Iterable[Experience]) -> Iterator[str]:
    """The experiences' JSON, in order; one that is refused is named by its place."""
    if isinstance(experiences, str | bytes | Mapping | Experience) or not isinstance(experiences, Iterable):
        raise InvalidValueError(
            f"experiences is of type {type(experiences).__name__}. Give a list, or another iterable, of Experience."
        )
    return (numbered(place, experience) for place, experience in enumerate(experiences))


def numbered(place: int, experience: Experience) -> str:
    """The record of an event, its place named in any error."""
    try:
        return as_record(experience)
    except InvalidValueError as error:
        raise InvalidValueError(f"event {place}: {error}") from None


# One statement carries so many events, or so many characters: far below the 256 MB that end a JSON value.
BATCH_EVENTS = 1000
BATCH_CHARACTERS = 4_000_000


def batches(records: Iterable[str]) -> Iterator[list[str]]:
    """The records in batches, in order."""
    batch: list[str] = []
    characters = 0
    for record in records:
        batch.append(record)
        characters += len(record)
        if len(batch) == BATCH_EVENTS or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def counted(sent: int, size: int, message: str) -> str:
    """The message with an event's place in its batch made its place among all that were given; of one, no place."""
    found = re.match(r"event (\d+)", message)
    if found is None:
        return message
    if sent == 0 and size == 1:
        return message[found.end() :].removeprefix(": ")
    return f"event {int(found[1]) + sent}{message[found.end() :]}"
