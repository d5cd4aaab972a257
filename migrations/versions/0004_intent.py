"""Intents: cues, evaluation, lifecycle, feedback."""

from __future__ import annotations

from cognifold_pg.migrations.revision import run

revision = "0004_intent"
down_revision = "0003_consolidation"


def upgrade() -> None:
    """Run ``sql/versioned/0004_intent.sql``."""
    run(revision)
