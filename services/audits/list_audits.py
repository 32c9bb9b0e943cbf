"""The queue of audits: how many wait, the next one, and what was found last."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from core.models import Audit, AuditField, AuditFinding, AuditStatus, Profile
from core.models.leases import AUDIT_HOLDS
from services.accounts.person_name import name_of
from services.context import Context
from services.seasons import current_season

_SHOWN = 20
#: Counting stops here.
COUNT_LIMIT = 1000


@dataclass(frozen=True)
class AuditRow:
    """A settled audit."""

    id: uuid.UUID
    submission_id: uuid.UUID
    auditor_id: uuid.UUID | None
    auditor: str | None
    settled_at: datetime | None
    fields: int
    #: Fields in which the machine is wrong, and those of which it cannot be told.
    wrong: int
    unclear: int


@dataclass(frozen=True)
class AuditQueue:
    """The data of the page of audits."""

    #: At most `COUNT_LIMIT`.
    waiting: int
    #: Waiting ones that other people have open.
    held: int
    settled: int
    rows: list[AuditRow]


def audit_queue(context: Context, person_id: uuid.UUID) -> AuditQueue:
    """Return the current season's audits."""
    with context.database.session() as session:
        season_id = current_season(session).id
        pending = (
            select(AUDIT_HOLDS.free_for(person_id).label("is_free"))
            .where(Audit.season_id == season_id, Audit.status == AuditStatus.PENDING.value)
            .limit(COUNT_LIMIT)
            .subquery()
        )
        waiting, free = session.execute(
            select(func.count(), func.count().filter(pending.c.is_free)).select_from(pending)
        ).one()
        settled = session.scalar(
            select(func.count()).where(Audit.season_id == season_id, Audit.status == AuditStatus.SETTLED.value)
        )
        last = (
            select(Audit.id)
            .where(Audit.season_id == season_id, Audit.status == AuditStatus.SETTLED.value)
            .order_by(Audit.settled_at.desc())
            .limit(_SHOWN)
        )
        rows = session.execute(
            select(
                Audit.id,
                Audit.submission_id,
                Audit.auditor_id,
                name_of(Profile),
                Audit.settled_at,
                func.count(AuditField.name),
                func.count().filter(AuditField.finding == AuditFinding.AUDITOR.value),
                func.count().filter(AuditField.finding == AuditFinding.UNCLEAR.value),
            )
            .join(AuditField, AuditField.audit_id == Audit.id)
            .outerjoin(Profile, Profile.id == Audit.auditor_id)
            .where(Audit.id.in_(last))
            .group_by(Audit.id, Profile.id)
            .order_by(Audit.settled_at.desc())
        )
        return AuditQueue(waiting, waiting - free, settled or 0, [AuditRow(*row) for row in rows])


def next_audit(context: Context, person_id: uuid.UUID) -> tuple[uuid.UUID, uuid.UUID] | None:
    """Return the ids of the audit that waits longest and that no other person holds, and of its entry; or None."""
    with context.database.session() as session:
        row = session.execute(
            select(Audit.id, Audit.submission_id)
            .where(
                Audit.season_id == current_season(session).id,
                Audit.status == AuditStatus.PENDING.value,
                AUDIT_HOLDS.free_for(person_id),
            )
            .order_by(Audit.created_at, Audit.id)
            .limit(1)
        ).first()
        return None if row is None else (row.id, row.submission_id)
