"""Names and aliases of the current season's schools: their stored form, and finding a school by one of them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rapidfuzz import fuzz, process
from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, NotFoundError
from core.models import School, SchoolAlias
from pipeline.extraction.values.text import plain
from pipeline.records.school_spellings import settle_spellings
from services.messages.school import SchoolRefused
from services.seasons import current_season

#: Limit of characters in a name or alias, as in the database.
MAX_NAME = 200
#: Least similarity (0-100) for a school of the list to be suggested in place of an unknown name.
_LIKE = 60.0

key_of = plain


def cleaned_name(text: str) -> str:
    """Return a name or alias with single spaces. Raises InvalidInputError if it is empty, long or unprintable."""
    name = " ".join(text.split())
    if not key_of(name):
        raise InvalidInputError(SchoolRefused.NO_NAME)
    if len(name) > MAX_NAME:
        raise InvalidInputError(SchoolRefused.NAME_TOO_LONG, limit=MAX_NAME, count=len(name))
    if not name.isprintable():
        raise InvalidInputError(SchoolRefused.NOT_PRINTABLE, name=ascii(name)[1:-1])
    return name


def schools_by_key(session: Session, season_id: uuid.UUID) -> dict[str, School]:
    """Return a season's schools by the keys of their names and aliases; a name has precedence over an alias."""
    schools = session.scalars(select(School).where(School.season_id == season_id)).all()
    by_id = {school.id: school for school in schools}
    aliases = session.execute(
        select(SchoolAlias.alias_key, SchoolAlias.school_id)
        .where(SchoolAlias.school_id.in_(by_id))
        .order_by(SchoolAlias.alias_key, SchoolAlias.school_id)
    )
    return {
        **{row.alias_key: by_id[row.school_id] for row in aliases},
        **{school.name_key: school for school in schools},
    }


def locked_season(session: Session) -> uuid.UUID:
    """Return the current season's id, and let no other transaction change its school list until this one ends.

    The database cannot see that a name belongs to two schools, as a name of one and an alias of the other.
    """
    season = current_season(session)
    session.refresh(season, with_for_update={"key_share": True})
    return season.id


@contextmanager
def changing_list(session: Session) -> Iterator[uuid.UUID]:
    """Yield the current season's id with its list locked; at the end of the block entries follow the list."""
    season_id = locked_season(session)
    yield season_id
    settle_spellings(session, season_id)


def school_named(known: Mapping[str, School], name: str) -> School:
    """Return the school with this name or alias. Raises NotFoundError, naming a similar school if there is one."""
    if (school := known.get(key_of(name))) is not None:
        return school
    names = {school.name for school in known.values()}
    near = process.extractOne(name, names, scorer=fuzz.ratio, processor=key_of, score_cutoff=_LIKE)
    if near is None:
        raise NotFoundError(SchoolRefused.NOT_LISTED, name=name)
    raise NotFoundError(SchoolRefused.NOT_LISTED_BUT_LIKE, name=name, school=near[0])


def refuse_known(known: Mapping[str, School], name: str) -> None:
    """Raise InvalidInputError if the name belongs to a school of the list."""
    if (owner := known.get(key_of(name))) is not None:
        raise InvalidInputError(SchoolRefused.MEANS_ANOTHER, name=name, school=owner.name)
