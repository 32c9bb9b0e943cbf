"""Confirm a session: the person gives the password again before what a stranger at the desk must not do."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select, update

from core.errors import WrongPasswordError
from core.models import BrowserSession, Profile
from services.accounts.at_auth.passwords import require_password
from services.accounts.passwords import password_fits
from services.context import Context


def confirm_session(context: Context, session_id: uuid.UUID, password: str) -> None:
    """Note that the owner of the session has just given the password. Raises WrongPasswordError."""
    owner = (
        select(Profile)
        .join(BrowserSession, BrowserSession.profile_id == Profile.id)
        .where(BrowserSession.id == session_id)
    )
    with context.database.session() as session:
        profile = session.scalar(owner)
    if profile is None:
        raise WrongPasswordError
    if context.auth is not None:
        require_password(context, profile.id, profile.email, password)
    elif not password_fits(profile.password_hash, password):
        raise WrongPasswordError
    with context.database.session() as session:
        session.execute(
            update(BrowserSession).where(BrowserSession.id == session_id).values(confirmed_at=func.now())
        )
