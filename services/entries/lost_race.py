"""Explain why a decision came too late: who was first, and what they did."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from core.errors import ConflictError, HeldError, NotFoundError
from core.lease import Leases
from core.models import (
    Audit,
    Escalation,
    EscalationStatus,
    Profile,
    ReportRevision,
    ReviewEvent,
    ReviewSuggestion,
    RevisionStatus,
    Submission,
)
from core.models.leases import AUDIT_HOLDS, ESCALATION_HOLDS, REVISION_HOLDS, SUGGESTION_HOLDS
from services.accounts.person_name import name_of
from services.messages.conflict import Conflict, Item

#: For each kind of item: the column with its decider, its holds, and its name in messages.
_CALLED: dict[type, tuple[InstrumentedAttribute[uuid.UUID | None], Leases[Any], Item]] = {
    ReviewSuggestion: (ReviewSuggestion.resolved_by_user_id, SUGGESTION_HOLDS, Item.SUGGESTION),
    Escalation: (Escalation.decided_by, ESCALATION_HOLDS, Item.ESCALATION),
    ReportRevision: (ReportRevision.decided_by, REVISION_HOLDS, Item.REVISION),
    Audit: (Audit.auditor_id, AUDIT_HOLDS, Item.AUDIT),
}


def lost_race(
    session: Session,
    item: type[ReviewSuggestion] | type[Escalation] | type[ReportRevision] | type[Audit],
    item_id: uuid.UUID,
    actor_id: uuid.UUID | None = None,
) -> ConflictError | NotFoundError:
    """Return the error to raise after a conditional UPDATE of an item found no row to change.

    A hold by any person other than `actor_id` is reported as HeldError; with None, holds are not considered.
    """
    decided_by, holds, called = _CALLED[item]
    decider, holder = aliased(Profile), aliased(Profile)
    row = session.execute(
        select(
            item.status,
            holds.unexpired().label("is_held"),
            holder.id.label("holder_id"),
            name_of(decider).label("decider"),
            name_of(holder).label("holder"),
        )
        .outerjoin(decider, decider.id == decided_by)
        .outerjoin(holder, holder.id == holds.owner)
        .where(item.id == item_id)
    ).first()
    if row is None:
        return NotFoundError(f"no such {called}")
    if row.status == RevisionStatus.WITHDRAWN:
        return ConflictError(Conflict.WITHDRAWN)
    if row.status != EscalationStatus.PENDING:
        return ConflictError(Conflict.DECIDED, deed=row.status, who=row.decider)
    if actor_id is not None and row.is_held and row.holder_id != actor_id:
        return HeldError(Conflict.OPEN_ELSEWHERE, who=row.holder, item=called)
    return ConflictError(Conflict.CHANGED, item=called)


def lost_entry(session: Session, submission_id: uuid.UUID) -> ConflictError | NotFoundError:
    """Return the error for an entry that is not at the expected version; it names the entry's latest event."""
    if session.get(Submission, submission_id) is None:
        return NotFoundError("no such entry")
    row: Any = session.execute(
        select(ReviewEvent.kind, name_of(Profile).label("who"))
        .outerjoin(Profile, Profile.id == ReviewEvent.actor_id)
        .where(ReviewEvent.submission_id == submission_id)
        .order_by(ReviewEvent.id.desc())
        .limit(1)
    ).first()
    if row is None:
        return ConflictError(Conflict.CHANGED, item=Item.ENTRY)
    return ConflictError(Conflict.ENTRY_DONE, event=row.kind, who=row.who)
