"""A pass in steps: whole steps or none, within its budget, one at a time, seen while it runs, taken up when it dies."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import ConsolidationBusyError, InvalidValueError
from cognifold_pg.results import ConsolidationStep
from tests.conftest import Connection, at, value
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import NOTHING, concepts, later, merged_into, plans
from tests.graph.plans import START, make_concept, move_clock, remember, rows, violations
from tests.partitions import WHOLE

NOW = 500.0
STEP = "SELECT cognifold.consolidate_step(%s, %s, row_budget => %s)"

# Everything a pass is there for, by content: no ids, no wall clock.
CONTENT = (
    "SELECT n.title, m.title AS now, s.replay_count, s.integration_score, s.consolidation_state, s.access_count, "
    "  c.strength, c.evidence_count, c.evidence_potential FROM cognifold.node AS n "
    "LEFT JOIN cognifold.node AS m ON m.tenant_id = n.tenant_id AND m.id = n.merged_into "
    "LEFT JOIN cognifold.node_state AS s ON s.tenant_id = n.tenant_id AND s.node_id = n.id "
    "LEFT JOIN cognifold.concept_state AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id ORDER BY n.title",
    "SELECT s.title AS source, e.type, t.title AS target, e.potential, e.faded_at, e.inferred, e.bidirectional "
    "FROM cognifold.graph_edge AS e JOIN cognifold.node AS s ON s.tenant_id = e.tenant_id AND s.id = e.source_id "
    "JOIN cognifold.node AS t ON t.tenant_id = e.tenant_id AND t.id = e.target_id ORDER BY 1, 2, 3",
    "SELECT count(*) FROM cognifold.consolidation_dirty",
    "SELECT count(*) FROM cognifold.recall_log",
)


def content(connection: Connection) -> list[list[dict[str, Any]]]:
    return [rows(connection, query) for query in CONTENT]


def plant(connection: Connection) -> None:
    """Two pairs of concepts to merge, two orphans, edges to fade, recalls to count, events to replay, at hour NOW."""

    def event(text: str, *vector: float, hours: float = 0) -> UUID:
        made = remember(connection, text, later(hours), source=text)
        connection.execute("SELECT cognifold.store_embedding(%s, %s::vector, 'plane')", [made, str(list(vector))])
        assert connection.execute("SELECT outcome FROM cognifold.fold(1)").fetchall() == [("folded",)]
        return made

    for name, number in (
        ("fold.minimum_information", 100), ("fold.related", 0), ("consolidate.step", 1), ("learn.batch", 2),
        ("consolidate.fade_batch", 1), ("consolidate.merge_share", 1),
    ):  # fmt: skip
        connection.execute("SELECT cognifold.set_setting(%s, %s)", [name, number])
    for title, vector in (
        ("Swimming", (1, 0, 0)), ("Laps in the pool", (1, 0.2, 0)),
        ("Rowing", (-1, 0, 0)), ("Pulling the oars", (-1, 0.2, 0)),
    ):  # fmt: skip
        make_concept(connection, title, event(f"{title} again", *vector, hours=490))
    swum, sung = event("Swam", 1, 0, 0), event("Sang", 0, 1, 0)
    for number in range(3):
        make_concept(connection, f"Faded {number}", event(f"Long past {number}", 0, 1, -number))
    move_clock(connection, later(NOW))
    for number in range(2):
        make_concept(connection, f"Lost {number}", event(f"Ages ago {number}", 0, 0, 1 - 2 * number, hours=-8760))
    event("Found", 0, 0.1, 1, hours=495)
    for _ in range(3):
        connection.execute("SELECT cognifold.note_recall(%s)", [[swum, sung]])


@pytest.fixture
def planted(
    plane: Plane, connect: Callable[..., Connection], new_tenant: Callable[..., str]
) -> Callable[[], tuple[str, Connection]]:
    """Makes a tenant with all that is planted, the same each time, and a connection to it."""

    def make() -> tuple[str, Connection]:
        tenant = new_tenant(model="plane")
        connection = connect(tenant, now=START)
        plant(connection)
        return tenant, connection

    return make


def step(connection: Connection, run: str | None = None, rows: int | None = None) -> dict[str, Any]:
    """One step, begun at hour NOW."""
    made: dict[str, Any] = value(connection, STEP, run, later(NOW), rows)
    return made


def steps(connection: Connection, run: str | None = None) -> list[dict[str, Any]]:
    """All steps of a pass, or those from ``run`` on."""
    made = [step(connection, run)]
    while made[-1]["running"]:
        made.append(step(connection, made[-1]["run_id"]))
    return made


def kill(admin: Connection, connection: Connection) -> None:
    """The server process goes, as in a crash, and is gone."""
    assert value(admin, "SELECT pg_terminate_backend(%s, 30000)", connection.info.backend_pid)


def test_cut_within_and_after_each_step_passes_end_where_one_whole_pass_does(
    planted: Callable[[], tuple[str, Connection]], connect: Callable[..., Connection], admin: Connection
) -> None:
    _, whole = planted()
    report = value(whole, "SELECT cognifold.consolidate(%s)", later(NOW))
    expected = {
        "recalls_counted": 3, "pairs_linked": 1, "edges_faded": 5, "concepts_merged": 2, "concepts_completed": 2,
    }  # fmt: skip
    assert expected.items() <= report["counts"].items()

    tenant, connection = planted()
    assert content(connection) != content(whole)
    taken = 0
    while True:
        cut = connect(tenant, now=later(NOW))
        cut.execute("BEGIN")
        begun = step(cut)
        kill(admin, cut)  # within the transaction: it has not happened
        again = connect(tenant, now=later(NOW))
        made = step(again)
        assert (made["phase"], made["settled"], made["counts"]) == (begun["phase"], begun["settled"], begun["counts"])
        kill(admin, again)  # after it has ended: the pass is left where it is
        if made["phase"] == "ranks":
            break
        taken += 1
    assert content(connection) == content(whole)
    assert taken == report["steps"] - 1 > 15
    states = rows(
        connection, "SELECT state, count(*)::int AS runs FROM cognifold.consolidation_run GROUP BY 1 ORDER BY 1"
    )
    assert states == [{"state": "finished", "runs": 1}, {"state": "interrupted", "runs": taken}]
    assert violations(connection) == []


def test_steps_of_one_pass_end_where_one_whole_pass_does(planted: Callable[[], tuple[str, Connection]]) -> None:
    (_, whole), (_, connection) = planted(), planted()
    report = value(whole, "SELECT cognifold.consolidate(%s)", later(NOW))
    made = steps(connection)
    assert content(connection) == content(whole)
    assert list(dict.fromkeys(one["phase"] for one in made)) == ["recalls", "decay", "concepts", "events", "ranks"]
    assert (len(made), made[-1]["more"]) == (report["steps"], False)
    counts = {
        name: sum(one["counts"].get(name, 0) for one in made)
        for name in {name for one in made for name in one["counts"]}
    }
    assert NOTHING | counts == report["counts"]
    (run,) = rows(connection, "SELECT counts, steps, plans, settled FROM cognifold.consolidation_run")
    assert NOTHING | run["counts"] == report["counts"]
    assert (run["steps"], run["plans"]) == (len(made), len(plans(connection)))
    assert run["settled"] == sum(one["settled"] for one in made)


def test_a_budget_of_rows_is_kept_to_the_row_and_the_next_passes_go_on(
    planted: Callable[[], tuple[str, Connection]],
) -> None:
    (_, whole), (_, connection) = planted(), planted()
    connection.execute("SELECT cognifold.set_setting('consolidate.step', 4)")
    connection.execute("SELECT cognifold.set_setting('consolidate.fade_batch', 4)")
    value(whole, "SELECT cognifold.consolidate(%s)", later(NOW))
    query = "SELECT cognifold.consolidate(%s, row_budget => 7)"
    reports = [value(connection, query, later(NOW))]
    while reports[-1]["more"]:
        reports.append(value(connection, query, later(NOW)))
    settled = [
        row["settled"] for row in rows(connection, "SELECT settled FROM cognifold.consolidation_run ORDER BY run_id")
    ]
    assert settled[:-1] == [7] * (len(settled) - 1) and settled[-1] <= 7 < sum(settled)
    assert content(connection) == content(whole)


def test_a_budget_of_time_ends_a_pass_after_a_step(planted: Callable[[], tuple[str, Connection]]) -> None:
    _, connection = planted()
    report = value(connection, "SELECT cognifold.consolidate(%s, time_budget => '1 microsecond')", later(NOW))
    assert (report["steps"], report["more"], report["counts"]["recalls_counted"]) == (1, True, 2)
    report = value(connection, "SELECT cognifold.consolidate(%s, time_budget => '1 day')", later(NOW))
    assert (report["more"], report["counts"]["recalls_counted"]) == (False, 1)


@pytest.mark.parametrize("budget", ["time_budget => '0'", "time_budget => '-1 s'", "row_budget => 0"])
def test_a_budget_that_is_none_is_refused(connection: Connection, budget: str) -> None:
    for verb in ("consolidate", "consolidate_step"):
        with pytest.raises(psycopg.Error, match="_budget = ") as caught:
            connection.execute(f"SELECT cognifold.{verb}({budget})".encode())
        assert caught.value.sqlstate == "CF010"


def test_a_pass_is_seen_at_work_from_another_session(
    planted: Callable[[], tuple[str, Connection]], connect: Callable[..., Connection]
) -> None:
    tenant, connection = planted()
    watching = connect(tenant)
    query = "SELECT state, phase, steps, counts, finished_at FROM cognifold.consolidation_run"
    assert rows(watching, query) == []
    first = step(connection)
    second = step(connection, first["run_id"])
    (run,) = rows(watching, query)
    assert run.pop("counts")["recalls_counted"] == 3
    assert run == {"state": "running", "phase": "decay", "steps": 2, "finished_at": None}
    steps(connection, second["run_id"])
    (run,) = rows(watching, query)
    assert (run["state"], run["phase"], run["finished_at"] is None) == ("finished", "ranks", False)


def test_while_a_pass_runs_another_is_told_that_it_is_busy(
    planted: Callable[[], tuple[str, Connection]], connect: Callable[..., Connection], dsn: str
) -> None:
    tenant, connection = planted()
    run = step(connection)["run_id"]
    other = connect(tenant, now=later(NOW))
    for query in ("SELECT cognifold.consolidate(wait => false)", "SELECT cognifold.consolidate_step()",
                  "CALL cognifold.consolidate_all(wait => false)"):  # fmt: skip
        with pytest.raises(psycopg.Error, match=run) as caught:
            other.execute(query.encode())
        assert caught.value.sqlstate == "CF027"
    with Memory(dsn, tenant=tenant, clock=at(later(NOW))) as memory, pytest.raises(ConsolidationBusyError):
        memory.consolidate(wait=False)
    other.execute("SET lock_timeout = 1")
    with pytest.raises(psycopg.errors.LockNotAvailable, match=run):
        other.execute("SELECT cognifold.consolidate()")
    assert steps(connection, run)[-1]["phase"] == "ranks", "none of them was in its way"


def test_a_pass_waits_till_the_one_that_runs_in_steps_has_ended(
    planted: Callable[[], tuple[str, Connection]], connect: Callable[..., Connection], admin: Connection
) -> None:
    tenant, connection = planted()
    run = step(connection)["run_id"]
    other = connect(tenant, now=later(NOW))
    reports: list[dict[str, Any]] = []
    waiting = threading.Thread(
        target=lambda: reports.append(value(other, "SELECT cognifold.consolidate(%s)", later(NOW)))
    )
    waiting.start()
    asleep = "SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE pid = %s"
    while not value(admin, asleep, other.info.backend_pid):
        assert waiting.is_alive()
    steps(connection, run)
    waiting.join()
    assert reports[0]["counts"] == NOTHING
    assert reports[0]["run_id"] is None


def test_a_pass_that_will_not_wait_is_patient_with_a_fold_only(
    planted: Callable[[], tuple[str, Connection]], connect: Callable[..., Connection]
) -> None:
    tenant, connection = planted()
    connection.execute("SELECT cognifold.set_setting('consolidate.patience', 0.001)")
    other = connect(tenant, now=later(NOW))
    other.execute("SET lock_timeout = '1h'")
    with connection.transaction():
        connection.execute("SELECT cognifold.consolidate(row_budget => 1)")
        with pytest.raises(psycopg.Error, match="a long transaction") as caught:
            other.execute("SELECT cognifold.consolidate(wait => false)")
        assert caught.value.sqlstate == "CF027"
    assert value(other, "SHOW lock_timeout") == "1h"
    assert value(other, "SELECT cognifold.consolidate(wait => false)")["counts"]["concepts_merged"] == 2
    assert value(other, "SHOW lock_timeout") == "1h"


def test_a_pass_whose_lease_has_run_out_is_taken_up_and_whoever_ran_it_is_told(
    planted: Callable[[], tuple[str, Connection]], connect: Callable[..., Connection], admin: Connection
) -> None:
    tenant, connection = planted()
    run = step(connection)["run_id"]
    admin.execute("UPDATE cognifold.consolidation_run SET leased_until = 'epoch' WHERE tenant_id = %s", [tenant])
    other = connect(tenant, now=later(NOW))
    taken = value(other, "SELECT cognifold.consolidate(%s)", later(NOW + 1))
    assert (taken["counts"]["recalls_counted"], taken["counts"]["concepts_merged"]) == (1, 2)
    assert at(taken["as_of"]) == at(later(NOW + 1)), "it goes by its own moment"
    with pytest.raises(psycopg.Error, match=f"{run} is interrupted") as caught:
        step(connection, run)
    assert caught.value.sqlstate == "CF027"
    with pytest.raises(psycopg.Error) as caught:
        step(connection, taken["run_id"])
    assert caught.value.sqlstate == "CF027", "nor is one that has ended gone on with"
    with pytest.raises(psycopg.Error) as caught:
        step(connection, str(UUID(int=0)))
    assert caught.value.sqlstate == "CF021"


def test_an_interrupted_pass_that_left_nothing_is_ended_by_the_next(
    planted: Callable[[], tuple[str, Connection]], connect: Callable[..., Connection], admin: Connection
) -> None:
    tenant, connection = planted()
    made = step(connection)
    while made["phase"] != "events" or value(connection, "SELECT count(*) FROM cognifold.consolidation_dirty"):
        made = step(connection, made["run_id"])
    kill(admin, connection)
    other = connect(tenant, now=later(NOW))
    assert value(other, "SELECT cognifold.consolidate(%s)", later(NOW))["counts"] == NOTHING
    states = rows(other, "SELECT state FROM cognifold.consolidation_run ORDER BY run_id")
    assert states == [{"state": "interrupted"}, {"state": "finished"}]
    assert value(other, "SELECT cognifold.consolidate(%s)", later(NOW))["run_id"] is None


def test_two_passes_in_steps_at_once_do_the_work_once(planted: Callable[[], tuple[str, Connection]], dsn: str) -> None:
    tenant, connection = planted()
    gate = threading.Barrier(2)
    merged: list[int] = []

    def run() -> None:
        with Memory(dsn, tenant=tenant, clock=at(later(NOW))) as memory:
            gate.wait()
            merged.append(memory.consolidate().concepts_merged)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(merged) == [0, 2]
    runs = rows(connection, "SELECT state FROM cognifold.consolidation_run")
    assert runs == [{"state": "finished"}]
    assert violations(connection) == []


def test_what_is_folded_between_two_steps_waits_for_the_next_pass(
    planted: Callable[[], tuple[str, Connection]], connect: Callable[..., Connection]
) -> None:
    tenant, connection = planted()
    folding = connect(tenant, now=later(NOW))
    made = step(connection)
    for number in range(100):
        if not made["running"]:
            break
        event = remember(folding, f"Said {number}", later(NOW), source=f"said {number}")
        folding.execute("SELECT cognifold.store_embedding(%s, '[0,1,0]', 'plane')", [event])
        assert folding.execute("SELECT outcome FROM cognifold.fold(1)").fetchall() == [("folded",)]
        make_concept(folding, f"Saying {number}", event)
        made = step(connection, made["run_id"])
    assert (made["phase"], made["more"]) == ("ranks", False), "a pass ends, however much is stored meanwhile"
    dirty = "SELECT count(*) FROM cognifold.consolidation_dirty AS d JOIN cognifold.node AS n ON n.id = d.node_id "
    assert value(connection, dirty + "WHERE n.title LIKE 'Said %%' OR n.title LIKE 'Saying %%'") > 20
    assert value(connection, dirty + "WHERE n.title NOT LIKE 'Said %%' AND n.title NOT LIKE 'Saying %%'") == 0
    assert violations(connection) == []


def test_the_cap_on_merges_holds_across_steps_and_interruptions(
    plane: Plane, connect: Callable[..., Connection], admin: Connection
) -> None:
    plane.set("consolidate.step", 1)
    plane.set("consolidate.merge_share", 0.2)
    directions = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1))
    titles = ("Swimming", "Laps"), ("Rowing", "Oars"), ("Baking", "Bread"), ("Chess", "Openings"), ("Gardening", "Beds")
    for (x, y, z), pair in zip(directions, titles, strict=True):
        for turn, title in enumerate(pair):
            event = plane.event(f"{title} again", x + turn / 10, y + turn / 10, z + turn / 10)
            make_concept(plane.connection, title, event)
    # Of ten concepts two may be absorbed: one before it is cut off, one after.
    run = step(plane.connection)
    while not run["counts"].get("concepts_merged"):
        run = step(plane.connection, run["run_id"])
    kill(admin, plane.connection)
    plane.connection = connect(plane.tenant, now=later(NOW))
    report = plane.consolidate(NOW)
    assert (report["counts"]["concepts_merged"], report["counts"]["merges_left"]) == (1, 3)
    report = plane.consolidate(NOW)
    assert (report["counts"]["concepts_merged"], report["counts"]["merges_left"]) == (1, 2), "a fifth of eight"
    assert len(concepts(plane.connection)) == 7


def test_a_pass_that_finds_nothing_writes_nothing_and_reads_no_table_through(
    planted: Callable[[], tuple[str, Connection]],
) -> None:
    _, connection = planted()
    value(connection, "SELECT cognifold.consolidate(%s)", later(NOW))
    # What a session has not reported yet counts as its transaction's, too.
    connection.execute("SELECT pg_stat_force_next_flush()")
    written = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_xact_user_tables"
    read = (
        "SELECT sum(s.seq_scan), sum(s.idx_tup_fetch) FROM pg_stat_xact_user_tables AS s "
        f"JOIN pg_class AS c ON c.oid = s.relid JOIN pg_class AS w ON w.oid = {WHOLE} WHERE w.relname IN "
        "('node', 'graph_edge', 'embedding', 'node_state', 'recall_log', 'consolidation_dirty', 'consolidation_run')"
    )
    wal = []
    for verb in ("consolidate(%s)", "consolidate_step(as_of => %s)", "consolidate(%s, wait => false)"):
        with connection.transaction():
            # Where the server was busy, a session's earlier counts are not reported yet, and counted here.
            counted = value(connection, written), connection.execute(read.encode()).fetchall()
            before = value(connection, "SELECT pg_current_wal_insert_lsn()")
            report = value(connection, f"SELECT cognifold.{verb}", later(NOW))
            assert (report["run_id"], report["more"]) == (None, False)
            assert (value(connection, written), connection.execute(read.encode()).fetchall()) == counted
            # Whoever locks a row, even one that he does not change, has an id of a transaction.
            assert value(connection, "SELECT pg_current_xact_id_if_assigned()") is None
            wal.append(value(connection, "SELECT pg_current_wal_insert_lsn() - %s::pg_lsn", before))
    assert min(wal) == 0, "some other process of the server may have written in one of them"
    assert value(connection, "SELECT count(*) FROM cognifold.consolidation_run") == 1


def test_undoing_a_merge_of_a_pass_restores_both_concepts_with_their_edges(
    planted: Callable[[], tuple[str, Connection]],
) -> None:
    _, connection = planted()
    value(connection, "SELECT cognifold.consolidate(%s, row_budget => 8)", later(NOW))  # recalls and faded edges
    before = content(connection)[:2]
    merges: list[dict[str, Any]] = []
    while not merges:
        value(connection, "SELECT cognifold.consolidate(%s, row_budget => 1)", later(NOW))
        merges = [plan for plan in plans(connection) if plan["operations"][0]["op"] == "MERGE_NODES"]
    assert content(connection)[:2] != before
    connection.execute("SELECT cognifold.undo_plan(%s)", [merges[0]["plan_id"]])
    assert content(connection)[:2] == before
    assert violations(connection) == []


def test_a_whole_pass_by_the_procedure_commits_its_steps(planted: Callable[[], tuple[str, Connection]]) -> None:
    (_, whole), (_, connection) = planted(), planted()
    report = value(whole, "SELECT cognifold.consolidate(%s)", later(NOW))
    connection.execute("CALL cognifold.consolidate_all(%s)", [later(NOW)])
    assert content(connection) == content(whole)
    query = "SELECT count(DISTINCT xmin::text)::int FROM cognifold.plan WHERE proposer = 'consolidate'"
    assert value(connection, query) == len(report["plans"])
    assert value(whole, query) == 1
    with connection.transaction(), pytest.raises(psycopg.errors.InvalidTransactionTermination):
        connection.execute("SELECT cognifold.note_recall(ARRAY(SELECT id FROM cognifold.event LIMIT 1))")
        connection.execute("CALL cognifold.consolidate_all()")


PAUSE = "SELECT cognifold.consolidation_pause(%s)"
HELD = "UPDATE cognifold.consolidation_run SET held = %s, updated_at = now() - %s::interval WHERE run_id = %s"


@pytest.fixture
def paused(planted: Callable[[], tuple[str, Connection]], admin: Connection) -> Callable[..., float]:
    """How long a pass pauses whose last step kept the graph for ``held`` and ended ``ago``, while two events wait.

    Those for which ``ready`` is false are to be folded at another time.
    """
    tenant, connection = planted()
    run = step(connection)["run_id"]
    for number in range(2):
        waiting(connection, f"Waits {number}")

    def pause(held: str, ago: str = "0 s", ready: str = "true", **settings: float) -> float:
        for name, number in settings.items():
            connection.execute("SELECT cognifold.set_setting(%s, %s)", [f"consolidate.{name}", number])
        admin.execute(HELD, [held, ago, run])
        admin.execute(
            "UPDATE cognifold.work SET not_before = CASE WHEN " + ready + " THEN '-infinity' ELSE 'infinity' END"
            "::timestamptz WHERE tenant_id = %s", [tenant])  # fmt: skip
        found: float = value(connection, PAUSE, run)
        return found

    return pause


def waiting(connection: Connection, text: str) -> None:
    """An event that could be folded."""
    event = remember(connection, text, later(NOW), source=text)
    connection.execute("SELECT cognifold.store_embedding(%s, '[0,1,0]', 'plane')", [event])


def test_a_pass_gives_way_to_folds_for_a_multiple_of_its_last_step(paused: Callable[..., float]) -> None:
    assert paused("1 hour", courtesy=2.5) == 0.1, "a little at a time: the queue may be empty by then"
    assert paused("1 hour", "3 hours", courtesy=2.5, lease=86400) == 0, "it has given way for 2.5 hours"
    assert paused("1 hour", "2 hours", courtesy=2.5) == 0.1
    assert paused("1 hour", "2 hours", courtesy=1.5) == 0
    assert paused("0 s", courtesy=2.5) == 0
    assert paused("1 hour", courtesy=0) == 0


def test_a_pass_does_not_give_way_till_its_lease_runs_out(paused: Callable[..., float]) -> None:
    assert paused("1 hour", "29 minutes", lease=3600) == 0.1
    assert paused("1 hour", "31 minutes", lease=3600) == 0


def test_a_pass_gives_way_to_nobody_where_nothing_waits_to_be_folded(
    paused: Callable[..., float], planted: Callable[[], tuple[str, Connection]]
) -> None:
    assert paused("1 hour", ready="node_id = (SELECT max(node_id::text)::uuid FROM cognifold.work)") == 0.1
    assert paused("1 hour", ready="false") == 0
    _, connection = planted()
    run = step(connection)["run_id"]
    assert value(connection, PAUSE, run) == 0
    assert value(connection, PAUSE, str(UUID(int=0))) == 0
    remember(connection, "Waits for its vector", later(NOW))
    assert value(connection, PAUSE, run) == 0


def test_a_pass_ends_and_does_its_work_while_events_wait_that_nobody_folds(
    planted: Callable[[], tuple[str, Connection]], dsn: str
) -> None:
    (_, whole), (_, by_procedure), (tenant, by_python) = planted(), planted(), planted()
    for connection in (whole, by_procedure, by_python):
        waiting(connection, "Waits")
    value(whole, "SELECT cognifold.consolidate(%s)", later(NOW))
    by_procedure.execute("CALL cognifold.consolidate_all(%s)", [later(NOW)])
    with Memory(dsn, tenant=tenant, clock=at(later(NOW))) as memory:
        assert memory.consolidate().more is False
    assert content(whole) == content(by_procedure) == content(by_python)
    assert value(by_procedure, "SELECT count(*) FROM cognifold.work") == 1


def test_a_pass_beside_folds_gives_way_to_them_and_nothing_is_lost(
    planted: Callable[[], tuple[str, Connection]], connect: Callable[..., Connection], dsn: str
) -> None:
    tenant, connection = planted()
    for number in range(40):
        waiting(connection, f"Waits {number}")
    folding = connect(tenant, now=later(NOW))
    folded: list[str] = []

    def fold() -> None:
        while made := folding.execute("SELECT outcome FROM cognifold.fold(2)").fetchall():
            folded.extend(outcome for (outcome,) in made)

    thread = threading.Thread(target=fold)
    thread.start()
    with Memory(dsn, tenant=tenant, clock=at(later(NOW))) as memory:
        done = memory.consolidate()
    thread.join()
    assert (done.more, done.concepts_merged, done.edges_faded) == (False, 2, 5)
    assert folded == ["folded"] * 40
    assert violations(connection) == []


def test_python_tells_of_each_step_and_ends_what_it_leaves(
    planted: Callable[[], tuple[str, Connection]], dsn: str
) -> None:
    tenant, connection = planted()
    seen: list[ConsolidationStep] = []

    def watch(step: ConsolidationStep) -> None:
        seen.append(step)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with Memory(dsn, tenant=tenant, clock=at(later(NOW))) as memory:
        with pytest.raises(KeyboardInterrupt):
            memory.consolidate(progress=watch)
        assert [(one.phase, one.steps) for one in seen] == [("recalls", 1), ("recalls", 2), ("decay", 3)]
        (run,) = rows(connection, "SELECT run_id, state, more FROM cognifold.consolidation_run")
        assert run == {"run_id": seen[0].run_id, "state": "finished", "more": True}, "nobody need wait for it"
        budgeted = memory.consolidate(wait=False, row_budget=1)
        assert (budgeted.more, budgeted.steps, budgeted.edges_faded) == (True, 1, 1)
        budgeted = memory.consolidate(wait=False, time_budget=timedelta(microseconds=1))
        assert (budgeted.more, budgeted.steps) == (True, 1)
        rest = memory.consolidate()
        assert (rest.more, rest.concepts_merged, rest.events_replayed) == (False, 2, 12)
        for wrong in (0, 1.5):
            with pytest.raises(InvalidValueError):
                memory.consolidate(row_budget=wrong)  # type: ignore[arg-type]


def test_a_joined_memory_sleeps_within_the_callers_transaction(
    planted: Callable[[], tuple[str, Connection]], dsn: str
) -> None:
    tenant, connection = planted()
    before = content(connection)
    with psycopg.connect(dsn) as own:
        done = Memory.joined(own, tenant=tenant, clock=at(later(NOW))).consolidate()
        assert (done.concepts_merged, done.more) == (2, False)
        own.rollback()
    assert content(connection) == before


def test_a_survivor_is_the_more_used_then_the_better_founded_then_the_older(plane: Plane) -> None:
    made = {}
    for place, (title, evidence) in enumerate(
        (("old", 1), ("used", 1), ("older", 1), ("younger", 1), ("thin", 1), ("broad", 2))
    ):
        x, y = ((1, 0), (0, 1), (-1, 0))[place // 2]
        events = [plane.event(f"{title} {number}", x, y, place % 2 / 20) for number in range(evidence)]
        plane.at(place)
        made[title] = make_concept(plane.connection, title, *events)
    plane.connection.execute("SELECT cognifold.note_recall(%s)", [[made["used"]]])
    plane.set("consolidate.merge_share", 1)
    assert plane.consolidate(10)["counts"]["concepts_merged"] == 3
    found = {title: merged_into(plane.connection, node) for title, node in made.items()}
    assert found == {
        "old": made["used"], "used": None, "older": None, "younger": made["older"],
        "thin": made["broad"], "broad": None,
    }  # fmt: skip
