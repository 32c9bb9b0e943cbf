"""Manage the worker processes of this machine: start them, replace dead ones, and end all together."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import psutil
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from commands.serving.orphans import end_orphans
from core.config import ROOT, Settings
from core.log import get_logger
from services.context import Context
from services.daily import once_a_day
from services.erasure.purge import purge
from services.health import living_workers
from services.pruning.prune import prune
from services.reconcile import reconcile
from services.schools.same_school import settle_schools
from services.trust.alarm import note_drift

log = get_logger(__name__)
_LOOK_SECONDS = 1.0
#: Seconds that a worker has to finish its current job after SIGTERM.
_GRACE_SECONDS = 8


class Workforce:
    """Runs `settings.workers` processes of `jobs.worker`, and the reconciler each `reconcile_seconds`."""

    def __init__(self, settings: Settings, context: Context) -> None:
        self._settings = settings
        self._context = context
        self._workers: list[subprocess.Popen[bytes]] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the workers and the thread that watches them."""
        self._workers = [_start_worker() for _ in range(self._settings.workers)]
        self._thread = threading.Thread(target=self.watch, name="workforce", daemon=True)
        self._thread.start()

    def wait_for_one(self, seconds: float = 60.0) -> None:
        """Wait at most `seconds` until a worker has registered, so that a health check right after finds it."""
        limit = time.monotonic() + seconds
        while living_workers(self._context) == 0 and time.monotonic() < limit:
            time.sleep(0.1)

    def watch(self) -> None:
        """Replace dead workers and run the reconciler at its interval, until stopped."""
        waited = float(self._settings.reconcile_seconds)
        while not self._stop.is_set():
            if waited >= self._settings.reconcile_seconds:
                waited = 0.0
                self._reconcile()
            self._replace_dead()
            self._stop.wait(_LOOK_SECONDS)
            waited += _LOOK_SECONDS

    def _reconcile(self) -> None:
        try:
            found = reconcile(self._context)
            once_a_day(self._context, "purged", purge)
            once_a_day(self._context, "pruned", prune)
            once_a_day(self._context, "noted_drift", note_drift)
            once_a_day(self._context, "settled_schools", settle_schools)
        except RedisError as error:
            log.warning("queue_unreachable", kind=type(error).__name__)
        except Exception:
            log.exception("reconcile_failed")
        else:
            if found:
                log.info("reconciled", found=found)

    def _replace_dead(self) -> None:
        for index, worker in enumerate(self._workers):
            if worker.poll() is not None and not self._stop.is_set():
                log.warning("worker_died", pid=worker.pid, code=worker.returncode)
                self._end_orphans(worker.pid)
                self._workers[index] = _start_worker()

    def _end_orphans(self, worker: int) -> None:
        try:
            end_orphans(self._context, worker)
        except SQLAlchemyError as error:
            # The leases expire anyway.
            log.warning("leases_not_released", kind=type(error).__name__)

    def stop(self) -> None:
        """End the workers and their children after a grace period; unfinished jobs are repeated later."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        family = [process for worker in self._workers for process in _family(worker.pid)]
        for worker in self._workers:
            if worker.poll() is None:
                worker.terminate()
        psutil.wait_procs(family, timeout=_GRACE_SECONDS)
        for process in family:
            if process.is_running():
                process.kill()
        for worker in self._workers:
            worker.wait()


def _start_worker() -> subprocess.Popen[bytes]:
    # In a separate session, so that Ctrl-C reaches only this process, which then ends the workers in order.
    return subprocess.Popen([sys.executable, "-m", "jobs.worker"], cwd=ROOT, start_new_session=True)


def _family(pid: int) -> list[psutil.Process]:
    try:
        head = psutil.Process(pid)
        return [*head.children(recursive=True), head]
    except psutil.NoSuchProcess:
        return []
