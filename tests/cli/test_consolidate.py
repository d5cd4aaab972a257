"""``cognifold consolidate``: a pass from the command line, and by a schedule."""

from __future__ import annotations

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import ConsolidationBusyError
from cognifold_pg.workers.sleeping import consolidate_tenant
from tests.cli.conftest import Command
from tests.conftest import Connection, value


def told(memory: Memory) -> None:
    for text in ("Swam two kilometres", "Paid the rent", "Planted tomatoes"):
        memory.remember(text)
    memory.fold_all()


def test_a_pass_says_what_it_did_or_that_there_was_nothing_to_do(run: Command, memory: Memory) -> None:
    assert run("consolidate", "--tenant", memory.tenant).stdout.splitlines()[-1] == "nothing to do"
    told(memory)
    shown = run("consolidate", "--tenant", memory.tenant).stdout
    assert shown.splitlines()[-1].startswith("2 steps, 0 plans: ")
    assert "3 events replayed" in shown


def test_a_pass_that_ends_early_says_that_more_is_left(run: Command, memory: Memory) -> None:
    told(memory)
    shown = run("consolidate", "--tenant", memory.tenant, "--rows", "1").stdout
    assert shown.splitlines()[-1] == "more is left: the next pass goes on"
    assert "1 events replayed" in shown


def test_a_pass_beside_another_is_refused_where_it_may_not_wait(
    run: Command, memory: Memory, connection: Connection, dsn: str
) -> None:
    told(memory)
    begun = value(connection, "SELECT cognifold.consolidate_step()")
    with pytest.raises(ConsolidationBusyError, match=begun["run_id"]):
        run("consolidate", "--tenant", memory.tenant, "--no-wait")
    with pytest.raises(ConsolidationBusyError):
        consolidate_tenant(dsn, memory.tenant)
    value(connection, "SELECT cognifold.consolidate_step(%s, finish => true)", begun["run_id"])
    assert consolidate_tenant(dsn, memory.tenant).more is False
