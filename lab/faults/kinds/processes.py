"""Processes that end by kill -9, and a second installation's worth of them on the same folder."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

from lab.faults.installation import kill
from lab.faults.scene import Kind, NotHereError, Scene, until

#: Seconds that a work-horse, or a worker with one, is waited for.
_BUSY_SECONDS = 20.0


@contextmanager
def _worker(scene: Scene) -> Iterator[str]:
    until(lambda: bool(scene.installation.work_horses()), _BUSY_SECONDS)
    found = scene.installation.workers()
    busy = [one for one in found if one.pid in {_parent(horse) for horse in scene.installation.work_horses()}]
    kill(chosen := scene.rng.sample(busy or found, 1))
    yield f"worker {chosen[0].pid} of {len(found)}, {'at work' if busy else 'idle'}"


@contextmanager
def _horse(scene: Scene) -> Iterator[str]:
    killed = 0
    limit = time.monotonic() + _BUSY_SECONDS
    while killed < 3 and time.monotonic() < limit:
        until(lambda: bool(scene.installation.work_horses()), 1.0)
        time.sleep(scene.rng.uniform(0.0, 0.5))
        killed += kill(scene.installation.work_horses()[:1])
    if not killed:
        raise NotHereError("no work-horse was at work")
    yield f"{killed} work-horses"


@contextmanager
def _web(scene: Scene) -> Iterator[str]:
    time.sleep(scene.rng.uniform(0.0, 0.3))
    assert scene.installation.web is not None
    scene.installation.web.kill()
    scene.installation.web.wait()
    yield f"web server {scene.installation.web.pid}, {scene.sender.unsent} requests not acknowledged"


@contextmanager
def _postgres(scene: Scene) -> Iterator[str]:
    time.sleep(scene.rng.uniform(0.0, 0.5))
    yield f"{kill(scene.installation.postgres.processes())} processes of PostgreSQL"


@contextmanager
def _valkey(scene: Scene) -> Iterator[str]:
    time.sleep(scene.rng.uniform(0.0, 0.5))
    yield f"{kill(scene.installation.valkey.processes())} processes of Valkey"


@contextmanager
def _reconciler(scene: Scene) -> Iterator[str]:
    """Its workers go on for a while without it, then are ended with it, as a service manager ends what is left."""
    workforce, workers = scene.installation.workforce, scene.installation.workers()
    assert workforce is not None
    workforce.kill()
    workforce.wait()
    yield f"flask worker {workforce.pid}; its {len(workers)} workers go on without it"
    kill([process for worker in workers for process in _family(worker)])


@contextmanager
def _everything(scene: Scene) -> Iterator[str]:
    time.sleep(scene.rng.uniform(0.0, 0.5))
    yield f"{kill(scene.installation.all_processes())} processes, the servers' keepers too"


@contextmanager
def _two_stacks(scene: Scene) -> Iterator[str]:
    url = scene.installation.start_second()
    scene.sender.urls.append(url)
    try:
        yield "a second flask serve and flask worker; files are sent to both"
    finally:
        scene.sender.urls.remove(url)
        # Requests that it has in hand are answered first.
        time.sleep(2)
        scene.installation.stop_second()


def _parent(process: psutil.Process) -> int:
    with suppress(psutil.NoSuchProcess):
        return int(process.ppid())
    return 0


def _family(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return [process, *process.children(recursive=True)]
    return []


PROCESSES = (
    Kind("worker_killed", "kill -9 of a worker process at work", _worker),
    Kind("horse_killed", "kill -9 of three work-horses, one after the other, in the middle of a job", _horse),
    Kind("web_killed", "kill -9 of the web server while files come in", _web),
    Kind("postgres_killed", "kill -9 of all processes of PostgreSQL", _postgres),
    Kind("valkey_killed", "kill -9 of Valkey", _valkey),
    Kind(
        "reconciler_killed", "kill -9 of flask worker: no reconciler, no replacement of workers", _reconciler, 6.0
    ),
    Kind("everything_killed", "kill -9 of every process at once, as a power cut does", _everything),
    Kind("two_stacks", "two web servers and two workforces on one folder", _two_stacks, 12.0),
)
