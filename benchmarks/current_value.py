"""Does recall know what holds now, among what held before and what only sounds like it?

    python -m benchmarks.current_value [--users 24] [--seed 1] [--phrasings test|tune] [--json FILE] [--dsn DSN]

Generated users tell of themselves over a year, in chatter: where they live, whom they work for, what opens their
locker. Each of their attributes changes one to three times: said plainly again, corrected ("Actually, ..."), said
with what it replaces, or learned late, with an earlier date. In between they speak of other things with the same words,
of other people's values and of values that are not theirs. A third of the users have a memory of their own and ask as
"I", the others share one in fours and are asked about by name. No data set is used.

Every phrasing stands in one of two lists. ``tune`` was what weights and words were chosen on. ``test`` is reported; its
failures were looked at once, and mended where a kind of sentence was not read, so another text may well do worse.

    current_at_1_direct        the first event recalled states the value that holds, for questions in plain words
    current_at_1_paraphrased   the same for questions in other words
    stale_above_current        share of both in which a value that no longer holds stands above the one that does
    corrected_at_1             the first event is right, where the last change was an explicit correction
    as_of_at_1                 the first event states what held then, asked with as_of before the last change

Baselines in the same run, over the same texts: the cosine of the stored vectors (embedder), BM25 over English stems
(bm25), their reciprocal rank fusion (rrf), and each times .7 + .3 exp(-age / 30 days) (..._recency).
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean, median
from time import perf_counter

from rich.console import Console

from benchmarks.harness import Report, finish, scratch_database
from benchmarks.locomo import English
from benchmarks.ranking import Bm25
from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from cognifold_pg.install import package_version

_START = datetime(2025, 1, 6, 9, tzinfo=UTC)
_NOW = datetime(2026, 2, 2, 12, tzinfo=UTC)
_K = 10
_NAMES = [
    "Anna",
    "Ben",
    "Clara",
    "Dmitri",
    "Elena",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Keiko",
    "Liam",
    "Mona",
    "Nadia",
    "Oskar",
    "Priya",
    "Quentin",
    "Rosa",
    "Stefan",
    "Tara",
    "Umar",
    "Vera",
    "Wanda",
    "Xavier",
    "Yusuf",
    "Zoe",
    "Bruno",
    "Celia",
    "Dario",
    "Edith",
]


@dataclass(frozen=True, slots=True)
class Phrasings:
    """The ways to say one thing: what the memory was tuned on, and what it is tested on."""

    tune: Sequence[str]
    test: Sequence[str]

    def of(self, split: str) -> Sequence[str]:
        """The phrasings of one split."""
        return self.tune if split == "tune" else self.test


@dataclass(frozen=True, slots=True)
class Attribute:
    """One thing that is so of a user, then otherwise.

    In phrasings ``{v}`` is the value, ``{o}`` the one it replaces; in questions ``{do}``, ``{my}``, ``{i}`` and
    ``{s}`` make "do I" or "does Anna", "my" or "Anna's", "I" or "Anna", and the verb's ending.
    """

    name: str
    values: Sequence[str]
    said: Phrasings
    corrected: Phrasings
    direct: Phrasings
    paraphrased: Phrasings


ATTRIBUTES: Sequence[Attribute] = (
    Attribute(
        "residence",
        ("Lisbon", "Porto", "Bergen", "Krakow", "Valencia", "Ghent", "Tallinn", "Leeds"),
        Phrasings(
            ("I live in {v}.", "I moved to {v} last weekend.", "These days I'm based in {v}, which suits me fine."),
            (
                "We've settled in {v} by now.",
                "I relocated to {v}, boxes everywhere.",
                "Been living in {v} for two weeks and the coffee is great.",
                "My home is in {v}.",
            ),
        ),
        Phrasings(
            (
                "I no longer live in {o}, I moved to {v}.",
                "Actually, I live in {v} now.",
                "Correction: my city is {v}, not {o}.",
            ),
            (
                "I don't live in {o} any more; {v} is home now.",
                "I left {o} and moved to {v}.",
                "Actually I've moved, I'm living in {v} instead of {o}.",
            ),
        ),
        Phrasings(
            ("Where {do} {i} live now?", "In which city {do} {i} live?"),
            ("Where {do} {i} currently live?", "What city {do} {i} live in?"),
        ),
        Phrasings(
            ("Which town is home for {me} these days?",),
            (
                "What place {do} {i} call home at the moment?",
                "If you wanted to visit {me}, which city would you fly to?",
            ),
        ),
    ),
    Attribute(
        "employer",
        ("Initech", "Globex", "Hooli", "Umbrella Labs", "Vandelay", "Stark Freight", "Wayne Optics", "Acme"),
        Phrasings(
            ("I work for {v}.", "I started at {v} on Monday.", "My employer is {v}."),
            (
                "I got hired by {v}!",
                "I've joined {v}.",
                "Work at {v} keeps me busy, I work there for {v} full time.",
                "I have a new job at {v}.",
            ),
        ),
        Phrasings(
            (
                "I quit {o} and joined {v}.",
                "Actually I work at {v} now, not {o}.",
                "I no longer work for {o}; I work for {v}.",
            ),
            (
                "I don't work at {o} anymore, I'm with {v}: started working for {v} today.",
                "I left {o}, I'm working for {v} instead.",
                "Update: I switched jobs, I work at {v} now.",
            ),
        ),
        Phrasings(
            ("Who {do} {i} work for?", "What is {my} employer?"),
            ("Where {do} {i} work now?", "Which company {do} {i} work for at present?"),
        ),
        Phrasings(("Which firm pays {my} salary?",), ("Who employs {me} these days?", "Whose payroll is {i} on?")),
    ),
    Attribute(
        "phone",
        ("555-0141", "555-7712", "555-3380", "555-9026", "555-6154", "555-2297"),
        Phrasings(
            ("My phone number is {v}.", "You can reach me at {v}.", "My new number is {v}, save it."),
            ("Please call me on {v}.", "my mobile number is {v}", "New cell: {v}.", "My number's {v} now."),
        ),
        Phrasings(
            (
                "I changed my phone number to {v}.",
                "Actually my number is {v}, {o} is dead.",
                "My phone number is no longer {o}, it's {v}.",
            ),
            (
                "Correction, my mobile is {v} instead of {o}.",
                "I switched my number from {o} to {v}.",
                "Scratch that, my phone number is {v}.",
            ),
        ),
        Phrasings(
            ("What is {my} phone number?", "What's {my} current phone number?"),
            ("What is {my} number now?", "What's {my} mobile number?"),
        ),
        Phrasings(
            ("How can I reach {me} by phone?",),
            ("Which digits should be dialled to call {me}?", "What do I dial to ring {me}?"),
        ),
    ),
    Attribute(
        "email",
        ("fox@mail.example", "otter@post.example", "heron@mail.example", "badger@inbox.example", "lynx@post.example"),
        Phrasings(
            ("My email is {v}.", "Write me at {v}.", "My email address is {v} from now on."),
            (
                "Send mail to {v}, that's my email address.",
                "my e-mail address: {v}",
                "I use {v} as my email, my email is {v}.",
            ),
        ),
        Phrasings(
            (
                "I changed my email to {v}.",
                "Actually, my email address is {v}, not {o}.",
                "My email is now {v}; {o} no longer works.",
            ),
            (
                "I switched email addresses, my email is {v} instead of {o}.",
                "Correction: my e-mail is {v}.",
                "My email address has changed from {o} to {v}.",
            ),
        ),
        Phrasings(("What is {my} email address?",), ("What's {my} email now?", "What is {my} current e-mail address?")),
        Phrasings(
            ("Where do I write to get into {my} inbox?",),
            ("How do I contact {me} electronically, by mail?", "Which address do I put in the To field for {me}?"),
        ),
    ),
    Attribute(
        "car",
        ("Volvo", "Fiat", "Tesla", "Skoda", "Toyota", "Renault"),
        Phrasings(
            ("I drive a {v}.", "My car is a {v}.", "I bought a {v}."),
            (
                "I've got a {v} now, drives like a dream, my car is a {v}.",
                "My new car is a {v}.",
                "Picked up my car today, I'm driving a {v}.",
            ),
        ),
        Phrasings(
            (
                "I sold the {o}, I drive a {v} now.",
                "I traded my {o} for a {v}.",
                "Actually my car is a {v}, not a {o}.",
            ),
            (
                "I don't drive the {o} anymore, my car is a {v}.",
                "I swapped my {o} for a {v}.",
                "I replaced my {o} with a {v}.",
            ),
        ),
        Phrasings(("What car {do} {i} drive?",), ("Which car {do} {i} have now?", "What is {my} car?")),
        Phrasings(
            ("What is parked in {my} driveway?",),
            ("What vehicle {do} {i} get around in?", "What are {my} wheels these days?"),
        ),
    ),
    Attribute(
        "color",
        ("teal", "crimson", "ochre", "violet", "olive", "indigo"),
        Phrasings(
            ("My favorite color is {v}.", "My favourite colour is {v} these days."),
            (
                "{v} is my favorite color.",
                "For what it's worth, my favorite color is {v}.",
                "My favourite colour at the moment is {v}.",
            ),
        ),
        Phrasings(
            ("Actually my favorite color is {v} now.", "My favorite color changed from {o} to {v}."),
            ("I'm over {o}, my favourite colour is {v} now.", "My favorite color is no longer {o}, it is {v}."),
        ),
        Phrasings(
            ("What is {my} favorite color?",), ("What's {my} favourite colour now?", "Which color is {my} favorite?")
        ),
        Phrasings(
            ("Which shade {do} {i} like most?",),
            ("Which hue {do} {i} love best?", "If you painted a wall for {me}, what color would {i} want?"),
        ),
    ),
    Attribute(
        "locker",
        ("4411", "9020", "7730", "1568", "2843", "6617"),
        Phrasings(
            ("My locker code is {v}.", "New locker code: {v}.", "The code for my locker is {v}."),
            (
                "my locker code: {v}",
                "They gave me a new code for my locker: {v}",
                "My gym locker opens with {v}, my locker code is {v}.",
            ),
        ),
        Phrasings(
            (
                "I changed my locker code to {v}.",
                "Actually my locker code is {v}, not {o}.",
                "My locker code is no longer {o}: it is {v}.",
            ),
            (
                "My locker code has been reset to {v}.",
                "Correction: locker code is {v} instead of {o}.",
                "I had to change my locker code from {o} to {v}.",
            ),
        ),
        Phrasings(
            ("What is {my} locker code?",), ("What's the code of {my} locker now?", "What is {my} current locker code?")
        ),
        Phrasings(
            ("What numbers open {my} locker?",),
            ("How do I get {my} locker open?", "Which combination unlocks {my} locker?"),
        ),
    ),
    Attribute(
        "commute",
        ("bike", "train", "bus", "ferry", "tram"),
        Phrasings(
            ("I commute by {v}.", "I take the {v} to work.", "My commute is by {v}."),
            (
                "I go to work by {v} now.",
                "I get to the office by {v}.",
                "I'm commuting by {v} since the weather turned.",
            ),
        ),
        Phrasings(
            ("I no longer commute by {o}, I take the {v} to work.", "Actually I commute by {v} now."),
            (
                "I stopped taking the {o}, I commute by {v} instead.",
                "I switched from the {o} to the {v} for my commute.",
                "I changed my commute from {o} to {v}.",
            ),
        ),
        Phrasings(
            ("How {do} {i} commute?", "How {do} {i} get to work?"),
            ("How {do} {i} commute now?", "How {do} {i} go to work these days?"),
        ),
        Phrasings(
            ("What means of transport {do} {i} take to the office?",),
            ("How {do} {i} travel to {my} job in the morning?",),
        ),
    ),
    Attribute(
        "coffee",
        ("flat white", "double espresso", "oat latte", "black filter coffee", "cortado", "mocha"),
        Phrasings(
            ("My coffee order is a {v}.", "My usual coffee is a {v}."),
            (
                "I always order a {v}, that's my coffee order.",
                "My go-to coffee is the {v}.",
                "My coffee order these days: {v}.",
            ),
        ),
        Phrasings(
            ("Actually my coffee order is a {v} now.", "My coffee order changed from {o} to {v}."),
            ("I've switched my coffee order to a {v}.", "I don't drink {o} anymore, my coffee order is a {v}."),
        ),
        Phrasings(("What is {my} coffee order?",), ("What's {my} usual coffee?", "What is {my} coffee order now?")),
        Phrasings(
            ("What should I bring {me} from the cafe?",),
            ("What drink {do} {i} get at the coffee shop?", "What would {i} have at the espresso bar?"),
        ),
    ),
    Attribute(
        "shoes",
        ("39", "40.5", "41", "42.5", "43"),
        Phrasings(
            ("My running shoe size is {v}.", "I need running shoes in size {v}, my running shoe size is {v}."),
            ("Turns out my running shoe size is {v}.", "My shoe size for running is {v}.", "running shoe size: {v}"),
        ),
        Phrasings(
            ("Actually my running shoe size is {v}, not {o}.",),
            ("Correction: my running shoe size is {v}.", "I was wrong, my running shoe size is {v} and not {o}."),
        ),
        Phrasings(
            ("What is {my} running shoe size?",),
            ("What size are {my} running shoes?", "What's {my} shoe size for running?"),
        ),
        Phrasings(
            ("Which size should I buy when getting {me} trainers to run in?",),
            ("How big are the sneakers {i} run{s} in?", "What number of running footwear fits {me}?"),
        ),
    ),
    Attribute(
        "dentist",
        ("Dr. Lindqvist", "Dr. Okafor", "Dr. Moreau", "Dr. Tanaka", "Dr. Novak"),
        Phrasings(
            ("My dentist is {v}.", "I have a new dentist, {v}: my dentist is {v}."),
            ("{v} is my dentist.", "My new dentist is called {v}.", "I go to {v} now, my dentist is {v}."),
        ),
        Phrasings(
            ("Actually my dentist is {v}, not {o}.", "I switched my dentist from {o} to {v}."),
            ("I changed dentists: my dentist is now {v}.", "My dentist is no longer {o} but {v}."),
        ),
        Phrasings(("Who is {my} dentist?",), ("Who's {my} dentist now?", "What is the name of {my} dentist?")),
        Phrasings(
            ("Who looks after {my} teeth?",),
            ("Who takes care of {my} teeth these days?", "Who would {i} see about a cavity?"),
        ),
    ),
    Attribute(
        "desk",
        ("3A", "7C", "12F", "5B", "9D"),
        Phrasings(
            ("My desk is {v}.", "My desk at the office is {v}.", "I sit at desk {v}."),
            (
                "My desk is now {v} by the window.",
                "I'm sitting at desk {v}, my desk is {v}.",
                "They put me at desk {v}.",
            ),
        ),
        Phrasings(
            ("I moved my desk from {o} to {v}.", "Actually my desk is {v}, not {o}."),
            (
                "My desk has changed to {v}.",
                "My desk isn't {o} anymore, it's {v}.",
                "I swapped my desk {o} for desk {v}.",
            ),
        ),
        Phrasings(
            ("What is {my} desk?", "Which desk {do} {i} sit at?"), ("What's {my} desk now?", "Which desk is {my} desk?")
        ),
        Phrasings(
            ("Where in the office can you find {me}?",),
            ("Where {do} {i} sit at the office?", "At which place in the office is {my} workstation?"),
        ),
    ),
    Attribute(
        "streaming",
        ("Filmbox", "Cinelux", "Streamly", "Vidora", "Reelhouse"),
        Phrasings(
            ("My streaming service is {v}.", "I use {v} for streaming."),
            (
                "My streaming subscription is with {v}: my streaming service is {v}.",
                "For streaming I use {v}.",
                "I subscribe to {v}, it's my streaming service.",
            ),
        ),
        Phrasings(
            ("I switched my streaming service from {o} to {v}.", "Actually I use {v} for streaming now."),
            ("I cancelled {o}, my streaming service is {v} now.", "My streaming service is {v} instead of {o}."),
        ),
        Phrasings(
            ("What is {my} streaming service?",),
            ("Which streaming service {do} {i} use?", "What streaming service {do} {i} have now?"),
        ),
        Phrasings(
            ("Where {do} {i} watch films?",),
            ("On which platform {do} {i} watch series?", "What {do} {i} pay for to watch movies at home?"),
        ),
    ),
)

CHATTER: Sequence[str] = (
    "Saw a documentary about {v} last night, not bad.",
    "Somebody at lunch would not stop talking about {v}.",
    "My brother's neighbour swears by {v}.",
    "I dreamt about {v} again.",
    "Tom from accounting mentioned {v} in passing.",
    "Is {v} any good, do you think?",
    "There was an article on {v} in the paper.",
    "I was thinking of {v} once, but it never happened.",
)
OTHERS: Sequence[str] = (
    "My sister lives in Oslo.",
    "My cousin works for Cyberdyne.",
    "My mother's phone number is 555-4409.",
    "My brother drives a Saab.",
    "My niece's favorite color is pink.",
    "My aunt's locker code is 1200.",
    "My flatmate commutes by scooter.",
    "My dad's coffee order is a ristretto.",
    "My sister's dentist is Dr. Brandt.",
    "My neighbour's email is owl@mail.example.",
    "My work email password expired again.",
    "Locker rooms at the new pool are freezing.",
    "The parking code of the garage is 3300.",
    "My bike lock code is 818.",
)
SMALL_TALK: Sequence[str] = (
    "What a week, I could sleep for days.",
    "The weather has been lovely.",
    "Did you watch the match yesterday?",
    "I need to buy milk on the way home.",
    "Dinner was great, thanks again!",
    "I finally finished cleaning the kitchen.",
    "The meeting ran an hour late again.",
    "Anyone up for a walk on Sunday?",
    "I keep forgetting to water the plants.",
    "My back hurts from all that sitting.",
    "We should catch up soon.",
    "I baked bread and it even rose.",
    "The train was delayed again this morning.",
    "I can't find my blue scarf anywhere.",
    "My laptop is slow today.",
    "Someone parked their car in front of the gate.",
    "I lost my phone for an hour, it was in the fridge.",
    "I spent the morning answering email.",
    "The coffee at the station is terrible.",
    "I had to see the dentist for a check-up, no holes.",
    "City traffic was awful today.",
    "The office is too loud on Mondays.",
)


@dataclass(slots=True)
class Told:
    """One statement of a value, and since when it holds."""

    key: str
    value: str
    at: datetime
    corrected: bool


@dataclass(slots=True)
class User:
    """A user: whose memory, under which name, and what was said of each attribute in order of time."""

    tenant: str
    name: str
    alone: bool
    told: dict[str, list[Told]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the events that answer it, and those that did once."""

    user: User
    text: str
    style: str
    right: frozenset[str]
    stale: frozenset[str]
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class World:
    """Everything that is told and asked."""

    users: Sequence[User]
    events: Mapping[str, Sequence[Experience]]
    questions: Sequence[Question]


