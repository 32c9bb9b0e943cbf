"""List the current season's schools with their aliases."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from core.models import School, SchoolAlias
from services.context import Context
from services.seasons import current_season


@dataclass(frozen=True)
class ListedSchool:
    """One school of the list."""

    name: str
    city: str | None
    district: str | None
    aliases: tuple[str, ...]


def list_schools(context: Context) -> list[ListedSchool]:
    """Return all schools in the order of their names."""
    with context.database.session() as session:
        season_id = current_season(session).id
        schools = session.scalars(
            select(School).where(School.season_id == season_id).order_by(School.name_key)
        ).all()
        rows = session.scalars(
            select(SchoolAlias)
            .join(School, School.id == SchoolAlias.school_id)
            .where(School.season_id == season_id)
            .order_by(SchoolAlias.alias_key)
        )
        aliases: dict[object, list[str]] = {}
        for row in rows:
            aliases.setdefault(row.school_id, []).append(row.alias)
        return [
            ListedSchool(school.name, school.city, school.district, tuple(aliases.get(school.id, ())))
            for school in schools
        ]
