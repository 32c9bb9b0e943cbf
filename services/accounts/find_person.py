"""Find an account by its e-mail address or its id."""

from __future__ import annotations

import uuid
from dataclasses import replace

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import Profile
from services.accounts.person import Person, may_sign_in, person_of
from services.context import Context


def person_by_email(context: Context, email: str) -> uuid.UUID:
    """Return the id of the active account with this address. Raises NotFoundError."""
    query = select(Profile.id).where(func.lower(Profile.email) == email.strip().lower(), Profile.is_active)
    with context.database.session() as session:
        found = session.scalar(query)
    if found is None:
        raise NotFoundError("no active account with this address")
    return found


def account_of(session: Session, email: str) -> uuid.UUID | None:
    """Return the id of the account with this address, whatever its state; None if there is none."""
    return session.scalar(select(Profile.id).where(func.lower(Profile.email) == email.strip().lower()))


def person_of_account(
    context: Context, profile_id: uuid.UUID, session_version: int, auth_session: uuid.UUID | None
) -> Person | None:
    """Return the person if the account may sign in and its sessions were not ended since; else None."""
    with context.database.session() as session:
        profile = session.get(Profile, profile_id)
    if profile is None or profile.session_version != session_version:
        return None
    if not may_sign_in(profile, context.settings.demo_accounts):
        return None
    return replace(person_of(profile), auth_session=auth_session)
