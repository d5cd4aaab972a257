"""What ends an intent: an event that says, of its own matter and later than it, that it is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

import psycopg
import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection, value
from tests.graph.plans import add_edge, add_node, apply, edges, fold, move_clock, remember, violations
from tests.intent.workshop import DONE, NEED, Workshop, moment

TALK = [
    "Rain all morning, then a rainbow over the allotments",
    "Played chess with grandfather and lost twice",
    "The bakery has cinnamon buns on Fridays",
    "Watched a film about whales with the children",
    "Ran along the canal before breakfast",
    "Lent the wheelbarrow to the people across the road",
    "A long letter from Ingrid, mostly about her dog",
    "Lentil soup, and the radio play about the lighthouse",
]


@dataclass(frozen=True)
class Matter:
    """What is wanted, as told on three days; then what does not end it, and what does."""

    told: tuple[str, str, str]
    not_done: str
    done: str


MATTERS = {
    "what is denied": Matter(
        (
            "No ferry to Naxos yet for August, and the cheap cabins are going",
            "Looked at the Naxos ferry again, only two cabins left",
            "Mum asks about the Naxos ferry, she gets seasick in a cabin without a window",
        ),
        "The Naxos ferry is still not booked, the cabins page was down",
        "Booked the Naxos ferry, an outside cabin",
    ),
    "a question": Matter(
        (
            "The piano is flat again, we need a tuner before the recital",
            "Nobody plays the piano any more, it needs that tuner",
            "Recital in three weeks and still no piano tuner",
        ),
        "Have you booked the piano tuner for the recital?",
        "The piano tuner is booked for the recital",
    ),
    "what is only supposed": Matter(
        (
            "My passport runs out before the trip to Peru",
            "The passport form for Peru wants a new photograph",
            "No passport, no Peru, says the airline",
        ),
        "Once the passport is renewed we can look at Peru",
        "The passport was renewed, Peru can come",
    ),
    "what will be": Matter(
        (
            "The kiln in the pottery cracked, the glaze does not melt",
            "Another shelf of raw pottery, the kiln stays cold",
            "The pottery class asks when the kiln is back",
        ),
        "The pottery's kiln will be repaired in spring",
        "The kiln of the pottery was repaired",
    ),
    "what somebody wants": Matter(
        (
            "The parquet in the hall is scratched and the varnish gone",
            "Guests slip on the parquet where the varnish is missing",
            "The varnish of the parquet comes off under the chairs",
        ),
        "We want the parquet varnish removed",
        "The old varnish of the parquet was removed and the new one has dried",
    ),
    "what is done to another's": Matter(
        (
            "Our boiler leaks into the cellar",
            "Cold showers, the boiler in the cellar does not light",
            "The plumber did not come for the boiler",
        ),
        "The neighbour's boiler was repaired in a day, no plumber ever comes to our cellar",
        "The plumber was here and our boiler was repaired",
    ),
    "something else that is done": Matter(
        (
            "The scholarship essay for Uppsala needs a second page",
            "Could not write a line of the scholarship essay",
            "Uppsala reminds me of the scholarship essay",
        ),
        "The hedge is trimmed, and the gutters were repaired and paid",
        "The scholarship essay was submitted, Uppsala has it",
    ),
    "what comes before without word of an end": Matter(
        (
            "The pothole in Mill Lane threw a cyclist",
            "Wrote to the council about the pothole in Mill Lane",
            "The pothole is deeper, half of Mill Lane under water",
        ),
        "The council looked at the pothole in Mill Lane. No word of when.",
        "The council came about the pothole in Mill Lane. Repaired within the hour.",
    ),
    "what is nearly done": Matter(
        (
            "The mosaic of the chapel lacks a border, the bishop wants a report",
            "No report on the mosaic yet, the bishop's secretary rang",
            "Counted the stones of the mosaic for the report to the bishop",
        ),
        "The report on the mosaic is nearly finished, the bishop waits",
        "The report on the mosaic is finished, the bishop has it",
    ),
    "a person who is done": Matter(
        (
            "The violin bow has lost half its hair",
            "Cannot practise the violin with this bow",
            "The luthier takes bows on Mondays, the violin waits",
        ),
        "The violin teacher says he's done for today, and so is the luthier, bow or no bow",
        "The luthier has repaired the violin bow",
    ),
    "what shares only days and numbers": Matter(
        (
            "For weeks no heating on the tram, three days of frost",
            "Wrote to the tram people, one week and no answer about the heating",
            "The second day without heating on the tram",
        ),
        "One week and two days were paid for, three more days to come",
        "The heating of the tram was repaired",
    ),
    "a promise": Matter(
        (
            "The projector of the film club flickers",
            "Film club without a projector, we told each other the plot",
            "Another bulb for the projector, and it flickers still",
        ),
        "Dana promised that the projector would be fixed before the film club",
        "Dana fixed the projector for the film club",
    ),
}


@dataclass
class Life:
    """A memory in which nothing surfaces by itself: its intents are stated."""

    connection: Connection
    day: float = 0
    resolved: dict[str, tuple[bool, bool]] = field(default_factory=dict)

    def tell(self, text: str, day: float) -> UUID:
        """Remember and fold on a day."""
        self.day = day
        move_clock(self.connection, moment(24 * day).isoformat())
        event = remember(self.connection, text, moment(24 * day).isoformat(), source="diary", actor="Mira")
        fold(self.connection)
        return event

    def intent(self, title: str, *told: UUID) -> UUID:
        """State what is wanted."""
        return UUID(apply(self.connection, add_node("intent", title, *told, ref="it"))["refs"]["it"])

    def ended(self, intent: UUID) -> bool:
        """Look at what is wanted; whether this is now resolved."""
        assert self.connection.execute("SELECT FROM cognifold.emit_intents()").fetchall() == []
        status: str = value(self.connection, "SELECT status FROM cognifold.intent WHERE id = %s", intent)
        return status == "resolved"

    def matter(self, of: Matter) -> tuple[UUID, list[UUID]]:
        """Tell what is wanted on three days, and state it."""
        told = [self.tell(text, self.day + 1) for text in of.told]
        return self.intent(f"Wanted: {of.told[0]}", *told), told


@pytest.fixture(scope="module")
def life(dsn: str) -> Iterator[Life]:
    """All matters lived through one after the other, in one memory."""
    with (
        Memory(dsn, tenant="completion") as memory,
        psycopg.connect(dsn, autocommit=True, prepare_threshold=None) as connection,
    ):
        assert memory.create_tenant()
        connection.execute("SELECT set_config('cognifold.tenant', 'completion', false)")
        for name in ("intent.theta_ceiling", "intent.theta"):
            connection.execute("SELECT cognifold.set_setting(%s, 1)", [name])
        made = Life(connection)
        for text in TALK:
            made.tell(text, made.day + 1)
        for name, matter in MATTERS.items():
            intent, _ = made.matter(matter)
            made.tell(matter.not_done, made.day + 1)
            before = made.ended(intent)
            made.tell(matter.done, made.day + 1)
            made.resolved[name] = (before, made.ended(intent))
        yield made
        assert violations(connection) == []


@pytest.mark.parametrize("name", MATTERS)
def test_is_no_end_but_what_is_done_of_the_matter_is(life: Life, name: str) -> None:
    assert life.resolved[name] == (False, True)


def test_what_happened_before_ends_nothing_however_late_it_is_told(life: Life) -> None:
    matter = Matter(
        (
            "The beehive lost its queen, the bees are restless",
            "No eggs in the beehive, it needs a queen",
            "The breeder has no queen for the beehive",
        ),
        "",
        "The queen for the beehive was delivered",
    )
    intent, told = life.matter(matter)
    life.tell(matter.done, life.day - 0.5)  # between the second and the third
    life.day += 0.5
    move_clock(life.connection, moment(24 * life.day + 1).isoformat())
    assert not life.ended(intent)
    done = life.tell(matter.done + " in a cage", life.day + 1)
    assert life.ended(intent)
    assert edges(life.connection)[done, "related_to", intent]["metadata"] == {"role": "resolution"}
    assert all((event, "related_to", intent) not in edges(life.connection) for event in told)


def test_reopened_it_is_ended_by_what_comes_later_only(life: Life) -> None:
    matter = Matter(
        (
            "The greenhouse roof lost a pane in the storm",
            "Rain through the greenhouse roof, the seedlings drown",
            "The glazier did not answer about the greenhouse pane",
        ),
        "",
        "The glazier replaced the pane, the greenhouse roof is repaired",
    )
    intent, _ = life.matter(matter)
    life.tell(matter.done, life.day + 1)
    assert life.ended(intent)
    life.day += 1
    move_clock(life.connection, moment(24 * life.day).isoformat())
    life.connection.execute("SELECT cognifold.answer_intent(%s, 'reopen')", [intent])
    assert not life.ended(intent)
    life.tell(f"As said: {matter.done}", life.day - 0.5)  # told late, before the reopening
    life.day += 1
    move_clock(life.connection, moment(24 * life.day).isoformat())
    assert not life.ended(intent)
    life.tell(f"Again {matter.done}", life.day + 1)
    assert life.ended(intent)


def test_an_event_ends_the_intent_it_speaks_of_and_no_other(life: Life) -> None:
    harp = life.matter(Matter(("A string of the harp broke", "No harp at mass", "The harp lacks a string"), "", ""))[0]
    drum = life.matter(Matter(("The drum skin tore", "No drum at mass", "The drum lacks a skin"), "", ""))[0]
    life.tell("The skin of the drum was replaced and the drum is repaired", life.day + 1)
    assert life.ended(drum) and not life.ended(harp)


# ------------------------------------------------------------------------------------------ within a concept


def kettle_with(workshop: Workshop, text: str) -> str:
    """What becomes of a kettle's intent when its concept gains this event."""
    concept = workshop.kettle()
    [emitted] = workshop.emit(0)
    event = workshop.event(text, hours=1)
    apply(workshop.connection, add_edge(event, "reinforces", concept))
    workshop.emit(1)
    return workshop.status(emitted["intent_id"])


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (DONE, "resolved"),
        ("It's all done now", "resolved"),  # of nothing in particular: of what the concept is about
        ("The saxophone was repaired", "pending"),  # another matter, in the same concept by mistake
        ("The kettle was not repaired", "pending"),
        ("Is the kettle repaired?", "pending"),
    ],
)
def test_in_a_concept_of_two_matters_each_is_done_by_its_own(workshop: Workshop, text: str, status: str) -> None:
    assert kettle_with(workshop, text) == status


