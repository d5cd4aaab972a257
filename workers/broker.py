"""A Dramatiq broker by its URL: PostgreSQL, where nothing else need run; Redis or RabbitMQ, where they do already.

Messages are doorbells: they say whose work to look at and hold none of it. The tables are the truth, so a broker may
lose messages, deliver them twice, or be away for a day: the sweeper of the next worker rings for whatever is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg

from cognifold_pg.errors import CognifoldError, InvalidValueError

if TYPE_CHECKING:
    from dramatiq import Broker

# Where the PostgreSQL broker keeps its messages: beside the memory, and no part of it.
SCHEMA = "dramatiq"


def make_broker(url: str) -> Broker:
    """The broker of ``url``: ``postgresql://`` (or libpq's ``key=value`` words), ``redis://``, ``amqp://``.

    A PostgreSQL broker's tables are made where they are missing and the role may; else a :class:`CognifoldError` says
    who must. Nothing global is set: give the broker to :func:`~cognifold_pg.workers.actors.make_actors`.
    """
    scheme = urlsplit(url).scheme if "://" in url else "postgresql"
    try:
        if scheme in ("postgresql", "postgres"):
            from dramatiq_postgres import PostgresBroker

            prepare(url)
            broker: Broker = PostgresBroker(url=url, results=False)
        elif scheme in ("redis", "rediss"):
            from dramatiq.brokers.redis import RedisBroker

            broker = RedisBroker(url=url)  # type: ignore[no-untyped-call]
        elif scheme in ("amqp", "amqps"):
            from dramatiq.brokers.rabbitmq import RabbitmqBroker

            broker = RabbitmqBroker(url=url)
        else:
            raise InvalidValueError(f"No broker is known by {scheme}://. Give postgresql://, redis:// or amqp://.")
    except ImportError as error:
        extra = {"redis": "workers-redis", "rediss": "workers-redis", "amqp": "workers-rabbitmq",
                 "amqps": "workers-rabbitmq"}.get(scheme, "workers")  # fmt: skip
        raise CognifoldError(f"{error}. It comes with: pip install 'cognifold-pg[{extra}]'") from error
    return broker


def prepare(dsn: str) -> bool:
    """Make the PostgreSQL broker's tables, for members of ``cognifold_worker`` to use; False where they are there."""
    from dramatiq_postgres.schema import init, schema_exists

    try:
        with psycopg.connect(dsn) as connection, connection.cursor() as cursor:
            if schema_exists(cursor, SCHEMA):
                return False
            made: bool = init(cursor, SCHEMA)
            for grant in (
                f"USAGE ON SCHEMA {SCHEMA}",
                f"SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA}",
                f"USAGE ON ALL SEQUENCES IN SCHEMA {SCHEMA}",
            ):
                cursor.execute(f"GRANT {grant} TO cognifold_worker".encode())
            return made
    except psycopg.errors.InsufficientPrivilege as error:
        raise CognifoldError(
            f"The broker's tables are missing, and this role may not make them ({error.diag.message_primary}). Once, "
            "as the database's owner: python -c 'from cognifold_pg.workers.broker import prepare; prepare(\"...\")'"
        ) from error
