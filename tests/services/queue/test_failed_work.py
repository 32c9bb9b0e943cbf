"""What failed is listed with what went wrong, and tried again, one piece or all; a waiting job is cancelled."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import func, select, update

from core.config import Settings
from core.errors import ConflictError, NotFailedError, NotFoundError
from core.messages import Message
from core.models import JobFailure, LibraryDocument, Run, SecurityEvent, Submission, Upload
from core.queue import job_ids
from core.work import JobKind
from services.context import Context
from services.queue.failed_work import (
    KEPT,
    MAY_FAIL,
    failed_numbers,
    failed_work,
    forget_old_failures,
    note_failure,
)
from services.queue.jobs import cancel_job, lost_jobs, retry_all, retry_work
from services.recovery.kinds import WORK
from services.recovery.work import queue_rows, take_lease
from tests.support import factories
from tests.support.research import reports, supervisions
from tests.support.site import person

STORAGE = Message("storage_error")


def failed_upload(session: Any) -> str:
    return str(factories.make_upload(session, status="failed", error=STORAGE).id)


def failed_run(session: Any) -> str:
    return f"{factories.make_submission(session, status='failed', error=STORAGE).id}:1"


def failed_document(session: Any) -> str:
    name = uuid.uuid4()
    row = LibraryDocument(
        kind="book",
        original_filename="a.md",
        byte_size=1,
        sha256=name.hex * 2,
        storage_key=f"library/{name}",
        status="failed",
        error=STORAGE,
    )
    session.add(row)
    session.flush()
    return str(row.id)


def document_without_vectors(session: Any) -> str:
    name = uuid.uuid4()
    row = LibraryDocument(
        kind="book",
        original_filename="a.md",
        byte_size=1,
        sha256=name.hex * 2,
        storage_key=f"library/{name}",
        status="ready",
        embedding="failed",
        error=STORAGE,
    )
    session.add(row)
    session.flush()
    return str(row.id)


def failed_report(session: Any) -> str:
    return str(reports.make_running_report(session, status="failed", error_code="storage_error").id)


def failed_supervision(session: Any) -> str:
    row = supervisions.make_ended_supervision(session)
    row.status, row.ended_because, row.error_code = "failed", "error", "storage_error"
    session.flush()
    return str(row.id)


def failed_export(session: Any) -> str:
    return str(factories.make_export(session, status="failed", error_code="storage_error").id)


def failed_mail(session: Any) -> str:
    return str(factories.make_mail(session, state="failed", error_code="storage_error").id)


def failed_blank(session: Any) -> str:
    return str(factories.make_form_draft(session, status="failed", error=STORAGE).id)


def failed_sample(session: Any) -> str:
    return str(factories.make_form_sample(session, status="failed", error=STORAGE).id)


def failed_bulk_change(session: Any) -> str:
    return str(factories.make_bulk_change(session, status="failed", error_code="storage_error").id)


def failed_defaults(session: Any) -> str:
    return str(factories.make_batch_default(session, status="failed", error_code="storage_error").id)


FAILED: dict[JobKind, Callable[[Any], str]] = {
    JobKind.UPLOAD: failed_upload,
    JobKind.RUN: failed_run,
    JobKind.LIBRARY: failed_document,
    JobKind.MEANING: document_without_vectors,
    JobKind.EXPORT: failed_export,
    JobKind.MAIL: failed_mail,
    JobKind.BLANK: failed_blank,
    JobKind.SAMPLE: failed_sample,
    JobKind.DEFAULTS: failed_defaults,
    JobKind.BULK: failed_bulk_change,
    JobKind.REPORT: failed_report,
    JobKind.SUPERVISION: failed_supervision,
}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Supervision is only started where there is a model to ask."""
    return settings.model_copy(update={"groq_api_key": SecretStr("a key")})


@pytest.fixture
def admin(context: Context) -> uuid.UUID:
    return person(context, "admin").id


def failed(context: Context, kind: JobKind) -> str:
    with context.database.session() as session:
        return FAILED[kind](session)


def test_every_kind_that_may_fail_is_tried() -> None:
    assert FAILED.keys() == MAY_FAIL


@pytest.mark.parametrize("kind", list(FAILED))
def test_it_is_listed_and_tried_again_once(context: Context, admin: uuid.UUID, kind: JobKind) -> None:
    key = failed(context, kind)
    (found,) = failed_work(context)
    assert (found.kind, found.key, found.error, found.traceback) == (kind, key, STORAGE, ())
    assert {one for one, number in failed_numbers(context).items() if number} == {kind}
    retry_work(context, admin, kind, key)
    assert failed_work(context) == [] or kind is JobKind.SUPERVISION
    assert len(job_ids(context.redis).queued) == 1
    (event,) = context.database.scalars(select(SecurityEvent).where(SecurityEvent.kind == "jobs_retried"))
    assert event.actor_id == admin and event.details == {"what": kind.value, "rows": 1}
    with pytest.raises((NotFailedError, ConflictError)):
        retry_work(context, admin, kind, key)


