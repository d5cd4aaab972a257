"""UpdatePlan, the one form in which the graph is asked to change, as Pydantic models.

They are three things at once: the documentation of UpdatePlan (``docs/update-plan.md``), the strict JSON schema that
a language model has to answer in (:mod:`cognifold_pg.planner.schema`), and the first check of what it answered.
``apply_plan`` takes such a plan as JSON and checks it against the stored graph.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

MAXIMUM_OPERATIONS = 200  # the default of the setting plan.maximum_operations

EdgeType = Literal[
    "grounds",
    "causes",
    "triggers",
    "user_feedback",
    "reinforces",
    "part_of",
    "derived_from",
    "deadline_for",
    "related_to",
    "precedes",
    "contradicts",
]

KINDS = ("event", "concept", "intent", "time")

# Which kinds an edge type may join: cognifold.edge_legality, so that a model is told before the database says it.
LEGAL_EDGES: dict[str, frozenset[tuple[str, str]]] = {
    "grounds": frozenset({("event", "concept"), ("event", "intent")}),
    "causes": frozenset({("event", "event")}),
    "triggers": frozenset({("concept", "intent"), ("event", "intent")}),
    "user_feedback": frozenset({("event", "intent")}),
    "reinforces": frozenset({("event", "concept")}),
    "part_of": frozenset({("event", "concept"), ("concept", "concept")}),
    "derived_from": frozenset({("concept", "concept")}),
    "deadline_for": frozenset({("time", "intent"), ("time", "event")}),
    "related_to": frozenset((source, target) for source in KINDS for target in KINDS),
    "precedes": frozenset({("event", "event")}),
    "contradicts": frozenset({("event", "event"), ("concept", "concept")}),
}


class CallersOnly:
    """Marks a field that an application may fill in and a language model may not."""


CALLERS_ONLY = CallersOnly()

NodeName = Annotated[str, Field(min_length=1, max_length=63)]
ShortText = Annotated[str, Field(min_length=1, max_length=300)]
Precision = Literal["instant", "day", "month", "year"]
MemoryType = Literal["episodic", "semantic", "procedural", "associative"]


def _written_out(value: Any) -> Any:
    # Pydantic also reads numbers as seconds since 1970, so that the year 2026 would be half past midnight of that year.
    if isinstance(value, datetime) or (isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value)):
        return value
    raise ValueError("a time is written as ISO 8601, such as 2026-05-01T09:00:00+02:00")


def _in_calendar(value: datetime) -> datetime:
    if not 2 <= value.year <= 9998:
        raise ValueError("a time lies between the years 2 and 9998, so that it exists in every zone")
    return value


Moment = Annotated[datetime, BeforeValidator(_written_out), AfterValidator(_in_calendar)]


class _Strict(BaseModel):
    # A field that is not listed is a slip of the pen and would be lost without a word: refused, as in SQL.
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Entity(_Strict):
    """Somebody or something that a text names."""

    name: ShortText = Field(description="As the text names it.")
    kind: Literal["person", "organisation", "place", "product", "system", "other"] = Field(description="What it is.")


class Date(_Strict):
    """A date or time that a text speaks of."""

    phrase: ShortText = Field(description="The words of the text, unchanged.")
    at: Moment | None = Field(
        default=None,
        description="The moment meant, ISO 8601, reckoned from the event's own time; null if the words leave it open.",
    )
    precision: Precision = Field(default="day", description="How exactly the words say it.")
    deadline: bool = Field(default=False, description="Whether something must be done by then.")


class Cause(_Strict):
    """What brought an event about. With a known event it becomes an edge `causes` as well."""

    node: NodeName | None = Field(default=None, description="The node that is the cause; null if none is known.")
    what: ShortText = Field(description="The cause in a few words.")


class Contradiction(_Strict):
    """What an event says that cannot hold beside something else. With a known event: an edge `contradicts` too."""

    node: NodeName | None = Field(default=None, description="The node that is contradicted; null if none is known.")
    what: ShortText = Field(description="The contradiction in a few words.")


class Annotations(_Strict):
    """What is learned about a node later. Names besides these are free; null takes an annotation away."""

    model_config = ConfigDict(extra="allow", allow_inf_nan=False)
    __pydantic_extra__: dict[str, JsonValue]

    entities: Annotated[list[Entity], Field(max_length=50)] | None = Field(
        default=None, description="Who and what is named."
    )
    actor: ShortText | None = Field(default=None, description="Who said or did it, where the text tells.")
    emotional_weight: Annotated[float, Field(ge=-1, le=1)] | None = Field(
        default=None, description="How much it matters to whom it happened, from -1 (very bad) to 1 (very good)."
    )
    valence: Literal["positive", "negative", "neutral", "mixed"] | None = Field(
        default=None, description="The feeling's side."
    )
    arousal: Annotated[float, Field(ge=0, le=1)] | None = Field(
        default=None, description="How stirred up, from 0 (calm) to 1 (very agitated)."
    )
    dates: Annotated[list[Date], Field(max_length=50)] | None = Field(default=None, description="Dates and deadlines.")
    contradictions: Annotated[list[Contradiction], Field(max_length=20)] | None = Field(
        default=None, description="What it contradicts."
    )
    causes: Annotated[list[Cause], Field(max_length=20)] | None = Field(
        default=None, description="What brought it about."
    )


class _Operation(_Strict):
    reasoning: Annotated[str, Field(max_length=2000)] | None = Field(default=None, description="Why, in one sentence.")
    grounded_in: Annotated[list[NodeName], Field(max_length=100)] | None = Field(
        default=None, description="The events and concepts that this operation rests on."
    )


class AddNode(_Operation):
    """A new concept, intent or time. Events enter by `remember` only."""

    op: Literal["ADD_NODE"]
    kind: Literal["concept", "intent", "time"] = Field(
        description="concept: a recurring pattern; intent: a goal nobody asked for; time: a date or a deadline."
    )
    ref: NodeName | None = Field(
        default=None, description="A short name of your own, by which later operations of the plan mean this node."
    )
    title: ShortText = Field(description="A few words that would be understood without anything else.")
    content: Annotated[str, Field(min_length=1, max_length=8000)] | None = Field(
        default=None, description="What is known of it, in a sentence or two; null repeats the title."
    )
    memory_type: MemoryType | None = Field(
        default=None, description="semantic: what holds; procedural: how a thing is done; episodic; associative."
    )
    occurred_at: Moment | None = Field(
        default=None, description="ISO 8601; required for a time; null for the moment of the newest event otherwise."
    )
    precision: Precision | None = Field(default=None, description="How exactly occurred_at is meant.")
    annotations: Annotated[Annotations | None, CALLERS_ONLY] = None
    privacy_level: Annotated[Literal["private", "shared", "public"] | None, CALLERS_ONLY] = Field(
        default=None, description="Who may see it."
    )
    payload: Annotated[dict[str, JsonValue] | None, CALLERS_ONLY] = Field(
        default=None, description="Fields of the application."
    )


class AddEdge(_Operation):
    """A directed edge; one that is there already is reinforced."""

    op: Literal["ADD_EDGE"]
    source: NodeName = Field(description="Where it starts.")
    target: NodeName = Field(description="Where it ends.")
    type: EdgeType = Field(description="What it says of the two.")
    weight: Annotated[float, Field(gt=0, le=1)] | None = Field(
        default=None, description="From above 0 to 1; null takes the type's own."
    )
    inferred: Annotated[bool | None, CALLERS_ONLY] = Field(
        default=None, description="True where no event states it: no provenance, no evidence."
    )
    bidirectional: Annotated[bool | None, CALLERS_ONLY] = Field(default=None, description="True if it holds both ways.")
    metadata: Annotated[dict[str, JsonValue] | None, CALLERS_ONLY] = Field(
        default=None, description="Fields of the application."
    )


class UpdateNode(_Operation):
    """Other words for a concept, an intent or a time; annotations for any node. An event's own fields never change."""

    op: Literal["UPDATE_NODE"]
    node: NodeName = Field(description="The node.")
    title: ShortText | None = Field(default=None, description="A better title; null leaves it. Never for an event.")
    content: Annotated[str, Field(min_length=1, max_length=8000)] | None = Field(
        default=None, description="A better text; null leaves it. Never for an event."
    )
    annotations: Annotations | None = Field(default=None, description="What was learned about it.")
    memory_type: Annotated[MemoryType | None, CALLERS_ONLY] = Field(default=None, description="Another memory type.")
    privacy_level: Annotated[Literal["private", "shared", "public"] | None, CALLERS_ONLY] = Field(
        default=None, description="Who may see it."
    )
    payload: Annotated[dict[str, JsonValue] | None, CALLERS_ONLY] = Field(
        default=None, description="Fields of the application."
    )