def generated(users: int, seed: int, split: str) -> World:
    """A year of ``users`` users, the same for the same arguments."""
    draw = random.Random(seed)
    people = [
        User(
            f"user:{n}" if n % 3 == 0 else f"group:{n // 12}",
            "user" if n % 3 == 0 else _NAMES[n % len(_NAMES)],
            n % 3 == 0,
        )
        for n in range(users)
    ]
    events: dict[str, list[tuple[int, Experience]]] = {}
    questions: list[Question] = []
    for number, user in enumerate(people):
        events.setdefault(user.tenant, [])

        def say(text: str, at: datetime, *, late: bool = False, user: User = user, number: int = number) -> str:
            key = f"{number}:{len(events[user.tenant])}"
            experience = Experience(
                content=text[0].upper() + text[1:], actor=user.name, source="chat", occurred_at=at, idempotency_key=key
            )
            events[user.tenant].append((1 if late else 0, experience))
            return key

        for attribute in ATTRIBUTES:
            values = draw.sample(list(attribute.values), draw.choice((2, 2, 3, 4)))
            days = sorted(draw.sample(range(5, 380), len(values)))
            told = user.told[attribute.name] = []
            for place, (value, day) in enumerate(zip(values, days, strict=True)):
                style = "plain" if place == 0 else draw.choice(("plain", "corrected", "corrected"))
                lists = attribute.corrected if style == "corrected" else attribute.said
                text = draw.choice(list(lists.of(split))).format(v=value, o=values[place - 1])
                late = place == len(values) - 2 and place > 0 and draw.random() < 0.3
                at = _START + timedelta(days=day, minutes=draw.randrange(600))
                told.append(Told(say(text, at, late=late), value, at, style == "corrected"))
            unused = [value for value in attribute.values if value not in values]
            for value in [*values, *unused[:1]]:
                if draw.random() < 0.6:
                    say(draw.choice(CHATTER).format(v=value), _START + timedelta(days=draw.uniform(5, 385)))
            questions.extend(_asked(user, attribute, split))
        for text in draw.sample(OTHERS, 8) + draw.sample(SMALL_TALK, 18):
            say(text, _START + timedelta(days=draw.uniform(0, 390)))
    ordered = {
        tenant: [e for _, e in sorted(told, key=lambda pair: (pair[0], pair[1].occurred_at or _START))]
        for tenant, told in events.items()
    }
    return World(people, ordered, questions)


