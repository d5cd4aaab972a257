"""Themes: concepts that share a word and lie near each other become parts of one, which is in nobody's way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Connection, value
from tests.graph.plans import add_edge, apply, edges, fold, make_concept, move_clock, remember, rows, violations
from tests.graph.stored import stored
from tests.insight.conftest import NOW, Diary, when


@dataclass
class Sphere(Diary):
    """A diary with an outside model of three dimensions, so that every cosine is known."""

    made: list[UUID] = field(default_factory=list)

    def topic(self, title: str, *vector: float, said: tuple[str, ...] = ("some", "more")) -> UUID:
        """A concept on two events of one direction, whose words are its title's and others."""
        events = []
        for word in said:
            event = remember(
                self.connection, f"{title.lower()} {word} {len(self.made)}", when(len(self.made)).isoformat()
            )
            self.connection.execute(
                "SELECT cognifold.store_embedding(%s, %s::vector, 'sphere')", [event, str(list(vector))]
            )
            events.append(event)
        self.made.append(make_concept(self.connection, title, *events))
        return self.made[-1]

    def others(self, number: int = 20) -> None:
        """Concepts that have nothing to do with it, all around."""
        for n in range(number):
            angle = 2 * math.pi * n / number
            self.topic(f"Topic{'abcdefghijklmnopqrstuvwxyz'[n]}", math.cos(angle) * 0.9, math.sin(angle) * 0.9, -0.44)


@pytest.fixture
def sphere(
    connect: Callable[..., Connection], new_tenant: Callable[..., str], owner: Connection, admin: Connection
) -> Sphere:
    admin.execute(
        "SELECT cognifold.register_model('sphere', 'external', 3, merge => 0.98, duplicate => 0.99, complete => 0.35)"
    )
    tenant = new_tenant(model="sphere")
    connection = connect(tenant)
    move_clock(connection, NOW)
    owner.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    sphere = Sphere(connection, owner, tenant)
    sphere.set("fold.minimum_information", 100)
    sphere.set("fold.related", 0)
    return sphere


def garden(sphere: Sphere) -> list[UUID]:
    """Three concepts about gardens, some 20 degrees apart, among others."""
    sphere.others()
    return [
        sphere.topic("Garden, tomatoes", 0.2, 0, 0.98),
        sphere.topic("Watering, garden", -0.1, 0.17, 0.98),
        sphere.topic("Garden fence", -0.1, -0.17, 0.98),
    ]


def parts(connection: Connection) -> dict[str, set[str]]:
    """Titles of the parts of each concept that has parts."""
    found: dict[str, set[str]] = {}
    for row in rows(
        connection,
        "SELECT t.title AS whole, s.title AS part "
        "FROM cognifold.edge AS e JOIN cognifold.concept AS t ON t.id = e.target_id "
        "JOIN cognifold.concept AS s ON s.id = e.source_id WHERE e.type = 'part_of' AND s.merged_into IS NULL",
    ):
        found.setdefault(row["whole"], set()).add(row["part"])
    return found


def test_concepts_that_share_a_word_and_are_near_found_a_theme(sphere: Sphere) -> None:
    children = garden(sphere)
    sphere.topic("Garden party", 0.9, 0, -0.44)  # the word, but elsewhere
    sphere.topic("Balcony, tomatoes", 0, 0.1, 0.99)  # near, but another word
    sphere.execute(*sphere.themes(*sphere.made))
    assert parts(sphere.connection) == {"Garden": {"Garden, tomatoes", "Watering, garden", "Garden fence"}}
    theme = value(sphere.connection, "SELECT id FROM cognifold.concept WHERE title = 'Garden'")
    found = edges(sphere.connection)
    for child in children:
        assert found[child, "part_of", theme]["inferred"]
        assert not found[theme, "derived_from", child]["inferred"]
    assert violations(sphere.connection) == []  # it has provenance, for one
    told = value(sphere.connection, "SELECT array_agg(DISTINCT kind) FROM cognifold.explain(%s)", theme)
    assert "event" in told


def test_a_second_pass_proposes_nothing(sphere: Sphere) -> None:
    garden(sphere)
    sphere.execute(*sphere.themes(*sphere.made))
    everything = [row["id"] for row in rows(sphere.connection, "SELECT id FROM cognifold.concept")]
    assert sphere.themes(*everything) == []


