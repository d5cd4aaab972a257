"""What plans change is in the graph once it was carried over, whatever they were and however they met."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg.conninfo import make_conninfo

from cognifold_pg.workers.metrics import collect
from tests.conftest import Connection, make_role, value
from tests.govern.conftest import CANARY, traces
from tests.graph.plans import (
    add_edge,
    add_node,
    apply,
    fold,
    make_concept,
    merge_nodes,
    remember,
    remove_edge,
    update_node,
)
from tests.graph.strategies import hour
from tests.graph.test_undo_of_everything import SAID, Life
from tests.graph_projection.conftest import GOVERNOR
from tests.graph_projection.projection import Projection


def lag(graph: Projection) -> tuple[int, int]:
    """Plans and changes that the graph does not show."""
    ((plans, changes),) = graph.connection.execute("SELECT plans, changes FROM cognifold.graph_lag").fetchall()
    return plans, changes


@pytest.fixture(scope="module")
def lived(admin_dsn: str, dsn: str) -> Projection:
    """A memory with events that wait to be folded, and its graph: each example's transaction goes back there."""
    admin = psycopg.connect(admin_dsn, autocommit=True)
    connection = psycopg.connect(dsn, autocommit=True, prepare_threshold=None)
    connection.execute("SELECT cognifold.create_tenant('graph of a life')")
    connection.execute("SELECT set_config('cognifold.tenant', 'graph of a life', false)")
    for number, said in enumerate(SAID):
        remember(connection, said, hour(-40 + number).isoformat())
    graph = Projection(admin, connection, "graph of a life")
    graph.enable()
    return graph


@given(data=st.data())
@settings(max_examples=5, derandomize=True, database=None)
def test_whatever_happens_to_a_memory_its_graph_shows_the_tables(lived: Projection, data: st.DataObject) -> None:
    """Folds, plans, sleep, intents, answers and undoing, in any order, with the graph catching up now and then."""
    # One superuser's session, that takes on the plain role for what a plain role does: all of it is rolled back.
    admin = lived.admin
    with admin.transaction(force_rollback=True):
        admin.execute("SELECT set_config('cognifold.tenant', %s, true)", [lived.tenant])
        graph = Projection(admin, admin, lived.tenant)
        life = Life(admin, data)
        for step in range(8):
            admin.execute("SET LOCAL ROLE graph_writer")
            life.happen(hour(step))
            if data.draw(st.booleans()):
                graph.sync(data.draw(st.sampled_from([1, 7, 1000])))
            admin.execute("RESET ROLE")
        graph.catch_up()
        graph.assert_shows_all()
        shown = graph.shown()
        assert graph.rebuild() == len(shown[0]) + len(shown[1])
        assert graph.shown() == shown


def test_a_merge_and_its_undo_are_carried_over(graph: Projection) -> None:
    connection = graph.connection
    said = [remember(connection, f"The kiln cracked the {word} glaze") for word in ("blue", "grey", "red")]
    one, other = make_concept(connection, "Kiln", *said[:2]), make_concept(connection, "Oven", said[2])
    graph.catch_up()
    merged = apply(connection, merge_nodes(one, other, survivor=one))
    graph.catch_up()
    assert other not in graph.shown()[0]
    assert (said[2], "grounds", one) in graph.shown()[1]
    graph.assert_shows_all()
    value(connection, "SELECT cognifold.undo_plan(%s)", merged["plan_id"])
    graph.catch_up()
    assert (said[2], "grounds", other) in graph.shown()[1]
    graph.assert_shows_all()


