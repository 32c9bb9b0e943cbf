"""One installation as people run it: `flask serve`, `flask worker`, embedded servers, a folder of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import httpx
import psutil

from core.embedded.place import ServerPaths
from core.embedded.server import Server
from core.embedded.servers import PostgresServer, ValkeyServer

ROOT = Path(__file__).resolve().parent.parent.parent
#: Short, so that what a crash left is taken up again within seconds.
LEASE_SECONDS = 15
RECONCILE_SECONDS = 5
JOB_TIMEOUT_SECONDS = 150
WORKERS = 2
#: The longest that a start may take; far longer than it does.
START_SECONDS = 180.0
#: Seconds until processes that were asked to end are ended.
_GRACE_SECONDS = 40.0


class Installation:
    """Starts, watches, kills and stops the processes; acts as the machine's service manager would."""

    def __init__(self, folder: Path, more: Mapping[str, str], var: Path | None = None) -> None:
        """`folder` is for logs and, unless `var` is given, for data. `more`: further settings by variable."""
        self.var = var or folder / "var"
        self._logs = folder / "logs"
        self._logs.mkdir(parents=True, exist_ok=True)
        for above in (folder, self.var):
            above.mkdir(exist_ok=True)
            # The servers run as another user, who must get in.
            above.chmod(0o755)
        self.port = _free_port()
        self._given = {
            "VAR_DIR": str(self.var),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "SECRET_KEY": "faults",
            "WORKERS": str(WORKERS),
            "LEASE_SECONDS": str(LEASE_SECONDS),
            "RECONCILE_SECONDS": str(RECONCILE_SECONDS),
            "JOB_TIMEOUT_SECONDS": str(JOB_TIMEOUT_SECONDS),
            # The disk is small, and filled to the last byte.
            "MIN_FREE_MB": "0",
            "DEMO_ACCOUNTS": "false",
            "RATE_LIMITS": "false",
            "DATABASE_URL": "",
            "REDIS_URL": "",
            "LOG_FORMAT": "json",
            **more,
        }
        self.web: subprocess.Popen[bytes] | None = None
        self.workforce: subprocess.Popen[bytes] | None = None
        self._second: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        """The address of the web server."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def settings(self) -> Mapping[str, str]:
        """The environment variables of all its processes."""
        return self._given

    @property
    def postgres(self) -> PostgresServer:
        """The embedded PostgreSQL, for its address and its processes."""
        return PostgresServer(ServerPaths.of(self.var, PostgresServer.name))

    @property
    def valkey(self) -> ValkeyServer:
        """The embedded Valkey."""
        return ValkeyServer(ServerPaths.of(self.var, ValkeyServer.name))

    @property
    def dsn(self) -> str:
        """See `Running.dsn`."""
        return self.postgres.dsn

    @property
    def queue_url(self) -> str:
        """See `Running.queue_url`."""
        return self.valkey.url

    def command(self, name: str) -> subprocess.Popen[bytes]:
        """Start a command of `flask` that ends by itself, such as `db-upgrade`; the caller waits for it."""
        return self._flask("commands", name)

    def start(self, seconds: float = START_SECONDS) -> None:
        """Start what does not run, as a service manager does after a crash, until all of it answers.

        Raises TimeoutError.
        """
        limit = time.monotonic() + seconds
        while True:
            if self.web is None or self.web.poll() is not None:
                self.web = self._flask("web", "serve")
            if self.workforce is None or self.workforce.poll() is not None:
                kill(self._left_workers())
                self.start_workforce()
            if is_well(self.url):
                return
            if time.monotonic() > limit:
                raise TimeoutError(f"{self.url} was not well within {seconds:.0f} s")
            time.sleep(0.2)

    def start_web(self, seconds: float = START_SECONDS) -> None:
        """Start the web server alone, until it is ready for requests. Raises TimeoutError."""
        self.web = self._flask("web", "serve")
        limit = time.monotonic() + seconds
        while not is_ready(self.url):
            if time.monotonic() > limit:
                raise TimeoutError(f"{self.url} was not ready within {seconds:.0f} s")
            time.sleep(0.02)

    def start_workforce(self, workers: int = WORKERS) -> None:
        """Start so many workers and the reconciler."""
        self.workforce = self._flask("worker", "worker", WORKERS=str(workers))

    def start_second(self) -> str:
        """Start another web server and another workforce on the same folder; return the web server's address."""
        port = _free_port()
        self._second = [self._flask("second-web", "serve", PORT=str(port)), self._flask("second-worker", "worker")]
        url = f"http://127.0.0.1:{port}"
        _wait_for(url)
        return url

    def stop_second(self) -> None:
        """End them in order."""
        _end(self._second)
        self._second = []

    def start_worker(self, *before: str) -> subprocess.Popen[bytes]:
        """Start one more worker process, by the program and arguments `before`; the caller ends it."""
        return self._start("odd-worker", [*before, sys.executable, "-m", "jobs.worker"])

    def stop(self) -> None:
        """End all of it in order."""
        self.stop_second()
        _end([found for found in (self.web, self.workforce) if found is not None])
        self.web = self.workforce = None

    def stop_workforce(self) -> None:
        """End the workers and the reconciler in order; the web server goes on."""
        if self.workforce is not None:
            _end([self.workforce])

    def stop_web(self) -> None:
        """End the web server in order."""
        if self.web is not None:
            _end([self.web])

    def workers(self) -> list[psutil.Process]:
        """The worker processes of the workforce."""
        if self.workforce is None:
            return []
        with suppress(psutil.NoSuchProcess):
            return [one for one in psutil.Process(self.workforce.pid).children() if _is_worker(one)]
        return []

    def work_horses(self) -> list[psutil.Process]:
        """The processes that do a job just now: forks of a worker with a process group of their own."""
        return [
            child
            for worker in self.workers()
            for child in _children(worker)
            if _is_worker(child) and _is_group_leader(child.pid)
        ]

    def _left_workers(self) -> list[psutil.Process]:
        """Workers that outlived their workforce; a service manager ends what is left of a service."""
        parents = {os.getpid(), *(one.pid for one in self._second)}
        return [
            one
            for one in psutil.process_iter()
            if _is_worker(one) and _given_to(one, "VAR_DIR") == str(self.var) and not _has_parent(one, parents)
        ]

    def all_processes(self) -> list[psutil.Process]:
        """Everything that belongs to it, the servers and their keepers too."""
        heads = [found for found in (self.web, self.workforce, *self._second) if found is not None]
        found = [process for head in heads if head.poll() is None for process in _family(head.pid)]
        servers: tuple[Server, ...] = (self.postgres, self.valkey)
        for server in servers:
            found += [*keeper_of(server), *server.processes()]
        return found

    def _flask(self, log: str, command: str, **more: str) -> subprocess.Popen[bytes]:
        return self._start(log, [sys.executable, "-m", "flask", "--app", "flask_app", command], **more)

    def _start(self, log: str, command: Sequence[str], **more: str) -> subprocess.Popen[bytes]:
        given = {**self._given, **more}
        with (self._logs / f"{log}.log").open("ab") as file:
            return subprocess.Popen(
                ["env", *(f"{name}={value}" for name, value in given.items()), *command],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )


