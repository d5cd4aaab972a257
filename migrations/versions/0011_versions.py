"""Versions: what an install has made, to tell whether somebody has changed it by hand."""

from __future__ import annotations

from cognifold_pg.migrations.revision import run

revision = "0011_versions"
down_revision = "0010_governance"


def upgrade() -> None:
    """Run ``sql/versioned/0011_versions.sql``."""
    run(revision)
