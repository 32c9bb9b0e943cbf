"""The name under which a person is shown to others."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func

from core.models import Profile


def name_of(profile: type[Profile]) -> ColumnElement[str | None]:
    """Return an SQL expression for the display name, or the e-mail address without one.

    It is null in an outer join that found no person.
    """
    return func.coalesce(func.nullif(profile.display_name, ""), profile.email)
