"""Remove sessions that ended long ago, and what Supabase Auth granted for those that ended."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete, func

from core.models import AuthSession, BrowserSession
from services.context import Context

#: A session that nobody has used for so long has ended by any setting.
_KEPT = timedelta(days=35)


def purge_sessions(context: Context) -> int:
    """Delete the rows and return how many sessions there were."""
    longest = timedelta(hours=context.settings.session_hours)
    with context.database.session() as session:
        session.execute(delete(AuthSession).where(AuthSession.created_at < func.now() - longest))
        gone = session.execute(
            delete(BrowserSession)
            .where(BrowserSession.last_seen_at < func.now() - _KEPT)
            .returning(BrowserSession.id)
        )
        return len(gone.all())