def test_an_edge_that_fades_or_is_taken_out_leaves_the_graph_and_a_new_title_replaces_the_old(
    graph: Projection,
) -> None:
    connection = graph.connection
    said = [remember(connection, f"The boat leaks at the {place}", hour(n).isoformat()) for n, place in
            enumerate(("bow", "stern", "keel"))]  # fmt: skip
    boat = make_concept(connection, "Boat", *said[:2])
    apply(connection, add_edge(said[2], "grounds", boat), add_edge(said[0], "related_to", said[2]))
    graph.catch_up()
    apply(connection, update_node(boat, title='A "leaky" boat\\ ::vertex'), remove_edge(said[0], "related_to", said[2]))
    graph.catch_up()
    nodes, edges = graph.shown()
    assert nodes[boat][1] == 'A "leaky" boat\\ ::vertex'
    assert (said[0], "related_to", said[2]) not in edges
    connection.execute("SELECT set_config('cognifold.now', %s, false)", [(hour(0) + timedelta(days=900)).isoformat()])
    connection.execute("SELECT cognifold.consolidate()")
    graph.catch_up()
    assert not [edge for edge in graph.shown()[1] if edge[2] == boat]
    graph.assert_shows_all()


def test_an_event_is_in_the_graph_from_its_fold_on(graph: Projection) -> None:
    event = remember(graph.connection, "The mast is being painted")
    graph.catch_up()
    assert event not in graph.shown()[0]
    fold(graph.connection)
    graph.catch_up()
    assert event in graph.shown()[0]


def test_what_is_deleted_leaves_the_graph_in_the_same_transaction_whoever_deletes_it(graph: Projection) -> None:
    connection = graph.connection
    said = [remember(connection, f"A secret about the {thing}") for thing in ("cellar", "attic")]
    apply(connection, add_edge(said[0], "related_to", said[1]))
    graph.catch_up()
    assert set(said) == set(graph.shown()[0])
    with graph.admin.transaction():  # as a verb that forgets would
        graph.admin.execute("SET LOCAL session_replication_role = origin")
        graph.admin.execute("DELETE FROM cognifold.work WHERE node_id = %s", [said[0]])
        graph.admin.execute("DELETE FROM cognifold.node WHERE tenant_id = %s AND id = %s", [graph.tenant, said[0]])
        assert "cellar" not in str(graph.shown())
    assert graph.shown() == ({said[1]: graph.wanted()[0].get(said[1], graph.shown()[0][said[1]])}, {})


def test_what_is_forgotten_is_in_no_table_of_the_graph_and_what_stays_is_worded_anew_there(
    graph: Projection, admin: Connection, connect: Callable[..., Connection]
) -> None:
    connection = graph.connection
    said = [
        remember(connection, text, hour(n).isoformat(), actor=actor, source="log")
        for n, (text, actor) in enumerate(
            ((f"The pump of {CANARY} is dry", CANARY), ("The pump is dry again", "Ida"), ("The pump was oiled", "Ida"))
        )
    ]
    fold(connection)
    pump = make_concept(connection, f"Pump of {CANARY}", *said[:2])
    wish = add_node("intent", f"Call {CANARY}", said[0], ref="wish")
    only = UUID(apply(connection, wish, add_edge(said[0], "related_to", said[2]))["refs"]["wish"])
    graph.catch_up()
    labels = {name.split(".")[1] for name in traces(admin) if name.startswith(graph.name)}
    assert labels == {"concept", "event", "intent", "_ag_label_vertex"}  # which all others inherit from
    connect(graph.tenant, user=GOVERNOR).execute("SELECT cognifold.forget(subject => %s)", [CANARY])
    assert traces(admin) == {}
    nodes, _ = graph.shown()
    assert {said[0], only}.isdisjoint(nodes)
    assert "pump" in nodes[pump][1].lower()
    graph.assert_shows_all()
    assert graph.sync() == 1  # the tombstone, which changes nothing
    graph.assert_shows_all()


