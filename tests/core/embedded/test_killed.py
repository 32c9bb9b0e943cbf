"""After kill -9 of any process: the next start works, what was committed is there, no process stays behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from core.embedded import server, servers
from core.embedded.handles import start_postgres
from core.embedded.process import is_lock_held
from tests.support.embedded import KINDS, Kind, Owner, processes_of, wait_until


def test_killed_owner(kind: Kind, var_dir: Path, own: Callable[..., Owner]) -> None:
    owner = own(kind)
    url, _ = owner.started()
    kind.write(url, "kept")
    owner.kill()
    wait_until(lambda: processes_of(var_dir) == [])
    with kind.start(var_dir) as handle:
        assert kind.read(kind.url(handle)) == ["kept"]


@pytest.mark.usefixtures("from_nothing")
def test_killed_while_the_cluster_is_made(var_dir: Path, own: Callable[..., Owner]) -> None:
    owner = own(KINDS["postgres"])
    wait_until(lambda: any(var_dir.glob("postgres.new.*/base")))
    owner.kill()
    with start_postgres(var_dir) as handle:
        KINDS["postgres"].write(handle.dsn, "kept")


@pytest.mark.long
def test_killed_owner_does_not_count(kind: Kind, var_dir: Path, own: Callable[..., Owner]) -> None:
    owner = own(kind)
    owner.started()
    with kind.start(var_dir):
        owner.kill()
    assert processes_of(var_dir) == []


@pytest.mark.long
def test_killed_server_and_next_start(kind: Kind, var_dir: Path) -> None:
    with kind.start(var_dir) as first:
        kind.write(kind.url(first), "kept")
        kind.main_process(var_dir).kill()
        with kind.start(var_dir) as second:
            assert kind.read(kind.url(second)) == ["kept"]


def test_killed_server_comes_back_under_its_owner(kind: Kind, var_dir: Path) -> None:
    with kind.start(var_dir) as handle:
        kind.write(kind.url(handle), "kept")
        killed = kind.main_process(var_dir)
        killed.kill()
        wait_until(lambda: _main_pid(kind, var_dir) not in (None, killed.pid))
        with kind.start(var_dir):
            assert kind.read(kind.url(handle)) == ["kept"]


def test_killed_backend(var_dir: Path) -> None:
    with start_postgres(var_dir) as handle:
        with psycopg.connect(handle.dsn) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1 AS value")
            connection.commit()
            os.kill(connection.info.backend_pid, signal.SIGKILL)
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT 1")
        with start_postgres(var_dir):
            # PostgreSQL restarts itself; it may only now notice that it has to.
            wait_until(lambda: _value(handle.dsn) == 1)


@pytest.mark.long
def test_orphan_that_answers_is_attached_to(kind: Kind, var_dir: Path, own: Callable[..., Owner]) -> None:
    owner = own(kind)
    _, pid = owner.started()
    _kill_keeper(kind, var_dir)
    owner.kill()
    with kind.start(var_dir):
        assert kind.main_process(var_dir).pid == pid
    assert processes_of(var_dir) == []


def test_orphan_that_does_not_answer_is_ended(kind: Kind, var_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "SILENT_SECONDS", 0.5)
    monkeypatch.setattr(servers, "POSTGRES_CONNECT_SECONDS", 2)
    monkeypatch.setattr(servers, "VALKEY_CONNECT_SECONDS", 0.5)
    monkeypatch.setattr(kind.server_class, "signals", ((signal.SIGKILL, 0.0), (signal.SIGKILL, 10.0)))
    with kind.start(var_dir) as handle:
        kind.write(kind.url(handle), "kept")
        hanging = kind.main_process(var_dir)
        hanging.suspend()
        with kind.start(var_dir) as second:
            assert kind.main_process(var_dir).pid != hanging.pid
            assert kind.read(kind.url(second)) == ["kept"]


@pytest.mark.long
def test_everything_killed_at_once(kind: Kind, var_dir: Path, own: Callable[..., Owner]) -> None:
    owner = own(kind)
    kind.write(owner.started()[0], "kept")
    _kill_keeper(kind, var_dir)
    owner.kill()
    for process in kind.server(var_dir).processes():
        with suppress(psutil.NoSuchProcess):
            process.kill()
    with kind.start(var_dir) as handle:
        assert kind.read(kind.url(handle)) == ["kept"]
    assert processes_of(var_dir) == []


def test_killed_keeper_is_replaced_by_the_next_start(kind: Kind, var_dir: Path, own: Callable[..., Owner]) -> None:
    owner = own(kind)
    owner.started()
    _kill_keeper(kind, var_dir)
    with kind.start(var_dir):
        owner.kill()
        # It writes its number once it runs.
        wait_until(lambda: psutil.pid_exists(_keeper_pid(kind, var_dir)))


@pytest.mark.long
def test_removed_folder_takes_the_server_along(kind: Kind, var_dir: Path) -> None:
    handle = kind.start(var_dir)
    main = kind.main_process(var_dir)
    var_dir.rename(var_dir.with_name("removed"))
    wait_until(lambda: not main.is_running() or main.status() == psutil.STATUS_ZOMBIE)
    handle.release()
    wait_until(lambda: processes_of(var_dir.with_name("removed")) == [])


def _value(dsn: str) -> int | None:
    try:
        with psycopg.connect(dsn) as connection:
            row = connection.execute("SELECT value FROM kept").fetchone()
    except psycopg.OperationalError:
        return None
    return row[0] if row else None


def _keeper_pid(kind: Kind, var_dir: Path) -> int:
    return int(kind.server(var_dir).place.keeper.read_text())


def _kill_keeper(kind: Kind, var_dir: Path) -> None:
    os.kill(_keeper_pid(kind, var_dir), signal.SIGKILL)
    # It counts as watching until the kernel has released its lock.
    wait_until(lambda: not is_lock_held(kind.server(var_dir).place.keeper))


def _main_pid(kind: Kind, var_dir: Path) -> int | None:
    try:
        return kind.main_process(var_dir).pid
    except (ValueError, psutil.Error):
        return None
