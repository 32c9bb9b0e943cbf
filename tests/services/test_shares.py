"""Jobs of one batch with many wait in turn with those of others, whatever dies in between."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import timedelta

import pytest
from rq.job import Job
from rq.serializers import JSONSerializer
from sqlalchemy import func, update

from core.models import Run, Upload
from core.queue import (
    BEHIND_QUEUE_NAME,
    CROWD_QUEUE_NAME,
    FRONT,
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
from core.work import JobKind
from jobs.worker import AppWorker
from services import reconcile
from services.context import Context
from services.queue.jobs import cancel_job
from services.reconcile import requeue
from services.recovery.kinds import ALL, RESTS, RUNS, UPLOADS
from services.recovery.work import bring_next_forward, queue_rows, take_lease
from tests.support import factories


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


def long_ago(context: Context) -> None:
    """Whatever was queued was queued before leases of then expired."""
    context.database.execute(update(Upload).values(enqueued_at=Upload.enqueued_at - timedelta(days=1)))


def end(context: Context, key: uuid.UUID) -> None:
    """What a worker does with a file that it takes and splits."""
    context.redis.lrem(open_queue(context.redis).key, 1, f"upload-{key}")
    Job.fetch(f"upload-{key}", connection=context.redis, serializer=JSONSerializer).delete()
    with context.database.session() as session:
        batch_id = session.get_one(Upload, key).batch_id
        session.execute(update(Upload).where(Upload.id == key).values(status="split"))
    bring_next_forward(context, UPLOADS, batch_id)


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
    bring_next_forward(context, RUNS, share)
    assert on(context, CROWD_QUEUE_NAME) == [RESTS.job_id(keys[-1])], "the front is full"
    context.redis.delete(open_queue(context.redis).key)
    bring_next_forward(context, RUNS, share)
    assert on(context, CROWD_QUEUE_NAME) == [] and on(context, QUEUE_NAME) == [RESTS.job_id(keys[-1])]


def test_what_waits_in_the_crowd_is_queued_once_and_stays(context: Context) -> None:
    many = batch(context, 5)
    queue_rows(context, UPLOADS, *many)
    before = job_ids(context.redis).queued
    long_ago(context)
    assert requeue(context, UPLOADS) == 0
    assert job_ids(context.redis).queued == before


def test_one_that_was_lost_is_found_among_many_that_wait(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "_BATCH", 2)
    many = batch(context, 6)
    queue_rows(context, UPLOADS, *many)
    context.redis.lrem(open_queue(context.redis, CROWD_QUEUE_NAME).key, 1, f"upload-{many[-1]}")
    long_ago(context)
    assert requeue(context, UPLOADS) == 1
    assert on(context, CROWD_QUEUE_NAME) == jobs_of(many[FRONT:])


def test_a_batch_whose_first_file_is_stopped_goes_on_in_turn(context: Context) -> None:
    """Nobody ends who would bring the next one forward."""
    many = batch(context, 4)
    queue_rows(context, UPLOADS, *many)
    with context.database.session() as session:
        officer = factories.make_profile(session, "officer").id
    cancel_job(context, officer, JobKind.UPLOAD, str(many[0]))
    assert on(context, QUEUE_NAME) == []
    for _ in range(3):
        long_ago(context)
        assert requeue(context, UPLOADS) == 0
        assert on(context, QUEUE_NAME) == jobs_of(many[1 : 1 + FRONT])


def test_the_rest_of_a_run_that_waits_is_not_queued_twice(context: Context) -> None:
    with context.database.session() as session:
        run_id = factories.make_run(session, status="queued").run_id
    queue_rows(context, RESTS, run_id)
    context.database.execute(update(Run).values(enqueued_at=func.now() - timedelta(days=1)))
    assert requeue(context, RUNS) == 0
    assert job_ids(context.redis).queued == [RESTS.job_id(run_id)]


def test_what_was_lost_of_a_batch_is_queued_again_in_turn(context: Context) -> None:
    """The queue's server lost everything, or a worker died between taking a job and beginning it."""
    many = batch(context, 5)
    queue_rows(context, UPLOADS, *many)
    for name in QUEUE_NAMES:
        context.redis.delete(open_queue(context.redis, name).key)
    long_ago(context)
    assert requeue(context, UPLOADS) == 5
    assert len(on(context, QUEUE_NAME)) == FRONT and len(on(context, CROWD_QUEUE_NAME)) == 5 - FRONT


def test_what_a_worker_has_is_not_brought_forward(context: Context) -> None:
    many = batch(context, FRONT + 1)
    queue_rows(context, UPLOADS, *many)
    context.redis.delete(open_queue(context.redis, CROWD_QUEUE_NAME).key)
    assert take_lease(context, UPLOADS, many[-1]) is not None
    assert not bring_forward(context.redis, jobs_of(many[-1:]), QUEUE_NAME)
    share = context.database.get_one(Upload, many[0]).batch_id
    bring_next_forward(context, UPLOADS, share)
    assert on(context, QUEUE_NAME) == jobs_of(many[:FRONT])


def test_a_job_that_is_gone_is_not_brought_forward(context: Context) -> None:
    context.redis.rpush(open_queue(context.redis, CROWD_QUEUE_NAME).key, "upload-gone")
    assert not bring_forward(context.redis, ["upload-gone"], QUEUE_NAME)
    assert on(context, QUEUE_NAME) == [] and not context.redis.exists("rq:job:upload-gone")


def test_every_queue_has_its_turn(context: Context) -> None:
    """Only what nobody waits for is left until nothing else waits."""
    worker = AppWorker(open_queues(context.redis), connection=context.redis)
    first = []
    for _ in range(2 * len(TURNS)):
        worker.reorder_queues(worker.queues[0])
        names = [queue.name for queue in worker._ordered_queues]
        assert sorted(names) == sorted(QUEUE_NAMES) and PROMPT_QUEUE_NAME in names[:2]
        assert names[-1] == BEHIND_QUEUE_NAME
        first.append(names[0])
    assert first.count(PROMPT_QUEUE_NAME) == len(TURNS), "no flood of mails keeps the others from being served"
    assert Counter(first) - Counter([PROMPT_QUEUE_NAME] * len(TURNS)) == Counter(TURNS)


def test_one_worker_of_several_leaves_reports_to_the_others(context: Context) -> None:
    worker = AppWorker(open_queues(context.redis, [RESEARCH_QUEUE_NAME]), connection=context.redis)
    for _ in TURNS:
        worker.reorder_queues(worker.queues[0])
        assert RESEARCH_QUEUE_NAME not in [queue.name for queue in worker._ordered_queues]
    assert {work.name for work in ALL if work.queue_name == RESEARCH_QUEUE_NAME} == {"report", "supervision"}
