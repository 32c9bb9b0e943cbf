"""What the queue holds is counted by kind, and workers are those whose heart beats."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from rq import Worker
from rq.serializers import JSONSerializer

from core.queue import (
    PAGES_QUEUE_NAME,
    RUNNER,
    AppJob,
    enqueue_job,
    job_facts,
    job_ids,
    open_queue,
    open_queues,
    workers,
)
from core.work import JobKind
from services.context import Context
from services.queue.jobs import queue_view
from services.recovery.kinds import ALL, WORK
from services.recovery.work import job_kind_of, numbers
from tests.support.site import unreachable_redis

ID = "0b0e7b52-6d6c-4b0c-9d55-0a6b7c1d7f1a"


def put(context: Context, kind: JobKind, key: str = ID) -> str:
    work = WORK[kind]
    job_id = work.job_id(key)
    assert enqueue_job(context.redis, RUNNER, key, job_id, 60, queue_name=work.queue_name)
    return job_id


def test_every_kind_of_work_has_its_label_and_no_other() -> None:
    assert {kind.value for kind in WORK} == {work.name for work in ALL} | {"rest"}
    assert set(JobKind) - WORK.keys() == {JobKind.OTHER} and all(WORK[kind].kind is kind for kind in WORK)


@pytest.mark.parametrize("kind", list(WORK))
def test_the_kind_of_a_job_follows_from_its_id(kind: JobKind) -> None:
    assert job_kind_of(WORK[kind].job_id(f"{ID}:2")) is kind


@pytest.mark.parametrize("job_id", ["", "other-1", "somebody-elses", "run"])
def test_what_is_none_of_ours_is_something_else(job_id: str) -> None:
    assert job_kind_of(job_id) in (JobKind.OTHER, JobKind.RUN)
    assert sum(numbers([job_id]).values()) == 1


def test_jobs_are_counted_by_state_and_queue(context: Context) -> None:
    runs = [put(context, JobKind.RUN, f"{uuid.uuid4()}:1") for _ in range(3)]
    pages = put(context, JobKind.PAGES)
    queue = open_queue(context.redis)
    later = AppJob.fetch(runs[2], connection=context.redis, serializer=JSONSerializer)
    queue.remove(later)
    queue.scheduled_job_registry.schedule(later, datetime(2030, 1, 1).astimezone())
    found = job_ids(context.redis)
    assert found.queued == [*runs[:2], pages] and found.scheduled == [runs[2]]
    assert numbers(found.queued)[JobKind.RUN] == 2 and numbers(found.queued)[JobKind.PAGES] == 1
    assert open_queue(context.redis, PAGES_QUEUE_NAME).count == 1
    facts = job_facts(context.redis, [*found.queued, "gone"])
    assert facts.keys() == set(found.queued) and facts[pages].key == ID and facts[pages].queued_at is not None


def test_a_job_that_ends_while_it_is_read_is_shown_as_it_was(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id, fetched = put(context, JobKind.RUN), AppJob.fetch_many

    def ended_since(*args: Any, **named: Any) -> Any:
        found = fetched(*args, **named)
        context.redis.delete(AppJob.key_for(job_id))
        return found

    monkeypatch.setattr(AppJob, "fetch_many", ended_since)
    assert job_facts(context.redis, [job_id])[job_id].key == ID


def test_mails_and_links_go_before_the_files_of_an_upload(context: Context) -> None:
    files = [put(context, JobKind.UPLOAD, str(uuid.uuid4())) for _ in range(3)]
    mails = [put(context, kind) for kind in (JobKind.MAIL, JobKind.RESET)]
    assert job_ids(context.redis).queued == [*mails, *files]


def test_looking_changes_nothing(context: Context) -> None:
    put(context, JobKind.RUN)
    before = {key: context.redis.dump(key) for key in context.redis.scan_iter()}
    queue_view(context)
    assert {key: context.redis.dump(key) for key in context.redis.scan_iter()} == before


def test_a_worker_is_shown_with_its_job_and_its_age(context: Context) -> None:
    job_id = put(context, JobKind.RUN)
    job = AppJob.fetch(job_id, connection=context.redis, serializer=JSONSerializer)
    worker = Worker(open_queues(context.redis), connection=context.redis, serializer=JSONSerializer)
    worker.register_birth()
    (idle,) = workers(context.redis)
    assert idle.job_id is None and idle.pid == worker.pid and idle.last_heartbeat is not None
    worker.prepare_execution(job)
    worker.prepare_job_execution(job)
    (shown,) = queue_view(context).workers
    assert (shown.kind, shown.key) == (JobKind.RUN, ID)
    assert shown.since is not None and shown.since.tzinfo is not None
    worker.register_death()
    assert workers(context.redis) == []


def test_without_the_queues_server_failures_are_still_shown(context: Context) -> None:
    view = queue_view(replace(context, redis=unreachable_redis()))
    assert not view.answers and view.waiting == [] and view.failed == []
    assert [row.kind for row in view.kinds] == list(WORK)
