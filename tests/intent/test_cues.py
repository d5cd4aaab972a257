"""What counts as wanted, and what as done."""

from __future__ import annotations

import pytest

from tests.conftest import Connection


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
    rows = admin.execute("SELECT kind, weight, description FROM cognifold.intent_cue").fetchall()
    assert {kind for kind, _, _ in rows} == {"need", "worry", "failure", "promise", "done", "negation", "unreal"}
    assert all(description for _, _, description in rows)
    assert all((weight == 0) == (kind in ("negation", "unreal")) for kind, weight, _ in rows)
