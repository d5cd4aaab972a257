"""Arguments as drivers send them."""

from __future__ import annotations

import pytest

from tests.conftest import Connection, value


def test_a_float_of_python_is_taken_without_a_cast(connection: Connection) -> None:
    event = value(
        connection, "SELECT cognifold.remember('A good day', emotional_weight => %s, arousal => %s)", 0.25, 0.5
    )
    row = connection.execute("SELECT emotional_weight, arousal FROM cognifold.event WHERE id = %s", [event]).fetchone()
    assert row == pytest.approx((0.25, 0.5))
