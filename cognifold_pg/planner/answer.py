"""From a model's answer to a plan that can be applied, or to the list of what is wrong with it. Nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

from pydantic import BaseModel, ValidationError

from cognifold_pg.planner.models import (
    LEGAL_EDGES,
    OPERATIONS,
    AddEdge,
    AddNode,
    MergeNodes,
    RemoveEdge,
    RemoveNode,
    UpdateNode,
    UpdatePlan,
    model_fields,
)
from cognifold_pg.planner.profiles import Profile
from cognifold_pg.planner.prompt import Named, zone_named

MAXIMUM_PROBLEMS = 12  # told to the model at once; more would not help it

REF_FORM = re.compile(r"[^\W\d_]\S*")  # as plan_problem has it: a letter first, no white space
UUID_FORM = re.compile(r"[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")


class FaultyPlan(ValueError):
    """The answer is JSON but no plan for this request.

    :ivar problems: what is wrong, each with the index of its operation.
    """

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def plan_from(answer: dict[str, Any], names: dict[str, Named], profile: Profile, time_zone: str) -> dict[str, Any]:
    """The plan that an answer means, with ids for names and edges for causes and contradictions between events.

    :param names: the names that the model was shown.
    :param time_zone: in which times without an offset are meant.
    :raises FaultyPlan: with everything that is wrong, as far as it can be told without the database.
    """
    stray = [f"the plan has no field {name!r}" for name in answer if name not in model_fields(UpdatePlan)]
    try:
        plan = UpdatePlan.model_validate(answer)
    except ValidationError as error:
        raise FaultyPlan([*stray, *_model_problems(error, answer)][:MAXIMUM_PROBLEMS]) from None
    except RecursionError:
        raise FaultyPlan(["the plan is nested too deeply"]) from None
    check = _Check(plan, names, profile, time_zone)
    problems = stray + check.problems()
    if problems:
        raise FaultyPlan(problems[:MAXIMUM_PROBLEMS])
    return check.plan()


def _model_problems(error: ValidationError, answer: dict[str, Any]) -> list[str]:
    problems: list[str] = []
    for fault in error.errors(include_url=False, include_input=False):
        place = [part for part in fault["loc"] if part not in OPERATIONS]
        where = ""
        if len(place) >= 2 and place[0] == "operations" and isinstance(place[1], int):
            operations = answer.get("operations")
            body = operations[place[1]] if isinstance(operations, list) and place[1] < len(operations) else None
            op = body.get("op") if isinstance(body, dict) else None
            where = f"operation {place[1]} ({op if isinstance(op, str) else '?'}): "
            place = place[2:]
        field = ".".join(str(part) for part in place)
        problems.append(f"{where}{field + ': ' if field else ''}{fault['msg']}"[:300])
    return list(dict.fromkeys(problems))


@dataclass(frozen=True)
class _Meant:
    """What a name in the plan stands for: a stored node, or one that the plan makes."""

    name: str
    kind: str
    id: str
    occurred_at: datetime | None
    is_new: bool


class _Check:
    """One answer against what its model was shown."""

    def __init__(self, plan: UpdatePlan, names: dict[str, Named], profile: Profile, time_zone: str) -> None:
        self._plan = plan
        self._profile = profile
        self._zone: tzinfo = zone_named(time_zone)
        self._batch = [name for name in names if name.startswith("e")]
        self._known = {
            name: _Meant(name, node.kind, str(node.id), node.occurred_at, False) for name, node in names.items()
        }
        self._new = {
            operation.ref: _Meant(operation.ref, operation.kind, operation.ref, None, True)
            for operation in plan.operations
            if isinstance(operation, AddNode) and operation.ref is not None
        }
        self._faults: list[str] = []

    # ------------------------------------------------------------------ what is wrong

    def problems(self) -> list[str]:
        """Everything that is wrong, in the order of the operations."""
        if not (self._plan.reasoning or "").strip():
            self._faults.append("the plan has no reasoning")
        refs: set[str] = set()
        removed = {operation.node for operation in self._plan.operations if isinstance(operation, RemoveNode)}
        for position, operation in enumerate(self._plan.operations):
            found = list(self._operation_problems(operation, refs, removed))
            self._faults += [f"operation {position} ({operation.op}): {fault}" for fault in found]
        return list(dict.fromkeys(self._faults))

    def _operation_problems(self, operation: Any, refs: set[str], removed: set[str]) -> Iterator[str]:
        if operation.op not in self._profile.operations:
            yield f"only {', '.join(self._profile.operations)} may be used"
            return
        allowed = model_fields(type(operation))
        for name in sorted(operation.model_fields_set - set(allowed)):
            if getattr(operation, name) is not None:
                yield f"the field {name!r} is not yours to fill in"
        if not (operation.reasoning or "").strip():
            yield "it has no reasoning"
        yield from self._grounds_problems(operation)
        named = [name for name in _names_in(operation) if name in removed]
        if named and not isinstance(operation, RemoveNode):
            yield f"{named[0]} is removed by the same plan"
        match operation:
            case AddNode():
                yield from self._add_node_problems(operation, refs)
            case AddEdge() | RemoveEdge():
                yield from self._edge_problems(operation)
            case UpdateNode():
                yield from self._update_problems(operation)
            case MergeNodes():
                yield from self._merge_problems(operation)
            case RemoveNode():
                yield from self._name_problems("node", operation.node)
                node = self._meant(operation.node)
                if node is not None and (node.is_new or node.kind == "event"):
                    yield "events, and nodes that the plan makes itself, are not removed"

    def _meant(self, name: str) -> _Meant | None:
        return self._known.get(name) or self._new.get(name)

    def _name_problems(self, role: str, name: str | None) -> Iterator[str]:
        if name is not None and self._meant(name) is None:
            yield f"{role} {name!r} is neither a name that was shown nor a ref of this plan"

    def _grounds_problems(self, operation: Any) -> Iterator[str]:
        for name in operation.grounded_in or ():
            yield from self._name_problems("grounded_in", name)
            node = self._meant(name)
            if node is not None and node.kind not in ("event", "concept"):
                yield f"grounded_in {name!r} is of kind {node.kind}; name events or concepts"
        if not self._grounds(operation):
            yield "grounded_in is empty: name the events or concepts it rests on"

    def _grounds(self, operation: Any) -> list[str]:
        """What it rests on as said, else what follows without a guess: events it names itself, or the only event."""
        if operation.grounded_in:
            return list(dict.fromkeys(operation.grounded_in))
        named = [
            name for name in _names_in(operation) if (node := self._meant(name)) is not None and node.kind == "event"
        ]
        if named:
            return list(dict.fromkeys(named))
        return self._batch if len(self._batch) == 1 else []

    def _add_node_problems(self, operation: AddNode, refs: set[str]) -> Iterator[str]:
        ref = operation.ref
        if ref is not None:
            if ref in refs:
                yield f"ref {ref!r} is used twice"
            elif ref in self._known:
                yield f"ref {ref!r} is the name of a node that was shown; choose another"
            elif not REF_FORM.fullmatch(ref) or UUID_FORM.fullmatch(ref) or len(ref.encode()) > 63:
                yield f"ref {ref!r} is not a short name (a letter first, no spaces)"
            refs.add(ref)
            if ref in (operation.grounded_in or ()):
                yield "it is grounded in itself"
        if operation.kind not in self._profile.kinds:
            yield f"kind {operation.kind!r} is not one of {', '.join(self._profile.kinds)}"
        if not operation.title.strip():
            yield "the title is empty"
        if operation.kind == "time" and operation.occurred_at is None:
            yield "a time needs occurred_at"
        if operation.kind != "time" and not self._rests_on_stored(operation, set()):
            yield "it rests on no event and no stored concept"

    def _rests_on_stored(self, operation: AddNode, seen: set[str]) -> bool:
        makers = {o.ref: o for o in self._plan.operations if isinstance(o, AddNode) and o.ref is not None}
        for name in self._grounds(operation):
            if name in self._known:
                return True
            if name in makers and name not in seen and self._rests_on_stored(makers[name], seen | {name}):
                return True
        return False

    def _edge_problems(self, operation: AddEdge | RemoveEdge) -> Iterator[str]:
        yield from self._name_problems("source", operation.source)
        yield from self._name_problems("target", operation.target)
        source, target = self._meant(operation.source), self._meant(operation.target)
        if source is None or target is None:
            return
        if source.id == target.id:
            yield "source and target are the same node"
        elif (source.kind, target.kind) not in LEGAL_EDGES[operation.type]:
            legal = ", ".join(f"{one} -> {other}" for one, other in sorted(LEGAL_EDGES[operation.type]))
            yield f"{operation.type} cannot join {source.kind} -> {target.kind}; legal are: {legal}"
        elif isinstance(operation, AddEdge) and operation.type in ("causes", "precedes") and _is_later(source, target):
            yield f"{source.name} happened after {target.name}, so it does not {operation.type[:-1]} it"
        if isinstance(operation, RemoveEdge) and (source.is_new or target.is_new):
            yield "an edge of a node that the plan makes is not there to be removed"

    def _update_problems(self, operation: UpdateNode) -> Iterator[str]:
        yield from self._name_problems("node", operation.node)
        node = self._meant(operation.node)
        if node is None:
            return
        said = self._said(operation)
        if node.is_new:
            yield "the node must be stored already; give a new one its title in ADD_NODE"
        elif node.kind == "event" and (operation.title is not None or operation.content is not None):
            yield "an event never changes; what was learned about it goes into annotations"
        for text in (operation.title, operation.content):
            if text is not None and not text.strip():
                yield "an empty text"
        for name, value in said.items():
            if name not in self._profile.annotations:
                yield f"the annotation {name!r} is not one of {', '.join(self._profile.annotations) or 'none'}"
            elif name in ("causes", "contradictions"):
                for entry in value:
                    yield from self._name_problems(name, entry.node)
                    other = self._meant(entry.node) if entry.node is not None else None
                    if other is None:
                        continue
                    if other.is_new or other.id == node.id:
                        yield f"{name}: {entry.node!r} must be another node that is stored already"
                    elif name == "causes" and node.kind == "event" and other.kind == "event" and _is_later(other, node):
                        yield f"causes: {other.name} happened after {node.name}"

    def _merge_problems(self, operation: MergeNodes) -> Iterator[str]:
        for role, name in [*(("ids", name) for name in operation.ids), ("survivor", operation.survivor)]:
            yield from self._name_problems(role, name)
            node = self._meant(name) if name is not None else None
            if node is not None and (node.is_new or node.kind != "concept"):
                yield f"{role} {name!r} is no stored concept; only those are merged"
        if len(set(operation.ids)) < 2:
            yield "a merge needs two different concepts"
        if operation.survivor is not None and operation.survivor not in operation.ids:
            yield "survivor must be one of the ids"

    def _says_something(self, operation: UpdateNode) -> bool:
        return operation.title is not None or operation.content is not None or bool(self._said(operation))

    @staticmethod
    def _said(operation: UpdateNode) -> dict[str, Any]:
        """The annotations that say something: null is what a strict schema makes of nothing to say."""
        if operation.annotations is None:
            return {}
        said = {name: getattr(operation.annotations, name) for name in operation.annotations.model_fields_set}
        return {name: value for name, value in said.items() if value is not None and value != []}

    # ------------------------------------------------------------------ what it means

    def plan(self) -> dict[str, Any]:
        """The plan with ids; only for answers without problems."""
        removals: list[dict[str, Any]] = []
        others: list[dict[str, Any]] = []
        merges: list[dict[str, Any]] = []
        edges: set[tuple[str, str, str]] = set()
        follow: list[dict[str, Any]] = []
        for operation in self._plan.operations:
            if isinstance(operation, UpdateNode) and not self._says_something(operation):
                continue  # all null: a strict schema's way of having nothing to say
            body = self._body(operation)
            (removals if body["op"].startswith("REMOVE") else merges if body["op"] == "MERGE_NODES" else others).append(
                body
            )
            if isinstance(operation, AddEdge):
                edges.add((body["source"], body["target"], body["type"]))
            if isinstance(operation, UpdateNode):
                follow += self._edges_of(operation)
        for body in follow:
            key = (body["source"], body["target"], body["type"])
            if key not in edges:
                edges.add(key)
                others.append(body)
        newest = max((self._known[name] for name in self._batch), key=lambda event: (event.occurred_at, event.name))
        return {
            "trigger_event_id": newest.id,
            "reasoning": (self._plan.reasoning or "").strip(),
            "operations": removals + others + merges,
        }

    def _id(self, name: str) -> str:
        node = self._meant(name)
        assert node is not None
        return node.id

    def _body(self, operation: Any) -> dict[str, Any]:
        body: dict[str, Any] = {
            "op": operation.op,
            "reasoning": operation.reasoning.strip(),
            "grounded_in": [self._id(name) for name in self._grounds(operation)],
        }
        for name in model_fields(type(operation)):
            value = getattr(operation, name)
            if name in body or value is None:
                continue
            if name in ("source", "target", "node", "survivor"):
                value = self._id(value)
            elif name == "ids":
                value = [self._id(one) for one in dict.fromkeys(value)]
            elif name == "annotations":
                value = {one: self._plain(inner) for one, inner in sorted(self._said(operation).items())}
                if not value:  # beside a title or a content
                    continue
            else:
                value = self._plain(value)
            body[name] = value
        return body

    def _edges_of(self, operation: UpdateNode) -> Iterator[dict[str, Any]]:
        """Causes and contradictions between two known events are edges as well."""
        node = self._meant(operation.node)
        if node is None or node.kind != "event":
            return
        said = self._said(operation)
        for name, edge in (("causes", "causes"), ("contradictions", "contradicts")):
            for entry in said.get(name, ()):
                other = self._meant(entry.node) if entry.node is not None else None
                if other is None or other.kind != "event":
                    continue
                source, target = (other.id, node.id) if name == "causes" else (node.id, other.id)
                yield {
                    "op": "ADD_EDGE",
                    "reasoning": entry.what.strip(),
                    "grounded_in": [node.id, other.id],
                    "source": source,
                    "target": target,
                    "type": edge,
                }

    def _plain(self, value: Any) -> Any:
        if isinstance(value, datetime):
            moment = value if value.tzinfo is not None else value.replace(tzinfo=self._zone)
            offset = moment.utcoffset()
            if offset is not None and offset.seconds % 60:  # local time before there were zones: no such offset in SQL
                moment = moment.astimezone(UTC)
            return moment.isoformat()
        if isinstance(value, BaseModel):
            said = {name: getattr(value, name) for name in type(value).model_fields}
            return {
                name: self._id(inner) if name == "node" and inner is not None else self._plain(inner)
                for name, inner in said.items()
            }
        if isinstance(value, list):
            return [self._plain(inner) for inner in value]
        return value


def _names_in(operation: Any) -> list[str]:
    names: list[str] = []
    for field in ("source", "target", "node", "survivor"):
        if isinstance(name := getattr(operation, field, None), str):
            names.append(name)
    return [*names, *getattr(operation, "ids", ())]


def _is_later(one: _Meant, other: _Meant) -> bool:
    return one.occurred_at is not None and other.occurred_at is not None and one.occurred_at > other.occurred_at
