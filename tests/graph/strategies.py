"""Plans to try: valid ones over what a graph holds at the moment, and valid ones with one fault in them.

Whatever a plan may say is drawn from a short list, so that plans meet: the same edges are stated again, the same
concepts proposed again, what one plan made another removes. Titles are single invented words: two are the same or have
nothing in common (see the model).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from tests.conftest import at
from tests.graph.model import LEGAL, Model
from tests.graph.plans import START, add_edge, add_node, update_node

# The same examples each time, and the first that fails as it is: 50 of them, in CI 500 (COGNIFOLD_EXAMPLES=500, some
# five minutes). COGNIFOLD_EXAMPLES=5000 asks for more and others each time; COGNIFOLD_SHRINK for a small one of those
# that fail, which takes minutes (pytest --timeout 0).
EXAMPLES = int(os.environ.get("COGNIFOLD_EXAMPLES", "50"))
SEARCHING = EXAMPLES > 500
thorough = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not SEARCHING,
    database=None,
    phases=list(Phase) if "COGNIFOLD_SHRINK" in os.environ else [Phase.generate],
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
    ],
)

TITLES = ("Vorpex", "Gluntax", "Mibrox", "Treklox")
INTENTS = ("Quandrix", "Zelfox")
MOMENTS = ("2026-03-06T00:00:00+00:00", "2026-03-09T12:00:00+00:00")
# Of the events, from START. By the last one an edge of .9 that the others grounded has faded.
HOURS = (-60.0, -20.0, -20.0, 40.0, 720.0)
CLOCKS = (0.0, 0.0, 1.0, 725.0)  # of the plans; never back

Operation = dict[str, Any]


def word(number: int) -> str:
    """An invented word for each number, the same for no two."""
    return "Jy" + "".join("bcdfghklmn"[int(digit)] for digit in str(number)) + "ox"


def hour(number: float) -> datetime:
    return at(START) + timedelta(hours=number)


def one_of(choices: list[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Fields that an operation may have besides."""
    return st.sampled_from(choices)


@dataclass
class Draft:
    """A plan as it is drawn: what it says and what it would make."""

    operations: list[Operation] = field(default_factory=list)
    trigger: str | None = None
    clock: datetime = field(default_factory=lambda: at(START))
    kinds: dict[str, str] = field(default_factory=dict)  # of its refs
    annotated: set[tuple[str, str]] = field(default_factory=set)
    dropped: set[tuple[str, str, str]] = field(default_factory=set)  # edges it removes


@st.composite
def plans(draw: st.DrawFn, model: Model, number: int, *, longest: int = 8, clock: datetime | None = None) -> Draft:
    """A valid plan of one to eight operations; ``number`` is another for each plan of a test."""
    draft = Draft(clock=clock or at(START))
    if draw(st.booleans()):
        draft.trigger = draw(st.sampled_from(model.nodes("event")))
    ops = draw(st.lists(st.sampled_from(OPERATIONS), min_size=1, max_size=longest))
    # Removals are chosen first, so that nothing else names what goes; where they stand in the list does not matter.
    for op in sorted(ops, key=lambda op: not op.startswith("REMOVE")):
        DRAWN[op](draw, model, draft, number)
    if not draft.operations:
        add_concept(draw, model, draft, number)
    return draft


def stored(model: Model, draft: Draft, *kinds: str) -> list[str]:
    """Nodes of these kinds that the plan leaves standing."""
    gone = {step["node"] for step in draft.operations if step["op"] == "REMOVE_NODE"}
    return [node for node in model.nodes(*kinds) if node not in gone]


def named(model: Model, draft: Draft, *kinds: str) -> list[str]:
    """What an edge may name: stored nodes, refs of the plan, and ids of merged concepts."""
    standing = stored(model, draft, *kinds)
    refs = [ref for ref, kind in draft.kinds.items() if kind in kinds]
    old = [key[1] for key in model.rows if key[0] == "node" and model.node(key[1]).merged_into in standing]
    return standing + refs + old


def add_concept(draw: st.DrawFn, model: Model, draft: Draft, number: int) -> None:
    known = [model.node(name).title.lower() for name in model.nodes("concept")]
    # An undo can leave two of one title: which of them a third one means is not said.
    title = draw(st.sampled_from([title for title in TITLES if known.count(title.lower()) < 2] or [word(number)]))
    solid = draw(st.sampled_from(stored(model, draft, "event", "concept")))
    others = draw(st.lists(st.sampled_from(named(model, draft, "event", "concept")), max_size=3))
    more = draw(
        one_of(
            [
                {},
                {},
                {"reasoning": f"reason {number}"},
                {"content": f"About {word(number)}", "memory_type": "procedural"},
                {"payload": {"plan": number}, "occurred_at": MOMENTS[0]},
            ]
        )
    )
    ref = f"r{len(draft.operations)}"
    written = draw(st.sampled_from([title, title, title.upper(), f" {title}  "]))
    draft.operations.append(add_node("concept", written, *others, solid, ref=ref, **more))
    draft.kinds[ref] = "concept"