def kill(processes: Sequence[psutil.Process]) -> int:
    """Kill -9 all of these and wait until they are gone; return how many there were."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=20)
    return len(processes)


def keeper_of(server: Server) -> list[psutil.Process]:
    """The process that watches over an embedded server."""
    with suppress(psutil.NoSuchProcess, OSError, ValueError):
        keeper = psutil.Process(int(server.place.keeper.read_text()))
        if "core.embedded.keeper" in " ".join(_words(keeper)):
            return [keeper]
    return []


def _end(started: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
    for process in started:
        try:
            process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            kill(_family(process.pid))
            process.wait()


def _wait_for(url: str) -> None:
    limit = time.monotonic() + START_SECONDS
    while not is_well(url):
        if time.monotonic() > limit:
            raise TimeoutError(f"{url} was not well within {START_SECONDS:.0f} s")
        time.sleep(0.2)


def is_well(url: str) -> bool:
    """Whether a web server answers that all is well."""
    try:
        return bool(httpx.get(f"{url}/healthz", timeout=10).json()["status"] == "ok")
    except (httpx.HTTPError, ValueError, KeyError):
        return False


def is_ready(url: str) -> bool:
    """Whether a web server takes requests, with or without workers."""
    try:
        return httpx.get(f"{url}/readyz", timeout=10).status_code == 200
    except httpx.HTTPError:
        return False


def _family(pid: int) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        head = psutil.Process(pid)
        return [head, *head.children(recursive=True)]
    return []


def _children(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return list(process.children())
    return []


def _words(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return list(process.cmdline())
    return []


def _given_to(process: psutil.Process, name: str) -> str | None:
    """A variable of its environment."""
    with suppress(psutil.Error):
        return dict(process.environ()).get(name)
    return None


def _has_parent(process: psutil.Process, pids: set[int]) -> bool:
    """Whether it descends from one of these processes."""
    with suppress(psutil.Error):
        return any(above.pid in pids for above in process.parents())
    return False


def _is_worker(process: psutil.Process) -> bool:
    """Whether it is a worker or a fork of one."""
    return "jobs.worker" in _words(process)


def _is_group_leader(pid: int) -> bool:
    with suppress(ProcessLookupError):
        return os.getpgid(pid) == pid
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
