"""A server for a test session or a trial: its data in a temporary folder, gone at the end."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from cognifold_pg.embedded.account import server_account
from cognifold_pg.embedded.backends import Backend
from cognifold_pg.embedded.server import EmbeddedServer
from cognifold_pg.errors import EmbeddedServerError

# Waits for its input to close. An orderly end says so first; otherwise whoever made the server was killed,
# and the guard ends the server and removes the data in their place.
_GUARD = """
read -r word
test "$word" = done && exit
pid=$(head -n 1 "$1/server/pgdata/postmaster.pid") && kill -QUIT "$pid" && sleep 1
rm -rf -- "$1"
"""


@contextmanager
def temporary_server(
    *,
    backend: str | Backend | None = None,
    durable: bool = False,
    tcp_port: int | None = None,
    settings: Mapping[str, str] | None = None,
) -> Iterator[EmbeddedServer]:
    """Run a server that lives as long as the ``with`` block (or the process, if that is killed first).

    Works as root and as a plain user. ``durable=True`` turns fsync on; without it committed rows still
    survive a kill of the server, only not a crash of the machine. ``settings`` are PostgreSQL settings by
    name.
    """
    base = _base_folder()
    server = EmbeddedServer(base / "server", backend, settings=settings, durable=durable)
    guard = subprocess.Popen(
        ["/bin/sh", "-c", _GUARD, "sh", str(base)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        server.start(tcp_port=tcp_port)
        yield server
    finally:
        try:
            server.stop(seconds=20)
        finally:
            shutil.rmtree(base, ignore_errors=True)
            guard.communicate("done\n")


def _base_folder() -> Path:
    """A new temporary folder that the server's account can enter (not so a private TMPDIR of root's)."""
    for parent in dict.fromkeys([tempfile.gettempdir(), "/tmp", "/var/tmp"]):
        if not Path(parent).is_dir():
            continue
        base = Path(tempfile.mkdtemp(prefix="cognifold-", dir=parent)).resolve()
        account = server_account(base)
        if account.switch:
            base.chmod(0o711)
        if account.can_enter(base):
            return base
        base.rmdir()
    raise EmbeddedServerError("No temporary folder can be entered by the server's user; set TMPDIR to an open one.")
