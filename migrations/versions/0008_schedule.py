"""Schedules: what is to be done when, who looks for work, and what came of it."""

from __future__ import annotations

from cognifold_pg.migrations.revision import run

revision = "0008_schedule"
down_revision = "0007_watch"


def upgrade() -> None:
    """Run ``sql/versioned/0008_schedule.sql``."""
    run(revision)
