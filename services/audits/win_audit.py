"""Change a pending audit if nobody else was first."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from core.models import Audit, AuditField, AuditStatus
from core.models.leases import AUDIT_HOLDS
from services.entries.lost_race import lost_race


def win_audit(session: Session, actor_id: uuid.UUID, audit_id: uuid.UUID, version: int, **values: Any) -> Audit:
    """Set `values` on an audit that is pending at this version and that no other person holds; return it, locked.

    Raises ConflictError or HeldError, saying who was first, and NotFoundError.
    """
    audit: Audit | None = session.scalar(
        update(Audit)
        .where(
            Audit.id == audit_id,
            Audit.status == AuditStatus.PENDING.value,
            Audit.version == version,
            AUDIT_HOLDS.free_for(actor_id),
        )
        .values(version=Audit.version + 1, **values)
        .returning(Audit)
    )
    if audit is None:
        raise lost_race(session, Audit, audit_id, actor_id)
    return audit


def fields_of_audit(session: Session, audit_id: uuid.UUID) -> Sequence[AuditField]:
    """Return the rows of an audit's fields."""
    query = select(AuditField).where(AuditField.audit_id == audit_id).order_by(AuditField.name)
    return session.scalars(query).all()
