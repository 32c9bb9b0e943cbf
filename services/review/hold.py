"""A claim on an item: who has it open. Taken, prolonged and given back by conditional updates only."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.models import Escalation, EscalationStatus, Profile, ReportRevision, ReviewSuggestion
from services.accounts.person_name import name_of
from services.context import Context
from services.entries.lost_race import lost_race
from services.review.queue_filter import free_for

Kind = Literal["suggestion", "escalation", "revision"]
ITEMS: dict[Kind, type[ReviewSuggestion] | type[Escalation] | type[ReportRevision]] = {
    "suggestion": ReviewSuggestion,
    "escalation": Escalation,
    "revision": ReportRevision,
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
        standing = standing_claim(session, actor_id, kind, item_id)
        if standing is None:
            raise lost_race(session, item, item_id)
        return standing


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


def standing_claim(session: Session, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Claim | None:
    """The claim that stands on a pending item; None where it is free, or waits no more."""
    item = ITEMS[kind]
    row = session.execute(
        select(item.version, item.claimed_until, Profile.id, name_of(Profile).label("name"))
        .join(Profile, Profile.id == item.claimed_by)
        .where(
            item.id == item_id,
            item.status == EscalationStatus.PENDING.value,
            item.claimed_until > func.now(),
        )
    ).first()
    if row is None or row.claimed_until is None or row.name is None:
        return None
    return Claim(kind, item_id, row.version, row.id, row.name, row.claimed_until, row.id == actor_id)
