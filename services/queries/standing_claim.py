"""Who has an item open at the moment, without taking it."""

from __future__ import annotations

import uuid

from services.claim import Claim, Kind
from services.claim import standing_claim as standing
from services.context import Context


def standing_claim(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Claim | None:
    """See `services.claim.standing_claim`."""
    with context.database.session() as session:
        return standing(session, actor_id, kind, item_id)
