"""Search the current season's school list, page by page."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import or_, select

from core.models import School, SchoolAlias
from services.context import Context
from services.keyset import Page, fetch_page
from services.schools.school_names import key_of
from services.seasons import current_season
from services.taught_schools import taught_schools

PAGE_SIZE = 50


@dataclass(frozen=True)
class SchoolRow:
    """One line of the list."""

    id: uuid.UUID
    name: str
    city: str | None
    district: str | None
    #: In the order of the alphabet.
    aliases: tuple[str, ...]
    #: Number of settled entries that have its name or an alias.
    settled: int


def search_schools(
    context: Context, text: str = "", cursor: str | None = None, limit: int = PAGE_SIZE
) -> Page[SchoolRow]:
    """Return one page of the schools with `text` in their name or an alias, by name.

    Case and accents do not matter. Raises InvalidInputError for an invalid cursor.
    """
    with context.database.session() as session:
        season_id = current_season(session).id
        query = select(School.id, School.name, School.name_key, School.city, School.district).where(
            School.season_id == season_id
        )
        if key := key_of(text):
            has_alias = select(SchoolAlias.school_id).where(SchoolAlias.alias_key.contains(key, autoescape=True))
            query = query.where(or_(School.name_key.contains(key, autoescape=True), School.id.in_(has_alias)))
        rows, after, before = fetch_page(
            session, query, School.name_key, School.id, cursor, limit, newest_first=False
        )
        aliases: dict[uuid.UUID, list[SchoolAlias]] = {row.id: [] for row in rows}
        for alias in session.scalars(
            select(SchoolAlias).where(SchoolAlias.school_id.in_(aliases)).order_by(SchoolAlias.alias_key)
        ):
            aliases[alias.school_id].append(alias)
        settled = {key_of(one.name): one.settled for one in taught_schools(session, season_id)}
        return Page(
            [
                SchoolRow(
                    row.id,
                    row.name,
                    row.city,
                    row.district,
                    tuple(alias.alias for alias in aliases[row.id]),
                    _sum(settled, [row.name_key, *(alias.alias_key for alias in aliases[row.id])]),
                )
                for row in rows
            ],
            after,
            before,
        )


def _sum(settled: dict[str, int], keys: Iterable[str]) -> int:
    return sum(settled.get(key, 0) for key in set(keys))
