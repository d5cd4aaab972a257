"""A message broker of one's own, that may be taken away and brought back: its messages are gone then."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class OwnServer(ABC):
    """Within a ``with`` block it answers at :attr:`url`, on this machine only, and keeps nothing for the next start."""

    patience: float = 30  # seconds that a start may take

    def __init__(self) -> None:
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    @abstractmethod
    def url(self) -> str:
        """What a broker is made of."""

    @abstractmethod
    def command(self) -> tuple[list[str], dict[str, str]]:
        """What is to be started, and in which environment, with nothing kept from before."""

    def start(self) -> None:
        """Answer, with nothing kept from before."""
        command, environment = self.command()
        self._process = subprocess.Popen(
            command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        until = time.monotonic() + self.patience
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError(f"{command[0]} does not answer at {self.url}")

    def kill(self) -> None:
        """Be gone at once, with what it has started."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.kill()


def free_port() -> int:
    """A port of this machine that nobody has."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
