"""What an open intent is about attracts: a lower bar in folding, more weight in recall, fading with the intent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

from tests.conftest import Connection, value
from tests.graph.plans import START, add_node, apply, edges, merge_nodes, remove_edge, rows, violations
from tests.intent.workshop import Workshop, moment

# Two events that point along the first axis make the concept; a third points away by an angle of cosine .5. The model's
# usual cosine is 0 and counts for 4 events, so what is usual for the third is (4 * 0 + 2 * .5) / 6, and its affinity to
# the concept .5 less that: a third. `reinforce` is .4.
ALONG, ASKEW, ASIDE = (1.0, 0.0, 0.0), (0.5, 0.75**0.5, 0.0), (0.5, 0.0, 0.75**0.5)
AFFINITY, REINFORCE = 1 / 3, 0.4
ENOUGH = REINFORCE - AFFINITY  # the pull times intent.attraction that lets it join


@pytest.fixture
def shop(connect: Callable[..., Connection], new_tenant: Callable[..., str], admin: Connection) -> Workshop:
    """A memory at START in which the planner joins events to concepts and founds none."""
    return make_shop(connect, new_tenant, admin)


def make_shop(connect: Callable[..., Connection], new_tenant: Callable[..., str], admin: Connection) -> Workshop:
    admin.execute(
        "SELECT cognifold.register_model('drawn', 'external', 3, reinforce => %s, cluster => 1, pair => 1, "
        "relate => 0, duplicate => 1, usual => 0)",
        [REINFORCE],
    )
    tenant = new_tenant(model="drawn")
    made = Workshop(connect(tenant, now=START), tenant)
    for name, number in {"fold.minimum_information": 0, "fold.related": 0, "intent.attraction": 0.1}.items():
        made.set(name, number)
    made.set("intent.attraction_half_life", 10)
    return made


def boil(shop: Workshop, *, wanted: bool = True) -> tuple[UUID, UUID | None]:
    """The concept of two events at START, and an intent of it as a user's plan states it."""
    first, second = tell(shop, "Kettle whistles", *ALONG), tell(shop, "Steam rises", *ALONG)
    concept = shop.concept("Boiling", first, second)
    return concept, want(shop, concept, first, second) if wanted else None


def tell(shop: Workshop, text: str, *vector: float, hours: float = 0) -> UUID:
    """An event that is folded as soon as it is told; no two have a word or a source in common."""
    shop.events += 1
    event = value(
        shop.connection, "SELECT cognifold.remember(%s, occurred_at => %s, source => %s)",
        text, moment(hours), f"source {shop.events}",
    )  # fmt: skip
    shop.connection.execute("SELECT cognifold.store_embedding(%s, %s::vector, 'drawn')", [event, str(list(vector))])
    assert shop.connection.execute("SELECT outcome FROM cognifold.fold(1)").fetchall() == [("folded",)]
    found: UUID = event
    return found


def want(shop: Workshop, concept: UUID, *events: UUID, hours: float = 0, title: str = "Descale it") -> UUID:
    operation = add_node("intent", title, concept, *events, ref="intent", occurred_at=moment(hours).isoformat())
    return UUID(apply(shop.connection, operation)["refs"]["intent"])


def joins(shop: Workshop, concept: UUID, hours: float, *vector: float) -> bool:
    """Whether the borderline event, so many hours after START, becomes evidence for the concept.

    A second one is ASIDE: after the first its usual cosine is (2 * .5 + .25) / 7, and .079 of pull is enough.
    """
    event = tell(shop, f"Limescale{shop.events}", *(vector or ASKEW), hours=hours)
    return (event, "reinforces", concept) in edges(shop.connection)


@pytest.mark.parametrize(("attraction", "joined"), [(0, False), (ENOUGH - 0.001, False), (ENOUGH + 0.001, True)])
def test_the_bar_of_a_concept_is_lower_by_the_attraction_while_its_intent_is_open(
    shop: Workshop, attraction: float, joined: bool
) -> None:
    shop.set("intent.attraction", attraction)
    concept, _ = boil(shop)
    assert joins(shop, concept, 0) == joined
    assert violations(shop.connection) == []