def add_intent(draw: st.DrawFn, model: Model, draft: Draft, number: int) -> None:
    solid = draw(st.sampled_from(stored(model, draft, "event", "concept")))
    others = draw(st.lists(st.sampled_from(named(model, draft, "event", "concept")), max_size=2))
    ref = f"r{len(draft.operations)}"
    draft.operations.append(add_node("intent", draw(st.sampled_from(INTENTS)), solid, *others, ref=ref))
    draft.kinds[ref] = "intent"


def add_time(draw: st.DrawFn, model: Model, draft: Draft, number: int) -> None:
    ref = f"r{len(draft.operations)}"
    draft.operations.append(
        {
            "op": "ADD_NODE",
            "kind": "time",
            "title": word(number),
            "ref": ref,
            "occurred_at": draw(st.sampled_from(MOMENTS)),
            "precision": draw(st.sampled_from(["day", "instant"])),
        }
    )
    draft.kinds[ref] = "time"


def state_edge(draw: st.DrawFn, model: Model, draft: Draft, number: int) -> None:
    """A new edge or one that is there, by its own name or an old one."""
    there = [
        (source, type_, target)
        for source, target, type_, _ in model.edges()
        if {source, target} <= set(stored(model, draft, "event", "concept", "intent", "time"))
    ]
    if draw(st.booleans()) and there:
        source, type_, target = draw(st.sampled_from(there))
    else:
        type_, source_kind, target_kind = draw(st.sampled_from(EDGES))
        sources, targets = named(model, draft, source_kind), named(model, draft, target_kind)
        if not sources or not targets:
            return
        source, target = draw(st.sampled_from(sources)), draw(st.sampled_from(targets))
        if (model.resolve(source) or source) == (model.resolve(target) or target):
            return
    more = draw(
        one_of(
            [
                {},
                {},
                {"weight": 0.3},
                {"weight": 1},
                {"inferred": True},
                {"inferred": True, "weight": 0.4},
                {"bidirectional": True},
                {"metadata": {"plan": number}},
                {"metadata": {f"key {number}": None}},
            ]
        )
    )
    draft.operations.append(add_edge(source, type_, target, **more))


def update(draw: st.DrawFn, model: Model, draft: Draft, number: int) -> None:
    nodes = stored(model, draft, "concept", "intent", "time")
    if not nodes:
        return
    place = number * 10 + len(draft.operations)
    more = draw(
        one_of(
            [
                {"title": word(place)},
                {"content": f"About {word(place)}"},
                {"title": word(place), "content": "Said at length"},
                {"payload": {"place": place}, "memory_type": "associative"},
                # What is derived is as private as its evidence, whatever a plan says: tests/govern/test_clearance.py.
                {"payload": {"place": place}, "privacy_level": "private"},
            ]
        )
    )
    draft.operations.append(update_node(draw(st.sampled_from(nodes)), **more))


def annotate(draw: st.DrawFn, model: Model, draft: Draft, number: int) -> None:
    node = draw(st.sampled_from(stored(model, draft, "event", "event", "concept", "intent", "time")))
    name = draw(st.sampled_from(["mood", "place"]))
    if (node, name) in draft.annotated:
        return
    draft.annotated.add((node, name))
    found: Any = {"at": number * 10 + len(draft.operations)}
    if ("annotation", node, name) in model.rows and draw(st.booleans()):
        found = None
    draft.operations.append(update_node(node, annotations={name: found}))


def merge(draw: st.DrawFn, model: Model, draft: Draft, number: int) -> None:
    concepts = stored(model, draft, "concept")
    if len(concepts) < 2:
        return
    ids = draw(st.lists(st.sampled_from(concepts), min_size=2, max_size=3, unique=True))
    survivor = draw(st.none() | st.sampled_from(ids))
    operation: Operation = {"op": "MERGE_NODES", "ids": ids}
    draft.operations.append(operation if survivor is None else {**operation, "survivor": survivor})


def orphans(model: Model, nodes: set[str], edges: set[tuple[str, str, str]]) -> bool:
    """Whether something would be left without a stated reason if these nodes and edges went."""
    there = Model(dict(model.rows))
    for source, target, type_ in edges:
        there.rows.pop(("graph_edge", source, target, type_))
    for node in nodes:
        there.remove(node)
    return bool(there.unfounded())


def removals(draft: Draft) -> tuple[set[str], set[tuple[str, str, str]]]:
    return {step["node"] for step in draft.operations if step["op"] == "REMOVE_NODE"}, draft.dropped


def remove_node(draw: st.DrawFn, model: Model, draft: Draft, number: int) -> None:
    nodes, edges = removals(draft)
    legal = [
        node
        for node in stored(model, draft, "concept", "intent", "time")
        if not orphans(model, nodes | {node}, edges) and not any(node in edge for edge in edges)
    ]
    if legal:
        draft.operations.append({"op": "REMOVE_NODE", "node": draw(st.sampled_from(legal))})


