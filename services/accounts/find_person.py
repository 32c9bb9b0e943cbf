"""Find an account by its e-mail address."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select

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
