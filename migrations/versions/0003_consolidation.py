"""What the sleep pass remembers between passes."""

from __future__ import annotations

from cognifold_pg.migrations.revision import run

revision = "0003_consolidation"
down_revision = "0002_lexicon"


def upgrade() -> None:
    """Run ``sql/versioned/0003_consolidation.sql``."""
    run(revision)
