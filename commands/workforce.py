"""The worker processes of this machine: `flask worker`."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress

import click
import psutil
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from commands.opened import opened_context
from commands.serving import end_on_signals, ignore_signals
from core.config import ROOT, Settings, get_settings
from core.embedded.account import drop_root
from core.queue import RESEARCH_QUEUE_NAME
from core.tracing.log import configure_logging, get_logger
from services.context import Context
from services.doctor.health import living_workers
from services.recovery.work import release_dead

# Manage the worker processes of this machine: start them, replace dead ones, and end all together.


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
        self._workers = [self._start_worker(index) for index in range(self._settings.workers)]
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
        # These load while the workers do: a worker waits for what its parent loads before.
        from services.erasure.purge import prune_records, purge_expired
        from services.reconcile import once_a_day, reconcile
        from services.school_names import settle_schools
        from services.trust.figures import renew_figures
        from services.trust.trust_view import note_drift

        try:
            found = reconcile(self._context)
            once_a_day(self._context, "purged", purge_expired)
            once_a_day(self._context, "pruned", prune_records)
            once_a_day(self._context, "noted_drift", note_drift)
            renew_figures(self._context)
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
                # One that has grown too large ends by itself.
                if worker.returncode == 0:
                    log.info("worker_replaced", pid=worker.pid)
                else:
                    log.warning("worker_died", pid=worker.pid, code=worker.returncode)
                self._end_orphans(worker.pid)
                self._workers[index] = self._start_worker(index)

    def _start_worker(self, index: int) -> subprocess.Popen[bytes]:
        """Start a worker; the first of several leaves reports to the others, so that no entry waits for them."""
        without = [RESEARCH_QUEUE_NAME] if index == 0 and self._settings.workers > 1 else []
        command = [sys.executable, "-m", "jobs.worker", *without]
        # In a separate session, so that Ctrl-C reaches only this process, which then ends the workers in order.
        return subprocess.Popen(command, cwd=ROOT, start_new_session=True)

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


def _family(pid: int) -> list[psutil.Process]:
    try:
        head = psutil.Process(pid)
        return [*head.children(recursive=True), head]
    except psutil.NoSuchProcess:
        return []


# End what a dead worker leaves running: its scheduler, and a work-horse without a parent.


def end_orphans(context: Context, worker: int) -> int:
    """End all processes of a dead worker's session and release their leases; return how many there were."""
    left = end_left_processes(worker)
    for pid in left:
        release_dead(context, pid)
    return len(left)


def end_left_processes(worker: int) -> list[int]:
    """End all processes of a dead worker's session; return their numbers.

    The worker must have had a session of its own. The kernel does not reuse its number while any
    process of that session lives.
    """
    left = [process for process in psutil.process_iter() if _leader(process.pid) == worker]
    for process in left:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(left, timeout=5)
    return [process.pid for process in left]


def _leader(pid: int) -> int | None:
    """Return the session leader of a process."""
    try:
        return os.getsid(pid)
    except OSError:
        return None


# `flask worker`: run the worker processes of this machine, with scheduler and reconciler.


@click.command("worker")
def worker() -> None:
    """Run WORKERS worker processes until stopped; any number of machines may do so."""
    settings = get_settings()
    configure_logging(settings)
    end_on_signals()
    drop_root(settings)
    with opened_context(settings) as context:
        workforce = Workforce(settings, context)
        try:
            workforce.start()
            click.echo(f"{settings.workers} workers are waiting for entries. Press Ctrl-C to stop.")
            threading.Event().wait()
        except KeyboardInterrupt:
            click.echo("Stopping the workers…")
        finally:
            ignore_signals()
            workforce.stop()
