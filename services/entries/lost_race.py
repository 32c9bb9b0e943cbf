"""Why a decision came too late: who was first, and what they did, for the person who was not."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from core.errors import ConflictError, HeldError, NotFoundError
from core.lease import Leases
from core.models import (
    Escalation,
    EscalationStatus,
    Profile,
    ReportRevision,
    ReviewEvent,
    ReviewSuggestion,
    RevisionStatus,
    Submission,
)
from core.models.leases import ESCALATION_HOLDS, REVISION_HOLDS, SUGGESTION_HOLDS
from services.accounts.person_name import name_of

#: Whose decision it is, by kind of item, and what a person calls the item.
_CALLED: dict[type, tuple[InstrumentedAttribute[uuid.UUID | None], Leases[Any], str]] = {
    ReviewSuggestion: (ReviewSuggestion.resolved_by_user_id, SUGGESTION_HOLDS, "proposal"),
    Escalation: (Escalation.decided_by, ESCALATION_HOLDS, "escalation"),
    ReportRevision: (ReportRevision.decided_by, REVISION_HOLDS, "revision"),
}
_MACHINE = "the machine"


def lost_race(
    session: Session,
    item: type[ReviewSuggestion] | type[Escalation] | type[ReportRevision],
    item_id: uuid.UUID,
    actor_id: uuid.UUID | None = None,
) -> ConflictError | NotFoundError:
    """What to raise where a conditional UPDATE found nothing to change.

    `actor_id`: whose hold would not have been in the way; None where holds do not matter.
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
        return ConflictError("the supervision has ended, and the revision was withdrawn")
    if row.status != EscalationStatus.PENDING:
        return ConflictError(f"{row.status} by {row.decider or _MACHINE}", who=row.decider)
    if actor_id is not None and row.is_held and row.holder_id != actor_id:
        return HeldError(f"{row.holder} has this {called} open", who=row.holder)
    return ConflictError(f"the {called} has changed since this page was loaded")


def lost_entry(session: Session, submission_id: uuid.UUID) -> ConflictError | NotFoundError:
    """What to raise where the entry is not at the version that was seen: the last thing that was done with it."""
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
        return ConflictError("the entry has changed since this page was loaded")
    return ConflictError(f"{row.kind.replace('_', ' ')} by {row.who or _MACHINE}", who=row.who)
