"""Let tenants sleep: wherever a schedule calls :func:`consolidate_tenant`.

Nothing is kept here. A pass is made in steps, each its own transaction, so folding workers have their turn between
two of them, and one that is killed leaves whole steps, which the next pass goes on from.
"""

from __future__ import annotations

from datetime import timedelta

from cognifold_pg.client import Memory
from cognifold_pg.results import Consolidation


def consolidate_tenant(dsn: str, tenant: str, time_budget: timedelta | None = None) -> Consolidation:
    """One pass over a tenant's memory, for ``time_budget`` at most; what is left is for the next.

    Raises :class:`~cognifold_pg.errors.ConsolidationBusyError` where another pass of the tenant is running.
    """
    with Memory(dsn, tenant=tenant, pool_size=1) as memory:
        return memory.consolidate(time_budget=time_budget, wait=False)
