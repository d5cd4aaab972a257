"""One import name carries everything, in a wheel and in an editable install alike."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cognifold_pg.version import VERSION

REPOSITORY = Path(__file__).resolve().parents[1]

# Folder of the repository -> where its files are found once installed.
PLACES = {
    "cognifold_pg": "cognifold_pg",
    "examples": "cognifold_pg/examples",
    "extension": "cognifold_pg/extension",
    "migrations": "cognifold_pg/migrations",
    "sql": "cognifold_pg/sql",
    "workers": "cognifold_pg/workers",
}

BUILD_SDIST = "import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))"
BUILD_WHEEL = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"

# Prints "package/file" for every file that importlib.resources finds in the packages named.
LIST_RESOURCES = """
import importlib.resources, sys
def walk(folder, prefix):
    for entry in folder.iterdir():
        if entry.is_dir():
            walk(entry, f"{prefix}/{entry.name}")
        else:
            print(f"{prefix}/{entry.name}")
for place in sys.argv[1:]:
    walk(importlib.resources.files(place.replace("/", ".")), place)
"""


def python(code: str, *arguments: str, cwd: Path, **environment: str) -> str:
    command = [sys.executable, "-W", "ignore", "-c", code, *arguments]
    run = subprocess.run(command, cwd=cwd, env=environment or None, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def shipped_files() -> dict[str, bytes]:
    """Every file of the folders above, by its installed name."""
    return {
        f"{place}/{path.relative_to(REPOSITORY / folder).as_posix()}": path.read_bytes()
        for folder, place in PLACES.items()
        for path in (REPOSITORY / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources alone, as a clone has them: building leaves files that a second build would take up."""
    copy = tmp_path_factory.mktemp("source")
    for folder in PLACES:
        ignored = shutil.ignore_patterns("__pycache__", ".*")
        shutil.copytree(REPOSITORY / folder, copy / folder, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, copy)
    return copy


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    return place / python(BUILD_WHEEL, str(place), cwd=source).splitlines()[-1]


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_a_wheel_carries_every_source_and_data_file_unchanged(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        carried = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    expected = shipped_files()
    # A name missing here wants its package listed, or its ending among the package data, in pyproject.toml.
    assert expected.keys() - carried.keys() == set()
    assert carried.keys() - expected.keys() == set()
    assert carried == expected


def test_a_wheel_puts_nothing_beside_the_one_import_name(wheel: Path) -> None:
    assert {name.split("/")[0] for name in names_in(wheel)} == {
        "cognifold_pg",
        f"cognifold_pg-{VERSION}.dist-info",
    }


def test_a_wheel_from_the_source_archive_is_the_same(
    source: Path, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("sdist")
    archive = python(BUILD_SDIST, str(place), cwd=source).splitlines()[-1]
    subprocess.run(["tar", "-xzf", place / archive, "-C", place], check=True)
    unpacked = place / archive.removesuffix(".tar.gz")
    again = python(BUILD_WHEEL, str(place), cwd=unpacked).splitlines()[-1]
    assert names_in(place / again) == names_in(wheel)


def test_installed_resources_are_found_by_package_name(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n{LIST_RESOURCES}"
    code += f"\nimport cognifold_pg\nassert cognifold_pg.__file__.startswith({str(tmp_path)!r})"
    assert without_caches(python(code, *PLACES.values(), cwd=tmp_path)) == set(shipped_files())


def test_this_editable_install_finds_the_same_resources(tmp_path: Path) -> None:
    assert without_caches(python(LIST_RESOURCES, *PLACES.values(), cwd=tmp_path)) == set(shipped_files())


def test_the_mapped_packages_can_be_imported_in_an_editable_install(tmp_path: Path) -> None:
    code = "import cognifold_pg.sql, cognifold_pg.workers, cognifold_pg.migrations, cognifold_pg.examples"
    assert python(code, cwd=tmp_path) == ""


def test_the_console_script_is_there() -> None:
    command = [str(Path(sys.executable).parent / "cognifold"), "--help"]
    assert "db" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def without_caches(listing: str) -> set[str]:
    return {name for name in listing.splitlines() if "__pycache__" not in name and "/." not in name}
