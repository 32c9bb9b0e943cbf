"""Pairs that wait for a person: nobody has decided on them, and both entries are still there."""

from __future__ import annotations

import uuid

from sqlalchemy import ColumnElement, exists, select
from sqlalchemy.orm import Session, aliased

from core.models import DuplicatePair, Submission
from pipeline.duplicates.judge import Likeness
from services.duplicates.candidates import GONE


def waits() -> ColumnElement[bool]:
    """Return the condition that a pair waits for a person."""
    one = aliased(Submission)
    gone = exists().where(one.id.in_([DuplicatePair.first_id, DuplicatePair.second_id]), one.status.in_(GONE))
    return DuplicatePair.decision.is_(None) & ~gone


def pair_waiting(session: Session, submission_id: uuid.UUID) -> uuid.UUID | None:
    """Return the pair that waits whose later entry this is, and not only the half of one; None without one."""
    return session.scalar(
        select(DuplicatePair.id)
        .where(DuplicatePair.second_id == submission_id, ~is_of_halves(), waits())
        .order_by(DuplicatePair.created_at, DuplicatePair.id)
        .limit(1)
    )


def is_doubted(session: Session, submission_id: uuid.UUID) -> bool:
    """Whether the entry is the later one of a pair that waits for a person, and not only the half of an entry."""
    return pair_waiting(session, submission_id) is not None


def is_of_halves() -> ColumnElement[bool]:
    """Return the condition that a pair is the two halves of one entry, which was not sent twice."""
    return DuplicatePair.likenesses.contains([Likeness.HALVES.value])
