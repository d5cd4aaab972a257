"""Eight processes change one tenant's graph at once: nothing is lost, nothing deadlocks, the record tells it all."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import astuple
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Connection, value
from tests.graph.conflicting import COUNTED, EVIDENCE, SUBJECTS, WAYS
from tests.graph.model import Edge, Key, Model, Row, hours
from tests.graph.plans import concept, fold, remember, rows, violations
from tests.graph.stored import assert_model, row_of, stored

PROCESSES, SECONDS = 8, 20
NOW = datetime.now(UTC).isoformat()  # so that nothing fades while it is counted
REFUSALS = {"CF020", "CF021", "CF023"}
MODELLED = ("node", "graph_edge", "concept_state", "annotation")


def test_eight_processes_with_conflicting_plans(
    connect: Callable[..., Connection], dsn: str, tenant: str, pytestconfig: pytest.Config
) -> None:
    connection = connect(tenant)
    evidence = [str(remember(connection, said, NOW, source="counted")) for said in EVIDENCE]
    fold(connection)  # so that no process does, and what it makes of them
    plan = {"reasoning": "begin", "operations": [concept(COUNTED, evidence[0], ref="c")]}
    counted = value(connection, "SELECT cognifold.apply_plan(%s)", Jsonb(plan))["refs"]["c"]
    for number in range(8):
        remember(connection, f"{SUBJECTS[number % 4]} {WAYS[number % 5]}", NOW)

    done = run(dsn, tenant, pytestconfig.rootpath)
    refused = [said for said in done if "sqlstate" in said]
    assert [said for said in refused if said["sqlstate"] not in REFUSALS] == []
    assert {outcome for said in done for outcome in said.get("outcomes", ())} <= {"folded"}
    ways = Counter(said["way"] for said in done if "sqlstate" not in said)
    assert len(ways) == 12, ways

    assert violations(connection) == []
    plans = rows(
        connection, "SELECT *, plan_id::text AS id, undoes::text AS taken FROM cognifold.plan ORDER BY version"
    )
    assert_in_order(plans)
    told = [plan_id for said in done for plan_id in said.get("plans", ())]
    assert len(told) == len(set(told)) and set(told) <= {plan["id"] for plan in plans}
    assert_counted(connection, counted, [said["event"] for said in done if said["way"] == "count" and "plans" in said])
    replay(connection, plans)


def run(dsn: str, tenant: str, root: Path) -> list[dict[str, Any]]:
    """Let the processes at it; what they say they did."""
    command = [sys.executable, "-m", "tests.graph.conflicting", dsn, tenant]
    processes = [
        subprocess.Popen(
            [*command, str(seed), str(SECONDS)], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for seed in range(PROCESSES)
    ]
    said = []
    for process in processes:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        said += [json.loads(line) for line in output.splitlines()]
    return said


def assert_in_order(plans: list[dict[str, Any]]) -> None:
    """Versions without a gap, times that grow with them."""
    assert [plan["version"] for plan in plans] == list(range(1, len(plans) + 1))
    assert all(one["applied_at"] < other["applied_at"] for one, other in pairwise(plans))


def assert_counted(connection: Connection, counted: str, events: list[str]) -> None:
    """Each reinforcement that was reported is there, and no other."""
    state = "SELECT evidence_count FROM cognifold.concept_state WHERE node_id = %s"
    assert value(connection, state, counted) == 1 + len(events)
    found = {
        key[1]: row
        for key, row in stored(connection).items()
        if key[0] == "graph_edge" and key[2:] == (counted, "reinforces")
    }
    assert found.keys() == set(events)
    for event, times in Counter(events).items():
        # The first at the default of .7, each further one .1, all of the event's own time.
        edge = row_of("graph_edge", found[event])
        assert isinstance(edge, Edge)
        expected = math.log(0.7 + 0.1 * (times - 1)) + 0.005 * hours(edge.stamped_at)
        assert edge.potential == pytest.approx(expected, rel=1e-13, abs=1e-9)


def replay(connection: Connection, plans: list[dict[str, Any]]) -> None:
    """The record, read from the first plan to the last, makes the graph that is stored.

    Every plan of a user is applied to the model anew, from its operations; every undo takes back there what the model
    recorded. What a fold or a pass did is taken from the journal: a row as the next entry about it found it. Before and
    after each plan the rows that the journal tells of must be the model's: so each worked on what the one before it had
    left, and nobody's change was lost in between.
    """
    final = stored(connection)
    journal: dict[str, list[tuple[Key, Any]]] = defaultdict(list)
    first: dict[Key, Any] = {}
    after: dict[tuple[str, Key], Any] = {}
    latest: dict[Key, str] = {}
    for entry in rows(
        connection,
        "SELECT j.*, j.plan_id::text AS id FROM cognifold.journal AS j "
        "JOIN cognifold.plan AS p USING (tenant_id, plan_id) ORDER BY p.version, j.position",
    ):
        key = (
            entry["relation"],
            *(str(entry[name]) for name in ("node_id", "other_id", "part") if entry[name] is not None),
        )
        journal[entry["id"]].append((key, entry["before"]))
        first.setdefault(key, entry["before"])
        if key in latest:
            after[latest[key], key] = entry["before"]
        latest[key] = entry["id"]
    for key, plan_id in latest.items():
        after[plan_id, key] = final.get(key)

    # Nothing but events was there to begin with, and nothing is there that the journal does not tell of.
    assert [key for key, before in first.items() if before is not None] == []
    begun = {key: row for key, row in final.items() if key not in first}
    assert {(key[0], row["kind"]) for key, row in begun.items()} == {("node", "event")}

    model = Model({key: row_of(key[0], row) for key, row in begun.items()})
    for plan in plans:
        entries = [(key, before) for key, before in journal[plan["id"]] if key[0] in MODELLED]
        for key, before in entries:
            assert_alike(before and row_of(key[0], before), model.rows.get(key), f"{plan['version']} {key}")
        if plan["proposer"] == "user":
            trigger = plan["trigger_event_id"]
            model.apply(
                plan["id"],
                plan["operations"],
                plan["result"]["refs"],
                clock=plan["as_of"],
                trigger=trigger and str(trigger),
            )
        elif plan["proposer"] == "undo":
            model.undo(plan["id"], plan["taken"])
        else:
            was = dict(model.rows)
            for key, _ in entries:
                if (row := after[plan["id"], key]) is None:
                    model.rows.pop(key, None)
                else:
                    model.rows[key] = row_of(key[0], row)
            model.note(plan["id"], was)
        model.touched(plan["id"], [key for key, _ in entries])
        for key, _ in entries:
            row = after[plan["id"], key]
            assert_alike(row and row_of(key[0], row), model.rows.get(key), f"after {plan['version']} {key}")
    assert_model(final, model)
    assert {plan["id"]: plan["status"] for plan in plans} == {
        one.plan_id: "applied" if one.applied else "undone" for one in model.record.values()
    }


def assert_alike(row: Row | None, other: Row | None, where: str) -> None:
    """Equal, sums of masses to the twelfth digit."""
    if row is None or other is None:
        assert row is other, where
        return
    for one, another in zip(astuple(row), astuple(other), strict=True):
        if isinstance(one, float) and isinstance(another, float):
            assert math.isclose(one, another, rel_tol=1e-12, abs_tol=1e-9), where
        else:
            assert one == another, (where, row, other)
