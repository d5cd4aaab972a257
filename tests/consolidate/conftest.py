"""What tests of the sleep pass start from: memories whose vectors are given, so that every cosine is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from tests.conftest import Connection, value
from tests.consolidate.passes import later
from tests.graph.plans import START, move_clock, remember


@dataclass
class Plane:
    """A memory of plain vectors in three dimensions, whose planner makes nothing of its own."""

    connection: Connection
    tenant: str
    events: int = 0

    def event(self, text: str, *vector: float, hours: float = 0, folded: bool = False) -> UUID:
        """Store an event ``hours`` after START, alone in its source, with its vector."""
        self.events += 1
        event = remember(self.connection, text, later(hours), source=f"source {self.events}")
        if vector:
            given = str(list(vector))
            self.connection.execute("SELECT cognifold.store_embedding(%s, %s::vector, 'plane')", [event, given])
        else:
            self.connection.execute("SELECT cognifold.fold_without_embedding(%s)", [event])
        if folded:
            assert self.connection.execute("SELECT outcome FROM cognifold.fold(1)").fetchall() == [("folded",)]
        return event

    def at(self, hours: float) -> None:
        """Move the memory's clock to so many hours after START."""
        move_clock(self.connection, later(hours))

    def set(self, name: str, number: float | None) -> None:
        self.connection.execute("SELECT cognifold.set_setting(%s, %s)", [name, number])

    def consolidate(self, hours: float) -> dict[str, Any]:
        """A pass as of so many hours after START; its report."""
        report: dict[str, Any] = value(self.connection, "SELECT cognifold.consolidate(%s)", later(hours))
        return report


@pytest.fixture
def plane(connect: Callable[..., Connection], new_tenant: Callable[..., str], admin: Connection) -> Plane:
    """A memory at START with an outside model "plane": merge .85, duplicate .99, complete .35."""
    admin.execute(
        "SELECT cognifold.register_model('plane', 'external', 3, merge => 0.85, duplicate => 0.99, complete => 0.35)"
    )
    tenant = new_tenant(model="plane")
    plane = Plane(connect(tenant, now=START), tenant)
    plane.set("fold.minimum_information", 100)
    plane.set("fold.related", 0)
    return plane
