"""The queue of proposals, oldest first: what stands and what is proposed, side by side."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import ReviewSuggestion, ReviewSuggestionField, Submission, SuggestionStatus
from services.context import Context
from services.queries.keyset import Page, fetch_page
from services.queries.submission_detail import form_order
from services.seasons import current_season

PAGE_SIZE = 25


@dataclass(frozen=True)
class ProposedValue:
    """One field of a proposal, as a list shows it."""

    name: str
    current: str | None
    proposed: str | None


@dataclass(frozen=True)
class SuggestionRow:
    """One line of the queue."""

    id: uuid.UUID
    created_at: datetime
    reason: str
    reason_codes: list[str]
    student_name: str | None
    school_name: str | None
    grade: str | None
    fields: list[ProposedValue]

    @property
    def changes(self) -> list[ProposedValue]:
        """What would be changed or has to be filled in."""
        return [field for field in self.fields if field.proposed is None or field.proposed != field.current]

    @property
    def confirmations(self) -> list[ProposedValue]:
        """What was read and only wants a person's word."""
        return [field for field in self.fields if field not in self.changes]


@dataclass(frozen=True)
class SuggestionFilter:
    """What the queue is narrowed to; None is no matter."""

    reason: str | None = None
    grade: str | None = None
    school: str | None = None


def list_suggestions(
    context: Context, wanted: SuggestionFilter, cursor: str | None = None, limit: int = PAGE_SIZE
) -> Page[SuggestionRow]:
    """One page of what is pending in the current season. Raises InvalidInputError for a cursor that is none."""
    with context.database.session() as session:
        query = (
            select(
                ReviewSuggestion.id,
                ReviewSuggestion.created_at,
                ReviewSuggestion.reason,
                Submission.review_reason_codes,
                Submission.student_name,
                Submission.school_name,
                Submission.grade,
            )
            .join(Submission, Submission.id == ReviewSuggestion.submission_id)
            .where(
                ReviewSuggestion.season_id == current_season(session).id,
                ReviewSuggestion.status == SuggestionStatus.PENDING.value,
            )
        )
        if wanted.reason:
            query = query.where(Submission.review_reason_codes.contains([wanted.reason]))
        if wanted.grade:
            query = query.where(Submission.grade == wanted.grade)
        if wanted.school:
            query = query.where(Submission.school_name == wanted.school)
        rows, after, before = fetch_page(
            session, query, ReviewSuggestion.created_at, ReviewSuggestion.id, cursor, limit, newest_first=False
        )
        fields = _fields(session, [row.id for row in rows])
    return Page(
        [
            SuggestionRow(
                id=row.id,
                created_at=row.created_at,
                reason=row.reason,
                reason_codes=list(row.review_reason_codes),
                student_name=row.student_name,
                school_name=row.school_name,
                grade=row.grade,
                fields=fields.get(row.id, []),
            )
            for row in rows
        ],
        after,
        before,
    )


def _fields(session: Session, suggestion_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, list[ProposedValue]]:
    rows = session.execute(
        select(
            ReviewSuggestionField.suggestion_id,
            ReviewSuggestionField.name,
            ReviewSuggestionField.current_value,
            ReviewSuggestionField.proposed_value,
        ).where(ReviewSuggestionField.suggestion_id.in_(suggestion_ids))
    )
    found: dict[uuid.UUID, list[ProposedValue]] = {}
    for row in rows:
        value = ProposedValue(row.name, row.current_value, row.proposed_value)
        found.setdefault(row.suggestion_id, []).append(value)
    return {key: sorted(values, key=lambda value: form_order(value.name)) for key, values in found.items()}