def _asked(user: User, attribute: Attribute, split: str) -> list[Question]:
    told = user.told[attribute.name]
    last = told[-1]
    right = frozenset(t.key for t in told if t.value == last.value)
    stale = frozenset(t.key for t in told if t.value != last.value)
    words = (
        {"do": "do", "i": "I", "my": "my", "me": "me", "s": ""}
        if user.alone
        else {"do": "does", "i": user.name, "my": f"{user.name}'s", "me": user.name, "s": "s"}
    )
    made = [
        Question(user, phrase.format(**words), style + ("_corrected" if last.corrected else ""), right, stale)
        for style, phrases in (("direct", attribute.direct), ("paraphrased", attribute.paraphrased))
        for phrase in phrases.of(split)
    ]
    before = told[-2]
    made.append(
        Question(
            user,
            attribute.direct.of(split)[0].format(**words),
            "as_of",
            frozenset(t.key for t in told[:-1] if t.value == before.value),
            frozenset(),
            last.at - timedelta(minutes=1),
        )
    )
    return made


Ranker = Callable[[Question], Sequence[str]]


def measured(answers: Sequence[tuple[Question, Sequence[str]]]) -> dict[str, float]:
    """The measures of one method's answers: for each question the keys it ranked, best first."""

    def first(chosen: Callable[[Question], bool]) -> float:
        hits = [bool(keys) and keys[0] in question.right for question, keys in answers if chosen(question)]
        return mean(hits) if hits else math.nan

    def is_stale(question: Question, keys: Sequence[str]) -> bool:
        for key in keys:
            if key in question.right:
                return False
            if key in question.stale:
                return True
        return False

    present = [(q, keys) for q, keys in answers if q.as_of is None]
    return {
        "current_at_1_direct": first(lambda q: q.style.startswith("direct")),
        "current_at_1_paraphrased": first(lambda q: q.style.startswith("paraphrased")),
        "stale_above_current": mean(is_stale(q, keys) for q, keys in present),
        "corrected_at_1": first(lambda q: q.style == "direct_corrected"),
        "as_of_at_1": first(lambda q: q.as_of is not None),
    }


