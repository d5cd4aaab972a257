"""A short soak: what the long one promises holds for half a minute, too."""

from __future__ import annotations

from benchmarks.soak import MOST_CONNECTIONS, PROMISES, Soak
from cognifold_pg.embedded import temporary_server


def test_nothing_is_lost_or_folded_twice_while_workers_are_killed_and_the_server_is_restarted() -> None:
    with temporary_server(durable=True) as server:
        soak = Soak(server, seconds=12, rate=2)
        found = soak.run()
    assert soak.errors == []
    assert {name: found[name] for name in PROMISES} == dict.fromkeys(PROMISES, 0)
    assert found["restarts"] == 1
    assert found["workers_killed"] >= 1
    assert found["events"] > 0
    assert found["passes"] > 0
    assert found["most_connections"] <= MOST_CONNECTIONS
