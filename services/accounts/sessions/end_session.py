"""End sessions on the server: a copy of the cookie is of no use afterwards."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select, update

from core.errors import NotFoundError
from core.models import BrowserSession
from services.context import Context


def end_session(context: Context, profile_id: uuid.UUID, session_id: uuid.UUID) -> None:
    """End one of the person's own sessions; repeating it is no error. Raises NotFoundError for any other."""
    own = (BrowserSession.id == session_id, BrowserSession.profile_id == profile_id)
    with context.database.session() as session:
        session.execute(
            update(BrowserSession).where(*own, BrowserSession.ended_at.is_(None)).values(ended_at=func.now())
        )
        if session.scalar(select(BrowserSession.id).where(*own)) is None:
            raise NotFoundError("no such session of this person")


def end_other_sessions(context: Context, profile_id: uuid.UUID, kept: uuid.UUID) -> None:
    """End all sessions of the person but the one that is kept."""
    with context.database.session() as session:
        session.execute(
            update(BrowserSession)
            .where(
                BrowserSession.profile_id == profile_id,
                BrowserSession.id != kept,
                BrowserSession.ended_at.is_(None),
            )
            .values(ended_at=func.now())
        )
