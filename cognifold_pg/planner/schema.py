"""The JSON schemas of UpdatePlan: the whole one for people, and the strict part of it for language models.

A strict schema (``response_format: json_schema``, ``strict: true``) knows no optional field and no open object: every
property is required, what may be missing may be null, and nothing besides is allowed. Servers differ in which bounds
they accept, so bounds are left out unless asked for; :mod:`cognifold_pg.planner.answer` checks them all anyway.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from cognifold_pg.planner.models import OPERATIONS, Annotations, UpdatePlan, model_fields

Schema = dict[str, Any]

SHORT = 100  # characters of any text, and
FEW = 2  # entries of any list, where bounds are kept: for models that know no end


def document_schema() -> Schema:
    """The whole UpdatePlan as ``apply_plan`` takes it, as documented in ``docs/update-plan.md``."""
    return UpdatePlan.model_json_schema()


def strict_schema(
    operations: Sequence[str],
    annotations: Collection[str],
    *,
    kinds: Collection[str] = (),
    leave_out: Collection[str] = (),
    bounded: bool = False,
    names: Sequence[str] = (),
) -> Schema:
    """What a model answers in: these operations, these annotations, in the rules of strict mode.

    :param kinds: of new nodes; empty: all.
    :param leave_out: fields of operations that are not offered, for models that fill in whatever they see.
    :param bounded: keep bounds on texts and lists and tighten them (``SHORT``, ``FEW``), for servers that turn the
        schema into a grammar and models that would not stop by themselves.
    :param names: the nodes that may be named; empty leaves names open and the schema the same for every request, so
        that a server can keep what it made of it. With names given, nodes of the same plan can't be named.
    """
    whole = document_schema()
    maker = _Strict(whole["$defs"], frozenset(annotations), kinds, leave_out, bounded, names)
    return {
        "type": "object",
        "properties": {
            "reasoning": maker.text(maker.value(whole["properties"]["reasoning"], "reasoning")),
            "operations": {
                "type": "array",
                "description": whole["properties"]["operations"]["description"],
                "items": {"anyOf": [maker.object(OPERATIONS[name].__name__) for name in operations]},
                **({"minItems": 1, "maxItems": FEW} if bounded else {}),
            },
        },
        "required": ["reasoning", "operations"],
        "additionalProperties": False,
    }


class _Strict:
    """One translation of parts of the whole schema into strict ones, references written out."""

    def __init__(
        self,
        definitions: Mapping[str, Schema],
        annotations: frozenset[str],
        kinds: Collection[str],
        leave_out: Collection[str],
        bounded: bool,
        names: Sequence[str],
    ) -> None:
        self._definitions = definitions
        self._annotations = annotations
        self._kinds = kinds
        self._leave_out = leave_out
        self._bounded = bounded
        self._names = names

    def object(self, definition: str) -> Schema:
        """A model of ours by its name. `op` leads: it decides what the rest means."""
        schema = self._definitions[definition]
        names = list(schema["properties"])
        if definition == Annotations.__name__:
            names = [name for name in names if name in self._annotations]
        model = next((model for model in OPERATIONS.values() if model.__name__ == definition), None)
        if model is not None:
            wanted = model_fields(model)
            names = [name for name in names if name in wanted and name not in self._leave_out]
            if not self._annotations and "annotations" in names:
                names.remove("annotations")
            names.sort(key=lambda name: name != "op")
        always = ("op", "reasoning", "grounded_in") if model is not None else ()
        properties: Schema = {}
        for name in names:
            properties[name] = self.value(schema["properties"][name], name)
            if name in always:
                properties[name] = self.text(properties[name])
            elif name == "kind" and model is not None and self._kinds:
                properties[name]["enum"] = [kind for kind in properties[name]["enum"] if kind in self._kinds]
        return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}

    def text(self, schema: Schema) -> Schema:
        """The same without null: a reason and its grounds may be missing in SQL, but not in a model's answer."""
        choices = schema.get("anyOf")
        if choices is None:
            return schema
        real: Schema = next(choice for choice in choices if choice.get("type") != "null")
        return real | {"description": schema["description"]}

    def value(self, schema: Schema, name: str) -> Schema:
        """Any value, by what it is."""
        if "$ref" in schema:
            made = self.object(schema["$ref"].rsplit("/", 1)[1])
        elif "anyOf" in schema:
            made = {"anyOf": [self.value(choice, name) for choice in schema["anyOf"]]}
        elif "const" in schema:
            made = {"type": "string", "enum": [schema["const"]]}
        elif schema.get("type") == "array":
            made = {"type": "array", "items": self.value(schema["items"], name)}
            if self._bounded:
                made |= {"minItems": 1 if name == "grounded_in" else schema.get("minItems", 0)}
                made |= {"maxItems": min(FEW, schema.get("maxItems", FEW))}
        else:
            made = {key: schema[key] for key in ("type", "enum") if key in schema}
            if schema.get("type") == "string" and "enum" not in schema:
                if self._names and name in ("grounded_in", "source", "target", "node", "ids", "survivor"):
                    made["enum"] = list(self._names)
                elif self._bounded:
                    made |= {"minLength": 1, "maxLength": min(SHORT, schema.get("maxLength", SHORT))}
        if "description" in schema:
            made["description"] = schema["description"]
        return made
