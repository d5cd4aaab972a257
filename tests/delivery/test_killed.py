"""kill -9 of consumers, again and again: each happening is seen at least once, none is lost, each intent's in order."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection
from tests.delivery.desk import answer, create, lag, make_intents, remove, set_setting, told
from tests.embedded.servers import eventually

INTENTS = 1000
KILLS = 50

# For each line that comes in, a process that consumes and writes down what it is handed, before it acknowledges that.
# Forked, so that fifty of them cost little; and so each is a process of its own, to be killed by its number.
NURSERY = """
import os, signal, sys
from cognifold_pg.client import Memory

dsn, tenant, path = sys.argv[1:]
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    child = os.fork()
    if child:
        print(child, flush=True)
        continue
    seen = os.open(path, os.O_WRONLY | os.O_APPEND)
    with Memory(dsn, tenant=tenant, pool_size=1, learn=False) as memory:
        for delivery in memory.consume("app", batch=int(line), every=0.02):
            os.write(seen, f"{delivery.position} {delivery.intent_id} {delivery.attempt}\\n".encode())
    os._exit(0)
"""


class Nursery:
    """Consumers that come and go."""

    def __init__(self, dsn: str, tenant: str, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", NURSERY, dsn, tenant, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._alive: list[int] = []

    def begin(self, batch: int) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{batch}\n")
        self._process.stdin.flush()
        self._alive.append(int(self._process.stdout.readline()))

    def kill(self, which: int) -> None:
        os.kill(self._alive.pop(which), signal.SIGKILL)

    def end(self) -> None:
        while self._alive:
            self.kill(0)
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def seen(tmp_path: Path) -> Path:
    path = tmp_path / "seen"
    path.touch()
    return path


@pytest.fixture
def nursery(dsn: str, tenant: str, seen: Path) -> Iterator[Nursery]:
    running = Nursery(dsn, tenant, seen)
    yield running
    running.end()


def lines(path: Path) -> list[tuple[int, UUID, int]]:
    """What was written down, in order: position, intent, attempt."""
    whole = path.read_text().rpartition("\n")[0]
    return [(int(p), UUID(i), int(a)) for p, i, a in (line.split() for line in whole.splitlines())]


def live(desk: Connection) -> None:
    """A thousand intents pass: all are emitted, some answered once or twice, some removed."""
    rng = random.Random(5)
    open_: list[UUID] = []
    for batch in range(INTENTS // 20):
        open_ += make_intents(desk, *(f"intent {batch} {number}" for number in range(20)))
        rng.shuffle(open_)
        for intent in open_[:4]:
            answer(desk, intent, "accept")
            answer(desk, intent, "reject")
        remove(desk, *open_[4:10])
        del open_[:10]


@pytest.mark.timeout(600)
def test_killed_fifty_times_at_random_points_while_a_thousand_intents_pass(
    nursery: Nursery, seen: Path, desk: Connection, memory: Memory
) -> None:
    create(desk)
    set_setting(desk, "delivery.lease", 5)
    set_setting(desk, "delivery.attempts", 100)
    rng = random.Random(17)
    living = threading.Thread(target=live, args=[desk])
    living.start()
    for _ in range(2):
        nursery.begin(rng.randint(1, 12))
    for _ in range(KILLS):
        enough = len(lines(seen)) + rng.randint(0, 20)
        eventually(lambda enough=enough: len(lines(seen)) >= enough)  # type: ignore[misc]
        threading.Event().wait(rng.uniform(0, 0.02))  # before, within or after a take or an acknowledgement
        nursery.kill(rng.randrange(2))
        nursery.begin(rng.randint(1, 12))
    living.join()
    eventually(lambda: lag(desk)["waiting"] == 0)

    happened = told(desk)
    assert len(happened) == INTENTS + 50 * (4 * 2 + 6)
    log = lines(seen)
    assert {position for position, _, _ in log} == {row["position"] for row in happened}
    by_intent: dict[UUID, list[int]] = defaultdict(list)
    for position, intent, _ in log:
        by_intent[intent].append(position)
    assert len(by_intent) == INTENTS
    # Repeated where a kill came before an acknowledgement; but never after what followed.
    assert all(positions == sorted(positions) for positions in by_intent.values())
    repeated = Counter(position for position, _, _ in log)
    assert max(repeated.values()) > 1, "no kill came between a delivery and its acknowledgement"
    assert memory.check() == []
