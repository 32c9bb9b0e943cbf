"""A whole office for a test: context, people, and real worker processes on the test's database and queue."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess as SpawnedWorker
from pathlib import Path

from sqlalchemy import func, select, update

from commands.workforce import end_left_processes
from core.config import ROOT, Settings
from core.models import Profile, Run, Submission, Upload
from core.queue import worker_count
from services.context import Context
from services.recovery.kinds import ALL
from tests.support.processes import PROCESSES
from tests.support.worker_process import run_worker

OPEN_UPLOADS = ("stored", "analysing")
OPEN_ENTRIES = ("queued", "processing")


def environment(settings: Settings) -> dict[str, str]:
    """The environment in which a process of its own has these settings."""
    given = {name: getattr(settings, name) for name in settings.model_fields_set}
    plain = {
        name.upper(): value.get_secret_value() if hasattr(value, "get_secret_value") else str(value)
        for name, value in given.items()
        if value is not None
    }
    return plain


def start_worker(settings: Settings, kill_at: str | None = None) -> SpawnedWorker:
    """Start a worker process; with `kill_at` it is killed at that boundary of the graph. The caller ends it."""
    worker = PROCESSES.Process(target=run_worker, args=(environment(settings), kill_at, os.getpid()))
    worker.start()
    return worker


@contextmanager
def working(context: Context) -> Iterator[SpawnedWorker]:
    """A worker for as long as the block runs."""
    worker = start_worker(context.settings)
    try:
        wait_until(lambda: worker_count(context.redis) > 0, "a worker", seconds=60)
        yield worker
    finally:
        end(worker)


def end(worker: SpawnedWorker) -> None:
    """Have a worker finish what it does and go, by force where it does not; what a killed one left goes too."""
    worker.terminate()
    worker.join(timeout=30)
    if worker.is_alive():
        worker.kill()
        worker.join()
    # Its scheduler would go on writing into the queue of later tests.
    assert worker.pid is not None
    end_left_processes(worker.pid)


def wait_until(holds: Callable[[], bool], what: str, seconds: float = 600) -> None:
    """Wait for something that must come; fail with its name if it does not."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come within {seconds} s")
        time.sleep(0.1)


def end_leases(context: Context) -> None:
    """Do what waiting for as long as a lease lasts does: no row is held any more, and none was queued lately."""
    with context.database.session() as session:
        for work in ALL:
            if work.leases is not None:
                values = {work.leases.until: func.now()}
                session.execute(update(work.leases.row).where(work.leases.unexpired()).values(values))
            if work.enqueued_at is not None:
                session.execute(update(work.key.class_).values({work.enqueued_at: None}))


def settled(context: Context, batch_id: uuid.UUID) -> bool:
    """Whether no file and no entry of the batch is under way any more."""
    with context.database.session() as session:
        uploads = session.scalar(
            select(func.count()).where(Upload.batch_id == batch_id, Upload.status.in_(OPEN_UPLOADS))
        )
        entries = session.scalar(
            select(func.count()).where(Submission.batch_id == batch_id, Submission.status.in_(OPEN_ENTRIES))
        )
    return uploads == entries == 0


def make_person(context: Context, role: str = "uploader") -> uuid.UUID:
    """A person of this role."""
    with context.database.session() as session:
        person = Profile(email=f"{role}-{uuid.uuid4().hex[:8]}@example.org", role=role, display_name=role.title())
        session.add(person)
        session.flush()
        return person.id


def uploads_of(context: Context, batch_id: uuid.UUID) -> Sequence[Upload]:
    """The batch's files in order."""
    return context.database.scalars(select(Upload).where(Upload.batch_id == batch_id).order_by(Upload.position))


def entries_of(context: Context, batch_id: uuid.UUID) -> Sequence[Submission]:
    """The batch's entries in order."""
    return context.database.scalars(
        select(Submission)
        .join(Upload, Upload.id == Submission.upload_id)
        .where(Submission.batch_id == batch_id)
        .order_by(Upload.position, Submission.chunk_index)
    )


def run_of(context: Context, submission_id: uuid.UUID) -> Run:
    """The latest run of an entry."""
    return context.database.one(
        select(Run).where(Run.submission_id == submission_id).order_by(Run.run_no.desc()).limit(1)
    )


SAMPLES: Path = ROOT / "samples"
