"""Which names a text holds, and where they are kept."""

from __future__ import annotations

import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection, value


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("The Prestige (film)", {"prestige", "prestige film"}),
        ("Leland, North Carolina", {"leland north carolina", "leland"}),
        ("Homer's Odyssey", {"homer odyssey"}),
        ("Akinoshū Kenji", {"akinoshu kenji"}),
        ("two\nlines", {"two lines"}),
        ("The", {"the"}),
        ("?!", None),
    ],
)
def test_a_title_bears_its_names(admin: Connection, title: str, names: set[str] | None) -> None:
    found = value(admin, "SELECT cognifold.title_names(%s)", title)
    assert (found and set(found)) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("He visited Ana Lima in Porto.", ["ana lima in porto", "ana lima", "porto"]),
        ("The Society of Friends met. It was late.", ["society of friends", "society", "friends"]),
        ("by E. B. White's friend", ["e b white"]),
        ("Über Köln nach Baden-Baden", ["uber koln", "baden baden"]),
        ("приехал Лев Толстой", ["лев толстои"]),
        ("In 1999, at 5", None),
        ("no capitals here", None),
        ("", None),
    ],
)
def test_a_text_holds_the_names_in_it(admin: Connection, text: str, names: list[str] | None) -> None:
    assert value(admin, "SELECT cognifold.text_names(%s)", text) == names


def test_names_are_bounded_in_number_and_length(admin: Connection) -> None:
    text = ", ".join(f"Anna{letter}" for letter in "abcdefgh")
    assert value(admin, "SELECT cognifold.text_names(%s, 3)", text) == ["annaa", "annab", "annac"]
    assert value(admin, "SELECT cognifold.text_names('Bob met Alexandra', 9, 5)") == ["bob"]


def test_an_indexed_event_keeps_its_names_once(memory: Memory) -> None:
    event = memory.remember("He works with Ana Lima.", title="Rui Sá (engineer)")
    untitled = memory.remember("Ana Lima called")
    memory.fold_all()
    kept = "SELECT name, role FROM cognifold.mention WHERE node_id = %s ORDER BY role, name"

    def names(node: object) -> list[tuple[str, int]]:
        return [(row["name"], row["role"]) for row in memory.rows(kept, [node])]

    assert names(event) == [("rui sa", 0), ("rui sa engineer", 0), ("ana lima", 1)]
    assert names(untitled) == [("ana lima", 1)]  # its title is only its own beginning


def test_the_names_go_with_the_node(memory: Memory, admin: Connection) -> None:
    event = memory.remember("He works with Ana Lima.", title="Rui")
    memory.fold_all()
    counted = "SELECT count(*) FROM cognifold.mention WHERE node_id = %s"
    assert value(admin, counted, event) == 2
    admin.execute("DELETE FROM cognifold.lexical_document WHERE node_id = %s", [event])
    assert value(admin, counted, event) == 0
