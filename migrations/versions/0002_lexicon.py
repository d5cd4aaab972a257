"""The table that the default embedder is."""

from __future__ import annotations

from cognifold_pg.migrations.revision import run

revision = "0002_lexicon"
down_revision = "0001_core"


def upgrade() -> None:
    """Run ``sql/versioned/0002_lexicon.sql``."""
    run(revision)
