"""From a mapping of named fields to an :class:`Experience`, or to the reason why not.

Fields are named as the arguments of ``cognifold.remember``. A few common other names are understood
(:data:`ALIASES`); a mapping the caller gives wins over them. What no field claims is kept in the payload.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, tzinfo
from typing import Any, get_args

from cognifold_pg.experience import Experience, MemoryType, PrivacyLevel, Valence
from cognifold_pg.ingest.text import unstorable

FIELDS: tuple[str, ...] = tuple(item.name for item in fields(Experience))

# field -> other names it is known by, the first present one wins; documented in `cognifold ingest --help`.
ALIASES: dict[str, tuple[str, ...]] = {
    "content": ("text", "message", "body", "description"),
    "occurred_at": ("timestamp", "time", "ts"),
    "actor": ("user", "author", "speaker"),
}

_CHOICES: dict[str, tuple[str, ...]] = {
    "valence": get_args(Valence),
    "memory_type": get_args(MemoryType),
    "privacy_level": get_args(PrivacyLevel),
}
_RANGES: dict[str, tuple[float, float]] = {"emotional_weight": (-1.0, 1.0), "arousal": (0.0, 1.0)}
_TEXTS = ("content", "title", "source", "actor", "source_agent", "idempotency_key")
_TIMES = ("occurred_at", "ended_at")

# A bare number is Unix time: in seconds up to here (the year 5138), in milliseconds above.
_SECONDS_LIMIT = 1e11


class BadFieldError(ValueError):
    """A record cannot become an event; the message says which field, which value and why."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read the fields of one file.

    ``mapping``: field -> name of the column or key that holds it. ``zone``: the zone of times that name none
    (None: such a time is refused). ``origin``: the file's own name, the first part of the keys made here.
    """

    origin: str
    mapping: Mapping[str, str] = field(default_factory=dict)
    zone: tzinfo | None = None

    def __post_init__(self) -> None:
        unknown = sorted(set(self.mapping) - set(FIELDS))
        if unknown:
            raise BadFieldError(f"unknown field {unknown[0]!r} in the mapping: the fields are {', '.join(FIELDS)}")


def strict_json(text: str) -> Any:
    """``text`` as JSON, where NaN, Infinity and numbers too large for a float are refused.

    Python reads them, PostgreSQL's jsonb does not. Raises ValueError with the reason.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_time(value: object, zone: tzinfo | None, name: str) -> datetime:
    """An aware datetime from ISO 8601 text or a Unix time in seconds (milliseconds above 1e11).

    Raises BadFieldError for anything else, and for a time without a zone while ``zone`` is None.
    """
    number = _unix_time_or_none(value)
    if number is not None:
        seconds = number if abs(number) <= _SECONDS_LIMIT else number / 1000.0
        try:
            return datetime.fromtimestamp(seconds, UTC)
        except (OverflowError, ValueError, OSError):
            raise BadFieldError(f"{name} {value!r} is outside the years 1 to 9999") from None
    if not isinstance(value, str):
        raise BadFieldError(f"{name} {value!r} is not a time")
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        raise BadFieldError(
            f"{name} {_shown(value)} is not an ISO 8601 time such as 2026-05-04T08:30:00+02:00"
        ) from None
    if moment.tzinfo is None:
        if zone is None:
            raise BadFieldError(f"{name} {_shown(value)} has no zone: write one (+02:00, Z) or say --timezone ZONE")
        moment = moment.replace(tzinfo=zone)
    try:
        moment.astimezone(UTC)
    except OverflowError:
        raise BadFieldError(f"{name} {_shown(value)} is outside the years 1 to 9999") from None
    return moment


def key_of(origin: str, number: int, raw: bytes) -> str:
    """A stable key for the record at ``number`` of the file ``origin``.

    Reading the file again gives the same keys, so nothing is stored twice; equal lines at two places stay
    two events; and the digest of the line keeps another file of the same name from being taken for this one.
    """
    return f"{origin}:{number}:{hashlib.sha256(raw).hexdigest()[:12]}"


