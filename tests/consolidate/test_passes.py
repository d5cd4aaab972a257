"""A pass as a whole: atomic, one at a time, of one tenant, on the memory's clock."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidValueError
from tests.conftest import Connection, at, value
from tests.consolidate.conftest import Plane
from tests.consolidate.passes import NOTHING, later, plans
from tests.graph.plans import START, make_concept, remember, rows, snapshot, violations


def something_of_everything(plane: Plane) -> None:
    """Two concepts to merge, an orphan to complete, edges to fade and events to replay, all at hour 500."""
    for title, angle in (("Swimming", 0.0), ("Laps in the pool", 0.2)):
        make_concept(plane.connection, title, plane.event(title, 1, angle, 0, hours=490, folded=True))
    make_concept(plane.connection, "Faded", plane.event("Long past", 0, 1, 1, folded=True))
    plane.at(500)
    make_concept(plane.connection, "Lost", plane.event("Ages ago", 0, 0, 1, hours=-8760))
    plane.event("Found", 0, 0.1, 1, hours=495)


def test_a_pass_reports_what_it_did_and_keeps_the_report(plane: Plane) -> None:
    something_of_everything(plane)
    report = plane.consolidate(500)
    assert report["counts"] == NOTHING | {
        "concepts_changed": 4, "edges_faded": 2, "concepts_merged": 1, "concepts_completed": 1, "edges_inferred": 3,
        "events_replayed": 4, "events_consolidating": 4,
    }  # fmt: skip
    assert [plan["operations"][0]["op"] for plan in plans(plane.connection)] == [
        "FADE_EDGES",
        "MERGE_NODES",
        "ADD_EDGE",
    ]
    assert [str(plan["plan_id"]) for plan in plans(plane.connection)] == report["plans"]
    assert all(operation["reasoning"] for plan in plans(plane.connection) for operation in plan["operations"])
    (run,) = rows(
        plane.connection,
        "SELECT run_id::text, as_of, state, more, steps, plans, counts, finished_at >= started_at AS ended "
        "FROM cognifold.consolidation_run",
    )
    assert run.pop("counts").items() <= report["counts"].items()
    assert run == {
        "run_id": report["run_id"], "as_of": at(later(500)), "state": "finished", "more": False, "ended": True,
        "steps": 4, "plans": 3,
    }  # fmt: skip
    assert report["steps"] == 4, "one each for edges, concepts, events and ranks"
    assert violations(plane.connection) == []


def test_a_second_pass_at_the_same_moment_writes_nothing_at_all(plane: Plane, admin: Connection) -> None:
    something_of_everything(plane)
    plane.consolidate(500)
    before = snapshot(admin, plane.tenant)
    report = plane.consolidate(500)
    assert at(report.pop("as_of")) == at(later(500))
    assert report == {"run_id": None, "more": False, "steps": 0, "plans": [], "counts": NOTHING}
    assert snapshot(admin, plane.tenant) == before


def test_an_error_in_the_middle_leaves_nothing(plane: Plane, admin: Connection) -> None:
    something_of_everything(plane)
    before = snapshot(admin, plane.tenant)
    # The last thing a pass does is refused: a replay count that is none.
    admin.execute("ALTER TABLE cognifold.node_state ADD CONSTRAINT stop CHECK (replay_count = 0) NOT VALID")
    try:
        with pytest.raises(psycopg.errors.CheckViolation):
            plane.consolidate(500)
    finally:
        admin.execute("ALTER TABLE cognifold.node_state DROP CONSTRAINT stop")
    assert snapshot(admin, plane.tenant) == before
    assert plane.consolidate(500)["counts"]["concepts_merged"] == 1
    assert violations(plane.connection) == []


def test_a_pass_that_is_rolled_back_left_nothing(plane: Plane, admin: Connection) -> None:
    something_of_everything(plane)
    before = snapshot(admin, plane.tenant)
    with plane.connection.transaction(force_rollback=True):
        assert plane.consolidate(500)["counts"]["edges_faded"] == 2
    assert snapshot(admin, plane.tenant) == before


def test_two_passes_at_once_do_the_work_once(plane: Plane, connect: Callable[..., Connection]) -> None:
    something_of_everything(plane)
    reports: list[dict[str, Any]] = []
    gate = threading.Barrier(2)

    def run(connection: Connection) -> None:
        gate.wait()
        reports.append(value(connection, "SELECT cognifold.consolidate(%s)", later(500)))

    threads = [threading.Thread(target=run, args=(connect(plane.tenant),)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    merged = sorted(report["counts"]["concepts_merged"] for report in reports)
    assert merged == [0, 1]
    assert min(reports, key=lambda r: r["counts"]["concepts_merged"])["counts"] == NOTHING
    assert len(plans(plane.connection)) == 3
    assert violations(plane.connection) == []


def test_a_second_pass_waits_for_the_first(plane: Plane, connect: Callable[..., Connection]) -> None:
    something_of_everything(plane)
    other = connect(plane.tenant)
    other.execute("SET lock_timeout = 1")
    with plane.connection.transaction():
        plane.consolidate(500)
        with pytest.raises(psycopg.errors.LockNotAvailable):
            other.execute("SELECT cognifold.consolidate()")


def test_without_as_of_the_memorys_clock_decides(plane: Plane) -> None:
    make_concept(plane.connection, "Swimming", plane.event("Swam", 1, 0, 0))
    plane.at(500)
    report = value(plane.connection, "SELECT cognifold.consolidate()")
    assert (at(report["as_of"]), report["counts"]["edges_faded"]) == (at(later(500)), 1)


def test_passes_on_the_way_or_one_at_the_end_give_the_same_edges(
    connect: Callable[..., Connection], new_tenant: Callable[..., str]
) -> None:
    found = []
    for hours in ((50, 500), (500,)):
        connection = connect(new_tenant(), now=START)
        for text in ("Swam in the lake", "Paid the rent", "Planted the tomatoes"):
            make_concept(connection, text, remember(connection, text, source=text))
        for hour in hours:
            connection.execute("SELECT cognifold.consolidate(%s)", [later(hour)])
        found.append(rows(connection, "SELECT type, potential, faded_at FROM cognifold.edge ORDER BY potential, type"))
    assert found[0] == found[1]
    assert len(found[0]) == 3


def test_a_moment_without_end_is_refused(plane: Plane) -> None:
    with pytest.raises(psycopg.Error, match="infinity is not a moment") as caught:
        plane.connection.execute("SELECT cognifold.consolidate('infinity')")
    assert caught.value.sqlstate == "CF010"


def test_a_tenant_without_anything_has_nothing_to_do(connection: Connection) -> None:
    assert value(connection, "SELECT cognifold.consolidate()")["counts"] == NOTHING


def test_a_pass_touches_no_other_tenant(
    plane: Plane, connect: Callable[..., Connection], new_tenant: Callable[..., str], admin: Connection
) -> None:
    other = new_tenant()
    stranger = connect(other, now=START)
    for number, title in enumerate(("Swimming", "Laps in the pool")):
        make_concept(stranger, title, remember(stranger, "Swam laps in the pool", source=str(number)))
    before = snapshot(admin, other)
    something_of_everything(plane)
    plane.consolidate(500)
    assert snapshot(admin, other) == before


def test_a_reader_may_not_consolidate(connect: Callable[..., Connection], admin: Connection, tenant: str) -> None:
    for verb in (
        "consolidate(timestamptz, text, interval, bigint, boolean)",
        "consolidate_step(uuid, timestamptz, text, interval, bigint, boolean)",
        "consolidate_all(timestamptz, text, interval, bigint, boolean)",
    ):
        may = "SELECT has_function_privilege(%s, 'cognifold.' || %s, 'EXECUTE')"
        assert not value(admin, may, "cognifold_reader", verb)
        assert value(admin, may, "cognifold_writer", verb)


def test_python_returns_the_report_typed(memory: Memory) -> None:
    memory.clock = at(START)
    event = memory.remember("Swam in the lake", occurred_at=at(START))
    memory.apply_plan(
        {"operations": [{"op": "ADD_NODE", "kind": "concept", "title": "Swimming", "grounded_in": [str(event)]}]}
    )
    done = memory.consolidate(as_of=at(later(500)))
    assert done.run_id is not None
    assert (done.as_of, done.edges_faded, len(done.plans), done.concepts_changed) == (at(later(500)), 1, 1, 1)
    again = memory.consolidate(as_of=at(later(500)))
    assert (again.run_id, again.plans, again.edges_faded) == (None, (), 0)
    with pytest.raises(InvalidValueError):
        memory.consolidate(as_of=at(later(500)).replace(tzinfo=None))


def test_plans_of_a_pass_hold_at_most_two_hundred_operations(plane: Plane) -> None:
    plane.set("plan.maximum_operations", 2)
    for number in range(3):
        plane.event(f"Said {number}", 1, number / 50, 0)
    for number in range(2):
        make_concept(plane.connection, f"Lost {number}", plane.event(f"Ages ago {number}", 1, 0, 0, hours=-8760))
    report = plane.consolidate(0)
    sizes = [len(plan["operations"]) for plan in plans(plane.connection)]
    assert (sizes, len(report["plans"])) == ([1, *[2] * 4], 5)
    assert report["counts"]["edges_inferred"] == 8


def test_events_at_the_ends_of_the_calendar_stop_neither_sleep_nor_intents(connection: Connection) -> None:
    for moment in ("294276-12-31 UTC", "infinity", "-infinity", "4713-01-01 BC"):
        for what in ("failed", "failed again and must be mended by Friday"):
            value(connection, "SELECT cognifold.remember(%s, occurred_at => %s)", f"The pump {what}, {moment}", moment)
    connection.execute("SELECT cognifold.fold(20)")
    for _ in range(2):
        connection.execute("SELECT cognifold.consolidate()")
        connection.execute("SELECT cognifold.emit_intents()")
    assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []
