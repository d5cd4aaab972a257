"""A memory with something of everything in it: what a dump or an export must bring back as it was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from tests.conftest import Connection, value
from tests.delivery.desk import answer, create, undo
from tests.graph.plans import add_node, apply, fold, make_concept, merge_nodes, move_clock, remember, update_node

START = datetime(2024, 3, 4, 9, tzinfo=UTC)  # long enough ago that nothing in it is in the future

QUESTIONS = (
    "Why does the kiln fail?",
    "who ordered the heating coil?",
    "glaze",
    "Where does Mira live?",
    "the market stall on Friday",
)

SAYINGS = (
    "The kiln in the pottery needs a new heating coil before the autumn sale",
    "Ordered the heating coil for the kiln from the supplier in Delft",
    "The kiln failed again, the heating coil is broken",
    "The supplier in Delft confirmed the kiln heating coil for Friday",
    "Replaced the heating coil, the kiln reaches stoneware heat again",
    "Mira lives in Porto",
    "Mira moved to Lisbon and lives there now",
    "Tested the low cobalt glaze recipe on six plates, two crazed",
    "The second test of the low cobalt glaze recipe came out clean",
    "Mail to the market office about the stall for the autumn sale",
)

FORGOTTEN_KEY = "never mind"

# Texts that formats like to lose.
ODD = (
    "two\nlines,\ta tab, \\n no line, \\. no end",
    'quotes " and \' and ` and \\" and $$ and %s',
    "\u2028 a line that JavaScript ends, \x01\x02\x7f signs, \ufeff a mark",
    "Zoë, Łódź, 日本語, 🏺, e\u0301 and \u00e9",
    '{"type": "end", "lines": 3}',
)


def day(number: float) -> str:
    """So many days after START."""
    return (START + timedelta(days=number)).isoformat()


def fill(connection: Connection, admin: Connection, tenant: str) -> None:
    """Make the tenant and live through thirteen months of it."""
    connection.execute("SELECT cognifold.create_tenant(%s, %s, 'Europe/Lisbon')", [tenant, 'Zoë "the potter"'])
    connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    move_clock(connection, day(1))
    for number, saying in enumerate(SAYINGS):
        remember(connection, saying, day(number / 8), source="notes", actor="Mira" if number % 2 else "Ana Paula")
    for number, odd in enumerate(ODD):
        remember(connection, odd, day(number / 8), title=odd[:20], actor=odd[:9], source="odd")
    for number, payload in enumerate(_payloads()):
        remember(connection, f"A payload, number {number}", day(2), payload=Jsonb(payload), media=Jsonb([payload]))
    remember(connection, "Before there were clocks", "-infinity", idempotency_key='a "key"')
    remember(connection, "In the time of Caesar", "0044-03-15 12:00:00.000001+00 BC", occurred_precision="day")
    remember(connection, "At the end of time", "infinity")
    remember(connection, "Fired all night", day(1), ended_at=day(2), emotional_weight=-0.123457, arousal=1)
    fold(connection)
    _set(connection)
    _want(connection)
    _merge_and_undo(connection)
    _sleep(connection)
    _rest(admin, tenant)
    _keep_and_forget(connection, admin, tenant)
    _wait(connection)
    _recall(connection)
    # A pass is half done, and since its first step somebody recalled something and renamed something.
    apply(connection, update_node(_concept(connection), title="Renamed before the pass"))
    connection.execute("SELECT cognifold.consolidate_step(NULL)")
    connection.execute("SELECT cognifold.note_recall(ARRAY[%s])", [_concept(connection)])
    apply(connection, update_node(_concept(connection), title="Renamed since the pass"))


def _payloads() -> tuple[Any, ...]:
    return (
        None,  # JSON's null, which is a value
        {"deep": [None, {"empty": {}, "none": None}], "big": 10**40, "small": -1e-300, 'a "key"': "\n\\"},
        12345678901234567890.5,
        [],
    )


def _set(connection: Connection) -> None:
    connection.execute("SELECT cognifold.set_setting('fold.related', 4)")
    connection.execute("SELECT cognifold.set_setting('consolidate.idle_hours', 100)")
    connection.execute("SELECT cognifold.set_setting('archive.minimum', 1)")
    connection.execute("SELECT cognifold.set_decay('semantic', 0.001, %s)", [day(1.5)])
    connection.execute("SELECT cognifold.set_schedule('consolidate', interval '1 day 02:03:04.5', 7, false)")


def _want(connection: Connection) -> None:
    move_clock(connection, day(3))
    create(connection, "pager", from_start=True)
    create(connection, "board", kinds=["woken", "expired"])
    event = remember(connection, "Somebody wants a plug, a wall, clay and a shelf", day(3))
    titles = ("Buy a plug", "Paint the wall", "Order clay", "Build a shelf")
    wanted = (add_node("intent", title, event, ref=f"n{n}", content="why") for n, title in enumerate(titles))
    refs = apply(connection, *wanted)["refs"]
    plug, paint, clay, shelf = (UUID(refs[f"n{n}"]) for n in range(4))
    answer(connection, plug, "accept")
    answer(connection, paint, "defer", day(1000))
    answer(connection, clay, "reject")
    connection.execute("SELECT cognifold.set_action(%s, 1, 'proposed', 'Measure the wall', %s)", [shelf, day(900)])
    connection.execute("SELECT * FROM cognifold.emit_intents()")
    # One is acknowledged, the others are in a worker's hands when the export is made.
    taken = connection.execute(
        "SELECT position, fence FROM cognifold.take_deliveries('pager', 3, interval '1 day', 'w')"
    ).fetchall()
    connection.execute("SELECT cognifold.acknowledge('pager', ARRAY[%s]::bigint[], %s)", taken[0])


def _merge_and_undo(connection: Connection) -> None:
    events = [event for (event,) in connection.execute("SELECT id FROM cognifold.event ORDER BY id LIMIT 9").fetchall()]
    one = make_concept(connection, "Coils", *events[:2])
    other = make_concept(connection, "Glazes", *events[7:9])
    apply(connection, merge_nodes(one, other, survivor=one))
    plan = apply(connection, update_node(one, title="Coils of kilns"))["plan_id"]
    undo(connection, plan)
    apply(
        connection,
        update_node(one, annotations={"colour": "red", "size": {"cm": 40, "of": [None]}}),
        {"op": "ADD_INSIGHT", "node": str(one), "kind": "noted", "insight": "Coils do not last", "confidence": 0.5,
         "abstraction_level": "general", "grounded_in": [str(events[0])]},
    )  # fmt: skip


def _recall(connection: Connection) -> None:
    for _ in range(2):
        ids = connection.execute("SELECT node_id FROM cognifold.recall('the kiln', 3)").fetchall()
        connection.execute("SELECT cognifold.note_recall(%s)", [[node for (node,) in ids]])
    connection.execute("SELECT cognifold.count_recalls(NULL)")


def _sleep(connection: Connection) -> None:
    for number in (3.1, 3.2, 12, 30, 400):
        move_clock(connection, day(number))
        connection.execute("SELECT cognifold.consolidate(NULL)")
    connection.execute("SELECT cognifold.note_alarms()")


def _rest(admin: Connection, tenant: str) -> None:
    """Some of it is archived, its texts in packs."""
    resting = value(
        admin,
        "SELECT array_agg(node_id) FROM (SELECT node_id FROM cognifold.node_state "
        "WHERE tenant_id = %s AND consolidation_state = 'consolidating' ORDER BY node_id LIMIT 12)",
        tenant,
    )
    with admin.transaction():
        admin.execute("SELECT set_config('cognifold.tenant', %s, true)", [tenant])
        admin.execute(
            "UPDATE cognifold.node_state SET consolidation_state = 'archived' "
            "WHERE tenant_id = %s AND node_id = ANY (%s)",
            [tenant, resting],
        )
        admin.execute("SELECT cognifold.place_content(%s, %s, true)", [tenant, resting])


def _keep_and_forget(connection: Connection, admin: Connection, tenant: str) -> None:
    """Rules of retention, a pass that is open, an event that is forgotten, and somebody who asks."""
    connection.execute(
        "SELECT cognifold.set_retention('a', interval '100 years', sources => '{odd,notes}'), "
        "cognifold.set_retention('b', interval '200 years', privacy_levels => '{public}')"
    )
    connection.execute("SELECT cognifold.apply_retention()")
    connection.execute("SELECT cognifold.set_retention('c', interval '1 year', sources => '{nobody}')")
    assert value(connection, "SELECT cognifold.apply_retention(max_nodes => 1)")["more"]
    forgotten = remember(connection, "Never mind", day(1), idempotency_key=FORGOTTEN_KEY)
    fold(connection)
    admin.execute("SELECT cognifold.forget(node_ids => %s, tenant => %s)", [[forgotten], tenant])
    connection.execute("SELECT cognifold.set_setting('audit.reads', 2)")
    connection.execute("SELECT FROM cognifold.recall('the kiln', 3)")
    connection.execute("SELECT cognifold.set_setting('audit.reads', 0)")


def _wait(connection: Connection) -> None:
    """One event waits, one is in somebody's hands, one has failed for good."""
    remember(connection, "Nobody folded this yet", day(399))
    remember(connection, "This one nobody could fold", day(398))
    dead, fence = connection.execute("SELECT event_id, fence FROM cognifold.claim_folds(1)").fetchall()[0]
    connection.execute("SELECT cognifold.fail_claimed(ARRAY[%s]::uuid[], %s, 'dead', 'X', 'no')", [dead, fence])
    connection.execute("SELECT FROM cognifold.claim_folds(1, interval '1 microsecond', 'gone')")


