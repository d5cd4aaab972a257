"""The database cluster on disk: made whole or not at all, of the right version, cleared up after a crash."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from cognifold_pg.embedded import processes
from cognifold_pg.embedded.account import Account
from cognifold_pg.embedded.backends import Backend
from cognifold_pg.embedded.failures import failure
from cognifold_pg.embedded.folder import ServerFolder
from cognifold_pg.errors import EmbeddedServerError

SUPERUSER = "postgres"

# initdb's arguments that are always the same.
_INITDB = (
    f"--username={SUPERUSER}",
    "--encoding=UTF8",
    # For whoever starts this cluster by hand with initdb's own configuration: no trust there.
    "--auth-local=peer",
    "--auth-host=reject",
    "--no-instructions",
)

# The builtin provider's C.UTF-8: Unicode-aware lower() and [[:alnum:]], the same on every machine. PostgreSQL 16 has no
# such provider: there the C library's C.UTF-8 does the same.
_BUILTIN_LOCALE = ("--locale-provider=builtin", "--builtin-locale=C.UTF-8")


def make_cluster(folder: ServerFolder, backend: Backend, account: Account, *, durable: bool) -> None:
    """Run initdb beside the final place, then rename: what is called ``pgdata`` is complete."""
    fresh = folder.own_cluster_folder(account, "pgdata.new-")
    command = [str(backend.program("initdb")), f"--pgdata={fresh}", *_INITDB]
    if backend.major >= 17:
        command += _BUILTIN_LOCALE
    if not durable:
        command.append("--no-sync")
    try:
        run = _run([*command, "--locale=C.UTF-8"], account)
        if (
            run.returncode and "invalid locale name" in run.stdout and backend.major >= 17
        ):  # a C library that has no C.UTF-8
            run = _run([*command, "--locale=C"], account)
        if run.returncode:
            raise failure("Making the database cluster", run.stdout, folder, account)
        os.rename(fresh, folder.cluster)
        folder.sync()
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def cluster_version(folder: ServerFolder) -> str | None:
    """PostgreSQL's major version that made the cluster, ``18``; None where it can't be read."""
    try:
        return (folder.cluster / "PG_VERSION").read_text().strip()
    except OSError:
        return None


def check_version(folder: ServerFolder, backend: Backend) -> None:
    """Raise unless the cluster is one of ``backend``'s major version."""
    version = cluster_version(folder)
    if version is None:
        raise EmbeddedServerError(
            f"{folder.cluster} is no PostgreSQL cluster (it has no PG_VERSION). Move it away to start anew."
        )
    if version != str(backend.major):
        raise EmbeddedServerError(
            f"The data in {folder.cluster} are of PostgreSQL {version}, and the backend {backend.name} is "
            f"{backend.version}. Dump them with a PostgreSQL {version} and load them into a new folder, or "
            f"install a backend of version {version}."
        )


def clear_after_a_crash(folder: ServerFolder, identity: str, account: Account, socket_folder: Path) -> None:
    """Remove what a dead postmaster left: backends attached to its memory, and files that name its id.

    PostgreSQL sees through a stale id by itself unless that id is taken again, by another process or by its
    own zombie: then it takes that for its postmaster and refuses to start. A live process that may be a
    postgres started by other means than ours is left to PostgreSQL's own judgement.
    """
    processes.end_leftovers(identity, account.uid)
    for stale in socket_folder.glob(".s.PGSQL.*"):
        stale.unlink(missing_ok=True)
    pid_file = processes.read_pid_file(folder.cluster)
    if pid_file is not None and processes.is_certainly_another(pid_file.pid):
        (folder.cluster / "postmaster.pid").unlink(missing_ok=True)
    for unfinished in folder.path.glob("pgdata.new-*"):
        shutil.rmtree(unfinished, ignore_errors=True)


def _run(command: list[str], account: Account) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        **account.popen(),
    )
