"""The extension as built, a server of its own that finds it, and databases made the different ways."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cognifold_pg import sqlbuild
from cognifold_pg.embedded import temporary_server
from cognifold_pg.install import install
from cognifold_pg.lexicon.datafile import shipped_checksum
from cognifold_pg.sqlbuild import Extension, Release, compose, write
from tests.extension.site import Site, rows_of, schema_of

KEEPER = "keeper"  # who installs: no superuser, but may create roles, and owns the database
EARLIER = "0.0.9"
LEXICON = "the lexicon"  # in place of the words, which take most of the time of building, making and copying
LEXICON_DIGEST = "0" * 64


def compose_short(releases: Sequence[Release]) -> Extension:
    """This version's scripts without the lexicon, for memories that have theirs."""
    with pytest.MonkeyPatch.context() as patch:
        head = {"checksum": shipped_checksum(), "text_sha256": LEXICON_DIGEST}
        patch.setattr(sqlbuild, "_lexicon", lambda: (LEXICON, head))
        return compose(releases=releases)


def as_earlier(script: str, extension: Extension) -> str:
    """A script of this version as one of the earlier version."""
    return script.replace(f'"version": "{extension.version}"', f'"version": "{EARLIER}"')


def install_short(dsn: str) -> list[str]:
    """As ``cognifold init``, without the lexicon; the files that ran. (Not for several threads: it patches.)"""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cognifold_pg.install.load_lexicon", lambda raw: False)
        applied = install(dsn).applied
    with psycopg.connect(dsn) as admin:
        note_lexicon(admin)
    return applied


def note_lexicon(admin: psycopg.Connection[Any]) -> None:
    """Have a memory without the lexicon believe that it is there."""
    admin.execute("INSERT INTO cognifold.lexicon_release SELECT %s, 1, 1, 1, now()", [shipped_checksum()])


@pytest.fixture(scope="session")
def extension() -> Extension:
    """This version's scripts without the lexicon, with an update from an earlier one."""
    return compose_short([Release(EARLIER, LEXICON_DIGEST)])


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Callable[[], Path]]:
    """Makes folders that the server's user can read, as pytest's own are not; all are removed at the end."""
    made: list[Path] = []

    def make() -> Path:
        folder = Path(tempfile.mkdtemp(prefix="cognifold-extension-"))
        folder.chmod(0o755)
        made.append(folder)
        return folder

    yield make
    for folder in made:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def built(extension: Extension, open_folder: Callable[[], Path]) -> Path:
    """The folder that a build has written."""
    folder = open_folder()
    write(extension, folder)
    return folder


@pytest.fixture(scope="session")
def site(extension: Extension, built: Path, open_folder: Callable[[], Path]) -> Iterator[Site]:
    """A server on which the keeper's call of the extension has made the memory's roles, and nobody before."""
    short = open_folder()
    shutil.copytree(built / "pgxs", short / "extension")
    (short / "extension" / f"cognifold--{EARLIER}.sql").write_text(
        as_earlier(extension.script, extension), encoding="utf-8"
    )
    with temporary_server() as server:
        site = Site(server, short)
        with site.connect("postgres") as admin:
            if admin.info.server_version < 180000:
                pytest.skip("extension_control_path came with PostgreSQL 18")
            admin.execute(f"CREATE ROLE {KEEPER} LOGIN CREATEROLE".encode())
        with site.connect(site.database(owner=KEEPER), KEEPER) as keeper:
            keeper.execute("CREATE EXTENSION cognifold")
            keeper.execute("SELECT cognifold.installer_prepare()")
        yield site


def at_once(count: int, call: Callable[[int], Any]) -> list[Any]:
    """What ``count`` threads got that made the call at the same time."""
    barrier = threading.Barrier(count)

    def one(number: int) -> Any:
        barrier.wait()
        return call(number)

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(one, range(count)))


def migrate(dsn: str) -> list[str]:
    """Call migrate() on a connection of its own and give the files it applied."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        row = connection.execute("SELECT cognifold.migrate()").fetchone()
        assert row is not None
        applied: list[str] = row[0]["applied"]
        return applied


@pytest.fixture(scope="session")
def by_init(site: Site) -> str:
    """The name of a database that ``cognifold init`` made, without the lexicon; to be copied, not changed."""
    database = site.database()
    install_short(site.server.dsn(database, "postgres"))
    return database


@pytest.fixture(scope="session")
def schema(site: Site, by_init: str) -> list[str]:
    """The schema as init makes it."""
    return schema_of(site.server.dsn(by_init))


@pytest.fixture(scope="session")
def rows(site: Site, by_init: str) -> dict[str, str]:
    """What is in its tables as init fills them."""
    return rows_of(site.server.dsn(by_init))
