"""What is older than the tenant's rules keep it is archived or forgotten, in steps, by the memory's clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection, value
from tests.govern.conftest import GOVERNOR, traces
from tests.graph.plans import make_concept

NOW = "2026-06-01T12:00:00+00:00"


def letters(connection: Connection) -> None:
    """Five folded events, a day apart, the first on 1 May."""
    for day, (source, level, kind) in enumerate(
        (
            ("mail", "private", None),
            ("mail", "public", None),
            ("chat", "shared", "procedural"),
            ("chat", "private", None),
            ("mail", "private", None),
        )
    ):
        connection.execute(
            "SELECT cognifold.remember(%s, source => %s, "
            "occurred_at => timestamptz '2026-05-01 12:00Z' + %s * interval '1 day', "
            "privacy_level => %s, memory_type => %s)",
            [f"Letter number {day} was filed", source, day, level, kind],
        )
    connection.execute("SELECT count(*) FROM cognifold.fold(10)")


@pytest.fixture
def archive(connect: Callable[..., Connection], tenant: str) -> Connection:
    """A connection to a memory of these letters; it is 1 June."""
    connection = connect(tenant, now=NOW)
    letters(connection)
    return connection


@pytest.fixture(scope="module")
def filed(dsn: str) -> str:
    """A tenant with these letters, for tests that leave it as it is."""
    with Memory(dsn, tenant="filed") as memory:
        memory.create_tenant()
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SELECT set_config('cognifold.tenant', 'filed', false)")
        letters(connection)
    return "filed"


@pytest.fixture
def trial(filed: str, connect: Callable[..., Connection]) -> Iterator[Connection]:
    """A connection to that one, in a transaction that is rolled back; it is 1 June."""
    connection = connect(filed, now=NOW)
    with connection.transaction(force_rollback=True):
        yield connection


def archived(connection: Connection) -> list[str]:
    rows = connection.execute(
        "SELECT content FROM cognifold.event WHERE consolidation_state = 'archived' ORDER BY occurred_at"
    )
    return [row[0].split()[2] for row in rows]


def test_what_is_older_than_a_rule_keeps_it_is_archived_and_is_still_found(archive: Connection) -> None:
    archive.execute("SELECT cognifold.set_retention('old letters', interval '29 days')")
    report = value(archive, "SELECT cognifold.apply_retention()")
    # Older than 3 May, 12:00: those of 1 and 2 May.
    assert archived(archive) == ["0", "1"]
    assert {key: report[key] for key in ("archived", "forgotten", "by_rule", "more")} == {
        "archived": 2,
        "forgotten": 0,
        "by_rule": {"old letters": 2},
        "more": False,
    }
    assert (
        value(archive, "SELECT content FROM cognifold.recall('Letter number 0') LIMIT 1") == "Letter number 0 was filed"
    )
    assert archive.execute("SELECT * FROM cognifold.check()").fetchall() == []
    # Nothing more until the clock moves on.
    assert value(archive, "SELECT cognifold.apply_retention()")["archived"] == 0
    archive.execute("SET cognifold.now = '2026-06-01T12:00:01+00:00'")
    assert value(archive, "SELECT cognifold.apply_retention()")["archived"] == 1
    assert archived(archive) == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("conditions", "those"),
    [
        ("sources => '{mail}'", ["0", "1", "4"]),
        ("privacy_levels => '{private,shared}'", ["0", "2", "3", "4"]),
        ("memory_types => '{procedural}'", ["2"]),
        ("sources => '{mail}', privacy_levels => '{public}'", ["1"]),
        ("sources => '{fax}'", []),
    ],
)
def test_a_rule_is_about_what_its_conditions_say(trial: Connection, conditions: str, those: list[str]) -> None:
    trial.execute(f"SELECT cognifold.set_retention('a rule', interval '1 day', {conditions})".encode())
    assert value(trial, "SELECT cognifold.apply_retention()")["archived"] == len(those)
    assert archived(trial) == those


def test_a_pass_goes_on_where_it_stopped_and_looks_at_each_node_once(trial: Connection) -> None:
    trial.execute(
        "SELECT cognifold.set_retention('b', interval '1 day'), "
        "cognifold.set_retention('a', interval '1 day', sources => '{chat}')"
    )
    steps: list[dict[str, Any]] = []
    while not steps or steps[-1]["more"]:
        assert len(steps) < 20
        steps.append(value(trial, "SELECT cognifold.apply_retention(max_nodes => 2)"))
    # Rule a looks at five and archives two of chat, rule b at five and archives the other three.
    assert (steps[0]["looked_at"], steps[0]["archived"], steps[0]["more"]) == (2, 0, True)
    assert steps[-1]["looked_at"] == 10
    assert steps[-1]["by_rule"] == {"a": 2, "b": 3}
    assert {step["run_id"] for step in steps} == {steps[0]["run_id"]}
    assert trial.execute(
        "SELECT looked_at, archived, finished_at IS NOT NULL FROM cognifold.retention_run"
    ).fetchall() == [(10, 5, True)]


def test_what_waits_to_be_folded_and_what_has_no_date_is_left_alone(trial: Connection) -> None:
    trial.execute("SELECT cognifold.remember('Not folded', occurred_at => '2020-01-01Z')")
    trial.execute("SELECT cognifold.remember('Without a date', occurred_at => '-infinity')")
    trial.execute("SELECT cognifold.set_retention('old', interval '1 year')")
    assert value(trial, "SELECT cognifold.apply_retention()")["archived"] == 0
    trial.execute("SELECT count(*) FROM cognifold.fold(10)")
    assert value(trial, "SELECT cognifold.apply_retention()")["archived"] == 1
    assert trial.execute("SELECT content FROM cognifold.event WHERE consolidation_state = 'archived'").fetchall() == [
        ("Not folded",)
    ]


def test_a_rule_may_have_what_is_old_forgotten_with_what_was_made_of_it(
    archive: Connection, governor: Connection, admin: Connection, tenant: str
) -> None:
    old = value(archive, "SELECT id FROM cognifold.event WHERE source = 'chat' ORDER BY occurred_at LIMIT 1")
    made = make_concept(archive, "Only of the chat", old)
    governor.execute("SELECT cognifold.set_retention('no old chat', interval '28 days', 'forget', sources => '{chat}')")
    report = value(archive, "SELECT cognifold.apply_retention()")  # whoever applies it
    assert (report["archived"], report["forgotten"]) == (0, 1)
    kept = archive.execute("SELECT content FROM cognifold.event ORDER BY occurred_at").fetchall()
    assert [row[0].split()[2] for row in kept] == ["0", "1", "3", "4"]
    assert value(archive, "SELECT count(*) FROM cognifold.node WHERE id = %s", made) == 0
    assert value(admin, "SELECT node_id FROM cognifold.forgotten_key WHERE tenant_id = %s", tenant) == old
    assert archive.execute("SELECT * FROM cognifold.check()").fetchall() == []


def test_a_rule_that_forgets_is_set_by_who_may_forget_alone(archive: Connection, governor: Connection) -> None:
    governor.execute("SELECT cognifold.set_retention('rule', interval '1 year', 'forget')")
    for name in ("mine", "rule"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege) as refused:
            archive.execute("SELECT cognifold.set_retention(%s, interval '1 day', 'forget')", [name])
        assert 'role "test_writer" may not set a rule that forgets' in str(refused.value)
        assert "grant_to('test_writer', 'governor')" in str(refused.value.diag.message_hint)
    rules = "SELECT name, keep::text, created_by FROM cognifold.retention"
    assert archive.execute(rules).fetchall() == [("rule", "1 year", GOVERNOR)]
    archive.execute("SELECT cognifold.remove_retention('rule')")  # then more is kept


def test_a_rule_that_is_removed_is_named_nowhere(archive: Connection, admin: Connection) -> None:
    for number in range(2):
        archive.execute("SELECT cognifold.set_retention('about zqxwk', interval '1 day', sources => '{zqxwk}')")
        archive.execute("SELECT cognifold.apply_retention(max_nodes => %s)", [10 - 8 * number])  # the second stays open
    archive.execute("SELECT cognifold.remove_retention('about zqxwk')")
    archive.execute("SELECT cognifold.apply_retention()")
    assert traces(admin) == {}


def test_a_rule_set_again_replaces_itself_and_one_that_is_removed_is_applied_no_more(trial: Connection) -> None:
    trial.execute("SELECT cognifold.set_retention('rule', interval '1 day')")
    trial.execute("SELECT cognifold.set_retention('rule', interval '30 days', sources => '{mail}')")
    assert trial.execute("SELECT name, keep, action, sources, created_by FROM cognifold.retention").fetchall()[0][
        3:
    ] == (["mail"], "test_writer")
    trial.execute("SELECT cognifold.remove_retention('rule')")
    assert value(trial, "SELECT cognifold.apply_retention()")["looked_at"] == 0
    with pytest.raises(psycopg.Error) as error:
        trial.execute("SELECT cognifold.remove_retention('rule')")
    assert error.value.sqlstate == "CF049"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("set_retention('', '1 day')", "name = ''"),
        ("set_retention('r', '0')", "keep = 00:00:00 is not more than nothing"),
        ("set_retention('r', '-1 day')", "keep = -1 days"),
        ("set_retention('r', '2000 years')", "at most 1000 years"),
        ("set_retention('r', '1 day', 'burn')", "action = 'burn' is not archive or forget"),
        ("set_retention('r', '1 day', 'archive', 'concept')", "archive is for events"),
        ("set_retention('r', '1 day', privacy_levels => '{secret}')", "'secret' is not private, shared or public"),
        ("set_retention('r', '1 day', memory_types => '{dreamt}')", "'dreamt' is not episodic"),
        ("set_retention('r', '1 day', sources => '{}')", "an empty array matches nothing"),
        ("apply_retention('2027-01-01Z')", "is after the memory's clock"),
        ("apply_retention(max_nodes => 0)", "max_nodes = 0"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused_with_the_value(trial: Connection, call: str, message: str) -> None:
    with pytest.raises(psycopg.Error) as error:
        trial.execute(f"SELECT cognifold.{call}".encode())
    assert error.value.sqlstate == "CF010"
    assert message in str(error.value)


def test_the_job_of_retention_applies_the_rules_and_has_nothing_to_do_without_any(
    archive: Connection, admin: Connection, tenant: str
) -> None:
    admin.execute(
        "SELECT set_config('cognifold.tenant', %s, false), set_config('cognifold.now', %s, false)", [tenant, NOW]
    )
    assert value(admin, "SELECT cognifold.job_has_work(%s, 'retention', clock_timestamp())", tenant) is False
    archive.execute(
        "SELECT cognifold.set_retention('old letters', interval '29 days'), cognifold.set_setting('retention.batch', 1)"
    )
    assert value(admin, "SELECT cognifold.job_has_work(%s, 'retention', clock_timestamp())", tenant) is True
    reports = [value(admin, "SELECT cognifold.run_in_sql('retention')") for _ in range(3)]
    assert [(report["archived"], report["more"]) for report in reports] == [(1, True), (2, True), (2, False)]
    assert archived(archive) == ["0", "1"]


def test_records_of_passes_long_done_go_but_for_the_last_sleep(
    archive: Connection, admin: Connection, tenant: str
) -> None:
    archive.execute("SELECT cognifold.apply_retention()")
    for _ in range(2):
        archive.execute("SELECT cognifold.remember('Something more'), cognifold.consolidate()")
        archive.execute("SELECT count(*) FROM cognifold.fold(10)")
    archive.execute("SELECT cognifold.consolidate()")
    runs = value(archive, "SELECT count(*) FROM cognifold.consolidation_run")
    assert runs >= 2
    age = "- interval '91 days'"
    admin.execute(
        f"UPDATE cognifold.consolidation_run SET started_at = started_at {age}, updated_at = updated_at {age}, "
        f"finished_at = finished_at {age} WHERE tenant_id = %s".encode(),
        [tenant],
    )
    admin.execute(
        f"UPDATE cognifold.retention_run SET finished_at = finished_at {age} WHERE tenant_id = %s".encode(), [tenant]
    )
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    report = value(admin, "SELECT cognifold.run_in_sql('retention')")
    assert (report["passes"], report["retention_runs"]) == (runs - 1, 1)
    assert value(archive, "SELECT count(*) FROM cognifold.consolidation_run") == 1
