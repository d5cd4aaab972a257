"""One embedded PostgreSQL server: started, found running, recovered and stopped, by however many at once."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import psycopg
from psycopg import sql

from cognifold_pg.embedded import processes, settings
from cognifold_pg.embedded.account import Account, server_account
from cognifold_pg.embedded.backends import ENVIRONMENT as BACKEND_ENVIRONMENT
from cognifold_pg.embedded.backends import Backend, find_backend, reachable_copy
from cognifold_pg.embedded.cluster import SUPERUSER, check_version, clear_after_a_crash, make_cluster
from cognifold_pg.embedded.failures import failure
from cognifold_pg.embedded.folder import Mark, ServerFolder, default_folder
from cognifold_pg.embedded.status import Status, programs_are_there, read_status
from cognifold_pg.errors import EmbeddedServerError

DATABASE = "cognifold"


class EmbeddedServer:
    """A PostgreSQL over a wheel's binaries, with its data in ``data_dir`` (default: :func:`default_folder`).

    Any number of objects and processes may share one folder: whoever starts it first starts it for all, and
    it runs until :meth:`stop` is called. As a context manager it stops at the end only what it started
    itself.

    ``backend`` is a name or path for :func:`find_backend`; by default the one that made the folder.
    ``settings`` are PostgreSQL settings for a server that this object starts. ``durable=False`` gives up
    safety against a crash of the machine (not of the server) for speed: for tests.
    """

    def __init__(
        self,
        data_dir: str | os.PathLike[str] | None = None,
        backend: str | Backend | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        durable: bool = True,
    ) -> None:
        self._folder = ServerFolder(Path(data_dir) if data_dir is not None else default_folder())
        self._backend = backend
        self._settings = dict(settings or {})
        self._durable = durable
        self._started_here = False

    @property
    def data_dir(self) -> Path:
        """The server's folder, absolute."""
        return self._folder.path

    @property
    def log(self) -> Path:
        """The file the server logs to."""
        return self._folder.log

    def start(self, *, tcp_port: int | None = None, seconds: float = 600) -> Status:
        """Have the server run and accept connections, with a database ``cognifold`` in it; return its status.

        Does nothing to a server that runs already. ``tcp_port`` (1 to 65535) has it listen on 127.0.0.1 too,
        for a password, until it is stopped. ``seconds`` bounds the wait, recovery after a crash included.

        Raises :class:`EmbeddedServerError` for whatever stands in the way: no backend, unreadable binaries, a
        folder that is foreign or of another major version, a taken port, a full disk.
        """
        if tcp_port is not None and not 1 <= tcp_port <= 65535:
            raise EmbeddedServerError(f"There is no TCP port {tcp_port}: use one of 1 to 65535.")
        running = self.status()
        if (
            running.ready
            and tcp_port is None
            and self._was_completed(running)
            and programs_are_there(self._folder, running)
        ):
            return running  # the common case takes no lock and starts no program
        account = server_account(self._folder.path)
        self._folder.create(account)
        with self._folder.locked(seconds), self._disk_errors():
            mark, backend = self._choose_backend()
            status = self._settled(seconds)
            if status.running and not programs_are_there(self._folder, status):
                self._stop(mark, seconds=60)  # they were removed: the server can't load a library any more
                status = self.status()
            if not status.running:
                self._launch(mark, backend, account, tcp_port, seconds)
                self._started_here = True
            elif tcp_port is not None and not (status.tcp and status.port == tcp_port):
                listening = f"on TCP port {status.port}" if status.tcp else "on its socket only"
                raise EmbeddedServerError(
                    f"The server in {self._folder.path} runs already, {listening}, and others may be using "
                    "it: stop it first (cognifold db stop), then start it with the port."
                )
            status = self.status()
            if not self._was_completed(status):
                self._complete(status)
            return status

    def stop(self, *, seconds: float = 120) -> bool:
        """Stop the server, rolling back open transactions; True if it was running.

        After ``seconds`` it is made to stop at once, which costs the next start a recovery but no committed
        row.
        """
        self.status()  # which speaks up where the server is another user's
        mark = self._folder.mark()
        if mark is None:
            return False
        with self._folder.locked(seconds):
            was_running = self._stop(mark, seconds)
            self._folder.tcp_port.unlink(missing_ok=True)
        self._started_here = False
        return was_running

    def status(self) -> Status:
        """What is known of the server now, from its folder and the machine's processes."""
        return read_status(self._folder)

    def dsn(self, dbname: str = DATABASE, user: str = SUPERUSER, *, tcp: bool = False) -> str:
        """A URI for psql and psycopg, through the socket, or through TCP with the password in it.

        Raises :class:`EmbeddedServerError` when the server is not running (or not on TCP): its socket's place
        and port are only certain while it is.
        """
        status = self.status()
        if not status.running or status.port is None or status.socket_folder is None:
            raise EmbeddedServerError(f"The server in {self._folder.path} is not running: cognifold db start")
        database = quote(dbname, safe="")
        if not tcp:
            where = quote(str(status.socket_folder), safe="/")
            return f"postgresql://{quote(user, safe='')}@/{database}?host={where}&port={status.port}"
        if not status.tcp:
            raise EmbeddedServerError(
                f"The server in {self._folder.path} listens on its socket only: stop it, then cognifold db "
                "start --tcp PORT"
            )
        password = quote(self._folder.password.read_text().strip(), safe="")
        return f"postgresql://{SUPERUSER}:{password}@127.0.0.1:{status.port}/{database}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._started_here:
            self.stop()

    # What follows runs under the folder's lock.

    @contextlib.contextmanager
    def _disk_errors(self) -> Iterator[None]:
        """Tell of a full or failing disk as of everything else that stands in the way."""
        try:
            yield
        except OSError as error:
            raise EmbeddedServerError(f"Starting the server in {self._folder.path} failed: {error}.") from error

    def _choose_backend(self) -> tuple[Mark, Backend]:
        mark = self._folder.mark()
        if isinstance(self._backend, Backend):
            backend = self._backend
        elif mark is None or self._backend is not None or os.environ.get(BACKEND_ENVIRONMENT):
            backend = find_backend(self._backend)
        else:
            backend = find_backend(mark.backend)
        mark = self._folder.claim(backend.name)
        if mark.backend != backend.name:
            raise EmbeddedServerError(
                f"{self._folder.path} was made with the backend {mark.backend} and holds what its extensions "
                f"stored; {backend.name} was asked for. Leave the choice out, or choose another folder with "
                "--data-dir."
            )
        return mark, backend

    def _launch(self, mark: Mark, backend: Backend, account: Account, tcp_port: int | None, seconds: float) -> None:
        """Start a server that is known to be down, making its cluster or clearing up after a crash first."""
        folder = self._folder
        backend = reachable_copy(backend, account, folder.runtime)
        place = folder.socket_folder(account)
        clear_after_a_crash(folder, mark.identity, account, place)
        if not folder.cluster.exists():
            make_cluster(folder, backend, account, durable=self._durable)
        check_version(folder, backend)
        if tcp_port is not None:
            folder.write(folder.tcp_port.name, f"{tcp_port}\n")
        tcp_port = self._tcp_request()
        extra = {} if self._durable else {"fsync": "off", "full_page_writes": "off"}
        extra |= self._settings
        folder.write(folder.config.name, settings.configuration(backend, folder.hba, place, tcp_port, extra))
        folder.write(folder.hba.name, settings.ACCESS_RULES)
        command = [
            str(backend.program("postgres")),
            "-D", str(folder.cluster),
            "-c", f"config_file={folder.config}",
            "-c", f"cluster_name={processes.cluster_name(mark.identity)}",
        ]  # fmt: skip
        descriptor = folder.open_log()
        try:
            log_from = os.fstat(descriptor).st_size
            pid = processes.launch(command, account, descriptor)
        finally:
            os.close(descriptor)
        deadline = time.monotonic() + seconds
        while not self._is_ready(pid):
            if not processes.exists(pid):
                folder.tcp_port.unlink(missing_ok=True)  # a port that can't be had is not asked for again
                doing = f"Starting PostgreSQL {backend.version}"
                raise failure(doing, self._log_since(log_from), folder, account, tcp_port)
            self._pause(deadline, seconds)

    def _settled(self, seconds: float) -> Status:
        """The status, once a server that is starting, recovering or stopping has come to be ready or gone."""
        deadline = time.monotonic() + seconds
        while (status := self.status()).running and not status.ready:
            self._pause(deadline, seconds)
        return status

    def _is_ready(self, pid: int) -> bool:
        pid_file = processes.read_pid_file(self._folder.cluster)
        return pid_file is not None and pid_file.pid == pid and pid_file.state == "ready"

    def _pause(self, deadline: float, seconds: float) -> None:
        if time.monotonic() > deadline:
            raise EmbeddedServerError(
                f"The server in {self._folder.path} is not ready after {seconds:.0f} s; it goes on starting "
                f"(after a crash it recovers first). Look at {self._folder.log} and try again."
            )
        time.sleep(0.02)

    def _stop(self, mark: Mark, seconds: float) -> bool:
        status = self.status()
        if not self._folder.cluster.exists():
            return False
        uid = self._folder.cluster.stat().st_uid
        if status.pid is None:
            processes.end_leftovers(mark.identity, uid)
            return False
        for number, limit in ((signal.SIGINT, seconds), (signal.SIGQUIT, 20.0), (signal.SIGKILL, 20.0)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(status.pid, number)
            deadline = time.monotonic() + limit
            while time.monotonic() < deadline:
                if not processes.is_postmaster(status.pid, mark.identity, uid):
                    processes.end_leftovers(mark.identity, uid)
                    if status.socket_folder is not None:
                        with contextlib.suppress(OSError):  # nothing of ours stays behind in /tmp
                            status.socket_folder.rmdir()
                    return True
                time.sleep(0.02)
        raise EmbeddedServerError(f"The server in {self._folder.path} (process {status.pid}) does not end.")

    def _complete(self, status: Status) -> None:
        """Make what a server needs besides running: its database, a password for TCP; then note it done."""
        try:
            with psycopg.connect(self.dsn("postgres"), autocommit=True, connect_timeout=60) as connection:
                if not connection.execute("select from pg_database where datname = %s", [DATABASE]).rowcount:
                    connection.execute(sql.SQL("create database {}").format(sql.Identifier(DATABASE)))
                if status.tcp and not self._folder.password.exists():
                    self._set_password(connection)
        except psycopg.Error as error:
            account = server_account(self._folder.path)
            raise failure(f"Preparing the database {DATABASE}", str(error), self._folder, account) from error
        self._folder.write(self._folder.completed.name, f"{status.pid}\n")

    def _set_password(self, connection: psycopg.Connection) -> None:
        """Give the superuser a generated password, kept in the folder for its owner alone (mode 0600)."""
        password = secrets.token_urlsafe(24)
        # Hashed here, so that the password itself is in no statement and in no log.
        verifier = connection.pgconn.encrypt_password(password.encode(), SUPERUSER.encode(), b"scram-sha-256")
        statement = sql.SQL("alter role {} password {}")
        connection.execute(statement.format(sql.Identifier(SUPERUSER), verifier.decode()))
        self._folder.write(self._folder.password.name, password + "\n", mode=0o600)

    def _was_completed(self, status: Status) -> bool:
        """Whether a starter has come to the end of :meth:`start` for the server that is running now."""
        try:
            return self._folder.completed.read_text() == f"{status.pid}\n"
        except FileNotFoundError:
            return False

    def _tcp_request(self) -> int | None:
        """The TCP port asked for since the last stop; a crash and restart keep it."""
        try:
            return int(self._folder.tcp_port.read_text())
        except FileNotFoundError:
            return None

    def _log_since(self, start: int) -> str:
        with self._folder.log.open("rb") as file:
            file.seek(start)
            return file.read().decode(errors="replace")
