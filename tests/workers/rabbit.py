"""A RabbitMQ of one's own, that may be taken away and brought back: its messages are gone then."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType

# Debian's command of the name changes to a user of its own; this is what it starts.
_SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")


def is_installed() -> bool:
    """Whether there is a RabbitMQ on this machine (on Debian: package rabbitmq-server)."""
    return _SERVER.exists()


class RabbitServer:
    """Within a ``with`` block it answers at :attr:`url`, on this machine only."""

    def __init__(self) -> None:
        self._port, self._clustering = _free_ports()
        self._folder = Path(tempfile.mkdtemp(prefix="cognifold-rabbit-"))
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """What a broker is made of; a try to connect gives up in a second."""
        return f"amqp://127.0.0.1:{self._port}/?connection_attempts=1&socket_timeout=1"

    def start(self) -> None:
        """Answer, with nothing kept from before."""
        shutil.rmtree(self._folder)
        self._folder.mkdir()
        (self._folder / "plugins").write_text("[].\n")
        settings = {
            "HOME": self._folder,
            "RABBITMQ_NODENAME": f"test{self._port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": self._port,
            "RABBITMQ_DIST_PORT": self._clustering,
            "RABBITMQ_MNESIA_BASE": self._folder / "data",
            "RABBITMQ_LOG_BASE": self._folder / "log",
            "RABBITMQ_ENABLED_PLUGINS_FILE": self._folder / "plugins",
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
        }
        self._process = subprocess.Popen(
            [_SERVER], env=os.environ | {name: str(setting) for name, setting in settings.items()},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        until = time.monotonic() + 120
        while time.monotonic() < until:
            with socket.socket() as asked:
                asked.settimeout(1)
                if asked.connect_ex(("127.0.0.1", self._port)) == 0:
                    return
            time.sleep(0.1)
        raise RuntimeError(f"RabbitMQ does not answer at {self.url}")

    def kill(self) -> None:
        """Be gone at once."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def __enter__(self) -> RabbitServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        for free in (one, other):
            free.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]
