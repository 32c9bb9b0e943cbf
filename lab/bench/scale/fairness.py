"""How long one entry takes behind 5,000 pages of somebody else, with shares and in one line without them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from random import Random

import jobs.run
import jobs.worker
import services.recovery.work
from commands.workforce import Workforce
from core.config import ROOT, get_settings
from core.database import upgrade
from core.models import SubmissionStatus
from core.queue import QUEUE_NAME, worker_count
from lab.bench.batches import count_of, settings_of, wait_until
from lab.bench.fresh import fresh
from lab.bench.measure import Measure, at_most, measured
from lab.samples.corpus import KINDS
from lab.samples.part import DEVELOPMENT
from pipeline.mupdf.assembly import join_pdfs
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context, open_context
from services.uploads.submit import IncomingFile, submit_files

_PAGES = 5000
_OF_A_STACK = 250
#: Files of the line without shares, which is waited for to its end. It takes as much longer as it is longer.
_IN_LINE = 100
_WORKERS = 2
#: Different entries among the pages; those that are read until the one is done are all different.
_DRAWN = 250
#: Entries of the many that were found when the one comes.
_UNDER_WAY = 5
_OPEN = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)


def measure() -> list[Measure]:
    """Upload the pages as files and as stacks to real workers, then one entry of another person, and time that."""
    with tempfile.TemporaryDirectory(prefix="bench-drawn-") as drawn:
        for number, data in enumerate(_draw()):
            _drawn_at(drawn, number).write_bytes(data)
        alone, files = _seconds(drawn, "files", _PAGES, True)
        _, stacks = _seconds(drawn, "stacks", _PAGES, True)
        _, line = _seconds(drawn, "files", _IN_LINE, False)
    of = f"typed one-page entries, read by {_WORKERS} workers over embedded PostgreSQL and Valkey"
    until = "from the upload of one such entry by another person until it is decided"
    without = "with one line for all, as before shares"
    return [
        measured("single_entry_alone_s", alone, "s", None, f"{until}; nothing else waits; {of}"),
        measured(
            "single_entry_behind_5000_pages_s",
            files,
            "s",
            at_most(30),
            f"{until}, behind {_PAGES} files of one upload; {of}",
        ),
        measured(
            "single_entry_behind_5000_pages_in_stacks_s",
            stacks,
            "s",
            at_most(30),
            f"{until}, behind {_PAGES // _OF_A_STACK} stacks of {_OF_A_STACK} pages each; {of}",
        ),
        measured(
            f"single_entry_behind_{_IN_LINE}_pages_without_shares_s",
            line,
            "s",
            None,
            f"{until}, behind {_IN_LINE} files of one upload {without}; {of}",
        ),
        measured(
            "single_entry_behind_5000_pages_without_shares_s",
            line * _PAGES / _IN_LINE,
            "s",
            None,
            f"computed, not measured: {_PAGES // _IN_LINE} times the line of {_IN_LINE}, which is served in order",
        ),
    ]


def _seconds(drawn: str, shape: str, pages: int, fair: bool) -> tuple[float, float]:
    with tempfile.TemporaryDirectory(prefix="bench-fair-") as folder:
        settings = settings_of(
            folder, _WORKERS, MAX_FILES_PER_UPLOAD=str(_PAGES), MAX_FILES_PER_DAY=str(2 * _PAGES)
        )
        alone, behind = fresh(f"{__name__}:seconds_of_one", drawn, shape, pages, fair, settings=settings)
    return alone, behind


def seconds_of_one(folder: str, shape: str, pages: int, fair: bool) -> tuple[float, float]:
    """Return the seconds that one entry takes alone, and behind so many pages of another person.

    `folder`: where the different entries were drawn.
    """
    if not fair:
        _in_one_line()
    settings = get_settings()
    context = open_context(settings)
    upgrade(context.database.dsn)
    workforce = Workforce(settings, context) if fair else _Line(settings, context)
    try:
        many, one = (
            create_user(context, f"{name}@example.org", Role.UPLOADER, "four quiet words here", name)
            for name in ("many", "one")
        )
        drawn = [_drawn_at(folder, number).read_bytes() for number in range(_DRAWN + 2)]
        workforce.start()
        wait_until(lambda: worker_count(context.redis) >= settings.workers)
        alone = _until_decided(context, one, drawn.pop())
        files = _files(drawn, pages) if shape == "files" else _stacks(drawn, pages)
        batch = submit_files(context, many, files)
        wait_until(lambda: count_of(context, batch) >= _UNDER_WAY)
        return alone, _until_decided(context, one, drawn.pop())
    finally:
        workforce.stop()
        context.close()


class _Line(Workforce):
    """Workers that serve all jobs in the order in which they came."""

    def _start_worker(self, index: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", f"import {__name__} as line; line.work_in_one_line()"]
        return subprocess.Popen(command, cwd=ROOT, start_new_session=True)


def work_in_one_line() -> None:
    """Work as one of these."""
    _in_one_line()
    jobs.worker.main()


def _in_one_line() -> None:
    """Have this process know no shares and no turns."""
    setattr(services.recovery.work, "_for_the_crowd", lambda *_: set())  # noqa: B010 - mypy refuses the plain form
    setattr(jobs.run, "bring_next_forward", lambda *_: None)  # noqa: B010
    setattr(jobs.worker, "TURNS", (QUEUE_NAME,))  # noqa: B010


def _draw() -> Iterator[bytes]:
    draw = {kind.name: kind.draw for kind in KINDS}["flattened_form_26"]
    rng = Random("fairness")
    return (draw(rng, DEVELOPMENT).data for _ in range(_DRAWN + 2))


def _drawn_at(folder: str, number: int) -> Path:
    return Path(folder) / f"{number}.pdf"


def _files(drawn: list[bytes], number: int) -> list[IncomingFile]:
    """Entries by turns, no two of which have the same bytes."""
    return [IncomingFile(f"{n}.pdf", drawn[n % _DRAWN] + f"\n% {n}\n".encode()) for n in range(number)]


def _stacks(drawn: list[bytes], pages: int) -> list[IncomingFile]:
    """Files of the same entries, no two of which have the same bytes."""
    stack = join_pdfs(drawn[:_OF_A_STACK])
    return [IncomingFile(f"{n}.pdf", stack + f"\n% {n}\n".encode()) for n in range(pages // _OF_A_STACK)]


def _until_decided(context: Context, person: uuid.UUID, entry: bytes) -> float:
    begun = time.perf_counter()
    batch = submit_files(context, person, [IncomingFile("one.pdf", entry)])
    wait_until(lambda: count_of(context, batch) == 1 and not count_of(context, batch, _OPEN))
    return time.perf_counter() - begun
