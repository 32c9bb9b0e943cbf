"""One, two and four workers over the same entries: how fast, how long files wait, and what the workers keep."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from typing import LiteralString

import httpx
import psycopg

from core.confined.mupdf import pymupdf
from lab.bench.measure import Measure, at_least, at_most, exactly, measured
from lab.bench.office import servers
from lab.bench.scale.bare import TIMES, ratio_of_two
from lab.bench.scale.serving import installed
from lab.bench.tree_memory import memory_of_tree
from lab.faults.installation import Installation
from lab.faults.material import Drawn, draw
from lab.faults.people import set_up
from lab.samples.corpus import KINDS
from lab.samples.part import DEVELOPMENT

ENTRIES, SENDERS = 200, 20
#: Numbers of workers, in the order in which they are tried.
WORKERS = (2, 1, 4)
#: Entries of typed stacks after which the memory of workers is looked at last; entries of a stack, after which it
#: is looked at first; and how many of them differ.
ENTRIES_OF_WORKERS, _OF_STACK, _DISTINCT = 2_000, 200, 400
_TYPED = ("flattened_form_26", "gdocs_form_26", "freeform_native")
_SEED = 38
_LONGEST = 1800.0
_UNDER_WAY = """select (select count(*) from uploads where status in ('stored', 'analysing'))
  + (select count(*) from submissions where status in ('queued', 'processing'))"""
#: 0 once a worker has begun anything.
_UNBEGUN = """select count(*) from (select) one
  where not exists (select from uploads where status <> 'stored' or lease_until is not null)"""
_WAITS = """select extract(epoch from r.started_at - r.created_at) from runs r where r.started_at is not null"""


@dataclass(frozen=True)
class Round:
    """What so many workers took for the files."""

    workers: int
    seconds: float
    #: Seconds that each run waited until a worker began it.
    waits: Sequence[float]
    #: Milliseconds of each upload, and the answers that were no success.
    uploads: Sequence[float]
    refused: int
    #: Seconds from the start of the web server until it was ready, and of a worker until its first job had begun.
    web_ready: float
    first_job: float


def measure() -> list[Measure]:
    """Send the same files to three installations, and start the workers when all are there."""
    files = draw(ENTRIES, _SEED)
    rounds = {}
    for workers in WORKERS:
        print(f"  {workers} workers …", file=sys.stderr)
        rounds[workers] = _round(files, workers)
    one, two, four = (rounds[number] for number in (1, 2, 4))
    of = f"{ENTRIES} mixed entries in {len(files)} files, sent before the workers were started, embedded servers"
    uploads = [ms for found in rounds.values() for ms in found.uploads]
    return [
        *(
            measured(f"entries_per_s_{n}_workers", ENTRIES / rounds[n].seconds, "entries/s", None, of)
            for n in (1, 2, 4)
        ),
        measured(
            "throughput_ratio_2_workers",
            one.seconds / two.seconds,
            "×",
            at_least(1.8),
            "two against one; web server, database and queue are on the same cores",
        ),
        measured(
            "bare_ratio_2_processes",
            ratio_of_two(),
            "×",
            None,
            f"one page recognized {TIMES} times in one process, and in two at once: what this machine gives",
        ),
        # A run differs from the next by some per cent.
        measured(
            "throughput_ratio_4_to_2_workers",
            two.seconds / four.seconds,
            "×",
            at_least(0.97),
            "four against two: no slower, but for what runs differ by",
        ),
        measured("queue_wait_p95_s", _p95(two.waits), "s", None, f"until a worker began a run; two workers, {of}"),
        measured(
            "upload_p95_ms_20_senders",
            _p95(uploads),
            "ms",
            None,
            f"95th percentile of {len(uploads)} requests of a file each, {SENDERS} senders at once, three times",
        ),
        measured(
            "uploads_refused_20_senders",
            sum(found.refused for found in rounds.values()),
            "files",
            exactly(0),
            "the same requests",
        ),
        measured(
            "web_ready_s",
            max(found.web_ready for found in rounds.values()),
            "s",
            at_most(2),
            "from the start of `flask serve`, PostgreSQL and Valkey running, until /readyz; the worst of three",
        ),
        measured(
            "worker_first_job_s",
            one.first_job,
            "s",
            at_most(3),
            "from the start of `flask worker` with one worker and jobs waiting until the first has begun",
        ),
    ]


def _round(files: Sequence[Drawn], workers: int) -> Round:
    with _office() as (installation, dsn):
        token, _ = set_up(installation.settings)
        ready = _seconds_of(installation.start_web)
        with psycopg.connect(dsn, autocommit=True) as connection:
            uploads, refused = _send(installation.url, token, files)
            begun = time.monotonic()
            installation.start_workforce(workers)
            _wait(connection, _UNBEGUN)
            first = time.monotonic() - begun
            _wait(connection, _UNDER_WAY)
            seconds = time.monotonic() - begun - first
            waits = [float(row[0]) for row in connection.execute(_WAITS)]
    return Round(workers, seconds, waits, uploads, refused, ready, first)


@contextmanager
def _office() -> Iterator[tuple[Installation, str]]:
    """Yield an installation of which nothing runs, and the address of its database, which runs."""
    with servers("bench-scale-") as (folder, dsn, redis_url):
        settings = {
            "DATABASE_URL": dsn,
            "REDIS_URL": redis_url,
            "LEASE_SECONDS": "60",
            "JOB_TIMEOUT_SECONDS": "900",
        }
        with installed(settings, folder) as installation:
            yield installation, dsn


def memory(begin: Callable[[], object] | None = None) -> list[Measure]:
    """Have two workers read typed stacks, and look at their memory after the first and after the last.

    `begin`: called after the first; it begins what may run beside the others.
    """
    drawn = list(islice(_typed(), _DISTINCT))
    with _office() as (installation, dsn):
        token, _ = set_up(installation.settings)
        installation.start_web()
        installation.start_workforce(2)
        assert installation.workforce is not None
        sizes, spent = [], []
        with psycopg.connect(dsn, autocommit=True) as connection:
            for number in range(ENTRIES_OF_WORKERS // _OF_STACK):
                first = number * _OF_STACK
                stack = [drawn[n % len(drawn)] for n in range(first, first + _OF_STACK)]
                begun = time.monotonic()
                # Every other turn in another order: a file that came before is not read again.
                _send(installation.url, token, [_stack(stack if number % 2 else stack[::-1], number)])
                _wait(connection, _UNDER_WAY)
                spent.append(time.monotonic() - begun)
                sizes.append(memory_of_tree(installation.workforce.pid))
                if number == 0 and begin is not None:
                    begin()
            entries = _count(connection, "select count(*) from submissions")
    how = (
        f"two workers and what watches over them, proportional set sizes: after {entries} entries of typed "
        f"stacks, by that after the first {_OF_STACK} ({sizes[0]:.0f} MB)"
    )
    return [
        measured("worker_memory_growth", sizes[-1] / sizes[0], "×", at_most(1.1), how),
        measured("worker_memory_mb", sizes[-1], "MB", None, "the same at the end"),
        measured(
            "typed_entries_per_s_2_workers", _OF_STACK / spent[0], "entries/s", None, "the first of these stacks"
        ),
    ]


def _typed() -> Iterator[bytes]:
    """Yield PDF files of one typed entry each, for ever."""
    rng = Random(_SEED)
    for kind in cycle(kind for kind in KINDS if kind.name in _TYPED):
        yield kind.draw(rng, DEVELOPMENT).data


def _stack(files: Sequence[bytes], number: int) -> Drawn:
    with pymupdf.open() as joined:
        for data in files:
            with pymupdf.open(stream=data, filetype="pdf") as document:
                joined.insert_pdf(document)
        joined.set_metadata({"title": f"stack {number}"})
        return Drawn("stack", ".pdf", bytes(joined.tobytes(garbage=1)), len(files), len(files))


def _send(url: str, token: str, files: Sequence[Drawn]) -> tuple[list[float], int]:
    """Send each file in a request, SENDERS at a time; return the milliseconds, and how many were refused."""

    def send(numbered: tuple[int, Drawn]) -> tuple[float, int]:
        number, file = numbered
        parts = [("files", (f"{number:04d}{file.suffix}", file.data))]
        begun = time.perf_counter()
        headers = {"Authorization": f"Bearer {token}"}
        answer = httpx.post(f"{url}/api/v1/batches", headers=headers, files=parts, timeout=120)
        return 1000 * (time.perf_counter() - begun), answer.status_code

    with ThreadPoolExecutor(SENDERS) as threads:
        found = list(threads.map(send, enumerate(files)))
    return [ms for ms, _ in found], sum(status != 201 for _, status in found)


def _wait(connection: psycopg.Connection, query: LiteralString) -> None:
    """Wait until what this counts is 0. Raises TimeoutError."""
    limit = time.monotonic() + _LONGEST
    while _count(connection, query):
        if time.monotonic() > limit:
            raise TimeoutError(query)
        time.sleep(0.05)


def _count(connection: psycopg.Connection, query: LiteralString) -> int:
    row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def _seconds_of(call: Callable[[], None]) -> float:
    begun = time.monotonic()
    call()
    return time.monotonic() - begun


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]
