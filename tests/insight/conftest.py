"""What tests of insights start from: a memory in which each concept rests on just the events it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Connection, at, value
from tests.graph.plans import Operation, make_concept, move_clock, remember, rows

NOW = "2026-09-01T00:00:00+00:00"


def when(day: int, clock: str = "12:00", month: int = 3) -> datetime:
    """A moment so many days after 1 March 2026, a Sunday."""
    return at(f"2026-{month:02}-01T{clock:0>5}:00+00:00") + timedelta(days=day)


@dataclass
class Diary:
    """A memory whose planner makes nothing of its own, and the pass's own role beside the user's."""

    connection: Connection
    owner: Connection
    tenant: str

    def events(
        self, moments: Sequence[datetime], text: str = "something was done", actor: str | None = None, **more: Any
    ) -> list[UUID]:
        return [
            remember(
                self.connection,
                f"{text} no. {n}" if len(moments) > 1 else text,
                moment.isoformat(),
                actor=actor,
                source="diary",
                **more,
            )
            for n, moment in enumerate(moments, 1)
        ]

    def habit(self, title: str, moments: Sequence[datetime], **more: Any) -> UUID:
        """A concept that rests on an event at each of these moments."""
        return make_concept(self.connection, title, *self.events(moments, title, **more))

    def more(self, concept: UUID, moments: Sequence[datetime], **more: Any) -> None:
        """Further evidence for a concept."""
        for event in self.events(moments, "again", **more):
            self.execute(
                {"op": "ADD_EDGE", "source": str(event), "target": str(concept), "type": "reinforces"}, proposer="sql"
            )

    def find(self, *concepts: UUID, as_of: str = NOW) -> list[Operation]:
        found: list[Operation] = value(
            self.owner, "SELECT cognifold.find_insights(%s, %s, %s)", self.tenant, list(concepts), as_of
        )
        return found

    def themes(self, *concepts: UUID, as_of: str = NOW) -> list[Operation]:
        found: list[Operation] = value(
            self.owner, "SELECT cognifold.theme_links(%s, %s, %s)", self.tenant, list(concepts), as_of
        )
        return found

    def execute(self, *operations: Operation, proposer: str = "consolidate", as_of: str = NOW) -> dict[str, Any]:
        plan = {"operations": list(operations)} | ({"as_of": as_of} if proposer == "consolidate" else {})
        result: dict[str, Any] = value(
            self.owner, "SELECT cognifold.execute_plan(%s, %s, %s)", self.tenant, Jsonb(plan), proposer
        )
        return result

    def sleep(self, *concepts: UUID, as_of: str = NOW) -> dict[str, Any]:
        """Find insights about concepts and apply the plan."""
        return self.execute(*self.find(*concepts, as_of=as_of), as_of=as_of)

    def insights(self) -> list[dict[str, Any]]:
        """The view, as a user sees it."""
        return rows(self.connection, "SELECT * FROM cognifold.insight ORDER BY kind, insight")

    def said(self) -> dict[str, str]:
        """What each kind of insight says."""
        return {row["kind"]: row["insight"] for row in self.insights()}

    def set(self, name: str, number: float | None) -> None:
        self.connection.execute("SELECT cognifold.set_setting(%s, %s)", [name, number])


@pytest.fixture
def owner(admin_dsn: str) -> Iterator[Connection]:
    """A connection that speaks as the schema's owner, as the verbs do: under row-level security."""
    with psycopg.connect(admin_dsn, autocommit=True) as connection:
        connection.execute("SET ROLE cognifold_owner")
        connection.execute("SELECT set_config('cognifold.now', %s, false)", [NOW])
        yield connection


@pytest.fixture
def diary(connect: Callable[..., Connection], new_tenant: Callable[..., str], owner: Connection) -> Diary:
    """A memory at 1 September 2026."""
    tenant = new_tenant()
    connection = connect(tenant)
    move_clock(connection, NOW)
    owner.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    diary = Diary(connection, owner, tenant)
    diary.set("fold.minimum_information", 100)
    diary.set("fold.related", 0)
    return diary
