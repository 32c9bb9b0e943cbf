"""Try failed work again, one piece or all of a kind."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping

from sqlalchemy.exc import NoResultFound

from core.errors import ConflictError, NotFailedError, NotFoundError
from core.models import SecurityEventKind
from services.bulk_changes.steer_change import retry_change
from services.context import Context
from services.exports.request_export import retry_export
from services.form_studio.begin_draft import retry_draft
from services.form_studio.samples import retry_sample
from services.library.change_document import retry_document
from services.mails.change_mail import retry_mail
from services.queue.failed_work import failed_work
from services.queue.kinds import WORK, JobKind
from services.queue.lost_jobs import lost_jobs
from services.recovery.work import put_on_queue
from services.reports.retry_report import retry_report
from services.runs.retry_run import retry_run
from services.security_events import record_event
from services.supervision.retry_supervision import retry_supervision
from services.uploads.retry_upload import retry_upload

#: Limit of work that one request tries again.
MOST_AT_ONCE = 500


def _retry_run(context: Context, actor_id: uuid.UUID, key: str) -> None:
    retry_run(context, actor_id, uuid.UUID(key.partition(":")[0]))


#: How work of each kind that has failed for good is tried again, by its key.
_RETRIES: Mapping[JobKind, Callable[[Context, uuid.UUID, str], object]] = {
    JobKind.UPLOAD: lambda context, actor_id, key: retry_upload(context, actor_id, uuid.UUID(key)),
    JobKind.RUN: _retry_run,
    JobKind.LIBRARY: lambda context, actor_id, key: retry_document(context, uuid.UUID(key)),
    JobKind.MEANING: lambda context, actor_id, key: retry_document(context, uuid.UUID(key)),
    JobKind.EXPORT: lambda context, actor_id, key: retry_export(context, uuid.UUID(key)),
    JobKind.MAIL: lambda context, actor_id, key: retry_mail(context, uuid.UUID(key)),
    JobKind.BLANK: lambda context, actor_id, key: retry_draft(context, uuid.UUID(key)),
    JobKind.SAMPLE: lambda context, actor_id, key: retry_sample(context, uuid.UUID(key)),
    JobKind.BULK: lambda context, actor_id, key: retry_change(context, uuid.UUID(key)),
    JobKind.REPORT: lambda context, actor_id, key: retry_report(context, actor_id, uuid.UUID(key)),
    JobKind.SUPERVISION: lambda context, actor_id, key: retry_supervision(context, actor_id, uuid.UUID(key)),
}


def retry_work(context: Context, actor_id: uuid.UUID, kind: JobKind, key: str) -> None:
    """Try one piece of failed work again.

    Raises NotFailedError where it has not failed, or not any more, and NotFoundError for a key of nothing.
    """
    _retry(context, actor_id, kind, key)
    _record(context, actor_id, kind.value, 1)


def retry_all(context: Context, actor_id: uuid.UUID, kind: JobKind | None) -> int:
    """Try all failed work of a kind again, or all there is; return how much, at most MOST_AT_ONCE."""
    found = [(work.kind, work.key) for work in failed_work(context, kind, MOST_AT_ONCE)]
    found += [(job.kind, job.key) for job in lost_jobs(context) if kind in (None, job.kind)]
    done = 0
    for of_kind, key in found[:MOST_AT_ONCE]:
        try:
            _retry(context, actor_id, of_kind, key)
        except (NotFailedError, NotFoundError, ConflictError):
            # Somebody was faster, or a supervision of the same report is under way.
            continue
        done += 1
    if done:
        _record(context, actor_id, kind.value if kind is not None else "", done)
    return done


def _retry(context: Context, actor_id: uuid.UUID, kind: JobKind, key: str) -> None:
    lost = next((job for job in lost_jobs(context) if (job.kind, job.key) == (kind, key)), None)
    if lost is not None:
        put_on_queue(context, WORK[kind], key, replace=True)
    elif kind in _RETRIES:
        try:
            _RETRIES[kind](context, actor_id, key)
        except (ValueError, NoResultFound) as exc:
            raise NotFoundError("no such work") from exc
    else:
        raise NotFailedError


def _record(context: Context, actor_id: uuid.UUID, what: str, rows: int) -> None:
    with context.database.session() as session:
        record_event(session, SecurityEventKind.JOBS_RETRIED, actor_id=actor_id, what=what, rows=rows)
