"""How long a memory keeps what, who asked it what, and how much of it the caller may see: docs/governance.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from cognifold_pg.arguments import check_aware, check_int, checked_text, checked_texts
from cognifold_pg.errors import InvalidValueError

_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class Retention:
    """One rule of how long the tenant keeps what; ``None`` in a condition means any.

    ``keep`` is as PostgreSQL writes it ("1 year", "30 days"): months and years have no length of their own.
    """

    name: str
    keep: str
    action: str
    kind: str
    sources: Sequence[str] | None
    privacy_levels: Sequence[str] | None
    memory_types: Sequence[str] | None
    created_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class RetentionPass:
    """A whole pass of ``apply_retention``: what it looked at, and what each rule archived or forgot."""

    run_id: UUID
    as_of: datetime
    looked_at: int
    archived: int
    forgotten: int
    by_rule: dict[str, int]


@dataclass(frozen=True, slots=True)
class Deed:
    """One row of the view ``audit``: who remembered, changed or asked something, and when.

    ``subject`` is the event or the plan; ``question`` is kept where the setting ``audit.reads`` is 2.
    """

    at: datetime
    role_name: str | None
    login_name: str | None
    verb: str
    subject: UUID | None
    digest: bytes | None
    question: str | None
    node_ids: Sequence[UUID] | None


class GovernanceVerbs:
    """Retention, audit and clearance, as a part of :class:`~cognifold_pg.client.Memory`."""

    if TYPE_CHECKING:

        def _rows(self, row: type[_Row], query: str, parameters: Sequence[Any]) -> list[_Row]: ...
        def _value(self, query: str, parameters: Sequence[Any]) -> Any: ...

    def set_retention(
        self,
        name: str,
        keep: timedelta | str,
        action: str = "archive",
        *,
        kind: str = "event",
        sources: Sequence[str] | None = None,
        privacy_levels: Sequence[str] | None = None,
        memory_types: Sequence[str] | None = None,
    ) -> None:
        """Have what is older than ``keep`` (a timedelta, or text such as "1 year") archived, or with "forget" gone.

        A rule of that name is set anew. "forget" needs the role ``cognifold_governor``. Raises
        :class:`InvalidValueError` with what is wrong.
        """
        if not isinstance(keep, timedelta | str):
            raise InvalidValueError(f"keep = {keep!r} is neither a timedelta nor text such as '30 days'")
        self._value(
            "SELECT cognifold.set_retention(%s, %s::interval, %s, %s, %s::text[], %s::text[], %s::text[])",
            [
                checked_text("name", name),
                keep,
                checked_text("action", action),
                checked_text("kind", kind),
                checked_texts("sources", sources),
                checked_texts("privacy_levels", privacy_levels),
                checked_texts("memory_types", memory_types),
            ],
        )

    def remove_retention(self, name: str) -> None:
        """Take a rule away; :class:`~cognifold_pg.errors.UnknownRetentionError` where there is none of that name."""
        self._value("SELECT cognifold.remove_retention(%s)", [checked_text("name", name)])

    def retention(self) -> list[Retention]:
        """The tenant's rules, by name."""
        return self._rows(
            Retention,
            "SELECT name, keep::text, action, kind, sources, privacy_levels, memory_types, created_by, created_at "
            "FROM cognifold.retention ORDER BY name",
            [],
        )

    def apply_retention(self, *, as_of: datetime | None = None, max_nodes: int | None = None) -> RetentionPass:
        """Apply the rules to all that is old, in steps of ``max_nodes`` that are each a transaction."""
        check_aware("as_of", as_of)
        if max_nodes is not None:
            check_int("max_nodes", max_nodes)
        report = {"more": True}
        while report.pop("more"):
            report = self._value("SELECT cognifold.apply_retention(%s, %s)", [as_of, max_nodes])
        told: dict[str, Any] = {**report}
        return RetentionPass(**told | {"run_id": UUID(told["run_id"]), "as_of": datetime.fromisoformat(told["as_of"])})

    def clearance(self) -> str:
        """How much of this memory the caller sees: ``private`` is all, then ``shared``, then ``public``."""
        level: str = self._value("SELECT cognifold.clearance()", [])
        return level

    def audit(self, limit: int = 100) -> list[Deed]:
        """The latest of what was done to this memory and asked of it; for members of ``cognifold_auditor``."""
        check_int("limit", limit)
        return self._rows(
            Deed,
            "SELECT at, role_name, login_name, verb, subject, digest, question, node_ids FROM cognifold.audit "
            "ORDER BY at DESC LIMIT %s",
            [limit],
        )
