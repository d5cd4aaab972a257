"""Without a key only what is the same in every field is the same event."""

from __future__ import annotations

import pytest

from tests.conftest import Connection, value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("""media => '[{"uri": "a"}]'""", """media => '[{"uri": "b"}]'"""),
        ("emotional_weight => 0.1", "emotional_weight => -0.9"),
        ("privacy_level => 'private'", "privacy_level => 'public'"),
        ("memory_type => 'semantic'", "memory_type => 'procedural'"),
        ("source_agent => 'cam 1'", "source_agent => 'cam 2'"),
        ("valence => 'positive'", "valence => 'mixed'"),
    ],
)
@pytest.mark.parametrize("stated", ["", ", occurred_at => '2026-01-01T10:00:00Z'"])
def test_two_that_differ_in_a_field_are_two_events(connection: Connection, one: str, other: str, stated: str) -> None:
    call = "SELECT cognifold.remember('Photo of the roof', {}{})"
    first = value(connection, call.format(one, stated))
    assert value(connection, call.format(other, stated)) != first
    assert value(connection, call.format(one, stated)) == first


def test_a_weight_too_small_for_its_column_is_stored_as_none(connection: Connection) -> None:
    event = value(connection, "SELECT cognifold.remember('Hardly anything', emotional_weight => 1e-50)")
    assert value(connection, "SELECT emotional_weight FROM cognifold.event WHERE id = %s", event) == 0


def test_the_last_moment_postgresql_knows_can_be_remembered(connection: Connection) -> None:
    event = value(connection, "SELECT cognifold.remember('The end', occurred_at => '294276-12-31')")
    assert value(connection, "SELECT count(*) FROM cognifold.event WHERE id = %s", event) == 1
    assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []
