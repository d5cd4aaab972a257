"""Recall: what a question is narrowed to, and what recall reads and learns from."""

from __future__ import annotations

from cognifold_pg.migrations.revision import run

revision = "0005_recall"
down_revision = "0004_intent"


def upgrade() -> None:
    """Run ``sql/versioned/0005_recall.sql``."""
    run(revision)
