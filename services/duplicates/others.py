"""The entries that an entry may be the same as, for its page."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from core.models import DuplicatePair, Submission
from services.duplicates.open_pairs import is_of_halves, waits


@dataclass(frozen=True)
class OtherSubmission:
    """Another entry that may be the same, or with which the entry was compared."""

    pair_id: uuid.UUID
    submission_id: uuid.UUID
    student_name: str | None
    #: Whether a person still has to decide.
    waits: bool
    decision: str | None
    #: Whether the two are halves of one entry, a form and an essay.
    halves: bool


def others_of(session: Session, submission_id: uuid.UUID) -> list[OtherSubmission]:
    """Return the other entries of all pairs of this one that wait or are decided, those that wait first."""
    waiting = waits()
    rows = session.execute(
        select(
            DuplicatePair.id,
            Submission.id,
            Submission.student_name,
            waiting,
            DuplicatePair.decision,
            is_of_halves(),
        )
        .join(
            Submission,
            Submission.id.in_([DuplicatePair.first_id, DuplicatePair.second_id]),
        )
        .where(
            Submission.id != submission_id,
            or_(DuplicatePair.first_id == submission_id, DuplicatePair.second_id == submission_id),
            or_(waiting, DuplicatePair.decision.is_not(None)),
        )
        .order_by(DuplicatePair.decision.is_not(None), DuplicatePair.created_at, DuplicatePair.id)
    )
    return [OtherSubmission(*row) for row in rows]


def waiting_pair_of(session: Session, submission_id: uuid.UUID) -> uuid.UUID | None:
    """Return the pair of this entry that waits longest for a person: one sent before, or the other half of it."""
    return session.scalar(
        select(DuplicatePair.id)
        .where(or_(DuplicatePair.first_id == submission_id, DuplicatePair.second_id == submission_id), waits())
        .order_by(DuplicatePair.created_at, DuplicatePair.id)
        .limit(1)
    )
