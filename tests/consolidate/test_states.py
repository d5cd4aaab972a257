"""Replay: how far events are tied in, and how they move from fresh to archived."""

from __future__ import annotations

import math
from typing import Any
from uuid import UUID

import pytest

from tests.conftest import Connection, value
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import NOTHING, later
from tests.graph.plans import add_edge, apply, make_concept, rows, violations


def state(plane: Plane, event: UUID) -> dict[str, Any]:
    kept = "consolidation_state AS state, replay_count AS replays, integration_score AS score"
    (row,) = rows(plane.connection, f"SELECT {kept} FROM cognifold.event WHERE id = %s", event)
    return row


def score(*weights: float) -> Any:
    return pytest.approx(1 - math.exp(-sum(weights) / 2), abs=1e-6)


def well_grounded(plane: Plane, hours: float = 0, titles: tuple[str, str] = ("Swimming", "Kilometres")) -> UUID:
    """An event in two concepts: live weight 1.8, which is .593."""
    event = plane.event("Swam two kilometres", 1, 0, 0, hours=hours, folded=True)
    for title in titles:
        make_concept(plane.connection, title, event)
    return event


def test_the_score_counts_live_weight_to_concepts_and_consolidated_events(plane: Plane) -> None:
    event = plane.event("Swam", 1, 0, 0, folded=True)
    tied = well_grounded(plane)
    plane.consolidate(0)
    plane.consolidate(1)
    assert state(plane, tied)["state"] == "consolidated"
    apply(
        plane.connection,
        add_edge(event, "grounds", make_concept(plane.connection, "Water", tied), weight=0.6),
        add_edge(event, "related_to", tied, weight=0.4),  # to a consolidated event
        add_edge(plane.event("Dived", 0, 1, 0, folded=True), "related_to", event, weight=0.3),  # not so
        add_edge(event, "part_of", make_concept(plane.connection, "Faint", tied), weight=0.11),  # faded by then
    )
    plane.consolidate(50)
    assert state(plane, event)["score"] == score(0.6 * math.exp(-0.25), 0.4 * math.exp(-0.25))
    assert state(plane, event)["replays"] == 2  # without a live edge it was left out of the second pass


def test_a_weight_above_one_counts_as_one(plane: Plane) -> None:
    event = plane.event("Swam", 1, 0, 0, folded=True)
    swimming = make_concept(plane.connection, "Swimming", event)
    for _ in range(3):
        apply(plane.connection, add_edge(event, "grounds", swimming))
    plane.consolidate(0)
    assert state(plane, event) == {"state": "consolidating", "replays": 1, "score": score(1)}


def test_an_event_takes_one_step_a_pass_from_fresh_to_consolidated(plane: Plane) -> None:
    event = well_grounded(plane)
    assert state(plane, event) == {"state": "fresh", "replays": 0, "score": 0}
    assert plane.consolidate(0)["counts"]["events_consolidating"] == 1
    assert state(plane, event) == {"state": "consolidating", "replays": 1, "score": score(1.8)}
    assert plane.consolidate(6)["counts"]["events_consolidated"] == 1
    assert state(plane, event) == {"state": "consolidated", "replays": 2, "score": score(1.8 * math.exp(-0.03))}
    assert plane.consolidate(12)["counts"] == NOTHING
    assert violations(plane.connection) == []


def test_at_a_score_of_a_half_it_is_not_consolidated_yet(plane: Plane) -> None:
    # .5 needs a live weight of 2 ln 2 = 1.386; 1.8 has come down to that after ln(1.8 / 1.386) / .005 = 52.2 hours.
    event = well_grounded(plane)
    plane.consolidate(0)
    plane.consolidate(53)
    assert state(plane, event)["state"] == "consolidating"
    other = well_grounded(plane, 53, ("Rowing", "Miles"))
    apply(plane.connection, add_edge(event, "related_to", other))
    plane.consolidate(54)
    plane.consolidate(55)
    assert state(plane, other)["state"] == "consolidated"
    plane.consolidate(56)  # now the other counts, too
    assert state(plane, event)["state"] == "consolidated"


def test_waiting_events_are_not_replayed(plane: Plane) -> None:
    event = plane.event("Swam", 1, 0, 0)
    assert plane.consolidate(0)["counts"] == NOTHING
    assert state(plane, event)["state"] == "fresh"


def test_an_event_without_a_live_edge_is_replayed_once_and_again_when_it_becomes_evidence(plane: Plane) -> None:
    event = plane.event("Swam", 1, 0, 0, folded=True)
    for hours in (1, 2, 3):
        plane.consolidate(hours)
    assert state(plane, event) == {"state": "consolidating", "replays": 1, "score": 0}
    make_concept(plane.connection, "Swimming", event)
    plane.consolidate(4)
    assert state(plane, event) == {"state": "consolidating", "replays": 2, "score": score(0.9 * math.exp(-0.02))}
    for hours in (5, 1000, 1001):  # .36 is below the bar and only falls: nothing to look at
        assert plane.consolidate(hours)["counts"]["events_replayed"] == 0
    assert state(plane, event) == {"state": "consolidating", "replays": 2, "score": score(0.9 * math.exp(-0.02))}


def test_an_event_is_looked_at_again_when_a_neighbour_is_consolidated_and_not_before(plane: Plane) -> None:
    neighbour = well_grounded(plane)
    event = plane.event("Swam a mile", 0, 1, 0, folded=True)
    make_concept(plane.connection, "Miles", event)
    apply(plane.connection, add_edge(event, "related_to", neighbour, weight=0.8))
    plane.consolidate(0)
    plane.consolidate(1)
    assert (state(plane, neighbour)["state"], state(plane, event)["replays"]) == ("consolidated", 1)
    plane.consolidate(1)  # the same moment is no later pass
    assert state(plane, event)["replays"] == 1
    plane.consolidate(2)
    assert state(plane, event) == {"state": "consolidated", "replays": 2, "score": score(1.7 * math.exp(-0.01))}
    assert plane.consolidate(3)["counts"] == NOTHING


