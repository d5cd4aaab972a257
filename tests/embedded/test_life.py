"""A server's life: started by one or by many, shared, killed, recovered, stopped."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from cognifold_pg.embedded import EmbeddedServer, temporary_server
from cognifold_pg.embedded.account import server_account
from cognifold_pg.embedded.processes import exists
from tests.embedded.servers import Python, eventually, kill_postmaster, pid_of, scalar

START = """
import sys
from cognifold_pg.embedded import EmbeddedServer
print(EmbeddedServer(sys.argv[1]).start().pid, flush=True)
"""


def test_a_first_start_gives_a_unicode_database_named_cognifold(shared: EmbeddedServer) -> None:
    assert scalar(shared, "select current_database()") == "cognifold"
    assert scalar(shared, "show server_encoding") == "UTF8"
    assert scalar(shared, "select lower('ÄÉΣЖ')") == "äéσж"
    assert scalar(shared, "select 'Ж' ~ '^[[:alnum:]]$' and '—' !~ '[[:alnum:]]'") is True
    assert scalar(shared, "show timezone") == "UTC"


def test_a_second_start_finds_the_running_server(shared: EmbeddedServer) -> None:
    pid = pid_of(shared)
    assert EmbeddedServer(shared.data_dir).start().pid == pid
    with EmbeddedServer(shared.data_dir) as visitor:
        assert pid_of(visitor) == pid
    assert pid_of(shared) == pid  # who found it running leaves it running


def test_five_processes_starting_at_once_get_one_server(folder: Path, python: Python) -> None:
    starters = [python(START, folder) for _ in range(5)]
    said = [starter.communicate(timeout=60) for starter in starters]
    assert {error for _, error in said} == {""}
    assert {int(pid) for pid, _ in said} == {pid_of(EmbeddedServer(folder))}
    assert scalar(EmbeddedServer(folder), "select count(*) from pg_database where datname = 'cognifold'") == 1


def test_two_threads_starting_at_once_get_one_server(folder: Path) -> None:
    pids: list[int | None] = []
    threads = [Thread(target=lambda: pids.append(EmbeddedServer(folder, durable=False).start().pid)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(pids) == 2
    assert pids[0] == pids[1] is not None


def test_it_outlives_its_starter_and_the_ctrl_c_of_its_terminal(folder: Path, python: Python) -> None:
    # Said outright: whoever runs the tests in the background may have them ignore SIGINT, and their children with them.
    hearing = "import signal, time; signal.signal(signal.SIGINT, signal.default_int_handler); "
    starter = python(START + hearing + "time.sleep(600)", folder)
    assert starter.stdout is not None
    pid = int(starter.stdout.readline())
    os.killpg(starter.pid, signal.SIGINT)  # the fixture gave the starter a process group of its own
    assert starter.wait(30) != 0
    assert pid_of(EmbeddedServer(folder)) == pid
    assert scalar(EmbeddedServer(folder), "select 1") == 1


def test_stopping_rolls_back_what_is_open_and_says_whether_there_was_a_server(folder: Path) -> None:
    server = EmbeddedServer(folder, durable=False)
    assert server.stop() is False
    server.start()
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("create table t (i int)")
    with pytest.raises(psycopg.OperationalError), psycopg.connect(server.dsn()) as connection:
        connection.execute("insert into t values (1)")
        assert server.stop() is True
        connection.execute("select 1")
    assert server.status().running is False
    assert server.stop() is False
    server.start()
    assert scalar(server, "select count(*) from t") == 0


def test_every_row_committed_before_a_kill_of_the_postmaster_is_there_afterwards(folder: Path) -> None:
    server = EmbeddedServer(folder)
    server.start()
    committed = 0
    connection = psycopg.connect(server.dsn(), autocommit=True)
    connection.execute("create table t (i int primary key)")
    with pytest.raises(psycopg.OperationalError):
        while True:
            connection.execute("insert into t values (%s)", [committed])
            committed += 1
            if committed == 50:
                os.kill(pid_of(server), signal.SIGKILL)
    connection.close()
    assert committed >= 50
    # Besides them at most the one is there whose commit was under way when the connection broke.
    server.start()
    assert scalar(server, "select count(*) from t") in (committed, committed + 1)
    assert scalar(server, "select max(i) + 1 = count(*) from t") is True


def test_a_backend_too_busy_to_see_its_postmaster_die_is_ended_before_the_next_start(
    folder: Path, python: Python
) -> None:
    server = EmbeddedServer(folder, durable=False)
    server.start()
    busy = python(
        "import sys, psycopg; c = psycopg.connect(sys.argv[1]); print(c.info.backend_pid, flush=True);"
        "c.execute('do $$ begin loop end loop; end $$')",
        server.dsn(),
    )
    assert busy.stdout is not None
    backend = int(busy.stdout.readline())
    active = f"select count(*) from pg_stat_activity where pid = {backend} and state = 'active'"
    eventually(lambda: scalar(server, active) == 1)
    kill_postmaster(server)
    assert exists(backend)  # and holds the dead server's memory
    server.start()
    assert scalar(server, "select 1") == 1
    assert not exists(backend)


def test_a_stale_pid_that_now_belongs_to_another_program_does_not_prevent_a_start(folder: Path) -> None:
    server = EmbeddedServer(folder, durable=False)
    server.start()
    pid_file, lock_file = folder / "pgdata" / "postmaster.pid", folder / "run" / ".s.PGSQL.5432.lock"
    pid, text, lock = pid_of(server), pid_file.read_text(), lock_file.read_text()
    kill_postmaster(server)
    server.stop()  # waits for the backends that were left
    with subprocess.Popen(["sleep", "600"], **server_account(folder).popen()) as other:
        pid_file.write_text(text.replace(str(pid), str(other.pid), 1))
        lock_file.write_text(lock.replace(str(pid), str(other.pid), 1))
        assert server.status().running is False
        server.start()
        other.kill()
    assert scalar(server, "select 1") == 1


def test_a_temporary_server_and_its_folder_are_gone_afterwards() -> None:
    with temporary_server() as server:
        pid, base = pid_of(server), server.data_dir.parent
    assert not base.exists()
    assert not exists(pid)


def test_a_temporary_server_ends_with_the_process_that_was_killed_beside_it(python: Python) -> None:
    owner = python(
        "import time; from cognifold_pg.embedded import temporary_server\n"
        "with temporary_server() as server: print(server.data_dir, flush=True); time.sleep(600)"
    )
    assert owner.stdout is not None
    data_dir = Path(owner.stdout.readline().strip())
    assert EmbeddedServer(data_dir).status().running
    owner.kill()
    eventually(lambda: not data_dir.parent.exists())
