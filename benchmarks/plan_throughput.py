"""How many plans and folds a second, and does a grown memory slow them down?

    python -m benchmarks.plan_throughput [--sizes 1000,10000,100000] [--plans 200] [--events 400] [--json FILE]

At each size a memory of so many nodes is made at once (benchmarks.synthetic). Then, as a plain role under row-level
security, with the journal and fsync on, one connection measures in turns:

    plans   plans of 20 operations by apply_plan, one transaction each, always the same mix of all six: 9 ADD_EDGE,
            3 ADD_NODE, 3 REMOVE_EDGE, 2 REMOVE_NODE, 2 UPDATE_NODE, 1 MERGE_NODES; as many nodes go as come
    bare    the bare INSERT, UPDATE and DELETE of the rows that such a plan writes, journal included: a plan is
            applied and taken back, what it had written is noted, and written again in one transaction of one
            prepared statement a table and kind of change, under the same row-level security
    folds   events folded a second by one worker with the SQL planner, in batches of 20

The three and the sizes alternate in rounds, so that a busy machine hits all alike; figures are medians of the rounds.
The ranks that plans or folds leave to be settled are settled in their time, and the ratios count that; of a plan's time
``ranks_ms_a_plan`` was spent so. (The product lets changes of more than one round wait in a large memory: setting
pagerank.dirty_share.) At the end the smallest memory must pass check(). The last lines are those of
benchmarks.rank_maintenance at the two largest sizes.
"""

from __future__ import annotations

import argparse
import random
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, LiteralString

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Jsonb
from rich.console import Console

from benchmarks import rank_maintenance, synthetic
from benchmarks.harness import ROLE, Report, drop_role, finish, make_role, scratch_database, value
from cognifold_pg.install import package_version

Connection = psycopg.Connection[Any]

_DURABILITY = ("fsync", "full_page_writes", "synchronous_commit")
_FOLD_BATCH = 20
_RANKS = {"cognifold.node_rank", "cognifold.rank_arc"}
_ROUNDS = 5


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000", help="nodes of each memory, ascending")
    parser.add_argument("--plans", type=int, default=200, help="plans applied at each size, and as many written bare")
    parser.add_argument("--events", type=int, default=400, help="events folded at each size")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report there, as JSON")
    parser.add_argument("--dsn", help="a PostgreSQL to use instead of the embedded one")
    options = parser.parse_args(argv)
    sizes = [int(size) for size in options.sizes.split(",")]
    with scratch_database(options.dsn) as dsn:
        require_durability(dsn)
        report = measure(dsn, sizes, options.plans, options.events)
        metrics, baselines = rank_figures(dsn, sizes[-2:])
    report = replace(report, metrics={**report.metrics, **metrics}, baselines={**report.baselines, **baselines})
    finish(report, options.json)


def require_durability(dsn: str) -> None:
    """End the run unless what the server has committed is on disk: else the figures would say nothing."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        found = {name: value(connection, f"SHOW {name}") for name in _DURABILITY}
    if set(found.values()) != {"on"}:
        raise SystemExit(f"A committed plan must be on disk for these figures, but the server says {found}.")


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured at one size, all per second but for the ranks: seconds of a plan's time."""

    plans: float
    ranks: float
    bare: float
    folds: float


