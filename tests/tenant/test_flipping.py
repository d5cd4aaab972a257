"""A query that changes the tenant while it runs sees no more than one that does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection, make_role, value

# The setting moves on with each row of the outer query; the inner one is scanned anew each time.
FLIP = """
SELECT v.tenant, x.content
FROM (VALUES (%(ours)s), (%(theirs)s), (%(ours)s)) AS v (tenant)
CROSS JOIN LATERAL (SELECT set_config('cognifold.tenant', v.tenant, false) AS set OFFSET 0) AS q
CROSS JOIN LATERAL (SELECT t.content, q.set FROM {relation} AS t WHERE t.content <> q.set) AS x
"""


@pytest.fixture
def bound(
    admin: Connection, dsn: str, connect: Callable[..., Connection], new_tenant: Callable[..., str]
) -> Iterator[tuple[Connection, str, str]]:
    """A connection of a bound role, its tenant, and a tenant it may not see; each tenant has one event."""
    ours, theirs = new_tenant(), new_tenant()
    for tenant in (ours, theirs):
        with Memory(dsn, tenant=tenant) as memory:
            memory.remember(f"said in {tenant}")
    make_role(admin, "test_flipper", "cognifold_reader")
    value(admin, "SELECT cognifold.bind_role('test_flipper', %s)", ours)
    yield connect(ours, user="test_flipper"), ours, theirs
    admin.execute("DELETE FROM cognifold.tenant_member WHERE role_name = 'test_flipper'")


@pytest.mark.parametrize("relation", ["cognifold.event", "cognifold.node_content"])
def test_a_bound_role_that_changes_the_tenant_as_its_query_runs_sees_its_own_rows_only(
    bound: tuple[Connection, str, str], relation: str
) -> None:
    connection, ours, theirs = bound
    rows = connection.execute(FLIP.format(relation=relation).encode(), {"ours": ours, "theirs": theirs}).fetchall()
    assert {content for _, content in rows} == {f"said in {ours}"}