def test_a_link_to_a_consolidated_event_has_an_event_looked_at_again(plane: Plane) -> None:
    neighbour, event = well_grounded(plane), plane.event("Swam a mile", 0, 1, 0, folded=True)
    make_concept(plane.connection, "Miles", event)
    plane.consolidate(0)
    plane.consolidate(1)
    apply(plane.connection, add_edge(neighbour, "related_to", event, weight=0.8))
    assert plane.consolidate(2)["counts"]["events_consolidated"] == 1
    assert state(plane, event)["score"] == score(0.9 * math.exp(-0.01) + 0.8 * math.exp(-0.01))


def test_what_a_pass_ties_in_more_strongly_is_looked_at_by_the_next(plane: Plane) -> None:
    event = plane.event("Swam", 1, 0, 0, folded=True)
    make_concept(plane.connection, "Swimming", event)
    plane.consolidate(0)
    # Of an event long past, no edge of it ever lived: completion ties it to what is near (cosine .600098 as halfvec).
    make_concept(plane.connection, "Lost", plane.event("Ages ago", 0.6, 0.8, 0, hours=-8760, folded=True))
    assert plane.consolidate(1)["counts"]["edges_inferred"] >= 1
    assert state(plane, event)["replays"] == 1
    plane.consolidate(2)
    expected = score(0.9 * math.exp(-0.01), 0.600098 * math.exp(-0.005))
    assert state(plane, event) == {"state": "consolidated", "replays": 2, "score": expected}


def test_only_what_is_due_of_itself_is_due(plane: Plane, admin: Connection) -> None:
    tied, loose = well_grounded(plane), plane.event("Swam a mile", 0, 1, 0, folded=True)
    due = "SELECT cognifold.due_events(%s, %s, %s)"
    plane.consolidate(0)
    assert state(plane, loose)["state"] == "consolidating"
    assert value(admin, due, plane.tenant, later(0), 10) == []
    assert value(admin, due, plane.tenant, later(1), 10) == [tied]
    assert value(admin, due, plane.tenant, later(1), 0) == []
    plane.consolidate(1)
    assert value(admin, due, plane.tenant, later(10000), 10) == [], "to rest is for archive_events"


def accessed(admin: Connection, plane: Plane, event: UUID, times: int, hours: float) -> None:
    """As if it had been recalled so often, last at that hour; nothing in this version counts accesses yet."""
    admin.execute(
        "UPDATE cognifold.node_state SET (access_count, last_accessed) = (%s, %s) "
        "WHERE tenant_id = %s AND node_id = %s",
        [times, later(hours), plane.tenant, event],
    )


def test_a_consolidated_event_is_archived_when_it_has_lain_idle_for_a_week(plane: Plane) -> None:
    event = well_grounded(plane)
    plane.consolidate(0)
    plane.consolidate(1)
    assert plane.consolidate(167.999)["counts"] == NOTHING
    assert plane.consolidate(168)["counts"] == NOTHING | {"events_archived": 1}
    assert state(plane, event)["state"] == "archived"
    assert plane.consolidate(10000)["counts"]["events_archived"] == 0


def test_an_archived_event_is_still_recalled(plane: Plane) -> None:
    event = well_grounded(plane)
    for hours in (0, 1, 168):
        plane.consolidate(hours)
    assert state(plane, event)["state"] == "archived"
    assert value(plane.connection, "SELECT node_id FROM cognifold.recall('two kilometres', kinds => '{event}', "
                                   "query_embedding => '[1,0,0]', model => 'plane')") == event  # fmt: skip


def test_who_asks_for_an_event_keeps_it_for_a_week_and_who_asks_thrice_for_good(
    plane: Plane, admin: Connection
) -> None:
    asked_late, asked_often = well_grounded(plane), plane.event("Swam a mile", 0, 1, 0, folded=True)
    for title in ("Miles", "Water"):
        make_concept(plane.connection, title, asked_often)
    plane.consolidate(0)
    plane.consolidate(1)
    accessed(admin, plane, asked_late, 2, 100)
    accessed(admin, plane, asked_often, 3, 2)
    assert plane.consolidate(200)["counts"]["events_archived"] == 0
    assert plane.consolidate(267.999)["counts"]["events_archived"] == 0
    assert plane.consolidate(268)["counts"]["events_archived"] == 1
    assert plane.consolidate(5000)["counts"]["events_archived"] == 0
    assert [state(plane, event)["state"] for event in (asked_late, asked_often)] == ["archived", "consolidated"]


def test_a_pass_archives_nothing_that_it_has_only_just_consolidated(plane: Plane) -> None:
    event = plane.event("Swam long ago", 1, 0, 0, folded=True)
    for title in ("Swimming", "Water", "Lakes", "Boats"):  # as for an event that is spoken of again
        made = make_concept(plane.connection, title, plane.event(title, hours=400))
        apply(plane.connection, add_edge(made, "related_to", event))
    plane.consolidate(400)
    plane.consolidate(401)
    expected = score(*[0.5 * math.exp(-0.0005 * 401)] * 4)
    assert state(plane, event) == {"state": "consolidated", "replays": 2, "score": expected}
    assert plane.consolidate(401)["counts"] == NOTHING
    plane.consolidate(402)
    assert state(plane, event)["state"] == "archived"
