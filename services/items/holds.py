"""Holds: an item that waits for a decision is held by the person who has it open.

What is held, and by which columns, is declared in `core.models.leases`, once for each kind.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Literal

from sqlalchemy import ColumnElement, CompoundSelect, and_, case, extract, func, select, union_all, update
from sqlalchemy.orm import Session, aliased

from core.database import without_waiting
from core.errors import ConflictError, HeldError, NotFoundError
from core.lease import Leases
from core.models import EscalationStatus, Profile, RevisionStatus, Submission
from core.models.leases import AUDIT_HOLDS, ESCALATION_HOLDS, REVISION_HOLDS, SUGGESTION_HOLDS
from services.accounts.person import name_of
from services.context import Context
from services.messages.entries import Conflict, ItemLabel

Kind = Literal["suggestion", "escalation", "revision", "audit"]
#: The kinds of items whose decision settles an entry.
ItemKind = Literal["suggestion", "escalation"]
HOLDS: dict[Kind, Leases[Any]] = {
    "suggestion": SUGGESTION_HOLDS,
    "escalation": ESCALATION_HOLDS,
    "revision": REVISION_HOLDS,
    "audit": AUDIT_HOLDS,
}
_PENDING = EscalationStatus.PENDING.value


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
    with context.database.session() as session:
        hold_if_free(context, session, actor_id, kind, item_id)
        standing = standing_hold(session, actor_id, kind, item_id)
        if standing is None:
            raise lost_race(session, kind, item_id)
        return standing


def hold_if_free(context: Context, session: Session, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> bool:
    """Hold a pending item, or prolong the person's own hold; return False if another holds it or it is decided."""
    holds = HOLDS[kind]
    lasting = timedelta(minutes=context.settings.claim_minutes)
    since = _since(context, holds, actor_id)
    # A hold that a power cut loses harms nobody: a decision is refused where the item has changed.
    where = is_pending(kind), without_waiting()
    return holds.take(session, item_id, actor_id, lasting, *where, **since) is not None


def _since(context: Context, holds: Leases[Any], actor_id: uuid.UUID) -> dict[str, Any]:
    """Return the column with the time since which the person has the item; empty where that is not measured."""
    if holds.since is None or not context.settings.measure_review_effort:
        return {}
    goes_on = and_(holds.owner == actor_id, holds.unexpired(), holds.since.is_not(None))
    return {holds.since.key: case((goes_on, holds.since), else_=func.now())}


