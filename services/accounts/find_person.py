"""Find an account by its e-mail address."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import Profile
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
