"""Values given to all entries of an upload: put in force at once, given by a worker, stopped, taken back."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from core.config import Settings
from core.errors import ConflictError, InvalidInputError, NotFailedError, NotFoundError
from core.lease import Lease
from core.messages import Message
from core.models import BatchDefault, BatchDefaultStatus, Run, Submission, SubmissionStatus
from core.models.base import error_columns
from pipeline.supabase_db import fill_defaults, get_record_by_id
from pipeline.validate import LANGUAGE, can_approve_record, with_missing_codes
from pipeline.validation.policy import Policy
from services.accounts.person import Person
from services.audit import event, tell_values
from services.batches.default_values import (
    Effect,
    PlannedSubmission,
    batch_to_change,
    checked_defaults,
    plan_defaults,
    visible_batch,
)
from services.context import Context
from services.entries.decision import hand_down, latest_run, lock_entry, tell_items
from services.items.holds import is_open
from services.messages.entries import BatchConflict, BatchEvent, BatchRefused
from services.messages.office import ListRefused
from services.recovery.kinds import BATCH_DEFAULTS, RUNS
from services.recovery.work import queue_rows, run_step, update_and_queue
from services.runs.inputs import end_answered
from services.runs.joint_pass import hand_on, read_anew
from services.runs.settle import ask_for_missing
from services.seasons import defaults_by, give_defaults, hold_said, latest_row, require_open, season_policy


def apply_defaults(
    context: Context, person: Person, batch_id: uuid.UUID, typed: Mapping[str, str], version: int
) -> uuid.UUID:
    """Put the values in force, have a worker give them to the entries that take them, and return the change's id.

    `version` is what the person saw. Entries that nobody has decided on are decided anew with their stored
    reading. Applying the same again reaches what was missed. Raises NotFoundError, ConflictError, also while a
    worker still gives values to this batch, and InvalidInputError if nothing would change or the season is closed.
    """
    with context.database.session() as session:
        batch = batch_to_change(session, person, batch_id)
        given = checked_defaults(session, batch.season_id, typed)
        row = latest_row(session, batch_id)
        if version != (row.version if row else 0):
            raise ConflictError(BatchConflict.DEFAULTS_CHANGED)
        if row is not None and row.status == BatchDefaultStatus.APPLYING:
            raise ConflictError(BatchConflict.DEFAULTS_UNDER_WAY)
        if given != (row.given if row else {}):
            row = give_defaults(session, batch, person.id, given, version)
        elif row is None or not any(one.changes for one in plan_defaults(session, batch_id, given)):
            raise InvalidInputError(BatchRefused.NOTHING_TO_APPLY)
        _begin(row, person)
    queue_rows(context, BATCH_DEFAULTS, row.id)
    return row.id


def undo_defaults(context: Context, person: Person, batch_id: uuid.UUID, change_id: uuid.UUID) -> None:
    """Put the values before a change in force again, for every entry that has those of the change.

    A worker that still gives these stops. Raises NotFoundError, ConflictError if the change is no longer the
    latest one, and InvalidInputError if the season is closed.
    """
    with context.database.session() as session:
        batch = batch_to_change(session, person, batch_id)
        latest = latest_row(session, batch_id)
        if latest is None or latest.id != change_id or latest.undoes is not None:
            raise ConflictError(BatchConflict.DEFAULTS_TAKEN_BACK)
        if latest.status == BatchDefaultStatus.APPLYING:
            latest.status = BatchDefaultStatus.STOPPED.value
        before = session.scalar(
            select(BatchDefault.given).where(
                BatchDefault.batch_id == batch_id, BatchDefault.version == latest.version - 1
            )
        )
        row = give_defaults(session, batch, person.id, dict(before or {}), latest.version, undoes=latest.id)
        _begin(row, person)
    queue_rows(context, BATCH_DEFAULTS, row.id)


def stop_defaults(context: Context, person: Person, batch_id: uuid.UUID, change_id: uuid.UUID) -> None:
    """Let the worker stop after the entry in hand. Raises NotFoundError, ConflictError if it is not under way."""
    with context.database.reading() as session:
        visible_batch(session, person, batch_id)
    under_way = (
        BatchDefault.id == change_id,
        BatchDefault.batch_id == batch_id,
        BatchDefault.status == BatchDefaultStatus.APPLYING.value,
    )
    if not update_and_queue(context, BATCH_DEFAULTS, under_way, {"status": BatchDefaultStatus.STOPPED.value}):
        raise ConflictError(ListRefused.NOT_WORKING)


def retry_defaults(context: Context, change_id: uuid.UUID) -> None:
    """Go on with a change that failed, where it ended, if it is still the latest. Raises NotFailedError."""
    later = aliased(BatchDefault)
    followed = select(later.id).where(
        later.batch_id == BatchDefault.batch_id, later.version > BatchDefault.version
    )
    failed = (
        BatchDefault.id == change_id,
        BatchDefault.status == BatchDefaultStatus.FAILED.value,
        ~followed.exists(),
    )
    begun = {"status": BatchDefaultStatus.APPLYING.value, **error_columns(None)}
    if not update_and_queue(context, BATCH_DEFAULTS, failed, begun, replace=True):
        raise NotFailedError(ListRefused.NOT_FAILED)


def _begin(row: BatchDefault, person: Person) -> None:
    row.status, row.applied_by = BatchDefaultStatus.APPLYING.value, person.id
    row.items_total, row.items_done, row.reached, row.held = None, 0, 0, 0
    row.attempts, row.enqueued_at, row.error = 0, None, None


def run_defaults(context: Context, change_id: uuid.UUID) -> bool:
    """Give the values; return False if there was nothing to do. Raises LeaseLostError."""
    return run_step(context, BATCH_DEFAULTS, change_id, {BatchDefaultStatus.APPLYING.value: _give})


@dataclass(frozen=True)
class _Giving:
    """A change of the values of a batch, and what all of its entries have in common."""

    actor_id: uuid.UUID
    taken_back: bool
    way: Message
    #: The season's, made once: it looks through every entry for the schools that these teach.
    policy: Policy

    def told(self, changes: Mapping[str, str | None]) -> Message:
        """Return what the history of an entry says of these changes."""
        code = BatchEvent.TAKEN_BACK if self.taken_back else BatchEvent.GIVEN
        return Message.of(code, fields=sorted(changes))


def _giving(session: Session, settings: Settings, change: BatchDefault, actor_id: uuid.UUID) -> _Giving:
    way = defaults_by(session, change.given, change.applied_by or change.given_by).way
    return _Giving(actor_id, change.undoes is not None, way, season_policy(session, change.season_id, settings))


class _Reached(StrEnum):
    """What came of one entry that was to change."""

    CHANGED = "changed"
    #: Somebody has it open.
    HELD = "held"
    #: Somebody has decided or erased it, or typed all of the values, or it is being read.
    MISSED = "missed"


def _give(context: Context, lease: Lease[BatchDefault]) -> None:
    """Raises InvalidInputError where the season was closed meanwhile; what was given by then stands."""
    with context.database.session() as session:
        change = lease.hold(session)
        assert change.applied_by is not None, "somebody applied it"
        giving = _giving(session, context.settings, change, change.applied_by)
        planned = [one for one in plan_defaults(session, change.batch_id, change.given) if one.changes]
        # Of an attempt that ended in the middle, those that changed do not change again.
        change.items_done, change.held = change.reached, 0
        change.items_total = change.reached + len(planned)
    for one in planned:
        if not _given(context, lease, giving, one):
            return
    with context.database.session() as session:
        change = lease.hold(session)
        if change.status == BatchDefaultStatus.APPLYING:
            change.status = BatchDefaultStatus.DONE.value


def _given(context: Context, lease: Lease[BatchDefault], giving: _Giving, planned: PlannedSubmission) -> bool:
    """Give one entry its values and note what came of it; False if that was stopped. Raises LeaseLostError."""
    anew = _handed_on(context, planned.id) if set(planned.changes) != {LANGUAGE} else None
    following: str | None = None
    with context.database.session() as session:
        try:
            submission = lock_entry(session, planned.id)
            # Its run is locked before the change, in the order of `lock_entry`.
            latest_run(session, submission)
        except NotFoundError:
            submission = None
        change = lease.hold(session)
        if change.status != BatchDefaultStatus.APPLYING:
            return False
        require_open(session, change.season_id)
        reached = _Reached.MISSED
        if submission is not None:
            # Somebody may have typed a value since it was planned.
            again = plan_defaults(session, change.batch_id, change.given, submission.id)
            changes = again[0].changes if again else {}
            reached, following = _reached(session, giving, submission, changes, anew)
        change.items_done += 1
        change.reached += reached is _Reached.CHANGED
        change.held += reached is _Reached.HELD
    if following is not None:
        queue_rows(context, RUNS, following)
    return True


def _reached(
    session: Session, giving: _Giving, submission: Submission, changes: Mapping[str, str | None], anew: Run | None
) -> tuple[_Reached, str | None]:
    """Give the entry, which is locked, these values as planned since; nothing that a person typed changes.

    What no person has touched is decided anew from its stored reading, by the run that is returned. Otherwise, and
    where that is not kept, the values are written, and the entry waits on.
    """
    if not changes:
        return _Reached.MISSED, None
    if session.scalar(select(is_open()).where(Submission.id == submission.id)):
        return _Reached.HELD, None
    if anew is not None and set(changes) != {LANGUAGE} and anew.run_id == f"{submission.id}:{submission.run_no}":
        following = read_anew(session, anew.run_id, anew.together or [], reopened=anew.reopened)
        if following is not None:
            session.add(event(submission, "defaults_changed", giving.actor_id, message=giving.told(changes)))
            return _Reached.CHANGED, following
    _write(session, giving, submission, changes)
    return _Reached.CHANGED, None


def _handed_on(context: Context, submission_id: uuid.UUID) -> Run | None:
    """Return the entry's run whose reading its next run can begin with; None where that is not kept.

    One that was shown before the joint pass is to be decided anew by that pass alone.
    """
    latest = func.concat(Submission.id, ":", Submission.run_no)
    run = context.database.scalar(
        select(Run).join(Submission, Run.run_id == latest).where(Submission.id == submission_id)
    )
    if run is None or run.shown_early or run.together is None:
        return None
    try:
        hand_on(context.store, run)
    except NotFoundError:
        return None
    return run


def brought_back(
    session: Session, settings: Settings, submission: Submission, actor_id: uuid.UUID, before: str, told: Message
) -> None:
    """Tell that an undo has restored the entry, which is locked, and renew its defaults; `before`: its status."""
    session.add(event(submission, "undone", actor_id, before=before, after=submission.status, message=told))
    stood = submission.version
    renew_defaults(session, settings, submission, actor_id)
    hand_down(session, submission, stood)


def renew_defaults(session: Session, settings: Settings, submission: Submission, actor_id: uuid.UUID) -> None:
    """Give the entry, which is locked, what is in force now in place of defaults that stood while it was out."""
    hold_said(session, submission.batch_id)
    change = latest_row(session, submission.batch_id)
    if change is None:
        return
    planned = plan_defaults(session, submission.batch_id, change.given, submission.id)
    changes = {
        one.name: one.after
        for plan in planned
        for one in plan.values
        if one.effect is Effect.CHANGES and one.before is not None
    }
    if changes:
        _write(session, _giving(session, settings, change, actor_id), submission, changes)


def _write(session: Session, giving: _Giving, submission: Submission, changes: Mapping[str, str | None]) -> None:
    told = giving.told(changes)
    if LANGUAGE in changes:
        submission.language, submission.language_given = changes[LANGUAGE], changes[LANGUAGE] is not None
    values = {name: value for name, value in changes.items() if name != LANGUAGE}
    if not values:
        session.add(event(submission, "defaults_changed", giving.actor_id, message=told))
        return
    before = fill_defaults(session, submission.id, values, giving.way)
    _, missing = can_approve_record(get_record_by_id(session, submission.id), giving.policy)
    submission.version += 1
    submission.missing_fields = missing
    submission.review_reason_codes = with_missing_codes(submission.review_reason_codes, missing)
    tell_values(session, submission, "defaults_changed", before, values, giving.actor_id, message=told)
    tell_items(session, submission.id, values, by_person=False)
    end_answered(session, submission.id, [name for name, value in values.items() if value is not None])
    if submission.status == SubmissionStatus.COMPLETED and missing:
        submission.status, submission.needs_review = SubmissionStatus.ESCALATED.value, True
        run = latest_run(session, submission)
        ask_for_missing(session, run, missing)
