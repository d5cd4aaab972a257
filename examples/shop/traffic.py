"""Four weeks in a shop that sells and mends coffee machines, as the statements of its application.

Four stories are told between everyday rows: a part that keeps failing, a promise with a date that nobody keeps, a
customer who waits, and things that get solved. The same seed makes the same rows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Europe/Lisbon")
FIRST = datetime(2026, 5, 4, tzinfo=ZONE)  # a Monday
DAYS = 28

PLACE = "INSERT INTO shop.purchase (id, customer, item, changed_at) VALUES (%(id)s, %(customer)s, %(item)s, %(at)s)"
SEND = "UPDATE shop.purchase SET status = 'sent', changed_at = %(at)s WHERE id = %(id)s"
OPEN = """INSERT INTO shop.ticket (id, customer, machine, subject, promised_for, changed_at)
          VALUES (%(id)s, %(customer)s, %(machine)s, %(subject)s, %(promised_for)s, %(at)s)"""
SOLVE = "UPDATE shop.ticket SET status = 'solved', changed_at = %(at)s WHERE id = %(id)s"
NOTE = """INSERT INTO shop.note (id, ticket_id, author, body, written_at)
          VALUES (%(id)s, %(ticket)s, %(author)s, %(body)s, %(at)s)"""

_CUSTOMERS = ("Ana Matos", "Bruno Leal", "Clara Pinto", "Davide Serra", "Elsa Ramos", "Filipe Cruz", "Greta Lund")
_ITEMS = (
    "two bags of the house blend",
    "a milk jug",
    "paper filters",
    "descaling powder",
    "a tamper",
    "a Brio machine",
)
_QUESTIONS = (
    ("Lume", "How often is it to be descaled?", "Every two months with our water. Told the customer."),
    ("Lume", "The drip tray rattles", "A felt pad under the tray, and it is quiet."),
    ("Nordi", "The display shows Fahrenheit", "It is in the menu under units; done on the phone."),
    ("Nordi", "Which basket fits the double spout?", "The 58 mm one. The customer took it along."),
    ("Lume", "The steam wand is clogged", "Soaked and cleaned at the counter while the customer had a coffee."),
)


@dataclass(frozen=True, slots=True)
class Statement:
    """What the application executes at a moment."""

    at: datetime
    sql: str
    values: dict[str, Any]


class _Shop:
    """Writes down what happens; a day is counted from 1, the hour is about the one given."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.statements: list[Statement] = []
        self._numbers = {PLACE: count(501), OPEN: count(71), NOTE: count(1)}

    def does(self, day: int, hour: int, sql: str, **values: Any) -> int:
        """The row's id."""
        at = FIRST + timedelta(days=day - 1, hours=hour, minutes=self.dice.randrange(60))
        values.setdefault("id", next(self._numbers[sql]) if sql in self._numbers else None)
        self.statements.append(Statement(at, sql, {**values, "at": at}))
        return int(values["id"])

    def opens(self, day: int, customer: str, machine: str, subject: str, promised_for: str | None = None) -> int:
        return self.does(
            day, 10, OPEN, customer=customer, machine=machine, subject=subject, promised_for=promised_for
        )  # fmt: skip

    def notes(self, day: int, ticket: int, author: str, body: str) -> None:
        self.does(day, 15, NOTE, ticket=ticket, author=author, body=body)


def traffic(seed: int = 7) -> list[Statement]:
    """All statements, in the order in which they are executed."""
    shop = _Shop(seed)
    for story in (_part_that_fails, _promise_not_kept, _customer_who_waits, _solved, _everyday):
        story(shop)
    return sorted(shop.statements, key=lambda statement: statement.at)


def by_day(statements: list[Statement]) -> Iterator[tuple[datetime, list[Statement]]]:
    """Each day's closing time, 20:00, and what was executed that day."""
    for number in range(DAYS):
        day = FIRST + timedelta(days=number)
        yield day.replace(hour=20), [s for s in statements if s.at.date() == day.date()]


def _part_that_fails(shop: _Shop) -> None:
    for day, customer, subject, note in (
        (2, "Hugo Vale", "The pump of my Brio leaks",
         "Replaced the pump of the Brio. It leaks from the same seal as in March."),
        (8, "Ilse Brandt", "Water under my Brio, the pump leaks again",
         "Another Brio with a leaking pump. The new pump lasted four weeks."),
        (14, "Joana Luz", "My Brio stopped working, it is the pump",
         "The pump of the Brio keeps failing at the same seal."),
        (19, "Hugo Vale", "The pump of my Brio leaks again, two weeks after the repair",
         "Third time this month that the pump of a Brio fails. The supplier has no answer yet."),
        (25, "Karim Sow", "The pump of my Brio leaks",
         "Yet another leaking Brio pump. We need a better seal from the supplier."),
    ):  # fmt: skip
        ticket = shop.opens(day, customer, "Brio", subject)
        shop.notes(day, ticket, "Rita (workshop)", note)


def _promise_not_kept(shop: _Shop) -> None:
    ticket = shop.opens(
        3, "Ines Duarte", "Lume", "The boiler of my Lume needs to be rebuilt for the wedding", "2026-05-15"
    )
    for day, author, body in (
        (3, "Nuno (counter)", "Promised Ines Duarte that her boiler is rebuilt by Friday 15 May."),
        (11, "Ines Duarte", "Is my boiler ready by Friday? You promised it for the wedding."),
        (13, "Nuno (counter)", "The boiler of Ines Duarte is not even opened yet; the gasket set is still missing."),
        (17, "Ines Duarte", "The date you promised has passed and my boiler is still not rebuilt."),
        (23, "Ines Duarte", "Still no boiler, and no answer from you."),
    ):
        shop.notes(day, ticket, author, body)


def _customer_who_waits(shop: _Shop) -> None:
    purchase = shop.does(2, 11, PLACE, customer="Tomas Reis", item="a Corvo hand grinder")
    ticket = shop.opens(9, "Tomas Reis", "Corvo", "My Corvo grinder has not arrived yet")
    shop.notes(12, ticket, "Tomas Reis", "I am still waiting for the Corvo grinder that I ordered and paid.")
    shop.notes(16, ticket, "Tomas Reis", "No news of my grinder. Nobody answers; I am still waiting for the Corvo.")
    shop.does(22, 9, SEND, id=purchase)
    shop.notes(24, ticket, "Tomas Reis", "The Corvo grinder has arrived at last and works fine. All is settled.")
    shop.does(24, 16, SOLVE, id=ticket)


def _solved(shop: _Shop) -> None:
    for day, (machine, subject, answer) in zip((4, 7, 12, 18, 26), _QUESTIONS, strict=True):
        ticket = shop.opens(day, shop.dice.choice(_CUSTOMERS), machine, subject)
        shop.notes(day, ticket, "Nuno (counter)", answer)
        shop.does(day, 17, SOLVE, id=ticket)


def _everyday(shop: _Shop) -> None:
    """One or two purchases on each day but Sunday, sent the day after."""
    for day in range(1, DAYS):
        for _ in range(0 if day % 7 == 0 else shop.dice.randint(1, 2)):
            purchase = shop.does(day, shop.dice.randint(9, 17), PLACE, customer=shop.dice.choice(_CUSTOMERS),
                                 item=shop.dice.choice(_ITEMS))  # fmt: skip
            shop.does(day + 1, 9, SEND, id=purchase)
