"""The queue of escalations: entries that wait for a person without a proposal, oldest first."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, select

from core.messages import Message
from core.models import Escalation, Profile, Submission
from core.models.leases import ESCALATION_HOLDS
from services.accounts.person_name import name_of
from services.context import Context
from services.keyset import Page, fetch_page
from services.review.queue_filter import EscalationFilter, Query, of_escalations
from services.seasons import current_season

__all__ = ["PAGE_SIZE", "EscalationFilter", "EscalationRow", "list_escalations"]

PAGE_SIZE = 50


@dataclass(frozen=True)
class EscalationRow:
    """One line of the queue."""

    id: uuid.UUID
    submission_id: uuid.UUID
    created_at: datetime
    reason: Message
    reason_codes: list[str]
    missing_fields: list[str]
    student_name: str | None
    school_name: str | None
    grade: str | None
    confidence: float | None
    #: Id and name of the holder; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None


def list_escalations(
    context: Context,
    cursor: str | None = None,
    limit: int = PAGE_SIZE,
    wanted: EscalationFilter = EscalationFilter(),  # noqa: B008 - frozen
) -> Page[EscalationRow]:
    """Return one page of the current season's escalations, the pending ones unless `wanted` names a status.

    Raises InvalidInputError for an invalid cursor.
    """
    with context.database.session() as session:
        query = of_escalations(_columns(), wanted, current_season(session).id, joined=True)
        rows, after, before = fetch_page(
            session, query, Escalation.created_at, Escalation.id, cursor, limit, newest_first=False
        )
    return Page(
        [
            EscalationRow(
                id=row.id,
                submission_id=row.submission_id,
                created_at=row.created_at,
                reason=row.reason,
                reason_codes=list(row.review_reason_codes),
                missing_fields=list(row.missing_fields),
                student_name=row.student_name,
                school_name=row.school_name,
                grade=row.grade,
                confidence=row.confidence,
                held_by_id=row.held_by_id,
                held_by=row.held_by,
            )
            for row in rows
        ],
        after,
        before,
    )


def _columns() -> Query:
    held = and_(Profile.id == ESCALATION_HOLDS.owner, ESCALATION_HOLDS.unexpired())
    return select(
        Escalation.id,
        Escalation.submission_id,
        Escalation.created_at,
        Escalation.reason,
        Submission.review_reason_codes,
        Submission.missing_fields,
        Submission.student_name,
        Submission.school_name,
        Submission.grade,
        Submission.confidence,
        Profile.id.label("held_by_id"),
        name_of(Profile).label("held_by"),
    ).outerjoin_from(Escalation, Profile, held)
