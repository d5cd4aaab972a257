"""`cognifold demo`: a stream of events is lived through again, and then asked about."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer
from rich.console import Console
from rich.rule import Rule
from rich.text import Text
from rich.tree import Tree

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.client import Evidence, Memory, Recollection
from cognifold_pg.errors import CognifoldError
from cognifold_pg.experience import Experience
from cognifold_pg.ingest import BadRecord, Question, Record, Stream, open_stream
from cognifold_pg.replay import days_of, growth, periods_of, replay

_SHIPPED = "bookbinder.jsonl"
_SHIPPED_ZONE = "Europe/Dublin"  # where Orla lives: dates in her texts are read there
_QUESTIONS_ASKED = 3
_CONCEPTS_SHOWN = 12
_EVENTS_SHOWN = 4
_ANSWERS_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Show:
    """What is replayed: the events, the questions it brings, and the tenant it lives in."""

    name: str
    tenant: str
    experiences: Sequence[Experience]
    questions: Sequence[Question]
    bad: Sequence[BadRecord]
    time_zone: str = "UTC"


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

    The shipped stream lives in tenant "demo"; a file in a tenant of its own, named after the file and its
    content, so that a changed file starts afresh. Running it again changes nothing and shows the same.
    """
    console = Console(highlight=False)
    show = _shipped() if stream is None else _from_file(stream)
    with Memory(ready_dsn(dsn), tenant=show.tenant, pool_size=1) as memory:
        memory.create_tenant(display_name=show.name, time_zone=show.time_zone)
        _replay(console, memory, show)
        _show_concepts(console, memory)
        questions = (show.questions or _composed_questions(memory))[:_QUESTIONS_ASKED]
        _ask(console, memory, questions)
    _show_what_next(console, show.tenant, questions, dsn)


def _shipped() -> Show:
    folder = files("cognifold_pg.examples")
    with as_file(folder / _SHIPPED) as path:
        show = _show_of(open_stream(path), "demo")
    asked = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    questions = [Question(q["question"], tuple(q["rests_on"]), q["good_answer"]) for q in asked]
    return replace(show, questions=questions, time_zone=_SHIPPED_ZONE)


def _from_file(path: Path) -> Show:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    # A tenant's name has 63 bytes.
    stem = path.stem.encode()[:40].decode("utf-8", "ignore")
    return _show_of(open_stream(path), f"demo:{stem}:{digest}")


def _show_of(stream: Stream, tenant: str) -> Show:
    items = list(stream)
    return Show(
        name=stream.name,
        tenant=tenant,
        experiences=[item.experience for item in items if isinstance(item, Record)],
        questions=[question for question in stream.questions if question.evidence],
        bad=[item for item in items if isinstance(item, BadRecord)],
    )


# ------------------------------------------------------------------------------------------------ the replay


def _replay(console: Console, memory: Memory, show: Show) -> None:
    """Replay the stream, a line for each period when it is over."""
    days = days_of(show.experiences, undated=datetime.now(UTC))
    if not days:
        raise CognifoldError(f"{show.name} holds no event: {_first_reason(show.bad)}")
    console.print(Rule(f"{show.name}: {len(show.experiences)} events, {days[0].day} to {days[-1].day}"))
    if show.bad:
        console.print(f"{len(show.bad)} records left out; {_first_reason(show.bad)}", style="yellow", markup=False)
    console.print(f"{'until':<12}{'events':>8}{'concepts':>10}{'edges':>8}", style="bold")
    most = len(show.experiences)
    with console.status("") if console.is_terminal else nullcontext() as status:
        for period in periods_of(days):
            for day in replay(memory, period):
                if status is not None:
                    status.update(f"folding {day.day:%A %d %B %Y}")
            size = growth(memory, period[-1].end)
            line = f"{period[-1].day!s:<12}{size.events:>8}{size.concepts:>10}{size.edges:>8}"
            console.print(Text(line).append(f"  {'▇' * round(30 * size.events / most)}", style="cyan"))


def _first_reason(bad: Sequence[BadRecord]) -> str:
    return f"the first is number {bad[0].number}: {bad[0].reason}" if bad else "it is empty"


# ------------------------------------------------------------------------------------------------ concepts


