"""The folder of one embedded server: what lies where in it, whose it is, and who may change it now.

``pgdata/``   the cluster, owned by the server's account; ``run/`` its socket, entered by that account alone
``postgresql.conf``, ``pg_hba.conf``   ours, written anew at each start; ``custom.conf``   yours, read last
``log``, ``password``, ``tcp_port``   what they say; ``completed``   the pid of the server whose start is
complete
``runtime/``   a copy of the programs, where one is needed
``cognifold.json``   the mark that the folder is ours; ``lock``   held while a server is started or stopped

Everything but the first two belongs to whoever owns the folder, so the account that the server runs as can't
loosen its own rules, and root never follows a link that this account made.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import stat
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cognifold_pg.embedded.account import Account
from cognifold_pg.errors import EmbeddedServerError

ENVIRONMENT = "COGNIFOLD_HOME"

# sockaddr_un holds 108 bytes and the closing NUL (104 on macOS); the longest socket name is .s.PGSQL.65535.
_SOCKET_NAME = "/.s.PGSQL.65535"
_SOCKET_PATH_LIMIT = 103


def default_folder() -> Path:
    """``COGNIFOLD_HOME``, else this user's data folder; root's is in /var/lib: no server can enter /root."""
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named).expanduser()
    if os.geteuid() == 0:
        return Path("/var/lib/cognifold")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "cognifold"


@dataclass(frozen=True, slots=True)
class Mark:
    """What ``cognifold.json`` says: the server's own name, and the backend that made the cluster."""

    identity: str
    backend: str


