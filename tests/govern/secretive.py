"""A memory of three privacy levels in which every private and shared thing bears a word that nobody else may read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

import psycopg
import pytest
from psycopg import sql

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from tests.conftest import Connection, make_role

TENANT = "pottery with secrets"
SECRET = "zanzibarian"  # in everything private
CONFIDENCE = "quokkawise"  # in everything shared
CLOCK = "2026-05-20T12:00:00+00:00"
PUBLIC_ROLE, SHARED_ROLE, WRITING_ROLE, FULL_ROLE = "govern_public", "govern_shared", "govern_speaker", "govern_full"

SAYINGS: tuple[tuple[Literal["private", "shared", "public"], str, str], ...] = (
    ("public", "Mira", "The kiln needs a new heating coil before the autumn sale"),
    ("public", "Mira", "The heating coil for the kiln was ordered from Delft"),
    ("private", "Zanzibarian Ltd", "The kiln heating coil arrived from the zanzibarian supplier in Delft"),
    ("public", "Mira", "We must repair the glaze mixer by 2026-05-28, it fails again"),
    ("public", "Mira", "The glaze mixer fails again, we need to repair the glaze mixer"),
    ("public", "Mira", "The glaze mixer is still broken, we really need to repair it"),
    ("private", "Aisha", "I must pay the zanzibarian debt by 2026-05-27, I am afraid of the zanzibarian bank"),
    ("private", "Aisha", "The zanzibarian debt is unpaid again, I need money for the zanzibarian bank"),
    ("private", "Aisha", "Still no money for the zanzibarian debt, the zanzibarian bank calls again"),
    ("private", "Aisha", "I live in Zanzibarian Street"),
    ("private", "Aisha", "I moved, I now live in Upper Zanzibarian Street"),
    ("shared", "Mira", "The quokkawise recipe has less cobalt than the old recipe"),
    ("shared", "Mira", "The quokkawise recipe with cobalt came out clean on plates"),
    ("public", "Mira", "The stall for the autumn sale costs forty euros"),
    ("public", "Mira", "The market office confirmed the stall for the autumn sale"),
)


@dataclass(frozen=True)
class Secretive:
    """The memory, and who may see how much of it."""

    tenant: str
    ids: dict[str, list[str]]  # of nodes, by their level

    def hidden_from(self, level: str) -> list[str]:
        """Ids of nodes that a clearance does not reach."""
        return self.ids["private"] + (self.ids["shared"] if level == "public" else [])


@pytest.fixture(scope="session")
def secretive(dsn: str, admin_dsn: str) -> Secretive:
    """Everything the memory makes of events, made of events of all three levels; and roles of each clearance."""
    start = datetime(2026, 5, 1, 9, tzinfo=UTC)
    with Memory(dsn, tenant=TENANT, clock=datetime.fromisoformat(CLOCK)) as memory:
        memory.create_tenant()
        memory.rows("SELECT cognifold.set_setting('audit.reads', 2), cognifold.set_setting('intent.span', 0)")
        memory.remember_many(
            Experience(
                said,
                actor=actor,
                privacy_level=level,
                occurred_at=start + timedelta(hours=26 * place),
                source=f"{SECRET} mail" if level == "private" else "notes",
                payload={"about": SECRET} if level == "private" else None,
            )
            for place, (level, actor, said) in enumerate(SAYINGS)
        )
        memory.fold_all(batch=10)
        memory.emit_intents()
        events = memory.rows("SELECT id::text, privacy_level FROM cognifold.event")
        private = [row["id"] for row in events if row["privacy_level"] == "private"]
        public = [row["id"] for row in events if row["privacy_level"] == "public"]
        memory.apply_plan(
            {
                "reasoning": f"by the {SECRET} books",
                "operations": [
                    {
                        "op": "ADD_NODE",
                        "kind": "intent",
                        "title": f"Ask the {SECRET} bank",
                        "grounded_in": private[1:3],
                    },
                    {"op": "UPDATE_NODE", "node": private[0], "annotations": {"note": SECRET}},
                    {"op": "ADD_EDGE", "source": private[1], "target": public[0], "type": "related_to"},
                    {
                        "op": "ADD_INSIGHT",
                        "node": None,
                        "kind": "habit",
                        "insight": f"{SECRET} money is short",
                        "confidence": 0.5,
                        "abstraction_level": "general",
                        "grounded_in": private[1:4],
                        "aspect": SECRET,
                    },
                ],
            }
        )
        memory.apply_plan(
            {"operations": [{"op": "UPDATE_NODE", "node": private[0], "annotations": {"note": f"{SECRET}, settled"}}]}
        )
        memory.rows("SELECT cognifold.create_consumer('desk', from_start => true)")
        memory.recall(f"the {SECRET} bank", 5, learn=True)
        memory.consolidate()
        memory.remember(f"Nobody folded the {SECRET} letter yet", privacy_level="private")
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [TENANT])
        admin.execute(
            "UPDATE cognifold.work SET state = 'dead', error_state = 'CF020', error = %s WHERE tenant_id = %s",
            [f"the model said {SECRET}", TENANT],
        )
        for role, level, profile in (
            (PUBLIC_ROLE, "public", "reader"),
            (SHARED_ROLE, "shared", "reader"),
            (WRITING_ROLE, "public", "writer"),
            (FULL_ROLE, "private", "writer"),
        ):
            make_role(admin, role)
            admin.execute("SELECT cognifold.grant_to(%s, %s, %s)", [role, profile, TENANT])
            admin.execute("SELECT cognifold.set_clearance(%s, %s)", [role, level])
        admin.execute("SELECT cognifold.grant_to(%s, 'partial')", [FULL_ROLE])
        admin.execute("SELECT cognifold.grant_to(%s, 'governor')", [WRITING_ROLE])  # what it sees, it may forget
        ids = {
            level: [
                str(row[0])
                for row in admin.execute(
                    "SELECT id FROM cognifold.node WHERE tenant_id = %s AND privacy_level = %s", [TENANT, level]
                )
            ]
            for level in ("private", "shared", "public")
        }
    return Secretive(TENANT, ids)


@pytest.fixture
def as_role(connect: Callable[..., Connection], secretive: Secretive) -> Callable[..., Connection]:
    """Opens a connection of a role on that memory."""

    def open_one(role: str) -> Connection:
        return connect(secretive.tenant, user=role, now=CLOCK)

    return open_one


def called(connection: Connection, statement: bytes | sql.Composed) -> tuple[str, bool]:
    """All that a statement shows, its error included, as one text; and whether it went through. Nothing of it stays."""
    try:
        with connection.transaction(force_rollback=True):
            cursor = connection.execute(statement)
            rows = cursor.fetchall() if cursor.description else []
            return "\n".join(map(str, rows)).lower(), True
    except psycopg.Error as error:
        return str(error).lower(), False
