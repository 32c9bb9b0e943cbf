"""The name under which a person is shown to others."""

from __future__ import annotations

import uuid

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from core.models import Profile


def name_of(profile: type[Profile]) -> ColumnElement[str | None]:
    """Return an SQL expression for the display name, or the e-mail address without one.

    It is null in an outer join that found no person.
    """
    return func.coalesce(func.nullif(profile.display_name, ""), profile.email)


def name_by_id(session: Session, person_id: uuid.UUID | None) -> str | None:
    """Return the name of a person; None for nobody, as where the command line did it."""
    return session.scalar(select(name_of(Profile)).where(Profile.id == person_id)) if person_id else None