def test_two_are_no_theme(sphere: Sphere) -> None:
    sphere.others()
    sphere.topic("Garden, tomatoes", 0.2, 0, 0.98)
    sphere.topic("Watering, garden", -0.1, 0.17, 0.98)
    assert sphere.themes(*sphere.made) == []


def test_what_all_of_the_memory_is_about_is_no_theme(sphere: Sphere) -> None:
    for n in range(8):
        angle = 2 * math.pi * n / 8
        sphere.topic(f"Garden plot{'abcdefgh'[n]}", 0.3 * math.cos(angle), 0.3 * math.sin(angle), 0.95)
    assert sphere.themes(*sphere.made) == []


def test_a_new_concept_that_fits_joins_the_theme_there_is(sphere: Sphere) -> None:
    garden(sphere)
    sphere.execute(*sphere.themes(*sphere.made))
    late = sphere.topic("Gardens, roses", 0, 0, 1)
    far = sphere.topic("Garden chairs", 0.9, 0, -0.44)
    (join,) = sphere.themes(late, far)
    assert (join["op"], join["source"], join["type"]) == ("ADD_EDGE", str(late), "part_of")
    sphere.execute(join)
    assert parts(sphere.connection)["Garden"] == {
        "Garden, tomatoes",
        "Watering, garden",
        "Garden fence",
        "Gardens, roses",
    }
    assert sphere.themes(late, far) == []


def test_a_theme_is_no_hub(sphere: Sphere) -> None:
    sphere.set("theme.parts", 4)
    sphere.others(26)
    for n in range(6):
        sphere.topic(f"Garden plot{'abcdef'[n]}", 0.2 * math.cos(n), 0.2 * math.sin(n), 0.97)
    sphere.execute(*sphere.themes(*sphere.made))
    assert len(parts(sphere.connection)["Garden"]) == 4
    assert sphere.themes(*sphere.made) == []


def test_what_is_part_of_something_or_has_parts_is_left_alone(sphere: Sphere) -> None:
    one, other, _ = garden(sphere)
    home = sphere.topic("Home", 0, 1, 0)
    apply(sphere.connection, add_edge(one, "part_of", home))
    apply(sphere.connection, add_edge(home, "part_of", other))
    assert sphere.themes(*sphere.made) == []


def test_nothing_folds_into_a_theme_and_its_name_founds_a_concept_of_its_own(sphere: Sphere) -> None:
    garden(sphere)
    sphere.execute(*sphere.themes(*sphere.made))
    theme = value(sphere.connection, "SELECT id FROM cognifold.concept WHERE title = 'Garden'")
    event = remember(sphere.connection, "garden", when(90).isoformat())
    sphere.connection.execute("SELECT cognifold.store_embedding(%s, '[0,0,1]', 'sphere')", [event])
    near = rows(sphere.owner, "SELECT node_id FROM cognifold.near_concepts(%s, %s, 100)", sphere.tenant, [event])
    assert len(near) == len(sphere.made)
    assert theme not in {row["node_id"] for row in near}
    assert make_concept(sphere.connection, "Garden", event) != theme
    fold(sphere.connection)
    assert value(sphere.owner, "SELECT event_count FROM cognifold.concept_state WHERE node_id = %s", theme) == 0


def test_a_theme_is_not_merged_and_wants_nothing(sphere: Sphere) -> None:
    garden(sphere)
    before = {child: value(sphere.connection, "SELECT cognifold.density(%s)", child) for child in sphere.made}
    sphere.execute(*sphere.themes(*sphere.made))
    theme = value(sphere.connection, "SELECT id FROM cognifold.concept WHERE title = 'Garden'")
    assert {child: value(sphere.connection, "SELECT cognifold.density(%s)", child) for child in before} == before
    sphere.set("intent.theta", 0.01)
    assert rows(sphere.connection, "SELECT * FROM cognifold.emit_intents()") == []
    sphere.connection.execute("SELECT cognifold.consolidate()")
    assert value(sphere.connection, "SELECT merged_into FROM cognifold.concept WHERE id = %s", theme) is None
    assert violations(sphere.connection) == []


