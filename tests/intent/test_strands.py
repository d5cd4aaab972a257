"""Goals that are told across concepts: what makes a strand, when it surfaces, what it is called, and what ends it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from math import exp, sqrt
from uuid import UUID

import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Connection, value
from tests.graph.plans import edges, rows, violations
from tests.intent.workshop import Workshop, moment

LACK = "Still no plumber for the boiler in the cellar, and nobody answers the phone"  # 14 words, three of lack
PLAIN = "A plumber looked at the boiler in the cellar and then drank tea with us"  # 15 words, none of lack
DONE = "The boiler in the cellar is repaired, the plumber came and nobody is cold"
DAY = 24.0


@pytest.fixture
def strands(workshop: Workshop) -> Iterator[Workshop]:
    """A memory in which other things have happened, so that the boiler is not what everything is about."""
    for place in range(8):
        workshop.event(f"Other {place}", 0, 1, 0, hours=-1)
        workshop.event(f"Else {place}", 0, 0, 1, hours=-1)
    workshop.emit(0)
    yield workshop
    assert violations(workshop.connection) == []


def tell(
    workshop: Workshop, days: Sequence[float], text: str = LACK, vector: Sequence[float] = (1, 0, 0)
) -> list[UUID]:
    """Events of this text, a number apart, on these days."""
    return [workshop.event(f"{text}, {day:g}", *vector, hours=DAY * day) for day in days]


def emitted(workshop: Workshop, day: float) -> list[tuple[list[UUID], datetime | None]]:
    """Evidence and deadline of what surfaces on a day."""
    return [(intent["evidence"], intent["deadline"]) for intent in workshop.emit(DAY * day)]


def test_a_lack_that_six_events_tell_over_a_week_becomes_an_intent_when_two_lead_to_it(strands: Workshop) -> None:
    told = tell(strands, [1, 2, 3, 5, 7, 8])
    assert emitted(strands, 8) == []  # from the last of them only
    told += tell(strands, [9])
    [intent] = strands.emit(DAY * 9)
    assert intent["evidence"] == told[1:] and intent["deadline"] is None and intent["readiness"] >= intent["theta"]
    assert intent["title"] == f"{LACK}, 9"
    assert intent["reason"].splitlines()[:2] == [
        "6 events since 4 March speak of what is missing, and none since says it is settled:",
        f'4 March: "{LACK}, 2"',
    ]
    of_intent = {key: edge for key, edge in edges(strands.connection).items() if key[2] == intent["intent_id"]}
    assert {(source, type_) for source, type_, _ in of_intent} == {
        *((event, "grounds") for event in told[1:]),
        (told[-1], "triggers"),  # no concept holds any of them
    }


def test_the_concepts_that_hold_two_of_its_events_trigger_it(strands: Workshop) -> None:
    told = tell(strands, [1, 2, 3, 5, 7, 8])
    boiler = strands.concept("Boiler", *told[1:3])
    strands.concept("Tea", told[3], *tell(strands, [7.1], PLAIN, (0, 0.6, 0.8)))
    told += tell(strands, [9])
    [intent] = strands.emit(DAY * 9)
    assert [s for s, type_, t in edges(strands.connection) if (type_, t) == ("triggers", intent["intent_id"])] == [
        boiler
    ]


@pytest.mark.parametrize(
    ("days", "text"),
    [
        ([1, 2, 2.5, 3, 3.5, 4, 4.5, 5], LACK),  # it passes
        ([1, 11, 21, 31, 41, 51, 61, 71], LACK),  # it comes back too rarely
        ([1, 2, 3, 5, 6, 7, 8, 9], PLAIN),  # nothing is missing
        ([1, 2, 3, 5, 6, 7, 8, 9], "Still no plumber, and nobody answers"),  # said in passing
    ],
)
def test_a_short_trouble_a_rare_one_and_talk_are_no_strand(strands: Workshop, days: list[float], text: str) -> None:
    tell(strands, days, text)
    assert emitted(strands, days[-1]) == []


def test_lacks_of_different_things_are_no_strand(strands: Workshop) -> None:
    texts = [
        "Still no tenor for the Sunday mass, and nobody in the village wants to sing",
        "The soup was without salt again, never cooked well since the old cook left us",
        "My pen has no ink and the stationer keeps nothing but pencils in his shop",
        "Not one flake of snow upon these hills, the third dry winter we have had",
        "Another flight without a window seat, they never ask and hardly ever smile back",
        "The bell of the school has been silent again, no one keeps the key since spring",
        "Still without a passport, and the second form they sent has no stamp on it",
        "Never a seat on the early tram, and not once has it been on time again",
    ]
    vectors = [
        (1, 0, 0),
        (-1, 0, 0),
        (0, 0.6, 0.8),
        (0, 0.6, -0.8),
        (0, -1, 0),
        (0.6, 0, 0.8),
        (-0.6, 0, 0.8),
        (0, 0, -1),
    ]
    for place, (text, vector) in enumerate(zip(texts, vectors, strict=True)):
        strands.event(text, *vector, hours=DAY * (1 + 2 * place))
    assert emitted(strands, 15) == []


def test_what_is_told_on_of_an_intent_makes_no_second_one(strands: Workshop) -> None:
    tell(strands, [1, 2, 3, 5, 7, 8, 9])
    assert len(emitted(strands, 9)) == 1
    for day in (10, 11, 12):
        tell(strands, [day])
        assert emitted(strands, day) == []


def test_feedback_moves_its_bar(strands: Workshop) -> None:
    tell(strands, [1, 2, 3, 5, 7, 8, 9])
    strands.set("intent.theta", 0.99)  # and no answer lifts it above .9
    strands.set("intent.theta_ceiling", 0.99)
    assert emitted(strands, 9) == []
    [stood] = rows(strands.connection, "SELECT readiness, theta FROM cognifold.intent_assessment")
    assert 0.5 < stood["readiness"] < stood["theta"] == 0.99
    strands.set("intent.theta", None)
    tell(strands, [10])
    assert len(emitted(strands, 10)) == 1


def due_strand(
    workshop: Workshop, due: datetime, text: str = LACK, days: Sequence[float] = (1, 2, 8, 10)
) -> list[UUID]:
    named = workshop.event(
        "The inspector comes to the boiler in the cellar, and it has to run then", 1, 0, 0, hours=DAY * 4,
        payload=Jsonb({"deadline": due.isoformat()}),
    )  # fmt: skip
    told = tell(workshop, days, text)
    return [*told[:2], named, *told[2:]]


def test_what_lacks_before_a_deadline_surfaces_a_week_before_it(strands: Workshop) -> None:
    due = moment(DAY * 34)
    told = due_strand(strands, due)
    assert emitted(strands, 12) == []
    assert emitted(strands, 26.99) == []
    [intent] = strands.emit(DAY * 27)
    assert intent["evidence"] == told and intent["deadline"] == due
    assert intent["title"].startswith("By 5 April 2026: The inspector comes to the boiler")
    assert intent["reason"].startswith("5 April 2026 is near, it has been come back to, and nothing says it is met:\n")
    [anchor] = [s for s, type_, t in edges(strands.connection) if (type_, t) == ("deadline_for", intent["intent_id"])]
    assert value(strands.connection, "SELECT occurred_at FROM cognifold.node WHERE id = %s", anchor) == due
    assert emitted(strands, 28) == []


def test_who_comes_back_to_it_late_still_makes_it_surface_in_time(strands: Workshop) -> None:
    due_strand(strands, moment(DAY * 34), days=(1, 2, 3))
    assert emitted(strands, 27) == []
    tell(strands, [28.5])
    assert [deadline for _, deadline in emitted(strands, 29)] == [moment(DAY * 34)]


def test_what_is_dated_waits_for_its_date(strands: Workshop) -> None:
    tell(strands, [1, 2, 3, 4, 5, 6])
    named = strands.event(
        LACK + ", and the inspector comes",
        1,
        0,
        0,
        hours=DAY * 6.5,
        payload=Jsonb({"deadline": moment(DAY * 30).isoformat()}),
    )
    tell(strands, [7, 8, 9])
    assert emitted(strands, 9) == []
    [(evidence, deadline)] = emitted(strands, 23.1)
    assert named in evidence and deadline == moment(DAY * 30)


def test_a_deadline_is_news_to_an_intent_that_has_none(strands: Workshop) -> None:
    tell(strands, [1, 2, 3, 5, 7, 8, 9])
    assert [deadline for _, deadline in emitted(strands, 9)] == [None]
    due_strand(strands, moment(DAY * 34), days=(10, 11, 12, 13))
    assert [deadline for _, deadline in emitted(strands, 27)] == [moment(DAY * 34)]


@pytest.mark.parametrize(
    ("text", "days", "due"),
    [
        (PLAIN, (1, 2, 8, 10), 34),  # nothing is missing for it
        (LACK, (1, 2, 3, 3.5), 34),  # nobody has come back to it
        (LACK, (1, 2, 8, 10), 9),  # a matter of days
        (LACK, (1, 2, 8, 10), 99),  # far ahead
    ],
)
def test_a_deadline_that_needs_nothing_is_no_intent(
    strands: Workshop, text: str, days: tuple[float, ...], due: float
) -> None:
    strands.set("intent.strand_span", 3650)  # of deadlines only
    due_strand(strands, moment(DAY * due), text, days)
    for day in (10, due - 7, due - 0.5):
        assert emitted(strands, day) == []


def test_an_event_near_to_it_that_says_it_is_done_resolves_it(strands: Workshop) -> None:
    tell(strands, [1, 2, 3, 5, 7, 8, 9])
    [intent] = strands.emit(DAY * 9)
    strands.event("The roof of the chapel over there has been repaired, so it was said", 0, 1, 0, hours=DAY * 10)
    strands.emit(DAY * 10)
    assert strands.status(intent["intent_id"]) == "pending"
    done = strands.event(DONE, 1, 0, 0, hours=DAY * 11)
    strands.emit(DAY * 11.5)
    assert strands.status(intent["intent_id"]) == "resolved"
    [step] = rows(strands.connection, "SELECT to_status, event_id FROM cognifold.intent_transition")
    assert step == {"to_status": "resolved", "event_id": done}
    assert edges(strands.connection)[done, "related_to", intent["intent_id"]]["metadata"] == {"role": "resolution"}


def test_its_density_and_readiness_are_those_of_the_formula(strands: Workshop, admin: Connection) -> None:
    told = tell(strands, [1, 3, 5])
    strands.event(PLAIN, 1, 0, 0, hours=DAY * 6)
    strands.emit(DAY * 6)
    with admin.transaction(force_rollback=True):
        admin.execute("SELECT cognifold.enter_tenant(%s)", [strands.tenant])
        admin.execute("SELECT cognifold.read_events(%s, %s)", [strands.tenant, told])
        [found] = rows(
            admin,
            "SELECT * FROM cognifold.strand_standing(%s, %s, %s, %s, NULL, %s, cognifold.settings(%s))",
            strands.tenant, told, [0.2, 0.4, 1.0], told[-1], moment(DAY * 6), strands.tenant,
        )  # fmt: skip
    masses = [0.9 * exp(-0.0005 * DAY * age) for age in (5, 3, 1)]
    density = (1 - exp(-sum(masses) / 2)) * (0.5 + 0.5 * 0.3)
    # three words of lack, and "still no" and "nobody answers" are cues of .6 and .4
    need = 1 - (1 - 0.6) * (1 - 0.4) * 0.8**3
    pressure = 1 - exp(-need * sum(masses))
    assert found["density"] == pytest.approx(density, rel=1e-6)
    assert found["pressure"] == pytest.approx(pressure, rel=1e-6)
    assert found["readiness"] == pytest.approx(sqrt(density * pressure), rel=1e-6)
    assert found["cues"] == 3
