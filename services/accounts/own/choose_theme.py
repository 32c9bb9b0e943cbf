"""Keep the theme that a person chose."""

from __future__ import annotations

import uuid

from sqlalchemy import update

from core.models import Profile
from services.context import Context


def choose_theme(context: Context, profile_id: uuid.UUID, theme: str) -> None:
    """Have pages be light, dark, or as the system is: "auto"."""
    with context.database.session() as session:
        session.execute(update(Profile).where(Profile.id == profile_id).values(theme=theme))
