"""What is lived through before a snapshot is taken: a row in every table an upgrade could spoil, made by the verbs.

Only SQL that release 0.1.0 has, for it runs on a schema of the release whose snapshot is made.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

Connection = psycopg.Connection[Any]

# Roles that a snapshot speaks of: to be made before one is restored, with these memberships.
ROLES = {
    "test_upgrade_app": ("cognifold_writer", "cognifold_multitenant", "cognifold_clock"),
    "test_upgrade_bound": ("cognifold_writer",),
}

# The tenant of the shipped demo, lived through by the old package itself, and the one that is made here.
DEMO = "demo"
ALLOTMENT = "allotment"

# When the questions are asked, on the memory's clock.
ASKED_AT = "2026-06-15T12:00:00+00:00"
QUESTIONS = {
    DEMO: [
        "Why does the workshop wall stay damp?",
        "Why do customers give up at the checkout?",
        "Does Orla want to have a stall at the market?",
    ],
    ALLOTMENT: ["What happened to the water pump?", "who waters the beans", "Which ticket is about slugs?"],
}

# Tables that must not be empty, or the snapshot shows nothing of what an upgrade does to them.
FILLED = (
    "actor_name", "concept_state", "consolidation_run", "delivery", "embedding", "folded_event",
    "graph_edge", "insight_state", "intent_action_state", "intent_feedback", "intent_state", "intent_transition",
    "job_run", "journal", "node", "node_content", "node_rank", "node_state", "outbox", "outbox_consumer", "plan",
    "posting", "recall_log", "schedule", "setting", "state_statement", "tenant", "tenant_member", "watch", "webhook",
    "work", "worker_process",
)  # fmt: skip


def live(admin: Connection, app: Connection) -> dict[str, Any]:
    """Live through it, as an administrator and an application; what is worth knowing of it later.

    ``admin`` is in autocommit mode, as ``app``, which speaks as test_upgrade_app.
    """
    value(app, "SELECT set_config('cognifold.tenant', %s, false)", ALLOTMENT)
    value(app, "SELECT cognifold.create_tenant(%s, 'The allotment', 'Europe/Lisbon')", ALLOTMENT)
    value(admin, "SELECT cognifold.bind_role('test_upgrade_bound', %s)", ALLOTMENT)
    value(app, "SELECT cognifold.set_setting('fold.attempts', 4)")
    start = datetime(2026, 4, 6, 8, tzinfo=UTC)
    at(app, start)
    said = (
        "The water pump of the allotment leaks at the joint",
        "Rui waters the beans before sunrise",
        "The water pump leaks again, the joint is worn",
        "Rui waters the beans, the tank is half empty",
        "Ana ordered a new joint for the water pump, to be fetched by 24 April 2026",
        "The water pump must be repaired before the heat comes",
        "Rui moved to Lisbon in March",
        "Slugs ate the lettuce in the northern bed",
    )
    events = [
        value(
            app,
            "SELECT cognifold.remember(%s, occurred_at => %s, actor => %s, idempotency_key => %s, source => 'notes')",
            text, start + timedelta(days=n), "Rui" if "Rui" in text else "Ana", f"note {n}",
        )
        for n, text in enumerate(said)
    ]  # fmt: skip
    at(app, start + timedelta(days=9))
    app.execute("SELECT * FROM cognifold.fold(100)").fetchall()
    value(app, "SELECT cognifold.create_consumer('pager', from_start => true)")
    value(admin, "SELECT cognifold.create_consumer('hook', from_start => true, tenant => %s)", ALLOTMENT)
    admin.execute("SELECT cognifold.set_webhook('hook', 'https://hooks.example.org/memory', tenant => %s)", [ALLOTMENT])

    # Plans of a person's own: one to be undone after the upgrade, one undone before it.
    concept = plan(app, {"op": "ADD_NODE", "kind": "concept", "title": "The pump is worn", "ref": "pump",
                         "grounded_in": [str(events[0]), str(events[2])]})  # fmt: skip
    pump = concept["refs"]["pump"]
    plan(app, {"op": "ADD_INSIGHT", "node": pump, "kind": "noted", "insight": "It leaks when the night was cold",
               "confidence": 0.6, "abstraction_level": "specific", "grounded_in": [str(events[0])]})  # fmt: skip
    undone = plan(app, {"op": "UPDATE_NODE", "node": pump, "title": "The pump is new"})
    value(app, "SELECT cognifold.undo_plan(%s)", undone["plan_id"])
    kept = plan(app, {"op": "UPDATE_NODE", "node": pump, "title": "The pump is old"})
    app.execute("SELECT * FROM cognifold.emit_intents()").fetchall()
    wanted = plan(app, {"op": "ADD_NODE", "kind": "intent", "title": "Repair the water pump", "ref": "repair",
                        "grounded_in": [str(event) for event in events[:3]]},
                       {"op": "ADD_EDGE", "source": pump, "target": "repair", "type": "triggers"})  # fmt: skip
    intent = wanted["refs"]["repair"]
    app.execute("SELECT cognifold.propose_actions(%s)", [intent])
    value(app, "SELECT cognifold.set_action(%s, what => 'Fetch the joint')", intent)
    value(app, "SELECT cognifold.answer_intent(%s, 'defer', 'when the joint is here')", intent)
    value(app, "SELECT cognifold.consolidate()")
    value(app, "SELECT cognifold.set_schedule('consolidate', every => '2 hours')")
    app.execute("SELECT cognifold.take_deliveries('pager', 2)").fetchall()
    recalled = [row[0] for row in app.execute("SELECT node_id FROM cognifold.recall('the water pump', 3)")]
    value(app, "SELECT cognifold.note_recall(%s)", recalled)

    # A table that feeds it, and a worker that was there.
    admin.execute("CREATE TABLE ticket (id bigint PRIMARY KEY, subject text)")
    value(admin, "SELECT set_config('cognifold.tenant', %s, false)", ALLOTMENT)
    value(admin, "SELECT cognifold.watch('ticket', 'Ticket {id}: {subject}')")
    admin.execute("INSERT INTO ticket VALUES (1, 'Slugs in the northern bed, eggs under the boards')")
    app.execute("SELECT * FROM cognifold.fold(100)").fetchall()
    admin.execute("INSERT INTO ticket VALUES (2, 'The shed has a new lock')")
    value(admin, "SELECT cognifold.note_worker('old host:1', '0.1.0', ARRAY['fold', 'light'], 9)")
    value(admin, "SELECT cognifold.note_due_jobs(%s)", ALLOTMENT)
    value(admin, "SELECT cognifold.ask_job('consolidate', %s)", ALLOTMENT)
    admin.execute("SELECT * FROM cognifold.claim_jobs(1, tenants => %s, worker => 'old host:1')", [[ALLOTMENT]])

    # One event is dead, one under a lease, one waits.
    for text in ("A page that no planner understood", "Rui is folding this", "The beans have their first flowers"):
        value(app, "SELECT cognifold.remember(%s, source => 'notebook')", text)
        if text.startswith("A page"):
            [(event, fence, _)] = app.execute("SELECT * FROM cognifold.claim_folds(1)").fetchall()
            app.execute("SELECT * FROM cognifold.fail_claimed(%s, %s, 'dead', 'test', 'no plan')", [[event], fence])
        elif text.startswith("Rui"):
            app.execute("SELECT * FROM cognifold.claim_folds(1, '1 second', 'old host:1')").fetchall()
    return {"undo": kept["plan_id"], "concept": pump, "title_before": "The pump is worn"}


def answers(app: Connection) -> dict[str, dict[str, list[list[Any]]]]:
    """What each question brings: id and score of the first five."""
    found: dict[str, dict[str, list[list[Any]]]] = {}
    at(app, datetime.fromisoformat(ASKED_AT))
    for tenant, questions in QUESTIONS.items():
        value(app, "SELECT set_config('cognifold.tenant', %s, false)", tenant)
        found[tenant] = {
            question: [
                [str(node), round(score, 6)]
                for node, score in app.execute("SELECT node_id, score FROM cognifold.recall(%s, 5)", [question])
            ]
            for question in questions
        }
    return found


def numbers(app: Connection) -> dict[str, dict[str, int]]:
    """How much there is of each kind."""
    found: dict[str, dict[str, int]] = {}
    for tenant in QUESTIONS:
        value(app, "SELECT set_config('cognifold.tenant', %s, false)", tenant)
        found[tenant] = {
            view: value(app, f"SELECT count(*) FROM cognifold.{view} WHERE tenant_id = %s", tenant)
            for view in (
                "event",
                "concept",
                "intent",
                "edge",
                "insight",
                "plan",
                "journal",
                "fold_queue",
                "dead_letter",
            )
        }
    return found


def empty_tables(admin: Connection) -> list[str]:
    """Of :data:`FILLED`, those without a row."""
    return [table for table in FILLED if not value(admin, f"SELECT EXISTS (SELECT FROM cognifold.{table})")]


def plan(app: Connection, *operations: dict[str, Any]) -> dict[str, Any]:
    """Apply a plan; what the verb says of it."""
    result: dict[str, Any] = value(app, "SELECT cognifold.apply_plan(%s)", Jsonb({"operations": list(operations)}))
    return result


def at(app: Connection, moment: datetime) -> None:
    """Move the memory's clock for the session."""
    value(app, "SELECT set_config('cognifold.now', %s, false)", moment.isoformat())


def value(connection: Connection, query: str, *parameters: Any) -> Any:
    """The first column of the first row."""
    row = connection.execute(query.encode(), parameters).fetchone()
    assert row is not None, query
    return str(row[0]) if isinstance(row[0], UUID) else row[0]