def rankers(memory: Memory, events: Sequence[Experience]) -> dict[str, Ranker]:
    """The simple methods over one memory's events, by name."""
    keys = [str(event.idempotency_key) for event in events]
    stems = English(memory)
    index = Bm25(stems.tokens([f"{event.actor}: {event.content}" for event in events]))

    def bm25(question: Question) -> dict[str, float]:
        return dict(zip(keys, index.scores(stems.tokens([question.text])[0]), strict=True))

    known: dict[str, dict[str, float]] = {}

    def cosine(question: Question) -> dict[str, float]:
        if question.text in known:
            return known[question.text]
        rows = memory.rows(
            "WITH question AS MATERIALIZED (SELECT cognifold.embed(%s, 'query')::halfvec AS vector) "
            "SELECT n.idempotency_key AS key, 1 - (e.vector <=> q.vector) AS cosine "
            "FROM question AS q CROSS JOIN cognifold.embedding AS e "
            "JOIN cognifold.node AS n ON n.tenant_id = e.tenant_id AND n.id = e.node_id "
            "WHERE e.tenant_id = cognifold.current_tenant() AND e.kind = 'event'",
            [question.text],
        )
        known[question.text] = {row["key"]: max(row["cosine"], 0.0) for row in rows}
        return known[question.text]

    def fused(question: Question) -> dict[str, float]:
        scores: dict[str, float] = dict.fromkeys(keys, 0.0)
        for method in (bm25, cosine):
            found = method(question)
            for place, key in enumerate(sorted(found, key=lambda k: -found[k])):
                scores[key] += 1 / (60 + place)
        return scores

    at = {str(event.idempotency_key): event.occurred_at or _START for event in events}

    def ranker(method: Callable[[Question], dict[str, float]], recency: bool) -> Ranker:
        def rank(question: Question) -> Sequence[str]:
            now = question.as_of or _NOW
            scores = {
                key: score * (0.7 + 0.3 * math.exp(-(now - at[key]) / timedelta(days=30)) if recency else 1)
                for key, score in method(question).items()
                if at[key] <= now
            }
            return sorted((k for k in scores if scores[k] > 0), key=lambda k: (-scores[k], k))[:_K]

        return rank

    return {
        name + ("_recency" if recency else ""): ranker(method, recency)
        for name, method in (("embedder", cosine), ("bm25", bm25), ("rrf", fused))
        for recency in (False, True)
    }


