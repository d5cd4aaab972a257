"""Whom the server runs as: PostgreSQL refuses to run as root, so root lends it another account.

Nothing is created on the machine. Root drops to an account that exists: whoever owns the folder already, else
the one named in ``COGNIFOLD_SERVER_USER``, else ``nobody``. Other services may run as ``nobody`` too and
could then read the data: where that matters, name an account of your own before the first start.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cognifold_pg.errors import EmbeddedServerError

ENVIRONMENT = "COGNIFOLD_SERVER_USER"


@dataclass(frozen=True, slots=True)
class Account:
    """An operating-system user; ``switch`` says that we are root and have to become it."""

    name: str
    uid: int
    gid: int
    switch: bool

    def popen(self) -> dict[str, Any]:
        """Arguments that make :class:`subprocess.Popen` run a program as this account, off our terminal."""
        become: dict[str, Any] = {"user": self.uid, "group": self.gid, "extra_groups": []} if self.switch else {}
        environment = {"PATH": os.defpath, "LC_ALL": "C"}  # no PG* variable of ours may steer the server
        if "LD_LIBRARY_PATH" in os.environ:  # binaries of one's own may need it
            environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        # cwd: a folder every account may stand in; umask: what the server writes is its own;
        # a session of its own: Ctrl-C and a closed terminal don't reach it.
        return {"cwd": "/", "env": environment, "umask": 0o077, "start_new_session": True, **become}

    def can_enter(self, folder: Path) -> bool:
        """Whether this account can reach ``folder`` through all of its parents (found by trying)."""
        probe = ["/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder)]
        return subprocess.run(probe, capture_output=True, check=False, **self.popen()).returncode == 0

    def can_run(self, program: Path) -> bool:
        """Whether this account can execute ``program --version``."""
        try:
            run = subprocess.run([program, "--version"], capture_output=True, check=False, **self.popen())
        except OSError:  # raised in the child by exec, carried over by subprocess
            return False
        return run.returncode == 0


def server_account(folder: Path) -> Account:
    """The account for the server whose data live under ``folder`` (which need not exist yet).

    Raises :class:`EmbeddedServerError` where there is none: an unknown or root ``COGNIFOLD_SERVER_USER``, or
    a uid without a name, which PostgreSQL's initdb refuses.
    """
    own = os.geteuid()
    if own != 0:
        try:
            entry = pwd.getpwuid(own)
        except KeyError:
            raise EmbeddedServerError(
                f"The user with uid {own} has no name on this machine, and PostgreSQL's initdb needs one. "
                "Add it to the password database, or use another PostgreSQL with --dsn or COGNIFOLD_DSN."
            ) from None
        return Account(entry.pw_name, own, os.getegid(), switch=False)
    wanted = os.environ.get(ENVIRONMENT) or "nobody"
    owner = _owner_to_keep(folder)
    try:
        entry = pwd.getpwnam(wanted) if owner is None else pwd.getpwuid(owner)
    except KeyError:
        raise EmbeddedServerError(
            f"PostgreSQL can't run as root, and there is no user {owner or wanted} to run it as: "
            f"name an existing one in {ENVIRONMENT}."
        ) from None
    if entry.pw_uid == 0:
        raise EmbeddedServerError(f"PostgreSQL can't run as root: name another user in {ENVIRONMENT}.")
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid, switch=True)


def _owner_to_keep(folder: Path) -> int | None:
    """The uid that owns the cluster, or else its folder, when that isn't root."""
    for path in (folder / "pgdata", folder):
        with contextlib.suppress(OSError):
            if owner := path.lstat().st_uid:
                return owner
    return None
