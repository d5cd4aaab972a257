"""What does it cost to ask, after each fold, whether anything is wanted now, and does it grow with the memory?

    python -m benchmarks.intent_cost [--sizes 1000,10000,100000] [--rounds 30] [--hubs 100,1000,10000]
                                     [--json FILE] [--dsn DSN]

Needs no data. At each size a memory of so many concepts is made at once (benchmarks.synthetic: 8 events a concept, 6
links between concepts at each), whose events count as read for cues, as in a memory that was asked all along. Then, as
a plain role under row-level security, in turns at every size: an event of the same story that voices a need is
remembered and folded, and emit_intents is called, each in a transaction of its own. Metrics, of each size (1k, ...):

    fold_cpu_ms, check_cpu_ms      median processor time of the session for the fold, and for emit_intents
    fold_wall_ms, check_wall_ms    the same by the clock: says something on an idle machine only
    looked_at                      mean number of concepts that a check evaluated: with new evidence, or linked to such
    check_cpu_ms_a_concept         processor time of all checks over all concepts evaluated
    check_ratio, fold_ratio        processor time at the largest size over that at the smallest
    a_concept_ratio                the same for one evaluated concept
    idle_cpu_ms                    a check where nothing is due
    hub_cpu_ms                     at the smallest size that has so many events: a check of a concept of so many events
    hub_ratio                      that of the largest such concept over that of the smallest

Baseline ``all``: every concept of the memory evaluated at each check, taken from a sample of them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Jsonb
from rich.console import Console

from benchmarks import synthetic
from benchmarks.harness import ROLE, Report, drop_role, finish, make_role, scratch_database, short, value
from cognifold_pg.install import package_version

Connection = psycopg.Connection[Any]

_WARMING = 5  # rounds that fill caches and plans
_SAMPLE = 200
_CHECKS = 5
_OPERATIONS = 200
_ENDING = "It still needs a repair"  # "It was repaired" measures the search for what that ends


@dataclass
class Asked:
    """A memory with the session that asks it, and what each step took: seconds of the processor and by the clock."""

    memory: synthetic.Memory
    session: Connection
    folds: list[tuple[float, float]] = field(default_factory=list)
    checks: list[tuple[float, float]] = field(default_factory=list)
    looked_at: list[int] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many concepts it was made with."""
        return len(self.memory.concepts)

    def forget(self) -> None:
        """Count from here."""
        for measured in (self.folds, self.checks, self.looked_at):
            measured.clear()


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000", help="concepts of each memory, ascending")
    parser.add_argument("--rounds", type=int, default=30, help="events folded and checks made at each size")
    parser.add_argument("--hubs", default="100,1000,10000", help="events of the large concepts, ascending")
    parser.add_argument("--ending", default=_ENDING, help="with what each folded event ends")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report there, as JSON")
    parser.add_argument("--dsn", help="a PostgreSQL to use instead of the embedded one (a superuser's)")
    options = parser.parse_args(argv)
    sizes, hubs = ([int(number) for number in text.split(",")] for text in (options.sizes, options.hubs))
    with scratch_database(options.dsn) as dsn:
        finish(measure(dsn, sizes, options.rounds, hubs, options.ending), options.json)


