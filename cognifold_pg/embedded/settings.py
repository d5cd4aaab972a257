"""The server's configuration and its access rules, as text.

initdb's own files are left unread: what is in force stands in one generated file, with the reason of each
line.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from cognifold_pg.embedded.backends import Backend

MEBIBYTE = 1024 * 1024

# Without TCP the port only names the socket; a fixed one keeps PGPORT from mattering.
SOCKET_PORT = 5432

ACCESS_RULES = """\
# Written at each start. The socket lies in a folder that only the server's own user (and root) can enter,
# so whoever reaches it is trusted; TCP, listened to on request only, asks for the password in the file
# `password`.
local all         all trust
local replication all trust
host  all         all 127.0.0.1/32 scram-sha-256
"""


def configuration(
    backend: Backend, hba: Path, socket_folder: Path, tcp_port: int | None, extra: Mapping[str, str]
) -> str:
    """The text of postgresql.conf; ``extra`` settings come after ours and so win, ``custom.conf`` last."""
    memory = memory_bytes()
    ours = {
        "hba_file": (str(hba), "our access rules, out of reach of the account the server runs as"),
        "listen_addresses": (
            "127.0.0.1" if tcp_port else "",
            "no TCP unless asked for, and then this machine only",
        ),
        "port": (str(tcp_port or SOCKET_PORT), "also the last part of the socket's name"),
        "unix_socket_directories": (str(socket_folder), "a private folder"),
        "unix_socket_permissions": ("0700", "a second lock on the same door"),
        "shared_preload_libraries": (
            ",".join(backend.preload),
            "AGE and BM25, where these binaries bring them",
        ),
        "shared_buffers": (
            f"{_clamp(memory // 8, 64, 512)}MB",
            "an eighth of the memory: we share the machine",
        ),
        "effective_cache_size": (f"{_clamp(memory // 2, 256, 65536)}MB", "what the page cache may hold"),
        "work_mem": ("32MB", "sorting a tenant's candidates stays in memory"),
        "maintenance_work_mem": (f"{_clamp(memory // 16, 64, 512)}MB", "building vector indexes"),
        "dynamic_shared_memory_type": (
            _shared_memory_type(),
            "mmap where /dev/shm is as small as in a container",
        ),
        "max_connections": ("100", "several processes share this server"),
        "max_wal_size": ("2GB", "bulk ingestion without a checkpoint storm"),
        "random_page_cost": ("1.1", "solid-state disks"),
        "jit": ("off", "compiling costs more than our short queries take"),
        "timezone": ("UTC", "one answer on every machine"),
        "log_timezone": ("UTC", "one answer on every machine"),
        "lc_messages": ("C", "our launcher reads the log"),
        "log_line_prefix": ("%m [%p] %u@%d ", "when, which process, who, where"),
        "log_checkpoints": ("off", "the log is for what needs a reader"),
    }
    # fsync, full_page_writes and synchronous_commit keep PostgreSQL's defaults: committed means on disk.
    lines = ["# Written anew at each start: put settings of your own in custom.conf beside this file.", ""]
    lines += [f"{name} = {_quoted(value)}  # {why}" for name, (value, why) in ours.items()]
    lines += [f"{name} = {_quoted(value)}" for name, value in extra.items()]
    lines += ["include_if_exists 'custom.conf'", ""]
    return "\n".join(lines)


def memory_bytes() -> int:
    """The memory this process may count on, in bytes: the machine's, or a container's limit below it."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
    except OSError:
        return machine
    return min(machine, int(limit)) if limit.isdigit() else machine


def _clamp(size: int, low: int, high: int) -> int:
    return max(low, min(high, size // MEBIBYTE))


def _shared_memory_type() -> str:
    try:
        about = os.statvfs("/dev/shm")
    except OSError:
        return "posix"  # no such folder: macOS, where POSIX shared memory has no file system
    return "posix" if about.f_blocks * about.f_frsize >= 512 * MEBIBYTE else "mmap"


def _quoted(value: str) -> str:
    if "\n" in value or "\0" in value:
        raise ValueError(f"a server setting holds no line break: {value!r}")
    return "'" + value.replace("'", "''").replace("\\", "\\\\") + "'"
