"""What differs after reading anew: shown, taken, undone."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import ConflictError, NotFoundError
from core.lease import Lease
from core.messages import Message
from core.models import (
    REREAD_WORKING,
    Escalation,
    EscalationStatus,
    Reread,
    RereadItem,
    RereadStatus,
    ReviewEvent,
    ReviewSuggestion,
    Run,
    RunStatus,
    Submission,
    SuggestionStatus,
)
from pipeline.orchestrator.artifacts import artifact_dir_of, store_reading
from pipeline.schema import SubmissionRecord
from pipeline.supabase_db import get_field_values, get_record_by_id, keep_fields, restore_fields, save_record
from services.audit import tell_values
from services.batches.giving import brought_back
from services.context import Context
from services.entries.change import EDITABLE
from services.entries.decision import (
    hand_down,
    latest_run,
    lock_entry,
    lock_run,
    lost_entry,
    restore_entry,
    restore_run,
    restore_set_aside,
    snapshot,
    win_entry,
)
from services.items.holds import refuse_if_held
from services.many.operation import ItemView, Operation, RequestView
from services.messages.entries import Conflict, EventReason
from services.messages.office import ListRefused
from services.recovery.kinds import RUNS
from services.recovery.work import queue_rows
from services.review.escalations import read_again
from services.runs.settle import end_run, restore_items, supersede_items


@dataclass(frozen=True)
class RereadView(RequestView):
    options: dict[str, Any]

    @property
    def items_total(self) -> int:
        """How many entries there are; those erased since do not count."""
        return sum(self.numbers.values())

    @property
    def working(self) -> bool:
        """Whether something may still change by itself."""
        return self.open > 0

    @property
    def open(self) -> int:
        """How many entries a worker has still to do."""
        return sum(self.numbers.get(status, 0) for status in REREAD_WORKING)

    @property
    def done(self) -> int:
        """How many entries no worker has to do anything of."""
        return self.items_total - self.open


@dataclass(frozen=True)
class RereadItemView(ItemView):
    #: {field: [value that it has, value read anew]}
    changes: dict[str, list[str | None]]
    decided: list[str]
    waits: bool


#: Entries read anew, to compare what they have with what is read now.
REREAD = Operation(
    request=Reread,
    item=RereadItem,
    request_id=RereadItem.reread_id,
    statuses=RereadStatus,
    view=RereadView,
    item_view=RereadItemView,
    most=5_000,
    too_many=ListRefused.TOO_MANY_ANEW,
    page_size=50,
    # Of these there is nothing to see.
    left_out=(RereadStatus.WAITING.value, RereadStatus.SAME.value, RereadStatus.LEFT.value),
)


def take_item(context: Context, lease: Lease[RereadItem]) -> None:
    """Begin the run if the entry has not changed since it was compared, else note why. Raises LeaseLostError."""
    try:
        run_id = _taken(context, lease)
    except (ConflictError, NotFoundError) as error:
        with context.database.session() as session:
            item = lease.hold(session)
            item.status, item.reason, item.reading = RereadStatus.LOST.value, error.told, None
        return
    if run_id is not None:
        queue_rows(context, RUNS, run_id)


def _taken(context: Context, lease: Lease[RereadItem]) -> str | None:
    with context.database.session() as session:
        item = lease.hold(session)
        if item.status != RereadStatus.TAKING or item.decided_by is None:
            return None
        assert item.version is not None and item.reading is not None, "it was compared"
        submission = win_entry(session, item.submission_id, item.version)
        if submission.status not in EDITABLE:
            raise ConflictError(Conflict.ENTRY_NOT_WAITING, entry_status=submission.status)
        refuse_if_held(session, submission.id, item.decided_by)
        run = latest_run(session, submission)
        item.before = _before(session, submission, run)
        together = [change for change in run.together or () if change["field"] not in item.decided]
        options = session.get_one(Reread, item.reread_id).options
        following = read_again(session, submission, run, item.decided_by, options, None)
        following.together = together
        _store(context, following, item.reading)
        session.flush()
        item.status, item.run_id = RereadStatus.TAKEN.value, following.run_id
        item.reading, item.reason, item.attempts = None, None, 0
        return following.run_id


def _store(context: Context, run: Run, reading: dict[str, Any]) -> None:
    """Store the reading where the run looks for it: no page is read a second time."""
    record = SubmissionRecord.model_validate(reading["record"])
    folder = artifact_dir_of(run.submission_id, run.run_no)
    store_reading(context.store, record.model_copy(update={"artifact_dir": folder}), reading["report"])


def _before(session: Session, submission: Submission, run: Run) -> dict[str, Any]:
    """Return what `undo_item` restores: the record with its evidence, and what the run before it had left."""
    record = get_record_by_id(session, submission.id)
    return {
        **snapshot(session, submission, run, ()),
        "record": record.model_dump(mode="json"),
        "fields": keep_fields(session, submission.id, list(record.readings)),
        "confidence": submission.confidence,
        "language": submission.language,
        "language_given": submission.language_given,
        "suggestions": _pending(session, ReviewSuggestion, submission.id, SuggestionStatus.PENDING.value),
        "escalations": _pending(session, Escalation, submission.id, EscalationStatus.PENDING.value),
    }


def _pending(
    session: Session, kind: type[ReviewSuggestion] | type[Escalation], submission_id: uuid.UUID, status: str
) -> list[str]:
    rows = session.scalars(select(kind.id).where(kind.submission_id == submission_id, kind.status == status))
    return [str(row) for row in rows]


def undo_item(context: Context, lease: Lease[RereadItem]) -> None:
    """Restore the entry unless a person has done anything to it since, else note why. Raises LeaseLostError."""
    try:
        with context.database.session() as session:
            item = lease.hold(session)
            if item.status != RereadStatus.UNDOING or item.undone_by is None:
                return
            _undo(session, context.settings, item)
            item.status, item.reason, item.before, item.attempts = RereadStatus.UNDONE.value, None, None, 0
    except (ConflictError, NotFoundError) as error:
        with context.database.session() as session:
            item = lease.hold(session)
            item.status, item.reason = RereadStatus.KEPT.value, error.told


def _undo(session: Session, settings: Settings, item: RereadItem) -> None:
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
    end_run(taken, RunStatus.SETTLED, kept["run"]["outcome"])
    told, values = Message.of(EventReason.READING_TAKEN_BACK), get_field_values(session, submission.id)
    tell_values(session, submission, "undone", before, values, item.undone_by, message=told)
    hand_down(session, submission, kept["version"])
    brought_back(session, settings, submission, item.undone_by, status, told)


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
