"""What lies in the folder already: stale files are cleared, what is not ours is refused with a sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from core.embedded.handles import start_postgres, start_valkey
from core.embedded.place import postgres_programs
from core.embedded.process import exclusive_lock, open_lock, try_exclusive
from core.embedded.servers import PostgresServer
from core.errors import EmbeddedServiceError
from tests.support.embedded import KINDS, Kind, wait_until

POSTGRES = KINDS["postgres"]


def test_stale_pid_file_whose_number_is_another_program(var_dir: Path) -> None:
    start_postgres(var_dir).release()
    (var_dir / "postgres" / "postmaster.pid").write_text(f"{os.getpid()}\n{var_dir / 'postgres'}\n")
    with start_postgres(var_dir) as handle:
        POSTGRES.write(handle.dsn, "kept")


def test_stale_pid_file_that_is_damaged(var_dir: Path) -> None:
    start_postgres(var_dir).release()
    for content in ("", "not a number\n", "999999999\n"):
        (var_dir / "postgres" / "postmaster.pid").write_text(content)
        start_postgres(var_dir).release()


def test_stale_sockets(kind: Kind, var_dir: Path) -> None:
    kind.start(var_dir).release()
    folder = kind.server(var_dir).place.socket_folder()
    for name in (".s.PGSQL.5432", ".s.PGSQL.5432.lock", "valkey.sock"):
        (folder / name).write_text("999999999\n")
    with kind.start(var_dir) as handle:
        kind.write(kind.url(handle), "kept")


@pytest.mark.usefixtures("from_nothing")
def test_initialisation_that_was_cut_off(var_dir: Path) -> None:
    half = var_dir / "postgres.new.killed"
    (half / "base").mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    with start_postgres(var_dir) as handle:
        POSTGRES.write(handle.dsn, "kept")
    assert not half.exists()


def test_role_and_database_that_were_never_made(var_dir: Path) -> None:
    with start_postgres(var_dir):
        server = PostgresServer(POSTGRES.server(var_dir).place)
        with server.connect() as connection:
            connection.execute("DROP DATABASE second_reader")
            connection.execute("DROP ROLE second_reader")
        with start_postgres(var_dir) as handle:
            POSTGRES.write(handle.dsn, "kept")


@pytest.mark.usefixtures("from_nothing")
def test_a_folder_that_holds_something_else_is_refused(var_dir: Path) -> None:
    (var_dir / "postgres").mkdir(parents=True)
    (var_dir / "postgres" / "notes.txt").write_text("mine")
    with pytest.raises(EmbeddedServiceError, match="Move it away"):
        start_postgres(var_dir)
    assert (var_dir / "postgres" / "notes.txt").read_text() == "mine"


def test_data_of_another_major_version_is_refused(var_dir: Path) -> None:
    start_postgres(var_dir).release()
    (var_dir / "postgres" / "PG_VERSION").write_text("15\n")
    with pytest.raises(EmbeddedServiceError, match="written by PostgreSQL 15"):
        start_postgres(var_dir)


def test_the_error_ends_with_the_log(var_dir: Path) -> None:
    start_postgres(var_dir).release()
    with (var_dir / "postgres" / "postgresql.conf").open("a") as file:
        file.write("no_such_setting = 1\n")
    with pytest.raises(EmbeddedServiceError, match='unrecognized configuration parameter "no_such_setting"'):
        start_postgres(var_dir)


@pytest.mark.usefixtures("from_nothing")
def test_a_damaged_append_only_file_is_never_thrown_away(var_dir: Path) -> None:
    with start_valkey(var_dir) as handle:
        KINDS["valkey"].write(handle.url, "kept")
    (manifest,) = (var_dir / "valkey" / "appendonlydir").glob("*.manifest")
    manifest.write_text("no manifest\n")
    with pytest.raises(EmbeddedServiceError, match="manifest"):
        start_valkey(var_dir)
    assert manifest.read_text() == "no manifest\n"


def test_a_server_started_by_hand_gets_no_second_one(var_dir: Path) -> None:
    start_postgres(var_dir).release()
    place = POSTGRES.server(var_dir).place
    sockets = Path(tempfile.mkdtemp())
    os.chown(sockets, place.account.uid, place.account.gid)
    by_hand = subprocess.Popen(
        [postgres_programs(place) / "postgres", "-D", place.data, "-k", sockets, "-c", "listen_addresses="],
        stderr=subprocess.DEVNULL,
        **place.account.identity,
    )
    try:
        wait_until((sockets / ".s.PGSQL.5432").exists)
        with pytest.raises(EmbeddedServiceError, match=f"Process {by_hand.pid} already serves"):
            start_postgres(var_dir)
    finally:
        by_hand.terminate()
        by_hand.wait()
        shutil.rmtree(sockets)


def test_a_lock_that_is_never_given_up(tmp_path: Path) -> None:
    holder = open_lock(tmp_path / "lock")
    try:
        assert try_exclusive(holder)
        with (
            pytest.raises(EmbeddedServiceError, match=r"held .* for too long"),
            exclusive_lock(tmp_path / "lock", seconds=0.1),
        ):
            pass
    finally:
        os.close(holder)
