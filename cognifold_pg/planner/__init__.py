"""Planners: they read a batch of events with what lies near it and propose one UpdatePlan. They never write.

The classes of the seam need nothing but this package. :class:`LanguagePlanner` needs the extra ``llm``; it is loaded
when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cognifold_pg.planner.budget import Budget
from cognifold_pg.planner.errors import (
    BudgetExceeded,
    MalformedAnswer,
    ModelRefused,
    ModelUnreachable,
    PlannerError,
    PlannerUnavailable,
    RateLimited,
)
from cognifold_pg.planner.request import FoldRequest, KnownNode, Planner, Proposal, WaitingEvent

if TYPE_CHECKING:
    from cognifold_pg.planner.language import LanguagePlanner

__all__ = [
    "Budget",
    "BudgetExceeded",
    "FoldRequest",
    "KnownNode",
    "LanguagePlanner",
    "MalformedAnswer",
    "ModelRefused",
    "ModelUnreachable",
    "Planner",
    "PlannerError",
    "PlannerUnavailable",
    "Proposal",
    "RateLimited",
    "WaitingEvent",
]


def __getattr__(name: str) -> Any:
    if name != "LanguagePlanner":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from cognifold_pg.planner.language import LanguagePlanner
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("cognifold_pg"):
            raise
        raise PlannerUnavailable(
            f"The package {error.name} is not installed. Install the extra: pip install 'cognifold-pg[llm]'."
        ) from error
    return LanguagePlanner
