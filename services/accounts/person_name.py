"""How a person is called in what others read."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func

from core.models import Profile


def name_of(profile: type[Profile]) -> ColumnElement[str | None]:
    """How a person is called, who may have no name to show; null where there is nobody."""
    return func.coalesce(func.nullif(profile.display_name, ""), profile.email)
