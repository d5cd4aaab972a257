"""What can go wrong, by name: each error says what was wrong, which value, and what to do.

Errors raised inside the database carry a SQLSTATE of class ``CF``; :func:`from_sqlstate` gives each its Python
class, so that a caller catches ``UnknownTenantError`` and not a string.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import psycopg


class CognifoldError(Exception):
    """The root of every error this package raises on purpose."""

    sqlstate: str | None = None


class NoTenantError(CognifoldError):
    """No tenant was given and none is set (SQLSTATE CF001)."""

    sqlstate = "CF001"


class UnknownTenantError(CognifoldError):
    """The tenant is not listed in ``cognifold.tenant`` (SQLSTATE CF002)."""

    sqlstate = "CF002"


class TenantNotPermittedError(CognifoldError):
    """The role may not use this tenant (SQLSTATE CF003)."""

    sqlstate = "CF003"


class TenantConflictError(CognifoldError):
    """A verb was given one tenant while another is set (SQLSTATE CF004)."""

    sqlstate = "CF004"


class InvalidValueError(CognifoldError, ValueError):
    """An argument is out of its range or of the wrong form (SQLSTATE CF010)."""

    sqlstate = "CF010"


class ZeroVectorError(CognifoldError, ValueError):
    """An embedding has no direction: all zeros, or NaN (SQLSTATE CF011)."""

    sqlstate = "CF011"


class EmbeddingModelMismatchError(CognifoldError):
    """A vector of one model was offered where another model's vectors are stored (SQLSTATE CF012)."""

    sqlstate = "CF012"


class DimensionMismatchError(CognifoldError, ValueError):
    """A vector has another number of dimensions than its model (SQLSTATE CF013)."""

    sqlstate = "CF013"


class InvalidPlanError(CognifoldError, ValueError):
    """An UpdatePlan was rejected; the message names the operation and the reason (SQLSTATE CF020)."""

    sqlstate = "CF020"


class UnknownNodeError(CognifoldError, LookupError):
    """No node, event or plan of this tenant has that id (SQLSTATE CF021)."""

    sqlstate = "CF021"


class IllegalTransitionError(CognifoldError):
    """An intent cannot take that step from where it stands; the message names both (SQLSTATE CF022)."""

    sqlstate = "CF022"


class DependentPlansError(CognifoldError):
    """A plan cannot be undone: later plans build on it, or it is undone already (SQLSTATE CF023).

    ``dependents`` are the ids of the plans in the way, newest first; empty for a plan that is undone already.
    """

    sqlstate = "CF023"

    def __init__(self, message: str, dependents: tuple[UUID, ...] = ()) -> None:
        super().__init__(message)
        self.dependents = dependents


class LostClaimError(CognifoldError):
    """A claimed event is somebody else's by now; the message says whose. Nothing was changed (SQLSTATE CF024)."""

    sqlstate = "CF024"


class ConflictError(CognifoldError):
    """The graph moved on since a plan's context was read: read and ask again (SQLSTATE CF025)."""

    sqlstate = "CF025"


class ReembeddingError(CognifoldError):
    """A tenant is, or is not, moving to another embedding model just then (SQLSTATE CF026)."""

    sqlstate = "CF026"


class ConsolidationBusyError(CognifoldError):
    """Another sleep pass of the tenant is running, or the one to go on with has ended (SQLSTATE CF027)."""

    sqlstate = "CF027"


class MissingRightError(CognifoldError):
    """The extension's installer lacks a right, or found a schema that is another's; the message says which (CF028)."""

    sqlstate = "CF028"


class NewerSchemaError(CognifoldError):
    """The extension's installer is older than what made the schema; the message names both versions (CF029)."""

    sqlstate = "CF029"


class LostDeliveryError(CognifoldError):
    """A delivery is somebody else's by now, or acknowledged; the message says which. Nothing was changed (CF030)."""

    sqlstate = "CF030"


class UnknownConsumerError(CognifoldError, LookupError):
    """The tenant has no consumer of that name (SQLSTATE CF031)."""

    sqlstate = "CF031"


class ConsumerDisabledError(CognifoldError):
    """The consumer is disabled; the message says since when and why (SQLSTATE CF032)."""

    sqlstate = "CF032"


class ConsumerConflictError(CognifoldError):
    """A consumer of that name is there, and asked for something else (SQLSTATE CF033)."""

    sqlstate = "CF033"


class ClearanceError(CognifoldError):
    """The role's clearance is not private, and what it asked for works on all of the memory (SQLSTATE CF034)."""

    sqlstate = "CF034"


class RivalIntentError(CognifoldError):
    """An intent cannot be reopened: another of the same concept is open; the message names it (SQLSTATE CF035)."""

    sqlstate = "CF035"


class IllegalStepError(CognifoldError):
    """A step of an intent cannot go from its status to that one; the message names both (SQLSTATE CF036)."""

    sqlstate = "CF036"


class ClosedIntentError(CognifoldError):
    """An intent that is closed or expired takes no steps; the message says which it is (SQLSTATE CF037)."""

    sqlstate = "CF037"


class InvalidRuleError(CognifoldError, ValueError):
    """A text is no rule of recurrence; the message says why (SQLSTATE CF038)."""

    sqlstate = "CF038"


class GrantError(CognifoldError):
    """A profile cannot be given or taken; the message names what is unknown or missing (SQLSTATE CF039)."""

    sqlstate = "CF039"


