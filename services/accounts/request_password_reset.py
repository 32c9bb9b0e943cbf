"""Create a link through which a person chooses a new password; an admin passes it on."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select

from core.errors import NotFoundError
from core.models import Profile, SecurityEventKind
from services.accounts.account_tokens import issue_token
from services.context import Context
from services.security_events import record_event


def request_password_reset(context: Context, email: str, actor_id: uuid.UUID | None = None) -> str:
    """Return the token of a new link. The old password works until the link is used. Raises NotFoundError."""
    with context.database.session() as session:
        profile = session.scalar(
            select(Profile).where(func.lower(Profile.email) == email.strip().lower(), Profile.is_active)
        )
        if profile is None:
            raise NotFoundError("no active account with this address")
        record_event(session, SecurityEventKind.RESET_LINK_MADE, actor_id=actor_id, subject_id=profile.id)
        return issue_token(session, profile.id, "password_reset")
