"""Does a consolidation pass find what it must, and does its cost follow what changed and not what is there?

    python -m benchmarks.metabolism [--sizes 10000,100000,1000000] [--rounds 3] [--seconds 60] [--folding]
                                    [--json FILE] [--dsn DSN]

Needs no data. At each size N (10k, 100k, ...) a memory of so many nodes and ten live edges a node is made at once
(benchmarks.synthetic), and into each the same is planted, by remember and by plans:

    100 pairs       concepts that are one: other titles, each with an event of its own that says the same in other words
    50 opposites    pairs that differ in hardly a word: a number, a date, a name, a negation, an antonym (10 each)
    100 orphans     concepts of an event of a year ago, so that no edge of theirs ever lived, near something of today
    1,000 edges     between old events, which by the time of the pass have fallen below edge.fade
    1,000 changed   500 concepts of the memory, each reinforced by a new event

Then one pass over all of it, as a plain role under row-level security, and in ``rounds`` further passes, each over
1,000 changed nodes alone, by turns at every size; their vectors are in the index by then, as a worker sees to.
Metrics, of each size:

    merged_share, completed_share, faded_share    of what was planted; at least .9, .9 and 1
    opposite_merged, others_merged    pairs of opposites merged, and concepts that were not planted; 0
    counts_differ     in how many of its counts (concepts changed, merged, completed, edges faded, events replayed) the
                      first pass differs from that at the smallest size; 0
    pass_seconds, pass_cpu_ms    median of a pass over 1,000 changed nodes: wall clock, and CPU of its session
    pass_ratio, pass_cpu_ratio   the largest memory's as a multiple of the smallest's; at most 2
    idle_pass_ms, idle_rows_written, idle_wal_bytes    the largest memory, a pass where nothing changed: under 50, 0
    later_rows_written           and a pass 6 hours later, for which some events are due by the clock
    month_rows_rewritten         edges that a pass a month later rewrites, where all have decayed and none has faded; 0
    weights_checked, weights_wrong    then each edge's weight against the formula, in NumPy, within 1e-9; none wrong
    fold_ratio_during_pass       events that 4 workers fold in ``seconds`` while passes run, over those they fold
                                 without, at the smallest size, window by window in turns; at least .7
    turn_ratio_during_pass       the share of the time in which a fold is at work while passes run, over that without:
                                 what is left of the tenant's turn, whatever else the machine does meanwhile
    deadlocks                    as the server counts them; 0

With --folding nothing is measured but the last three, at the smallest size.

So that all edges decay and none fades within that month, the rate ``episodic`` is set to the semantic one (set_decay)
before it. Baselines ``naive``: opposites merged by cosine alone (the merge threshold on the planted pairs, nothing
else), and a pass that looks at everything: one UPDATE of all weights in a plain table without an index, and each
concept's vector against all others, both on a sample and scaled.
"""

from __future__ import annotations

import argparse
import random
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any, LiteralString
from uuid import UUID

import numpy as np
import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Jsonb
from rich.console import Console

from benchmarks import synthetic
from benchmarks.harness import ROLE, Report, drop_role, finish, make_role, scratch_database, short, value
from cognifold_pg.install import package_version

Connection = psycopg.Connection[Any]
Pair = tuple[UUID, UUID]

_WINDOW = timedelta(hours=200)  # all that is made at once happens in so long
_NOW = synthetic.START + _WINDOW + timedelta(hours=2)
_MONTH = timedelta(days=30)
_LATER = _MONTH + timedelta(hours=7)  # when a month has passed, and workers fold beside passes
_WORKERS = 4
_BATCH = 100
_LOOK = 0.02  # seconds
_AT_WORK = (  # whether one of the role's sessions folds and does not wait for its turn
    "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = %s "
    "AND state = 'active' AND query LIKE '%%cognifold.fold(%%' AND wait_event_type IS DISTINCT FROM 'Lock')"
)
_COUNTS = ("concepts_changed", "concepts_merged", "concepts_completed", "edges_faded", "events_replayed")

