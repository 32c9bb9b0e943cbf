"""Try failed work again, one piece or all of a kind."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy.exc import NoResultFound

from core.errors import ConflictError, NotFailedError, NotFoundError
from core.models import SecurityEventKind
from core.work import JobKind, Work, function_of
from services.context import Context
from services.queue.failed_work import failed_work
from services.queue.lost_jobs import lost_jobs
from services.recovery.kinds import WORK
from services.recovery.work import put_on_queue
from services.security_events import record_event

#: Limit of work that one request tries again.
MOST_AT_ONCE = 500


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
    elif kind in WORK and WORK[kind].retries is not None:
        _try_again(context, actor_id, WORK[kind], key)
    else:
        raise NotFailedError


def _try_again(context: Context, actor_id: uuid.UUID, work: Work[Any], key: str) -> None:
    assert work.retries is not None
    person = [actor_id] if work.retried_by_person else []
    try:
        function_of(work.retries)(context, *person, work.key_of(key))
    except (ValueError, NoResultFound) as exc:
        raise NotFoundError("no such work") from exc


def _record(context: Context, actor_id: uuid.UUID, what: str, rows: int) -> None:
    with context.database.session() as session:
        record_event(session, SecurityEventKind.JOBS_RETRIED, actor_id=actor_id, what=what, rows=rows)