def remove_edge(draw: st.DrawFn, model: Model, draft: Draft, number: int) -> None:
    nodes, edges = removals(draft)
    legal = [
        (source, target, type_)
        for source, target, type_, _ in model.edges()
        if (source, target, type_) not in edges
        and not {source, target} & nodes
        and not orphans(model, nodes, edges | {(source, target, type_)})
    ]
    if legal:
        source, target, type_ = draw(st.sampled_from(legal))
        draft.dropped.add((source, target, type_))
        draft.operations.append({"op": "REMOVE_EDGE", "source": source, "target": target, "type": type_})


DRAWN = {
    "ADD concept": add_concept,
    "ADD intent": add_intent,
    "ADD time": add_time,
    "ADD_EDGE": state_edge,
    "UPDATE": update,
    "ANNOTATE": annotate,
    "MERGE": merge,
    "REMOVE_NODE": remove_node,
    "REMOVE_EDGE": remove_edge,
}
OPERATIONS = (
    "ADD concept",
    "ADD concept",
    "ADD_EDGE",
    "ADD_EDGE",
    "ADD_EDGE",
    "ADD intent",
    "ADD time",
    "UPDATE",
    "ANNOTATE",
    "MERGE",
    "REMOVE_NODE",
    "REMOVE_EDGE",
)


@st.composite
def faulty(draw: st.DrawFn, model: Model, number: int) -> tuple[Draft, int]:
    """A valid plan with one more operation that is wrong, and the place of that one."""
    draft = draw(plans(model, number, longest=4))
    wrong = draw(st.sampled_from(wrongs(model, draft)))
    # What would be wrong may be right in a plan that adds a reason, or removes another.
    if wrong["op"].startswith("REMOVE"):
        draft.operations = [
            step for step in draft.operations if "annotations" in step and step["node"] not in wrong.values()
        ]
    place = draw(st.integers(0, len(draft.operations)))
    if wrong.get("ref") in draft.kinds:  # of two with one ref the second is wrong
        place = len(draft.operations)
    draft.operations.insert(place, wrong)
    return draft, place


def wrongs(model: Model, draft: Draft) -> list[Operation]:
    """Operations that no plan may hold with this graph."""
    events = model.nodes("event")
    one, other = events[:2]
    nobody = "00000000-0000-7000-8000-000000000000"
    found: list[Operation] = [
        {"op": "DROP_TABLE", "node": one},
        add_edge(one, "causes", one),
        add_edge(one, "causes", nobody),
        add_edge("elsewhere", "causes", one),
        add_edge(one, "likes", other),
        add_edge(one, "reinforces", other),
        *(add_edge(one, "related_to", other, weight=weight) for weight in (0, 1.5, -1, "much")),
        add_edge(one, "related_to", other, inferred="perhaps"),
        add_edge(one, "related_to", other, metadata=[1]),
        add_edge(one, "related_to", other, colour="red"),
        add_node("event", "Said", one),
        add_node("idea", "Thought", one),
        add_node("concept", " ", one),
        add_node("concept", "Baseless"),
        add_node("concept", "Baseless", "self", ref="self"),
        add_node("intent", "Baseless", nobody),
        add_node("time", "Some day"),
        add_node("time", "Some day", occurred_at="2026-02-30T00:00:00Z"),
        update_node(one, title="Said otherwise"),
        update_node(one),
        update_node(nobody, title="Nobody"),
        update_node(one, annotations=["mood"]),
        {"op": "MERGE_NODES", "ids": [one, other]},
        {"op": "MERGE_NODES", "ids": []},
        {"op": "REMOVE_NODE", "node": one},
        {"op": "REMOVE_NODE", "node": nobody},
        {"op": "REMOVE_EDGE", "source": one, "type": "contradicts", "target": one},
    ]
    for ref, kind in draft.kinds.items():
        found += [
            add_node("concept", "Again", one, ref=ref),
            update_node(ref, title="New already"),
            {"op": "REMOVE_NODE", "node": ref},
        ]
        if kind == "time":
            found.append(add_node("concept", "Timely", one, ref))
    concepts = stored(model, draft, "concept")
    for concept in concepts[:2]:
        found += [{"op": "MERGE_NODES", "ids": [concept]}, {"op": "MERGE_NODES", "ids": [concept, concept]}]
        if len(concepts) > 2:
            found.append(
                {
                    "op": "MERGE_NODES",
                    "ids": [concept, concepts[2]],
                    "survivor": next(c for c in concepts[:2] if c != concept),
                }
            )
    # The last that a concept or intent stands on.
    found += [
        {"op": "REMOVE_EDGE", "source": source, "target": target, "type": type_}
        for source, target, type_, _ in model.edges()
        if orphans(model, set(), {(source, target, type_)})
    ]
    found += [{"op": "REMOVE_NODE", "node": node} for node in model.nodes("concept") if orphans(model, {node}, set())]
    return found


# Evidence more often than the rest, and what joins concepts too.
EDGES = (
    ("grounds", "event", "concept"),
    ("grounds", "event", "concept"),
    ("reinforces", "event", "concept"),
    ("derived_from", "concept", "concept"),
    ("part_of", "concept", "concept"),
    ("related_to", "concept", "concept"),
    *sorted(LEGAL),
)
