"""End sessions on the server: a copy of the cookie is of no use afterwards."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select, update

from core.errors import NotFoundError
from core.models import BrowserSession, SecurityEventKind
from services.context import Context
from services.security_events import record_event


def end_session(
    context: Context,
    profile_id: uuid.UUID,
    session_id: uuid.UUID,
    kind: SecurityEventKind = SecurityEventKind.SESSIONS_ENDED,
) -> None:
    """End one of the person's own sessions; repeating it is no error. Raises NotFoundError for any other.

    `kind` is how it is recorded.
    """
    own = (BrowserSession.id == session_id, BrowserSession.profile_id == profile_id)
    with context.database.session() as session:
        ended = session.execute(
            update(BrowserSession)
            .where(*own, BrowserSession.ended_at.is_(None))
            .values(ended_at=func.now())
            .returning(BrowserSession.id)
        ).all()
        if session.scalar(select(BrowserSession.id).where(*own)) is None:
            raise NotFoundError("no such session of this person")
        if ended:
            record_event(session, kind, actor_id=profile_id, rows=1)


def end_other_sessions(context: Context, profile_id: uuid.UUID, kept: uuid.UUID) -> None:
    """End all sessions of the person but the one that is kept."""
    with context.database.session() as session:
        ended = session.execute(
            update(BrowserSession)
            .where(
                BrowserSession.profile_id == profile_id,
                BrowserSession.id != kept,
                BrowserSession.ended_at.is_(None),
            )
            .values(ended_at=func.now())
            .returning(BrowserSession.id)
        ).all()
        record_event(session, SecurityEventKind.SESSIONS_ENDED, actor_id=profile_id, rows=len(ended))
