"""Take a job off the queue before a worker takes it."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from core.error_codes import ErrorCode
from core.errors import AppError, ConflictError, NotFoundError
from core.messages import MessageCode
from core.models import SecurityEventKind
from core.queue import forget_jobs
from core.work import JobKind, Work, function_of
from services.context import Context
from services.messages.conflict import Conflict
from services.queue.lost_jobs import is_due
from services.recovery.kinds import WORK
from services.security_events import record_event


class StoppedError(AppError):
    """An admin took the work off the queue."""

    code: ClassVar[MessageCode] = ErrorCode.STOPPED


def cancel_job(context: Context, actor_id: uuid.UUID, kind: JobKind, key: str) -> None:
    """Take a job off the queue and mark its row as failed, so that it can be tried again; a report is stopped.

    A report that a worker has in hand stops after its current step. Raises NotFoundError where there is no work,
    ConflictError where a worker has it in hand already.
    """
    work = WORK.get(kind)
    if work is None or not work.stoppable or not is_due(context, kind, key):
        raise NotFoundError("no such job")
    _stop(context, actor_id, work, key)
    if is_due(context, kind, key) and work.stops is None:
        raise ConflictError(Conflict.BEING_WORKED_ON)
    if not is_due(context, kind, key):
        forget_jobs(context.redis, [work.job_id(key)])
    with context.database.session() as session:
        record_event(session, SecurityEventKind.JOB_CANCELLED, actor_id=actor_id, what=kind.value)


def _stop(context: Context, actor_id: uuid.UUID, work: Work[Any], key: str) -> None:
    if work.stops is not None:
        function_of(work.stops)(context, actor_id, work.key_of(key))
    elif work.fails is not None:
        function_of(work.fails)(context, work.key_of(key), StoppedError())
