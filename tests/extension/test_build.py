"""What a build writes, read as PostgreSQL, make and pg_tle read it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cognifold_pg import sqlbuild
from cognifold_pg.cli import app
from cognifold_pg.install import package_version
from cognifold_pg.sqlbuild import BuildError, Extension, Release, known_releases
from cognifold_pg.sqlfiles import policy_files, repeatable_files, roles_file, versioned_files
from tests.extension.conftest import EARLIER, compose_short
from tests.extension.site import program


def test_every_sql_file_is_in_the_script_to_the_letter(extension: Extension) -> None:
    files = [("", roles_file()), *versioned_files(), *repeatable_files(), *policy_files()]
    assert len(files) > 400
    for name, file in files:
        assert f"$cognifold_file${file.read_text(encoding='utf-8')}$cognifold_file$" in extension.script, name


def test_the_script_creates_functions_and_nothing_that_a_dump_would_lose(extension: Extension) -> None:
    own = re.sub(r"\$cognifold_(file|embedded|lexicon|affect)\$.*?\$cognifold_\1\$", "", extension.script, flags=re.S)
    own = re.sub(r"(\$\w*\$).*?\1", "", own, flags=re.S)
    statements = {
        match.split("(")[0] for match in re.findall(r"^(?:CREATE|ALTER|DO|SET|COMMENT|GRANT)[^;]*", own, re.M)
    }
    kinds = {re.sub(r" cognifold\.\w+$", "", statement).strip() for statement in statements}
    assert kinds == {
        "SET LOCAL search_path = pg_catalog, pg_temp", "DO", "CREATE OR REPLACE FUNCTION", "COMMENT ON FUNCTION",
    }  # fmt: skip


def test_an_update_carries_the_lexicon_only_where_it_is_another(extension: Extension) -> None:
    assert "FUNCTION cognifold.installer_lexicon()" in extension.script
    assert "FUNCTION cognifold.installer_lexicon()" not in extension.updates[EARLIER]
    assert "FUNCTION cognifold.migrate()" in extension.updates[EARLIER]
    other = compose_short([Release("0.0.1", "of another lexicon"), Release(package_version(), extension.lexicon)])
    assert other.updates == {"0.0.1": extension.script}


def test_earlier_versions_are_listed_once_with_a_checksum() -> None:
    versions = [release.version for release in known_releases()]
    assert len(versions) == len(set(versions))
    assert all(re.fullmatch(r"[0-9a-f]{64}", release.lexicon) for release in known_releases())


@pytest.mark.parametrize("text", ["SELECT '@extschema@'", "$cognifold_file$", "\\echo", "$_pgtle_i_$"])
def test_a_file_that_a_script_cannot_carry_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sqlbuild, "_rows", lambda: iter([text]))
    if text == "$cognifold_file$":
        monkeypatch.setattr(sqlbuild, "_rows", lambda: iter(["$cognifold_affect$"]))
    with pytest.raises(BuildError, match="which a script cannot carry"):
        compose_short([])


def test_make_install_puts_the_files_where_that_postgresql_looks(built: Path, tmp_path: Path) -> None:
    if shutil.which("make") is None or not Path(program("pg_config")).exists():
        pytest.skip("no make, or no pg_config in the embedded backend")
    command = ["make", "-C", str(built / "pgxs"), "install", f"PG_CONFIG={program('pg_config')}", f"DESTDIR={tmp_path}"]
    subprocess.run(command, check=True, capture_output=True)
    share = subprocess.run([program("pg_config"), "--sharedir"], check=True, capture_output=True, text=True).stdout
    place = tmp_path / share.strip().lstrip("/") / "extension"
    assert {path.name for path in place.iterdir()} == {
        "cognifold.control",
        f"cognifold--{package_version()}.sql",
        f"cognifold--{EARLIER}--{package_version()}.sql",
    }
    assert len(list(tmp_path.rglob("ATTRIBUTION.md"))) == 1
    control = (place / "cognifold.control").read_text(encoding="utf-8")
    assert f"default_version = '{package_version()}'" in control
    assert "trusted = true" in control and "relocatable = false" in control and "requires = 'vector'" in control


def test_the_command_writes_both_packages_and_clears_away_an_earlier_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlbuild, "compose", lambda: Extension("7.1", "0" * 64, "-- script", {"7.0": "-- update"}))
    (tmp_path / "pgxs").mkdir()
    (tmp_path / "pgxs" / "cognifold--6.9.sql").write_text("-- of an earlier build")
    result = CliRunner().invoke(app, ["extension", "build", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()) == [
        "pg_tle/cognifold-7.1.sql", "pgxs/ATTRIBUTION.md", "pgxs/Makefile", "pgxs/cognifold--7.0--7.1.sql",
        "pgxs/cognifold--7.1.sql", "pgxs/cognifold.control",
    ]  # fmt: skip
    assert f"7.1 {'0' * 64}" in result.output
