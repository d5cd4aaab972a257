"""Summaries: events that say the same get one concept that stands for all of them, and are kept, verbatim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from tests.conftest import Connection, value
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import NOTHING, concepts, later, plans
from tests.graph.plans import concept, edges, fold, make_concept, remember, rows, snapshot, violations

BEAT = "The pump in the cellar is running"


def beats(
    plane: Plane, *hours: float, text: str = BEAT, actor: str | None = "pump", vector: Sequence[float] = (1, 0, 0)
) -> list[UUID]:
    """Folded events that say the same at these hours, which the planner itself makes nothing of."""
    made = []
    for hour in hours:
        plane.events += 1
        event = remember(plane.connection, text, later(hour), source=f"source {plane.events}", actor=actor)
        given = str(list(vector))
        plane.connection.execute("SELECT cognifold.store_embedding(%s, %s::vector, 'plane')", [event, given])
        made.append(event)
    fold(plane.connection)
    return made


def summaries(plane: Plane) -> list[dict[str, Any]]:
    return rows(
        plane.connection,
        "SELECT c.id, c.title, c.content, c.evidence_count, a.value AS summary FROM cognifold.concept AS c "
        "JOIN cognifold.annotation AS a ON a.node_id = c.id AND a.name = 'summary' ORDER BY c.recorded_at, c.id",
    )


def grounding(plane: Plane, node: UUID) -> set[UUID]:
    kinds = ("grounds", "reinforces")
    return {source for source, kind, target in edges(plane.connection) if target == node and kind in kinds}


def test_events_that_say_the_same_get_a_concept_that_stands_for_all_of_them(plane: Plane) -> None:
    events = beats(plane, 0, 1, 26)
    assert plane.consolidate(30)["counts"]["summaries_made"] == 1
    (made,) = summaries(plane)
    assert made["title"] == BEAT
    assert made["content"] == f"3 times by pump, from 2026-03-02 09:00 to 2026-03-03 11:00: {BEAT}"
    assert made["summary"] == {
        "events": 3, "newest": str(events[2]), "since": "2026-03-02T09:00:00Z", "until": "2026-03-03T11:00:00Z",
    }  # fmt: skip
    assert grounding(plane, made["id"]) == set(events)
    assert {row["content"] for row in rows(plane.connection, "SELECT content FROM cognifold.event")} == {BEAT}
    assert violations(plane.connection) == []


def test_a_second_pass_proposes_nothing(plane: Plane, admin: Connection) -> None:
    events = beats(plane, 0, 1, 2)
    plane.consolidate(3)
    assert plane.consolidate(3)["counts"] == NOTHING
    again = "SELECT cognifold.event_summaries(%s, %s, %s)"
    for zone in ("UTC", "Asia/Tokyo"):
        admin.execute("SELECT set_config('TimeZone', %s, false)", [zone])
        assert value(admin, again, plane.tenant, events, later(3)) == []
    admin.execute("RESET TimeZone")


def test_a_group_grows_without_another_concept(plane: Plane) -> None:
    events = beats(plane, 0, 1, 2)
    plane.consolidate(3)
    events += beats(plane, 4, 5, -7)  # one is told late
    plane.consolidate(6)
    (made,) = summaries(plane)
    assert grounding(plane, made["id"]) == set(events)
    assert made["summary"] == {
        "events": 6, "newest": str(events[4]), "former": str(events[2]),
        "since": "2026-03-02T02:00:00Z", "until": "2026-03-02T14:00:00Z",
    }  # fmt: skip
    assert made["content"].startswith("6 times by pump, from 2026-03-02 02:00 to 2026-03-02 14:00: ")
    assert len(concepts(plane.connection)) == 1


def test_one_that_comes_alone_finds_its_like_of_earlier_passes(plane: Plane) -> None:
    for hour in range(3):
        beats(plane, hour)
        plane.consolidate(hour + 0.5)
        assert len(summaries(plane)) == (hour == 2)


def test_two_are_not_enough_by_default(plane: Plane) -> None:
    beats(plane, 0, 1)
    assert plane.consolidate(2)["counts"]["summaries_made"] == 0
    plane.set("summary.events", 2)
    beats(plane, 3)
    assert plane.consolidate(4)["counts"]["summaries_made"] == 1


@pytest.mark.parametrize(
    "others",
    [
        {"text": "The pump in the cellar is not running"},
        {"text": "The pump 2 in the cellar is running"},
        {"text": "The pump in the cellar is running on Monday"},
        {"actor": "valve"},
        {"actor": None},
        {"text": "A pump in a cellar is running", "vector": (1, 0.15, 0)},  # cosine .9889
    ],
)
def test_what_differs_in_what_counts_gets_none(plane: Plane, others: dict[str, Any]) -> None:
    beats(plane, 0, 1)
    beats(plane, 2, 3, **others)
    assert plane.consolidate(4)["counts"]["summaries_made"] == 0


def test_what_only_is_said_in_other_words_is_the_same(plane: Plane) -> None:
    beats(plane, 0, 1)
    beats(plane, 2, text="A pump in the cellar, and it is running", vector=(1, 0.14, 0))  # cosine .9903
    assert plane.consolidate(3)["counts"]["summaries_made"] == 1


def test_small_talk_gets_no_summary_however_often_it_is_said(plane: Plane) -> None:
    beats(plane, *range(5), text="Thanks, take care!")
    assert plane.consolidate(6)["counts"]["summaries_made"] == 0


def test_a_concept_that_is_just_that_becomes_the_summary(plane: Plane) -> None:
    events = beats(plane, 0, 1, 2)
    own = make_concept(plane.connection, "Running, pump", *events)
    before = edges(plane.connection)
    counts = plane.consolidate(3)["counts"]
    assert counts["summaries_made"] == 0
    (made,) = summaries(plane)
    assert (made["id"], made["title"], made["summary"]["events"]) == (own, "Running, pump", 3)
    assert edges(plane.connection) == before, "nothing is counted twice"
    assert plane.consolidate(3)["counts"] == NOTHING


def test_two_strays_among_twenty_do_not_keep_a_concept_from_being_the_summary(plane: Plane) -> None:
    events = beats(plane, *range(18))
    strays = beats(plane, 18, 19, text="The roof leaks over the stairs", vector=(0.995, 0.0999, 0))
    own = make_concept(plane.connection, "Running, pump", *events, *strays)
    before = edges(plane.connection)
    plane.consolidate(20)
    (made,) = summaries(plane)
    assert (made["id"], made["summary"]["newest"]) == (own, str(events[-1])), "the newest of those that say it"
    assert edges(plane.connection) == before
    beats(plane, 21)
    plane.consolidate(22)
    assert [(made["id"], made["summary"]["events"]) for made in summaries(plane)] == [(own, 21)]


def test_a_concept_that_a_new_one_would_repeat_is_not_reinforced_by_its_own_events(plane: Plane) -> None:
    events = beats(plane, 0, 1, 2)
    strays = beats(plane, 0, 1, text="The pump leaks, and so does the roof", vector=(0.995, 0.0999, 0))
    own = make_concept(plane.connection, "The pump", *events, *strays)
    before = edges(plane.connection)
    assert plane.consolidate(3)["counts"]["summaries_made"] == 0
    assert [made["id"] for made in summaries(plane)] == [own]
    assert edges(plane.connection) == before
    assert plane.consolidate(3)["counts"] == NOTHING


def test_a_concept_of_other_things_as_well_does_not(plane: Plane) -> None:
    events = beats(plane, 0, 1, 2)
    other = plane.event("The roof leaks over the stairs", 0.9, 0.1, 0, folded=True)
    wide = make_concept(plane.connection, "The house", *events, other)
    assert plane.consolidate(3)["counts"]["summaries_made"] == 1
    (made,) = summaries(plane)
    assert made["id"] != wide


def test_a_summary_of_events_of_long_ago_leaves_nothing_to_do_for_another_pass_at_that_moment(plane: Plane) -> None:
    beats(plane, 0, 1, 2)
    report = plane.consolidate(5000)
    assert report["counts"]["summaries_made"] == 1
    assert report["counts"]["edges_faded"] == 3, "what it rests on had faded when it was made"
    again = plane.consolidate(5000)
    assert (again["run_id"], again["counts"]) == (None, NOTHING)


def test_undo_takes_the_summary_back_and_leaves_the_events(plane: Plane) -> None:
    events = beats(plane, 0, 1, 2)
    report = plane.consolidate(3)
    plane.connection.execute("SELECT cognifold.undo_plan(%s)", [report["plans"][-1]])
    assert summaries(plane) == []
    assert edges(plane.connection) == {}
    assert [row["content"] for row in rows(plane.connection, "SELECT content FROM cognifold.event")] == [BEAT] * 3
    assert violations(plane.connection) == []
    assert len(events) == 3


def test_a_summary_that_was_undone_is_not_made_again(plane: Plane) -> None:
    beats(plane, 0, 1, 2)
    (plan,) = plane.consolidate(3)["plans"]
    undo = value(plane.connection, "SELECT cognifold.undo_plan(%s) ->> 'plan_id'", plan)
    assert plane.consolidate(4)["counts"]["summaries_made"] == 0
    beats(plane, 5)
    assert plane.consolidate(6)["counts"]["summaries_made"] == 0
    beats(plane, 7, 8, 9, text="The roof leaks over the stairs", vector=(0, 1, 0))
    assert plane.consolidate(10)["counts"]["summaries_made"] == 1, "others are"
    value(plane.connection, "SELECT cognifold.undo_plan(%s)", undo)
    assert len(summaries(plane)) == 2


def test_all_but_the_newest_are_archived_without_lying_idle(plane: Plane) -> None:
    events = beats(plane, 0, 1, 2)
    make_concept(plane.connection, "Pumps", *events, beats(plane, 2, text="The roof leaks", vector=(0, 1, 0))[0])

    def states() -> list[str]:
        found = rows(plane.connection, "SELECT id, consolidation_state AS state FROM cognifold.event")
        return [row["state"] for event in events for row in found if row["id"] == event]

    plane.consolidate(3)
    assert states() == ["consolidating"] * 3
    plane.consolidate(4)  # .9 and .9: 1 - exp(-.9) = .593, and .59 by then
    assert states() == ["consolidated"] * 3
    plane.consolidate(5)
    assert states() == ["archived", "archived", "consolidated"]
    plane.consolidate(169.9)
    assert states() == ["archived", "archived", "consolidated"]
    plane.consolidate(170)
    assert states() == ["archived"] * 3


def test_a_summary_alone_consolidates_what_it_stands_for(plane: Plane) -> None:
    def states() -> dict[str, int]:
        found = rows(plane.connection, "SELECT consolidation_state AS s, count(*) FROM cognifold.event GROUP BY 1")
        return {row["s"]: row["count"] for row in found}

    beats(plane, 0, 1, 2)
    plane.consolidate(3)
    assert states() == {"consolidating": 3}
    plane.consolidate(4)  # .9 alone is .36
    assert states() == {"consolidating": 1, "consolidated": 2}
    plane.consolidate(5)
    assert states() == {"consolidating": 1, "archived": 2}
    beats(plane, 6)
    for hours in (7, 8, 9):
        plane.consolidate(hours)
    assert states() == {"consolidating": 1, "archived": 3}, "the newest of before, too"
    assert plane.consolidate(10)["counts"] == NOTHING


def test_who_is_only_in_the_concept_and_says_something_else_is_not_archived_early(plane: Plane) -> None:
    events = beats(plane, 0, 1, 2)
    own = make_concept(plane.connection, "Running, pump", *events)
    plane.consolidate(3)
    stray = beats(plane, 1, text="The roof leaks over the stairs", vector=(0, 1, 0))[0]
    for title in ("Roofs", "Stairs"):
        make_concept(plane.connection, title, stray)
    plane.connection.execute(
        "SELECT cognifold.apply_plan(%s::jsonb)",
        [f'{{"operations": [{{"op": "ADD_EDGE", "source": "{stray}", "type": "reinforces", "target": "{own}"}}]}}'],
    )
    for hours in (4, 5, 6):
        plane.consolidate(hours)
    state = value(plane.connection, "SELECT consolidation_state FROM cognifold.event WHERE id = %s", stray)
    assert state == "consolidated"


def test_many_equal_lines_are_one_operation_and_later_ones_an_edge_each(plane: Plane, admin: Connection) -> None:
    plane.set("fold.related", 0)
    first = beats(plane, *(hour / 60 for hour in range(60)))
    report = plane.consolidate(2)
    assert [len(plan["operations"]) for plan in plans(plane.connection)] == [1]
    assert report["counts"]["summaries_made"] == 1
    more = beats(plane, *(2 + hour / 60 for hour in range(60)))
    proposed = value(admin, "SELECT cognifold.event_summaries(%s, %s, %s)", plane.tenant, more, later(4))
    assert [operation["op"] for operation in proposed] == ["ADD_EDGE"] * 60 + ["UPDATE_NODE"]
    plane.consolidate(4)
    (made,) = summaries(plane)
    assert (made["summary"]["events"], len(grounding(plane, made["id"]))) == (120, 120)
    assert set(first) < grounding(plane, made["id"])


def test_in_a_large_memory_the_index_finds_them(plane: Plane, admin: Connection) -> None:
    plane.set("vector.exact", 2)
    beats(plane, 0, 1, text="The roof leaks over the stairs", vector=(0, 1, 0))
    beats(plane, 0, 1, text="The mail was late", vector=(0, 0, 1))
    early = beats(plane, 0, 1)
    plane.connection.execute("SELECT cognifold.index_vectors()")
    assert value(admin, "SELECT count(*) FROM cognifold.vector_index WHERE tenant_id = %s", plane.tenant) == 6
    late = beats(plane, 2)
    plane.consolidate(3)
    (made,) = summaries(plane)
    assert grounding(plane, made["id"]) == {*early, *late}


def test_proposing_writes_nothing(plane: Plane, admin: Connection) -> None:
    events = beats(plane, 0, 1, 2)
    before = snapshot(admin, plane.tenant)
    (operation,) = value(
        admin, "SELECT cognifold.event_summaries(%s, %s, %s)", plane.tenant, [*events, *events], later(3)
    )
    assert operation["grounded_in"] == [str(event) for event in events]
    assert operation == concept(BEAT, *events) | {
        key: operation[key] for key in ("content", "annotations", "reasoning")
    }
    assert snapshot(admin, plane.tenant) == before
