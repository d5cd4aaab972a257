"""Delivery: what happens to intents, and who is told."""

from __future__ import annotations

from cognifold_pg.migrations.revision import run

revision = "0006_delivery"
down_revision = "0005_recall"


def upgrade() -> None:
    """Run ``sql/versioned/0006_delivery.sql``."""
    run(revision)
