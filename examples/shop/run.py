"""The example, step by step: a database and its roles, the watches, four weeks of traffic, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from importlib import resources

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from cognifold_pg.client import Memory
from cognifold_pg.errors import CognifoldError
from cognifold_pg.examples.shop.traffic import FIRST, ZONE, Statement, by_day, traffic
from cognifold_pg.install import install
from cognifold_pg.workers.service import run_once

DATABASE = "cognifold_example"
MADE = "made by cognifold example"
ROLES = ("example_shop_owner", "example_shop_app", "example_shop_worker", "example_shop_manager")
OWNER, APP, WORKER, MANAGER = ROLES
TENANT = "shop"
CONSUMER = "manager"
QUESTIONS = ("What is wrong with the Brio?", "What did we promise Ines Duarte?")
_LOCK = 0x636F676E_65786D70  # one run at a time on a server


def play(server: str, console: Console, *, keep: bool = False, seed: int = 7) -> None:
    """Run all of it on the server of this DSN (a superuser's), in a database of its own that is dropped afterwards."""
    with own_database(server, keep=keep) as dsn:
        play_in(dsn, console, seed)
    console.print(Rule("afterwards"))
    if keep:
        say(console, f"Database {DATABASE} and four roles are kept. Look around:")
        say(console, f"  cognifold db psql, and there: \\c {DATABASE}")
        say(console, f"  SET cognifold.tenant = '{TENANT}'; SELECT title, status FROM cognifold.intent;")
    else:
        say(console, f"Database {DATABASE} and four roles are gone again; --keep leaves them.")


def play_in(dsn: str, console: Console, seed: int = 7) -> None:
    """The steps, in a database that has the memory and the roles."""
    with Memory(as_role(dsn, MANAGER), tenant=TENANT, clock=FIRST, pool_size=1, learn=False) as memory:
        set_up(console, dsn, memory)
        live(console, dsn, memory, traffic(seed))
        look_back(console, dsn, memory)


# ------------------------------------------------------------------------------------------------ 1. set-up


def set_up(console: Console, dsn: str, memory: Memory) -> None:
    """The tables, by their owner; the tenant; the watches, by the tables' owner."""
    console.print(Rule("1. a shop, and a memory it knows nothing of"))
    with psycopg.connect(dsn) as admin:
        admin.execute(f"CREATE SCHEMA shop AUTHORIZATION {OWNER}".encode())
    memory.create_tenant(display_name="A shop for coffee machines", time_zone=str(ZONE))
    memory.rows("SELECT cognifold.set_schedule('consolidate', every => '1 week')")  # instead of every six hours
    with psycopg.connect(as_role(dsn, OWNER, f"-c cognifold.tenant={TENANT}")) as owner:
        for file in ("schema.sql", "watches.sql"):
            owner.execute(text_of(file).encode())
        for name, operations in owner.execute("SELECT name, operations FROM cognifold.watched ORDER BY name"):
            say(console, f"{OWNER} watches {name}: {' and '.join(operations)}")
    with psycopg.connect(as_role(dsn, APP)) as app:
        try:
            app.execute("SELECT cognifold.remember('let me in')")
        except psycopg.errors.InsufficientPrivilege as error:
            say(console, f"{APP} writes rows, and no more:")
            say(console, f"  SELECT cognifold.remember(...): {error.diag.message_primary}")
        else:
            raise CognifoldError(f"{APP} could write to the memory")


# ------------------------------------------------------------------------------------------------ 2. four weeks


def live(console: Console, dsn: str, memory: Memory, statements: Sequence[Statement]) -> None:
    """By day the application writes; in the evening a worker does what waits, and the manager hears what came of it."""
    console.print(Rule("2. four weeks pass: rows, events, and what is told"))
    memory.create_consumer(CONSUMER)
    written = folded = 0
    with psycopg.connect(as_role(dsn, APP), autocommit=True) as app:
        for closing, executed in by_day(list(statements)):
            for statement in executed:
                app.execute(statement.sql.encode(), statement.values)
            written += len(executed)
            # `cognifold worker --once`, on the evening of that day.
            folded += run_once(as_role(dsn, WORKER, f"-c cognifold.now={closing.isoformat()}"))
            memory.clock = closing
            for told in memory.consume(CONSUMER, once=True):
                say(console, f"{day(closing)}  told: {told.kind:<9} {told.payload['title']}", style="bold yellow")
            if (closing - FIRST).days % 7 == 6:
                [made] = memory.rows("SELECT count(*) AS concepts FROM cognifold.concept WHERE merged_into IS NULL")
                counted = f"{written} rows written, {folded} events folded, {made['concepts']} concepts"
                say(console, f"{day(closing)}  {counted}")


# ------------------------------------------------------------------------------------------------ 3. what came of it


def look_back(console: Console, dsn: str, memory: Memory) -> None:
    """How the watches stand, what is wanted, and two questions."""
    console.print(Rule("3. how the watches stand"))
    with Memory(as_role(dsn, OWNER), tenant=TENANT, pool_size=1) as owner:
        for watch in owner.watched():
            numbers = f"{watch.events} events, {watch.waiting} waiting, {watch.faults} faults"
            say(console, f"{watch.name}: {watch.status}; {numbers}")
    console.print(Rule("4. what the shop wants, unasked"))
    for intent in memory.rows("SELECT * FROM cognifold.intent ORDER BY occurred_at, title"):
        due = f", due {day(intent['deadline'])}" if intent["deadline"] else ""
        say(console, f"{intent['title']} ({intent['status']}{due})", style="bold yellow")
        for line in intent["content"].splitlines()[:3]:
            say(console, f"  {line}")
    console.print(Rule("5. two questions"))
    for question in QUESTIONS:
        say(console, question, style="bold")
        for found in memory.recall(question, 3, kinds=["event"]):
            say(console, f"  {found.score:.2f}  {day(found.occurred_at)}  {found.actor}: {found.content}")


# ------------------------------------------------------------------------------------------------ beside it


def as_role(dsn: str, role: str, more: str = "") -> str:
    """``dsn`` as this role, which needs no password that way: the server's superuser steps down to it."""
    options = conninfo_to_dict(dsn).get("options") or ""
    return make_conninfo(dsn, options=f"{options} -c role={role} {more}".strip())


@contextmanager
def own_database(server: str, *, keep: bool) -> Iterator[str]:
    """A fresh database with the memory and the example's roles in it; gone afterwards, unless it is to be kept."""
    with psycopg.connect(server, autocommit=True) as admin:
        if not admin.execute("SELECT 1 FROM pg_roles WHERE rolname = current_user AND rolsuper").fetchone():
            raise CognifoldError("The example makes a database and roles: give a superuser's DSN, or leave it out.")
        [free] = admin.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK]).fetchone() or [False]
        if not free:
            raise CognifoldError("The example is running on this server already. Wait for it to end.")
        found = admin.execute(
            "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s", [DATABASE]
        ).fetchone()
        if found is not None and found[0] != MADE:
            raise CognifoldError(f"There is a database {DATABASE} that the example did not make; it is left alone.")
        _drop(admin)
        kept = False
        try:
            admin.execute(f"CREATE DATABASE {DATABASE} TEMPLATE template0 ENCODING 'UTF8'".encode())
            admin.execute(f"COMMENT ON DATABASE {DATABASE} IS '{MADE}'".encode())
            dsn = make_conninfo(server, dbname=DATABASE)
            install(dsn)
            with psycopg.connect(dsn) as maker:
                maker.execute(text_of("roles.sql").encode())
            yield dsn
            kept = keep
        finally:
            if not kept:
                _drop(admin)


def _drop(admin: psycopg.Connection[tuple[object, ...]]) -> None:
    admin.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)".encode())
    for role in ROLES:
        admin.execute(f"DROP ROLE IF EXISTS {role}".encode())


def text_of(file: str) -> str:
    """A file of this example."""
    return resources.files(__package__).joinpath(file).read_text("utf-8")


def day(moment: datetime) -> str:
    """4 May."""
    local = moment.astimezone(ZONE)
    return f"{local.day:>2} {local:%b}"


def say(console: Console, line: str, style: str = "") -> None:
    """A line of the console, cut where it ends."""
    console.print(Text(line, style=style), no_wrap=True, overflow="ellipsis")
