"""What is due and left alone is seen; what is leased, queued or soon to be queued is not."""

from __future__ import annotations

import time
import uuid

import pytest
from rq.job import JobStatus

from core.models import Run
from core.queue import open_queue
from lab.faults.watch import Watch
from services.context import Context
from services.recovery.kinds import RUNS, UPLOADS
from services.recovery.work import queue_rows, take_lease
from tests.support import factories

#: Longer than a lease and a minute.
_LONG = 80.0


def stuck(context: Context, seconds: float = _LONG) -> set[str]:
    """What two looks see, of which the second comes so much later."""
    watch = Watch(str(context.settings.database_url), str(context.settings.redis_url))
    watch._look(0.0)
    watch._look(seconds)
    return {name.split()[0] for name in watch.seen.stuck}


@pytest.fixture
def upload(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        found: uuid.UUID = factories.make_upload(session, status="stored").id
    return found


def test_a_file_that_nobody_works_on(context: Context, upload: uuid.UUID) -> None:
    assert stuck(context) == {"file"}
    assert stuck(context, _LONG / 2) == set()


def test_a_file_that_is_queued_or_leased(context: Context, upload: uuid.UUID) -> None:
    queue_rows(context, UPLOADS, upload)
    assert stuck(context) == set()
    context.redis.flushdb()
    assert take_lease(context, UPLOADS, upload) is not None
    assert stuck(context) == set()


def test_a_job_that_is_to_come(context: Context, upload: uuid.UUID) -> None:
    queue_rows(context, UPLOADS, upload)
    queue = open_queue(context.redis)
    (job_id,) = queue.job_ids
    queue.fetch_job(job_id).set_status(JobStatus.SCHEDULED)
    context.redis.delete(queue.key)
    for later, expected in ((20, set()), (3 * 3600, {"file"})):
        context.redis.zadd(queue.scheduled_job_registry.key, {job_id: time.time() + later})
        assert stuck(context) == expected


def test_runs_that_wait_for_others(context: Context) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(session)
        runs = [
            factories.make_run(
                session,
                factories.make_submission(session, upload, chunk_index=index, status="processing"),
                status=status,
            ).run_id
            for index, status in enumerate(("read", "queued"))
        ]
    assert stuck(context) == {"run"}
    queue_rows(context, RUNS, runs[1])
    assert stuck(context) == set()
    with context.database.session() as session:
        session.get_one(Run, runs[1]).status = "settled"
    assert stuck(context) == {"read"}
