"""A work-horse does several jobs, and a new one goes on where one has ended."""

from __future__ import annotations

import itertools
import os
import signal
import socket
from collections.abc import Callable

import psutil
import pytest

import jobs.horse
import jobs.worker
from core.confined.serve import receive
from core.queue import AppJob, JobIds, job_ids, open_queue
from jobs.worker import AppWorker
from services.context import Context
from tests.support import told_by_job

TELLS = "tests.support.told_by_job.tell_process"
FAILS = "tests.support.told_by_job.fail"


def processes(context: Context) -> list[int]:
    """The processes that did the jobs, in their order."""
    return [int(one) for one in context.redis.lrange(told_by_job.PROCESSES_KEY, 0, -1)]


def done_by(context: Context, worker: AppWorker, *functions: str) -> list[int]:
    """Have the jobs done; return how many each process did, of those that told of themselves."""
    queue = open_queue(context.redis)
    for number, function in enumerate(functions):
        queue.enqueue(function, str(number))
    worker.work(burst=True)
    assert queue.count == 0
    return [len(list(same)) for _, same in itertools.groupby(processes(context))]


def before_each(monkeypatch: pytest.MonkeyPatch, act: Callable[[AppWorker, AppJob], None]) -> None:
    """Have this called in the worker before each job is given to a work-horse."""
    fork = AppWorker.fork_work_horse

    def forked(worker: AppWorker, job: AppJob, queue: object) -> None:
        act(worker, job)
        fork(worker, job, queue)  # type: ignore[arg-type]

    monkeypatch.setattr(AppWorker, "fork_work_horse", forked)


def kill_idle(worker: AppWorker, *_: object) -> None:
    """Kill the work-horse that waits for a job, if there is one."""
    if worker._horse is not None:
        os.kill(worker._horse.pid, signal.SIGKILL)
        psutil.wait_procs([psutil.Process(worker._horse.pid)], 10)


def test_one_process_does_several_jobs_and_then_ends(
    context: Context, worker: AppWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs.worker, "MOST_JOBS", 3)
    assert done_by(context, worker, *[TELLS] * 7) == [3, 3, 1]
    assert os.getpid() not in processes(context)
    assert not any(psutil.pid_exists(pid) for pid in processes(context)), "none is left behind"


def test_after_an_error_another_process_goes_on(context: Context, worker: AppWorker) -> None:
    assert done_by(context, worker, TELLS, FAILS, TELLS, TELLS) == [1, 2]


def test_one_that_has_grown_ends(context: Context, worker: AppWorker) -> None:
    worker.most_growth = -1
    assert done_by(context, worker, *[TELLS] * 3) == [1, 1, 1]


def test_one_that_waits_too_long_is_dismissed(
    context: Context, worker: AppWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs.horse, "IDLE_SECONDS", -1.0)
    assert done_by(context, worker, *[TELLS] * 3) == [1, 1, 1]


def test_one_that_was_killed_while_it_waited(
    context: Context, worker: AppWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    before_each(monkeypatch, kill_idle)
    assert done_by(context, worker, *[TELLS] * 3) == [1, 1, 1]
    assert job_ids(context.redis) == JobIds([], [], [], [])


def test_a_job_that_was_changed_after_the_worker_checked_it_is_not_done(
    context: Context, worker: AppWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(_worker: AppWorker, job: AppJob) -> None:
        if job.args == ["1"]:
            context.redis.hset(job.key, "data", '["os.getpid", null, ["1"], {}]')

    before_each(monkeypatch, change)
    assert done_by(context, worker, *[TELLS] * 3) == [1, 1]


def test_an_answer_is_not_lost_when_waiting_for_it_is_interrupted() -> None:
    ours, line = socket.socketpair()
    with ours, line:
        horse = jobs.horse.Horse(os.getpid(), ours)
        line.sendall(b".")
        assert horse.is_done() and horse.is_done(), "it is asked for again"
        assert horse.send(jobs.horse.Order("job", "queue", "execution"))
        assert receive(line) == [b"job", b"queue", b"execution"]
        line.close()
        assert not horse.is_done()


def test_one_whose_worker_is_gone_ends() -> None:
    ours, line = socket.socketpair()
    with line:
        ours.sendall(b'["job", "queue"')
        ours.close()
        assert jobs.horse.next_order(line, os.getppid()) is None
