"""Does a year of a stream leave a live graph that is bounded, and does consolidation cost recall anything?

    python -m benchmarks.forgetting --data FOLDER [--locomo FILE] [--events 60] [--every 6] [--weeks 52]
                                    [--json FILE] [--dsn DSN]

``--data`` is a folder of IRC logs (``*.ascii.txt``: ``[09:19] <who> text``) or of structured loghub logs
(``*_structured.csv``). A year is simulated with it: each week so many further messages, evenly spaced; the logs are
repeated from the start with the times of the year whenever they end, which the report says. Each message is folded by
the SQL planner at its own time, and a consolidation pass runs ``every`` so many hours, as of then. By week:

    live_edges_week_W      edges that weigh at least edge.fade at the end of the week and are in the live graph
    live_nodes_week_W      nodes that such an edge touches
    awake_concepts_week_W  concepts among them
    stored_edges_year, stored_nodes_year, archived_events_year    what there is in all at the end
    live_edges_growth, live_nodes_growth   mean of the last quarter over that of the second: near 1 where it is bounded;
                           baseline ``kept`` the same of all that is stored, which nobody forgets
    repeated               how often the logs were begun again

With ``--locomo`` also the recall of the LoCoMo conversations in that file (benchmarks.locomo: lexicon embedder, every
countable question): R@10 and MRR before any pass, and after passes at the end of the conversation, 6 hours, 8 days and
30 days later; ``r_at_10_difference`` is to be at most .01 either way.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg.conninfo import make_conninfo
from rich.console import Console
from rich.table import Table

from benchmarks.harness import ROLE, Report, arguments, drop_role, finish, make_role, scratch_database
from benchmarks.locomo import asked, conversations_of, recaller, summarised
from benchmarks.metabolism import consolidate
from benchmarks.ranking import Outcome
from cognifold_pg.client import Memory
from cognifold_pg.ingest import open_stream
from cognifold_pg.install import package_version

Connection = psycopg.Connection[Any]
Message = tuple[str, str]  # who, and what

START = datetime(2025, 1, 6, tzinfo=UTC)
_WEEK = timedelta(weeks=1)
_SAID = re.compile(r"\[\d\d:\d\d\] <([^>]+)> (.+)")
_AFTER = (timedelta(), timedelta(hours=6), timedelta(days=8), timedelta(days=30))

COUNTS: LiteralString = """
WITH live AS MATERIALIZED (
    SELECT e.source_id, e.source_kind, e.target_id, e.target_kind FROM cognifold.edge AS e WHERE e.live
), touched AS (
    SELECT l.source_id AS id, l.source_kind AS kind FROM live AS l
    UNION
    SELECT l.target_id, l.target_kind FROM live AS l
)
SELECT (SELECT count(*) FROM live) AS live_edges, (SELECT count(*) FROM touched) AS live_nodes,
       (SELECT count(*) FROM touched AS t WHERE t.kind = 'concept') AS awake_concepts,
       (SELECT count(*) FROM cognifold.graph_edge) AS stored_edges,
       (SELECT count(*) FROM cognifold.node) AS stored_nodes,
       (SELECT count(*) FROM cognifold.node_state AS s WHERE s.consolidation_state = 'archived') AS archived_events
