"""How early a person has something to decide of a long stack, by the time until all of it can be decided."""

from __future__ import annotations

import tempfile
import time
import uuid
from pathlib import Path

from sqlalchemy import func, select

from commands.workforce import Workforce
from core.config import get_settings
from core.database import upgrade
from core.models import SubmissionStatus, Upload, UploadStatus
from core.queue import worker_count
from lab.bench.batches import count_of, settings_of, wait_until
from lab.bench.fresh import fresh
from lab.bench.measure import Measure, at_most, measured
from lab.bench.reading.corpora import files_of
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context, open_context
from services.uploads.submit import IncomingFile, submit_files

_WORKERS = 2
_BEFORE_A_PERSON = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)
_UNDER_WAY = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)
_UNSPLIT = (UploadStatus.STORED.value, UploadStatus.ANALYSING.value)


def measure(corpus: Path) -> list[Measure]:
    """Upload the stack to real workers once, and time its first entry and its last."""
    (stack,) = files_of(corpus)
    with tempfile.TemporaryDirectory(prefix="bench-stack-") as folder:
        settings = settings_of(folder, _WORKERS)
        first, all_, entries = fresh(f"{__name__}:seconds_of", str(stack.path), settings=settings)
    of = f"a scanned stack of {entries} one-page entries, {_WORKERS} workers, embedded PostgreSQL and Valkey"
    until_first = f"from the upload until one entry waits for a person; {of}"
    until_all = f"from the upload until no entry is under way; {of}"
    return [
        measured(
            "first_entry_share_of_stack",
            first / all_,
            "of 1",
            at_most(0.1),
            f"from the upload until one entry waits for a person, by the time until no entry is under way; {of}",
        ),
        measured("first_entry_of_stack", first, "s", None, until_first),
        measured("all_entries_of_stack", all_, "s", None, until_all),
    ]


def seconds_of(stack: str) -> tuple[float, float, int]:
    """Upload a file to an office of its own; return the seconds to its first and last entry, and their number."""
    settings = get_settings()
    context = open_context(settings)
    upgrade(context.database.dsn)
    workforce = Workforce(settings, context)
    try:
        workforce.start()
        wait_until(lambda: worker_count(context.redis) >= settings.workers)
        person = create_user(
            context, "uploader@example.org", Role.UPLOADER, "four quiet words here", "Uma Uploader"
        )
        file = IncomingFile(Path(stack).name, Path(stack).read_bytes())
        begun = time.perf_counter()
        batch = submit_files(context, person, [file])
        wait_until(lambda: count_of(context, batch, _BEFORE_A_PERSON) > 0)
        first = time.perf_counter() - begun
        wait_until(lambda: _is_done(context, batch))
        return first, time.perf_counter() - begun, count_of(context, batch)
    finally:
        workforce.stop()
        context.close()


def _is_done(context: Context, batch: uuid.UUID) -> bool:
    open_files = context.database.scalar(
        select(func.count()).where(Upload.batch_id == batch, Upload.status.in_(_UNSPLIT))
    )
    return not open_files and not count_of(context, batch, _UNDER_WAY)
