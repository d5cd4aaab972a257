"""``python -m cognifold_pg.planner``: UpdatePlan's JSON schema, as it stands in ``docs/update-plan.md``."""

from __future__ import annotations

import json

from cognifold_pg.planner.schema import document_schema

if __name__ == "__main__":
    print(json.dumps(document_schema(), indent=1, ensure_ascii=False))
