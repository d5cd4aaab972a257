"""A small library of memories, once a session: thirty-two events by five voices in three sources, and two concepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from uuid import UUID

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.embedding import LexiconEmbedder
from cognifold_pg.experience import Experience
from tests.conftest import Connection, at
from tests.recall.model import Library, Memo

CLOCK = at("2026-05-10T12:00:00+00:00")
TENANT = "the library"

# (hours before CLOCK, source, actor, emotional weight, what was said)
STORIES: list[tuple[float, str | None, str | None, float, str]] = [
    (700.0, "chat", "Maria Silva", 0, "We adopted a puppy from the shelter on Sunday"),
    (699.8, "chat", "Tom", 0, "What breed is the puppy?"),
    (699.6, "chat", "Maria Silva", 0.5, "A beagle, and she chews every shoe in the house"),
    (699.5, "chat", "Tom", 0, "Our old dog chewed the sofa"),
    (698.0, "chat", "Maria Silva", 0, "Training starts next week at the park"),
    (500.0, "mail", "Billing (Dept.)", 0, "The invoice for the printer is due on 3 May"),
    (499.9, "mail", "Tom", -0.25, "The printer broke again, the invoice is wrong"),
    (499.0, "mail", "Billing (Dept.)", 0, "A corrected invoice was sent on Monday"),
    (498.9, "mail", None, 0, "Out of office until Thursday"),
    (400.0, "chat", "Tom", -0.75, "I failed the driving test for the second time"),
    (399.99, "chat", "Maria Silva", 0.25, "You will pass the next one, practise parking with me"),
    (399.5, "chat", "Tom", 0, "Parking in the city is a nightmare"),
    (300.0, None, "C++ (dev)", 0, "The release was rolled back because of a memory leak"),
    (299.5, None, "C++ (dev)", 0, "The leak was in the image cache"),
    (299.4, None, None, 0, "Deployments are frozen until the leak is fixed"),
    (250.0, "notes", "Maria Silva", 1, "Grandmother told the story of the flood of 1953"),
    (249.0, "notes", "Maria Silva", 0, "Recipe: lentils, cumin, a bay leaf, forty minutes"),
    (240.0, "notes", "Maria Silva", 0, "The tomato seedlings need a bigger pot"),
    (200.0, "notes", "Maria Silva", 0, "Tomato, basil and chives are planted on the balcony"),
    (150.0, "chat", "Zoë O'Neill", 0, "The choir sings Bach on Saturday evening"),
    (149.9, "chat", "Maria Silva", 0, "I have two tickets for the concert"),
    (149.8, "chat", "Zoë O'Neill", 0, "Bach again? The choir sang Bach last year, and Bach the year before"),
    (100.0, "mail", "Billing (Dept.)", 0, "Reminder: the rent is due on the first"),
    (90.0, "mail", None, 0, "!!! ??? ..."),
    (80.0, "chat", "Tom", 0, "Passed the driving test at last!"),
    (79.9, "chat", "Maria Silva", 0.75, "Congratulations! Let us celebrate with lentils"),
    (60.0, "notes", "Maria Silva", 0, "The beagle had her vaccination at the vet"),
    (48.0, "notes", None, 0, "Vet: next vaccination of the dog in a year"),
    (24.0, "chat", "Zoë O'Neill", 0, "Is the dog coming to the concert?"),
    (2.0, "chat", "Tom", 0, "The dog ate my concert ticket"),
    (1.9, "chat", "Zoë O'Neill", 0, "100% true? She ate a ticket_for_two?"),
    (-30.0, "calendar", None, 0, "Dinner with the choir"),  # ahead of the clock
]
CONCEPTS = {"Dog ownership": (0, 2, 26, 29), "Driving lessons": (9, 24)}
STATES = {2: (7, 0.5), 9: (1, 0.0), 19: (40, 1.0), 29: (3, 0.25)}  # access count, integration score


@pytest.fixture(scope="session")
def embedder() -> LexiconEmbedder:
    return LexiconEmbedder()


@pytest.fixture(scope="session")
def library(dsn: str, admin_dsn: str, embedder: LexiconEmbedder) -> Iterator[Library]:
    """The library as the model sees it; the tenant of the same content is TENANT."""
    times = [CLOCK - timedelta(hours=story[0]) for story in STORIES]
    with Memory(dsn, tenant=TENANT, clock=CLOCK) as memory, psycopg.connect(admin_dsn, autocommit=True) as admin:
        memory.create_tenant()
        # The planner makes nothing of these, so that the graph is the one written here.
        memory.rows("SELECT cognifold.set_setting('fold.minimum_information', 100)")
        # What names lead to is test_spread's; the model here is of recall without it.
        for name in ("spread.hops", "recall.weight_title", "recall.weight_mention"):
            memory.rows("SELECT cognifold.set_setting(%s, 0)", [name])
        stored = memory.remember_many(
            Experience(text, occurred_at=moment, source=source, actor=actor, emotional_weight=weight)
            for moment, (_, source, actor, weight, text) in zip(times, STORIES, strict=True)
        )
        assert stored.new == len(STORIES) and memory.fold_all(batch=100) == len(STORIES)
        made: dict[str, UUID] = {}
        for title, numbers in CONCEPTS.items():
            plan = {"operations": [{"op": "ADD_NODE", "kind": "concept", "title": title, "ref": "c",
                                    "occurred_at": times[numbers[0]].isoformat(),
                                    "grounded_in": [str(stored.ids[number]) for number in numbers]}]}  # fmt: skip
            made[title] = UUID(memory.apply_plan(plan)["refs"]["c"])
        for number, (accesses, integration) in STATES.items():
            admin.execute(
                "INSERT INTO cognifold.node_state (tenant_id, node_id, access_count, integration_score) "
                "VALUES (%s, %s, %s, %s)",
                [TENANT, stored.ids[number], accesses, integration],
            )
        memos = [
            Memo(id_, "event", text, moment, source, actor, weight, *STATES.get(number, (0, 0)))
            for number, (id_, moment, (_, source, actor, weight, text)) in enumerate(
                zip(stored.ids, times, STORIES, strict=True)
            )
        ]
        memos += [
            Memo(made[title], "concept", title, times[numbers[0]], evidence=tuple(stored.ids[n] for n in numbers))
            for title, numbers in CONCEPTS.items()
        ]
        yield Library(memos, admin, embedder)


@pytest.fixture
def reader(library: Library, connect: Callable[..., Connection]) -> Connection:
    """A connection to the library, the memory's clock at CLOCK."""
    return connect(TENANT, now=CLOCK.isoformat())


def hours_ago(hours: float) -> datetime:
    return CLOCK - timedelta(hours=hours)
