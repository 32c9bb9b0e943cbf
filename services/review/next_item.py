"""Find the next item of a queue, skipping those that other people hold."""

from __future__ import annotations

import uuid
from typing import Any, NamedTuple

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from core.models import Escalation, ReviewSuggestion
from core.models.leases import ESCALATION_HOLDS, SUGGESTION_HOLDS
from services.context import Context
from services.review.queue_filter import (
    EscalationFilter,
    Query,
    SuggestionFilter,
    of_escalations,
    of_suggestions,
)
from services.seasons import current_season


class WaitingEscalation(NamedTuple):
    """An escalation and its entry."""

    id: uuid.UUID
    submission_id: uuid.UUID


def next_item(
    context: Context, wanted: SuggestionFilter, after: uuid.UUID | None, person_id: uuid.UUID | None
) -> uuid.UUID | None:
    """Return the next proposal after `after` that no other person holds, starting again from the first."""
    with context.database.session() as session:
        query = of_suggestions(
            select(ReviewSuggestion.id), wanted, current_season(session).id, joined=False
        ).where(SUGGESTION_HOLDS.free_for(person_id))
        found = _following(session, ReviewSuggestion, query, after)
        return found.id if found else None


def next_escalation(
    context: Context, wanted: EscalationFilter, after: uuid.UUID | None, person_id: uuid.UUID | None
) -> WaitingEscalation | None:
    """Return the next escalation after `after`, in the same way."""
    with context.database.session() as session:
        query = of_escalations(
            select(Escalation.id, Escalation.submission_id), wanted, current_season(session).id, joined=False
        )
        query = query.where(ESCALATION_HOLDS.free_for(person_id))
        found = _following(session, Escalation, query, after)
        return WaitingEscalation(found.id, found.submission_id) if found else None


def _following(session: Session, model: Any, query: Query, after: uuid.UUID | None) -> Any:
    """Return the first row of the query after `after`, else the first row that is not `after` itself."""
    order = (model.created_at, model.id)
    query = query.order_by(*order).limit(1)
    if after is None:
        return session.execute(query).first()
    place = session.execute(select(*order).where(model.id == after)).first()
    found = place and session.execute(query.where(tuple_(*order) > tuple_(*place))).first()
    return found or session.execute(query.where(model.id != after)).first()
