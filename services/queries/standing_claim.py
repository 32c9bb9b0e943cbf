"""Who has an item open at the moment, without taking it."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select

from core.models import EscalationStatus, Profile
from services.claim import ITEMS, Claim, Kind
from services.context import Context


def standing_claim(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Claim | None:
    """The claim that stands on a pending item; None where it is free, or waits no more."""
    item = ITEMS[kind]
    with context.database.session() as session:
        row = session.execute(
            select(
                item.version,
                item.claimed_until,
                Profile.id,
                func.coalesce(Profile.display_name, Profile.email).label("name"),
            )
            .join(Profile, Profile.id == item.claimed_by)
            .where(
                item.id == item_id,
                item.status == EscalationStatus.PENDING.value,
                item.claimed_until > func.now(),
            )
        ).first()
    if row is None or row.claimed_until is None:
        return None
    return Claim(kind, item_id, row.version, row.id, row.name, row.claimed_until, row.id == actor_id)