def test_a_plan_that_commits_late_is_not_passed_over(graph: Projection, connect: Callable[..., Connection]) -> None:
    """Its version is the place in the feed, and given in the order of commits: a later plan has to wait for it."""
    said = [remember(graph.connection, f"The {bird} sings") for bird in ("wren", "robin", "finch")]
    slow, fast = connect(graph.tenant), connect(graph.tenant)
    fast.execute("SET lock_timeout = '50ms'")
    slow.execute("BEGIN")
    apply(slow, add_edge(said[0], "related_to", said[1]))
    with pytest.raises(psycopg.errors.LockNotAvailable):
        apply(fast, add_edge(said[1], "related_to", said[2]))
    assert graph.sync() == 0
    slow.execute("COMMIT")
    apply(fast, add_edge(said[1], "related_to", said[2]))
    graph.catch_up()
    assert {(s, t) for s, _, t in graph.shown()[1]} == {(said[0], said[1]), (said[1], said[2])}


def test_it_is_carried_over_in_whole_plans_of_so_many_changes_and_the_lag_says_what_is_left(graph: Projection) -> None:
    said = [remember(graph.connection, f"Ship {number} came in") for number in range(4)]
    for first, second in itertools.pairwise(said):
        apply(graph.connection, add_edge(first, "related_to", second))
    assert lag(graph) == (3, 3)
    assert graph.sync(2) == 2
    assert lag(graph) == (1, 1)
    assert graph.sync(1) == 1
    assert lag(graph) == (0, 0)
    assert graph.sync() == 0
    apply(graph.connection, *(add_edge(said[0], "related_to", other) for other in said[2:]))
    assert graph.sync(1) == 2  # a plan is carried over whole
    graph.assert_shows_all()


def test_two_at_once_carry_each_change_over_once(graph: Projection, connect: Callable[..., Connection]) -> None:
    said = [remember(graph.connection, f"Lamp {number} is out") for number in range(20)]
    for first, second in itertools.pairwise(said):
        apply(graph.connection, add_edge(first, "related_to", second))
    sessions = [connect(graph.tenant) for _ in range(4)]

    def carry(session: Connection) -> int:
        total = 0
        while carried := value(session, "SELECT cognifold.graph_sync(3)"):
            total += carried
        return total

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(carry, sessions)) == 19
    graph.assert_shows_all()


@pytest.mark.parametrize("verb", ["graph_sync", "graph_rebuild"])
def test_one_that_is_killed_has_done_nothing_and_the_next_does_all(
    graph: Projection, connect: Callable[..., Connection], verb: str
) -> None:
    said = [remember(graph.connection, f"The tide is {word}") for word in ("low", "high")]
    apply(graph.connection, add_edge(said[0], "related_to", said[1]))
    before = graph.shown()
    killed = connect(graph.tenant)
    killed.execute("BEGIN")
    killed.execute(f"SELECT cognifold.{verb}()".encode())
    graph.admin.execute("SELECT pg_terminate_backend(%s, 5000)", [killed.info.backend_pid])
    assert graph.shown() == before
    value(graph.connection, f"SELECT cognifold.{verb}()")
    graph.assert_shows_all()
    assert graph.shown() != before


def test_the_job_carries_it_over_and_the_metrics_tell_of_the_lag(graph: Projection, admin_dsn: str) -> None:
    make_role(graph.admin, "graph_worker", "cognifold_worker")
    said = [remember(graph.connection, f"The goat ate the {thing}") for thing in ("roses", "fence")]
    apply(graph.connection, add_edge(said[0], "related_to", said[1]))
    told = collect(make_conninfo(admin_dsn, user="graph_worker"))
    assert f'cognifold_graph_lag_changes{{tenant="{graph.tenant}"}} 1\n' in told
    with psycopg.connect(make_conninfo(admin_dsn, user="graph_worker"), autocommit=True) as worker:
        assert value(
            worker, "SELECT enabled FROM cognifold.job_status WHERE job = 'graph' AND tenant_id = %s", graph.tenant
        )
        assert value(worker, "SELECT cognifold.run_in_sql('graph', %s)", graph.tenant) == {"changes": 1}
    graph.assert_shows_all()
    assert f'cognifold_graph_lag_seconds{{tenant="{graph.tenant}"}} 0\n' in collect(
        make_conninfo(admin_dsn, user="graph_worker")
    )
