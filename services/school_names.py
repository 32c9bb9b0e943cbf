"""Names of schools: searched and compared."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from psycopg.errors import LockNotAvailable
from rapidfuzz import fuzz, process
from sqlalchemy import ColumnElement, Subquery, and_, any_, func, literal, or_, select, text, tuple_, union_all
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session, aliased

from core.errors import BusyError, InvalidInputError, NotFoundError
from core.models import School, SchoolAlias, SchoolSpelling, Season, Submission
from pipeline.extraction.readings import with_taught
from pipeline.extraction.values.names import misspelled_school, similar_schools
from pipeline.extraction.values.text import plain_text
from pipeline.supabase_db import settle_spellings
from services.context import Context
from services.keyset import RowPage, fetch_page
from services.messages.office import SchoolRefused
from services.seasons import current_season, school_list, taught_schools

PAGE_SIZE = 50


@dataclass(frozen=True)
class SchoolRow:
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
) -> RowPage[SchoolRow]:
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
        return RowPage(
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


#: Number of schools that are offered.
MOST = 6


@dataclass(frozen=True)
class LikelySchool:
    """A known school that may be meant."""

    #: None for a school that settled entries have taught and that is not on the list.
    id: uuid.UUID | None
    name: str
    city: str | None
    #: 0-100.
    likeness: float


@dataclass(frozen=True)
class LikelySchools:
    """What is known of a written name."""

    text: str
    #: The school of the list whose name or alias it is.
    listed: LikelySchool | None
    #: The name of the school that the text is a misspelling of; None where it names one, or two may be meant.
    nearest: str | None
    #: The most similar schools, `listed` included; `nearest` is the first.
    schools: tuple[LikelySchool, ...]


def likely_schools(context: Context, text: str, limit: int = MOST) -> LikelySchools:
    """Return the known schools that are similar to a text: the one that it misspells, then the most similar.

    Of a text that is longer than any name, only the beginning is compared.
    """
    text = " ".join(text[: 2 * MAX_NAME].split())[:MAX_NAME]
    with context.database.session() as session:
        season_id = current_season(session).id
        taught = [one.name for one in taught_schools(session, season_id) if one.counts]
        known = with_taught(school_list(session, season_id), taught)
        owner = schools_by_key(session, season_id, [key_of(text)]).get(key_of(text))
        nearest = misspelled_school(text, known) if owner is None else None
        similar = sorted(similar_schools(text, known, len(known)), key=lambda one: one[0] != nearest)[:limit]
        by_key = schools_by_key(session, season_id, [key_of(name) for name, _ in similar])
        found = tuple(_shown(by_key, name, likeness) for name, likeness in similar)
        listed = LikelySchool(owner.id, owner.name, owner.city, 100.0) if owner else None
    return LikelySchools(text, listed, nearest, found)


def _shown(by_key: dict[str, School], name: str, likeness: float) -> LikelySchool:
    school = by_key.get(key_of(name))
    if school is None:
        return LikelySchool(None, name, None, round(likeness, 1))
    return LikelySchool(school.id, name, school.city, round(likeness, 1))


def schools_meant() -> Subquery:
    """Return the columns season_id, spelling, name and listed: the school that each spelling of a season means.

    `name` is what the school is called: its name on the list (`listed`, None where it is not there), or else the
    first of its spellings that is neither all capitals nor all small letters. Join it with `is_meant`.
    """
    other = aliased(SchoolSpelling)
    in_one_case = or_(other.spelling == func.upper(other.spelling), other.spelling == func.lower(other.spelling))
    best = (
        select(other.spelling)
        .where(other.season_id == SchoolSpelling.season_id, other.school_key == SchoolSpelling.school_key)
        .order_by(in_one_case, other.spelling)
        .limit(1)
        .correlate(SchoolSpelling)
        .scalar_subquery()
    )
    return (
        select(
            SchoolSpelling.season_id,
            SchoolSpelling.spelling,
            func.coalesce(School.name, best).label("name"),
            School.name.label("listed"),
        )
        .outerjoin(School, School.id == SchoolSpelling.school_id)
        .subquery("meant")
    )


def is_meant(meant: Subquery) -> ColumnElement[bool]:
    """Return the condition that joins `schools_meant` to entries; an entry without a school has no row there."""
    return and_(meant.c.season_id == Submission.season_id, meant.c.spelling == Submission.school_name)


def school_of(meant: Subquery) -> ColumnElement[str]:
    """Return what the school of an entry is called, "" where none is known."""
    return func.coalesce(meant.c.name, Submission.school_name, "")


def is_school(name: str) -> ColumnElement[bool]:
    """Return the condition that an entry's school is the one that a name, an alias or a spelling means."""
    one, key = aliased(SchoolSpelling), key_of(name)
    same = select(one.spelling).where(
        one.season_id == SchoolSpelling.season_id,
        one.school_key == SchoolSpelling.school_key,
        one.spelling == name,
    )
    alias = select(SchoolAlias.id).where(
        SchoolAlias.school_id == SchoolSpelling.school_id, SchoolAlias.alias_key == key
    )
    spellings = select(SchoolSpelling.season_id, SchoolSpelling.spelling).where(
        or_(SchoolSpelling.school_key == key, same.exists(), alias.exists())
    )
    meant = spellings.union(select(Season.id.label("season_id"), literal(name).label("spelling"))).cte()
    # The array of all seasons' spellings is computed first, so that the index of schools is used. Otherwise the
    # planner compares every entry with the pairs.
    anywhere = func.array(select(meant.c.spelling).scalar_subquery())
    exactly = tuple_(Submission.season_id, Submission.school_name).in_(select(meant.c.season_id, meant.c.spelling))
    return and_(Submission.school_name == any_(anywhere), exactly)


