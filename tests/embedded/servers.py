"""What several of these tests ask of a server, and do to one."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable

import psycopg
import pytest

from cognifold_pg.embedded import EmbeddedServer

# Runs a line of Python in a process of its own, with arguments.
Python = Callable[..., subprocess.Popen[str]]

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has to drop its privileges")


def pid_of(server: EmbeddedServer) -> int:
    """The postmaster of a running server."""
    pid = server.status().pid
    assert pid is not None
    return pid


def scalar(server: EmbeddedServer, query: str) -> object:
    """The one value a query answers with."""
    with psycopg.connect(server.dsn()) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]


def kill_postmaster(server: EmbeddedServer) -> None:
    """kill -9, and wait until the system has carried it out."""
    os.kill(pid_of(server), signal.SIGKILL)
    eventually(lambda: not server.status().running)


def eventually(condition: Callable[[], bool], seconds: float = 30) -> None:
    """Wait for something another process brings about; fail if it does not come."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"it did not happen within {seconds:g} s"
        time.sleep(0.02)
