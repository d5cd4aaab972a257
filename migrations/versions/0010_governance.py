"""Governance: who sees what, how long it is kept, and who asked."""

from __future__ import annotations

from cognifold_pg.migrations.revision import run

revision = "0010_governance"
down_revision = "0009_forget"


def upgrade() -> None:
    """Run ``sql/versioned/0010_governance.sql``."""
    run(revision)
