"""Questions asked of the memory, with the events recalled and the concept they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.rule import Rule
from rich.text import Text
from rich.tree import Tree

from cognifold_pg.cli.demo.lines import line, told
from cognifold_pg.cli.demo.show import Show
from cognifold_pg.cli.demo.telling import add_concept
from cognifold_pg.client import Memory
from cognifold_pg.ingest import Question
from cognifold_pg.results import Recollection

_QUESTIONS_ASKED = 3
_ANSWERS_SHOWN = 4


def questions_for(memory: Memory, show: Show) -> list[Question]:
    """The first questions a stream brings; for one that brings none: what about the largest concepts?"""
    if show.questions:
        return list(show.questions[:_QUESTIONS_ASKED])
    titles = memory.rows(
        "SELECT title FROM cognifold.concept WHERE merged_into IS NULL "
        "ORDER BY evidence_count DESC, occurred_at, title LIMIT %s",
        [_QUESTIONS_ASKED],
    )
    return [Question(f"What happened about {row['title']}?") for row in titles]


def ask(console: Console, memory: Memory, questions: Sequence[Question], zone: ZoneInfo) -> None:
    """For each question the events recalled, and the concept they belong to with all it rests on."""
    console.print(Rule("and now some questions"))
    keys = {row["id"]: row["idempotency_key"] for row in memory.rows("SELECT id, idempotency_key FROM cognifold.event")}
    for question in questions:
        console.print(Text(f"\n{question.text}", style="bold"))
        if question.answer is not None:
            console.print(Text(f"a good answer: {question.answer}", style="dim"))
        found = memory.recall(question.text, _ANSWERS_SHOWN, kinds=["event"])
        for event in found:
            mark = "✓" if keys[event.node_id] in question.evidence else " "
            said = told(event.occurred_at, event.actor, event.content, zone)
            console.print(line(console, f"{event.score:.2f} {mark} {said}"))
        concept = _concept_of(memory, found)
        if concept is not None:
            explained = memory.explain(concept)
            tree = Tree(Text("most of this belongs to", style="dim"))
            add_concept(console, tree, explained[0].title, explained, zone)
            console.print(tree)
    if any(question.evidence for question in questions):
        console.print(Text("\n✓ an event the question was written about", style="dim"))


def _concept_of(memory: Memory, found: Sequence[Recollection]) -> UUID | None:
    """The concept most of the recalled relevance rests on; None when no event found belongs to one."""
    rows = memory.rows(
        "SELECT source_id, target_id FROM cognifold.edge "
        "WHERE source_id = ANY (%s) AND target_kind = 'concept' AND type IN ('grounds', 'reinforces') "
        "ORDER BY stamped_at, target_id",
        [[event.node_id for event in found]],
    )
    score = {event.node_id: event.score for event in found}
    weight: dict[UUID, float] = {}
    for row in rows:
        weight[row["target_id"]] = weight.get(row["target_id"], 0.0) + score[row["source_id"]]
    return max(weight, key=lambda concept: weight[concept], default=None)
