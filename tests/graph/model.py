"""What a plan does to a graph, said a second time: in plain Python, one operation after the other, without SQL.

Written from the words of the specification and not from the statements that carry them out, so that the two can be
held against each other. The model names nodes by their ids: of a plan that was applied it is told which id each ``ref``
became, and says itself which of these must be old ones. It needs two things to be easy to tell: titles are either the
same (then a proposed concept is a reinforcement) or have no word in common (then it never is one), so no question of
nearness arises; and nobody asks the memory anything, so all access counts are 0.

Masses are kept as their logarithm at 1970 (``potential``), as forward decay has it: a statement made at hour h with
weight w has the potential ln w + rate * h, and nothing changes when time passes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

Operation = Mapping[str, Any]
# ("node", id) | ("graph_edge", source, target, type) | ("concept_state", id) | ("annotation", id, name)
Key = tuple[str, ...]

RATE = {"event": 0.005, "concept": 0.0005, "intent": 0.0005, "time": 0.0005}
DEFAULT_WEIGHT = {
    "grounds": 0.9,
    "causes": 0.9,
    "triggers": 0.8,
    "user_feedback": 0.8,
    "reinforces": 0.7,
    "part_of": 0.7,
    "derived_from": 0.6,
    "deadline_for": 0.6,
    "related_to": 0.5,
    "precedes": 0.5,
    "contradicts": 0.8,
}
KINDS = ("event", "concept", "intent", "time")
LEGAL = {
    ("grounds", "event", "concept"),
    ("grounds", "event", "intent"),
    ("causes", "event", "event"),
    ("triggers", "concept", "intent"),
    ("triggers", "event", "intent"),
    ("user_feedback", "event", "intent"),
    ("reinforces", "event", "concept"),
    ("part_of", "event", "concept"),
    ("part_of", "concept", "concept"),
    ("derived_from", "concept", "concept"),
    ("deadline_for", "time", "intent"),
    ("deadline_for", "time", "event"),
    ("precedes", "event", "event"),
    ("contradicts", "event", "event"),
    ("contradicts", "concept", "concept"),
    *(("related_to", source, target) for source in KINDS for target in KINDS),
}
EVIDENCE = ("grounds", "reinforces")
REASONS = ("grounds", "reinforces", "triggers", "part_of", "derived_from")
REINFORCEMENT, FADE, WAKE, STRENGTH, STEP = 0.1, 0.1, 0.5, 0.5, 0.1
FIELDS = ("title", "content", "memory_type", "payload", "privacy_level")  # "reasoning" is why it is updated


def hours(moment: datetime) -> float:
    """Hours since 1970."""
    return moment.timestamp() / 3600


def moment(text: str) -> datetime:
    """An instant from ISO 8601."""
    return datetime.fromisoformat(text).astimezone(UTC)


def log_sum(potentials: Iterable[float]) -> float:
    """ln of the sum of the masses."""
    found = list(potentials)
    top = max(found)
    return top + math.log(math.fsum(math.exp(one - top) for one in found))


@dataclass(frozen=True)
class Node:
    kind: str
    title: str
    content: str
    occurred_at: datetime
    precision: str = "instant"
    reasoning: str | None = None
    memory_type: str = "semantic"
    payload: Any = None
    privacy_level: str = "private"
    merged_into: str | None = None
    plan_id: str | None = None


@dataclass(frozen=True)
class Edge:
    potential: float
    stamped_at: datetime
    created_at: datetime
    inferred: bool = False
    bidirectional: bool = False
    faded_at: datetime | None = None
    metadata: Any = None
    plan_id: str | None = None


@dataclass(frozen=True)
class Concept:
    strength: float = STRENGTH
    evidence_count: int = 0


@dataclass(frozen=True)
class Annotation:
    value: Any
    created_at: datetime
    plan_id: str | None


Row = Node | Edge | Concept | Annotation


@dataclass(frozen=True)
class Claim:
    """One statement of an edge."""

    position: int
    weight: float | None = None
    inferred: bool = False
    bidirectional: bool = False
    metadata: Any = None


@dataclass
class Applied:
    """A plan in the record: what it wrote, with what stood there before, and what became of it."""

    plan_id: str
    version: int
    before: dict[Key, Row | None]
    after: dict[Key, Row | None]
    undoes: str | None = None
    applied: bool = True

    def took(self) -> set[str]:
        """Nodes that it removed or merged away."""
        return {
            key[1]
            for key, row in self.before.items()
            if isinstance(row, Node)
            and (not isinstance(now := self.after[key], Node) or now.merged_into not in (None, row.merged_into))
        }

    def took_reasons(self) -> set[str]:
        """Concepts and intents of which it removed a stated reason."""
        return {
            key[1] if key[3] == "derived_from" else key[2]
            for key, row in self.before.items()
            if isinstance(row, Edge) and not row.inferred and key[3] in REASONS and self.after[key] is None
        }


@dataclass
class Model:
    """The graph of one tenant and the record of its plans."""

    rows: dict[Key, Row] = field(default_factory=dict)
    record: dict[str, Applied] = field(default_factory=dict)

    # ------------------------------------------------------------------------------------------------ looking

    def node(self, name: str) -> Node:
        found = self.rows["node", name]
        assert isinstance(found, Node)
        return found

    def nodes(self, *kinds: str) -> list[str]:
        """Ids of the nodes of these kinds that stand, in the order they were made."""
        return [
            key[1]
            for key, row in self.rows.items()
            if isinstance(row, Node) and row.kind in kinds and row.merged_into is None
        ]

    def edges(self) -> Iterator[tuple[str, str, str, Edge]]:
        for key, row in self.rows.items():
            if isinstance(row, Edge):
                yield key[1], key[2], key[3], row

    def resolve(self, name: Any) -> str | None:
        """The id a stored node goes by today."""
        found = self.rows.get(("node", str(name).lower()))
        if not isinstance(found, Node):
            return None
        return found.merged_into or str(name).lower()

    def evidence(self, concept: str) -> list[tuple[str, str, Edge]]:
        """Stated grounds and reinforces edges of a concept."""
        return [
            (source, type_, edge)
            for source, target, type_, edge in self.edges()
            if target == concept and type_ in EVIDENCE and not edge.inferred
        ]

    def unfounded(self) -> set[str]:
        """Concepts and intents from which no way leads to an event, over what was stated to be the reason of each."""
        rests_on: dict[str, set[str]] = {name: set() for name in self.nodes("concept", "intent")}
        for source, target, type_, edge in self.edges():
            if type_ in REASONS and not edge.inferred:
                resting, reason = (source, target) if type_ == "derived_from" else (target, source)
                rests_on.setdefault(resting, set()).add(reason)
        founded = set(self.nodes("event"))
        while more := {name for name, reasons in rests_on.items() if name not in founded and reasons & founded}:
            founded |= more
        return rests_on.keys() - founded

    # ------------------------------------------------------------------------------------------------ plans

    def apply(
        self,
        plan_id: str,
        operations: Sequence[Operation],
        refs: Mapping[str, str],
        *,
        clock: datetime,
        trigger: str | None = None,
    ) -> None:
        """Apply a valid plan: removals, nodes, updates, edges with their evidence, merges."""
        was = dict(self.rows)
        said_at = self.node(trigger).occurred_at if trigger else clock
        steps = list(enumerate(operations))

        for _, step in steps:
            if step["op"] == "REMOVE_EDGE":
                del self.rows["graph_edge", self.known(step["source"]), self.known(step["target"]), step["type"]]
            elif step["op"] == "REMOVE_NODE":
                self.remove(self.known(step["node"]))

        names: dict[str, str] = {}  # refs of this plan
        born: set[str] = set()
        repeated: set[int] = set()  # operations that proposed what was there before the plan
        for position, step in steps:
            if step["op"] == "ADD_NODE":
                told = refs[step["ref"]]
                there = self.repeats(step, told)
                if there is None:
                    assert ("node", told) not in self.rows, f"operation {position} made no node of its own"
                    self.add(plan_id, told, step, said_at)
                    born.add(told)
                else:
                    assert told == there, f"operation {position} repeats {there}"
                    if there not in born:
                        repeated.add(position)
                names[step["ref"]] = told

        self.update(plan_id, [step for _, step in steps if step["op"] == "UPDATE_NODE"], clock)

        claims: dict[tuple[str, str, str], list[Claim]] = {}
        for position, step in steps:
            for key, claim in self.claims(position, step, names, repeated):
                claims.setdefault(key, []).append(claim)
        stated = {key: said for key, said in claims.items() if key[0] != key[1]}
        self.wake(stated, min(said_at, clock))
        self.state(plan_id, stated, born, clock, said_at)

        for _, step in steps:
            if step["op"] == "MERGE_NODES":
                self.merge([self.known(name) for name in step["ids"]], step.get("survivor"), clock)

        self.note(plan_id, was)

    def note(self, plan_id: str, was: dict[Key, Row], undoes: str | None = None) -> None:
        """Record what a plan changed."""
        changed = [key for key in {**was, **self.rows} if was.get(key) != self.rows.get(key)]
        self.record[plan_id] = Applied(
            plan_id,
            len(self.record) + 1,
            {key: was.get(key) for key in changed},
            {key: self.rows.get(key) for key in changed},
            undoes,
        )

    def touched(self, plan_id: str, keys: Iterable[Key]) -> None:
        """Rows that a plan wrote and that are as before in the model: evidence mass alone, a strength at its end."""
        plan = self.record[plan_id]
        for key in keys:
            plan.before.setdefault(key, self.rows.get(key))
            plan.after.setdefault(key, self.rows.get(key))

    def known(self, name: Any) -> str:
        found = self.resolve(name)
        assert found is not None, name
        return found

    def remove(self, node: str) -> None:
        """A node goes with its edges and annotations, and with the ids that led to it."""
        gone = {node, *(key[1] for key, row in self.rows.items() if isinstance(row, Node) and row.merged_into == node)}
        for key in [key for key in self.rows if gone & set(key[1:3] if key[0] == "graph_edge" else key[1:2])]:
            del self.rows[key]

    def repeats(self, step: Operation, told: str) -> str | None:
        """The node an ADD_NODE only names again. An undo can leave two concepts of one title: either will do."""
        found = [name for name in self.nodes(step["kind"]) if is_repeated(self.node(name), step)]
        return told if told in found else found[0] if found else None

    def add(self, plan_id: str, name: str, step: Operation, said_at: datetime) -> None:
        title = step["title"].strip()
        self.rows["node", name] = Node(
            step["kind"],
            title,
            step.get("content", title),
            moment(step["occurred_at"]) if "occurred_at" in step else said_at,
            step.get("precision", "instant"),
            step.get("reasoning"),
            step.get("memory_type", "semantic"),
            step.get("payload"),
            plan_id=plan_id,
        )
        if step["kind"] == "concept":
            self.rows["concept_state", name] = Concept()

    def update(self, plan_id: str, steps: Sequence[Operation], clock: datetime) -> None:
        """Other words for nodes: of each field the last that is said."""
        wanted: dict[str, dict[str, Any]] = {}
        for step in steps:
            name = self.known(step["node"])
            wanted.setdefault(name, {}).update({key: step[key] for key in FIELDS if key in step})
            for label, value in step.get("annotations", {}).items():
                if value is None:
                    self.rows.pop(("annotation", name, label), None)
                else:
                    self.rows["annotation", name, label] = Annotation(value, clock, plan_id)
        for name, fields in wanted.items():
            node = self.node(name)
            if "title" in fields:
                fields["title"] = fields["title"].strip()
                if node.content == node.title:  # it only said the title
                    fields.setdefault("content", fields["title"])
            self.rows["node", name] = replace(node, **fields)

    def claims(
        self, position: int, step: Operation, names: Mapping[str, str], repeated: set[int]
    ) -> Iterator[tuple[tuple[str, str, str], Claim]]:
        """The edges an operation states, by (source, target, type)."""
        if step["op"] == "ADD_EDGE":
            yield (
                (
                    names.get(step["source"]) or self.known(step["source"]),
                    names.get(step["target"]) or self.known(step["target"]),
                    step["type"],
                ),
                Claim(
                    position,
                    step.get("weight"),
                    step.get("inferred", False),
                    step.get("bidirectional", False),
                    step.get("metadata"),
                ),
            )
        if step["op"] != "ADD_NODE" or step["kind"] == "time":
            return
        made = names[step["ref"]]
        for ground in step.get("grounded_in", ()):
            reason = names.get(ground) or self.known(ground)
            if self.node(reason).kind == "event":
                yield (reason, made, "reinforces" if position in repeated else "grounds"), Claim(position)
            elif step["kind"] == "intent":
                yield (reason, made, "triggers"), Claim(position)
            else:
                yield (made, reason, "derived_from"), Claim(position)

    def state(
        self,
        plan_id: str,
        claims: Mapping[tuple[str, str, str], list[Claim]],
        born: set[str],
        clock: datetime,
        said_at: datetime,
    ) -> None:
        """Add or reinforce each edge once, and count what became evidence."""
        reinforced: dict[str, set[int]] = {}
        founded: dict[str, set[str]] = {}
        for (source, target, type_), said in claims.items():
            key = ("graph_edge", source, target, type_)
            node = self.node(source)
            stamp = node.occurred_at if node.kind == "event" else said_at
            guess = all(claim.inferred for claim in said)
            # The operation it is put down to: that of the largest stated weight, else the first.
            chief = min(said, key=lambda claim: (-(claim.weight or 0), claim.position))
            there = self.rows.get(key)
            weight = DEFAULT_WEIGHT[type_] if chief.weight is None else chief.weight
            potential = math.log(REINFORCEMENT if there else weight) + RATE[node.kind] * hours(stamp)
            new = Edge(
                potential,
                stamp,
                clock,
                guess,
                any(claim.bidirectional for claim in said),
                None,
                joined(claim.metadata for claim in said),
                plan_id,
            )
            if isinstance(there, Edge):
                new = replace(
                    there,
                    potential=log_sum([there.potential, potential]),
                    stamped_at=max(there.stamped_at, stamp),
                    inferred=there.inferred and guess,
                    bidirectional=there.bidirectional or new.bidirectional,
                    metadata=joined([there.metadata, new.metadata]),
                    faded_at=None,
                )
            self.rows[key] = new
            if type_ in EVIDENCE and self.node(target).kind == "concept" and not guess:
                reinforced.setdefault(target, set()).add(chief.position)
                founded.setdefault(target, set()).add(source)
        for concept, positions in reinforced.items():
            state = self.concept(concept)
            if concept in born:
                state = replace(state, evidence_count=len(founded[concept]))
            else:
                state = Concept(min(1, state.strength + STEP * len(positions)), state.evidence_count + len(positions))
            self.rows["concept_state", concept] = state

    def concept(self, name: str) -> Concept:
        found = self.rows["concept_state", name]
        assert isinstance(found, Concept)
        return found

    def wake(self, claims: Mapping[tuple[str, str, str], list[Claim]], at: datetime) -> None:
        """Evidence for a concept all of whose edges have faded brings its strongest provenance back."""
        for concept in {
            target
            for (_, target, type_), said in claims.items()
            if type_ in EVIDENCE and self.node(target).kind == "concept" and not all(claim.inferred for claim in said)
        }:

            def faded(source: str, edge: Edge) -> bool:
                bar = math.log(FADE) + RATE[self.node(source).kind] * hours(at)
                return edge.faded_at is not None or edge.potential < bar

            live = [
                1 for source, target, _, edge in self.edges() if concept in (source, target) and not faded(source, edge)
            ]
            grounds = sorted(self.evidence(concept), key=lambda one: (-one[2].potential, one[0], one[1]))
            if live or not grounds:
                continue
            source, type_, edge = grounds[0]
            rate = RATE["event"] * hours(at)
            if edge.potential < math.log(FADE) + rate:
                self.rows["graph_edge", source, concept, type_] = replace(
                    edge,
                    potential=max(edge.potential, math.log(WAKE) + rate),
                    stamped_at=max(edge.stamped_at, at),
                    faded_at=None,
                )

    def merge(self, ids: Sequence[str], survivor: str | None, clock: datetime) -> None:
        """Several concepts become one: masses add up, loops go, old ids lead to the survivor."""
        members = sorted({self.known(name) for name in ids})  # an earlier merge of the plan may have joined some
        if len(members) < 2:
            return
        kept = (
            self.known(survivor)
            if survivor
            else min(members, key=lambda name: (-self.concept(name).evidence_count, self.node(name).occurred_at, name))
        )
        absorbed = [name for name in members if name != kept]

        joined: dict[Key, list[tuple[bool, Key, Edge]]] = {}
        for source, target, type_, edge in list(self.edges()):
            new: Key = (
                "graph_edge",
                kept if source in absorbed else source,
                kept if target in absorbed else target,
                type_,
            )
            old: Key = ("graph_edge", source, target, type_)
            joined.setdefault(new, []).append((new != old, old, edge))
        for new, parts in joined.items():
            if not any(moved for moved, _, _ in parts):
                continue
            for _, old, _ in parts:
                del self.rows[old]
            if new[1] == new[2]:
                continue
            # Who was there goes first, then who is older.
            parts.sort(key=lambda part: (part[0], part[2].created_at, part[1]))
            found = [edge for _, _, edge in parts]
            potential = log_sum(edge.potential for edge in found)
            faded = max((edge.faded_at for edge in found if edge.faded_at), default=None)
            bar = math.log(FADE) + RATE[self.node(new[1]).kind] * hours(clock)
            self.rows[new] = Edge(
                potential,
                max(edge.stamped_at for edge in found),
                min(edge.created_at for edge in found),
                all(edge.inferred for edge in found),
                any(edge.bidirectional for edge in found),
                faded if all(edge.faded_at for edge in found) and potential < bar else None,
                next((edge.metadata for edge in found if edge.metadata is not None), None),
                found[0].plan_id,
            )

        for key, row in list(self.rows.items()):
            if isinstance(row, Node) and (key[1] in absorbed or row.merged_into in absorbed):
                self.rows[key] = replace(row, merged_into=kept)
        states = [self.concept(name) for name in members]
        self.rows["concept_state", kept] = Concept(
            min(1, max(state.strength for state in states) + STEP * len(absorbed)),
            sum(state.evidence_count for state in states),
        )
        for name in absorbed:
            self.rows["concept_state", name] = replace(self.concept(name), evidence_count=0)
        # What is known of the absorbed is known of the survivor, of each name the latest, where it has none of it.
        notes = [
            (key, row)
            for key, row in self.rows.items()
            if isinstance(row, Annotation) and key[1] in absorbed and ("annotation", kept, key[2]) not in self.rows
        ]
        for key, _ in sorted(notes, key=lambda one: (-hours(one[1].created_at), one[0][1])):
            if ("annotation", kept, key[2]) not in self.rows:
                self.rows["annotation", kept, key[2]] = self.rows.pop(key)

    # ------------------------------------------------------------------------------------------------ taking back

    def dependents(self, plan_id: str) -> list[str]:
        """Plans that stand on this one and must be undone before it, newest first.

        A plan stands on an earlier one whose rows it wrote, or on a node of which it hung something; and what would
        come back must find its nodes, and what stays its reasons. An undo that took back something later has cancelled
        out with it, and neither counts.
        """
        plan = self.record[plan_id]
        later = [
            other
            for other in self.record.values()
            if other.applied
            and other.version > plan.version
            and (other.undoes is None or self.record[other.undoes].version <= plan.version)
        ]
        found = {other.plan_id for other in later if stands_on(other, plan) or in_the_way(other, plan)}
        without = {key: row for key, row in {**self.rows, **plan.before}.items() if row is not None}
        for node in Model(without).unfounded():
            found |= {other.plan_id for other in later if node in other.took_reasons()}
        return sorted(found, key=lambda one: -self.record[one].version)

    def in_turn(self, plan_id: str) -> list[str]:
        """All that stands on a plan, on that, and so on, newest first."""
        found, look = {plan_id}, [plan_id]
        while look:
            for dependent in self.dependents(look.pop()):
                if dependent not in found:
                    found.add(dependent)
                    look.append(dependent)
        return sorted(found - {plan_id}, key=lambda one: -self.record[one].version)

    def cascade(self, plan_id: str) -> list[str]:
        """What is undone with a plan, and itself last: always the newest that stands on it, as long as one does.

        More than stood on it before, where one of those is an undo: what that took back is there again then.
        """
        trial = Model(dict(self.rows), {key: replace(one) for key, one in self.record.items()})
        undone: list[str] = []
        while plan_id not in undone:
            undone.append(next(iter(trial.in_turn(plan_id)), plan_id))
            trial.undo(f"undo {len(undone)}", undone[-1])
        return undone

    def undo(self, undo_id: str, plan_id: str) -> None:
        """Take a plan back: every row as it was before. Undoing an undo makes what it undid count again, and so on."""
        was = dict(self.rows)
        plan = self.record[plan_id]
        assert plan.applied, plan_id
        for key, row in plan.before.items():
            if row is None:
                self.rows.pop(key, None)
            else:
                self.rows[key] = row
        subject: Applied | None = plan
        while subject is not None:
            subject.applied = not subject.applied
            subject = self.record[subject.undoes] if subject.undoes else None
        self.note(undo_id, was, plan_id)
        self.touched(undo_id, plan.before)


def joined(metadata: Iterable[Any]) -> Any:
    """What several statements say about an edge; of one name the last."""
    found = [one for one in metadata if one is not None]
    return {name: value for one in found for name, value in one.items()} if found else None


def is_repeated(node: Node, step: Operation) -> bool:
    """Whether an ADD_NODE proposes a node that is there."""
    if node.kind == "concept":
        return node.title.strip().lower() == str(step["title"]).strip().lower()
    return node.kind == "time" and (node.occurred_at, node.precision) == (
        moment(step["occurred_at"]),
        step.get("precision", "instant"),
    )


def ends(key: Key) -> set[str]:
    """The nodes a row belongs to."""
    return set(key[1:3] if key[0] == "graph_edge" else key[1:2])


def stands_on(later: Applied, earlier: Applied) -> bool:
    """Whether a plan wrote a row that another wrote, or a row that belongs to a node whose row the other wrote."""
    nodes = {key[1] for key in earlier.before if key[0] == "node"}
    return bool(later.before.keys() & earlier.before.keys()) or any(nodes & ends(key) for key in later.before)


def in_the_way(later: Applied, earlier: Applied) -> bool:
    """Whether a plan took a node that rows would come back to, or stands where a moment would come back."""
    back = [(key, row) for key, row in earlier.before.items() if row is not None]
    moments = {(row.occurred_at, row.precision) for _, row in back if isinstance(row, Node) and row.kind == "time"}
    return bool(later.took() & {node for key, _ in back for node in ends(key)}) or any(
        isinstance(row, Node) and row.kind == "time" and (row.occurred_at, row.precision) in moments
        for row in later.after.values()
    )
