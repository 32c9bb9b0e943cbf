"""Keep the language that a person chose."""

from __future__ import annotations

import uuid

from sqlalchemy import update

from core.models import Profile
from services.context import Context


def choose_language(context: Context, profile_id: uuid.UUID, language: str) -> None:
    """Have pages and mails be in this language, by its code."""
    with context.database.session() as session:
        session.execute(update(Profile).where(Profile.id == profile_id).values(language=language))
