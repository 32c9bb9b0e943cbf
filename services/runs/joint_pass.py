"""Run the joint pass over the entries of an upload, and decide changed entries again."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.errors import AppError, NotFoundError
from core.file_store import FileStore
from core.lease import Lease
from core.models import EventKind, ReviewEvent, Run, RunStatus, Submission, SubmissionStatus, Upload, UploadBatch
from core.tracing.log import get_logger
from pipeline.joint_pass.votes import Member
from pipeline.orchestrator.artifacts import artifact_dir_of, store_reading
from services.audit import event
from services.context import Context
from services.items.holds import is_open
from services.mails.notices import tell_batches
from services.recovery.kinds import BATCHES, RESTS, TOGETHER
from services.recovery.work import keeping, queue_rows, take_lease
from services.runs.inputs import Changes, changes_among, first_reading, has_others, joint_changes_of
from services.runs.settle import fail_run, supersede_run

log = get_logger(__name__)


def decide_batch(context: Context, batch_id: uuid.UUID) -> list[str]:
    """Run the joint pass over a batch that no worker works on; return the ids of the runs to queue.

    Every entry takes part. One that the pass changes gets a next run, which completes nothing, unless a person has
    it open or has done anything to it. Safe to repeat: an entry that has the changes already is left unchanged.
    Returns an empty list if the pass is not due or another worker has the batch.
    """
    lease = take_lease(context, BATCHES, batch_id)
    if lease is None:
        return []
    with keeping(context, lease):
        due = _due_runs(context, batch_id)
        begun = _begin_anew(context, lease)
        with context.database.session() as session:
            session.execute(update(Run).where(Run.run_id.in_(due)).values(batch_due=False))
            batch = lease.hold(session)
            batch.together_attempts, batch.together_at = 0, func.now()
    return begun


def decide_batch_and_tell(context: Context, batch_id: uuid.UUID) -> None:
    """Run the joint pass, queue the runs that it begins, and send the notices of a finished upload."""
    queue_rows(context, RESTS, *decide_batch(context, batch_id))
    tell_batches(context, batch_id)


def fail_batch(context: Context, batch_id: uuid.UUID, error: AppError) -> None:
    """Give up the pass until more of the batch is read; entries stay as their files' passes decided them."""
    due = _due_runs(context, batch_id)
    log.warning("batch_not_decided", batch_id=str(batch_id), code=error.code, runs=len(due))
    with context.database.session() as session:
        session.execute(update(Run).where(Run.run_id.in_(due)).values(batch_due=False))
        session.execute(update(UploadBatch).where(UploadBatch.id == batch_id).values(together_attempts=0))


def _due_runs(context: Context, batch_id: uuid.UUID) -> Sequence[str]:
    """Return the runs for which the pass is due; a later one makes it due again."""
    runs = select(Run.run_id).join(Submission, Submission.id == Run.submission_id)
    return context.database.scalars(runs.where(Submission.batch_id == batch_id, Run.batch_due))


def _begin_anew(context: Context, lease: Lease[UploadBatch]) -> list[str]:
    """Begin a next run of each entry that the pass changes, in short transactions."""
    runs, members = _members(context, lease.key)
    begun = []
    for run_id, found in sorted(changes_among(context, lease.key, members).items()):
        run = runs[run_id]
        if _values(found) == _values(run.together or ()):
            continue
        hand_on(context.store, run)
        with context.database.session() as session:
            begun.append(read_anew(session, run_id, _told(found, run.together or ()), reopened=True))
            # The entry before its batch; without the lease nothing of it is written.
            lease.hold(session)
    return [run_id for run_id in begun if run_id is not None]


def _members(context: Context, batch_id: uuid.UUID) -> tuple[dict[str, Run], dict[str, Member]]:
    """Return the runs of the entries that no person has touched, and the first reading of each.

    An entry whose first reading is gone is not changed, but its present values count.
    """
    with context.database.reading() as session:
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
    """Return the effects of changes on values, without the number of other entries that have the value."""
    return {(change["field"], change["before"], change["after"]) for change in changes}