def test_the_plan_says_so(shop: Workshop) -> None:
    boil(shop)
    event = tell(shop, "Limescale", *ASKEW)
    [reason] = rows(
        shop.connection,
        "SELECT o.value ->> 'reasoning' AS said FROM cognifold.plan AS p "
        "CROSS JOIN jsonb_array_elements(p.operations) AS o "
        "WHERE p.trigger_event_id = %s AND o.value ->> 'type' = 'reinforces'",
        event,
    )
    assert reason["said"] == (
        'nearest concept "Boiling", affinity 0.333, which is enough while its intent is open: 0.300'
    )


def test_without_an_intent_nothing_attracts(shop: Workshop) -> None:
    concept, _ = boil(shop, wanted=False)
    assert not joins(shop, concept, 0)


# With .1 and a half-life of 10 days the pull is enough as long as .1 * 2 ** (-days / 10) >= ENOUGH: 5.85 days.
@pytest.mark.parametrize(("days", "joined"), [(5.8, True), (5.9, False)])
def test_it_fades_with_the_age_of_the_intent(shop: Workshop, days: float, joined: bool) -> None:
    concept, _ = boil(shop)
    assert joins(shop, concept, 24 * days) == joined


def test_what_happened_before_the_intent_was_there_is_not_drawn(shop: Workshop) -> None:
    concept, _ = boil(shop, wanted=False)
    want(shop, concept, hours=2)
    assert not joins(shop, concept, 1)
    assert joins(shop, concept, 2, *ASIDE)


@pytest.mark.parametrize("answer", ["resolve", "reject"])
def test_a_closed_intent_attracts_no_more_but_for_what_happened_before(shop: Workshop, answer: str) -> None:
    concept, intent = boil(shop)
    assert intent is not None
    shop.at(5)
    shop.answer(intent, answer)
    assert not joins(shop, concept, 6)
    assert joins(shop, concept, 4, *ASIDE)  # told late


@pytest.mark.parametrize(("share", "joined"), [(0.66, False), (0.67, True)])
def test_a_deferred_intent_attracts_less_until_it_wakes(shop: Workshop, share: float, joined: bool) -> None:
    shop.set("intent.attraction_half_life", 36500)
    shop.set("intent.attraction_deferred", share)
    concept, intent = boil(shop)
    assert intent is not None
    shop.at(5)
    shop.answer(intent, "defer", wake_at=moment(10))
    assert joins(shop, concept, 6) == joined
    shop.at(11)
    shop.answer(intent, "accept")
    tell(shop, "Tea", 0, 0, 1, hours=12)
    # What is told late meets the intent as it stood then: deferred, awake, and accepted.
    assert pulls(shop, concept, 6) == pytest.approx(share, rel=1e-3)
    assert pulls(shop, concept, 10.5) == pytest.approx(1, rel=1e-3)
    assert pulls(shop, concept, 12) == pytest.approx(1, rel=1e-3)


def pulls(shop: Workshop, concept: UUID, hours: float) -> float:
    """What ``attracting`` says of the concept, seen by the tenant alone."""
    return float(recalled(shop, moment(hours)).get(concept, 0))


def recalled(shop: Workshop, as_of: datetime | None = None, known_at: datetime | None = None) -> dict[UUID, float]:
    """The pull that recall shows of each memory: what the intent brought over what the rest brought, by the boost."""
    found = rows(
        shop.connection,
        "SELECT r.node_id, r.intent, r.relevance, s.value AS boost "
        "FROM cognifold.recall('boiling kettle steam', 50, as_of => %s, known_at => %s, "
        "query_embedding => '[1,0,0]', model => 'drawn') AS r "
        "CROSS JOIN LATERAL (SELECT cognifold.setting('intent.recall_boost', %s)) AS s (value)",
        as_of, known_at, shop.tenant,
    )  # fmt: skip
    return {row["node_id"]: row["intent"] / (row["relevance"] - row["intent"]) / row["boost"] for row in found}


