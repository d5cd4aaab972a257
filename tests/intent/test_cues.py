"""What counts as wanted, and what as done."""

from __future__ import annotations

import pytest

from tests.conftest import Connection
from tests.graph.plans import rows
from tests.intent.workshop import Workshop


def read(connection: Connection, text: str) -> tuple[bool, bool]:
    """Whether the text voices a need, and whether it says that something is done."""
    found = connection.execute("SELECT is_need FROM cognifold.cue_matches('', %s)", [text]).fetchall()
    return (True,) in found, (False,) in found


@pytest.mark.parametrize(
    "text",
    [
        "I need a new passport.",
        "The gate needs to be painted",
        "Dana wants to leave the choir",
        "We'd like a table by the window",
        "Could you send me the key?",
        "Still no answer from the council",
        "The visa has not arrived yet",
        "I'm worried about the brakes",
        "She keeps thinking of the exam",
        "The backup failed again",
        "The lift is broken",
        "The printer won't start",
        "It keeps crashing",
        "The third time this week",
        "He promised to bring it back",
        "The rent is overdue",
        "Nobody has called back",
        "I can't find the invoice",
        "The essay is due on Monday",
        "We ran out of flour",
        "The boiler isn’t working",
        "What if the bridge is closed?",
    ],
)
def test_a_need_a_worry_a_failure_or_a_promise_is_wanted(admin: Connection, text: str) -> None:
    assert read(admin, text) == (True, False)


@pytest.mark.parametrize(
    "text",
    [
        "I fixed the gate",
        "The rent is paid.",
        "Sent the forms this morning",
        "The parcel was delivered and signed for",
        "It works again",
        "The new site is live",
        "Everything has been sorted",
        "We've booked the flights",
        "Order complete.",
    ],
)
def test_what_is_settled_is_done(admin: Connection, text: str) -> None:
    assert read(admin, text) == (False, True)


@pytest.mark.parametrize(
    "text",
    [
        "Morning run, 5 km in 30 minutes",
        "We had soup and watched the rain",
        "There is no need to hurry",
        "I never want to sail again",
        "Nothing is missing from the shed",
        "I am not worried about it",
        "Is it fixed?",
        "Once it is paid we can go",
        "The gate will be repaired",
        "Four finished shirts hang in the hall",
        "It was a lovely evening by the sea",
    ],
)
def test_a_habit_a_denial_and_a_supposition_are_neither(admin: Connection, text: str) -> None:
    assert read(admin, text) == (False, False)


@pytest.mark.parametrize(
    "text", ["The gate is not fixed", "It was never delivered", "Nobody has paid it", "They haven't sent the forms"]
)
def test_what_is_denied_to_be_done_is_wanted(admin: Connection, text: str) -> None:
    needed, done = read(admin, text)
    assert needed and not done


def test_each_cue_says_what_it_is_for(admin: Connection) -> None:
    listed = admin.execute("SELECT kind, weight, description FROM cognifold.intent_cue").fetchall()
    weighed, weightless = {"need", "worry", "failure", "promise", "done"}, {"lack", "again", "negation", "unreal"}
    assert {kind for kind, _, _ in listed} == weighed | weightless
    assert all(description for _, _, description in listed)
    assert all((weight == 0) == (kind in weightless) for kind, weight, _ in listed)


@pytest.mark.parametrize(
    ("text", "lacks", "again", "words", "signs"),
    [
        ("No one has come. There isn't any answer, and still nothing.", 4, 0, 11, 3),
        ("The third call this week. Same song again.", 0, 3, 8, 3),
        ("The third call, again no answer", 1, 2, 6, 3),
        ("The unpaid bill lies there", 1, 0, 5, 1),
        ("A knot in the union rope, another day of sun", 0, 1, 10, 1),  # neither "knot" nor "union" is a lack
        ("We had soup and watched the rain", 0, 0, 7, 0),
    ],
)
def test_words_of_lack_and_recurrence_are_counted_and_up_to_three_of_each_are_signs(
    workshop: Workshop, text: str, lacks: int, again: int, words: int, signs: int
) -> None:
    event = workshop.event(text)
    workshop.emit(0)
    [found] = rows(
        workshop.connection, "SELECT lacks, again, words, signs FROM cognifold.cue_reading WHERE node_id = %s", event
    )
    assert found == {"lacks": lacks, "again": again, "words": words, "signs": signs}
