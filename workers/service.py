"""A whole worker in one process: it folds, sleeps, lets intents surface and keeps the house, for all tenants.

Four slots work beside each other, so that none waits for another: ``fold`` (the main thread, so that a signal reaches
a model that is thinking), ``light`` and ``heavy`` (the jobs of the schedule, see :mod:`cognifold_pg.workers.jobs`) and
``deliver`` (webhooks, see :mod:`cognifold_pg.workers.delivering`). Bells (LISTEN) wake the first when something was
remembered and the last when something happened to an intent; looking every so often is what they rely on. One more
thread keeps the leases up and says that the process is alive. Nothing else is kept here: all of it may be killed at any
moment, and any number may run.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from types import FrameType

import psycopg

from cognifold_pg.errors import IncompatibleVersionError
from cognifold_pg.folding import worker_name
from cognifold_pg.handshake import meet
from cognifold_pg.install import package_version
from cognifold_pg.planner import Planner
from cognifold_pg.workers.delivering import Posting, deliver_until, deliver_waiting
from cognifold_pg.workers.folding import (
    AttendedPlanner,
    Connection,
    Embedders,
    Stopped,
    ask,
    fold_waiting,
    working_connection,
)
from cognifold_pg.workers.schedule import Claim, do_due
from cognifold_pg.workers.turns import Turns

log = logging.getLogger(__name__)

SLOTS = ("fold", "light", "heavy", "deliver")
CHANNEL = "cognifold_work"

# Seconds: between two looks for due jobs, two signs of life, two looks at all schedules; the longest between two tries
# to reach a database that is away; how long what is in hand may take when the process is told to stop; between two
# looks for intents of a tenant that is still being folded; and for webhooks where no bell rings.
LOOK_FOR_JOBS = 5.0
SIGN_OF_LIFE = 10.0
SCHEDULES = 60.0
MOST_PAUSE = 15.0
GRACE = 20.0
INTENTS = 5.0
DELIVERIES = 5.0

_numbers = itertools.count(1)


class Service:
    """Everything a small installation needs besides its database, until it is told to stop.

    ``every`` is how often it looks for events where no bell rings. ``planner`` makes the plans (else SQL does),
    ``embedders`` the vectors of tenants with an outside model; ``posting`` is how it posts to webhooks. ``slots`` says
    what this process does. ``listen=False`` only looks (for poolers that end LISTEN). ``metrics`` is where to serve
    them: host and port. ``on_status`` is told once a second how it stands.
    """

    def __init__(
        self,
        dsn: str,
        *,
        every: float = 1.0,
        planner: Planner | None = None,
        embedders: Embedders | None = None,
        posting: Posting | None = None,
        slots: Sequence[str] = SLOTS,
        listen: bool = True,
        metrics: tuple[str, int] | None = None,
        on_status: Callable[[str], object] | None = None,
    ) -> None:
        self.dsn = dsn
        self.name = f"{worker_name()}.{next(_numbers)}"
        self.stopping = threading.Event()
        self.folded = 0
        self.jobs: dict[tuple[str, str], int] = {}
        self.lost_connections = 0
        self.rings = 0
        self.started = time.monotonic()
        self._every = every
        self._planner = None if planner is None else AttendedPlanner(planner)
        self._embedders = embedders or {}
        self._posting = posting
        self._slots = tuple(slots)
        self._listen = listen
        self._metrics = metrics
        self._on_status = on_status
        self._bell = threading.Event()
        self._light = threading.Event()
        self._heavy = threading.Event()
        self._lock = threading.Lock()
        self._in_hand: dict[int, Claim] = {}
        self._drained: dict[str, bool] = {}
        self._looked: dict[str, float] = {}
        self._refusal: IncompatibleVersionError | None = None

    # ------------------------------------------------------------------------------------------------ life

    def run(self) -> None:
        """Work until SIGTERM or SIGINT. What is in hand is finished or given back (:data:`GRACE`).

        So it is where the schema has become too new for this program, or is too old:
        :class:`~cognifold_pg.errors.IncompatibleVersionError` is raised at the end.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._told_to_stop)
        threads = [threading.Thread(target=self._live, name="cognifold-life", daemon=True)]
        if "light" in self._slots:
            threads.append(threading.Thread(target=self._do_light, name="cognifold-light", daemon=True))
        if "heavy" in self._slots:
            threads.append(threading.Thread(target=self._do_heavy, name="cognifold-heavy", daemon=True))
        if "deliver" in self._slots:
            threads.append(threading.Thread(target=self._deliver, name="cognifold-deliver", daemon=True))
        bell = threading.Thread(target=self._ring, name="cognifold-bell", daemon=True)
        if self._listen and "fold" in self._slots:
            bell.start()
        serving = contextlib.nullcontext() if self._metrics is None else self._serving(*self._metrics)
        with serving:
            for thread in threads:
                thread.start()
            log.info("worker %s does %s", self.name, ", ".join(self._slots), extra={"worker": self.name})
            if "fold" in self._slots:
                self._fold()
            else:
                self.stopping.wait()
            self.stop()
            until = time.monotonic() + GRACE
            for thread in threads:
                thread.join(max(until - time.monotonic(), 0))
        self._take_leave()
        if self._refusal is not None:
            raise self._refusal

    def stop(self) -> None:
        """Begin nothing more; :meth:`run` ends soon after."""
        self.stopping.set()
        for event in (self._bell, self._light, self._heavy):
            event.set()

    def _told_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.stop()
        if self._planner is not None:
            self._planner.stop()

    def _refused(self, error: IncompatibleVersionError) -> None:
        """The schema and this program do not go together (any more): stop, also a model that is thinking."""
        with self._lock:
            if self._refusal is not None:
                return
            self._refusal = error
        log.error("%s", error, extra={"worker": self.name})
        self.stop()
        main = threading.main_thread()
        if threading.current_thread() is not main and main.ident is not None:
            signal.pthread_kill(main.ident, signal.SIGTERM)

    def status(self) -> str:
        """How it stands, in a line."""
        with self._lock:
            done = sum(self.jobs.values())
            hand = ", ".join(sorted({claim.job for claim in self._in_hand.values()}))
        line = f"{self.folded} events folded, {done} jobs done"
        return f"{line}; doing {hand}" if hand else line

    # ------------------------------------------------------------------------------------------------ slots

    def _fold(self) -> None:
        turns = Turns()

        def look(connection: Connection) -> None:
            fold_waiting(
                self.dsn, self.stopping, self._planner,
                embedders=self._embedders, turns=turns, connection=connection, on_turn=self._after_turn,
            )  # fmt: skip

        with contextlib.suppress(Stopped):
            self._again_and_again(look, self._bell, lambda: turns.pause(self._every))

    def _after_turn(self, tenant: str, taken: int, more: bool) -> None:
        with self._lock:
            self.folded += taken
            self._drained[tenant] = not more
        self._light.set()

    def _do_light(self) -> None:
        def look(connection: Connection) -> None:
            while True:
                for tenant in self._to_look_at():
                    try:
                        connection.execute("SELECT cognifold.emit_due(%s)", [tenant])
                    except psycopg.errors.LockNotAvailable:
                        log.debug("tenant %s is busy", tenant)  # after its next fold, or by the schedule
                    if ask(connection, "SELECT cognifold.note_due_jobs(%s)", tenant) != 0:
                        self._heavy.set()
                # A few at a time, so that intents do not wait for the jobs of a thousand tenants.
                if self.stopping.is_set() or not self._do_jobs(connection, "light", at_most=5):
                    return

        self._again_and_again(look, self._light, lambda: LOOK_FOR_JOBS)

    def _to_look_at(self) -> list[str]:
        """Whose folds may let intents surface: all that are drained, and others every few seconds."""
        now = time.monotonic()
        with self._lock:
            found = [
                tenant
                for tenant, drained in self._drained.items()
                if drained or now > self._looked.get(tenant, 0.0) + INTENTS
            ]
            self._looked = {tenant: at for tenant, at in self._looked.items() if now < at + INTENTS}
            for tenant in found:
                del self._drained[tenant]
                self._looked[tenant] = now
        return found

    def _do_heavy(self) -> None:
        self._again_and_again(lambda connection: self._do_jobs(connection, "heavy"), self._heavy, lambda: LOOK_FOR_JOBS)

    def _deliver(self) -> None:
        while not self.stopping.is_set():
            try:
                deliver_until(self.stopping, self.dsn, max(self._every, DELIVERIES), self._posting)
            except IncompatibleVersionError as error:
                self._refused(error)
            except Exception as error:  # whatever it is, the other slots go on, and this one is tried again
                self.lost_connections += 1
                log.warning("nothing is posted for %g s: %s", MOST_PAUSE, error, exc_info=True)
                self.stopping.wait(MOST_PAUSE)

    def _do_jobs(self, connection: Connection, slot: str, at_most: int | None = None) -> int:
        return do_due(
            self.dsn, connection, slots=[slot], embedders=self._embedders, stopping=self.stopping, worker=self.name,
            at_most=at_most, on_claim=self._took, on_end=self._ended,
        )  # fmt: skip

    def _took(self, claim: Claim) -> None:
        with self._lock:
            self._in_hand[claim.fence] = claim

    def _ended(self, claim: Claim, outcome: str) -> None:
        with self._lock:
            self._in_hand.pop(claim.fence, None)
            self.jobs[claim.job, outcome] = self.jobs.get((claim.job, outcome), 0) + 1

    # ------------------------------------------------------------------------------------------------ beside them

    def _ring(self) -> None:
        def listen(connection: Connection) -> None:
            connection.execute(f"LISTEN {CHANNEL}".encode())
            self._bell.set()  # what was remembered before
            while not self.stopping.is_set():
                for _ in connection.notifies(timeout=1, stop_after=1):
                    self.rings += 1
                    self._bell.set()

        self._again_and_again(listen, threading.Event(), lambda: 0.0)

    def _live(self) -> None:
        next_sign = next_schedules = 0.0

        def look(connection: Connection) -> None:
            nonlocal next_sign, next_schedules
            now = time.monotonic()
            if self._on_status is not None:
                self._on_status(self.status())
            if now >= next_sign:
                self._say_alive(connection)
                with self._lock:
                    held = list(self._in_hand.values())
                for claim in held:
                    if not claim.renew(connection):
                        log.warning("tenant %s: %s is no longer ours", claim.tenant, claim.job)
                next_sign = now + SIGN_OF_LIFE
            if now >= next_schedules:
                connection.execute("SELECT cognifold.note_due_jobs()")
                next_schedules = now + SCHEDULES
                self._light.set()
                self._heavy.set()

        self._again_and_again(look, threading.Event(), lambda: 1.0)

    def _say_alive(self, connection: Connection, *, stopped: bool = False) -> None:
        with self._lock:
            done = sum(number for (_, outcome), number in self.jobs.items() if outcome == "done")
            failed = sum(number for (_, outcome), number in self.jobs.items() if outcome in ("failed", "dead"))
        connection.execute(
            "SELECT cognifold.note_worker(%s, %s, %s, %s, %s, %s, %s)",
            [
                self.name,
                package_version(),
                list(self._slots),
                self.folded,
                done,
                failed + self.lost_connections,
                stopped,
            ],
        )

    def _take_leave(self) -> None:
        """What is still in hand is given back, so that nobody has to wait for a lease to run out."""
        with contextlib.suppress(psycopg.Error), working_connection(self.dsn, parting=True) as connection:
            with self._lock:
                held = list(self._in_hand.values())
            for claim in held:
                claim.release(connection)
            self._say_alive(connection, stopped=True)
        log.info("worker %s stops: %s", self.name, self.status(), extra={"worker": self.name})

    # ------------------------------------------------------------------------------------------------ with a database

    def _again_and_again(
        self, look: Callable[[Connection], object], wake: threading.Event, pause: Callable[[], float]
    ) -> None:
        """Look until stopping, on a connection that is made anew when the database was away."""
        connection: Connection | None = None
        failures = 0
        try:
            while not self.stopping.is_set():
                wake.clear()
                wait = pause()
                try:
                    if connection is None or connection.closed:
                        connection = working_connection(self.dsn)
                    else:
                        meet(connection)
                    look(connection)
                    failures = 0
                    wait = pause()
                except IncompatibleVersionError as error:
                    self._refused(error)
                    break
                except Exception as error:
                    if not isinstance(error, psycopg.Error) and threading.current_thread() is threading.main_thread():
                        raise  # a planner that is set up wrongly, or a mistake of ours: to be seen at once
                    # Of a lost connection nothing is known but that its transaction is gone. Anything else is not to
                    # end the slot, either: it is tried again, less often the longer it lasts.
                    wait = min(0.25 * 2 ** min(failures, 10), MOST_PAUSE)
                    failures += 1
                    self.lost_connections += 1
                    log.warning(
                        "%s: %s; next look in %.2g s", type(error).__name__, str(error).strip(), wait,
                        exc_info=not isinstance(error, psycopg.Error),
                    )  # fmt: skip
                    if connection is not None and (connection.broken or isinstance(error, psycopg.OperationalError)):
                        connection.close()
                        connection = None
                    self.stopping.wait(wait)
                    continue
                if wait:
                    wake.wait(wait)
        finally:
            if connection is not None:
                connection.close()

    @contextlib.contextmanager
    def _serving(self, host: str, port: int) -> Iterator[None]:
        from cognifold_pg.workers.metrics import serving

        with serving(host, port, self.dsn, self) as address:
            log.info("metrics at http://%s:%s/metrics", *address)
            yield


def run_once(
    dsn: str, planner: Planner | None = None, embedders: Embedders | None = None, posting: Posting | None = None
) -> int:
    """Fold what waits, let intents surface, do what is due, post what happened; how many events were taken up."""
    folded: set[str] = set()
    with working_connection(dsn) as connection:
        number = fold_waiting(
            dsn, planner=planner, embedders=embedders, connection=connection,
            on_turn=lambda tenant, taken, more: folded.add(tenant),
        )  # fmt: skip
        for tenant in sorted(folded):
            connection.execute("SELECT cognifold.emit_due(%s)", [tenant])
        connection.execute("SELECT cognifold.note_due_jobs()")
        do_due(dsn, connection, embedders=embedders, worker=worker_name())
    deliver_waiting(dsn, posting)
    return number
