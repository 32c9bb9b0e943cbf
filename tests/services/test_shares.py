"""Jobs of one batch with many wait in turn with those of others, whatever dies in between."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
from rq.job import Job
from rq.serializers import JSONSerializer
from sqlalchemy import func, update

from core.config import Settings
from core.models import Upload
from core.queue import (
    BEHIND_QUEUE_NAME,
    CROWD_QUEUE_NAME,
    FRONT,
    PAGES_QUEUE_NAME,
    PROMPT_QUEUE_NAME,
    QUEUE_NAME,
    QUEUE_NAMES,
    RESEARCH_QUEUE_NAME,
    TURNS,
    bring_forward,
    job_ids,
    open_queue,
    open_queues,
)
from jobs.worker import AppWorker
from services.context import Context
from services.reconcile import requeue
from services.recovery.kinds import ALL, RESTS, RUNS, UPLOADS
from services.recovery.work import queue_rows, share_ended, take_lease
from tests.support import factories
from tests.support.site import tidy_context


@pytest.fixture
def context(settings: Settings) -> Iterator[Context]:
    with tidy_context(settings) as opened:
        opened.redis.flushdb()
        yield opened


def batch(context: Context, files: int) -> list[uuid.UUID]:
    """Uploaded files of one batch, in order."""
    with context.database.session() as session:
        of = factories.make_batch(session)
        return [factories.make_upload(session, batch=of, status="stored").id for _ in range(files)]


def on(context: Context, name: str) -> list[str]:
    found: list[str] = open_queue(context.redis, name).get_job_ids()
    return found


def jobs_of(keys: list[uuid.UUID]) -> list[str]:
    return [f"upload-{key}" for key in keys]


def end(context: Context, key: uuid.UUID) -> None:
    """What a worker does with a file that it takes and splits."""
    context.redis.lrem(open_queue(context.redis).key, 1, f"upload-{key}")
    Job.fetch(f"upload-{key}", connection=context.redis, serializer=JSONSerializer).delete()
    with context.database.session() as session:
        batch_id = session.get_one(Upload, key).batch_id
        session.execute(update(Upload).where(Upload.id == key).values(status="split"))
    share_ended(context, UPLOADS, batch_id)


def test_another_batch_waits_behind_a_few_files_alone(context: Context) -> None:
    many, one = batch(context, 20), batch(context, 1)
    queue_rows(context, UPLOADS, *many)
    queue_rows(context, UPLOADS, *one)
    assert on(context, QUEUE_NAME) == jobs_of([*many[:FRONT], *one])
    assert on(context, CROWD_QUEUE_NAME) == jobs_of(many[FRONT:])


def test_one_is_brought_forward_for_each_that_has_ended(context: Context) -> None:
    many, one = batch(context, 6), batch(context, 1)
    queue_rows(context, UPLOADS, *many)
    queue_rows(context, UPLOADS, *one)
    for key in many:
        front = on(context, QUEUE_NAME)
        assert len(front) <= FRONT + 1 and front[0] == f"upload-{key}", "each behind those that came before it"
        job = Job.fetch(front[0], connection=context.redis, serializer=JSONSerializer)
        assert job.origin == QUEUE_NAME
        end(context, key)
        if key == many[0]:
            end(context, one[0])
    assert on(context, QUEUE_NAME) == on(context, CROWD_QUEUE_NAME) == []


def test_both_kinds_of_job_of_one_run_are_brought_forward(context: Context) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(session)
        entries = [factories.make_submission(session, upload, chunk_index=index) for index in range(FRONT + 1)]
        keys = [factories.make_run(session, entry, status="queued").run_id for entry in entries]
        share = upload.batch_id
    queue_rows(context, RESTS, *keys)
    assert on(context, CROWD_QUEUE_NAME) == [RESTS.job_id(keys[-1])]
    share_ended(context, RUNS, share)
    assert on(context, CROWD_QUEUE_NAME) == [RESTS.job_id(keys[-1])], "the front is full"
    context.redis.delete(open_queue(context.redis).key)
    share_ended(context, RUNS, share)
    assert on(context, CROWD_QUEUE_NAME) == [] and on(context, QUEUE_NAME) == [RESTS.job_id(keys[-1])]


def test_what_waits_in_the_crowd_is_queued_once_and_stays(context: Context) -> None:
    many = batch(context, 5)
    queue_rows(context, UPLOADS, *many)
    before = job_ids(context.redis).queued
    with context.database.session() as session:
        session.execute(update(Upload).values(enqueued_at=func.now() - timedelta(days=1)))
    assert requeue(context, UPLOADS) == 5
    assert job_ids(context.redis).queued == before


def test_what_was_lost_of_a_batch_is_queued_again_in_turn(context: Context) -> None:
    """The queue's server lost everything, or a worker died between taking a job and beginning it."""
    many = batch(context, 5)
    queue_rows(context, UPLOADS, *many)
    for name in QUEUE_NAMES:
        context.redis.delete(open_queue(context.redis, name).key)
    with context.database.session() as session:
        session.execute(update(Upload).values(enqueued_at=func.now() - timedelta(days=1)))
    assert requeue(context, UPLOADS) == 5
    assert len(on(context, QUEUE_NAME)) == FRONT and len(on(context, CROWD_QUEUE_NAME)) == 5 - FRONT


def test_what_a_worker_has_is_not_brought_forward(context: Context) -> None:
    many = batch(context, FRONT + 1)
    queue_rows(context, UPLOADS, *many)
    context.redis.delete(open_queue(context.redis, CROWD_QUEUE_NAME).key)
    assert take_lease(context, UPLOADS, many[-1]) is not None
    assert not bring_forward(context.redis, jobs_of(many[-1:]), QUEUE_NAME)
    with context.database.session() as session:
        share = session.get_one(Upload, many[0]).batch_id
    share_ended(context, UPLOADS, share)
    assert on(context, QUEUE_NAME) == jobs_of(many[:FRONT])


def test_a_job_that_is_gone_is_not_brought_forward(context: Context) -> None:
    context.redis.rpush(open_queue(context.redis, CROWD_QUEUE_NAME).key, "upload-gone")
    assert not bring_forward(context.redis, ["upload-gone"], QUEUE_NAME)
    assert on(context, QUEUE_NAME) == [] and not context.redis.exists("rq:job:upload-gone")


def test_every_queue_has_its_turn(context: Context) -> None:
    """Only what nobody waits for is left until nothing else waits."""
    worker = AppWorker(open_queues(context.redis), connection=context.redis)
    first = []
    for _ in TURNS:
        worker.reorder_queues(worker.queues[0])
        names = [queue.name for queue in worker._ordered_queues]
        assert sorted(names) == sorted(QUEUE_NAMES) and names[0] == PROMPT_QUEUE_NAME
        assert names[-1] == BEHIND_QUEUE_NAME
        first.append(names[1])
    assert set(first) == {QUEUE_NAME, PAGES_QUEUE_NAME, CROWD_QUEUE_NAME, RESEARCH_QUEUE_NAME}
    assert first.count(QUEUE_NAME) * 2 == len(first)


def test_one_worker_of_several_leaves_reports_to_the_others(context: Context) -> None:
    worker = AppWorker(open_queues(context.redis, [RESEARCH_QUEUE_NAME]), connection=context.redis)
    for _ in TURNS:
        worker.reorder_queues(worker.queues[0])
        assert RESEARCH_QUEUE_NAME not in [queue.name for queue in worker._ordered_queues]
    assert {work.name for work in ALL if work.queue_name == RESEARCH_QUEUE_NAME} == {"report", "supervision"}
