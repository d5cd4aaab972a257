"""Spans around what takes time: calls of a model, folds, jobs. By OpenTelemetry where it is installed, else by nobody.

``pip install 'cognifold-pg[tracing]'`` brings its API; which SDK collects the spans and where they go is the
application's affair, or that of ``opentelemetry-instrument cognifold worker``. Names and attributes are those of the
semantic conventions where these have one. A span says whose work it was, how much and how it ended, and never what a
memory holds: of an error it has the class, not the message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cognifold_pg.install import package_version

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Attributes = Mapping[str, str | int | float | bool]


class Noted:
    """Attributes of a span that are known before it ends; dropped where nothing is traced."""

    def __init__(self) -> None:
        self.attributes: dict[str, str | int | float | bool] = {}

    def note(self, attributes: Attributes) -> None:
        """Add what has become known."""
        self.attributes |= attributes


def tracer() -> Tracer | None:
    """The application's tracer for this package, or None where OpenTelemetry is not installed."""
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace.get_tracer("cognifold_pg", package_version())


@contextmanager
def span(
    name: str, attributes: Attributes, *, outgoing: bool = False, usual: tuple[type[BaseException], ...] = ()
) -> Iterator[Noted]:
    """What happens within it is a span ``name``; ``outgoing`` where it is a call of somebody else's service.

    It fails as what happens within it does, unless by one of ``usual``, which is no fault.
    """
    noted = Noted()
    tracing = tracer()
    if tracing is None:
        yield noted
        return
    from opentelemetry.trace import SpanKind, Status, StatusCode

    with tracing.start_as_current_span(
        name,
        kind=SpanKind.CLIENT if outgoing else SpanKind.INTERNAL,
        attributes=dict(attributes),
        record_exception=False,  # its message may quote what the memory holds
        set_status_on_exception=False,
    ) as current:
        try:
            yield noted
        except BaseException as error:
            current.set_attribute("error.type", getattr(error, "sqlstate", None) or type(error).__name__)
            if not isinstance(error, usual):
                current.set_status(Status(StatusCode.ERROR))
            raise
        finally:
            current.set_attributes(noted.attributes)
