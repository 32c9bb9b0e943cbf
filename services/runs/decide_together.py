"""Decide together the entries of one file that have been read, and let their runs go on."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from core.errors import AppError
from core.lease import Lease
from core.models import Run, RunStatus, Submission, Upload
from services.context import Context
from services.recovery.kinds import TOGETHER
from services.recovery.work import keeping, take
from services.runs.fail import fail_run
from services.runs.members_together import changes_of


def decide_together(context: Context, upload_id: uuid.UUID) -> list[str]:
    """Run the joint pass over a file whose entries are all read; return the ids of the runs to queue.

    Safe to repeat: runs that do not wait for the pass are left unchanged, and with them what a person has decided.
    Returns an empty list if nothing waits or another worker has the file.
    """
    lease = take(context, TOGETHER, upload_id)
    if lease is None:
        return []
    with keeping(context, lease):
        with context.database.session() as session:
            waiting = _waiting(session, upload_id)
        return _let_go_on(context, lease, changes_of(context, upload_id, waiting))


def fail_together(context: Context, upload_id: uuid.UUID, error: AppError) -> None:
    """Mark the entries that wait for the pass as failed; read again, each waits for a new pass."""
    with context.database.session() as session:
        waiting = _waiting(session, upload_id)
        session.execute(update(Upload).where(Upload.id == upload_id).values(together_attempts=0))
    for run_id in waiting:
        fail_run(context, run_id, error)


def _waiting(session: Session, upload_id: uuid.UUID) -> list[str]:
    runs = select(Run.run_id).join(Submission, Submission.id == Run.submission_id)
    return list(session.scalars(runs.where(Submission.upload_id == upload_id, Run.status == RunStatus.READ.value)))


def _let_go_on(context: Context, lease: Lease[Upload], changes: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Store the changes and release the runs, all or none; a run that was superseded meanwhile is left alone."""
    with context.database.session() as session:
        lease.hold(session).together_attempts = 0
        won = [
            session.scalar(
                update(Run)
                .where(Run.run_id == run_id, Run.status == RunStatus.READ.value)
                .values(status=RunStatus.QUEUED.value, together=found, attempts=0, enqueued_at=None)
                .returning(Run.run_id)
            )
            for run_id, found in sorted(changes.items())
        ]
    return [run_id for run_id in won if run_id is not None]