def measure(dsn: str, sizes: Sequence[int], plans: int, events: int) -> Report:
    """Run the benchmark in the database ``dsn`` (a superuser's), which must be the memory's alone."""
    console = Console(stderr=True)
    with ExitStack() as opened:
        admin = opened.enter_context(psycopg.connect(dsn, autocommit=True))
        make_role(admin, "cognifold_owner")  # as which the bare statements run
        opened.callback(drop_role, admin)
        measured: dict[int, Measured] = {}
        record = opened.enter_context(recorded_changes(admin))
        for size in sizes:
            started = time.perf_counter()
            memory = synthetic.grow(admin, f"benchmark {size}", size)
            console.print(f"{size} nodes made in {time.perf_counter() - started:.0f} s", style="dim")
            measured[size] = opened.enter_context(Measured(make_conninfo(dsn, user=ROLE), admin, memory))
        for number in range(_ROUNDS + 1):
            for size, one in measured.items():
                one.round(record, max(1, plans // _ROUNDS), max(1, events // _ROUNDS))
                if number == 0:  # the first round warms caches and statements
                    one.forget()
                else:
                    console.print(f"round {number}, {size} nodes: {one.figures()}", style="dim")
        first = measured[sizes[0]].memory.tenant
        admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [first])
        admin.execute("SELECT cognifold.refresh_ranks(true)")  # the bare edges were written behind their back
        broken = admin.execute("SELECT * FROM cognifold.check(tenant => %s)", [first]).fetchall()
        if broken:
            raise SystemExit(f"The memory of {sizes[0]} nodes is not sound any more: {broken[:3]}")
        found = {size: one.figures() for size, one in measured.items()}
    return Report("plan_throughput", package_version(), f"{len(sizes)} memories", *_metrics(found))


class Measured(ExitStack):
    """One memory with its connections, and the seconds that a plan, a bare plan and a fold took in each round."""

    def __init__(self, plain: str, admin: Connection, memory: synthetic.Memory) -> None:
        super().__init__()
        self.memory = memory
        self._admin = admin
        self._maker = PlanMaker(admin, memory)
        self._connection = self._session(plain)
        writer = self._session(plain)
        writer.execute("SET ROLE cognifold_owner")  # the role whose policies the verbs run under
        self._bare = BareWriter(writer)
        self.forget()

    def _session(self, plain: str) -> Connection:
        session = self.enter_context(psycopg.connect(plain, autocommit=True))
        session.execute("SELECT set_config('cognifold.tenant', %s, false)", [self.memory.tenant])
        return session

    def forget(self) -> None:
        """Count from here."""
        self._seconds: dict[str, list[float]] = {"plans": [], "ranks": [], "bare": [], "folds": []}

    def round(self, record: Callable[[PlanMaker, int], list[Changes]], plans: int, events: int) -> None:
        """Apply and write so many plans, fold so many events. Ranks that either leaves to settle are its own time."""
        self._admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [self.memory.tenant])
        self._settle()
        applied = sum(_apply(self._connection, self._maker) for _ in range(plans))
        settled = self._settle()
        written = [self._bare.write(changes) for changes in record(self._maker, plans)]
        self._settle()
        folded = _fold(self._connection, self.memory, events)
        self._seconds["plans"].append((applied + settled) / plans)
        self._seconds["ranks"].append(settled / plans)
        self._seconds["bare"].append(sum(written) / plans)
        self._seconds["folds"].append(folded / events)

    def _settle(self) -> float:
        started = time.perf_counter()
        self._admin.execute("SELECT cognifold.settle_ranks(%s)", [self.memory.tenant])
        return time.perf_counter() - started

    def figures(self) -> Figures:
        """The medians of the rounds."""
        of = {name: median(seconds) for name, seconds in self._seconds.items()}
        return Figures(1 / of["plans"], of["ranks"], 1 / of["bare"], 1 / of["folds"])


def _apply(connection: Connection, maker: PlanMaker) -> float:
    plan = maker.plan()
    started = time.perf_counter()
    result = value(connection, "SELECT cognifold.apply_plan(%s)", Jsonb(plan))
    taken = time.perf_counter() - started
    maker.applied(result)
    return taken


def _fold(connection: Connection, memory: synthetic.Memory, events: int) -> float:
    ids = []
    with connection.transaction():
        for event in memory.next_events(events):
            ids.append(value(
                connection, "SELECT cognifold.remember(%s, occurred_at => %s, source => 'story', actor => %s)",
                event.content, event.occurred_at, event.actor))  # fmt: skip
    memory.events.extend(ids)
    started = time.perf_counter()
    while rows := connection.execute("SELECT outcome FROM cognifold.fold(%s)", [_FOLD_BATCH]).fetchall():
        if any(outcome != "folded" for (outcome,) in rows):
            raise SystemExit(f"A fold failed: {rows}")
    return time.perf_counter() - started


