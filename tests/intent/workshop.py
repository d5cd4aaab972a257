"""A memory of plain vectors, in which intents come about by hand: concepts are stated, every number is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from tests.conftest import Connection, value
from tests.graph.plans import START, make_concept, move_clock, remember, rows

NEED = "The kettle needs a new plug"  # one cue of weight .6, about the kettle
DONE = "The kettle was repaired"  # one cue of weight .7


def moment(hours: float) -> datetime:
    """So many hours after START."""
    return datetime.fromisoformat(START) + timedelta(hours=hours)


@dataclass
class Workshop:
    """One tenant whose planner makes nothing of its own."""

    connection: Connection
    tenant: str
    events: int = 0

    def event(self, text: str, *vector: float, hours: float = 0, **more: Any) -> UUID:
        """Store and fold an event ``hours`` after START, alone in its source."""
        self.events += 1
        event = remember(self.connection, text, moment(hours).isoformat(), source=f"source {self.events}", **more)
        self.connection.execute(
            "SELECT cognifold.store_embedding(%s, %s::vector, 'bench')", [event, str(list(vector or (1, 0, 0)))]
        )
        assert self.connection.execute("SELECT outcome FROM cognifold.fold(1)").fetchall() == [("folded",)]
        return event

    def concept(self, title: str, *events: UUID) -> UUID:
        """State a concept grounded in these events."""
        return make_concept(self.connection, title, *events)

    def at(self, hours: float) -> None:
        """Move the memory's clock to so many hours after START."""
        move_clock(self.connection, moment(hours).isoformat())

    def set(self, name: str, number: float | None) -> None:
        self.connection.execute("SELECT cognifold.set_setting(%s, %s)", [name, number])

    def emit(self, hours: float) -> list[dict[str, Any]]:
        """``emit_intents`` with the clock at so many hours after START."""
        self.at(hours)
        return rows(self.connection, "SELECT * FROM cognifold.emit_intents()")

    def answer(self, intent: UUID, answer: str, note: str | None = None, wake_at: datetime | None = None) -> UUID:
        event: UUID = value(
            self.connection, "SELECT cognifold.answer_intent(%s, %s, %s, %s)", intent, answer, note, wake_at
        )
        return event

    def status(self, intent: UUID, at: datetime | None = None) -> str:
        """The view's status, with the clock moved to ``at``."""
        if at is not None:
            move_clock(self.connection, at.isoformat())
        status: str = value(self.connection, "SELECT status FROM cognifold.intent WHERE id = %s", intent)
        return status

    def theta(self, category: str, hours: float) -> float:
        theta: float = value(self.connection, "SELECT cognifold.theta(%s, %s)", category, moment(hours))
        return theta

    def kettle(self, hours: float = 0, times: int = 2) -> UUID:
        """A concept of ``times`` events that all say NEED, an hour apart and the last ``hours`` after START."""
        events = [self.event(f"{NEED} ({number})", hours=hours - times + number) for number in range(1, times + 1)]
        return self.concept(f"Kettle {self.events}, plug", *events)  # a number apart, no two are duplicates

    def intent(self, hours: float = 0) -> UUID:
        """A pending intent of a new kettle concept."""
        self.kettle(hours)
        [emitted] = self.emit(hours)
        intent: UUID = emitted["intent_id"]
        return intent

    def view(self) -> Sequence[dict[str, Any]]:
        """The view ``intent``, oldest first."""
        cursor = self.connection.cursor(row_factory=dict_row)
        return cursor.execute("SELECT * FROM cognifold.intent ORDER BY occurred_at, id").fetchall()
