"""A RabbitMQ of one's own (:mod:`benchmarks.own_server`)."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from types import TracebackType

from benchmarks.own_server import OwnServer, free_port

# Debian's command of the name changes to a user of its own; this is what it starts.
_SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")


def is_installed() -> bool:
    """Whether there is a RabbitMQ on this machine (on Debian: package rabbitmq-server)."""
    return _SERVER.exists()


class RabbitServer(OwnServer):
    """Has a folder of its own, which goes with it."""

    patience = 120

    def __init__(self) -> None:
        super().__init__()
        self._clustering = free_port()
        self._folder = Path(tempfile.mkdtemp(prefix="cognifold-rabbit-"))

    @property
    def url(self) -> str:
        """What a broker is made of; a try to connect gives up in a second."""
        return f"amqp://127.0.0.1:{self.port}/?connection_attempts=1&socket_timeout=1"

    def command(self) -> tuple[list[str], dict[str, str]]:
        """RabbitMQ without plugins, in an empty folder."""
        shutil.rmtree(self._folder)
        self._folder.mkdir()
        (self._folder / "plugins").write_text("[].\n")
        settings = {
            "HOME": self._folder,
            "RABBITMQ_NODENAME": f"test{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": self.port,
            "RABBITMQ_DIST_PORT": self._clustering,
            "RABBITMQ_MNESIA_BASE": self._folder / "data",
            "RABBITMQ_LOG_BASE": self._folder / "log",
            "RABBITMQ_ENABLED_PLUGINS_FILE": self._folder / "plugins",
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
        }
        return [str(_SERVER)], {name: str(setting) for name, setting in settings.items()}

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, traceback)
        shutil.rmtree(self._folder, ignore_errors=True)
