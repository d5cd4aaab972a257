"""A model server for folds with a planner."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.planner.server import ModelServer, one_concept


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """Makes one concept of each event, until a test says otherwise."""
    with ModelServer() as running:
        running.otherwise = one_concept
        yield running