def _concept(connection: Connection) -> UUID:
    concept: UUID = value(
        connection,
        "SELECT id FROM cognifold.concept WHERE title <> 'Coils' AND merged_into IS NULL ORDER BY id LIMIT 1",
    )
    return concept


def answers(connection: Connection) -> list[Any]:
    """What recall says to each question at one moment: ids, order and scores."""
    return [
        connection.execute(
            "SELECT node_id, score FROM cognifold.recall(%s, 10, as_of => %s)", [question, day(401)]
        ).fetchall()
        for question in QUESTIONS
    ]


def rows_of(admin: Connection, table: str, tenant: str, without: list[str]) -> list[str]:
    """A tenant's rows of a table, in order, without the tenant and these columns."""
    return [
        row
        for (row,) in admin.execute(
            f"SELECT (to_jsonb(s) - 'tenant_id' - %s::text[])::text FROM cognifold.{table} AS s "
            "WHERE s.tenant_id = %s ORDER BY 1".encode(),
            [without, tenant],
        ).fetchall()
    ]


def tables(admin: Connection) -> list[str]:
    """Every table with a tenant, from the catalog."""
    return [
        name
        for (name,) in admin.execute(
            "SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid "
            "WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'tenant_id' "
            "ORDER BY 1"
        ).fetchall()
    ]


def count(admin: Connection, table: str, tenant: str) -> int:
    number: int = value(admin, f"SELECT count(*) FROM cognifold.{table} WHERE tenant_id = %s", tenant)
    return number