class MergeNodes(_Operation):
    """Two or more stored concepts that mean the same become one; the other ids resolve to it."""

    op: Literal["MERGE_NODES"]
    ids: Annotated[list[NodeName], Field(min_length=2, max_length=50)] = Field(description="The concepts.")
    survivor: NodeName | None = Field(
        default=None, description="Which of them stays; null leaves the choice to the memory (accesses, evidence, age)."
    )


class RemoveNode(_Operation):
    """A stored concept, intent or time goes, with its edges. Undo brings it back."""

    op: Literal["REMOVE_NODE"]
    node: NodeName = Field(description="The node.")


class RemoveEdge(_Operation):
    """A stored edge goes. A concept or intent keeps some provenance, or the plan is refused."""

    op: Literal["REMOVE_EDGE"]
    source: NodeName = Field(description="Where it starts.")
    target: NodeName = Field(description="Where it ends.")
    type: EdgeType = Field(description="Its type.")


Operation = Annotated[AddNode | AddEdge | UpdateNode | MergeNodes | RemoveNode | RemoveEdge, Field(discriminator="op")]

OPERATIONS: dict[str, type[_Operation]] = {
    "ADD_NODE": AddNode,
    "ADD_EDGE": AddEdge,
    "UPDATE_NODE": UpdateNode,
    "MERGE_NODES": MergeNodes,
    "REMOVE_NODE": RemoveNode,
    "REMOVE_EDGE": RemoveEdge,
}


class UpdatePlan(_Strict):
    """Operations that are applied together or not at all, in order, removals first.

    A node is named by its id (a uuid), or by the `ref` of the ADD_NODE that makes it in the same plan.
    """

    plan_id: Annotated[NodeName | None, CALLERS_ONLY] = Field(
        default=None, description="A uuid of its own: the same plan applied twice is applied once."
    )
    trigger_event_id: Annotated[NodeName | None, CALLERS_ONLY] = Field(
        default=None, description="The event that gave rise to it."
    )
    reasoning: Annotated[str, Field(max_length=4000)] | None = Field(
        default=None, description="Why the plan as a whole, in a sentence or two."
    )
    operations: Annotated[list[Operation], Field(max_length=MAXIMUM_OPERATIONS)] = Field(
        description="What changes; empty if nothing does."
    )


def model_fields(model: type[BaseModel]) -> dict[str, Any]:
    """A model's fields that a language model may fill in, by name, in their order."""
    return {
        name: field
        for name, field in model.model_fields.items()
        if not any(isinstance(mark, CallersOnly) for mark in field.metadata)
    }
