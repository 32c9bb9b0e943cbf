"""What RQ's maintenance makes of jobs whose worker was lost: done work shows no failure, and lost work is done."""

from __future__ import annotations

import signal
import time
import uuid

import pytest
from rq.job import Job, JobStatus
from sqlalchemy import func, select

from core.models import JobFailure, OrchestratorLog, Submission, Upload
from core.queue import AppJob, job_ids, open_queue
from jobs.worker import AppWorker
from services.context import Context
from services.queue.jobs import lost_jobs, queue_view
from services.reconcile import reconcile
from services.runs.run import run_submission
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import (
    end,
    end_leases,
    make_person,
    settled,
    start_worker,
    uploads_of,
    wait_until,
    working,
)
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.worker_process import DEQUEUED

pytestmark = pytest.mark.slow


def submitted(context: Context) -> tuple[uuid.UUID, Upload]:
    """One typed entry, handed in and queued; its batch and file."""
    batch = submit_files(context, make_person(context), [IncomingFile("entry.pdf", acroform(COMPLETE))])
    (upload,) = uploads_of(context, batch)
    return batch, upload


def taken_off(context: Context, job_id: str) -> Job:
    """The job as a worker has it that began and is gone; RQ takes it for abandoned."""
    queue = open_queue(context.redis)
    job = AppJob.fetch(job_id, connection=context.redis, serializer=queue.serializer)
    context.redis.lrem(queue.key, 1, job.id)
    worker = AppWorker([queue], connection=context.redis)
    worker.prepare_execution(job)
    worker.prepare_job_execution(job)
    return job


def abandon(context: Context, job: Job, retries: int) -> None:
    registry = open_queue(context.redis).started_job_registry
    for member in context.redis.zrange(registry.key, 0, -1):
        context.redis.zadd(registry.key, {member: time.time() - 60})
    context.redis.hset(job.key, "retries_left", retries)
    context.redis.hset(job.key, "retry_intervals", "[0]")


@pytest.mark.parametrize("retries", [0, 1], ids=["given_up", "tried_again"])
def test_a_job_that_ended_well_and_is_taken_for_abandoned(context: Context, retries: int) -> None:
    batch, upload = submitted(context)
    jobs = [taken_off(context, f"upload-{upload.id}")]
    for run_id in analyse_upload(context, upload.id):
        reconcile(context)
        jobs.append(taken_off(context, f"run-{run_id.replace(':', '-')}"))
        assert run_submission(context, run_id)
    assert settled(context, batch)
    before = done(context)
    for job in jobs:
        abandon(context, job, retries)
    with working(context):
        wait_until(lambda: tidied(context, jobs, retries), "the maintenance of the queue", seconds=90)
        time.sleep(context.settings.lease_seconds + 0.5)
        reconcile(context)
        wait_until(lambda: not job_ids(context.redis).queued + job_ids(context.redis).running, "quiet", seconds=60)
    assert done(context) == before
    view = queue_view(context)
    assert view.failed == [] and lost_jobs(context) == [] and sum(one.failed or 0 for one in view.kinds) == 0
    assert context.database.scalar(select(func.count()).select_from(JobFailure)) == 0


def test_a_worker_that_is_killed_between_taking_a_job_and_starting_it(context: Context) -> None:
    batch, upload = submitted(context)
    killed = start_worker(context.settings, kill_at=DEQUEUED)
    killed.join(timeout=120)
    assert killed.exitcode == -signal.SIGKILL
    end(killed)
    job = AppJob.fetch(
        f"upload-{upload.id}", connection=context.redis, serializer=open_queue(context.redis).serializer
    )
    assert job_ids(context.redis).queued == [] and job.get_status() == JobStatus.QUEUED
    end_leases(context)
    assert reconcile(context) >= 1
    with working(context):
        wait_until(lambda: settled(context, batch), "the entry's end", seconds=120)
    with context.database.session() as session:
        assert session.scalars(select(Submission.status)).all() == ["completed"]
        assert session.scalars(select(Upload.attempts)).all() == [1]
        assert session.scalar(select(func.count()).select_from(JobFailure)) == 0


def done(context: Context) -> list[object]:
    """What the two jobs have written, and how often they were begun."""
    with context.database.session() as session:
        uploads = session.execute(select(Upload.status, Upload.attempts, Upload.updated_at)).all()
        entries = session.execute(select(Submission.status, Submission.version, Submission.updated_at)).all()
        steps = session.scalar(select(func.count()).select_from(OrchestratorLog))
        return [*map(tuple, uploads), *map(tuple, entries), steps]


def tidied(context: Context, jobs: list[Job], retries: int) -> bool:
    """Whether RQ has given the jobs up, or has had them tried again."""
    found = job_ids(context.redis)
    if found.running:
        return False
    return retries > 0 or {job.id for job in jobs} <= set(found.failed)
