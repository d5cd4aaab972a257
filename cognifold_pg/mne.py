"""The memory in the words of the MNE papers (Curry: NeoCortex-M): the same verbs under the names used there.

============================  =====================================================
MNE                           here
============================  =====================================================
``encode_experience``         :meth:`~cognifold_pg.client.Memory.remember`
``retrieve``                  :meth:`~cognifold_pg.client.Memory.recall`
``consolidate_memories``      :meth:`~cognifold_pg.client.Memory.consolidate`
``extract_insights``          the rows of ``cognifold.insight``
============================  =====================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from cognifold_pg.client import Memory
from cognifold_pg.experience import Experience
from cognifold_pg.results import Consolidation, Recollection


@dataclass(frozen=True, slots=True)
class Insight:
    """A distilled statement: ``confidence`` in [0, 1], ``abstraction_level`` specific, general or principle.

    ``derived_from`` are the nodes it rests on; ``explain`` shows what is beneath them.
    """

    insight_id: UUID
    insight: str
    confidence: float
    abstraction_level: str
    derived_from: tuple[UUID, ...]
    created_at: datetime


class MneMemory:
    """One tenant's memory in MNE's vocabulary.

    Adds nothing to ``memory`` (a :class:`~cognifold_pg.client.Memory`, pooled or joined), which stays open and the
    caller's; arguments, results and errors are those of its methods.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def encode_experience(self, experience: Experience | str, **fields: Any) -> UUID:
        """Store an experience as an event and queue it to be folded; its id, new or known.

        ``fields`` are those of :class:`~cognifold_pg.experience.Experience`: ``emotional_weight`` in [-1, 1],
        ``arousal`` in [0, 1], ``memory_type``, ``privacy_level``, ``media``, ...
        """
        return self.memory.remember(experience, **fields)

    def retrieve(
        self, query: str, k: int = 10, *, as_of: datetime | None = None, **narrowed: Any
    ) -> list[Recollection]:
        """The ``k`` memories that answer ``query`` best, by the MNE score; ``narrowed`` as in ``recall``."""
        return self.memory.recall(query, k, as_of=as_of, **narrowed)

    def consolidate_memories(self, *, as_of: datetime | None = None) -> Consolidation:
        """Run one sleep pass; what it did, in counts."""
        return self.memory.consolidate(as_of=as_of)

    def extract_insights(
        self, *, minimum_confidence: float = 0, abstraction_levels: Sequence[str] | None = None
    ) -> list[Insight]:
        """The insights that hold, the surest first."""
        rows = self.memory.rows(
            "SELECT insight_id, insight, confidence, abstraction_level, derived_from, created_at "
            "FROM cognifold.insight WHERE confidence >= %s AND (%s::text[] IS NULL OR abstraction_level = ANY (%s)) "
            "ORDER BY confidence DESC, created_at, insight_id",
            [minimum_confidence, *2 * [abstraction_levels and list(abstraction_levels)]],
        )
        return [Insight(**row | {"derived_from": tuple(row["derived_from"])}) for row in rows]