class PlanMaker:
    """Makes plans of 20 operations on a memory, always of the same mix, each on nodes of its own.

    One concept and one time are removed, one concept is merged away; two concepts and one time come: the memory stays
    as large as it was.
    """

    def __init__(self, admin: Connection, memory: synthetic.Memory) -> None:
        self._random = random.Random(2)
        self._memory = memory
        self._days = 0
        self._titles = 0
        self._edges = admin.execute(
            "SELECT source_id, target_id FROM cognifold.graph_edge WHERE tenant_id = %s AND type = 'related_to' "
            "AND source_kind = 'event' ORDER BY source_id, target_id", [memory.tenant]).fetchall()  # fmt: skip
        self._random.shuffle(self._edges)
        for pool in (memory.concepts, memory.times):
            self._random.shuffle(pool)

    def plan(self) -> dict[str, Any]:
        """The next plan; what it removes no other plan names."""
        memory, choice = self._memory, self._random
        removed, survivor, absorbed = (memory.concepts.pop(0) for _ in range(3))
        memory.concepts.append(survivor)
        past_time = memory.times.pop(0)
        updated = choice.sample(memory.concepts, 2)
        linked = choice.sample(memory.concepts, 4)
        grounds = choice.sample(memory.events, 10)
        self._days += 1
        moment = f"{2030 + self._days // 336}-{1 + self._days // 28 % 12:02}-{1 + self._days % 28:02}T00:00:00Z"
        operations: list[dict[str, Any]] = [
            {"op": "REMOVE_EDGE", "source": source, "target": target, "type": "related_to"}
            for source, target in (self._edges.pop() for _ in range(3))
        ]
        operations += [{"op": "REMOVE_NODE", "node": removed}, {"op": "REMOVE_NODE", "node": past_time}]
        operations += [
            {"op": "ADD_NODE", "kind": "concept", "ref": f"concept{n}", "title": self._new_title(),
             "grounded_in": grounds[2 * n : 2 * n + 2]}
            for n in range(2)
        ]  # fmt: skip
        operations.append(
            {"op": "ADD_NODE", "kind": "time", "ref": "time", "title": moment[:10], "occurred_at": moment,
             "precision": "day", "grounded_in": grounds[4:5]}
        )  # fmt: skip
        operations += [{"op": "UPDATE_NODE", "node": node, "title": self._new_title()} for node in updated]
        edges: list[tuple[Any, Any, str]] = [
            ("time", grounds[4], "deadline_for"),
            (grounds[5], linked[0], "reinforces"),
            (grounds[6], linked[1], "reinforces"),
            (grounds[7], grounds[8], "related_to"),
            (grounds[8], grounds[9], "causes"),
            (grounds[9], linked[2], "part_of"),
            (linked[0], linked[1], "related_to"),
            ("concept0", linked[2], "related_to"),
            ("concept1", linked[3], "part_of"),
        ]
        operations += [{"op": "ADD_EDGE", "source": s, "target": t, "type": kind} for s, t, kind in edges]
        operations.append({"op": "MERGE_NODES", "ids": [survivor, absorbed], "survivor": survivor})
        for operation in operations:
            operation["reasoning"] = "a benchmark's"
            for name, content in operation.items():
                if isinstance(content, uuid.UUID):
                    operation[name] = str(content)
                elif isinstance(content, list):
                    operation[name] = [str(part) for part in content]
        return {"plan_id": str(uuid.uuid4()), "reasoning": "twenty operations", "operations": operations}

    def applied(self, result: dict[str, Any]) -> None:
        """Take note of the nodes that a plan has made."""
        refs = {name: uuid.UUID(found) for name, found in result["refs"].items()}
        self._memory.concepts.extend([refs["concept0"], refs["concept1"]])
        self._memory.times.append(refs["time"])
        if result["counts"]["nodes_added"] != 3 or result["counts"]["nodes_removed"] < 2:
            raise SystemExit(f"The plan did not do what it was meant to: {result}")

    def _new_title(self) -> str:
        # Texts that differ in a number are never taken for the same.
        self._titles += 1
        return f"{' '.join(self._memory.topics.text(None).split()[:3]).capitalize()} {self._titles}"