@pytest.mark.parametrize("kind", list(WORK))
@pytest.mark.parametrize("key", ["", "nonsense", "0b0e7b52-6d6c-4b0c-9d55-0a6b7c1d7f1a"])
def test_what_is_not_there_is_not_tried(context: Context, admin: uuid.UUID, kind: JobKind, key: str) -> None:
    for act in (retry_work, cancel_job):
        with pytest.raises((NotFailedError, NotFoundError)):
            act(context, admin, kind, key)
    assert job_ids(context.redis).queued == []


def test_all_of_one_kind_or_all_there_is(context: Context, admin: uuid.UUID) -> None:
    for kind in (JobKind.UPLOAD, JobKind.UPLOAD, JobKind.RUN, JobKind.LIBRARY):
        failed(context, kind)
    assert retry_all(context, admin, JobKind.UPLOAD) == 2
    assert {kind for kind, number in failed_numbers(context).items() if number} == {JobKind.RUN, JobKind.LIBRARY}
    assert retry_all(context, admin, None) == 2
    assert retry_all(context, admin, None) == 0 and failed_work(context) == []


def test_the_last_failure_is_kept_with_its_row(context: Context) -> None:
    key = failed(context, JobKind.RUN)
    note_failure(context, JobKind.RUN, key, [{"kind": "KeyError", "code": None, "frames": []}])
    note_failure(context, JobKind.REST, key, [{"kind": "ValueError", "code": None, "frames": [["a.py", 1, "f"]]}])
    (found,) = failed_work(context)
    assert [error["kind"] for error in found.traceback] == ["ValueError"]
    with context.database.session() as session:
        (row,) = session.scalars(select(JobFailure))
        assert row.times == 2
        session.execute(update(JobFailure).values(failed_at=func.now() - KEPT - timedelta(seconds=1)))
        forget_old_failures(session)
        assert session.scalars(select(JobFailure)).all() == []


def test_the_newest_come_first(context: Context) -> None:
    keys = [failed(context, kind) for kind in (JobKind.UPLOAD, JobKind.RUN, JobKind.UPLOAD)]
    with context.database.session() as session:
        session.execute(
            update(Upload).where(Upload.id == keys[0]).values(updated_at=func.now() + timedelta(hours=1))
        )
        session.execute(update(Submission).values(updated_at=func.now() + timedelta(hours=2)))
    assert [work.key for work in failed_work(context)][:2] == [keys[1], keys[0]]
    assert [work.kind for work in failed_work(context, limit=1)] == [JobKind.RUN]


def queued_run(context: Context) -> str:
    with context.database.session() as session:
        run_id: str = factories.make_run(session, status="queued").run_id
    queue_rows(context, WORK[JobKind.RUN], run_id)
    return run_id


def test_a_waiting_job_is_cancelled_and_can_be_tried_again(context: Context, admin: uuid.UUID) -> None:
    run_id = queued_run(context)
    assert WORK[JobKind.RUN].stoppable
    cancel_job(context, admin, JobKind.RUN, run_id)
    assert job_ids(context.redis).queued == []
    (found,) = failed_work(context)
    assert found.error == Message("stopped")
    retry_work(context, admin, JobKind.RUN, found.key)
    assert len(job_ids(context.redis).queued) == 1


def test_a_job_that_a_worker_has_in_hand_is_not_cancelled(context: Context, admin: uuid.UUID) -> None:
    run_id = queued_run(context)
    assert take_lease(context, WORK[JobKind.RUN], run_id) is not None
    with pytest.raises(ConflictError):
        cancel_job(context, admin, JobKind.RUN, run_id)
    assert context.database.get_one(Run, run_id).status == "queued"
    assert len(job_ids(context.redis).queued) == 1


def test_what_the_queue_gave_up_is_listed_while_its_row_is_due(context: Context, admin: uuid.UUID) -> None:
    from rq.serializers import JSONSerializer

    from core.queue import AppJob, open_queue

    run_id = queued_run(context)
    (job_id,) = job_ids(context.redis).queued
    job = AppJob.fetch(job_id, connection=context.redis, serializer=JSONSerializer)
    queue = open_queue(context.redis)
    queue.remove(job)
    job.set_status("failed")
    with context.redis.pipeline() as pipeline:
        job._handle_failure("ValueError", pipeline)
        pipeline.execute()
    (lost,) = lost_jobs(context)
    assert (lost.kind, lost.key, lost.error) == (JobKind.RUN, run_id, "ValueError")
    retry_work(context, admin, JobKind.RUN, run_id)
    assert lost_jobs(context) == [] and job_ids(context.redis).queued == [job_id]