@dataclass(frozen=True)
class SettledSpellings:
    """How many spellings a season has."""

    spellings: int


def settle_schools(context: Context) -> SettledSpellings:
    """Settle the current season's spellings again: abbreviations from before an upgrade, and unused ones."""
    with context.database.session() as session, changing_list(session) as season_id:
        spellings = select(func.count()).where(SchoolSpelling.season_id == season_id)
    return SettledSpellings(context.database.scalar(spellings) or 0)


# Names and aliases of the current season's schools: their stored form, and finding a school by one of them.


#: Limit of characters in a name or alias, as in the database.
MAX_NAME = 200
#: Least similarity (0-100) for a school of the list to be suggested in place of an unknown name.
_LIKE = 60.0

key_of = plain_text


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


def schools_by_key(
    session: Session, season_id: uuid.UUID, keys: Collection[str] | None = None
) -> dict[str, School]:
    """Return a season's schools by the keys of their names and aliases; a name has precedence over an alias.

    `keys`: only those looked for.
    """
    names = select(School.name_key.label("key"), School.id.label("school_id"), literal(True).label("is_name"))
    aliases = select(SchoolAlias.alias_key, School.id, literal(False)).join(
        School, School.id == SchoolAlias.school_id
    )
    if keys is not None:
        names = names.where(School.name_key.in_(keys))
        aliases = aliases.where(SchoolAlias.alias_key.in_(keys))
    keyed = union_all(*(query.where(School.season_id == season_id) for query in (names, aliases))).subquery()
    found = session.execute(
        select(keyed.c.key, School)
        .join(School, School.id == keyed.c.school_id)
        .order_by(keyed.c.is_name, keyed.c.key, keyed.c.school_id)
    )
    return {row.key: row.School for row in found}


def locked_school_list(session: Session) -> uuid.UUID:
    """Return the current season's id, and let no other transaction change its school list until this one ends.

    The database cannot see that a name belongs to two schools, as a name of one and an alias of the other. Raises
    BusyError, which ends the transaction, if another change takes longer than five seconds.
    """
    season = current_season(session)
    session.execute(text("set local lock_timeout = '5s'"))
    try:
        session.refresh(season, with_for_update={"key_share": True})
    except OperationalError as exc:
        if isinstance(exc.orig, LockNotAvailable):
            raise BusyError(SchoolRefused.LIST_BUSY) from exc
        raise
    session.execute(text("set local lock_timeout to default"))
    return season.id


@contextmanager
def changing_list(session: Session) -> Iterator[uuid.UUID]:
    """Yield the current season's id with its list locked; at the end of the block entries follow the list."""
    season_id = locked_school_list(session)
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
