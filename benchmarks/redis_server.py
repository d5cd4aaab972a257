"""A Redis of one's own, that may be taken away and brought back: its messages are gone then."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from types import TracebackType


def is_installed() -> bool:
    """Whether there is a ``redis-server`` on this machine (on Debian: package redis-server)."""
    return shutil.which("redis-server") is not None


class RedisServer:
    """Within a ``with`` block it answers at :attr:`url`, on this machine only, and keeps nothing on disk."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port: int = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """What a broker is made of."""
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Answer, with nothing kept from before."""
        self._process = subprocess.Popen(
            ["redis-server", "--bind", "127.0.0.1", "--port", str(self._port), "--save", "", "--appendonly", "no"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self._port), timeout=1).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError(f"redis-server does not answer at {self.url}")

    def kill(self) -> None:
        """Be gone at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> RedisServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.kill()
