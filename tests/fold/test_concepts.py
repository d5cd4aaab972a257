"""Which events become concepts: patterns of two or more, one place each, no small talk, the same every time."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from datetime import timedelta
from uuid import UUID

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.conftest import Connection
from tests.fold.stream import START, bookbinder, concepts, graph, groups, live, told

# What runs through the example stream (examples/README.md), by the numbers of its keys.
THEMES = {
    "runs": "001 009 015 019 025 029 034 039 044 051 056 061 067 071 079",
    "damp": "002 010 020 030 035 058 069 070",
    "checkout": "005 013 014 023 024 027 036 043 053 062 074 082",
    "paper": "004 006 007 026 038 040 045 046 063",
    "mam": "018 021 032 033 050 057 064 066 078",
    "vat": "016 028 055 060 080 081",
    "wedding": "003 011 022 042 059 068 072 075 076",
    "stall": "008 041 047 048 049 052 077",
}
NOISE = {f"orla-{number}" for number in ("012", "017", "031", "037", "054", "065", "073")}


def keys(theme: str) -> set[str]:
    return {f"orla-{number}" for number in THEMES[theme].split()}


def theme_of(members: Set[str]) -> str | None:
    """The theme that more than half of these events belong to."""
    return next((theme for theme in THEMES if 2 * len(members & keys(theme)) > len(members)), None)


@pytest.fixture(scope="module")
def orla(dsn: str) -> Memory:
    """A memory that lived through the example stream."""
    memory = Memory(dsn, tenant="orla")
    memory.create_tenant(time_zone="Europe/Dublin")
    live(memory, bookbinder())
    return memory


def test_every_theme_of_the_example_becomes_one_concept(orla: Memory) -> None:
    found = concepts(orla)
    assert sorted(str(theme_of(members)) for members in found.values()) == sorted(THEMES)
    for title, members in found.items():
        assert members <= keys(str(theme_of(members))), title  # nothing in it that belongs elsewhere


def test_most_events_of_the_example_find_their_concept_and_noise_finds_none(orla: Memory) -> None:
    placed = set().union(*concepts(orla).values())
    assert not placed & NOISE
    assert len(placed) >= 70  # of 75 that belong somewhere


def test_an_event_is_evidence_for_one_concept_at_most(orla: Memory) -> None:
    evidence = "SELECT source_id FROM cognifold.edge WHERE type IN ('grounds', 'reinforces')"
    rows = orla.rows(f"{evidence} GROUP BY source_id HAVING count(*) > 1")
    assert rows == []


def test_titles_say_what_the_events_share(orla: Memory) -> None:
    """Each title has a word that a reader would give the theme, and no name of a person who speaks."""
    expected = {
        "runs": ["run"], "damp": ["damp", "mould"], "checkout": ["checkout", "payment"], "paper": ["paper"],
        "mam": ["mam", "hip"], "vat": ["vat", "receipt"], "wedding": ["guest book", "wedding"], "stall": ["stall"],
    }  # fmt: skip
    for title, members in concepts(orla).items():
        theme = str(theme_of(members))
        assert any(word in title.lower() for word in expected[theme]), (theme, title)
        assert 1 <= len(title.split(", ")) <= 3
        for name in ("orla", "keane", "niamh", "declan", "mette", "fintan"):
            assert name not in title.lower().split()


@pytest.mark.parametrize("theme", ["damp", "vat"])
def test_without_a_themes_events_its_concept_is_not_there(memory: Memory, theme: str) -> None:
    live(memory, [event for event in bookbinder() if event.idempotency_key not in keys(theme)])
    assert {theme_of(members) for members in groups(memory)} == set(THEMES) - {theme}


def test_the_same_stream_gives_the_same_graph(dsn: str, new_tenant: Callable[..., str], orla: Memory) -> None:
    # Told backwards and in other batches: fold goes by event time.
    with Memory(dsn, tenant=new_tenant(time_zone="Europe/Dublin")) as again:
        again.remember_many(reversed(bookbinder()))
        again.fold_all(batch=7)
        assert concepts(again) == concepts(orla)
    with Memory(dsn, tenant=new_tenant(time_zone="Europe/Dublin")) as again:
        live(again, bookbinder())
        assert graph(again) == graph(orla)


def test_several_alike_events_found_a_concept_together(memory: Memory) -> None:
    live(memory, told("Postgres pool exhausted on the checkout service", "Lunch with friends at the harbour",
                      "Connection pool of postgres exhausted again", "Booked flights to Lisbon",
                      "Restarted the pods, postgres pool exhausted once more"))  # fmt: skip
    assert groups(memory) == {frozenset("024")}


@pytest.mark.parametrize(
    "texts",
    [
        [
            "postgres pool exhausted on checkout",
            "postgres pool exhausted again",
            "many connections, postgres pool exhausted",
        ],
        ["toothache all night", "rang the dentist about the toothache", "the dentist says the tooth needs a filling"],
        ["Acme has not paid invoice 1042", "reminded Acme of the unpaid invoice", "Acme invoice still unpaid"],
        ["slept badly, awake at 3", "bad sleep, tired all day", "could not sleep again, tired"],
    ],
)
def test_a_new_user_sees_the_first_alike_notes_fold(memory: Memory, texts: list[str]) -> None:
    live(memory, told(*texts))
    (members,) = groups(memory)
    assert len(members) >= 2


def test_a_new_user_with_unlike_notes_sees_no_concept(memory: Memory) -> None:
    texts = ["Bought a new bicycle helmet", "The printer ran out of toner", "Booked flights to Lisbon",
             "Read a novel about whaling", "The neighbour's dog barked", "Planted tomatoes on the balcony"]  # fmt: skip
    live(memory, told(*texts))
    assert groups(memory) == set()


def test_small_talk_stays_out(memory: Memory) -> None:
    said = [
        ("Anna Berg", "Hey Tom, thanks! That sounds great, bye!"),
        ("Tom Hill", "Thanks Anna, bye! Take care!"),
        ("Anna Berg", "Wow, awesome! Bye Tom, take care!"),
        ("Tom Hill", "Great, thanks! Bye Anna!"),
        ("Anna Berg", "The roof of the boathouse leaks above the canoes"),
        ("Tom Hill", "Canoes are wet, the boathouse roof leaks"),
    ]
    live(memory, [
        Experience(text, occurred_at=START + timedelta(hours=place), actor=actor, idempotency_key=str(place))
        for place, (actor, text) in enumerate(said)
    ])  # fmt: skip
    assert groups(memory) == {frozenset("45")}


def test_an_event_joins_only_what_was_there_before_it(memory: Memory) -> None:
    """A late event is placed by the events before it in time, though later ones are folded already."""
    live(memory, told("Postgres pool exhausted on checkout", "Postgres pool exhausted again"))
    (event,) = live(
        memory, [Experience("Postgres pool exhausted for the first time", occurred_at=START - timedelta(days=1))]
    )
    related = memory.rows("SELECT target_id FROM cognifold.edge WHERE type = 'related_to' AND source_id = %s", [event])
    assert related == []


def test_a_concept_is_named_anew_when_it_has_doubled(memory: Memory) -> None:
    texts = [
        "The boathouse roof leaks above the canoes",
        "Canoes wet again under the boathouse roof",
        "Boathouse roof: tar paper torn above the canoes",
        "Boathouse tar paper and roof battens ordered",
    ]
    live(memory, told(*texts[:3]))
    (before,) = concepts(memory)
    fourth = live(memory, told(*texts))[3]
    ((after, members),) = concepts(memory).items()
    assert len(members) == 4
    plan = memory.rows(
        "SELECT plan_id, operations FROM cognifold.plan JOIN cognifold.folded_event USING (plan_id) "
        "WHERE event_id = %s",
        [fourth],
    )[0]
    renamings = [operation["title"] for operation in plan["operations"] if operation["op"] == "UPDATE_NODE"]
    assert renamings == [after] and after != before
    journal = memory.rows(
        "SELECT before ->> 'title' AS title FROM cognifold.journal WHERE plan_id = %s AND relation = 'node'",
        [plan["plan_id"]],
    )
    assert [row["title"] for row in journal] == [before]


def test_what_is_too_long_for_a_word_names_no_concept(memory: Memory, admin: Connection, tenant: str) -> None:
    noise = "".join(chr(0x4E00 + (i * 7919) % 20000) for i in range(400))
    others = (
        "The roof leaks",
        "Frost on the seedlings",
        "The printer jams",
        "Tea with the neighbours",
        "A train to Oslo",
    )
    events = live(memory, told(f"The code is {noise}", f"The code was {noise}", *others))
    [(title,)] = admin.execute("SELECT cognifold.concept_title(%s, %s)", [tenant, list(events[:2])]).fetchall()
    assert len(title) <= 300


OTHERS = (
    "The roof leaks",
    "Frost on the seedlings",
    "The printer jams",
    "Tea with the neighbours",
    "A train to Oslo",
    "The piano is out of tune",
)


@pytest.mark.parametrize(
    ("texts", "title"),
    [
        # What was done, how and when is no subject, and a point ends a phrase.
        (
            ["Checked the rice pudding early on Monday. Cold", "Monday: quickly checked that rice pudding"],
            "Rice pudding",
        ),
        (["They pool the tyres in a lorry", "We pool so calmly; a lorry with tyres"], "Lorry, tyres"),
        # Both words are in both; side by side they stand in one of them.
        (["A jar of lemon curd", "The curd tastes of lemon"], "Lemon curd"),
        # As most spell it, in small letters where one does.
        (["Kettles for the hut", "The kettle in the hut hisses", "A kettle, a hut"], "Hut, kettle"),
        # A possessive is a name of its own.
        (["Zuzu's kettle", "Zuzu has a kettle"], "Zuzu, kettle"),
        # A code where more than half have it.
        (["The pump MX41 stalls", "Pump MX41 hums", "A pump, an MX41"], "Pump MX41"),
        (["The pump MX41 stalls", "Pump MX41 hums", "A pump hisses", "The pump drips"], "Pump"),
        # A capital that begins a sentence is none; small talk and words for numbers and media are left out.
        (["Thanks! Great photo of the third lighthouse", "Wow, nice photo. Lighthouse again"], "Lighthouse"),
        # What things are measured in, and when they were, is what many others have, too.
        (["The oven: 4 units above 38 degrees by noon", "Oven at noon: 20 units at 45 degrees"], "Oven"),
        # A colour is no subject, though what has it is one; whoever is called so is.
        (["The green ladder leans, wet", "Wet again, and green, the ladder"], "Green ladder"),
        (["Mr Green saw a barge", "A barge of Mr Green"], "Barge, Green"),
        # Words in -ing and un- may be verbs and states: beside a subject only where an article or the like makes them
        # things ...
        (["Two mornings running, fog on the lake", "A full running order; the lake by morning"], "Lake"),
        (["The heron kept fishing", "A heron, fishing"], "Heron"),
        (["A half-empty barge needs no mooring", "The barge has a new mooring"], "Barge, mooring"),
        (["Four crates unlabelled", "Unlabelled, like all crates"], "Crates"),
        (["The union of bakers", "Bakers and their union"], "Bakers, union"),
        # ... and where there is no better.
        (["We went rowing on Monday", "Monday: they went rowing"], "Rowing"),
        (["A boiler that lights automatically", "Automatically, the boiler hums"], "Boiler"),
    ],
)
def test_a_title_is_the_nouns_that_events_share(
    memory: Memory, admin: Connection, tenant: str, texts: list[str], title: str
) -> None:
    events = live(memory, told(*OTHERS, *texts))[len(OTHERS) :]
    parts = titled(admin, tenant, events, concept_of(memory)).split(", ")
    assert {part.lower() for part in parts} == {part.lower() for part in title.split(", ")}
    assert parts[0][0].isupper()


def test_events_that_share_no_word_are_titled_by_one_phrase_of_each(
    memory: Memory, admin: Connection, tenant: str
) -> None:
    events = live(
        memory, told(*OTHERS, "The trumpet player and his trumpet player friend", "A violin for the orchestra")
    )
    title = titled(admin, tenant, events[-2:], concept_of(memory))
    parts = title.lower().split(" / ")
    assert len(parts) == 2
    assert sum(part in "the trumpet player and his trumpet player friend" for part in parts) == 1
    assert sum(part in "a violin for the orchestra" for part in parts) == 1


@pytest.mark.parametrize(
    ("title", "content", "phrase", "fuller"),
    [
        # What was done with it, whose it is, of which kind.
        ("late", "Nobody had emptied the dishwasher.", "dishwasher", "emptied the dishwasher"),
        ("late", "Missed the train: Nina's alarm was off", "alarm", "Nina's alarm"),
        ("late", "They sent him to the quarry again", "quarry", "sent him to the quarry"),
        ("late", "a rusty hinge, painted over", "hinge", "rusty hinge"),
        ("late", "Lock your shed, neighbours", "shed", "Lock your shed"),
        ("late", "She’s at the rim of the crater", "crater", "rim of the crater"),
        # Nothing that only follows from somebody, a verb's part or a link; nothing across a point.
        ("late", "We were late and the dishwasher leaked", "dishwasher", "dishwasher"),
        ("late", "They told Nina about the quarry", "quarry", "quarry"),
        ("late", "Late again. Dishwasher broken", "Dishwasher", "Dishwasher"),
        ("late", "Locked the sheds and the shed", "shed", "shed"),
        # A phrase of two words says what it is.
        ("late", "Nobody had found the fuse box", "fuse box", "fuse box"),
        # What its author called it: a name, if it is short, but no beginning of the text and no half of a sentence.
        ("Dishwasher of the canteen", "It leaked", "dishwasher", "Dishwasher of the canteen"),
        ("Fuse box!", "The fuse box smells", "fuse box", "Fuse box"),
        ("The dishwasher", "The dishwasher leaked, rinsed the dishwasher", "dishwasher", "dishwasher"),
        ("into the quarry", "Nobody saw the quarry", "quarry", "saw the quarry"),
        ("quarry (urgent)", "Nobody saw the quarry", "quarry", "saw the quarry"),
        ("quarry 17", "It is flooded", "quarry", "quarry"),
        ("The quarry and why nobody goes", "It is flooded", "quarry", "quarry"),
    ],
)
def test_a_word_that_stands_for_an_event_is_told_with_what_was_said_of_it(
    admin: Connection, title: str, content: str, phrase: str, fuller: str
) -> None:
    made = admin.execute("SELECT cognifold.fuller_phrase(%s, %s, %s)", [title, content, phrase]).fetchall()
    assert made == [(fuller,)]


def test_a_concept_whose_events_shared_no_word_is_named_anew_with_each_more_till_they_do(memory: Memory) -> None:
    texts = [
        "The trumpet player practised with the orchestra",
        "A violin solo in the symphony concert",
        "Another violin solo, an encore after the concert",
    ]
    live(memory, told(*texts[:2]))
    (before,) = concepts(memory)
    assert " / " in before
    live(memory, told(*texts))
    ((after, members),) = concepts(memory).items()
    assert len(members) == 3
    assert "violin solo" in after.lower() and " / " not in after


def test_a_concept_named_by_a_single_word_is_named_anew_with_its_third_event(memory: Memory) -> None:
    texts = ["The kettle hisses beside the copper pan", "A kettle that hums", "The copper kettle boils"]
    live(memory, told(*texts[:2]))
    assert set(concepts(memory)) == {"Kettle"}
    live(memory, told(*texts))
    assert set(concepts(memory)) == {"Copper kettle"}


@pytest.mark.parametrize(("called", "other"), [("gutter", "ladder"), ("ladder", "gutter")])
def test_what_an_event_was_called_says_best_what_it_is_about(
    memory: Memory, admin: Connection, tenant: str, called: str, other: str
) -> None:
    text = "The ladder reaches the gutter"
    trumpet, ladder = live(
        memory, [*told("A trumpet in the quartet"), Experience(text, title=f"The {called}", occurred_at=START)]
    )
    title = titled(admin, tenant, [trumpet, ladder]).lower()
    assert called in title and other not in title


def test_directions_and_forms_of_address_are_no_subject_alone(memory: Memory, admin: Connection, tenant: str) -> None:
    texts = ("Dear Mrs Kerr, the kettle is on the north side", "The kettle of Mrs Bell, 5 wks old, went north")
    events = live(memory, told(*OTHERS, *texts))[len(OTHERS) :]
    assert titled(admin, tenant, events, concept_of(memory)) == "Kettle"


def test_a_title_that_another_concept_has_gets_a_phrase_more(memory: Memory, admin: Connection, tenant: str) -> None:
    events = live(memory, told(*OTHERS, "The lighthouse shines far, a beacon", "A lighthouse on the rocks"))[-2:]
    assert set(concepts(memory)) == {"Lighthouse"}
    assert titled(admin, tenant, events) in {"Lighthouse, beacon", "Lighthouse, rocks"}
    assert titled(admin, tenant, events, concept_of(memory)) == "Lighthouse"  # it is the one that is to be named


def concept_of(memory: Memory) -> UUID | None:
    """The only concept, or None."""
    found = [row["id"] for row in memory.rows("SELECT id FROM cognifold.concept")]
    assert len(found) <= 1
    return found[0] if found else None


def titled(admin: Connection, tenant: str, events: Sequence[UUID], concept: UUID | None = None) -> str:
    """What concept_title makes of these events."""
    query = "SELECT cognifold.concept_title(%s, %s, %s)"
    [(title,)] = admin.execute(query, [tenant, list(events), concept]).fetchall()
    return str(title)
