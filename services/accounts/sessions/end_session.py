"""End sessions on the server: a copy of the cookie is of no use afterwards."""

from __future__ import annotations

import uuid

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import AuthSession, BrowserSession, SecurityEventKind
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
        ended = end_open(session, *own)
        if session.scalar(select(BrowserSession.id).where(*own)) is None:
            raise NotFoundError("no such session of this person")
        if ended:
            record_event(session, kind, actor_id=profile_id, rows=1)


def end_other_sessions(context: Context, profile_id: uuid.UUID, kept: uuid.UUID) -> None:
    """End all sessions of the person but the one that is kept."""
    with context.database.session() as session:
        ended = end_open(session, BrowserSession.profile_id == profile_id, BrowserSession.id != kept)
        record_event(session, SecurityEventKind.SESSIONS_ENDED, actor_id=profile_id, rows=ended)


def end_open(session: Session, *which: ColumnElement[bool]) -> int:
    """End the open ones of these sessions, forget what Supabase Auth granted for them, and return their number."""
    ended = session.scalars(
        update(BrowserSession)
        .where(*which, BrowserSession.ended_at.is_(None))
        .values(ended_at=func.now())
        .returning(BrowserSession.id)
    ).all()
    if ended:
        session.execute(delete(AuthSession).where(AuthSession.session_id.in_(ended)))
    return len(ended)
