"""Take back what was taken of a new reading: the entry has its values, its status and what waited of it again."""

from __future__ import annotations

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError, NotFoundError
from core.lease import Lease
from core.messages import Message
from core.models import RereadItem, RereadStatus, ReviewDecision, ReviewEvent, Run, RunStatus, Submission
from core.models.leases import RUN_LEASES
from pipeline.schema import SubmissionRecord
from pipeline.supabase_db import get_field_values, restore_fields, save_record
from services.audit import event
from services.context import Context
from services.entries.decided_rows import lock_entry, lock_run, refuse_if_held
from services.entries.edit_record import EDITABLE
from services.entries.lost_race import lost_entry
from services.entries.snapshot import restore_entry, restore_run, restore_set_aside
from services.messages.conflict import Conflict
from services.messages.event import EventReason
from services.runs.pending_items import restore_items, supersede_items


def undo_item(context: Context, lease: Lease[RereadItem]) -> None:
    """Restore the entry unless a person has done anything to it since, else note why. Raises LeaseLostError."""
    try:
        with context.database.session() as session:
            item = lease.hold(session)
            if item.status != RereadStatus.UNDOING or item.undone_by is None:
                return
            _undo(session, item)
            item.status, item.reason, item.before, item.attempts = RereadStatus.UNDONE.value, None, None, 0
    except (ConflictError, NotFoundError) as error:
        with context.database.session() as session:
            item = lease.hold(session)
            item.status, item.reason = RereadStatus.KEPT.value, error.told


def _undo(session: Session, item: RereadItem) -> None:
    assert item.before is not None and item.run_id is not None and item.undone_by is not None, "it was taken"
    submission = lock_entry(session, item.submission_id)
    taken = lock_run(session, item.run_id)
    _require_untouched(session, submission, item, taken)
    refuse_if_held(session, submission.id, item.undone_by)
    status = submission.status
    before = get_field_values(session, submission.id)
    supersede_items(session, submission.id, item.undone_by)
    kept = item.before
    record = SubmissionRecord.model_validate(kept["record"])
    save_record(session, record, taken.run_no)
    session.flush()
    # The record does not hold all that a row has.
    restore_fields(session, submission.id, kept["fields"])
    restore_entry(submission, kept)
    for name in ("confidence", "language", "language_given"):
        setattr(submission, name, kept[name])
    submission.profile_version = record.profile_version
    submission.version += 1
    submission.updated_at = utcnow()
    restore_run(lock_run(session, kept["run"]["run_id"]), kept, waits=True)
    restore_items(session, kept)
    restore_set_aside(session, submission, kept)
    # The entry's latest run, which its next decision names, has ended as the one before it.
    taken.status, taken.outcome = RunStatus.SETTLED.value, kept["run"]["outcome"]
    RUN_LEASES.end(taken)
    taken.settled_at = func.now()
    _tell(session, submission, item, status, before)
    session.execute(
        update(ReviewDecision)
        .where(
            ReviewDecision.submission_id == submission.id,
            ReviewDecision.version == kept["version"],
            ReviewDecision.undone_at.is_(None),
        )
        .values(version=submission.version)
    )


def _require_untouched(session: Session, submission: Submission, item: RereadItem, taken: Run) -> None:
    """Raise ConflictError if the run is under way, or a person has done anything to the entry since."""
    if submission.status not in EDITABLE:
        raise ConflictError(Conflict.ENTRY_NOT_WAITING, entry_status=submission.status)
    began = select(func.max(ReviewEvent.id)).where(
        ReviewEvent.submission_id == submission.id,
        ReviewEvent.kind == "read_again",
        ReviewEvent.run_no == taken.run_no,
        ReviewEvent.actor_id == item.decided_by,
    )
    since = select(ReviewEvent.id).where(
        ReviewEvent.submission_id == submission.id,
        ReviewEvent.actor_id.is_not(None),
        ReviewEvent.id > began.scalar_subquery(),
    )
    if submission.run_no != taken.run_no or session.scalar(select(since.exists())):
        raise lost_entry(session, submission.id)


def _tell(
    session: Session, submission: Submission, item: RereadItem, status: str, before: dict[str, str | None]
) -> None:
    told = Message.of(EventReason.READING_TAKEN_BACK)
    for name, value in get_field_values(session, submission.id).items():
        if before.get(name) != value:
            change = event(
                submission,
                "undone",
                item.undone_by,
                field_name=name,
                before=before.get(name),
                after=value,
                message=told,
            )
            session.add(change)
    session.add(event(submission, "undone", item.undone_by, before=status, after=submission.status, message=told))