def measure(dsn: str, sizes: Sequence[int], rounds: int, hubs: Sequence[int], ending: str = _ENDING) -> Report:
    """Run the benchmark in the database ``dsn`` (a superuser's), which must be the memory's alone."""
    console = Console(stderr=True)
    with ExitStack() as opened:
        admin = opened.enter_context(psycopg.connect(dsn, autocommit=True))
        make_role(admin, "cognifold_clock")
        opened.callback(drop_role, admin)
        asked = []
        for size in sizes:
            started = time.perf_counter()
            memory = synthetic.grow(admin, f"{size} concepts", synthetic.nodes_of(size))
            admin.execute(_READ, [memory.tenant])
            admin.execute("VACUUM ANALYZE cognifold.cue_reading")
            console.print(f"{size} concepts made in {time.perf_counter() - started:.0f} s", style="dim")
            session = opened.enter_context(psycopg.connect(make_conninfo(dsn, user=ROLE), autocommit=True))
            session.execute("SELECT set_config('cognifold.tenant', %s, false)", [memory.tenant])
            asked.append(Asked(memory, session))
        for number in range(_WARMING + rounds):
            for one in asked:
                fold_and_check(one, ending)
                if number < _WARMING:
                    one.forget()
        metrics: dict[str, float] = {}
        baselines: dict[str, float] = {}
        for one in asked:
            name = short(one.size)
            metrics |= figures(one, name)
            baselines[f"all.check_cpu_ms_{name}"] = all_at_once(admin, one)
        first, last = (short(one.size) for one in (asked[0], asked[-1]))
        for ratio, of in (("check", "check_cpu_ms"), ("fold", "fold_cpu_ms"), ("a_concept", "check_cpu_ms_a_concept")):
            metrics[f"{ratio}_ratio"] = over(metrics[f"{of}_{last}"], metrics[f"{of}_{first}"])
        baselines["all.check_ratio"] = over(
            baselines[f"all.check_cpu_ms_{last}"], baselines[f"all.check_cpu_ms_{first}"]
        )
        found = hub_costs(admin, asked, hubs)
        metrics |= {f"hub_cpu_ms_{short(events)}": taken for events, taken in found.items()}
        if len(found) > 1:
            metrics["hub_ratio"] = over(*(list(found.values())[place] for place in (-1, 0)))
    return Report("intent_cost", package_version(), f"{len(sizes)} memories", metrics, baselines)


def over(last: float, first: float) -> float:
    """A ratio; 0 where nothing was measured."""
    return last / first if first else 0.0


def fold_and_check(one: Asked, ending: str) -> None:
    """One event further, and one look at what is wanted."""
    [event] = one.memory.next_events(1)
    text = f"{event.content}. {ending}"
    one.session.execute("SELECT set_config('cognifold.now', %s, false)", [event.occurred_at.isoformat()])
    one.memory.events.append(
        value(one.session, "SELECT cognifold.remember(%s, occurred_at => %s, source => 'story', actor => %s)",
              text, event.occurred_at, event.actor)
    )  # fmt: skip
    one.folds.append(taken(one.session, "SELECT outcome FROM cognifold.fold(1)"))
    one.checks.append(taken(one.session, "SELECT intent_id FROM cognifold.emit_intents()"))
    one.looked_at.append(
        value(one.session, "SELECT count(*) FROM cognifold.intent_assessment "
              "WHERE tenant_id = cognifold.current_tenant() AND as_of = %s", event.occurred_at)
    )  # fmt: skip


def taken(session: Connection, statement: str) -> tuple[float, float]:
    """Seconds of the session's processor and of the clock that a statement takes."""
    before, started = _cpu(session), time.perf_counter()
    session.execute(statement.encode()).fetchall()
    return _cpu(session) - before, time.perf_counter() - started


def _cpu(session: Connection) -> float:
    """Seconds of processor time of the session's backend; 0 where it is on another machine."""
    with suppress(OSError):
        return int(Path(f"/proc/{session.info.backend_pid}/schedstat").read_text().split()[0]) / 1e9
    return 0


def figures(one: Asked, name: str) -> dict[str, float]:
    """What the rounds came to at one size."""
    idle = [taken(one.session, "SELECT intent_id FROM cognifold.emit_intents()")[0] for _ in range(_CHECKS)]
    return {
        f"fold_cpu_ms_{name}": 1000 * median(cpu for cpu, _ in one.folds),
        f"check_cpu_ms_{name}": 1000 * median(cpu for cpu, _ in one.checks),
        f"fold_wall_ms_{name}": 1000 * median(wall for _, wall in one.folds),
        f"check_wall_ms_{name}": 1000 * median(wall for _, wall in one.checks),
        f"looked_at_{name}": fmean(one.looked_at),
        f"check_cpu_ms_a_concept_{name}": 1000 * over(sum(cpu for cpu, _ in one.checks), sum(one.looked_at)),
        f"idle_cpu_ms_{name}": 1000 * median(idle),
    }


