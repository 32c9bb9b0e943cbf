"""Lock entries before they are superseded or restored, and check their versions, holds and events."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import ConflictError, HeldError
from core.models import (
    Profile,
    ReviewEvent,
    Run,
    RunStatus,
    Submission,
    SubmissionStatus,
)
from core.models.leases import ESCALATION_HOLDS, SUGGESTION_HOLDS
from services.accounts.person_name import name_of
from services.entries.lost_race import lost_entry
from services.messages.conflict import Conflict, Item

ACTIVE_RUNS = (RunStatus.QUEUED.value, RunStatus.READ.value, RunStatus.RUNNING.value)


def lock_entries(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Submission]:
    """Lock the entries and their active runs for this transaction; return the entries by id.

    Against deadlocks this keeps to the order of the others: workers lock an active run before its entry, decisions
    lock an entry before its waiting run.
    """
    runs = select(Run.run_id).where(Run.submission_id.in_(ids), Run.status.in_(ACTIVE_RUNS))
    session.execute(runs.order_by(Run.run_id).with_for_update(key_share=True))
    entries = select(Submission).where(Submission.id.in_(ids)).order_by(Submission.id)
    return {entry.id: entry for entry in session.scalars(entries.with_for_update(key_share=True))}


def require_standing(session: Session, ids: Collection[uuid.UUID]) -> None:
    """Raise ConflictError, saying by whom, if one of these entries was superseded; of several, the first."""
    gone = session.scalar(
        select(Submission)
        .where(Submission.id.in_(ids), Submission.status == SubmissionStatus.SUPERSEDED.value)
        .order_by(Submission.upload_id, Submission.chunk_index)
        .limit(1)
    )
    if gone is not None:
        raise changed(session, gone)


def require_seen(session: Session, entries: Collection[Submission], versions: Mapping[uuid.UUID, int]) -> None:
    """Raise ConflictError, saying who did what, if an entry is superseded or not at the version given."""
    for entry in entries:
        if entry.status == SubmissionStatus.SUPERSEDED or versions.get(entry.id) != entry.version:
            raise changed(session, entry)


def require_free(session: Session, actor_id: uuid.UUID | None, ids: Collection[uuid.UUID]) -> None:
    """Raise HeldError if another person than this one holds a pending item of these entries."""
    for holds in (SUGGESTION_HOLDS, ESCALATION_HOLDS):
        item = holds.row
        name = session.scalar(
            select(name_of(Profile))
            .join(item, holds.owner == Profile.id)
            .where(
                item.submission_id.in_(ids),
                item.status == "pending",
                holds.owner != actor_id,
                holds.unexpired(),
            )
            .limit(1)
        )
        if name is not None:
            raise HeldError(Conflict.ONE_OPEN_ELSEWHERE, who=name)


def require_untouched(session: Session, ids: Collection[uuid.UUID]) -> None:
    """Raise ConflictError if a person has changed one of these entries after it was made."""
    # An entry's first event records who made it.
    firsts = (
        select(func.min(ReviewEvent.id))
        .where(ReviewEvent.submission_id.in_(ids))
        .group_by(ReviewEvent.submission_id)
    )
    row = session.execute(
        select(ReviewEvent.kind, name_of(Profile).label("who"))
        .join(Profile, Profile.id == ReviewEvent.actor_id)
        .where(ReviewEvent.submission_id.in_(ids), ReviewEvent.id.not_in(firsts))
        .order_by(ReviewEvent.id)
        .limit(1)
    ).first()
    if row is not None:
        raise ConflictError(Conflict.NEW_ENTRY_DONE, event=row.kind, who=row.who)


def changed(session: Session, entry: Submission) -> ConflictError:
    """Return the error for a changed entry, with its name and its latest event."""
    latest = lost_entry(session, entry.id)
    if not isinstance(latest, ConflictError):
        return ConflictError(Conflict.CHANGED, item=Item.ENTRY)
    if entry.student_name is None:
        return ConflictError(Conflict.NAMELESS_OF_SEVERAL, who=latest.who, problem=latest.told)
    return ConflictError(Conflict.ENTRY_OF_SEVERAL, who=latest.who, name=entry.student_name, problem=latest.told)
