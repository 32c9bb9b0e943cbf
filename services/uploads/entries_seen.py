"""Entries that are about to be superseded or brought back: locked, as they were seen, and in nobody's hands."""

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

ACTIVE_RUNS = (RunStatus.QUEUED.value, RunStatus.RUNNING.value)


def lock_entries(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Submission]:
    """Lock the entries until the transaction ends.

    A worker locks its run before the entry, a person an entry before the run it waits with: this keeps to both.
    """
    runs = select(Run.run_id).where(Run.submission_id.in_(ids), Run.status.in_(ACTIVE_RUNS))
    session.execute(runs.order_by(Run.run_id).with_for_update(key_share=True))
    entries = select(Submission).where(Submission.id.in_(ids)).order_by(Submission.id)
    return {entry.id: entry for entry in session.scalars(entries.with_for_update(key_share=True))}


def require_standing(session: Session, ids: Collection[uuid.UUID]) -> None:
    """Raises ConflictError, saying by whom, where one of these entries was superseded."""
    gone = session.scalar(
        select(Submission)
        .where(Submission.id.in_(ids), Submission.status == SubmissionStatus.SUPERSEDED.value)
        .limit(1)
    )
    if gone is not None:
        raise changed(session, gone)


def require_seen(session: Session, entries: Collection[Submission], versions: Mapping[uuid.UUID, int]) -> None:
    """Raises ConflictError, saying who did what, for an entry that is not as it was seen."""
    for entry in entries:
        if entry.status == SubmissionStatus.SUPERSEDED or versions.get(entry.id) != entry.version:
            raise changed(session, entry)


def require_free(session: Session, actor_id: uuid.UUID, ids: Collection[uuid.UUID]) -> None:
    """Raises HeldError where somebody else has an item of these entries open."""
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
            raise HeldError(f"{name} has one of these entries open", who=name)


def require_untouched(session: Session, ids: Collection[uuid.UUID]) -> None:
    """Raises ConflictError where a person did something with these entries, apart from making them."""
    # An entry's first event tells who made it.
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
        raise ConflictError(f"a new entry: {row.kind.replace('_', ' ')} by {row.who}", who=row.who)


def changed(session: Session, entry: Submission) -> ConflictError:
    """What to raise for an entry that is not as it was: its name, and the last thing that was done with it."""
    latest = lost_entry(session, entry.id)
    who = latest.who if isinstance(latest, ConflictError) else None
    return ConflictError(f"{entry.student_name or 'an entry without a name'}: {latest.detail}", who=who)