def all_at_once(admin: Connection, one: Asked) -> float:
    """Milliseconds of the processor that a look at every concept takes, from a look at some."""
    some = one.memory.concepts[:: max(1, one.size // _SAMPLE)]
    with one.session.transaction(force_rollback=True):
        note(admin, one, some)
        cpu, _ = taken(one.session, "SELECT intent_id FROM cognifold.emit_intents()")
        looked = value(one.session, "SELECT count(*) FROM cognifold.intent_assessment WHERE tenant_id = "
                       "cognifold.current_tenant() AND as_of = cognifold.now()")  # fmt: skip
    admin.execute("DELETE FROM cognifold.intent_due WHERE tenant_id = %s", [one.memory.tenant])
    return 1000 * over(cpu, looked) * one.size


def note(admin: Connection, one: Asked, concepts: Sequence[UUID]) -> None:
    """Have concepts looked at."""
    admin.execute(
        "INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at) SELECT %s, c.id, '-infinity' "
        "FROM unnest(%s::uuid[]) AS c (id) ON CONFLICT DO NOTHING",
        [one.memory.tenant, list(concepts)],
    )


def hub_costs(admin: Connection, asked: Sequence[Asked], hubs: Sequence[int]) -> dict[int, float]:
    """Milliseconds of the processor that a check of one concept takes, by how many events it has."""
    found: dict[int, float] = {}
    for events in hubs:
        one = next((one for one in asked if len(one.memory.events) >= events), None)
        if one is None:
            continue
        hub = make_hub(one, events)
        admin.execute("VACUUM ANALYZE cognifold.graph_edge, cognifold.concept_state")
        seconds = []
        for _ in range(_WARMING + _CHECKS):
            admin.execute("DELETE FROM cognifold.intent_due WHERE tenant_id = %s", [one.memory.tenant])
            note(admin, one, [hub])
            seconds.append(taken(one.session, "SELECT intent_id FROM cognifold.emit_intents()")[0])
        found[events] = 1000 * median(seconds[_WARMING:])
    return found


def make_hub(one: Asked, events: int) -> UUID:
    """A concept of so many of the memory's latest events, alone in its cluster."""
    members = one.memory.events[-events:]
    [hub] = _applied(one, [{
        "op": "ADD_NODE", "kind": "concept", "ref": "hub", "title": f"Everything, {events}", "reasoning": "a hub",
        "grounded_in": [str(member) for member in members[:2]],
    }]).values()  # fmt: skip
    for start in range(2, len(members), _OPERATIONS):
        _applied(one, [
            {"op": "ADD_EDGE", "source": str(member), "target": hub, "type": "reinforces", "reasoning": "a hub"}
            for member in members[start : start + _OPERATIONS]
        ])  # fmt: skip
    return UUID(hub)


# The words of a made text are drawn by chance: that they voice nothing is near enough.
_READ: LiteralString = """
INSERT INTO cognifold.cue_reading (tenant_id, node_id, edition, need, done, about, lacks, again, words)
SELECT n.tenant_id, n.id, e.edition, 0, 0, '{}', 0, 0, 15
FROM cognifold.node AS n CROSS JOIN (SELECT cognifold.cue_edition() AS edition) AS e
WHERE n.tenant_id = %s AND n.kind = 'event'
"""


def _applied(one: Asked, operations: Sequence[dict[str, Any]]) -> dict[str, str]:
    refs: dict[str, str] = value(
        one.session, "SELECT cognifold.apply_plan(%s)", Jsonb({"reasoning": "a hub", "operations": operations})
    )["refs"]
    return refs


if __name__ == "__main__":
    main()
