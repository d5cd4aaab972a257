"""The memory's tables."""

from __future__ import annotations

from cognifold_pg.migrations.revision import run

revision = "0001_core"
down_revision = None


def upgrade() -> None:
    """Run ``sql/versioned/0001_core.sql``."""
    run(revision)
