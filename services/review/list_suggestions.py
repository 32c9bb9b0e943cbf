"""The queue of proposals, oldest first, with current and proposed values."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import Profile, ReviewSuggestion, ReviewSuggestionField, Submission
from core.models.leases import SUGGESTION_HOLDS
from services.accounts.person_name import name_of
from services.context import Context
from services.entries.submission_detail import form_order
from services.keyset import Page, fetch_page
from services.review.queue_filter import Query, SuggestionFilter, of_suggestions
from services.seasons import current_season

__all__ = [
    "PAGE_SIZE",
    "ProposedValue",
    "SuggestionFilter",
    "SuggestionRow",
    "list_suggestions",
    "proposed_values",
]

PAGE_SIZE = 25


@dataclass(frozen=True)
class ProposedValue:
    """One field of a proposal, for the list."""

    name: str
    current: str | None
    proposed: str | None


@dataclass(frozen=True)
class SuggestionRow:
    """One line of the queue."""

    id: uuid.UUID
    created_at: datetime
    reason: Message | None
    reason_codes: list[str]
    student_name: str | None
    school_name: str | None
    grade: str | None
    confidence: float | None
    #: Id and name of the holder and end of the hold; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None
    held_until: datetime | None
    fields: list[ProposedValue]


def list_suggestions(
    context: Context, wanted: SuggestionFilter, cursor: str | None = None, limit: int = PAGE_SIZE
) -> Page[SuggestionRow]:
    """Return one page of the current season's proposals, the pending ones unless `wanted` names a status.

    Raises InvalidInputError for an invalid cursor.
    """
    with context.database.session() as session:
        query = of_suggestions(_columns(), wanted, current_season(session).id, joined=True)
        rows, after, before = fetch_page(
            session, query, ReviewSuggestion.created_at, ReviewSuggestion.id, cursor, limit, newest_first=False
        )
        fields = proposed_values(session, [row.id for row in rows])
    return Page([_row(row, fields.get(row.id, [])) for row in rows], after, before)


def _columns() -> Query:
    held = and_(Profile.id == SUGGESTION_HOLDS.owner, SUGGESTION_HOLDS.unexpired())
    return select(
        ReviewSuggestion.id,
        ReviewSuggestion.created_at,
        ReviewSuggestion.reason,
        SUGGESTION_HOLDS.until.label("held_until"),
        Profile.id.label("held_by_id"),
        name_of(Profile).label("held_by"),
        Submission.review_reason_codes,
        Submission.student_name,
        Submission.school_name,
        Submission.grade,
        Submission.confidence,
    ).outerjoin_from(ReviewSuggestion, Profile, held)


def _row(row: Any, fields: list[ProposedValue]) -> SuggestionRow:
    return SuggestionRow(
        id=row.id,
        created_at=row.created_at,
        reason=row.reason,
        reason_codes=list(row.review_reason_codes),
        student_name=row.student_name,
        school_name=row.school_name,
        grade=row.grade,
        confidence=row.confidence,
        held_by_id=row.held_by_id,
        held_by=row.held_by,
        held_until=row.held_until if row.held_by_id else None,
        fields=fields,
    )


def proposed_values(session: Session, suggestion_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, list[ProposedValue]]:
    """Return {proposal: its fields, in the order of the form}."""
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
