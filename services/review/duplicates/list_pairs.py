"""The pairs of entries that wait for a person, those that wait longest first."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, aliased

from core.models import DuplicatePair, Submission
from services.context import Context
from services.duplicates.open_pairs import waits
from services.keyset import Page, fetch_page
from services.seasons import current_season

PAGE_SIZE = 50


@dataclass(frozen=True)
class SubmissionOfPair:
    """One of the two entries, as the list shows it."""

    id: uuid.UUID
    student_name: str | None
    school_name: str | None
    grade: str | None
    status: str
    created_at: datetime


@dataclass(frozen=True)
class PairRow:
    """One pair of the list."""

    id: uuid.UUID
    version: int
    first: SubmissionOfPair
    second: SubmissionOfPair
    strength: str
    likenesses: list[str]
    #: Likeness of the essays (0-1); None where they cannot be compared.
    essay: float | None
    created_at: datetime


def list_pairs(context: Context, cursor: str | None = None, limit: int = PAGE_SIZE) -> Page[PairRow]:
    """Return one page of the current season's pairs. Raises InvalidInputError for a bad cursor."""
    first, second = aliased(Submission), aliased(Submission)
    query = (
        select(DuplicatePair.id, DuplicatePair.created_at, DuplicatePair, first, second)
        .join(first, first.id == DuplicatePair.first_id)
        .join(second, second.id == DuplicatePair.second_id)
    )
    with context.database.session() as session:
        query = query.where(waits_now(session))
        rows, after, before = fetch_page(
            session, query, DuplicatePair.created_at, DuplicatePair.id, cursor, limit, newest_first=False
        )
    return Page([_row(*row[2:]) for row in rows], after, before)


def next_pair(context: Context, after: uuid.UUID | None = None) -> uuid.UUID | None:
    """Return the pair that waits longest, but for the one given; None where none does."""
    query = select(DuplicatePair.id).order_by(DuplicatePair.created_at, DuplicatePair.id).limit(1)
    with context.database.session() as session:
        query = query.where(waits_now(session))
        return session.scalar(query if after is None else query.where(DuplicatePair.id != after))


def waits_now(session: Session) -> ColumnElement[bool]:
    """Return the condition that a pair of the current season waits for a person."""
    return (DuplicatePair.season_id == current_season(session).id) & waits()


def _row(pair: DuplicatePair, first: Submission, second: Submission) -> PairRow:
    return PairRow(
        pair.id,
        pair.version,
        _entry(first),
        _entry(second),
        pair.strength,
        list(pair.likenesses),
        pair.essay,
        pair.created_at,
    )


def _entry(one: Submission) -> SubmissionOfPair:
    return SubmissionOfPair(one.id, one.student_name, one.school_name, one.grade, one.status, one.created_at)
