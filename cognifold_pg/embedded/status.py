"""What is known of a server: read from its folder and from the machine's processes, never remembered."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cognifold_pg.embedded import processes
from cognifold_pg.embedded.cluster import cluster_version
from cognifold_pg.embedded.folder import ServerFolder
from cognifold_pg.errors import EmbeddedServerError


@dataclass(frozen=True, slots=True)
class Status:
    """What is known of a server; the fields from ``pid`` on are None (or False) when it is not running."""

    running: bool
    data_dir: Path
    backend: str | None = None  # None: the folder has never held a server
    version: str | None = None  # PostgreSQL's major version, "18"
    pid: int | None = None
    ready: bool = False  # False while it starts, recovers or stops
    started_at: datetime | None = None
    socket_folder: Path | None = None
    port: int | None = None
    tcp: bool = False


def read_status(folder: ServerFolder) -> Status:
    """The status of the server in ``folder``.

    Raises :class:`EmbeddedServerError` when the folder is another user's, or holds something else.
    """
    mark = folder.mark()
    if mark is None:
        return Status(running=False, data_dir=folder.path)
    version = cluster_version(folder)
    try:
        pid_file = processes.read_pid_file(folder.cluster)
        uid = folder.cluster.stat().st_uid if folder.cluster.exists() else os.geteuid()
    except PermissionError:
        raise EmbeddedServerError(f"The server in {folder.path} belongs to another user.") from None
    if pid_file is None or not processes.is_postmaster(pid_file.pid, mark.identity, uid):
        return Status(running=False, data_dir=folder.path, backend=mark.backend, version=version)
    return Status(
        running=True,
        data_dir=folder.path,
        backend=mark.backend,
        version=version,
        pid=pid_file.pid,
        ready=pid_file.state == "ready",
        started_at=datetime.fromtimestamp(pid_file.started_at, UTC) if pid_file.started_at else None,
        socket_folder=Path(pid_file.socket_folder) if pid_file.socket_folder else None,
        port=pid_file.port,
        tcp=pid_file.tcp_address is not None,
    )


def programs_are_there(folder: ServerFolder, status: Status) -> bool:
    """Whether the running server's programs still exist: an environment may have been removed under it."""
    if status.pid is None:
        return False
    line = processes.command_line(status.pid)
    return line is None or Path(line.partition(" -D ")[0]).exists()
