"""Intents made by plain plans, and what was told of them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tests.conftest import Connection, value
from tests.graph.plans import add_node, apply, remember, remove_node, rows


def make_intents(connection: Connection, *titles: str) -> list[UUID]:
    """One plan that states these intents, each grounded in one event."""
    event = remember(connection, f"Somebody wants {titles[0]}")
    nodes = (add_node("intent", title, event, ref=f"n{n}", content="why") for n, title in enumerate(titles))
    refs = apply(connection, *nodes)["refs"]
    return [UUID(refs[f"n{number}"]) for number in range(len(titles))]


def make_intent(connection: Connection, title: str = "Buy a plug") -> UUID:
    return make_intents(connection, title)[0]


def remove(connection: Connection, *intents: UUID) -> UUID:
    """One plan that removes them; its id."""
    return UUID(apply(connection, *(remove_node(intent) for intent in intents))["plan_id"])


def answer(connection: Connection, intent: UUID, said: str, wake_at: str | None = None) -> UUID:
    event: UUID = value(connection, "SELECT cognifold.answer_intent(%s, %s, NULL, %s)", intent, said, wake_at)
    return event


def last_plan(connection: Connection) -> UUID:
    plan: UUID = value(connection, "SELECT plan_id FROM cognifold.plan ORDER BY version DESC LIMIT 1")
    return plan


def undo(connection: Connection, plan: UUID | str, cascade: bool = False) -> UUID:
    return UUID(value(connection, "SELECT cognifold.undo_plan(%s, %s)", plan, cascade)["plan_id"])


def told(connection: Connection, intent: UUID | None = None) -> list[dict[str, Any]]:
    """The outbox in order, or what it holds of one intent."""
    return rows(
        connection,
        "SELECT * FROM cognifold.outbox WHERE node_id = coalesce(%s, node_id) ORDER BY position",
        intent,
    )


def kinds(connection: Connection, intent: UUID | None = None) -> list[str]:
    return [row["kind"] for row in told(connection, intent)]


def create(connection: Connection, name: str = "app", **more: Any) -> bool:
    names = "".join(f", {argument} => %s" for argument in more)
    made: bool = value(connection, f"SELECT cognifold.create_consumer(%s{names})", name, *more.values())
    return made


def take(
    connection: Connection, consumer: str = "app", number: int = 10, lease: str = "1 hour"
) -> list[dict[str, Any]]:
    return rows(connection, "SELECT * FROM cognifold.take_deliveries(%s, %s, %s)", consumer, number, lease)


def acknowledge(connection: Connection, *deliveries: dict[str, Any], consumer: str = "app") -> int:
    number: int = value(
        connection, "SELECT cognifold.acknowledge(%s, %s, %s)", consumer, [row["position"] for row in deliveries],
        deliveries[0]["fence"],
    )  # fmt: skip
    return number


def fail(connection: Connection, delivery: dict[str, Any], retry_after: str | None = None) -> dict[str, Any]:
    [row] = rows(
        connection, "SELECT * FROM cognifold.fail_delivery('app', %s, %s, 'the line was busy', %s)",
        [delivery["position"]], delivery["fence"], retry_after,
    )  # fmt: skip
    return row


def drain(connection: Connection, consumer: str = "app") -> list[dict[str, Any]]:
    """Take and acknowledge until nothing waits: what came, in order."""
    seen: list[dict[str, Any]] = []
    while taken := take(connection, consumer, 100):
        seen += taken
        acknowledge(connection, *taken, consumer=consumer)
    return seen


def lag(connection: Connection, consumer: str = "app") -> dict[str, Any]:
    [row] = rows(connection, "SELECT * FROM cognifold.delivery_lag WHERE consumer = %s", consumer)
    return row


def set_setting(connection: Connection, name: str, number: float) -> None:
    connection.execute("SELECT cognifold.set_setting(%s, %s)", [name, number])
