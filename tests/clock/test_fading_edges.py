"""Forward decay on real edges: what they weigh at any moment, worked out by hand."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from tests.conftest import Connection, at, value
from tests.graph.plans import (
    START,
    add_edge,
    apply,
    edges,
    make_concept,
    move_clock,
    remember,
    rows,
    violations,
)


def later(hours: float, start: str = START) -> str:
    return (at(start) + timedelta(hours=hours)).isoformat()


def mass(connection: Connection, source: UUID, type_: str, target: UUID, now: str) -> float:
    move_clock(connection, now)
    found: float = edges(connection)[source, type_, target]["mass"]
    return found


@pytest.fixture
def clocked(connect: Callable[..., Connection], tenant: str) -> Connection:
    """A connection whose memory stands at START."""
    return connect(tenant, now=START)


def two_concepts(connection: Connection) -> tuple[UUID, UUID, UUID, UUID]:
    a, b = remember(connection, "Swam two kilometres"), remember(connection, "The bicycle squeaks")
    return a, b, make_concept(connection, "Swimming", a), make_concept(connection, "Bicycle repair", b)


@pytest.mark.parametrize(
    ("hours", "factor"), [(0, 1), (100, math.exp(-0.5)), (138.62943611198907, 0.5), (1000, math.exp(-5))]
)
def test_an_edge_from_an_event_loses_half_its_weight_in_139_hours(
    clocked: Connection, hours: float, factor: float
) -> None:
    event, _, swimming, _ = two_concepts(clocked)
    assert mass(clocked, event, "grounds", swimming, later(hours)) == pytest.approx(0.9 * factor, rel=1e-9)


@pytest.mark.parametrize(("hours", "factor"), [(0, 1), (100, math.exp(-0.05)), (1386.2943611198907, 0.5)])
def test_an_edge_between_concepts_loses_half_its_weight_in_58_days(
    clocked: Connection, hours: float, factor: float
) -> None:
    *_, swimming, repair = two_concepts(clocked)
    apply(clocked, add_edge(swimming, "related_to", repair))
    assert mass(clocked, swimming, "related_to", repair, later(hours)) == pytest.approx(0.5 * factor, rel=1e-9)


def test_a_statement_at_a_later_time_adds_a_tenth_to_what_is_left(clocked: Connection) -> None:
    *_, swimming, repair = two_concepts(clocked)
    apply(clocked, add_edge(swimming, "related_to", repair, weight=0.8))
    apply(clocked, add_edge(swimming, "related_to", repair),
          trigger_event_id=remember(clocked, "Both again", later(1000)))  # fmt: skip
    left = 0.8 * math.exp(-0.5) + 0.1
    assert mass(clocked, swimming, "related_to", repair, later(1000)) == pytest.approx(left, rel=1e-9)
    assert mass(clocked, swimming, "related_to", repair, later(3000)) == pytest.approx(left * math.exp(-1), rel=1e-9)


def test_a_weight_never_passes_one_while_the_mass_may(clocked: Connection) -> None:
    event, _, swimming, _ = two_concepts(clocked)
    for _ in range(4):
        apply(clocked, add_edge(event, "grounds", swimming))
    row = edges(clocked)[event, "grounds", swimming]
    assert row["mass"] == pytest.approx(0.9 + 4 * 0.1, rel=1e-9)
    assert row["weight"] == 1


def test_late_events_give_the_same_edge_in_every_order(clocked: Connection, tenant: str) -> None:
    events = {hours: remember(clocked, f"Note {hours}", later(hours)) for hours in (0.0, 90.0, 700.0, 2500.0)}
    ground = remember(clocked, "Ground")
    found = []
    for number, order in enumerate(itertools.permutations(events)):
        one = make_concept(clocked, f"First topic {number}", ground)
        other = make_concept(clocked, f"Second topic {number}", ground)
        # The statement that makes the edge weighs .1 as well, so that all four are of one size.
        for hours in order:
            apply(clocked, add_edge(one, "related_to", other, weight=0.1), trigger_event_id=events[hours])
        found.append(mass(clocked, one, "related_to", other, later(3000)))
        assert edges(clocked)[one, "related_to", other]["stamped_at"] == at(later(2500))
        move_clock(clocked, START)
    expected = sum(0.1 * math.exp(-0.0005 * (3000 - hours)) for hours in events)
    assert found == pytest.approx([expected] * 24, rel=1e-9)
    assert max(found) - min(found) <= 1e-12 * expected


def test_evidence_mass_is_the_sum_over_edges_in_whatever_order_events_arrived(clocked: Connection) -> None:
    hours = [0.0, 5.0, 200.0, 201.0, 444.5]
    for number, order in enumerate(itertools.islice(itertools.permutations(hours), 0, 120, 17)):
        first, *rest = order
        topic = make_concept(clocked, f"Topic {number}", remember(clocked, f"{number} at {first}", later(first)))
        for hour in rest:
            apply(clocked, add_edge(remember(clocked, f"{number} at {hour}", later(hour)), "reinforces", topic))
        move_clock(clocked, later(500))
        expected = sum((0.9 if hour == first else 0.7) * math.exp(-0.005 * (500 - hour)) for hour in hours)
        assert value(clocked, "SELECT evidence_mass FROM cognifold.concept WHERE id = %s", topic) == pytest.approx(
            expected, rel=1e-9
        )
        assert value(
            clocked,
            "SELECT sum(mass) FROM cognifold.edge "
            "WHERE target_id = %s AND type IN ('grounds', 'reinforces') AND NOT inferred",
            topic,
        ) == pytest.approx(expected, rel=1e-9)
        move_clock(clocked, START)
    assert violations(clocked) == []


def test_a_changed_rate_rewrites_no_edge_and_holds_from_its_moment(clocked: Connection) -> None:
    event, _, swimming, _ = two_concepts(clocked)
    stored = "SELECT potential FROM cognifold.edge WHERE type = 'grounds' AND target_id = %s"
    before = value(clocked, stored, swimming)
    early = mass(clocked, event, "grounds", swimming, later(40))
    move_clock(clocked, later(50))
    for lambda_, hours in ((0.02, 50), (0.0, 150), (0.01, 1000)):
        clocked.execute("SELECT cognifold.set_decay('episodic', %s, %s)", [lambda_, later(hours)])
    assert value(clocked, stored, swimming) == before
    assert mass(clocked, event, "grounds", swimming, later(40)) == early
    for hours, lost in {50: 0.25, 100: 0.25 + 1, 150: 2.25, 900: 2.25, 1000: 2.25, 1100: 3.25}.items():
        assert mass(clocked, event, "grounds", swimming, later(hours)) == pytest.approx(0.9 * math.exp(-lost), rel=1e-9)


@pytest.mark.parametrize(
    "happened",
    [
        "1970-01-01T00:00:00+00:00",
        "1900-05-05T00:00:00+00:00",
        "2031-03-02T09:00:00+00:00",
        "9999-12-31T00:00:00+00:00",
    ],
)
def test_an_edge_of_any_date_weighs_what_it_should_around_that_date(clocked: Connection, happened: str) -> None:
    event = remember(clocked, "Something of another time", happened)
    topic = make_concept(clocked, "Other times", event)
    assert mass(clocked, event, "grounds", topic, happened) == pytest.approx(0.9, rel=1e-7)
    assert mass(clocked, event, "grounds", topic, later(-100, happened)) == pytest.approx(0.9 * math.exp(0.5), rel=1e-7)
    assert edges(clocked)[event, "grounds", topic]["weight"] == 1  # before its event an edge weighs no more than one
    if happened < "9999":
        assert mass(clocked, event, "grounds", topic, later(200, happened)) == pytest.approx(
            0.9 * math.exp(-1), rel=1e-7
        )


@pytest.mark.parametrize(("happened", "now_weight"), [("infinity", 1), ("-infinity", 0)])
def test_an_edge_without_a_date_to_it_stays_finite(clocked: Connection, happened: str, now_weight: float) -> None:
    event = remember(clocked, "Always and never", happened)
    topic = make_concept(clocked, "Eternity", event, remember(clocked, "An ordinary day"), trigger=event)
    for now in (START, "1970-01-01T00:00:00Z", "9999-12-31T00:00:00Z"):
        move_clock(clocked, now)
        assert edges(clocked)[event, "grounds", topic]["weight"] == pytest.approx(now_weight, abs=1e-290)
        clocked.execute("SELECT * FROM cognifold.concept")
        assert clocked.execute("SELECT weight FROM cognifold.explain(%s)", [topic]).fetchall()
        scores = clocked.execute("SELECT score FROM cognifold.recall('eternity always')").fetchall()
        assert all(0 < score < 10 for (score,) in scores)
    assert violations(clocked) == []


def test_the_order_of_edges_of_one_rate_never_changes_with_time(clocked: Connection) -> None:
    chance = random.Random(7)
    topic = make_concept(clocked, "Hub", remember(clocked, "Hub"))
    for number in range(25):
        event = remember(clocked, f"Spoke {number}", later(chance.uniform(0, 400)))
        apply(clocked, add_edge(event, chance.choice(["grounds", "part_of", "related_to"]), topic,
                                weight=round(chance.uniform(0.05, 1), 3)))  # fmt: skip
    query = "SELECT source_id FROM cognifold.edge WHERE target_id = %s ORDER BY {} DESC"
    by_potential = clocked.execute(query.format("potential").encode(), [topic]).fetchall()
    assert len(by_potential) == 26
    for hours in (0, 17, 400, 5000, 30000):
        move_clock(clocked, later(hours))
        assert clocked.execute(query.format("mass").encode(), [topic]).fetchall() == by_potential


def test_an_edge_is_live_until_its_mass_falls_below_a_tenth(clocked: Connection) -> None:
    event, _, swimming, _ = two_concepts(clocked)
    fades = math.log(0.9 / 0.1) / 0.005  # 439.4 hours
    for hours, live in ((fades - 0.01, True), (fades + 0.01, False)):
        move_clock(clocked, later(hours))
        assert edges(clocked)[event, "grounds", swimming]["live"] is live
    clocked.execute("SELECT cognifold.set_setting('edge.fade', 0.05)")
    assert edges(clocked)[event, "grounds", swimming]["live"] is True


def test_replaying_an_old_stream_decays_as_it_would_have_then(connect: Callable[..., Connection], tenant: str) -> None:
    # The same stream, once as it happened and once with the clock of years later: stored edges are the same.
    found = []
    for now, name in ((None, "Rowing"), ("2036-01-01T00:00:00+00:00", "Sailing")):
        connection = connect(tenant, now=now or START)
        first = remember(connection, f"{name} today", START)
        topic = make_concept(connection, name, first, trigger=first)
        for hours in (30, 60):
            move_clock(connection, now or later(hours))
            event = remember(connection, f"{name} for {hours} hours", later(hours))
            apply(connection, add_edge(event, "reinforces", topic), trigger_event_id=event)
        potentials = "SELECT potential FROM cognifold.edge WHERE target_id = %s ORDER BY potential"
        found.append([row["potential"] for row in rows(connection, potentials, topic)])
    assert found[0] == pytest.approx(found[1], rel=1e-12)


def test_the_zone_a_time_was_written_in_changes_nothing(clocked: Connection) -> None:
    amsterdam = datetime.fromisoformat("2026-03-29T03:30:00+02:00")  # the hour after the clocks went forward
    event = remember(clocked, "Summer time", amsterdam.isoformat())
    topic = make_concept(clocked, "Clocks", event)
    assert mass(clocked, event, "grounds", topic, "2026-03-30T01:30:00Z") == pytest.approx(
        0.9 * math.exp(-0.12), rel=1e-9
    )
