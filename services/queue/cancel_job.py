"""Take a job off the queue before a worker takes it."""

from __future__ import annotations

import uuid
from typing import ClassVar

from sqlalchemy import select

from core.error_codes import ErrorCode
from core.errors import AppError, ConflictError, NotFoundError
from core.messages import MessageCode
from core.models import PageRange, SecurityEventKind
from core.queue import forget_jobs
from services.context import Context
from services.exports.make_export import fail_export
from services.form_studio.read_blank import fail_blank
from services.form_studio.read_sample import fail_sample
from services.library.embed_document import fail_embedding
from services.library.read_document import fail_document
from services.messages.conflict import Conflict
from services.queue.kinds import CANCELLABLE, WORK, JobKind
from services.queue.lost_jobs import is_due
from services.reports.cancel_report import cancel_report
from services.runs.fail import fail_run, fail_upload
from services.runs.queue_passes import queue_passes
from services.security_events import record_event
from services.supervision.cancel_supervision import cancel_supervision

#: Kinds whose workers look whether they are to stop.
_STOP_BY_THEMSELVES = frozenset({JobKind.REPORT, JobKind.SUPERVISION})


class StoppedError(AppError):
    """An admin took the work off the queue."""

    code: ClassVar[MessageCode] = ErrorCode.STOPPED


def cancel_job(context: Context, actor_id: uuid.UUID, kind: JobKind, key: str) -> None:
    """Take a job off the queue and mark its row as failed, so that it can be tried again; a report is stopped.

    A report that a worker has in hand stops after its current step. Raises NotFoundError where there is no work,
    ConflictError where a worker has it in hand already.
    """
    if kind not in CANCELLABLE or not is_due(context, kind, key):
        raise NotFoundError("no such job")
    _stop(context, actor_id, kind, key)
    if is_due(context, kind, key) and kind not in _STOP_BY_THEMSELVES:
        raise ConflictError(Conflict.BEING_WORKED_ON)
    if not is_due(context, kind, key):
        forget_jobs(context.redis, [WORK[kind].job_id(key)])
    with context.database.session() as session:
        record_event(session, SecurityEventKind.JOB_CANCELLED, actor_id=actor_id, what=kind.value)


def _stop(context: Context, actor_id: uuid.UUID, kind: JobKind, key: str) -> None:
    error = StoppedError()
    if kind in (JobKind.RUN, JobKind.REST):
        fail_run(context, key, error)
        queue_passes(context, key)
    elif kind is JobKind.PAGES:
        fail_upload(context, _upload_of(context, uuid.UUID(key)), error)
    elif kind is JobKind.UPLOAD:
        fail_upload(context, uuid.UUID(key), error)
    elif kind is JobKind.LIBRARY:
        fail_document(context, uuid.UUID(key), error)
    elif kind is JobKind.MEANING:
        fail_embedding(context, uuid.UUID(key), error)
    elif kind is JobKind.EXPORT:
        fail_export(context, uuid.UUID(key), error)
    elif kind is JobKind.BLANK:
        fail_blank(context, uuid.UUID(key), error)
    elif kind is JobKind.SAMPLE:
        fail_sample(context, uuid.UUID(key), error)
    elif kind is JobKind.REPORT:
        cancel_report(context, actor_id, uuid.UUID(key))
    else:
        cancel_supervision(context, actor_id, uuid.UUID(key))


def _upload_of(context: Context, range_id: uuid.UUID) -> uuid.UUID:
    with context.database.session() as session:
        return session.scalars(select(PageRange.upload_id).where(PageRange.id == range_id)).one()