def _show_concepts(console: Console, memory: Memory) -> None:
    """The largest concepts, each with its first events."""
    concepts = memory.rows(
        "SELECT id, title FROM cognifold.concept WHERE merged_into IS NULL "
        "ORDER BY evidence_count DESC, occurred_at, title"
    )
    tree = Tree(Text(f"{len(concepts)} concepts", style="bold"))
    for concept in concepts[:_CONCEPTS_SHOWN]:
        _add_concept(console, tree, concept["title"], memory.explain(concept["id"]), _EVENTS_SHOWN)
    if len(concepts) > _CONCEPTS_SHOWN:
        tree.add(Text(f"and {len(concepts) - _CONCEPTS_SHOWN} smaller ones", style="dim"))
    console.print(Rule("what it folded into"), tree)


def _add_concept(console: Console, tree: Tree, title: str, explained: Sequence[Evidence], most: int) -> None:
    events = [row for row in explained if row.depth == 1 and row.kind == "event"]
    branch = tree.add(Text(title, style="bold cyan").append(f"  {len(events)} events", style="not bold dim"))
    for event in events[:most]:
        branch.add(_line(console, _told(event.occurred_at, event.actor, event.content), indent=8))
    if len(events) > most:
        branch.add(Text(f"and {len(events) - most} more", style="dim"))


# ------------------------------------------------------------------------------------------------ questions


def _composed_questions(memory: Memory) -> list[Question]:
    """For a stream that brings none: what about the largest concepts?"""
    titles = memory.rows(
        "SELECT title FROM cognifold.concept WHERE merged_into IS NULL "
        "ORDER BY evidence_count DESC, occurred_at, title LIMIT %s",
        [_QUESTIONS_ASKED],
    )
    return [Question(f"What happened about {row['title']}?") for row in titles]


def _ask(console: Console, memory: Memory, questions: Sequence[Question]) -> None:
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
            told = _told(event.occurred_at, event.actor, event.content)
            console.print(_line(console, f"{event.score:.2f} {mark} {told}"))
        concept = _concept_of(memory, found)
        if concept is not None:
            explained = memory.explain(concept)
            tree = Tree(Text("most of this belongs to", style="dim"))
            _add_concept(console, tree, explained[0].title, explained, _EVENTS_SHOWN)
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


# ------------------------------------------------------------------------------------------------ what next


def _show_what_next(console: Console, tenant: str, questions: Sequence[Question], dsn: str | None) -> None:
    """The same from SQL and from Python, ready to be pasted; a DSN may hold a password and is not repeated."""
    question = questions[0].text if questions else "What keeps coming back?"
    lines = [
        *(["export COGNIFOLD_DSN=...  # what you gave as --dsn"] if dsn else []),
        f'{_program()} db psql -c "set cognifold.tenant={_quoted(tenant)}; '
        f'select title, round(score::numeric, 3) from cognifold.recall({_quoted(question)})"',
        "",
        "from cognifold_pg.client import Memory",
        "from cognifold_pg.connect import resolve_dsn",
        f"with Memory(resolve_dsn(), tenant={tenant!r}) as memory:",
        f"    for found in memory.recall({question!r}):",
        "        print(found.title, round(found.score, 3))",
    ]
    console.print(Rule("go on yourself"))
    console.print("\n".join(lines), markup=False, soft_wrap=True)


def _program() -> str:
    """How to call this program from here: by its name, or by its path where it is not on the PATH."""
    return "cognifold" if shutil.which("cognifold") else os.path.relpath(sys.argv[0])


def _quoted(text: str) -> str:
    """``text`` as a SQL literal inside a shell's double quotes."""
    literal = "'" + text.replace("'", "''") + "'"
    return "".join(f"\\{mark}" if mark in '\\"$`' else mark for mark in literal)


def _told(moment: datetime, actor: str | None, content: str) -> str:
    who = f"{actor}: " if actor else ""
    return f"{moment:%d %b %Y}  {who}{' '.join(content.split())}"


def _line(console: Console, text: str, indent: int = 0) -> Text:
    """``text`` cut to what is left of a line of the console."""
    line = Text(text)
    line.truncate(max(20, console.width - indent), overflow="ellipsis")
    return line