class InvalidWatchError(CognifoldError, ValueError):
    """A template, an expression or another argument of ``watch`` says nothing or too much (SQLSTATE CF040)."""

    sqlstate = "CF040"


class UnwatchableError(CognifoldError):
    """A relation cannot be watched, or not by this role (SQLSTATE CF041)."""

    sqlstate = "CF041"


class UnknownWatchError(CognifoldError, LookupError):
    """This role has no watch of that name (SQLSTATE CF042)."""

    sqlstate = "CF042"


class WatchExistsError(CognifoldError):
    """Another watch has that name (SQLSTATE CF043)."""

    sqlstate = "CF043"


class BackfillError(CognifoldError):
    """A table cannot be gone through: it has no primary key, or its columns have changed (SQLSTATE CF044)."""

    sqlstate = "CF044"


class CannotForgetError(CognifoldError):
    """A watch was to forget rows that nothing tells apart: no primary key, no source_key (SQLSTATE CF045)."""

    sqlstate = "CF045"


class CaptureError(CognifoldError):
    """A captured row made no event: noted in the view ``watch_error``, raised to nobody (SQLSTATE CF046)."""

    sqlstate = "CF046"


class ForgetConditionError(CognifoldError, ValueError):
    """forget was given no condition, or one that says nothing; nothing is never everything (SQLSTATE CF047)."""

    sqlstate = "CF047"


class ForgottenError(CognifoldError):
    """A plan had a part in what is forgotten, which does not come back (SQLSTATE CF048)."""

    sqlstate = "CF048"


class UnknownRetentionError(CognifoldError, LookupError):
    """The tenant has no rule of retention of that name (SQLSTATE CF049)."""

    sqlstate = "CF049"


class LostJobError(CognifoldError):
    """A claimed job of the schedule is somebody else's by now, or was ended (SQLSTATE CF050)."""

    sqlstate = "CF050"


class ShareUsedUpError(CognifoldError):
    """The tenant has reached its ``fold.rate`` or ``fold.budget``: its events wait (SQLSTATE CF051)."""

    sqlstate = "CF051"


class IncompatibleVersionError(CognifoldError):
    """This program and the schema in the database do not go together; the message names both versions (CF052)."""

    sqlstate = "CF052"


class GraphError(CognifoldError):
    """No graph in Apache AGE to ask, or not a whole one, or a walk longer than ``graph.reach`` (SQLSTATE CF053)."""

    sqlstate = "CF053"


class FileNotWholeError(CognifoldError, ValueError):
    """A file of an export was cut, changed or is none; the message names the line. Nothing was written (CF054)."""

    sqlstate = "CF054"


class NewerFormatError(CognifoldError):
    """A file of an export is of a format that a later version writes (SQLSTATE CF055)."""

    sqlstate = "CF055"


class InlineFoldWarning(UserWarning):
    """A model is called while the caller's transaction is open: its locks are held until the model answers."""


class UnreachableError(CognifoldError, psycopg.OperationalError):
    """No connection could be had; the message says why, in libpq's words. psycopg's class too, for who retries."""


class ClosedMemoryError(CognifoldError):
    """A memory was used after it was closed, or after its ``with`` block."""


class EmbeddedServerError(CognifoldError):
    """The embedded PostgreSQL could not do what was asked."""


_BY_SQLSTATE: dict[str, type[CognifoldError]] = {
    error.sqlstate: error
    for error in (
        NoTenantError,
        UnknownTenantError,
        TenantNotPermittedError,
        TenantConflictError,
        InvalidValueError,
        ZeroVectorError,
        EmbeddingModelMismatchError,
        DimensionMismatchError,
        InvalidPlanError,
        UnknownNodeError,
        IllegalTransitionError,
        DependentPlansError,
        LostClaimError,
        ConflictError,
        ReembeddingError,
        ConsolidationBusyError,
        MissingRightError,
        NewerSchemaError,
        LostDeliveryError,
        UnknownConsumerError,
        ConsumerDisabledError,
        ConsumerConflictError,
        ClearanceError,
        RivalIntentError,
        IllegalStepError,
        ClosedIntentError,
        InvalidRuleError,
        GrantError,
        InvalidWatchError,
        UnwatchableError,
        UnknownWatchError,
        WatchExistsError,
        BackfillError,
        CannotForgetError,
        CaptureError,
        ForgetConditionError,
        ForgottenError,
        UnknownRetentionError,
        LostJobError,
        ShareUsedUpError,
        IncompatibleVersionError,
        FileNotWholeError,
        NewerFormatError,
        GraphError,
    )
    if error.sqlstate is not None
}


def from_sqlstate(sqlstate: str | None, message: str, detail: str | None = None) -> CognifoldError:
    """The error of our own class for a SQLSTATE, or a plain :class:`CognifoldError` where we have none."""
    if sqlstate == DependentPlansError.sqlstate and detail is not None:
        return DependentPlansError(message, tuple(UUID(plan) for plan in json.loads(detail)))
    return _BY_SQLSTATE.get(sqlstate or "", CognifoldError)(message)


@contextmanager
def errors_by_class() -> Iterator[None]:
    """Errors of the memory by their class; all others as psycopg raises them."""
    try:
        yield
    except psycopg.Error as error:
        if (error.sqlstate or "").startswith("CF"):
            raise from_sqlstate(error.sqlstate, told(error), error.diag.message_detail) from error
        raise


def told(error: psycopg.Error) -> str:
    """What the database said, and its hint."""
    hint = error.diag.message_hint
    return f"{error.diag.message_primary}. {hint}" if hint else str(error.diag.message_primary)
