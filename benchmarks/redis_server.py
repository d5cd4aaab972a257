"""A Redis of one's own (:mod:`benchmarks.own_server`)."""

from __future__ import annotations

import shutil

from benchmarks.own_server import OwnServer


def is_installed() -> bool:
    """Whether there is a ``redis-server`` on this machine (on Debian: package redis-server)."""
    return shutil.which("redis-server") is not None


class RedisServer(OwnServer):
    """Keeps nothing on disk."""

    @property
    def url(self) -> str:
        """What a broker is made of."""
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> tuple[list[str], dict[str, str]]:
        """Redis by itself, in memory."""
        return ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no"], {}
