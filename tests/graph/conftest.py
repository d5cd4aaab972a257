"""What tests of the graph start from: a connection whose memory stands at START, and a few events."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from tests.conftest import Connection
from tests.graph.plans import START, remember


@pytest.fixture
def connection(connect: Callable[..., Connection], tenant: str) -> Connection:
    """A plain role's connection, the memory's clock at START."""
    return connect(tenant, now=START)


@pytest.fixture
def events(connection: Connection) -> list[UUID]:
    """Four events an hour apart, about four things."""
    return [
        remember(connection, "The invoice of the printer arrived", "2026-03-02T05:00:00+00:00"),
        remember(connection, "Anna practised the violin", "2026-03-02T06:00:00+00:00"),
        remember(connection, "Frost damaged the tomato seedlings", "2026-03-02T07:00:00+00:00"),
        remember(connection, "The train to Lisbon was late", "2026-03-02T08:00:00+00:00"),
    ]
