"""What a worker process of a test runs: a real worker, killed at one boundary of the graph where asked for."""

from __future__ import annotations

import os
import signal
import threading
import time

import psutil

import jobs.run
import jobs.worker
from tests.support.boundaries import of_orchestrator
from tests.support.moments import watch

#: A boundary before all of the graph's: the worker has taken a job off the queue and not begun it.
DEQUEUED = "worker:dequeued"


def run_worker(environment: dict[str, str], kill_at: str | None, tests: int) -> None:
    """Work with these settings until told to stop; with `kill_at`, worker and work-horse end as kill -9 does.

    `tests` is the process id of the tests: a worker that outlived them would take the jobs of the next ones.
    """
    os.setsid()
    threading.Thread(target=_end_with, args=(tests,), daemon=True).start()
    os.environ.update(environment)
    if kill_at is not None:
        _kill_at(kill_at)
    jobs.worker.main()


def _end_with(tests: int) -> None:
    while psutil.pid_exists(tests):
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)


def _kill_at(wanted: str) -> None:
    if wanted == DEQUEUED:
        jobs.worker.AppWorker.execute_job = _die  # type: ignore[method-assign, assignment]
        return

    def boundary(name: str) -> None:
        if name == wanted:
            os.kill(os.getppid(), signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)

    watch(of_orchestrator(boundary))


def _die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
