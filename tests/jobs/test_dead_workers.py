"""A killed worker is not counted, and its job comes back when the lease ends, whatever RQ still says of it."""

from __future__ import annotations

import time
import uuid
from typing import Any

import pytest
from rq import Worker
from rq.executions import Execution
from rq.job import JobStatus

from core.models import Upload
from core.queue import ALIVE_SECONDS, PAGES_QUEUE_NAME, AppJob, open_queue, worker_count
from jobs.worker import AppWorker
from services.context import Context
from services.reconcile import reconcile
from services.recovery.kinds import UPLOADS
from services.recovery.work import queue_rows, take_lease
from tests.support import factories
from tests.support.office import end, end_leases, start_worker, wait_until

PAST = time.time() - 600


def stored(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        key = factories.make_upload(session, status="stored").id
    queue_rows(context, UPLOADS, key)
    return key


def job_of(context: Context, key: uuid.UUID) -> AppJob:
    found: AppJob = open_queue(context.redis).fetch_job(f"upload-{key}")
    return found


def taken_off(context: Context, key: uuid.UUID) -> AppJob:
    """The job as a work-horse has it that has just begun."""
    job = job_of(context, key)
    context.redis.lpop(open_queue(context.redis).key)
    worker = AppWorker([open_queue(context.redis)], connection=context.redis)
    worker.register_birth()
    worker.prepare_execution(job)
    worker.prepare_job_execution(job)
    worker.heartbeat()
    return job


def test_a_job_whose_execution_rq_has_forgotten_half(context: Context) -> None:
    """RQ keeps the number of an execution for a minute longer than the execution, and then fails over it."""
    key = stored(context)
    job = taken_off(context, key)
    assert take_lease(context, UPLOADS, key) is not None
    (number,) = job.execution_registry.get_execution_ids()
    context.redis.delete(Execution(number, job.id, context.redis).key)
    end_leases(context)
    assert reconcile(context) == 1
    assert open_queue(context.redis).job_ids == [job.id] and job_of(context, key).get_status() == "queued"
    assert len(open_queue(context.redis).started_job_registry) == 0


def test_a_job_that_was_to_be_retried_by_a_scheduler_that_is_gone(context: Context) -> None:
    key = stored(context)
    job = taken_off(context, key)
    job.set_status(JobStatus.SCHEDULED)
    later = open_queue(context.redis).scheduled_job_registry.key
    context.redis.zadd(later, {job.id: time.time() + 30})
    end_leases(context)
    reconcile(context)
    assert open_queue(context.redis).job_ids == [], "a scheduler will see to it"
    context.redis.zadd(later, {job.id: PAST})
    end_leases(context)
    reconcile(context)
    assert open_queue(context.redis).job_ids == [job.id]


def test_a_job_that_a_clock_ahead_has_scheduled_is_not_waited_for(context: Context) -> None:
    key = stored(context)
    job = taken_off(context, key)
    job.set_status(JobStatus.SCHEDULED)
    context.redis.zadd(open_queue(context.redis).scheduled_job_registry.key, {job.id: time.time() + 3 * 3600})
    end_leases(context)
    reconcile(context)
    assert open_queue(context.redis).job_ids == [job.id]


def test_a_job_that_began_and_never_took_its_row(context: Context) -> None:
    key = stored(context)
    job = taken_off(context, key)
    end_leases(context)
    reconcile(context)
    assert open_queue(context.redis).job_ids == [], "its worker lives"
    context.redis.delete(f"{Worker.redis_worker_namespace_prefix}{job_of(context, key).worker_name}")
    end_leases(context)
    reconcile(context)
    assert open_queue(context.redis).job_ids == [job.id]


def test_only_living_workers_are_counted(context: Context) -> None:
    workers = [AppWorker([open_queue(context.redis)], connection=context.redis) for _ in range(2)]
    for worker in workers:
        worker.register_birth()
        worker.heartbeat()
    assert worker_count(context.redis) == 2
    assert 0 < context.redis.ttl(workers[0].key) <= ALIVE_SECONDS
    context.redis.delete(workers[0].key)
    assert worker_count(context.redis) == 1
    # A machine that slept.
    context.redis.srem("rq:workers:second-reader", workers[1].key)
    workers[1].heartbeat()
    assert worker_count(context.redis) == 1


def test_an_idle_worker_looks_after_lost_jobs_at_each_heartbeat(context: Context) -> None:
    worker = AppWorker([open_queue(context.redis)], connection=context.redis)
    assert worker.dequeue_timeout < ALIVE_SECONDS and worker.maintenance_interval < ALIVE_SECONDS


@pytest.mark.slow
def test_all_workers_killed_with_all_that_they_started(chosen: dict[str, Any], context: Context) -> None:
    """Worker, work-horse and scheduler end at once, while the job of another worker waits for its retry."""
    key = stored(context)
    job = taken_off(context, key)
    assert take_lease(context, UPLOADS, key) is not None
    job.set_status(JobStatus.SCHEDULED)
    registry = open_queue(context.redis).scheduled_job_registry
    context.redis.zadd(registry.key, {job.id: PAST})
    # The locks of a scheduler that is gone, as they are for a minute.
    for name in ("second-reader", PAGES_QUEUE_NAME):
        context.redis.set(f"rq:scheduler-lock:{name}", "gone", ex=60)
    end_leases(context)
    worker = start_worker(context.settings)
    try:
        wait_until(lambda: worker_count(context.redis) == 2, "a worker", seconds=60)
        reconcile(context)
        wait_until(lambda: _status(context, key) == "failed", "the end of the file", seconds=60)
    finally:
        end(worker)


def _status(context: Context, key: uuid.UUID) -> str:
    return context.database.get_one(Upload, key).status
