"""What one visit at the desk ends with, where neither the proposal nor the escalation alone says it."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import InvalidInputError, NotFoundError
from core.models import AsideEnd, DecisionKind, Run, Submission, SubmissionStatus
from services.audit import event
from services.context import Context
from services.entries.apply_decision import Standing
from services.entries.decided_rows import keep_decision, lock_entry, lock_run
from services.entries.lost_race import lost_race
from services.entries.snapshot import snapshot
from services.messages.refused import Refused
from services.review.aside import AsideKind, put_back, set_aside
from services.review.hold import HOLDS
from services.review.waiting import ROWS, ItemKind
from services.runs.aside_rows import end_aside

#: The kind of decision that is kept of an item of this kind.
_DECISION: dict[ItemKind, DecisionKind] = {
    "suggestion": DecisionKind.SUGGESTION,
    "escalation": DecisionKind.ESCALATION,
}


def refuse_open(standing: Standing, asked: Collection[str]) -> None:
    """Raise InvalidInputError if more is missing than what is asked for."""
    left = [name for name in standing.missing if name not in asked]
    if left:
        raise InvalidInputError(Refused.STILL_MISSING, fields=left)


def ask_for(
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    standing: Standing,
    asked: Collection[str],
    note: str | None,
) -> None:
    """Set the entry aside until what is still missing of `asked` comes; do nothing if nothing of it is missing."""
    wanted = [name for name in standing.missing if name in asked]
    if wanted:
        set_aside(session, submission, actor_id, AsideKind.ASKED, fields=wanted, note=note)


def park_item(
    context: Context,
    actor_id: uuid.UUID,
    kind: ItemKind,
    item_id: uuid.UUID,
    version: int,
    note: str | None,
    until: datetime | None,
) -> uuid.UUID:
    """Park a pending item with a note until a time; return the id of the decision, which can be undone.

    Nothing of the entry changes. Raises NotFoundError, ConflictError if another person decided first, holds it
    (HeldError) or it has changed since `version`, and InvalidInputError for a time that has passed.
    """
    with context.database.session() as session:
        submission, run = locked(session, kind, item_id)
        before = snapshot(session, submission, run, ())
        win_pending(session, kind, item_id, version, actor_id)
        set_aside(session, submission, actor_id, AsideKind.PARKED, note=note, until=until)
        submission.version += 1
        return keep_decision(session, submission, actor_id, _DECISION[kind], before, item_id=item_id)


def put_back_in_queue(context: Context, actor_id: uuid.UUID, submission_id: uuid.UUID) -> None:
    """Return an entry that was set aside to the queue. Raises NotFoundError."""
    with context.database.session() as session:
        put_back(session, lock_entry(session, submission_id), actor_id)


def win_pending(
    session: Session, kind: ItemKind, item_id: uuid.UUID, version: int, actor_id: uuid.UUID, **values: Any
) -> Any:
    """Update a pending item at this version, which no other person holds, end its hold, and return its row.

    Raises ConflictError, saying who did what, and HeldError.
    """
    row, holds = ROWS[kind], HOLDS[kind]
    won = session.scalar(
        update(row)
        .where(row.id == item_id, row.status == "pending", row.version == version, holds.free_for(actor_id))
        .values(version=row.version + 1, **holds.ended, **values)
        .returning(row)
    )
    if won is None:
        raise lost_race(session, row, item_id, actor_id)
    return won


def locked(session: Session, kind: ItemKind, item_id: uuid.UUID) -> tuple[Submission, Run]:
    """Lock the entry and the run of an item and return them. Raises NotFoundError."""
    row = ROWS[kind]
    found = session.execute(select(row.submission_id, row.run_id).where(row.id == item_id)).first()
    if found is None:
        raise NotFoundError("no such item of the queue")
    return lock_entry(session, found.submission_id), lock_run(session, found.run_id)


def reject_submission(session: Session, submission: Submission, actor_id: uuid.UUID, reason: str | None) -> None:
    """Reject an entry: it is settled without being complete."""
    submission.status = SubmissionStatus.REJECTED.value
    submission.needs_review = False
    submission.version += 1
    submission.updated_at = utcnow()
    end_aside(session, submission.id, AsideEnd.REJECTED)
    session.add(event(submission, "rejected", actor_id, reason=reason))
