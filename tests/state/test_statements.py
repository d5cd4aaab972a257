"""What a text states: of whom, which attribute, which value; expected values are what a reader would say."""

from __future__ import annotations

import pytest

from tests.conftest import Connection

# text, subject, attribute, polarity, value
STATED = [
    ("I live in Lisbon.", "ben", "residence", "holds", "lisbon"),
    ("I moved to Porto last week", "ben", "residence", "holds", "porto"),
    ("My phone number is 555-1234.", "ben", "phone", "holds", "555-1234"),
    ("You can reach me at b@c.example", "ben", "email", "holds", "b@c.example"),
    ("Anna's phone number is 555-9911", "anna", "phone", "holds", "555-9911"),
    ("Anna moved to Berlin", "anna", "residence", "holds", "berlin"),
    ("The server's port is 8080", "*", "port server", "holds", "8080"),
    ("The server port changed from 8080 to 9090", "*", "port server", "holds", "9090"),
    ("my locker code is 4411", "ben", "code locker", "holds", "4411"),
    ("The code for my locker is 4411", "ben", "code locker", "holds", "4411"),
    ("I don't work at Acme anymore", "ben", "employer", "ends", "acme"),
    ("I used to live in Rome", "ben", "residence", "former", "rome"),
    ("My favourite color is green", "ben", "color favorite", "holds", "green"),
    ("I've switched my bank to Nordea", "ben", "bank", "holds", "nordea"),
    ("My sister lives in Rome", "ben", "residence sister", "holds", "rome"),
    ("Standup moved to 10am", "*", "standup", "holds", "10am"),
    ("I'm vegan now", "ben", "diet", "holds", "vegan"),
    ("I traded in my Honda for a Tesla", "ben", "car", "holds", "tesla"),
    ("They put me at desk 12F", "ben", "desk", "holds", "12f"),
    ("They moved us to the room 204", "ben", "room", "holds", "204"),
]


def stated(admin: Connection, text: str) -> list[tuple[str | None, str | None, str, str]]:
    rows = admin.execute(
        "SELECT subject, array_to_string(attribute, ' '), polarity, value FROM cognifold.statements(%s, 'Ben')", [text]
    ).fetchall()
    return [tuple(row) for row in rows]


@pytest.mark.parametrize(("text", "subject", "attribute", "polarity", "value"), STATED)
def test_what_a_sentence_states(
    admin: Connection, text: str, subject: str, attribute: str, polarity: str, value: str
) -> None:
    assert stated(admin, text) == [(subject, attribute, polarity, value)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?!",
        "What is my phone number?",
        "Do I live in Lisbon?",
        "I am thinking of moving to Spain.",
        "I think the weather is great today.",
        "I might move to Berlin.",
        "They might put me at desk 12F",
        "They put me on hold",
        "She works for Microsoft.",
        "It was lovely.",
        "Actually, that's a mistake",
    ],
)
def test_questions_wishes_and_strangers_state_nothing(admin: Connection, text: str) -> None:
    assert stated(admin, text) == []


def test_two_statements_of_one_sentence(admin: Connection) -> None:
    assert stated(admin, "I used to live in Rome but now I live in Milan") == [
        ("ben", "residence", "former", "rome"),
        ("ben", "residence", "holds", "milan"),
    ]


@pytest.mark.parametrize(
    ("text", "value", "old"),
    [
        ("Actually, it's Porto, not Lisbon.", "porto", "lisbon ."),
        ("Correction: 4412", "4412", None),
        ("Actually, it's a Pixel", "pixel", None),
        ("Sorry, I meant the blue one", "blue one", None),
    ],
)
def test_a_correction_leaves_open_of_what(admin: Connection, text: str, value: str, old: str | None) -> None:
    rows = admin.execute(
        "SELECT subject, attribute, value, old_value, is_change FROM cognifold.statements(%s, 'Ben')", [text]
    ).fetchall()
    assert rows == [(None, None, value, old, True)]