# A title and what was said, and both again in other words; a and b are two words of that pair alone.
_SAME = (
    ("Repair of the {a}", "The {a} was repaired in the {b} workshop",
     "{a} repairs", "In the {b} workshop the {a} was repaired"),
    ("Buying a {a}", "They bought a {a} for the {b}",
     "Purchase of the {a}", "For the {b} they bought another {a}"),
    ("Report about the {a}", "A report about the {a} and the {b} was written",
     "The {a} report", "Somebody wrote a report about the {b} and the {a}"),
    ("Delivery of the {a}", "The {a} was delivered to the {b} shop",
     "{a} delivered", "To the {b} shop the {a} was delivered"),
)  # fmt: skip
# What was said of one and of the other, by what they differ in.
_OPPOSITE = (
    ("{a} {b} order of {n} boxes", "{a} {b} order of {n}0 boxes"),
    ("the {a} {b} rent is due {n} June", "the {a} {b} rent is due {n} July"),
    ("the {a} {b} dinner with Anna", "the {a} {b} dinner with Tobias"),
    ("likes the {a} and the {b}", "does not like the {a} and the {b}"),
    ("the {a} at the {b} is open", "the {a} at the {b} is closed"),
    ("the {a} ran {n} miles around the {b}", "the {a} ran {m} miles around the {b}"),
    ("the {a} {b} meeting is held on Tuesday", "the {a} {b} meeting is held on Thursday"),
    ("the {a} of Marta lies near the {b}", "the {a} of Viktor lies near the {b}"),
    ("the {a} works with that {b}", "the {a} never works with that {b}"),
    ("prefers morning {a} rides by the {b}", "prefers evening {a} rides by the {b}"),
)


@dataclass(frozen=True, slots=True)
class Amounts:
    """How much of each is planted."""

    pairs: int = 100
    opposites: int = 50
    orphans: int = 100
    fading: int = 1000
    changed: int = 1000