def test_an_intent_that_expires_attracts_until_then(shop: Workshop, admin: Connection) -> None:
    concept, intent = boil(shop)
    admin.execute("UPDATE cognifold.intent_state SET expires_at = %s WHERE node_id = %s", [moment(3), intent])
    assert not joins(shop, concept, 3)
    assert joins(shop, concept, 2.9, *ASIDE)


def test_a_concept_that_reaches_the_bar_by_itself_comes_first(shop: Workshop) -> None:
    # Another concept is nearer and above `reinforce`: usual is (2 * .5 + 2 * 1) / 8 = .375, affinities .125 and .625.
    shop.set("intent.attraction", 1)
    concept, _ = boil(shop)
    other = shop.concept("Rust", *(tell(shop, text, *ASKEW) for text in ("Iron oxidises", "Red flakes")))
    event = tell(shop, "Limescale", *ASKEW)
    joined = {target for source, type_, target in edges(shop.connection) if source == event and type_ == "reinforces"}
    assert joined == {other} and concept != other


def test_an_intent_of_another_tenant_attracts_nothing(
    shop: Workshop, connect: Callable[..., Connection], new_tenant: Callable[..., str], admin: Connection
) -> None:
    other = make_shop(connect, new_tenant, admin)
    theirs, _ = boil(other)
    ours, _ = boil(shop, wanted=False)
    assert not joins(shop, ours, 1)
    assert joins(other, theirs, 1)


def test_the_survivor_of_a_merge_attracts_for_it(shop: Workshop) -> None:
    concept, _ = boil(shop)
    survivor = shop.concept("Hot water", tell(shop, "Bubbles", *ALONG))
    apply(shop.connection, merge_nodes(concept, survivor, survivor=survivor))
    assert recalled(shop)[survivor] == pytest.approx(1)


def test_the_same_stream_makes_the_same_graph(
    connect: Callable[..., Connection], new_tenant: Callable[..., str], admin: Connection
) -> None:
    told = [lived(make_shop(connect, new_tenant, admin)) for _ in range(2)]
    assert told[0] == told[1] and any("intent is open" in reason for _, reason in told[0])


def lived(shop: Workshop) -> list[tuple[str, str]]:
    """Each operation that a stream of needs led to, with its reason; emit_intents is called after each event."""
    voiced = ("The kettle needs a new plug", "Our kettle still needs it")
    events = [tell(shop, text, *ALONG, hours=hours) for hours, text in zip((-48, 0), voiced, strict=True)]
    shop.concept("Kettle", *events)
    for number in range(12):
        assert len(shop.emit(number)) == (number == 0)
        tell(shop, f"Item{number}", 0.5, 0.75**0.5 * (-1) ** number, 0, hours=number)
    return [
        (row["op"], row["reason"])
        for row in rows(
            shop.connection,
            "SELECT o.value ->> 'op' AS op, coalesce(o.value ->> 'reasoning', '') AS reason FROM cognifold.plan AS p "
            "CROSS JOIN jsonb_array_elements(p.operations) WITH ORDINALITY AS o ORDER BY p.version, o.ordinality",
        )
    ]


# ------------------------------------------------------------------------------------------------- recall


