"""Decide together the entries of one file that have been read, and let their runs go on."""

from __future__ import annotations

import uuid

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from core.errors import AppError
from core.lease import Lease
from core.models import Run, RunStatus, Submission, Upload
from services.context import Context
from services.recovery.kinds import TOGETHER
from services.recovery.work import keeping, take
from services.runs.anew import hand_on, read_anew, untouched
from services.runs.fail import fail_run
from services.runs.members_together import Changes, changes_of, has_others


def decide_together(context: Context, upload_id: uuid.UUID) -> list[str]:
    """Run the joint pass over a file whose entries are all read; return the ids of the runs to queue.

    Safe to repeat: runs that do not wait for the pass are left unchanged, and with them what a person has decided.
    An entry that was shown early and that the pass changes gets a next run, unless a person has come first.
    Returns an empty list if nothing waits or another worker has the file.
    """
    lease = take(context, TOGETHER, upload_id)
    if lease is None:
        return []
    with keeping(context, lease):
        with context.database.session() as session:
            waiting = _waiting(session, upload_id)
            shown = untouched(session, Run.shown_early, Submission.upload_id == upload_id)
        changes = changes_of(context, upload_id, [*waiting, *shown])
        of_shown = {run_id: changes[run_id] for run_id in shown if changes[run_id]}
        for run_id in of_shown:
            with context.database.session() as session:
                run = session.get_one(Run, run_id)
            hand_on(context.store, run)
        return _let_go_on(context, lease, {key: changes[key] for key in waiting}, of_shown)


def fail_together(context: Context, upload_id: uuid.UUID, error: AppError) -> None:
    """Mark the entries that wait for the pass as failed; read again, each waits for a new pass."""
    with context.database.session() as session:
        waiting = _waiting(session, upload_id)
        session.execute(update(Upload).where(Upload.id == upload_id).values(together_attempts=0))
        _end_showing(session, upload_id, batch_due=False)
    for run_id in waiting:
        fail_run(context, run_id, error)


def _waiting(session: Session, upload_id: uuid.UUID) -> list[str]:
    runs = select(Run.run_id).join(Submission, Submission.id == Run.submission_id)
    return list(session.scalars(runs.where(Submission.upload_id == upload_id, Run.status == RunStatus.READ.value)))


def _let_go_on(context: Context, lease: Lease[Upload], changes: Changes, of_shown: Changes) -> list[str]:
    """Store the changes and release the runs, all or none; a run that was superseded meanwhile is left alone."""
    with context.database.session() as session:
        lease.hold(session).together_attempts = 0
        batch_due = has_others(session, lease.key, [*changes, *_shown(session, lease.key)])
        won = [
            session.scalar(
                update(Run)
                .where(Run.run_id == run_id, Run.status == RunStatus.READ.value)
                .values(
                    status=RunStatus.QUEUED.value,
                    together=found,
                    batch_due=batch_due,
                    attempts=0,
                    enqueued_at=None,
                )
                .returning(Run.run_id)
            )
            for run_id, found in sorted(changes.items())
        ]
        won += [read_anew(session, run_id, found) for run_id, found in sorted(of_shown.items())]
        _end_showing(session, lease.key, batch_due)
    return [run_id for run_id in won if run_id is not None]


def _shown(session: Session, upload_id: uuid.UUID) -> list[str]:
    shown = select(Run.run_id).join(Submission, Submission.id == Run.submission_id)
    return list(session.scalars(shown.where(Submission.upload_id == upload_id, Run.shown_early)))


def _end_showing(session: Session, upload_id: uuid.UUID, batch_due: bool) -> None:
    """Record that the joint pass over the file has run for all that was shown early."""
    of_upload = select(Submission.id).where(Submission.upload_id == upload_id)
    session.execute(
        update(Run)
        .where(Run.shown_early, Run.submission_id.in_(of_upload))
        .values(shown_early=False, batch_due=batch_due)
    )