_CHANGES: LiteralString = """
CREATE FUNCTION pg_temp.note_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO pg_temp.note (relation, depth, before, after)
    VALUES (format('%I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME), pg_trigger_depth(),
            CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END,
            CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END);
    RETURN NULL;
END $$;
CREATE TEMPORARY TABLE note (
    position bigint GENERATED ALWAYS AS IDENTITY, relation text, depth integer, before jsonb, after jsonb)
"""


@dataclass(frozen=True, slots=True)
class Changes:
    """The rows that one plan inserts, updates and deletes, by table: whole rows, as they were before or are after."""

    rows: dict[tuple[str, str], list[dict[str, Any]]]
    changed_columns: dict[str, list[str]]


@contextmanager
def recorded_changes(admin: Connection) -> Iterator[Callable[[PlanMaker, int], list[Changes]]]:
    """A function that applies the next plans, takes them back, and says which rows each had written.

    What foreign keys delete with a row is not noted: they will do so again. Nor are the ranks that a plan happens to
    settle: they are those of many plans before it.
    """
    admin.execute(_CHANGES)
    keys = _keys(admin)

    def record(maker: PlanMaker, plans: int) -> list[Changes]:
        found = []
        with admin.transaction(force_rollback=True):
            for relation in keys.keys() - _RANKS:
                admin.execute(
                    sql.SQL("CREATE TRIGGER benchmark_note AFTER INSERT OR UPDATE OR DELETE ON {} FOR EACH ROW "
                            "EXECUTE FUNCTION pg_temp.note_change()").format(_qualified(relation)))  # fmt: skip
            for _ in range(plans):
                maker.applied(value(admin, "SELECT cognifold.apply_plan(%s)", Jsonb(maker.plan())))
                notes = admin.execute(
                    "WITH noted AS (DELETE FROM note RETURNING *) "
                    "SELECT relation, before, after FROM noted WHERE depth = 1 ORDER BY position"
                ).fetchall()
                found.append(_net(notes, keys))
        return found

    try:
        yield record
    finally:
        admin.execute("DROP TABLE note; DROP FUNCTION pg_temp.note_change()")


def _net(notes: Sequence[tuple[str, Any, Any]], keys: dict[str, list[str]]) -> Changes:
    """Several changes of one row are one: from what it was first to what it is last.

    But a row that went and came again does so here: others went with it.
    """
    first: dict[tuple[str, tuple[Any, ...]], Any] = {}
    last: dict[tuple[str, tuple[Any, ...]], Any] = {}
    gone: set[tuple[str, tuple[Any, ...]]] = set()
    for relation, before, after in notes:
        row = after if after is not None else before
        key = relation, tuple(row[name] for name in keys[relation])
        first.setdefault(key, before)
        last[key] = after
        if after is None:
            gone.add(key)
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    changed: dict[str, set[str]] = {}
    for key, before in first.items():
        relation, after = key[0], last[key]
        if before is not None and key in gone:
            rows.setdefault((relation, "delete"), []).append(before)
        if after is not None and (before is None or key in gone):
            rows.setdefault((relation, "insert"), []).append(after)
        elif after is not None and before != after:
            rows.setdefault((relation, "update"), []).append(after)
            changed.setdefault(relation, set()).update(name for name in after if after[name] != before[name])
    return Changes(rows, {relation: sorted(names) for relation, names in changed.items()})


