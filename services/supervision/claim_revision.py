"""A claim on a revision: who has it open. Taken, prolonged and given back by conditional updates only."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from sqlalchemy import func, update

from core.errors import NotFoundError
from core.models import ReportRevision, RevisionStatus
from services.context import Context
from services.queries.queue_filter import free_for
from services.supervision.decide_revision import lost_revision


def claim_revision(context: Context, actor_id: uuid.UUID, revision_id: uuid.UUID) -> datetime:
    """Claim a pending revision, or prolong one's own claim; until when it stands.

    Raises HeldError where somebody else has it open, ConflictError where it waits no more, NotFoundError.
    """
    with context.database.session() as session:
        until: datetime | None = session.scalar(
            update(ReportRevision)
            .where(
                ReportRevision.id == revision_id,
                ReportRevision.status == RevisionStatus.PENDING.value,
                free_for(actor_id, ReportRevision.claimed_by, ReportRevision.claimed_until),
            )
            .values(
                claimed_by=actor_id,
                claimed_until=func.now() + timedelta(minutes=context.settings.claim_minutes),
            )
            .returning(ReportRevision.claimed_until)
        )
        if until is not None:
            return until
        if session.get(ReportRevision, revision_id) is None:
            raise NotFoundError("no such revision")
        raise lost_revision(session, revision_id, actor_id)


def release_revision(context: Context, actor_id: uuid.UUID, revision_id: uuid.UUID) -> None:
    """Give one's own claim back; nothing happens where it is somebody else's or gone."""
    with context.database.session() as session:
        session.execute(
            update(ReportRevision)
            .where(ReportRevision.id == revision_id, ReportRevision.claimed_by == actor_id)
            .values(claimed_by=None, claimed_until=None)
        )
