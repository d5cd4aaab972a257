"""The script for pg_tle, which is in no package this project can install: run against a stand-in (pgtle.sql).

The stand-in keeps what it is given as pg_tle does. What it kept is then written out and created by PostgreSQL's own
CREATE EXTENSION, with a control file like pg_tle's: a plain role runs the script with its own rights, as there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from cognifold_pg.sqlbuild import Extension, write
from tests.conftest import value
from tests.extension.conftest import EARLIER, KEEPER, as_earlier, migrate
from tests.extension.site import Site

STAND_IN = Path(__file__).with_name("pgtle.sql")


def script_of(extension: Extension, folder: Path) -> str:
    write(extension, folder)
    return (folder / "pg_tle" / f"cognifold-{extension.version}.sql").read_text(encoding="utf-8")


@pytest.fixture
def scripts(extension: Extension, tmp_path: Path) -> dict[str, str]:
    """The pg_tle scripts of an earlier version and of this one, without the lexicon."""
    earlier = Extension(EARLIER, "", as_earlier(extension.script, extension), {})
    return {EARLIER: script_of(earlier, tmp_path), extension.version: script_of(extension, tmp_path)}


def test_what_pg_tle_keeps_is_created_and_updated_by_a_plain_role_and_makes_the_same_memory(
    site: Site, by_init: str, extension: Extension, scripts: dict[str, str], open_folder: Callable[[], Path]
) -> None:
    share = open_folder()
    (share / "extension").mkdir()
    database = site.database(by_init, owner=KEEPER, share=share)
    with site.connect(database) as admin, site.connect(database, KEEPER) as keeper:
        admin.execute(STAND_IN.read_bytes())

        def create_what_is_kept() -> None:
            """Write it where CREATE EXTENSION looks."""
            row = admin.execute("SELECT default_version, description, requires FROM pgtle.control").fetchone()
            assert row is not None
            default, comment, requires = row
            (share / "extension" / "cognifold.control").write_text(
                f"default_version = '{default}'\ncomment = '{comment}'\nrelocatable = false\nsuperuser = false\n"
                f"trusted = false\nrequires = '{','.join(requires)}'\n"
            )
            for (file,) in admin.execute("SELECT file FROM pgtle.script").fetchall():
                (share / "extension" / file).write_text(value(admin, f'SELECT pgtle."{file}"()'))

        admin.execute(scripts[EARLIER].encode())
        create_what_is_kept()
        keeper.execute(f"CREATE EXTENSION cognifold SCHEMA cognifold VERSION '{EARLIER}'".encode())
        assert value(keeper, "SELECT extowner::regrole::text FROM pg_extension WHERE extname = 'cognifold'") == KEEPER

        notices: list[str] = []
        admin.add_notice_handler(lambda notice: notices.append(str(notice.message_primary)))
        for _ in range(2):
            admin.execute(scripts[extension.version].encode())
        assert notices == [f"pg_tle knows cognifold {extension.version} already."]
        create_what_is_kept()
        assert sorted(path.name for path in (share / "extension").glob("*.sql")) == [
            f"cognifold--{EARLIER}--{extension.version}.sql",
            f"cognifold--{EARLIER}.sql",
            f"cognifold--{extension.version}.sql",
        ]
        keeper.execute("ALTER EXTENSION cognifold UPDATE")
        assert value(keeper, "SELECT cognifold.installer_release() ->> 'version'") == extension.version
        assert migrate(site.server.dsn(database, KEEPER)) == []
        # Afresh as well, where the schema is not there yet.
    fresh = site.database(owner=KEEPER, share=share)
    with site.connect(fresh, KEEPER) as keeper:
        with pytest.raises(psycopg.Error, match='would go into the schema "public"') as caught:
            keeper.execute("CREATE EXTENSION cognifold")
        assert caught.value.sqlstate == "CF028"
        keeper.execute("CREATE SCHEMA cognifold")
        keeper.execute("CREATE EXTENSION cognifold SCHEMA cognifold")
        assert value(keeper, "SELECT cognifold.installer_prepare()") == "public"


def test_without_pg_tle_the_script_says_so(site: Site, scripts: dict[str, str]) -> None:
    with site.connect("postgres") as admin, pytest.raises(psycopg.Error, match="pg_tle is not in this database"):
        admin.execute(scripts[EARLIER].encode())
