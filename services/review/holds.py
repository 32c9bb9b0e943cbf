"""Holds: an item is held by the person who has it open."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, case, extract, func, select
from sqlalchemy.orm import Session

from core.lease import Leases
from core.models import Audit, Escalation, EscalationStatus, Profile, ReportRevision, ReviewSuggestion
from core.models.leases import AUDIT_HOLDS, ESCALATION_HOLDS, REVISION_HOLDS, SUGGESTION_HOLDS
from services.accounts.person import name_of
from services.context import Context
from services.entries.decided_rows import lost_race


def held_seconds(
    session: Session, kind: Literal["suggestion", "escalation"], item_id: uuid.UUID, actor_id: uuid.UUID
) -> int | None:
    """Return the seconds since the person took the hold; None if unknown, or if the hold is another's."""
    holds: Leases[ReviewSuggestion] | Leases[Escalation]
    holds = SUGGESTION_HOLDS if kind == "suggestion" else ESCALATION_HOLDS
    since = holds.row.held_since
    seconds = session.scalar(
        select(extract("epoch", func.now() - since)).where(holds.key == item_id, holds.owner == actor_id)
    )
    return None if seconds is None else max(int(seconds), 0)


def hold_of(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Hold | None:
    """Return the unexpired hold, if any; see `standing_hold`."""
    with context.database.session() as session:
        return standing_hold(session, actor_id, kind, item_id)


def hold_on_pending(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Hold | None:
    """Return the unexpired hold on an item that still waits; None means that it is free.

    Raises ConflictError, saying who did what, if the item is decided already, and NotFoundError.
    """
    row = HOLDS[kind].row
    with context.database.session() as session:
        found = standing_hold(session, actor_id, kind, item_id)
        if found is None and not session.scalar(select(row.id).where(row.id == item_id, is_pending(kind))):
            raise lost_race(session, row, item_id)
        return found


# Holds on items of the review queues: the lease of the person who has an item open.


Kind = Literal["suggestion", "escalation", "revision", "audit"]
HOLDS: dict[Kind, Leases[ReviewSuggestion] | Leases[Escalation] | Leases[ReportRevision] | Leases[Audit]] = {
    "suggestion": SUGGESTION_HOLDS,
    "escalation": ESCALATION_HOLDS,
    "revision": REVISION_HOLDS,
    "audit": AUDIT_HOLDS,
}


@dataclass(frozen=True)
class Hold:
    """The holder of an item, and the end of the hold unless it is prolonged."""

    kind: Kind
    item_id: uuid.UUID
    #: The version of the item, which a decision must name.
    version: int
    holder_id: uuid.UUID
    holder_name: str
    until: datetime
    mine: bool


def take_hold(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Hold:
    """Hold a pending item, or prolong the person's own hold; return the unexpired hold, which may be another's.

    Raises ConflictError, saying who did what, if the item is decided already, and NotFoundError.
    """
    holds = HOLDS[kind]
    with context.database.session() as session:
        lasting = timedelta(minutes=context.settings.claim_minutes)
        holds.take(session, item_id, actor_id, lasting, is_pending(kind), **_since(context, kind, actor_id))
        standing = standing_hold(session, actor_id, kind, item_id)
        if standing is None:
            raise lost_race(session, holds.row, item_id)
        return standing


def _since(context: Context, kind: Kind, actor_id: uuid.UUID) -> dict[str, Any]:
    """Return the column with the time since which the person has the item; empty for revisions and audits.

    These have no such column: only the duration of decisions on entries is measured.
    """
    if kind in ("revision", "audit") or not context.settings.measure_review_effort:
        return {}
    holds = SUGGESTION_HOLDS if kind == "suggestion" else ESCALATION_HOLDS
    goes_on = and_(holds.owner == actor_id, holds.unexpired(), holds.row.held_since.is_not(None))
    return {"held_since": case((goes_on, holds.row.held_since), else_=func.now())}


def release_hold(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> None:
    """Release the person's own hold; do nothing if the hold is another person's or has expired."""
    with context.database.session() as session:
        HOLDS[kind].held_by(item_id, actor_id).release(session)


def standing_hold(session: Session, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Hold | None:
    """Return the unexpired hold on a pending item; None if it is free or decided."""
    holds = HOLDS[kind]
    row = session.execute(
        select(holds.row.version, holds.until.label("until"), Profile.id, name_of(Profile).label("name"))
        .join(Profile, Profile.id == holds.owner)
        .where(holds.key == item_id, is_pending(kind), holds.unexpired())
    ).first()
    if row is None or row.until is None or row.name is None:
        return None
    return Hold(kind, item_id, row.version, row.id, row.name, row.until, row.id == actor_id)


def is_pending(kind: Kind) -> ColumnElement[bool]:
    """Return the condition that an item of this kind waits for a decision."""
    return HOLDS[kind].row.status == EscalationStatus.PENDING.value
