"""Why a decision came too late: who was first, for the person who was not."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.errors import ConflictError, NotFoundError
from core.models import Escalation, Profile, ReviewSuggestion

#: The status that both begin with.
_PENDING = "pending"


def lost_race(
    session: Session,
    item: type[ReviewSuggestion] | type[Escalation],
    decided_by: InstrumentedAttribute[uuid.UUID | None],
    item_id: uuid.UUID,
    called: str,
) -> ConflictError | NotFoundError:
    """What to raise where a conditional UPDATE found nothing to change."""
    row = session.execute(
        select(item.status, Profile.display_name, Profile.email)
        .outerjoin(Profile, Profile.id == decided_by)
        .where(item.id == item_id)
    ).first()
    if row is None:
        return NotFoundError(f"no such {called}")
    if row.status == _PENDING:
        return ConflictError(f"the {called} has changed since this page was loaded")
    return ConflictError(f"{row.status} by {row.display_name or row.email or 'the machine'}")
