"""A memory of a thousand nodes in which it is known what a pass must find."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from uuid import UUID

from tests.conftest import Connection, value
from tests.consolidate.passes import NOTHING, later, merged_into
from tests.graph.plans import START, Operation, add_edge, apply, concept, edges, move_clock, violations

PAIRS = ORPHANS = OPPOSITES = 20
FADING = 200
NODES = 1000
NOW = 700.0

# Things and doings of one word each, so that what is not planted is about something else each time.
WORDS = re.findall(
    r"\w+",
    """
    volcano violin harvest passport bakery tractor molecule curtain parliament glacier umbrella sculpture
    mortgage penguin satellite orchestra cactus elevator marathon lighthouse spreadsheet mushroom ambulance
    chess submarine carpet telescope vineyard dentist balcony avalanche trumpet pharmacy wallet skeleton
    monastery fireworks keyboard pumpkin stadium referendum hamster blanket asteroid laundry compass opera
    bicycle sandwich earthquake librarian turbine perfume tournament reptile chimney notebook harbour dinosaur
    invoice
    """,
)
SAME = [  # title and text, said twice in other words; a and b are two words of that pair alone
    (
        "Repair of the {a}",
        "The {a} was repaired in the {b} workshop",
        "{a} repairs",
        "In the {b} workshop the {a} was repaired",
    ),
    ("Buying a {a}", "They bought a {a} for the {b}", "Purchase of the {a}", "For the {b} they bought another {a}"),
]
APART = [  # texts, and titles, that differ in substance and in hardly a word
    ("prefers morning {a} meetings by the {b}", "prefers evening {a} meetings by the {b}"),
    ("{a} {b} rent due {n} June", "{a} {b} rent due {n} July"),
    ("{a} {b} order of {n} boxes", "{a} {b} order of {n}0 boxes"),
    ("likes the {a} and the {b}", "does not like the {a} and the {b}"),
    ("the {a} at the {b} is open", "the {a} at the {b} is closed"),
]


class Planter:
    """Remembers events in batches and applies plans of at most 200 operations."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.numbers = itertools.count()

    def events(self, texts: list[str], hours: float) -> list[UUID]:
        cursor = self.connection.cursor()
        cursor.executemany(
            "SELECT cognifold.remember(%s, occurred_at => %s, source => %s)",
            [(text, later(hours), f"source {next(self.numbers)}") for text in texts],
            returning=True,
        )
        found = [row[0] for result in cursor.results() for row in result.fetchall()]
        assert len(set(found)) == len(texts)
        return found

    def concepts(self, wanted: list[tuple[str, list[UUID]]], hours: float) -> list[UUID]:
        move_clock(self.connection, later(hours))
        made = []
        for start in range(0, len(wanted), 100):
            batch = wanted[start : start + 100]
            operations = [concept(title, *events, ref=f"r{n}") for n, (title, events) in enumerate(batch)]
            result = apply(self.connection, *operations)
            assert result["counts"]["nodes_added"] == len(batch), "nothing planted repeats another at its making"
            made += [UUID(result["refs"][f"r{n}"]) for n in range(len(batch))]
        return made

    def plan(self, operations: list[Operation]) -> None:
        for start in range(0, len(operations), 200):
            apply(self.connection, *operations[start : start + 200])


def nodes(connection: Connection) -> int:
    found: int = value(connection, "SELECT count(*) FROM cognifold.node")
    return found


def test_one_pass_finds_what_was_planted_and_nothing_else(connect: Callable[..., Connection], tenant: str) -> None:
    connection = connect(tenant, now=START)
    chance = random.Random(11)
    plant = Planter(connection)

    # Pairs of concepts, each of events of its own: of the same, and of the opposite.
    alike: list[tuple[UUID, UUID]] = []
    opposite: list[tuple[UUID, UUID]] = []
    for pairs, first, number, planted in ((SAME, 0, PAIRS, alike), (APART, 20, OPPOSITES, opposite)):
        titles: list[tuple[str, str]] = []
        for index in range(number):
            form = pairs[index % len(pairs)]
            one, text, other, retold = form if len(form) == 4 else (form[0], form[0], form[1], form[1])
            words = {"a": WORDS[first + index], "b": WORDS[first - index - 1], "n": index + 1}
            titles += [(one.format(**words), text.format(**words)), (other.format(**words), retold.format(**words))]
        told = plant.events([text for _, text in titles], NOW - 20)
        made = plant.concepts([(title, [event]) for (title, _), event in zip(titles, told, strict=True)], NOW)
        planted += zip(made[::2], made[1::2], strict=True)

    # Concepts of a year ago that never had a live link, each near something of today.
    themes = list(zip(WORDS[40:][:ORPHANS], WORDS[20:][:ORPHANS], strict=True))
    long_ago = plant.events([f"The {a} near the {b}" for a, b in themes], -8760)
    plant.events([f"Somebody painted a {a} on the wall of the house" for a, _ in themes], NOW - 10)
    orphans = plant.concepts([(f"{a} of yore", [event]) for (a, b), event in zip(themes, long_ago, strict=True)], NOW)

    # Links of weeks ago that are due, between events of then; .5 falls below .1 after 322 hours.
    past = plant.events([f"Past note {number} about {chance.choice(WORDS)}" for number in range(100)], 0)
    due = chance.sample(list(itertools.permutations(past, 2)), FADING)
    move_clock(connection, later(0))
    plant.plan([add_edge(source, "related_to", target) for source, target in due])

    # The rest: concepts of two events each, about pairs of words that nothing else is about.
    taken = {*themes, *((b, a) for a, b in themes)}
    pairs_of_words = chance.sample(sorted(set(itertools.combinations(WORDS, 2)) - taken), 400)
    about = pairs_of_words[: (NODES - nodes(connection)) // 3]
    told = plant.events([f"{a} {turn} {b}" for a, b in about for turn in ("beside the", "behind a")], NOW - 5)
    others = plant.concepts([(f"{a.title()} {b}", told[2 * n : 2 * n + 2]) for n, (a, b) in enumerate(about)], NOW)
    plant.events([f"Odd remark {number}" for number in range(NODES - nodes(connection))], NOW - 1)
    assert nodes(connection) == NODES

    report = value(connection, "SELECT cognifold.consolidate(%s)", later(NOW))
    counts = report["counts"]
    merged = [(a, b) for a, b in alike if merged_into(connection, a) == b or merged_into(connection, b) == a]
    guesses = {key for key, edge in edges(connection).items() if edge["inferred"] and edge["live"]}
    tied = [node for node in orphans if any(node in key for key in guesses)]
    assert len(merged) >= 0.9 * PAIRS
    assert len(tied) >= 0.9 * ORPHANS
    assert not any(merged_into(connection, node) for pair in opposite for node in pair)
    faded = {(source, target) for (source, _, target), edge in edges(connection).items() if not edge["live"]}
    assert faded >= set(due)
    assert counts["edges_faded"] == FADING + ORPHANS, "and the orphans' own links, which never lived"
    assert (counts["concepts_merged"], counts["merges_left"]) == (len(merged), 0), "nothing but what was planted"
    assert len(others) > 200
    assert value(connection, "SELECT cognifold.consolidate(%s)", later(NOW))["counts"] == NOTHING
    assert violations(connection) == []
