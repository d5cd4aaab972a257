"""check() names whatever a hand past the verbs has broken, and nothing in a memory that the verbs alone have made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.conftest import Connection, value
from tests.graph.plans import START, add_edge, add_node, apply, make_concept, merge_nodes, remember

TENANT = "checked"

# A run that nobody's schedule asked for.
JOB_RUN = (
    "INSERT INTO job_run "
    "(tenant_id, job, period, cause, attempts, fence, worker, state, started_at, finished_at, error) "
    "SELECT tenant_id, 'index', now(), 'asked', 1, 0, 'one', "
)

# What is done to it by hand, and the invariant that must be named. {kept} and {merged} are two concepts, the second
# merged into the first; {event} is evidence for the first.
BROKEN = {
    "a statement is of an event, at its time":
        "UPDATE state_statement SET occurred_at = occurred_at + interval '1 s'",
    "an attribute has a statement": "DELETE FROM state_statement",
    "an event never changes": "UPDATE node_content SET content = content || '!' WHERE node_id = {event}",
    "every node has content": "DELETE FROM node_content WHERE node_id = {kept}",
    "an event waits or is folded, never both or neither": "DELETE FROM folded_event WHERE event_id = {event}",
    "an event is folded by a plan that is applied":
        "UPDATE plan SET status = 'undone' WHERE proposer = 'sql'",
    "plans are numbered without a gap, in order of time":
        "UPDATE plan SET version = version + 100 WHERE version = 2",
    "what a plan made names its plan": "UPDATE node SET plan_id = gen_random_uuid() WHERE id = {kept}",
    "every edge has a plan": "UPDATE graph_edge SET plan_id = gen_random_uuid()",
    "a concept or intent has provenance": "UPDATE graph_edge SET inferred = true WHERE target_id = {kept}",
    "every concept has its state": "DELETE FROM concept_state WHERE node_id = {kept}",
    "evidence mass is the sum of the edges": "UPDATE concept_state SET evidence_potential = evidence_potential + 2e-9",
    "a concept counts its events": "UPDATE concept_state SET event_count = event_count + 1",
    "a concept's vector is the mean of its events' vectors":
        "UPDATE concept_state SET vector_count = vector_count + 1 WHERE node_id = {kept}",
    "a concept is found by its mean": "UPDATE embedding SET vector = (SELECT o.vector FROM embedding AS o "
        "WHERE o.tenant_id = {tenant} AND o.node_id = {other}) WHERE node_id = {kept}",
    "a concept's words are those of its events": "UPDATE concept_lexeme SET event_count = event_count + 1",
    "a lexeme's document count is the number of its events":
        "UPDATE lexeme_frequency SET document_count = document_count + 1",
    "the lexical statistics count the indexed events":
        "UPDATE lexical_statistics SET total_length = total_length + 1",
    "a folded event is indexed": "DELETE FROM lexical_document WHERE node_id = {event}",
    "the vectors of a model are counted": "UPDATE vector_count SET events = events + 1",
    "a vector of a large memory is in the index or in the tail":
        "UPDATE vector_count SET indexed = true, signature = tenant_signature(tenant_id)",
    "a merged concept points at one that is not merged": "UPDATE node SET merged_into = {merged} WHERE id = {kept}",
    "a concept is merged into a concept": "UPDATE node SET merged_into = {event} WHERE id = {merged}",
    "a merged concept has no edge": "UPDATE graph_edge SET target_id = {merged} WHERE target_id = {kept}",
    "a merged concept is not searched": "UPDATE lexical_document SET node_id = {merged} WHERE node_id = {kept}",
    "what waits for a pass stands":
        "UPDATE consolidation_dirty SET node_id = {merged} WHERE node_id = {other}",
    "only events are replayed": "UPDATE node_state SET node_id = {kept} WHERE node_id = {event}",
    "an event is fresh until its first replay, and no longer":
        "UPDATE node_state SET replay_count = 0 WHERE node_id = {event}",
    "a pass ends after it begins": "UPDATE consolidation_run SET finished_at = started_at - interval '1 s'",
    "what is archived lies in one place": "UPDATE node_content SET content = NULL, payload = NULL, media = NULL, "
        "pack_id = 1, pack_place = 1 WHERE node_id = {event}",
    "a rank is what was passed on to it": "UPDATE node_rank SET residual = residual + 1",
    "rank flows along the live edges": "UPDATE graph_edge SET faded_at = created_at",
    "an intent is where its last step took it": "UPDATE intent_state SET status = 'pending' WHERE status = 'scheduled'",
    "each step of an intent begins where it stood": "UPDATE intent_transition SET from_status = 'deferred'",
    "the steps of an intent are numbered without a gap": "UPDATE intent_transition SET position = 3",
    "an answer belongs to its intent": "DELETE FROM graph_edge WHERE type = 'user_feedback'",
    "what an intent proposes to do has a plan": "UPDATE intent_action_state SET plan_id = gen_random_uuid()",
    "a deadline recurs by a rule":
        """UPDATE graph_edge SET metadata = '{{"recurrence": "weekly"}}' WHERE type = 'deadline_for'""",
    "what was last told of an intent is what it was then": "UPDATE outbox SET status = 'resolved'",
    "no position is beyond the head": "UPDATE outbox_head SET last_position = 0",
    "a delivery is behind its consumer's cursor": "UPDATE outbox_consumer SET cursor_position = 0",
    "an alarm is set for what the clock will do": "UPDATE intent_alarm SET due_at = due_at + interval '1 s'",
    "a capture belongs to a watch": "INSERT INTO cognifold_watch.inbox (tenant_id, watch_id, operation, row_values) "
        "SELECT tenant_id, 0, 'I', '{{{{a}}}}' FROM tenant",
    "what is forgotten is gone": "INSERT INTO forgotten_key (tenant_id, key_hash, node_id, forget_id) "
        "SELECT tenant_id, 'hash', {event}, gen_random_uuid() FROM tenant",
    "no event has a forgotten key": "INSERT INTO forgotten_key (tenant_id, key_hash, node_id, forget_id) "
        "SELECT tenant_id, forgotten_hash(idempotency_key), gen_random_uuid(), gen_random_uuid() "
        "FROM node WHERE id = {event}",
    "a run ends after it begins": JOB_RUN + "'done', now(), now() - interval '1 s', NULL FROM tenant",
    "a run belongs to a schedule": JOB_RUN + "'done', now(), now(), NULL FROM tenant",
    "a run that has ended well tells of no error": JOB_RUN + "'done', now(), now(), 'away' FROM tenant",
}  # fmt: skip


@pytest.fixture(scope="module")
def known(admin_dsn: str, dsn: str) -> dict[str, str]:
    """A memory made by verbs alone in which everything is there that can be broken; the names of its parts, quoted."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SELECT cognifold.create_tenant(%s)", [TENANT])
        connection.execute(
            "SELECT set_config('cognifold.tenant', %s, false), set_config('cognifold.now', %s, false)", [TENANT, START]
        )
        said = ["I live in Lisbon now", "The old bridge was closed", "The bridge is being repaired", "A ferry crosses"]
        events = [remember(connection, text, actor="Noor") for text in said]
        assert [row[0] for row in connection.execute("SELECT outcome FROM cognifold.fold(10)")] == ["folded"] * 4
        kept = make_concept(connection, "Bridge repairs", events[1], events[2])
        merged = make_concept(connection, "Crossing by ferry", events[3])
        apply(connection, merge_nodes(kept, merged, survivor=kept))
        assert value(connection, "SELECT cognifold.consolidate() ->> 'run_id'") is not None
        other = make_concept(connection, "Lisbon", events[0])
        monday = add_node("time", "Monday", ref="monday", occurred_at="2026-03-09T00:00:00Z", precision="day")
        due = add_edge("monday", "deadline_for", events[0], metadata={"recurrence": "FREQ=WEEKLY"})
        wish = add_node("intent", "Learn Portuguese", events[0], ref="it")
        intent = apply(connection, monday, due, wish)["refs"]["it"]
        connection.execute("SELECT cognifold.answer_intent(%s, 'accept')", [intent])
        connection.execute("SELECT cognifold.set_action(%s, what => 'Find a class')", [intent])
        connection.execute("SELECT cognifold.create_consumer('told')")
        wanted = apply(connection, add_node("intent", "Take the ferry", events[3], ref="wanted"))["refs"]["wanted"]
        connection.execute("SELECT cognifold.answer_intent(%s, 'defer')", [wanted])
        connection.execute("SELECT cognifold.take_deliveries('told')")
        connection.execute("SELECT cognifold.refresh_ranks()")
        assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []
    return {name: f"'{id_}'" for name, id_ in
            {"tenant": TENANT, "event": events[1], "kept": kept, "merged": merged, "other": other}.items()}  # fmt: skip