def measure(dsn: str, users: int, seed: int, split: str, show: int = 0) -> Report:
    """Run the benchmark in the database ``dsn``, which must hold none of these tenants yet."""
    console = Console(stderr=True)
    world = generated(users, seed, split)
    answers: dict[str, list[tuple[Question, Sequence[str]]]] = {}
    milliseconds: list[float] = []
    texts: dict[str, str] = {}
    for tenant, events in world.events.items():
        with Memory(dsn, tenant=tenant, pool_size=1, learn=False) as memory:
            memory.create_tenant()
            for event in events:
                texts[str(event.idempotency_key)] = event.content
            memory.remember_many(events)
            memory.fold_all(batch=50)
            keys = {
                r["id"]: r["idempotency_key"]
                for r in memory.rows(
                    "SELECT id, idempotency_key FROM cognifold.node "
                    "WHERE tenant_id = cognifold.current_tenant() AND kind = 'event'"
                )
            }
            methods = rankers(memory, events) if show == 0 else {}
            for question in world.questions:
                if question.user.tenant != tenant:
                    continue
                started = perf_counter()
                found = memory.recall(question.text, _K, kinds=["event"], as_of=question.as_of or _NOW)
                milliseconds.append(1000 * (perf_counter() - started))
                answers.setdefault("cognifold", []).append((question, [keys[m.node_id] for m in found]))
                for name, rank in methods.items():
                    answers.setdefault(name, []).append((question, rank(question)))
    own = answers.pop("cognifold")
    wrong = [(q, keys) for q, keys in own if not keys or keys[0] not in q.right]
    for question, ranking in wrong[:show]:
        console.print(
            f"[bold]{question.text}[/] ({question.user.name}, {question.style})"
            f"\n  right: {[texts[k] for k in question.right]}"
            f"\n  got:   {[texts[k] for k in ranking[:3]]}",
            highlight=False,
        )
    metrics = measured(own) | {"questions": len(own), "recall_ms_median": median(milliseconds)}
    baselines = {f"{name}.{key}": value for name, found in answers.items() for key, value in measured(found).items()}
    return Report(
        "current_value",
        package_version(),
        f"{users} generated users, seed {seed}, {split} phrasings",
        metrics,
        baselines,
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print the table, write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=24, help="how many users are generated")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other users")
    parser.add_argument("--phrasings", choices=("test", "tune"), default="test", help="which list of phrasings is used")
    parser.add_argument(
        "--show",
        type=int,
        default=0,
        metavar="N",
        help="print the first N questions answered wrongly, without the baselines",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report there, as JSON")
    parser.add_argument("--dsn", help="a PostgreSQL to use instead of the embedded one")
    options = parser.parse_args(argv)
    with scratch_database(options.dsn) as dsn:
        report = measure(dsn, options.users, options.seed, options.phrasings, options.show)
    finish(report, options.json)


if __name__ == "__main__":
    main()
