"""The server's processes: which of those running on this machine are ours, and how one is launched.

A process is recognised by the server's identity, which stands on the postmaster's command line and at the
front of each backend's title. Process ids alone deceive: after a crash or a restart an id may belong to
someone else.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cognifold_pg.embedded.account import Account


@dataclass(frozen=True, slots=True)
class PidFile:
    """What ``postmaster.pid`` says; ``port`` and later fields are None until the server has written them."""

    pid: int
    started_at: int | None  # seconds since 1970
    port: int | None
    socket_folder: str | None
    tcp_address: str | None
    state: str | None  # starting, ready, stopping or standby


def read_pid_file(cluster: Path) -> PidFile | None:
    """The cluster's ``postmaster.pid``, or None where there is none (a server is neither up nor crashed)."""
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
        pid = int(lines[0])
    except (FileNotFoundError, NotADirectoryError, IndexError, ValueError):
        return None
    texts = [text.strip() or None for text in lines] + [None] * 8
    started_at, port = texts[2], texts[3]
    return PidFile(
        pid=pid,
        started_at=int(started_at) if started_at else None,
        port=int(port) if port else None,
        socket_folder=texts[4],
        tcp_address=texts[5],
        state=texts[7],
    )


def cluster_name(identity: str) -> str:
    """The name under which all processes of one server run."""
    return f"cognifold-{identity}"


def is_postmaster(pid: int, identity: str, uid: int) -> bool:
    """Whether ``pid`` is alive and is this server's postmaster (a zombie is not)."""
    sign = f"cluster_name={cluster_name(identity)}"
    return any(process.pid == pid and process.uid == uid and sign in process.line for process in _processes())


def leftover_backends(identity: str, uid: int) -> list[int]:
    """Ids of this server's processes but the postmaster: after its death they may still hold its memory."""
    title = f"postgres: {cluster_name(identity)}: "
    return [process.pid for process in _processes() if process.uid == uid and process.line.startswith(title)]


def end_leftovers(identity: str, uid: int) -> None:
    """After a postmaster's death, have the backends it left end: by themselves, by request, then by force.

    Nothing committed is lost thereby: that is in the write-ahead log, and whatever they still did is rolled
    back.
    """
    for seconds, number in ((1.0, signal.SIGQUIT), (4.0, signal.SIGKILL), (10.0, signal.SIGKILL)):
        deadline = time.monotonic() + seconds
        while left := leftover_backends(identity, uid):
            if time.monotonic() > deadline:
                break
            time.sleep(0.02)
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        if not left:
            return


def command_line(pid: int) -> str | None:
    """What ``pid`` was started with, in one line; None when there is no such process, "" for a zombie."""
    return next((process.line for process in _processes() if process.pid == pid), None)


def is_certainly_another(pid: int) -> bool:
    """Whether ``pid``, known not to be one server's postmaster, exists as something else.

    That is a zombie, another program, or a process of another server of ours; a postgres of unknown origin
    may have been started on the same cluster by hand, and does not count.
    """
    line = command_line(pid)
    if line is None:
        return False
    return "postgres" not in line or bool(re.search(r"cluster_name=cognifold-|^postgres: cognifold-", line))


def launch(command: list[str], account: Account, log: int) -> int:
    """Start ``command`` as ``account``, detached from us, its output going to descriptor ``log``; its pid.

    A shell starts it in the background and ends, so that the server is nobody's child but init's: as our own
    child it would stay a zombie after its death, and PostgreSQL takes a zombie for a live server.
    """
    starter = ["/bin/sh", "-c", '"$@" >&2 & echo $!', "sh", *command]
    run = subprocess.run(
        starter, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, check=True, **account.popen()
    )
    return int(run.stdout)


def exists(pid: int) -> bool:
    """Whether a process, of whomever, has this id; zombies count where they can't be told apart."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


@dataclass(frozen=True, slots=True)
class _Process:
    pid: int
    uid: int
    line: str  # the command line, its words separated by single spaces


def _processes() -> Iterator[_Process]:
    """Every process of this machine that we may see."""
    if not Path("/proc/self/cmdline").exists():
        listed = subprocess.run(["ps", "-axo", "pid=,uid=,command="], capture_output=True, text=True, check=True)
        for row in listed.stdout.splitlines():
            pid, uid, line = [*row.split(maxsplit=2), ""][:3]
            yield _Process(int(pid), int(uid), line)
        return
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError):  # it ended while we looked
                words = Path(entry.path, "cmdline").read_bytes().rstrip(b"\0 ").split(b"\0")
                line = b" ".join(words).decode(errors="replace")
                yield _Process(int(entry.name), entry.stat().st_uid, line)