@pytest.mark.parametrize("boost", [0.2, 3])
def test_recall_gives_what_an_open_intent_is_about_a_share_more(shop: Workshop, boost: float) -> None:
    concept, intent = boil(shop)
    other = tell(shop, "Kettle shop", 0, 1, 0)
    shop.at(240)  # one half-life on
    shop.set("intent.recall_boost", 0)
    plain = answers(shop)
    assert {row["intent"] for row in plain.values()} == {0}
    shop.set("intent.recall_boost", boost)
    boosted = answers(shop)
    assert boosted.keys() == plain.keys() >= {concept, other}
    grounds = {s for s, type_, t in edges(shop.connection) if t == intent and type_ in ("grounds", "triggers")}
    assert len(grounds) == 3 and concept in grounds
    for node, row in boosted.items():
        gained = boost / 2 * plain[node]["relevance"] if node in grounds else 0
        assert row["intent"] == pytest.approx(gained, rel=1e-9, abs=0)
        assert row["relevance"] == pytest.approx(plain[node]["relevance"] + gained, rel=1e-9)
        assert row["score"] == pytest.approx(row["relevance"] * plain[node]["modulation"], rel=1e-9)


def answers(shop: Workshop, query: str = "boiling kettle steam") -> dict[UUID, dict[str, Any]]:
    found = rows(
        shop.connection,
        "SELECT * FROM cognifold.recall(%s, 50, query_embedding => '[1,0,0]', model => 'drawn')", query,
    )  # fmt: skip
    return {row["node_id"]: row for row in found}


def test_the_explanation_names_it_and_still_sums_to_the_relevance(shop: Workshop) -> None:
    concept, _ = boil(shop)
    tell(shop, "Kettle shop", 0, 1, 0)
    explained = rows(
        shop.connection,
        "SELECT node_id, relevance, signals FROM cognifold.explain_recall('boiling kettle steam', 50, "
        "query_embedding => '[1,0,0]', model => 'drawn')",
    )
    for row in explained:
        assert sum(row["signals"].values()) == pytest.approx(row["relevance"], rel=1e-9)
    named = {row["node_id"]: row["signals"].get("intent") for row in explained}
    assert named == {node: row["intent"] or None for node, row in answers(shop).items()}
    assert named[concept] is not None and None in named.values()


def test_without_intents_the_boost_changes_no_score(shop: Workshop) -> None:
    boil(shop, wanted=False)
    shop.set("intent.recall_boost", 0)
    plain = answers(shop)
    shop.set("intent.recall_boost", 10)
    assert answers(shop) == plain


def test_recall_of_a_past_moment_sees_the_intent_as_it_stood_then(shop: Workshop) -> None:
    concept, _ = boil(shop, wanted=False)
    intent = want(shop, concept, hours=2)
    shop.at(5)
    shop.answer(intent, "resolve")
    shop.at(6)
    assert recalled(shop)[concept] == 0
    pull = {hours: recalled(shop, moment(hours))[concept] for hours in (1, 2, 4, 5)}
    assert pull == pytest.approx({1: 0, 2: 1, 4: 0.5 ** (2 / 240), 5: 0}, abs=1e-9)


def test_recall_of_what_was_known_knows_no_later_intent_and_no_later_answer(shop: Workshop) -> None:
    concept, _ = boil(shop, wanted=False)
    known = [present(shop)]
    intent = want(shop, concept)
    known.append(present(shop))
    shop.answer(intent, "resolve")
    known.append(present(shop))
    assert [recalled(shop, known_at=at)[concept] for at in known] == pytest.approx([0, 1, 0])


def test_recall_of_what_was_known_still_knows_what_was_taken_back(shop: Workshop) -> None:
    concept, _ = boil(shop)
    known = present(shop)
    [(source, target)] = [(s, t) for s, type_, t in edges(shop.connection) if type_ == "triggers" and s == concept]
    plan = apply(shop.connection, remove_edge(source, "triggers", target))["plan_id"]
    assert recalled(shop)[concept] == 0
    assert recalled(shop, known_at=known)[concept] == pytest.approx(1)
    shop.connection.execute("SELECT cognifold.undo_plan(%s)", [plan])
    assert recalled(shop)[concept] == pytest.approx(1)


def present(shop: Workshop) -> datetime:
    found: datetime = value(shop.connection, "SELECT clock_timestamp()")
    return found
