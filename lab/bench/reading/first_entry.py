"""How early a person has something to decide of a long stack, by the time until all of it can be decided."""

from __future__ import annotations

import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import func, select

from commands.serving import Workforce
from core.config import get_settings
from core.database import upgrade
from core.models import Submission, SubmissionStatus, Upload, UploadStatus
from core.queue import worker_count
from lab.bench.fresh import fresh
from lab.bench.measure import Measure, at_most, measured
from lab.bench.reading.corpora import files_of
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context, open_context
from services.uploads.submit import IncomingFile, submit_files

_WORKERS = 2
_LOOK_SECONDS = 0.05
#: Far longer than any stack takes: a measurement that hangs ends.
_LIMIT_SECONDS = 3600
_BEFORE_A_PERSON = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)
_UNDER_WAY = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)
_UNSPLIT = (UploadStatus.STORED.value, UploadStatus.ANALYSING.value)


def measure(corpus: Path) -> list[Measure]:
    """Upload the stack to real workers once, and time its first entry and its last."""
    (stack,) = files_of(corpus)
    with tempfile.TemporaryDirectory(prefix="bench-stack-") as folder:
        # The servers may run as another user, who must get in.
        Path(folder).chmod(0o755)
        settings = {
            "VAR_DIR": folder,
            "SECRET_KEY": "bench",
            "WORKERS": str(_WORKERS),
            "DEMO_ACCOUNTS": "false",
            "DATABASE_URL": "",
            "REDIS_URL": "",
        }
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
        _wait(lambda: worker_count(context.redis) >= settings.workers)
        person = create_user(
            context, "uploader@example.org", Role.UPLOADER, "four quiet words here", "Uma Uploader"
        )
        file = IncomingFile(Path(stack).name, Path(stack).read_bytes())
        begun = time.perf_counter()
        batch = submit_files(context, person, [file])
        _wait(lambda: _count(context, batch, _BEFORE_A_PERSON) > 0)
        first = time.perf_counter() - begun
        _wait(lambda: _is_done(context, batch))
        return first, time.perf_counter() - begun, _count(context, batch)
    finally:
        workforce.stop()
        context.close()


def _wait(holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + _LIMIT_SECONDS
    while not holds():
        if time.monotonic() > limit:
            raise TimeoutError
        time.sleep(_LOOK_SECONDS)


def _is_done(context: Context, batch: uuid.UUID) -> bool:
    with context.database.session() as session:
        open_files = session.scalar(
            select(func.count()).where(Upload.batch_id == batch, Upload.status.in_(_UNSPLIT))
        )
    return not open_files and not _count(context, batch, _UNDER_WAY)


def _count(context: Context, batch: uuid.UUID, statuses: tuple[str, ...] = ()) -> int:
    wanted = [Submission.status.in_(statuses)] if statuses else []
    with context.database.session() as session:
        return session.scalar(select(func.count()).where(Submission.batch_id == batch, *wanted)) or 0
