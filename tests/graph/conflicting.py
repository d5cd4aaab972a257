"""One of several processes that change one tenant's graph as fast as they can, all at once and each against the others.

Run as ``python -m tests.graph.conflicting DSN TENANT SEED SECONDS``: says on a line of its own, as JSON, what became of
each thing it did.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any
from uuid import uuid4

import psycopg
from psycopg.types.json import Jsonb

COUNTED = "Zornix"  # a concept that is only ever reinforced, and counted: by two events that speak of nothing else
EVIDENCE = ("Xylqua prundles", "Wibbet gromth")
TITLES = ("Vorpex", "Gluntax", "Mibrox", "Treklox", "Quandrix")
SUBJECTS = (
    "The beehive by the orchard",
    "The cello lesson with Marta",
    "The leak under the sink",
    "The run around the lake",
)
WAYS = ("was seen to", "came up once more", "needs doing by Friday", "went well for a change", "was put off again")
LINKS = (
    ("related_to", "event", "concept"),
    ("part_of", "concept", "concept"),
    ("derived_from", "concept", "concept"),
    ("grounds", "event", "concept"),
    ("reinforces", "event", "concept"),
    ("causes", "event", "event"),
)


class Process:
    """One writer with its own connection and its own dice."""

    def __init__(self, dsn: str, tenant: str, seed: int) -> None:
        self.connection: psycopg.Connection[Any] = psycopg.connect(dsn, autocommit=True)
        self.connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
        self.dice = random.Random(seed)
        self.number = 0
        self.name = "bcdfghkl"[seed]

    def run(self, seconds: float) -> None:
        ways = (
            [self.count] * 3
            + [self.propose] * 3
            + [self.link] * 3
            + [self.merge] * 2
            + [self.undo] * 2
            + [
                self.remove_node,
                self.remove_edge,
                self.rename,
                self.annotate,
                self.remember_and_apply,
                self.fold,
                self.consolidate,
            ]
        )
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            way = self.dice.choice(ways)
            said: dict[str, Any] = {"way": way.__name__}
            try:
                said |= way()
            except psycopg.Error as error:
                said |= {"sqlstate": error.sqlstate, "message": str(error)}
            print(json.dumps(said), flush=True)

    # ------------------------------------------------------------------------------------------------ looking

    def some(self, query: str) -> Any:
        """Any row of a query; a single column by itself, and None if there is none."""
        rows = self.connection.execute(query.encode()).fetchall()
        if not rows:
            return None
        row = self.dice.choice(rows)
        return str(row[0]) if len(row) == 1 else row

    def event(self) -> Any:
        return self.some("SELECT id FROM cognifold.node WHERE kind = 'event' AND source IS DISTINCT FROM 'counted'")

    def concept(self) -> Any:
        """Any concept but the counted one, merged ones by their old ids too."""
        return self.some(f"SELECT id FROM cognifold.node WHERE kind = 'concept' AND title <> '{COUNTED}'")

    def word(self) -> str:
        self.number += 1
        return "Jy" + self.name + "".join("bcdfghklmn"[int(digit)] for digit in str(self.number)) + "ox"

    # ------------------------------------------------------------------------------------------------ doing

    def apply(self, *operations: dict[str, Any], reasoning: str = "") -> dict[str, Any]:
        plan = {"plan_id": str(uuid4()), "reasoning": reasoning, "operations": operations}
        self.connection.execute("SELECT cognifold.apply_plan(%s)", [Jsonb(plan)])
        return {"plans": [plan["plan_id"]]}

    def count(self) -> dict[str, Any]:
        """One more reinforcement of the counted concept, by its id or by its title."""
        event = self.some("SELECT id FROM cognifold.node WHERE source = 'counted'")
        counted = self.some(f"SELECT id FROM cognifold.node WHERE title = '{COUNTED}'")
        operation = self.dice.choice(
            [
                {"op": "ADD_EDGE", "source": event, "type": "reinforces", "target": counted},
                {"op": "ADD_NODE", "kind": "concept", "title": COUNTED.upper(), "grounded_in": [event], "ref": "r"},
            ]
        )
        return self.apply(operation, reasoning="count") | {"event": event}

    def propose(self) -> dict[str, Any]:
        """Most often a concept that is there already."""
        title = self.dice.choice(TITLES)
        operations: list[dict[str, Any]] = [
            {
                "op": "ADD_NODE",
                "kind": "concept",
                "title": title,
                "grounded_in": [self.event(), self.event()],
                "ref": "r",
            }
        ]
        if self.dice.random() < 0.3:
            operations.append(
                {"op": "ADD_NODE", "kind": "intent", "title": self.word(), "grounded_in": ["r"], "ref": "i"}
            )
        return self.apply(*operations)

    def link(self) -> dict[str, Any]:
        type_, source, target = self.dice.choice(LINKS)
        ends = {"event": self.event, "concept": self.concept}
        return self.apply({"op": "ADD_EDGE", "source": ends[source](), "type": type_, "target": ends[target]()})

    def merge(self) -> dict[str, Any]:
        return self.apply({"op": "MERGE_NODES", "ids": [self.concept(), self.concept()]})

    def remove_node(self) -> dict[str, Any]:
        node = self.some(f"SELECT id FROM cognifold.node WHERE kind IN ('concept', 'intent') AND title <> '{COUNTED}'")
        return self.apply({"op": "REMOVE_NODE", "node": node})

    def remove_edge(self) -> dict[str, Any]:
        edge = self.some(
            "SELECT e.source_id, e.type, e.target_id FROM cognifold.graph_edge AS e JOIN cognifold.node AS n "
            f"ON n.tenant_id = e.tenant_id AND n.id = e.target_id WHERE n.title <> '{COUNTED}'"
        )
        source, type_, target = edge or (None, None, None)
        return self.apply({"op": "REMOVE_EDGE", "source": str(source), "type": type_, "target": str(target)})

    def rename(self) -> dict[str, Any]:
        return self.apply({"op": "UPDATE_NODE", "node": self.concept(), "title": self.word()})

    def annotate(self) -> dict[str, Any]:
        value = {"said": self.word()}
        return self.apply(
            {
                "op": "UPDATE_NODE",
                "node": self.dice.choice([self.event, self.concept])(),
                "annotations": {"mood": value},
            }
        )

    def undo(self) -> dict[str, Any]:
        """One of the latest plans, whosever it is."""
        plan = self.some(
            "SELECT plan_id FROM (SELECT plan_id, reasoning FROM cognifold.plan WHERE status = 'applied' "
            "ORDER BY version DESC LIMIT 12) AS p WHERE p.reasoning NOT IN ('count', 'begin')"
        )
        row = self.connection.execute("SELECT cognifold.undo_plan(%s, %s)", [plan, self.dice.random() < 0.5]).fetchone()
        assert row is not None
        return {"plans": [row[0]["plan_id"]], "undone": row[0]["undone"]}

    def remember_and_apply(self) -> dict[str, Any]:
        """An application's own transaction, in which a memory and a plan about it are one."""
        with self.connection.transaction():
            self.connection.execute("SELECT cognifold.remember(%s)", [self.said()])
            return self.propose()

    def fold(self) -> dict[str, Any]:
        self.connection.execute("SELECT cognifold.remember(%s)", [self.said()])
        rows = self.connection.execute("SELECT plan_id, outcome FROM cognifold.fold(3)").fetchall()
        return {"plans": [str(plan) for plan, _ in rows], "outcomes": [outcome for _, outcome in rows]}

    def consolidate(self) -> dict[str, Any]:
        self.connection.execute("SELECT cognifold.consolidate()")
        return {}

    def said(self) -> str:
        return f"{self.dice.choice(SUBJECTS)} {self.dice.choice(WAYS)} ({self.word()})"


if __name__ == "__main__":
    Process(sys.argv[1], sys.argv[2], int(sys.argv[3])).run(float(sys.argv[4]))
