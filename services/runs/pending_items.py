"""Supersede what waits for a person of an entry that is read again."""

from __future__ import annotations

import uuid

from sqlalchemy import func, update
from sqlalchemy.orm import Session

from core.models import Escalation, EscalationStatus, ReviewSuggestion, SuggestionStatus
from core.models.leases import ESCALATION_HOLDS, SUGGESTION_HOLDS


def supersede_items(session: Session, submission_id: uuid.UUID, actor_id: uuid.UUID | None) -> None:
    """Supersede the entry's pending proposals and escalations, because the entry is read again.

    No actor means the machine.
    """
    session.execute(
        update(ReviewSuggestion)
        .where(
            ReviewSuggestion.submission_id == submission_id,
            ReviewSuggestion.status == SuggestionStatus.PENDING.value,
        )
        .values(
            status=SuggestionStatus.SUPERSEDED.value,
            version=ReviewSuggestion.version + 1,
            resolved_at=func.now(),
            resolved_by_user_id=actor_id,
            **SUGGESTION_HOLDS.ended,
        )
    )
    session.execute(
        update(Escalation)
        .where(Escalation.submission_id == submission_id, Escalation.status == EscalationStatus.PENDING.value)
        .values(
            status=EscalationStatus.SUPERSEDED.value,
            version=Escalation.version + 1,
            decided_by=actor_id,
            **ESCALATION_HOLDS.ended,
        )
    )
