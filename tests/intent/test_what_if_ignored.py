"""What followed last time, where the memory knows; where it does not, nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from cognifold_pg.client import Memory
from tests.graph.plans import add_edge, add_node, apply, remember, rows
from tests.intent.workshop import NEED, Workshop, moment

LONG_AGO = -2000


def told(workshop: Workshop, intent: UUID, *more: Any) -> list[dict[str, Any]]:
    marks = "".join(", %s" for _ in more)
    return rows(workshop.connection, f"SELECT * FROM cognifold.what_if_ignored(%s{marks})", intent, *more)


def history(workshop: Workshop) -> dict[str, UUID]:
    """A kettle that was left alone long ago, and what came of it, beside what did not."""
    said = {
        "sparks": ("The old kettle sparks", 0, (1, 0, 0)),
        "fuse": ("The fuse of the Brixton flat blew", 5, (0, 1, 0)),
        "dark": ("The Brixton flat was dark all night", 9, (0, 1, 0)),
        "freezer": ("The freezer thawed", 20, (0, 0, 1)),
        "weather": ("It rained", 21, (0, 0, 1)),
    }
    events = {
        name: workshop.event(text, *vector, hours=LONG_AGO + hours) for name, (text, hours, vector) in said.items()
    }
    apply(
        workshop.connection,
        add_edge(events["sparks"], "causes", events["fuse"], weight=0.8),
        add_edge(events["fuse"], "precedes", events["dark"], weight=0.5),  # both speak of the Brixton flat
        add_edge(events["dark"], "causes", events["freezer"]),
        add_edge(events["freezer"], "precedes", events["weather"]),  # nothing in common
        trigger_event_id=events["sparks"],
    )
    return events


def test_what_followed_the_last_time_is_told_in_order_with_its_evidence(workshop: Workshop) -> None:
    events = history(workshop)
    intent = workshop.intent()
    found = told(workshop, intent)
    names = ["fuse", "dark", "freezer"]
    assert [row["event_id"] for row in found] == [events[name] for name in names]
    assert [(row["situation"], row["step"], row["hop"]) for row in found] == [(1, 1, 1), (1, 2, 2), (1, 3, 3)]
    assert [row["after"] for row in found] == [timedelta(hours=hours) for hours in (5, 9, 20)]
    assert [row["relation"] for row in found] == ["causes", "precedes", "causes"]
    assert [row["weight"] for row in found] == pytest.approx([0.8, 0.5, 0.9])
    path = [events[name] for name in ("sparks", *names)]
    assert [list(row["path"]) for row in found] == [path[:2], path[:3], path[:4]]
    assert {row["like_event"] for row in found} == {events["sparks"]}
    assert all(row["likeness"] == pytest.approx(1) for row in found)
    evidence = rows(
        workshop.connection, "SELECT source_id FROM cognifold.edge WHERE target_id = %s AND type = 'grounds'", intent
    )
    assert {row["because_of"] for row in found} <= {row["source_id"] for row in evidence}


def test_no_further_than_it_was_asked_to_look(workshop: Workshop) -> None:
    events = history(workshop)
    intent = workshop.intent()
    assert [row["event_id"] for row in told(workshop, intent, None, 2)] == [events["fuse"], events["dark"]]
    with pytest.raises(psycopg.Error, match="max_hops = 0 is not from 1 to 20"):
        told(workshop, intent, None, 0)


def test_of_many_ways_to_one_event_only_one_is_walked(workshop: Workshop) -> None:
    """Eight events in each of eight layers, each the cause of all of the next: 64 events, 8^8 ways."""
    first = workshop.event("The old kettle sparks", hours=LONG_AGO)
    last = [first]
    for layer in range(1, 9):
        next_ones = [
            remember(workshop.connection, f"Trouble {layer} {n}", moment(LONG_AGO + layer).isoformat())
            for n in range(8)
        ]
        apply(
            workshop.connection,
            *(add_edge(one, "causes", other) for one in last for other in next_ones),
            trigger_event_id=first,
        )
        last = next_ones
    found = told(workshop, workshop.intent(), None, 8)
    assert [row["hop"] for row in found] == [layer for layer in range(1, 9) for _ in range(8)]
    assert len({row["event_id"] for row in found}) == 64 and {len(row["path"]) - row["hop"] for row in found} == {1}


def test_where_nothing_followed_there_is_nothing(workshop: Workshop) -> None:
    workshop.event("The old kettle sparks", hours=LONG_AGO)
    assert told(workshop, workshop.intent()) == []


def test_what_is_not_like_it_is_no_earlier_situation(workshop: Workshop) -> None:
    history(workshop)
    workshop.set("intent.likeness", 0.7)
    lamp = [workshop.event(f"The lamp needs a bulb {n}", 0.6, 0, 0.8) for n in "ab"]  # cosine .6 to the kettle
    workshop.concept("Lamp", *lamp)
    [emitted] = workshop.emit(0)
    found = told(workshop, emitted["intent_id"])
    assert found == []
    workshop.set("intent.likeness", 0.59)
    assert len(told(workshop, emitted["intent_id"])) == 3


def test_what_was_only_inferred_is_not_told(workshop: Workshop, admin: Any) -> None:
    history(workshop)
    intent = workshop.intent()
    admin.execute("UPDATE cognifold.graph_edge SET inferred = true WHERE type = 'causes' AND tenant_id = %s",
                  [workshop.tenant])  # fmt: skip
    assert told(workshop, intent) == []


def test_what_began_just_now_is_not_an_earlier_time(workshop: Workshop) -> None:
    spark = workshop.event("The old kettle sparks", hours=-20)
    fuse = workshop.event("The fuse blew", 0, 1, 0, hours=-15)
    apply(workshop.connection, add_edge(spark, "causes", fuse))
    intent = workshop.intent()
    assert told(workshop, intent) == []
    workshop.set("intent.apart", 10)
    assert [row["event_id"] for row in told(workshop, intent)] == [fuse]


def test_a_faded_edge_is_still_what_happened(workshop: Workshop) -> None:
    history(workshop)
    intent = workshop.intent()
    faded = rows(workshop.connection, "SELECT live FROM cognifold.edge WHERE type = 'causes'")
    assert {row["live"] for row in faded} == {False}
    assert len(told(workshop, intent)) == 3


@pytest.mark.parametrize(("answer", "steps"), [("reject", 1), ("resolve", 0), ("accept", 0)])
def test_an_earlier_intent_of_its_concept_tells_only_if_it_was_not_heeded(
    workshop: Workshop, answer: str, steps: int
) -> None:
    concept = workshop.kettle(LONG_AGO)
    [earlier] = workshop.emit(LONG_AGO)
    workshop.answer(earlier["intent_id"], answer)
    fuse = workshop.event("The fuse blew", 0, 1, 0, hours=LONG_AGO + 4)
    apply(workshop.connection, add_edge(earlier["evidence"][-1], "causes", fuse))
    workshop.set("intent.likeness", 1)
    events = [workshop.event(f"{NEED} again {n}", 0.8, 0.6, 0) for n in "ab"]
    workshop.at(0)
    plan = add_node("intent", "Mend the kettle", *events, ref="it", grounded_in=[str(e) for e in [*events, concept]])
    intent = UUID(apply(workshop.connection, plan)["refs"]["it"])
    found = told(workshop, intent)
    assert [(row["event_id"], row["earlier_intent"], row["outcome"]) for row in found] == [
        (fuse, earlier["intent_id"], "rejected")
    ] * steps


def test_the_client_asks_the_same(workshop: Workshop, dsn: str) -> None:
    events = history(workshop)
    intent = workshop.intent()
    with Memory(dsn, tenant=workshop.tenant) as memory:
        memory.clock = moment(0)
        first, *rest = memory.what_if_ignored(intent, max_hops=3)
        assert (first.event_id, first.after, len(rest)) == (events["fuse"], timedelta(hours=5), 2)
        with pytest.raises(LookupError, match="is no intent"):
            memory.what_if_ignored(uuid4())