class BareWriter:
    """Writes noted rows as a program would that had thought of them: one statement a table and kind of change."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        connection.prepare_threshold = 0
        self._keys = _keys(connection)
        self._columns = dict(connection.execute(
            "SELECT attrelid::regclass::text, array_agg(attname::text ORDER BY attnum) FROM pg_attribute "
            "WHERE attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attrelid::regclass::text = ANY (%s) "
            "GROUP BY attrelid", [list(self._keys)]).fetchall())  # fmt: skip

    def write(self, changes: Changes) -> float:
        """Write ``changes`` in one transaction; the seconds it took."""
        steps = [
            (self._statement(relation, kind, changes.changed_columns.get(relation, [])), Jsonb(rows))
            for kind, order in (("delete", reversed(self._keys)), ("insert", self._keys), ("update", self._keys))
            for relation in order
            if (rows := changes.rows.get((relation, kind)))
        ]
        started = time.perf_counter()
        with self._connection.transaction():
            for statement, parameter in steps:
                self._connection.execute(statement, [parameter])
        return time.perf_counter() - started

    def _statement(self, relation: str, kind: str, changed: Sequence[str]) -> sql.Composed:
        table = _qualified(relation)
        rows = sql.SQL("jsonb_populate_recordset(NULL::{}, %s) AS r").format(table)
        same = sql.SQL(" AND ").join(
            sql.SQL("t.{0} = r.{0}").format(sql.Identifier(name)) for name in self._keys[relation]
        )
        if kind == "delete":
            return sql.SQL("DELETE FROM {} AS t USING {} WHERE {}").format(table, rows, same)
        if kind == "update":
            values = sql.SQL(", ").join(sql.SQL("{0} = r.{0}").format(sql.Identifier(n))
                                        for n in changed if n in self._columns[relation])  # fmt: skip
            return sql.SQL("UPDATE {} AS t SET {} FROM {} WHERE {}").format(table, values, rows, same)
        names = sql.SQL(", ").join(sql.Identifier(name) for name in self._columns[relation])
        return sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {}").format(table, names, names, rows)


def _keys(connection: Connection) -> dict[str, list[str]]:
    """The primary key of each table with a tenant; a table stands after those that it refers to."""
    keys = dict(connection.execute(
        "SELECT i.indrelid::regclass::text, array_agg(a.attname::text ORDER BY k.place) FROM pg_index AS i "
        "CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY AS k (number, place) "
        "JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number "
        "WHERE i.indisprimary AND i.indrelid IN ("
        "    SELECT c.oid FROM pg_class AS c JOIN pg_attribute AS t ON t.attrelid = c.oid AND t.attname = 'tenant_id' "
        "    WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind = 'r') "
        "AND k.place <= i.indnkeyatts GROUP BY i.indrelid").fetchall())  # fmt: skip
    needs = connection.execute(
        "SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint "
        "WHERE contype = 'f' AND conrelid <> confrelid"
    ).fetchall()
    ordered: dict[str, list[str]] = {}

    def place(relation: str) -> None:
        if relation in keys and relation not in ordered:
            for _, needed in filter(lambda need: need[0] == relation, needs):
                place(needed)
            ordered[relation] = keys[relation]

    for relation in sorted(keys):
        place(relation)
    return ordered


def _qualified(relation: str) -> sql.Identifier:
    return sql.Identifier(*relation.split("."))


def _metrics(found: dict[int, Figures]) -> tuple[dict[str, float], dict[str, float]]:
    """The report's metrics and baselines: each size by its short name, and the ratios that are promised."""
    first, last = min(found), max(found)
    name = {size: f"{size // 1000}k" if size % 1000 == 0 else str(size) for size in found}
    metrics: dict[str, float] = {}
    for size, figures in found.items():
        metrics[f"plans_per_second_{name[size]}"] = figures.plans
    metrics[f"plans_ratio_{name[last]}_to_{name[first]}"] = found[last].plans / found[first].plans
    for size, figures in found.items():
        metrics[f"ranks_ms_a_plan_{name[size]}"] = 1000 * figures.ranks
    metrics["bare_plans_per_second"] = median(figures.bare for figures in found.values())
    metrics["plans_ratio_to_bare"] = median(figures.plans / figures.bare for figures in found.values())
    for size, figures in found.items():
        metrics[f"folds_per_second_{name[size]}"] = figures.folds
    middle = sorted(found)[-2:][0]
    metrics[f"folds_ratio_{name[last]}_to_{name[middle]}"] = found[last].folds / found[middle].folds
    return metrics, {f"bare.plans_per_second_{name[size]}": figures.bare for size, figures in found.items()}


def rank_figures(dsn: str, sizes: Sequence[int]) -> tuple[dict[str, float], dict[str, float]]:
    """The metrics and baselines of PageRank's maintenance (benchmarks.rank_maintenance)."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        return rank_maintenance.measure(connection, sizes)


if __name__ == "__main__":
    main()