def test_ties_of_what_is_in_use_are_kept_alive(sphere: Sphere) -> None:
    children = garden(sphere)
    sphere.execute(*sphere.themes(*sphere.made))
    # .7 is less than .35 after a half-life: ln 2 / .0005 hours = 58 days.
    later = "2026-10-29T00:00:00+00:00"
    assert sphere.themes(children[0], as_of="2026-10-27T00:00:00+00:00") == []
    (tie,) = sphere.themes(children[0], as_of=later)
    assert (tie["source"], tie["type"], tie["weight"]) == (str(children[0]), "part_of", 0.35)
    sphere.execute(tie, as_of=later)
    assert sphere.themes(children[0], as_of=later) == []


def test_many_operations_make_several_plans_and_none_parts_a_theme(sphere: Sphere) -> None:
    one, other = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"
    join = add_edge(one, "part_of", other)
    theme = [
        {"op": "ADD_NODE", "ref": "theme_1"},
        add_edge(one, "part_of", "theme_1"),
        add_edge(other, "part_of", "theme_1"),
    ]
    operations = [join] * 4 + theme + theme + [join]
    found = rows(sphere.owner, "SELECT part FROM cognifold.whole_plans(%s, 5)", Jsonb(operations))
    plans = [row["part"] for row in found]
    assert [operation for plan in plans for operation in plan] == operations
    assert all(len(plan) <= 5 for plan in plans)
    assert [sum(o["op"] == "ADD_NODE" for o in plan) * 2 for plan in plans] == [
        sum(o.get("target") == "theme_1" for o in plan) for plan in plans
    ]
    assert rows(sphere.owner, "SELECT part FROM cognifold.whole_plans('[]', 5)") == []


def test_a_pass_counts_each_part_of_a_theme_once(sphere: Sphere) -> None:
    garden(sphere)
    counts = value(sphere.connection, "SELECT cognifold.consolidate(%s) -> 'counts'", NOW)
    assert (counts["themes_made"], counts["themes_joined"]) == (1, 3)


def test_undo_takes_a_theme_away_whole(sphere: Sphere) -> None:
    garden(sphere)
    before = stored(sphere.connection, derived=True)
    plan = sphere.execute(*sphere.themes(*sphere.made))["plan_id"]
    value(sphere.connection, "SELECT cognifold.undo_plan(%s)", plan)
    assert stored(sphere.connection, derived=True) == before


def test_a_theme_that_was_undone_is_not_founded_again(sphere: Sphere) -> None:
    garden(sphere)
    plan = sphere.execute(*sphere.themes(*sphere.made))["plan_id"]
    undo = value(sphere.connection, "SELECT cognifold.undo_plan(%s) ->> 'plan_id'", plan)
    assert sphere.themes(*sphere.made) == []
    value(sphere.connection, "SELECT cognifold.undo_plan(%s)", undo)
    assert parts(sphere.connection) == {"Garden": {"Garden, tomatoes", "Watering, garden", "Garden fence"}}


def test_what_holds_of_most_parts_is_a_principle_of_the_whole(diary: Diary) -> None:
    whole = make_concept(diary.connection, "Garden", remember(diary.connection, "garden", when(0).isoformat()))
    diary.events([when(day, f"{6 + day % 15}:40") for day in range(100)], "entry")
    parts_of_it = []
    for number, title in enumerate(("Tomatoes", "Roses", "Fence")):
        part = diary.habit(title, [when(1 + 7 * week, f"{7 + (number + 3 * week) % 12}:10") for week in range(6)])
        apply(diary.connection, add_edge(part, "part_of", whole))
        parts_of_it.append(part)
    diary.sleep(*parts_of_it[:2])
    assert "shared" not in diary.said()
    diary.sleep(parts_of_it[2])
    (principle,) = [row for row in diary.insights() if row["kind"] == "shared"]
    assert principle["insight"] == '"Garden" falls on Mondays: 3 of its 3 parts ("Fence", "Roses", "Tomatoes")'
    assert (principle["about"], principle["abstraction_level"]) == ("Garden", "principle")
    assert set(principle["derived_from"]) == set(parts_of_it)
    diary.more(parts_of_it[0], [when(50 + day, f"{8 + day % 13}:10") for day in (0, 4, 5, 16, 28, 31, 48)])
    diary.sleep(parts_of_it[0])
    assert "shared" not in diary.said()
