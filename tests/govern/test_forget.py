"""What forget takes, and what it leaves exactly as it would be if the rest had never been there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb
from typer.testing import CliRunner

from cognifold_pg.cli import app
from cognifold_pg.client import Memory
from cognifold_pg.errors import ForgetConditionError, ForgottenError
from tests.conftest import Connection, value
from tests.govern.conftest import GOVERNOR
from tests.graph.plans import (
    add_node,
    apply,
    concept,
    fold,
    make_concept,
    remember,
    rows,
    snapshot,
    update_node,
    violations,
)

TALK = [
    ("The boiler in the cellar leaks again", "Ana", "notes"),
    ("The boiler leaks at the valve, the cellar is wet", "Ben", "notes"),
    ("A plumber looked at the boiler valve in the cellar", "Ana", "mail"),
    ("My bike is at the shop", "Cleo", "mail"),
    ("Cleo said her bike needs new brakes", "Ben", "notes"),
    ("The brakes of the bike are done", "Cleo", "mail"),
]


def talk(connection: Connection, places: list[int] | None = None) -> list[UUID]:
    """The events of TALK (or some of them), an hour apart, folded."""
    ids = [
        remember(
            connection,
            content,
            f"2026-03-02T{9 + place:02}:00:00Z",
            actor=actor,
            source=source,
            idempotency_key=f"t{place}",
        )
        for place, (content, actor, source) in enumerate(TALK)
        if places is None or place in places
    ]
    fold(connection)
    return ids


@pytest.fixture(scope="module")
def talked(governor_dsn: str) -> str:
    """A tenant with TALK in it, for tests that take nothing away for good."""
    dsn = psycopg.conninfo.make_conninfo(governor_dsn, user=GOVERNOR)
    with Memory(dsn, tenant="talked") as memory:
        memory.create_tenant()
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SELECT set_config('cognifold.tenant', 'talked', false)")
        talk(connection)
    return "talked"


def forget(connection: Connection, **given: Any) -> dict[str, int]:
    """The counts of a forget with these arguments."""
    named = ", ".join(f"{name} => %s" for name in given)
    counts: dict[str, int] = value(connection, f"SELECT cognifold.forget({named})", *given.values())["counts"]
    return counts


def left(connection: Connection) -> list[str]:
    return [r["content"] for r in rows(connection, "SELECT content FROM cognifold.event ORDER BY occurred_at")]


@pytest.mark.parametrize(
    ("given", "gone"),
    [
        ({"idempotency_key": "t1"}, [1]),
        ({"source": "mail"}, [2, 3, 5]),
        ({"source": "mail", "source_key": "t3"}, [3]),
        ({"actor": "Cleo"}, [3, 5]),
        ({"actor": "cleo"}, []),  # exactly
        ({"subject": "cleo"}, [3, 4, 5]),  # who acts, and who is named
        ({"subject": "Cle"}, []),  # as a whole word
        ({"subject": "boiler  VALVE"}, [2]),
        ({"since": "2026-03-02T13:00:00Z"}, [4, 5]),
        ({"until": "2026-03-02T10:00:00Z"}, [0]),
        ({"since": "2026-03-02T10:00:00Z", "until": "2026-03-02T12:00:00Z"}, [1, 2]),
        ({"actor": "Ana", "source": "mail"}, [2]),  # all of them together
        ({"actor": "Ana", "since": "2027-01-01T00:00:00Z"}, []),
    ],
)
def test_what_meets_every_condition_goes_and_nothing_else(
    governor: Connection, talked: str, connect: Callable[..., Connection], given: dict[str, str], gone: list[int]
) -> None:
    connection = connect(talked, user=GOVERNOR)
    with connection.transaction(force_rollback=True):
        assert forget(connection, **given, dry_run=True)["events"] == len(gone)
        assert len(left(connection)) == len(TALK)
        assert forget(connection, **given)["events"] == len(gone)
        assert left(connection) == [content for place, (content, _, _) in enumerate(TALK) if place not in gone]
        assert violations(connection) == []
        assert set(forget(connection, **given).values()) == {0}  # there is nothing left to forget


def test_what_has_no_index_is_searched_for_a_name(governor: Connection) -> None:
    remember(governor, "An order came in", payload=Jsonb({"for": [{"name": "Vera\nLind"}]}))
    remember(governor, "Another order came in", idempotency_key="order of vera lind")
    remember(governor, "word " * 30000 + "Vera Lind")  # beyond what is indexed
    remember(governor, "A third order came in", payload=Jsonb({"for": "Vera"}))
    assert forget(governor, subject="vera lind")["events"] == 3


def test_a_name_that_only_others_put_into_words_is_forgotten_as_well(governor: Connection) -> None:
    ids = talk(governor, [0, 1, 2])
    made = make_concept(governor, "Boiler, which Vera warned of", ids[0], ids[2], reasoning="Vera said it")
    apply(governor, update_node(made, title="The boiler"))
    apply(governor, {"op": "ADD_EDGE", "source": str(ids[0]), "target": str(ids[1]), "type": "related_to",
                     "metadata": {"by": "Vera"}})  # fmt: skip
    counts = forget(governor, subject="Vera")
    assert (counts["events"], counts["concepts_reworded"]) == (0, 1)
    for relation in ("plan", "journal", "graph_edge", "node"):
        assert "Vera" not in str(rows(governor, f"SELECT * FROM cognifold.{relation}"))
    assert violations(governor) == []


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({}, "no condition"),
        ({"actor": ""}, "empty"),
        ({"subject": " ! "}, "' ! '"),
        ({"source_key": "7"}, "source"),
        ({"node_ids": [None]}, "NULL"),
        ({"since": "2026-01-02T00:00:00Z", "until": "2026-01-02T00:00:00Z"}, "until"),
    ],
)
def test_nothing_is_never_everything(
    governor: Connection, talked: str, connect: Callable[..., Connection], given: dict[str, Any], word: str
) -> None:
    connection = connect(talked, user=GOVERNOR)
    with pytest.raises(psycopg.Error, match=word) as caught:
        forget(connection, **given)
    assert caught.value.sqlstate == "CF047"
    assert set(forget(connection, node_ids=[]).values()) == {0}
    assert len(left(connection)) == len(TALK)


def test_statistics_are_those_of_a_memory_that_never_had_the_events(
    governor: Connection,
    admin: Connection,
    tenant: str,
    new_tenant: Callable[..., str],
    connect: Callable[..., Connection],
) -> None:
    other = new_tenant()
    ids = talk(governor)
    talk(connect(other), [0, 2, 4])
    forget(governor, node_ids=[ids[place] for place in (1, 3, 5)])
    for table, columns in {
        "lexical_statistics": "document_count, total_length",
        "lexeme_frequency": "lexeme, document_count",
        "actor_frequency": "actor, event_count",
        "actor_name": "word, actor",
        "vector_count": "model_id, events",
    }.items():
        query = f"SELECT {columns} FROM cognifold.{table} WHERE tenant_id = %s ORDER BY 1, 2"
        assert rows(admin, query, tenant) == rows(admin, query, other), table
    sums = "SELECT vector_count, vector_sum::real[] FROM cognifold.embedding_statistics WHERE tenant_id = %s"
    (mine,), (theirs,) = rows(admin, sums, tenant), rows(admin, sums, other)
    assert mine["vector_count"] == theirs["vector_count"] == 3
    assert mine["vector_sum"] == pytest.approx(theirs["vector_sum"], abs=1e-6)


def test_a_concept_becomes_what_its_other_evidence_makes_of_it(governor: Connection) -> None:
    ids = talk(governor, [0, 1, 2])
    made = make_concept(governor, "What Ben and Ana say about it", ids[0], ids[2])
    apply(governor, {"op": "ADD_EDGE", "source": str(ids[1]), "target": str(made), "type": "reinforces"})
    alone = make_concept(governor, "Only Ben", ids[1], content="Ben was here")
    before = rows(governor, "SELECT strength, evidence_count FROM cognifold.concept WHERE id = %s", made)[0]

    counts = forget(governor, actor="Ben")
    assert (counts["concepts"], counts["concepts_reworded"] > 0) == (1, True)
    assert rows(governor, "SELECT FROM cognifold.concept WHERE id = %s", alone) == []
    (after,) = rows(governor, "SELECT * FROM cognifold.concept WHERE id = %s", made)
    assert "Ben" not in after["title"] + after["content"]
    assert "boiler" in after["title"].lower()
    assert after["evidence_count"] == before["evidence_count"] - 1 == 2
    assert after["strength"] < before["strength"]  # it was strengthened once, and is not any more
    (state,) = rows(
        governor,
        "SELECT event_count, vector_count, evidence_potential FROM cognifold.concept_state WHERE node_id = %s",
        made,
    )
    assert (state["event_count"], state["vector_count"]) == (2, 2)
    assert violations(governor) == []  # mass and vector are the sums over what is left


def test_an_intent_stays_while_an_event_voices_it(governor: Connection) -> None:
    ids = talk(governor, [0, 1, 2])
    intents = apply(
        governor,
        add_node("intent", "Ben wants it dry", ids[0], ids[1], ref="both"),
        add_node("intent", "Ben alone", ids[1], ref="one"),
    )["refs"]
    counts = forget(governor, idempotency_key="t1")
    assert (counts["intents"], counts["intents_reworded"]) == (1, 1)
    (intent,) = rows(governor, "SELECT id, title, content FROM cognifold.intent")
    assert str(intent["id"]) == intents["both"]
    assert "Ben" not in intent["title"] + intent["content"]
    assert "leaks again" in intent["title"]
    # Who was told of it is told that it is no more.
    told = rows(
        governor, "SELECT kind FROM cognifold.outbox WHERE node_id = %s ORDER BY position", UUID(intents["one"])
    )
    assert [t["kind"] for t in told] == ["emitted", "withdrawn"]
    assert violations(governor) == []


def test_an_answer_that_is_forgotten_leaves_the_intent_where_it_took_it(governor: Connection) -> None:
    ids = talk(governor, [0, 1])
    intent = apply(
        governor,
        {"op": "ADD_NODE", "kind": "intent", "ref": "i", "title": "Dry it", "grounded_in": [str(i) for i in ids]},
    )["refs"]["i"]
    answer = value(governor, "SELECT cognifold.answer_intent(%s, 'accept', 'as Vera said')", intent)
    assert forget(governor, node_ids=[answer])["events"] == 1
    assert rows(governor, "SELECT status, title FROM cognifold.intent") == [{"status": "scheduled", "title": "Dry it"}]
    assert violations(governor) == []
    value(governor, "SELECT cognifold.answer_intent(%s, 'resolve')", intent)
    assert violations(governor) == []


def test_a_replay_of_what_is_forgotten_is_not_stored_again(
    governor: Connection, admin: Connection, tenant: str
) -> None:
    ids = talk(governor)
    said = remember(governor, "Said without a key", "2026-03-03T09:00:00Z")
    forget(governor, node_ids=[ids[1], said])
    assert remember(governor, "other words", idempotency_key="t1") == ids[1]  # the id it had, which nothing has now
    assert remember(governor, "Said without a key", "2026-03-03T09:00:00Z") == said
    assert value(governor, "SELECT count(*) FROM cognifold.event") == len(TALK) - 1
    many = rows(
        governor, "SELECT event_id, is_new FROM cognifold.remember_many(%s)",
        Jsonb([{"content": "x", "idempotency_key": "t1"}, {"content": "y", "idempotency_key": "new"}]),
    )  # fmt: skip
    assert [(m["event_id"] == ids[1], m["is_new"]) for m in many] == [(True, False), (False, True)]
    assert violations(governor) == []
    (tomb,) = rows(admin, "SELECT * FROM cognifold.forgetting WHERE tenant_id = %s", tenant)
    assert (tomb["criteria"], tomb["forgotten_by"], tomb["counts"]["events"]) == (["node_ids"], GOVERNOR, 2)


def test_neither_forgetting_nor_what_had_a_part_in_it_is_undone(governor: Connection) -> None:
    ids = talk(governor)
    part = apply(governor, concept("Bikes of Cleo", ids[3], ids[4]), plan_id="01a20000-0000-7000-8000-000000000001")
    aside = make_concept(governor, "Something else", ids[0])
    report = value(governor, "SELECT cognifold.forget(idempotency_key => 't3')")
    for plan in (report["plan_id"], part["plan_id"]):
        with pytest.raises(psycopg.Error) as caught:
            value(governor, "SELECT cognifold.undo_plan(%s, true)", plan)
        assert caught.value.sqlstate == "CF048"
    with pytest.raises(psycopg.Error) as caught:  # nor is it done again
        apply(governor, concept("Bikes of Cleo", ids[4]), plan_id=part["plan_id"])
    assert caught.value.sqlstate == "CF048"
    made_by = value(governor, "SELECT plan_id FROM cognifold.node WHERE id = %s", aside)
    value(governor, "SELECT cognifold.undo_plan(%s)", made_by)  # what had no part in it is
    assert rows(governor, "SELECT FROM cognifold.concept WHERE id = %s", aside) == []
    assert violations(governor) == []


def test_the_past_shows_no_more_than_the_present(governor: Connection) -> None:
    ids = talk(governor, [0, 1, 2])
    made = make_concept(governor, "The boiler that Ben saw", ids[0], ids[1])
    apply(governor, update_node(made, title="The boiler, as Ben has it"))
    then = value(governor, "SELECT max(applied_at)::text FROM cognifold.plan")
    apply(governor, update_node(made, title="Ben's boiler"))
    forget(governor, actor="Ben")
    now = value(governor, "SELECT title FROM cognifold.concept WHERE id = %s", made)
    governor.execute("SELECT set_config('cognifold.known_at', %s, false)", [then])
    assert value(governor, "SELECT title FROM cognifold.concept WHERE id = %s", made) == now
    governor.execute("SELECT set_config('cognifold.known_at', '', false)")
    told = rows(governor, "SELECT * FROM cognifold.history(%s)", made)
    assert "Ben" not in str(told)
    assert len(told) > 3  # that something was done is known still
    with pytest.raises(psycopg.Error) as caught:
        rows(governor, "SELECT * FROM cognifold.history(%s)", ids[1])
    assert caught.value.sqlstate == "CF021"


def test_a_name_inherited_from_what_is_forgotten_is_not_kept(governor: Connection) -> None:
    remember(governor, "My locker code is 4411", "2026-03-02T09:00:00Z", actor="Pia Zorn")
    remember(governor, "Pia moved to Lisbon", "2026-03-02T10:00:00Z", actor="Ben")
    fold(governor)
    assert "pia zorn" in str(rows(governor, "SELECT subject FROM cognifold.state_statement"))
    forget(governor, actor="Pia Zorn")
    assert "zorn" not in str(rows(governor, "SELECT * FROM cognifold.state_statement"))
    assert violations(governor) == []


def test_another_tenant_loses_nothing(
    governor: Connection, admin: Connection, new_tenant: Callable[..., str], connect: Callable[..., Connection]
) -> None:
    other = new_tenant()
    talk(connect(other))
    kept = snapshot(admin, other)
    talk(governor)
    forget(governor, since="-infinity")
    assert rows(governor, "SELECT FROM cognifold.node") == []
    assert violations(governor) == []
    assert snapshot(admin, other) == kept


def test_who_may_only_write_may_not_forget(connection: Connection) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        value(connection, "SELECT cognifold.forget(actor => 'Ana')")


def test_a_fold_and_what_is_remembered_meanwhile_wait_or_go_on(
    governor: Connection, connect: Callable[..., Connection], tenant: str
) -> None:
    ids = talk(governor, [0, 1, 2])
    governor.execute("BEGIN")
    forget(governor, idempotency_key="t1")
    second = connect(tenant)
    remember(second, "The boiler in the cellar leaks even more", "2026-03-02T15:00:00Z")  # waits for nobody
    results: list[Any] = []

    # One that folds waits for its turn; one that replays the key waits for the row and finds it forgotten.
    def folds() -> None:
        fold(second)
        results.append("folded")

    def replays() -> None:
        results.append(remember(connect(tenant), "again", idempotency_key="t1"))

    folding, replaying = threading.Thread(target=folds), threading.Thread(target=replays)
    folding.start()
    replaying.start()
    folding.join(0.3)
    assert results == []
    governor.execute("COMMIT")
    folding.join(30)
    replaying.join(30)
    assert set(results) == {"folded", ids[1]}
    assert len(left(governor)) == 3
    assert violations(governor) == []


def test_a_plan_made_before_is_not_applied_after(governor: Connection) -> None:
    ids = talk(governor, [0, 1])
    waiting = remember(governor, "The cellar is wet", "2026-03-02T16:00:00Z")
    ((event, fence),) = governor.execute("SELECT event_id, fence FROM cognifold.claim_folds(1)").fetchall()
    assert event == waiting
    version = value(governor, "SELECT max(version) FROM cognifold.plan")
    forget(governor, node_ids=[ids[1]])
    plan = Jsonb({"operations": [concept("Ben's wet cellar", waiting)]})
    with pytest.raises(psycopg.Error) as caught:
        value(governor, "SELECT cognifold.apply_claimed(ARRAY[%s]::uuid[], %s, %s, %s)", event, fence, plan, version)
    assert caught.value.sqlstate == "CF025"
    forget(governor, node_ids=[waiting])
    with pytest.raises(psycopg.Error) as caught:
        value(governor, "SELECT cognifold.apply_claimed(ARRAY[%s]::uuid[], %s, %s)", event, fence, plan)
    assert caught.value.sqlstate == "CF024"


def test_the_client_and_the_command_line_forget(admin_dsn: str, governor_dsn: str, tenant: str) -> None:
    dsn = psycopg.conninfo.make_conninfo(governor_dsn, user=GOVERNOR)
    with Memory(dsn, tenant=tenant) as memory:
        event = memory.remember("Vera called", actor="Vera")
        memory.remember("Vera called again", actor="Vera")
        memory.fold_all()
        assert memory.forget(node_ids=[event], dry_run=True).counts["events"] == 1
        assert memory.forget(node_ids=[event]).forget_id is not None
        assert memory.forget(node_ids=[event]).forget_id is None
        with pytest.raises(ForgetConditionError):
            memory.forget()
        with pytest.raises(ForgottenError):
            memory.undo_plan(memory._value("SELECT plan_id FROM cognifold.plan WHERE proposer = 'forget'", []))

    def run(*words: str, answer: str = "") -> str:
        done = CliRunner().invoke(app, ["forget", *words, "--tenant", tenant, "--dsn", dsn], input=answer)
        return " ".join(done.output.split())

    assert "would forget 1 events" in run("--actor", "Vera", "--dry-run")
    assert "Aborted" in run("--actor", "Vera", answer="n\n")
    assert "VACUUM" in run("--actor", "Vera", "--yes")
    assert "forgot nothing" in run("--actor", "Vera", "--yes")