def release_hold(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> None:
    """Release the person's own hold; do nothing if the hold is another person's or has expired."""
    with context.database.session() as session:
        HOLDS[kind].held_by(item_id, actor_id).release(session)


def hold_of(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Hold | None:
    """Return the unexpired hold, if any; see `standing_hold`."""
    with context.database.reading() as session:
        return standing_hold(session, actor_id, kind, item_id)


def hold_on_pending(context: Context, actor_id: uuid.UUID, kind: Kind, item_id: uuid.UUID) -> Hold | None:
    """Return the unexpired hold on an item that still waits; None means that it is free.

    Raises ConflictError, saying who did what, if the item is decided already, and NotFoundError.
    """
    row = HOLDS[kind].row
    with context.database.reading() as session:
        found = standing_hold(session, actor_id, kind, item_id)
        if found is None and not session.scalar(select(row.id).where(row.id == item_id, is_pending(kind))):
            raise lost_race(session, kind, item_id)
        return found


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


def held_seconds(session: Session, kind: ItemKind, item_id: uuid.UUID, actor_id: uuid.UUID) -> int | None:
    """Return the seconds since the person took the hold; None if unknown, or if the hold is another's."""
    holds = HOLDS[kind]
    assert holds.since is not None
    seconds = session.scalar(
        select(extract("epoch", func.now() - holds.since)).where(holds.key == item_id, holds.owner == actor_id)
    )
    return None if seconds is None else max(int(seconds), 0)


def is_pending(kind: Kind) -> ColumnElement[bool]:
    """Return the condition that an item of this kind waits for a decision."""
    pending: ColumnElement[bool] = HOLDS[kind].row.status == _PENDING
    return pending


def _open_submissions() -> CompoundSelect[Any]:
    return union_all(
        *(
            select(holds.row.submission_id, holds.owner.label("holder_id")).where(
                holds.row.status == _PENDING, holds.unexpired()
            )
            for holds in (SUGGESTION_HOLDS, ESCALATION_HOLDS)
        )
    )


def is_open() -> ColumnElement[bool]:
    """Return the condition on `Submission` that a person has the entry open."""
    opened = _open_submissions().subquery()
    return select(opened.c.holder_id).where(opened.c.submission_id == Submission.id).exists()


def open_elsewhere(
    session: Session, ids: Collection[uuid.UUID], actor_id: uuid.UUID | None
) -> dict[uuid.UUID, str]:
    """Return who, other than this person, has which of these entries open, by the entries' ids."""
    opened = _open_submissions().subquery()
    rows = session.execute(
        select(opened.c.submission_id, name_of(Profile).label("who"))
        .join(Profile, Profile.id == opened.c.holder_id)
        .where(opened.c.submission_id.in_(ids), opened.c.holder_id != actor_id)
    )
    return {row.submission_id: row.who for row in rows}


def refuse_if_held(session: Session, submission_id: uuid.UUID, actor_id: uuid.UUID) -> None:
    """Raise HeldError if another person has the entry open."""
    for who in open_elsewhere(session, [submission_id], actor_id).values():
        raise HeldError(Conflict.OPEN_ELSEWHERE, who=who, item=ItemLabel.ENTRY)


def require_free(session: Session, actor_id: uuid.UUID | None, ids: Collection[uuid.UUID]) -> None:
    """Raise HeldError if another person than this one has one of several entries open."""
    for who in open_elsewhere(session, ids, actor_id).values():
        raise HeldError(Conflict.ONE_OPEN_ELSEWHERE, who=who)


def win_pending(
    session: Session,
    kind: Kind,
    item_id: uuid.UUID,
    version: int,
    actor_id: uuid.UUID,
    values: Mapping[str, Any] = MappingProxyType({}),
    *,
    keeps_hold: bool = False,
) -> Any:
    """Set `values` on a pending item at this version, which no other person holds, and return its row.

    Ends its hold, unless `keeps_hold`. Raises ConflictError, saying who did what, HeldError and NotFoundError.
    """
    holds = HOLDS[kind]
    row = holds.row
    ended = {} if keeps_hold else holds.ended
    won = session.scalar(
        update(row)
        .where(row.id == item_id, is_pending(kind), row.version == version, holds.free_for(actor_id))
        .values(version=row.version + 1, **ended, **values)
        .returning(row)
    )
    if won is None:
        raise lost_race(session, kind, item_id, actor_id)
    return won


def lost_race(
    session: Session, kind: Kind, item_id: uuid.UUID, actor_id: uuid.UUID | None = None
) -> ConflictError | NotFoundError:
    """Return the error to raise after a conditional UPDATE of an item found no row to change.

    A hold by any person other than `actor_id` is reported as HeldError; with None, holds are not considered.
    """
    holds, called = HOLDS[kind], ItemLabel(kind)
    decider, holder = aliased(Profile), aliased(Profile)
    row = session.execute(
        select(
            holds.row.status,
            holds.unexpired().label("is_held"),
            holder.id.label("holder_id"),
            name_of(decider).label("decider"),
            name_of(holder).label("holder"),
        )
        .outerjoin(decider, decider.id == holds.decided_by)
        .outerjoin(holder, holder.id == holds.owner)
        .where(holds.key == item_id)
    ).first()
    if row is None:
        return NotFoundError(f"no such {called}")
    if row.status == RevisionStatus.WITHDRAWN:
        return ConflictError(Conflict.WITHDRAWN)
    if row.status != _PENDING:
        return ConflictError(Conflict.DECIDED, deed=row.status, who=row.decider)
    if actor_id is not None and row.is_held and row.holder_id != actor_id:
        return HeldError(Conflict.OPEN_ELSEWHERE, who=row.holder, item=called)
    return ConflictError(Conflict.CHANGED, item=called)
