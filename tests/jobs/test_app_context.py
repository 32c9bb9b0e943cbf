"""A real RQ work-horse does its job in an app context, over connections of its own."""

from __future__ import annotations

import sys

import pytest
from sqlalchemy import text

import jobs.worker
from core.queue import open_queue
from services.context import Context
from tests.support.told_by_job import TOLD_KEY, tell_backend


def test_a_work_horse_has_app_context_and_its_own_connection(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs.worker, "process_context", lambda: context)
    with context.database.session() as session:
        parents = session.scalar(text("select pg_backend_pid()"))
    queue = open_queue(context.redis)
    queue.enqueue(tell_backend, "an id")
    runnable = frozenset([f"{tell_backend.__module__}.{tell_backend.__name__}"])
    jobs.worker.AppWorker([queue], runnable, connection=context.redis).work(burst=True)
    told = context.redis.get(TOLD_KEY)
    assert told is not None and int(told) != parents
    with context.database.session() as session:
        assert session.scalar(text("select pg_backend_pid()")) == parents


@pytest.mark.parametrize("grown", [False, True])
def test_a_worker_that_has_grown_ends_after_its_job(
    context: Context, monkeypatch: pytest.MonkeyPatch, grown: bool
) -> None:
    monkeypatch.setattr(jobs.worker, "process_context", lambda: context)
    queue = open_queue(context.redis)
    queue.enqueue(tell_backend, "an id")
    queue.enqueue(tell_backend, "another id")
    runnable = frozenset([f"{tell_backend.__module__}.{tell_backend.__name__}"])
    worker = jobs.worker.AppWorker([queue], runnable, connection=context.redis)
    worker.most_memory = 1 if grown else sys.maxsize
    assert worker.work(burst=True)
    assert context.redis.get(TOLD_KEY) is not None and queue.count == grown
