"""What can go wrong, by name: each error says what was wrong, which value, and what to do.

Errors raised inside the database carry a SQLSTATE of class ``CF``; :func:`from_sqlstate` gives each its Python
class, so that a caller catches ``UnknownTenantError`` and not a string.
"""

from __future__ import annotations

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
    """No node of this tenant has that id (SQLSTATE CF021)."""

    sqlstate = "CF021"


class IllegalTransitionError(CognifoldError):
    """An intent cannot take that step from where it stands; the message names both (SQLSTATE CF022)."""

    sqlstate = "CF022"


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
    )
    if error.sqlstate is not None
}


def from_sqlstate(sqlstate: str | None, message: str) -> CognifoldError:
    """The error of our own class for a SQLSTATE, or a plain :class:`CognifoldError` where we have none."""
    return _BY_SQLSTATE.get(sqlstate or "", CognifoldError)(message)
