"""How long a person has had an item open."""

from __future__ import annotations

import uuid
from typing import Literal

from sqlalchemy import extract, func, select
from sqlalchemy.orm import Session

from core.lease import Leases
from core.models import Escalation, ReviewSuggestion
from core.models.leases import ESCALATION_HOLDS, SUGGESTION_HOLDS


def held_seconds(
    session: Session, kind: Literal["suggestion", "escalation"], item_id: uuid.UUID, actor_id: uuid.UUID
) -> int | None:
    """Return the seconds since the person took the hold; None if that is not kept, or the hold is another's."""
    holds: Leases[ReviewSuggestion] | Leases[Escalation]
    holds = SUGGESTION_HOLDS if kind == "suggestion" else ESCALATION_HOLDS
    since = holds.row.held_since
    seconds = session.scalar(
        select(extract("epoch", func.now() - since)).where(holds.key == item_id, holds.owner == actor_id)
    )
    return None if seconds is None else max(int(seconds), 0)