@pytest.fixture
def hand(admin: Connection, known: dict[str, str]) -> Iterator[Connection]:
    """A superuser whom nothing stops; what he does is taken back."""
    with admin.transaction(force_rollback=True):
        admin.execute("SET LOCAL session_replication_role = replica; SET LOCAL search_path = cognifold, public")
        yield admin


def found(connection: Connection) -> list[tuple[Any, ...]]:
    return connection.execute("SELECT * FROM cognifold.check(%s)", [TENANT]).fetchall()


@pytest.mark.parametrize("invariant", BROKEN)
def test_what_is_broken_by_hand_is_named(hand: Connection, known: dict[str, str], invariant: str) -> None:
    assert found(hand) == []
    statement = BROKEN[invariant].format(**known)
    where = "AND" if " WHERE " in statement else "WHERE"
    done = hand.execute(f"{statement} {where} tenant_id = '{TENANT}'".encode())
    assert done.rowcount > 0, "something was broken"
    named = {row[0] for row in found(hand)}
    assert invariant in named
    assert all(all(row) for row in found(hand)), "which, where and how"


def test_every_invariant_that_check_knows_is_broken_here(admin: Connection) -> None:
    """The names as the functions spell them, so that a new one asks for a test."""
    sources = admin.execute(
        r"SELECT p.prosrc FROM pg_proc AS p WHERE p.pronamespace = 'cognifold'::regnamespace "
        r"AND p.proname LIKE '%\_faults' "
        "AND pg_get_function_result(p.oid) = 'TABLE(invariant text, subject text, detail text)'"
    ).fetchall()
    assert len(sources) == 13
    names = {
        name.replace("''", "'")
        for (source,) in sources
        for (name,) in admin.execute(
            r"SELECT m[1] FROM regexp_matches(%s, '\n\s*SELECT ''((?:[^'']|'''')+)'', [a-z]', 'g') AS m", [source]
        )
    }
    assert names == set(BROKEN)
