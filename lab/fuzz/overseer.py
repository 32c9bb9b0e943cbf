"""Have two workers read all files, and watch over them: their ends, their time, the memory of all processes."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import psutil

from lab.fuzz.reading import Outcome
from lab.fuzz.worker import Job, serve

WORKERS = 2
#: How a file ends that took its worker with it, and one that was read for too long.
CRASHED, HUNG = "worker crashed", "hung"
#: Seconds between two looks at the memory of all processes.
_LOOK_EVERY = 0.1
#: Seconds that the drawing of a file may take.
_DRAWING = 600.0
_MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Bounds:
    """What a file may take."""

    memory_mb: int
    bomb_seconds: float
    mutation_seconds: float
    #: Seconds more for what a worker itself does with a file.
    grace: float = 30.0

    def seconds(self, job: Job) -> float:
        """Most seconds from when a file is drawn until its reading has ended."""
        return (self.bomb_seconds if job.bomb else self.mutation_seconds) + self.grace


@dataclass(frozen=True)
class Result:
    """How a file ended, and the largest process meanwhile."""

    job: Job
    outcome: Outcome
    megabytes: float


class _Worker:
    """One process, started anew when it has crashed or hung."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._line: Connection | None = None
        self.process: Any = None
        #: Megabytes of the largest process since the file's reading began; None while none is read.
        self.largest: float | None = None

    def do(self, job: Job) -> Result:
        """Have a file read."""
        line = self._line or self._start()
        line.send(job)
        try:
            if not line.poll(_DRAWING):
                raise RuntimeError(f"{job.name} cannot be drawn")
            line.recv()
            self.largest = _largest(self.process.pid)
            outcome = self._awaited(line, job)
        except (EOFError, ConnectionError):
            self.end()
            outcome = Outcome(CRASHED, 0.0, f"exit code {self.process.exitcode}")
        result = Result(job, outcome, self.largest or 0.0)
        self.largest = None
        return result

    def _awaited(self, line: Connection, job: Job) -> Outcome:
        seconds = self._bounds.seconds(job)
        if line.poll(seconds):
            outcome: Outcome = line.recv()
            return outcome
        self.end()
        return Outcome(HUNG, seconds)

    def _start(self) -> Connection:
        self._line, theirs = multiprocessing.Pipe()
        arguments = (theirs, self._bounds.memory_mb, self._bounds.bomb_seconds)
        self.process = multiprocessing.get_context("spawn").Process(target=serve, args=arguments, daemon=True)
        self.process.start()
        theirs.close()
        return self._line

    def end(self) -> None:
        """End the process; its children end when it is gone."""
        if self._line is not None:
            self.process.kill()
            self.process.join()
            self._line.close()
            self._line = None


def read_all(jobs: Iterable[Job], bounds: Bounds, note: Callable[[Result], None]) -> list[Result]:
    """Have the files read by `WORKERS` processes; `note` is called with each result, by one thread at a time."""
    waiting, lock = iter(jobs), threading.Lock()
    results: list[Result] = []
    workers = [_Worker(bounds) for _ in range(WORKERS)]

    def work(worker: _Worker) -> None:
        for job in _shared(waiting, lock):
            result = worker.do(job)
            with lock:
                results.append(result)
                note(result)

    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(workers, over))
    threads = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    for thread in (watch, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    over.set()
    watch.join()
    for worker in workers:
        worker.end()
    return results


def _shared(waiting: Iterator[Job], lock: threading.Lock) -> Iterator[Job]:
    """Yield what is left, of an iterator that several threads take from."""
    while True:
        with lock:
            job = next(waiting, None)
        if job is None:
            return
        yield job


def _watch(workers: list[_Worker], over: threading.Event) -> None:
    """Note the resident memory of the largest process of each worker's tree, time and again."""
    while not over.wait(_LOOK_EVERY):
        for worker in workers:
            if worker.largest is not None:
                found = _largest(worker.process.pid)
                worker.largest = None if worker.largest is None else max(worker.largest, found)


def _largest(pid: int) -> float:
    found = 0.0
    try:
        root = psutil.Process(pid)
        tree = [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return found
    for process in tree:
        try:
            found = max(found, process.memory_info().rss / _MEGABYTE)
        except psutil.NoSuchProcess:
            continue
    return found


def elapsed_since(begun: float) -> str:
    """Minutes and seconds, for a line of progress."""
    seconds = int(time.monotonic() - begun)
    return f"{seconds // 60}:{seconds % 60:02d}"
