"""A claim on an item: who has it open. Taken, prolonged and given back by conditional updates only."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError
from core.models import Escalation, EscalationStatus, Profile, ReviewSuggestion
from services.context import Context
from services.lost_race import lost_race
from services.queries.queue_filter import free_for

Kind = Literal["suggestion", "escalation"]
ITEMS: dict[Kind, type[ReviewSuggestion] | type[Escalation]] = {
    "suggestion": ReviewSuggestion,
    "escalation": Escalation,
}


@dataclass(frozen=True)
class Claim:
    """Who has an item open, and until when unless they are heard of again."""

    kind: Kind
    item_id: uuid.UUID
    #: The item's, which a decision has to name.
    version: int
    holder_id: uuid.UUID
    holder_name: str
    until: datetime
    mine: bool


def claim(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Claim:
    """Claim a pending item, or prolong one's own claim; the standing claim where somebody else's has not run out.

    Raises ConflictError, saying who and what, for an item that is decided already, NotFoundError where there is
    none.
    """
    item = ITEMS[kind]
    with context.database.session() as session:
        session.execute(
            update(item)
            .where(
                item.id == item_id,
                item.status == EscalationStatus.PENDING.value,
                free_for(actor_id, item.claimed_by, item.claimed_until),
            )
            .values(
                claimed_by=actor_id,
                claimed_until=func.now() + timedelta(minutes=context.settings.claim_minutes),
            )
        )
        return _standing(session, actor_id, kind, item_id)


def release_claim(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> None:
    """Give one's own claim back; nothing happens where it is somebody else's or gone."""
    item = ITEMS[kind]
    with context.database.session() as session:
        session.execute(
            update(item)
            .where(item.id == item_id, item.claimed_by == actor_id)
            .values(claimed_by=None, claimed_until=None)
        )


def claim_suggestion(context: Context, actor_id: uuid.UUID, suggestion_id: uuid.UUID) -> Claim:
    """Claim a proposal; see `claim`."""
    return claim(context, actor_id, "suggestion", suggestion_id)


def _standing(session: Session, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Claim:
    item = ITEMS[kind]
    row = session.execute(
        select(item.version, item.claimed_until, Profile.id, Profile.display_name, Profile.email)
        .join(Profile, Profile.id == item.claimed_by)
        .where(item.id == item_id, item.status == EscalationStatus.PENDING.value)
    ).first()
    if row is None:
        raise lost_race(session, item, item_id)
    if row.claimed_until is None:
        raise ConflictError("the claim was given back; try again")
    name = row.display_name or row.email
    return Claim(kind, item_id, row.version, row.id, name, row.claimed_until, row.id == actor_id)
