"""What a plan or a counter tells of a partition, told of its table: for tests that hold in every layout."""

from __future__ import annotations

from typing import Any

from tests.conftest import Connection

# In SQL, of a relation ``c`` of pg_class: the table (or index) it is a part of, or itself.
WHOLE = "coalesce(pg_partition_root(c.oid), c.oid)::oid"


def of_tables(connection: Connection, plan: Any) -> Any:
    """The plan (of ``EXPLAIN (FORMAT JSON)``) with the names of partitions replaced by those of their tables."""
    rows = connection.execute(
        "SELECT c.relname, w.relname FROM pg_class AS c JOIN pg_class AS w ON w.oid = pg_partition_root(c.oid) "
        "WHERE c.relispartition"
    )
    return _renamed(plan, dict(rows.fetchall()))


def _renamed(part: Any, names: dict[str, str]) -> Any:
    if isinstance(part, list):
        return [_renamed(item, names) for item in part]
    if isinstance(part, dict):
        return {
            key: names.get(item, item) if key in ("Index Name", "Relation Name") else _renamed(item, names)
            for key, item in part.items()
        }
    return part
