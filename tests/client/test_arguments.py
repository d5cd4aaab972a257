"""Arguments of another type than meant: refused by name with the remedy, before or instead of anything else."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import uuid4

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import CognifoldError, InvalidValueError, UnknownNodeError
from cognifold_pg.experience import Experience

NOBODY = "dbname=nowhere"  # no connection is made to refuse these


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def cyclic() -> dict[str, Any]:
    plan: dict[str, Any] = {"operations": []}
    plan["operations"].append(plan)
    return plan


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda m: m.remember("x", occurred_at="2026-01-01"), "occurred_at = '2026-01-01' is of type str"),
        (lambda m: m.remember("x", occurred_at=date(2026, 1, 1)), "occurred_at = '2026-01-01' is of type date"),
        (lambda m: m.remember("x", ended_at=5), "ended_at = '5' is of type int"),
        (lambda m: m.remember(5), "5 is of type int, not an Experience"),
        (lambda m: m.remember(None), "None is of type NoneType, not an Experience"),
        (lambda m: m.remember(b"x"), "b'x' is of type bytes, not an Experience"),
        (lambda m: m.remember("x", payload={"self": cyclic()}), "payload is nested too deeply, or contains itself"),
        (lambda m: m.remember_many([{"content": "x"}]), "event 0: {'content': 'x'} is of type dict, not an Experience"),
        (lambda m: m.remember_many([Experience("x"), "y"]), "event 1: 'y' is of type str, not an Experience"),
        (lambda m: m.remember_many("x"), "experiences is of type str. Give a list"),
        (lambda m: m.remember_many(Experience("x")), "experiences is of type Experience. Give a list"),
        (lambda m: m.remember_many(5), "experiences is of type int. Give a list"),
        (lambda m: m.recall("x", actors="Ana"), "Write actors=['Ana']"),
        (lambda m: m.recall("x", kinds="event"), "Write kinds=['event']"),
        (lambda m: m.recall("x", sources="x"), "Write sources=['x']"),
        (lambda m: m.recall("x", sources=5), "sources = 5 is not a list of texts"),
        (lambda m: m.recall("x", actors=["Ana", 5]), "actors[1] = 5 is of type int"),
        (lambda m: m.recall("x", "5"), "k = '5' is not a whole number"),
        (lambda m: m.recall("x", 2.0), "k = 2.0 is not a whole number"),
        (lambda m: m.recall("x", True), "k = True is not a whole number"),
        (lambda m: m.recall("x", 2**31), "k = 2147483648 is not a whole number"),
        (lambda m: m.recall(5), "query = 5 is of type int"),
        (lambda m: m.recall("x", minimum_score="1"), "minimum_score = '1' is of type str"),
        (lambda m: m.recall("x", since="yesterday"), "since = 'yesterday' is of type str"),
        (lambda m: m.explain("notauuid"), "node_id = 'notauuid' is not a uuid"),
        (lambda m: m.explain(None), "node_id = None is not a uuid"),
        (lambda m: m.propose(5), "event_id = 5 is not a uuid"),
        (lambda m: m.density("x"), "concept = 'x' is not a uuid"),
        (lambda m: m.answer_intent("x", "accept"), "intent_id = 'x' is not a uuid"),
        (lambda m: m.answer_intent(uuid4(), None), "answer = None is of type NoneType"),
        (lambda m: m.fold("5"), "max_events = '5' is not a whole number"),
        (lambda m: m.context_window(1.5), "max_nodes = 1.5 is not a whole number"),
        (lambda m: m.apply_plan(cyclic()), "plan is nested too deeply, or contains itself"),
        (lambda m: m.apply_plan({"operations": nested(100_000)}), "plan is nested too deeply"),
        (lambda m: Memory(NOBODY, tenant="a\0"), r"tenant = 'a\x00' holds a character"),
        (lambda m: Memory(NOBODY, tenant="a\ud800"), "holds a character PostgreSQL can't store"),
        (lambda m: Memory(NOBODY, tenant=5), "tenant = 5 is of type int"),  # type: ignore[arg-type]
        (lambda m: Memory(NOBODY, tenant="a", clock="now"), "clock = 'now' is of type str"),  # type: ignore[arg-type]
        (lambda m: Memory(NOBODY, tenant="a", pool_size=0), "pool_size = 0 is less than 1"),
    ],
)
def test_an_argument_of_another_type_is_named_with_what_to_give(call: Callable[[Any], object], named: str) -> None:
    memory = Memory(NOBODY, tenant="nobody")
    with pytest.raises(InvalidValueError) as caught:
        call(memory)
    assert named in str(caught.value)


def test_an_event_refused_by_its_type_late_in_a_stream_has_its_place_and_none_is_stored(memory: Memory) -> None:
    stream: list[Any] = [Experience(f"entry {n}", idempotency_key=str(n)) for n in range(1500)]
    stream.append("late")
    with pytest.raises(InvalidValueError, match=r"^event 1500: 'late' is of type str"):
        memory.remember_many(stream)
    stream.pop()
    stream[1200] = Experience("x", title=5)  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match=r"^event 1200: title = 5 is not a JSON string"):
        memory.remember_many(stream)
    assert memory.rows("SELECT id FROM cognifold.event") == []


def test_of_a_single_event_no_place_is_told(memory: Memory) -> None:
    with pytest.raises(InvalidValueError, match=r"^title = 5 is not a JSON string"):
        memory.remember("x", title=5)
    with pytest.raises(InvalidValueError, match=r"^remember: arousal = 2"):
        memory.remember("x", arousal=2)


def test_ids_may_be_texts(memory: Memory) -> None:
    event = memory.remember("The kettle whistled")
    assert memory.explain(str(event)) == memory.explain(event)
    assert memory.propose(str(event))["trigger_event_id"] == str(event)
    with pytest.raises(UnknownNodeError):
        memory.explain("00000000-0000-0000-0000-000000000000")


def test_any_iterable_of_texts_is_a_filter_and_an_empty_one_finds_nothing(memory: Memory) -> None:
    memory.remember("The kettle whistled", actor="Ana")
    memory.fold()
    assert len(memory.recall("kettle", actors={"Ana"}, kinds=(kind for kind in ["event"]))) == 1
    assert memory.recall("kettle", actors=[]) == []
    assert memory.recall("kettle", actors=["Ana\0"]) == []


def test_a_payload_as_deep_as_json_goes_is_stored(memory: Memory) -> None:
    memory.remember("x", payload={"deep": nested(200)})
    (row,) = memory.rows("SELECT payload FROM cognifold.event")
    assert row["payload"] == {"deep": nested(200)}
    with pytest.raises(CognifoldError):
        memory.apply_plan({"operations": [math.inf]})
