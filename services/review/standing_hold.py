"""Query the present hold on an item without taking it."""

from __future__ import annotations

import uuid

from sqlalchemy import select

from services.context import Context
from services.entries.lost_race import lost_race
from services.review.hold import HOLDS, Hold, Kind, is_pending
from services.review.hold import standing_hold as standing


def standing_hold(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Hold | None:
    """Return the unexpired hold, if any; see `services.review.hold.standing_hold`."""
    with context.database.session() as session:
        return standing(session, actor_id, kind, item_id)


def hold_on_pending(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Hold | None:
    """Return the unexpired hold on an item that still waits; None means that it is free to be taken.

    Raises ConflictError, saying who did what, if the item is decided already, and NotFoundError.
    """
    row = HOLDS[kind].row
    with context.database.session() as session:
        found = standing(session, actor_id, kind, item_id)
        if found is None and not session.scalar(select(row.id).where(row.id == item_id, is_pending(kind))):
            raise lost_race(session, row, item_id)
        return found
