"""`cognifold demo`: a stream of events is lived through, told week by week, and asked about.

show (what is replayed) ──► life (lived through, once) ──► story (read back) ──► telling, questions, onward (shown)

What is shown is read from the database alone, so that the second run, which does nothing, shows the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.rule import Rule

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.demo.life import live
from cognifold_pg.cli.demo.onward import show_what_next
from cognifold_pg.cli.demo.questions import ask, questions_for
from cognifold_pg.cli.demo.show import Show, shipped, show_from
from cognifold_pg.cli.demo.story import chapters, concepts, wishes
from cognifold_pg.cli.demo.telling import tell_chapters, tell_concepts, tell_wishes
from cognifold_pg.client import Memory
from cognifold_pg.errors import CognifoldError
from cognifold_pg.ingest import BadRecord
from cognifold_pg.replay import Day, days_of, periods_of


def demo(
    stream: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="Any file that `cognifold ingest` reads, instead of the shipped one.",
        ),
    ] = None,
    dsn: Annotated[str | None, typer.Option(help="Another PostgreSQL than COGNIFOLD_DSN or the embedded one.")] = None,
) -> None:
    """Live through five weeks of a bookbinder, or through a file of yours, and ask three questions.

    Each week ends with a sleep pass; what is wanted surfaces as an intent on the day its evidence suffices, and in
    the shipped stream the first is accepted and the second put off for a week.

    The shipped stream lives in tenant "demo"; a file in a tenant of its own, named after the file and its
    content, so that a changed file starts afresh. Running it again changes nothing and shows the same.
    """
    console = Console(highlight=False)
    show = shipped() if stream is None else show_from(stream)
    with Memory(ready_dsn(dsn), tenant=show.tenant, pool_size=1, learn=False) as memory:
        memory.create_tenant(display_name=show.name, time_zone=show.time_zone)
        periods = _periods(memory, show)
        days = [day for period in periods for day in period]
        console.print(Rule(f"{show.name}: {len(show.experiences)} events, {days[0].day} to {days[-1].day}"))
        if show.bad:
            console.print(f"{len(show.bad)} records left out; {_first_reason(show.bad)}", style="yellow", markup=False)
        with console.status("") if console.is_terminal else nullcontext() as status:
            for day in live(memory, show, periods):
                if status is not None:
                    status.update(f"living through {day.day:%A %d %B %Y}")
        told = chapters(memory, periods)
        memory.clock = days[-1].end
        tell_chapters(console, told, show.zone)
        tell_concepts(console, memory, concepts(memory, periods), show.zone)
        tell_wishes(console, wishes(memory), days[-1].end, show.zone)
        questions = questions_for(memory, show)
        ask(console, memory, questions, show.zone)
    show_what_next(console, show.tenant, questions, dsn)


def _periods(memory: Memory, show: Show) -> list[list[Day]]:
    """The days of the stream in periods. What carries no time happened when the tenant was made, at every run."""
    [tenant] = memory.rows("SELECT created_at FROM cognifold.tenant WHERE tenant_id = %s", [memory.tenant])
    days = days_of(show.experiences, undated=tenant["created_at"])
    if not days:
        raise CognifoldError(f"{show.name} holds no event: {_first_reason(show.bad)}")
    return periods_of(days)


def _first_reason(bad: Sequence[BadRecord]) -> str:
    return f"the first is number {bad[0].number}: {bad[0].reason}" if bad else "it is empty"
