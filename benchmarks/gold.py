"""Scenarios: streams of events with the graph that a good memory would make of them.

A scenario is a JSON object. What is read of it (everything else is left alone):

``events``         in order of time: ``event_id``, ``timestamp`` (ISO 8601 with an offset), ``source``, ``actor``,
                   ``title``, ``description``, and ``concepts``, the ids of those it belongs to; none: it is noise
``concepts``       ``id``, ``label``, ``description``; one that no event carries is a parent of others
``chains``         (may be missing) ``id``, ``event_ids``: steps that lead from one to the next
``intents``        (may be missing) ``id``, ``label``, ``evidence_event_ids``; ``emerges_after_event``, with which the
                   evidence suffices; ``deadline`` (ISO 8601 or null); ``resolved_by_event`` (an id or null)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchmarks.calibrate import Scenario, scenarios
from benchmarks.intent_measures import GoldIntent

# Scenarios of our own, with a page that says what they are good for.
OWN = Path(__file__).parent / "scenarios"


@dataclass(frozen=True, slots=True)
class Gold:
    """A scenario with all its gold; ``labels`` are those of the concepts that events carry."""

    stream: Scenario
    labels: Mapping[str, str]
    chains: Sequence[Sequence[str]]
    intents: Sequence[GoldIntent]

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.stream.name

    @property
    def moments(self) -> dict[str, datetime]:
        """When each event happened, by its key, in order."""
        return {str(e.idempotency_key): e.occurred_at for e in self.stream.events if e.occurred_at is not None}

    @property
    def texts(self) -> dict[str, str]:
        """Title and text of each event, as the memory embeds them."""
        return {str(e.idempotency_key): f"{e.title}. {e.content}" for e in self.stream.events}


def files_of(given: Iterable[Path], folder: Path | None) -> list[Path]:
    """The files given, and those of a folder (or the one file) in order of name, each once; with neither, our own."""
    if folder is None and not (given := list(given)):
        folder = OWN
    inside = [] if folder is None else sorted(folder.glob("*.json")) if folder.is_dir() else [folder]
    return list(dict.fromkeys([*given, *inside]))


def read(file: Path) -> Gold:
    """The scenario of a file."""
    [stream] = scenarios(file)
    content = json.loads(file.read_text(encoding="utf-8"))
    used = frozenset().union(*stream.gold.values())
    return Gold(
        stream,
        {concept["id"]: concept["label"] for concept in content["concepts"] if concept["id"] in used},
        [tuple(chain["event_ids"]) for chain in content.get("chains", [])],
        [
            GoldIntent(
                intent["id"],
                intent["label"],
                frozenset(intent["evidence_event_ids"]),
                intent["emerges_after_event"],
                datetime.fromisoformat(intent["deadline"]) if intent.get("deadline") else None,
                intent.get("resolved_by_event"),
            )
            for intent in content.get("intents", [])
        ],
    )
