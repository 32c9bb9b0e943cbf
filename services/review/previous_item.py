"""Find the previous item of a queue, skipping those that other people hold."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from core.models import Escalation, ReviewSuggestion
from core.models.leases import ESCALATION_HOLDS, SUGGESTION_HOLDS
from services.context import Context
from services.review.next_item import WaitingEscalation
from services.review.queue_filter import (
    EscalationFilter,
    Query,
    SuggestionFilter,
    of_escalations,
    of_suggestions,
)
from services.seasons import current_season


def previous_item(
    context: Context, wanted: SuggestionFilter, before: uuid.UUID, person_id: uuid.UUID | None
) -> uuid.UUID | None:
    """Return the last proposal before `before` that no other person holds; None if there is none."""
    with context.database.session() as session:
        season_id = current_season(session).id
        query = of_suggestions(select(ReviewSuggestion.id), wanted, season_id, joined=False)
        query = query.where(SUGGESTION_HOLDS.free_for(person_id))
        found = _preceding(session, ReviewSuggestion, query, before)
        return found.id if found else None


def previous_escalation(
    context: Context, wanted: EscalationFilter, before: uuid.UUID, person_id: uuid.UUID | None
) -> WaitingEscalation | None:
    """Return the last escalation before `before`, in the same way."""
    with context.database.session() as session:
        season_id = current_season(session).id
        query = of_escalations(select(Escalation.id, Escalation.submission_id), wanted, season_id, joined=False)
        query = query.where(ESCALATION_HOLDS.free_for(person_id))
        found = _preceding(session, Escalation, query, before)
        return WaitingEscalation(found.id, found.submission_id) if found else None


def _preceding(session: Session, model: Any, query: Query, before: uuid.UUID) -> Any:
    order = (model.created_at, model.id)
    place = session.execute(select(*order).where(model.id == before)).first()
    if place is None:
        return None
    backwards = [column.desc() for column in order]
    return session.execute(query.where(tuple_(*order) < tuple_(*place)).order_by(*backwards).limit(1)).first()