def test_how_surely_an_event_says_so_is_what_the_formula_says(workshop: Workshop, admin: Connection) -> None:
    told = [workshop.event(f"{NEED} ({number})") for number in range(2)]
    event = workshop.event(DONE, hours=1)
    elsewhere = workshop.event("The saxophone was repaired", hours=1)
    nothing = workshop.event("All is done", hours=1)

    def said(of: UUID, wanted: list[UUID]) -> float | None:
        found: float | None = value(
            admin, "SELECT cognifold.said_done(%s, %s, %s, cognifold.settings(%s))",
            workshop.tenant, of, wanted, workshop.tenant,
        )  # fmt: skip
        return found

    from math import log

    with admin.transaction(force_rollback=True):
        admin.execute("SELECT cognifold.enter_tenant(%s)", [workshop.tenant])
        frequency = value(admin, "SELECT frequency FROM cognifold.lexicon WHERE word = 'kettle'")
        english = min(1, log(0.0002 / max(frequency, 0.000002)) / log(100))
        kettle = english * log(105 / 3) / log(105)  # five events and the prior's hundred; three with a kettle
        assert said(event, told) == pytest.approx(0.7 * kettle, rel=1e-6)
        assert said(event, told[:1]) == pytest.approx(0.7 * kettle / 2, rel=1e-6)
        assert said(elsewhere, told) == 0
        assert said(nothing, told) is None
        assert said(told[0], told[1:]) is None  # nothing is done in it
