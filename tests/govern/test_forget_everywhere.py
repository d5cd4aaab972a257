"""A word that was planted wherever a text can be is nowhere after its events are forgotten, and does not come back."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Jsonb

from tests.conftest import Connection, value
from tests.govern.conftest import CANARY, GOVERNOR, TRACE, traces
from tests.graph.plans import add_edge, add_node, apply, concept, fold, move_clock, remember, update_node, violations

RULE = f"what {CANARY} brought"
# A rule of retention is a setting: it stays as somebody set it, until somebody takes it away.
OF_THE_RULE = {"cognifold.retention.name": 1, "cognifold.retention.sources": 1, "cognifold.retention_run.by_rule": 1}

OTHERS = [
    "The harbour crane needs a new cable before the storm",
    "The harbour crane cable is still worn, nobody has ordered the part",
    "We must replace the crane cable at the harbour soon",
    "The canteen serves lentil soup on Tuesdays",
    "Lentil soup again in the canteen, and nobody complains",
]


def planted(memory: Connection, admin: Connection, tenant: str) -> list[UUID]:
    """A memory with the canary in whatever takes a text; the events it came in by."""
    move_clock(memory, "2026-03-10T12:00:00Z")
    others = [
        remember(memory, text, f"2026-03-0{1 + place}T09:00:00Z", actor="Ida" if place % 2 else "Jon", source="log")
        for place, text in enumerate(OTHERS)
    ]
    first = remember(
        memory,
        f"The crane of {CANARY} needs a cable, {CANARY} must pay by 20 March 2026",
        "2026-03-05T10:00:00Z",
        title=f"About {CANARY}",
        actor=f"{CANARY.title()} Smith",
        source=f"{CANARY} desk",
        payload=Jsonb({"who": [CANARY], CANARY: 1, "deadline": "2026-03-20"}),
        media=Jsonb([{"mime": "image/png", "uri": f"s3://{CANARY}"}]),
        source_agent=CANARY,
        idempotency_key=f"key {CANARY}",
    )
    second = remember(memory, f"My locker code is {CANARY}", "2026-03-05T11:00:00Z", actor=f"{CANARY.title()} Smith")
    third = remember(memory, f"We must call {CANARY} about the harbour crane cable", "2026-03-05T12:00:00Z")
    same = [
        remember(memory, f"Backup of {CANARY} failed on the night server", f"2026-03-06T0{hour}:00:00Z", actor="cron")
        for hour in range(1, 5)
    ]
    mine = [first, second, third, *same]
    fold(memory)

    # What people and models say about them.
    made = apply(
        memory,
        concept(
            f"Crane of {CANARY}",
            first,
            others[0],
            ref="crane",
            content=f"{CANARY} owns the crane",
            payload={"owner": CANARY},
            annotations={f"note {CANARY}": CANARY},
        ),
        add_node("intent", f"Call {CANARY}", first, others[1], ref=CANARY, content=f"{CANARY} waits"),
        add_node("intent", f"Only {CANARY}", third),
        add_node("time", f"day of {CANARY}", first, ref="day", occurred_at="2026-03-25T00:00:00Z", precision="day"),
        add_edge("day", "deadline_for", first),
        add_edge("day", "deadline_for", others[2]),
        add_edge(others[0], "related_to", others[3], metadata={"why": CANARY}, grounded_in=[str(first)]),
        update_node(others[3], annotations={"entities": [CANARY]}, grounded_in=[str(second)], reasoning=CANARY),
        reasoning=f"because of {CANARY}",
    )
    crane, wish = UUID(made["refs"]["crane"]), UUID(made["refs"][CANARY])
    apply(memory, update_node(crane, title=f"{CANARY} crane, renamed", reasoning=f"{CANARY} again"))
    taken_back = apply(memory, update_node(crane, title=f"{CANARY} for a moment"))
    value(memory, "SELECT cognifold.undo_plan(%s)", taken_back["plan_id"])
    wide = UUID(apply(memory, concept(f"All of {CANARY}", str(crane), ref="wide"))["refs"]["wide"])
    twin = UUID(apply(memory, concept(f"Twin {CANARY}", third, others[2], ref="twin"))["refs"]["twin"])
    apply(memory, {"op": "MERGE_NODES", "ids": [str(crane), str(twin)], "survivor": str(crane), "reasoning": CANARY})
    apply(
        memory,
        {"op": "SET_ACTION", "node": str(wish), "what": f"Phone {CANARY}"},
        {
            "op": "ADD_INSIGHT",
            "insight": f"{CANARY} comes late",
            "kind": CANARY,
            "aspect": CANARY,
            "confidence": 0.5,
            "abstraction_level": "specific",
            "grounded_in": [str(second), str(others[4])],
        },
        {
            "op": "ADD_INSIGHT",
            "insight": f"{CANARY} is wide",
            "kind": "wide",
            "confidence": 0.5,
            "node": str(wide),
            "abstraction_level": "principle",
            "grounded_in": [str(crane)],
        },
    )
    removed = UUID(apply(memory, concept(f"Removed {CANARY}", second, others[4], ref="gone"))["refs"]["gone"])
    apply(memory, {"op": "REMOVE_NODE", "node": str(removed), "reasoning": "it was nothing"})
    undone = apply(memory, concept(f"Undone {CANARY}", same[0], others[3]))
    value(memory, "SELECT cognifold.undo_plan(%s)", undone["plan_id"])
    folded_by = value(memory, "SELECT plan_id FROM cognifold.folded_event WHERE event_id = %s", same[3])
    value(memory, "SELECT cognifold.undo_plan(%s, true)", folded_by)
    memory.execute("SELECT cognifold.create_consumer('app', from_start => true)")
    memory.execute("SELECT * FROM cognifold.emit_intents()")
    answer = value(memory, "SELECT cognifold.answer_intent(%s, 'accept', %s)", wish, f"yes, for {CANARY}")
    for position, fence in memory.execute("SELECT position, fence FROM cognifold.take_deliveries('app')").fetchall():
        memory.execute(
            "SELECT cognifold.fail_delivery('app', ARRAY[%s]::bigint[], %s, %s)", [position, fence, f"no {CANARY}"]
        )
    memory.execute("SELECT cognifold.consolidate()")
    move_clock(memory, "2026-03-20T12:00:00Z")
    memory.execute("SELECT cognifold.note_recall(%s)", [[first, crane]])
    memory.execute("SELECT cognifold.consolidate()")
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    assert value(admin, "SELECT cognifold.place_content(%s, %s, true)", tenant, [first, *same, others[0]]) > 1  # packed

    # A model that fails on an event, and a plan of a model.
    late = remember(memory, f"The crane rope of {CANARY} snapped", "2026-03-20T10:00:00Z", idempotency_key="late")
    waiting = remember(memory, "The crane rope was found on the quay", "2026-03-20T11:00:00Z")
    claims = memory.execute("SELECT event_id, fence FROM cognifold.claim_folds(1)").fetchall()
    assert [event for event, _ in claims] == [late]
    value(
        memory,
        "SELECT cognifold.apply_claimed(ARRAY[%s]::uuid[], %s, %s, NULL, 'a-model')",
        late,
        claims[0][1],
        Jsonb(
            {
                "reasoning": f"it speaks of {CANARY}",
                "operations": [concept(f"Ropes of {CANARY}", late, others[0], reasoning=f"{CANARY} has ropes")],
            }
        ),
    )
    claims = memory.execute("SELECT event_id, fence FROM cognifold.claim_folds(1)").fetchall()
    value(
        memory,
        "SELECT cognifold.fail_claimed(ARRAY[%s]::uuid[], %s, 'failed', 'XX000', %s, NULL)",
        waiting,
        claims[0][1],
        f"the model said {CANARY}",
    )
    memory.execute("SELECT cognifold.consolidate()")
    admin.execute(
        "INSERT INTO cognifold.schedule (tenant_id, job, next_at) VALUES (%s, 'consolidate', now()) "
        "ON CONFLICT DO NOTHING",
        [tenant],
    )
    admin.execute(
        "INSERT INTO cognifold.job_run (tenant_id, job, period, cause, state, attempts, fence, worker, started_at, "
        "finished_at, error_state, error) "
        "VALUES (%s, 'consolidate', '2026-03-01', 'period', 'dead', 1, 1, 'w', now(), now(), 'XX000', %s)",
        [tenant, f"a pass stumbled over {CANARY}"],
    )
    # Who asks for it, and a rule that names it.
    memory.execute("SELECT cognifold.set_setting('audit.reads', 2)")
    for verb in ("recall", "explain_recall", "context"):
        memory.execute(f"SELECT * FROM cognifold.{verb}(%s)".encode(), [f"What does {CANARY} owe?"])
    memory.execute(
        "SELECT cognifold.set_retention(%s, interval '100 years', sources => %s), cognifold.apply_retention()",
        [RULE, [f"{CANARY} desk"]],
    )
    return [*mine, late, answer]


@pytest.fixture(scope="module")
def memory_of_a_canary(governor_dsn: str) -> tuple[str, list[UUID]]:
    """The planted tenant, and the events the word came in by."""
    tenant = "canary"
    with (
        psycopg.connect(governor_dsn, autocommit=True) as admin,
        psycopg.connect(make_conninfo(governor_dsn, user=GOVERNOR), autocommit=True) as governor,
    ):
        governor.execute("SELECT cognifold.create_tenant(%s)", [tenant])
        governor.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
        return tenant, planted(governor, admin, tenant)


def test_all_that_names_somebody_is_forgotten(memory_of_a_canary: tuple[str, list[UUID]], admin: Connection) -> None:
    tenant, _ = memory_of_a_canary
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    with admin.transaction(force_rollback=True):  # for the next test has to forget it once more
        value(admin, "SELECT cognifold.forget(subject => %s)", CANARY.upper())
        assert traces(admin) == OF_THE_RULE
        assert violations(admin) == []
        assert value(admin, "SELECT cognifold.forget(subject => %s)", CANARY)["counts"]["events"] == 0


def test_a_forgotten_word_is_nowhere_and_does_not_come_back(
    memory_of_a_canary: tuple[str, list[UUID]], connect: Callable[..., Connection], admin: Connection
) -> None:
    tenant, mine = memory_of_a_canary
    governor = connect(tenant, user=GOVERNOR, now="2026-03-20T12:00:00Z")
    before = traces(admin)
    assert {
        "cognifold.node.title",
        "cognifold.node_content.content",
        "cognifold.archived_content.contents",
        "cognifold.plan.operations",
        "cognifold.plan.reasoning",
        "cognifold.plan.result",
        "cognifold.journal.before",
        "cognifold.journal.part",
        "cognifold.posting.lexeme",
        "cognifold.lexical_document.lexemes",
        "cognifold.lexeme_frequency.lexeme",
        "cognifold.actor_frequency.actor",
        "cognifold.actor_name.word",
        "cognifold.mention.name",
        "cognifold.annotation.value",
        "cognifold.annotation.name",
        "cognifold.insight_state.insight",
        "cognifold.insight_state.kind",
        "cognifold.intent_action_state.what",
        "cognifold.state_statement.value",
        "cognifold.work.error",
        "cognifold.job_run.error",
        "cognifold.delivery.error",
        "cognifold.graph_edge.metadata",
        "cognifold.concept_lexeme.lexeme",
        "cognifold.node.idempotency_key",
        "cognifold.node.source",
        "cognifold.node.source_agent",
        "cognifold.audit_read.question",
        *OF_THE_RULE,
    } <= before.keys()
    assert violations(governor) == []

    promised = value(governor, "SELECT cognifold.forget(node_ids => %s, dry_run => true)", mine)
    assert traces(admin) == before  # a dry run does nothing
    done = value(governor, "SELECT cognifold.forget(node_ids => %s)", mine)
    assert done["counts"] == promised["counts"]
    assert done["counts"]["events"] == len(mine)
    assert traces(admin) == OF_THE_RULE
    governor.execute("SELECT cognifold.remove_retention(%s)", [RULE])
    assert traces(admin) == {}
    exported = governor.execute("SELECT line FROM cognifold.export_tenant(true)").fetchall()
    assert len(exported) > 100
    assert TRACE not in str(exported).lower()
    assert violations(governor) == []

    # Nor by the past, nor by taking plans back, nor by what comes next.
    for (moment,) in governor.execute("SELECT applied_at FROM cognifold.plan ORDER BY version").fetchall()[::5]:
        governor.execute("SELECT set_config('cognifold.known_at', %s, false)", [str(moment)])
        for view in ("event", "concept", "intent", "edge", "insight", "intent_action"):
            shown = governor.execute(f"SELECT v::text FROM cognifold.{view} AS v".encode()).fetchall()
            assert CANARY not in str(shown).lower()
    governor.execute("SELECT set_config('cognifold.known_at', '', false)")
    refused = 0
    for (plan_id,) in governor.execute("SELECT plan_id FROM cognifold.plan ORDER BY version DESC").fetchall():
        try:
            value(governor, "SELECT cognifold.undo_plan(%s, true)", plan_id)
        except psycopg.Error as error:
            assert error.sqlstate in ("CF048", "CF023"), error
            refused += error.sqlstate == "CF048"
    assert refused > 0
    assert violations(governor) == []
    assert traces(admin) == {}
    value(governor, "SELECT cognifold.retry()")
    fold(governor)
    governor.execute("SELECT cognifold.consolidate('2026-04-20T00:00:00Z')")
    governor.execute("SELECT * FROM cognifold.emit_intents()")
    assert violations(governor) == []
    assert traces(admin) == {}
