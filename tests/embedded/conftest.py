"""Folders for servers, a server to share, and processes beside our own."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cognifold_pg.embedded import EmbeddedServer, temporary_server
from tests.embedded.servers import Python


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that does not exist yet, below one that any user may walk through; no server is left in it."""
    base = Path(tempfile.mkdtemp(prefix="cognifold-test-")).resolve()
    base.chmod(0o711)
    yield base / "server"
    for mark in base.rglob("cognifold.json"):
        EmbeddedServer(mark.parent).stop(seconds=20)
    shutil.rmtree(base, ignore_errors=True)


@pytest.fixture(scope="module")
def shared() -> Iterator[EmbeddedServer]:
    """One running server for the tests that leave it as it was."""
    with temporary_server() as server:
        yield server


@pytest.fixture
def python() -> Iterator[Python]:
    """Run a line of Python in a process of its own, with arguments; it is ended with the test."""
    running: list[subprocess.Popen[str]] = []

    def run(code: str, *arguments: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", code, *map(str, arguments)]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        running.append(process)
        return process

    yield run
    for process in running:
        process.kill()
        process.communicate()
