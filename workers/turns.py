"""Whose turn it is: who has little to do comes soon, and of equals whoever has had least of the worker's time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping

# From so many waiting events on a tenant's queue is long.
LONG = 50

# Those with short queues are entitled to so much more time than those with long ones, if it comes to that.
PREFERENCE = 3.0

# Seconds after which it is forgotten what somebody has had that does not wait.
FORGOTTEN = 60.0


class Turns:
    """Gives out turns among tenants by how much waits and by the time that their turns have taken.

    Short queues and long ones each have their own round, and share the time between them; so an event of a tenant that
    has one now and then waits for one turn of a long queue at most, however many long queues there are, and those still
    have their part when short ones fill all the time. Within a round the tenant is next whose turns have taken least
    (start-time fair queueing): of any two that wait, neither gets more than a turn ahead of the other. Who was away
    saves nothing up.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rests: dict[str, float] = {}
        self._classes = _Round(clock)
        self._rounds = {"short": _Round(clock), "long": _Round(clock)}
        self._of: dict[str, str] = {}

    def next(self, waiting: Mapping[str, int]) -> str | None:
        """Who is next of these, with how many events wait; of equals the first. None: nobody, or all of them rest."""
        now = self._clock()
        self._rests = {tenant: until for tenant, until in self._rests.items() if until > now}
        ready: dict[str, list[str]] = {}
        for tenant, events in waiting.items():
            if tenant not in self._rests:
                ready.setdefault("long" if events >= LONG else "short", []).append(tenant)
        if not ready:
            return None
        kind = self._classes.next(sorted(ready, reverse=True))  # of equals the short
        tenant = self._rounds[kind].next(ready[kind])
        self._of = {tenant: kind}
        return tenant

    def charge(self, tenant: str, seconds: float) -> None:
        """The turn that the tenant was given took so long."""
        kind = self._of.get(tenant, "short")
        self._rounds[kind].charge(tenant, seconds)
        self._classes.charge(kind, seconds / (PREFERENCE if kind == "short" else 1.0))

    def rest(self, tenant: str, seconds: float) -> None:
        """Pass the tenant over for so long: it is busy, or has had its share."""
        self._rests[tenant] = self._clock() + seconds

    def pause(self, at_most: float) -> float:
        """How long until somebody who rests is back, ``at_most`` at the longest."""
        now = self._clock()
        return min([at_most, *(max(until - now, 0.01) for until in self._rests.values())])


class _Round:
    """Start-time fair queueing: a turn begins where its tenant's last one ended, and not before those in progress."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._level = 0.0
        self._had: dict[str, tuple[float, float]] = {}  # where the last turn ended, and when that was

    def next(self, ready: Iterable[str]) -> str:
        chosen = min(ready, key=self._start)
        self._level = max(self._level, self._start(chosen))
        forgotten = self._clock() - FORGOTTEN
        self._had = {name: (end, at) for name, (end, at) in self._had.items() if end > self._level and at > forgotten}
        return chosen

    def charge(self, name: str, seconds: float) -> None:
        self._had[name] = (self._start(name) + seconds, self._clock())

    def _start(self, name: str) -> float:
        return max(self._had.get(name, (0.0, 0.0))[0], self._level)
