"""List a person's open sessions."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from core.models import BrowserSession, Profile
from services.accounts.sessions.client import AddressFamily
from services.accounts.sessions.live import is_live
from services.context import Context

#: Limit of rows; nobody has so many browsers.
_MOST = 100


@dataclass(frozen=True)
class SessionRow:
    """One open session."""

    id: uuid.UUID
    created_at: datetime
    last_seen_at: datetime
    address_family: AddressFamily
    #: The browser in a few words; may be empty.
    user_agent: str


def list_sessions(context: Context, profile_id: uuid.UUID) -> list[SessionRow]:
    """Return the person's open sessions, newest first."""
    query = (
        select(BrowserSession)
        .join(Profile, Profile.id == BrowserSession.profile_id)
        .where(BrowserSession.profile_id == profile_id, *is_live(context.settings))
        .order_by(BrowserSession.created_at.desc(), BrowserSession.id)
        .limit(_MOST)
    )
    with context.database.session() as session:
        return [
            SessionRow(row.id, row.created_at, row.last_seen_at, AddressFamily(row.address_family), row.user_agent)
            for row in session.scalars(query)
        ]
