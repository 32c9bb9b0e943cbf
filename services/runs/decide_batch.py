"""Decide together all entries of a batch, and begin those anew that went on before the others were read."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import func, select, update

from core.errors import AppError, NotFoundError
from core.lease import Lease
from core.log import get_logger
from core.models import Run, Submission, UploadBatch
from pipeline.together.change import Member
from services.context import Context
from services.notices.tell_batches import tell_batches
from services.recovery.kinds import BATCHES, RESTS
from services.recovery.work import enqueue, keeping, take
from services.runs.anew import by_machine, hand_on, read_anew
from services.runs.members_together import changes_among, first_reading

log = get_logger(__name__)


def decide_batch(context: Context, batch_id: uuid.UUID) -> list[str]:
    """Run the joint pass over a batch of which nothing is under way; return the ids of the runs to queue.

    Every entry takes part. One that the pass changes gets a next run, which completes nothing, unless a person has
    it open or has done anything to it. Safe to repeat: an entry that has the changes already is left unchanged.
    Returns an empty list if the pass is not due or another worker has the batch.
    """
    lease = take(context, BATCHES, batch_id)
    if lease is None:
        return []
    with keeping(context, lease):
        due = _due_runs(context, batch_id)
        begun = _begin_anew(context, lease)
        with context.database.session() as session:
            batch = lease.hold(session)
            batch.together_attempts, batch.together_at = 0, func.now()
            session.execute(update(Run).where(Run.run_id.in_(due)).values(batch_due=False))
    return begun


def decide_batch_and_tell(context: Context, batch_id: uuid.UUID) -> None:
    """Run the joint pass, queue the runs that it begins, and tell who wants to know that an upload is finished."""
    enqueue(context, RESTS, *decide_batch(context, batch_id))
    tell_batches(context, batch_id)


def fail_batch(context: Context, batch_id: uuid.UUID, error: AppError) -> None:
    """Give up the pass until more of the batch is read; each entry stands as its file's pass has decided it."""
    due = _due_runs(context, batch_id)
    log.warning("batch_not_decided", batch_id=str(batch_id), code=error.code, runs=len(due))
    with context.database.session() as session:
        session.execute(update(UploadBatch).where(UploadBatch.id == batch_id).values(together_attempts=0))
        session.execute(update(Run).where(Run.run_id.in_(due)).values(batch_due=False))


def _due_runs(context: Context, batch_id: uuid.UUID) -> Sequence[str]:
    """Return the runs for which the pass is due; one that comes to be later makes it due again."""
    runs = select(Run.run_id).join(Submission, Submission.id == Run.submission_id)
    with context.database.session() as session:
        return session.scalars(runs.where(Submission.batch_id == batch_id, Run.batch_due)).all()


def _begin_anew(context: Context, lease: Lease[UploadBatch]) -> list[str]:
    """Begin a next run of each entry that the pass changes, in short transactions, which hold up nobody."""
    runs, members = _members(context, lease.key)
    begun = []
    for run_id, found in sorted(changes_among(context, lease.key, members).items()):
        run = runs[run_id]
        if _values(found) == _values(run.together or ()):
            continue
        hand_on(context.store, run)
        with context.database.session() as session:
            lease.hold(session)
            begun.append(read_anew(session, run_id, _told(found, run.together or ()), reopened=True))
    return [run_id for run_id in begun if run_id is not None]


def _members(context: Context, batch_id: uuid.UUID) -> tuple[dict[str, Run], dict[str, Member]]:
    """Return the runs of the entries that no person has done anything to, and what each was read as at first.

    Where that is no longer known, the entry only counts, with the values that it has.
    """
    with context.database.session() as session:
        found = session.execute(
            select(Run, Submission.upload_id)
            .join(Submission, Submission.id == Run.submission_id)
            .where(Run.run_id.in_(by_machine(session, Submission.batch_id == batch_id)))
        ).all()
    runs, members = {}, {}
    for run, upload_id in found:
        try:
            record, _ = first_reading(context.store, run)
        except NotFoundError:
            log.info("first_reading_not_kept", run_id=run.run_id)
            continue
        runs[run.run_id] = run
        members[run.run_id] = Member(record, str(upload_id))
    return runs, members


def _values(changes: Collection[dict[str, Any]]) -> set[tuple[str, str, str]]:
    """Return what changes do to values. How many others have a value so may change by itself."""
    return {(change["field"], change["before"], change["after"]) for change in changes}


def _told(changes: Sequence[dict[str, Any]], had: Collection[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the changes so that those which the entry has not had yet are shown to a person, even if carried."""
    known = _values(had)
    return [change if _values([change]) <= known else {**change, "carried": False} for change in changes]
