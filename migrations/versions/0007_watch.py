"""Watch: tables of an application that feed the memory."""

from __future__ import annotations

from cognifold_pg.migrations.revision import run

revision = "0007_watch"
down_revision = "0006_delivery"


def upgrade() -> None:
    """Run ``sql/versioned/0007_watch.sql``."""
    run(revision)