def _told(changes: Sequence[dict[str, Any]], had: Collection[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the changes, marked so that new ones are shown to a person, even if carried."""
    known = _values(had)
    return [change if _values([change]) <= known else {**change, "carried": False} for change in changes]


def decide_together(context: Context, upload_id: uuid.UUID) -> list[str]:
    """Run the joint pass over a file whose entries are all read; return the ids of the runs to queue.

    Safe to repeat: runs that do not wait for the pass, and people's decisions on them, are left unchanged. An
    entry that was shown early and that the pass changes gets a next run, unless a person was first.
    Returns an empty list if nothing waits or another worker has the file.
    """
    lease = take_lease(context, TOGETHER, upload_id)
    if lease is None:
        return []
    with keeping(context, lease):
        with context.database.reading() as session:
            waiting = _waiting(session, upload_id)
            shown = untouched(session, Run.shown_early, Submission.upload_id == upload_id)
        changes = joint_changes_of(context, upload_id, [*waiting, *shown])
        of_shown = {run_id: changes[run_id] for run_id in shown if changes[run_id]}
        for run_id in of_shown:
            run = context.database.get_one(Run, run_id)
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
    """Store the changes and release the runs, all or none; a run that was superseded meanwhile is unchanged."""
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


def fail_run_and_queue_passes(context: Context, run_id: str, error: AppError) -> None:
    """Mark a run as failed; the other entries of its file and its batch no longer wait for it."""
    fail_run(context, run_id, error)
    queue_passes(context, run_id)


def queue_passes(context: Context, run_id: str) -> None:
    """Queue the joint pass over the run's file, or its batch, if it is due because everything is read."""
    submission = select(Submission).join(Run, Run.submission_id == Submission.id).where(Run.run_id == run_id)
    with context.database.reading() as session:
        came = session.scalar(submission)
        if came is None:
            # The entry was erased. The reconciler finds what waited for it.
            return
        upload_id = session.scalar(select(Upload.id).where(Upload.id == came.upload_id, TOGETHER.due))
        batch_id = session.scalar(select(UploadBatch.id).where(UploadBatch.id == came.batch_id, BATCHES.due))
    if upload_id is not None:
        queue_rows(context, TOGETHER, upload_id)
    if batch_id is not None:
        queue_rows(context, BATCHES, batch_id)


# Entries that continued before a joint pass knew all others: begun again with the pass's changes.
#
# Only entries that no person has open or has touched begin again, with the stored reading; no page is read again.


_WENT_ON = (SubmissionStatus.COMPLETED.value, SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)
Condition = ColumnElement[bool] | InstrumentedAttribute[bool]
#: Events about a batch or its date of receipt: they decide nothing about an entry's values.
_OF_BATCH = (EventKind.DEFAULTS_CHANGED.value, EventKind.RECEIVED_CHANGED.value)
_STOPPED = (RunStatus.SETTLED.value, RunStatus.INTERRUPTED.value)


def by_machine(session: Session, *where: Condition) -> list[str]:
    """Return the latest runs of entries that continued and that no person has touched."""
    return list(session.scalars(_went_on().where(~_by_person(), *where)))


def untouched(session: Session, *where: Condition) -> list[str]:
    """Return those of `by_machine` whose entries no person has open either."""
    return by_machine(session, ~is_open(), *where)


def read_anew(
    session: Session, run_id: str, changes: list[dict[str, Any]], *, reopened: bool = False
) -> str | None:
    """Start the next run of an entry that continued, with the changes of the pass; return that run's id.

    The next run completes nothing if it is `reopened`. Returns None, and changes nothing, if a person was first.
    The reading must have been stored with `hand_on`.
    """
    submission_id, _, _ = run_id.rpartition(":")
    # In the order of a decision: entry, run, item.
    session.get_one(Submission, uuid.UUID(submission_id), with_for_update={"key_share": True})
    run = session.scalar(
        select(Run)
        .where(Run.run_id.in_(_went_on().where(Run.run_id == run_id, ~_by_person(), ~is_open())))
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    if run is None:
        return None
    submission = session.get_one(Submission, run.submission_id, populate_existing=True)
    return begin_following(session, submission, run, changes, reopened)


def begin_following(
    session: Session, submission: Submission, run: Run, changes: list[dict[str, Any]] | None, reopened: bool
) -> str:
    """Begin the entry's next run in place of this one, with changes of a joint pass; return that run's id.

    Both rows are locked; the reading must have been stored with `hand_on`.
    """
    following = supersede_run(session, submission, run, run.options)
    following.together, following.reopened = changes, reopened
    session.add(event(submission, "read_again"))
    return following.run_id


def hand_on(store: FileStore, run: Run) -> None:
    """Store the first reading of a run as that of the entry's next run; safe to repeat. Raises NotFoundError."""
    record, report = first_reading(store, run)
    folder = artifact_dir_of(run.submission_id, run.run_no + 1)
    store_reading(store, record.model_copy(update={"artifact_dir": folder}), report)


def _went_on() -> Select[str]:
    return (
        select(Run.run_id)
        .join(Submission, Submission.id == Run.submission_id)
        .where(Run.status.in_(_STOPPED), Run.run_no == Submission.run_no, Submission.status.in_(_WENT_ON))
    )


def _by_person() -> ColumnElement[bool]:
    return (
        select(ReviewEvent.id)
        .where(
            ReviewEvent.submission_id == Submission.id,
            ReviewEvent.actor_id.is_not(None),
            ReviewEvent.kind.not_in(_OF_BATCH),
        )
        .exists()
    )
