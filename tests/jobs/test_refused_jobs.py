"""Whoever can write to the queue's server gets no code run: crafted jobs are refused, and what RQ keeps beside a
job's function is never imported, called or fetched."""

from __future__ import annotations

import json
import pickle
import time
from pathlib import Path
from typing import Any

import pytest
from rq.exceptions import NoSuchJobError
from rq.scheduler import RQScheduler
from rq.serializers import JSONSerializer
from structlog.testing import capture_logs

from core.queue import (
    FAILURE_TTL,
    FORMER_RUNNERS,
    QUEUE_NAME,
    RETRY_INTERVALS,
    RUNNER,
    AppJob,
    job_facts,
    job_ids,
    job_refusal,
    open_queue,
    worker_count,
    workers,
)
from core.work import JobKind
from jobs.worker import RUNNABLE, AppWorker
from services.context import Context
from services.queue.failed_work import note_failure
from services.queue.jobs import queue_view
from services.reconcile import reconcile
from tests.support import told_by_job

TELLS = "tests.support.told_by_job.tell_backend"
FAILS = "tests.support.told_by_job.fail"
CALLBACK = "tests.support.told_by_job.tell_called"
ID = "0b0e7b52-6d6c-4b0c-9d55-0a6b7c1d7f1a"


def craft(context: Context, name: str, data: object, **fields: Any) -> None:
    """Write a job's hash and queue it, as anybody can who has the server's address."""
    raw = data if isinstance(data, bytes) else json.dumps(data)
    context.redis.hset(
        f"rq:job:{name}",
        mapping={"data": raw, "result_ttl": "0", "origin": QUEUE_NAME, "status": "queued", **fields},
    )
    context.redis.rpush(open_queue(context.redis).key, name)


class _Evil:
    def __init__(self, command: str) -> None:
        self._command = command

    def __reduce__(self) -> Any:
        import os

        return os.system, (self._command,)


