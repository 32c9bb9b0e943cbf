"""A real RQ work-horse does its job in an app context, over connections of its own."""

from __future__ import annotations

import os
import sys

import pytest
from rq import Worker
from sqlalchemy import text

import jobs.worker
from core.queue import open_queue
from jobs.worker import AppWorker
from services.context import Context
from tests.support.told_by_job import TOLD_KEY, tell_backend


def test_a_work_horse_has_app_context_and_its_own_connection(context: Context, worker: AppWorker) -> None:
    parents = context.database.scalar(text("select pg_backend_pid()"))
    open_queue(context.redis).enqueue(tell_backend, "an id")
    worker.work(burst=True)
    told = context.redis.get(TOLD_KEY)
    assert told is not None and int(told) != parents
    assert context.database.scalar(text("select pg_backend_pid()")) == parents


@pytest.mark.parametrize("grown", [False, True])
def test_a_worker_that_has_grown_ends_after_its_job(context: Context, worker: AppWorker, grown: bool) -> None:
    queue = open_queue(context.redis)
    queue.enqueue(tell_backend, "an id")
    queue.enqueue(tell_backend, "another id")
    worker.most_memory = 1 if grown else sys.maxsize
    assert worker.work(burst=True)
    assert context.redis.get(TOLD_KEY) is not None and queue.count == grown


@pytest.mark.parametrize(("waiting", "left"), [(0, 0), (2, 1)])
def test_a_first_job_that_waits_does_not_wait_for_models(
    context: Context, monkeypatch: pytest.MonkeyPatch, waiting: int, left: int
) -> None:
    queue = open_queue(context.redis)
    for number in range(waiting):
        queue.enqueue(tell_backend, str(number))
    counted: list[int] = []
    monkeypatch.setattr(jobs.worker, "process_context", lambda: context)
    monkeypatch.setattr(jobs.worker, "get_settings", lambda: context.settings)
    monkeypatch.setattr(jobs.worker, "configure_logging", lambda _: None)
    monkeypatch.setattr(jobs.worker, "preload_jobs", lambda _: counted.append(queue.count))
    monkeypatch.setattr(jobs.worker, "job_refusal", lambda *_: None)
    monkeypatch.setattr(jobs.worker.AppWorker, "work", lambda worker, **_: Worker.work(worker, burst=True))
    monkeypatch.setattr(context, "close", lambda: None)
    jobs.worker.main()
    assert counted == [left] and queue.count == 0


def test_what_follows_from_the_forms_is_derived_before_the_fork(
    context: Context, worker: AppWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    derived: list[int] = []
    monkeypatch.setattr(jobs.worker, "share_derived", lambda: derived.append(os.getpid()))
    open_queue(context.redis).enqueue(tell_backend, "an id")
    worker.work(burst=True)
    assert derived == [os.getpid()]
