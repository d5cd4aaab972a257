"""A stream is lived through: folded by day, answered as intents emerge, slept on at the end of each period.

Once: a period that ended with a sleep pass is over, and all that is done in it again is to remember and fold what the
memory does not know yet, which in a stream that has not changed is nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import NAMESPACE_URL, uuid5

from cognifold_pg.cli.demo.show import Show, Statement
from cognifold_pg.client import Memory
from cognifold_pg.replay import Day, replay


def live(memory: Memory, show: Show, periods: Sequence[Sequence[Day]]) -> Iterator[Day]:
    """Live through ``periods``, yielding each day when it is over; the clock is left at the end of the last."""
    finished = "SELECT as_of FROM cognifold.consolidation_run WHERE state = 'finished'"
    over = {row["as_of"] for row in memory.rows(finished)}
    # Of a run that was broken off, the days before its last are over, too.
    [known] = memory.rows("SELECT max(occurred_at) AS latest FROM cognifold.event")
    for period in periods:
        is_over = period[-1].end in over
        for day in replay(memory, period):
            if not is_over and (known["latest"] is None or day.end >= known["latest"]):
                _let_intents_emerge(memory, show)
                for statement in show.statements:
                    if statement.day == day.day:
                        _state(memory, statement)
            yield day
        if not is_over:
            memory.consolidate()


def _let_intents_emerge(memory: Memory, show: Show) -> None:
    """Emit until nothing more emerges: an accepted intent lowers the bar for others."""
    while emitted := memory.emit_intents():
        for intent in emitted:
            [row] = memory.rows("SELECT count(*) AS answered FROM cognifold.intent WHERE answer_count > 0")
            if row["answered"] < len(show.answers):
                answer = show.answers[row["answered"]]
                wake_at = memory.clock + answer.wait if memory.clock and answer.wait else None
                memory.answer_intent(intent.intent_id, answer.answer, answer.note, wake_at=wake_at)


def _state(memory: Memory, statement: Statement) -> None:
    """Write a concept down as a plan of the person's own."""
    events = memory.rows(
        "SELECT id FROM cognifold.event WHERE idempotency_key = ANY (%s) ORDER BY occurred_at, id",
        [list(statement.rests_on)],
    )
    memory.apply_plan(
        {
            # The same plan is applied once.
            "plan_id": uuid5(NAMESPACE_URL, f"cognifold demo: {memory.tenant}: {statement.title}"),
            "reasoning": "written down by hand",
            "operations": [
                {
                    "op": "ADD_NODE",
                    "kind": "concept",
                    "title": statement.title,
                    "grounded_in": [event["id"] for event in events],
                    "reasoning": "written down by hand",
                }
            ],
        }
    )
