"""One school of the current season's list, with its aliases."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import select

from core.errors import NotFoundError
from core.models import School, SchoolAlias
from services.context import Context
from services.schools.school_names import key_of
from services.seasons import current_season
from services.taught_schools import taught_schools


@dataclass(frozen=True)
class WrittenForm:
    """A name or an alias, and how many settled entries have it."""

    text: str
    settled: int


@dataclass(frozen=True)
class SchoolDetail:
    """The data of the page of one school."""

    id: uuid.UUID
    name: str
    city: str | None
    district: str | None
    email: str | None
    #: Settled entries that have the name itself.
    settled: int
    aliases: tuple[WrittenForm, ...]


def school_detail(context: Context, school_id: uuid.UUID) -> SchoolDetail:
    """Return a school of the list. Raises NotFoundError."""
    with context.database.session() as session:
        season_id = current_season(session).id
        school = session.scalar(select(School).where(School.id == school_id, School.season_id == season_id))
        if school is None:
            raise NotFoundError("no such school on the list")
        settled = {key_of(one.name): one.settled for one in taught_schools(session, season_id)}
        aliases = session.scalars(
            select(SchoolAlias).where(SchoolAlias.school_id == school_id).order_by(SchoolAlias.alias_key)
        )
        return SchoolDetail(
            school.id,
            school.name,
            school.city,
            school.district,
            school.email,
            settled.get(school.name_key, 0),
            tuple(WrittenForm(row.alias, settled.get(row.alias_key, 0)) for row in aliases),
        )
