"""One escalation: its status, holder and decision."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import aliased

from core.errors import NotFoundError
from core.messages import Message
from core.models import Escalation, Profile
from core.models.leases import ESCALATION_HOLDS
from services.context import Context


@dataclass(frozen=True)
class EscalationDetail:
    """An escalation without its entry."""

    id: uuid.UUID
    submission_id: uuid.UUID
    version: int
    status: str
    reason: Message
    created_at: datetime
    decided_by: str | None
    decided_at: datetime | None
    #: Name of the holder and end of the hold; None if it is free.
    held_by: str | None
    held_until: datetime | None


def escalation_detail(context: Context, escalation_id: uuid.UUID) -> EscalationDetail:
    """Return one escalation. Raises NotFoundError."""
    decider, holder = aliased(Profile), aliased(Profile)
    query = (
        select(Escalation, decider, holder, ESCALATION_HOLDS.until)
        .outerjoin(decider, decider.id == Escalation.decided_by)
        .outerjoin(holder, (holder.id == ESCALATION_HOLDS.owner) & (ESCALATION_HOLDS.unexpired()))
        .where(Escalation.id == escalation_id)
    )
    with context.database.session() as session:
        row = session.execute(query).one_or_none()
    if row is None:
        raise NotFoundError("no such escalation")
    escalation, decided_by, held_by, held_until = row
    return EscalationDetail(
        id=escalation.id,
        submission_id=escalation.submission_id,
        version=escalation.version,
        status=escalation.status,
        reason=escalation.reason,
        created_at=escalation.created_at,
        decided_by=_name(decided_by),
        decided_at=escalation.decided_at,
        held_by=_name(held_by),
        held_until=held_until if held_by is not None else None,
    )


def _name(profile: Profile | None) -> str | None:
    return (profile.display_name or profile.email) if profile is not None else None
