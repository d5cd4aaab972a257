"""Forgetting: what is left of what was forgotten, and what must be found to forget it."""

from __future__ import annotations

from cognifold_pg.migrations.revision import run

revision = "0009_forget"
down_revision = "0008_schedule"


def upgrade() -> None:
    """Run ``sql/versioned/0009_forget.sql``."""
    run(revision)
