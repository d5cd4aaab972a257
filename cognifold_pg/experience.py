"""The one record that enters the memory, whatever it came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

MemoryType = Literal["episodic", "semantic", "procedural", "associative"]
PrivacyLevel = Literal["private", "shared", "public"]
Valence = Literal["positive", "negative", "neutral", "mixed"]


@dataclass(frozen=True, slots=True)
class Experience:
    """What happened, in the words of ``cognifold.remember``: every field is an argument of that verb.

    ``occurred_at`` and ``ended_at`` are aware datetimes (event time); a naive one is refused when it is
    stored. ``emotional_weight`` lies in [-1, 1], ``arousal`` in [0, 1]. ``payload`` is free JSON of the
    application; ``media`` a list of ``{"mime", "uri", "digest"}`` references. Two experiences with one
    ``idempotency_key`` are one event; without a key, equal content at an equal time is one event.
    """

    content: str
    title: str | None = None
    occurred_at: datetime | None = None
    source: str | None = None
    actor: str | None = None
    payload: dict[str, Any] | None = None
    media: list[dict[str, Any]] | None = None
    ended_at: datetime | None = None
    emotional_weight: float | None = None
    arousal: float | None = None
    valence: Valence | None = None
    memory_type: MemoryType | None = None
    privacy_level: PrivacyLevel | None = None
    source_agent: str | None = None
    idempotency_key: str | None = None