def to_experience(raw: Mapping[str, Any], reading: Reading, key: str) -> tuple[Experience, bool]:
    """The experience a mapping describes, and whether it holds characters that will be replaced.

    ``key`` is the idempotency key for a record that brings none. Raises BadFieldError.
    """
    claimed: dict[str, str] = {}
    for name in FIELDS:
        column = reading.mapping.get(name) or _column_of(name, raw, claimed)
        if column is not None and column in raw:
            claimed[name] = column
    taken = set(claimed.values())
    made: dict[str, Any] = {"idempotency_key": key}
    for name, column in claimed.items():
        if not _absent(raw[column]):
            made[name] = _converted(name, raw[column], reading.zone)
    loose = {name: value for name, value in raw.items() if name not in taken and not _absent(value)}
    if loose:
        made["payload"] = {**loose, **made.get("payload", {})}

    content = made.get("content")
    if not isinstance(content, str) or not content.strip():
        wanted = reading.mapping.get("content") or "content"
        raise BadFieldError(f"no {wanted}: an event needs a text that is not empty")
    _check_interval(made)
    return Experience(**made), any(unstorable(value) for value in made.values())


def _column_of(name: str, raw: Mapping[str, Any], claimed: Mapping[str, str]) -> str | None:
    """The key of ``raw`` that holds the field ``name`` when the caller named none."""
    for candidate in (name, *ALIASES.get(name, ())):
        if candidate in raw and candidate not in claimed.values() and not _absent(raw[candidate]):
            return candidate
    return None


def _absent(value: object) -> bool:
    return value is None or value == ""


def _converted(name: str, value: Any, zone: tzinfo | None) -> Any:
    if name in _TEXTS:
        return _text(name, value)
    if name in _TIMES:
        return read_time(value, zone, name)
    if name in _RANGES:
        return _ranged(name, value)
    if name in _CHOICES:
        if value not in _CHOICES[name]:
            raise BadFieldError(f"{name} {_shown(value)} is none of {', '.join(_CHOICES[name])}")
        return value
    return _structure(name, value)


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    # An id or a user number in a text field is common and its text is certain; true or a list is a mistake.
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise BadFieldError(f"{name} {_shown(value)} is not a text")


def _ranged(name: str, value: Any) -> float:
    low, high = _RANGES[name]
    number = _number_or_none(value)
    if number is None or not low <= number <= high:
        raise BadFieldError(f"{name} {_shown(value)} is not a number from {low:g} to {high:g}")
    return number


def _structure(name: str, value: Any) -> Any:
    """``payload`` (an object) or ``media`` (a list of objects); CSV brings them as JSON text."""
    if isinstance(value, str):
        try:
            value = strict_json(value)
        except ValueError as error:
            raise BadFieldError(f"{name} {_shown(value)} is not JSON: {error}") from None
    if name == "payload":
        if not isinstance(value, dict):
            raise BadFieldError(f"payload {_shown(value)} is not a JSON object")
    elif not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadFieldError(f"media {_shown(value)} is not a list of JSON objects")
    return value


def _check_interval(made: Mapping[str, Any]) -> None:
    start, end = made.get("occurred_at"), made.get("ended_at")
    if end is not None and start is None:
        raise BadFieldError("ended_at without occurred_at: say when it began")
    if start is not None and end is not None and end < start:
        raise BadFieldError(f"ended_at {end.isoformat()} is before occurred_at {start.isoformat()}")


def _number_or_none(value: object) -> float | None:
    """``value`` as a finite float when it is a number or the text of one (CSV), else None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _unix_time_or_none(value: object) -> float | None:
    """``value`` as a Unix time, or None. A text needs nine digits: 2026 is a year and 20260504 a date."""
    if isinstance(value, str) and len(value.strip().partition(".")[0].lstrip("-")) < 9:
        return None
    return _number_or_none(value)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text[:20]} is too large")
    return number


def _shown(value: object) -> str:
    """``value`` short enough for a message of one line."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
