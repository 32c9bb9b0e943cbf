"""Query the present hold on an item without taking it."""

from __future__ import annotations

import uuid

from services.context import Context
from services.review.hold import Hold, Kind
from services.review.hold import standing_hold as standing


def standing_hold(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Hold | None:
    """Return the unexpired hold, if any; see `services.review.hold.standing_hold`."""
    with context.database.session() as session:
        return standing(session, actor_id, kind, item_id)