def test_only_known_functions_of_one_id_are_run(context: Context, worker: AppWorker, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    touch, write = f"touch {marker}", f"open({str(marker)!r}, 'w')"
    crafted: list[object] = [
        ["os.system", None, [touch], {}],
        ["subprocess.getoutput", None, [touch], {}],
        ["eval", None, [write], {}],
        ["builtins.exec", None, [write], {}],
        ["jobs.worker.subprocess.getoutput", None, [touch], {}],
        ["core.embedded.process.subprocess.getoutput", None, [touch], {}],
        [["os.system"], None, [touch], {}],
        [None, None, [touch], {}],
        ["format", "{0}", [touch], {}],
        [TELLS, "an instance", [ID], {}],
        [TELLS, None, [ID, ID], {}],
        [TELLS, None, [], {"_id": ID}],
        [TELLS, None, [ID], {"more": 1}],
        [TELLS, None, [["not", "a", "text"]], {}],
        [TELLS, None, ID, {}],
        [TELLS, None, 7, {}],
        [TELLS],
        {"function": TELLS},
        b"not JSON",
        pickle.dumps(_Evil(touch)),
        b"[" * 100_000,
    ]
    for number, data in enumerate(crafted):
        craft(context, f"crafted-{number}", data)
    with capture_logs() as said:
        worker.work(burst=True)
    assert not marker.exists() and context.redis.get(told_by_job.TOLD_KEY) is None
    assert not context.redis.keys("rq:job:*") and open_queue(context.redis).count == 0
    assert [line["event"] for line in said].count("job_refused") == len(crafted)


def test_a_hash_that_cannot_be_read_is_removed_and_the_worker_goes_on(context: Context, worker: AppWorker) -> None:
    craft(context, "bad-time", [TELLS, None, [ID], {}], created_at="yesterday")
    craft(context, "bad-number", [TELLS, None, [ID], {}], result_ttl="x")
    craft(context, "bad-status", [TELLS, None, [ID], {}], status="owned")
    context.redis.rpush("rq:job:no-hash", "x")
    context.redis.hset("rq:job:no-data", "origin", QUEUE_NAME)
    context.redis.rpush(open_queue(context.redis).key, "no-hash", "no-data", "no job at all")
    craft(context, "last", [TELLS, None, [ID], {}])
    worker.work(burst=True)
    assert context.redis.get(told_by_job.TOLD_KEY) is not None
    assert not [key for key in context.redis.keys("rq:job:*") if key != b"rq:job:no-data"]


@pytest.mark.parametrize("function", [TELLS, FAILS])
def test_callbacks_are_never_called(context: Context, worker: AppWorker, function: str) -> None:
    names = {f"{when}_callback_name": CALLBACK for when in ("success", "failure", "stopped")}
    craft(context, "crafted", [function, None, [ID], {}], **names)
    worker.work(burst=True)
    assert context.redis.exists(told_by_job.CALLED_KEY) == 0


def test_callbacks_of_an_abandoned_or_stuck_job_are_never_called(context: Context, worker: AppWorker) -> None:
    """The worker itself, not its work-horse, looks after jobs whose worker is gone."""
    for name in ("abandoned", "stuck"):
        craft(context, name, ["os.system", None, ["true"], {}], failure_callback_name=CALLBACK, status="started")
    queue = open_queue(context.redis)
    context.redis.delete(queue.key)
    context.redis.zadd(queue.started_job_registry.key, {"abandoned:1": time.time() - 60})
    context.redis.rpush(queue.intermediate_queue_key, "stuck")
    context.redis.set(queue.intermediate_queue.get_first_seen_key("stuck"), time.time() - 600)
    worker.clean_registries()
    assert context.redis.exists(told_by_job.CALLED_KEY) == 0


def test_nothing_but_data_is_read_back(context: Context) -> None:
    hook = json.dumps([{"url": "http://127.0.0.1:9/", "job_status": "finished"}])
    more = {"webhooks": hook, "group_id": "g", "repeats_left": "9", "repeat_intervals": "[1]"}
    craft(context, "crafted", [TELLS, None, [ID], {}], **more, dependency_ids='["other"]')
    job = AppJob.fetch("crafted", context.redis, JSONSerializer)
    assert (job.webhooks, job.group_id, job.repeats_left, job.dependency_ids) == ([], None, None, [])
    with pytest.raises(NoSuchJobError):
        AppJob.fetch("no job at all", context.redis, JSONSerializer)


def test_scheduled_jobs_that_cannot_be_read_keep_no_other_from_the_queue(context: Context) -> None:
    queue, redis = open_queue(context.redis), context.redis
    meta = ['"a text"', "[1]", "7", "not JSON", b"\xff", b"[" * 100_000]
    for number, one in enumerate(meta):
        craft(context, f"meta-{number}", [TELLS, None, [ID], {}], status="scheduled", meta=one)
    craft(context, "bad-time", [TELLS, None, [ID], {}], status="scheduled", created_at="yesterday")
    craft(context, "bad-status", [TELLS, None, [ID], {}], status="owned")
    redis.set("rq:job:no-hash", "x")
    redis.hset("rq:job:no-data", "origin", QUEUE_NAME)
    craft(context, "due", [TELLS, None, [ID], {}], status="scheduled")
    redis.delete(queue.key)
    names = [key.decode().removeprefix("rq:job:") for key in redis.keys("rq:job:*")]
    redis.zadd(queue.scheduled_job_registry.key, dict.fromkeys([*names, "gone"], time.time() - 1))
    scheduler = RQScheduler([queue], redis, serializer=JSONSerializer)
    scheduler.acquire_locks()
    scheduler.enqueue_scheduled_jobs()
    readable = {"due", *(f"meta-{number}" for number in range(len(meta)))}
    assert set(queue.get_job_ids()) == readable and queue.scheduled_job_registry.count == 0
    assert set(job_facts(redis, names)) == readable


def test_facts_are_told_beside_jobs_that_cannot_be_read(context: Context) -> None:
    craft(context, "bad-time", [TELLS, None, [ID], {}], created_at="yesterday")
    craft(context, "good", [TELLS, None, [ID], {}])
    assert set(job_facts(context.redis, ["bad-time", "good", "gone"])) == {"good"}
    assert not context.redis.exists("rq:job:bad-time")


STRANGERS = [b"\xff", b"run-\xff", b"\xff:\xff", b"a:b:c", b""]


def test_ids_that_are_no_text_end_nothing(context: Context, worker: AppWorker) -> None:
    queue, redis = open_queue(context.redis), context.redis
    redis.rpush(queue.key, *STRANGERS)
    redis.rpush(queue.intermediate_queue_key, *STRANGERS)
    redis.sadd("rq:workers", *STRANGERS)
    redis.sadd(f"rq:workers:{QUEUE_NAME}", *STRANGERS, "rq:worker:text", "rq:worker:odd")
    redis.set("rq:worker:text", "x")
    numbers = {"pid": "9" * 5000, "birth": "0001-01-01T00:00:00Z", "last_heartbeat": "9999-12-31T23:59:59Z"}
    redis.hset(
        "rq:worker:odd", mapping={b"\xff": b"\xff", b"hostname": b"\xff", b"current_job": b"\xff", **numbers}
    )
    for registry in (queue.started_job_registry, queue.scheduled_job_registry, queue.failed_job_registry):
        redis.zadd(registry.key, dict.fromkeys(STRANGERS, time.time() - 1))
    craft(context, "last", [TELLS, None, [ID], {}])
    found = job_ids(redis)
    assert all("run-\ufffd" in of_state for of_state in (found.queued, found.scheduled, found.failed))
    assert worker_count(redis) == 2
    (odd,) = workers(redis)
    assert (odd.machine, odd.pid, odd.began_at, odd.last_heartbeat) == ("\ufffd", None, None, None)
    assert queue_view(context).answers and reconcile(context) == 0
    scheduler = RQScheduler([queue], redis, serializer=JSONSerializer)
    scheduler.acquire_locks()
    scheduler.enqueue_scheduled_jobs()
    worker.clean_registries()
    worker.work(burst=True)
    assert redis.get(told_by_job.TOLD_KEY) is not None and queue.count == 0


@pytest.mark.parametrize("argument", ["\ud800", "\0", "a\nb"])
def test_an_argument_that_is_no_text_ends_nothing(context: Context, worker: AppWorker, argument: str) -> None:
    queue = open_queue(context.redis)
    craft(context, "mail-failed", [FAILS, None, [argument], {}], status="failed")
    context.redis.zadd(queue.failed_job_registry.key, {"mail-failed": time.time() + 60})
    craft(context, "mail-stuck", [FAILS, None, [argument], {}], status="started")
    craft(context, "mail-empty", [FAILS, None, [], {}], status="started")
    for name in ("mail-stuck", "mail-empty"):
        context.redis.rpush(queue.intermediate_queue_key, name)
        context.redis.set(queue.intermediate_queue.get_first_seen_key(name), time.time() - 600)
    assert queue_view(context).answers and job_facts(context.redis, ["mail-failed"]) == {}
    queued = context.redis.lrange(queue.key, 0, -1)
    context.redis.delete(queue.key)
    worker.clean_registries()
    assert context.redis.llen(queue.intermediate_queue_key) == 0
    # What was counted of it would be that of a living worker.
    context.redis.delete(worker.key)
    context.redis.rpush(queue.key, *queued)
    craft(context, "mail-last", [TELLS, None, [ID], {}])
    worker.work(burst=True)
    assert context.redis.get(told_by_job.TOLD_KEY) is not None
    note_failure(context, JobKind.MAIL, argument, [])


HOSTILE_TERMS = [
    {"retries_left": "3", "retry_intervals": '["x"]'},
    {"retries_left": "3", "retry_intervals": "[1e308]"},
    {"retries_left": "3", "retry_intervals": "[99999999999999]"},
    {"retries_left": "3", "retry_intervals": "[]"},
    {"retries_left": "3", "retry_intervals": '{"a": 1}'},
    {"retries_left": "100000", "retry_intervals": "[0]"},
    {"retries_left": "100000"},
    {"timeout": "99999999999999"},
    {"timeout": "-7"},
    {"failure_ttl": "9" * 30, "ttl": "9" * 30, "number_of_retries": "9" * 30},
]


@pytest.mark.parametrize("terms", HOSTILE_TERMS, ids=str)
def test_a_job_is_tried_again_on_the_terms_of_the_product(
    context: Context, worker: AppWorker, terms: dict[str, str]
) -> None:
    craft(context, "crafted", [FAILS, None, [ID], {}], **terms)
    craft(context, "last", [TELLS, None, [ID], {}])
    worker.work(burst=True)
    queue = open_queue(context.redis)
    assert context.redis.get(told_by_job.TOLD_KEY) is not None and queue.count == 0
    registry = queue.scheduled_job_registry if "retries_left" in terms else queue.failed_job_registry
    [(_, due)] = context.redis.zrange(registry.key, 0, -1, withscores=True)
    assert due <= time.time() + FAILURE_TTL
    job = AppJob.fetch("crafted", context.redis, JSONSerializer)
    assert job.retries_left in (None, *range(len(RETRY_INTERVALS)))


def test_a_job_is_removed_by_two_at_once(context: Context) -> None:
    craft(context, "crafted", [TELLS, None, [ID], {}])
    one, other = (AppJob.fetch("crafted", context.redis, JSONSerializer) for _ in range(2))
    one.delete()
    other.delete()
    craft(context, "crafted", [TELLS, None, [ID], {}])
    context.redis.hdel("rq:job:crafted", "status")
    AppJob.fetch("crafted", context.redis, JSONSerializer).delete()
    assert not context.redis.exists("rq:job:crafted") and open_queue(context.redis).count == 0


@pytest.mark.parametrize("former", sorted(FORMER_RUNNERS))
def test_a_job_of_an_earlier_version_is_run(context: Context, former: str) -> None:
    craft(context, "export-1", [former, None, [ID], {}])
    job = AppJob.fetch("export-1", context.redis, JSONSerializer)
    assert job_refusal(job, RUNNABLE) is None and job.func_name == RUNNER


def test_what_the_product_queues_is_what_workers_run() -> None:
    assert {RUNNER} == RUNNABLE
