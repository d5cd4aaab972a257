"""Whoever heeds every delivery knows where each intent stands, whatever was done in whatever order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import psycopg
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Connection, at, value
from tests.delivery.desk import answer, create, drain, make_intents, remove
from tests.graph.plans import START, move_clock, rows, violations

# (what, which intent or plan, hours): each is tried, and what is refused changes nothing.
STEP = st.tuples(
    st.sampled_from(["make", "accept", "defer", "reject", "resolve", "remove", "undo", "expiry", "clock", "later"]),
    st.integers(0, 5),
    st.integers(1, 30),
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEP, min_size=3, max_size=14))
def test_the_deliveries_replayed_are_the_view_of_intents(
    steps: list[tuple[str, int, int]],
    new_tenant: Callable[..., str],
    desk: Connection,
    admin: Connection,
) -> None:
    desk.execute("SELECT set_config('cognifold.tenant', %s, false)", [new_tenant()])
    for connection in (desk, admin):
        move_clock(connection, START)
    create(desk)
    now = at(START)
    known: dict[UUID, str] = {}
    made: list[UUID] = make_intents(desk, "first")
    for number, (what, place, hours) in enumerate(steps):
        intent = made[place % len(made)]
        plans = rows(desk, "SELECT plan_id FROM cognifold.plan WHERE status = 'applied' ORDER BY version DESC")
        wake_at = (now + timedelta(hours=hours)).isoformat()
        try:
            with desk.transaction():
                if what == "make":
                    made += make_intents(desk, f"intent {number}")
                elif what == "remove":
                    remove(desk, intent)
                elif what == "undo":
                    value(desk, "SELECT cognifold.undo_plan(%s, true)", plans[place % len(plans)]["plan_id"])
                elif what == "expiry":
                    admin.execute(
                        "UPDATE cognifold.intent_state SET expires_at = %s WHERE node_id = %s", [wake_at, intent]
                    )
                elif what not in ("clock", "later"):
                    answer(desk, intent, what, wake_at if what == "defer" else None)
        except psycopg.DatabaseError as error:
            assert (error.sqlstate or "").startswith("CF"), error
        if what in ("clock", "later"):
            now += timedelta(hours=hours if what == "clock" else 1)
            for connection in (desk, admin):
                move_clock(connection, now.isoformat())
        if number % 3 == 0:
            continue  # nobody looks for a while
        desk.execute("SELECT cognifold.note_alarms()")
        for delivery in drain(desk):
            if delivery["kind"] == "withdrawn":
                del known[delivery["intent_id"]]  # it was known
            else:
                known[delivery["intent_id"]] = delivery["payload"]["status"]
        view = rows(desk, "SELECT id, status FROM cognifold.intent")
        assert known == {row["id"]: row["status"] for row in view}
    assert [row for row in violations(desk) if "told" in row[0] or "alarm" in row[0]] == []
    positions = [row["position"] for row in rows(desk, "SELECT position FROM cognifold.outbox ORDER BY 1")]
    assert positions == list(range(1, len(positions) + 1))
