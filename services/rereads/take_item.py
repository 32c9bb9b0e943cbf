"""Take what was read anew: the entry's next run goes on with it, as if it had read it itself."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import ConflictError, NotFoundError
from core.lease import Lease
from core.models import (
    Escalation,
    EscalationStatus,
    Reread,
    RereadItem,
    RereadStatus,
    ReviewSuggestion,
    Run,
    Submission,
    SuggestionStatus,
)
from pipeline.orchestrator.artifacts import artifact_dir_of, store_reading
from pipeline.schema import SubmissionRecord
from pipeline.supabase_db import get_record_by_id, keep_fields
from services.context import Context
from services.entries.decided_rows import latest_run, refuse_if_held, win_entry
from services.entries.edit_record import EDITABLE
from services.entries.snapshot import snapshot
from services.messages.conflict import Conflict
from services.recovery.kinds import RUNS
from services.recovery.work import enqueue
from services.review.read_again import read_again


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
        enqueue(context, RUNS, run_id)


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
