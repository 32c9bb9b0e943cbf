"""The two embedded servers seen alike: start, write, read, look at the processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from core.config import ROOT
from core.embedded.account import Account
from core.embedded.handles import start_postgres, start_valkey
from core.embedded.place import ServerPaths
from core.embedded.server import Server
from core.embedded.servers import PostgresServer, ValkeyServer


def of_each(processes: Iterable[psutil.Process], ask: Callable[[psutil.Process], Any]) -> Iterator[Any]:
    """Ask something of each process that is still there: PostgreSQL's own workers come and go."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            yield ask(process)


def _write_row(url: str, value: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (value text)")
        connection.execute("INSERT INTO kept VALUES (%s)", [value])


def _read_rows(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [value for (value,) in connection.execute("SELECT value FROM kept ORDER BY value")]


# Not imported above: the interpreter of an ordinary user (see test_places) may lack what `redis` needs.
def _write_member(url: str, value: str) -> None:
    import redis

    with redis.Redis.from_url(url) as client:
        client.sadd("kept", value)


def _read_members(url: str) -> list[str]:
    import redis

    with redis.Redis.from_url(url, decode_responses=True) as client:
        return sorted(client.smembers("kept"))


@dataclass(frozen=True)
class Kind:
    """One of the embedded servers."""

    name: str
    start: Callable[[Path], Any]
    server_class: type[Server]
    write: Callable[[str, str], None]
    read: Callable[[str], list[str]]

    def url(self, handle: Any) -> str:
        """What clients connect to."""
        return handle.dsn if self.name == "postgres" else handle.url

    def server(self, var_dir: Path) -> Server:
        """The supervisor's view of the server."""
        return self.server_class(ServerPaths.of(var_dir, self.name))

    def main_process(self, var_dir: Path) -> psutil.Process:
        """The postmaster, or the one process of Valkey."""
        processes = self.server(var_dir).processes()
        pids = {process.pid for process in processes}
        found = []
        for process in processes:
            # Backends come and go while we look.
            with suppress(psutil.NoSuchProcess):
                if process.ppid() not in pids:
                    found.append(process)
        (main,) = found
        return main


class Owner:
    """A process of its own that owns a server until it is told to let go."""

    def __init__(self, kind: Kind, var_dir: Path, python: str = sys.executable, **options: Any) -> None:
        self.process = subprocess.Popen(
            [python, "-m", "tests.support.embedded_owner", kind.name, str(var_dir)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    def started(self) -> tuple[str, int]:
        """Wait for the start; the server's URL and process id."""
        assert self.process.stdout
        words = self.process.stdout.readline().split()
        assert words, self.process.communicate()[1]
        return words[0], int(words[1])

    def let_go(self) -> None:
        """Release and leave."""
        self.process.communicate("\n", timeout=60)
        assert self.process.returncode == 0

    def kill(self) -> None:
        """End by -9."""
        self.process.kill()
        self.process.communicate()


KINDS = {
    "postgres": Kind("postgres", start_postgres, PostgresServer, _write_row, _read_rows),
    "valkey": Kind("valkey", start_valkey, ValkeyServer, _write_member, _read_members),
}


def processes_of(var_dir: Path) -> list[str]:
    """Every living process that works in, or was started for, a var folder; independent of the supervisor."""
    found = []
    for process in psutil.process_iter():
        try:
            words = [*process.cmdline(), process.cwd()]
        except psutil.Error:
            continue
        if any(str(var_dir) in word for word in words) and "embedded_owner" not in " ".join(words):
            found.append(" ".join(words))
    return found


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for something that another process does."""
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.05)


@contextmanager
def fresh_var(parent: Path) -> Iterator[Path]:
    """A var folder that any user can reach; it is removed once no process uses it."""
    above = Path(tempfile.mkdtemp(prefix="embedded servers ", dir=parent))
    above.chmod(0o755)
    var = above / "var"
    yield var
    wait_until(lambda: processes_of(var) == [])
    shutil.rmtree(above)


def ordinary_python(user: Account) -> tuple[str, dict[str, str]]:
    """An interpreter of our version that this user can run, and its environment; one's own may lie below /root."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if "site-packages" in path),
    }
    for python in (Path(sys.executable), Path(f"/usr/bin/python{version}")):
        if user.may_reach(python) and user.may_reach(ROOT):
            return str(python), environment
    pytest.skip(f"no python{version} that an ordinary user can run")
