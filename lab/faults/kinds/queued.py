"""Jobs that are on the queue twice, in another order, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from core.queue import QUEUE_NAME, RUNNER
from lab.faults.scene import Kind, Scene

_WAITING = f"rq:queue:{QUEUE_NAME}"
#: Every job there can be for an entry, whether it is due or not: its kind, and the key that it takes.
_JOBS = """
select 'upload', id::text from uploads
union all select 'run', run_id from runs
union all select 'together', id::text from uploads
union all select 'batch', id::text from upload_batches
union all select 'resume', id::text from escalations
"""
_AT_MOST = 60


@contextmanager
def _doubled(scene: Scene) -> Iterator[str]:
    """Under other ids, so that nothing holds them back but the leases."""
    wanted = _some(scene)
    with _queue(scene) as queue:
        for number, (kind, key) in enumerate(wanted * 2):
            _put(queue, key, f"{kind}-double-{scene.rng.randrange(1 << 30)}-{number}", at_front=number % 2 == 0)
    yield f"{2 * len(wanted)} jobs of work that is waiting, under way or done, each twice"


@contextmanager
def _out_of_order(scene: Scene) -> Iterator[str]:
    """Later jobs of an entry before the earlier ones."""
    wanted = sorted(_some(scene), key=lambda job: job[0] == "upload")
    with _queue(scene) as queue:
        turned = _reverse(queue.connection)
        for number, (kind, key) in enumerate(wanted):
            _put(queue, key, f"{kind}-early-{scene.rng.randrange(1 << 30)}-{number}", at_front=True)
    yield f"the {turned} waiting jobs turned round, {len(wanted)} jobs before their time in front of them"


@contextmanager
def _lost(scene: Scene) -> Iterator[str]:
    with _queue(scene) as queue:
        waiting = queue.connection.lrange(_WAITING, 0, -1)
        queue.connection.delete(_WAITING, *(b"rq:job:" + job_id for job_id in waiting))
    yield f"{len(waiting)} waiting jobs taken off the queue and forgotten"


def _some(scene: Scene) -> list[tuple[str, str]]:
    with psycopg.connect(scene.installation.postgres.dsn, connect_timeout=5) as connection:
        rows = [(str(row[0]), str(row[1])) for row in connection.execute(_JOBS).fetchall()]
    return scene.rng.sample(rows, min(_AT_MOST, len(rows)))


@contextmanager
def _queue(scene: Scene) -> Iterator[Any]:
    with Redis.from_url(scene.installation.valkey.url, socket_timeout=5) as client:
        yield Queue(QUEUE_NAME, connection=client, serializer=JSONSerializer)


def _put(queue: Any, key: str, job_id: str, at_front: bool) -> None:
    queue.enqueue_call(RUNNER, args=(key,), job_id=job_id, timeout=120, result_ttl=0, at_front=at_front)


def _reverse(client: Any) -> int:
    """Turn the waiting jobs round; those that come meanwhile stay in front."""
    waiting = client.lrange(_WAITING, 0, -1)
    for job_id in waiting:
        client.lrem(_WAITING, 1, job_id)
        client.lpush(_WAITING, job_id)
    return len(waiting)


QUEUED = (
    Kind("jobs_doubled", "every kind of job once more and again, beside the ones that are due", _doubled),
    Kind(
        "jobs_out_of_order", "the queue turned round, later jobs of entries before the earlier ones", _out_of_order
    ),
    Kind("jobs_lost", "the queue emptied behind the product's back", _lost),
)
