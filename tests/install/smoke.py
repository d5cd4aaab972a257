"""The whole way through a memory, in a few calls: for databases that are unlike the usual one."""

from __future__ import annotations

import psycopg
from psycopg.conninfo import make_conninfo

from cognifold_pg.client import Memory
from tests.conftest import make_role

SAID = (
    "Jonas watered the tomato seedlings in the greenhouse",
    "The greenhouse heating failed and two tomato seedlings froze",
    "Jonas repaired the greenhouse heating before the night",
    "The tomato seedlings in the greenhouse have their first flowers",
)


def assert_remembers_folds_recalls_and_explains(dsn: str) -> None:
    """As a plain role with nothing but membership; ``dsn`` is a superuser's, of a database with the memory in it."""
    role = "test_smoke"
    with psycopg.connect(dsn, autocommit=True) as admin:
        make_role(admin, role, "cognifold_writer", "cognifold_multitenant")
    try:
        with Memory(make_conninfo(dsn, user=role), tenant="garden") as memory:
            memory.create_tenant()
            ids = [memory.remember(said, actor="Jonas") for said in SAID]
            assert memory.fold_all() == len(SAID)
            assert memory.recall("Who repaired the heating of the greenhouse?", 4)
            concepts = memory.rows("SELECT id FROM cognifold.concept")
            assert concepts
            evidence = memory.explain(concepts[0]["id"])
            assert evidence[0].depth == 0
            assert {row.id for row in evidence[1:]} <= set(ids)
            assert len(evidence) >= 3
            assert memory.check() == []
    finally:
        with psycopg.connect(dsn, autocommit=True) as admin:
            admin.execute(f"DROP OWNED BY {role}".encode())
            admin.execute(f"DROP ROLE {role}".encode())
