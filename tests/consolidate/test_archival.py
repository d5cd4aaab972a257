"""Archival: texts move where they take less room, and everything that reads them says what it said before."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Connection, value
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import NOTHING, later
from tests.graph.plans import apply, fold, make_concept, remember, rows, snapshot, violations

SWAM = "Swam two kilometres in the cold lake behind the house before breakfast"
ROWED = "Rowed across the bay and back again with a broken oar and no lunch"


def grounded(plane: Plane, text: str = SWAM, hours: float = 0, **more: Any) -> UUID:
    """A folded event in two concepts: live weight 1.8, score .593."""
    plane.events += 1
    event = remember(plane.connection, text, later(hours), source=f"source {plane.events}", **more)
    plane.connection.execute("SELECT cognifold.store_embedding(%s, '[1,0,0]'::vector, 'plane')", [event])
    fold(plane.connection)
    for title in ("Water", "Mornings"):
        make_concept(plane.connection, f"{title} {plane.events}", event)
    return event


def archived(plane: Plane, *events: UUID) -> None:
    """Three passes: consolidating, consolidated, and a week later archived."""
    for hours in (0, 1, 168):
        plane.consolidate(hours)
    assert {state(plane, event) for event in events} == {"archived"}


def state(plane: Plane, event: UUID) -> str:
    found: str = value(plane.connection, "SELECT consolidation_state FROM cognifold.event WHERE id = %s", event)
    return found


def text(plane: Plane, event: UUID) -> str:
    found: str = value(plane.connection, "SELECT content FROM cognifold.event WHERE id = %s", event)
    return found


def is_hot(plane: Plane, event: UUID) -> bool:
    query = "SELECT content IS NOT NULL FROM cognifold.node_content WHERE node_id = %s"
    found: bool = value(plane.connection, query, event)
    return found


def packs(plane: Plane) -> list[list[str | None]]:
    query = "SELECT contents FROM cognifold.archived_content ORDER BY pack_id"
    return [row["contents"] for row in rows(plane.connection, query)]


def place(admin: Connection, plane: Plane, events: list[UUID], cold: bool) -> int:
    moved: int = value(admin, "SELECT cognifold.place_content(%s, %s, %s)", plane.tenant, events, cold)
    return moved


def recalled(plane: Plane, event: UUID, hours: float, times: int = 1) -> None:
    """As if so many recalls had returned it at that hour."""
    plane.at(hours)
    for _ in range(times):
        plane.connection.execute("SELECT cognifold.note_recall(%s)", [[event]])


def test_an_archived_event_keeps_its_title_hot_and_its_text_in_a_pack(plane: Plane) -> None:
    event = grounded(plane, payload=Jsonb({"km": 2, "with": None}), media=Jsonb([{"mime": "image/png", "uri": "a"}]))
    other = grounded(plane, ROWED)
    query = "SELECT id, title, content, payload, media, digest FROM cognifold.event ORDER BY id"
    before = rows(plane.connection, query)
    archived(plane, event, other)
    assert (is_hot(plane, event), is_hot(plane, other)) == (False, False)
    assert packs(plane) == [[SWAM, ROWED]]
    assert rows(plane.connection, query) == before
    assert value(plane.connection, "SELECT payloads[2] IS NULL FROM cognifold.archived_content")
    assert violations(plane.connection) == []


def test_a_pass_reports_what_it_moved(plane: Plane) -> None:
    grounded(plane)
    plane.event("Swam", 0, 1, 0, folded=True)
    for hours in (0, 1):
        plane.consolidate(hours)
    assert plane.consolidate(168)["counts"] == NOTHING | {"events_archived": 1, "contents_moved": 1}


def test_of_forty_seven_bytes_nothing_is_moved_and_of_forty_eight_it_is(plane: Plane, admin: Connection) -> None:
    short, long = (plane.event(letter * number, 1, 0, 0, folded=True) for letter, number in (("a", 47), ("b", 48)))
    assert place(admin, plane, [short, long], True) == 1
    assert (is_hot(plane, short), is_hot(plane, long)) == (True, False)


def test_a_pack_begins_anew_after_four_thousand_bytes(plane: Plane, admin: Connection) -> None:
    # Each counts for 1008 with its place in the array: four begin before 4000, the fifth at 4032, the ninth at 8064.
    events = [plane.event(f"{number}" * 1000, 1, 0, 0, hours=number, folded=True) for number in range(9)]
    assert place(admin, plane, events[::-1], True) == 9
    assert [[str(text)[0] for text in pack] for pack in packs(plane)] == [list("0123"), list("4567"), ["8"]]
    assert place(admin, plane, events, True) == 0, "they are there already"
    assert [text(plane, event) for event in events] == [f"{number}" * 1000 for number in range(9)]


def test_what_comes_back_leaves_its_pack_and_an_empty_pack_goes(plane: Plane, admin: Connection) -> None:
    swam, rowed = plane.event(SWAM, 1, 0, 0, folded=True), plane.event(ROWED, 0, 1, 0, folded=True)
    place(admin, plane, [swam, rowed], True)
    assert place(admin, plane, [swam], False) == 1
    assert (is_hot(plane, swam), text(plane, swam), packs(plane)) == (True, SWAM, [[None, ROWED]])
    assert violations(plane.connection) == []
    assert place(admin, plane, [swam, rowed], False) == 1
    assert (text(plane, rowed), packs(plane)) == (ROWED, [])


def test_events_are_archived_by_so_many_a_call(plane: Plane, admin: Connection) -> None:
    events = [grounded(plane, f"{SWAM} {number}") for number in range(5)]
    for hours in (0, 1):
        plane.consolidate(hours)
    done = [value(admin, "SELECT cognifold.archive_events(%s, %s, 2)", plane.tenant, later(168)) for _ in range(4)]
    assert [counts["events_archived"] for counts in done] == [2, 2, 1, 0]
    assert {state(plane, event) for event in events} == {"archived"}


def test_those_asked_for_lately_do_not_hide_those_behind_them(plane: Plane, admin: Connection) -> None:
    events = [grounded(plane, f"{SWAM} {number}") for number in range(3)]
    for hours in (0, 1):
        plane.consolidate(hours)
    for event in events[:2]:
        recalled(plane, event, 100)
    plane.connection.execute("SELECT cognifold.count_recalls()")
    done = value(admin, "SELECT cognifold.archive_events(%s, %s, 1)", plane.tenant, later(168))
    assert done == {"events_archived": 1, "contents_moved": 1}
    assert [state(plane, event) for event in events] == ["consolidated", "consolidated", "archived"]


def test_an_archived_event_comes_back_when_it_was_asked_for_three_times_and_stays(plane: Plane) -> None:
    event = grounded(plane)
    archived(plane, event)
    recalled(plane, event, 200, times=2)
    plane.consolidate(201)
    assert (state(plane, event), is_hot(plane, event)) == ("archived", False)
    recalled(plane, event, 202)
    assert plane.consolidate(203)["counts"]["events_woken"] == 1
    assert (state(plane, event), is_hot(plane, event), packs(plane)) == ("consolidated", True, [])
    plane.consolidate(9000)
    assert state(plane, event) == "consolidated"


def test_an_archived_event_that_becomes_evidence_comes_back_for_a_week(plane: Plane) -> None:
    event = grounded(plane)
    archived(plane, event)
    make_concept(plane.connection, "Cold lakes", event)
    assert plane.consolidate(300)["counts"]["events_woken"] == 1
    assert (state(plane, event), is_hot(plane, event)) == ("consolidated", True)
    assert plane.consolidate(467.999)["counts"]["events_archived"] == 0
    assert plane.consolidate(468)["counts"]["events_archived"] == 1
    assert text(plane, event) == SWAM


def test_what_a_deleted_node_said_leaves_the_archive(plane: Plane, admin: Connection) -> None:
    gone, kept = plane.event(SWAM, 1, 0, 0), plane.event(ROWED, 0, 1, 0)
    admin.execute("DELETE FROM cognifold.work WHERE tenant_id = %s", [plane.tenant])
    assert place(admin, plane, [gone, kept], True) == 2
    admin.execute("DELETE FROM cognifold.node WHERE tenant_id = %s AND id = %s", [plane.tenant, gone])
    assert packs(plane) == [[None, ROWED]]
    admin.execute("DELETE FROM cognifold.node WHERE tenant_id = %s AND id = %s", [plane.tenant, kept])
    assert packs(plane) == []


def test_a_pass_that_fails_has_moved_nothing(plane: Plane, admin: Connection) -> None:
    event = grounded(plane)
    for hours in (0, 1):
        plane.consolidate(hours)
    before = snapshot(admin, plane.tenant)
    with plane.connection.transaction(force_rollback=True):
        assert plane.consolidate(168)["counts"]["contents_moved"] == 1
        assert not is_hot(plane, event)
    assert snapshot(admin, plane.tenant) == before
    admin.execute("ALTER TABLE cognifold.archived_content ADD CONSTRAINT stop CHECK (pack_id < 0) NOT VALID")
    try:
        with pytest.raises(psycopg.errors.CheckViolation):
            plane.consolidate(168)
    finally:
        admin.execute("ALTER TABLE cognifold.archived_content DROP CONSTRAINT stop")
    assert snapshot(admin, plane.tenant) == before
    assert plane.consolidate(168)["counts"]["contents_moved"] == 1


def test_the_archive_is_its_tenants_and_nobody_writes_it(
    plane: Plane, admin: Connection, connect: Callable[..., Connection], new_tenant: Callable[..., str]
) -> None:
    event = plane.event(SWAM, 1, 0, 0, folded=True)
    place(admin, plane, [event], True)
    stranger = connect(new_tenant())
    for relation in ("archived_content", "node_text"):
        assert value(plane.connection, f"SELECT count(*) FROM cognifold.{relation}") == 1
        assert value(stranger, f"SELECT count(*) FROM cognifold.{relation}") == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        plane.connection.execute("UPDATE cognifold.archived_content SET contents = '{}'")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        plane.connection.execute("SELECT cognifold.place_content(%s, '{}', true)", [plane.tenant])


def test_a_misplaced_text_is_found_by_check(plane: Plane, admin: Connection) -> None:
    event = plane.event(SWAM, 1, 0, 0, folded=True)
    place(admin, plane, [event], True)
    alter = "UPDATE cognifold.archived_content SET contents = %s WHERE tenant_id = %s"
    admin.execute(alter, [[SWAM, "left over"], plane.tenant])
    assert [row[0] for row in violations(plane.connection)] == ["what is archived lies in one place"]
    admin.execute(alter, [["other"], plane.tenant])
    assert [row[0] for row in violations(plane.connection)] == ["an event never changes"]


STORY = (
    "Anna: I live in Lisbon now, in a small flat close to the old harbour and the fish market",
    "Ben: Anna, we need to repair the boat before Friday, the hull is leaking again badly",
    "Anna: the hull of the boat is leaking again, who could repair such a wooden hull here?",
    "Ben: The carpenter at the harbour repairs wooden boats, his workshop is behind the market",
    "Anna: I moved to Porto last week because the flat close to the harbour was sold",
    "Ben: The wooden boat is repaired and the hull does not leak any more, we can sail",
)


def answers(connection: Connection, nodes: list[UUID], moment: str) -> dict[str, Any]:
    """What everything that reads texts says, as text."""
    asked = {
        "event": "SELECT id, title, content, payload, media, digest, occurred_at FROM cognifold.event",
        "recall": "SELECT * FROM cognifold.recall('who repairs the leaking hull of the boat?', 20)",
        "state": "SELECT * FROM cognifold.recall('where does Anna live?', 5)",
        "explained": "SELECT * FROM cognifold.explain_recall('the wooden boat', 10)",
        "context": "SELECT * FROM cognifold.context('the wooden boat', 200)",
        "window": "SELECT * FROM cognifold.context_window(20)",
        "window then": "SELECT * FROM cognifold.context_window(20, '2026-03-02T12:00:00Z')",
        "explain": "SELECT e.* FROM cognifold.concept AS c CROSS JOIN LATERAL cognifold.explain(c.id) AS e",
        "explain then": "SELECT e.* FROM cognifold.concept AS c "
        f"CROSS JOIN LATERAL cognifold.explain(c.id, known_at => '{moment}') AS e",
        "recall then": f"SELECT * FROM cognifold.recall('the leaking hull', 10, known_at => '{moment}')",
        "request": "SELECT cognifold.fold_request(ARRAY(SELECT id FROM cognifold.event ORDER BY id))",
        "statements": "SELECT cognifold.rebuild_statements()",
        "stated": "SELECT * FROM cognifold.state_statement",
        "check": "SELECT * FROM cognifold.check()",
    }
    found = {
        name: sorted(str(row) for row in connection.execute(query.encode()).fetchall()) for name, query in asked.items()
    }
    found["history"] = [str(connection.execute("SELECT * FROM cognifold.history(%s)", [n]).fetchall()) for n in nodes]
    return found


def test_all_that_reads_texts_says_the_same_before_and_after(
    connect: Callable[..., Connection], new_tenant: Callable[..., str], admin: Connection
) -> None:
    tenant = new_tenant()
    connection = connect(tenant, now=later(8))
    events = []
    for number, line in enumerate(STORY):
        actor, said = line.split(": ", 1)
        payload = Jsonb({"line": number}) if number % 2 else None
        events.append(remember(connection, said, later(number), actor=actor, source="harbour", payload=payload))
    fold(connection)
    boat = make_concept(connection, "The leaking hull", *events[1:4])
    moment = value(connection, "SELECT clock_timestamp()::text")
    apply(connection, {"op": "UPDATE_NODE", "node": str(boat), "title": "The repaired hull"})
    before = answers(connection, [boat, *events], moment)
    assert len(before["recall"]) >= 4
    assert len(before["stated"]) >= 2
    assert value(admin, "SELECT cognifold.place_content(%s, %s, true)", tenant, events) == len(STORY)
    assert answers(connection, [boat, *events], moment) == before
    assert value(admin, "SELECT cognifold.place_content(%s, %s, false)", tenant, events) == len(STORY)
    assert answers(connection, [boat, *events], moment) == before


def test_vectors_and_words_are_made_anew_from_archived_texts(plane: Plane, admin: Connection) -> None:
    event = plane.event(SWAM, 1, 0, 0, folded=True)
    words = rows(admin, "SELECT * FROM cognifold.lexical_document WHERE tenant_id = %s", plane.tenant)
    place(admin, plane, [event], True)
    admin.execute("DELETE FROM cognifold.lexical_document WHERE tenant_id = %s", [plane.tenant])
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [plane.tenant])
    admin.execute("SELECT cognifold.index_node(%s, %s)", [plane.tenant, event])
    assert rows(admin, "SELECT * FROM cognifold.lexical_document WHERE tenant_id = %s", plane.tenant) == words
    admin.execute("SELECT cognifold.register_model('other plane', 'external', 3)")
    plane.connection.execute("SELECT cognifold.reembed('other plane')")
    assert plane.connection.execute("SELECT * FROM cognifold.awaiting_reembedding()").fetchall() == [(event, SWAM)]


def test_an_archived_event_whose_fold_is_taken_back_is_folded_from_its_text(plane: Plane, admin: Connection) -> None:
    event = plane.event(SWAM, 1, 0, 0, folded=True)
    place(admin, plane, [event], True)
    plan = value(plane.connection, "SELECT plan_id FROM cognifold.folded_event WHERE event_id = %s", event)
    plane.connection.execute("SELECT cognifold.undo_plan(%s)", [plan])
    plane.connection.execute("SELECT cognifold.retry(%s)", [event])
    asked = (
        "SELECT node_id, content FROM cognifold.recall("
        "'kilometres in the lake', query_embedding => '[1,0,0]', model => 'plane')"
    )
    assert plane.connection.execute(asked.encode()).fetchall() == [(event, SWAM)]
    fold(plane.connection)
    assert violations(plane.connection) == []


def test_texts_are_read_in_one_way_only() -> None:
    # Who writes them, who reads nodes that are no events, and health, whose event is a moment old.
    own = {
        "capture/store_event.sql", "graph/add_nodes.sql", "graph/update_nodes.sql", "graph/restore_rows.sql",
        "consolidate/place_content.sql", "consolidate/node_text.sql", "consolidate/clear_places.sql",
        "consolidate/orphan_links.sql", "consolidate/consolidation_faults.sql", "fold/refresh_statistics.sql",
        "views/concept.sql", "views/intent.sql", "views/health.sql",
        "govern/reword_concepts.sql", "govern/reword_dates.sql", "govern/reword_intents.sql",
    }  # fmt: skip
    root = Path(__file__).parents[2] / "sql" / "repeatable"
    naming = {
        str(file.relative_to(root))
        for file in root.glob("*/*.sql")
        if re.search(r"cognifold\.node_content\b", re.sub(r"--.*|COMMENT ON[^;]*;", "", file.read_text()))
    }
    assert naming <= own