class ServerFolder:
    """The paths of one server's folder, and the few ways to change it."""

    def __init__(self, path: Path) -> None:
        self.path = path.expanduser().resolve()
        self.cluster = self.path / "pgdata"
        self.config = self.path / "postgresql.conf"
        self.hba = self.path / "pg_hba.conf"
        self.log = self.path / "log"
        self.password = self.path / "password"
        self.tcp_port = self.path / "tcp_port"
        self.completed = self.path / "completed"
        self.runtime = _runtime_folder(self.path)
        self._mark = self.path / "cognifold.json"
        self._lock = self.path / "lock"

    def mark(self) -> Mark | None:
        """The folder's mark, or None where there is no server's folder (yet).

        Raises :class:`EmbeddedServerError` when the folder is another user's, or holds something else.
        """
        try:
            said = json.loads(self._mark.read_text())
            return Mark(str(said["identity"]), str(said["backend"]))
        except (FileNotFoundError, NotADirectoryError):
            self._refuse_foreign()
            return None
        except PermissionError:
            raise EmbeddedServerError(
                f"{self.path} belongs to another user. Choose a folder of your own with --data-dir or {ENVIRONMENT}."
            ) from None
        except (ValueError, KeyError, TypeError):
            raise EmbeddedServerError(
                f"{self._mark} can't be read as the mark of a CogniFold server. If pgdata beside it is one, "
                "restore that file; else choose another folder."
            ) from None

    def create(self, account: Account) -> None:
        """Make the folder if it is missing; refuse one that others may change or ``account`` can't enter."""
        self._refuse_foreign()
        # 0711: an account that root lends may walk through to its own two folders and list nothing.
        mode = 0o711 if account.switch else 0o700
        self._require_entry(account, next(parent for parent in self.path.parents if parent.exists()))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.mkdir(exist_ok=True, mode=mode)
            about = self.path.stat()
            if not any(self.path.iterdir()) and about.st_uid == os.geteuid():
                self.path.chmod(mode)
        except OSError as error:
            raise EmbeddedServerError(
                f"The server's folder {self.path} can't be made: {error.strerror}. Choose another with "
                f"--data-dir or {ENVIRONMENT}."
            ) from error
        if stat.S_IMODE(self.path.stat().st_mode) & 0o022:
            raise EmbeddedServerError(
                f"Others may write to {self.path} and so change the server's rules: chmod go-w it, or choose another."
            )
        self._require_entry(account, self.path)

    @contextmanager
    def locked(self, seconds: float) -> Iterator[None]:
        """Hold the folder's lock (across processes and threads); give up after ``seconds``."""
        descriptor = self._open("lock", os.O_RDWR)
        try:
            deadline = time.monotonic() + seconds
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise EmbeddedServerError(
                            f"Another process has been starting or stopping the server in {self.path} for "
                            f"{seconds:.0f} s. Look at {self.log}; it is safe to end that process and try "
                            "again."
                        ) from None
                    time.sleep(0.02)
            yield
        finally:
            os.close(descriptor)  # which lets the lock go

    def claim(self, backend: str) -> Mark:
        """Under the lock: the folder's mark; a folder without a cluster is marked for ``backend`` first."""
        mark = self.mark()
        if mark is None or (mark.backend != backend and not self.cluster.exists()):
            mark = Mark(mark.identity if mark else uuid.uuid4().hex[:12], backend)
            text = json.dumps({"identity": mark.identity, "backend": mark.backend})
            self.write(self._mark.name, text + "\n")
        return mark

    def write(self, name: str, text: str, mode: int = 0o644) -> None:
        """Put a whole file in place at once, owned by the folder's owner."""
        descriptor, temporary = tempfile.mkstemp(prefix=f".{name}-", dir=self.path)
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(text)
                os.fchmod(descriptor, mode)
                self._give(descriptor)
                file.flush()
                os.fsync(descriptor)
            os.replace(temporary, self.path / name)
        except BaseException:
            os.unlink(temporary)
            raise

    def sync(self) -> None:
        """Make a rename in the folder last through a crash of the machine."""
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def open_log(self) -> int:
        """A descriptor that appends to the log; a log past 10 MB is set aside as ``log.1`` first."""
        if self.log.exists() and self.log.stat().st_size > 10_000_000:
            self.log.replace(self.path / "log.1")
        return self._open("log", os.O_WRONLY | os.O_APPEND)

    def own_cluster_folder(self, account: Account, prefix: str) -> Path:
        """A new empty folder beside ``pgdata`` that ``account`` owns."""
        fresh = Path(tempfile.mkdtemp(prefix=prefix, dir=self.path))
        if account.switch:
            os.chown(fresh, account.uid, account.gid, follow_symlinks=False)
        return fresh

    def socket_folder(self, account: Account) -> Path:
        """The folder of the socket, made if missing; only ``account`` (and root) can enter it.

        That is what makes it right to trust whoever connects through it. It is ``run/``, or a short path
        below /tmp where a socket's address could not hold the long one; a folder there that isn't private is
        refused.
        """
        place = self.path / "run"
        if len(os.fsencode(f"{place}{_SOCKET_NAME}")) > _SOCKET_PATH_LIMIT or set(str(place)) & set("\"',\\\n"):
            place = Path("/tmp") / f"cognifold-{hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]}"
        try:
            place.mkdir(mode=0o700)
            if account.switch:
                os.chown(place, account.uid, account.gid, follow_symlinks=False)
        except FileExistsError:
            pass
        about = place.lstat()
        if not stat.S_ISDIR(about.st_mode) or about.st_uid != account.uid or stat.S_IMODE(about.st_mode) & 0o077:
            raise EmbeddedServerError(
                f"The socket's folder {place} must be a real folder of {account.name} with mode 0700, since "
                "whoever enters it is trusted. Remove it and start again."
            )
        return place

    def _require_entry(self, account: Account, place: Path) -> None:
        if account.switch and not account.can_enter(place):
            raise EmbeddedServerError(
                f"The server of {self.path} runs as {account.name}, who can't enter {place}. Choose a folder "
                f"below open ones with --data-dir or {ENVIRONMENT}, or another user with "
                "COGNIFOLD_SERVER_USER."
            )

    def _refuse_foreign(self) -> None:
        """Raise if the folder exists and holds anything while it does not bear our mark."""
        try:
            held = {entry.name for entry in os.scandir(self.path)}
        except FileNotFoundError:
            return
        except NotADirectoryError:
            raise EmbeddedServerError(f"{self.path} is a file; the server needs a folder of its own.") from None
        except PermissionError:
            raise EmbeddedServerError(
                f"{self.path} belongs to another user. Choose a folder of your own with --data-dir or {ENVIRONMENT}."
            ) from None
        foreign = {name for name in held if name != self._lock.name and not name.startswith(".cognifold.json-")}
        if foreign and self._mark.name not in held:
            raise EmbeddedServerError(
                f"{self.path} is not empty and not a CogniFold server's folder (it holds {min(foreign)!r}): "
                f"nothing in it was touched. Choose an empty or new one with --data-dir or {ENVIRONMENT}."
            )

    def _open(self, name: str, flags: int) -> int:
        """Open or create a file directly in the folder; never through a link."""
        path = self.path / name
        try:
            try:
                descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
                self._give(descriptor)
                return descriptor
            except FileExistsError:
                return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError as error:
            raise EmbeddedServerError(f"{path} can't be opened: {error.strerror}.") from error

    def _give(self, descriptor: int) -> None:
        if os.geteuid() == 0:
            owner = self.path.stat()
            os.fchown(descriptor, owner.st_uid, owner.st_gid)


def _runtime_folder(path: Path) -> Path:
    """Where the copy of the programs goes: in ``path``, or above it where initdb can't quote a character of the path.

    initdb asks a shell for its own programs' versions between double quotes, and escapes nothing.
    """
    if not set(str(path)) & set('"$`\\'):
        return path / "runtime"
    above = next(parent for parent in path.parents if not set(str(parent)) & set('"$`\\'))
    return above / f".cognifold-runtime-{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
