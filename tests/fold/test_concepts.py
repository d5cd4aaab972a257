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
        (["A tin of custard creams", "The creams taste of custard"], "Custard creams"),
        # As most spell it, in small letters where one does.
        (["Kettles for the hut", "The kettle in the hut hisses", "A kettle, a hut"], "Hut, kettle"),
        # A possessive is a name of its own.
        (["Zuzu's kettle", "Zuzu has a kettle"], "Zuzu, kettle"),
        # A code where more than half have it.
        (["The pump MX41 stalls", "Pump MX41 hums", "A pump, an MX41"], "Pump MX41"),
        (["The pump MX41 stalls", "Pump MX41 hums", "A pump hisses", "The pump drips"], "Pump"),
        # A capital that begins a sentence is none; small talk and words for numbers and media are left out.
        (["Thanks! Great photo of the third lighthouse", "Wow, nice photo. Lighthouse again"], "Lighthouse"),
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
    title = titled(admin, tenant, events[-2:])
    parts = title.lower().split(" / ")
    assert len(parts) == 2
    assert sum(part in "the trumpet player and his trumpet player friend" for part in parts) == 1
    assert sum(part in "a violin for the orchestra" for part in parts) == 1


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
