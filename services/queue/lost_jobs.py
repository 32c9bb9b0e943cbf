"""Jobs that the queue gave up although their rows are still to be worked on; the reconciler queues these too."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Uuid, select

from core.queue.watch import job_facts, job_ids
from core.work import JobKind
from services.context import Context
from services.recovery.kinds import WORK
from services.recovery.work import kind_of

#: Limit of given up jobs that are looked at, the last ones.
_LOOKED_AT = 200


@dataclass(frozen=True)
class LostJob:
    """A job that ended without an end of its work."""

    kind: JobKind
    key: str
    queued_at: datetime | None
    #: Its masked traceback, as `core.queue.masked_error.as_text` gives it.
    error: str


def lost_jobs(context: Context) -> list[LostJob]:
    """Return the jobs that the queue gave up and whose work is due. Raises RedisError."""
    facts = job_facts(context.redis, job_ids(context.redis).failed[-_LOOKED_AT:])
    found = [LostJob(kind_of(job.id), job.key, job.queued_at, job.error) for job in facts.values()]
    return [job for job in found if job.kind in WORK and is_due(context, job.kind, job.key)]


def is_due(context: Context, kind: JobKind, key: str) -> bool:
    """Whether the row of a job has work to do."""
    work = WORK[kind]
    try:
        of_row = uuid.UUID(key) if isinstance(work.key.type, Uuid) else key
    except ValueError:
        # The job was not queued by this product.
        return False
    with context.database.session() as session:
        return session.scalar(select(work.key).where(work.key == of_row, work.due)) is not None