"""
_SHOWN = ("live_nodes", "live_edges", "awake_concepts", "stored_nodes", "stored_edges", "archived_events")


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the tables, write the report."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="LoCoMo conversations to ask before and after")
    parser.add_argument("--events", type=int, default=60, help="messages a week")
    parser.add_argument("--every", type=float, default=6, help="hours from one pass to the next")
    parser.add_argument("--weeks", type=int, default=52, help="how long the year is")
    options = parser.parse_args(argv)
    with scratch_database(options.dsn) as dsn:
        report, weeks = measure(dsn, options.data, options.locomo, options.events, options.every, options.weeks)
    Console().print(weeks_table(weeks))
    finish(report, options.json)


def measure(
    dsn: str, data: Path, locomo: Path | None, events: int, every: float, weeks: int
) -> tuple[Report, list[dict[str, int]]]:
    """Run the benchmark in the database ``dsn`` (a superuser's): the report, and what there was each week."""
    messages = list(messages_of(data))
    if not messages:
        raise SystemExit(f"{data} holds neither *.ascii.txt with chat nor *_structured.csv with log lines.")
    with psycopg.connect(dsn, autocommit=True) as admin:
        make_role(admin, "cognifold_clock")  # it moves the memory's clock
        try:
            with psycopg.connect(make_conninfo(dsn, user=ROLE), autocommit=True) as session:
                counted = list(year(session, messages, events, timedelta(hours=every), weeks))
            metrics, baselines = _metrics(counted, len(messages), events)
            if locomo is not None:
                metrics |= recall_before_and_after(dsn, locomo)
        finally:
            drop_role(admin)
    repeated = "repeated" if metrics["repeated"] else "once"
    said = (
        f"{data.name} ({repeated}, times shifted into {weeks} weeks), {events} events a week, a pass each {every:g} h"
    )
    return Report("forgetting", package_version(), said, metrics, baselines), counted


def messages_of(folder: Path) -> Iterator[Message]:
    """What was said or logged, file by file in the order of their names."""
    for path in sorted(folder.rglob("*.ascii.txt")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            if said := _SAID.match(line):
                yield said[1], said[2]
    for path in sorted(folder.glob("*_structured.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield row.get("Component") or path.stem.partition("_")[0], row["Content"]


def year(
    session: Connection, messages: Sequence[Message], events: int, every: timedelta, weeks: int
) -> Iterator[dict[str, int]]:
    """Fold the stream and consolidate, and count at the end of each week."""
    console = Console(stderr=True)
    session.execute("SELECT cognifold.create_tenant('a year')")
    session.execute("SELECT set_config('cognifold.tenant', 'a year', false)")
    due = START + every
    places = count()
    for week in range(weeks):
        for number in range(events):
            at = START + week * _WEEK + _WEEK * number / events
            while due <= at:
                _pass(session, due)
                due += every
            _set_clock(session, at)
            who, what = messages[next(places) % len(messages)]
            session.execute(
                "SELECT cognifold.remember(%s, occurred_at => %s, source => 'stream', actor => %s)", [what, at, who]
            )
            for (outcome,) in session.execute("SELECT outcome FROM cognifold.fold()").fetchall():
                if outcome != "folded":
                    raise SystemExit(f"A message could not be folded: {what}")
        end = START + (week + 1) * _WEEK
        while due <= end:
            _pass(session, due)
            due += every
        _set_clock(session, end)
        cursor = session.execute(COUNTS)
        row = cursor.fetchone()
        assert row is not None and cursor.description is not None
        found = {column.name: int(cell) for column, cell in zip(cursor.description, row, strict=True)}
        console.print(f"week {week + 1}: {found}", style="dim")
        yield found


def _set_clock(session: Connection, moment: datetime) -> None:
    session.execute("SELECT set_config('cognifold.now', %s, false)", [moment.isoformat()])


def _pass(session: Connection, moment: datetime) -> None:
    _set_clock(session, moment)
    consolidate(session)


def _metrics(
    counted: Sequence[dict[str, int]], messages: int, events: int
) -> tuple[dict[str, float], dict[str, float]]:
    """The figures of the year and of its weeks."""
    metrics: dict[str, float] = {"repeated": max(0, (len(counted) * events - 1) // messages)}
    for name in ("live_edges", "live_nodes", "stored_edges", "stored_nodes"):
        growth = _growth([week[name] for week in counted])
        if name.startswith("live"):
            metrics[f"{name}_growth"] = growth
    baselines = {
        f"kept.live_{what}_growth": _growth([week[f"stored_{what}"] for week in counted]) for what in ("edges", "nodes")
    }
    for name in ("stored_edges", "stored_nodes", "archived_events"):
        metrics[f"{name}_year"] = counted[-1][name]
    for number, week in enumerate(counted, 1):
        for name in ("live_edges", "live_nodes", "awake_concepts"):
            metrics[f"{name}_week_{number}"] = week[name]
    return metrics, baselines


def _growth(weeks: Sequence[int]) -> float:
    """The mean of the last quarter as a multiple of that of the second."""
    quarter = max(1, len(weeks) // 4)
    second = weeks[quarter : 2 * quarter] or weeks[:1]
    last = weeks[-quarter:]
    return (sum(last) / len(last)) / max(1e-9, sum(second) / len(second))


def weeks_table(weeks: Sequence[dict[str, int]]) -> Table:
    """What was live and what was stored, one row every fourth week and the last."""
    table = Table(title="at the end of the week")
    for name in ("week", *_SHOWN):
        table.add_column(name.replace("_", " "), justify="right")
    for number, week in enumerate(weeks, 1):
        if number % 4 == 0 or number in (1, 2, len(weeks)):
            table.add_row(str(number), *(str(week[name]) for name in _SHOWN))
    return table


def recall_before_and_after(dsn: str, data: Path) -> dict[str, float]:
    """R@10 and MRR of every conversation's questions, before passes and after them."""
    before: list[Outcome] = []
    after: list[Outcome] = []
    counts: dict[str, int] = {}
    for conversation in conversations_of(open_stream(data, format="locomo")):
        with Memory(dsn, tenant=f"forgetting:{conversation.name}", pool_size=1, learn=False) as memory:
            memory.create_tenant()
            memory.remember_many(conversation.events)
            memory.fold_all()
            before += asked(recaller(memory, []), conversation.questions)
            end = max(event.occurred_at for event in conversation.events if event.occurred_at is not None)
            for later in _AFTER:
                done = memory.consolidate(as_of=end + later)
                for name in ("concepts_merged", "edges_faded", "events_consolidated", "events_archived"):
                    counts[name] = counts.get(name, 0) + int(getattr(done, name))
            after += asked(recaller(memory, []), conversation.questions)
    found = {"before": summarised(before), "after": summarised(after)}
    metrics: dict[str, float] = {"questions": len(before)}
    for name in ("r_at_10", "mrr"):
        metrics |= {f"{name}_{when}": values[name] for when, values in found.items()}
        metrics[f"{name}_difference"] = found["after"][name] - found["before"][name]
    return metrics | {f"locomo_{name}": number for name, number in counts.items()}


if __name__ == "__main__":
    main()
