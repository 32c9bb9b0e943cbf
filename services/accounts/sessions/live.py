"""Which sessions hold at this moment, by the database's clock."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import ColumnElement, func

from core.config import Settings
from core.models import BrowserSession, Profile


def is_live(settings: Settings) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions on a session joined with its account."""
    idle = timedelta(minutes=settings.session_idle_minutes)
    longest = timedelta(hours=settings.session_hours)
    return (
        BrowserSession.ended_at.is_(None),
        BrowserSession.session_version == Profile.session_version,
        BrowserSession.last_seen_at > func.now() - idle,
        BrowserSession.created_at > func.now() - longest,
    )