@dataclass
class Planted:
    """A memory with what was planted in it, and what was measured."""

    name: str
    memory: synthetic.Memory
    amounts: Amounts
    pairs: list[Pair] = field(default_factory=list)
    opposites: list[Pair] = field(default_factory=list)
    orphans: list[UUID] = field(default_factory=list)
    fading: list[Pair] = field(default_factory=list)
    first: dict[str, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    rounds: int = 0


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000", help="nodes of each memory, ascending")
    parser.add_argument("--rounds", type=int, default=3, help="passes over 1,000 changed nodes at each size")
    parser.add_argument("--seconds", type=float, default=60, help="how long workers fold beside passes; 0: not at all")
    parser.add_argument("--folding", action="store_true", help="only how folding fares beside passes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report there, as JSON")
    parser.add_argument("--dsn", help="a PostgreSQL to use instead of the embedded one (a superuser's)")
    options = parser.parse_args(argv)
    sizes = [int(size) for size in options.sizes.split(",")]
    with scratch_database(options.dsn) as dsn:
        if options.folding:
            report = folding_alone(dsn, sizes[0], options.seconds)
        else:
            report = measure(dsn, sizes, options.rounds, options.seconds)
    finish(report, options.json)


def measure(dsn: str, sizes: Sequence[int], rounds: int, seconds: float, amounts: Amounts | None = None) -> Report:
    """Run the benchmark in the database ``dsn`` (a superuser's), which must be the memory's alone."""
    console = Console(stderr=True)
    with psycopg.connect(dsn, autocommit=True) as admin:
        grown = []
        for size in sizes:
            started = time.perf_counter()
            grown.append(grow(admin, size))
            console.print(f"{size} nodes made in {time.perf_counter() - started:.0f} s", style="dim")
        started = time.perf_counter()
        admin.execute("SET maintenance_work_mem = '2GB'")
        admin.execute("SELECT cognifold.build_vector_index(256)")
        console.print(f"vectors indexed in {time.perf_counter() - started:.0f} s", style="dim")
        return measured(dsn, admin, grown, rounds, seconds, amounts or Amounts(), console)


def folding_alone(dsn: str, size: int, seconds: float, amounts: Amounts | None = None, windows: int = 3) -> Report:
    """Only how folding fares beside passes, in a memory in which a pass has found what is planted."""
    with psycopg.connect(dsn, autocommit=True) as admin, ExitStack() as opened:
        one = Planted(short(size), grow(admin, size), amounts or Amounts())
        admin.execute("SELECT cognifold.build_vector_index(256)")
        make_role(admin, "cognifold_clock")
        opened.callback(drop_role, admin)
        plant(admin, one)
        index_waiting(admin)
        session = opened.enter_context(psycopg.connect(make_conninfo(dsn, user=ROLE), autocommit=True))
        # What a month lets fade would else be dealt with beside the first folds.
        for ahead in (timedelta(), _LATER):
            enter(session, one, ahead)
            consolidate(session)
        metrics = folding_beside_passes(dsn, admin, make_conninfo(dsn, user=ROLE), one, seconds, windows)
    return Report("metabolism", package_version(), one.name, metrics, {})


def grow(admin: Connection, size: int) -> synthetic.Memory:
    """A memory of so many nodes and ten edges a node, all of them live at ``_NOW``; its vectors wait to be indexed."""
    return synthetic.grow(admin, f"memory of {size} {secrets.token_hex(4)}", size, step=_WINDOW / size, related=(8, 12))


def measured(
    dsn: str,
    admin: Connection,
    grown: Sequence[synthetic.Memory],
    rounds: int,
    seconds: float,
    amounts: Amounts,
    console: Console,
) -> Report:
    """Plant in memories that are made, and measure."""
    metrics: dict[str, float] = {}
    baselines: dict[str, float] = {}
    with ExitStack() as opened:
        make_role(admin, "cognifold_clock")  # it moves the memory's clock
        opened.callback(drop_role, admin)
        plain = make_conninfo(dsn, user=ROLE)
        planted = []
        sessions = []
        for memory in grown:
            one = Planted(short(sum(map(len, (memory.events, memory.concepts, memory.times)))), memory, amounts)
            started = time.perf_counter()
            plant(admin, one)
            console.print(f"{one.name}: planted in {time.perf_counter() - started:.0f} s", style="dim")
            index_waiting(admin)
            planted.append(one)
            sessions.append(opened.enter_context(psycopg.connect(plain, autocommit=True)))
        naive = [opposites_by_cosine(admin, one) for one in planted]
        for one, session, by_cosine in zip(planted, sessions, naive, strict=True):
            enter(session, one)
            started = time.perf_counter()
            one.first = consolidate(session)
            metrics[f"first_pass_seconds_{one.name}"] = time.perf_counter() - started
            metrics |= {f"{name}_{one.name}": found for name, found in found_of(admin, one).items()}
            metrics[f"counts_differ_{one.name}"] = sum(one.first[name] != planted[0].first[name] for name in _COUNTS)
            baselines[f"naive.opposite_merged_{one.name}"] = by_cosine
            console.print(f"{one.name}: first pass {one.first}", style="dim")
        for number in range(rounds + 1):
            for one, session in zip(planted, sessions, strict=True):
                change(admin, one)
                index_waiting(admin)
                timed_pass(session, one)
                if number == 0:  # it warms the caches
                    one.seconds.clear()
                    one.cpu.clear()
        for one in planted:
            metrics[f"pass_seconds_{one.name}"] = median(one.seconds)
            metrics[f"pass_cpu_ms_{one.name}"] = 1000 * median(one.cpu)
            console.print(f"{one.name}: {one.seconds} s, CPU {one.cpu} s", style="dim")
        first, last = planted[0].name, planted[-1].name
        metrics["pass_ratio"] = metrics[f"pass_seconds_{last}"] / metrics[f"pass_seconds_{first}"]
        metrics["pass_cpu_ratio"] = metrics[f"pass_cpu_ms_{last}"] / max(metrics[f"pass_cpu_ms_{first}"], 1e-9)
        metrics |= idle(sessions[-1])
        metrics |= after_a_month(admin, sessions[-1], planted[-1])
        baselines[f"naive.pass_seconds_{last}"] = everything_seconds(admin, planted[-1])
        if seconds:
            metrics |= folding_beside_passes(dsn, admin, plain, planted[0], seconds)
    return Report("metabolism", package_version(), ", ".join(one.name for one in planted), metrics, baselines)


# ------------------------------------------------------------------------------------------------ planting
def plant(admin: Connection, one: Planted) -> None:
    """Plant all of it, the same in every memory."""
    enter(admin, one)
    words = _words(admin)
    amounts = one.amounts

    told: list[tuple[str, str, str, str]] = []
    for number in range(amounts.pairs):
        a, b = words.pop(), words.pop()
        title, text, other, retold = (part.format(a=a, b=b) for part in _SAME[number % len(_SAME)])
        told.append((title, text, other, retold))
    one.pairs = _pairs(admin, told)
    told = []
    for number in range(amounts.opposites):
        a, b = words.pop(), words.pop()
        texts = _OPPOSITE[number % len(_OPPOSITE)]
        said, opposed = (text.format(a=a, b=b, n=number % 28 + 1, m=number % 28 + 2) for text in texts)
        told.append((said, said, opposed, opposed))
    one.opposites = _pairs(admin, told)

    themes = [(words.pop(), words.pop()) for _ in range(amounts.orphans)]
    long_ago = _remember(admin, [f"The {a} near the {b}" for a, b in themes], timedelta(days=-365))
    today = _remember(admin, [f"Somebody painted the {a} beside the {b}" for a, b in themes], timedelta())
    one.orphans = _concepts(admin, [(f"{a} of yore", e) for (a, _), e in zip(themes, long_ago, strict=True)])
    _apply(admin, [], today)

    number = 2
    while number * (number - 1) < amounts.fading:
        number += 1
    # .5 falls below .1 after 322 hours.
    age = timedelta(hours=-330)
    past = _remember(admin, [f"A {words.pop()} was seen near the {words.pop()}" for _ in range(number)], age)
    one.fading = [(a, b) for a in past for b in past if a != b][: amounts.fading]
    admin.execute("SELECT set_config('cognifold.now', %s, false)", [(_NOW + age).isoformat()])
    for start in range(0, len(one.fading), _BATCH):
        _apply(admin, [
            {"op": "ADD_EDGE", "source": str(a), "target": str(b), "type": "related_to"}
            for a, b in one.fading[start : start + _BATCH]
        ], past if start == 0 else ())  # fmt: skip
    enter(admin, one)
    change(admin, one)


def change(admin: Connection, one: Planted) -> None:
    """Half as many concepts of the memory as nodes are to change are reinforced, each by an event of its own."""
    enter(admin, one)
    number = one.amounts.changed // 2
    topics, memory = one.memory.topics, one.memory
    chosen = random.Random(one.rounds).sample(range(len(memory.concepts)), min(number, len(memory.concepts)))
    # By the whole of its topic's words: one and the same event at every size would be about another topic.
    texts = [f"round {one.rounds}: {' '.join(topics.words[topic])}" for topic in chosen]
    events = _remember(admin, texts, timedelta(seconds=one.rounds))
    for start in range(0, len(chosen), _BATCH):
        part = list(zip(events, chosen, strict=True))[start : start + _BATCH]
        _apply(admin, [
            {"op": "ADD_EDGE", "source": str(event), "target": str(memory.concepts[topic]), "type": "reinforces"}
            for event, topic in part
        ], [event for event, _ in part])  # fmt: skip
    one.rounds += 1


def index_waiting(admin: Connection) -> None:
    """Vectors that wait for the index go into it, as a worker sees to after every turn of folding."""
    while value(admin, "SELECT cognifold.index_vectors(10000)"):
        pass


def _pairs(admin: Connection, told: Sequence[tuple[str, str, str, str]]) -> list[Pair]:
    """Concepts two by two: (title, what was said, title, what was said) each."""
    events = _remember(admin, [text for one in told for text in (one[1], one[3])], timedelta(minutes=-5))
    titles = [title for one in told for title in (one[0], one[2])]
    made = _concepts(admin, list(zip(titles, events, strict=True)))
    return list(zip(made[::2], made[1::2], strict=True))


def _remember(admin: Connection, texts: Sequence[str], ago: timedelta) -> list[UUID]:
    """Events that happened so long from now, by ``remember``."""
    cursor = admin.cursor()
    at = (_NOW + ago).isoformat()
    cursor.executemany(
        "SELECT cognifold.remember(%s, occurred_at => %s, source => 'planted', actor => 'Noor')",
        [(text, at) for text in texts], returning=True,
    )  # fmt: skip
    found = [row[0] for result in cursor.results() for row in result.fetchall()]
    if len(set(found)) != len(texts):
        raise SystemExit(f"{len(texts)} events were to be planted, and {len(set(found))} were stored")
    return found


def _concepts(admin: Connection, wanted: Sequence[tuple[str, UUID]]) -> list[UUID]:
    """A concept of each title and event, in plans that are the fold of these events."""
    made = []
    for start in range(0, len(wanted), _BATCH):
        part = wanted[start : start + _BATCH]
        result = _apply(admin, [
            {"op": "ADD_NODE", "kind": "concept", "title": title, "grounded_in": [str(event)], "ref": f"r{place}"}
            for place, (title, event) in enumerate(part)
        ], [event for _, event in part])  # fmt: skip
        if result["counts"]["nodes_added"] != len(part):
            raise SystemExit(f"A planted concept repeats another at its making: {result['counts']}")
        made += [UUID(result["refs"][f"r{place}"]) for place in range(len(part))]
    return made


def _apply(admin: Connection, operations: Sequence[dict[str, Any]], folded: Sequence[UUID] = ()) -> dict[str, Any]:
    """Execute a plan that is the fold of these events."""
    result: dict[str, Any] = value(
        admin, "SELECT cognifold.execute_plan(cognifold.required_tenant(), %s, 'sql', %s::uuid[])",
        Jsonb({"reasoning": "planted", "operations": list(operations)}), list(folded),
    )  # fmt: skip
    return result


def _words(admin: Connection) -> list[str]:
    """Words that are neither frequent nor one of a pair of opposites, always in the same order."""
    words = [word for (word,) in admin.execute(
        "SELECT l.word FROM cognifold.lexicon AS l WHERE l.word ~ '^[a-z]{6,11}$' "
        "AND NOT EXISTS (SELECT FROM cognifold.antonym AS o WHERE o.word = l.word) "
        "ORDER BY l.frequency DESC, l.word OFFSET 3000 LIMIT 12000").fetchall()]  # fmt: skip
    # One word a stem: two of one would tie two things together.
    stems: dict[str, str] = {}
    for word in words:
        stems.setdefault(word[:5], word)
    kept = list(stems.values())
    random.Random(7).shuffle(kept)
    return kept


# ------------------------------------------------------------------------------------------------ what a pass found
def found_of(admin: Connection, one: Planted) -> dict[str, float]:
    """What became of what was planted."""
    tenant = one.memory.tenant
    merged = dict(admin.execute(
        "SELECT id, merged_into FROM cognifold.node WHERE tenant_id = %s AND merged_into IS NOT NULL", [tenant]
    ).fetchall())  # fmt: skip
    tied = {node for row in admin.execute(
        "SELECT source_id, target_id FROM cognifold.graph_edge WHERE tenant_id = %s AND inferred AND faded_at IS NULL",
        [tenant]) for node in row}  # fmt: skip
    faded = set(admin.execute(
        "SELECT source_id, target_id FROM cognifold.graph_edge WHERE tenant_id = %s AND faded_at IS NOT NULL", [tenant]
    ).fetchall())  # fmt: skip
    joined = sum(merged.get(a) == b or merged.get(b) == a for a, b in one.pairs)
    opposite = {node for pair in one.opposites for node in pair}
    of_pairs = {node for pair in one.pairs for node in pair}
    return {
        "merged_share": joined / len(one.pairs),
        "completed_share": sum(node in tied for node in one.orphans) / len(one.orphans),
        "faded_share": sum(pair in faded for pair in one.fading) / len(one.fading),
        "opposite_merged": sum(merged.get(a) == b or merged.get(b) == a for a, b in one.opposites),
        "others_merged": len(merged) - joined - sum(node in opposite for node in merged)
        - sum(node in of_pairs and (merged[node], node) not in one.pairs and (node, merged[node]) not in one.pairs
              for node in merged),
    }  # fmt: skip


def opposites_by_cosine(admin: Connection, one: Planted) -> int:
    """How many of the pairs of opposites are as near as the merge threshold asks."""
    return int(value(
        admin,
        "SELECT count(*) FROM unnest(%s::uuid[], %s::uuid[]) AS p (one, other) "
        "JOIN cognifold.embedding AS a ON a.tenant_id = %s AND a.node_id = p.one "
        "JOIN cognifold.embedding AS b ON b.tenant_id = a.tenant_id AND b.node_id = p.other "
        "JOIN cognifold.embedding_model AS m ON m.model_id = a.model_id WHERE 1 - (a.vector <=> b.vector) >= m.merge",
        [a for a, _ in one.opposites], [b for _, b in one.opposites], one.memory.tenant))  # fmt: skip


# ------------------------------------------------------------------------------------------------ passes
def enter(session: Connection, one: Planted, ahead: timedelta = timedelta()) -> None:
    """The session's tenant and clock."""
    session.execute(
        "SELECT set_config('cognifold.tenant', %s, false), set_config('cognifold.now', %s, false)",
        [one.memory.tenant, (_NOW + timedelta(hours=1) + ahead).isoformat()],
    )


def consolidate(session: Connection) -> dict[str, int]:
    """One pass, whole; its counts."""
    report = value(session, "SELECT cognifold.consolidate()")
    return {name: number for name, number in report["counts"].items() if isinstance(number, int)}


def timed_pass(session: Connection, one: Planted) -> None:
    """A pass, and what it took of the clock and of the processor."""
    enter(session, one)
    before, started = _cpu(session), time.perf_counter()
    consolidate(session)
    one.seconds.append(time.perf_counter() - started)
    one.cpu.append(_cpu(session) - before)


def _cpu(session: Connection) -> float:
    """Seconds of processor time of the session's backend, to .01; 0 where it is on another machine."""
    with suppress(OSError):
        fields = Path(f"/proc/{session.info.backend_pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100
    return 0


_ROWS: LiteralString = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_xact_user_tables"


def rows_of_a_pass(session: Connection) -> tuple[int, float, int]:
    """Rows that a pass inserts, updates and deletes, the seconds it takes, and the bytes of WAL meanwhile."""
    with session.transaction():
        # The counters still hold what earlier transactions have not handed on.
        rows = int(value(session, _ROWS) or 0)
        before = value(session, "SELECT pg_current_wal_insert_lsn()")
        started = time.perf_counter()
        consolidate(session)
        seconds = time.perf_counter() - started
        written = int(value(session, _ROWS) or 0) - rows
        return written, seconds, int(value(session, "SELECT pg_current_wal_insert_lsn() - %s::pg_lsn", before))


def idle(session: Connection, times: int = 15) -> dict[str, float]:
    """A pass where nothing changed, again and again; then one six hours later."""
    consolidate(session)
    found = [rows_of_a_pass(session) for _ in range(times)]
    now = value(session, "SELECT cognifold.now()")
    session.execute("SELECT set_config('cognifold.now', %s, false)", [(now + timedelta(hours=6)).isoformat()])
    written, seconds, _ = rows_of_a_pass(session)
    return {
        "idle_pass_ms": 1000 * median(seconds for _, seconds, _ in found),
        "idle_rows_written": max(rows for rows, _, _ in found),
        "idle_wal_bytes": min(wal for *_, wal in found),
        "later_pass_ms": 1000 * seconds,
        "later_rows_written": written,
    }


# ------------------------------------------------------------------------------------------------ a month
_EDGES: LiteralString = """
COPY (
    SELECT extract(epoch FROM e.stamped_at)::float8, y.default_weight,
           CASE e.rate WHEN 'episodic' THEN 1.0 ELSE 0.0 END::float8, e.weight
    FROM cognifold.edge AS e JOIN cognifold.edge_type AS y ON y.type = e.type
    WHERE e.created_at >= {} AND e.created_at < {}
) TO STDOUT (FORMAT binary)
"""


def after_a_month(admin: Connection, session: Connection, one: Planted) -> dict[str, float]:
    """All edges decay by a month, through the view and through a pass: which are rewritten, which weigh wrong."""
    tenant = one.memory.tenant
    rates = dict(admin.execute(
        "SELECT rate, lambda FROM cognifold.decay_clock WHERE tenant_id = %s", [tenant]).fetchall())  # fmt: skip
    enter(admin, one, timedelta(hours=7))
    slower = value(admin, "SELECT cognifold.now()")
    admin.execute("SELECT cognifold.set_decay('episodic', %s, %s)", [rates["semantic"], slower])
    enter(session, one, _LATER)
    end = value(session, "SELECT cognifold.now()")
    before = _updated(session)
    report = consolidate(session)
    rewritten = _updated(session) - before
    checked = wrong = 0
    worst = 0.0
    # What was made at once, and no plan has touched since.
    statement = sql.SQL(_EDGES).format(synthetic.START.isoformat(), (_NOW - timedelta(hours=1)).isoformat())
    for part in floats(session, statement, 4):
        stamped, stated, episodic, weight = part.T
        hours_before, hours_after = (slower.timestamp() - stamped) / 3600, (end - slower).total_seconds() / 3600
        rate = np.where(episodic == 1, rates["episodic"], rates["semantic"])
        due = np.minimum(1, stated * np.exp(-rate * hours_before - rates["semantic"] * hours_after))
        checked += len(part)
        wrong += int(np.count_nonzero(np.abs(weight / due - 1) > 1e-9))
        worst = max(worst, float(np.max(np.abs(weight / due - 1), initial=0)))
    return {
        "month_rows_rewritten": rewritten,
        "month_edges_faded": report["edges_faded"],
        "weights_checked": checked,
        "weights_wrong": wrong,
        "weights_worst_error": worst,
    }


def _updated(session: Connection) -> int:
    """Rows of graph_edge inserted, updated or deleted so far, as the server counts; the session tells its own first."""
    session.execute("SELECT pg_stat_force_next_flush()")
    return int(value(session, "SELECT n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_user_tables "
                              "WHERE relid = 'cognifold.graph_edge'::regclass"))  # fmt: skip


def floats(session: Connection, statement: sql.Composed, columns: int) -> Iterator[Any]:
    """The rows of a binary COPY of so many doubles, in parts."""
    layout = np.dtype([("fields", ">i2"), ("cells", [("length", ">i4"), ("number", ">f8")], (columns,))])
    held = b""
    started = False
    with session.cursor().copy(statement) as copy:
        for block in copy:
            held += bytes(block)
            if not started:
                if len(held) < 19:
                    continue
                held, started = held[19:], True
            if len(held) >= layout.itemsize * 10_000:
                rows = len(held) // layout.itemsize
                yield np.frombuffer(held, layout, rows)["cells"]["number"].astype(np.float64)
                held = held[rows * layout.itemsize :]
    rows = len(held) // layout.itemsize
    yield np.frombuffer(held, layout, rows)["cells"]["number"].astype(np.float64)


# ------------------------------------------------------------------------------------------------ baselines
def everything_seconds(admin: Connection, one: Planted, sample: int = 100_000, concepts: int = 100) -> float:
    """How long a pass would take that rewrites every weight and holds every concept against all others."""
    tenant = one.memory.tenant
    edges = int(value(admin, "SELECT count(*) FROM cognifold.graph_edge WHERE tenant_id = %s", tenant))
    with admin.transaction(force_rollback=True):
        admin.execute(
            "CREATE TEMPORARY TABLE plain_edge AS SELECT source_id, target_id, type, exp(-1.0) AS weight, stamped_at "
            "FROM cognifold.graph_edge WHERE tenant_id = %s LIMIT %s", [tenant, sample])  # fmt: skip
        started = time.perf_counter()
        admin.execute("UPDATE plain_edge SET weight = weight * exp(-0.005 * 6)")
        decay = (time.perf_counter() - started) * edges / min(sample, edges)
    number = len(one.memory.concepts)
    started = time.perf_counter()
    admin.execute(
        "SELECT count(*) FROM (SELECT e.vector FROM cognifold.embedding AS e WHERE e.tenant_id = %s AND e.kind = "
        "'concept' ORDER BY e.node_id LIMIT %s) AS a JOIN cognifold.embedding AS b ON b.tenant_id = %s "
        "AND b.kind = 'concept' AND -(a.vector <#> b.vector) >= 0.85", [tenant, concepts, tenant])  # fmt: skip
    compare = (time.perf_counter() - started) * number / min(concepts, number)
    return decay + compare


# ------------------------------------------------------------------------------------------------ folding beside passes
def folding_beside_passes(
    dsn: str, admin: Connection, plain: str, one: Planted, seconds: float, windows: int = 3
) -> dict[str, float]:
    """Four workers fold for ``seconds`` without passes and for as long with them, in turns."""
    deadlocks = int(value(admin, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
    folded = {False: 0.0, True: 0.0}
    looks: dict[bool, list[bool]] = {False: [], True: []}
    passes = 0
    failures: list[str] = []

    def work(stop: threading.Event, call: Callable[[Connection], int], done: list[int]) -> None:
        try:
            with psycopg.connect(plain, autocommit=True) as session:
                enter(session, one, _LATER)
                while not stop.is_set():
                    done.append(call(session))
        except psycopg.Error as error:
            failures.append(str(error))

    def fold(session: Connection) -> int:
        return sum(outcome == "folded" for (outcome,) in session.execute("SELECT outcome FROM cognifold.fold(5)"))

    def sleep(session: Connection) -> int:
        session.execute("CALL cognifold.consolidate_all()")
        time.sleep(0.1)
        return 1

    def look(stop: threading.Event, seen: list[bool]) -> None:
        with psycopg.connect(dsn, autocommit=True) as session:
            while not stop.wait(_LOOK):
                seen.append(value(session, _AT_WORK, ROLE))

    for window in range(2 * windows):
        beside = window % 2 == 1
        _queue(admin, one, int(200 * seconds / windows) + 100, window)
        stop = threading.Event()
        counts: list[int] = []
        slept: list[int] = []
        threads = [threading.Thread(target=work, args=(stop, fold, counts)) for _ in range(_WORKERS)]
        looking = threading.Thread(target=look, args=(stop, looks[beside]))
        if beside:
            threads.append(threading.Thread(target=work, args=(stop, sleep, slept)))
        started = time.perf_counter()
        for thread in [*threads, looking]:
            thread.start()
        stop.wait(seconds / windows)
        stop.set()
        for thread in threads[:_WORKERS]:
            thread.join()
        folded[beside] += sum(counts) / (time.perf_counter() - started)
        for thread in [*threads, looking]:
            thread.join()
        passes += len(slept)
    if failures:
        raise SystemExit(f"Folding beside passes failed: {failures}")
    found = int(value(admin, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
    return {
        "folds_per_second": folded[False] / windows,
        "folds_per_second_during_pass": folded[True] / windows,
        "fold_ratio_during_pass": folded[True] / max(folded[False], 1e-9),
        "turn_ratio_during_pass": _share(looks[True]) / max(_share(looks[False]), 1e-9),
        "passes_beside_folding": passes,
        "deadlocks": found - deadlocks,
    }


def _share(looks: Sequence[bool]) -> float:
    return sum(looks) / max(len(looks), 1)


def _queue(admin: Connection, one: Planted, number: int, window: int) -> None:
    """As many further events of the story as the workers could ever fold."""
    enter(admin, one, _LATER)
    waiting = int(value(admin, "SELECT count(*) FROM cognifold.work WHERE tenant_id = %s", one.memory.tenant))
    at = (_NOW + _LATER + timedelta(minutes=window)).isoformat()
    cursor = admin.cursor()
    cursor.executemany(
        "SELECT cognifold.remember(%s, occurred_at => %s, source => 'story', actor => %s)",
        [(event.content, at, event.actor) for event in one.memory.next_events(max(0, number - waiting))],
    )


# ------------------------------------------------------------------------------------------------ small things
if __name__ == "__main__":
    main()
