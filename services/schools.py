"""Schools: added, named, found, joined."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, NotFoundError
from core.models import School, SchoolAlias
from core.plain_data import built
from pipeline.extraction.values.names import similar_schools
from services.context import Context
from services.messages.office import SchoolRefused
from services.school_lists import record_school, school_email, told_of
from services.school_names import (
    changing_list,
    cleaned_name,
    key_of,
    locked_school_list,
    refuse_known,
    school_named,
    schools_by_key,
)
from services.seasons import current_season, school_list, taught_schools


@dataclass(frozen=True)
class ListedSchool:
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


@dataclass(frozen=True)
class WrittenForm:
    """A name or an alias, and how many settled entries have it."""

    text: str
    settled: int


@dataclass(frozen=True)
class SchoolDetail:
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
        forms = tuple(WrittenForm(row.alias, settled.get(row.alias_key, 0)) for row in aliases)
        return built(SchoolDetail, school, settled=settled.get(school.name_key, 0), aliases=forms)


def add_school(
    context: Context,
    name: str,
    city: str | None = None,
    district: str | None = None,
    actor_id: uuid.UUID | None = None,
) -> str:
    """Add a school and return its name in the stored form.

    Raises InvalidInputError for a name that is invalid or belongs to a school of the list already.
    """
    name = cleaned_name(name)
    with context.database.session() as session, changing_list(session) as season_id:
        refuse_known(schools_by_key(session, season_id), name)
        school = School(season_id=season_id, name=name, name_key=key_of(name), city=city, district=district)
        session.add(school)
        record_school(session, actor_id, name, {}, told_of(school))
    return name


# Rename a school of the list; its former name becomes an alias, so that entries that have it are still known.


def rename_school(session: Session, school_id: uuid.UUID, name: str, actor_id: uuid.UUID) -> bool:
    """Rename the school in the caller's transaction; False if it is gone or the name means another school.

    Raises InvalidInputError for a name that cannot be one.
    """
    cleaned = cleaned_name(name)
    with changing_list(session) as season_id:
        owner = schools_by_key(session, season_id).get(key_of(cleaned))
        school = session.get(School, school_id)
        if school is None or (owner is not None and owner.id != school_id):
            return False
        _forget_alias(session, school_id, cleaned)
        record_school(session, actor_id, school.name, {"name": school.name}, {"name": cleaned})
        if school.name_key != key_of(cleaned):
            session.add(SchoolAlias(school_id=school_id, alias=school.name, alias_key=school.name_key))
        school.name, school.name_key = cleaned, key_of(cleaned)
    return True


def restore_school(session: Session, school_id: uuid.UUID, old: str, new: str, actor_id: uuid.UUID) -> None:
    """Give the school its old name back, unless it has been renamed or removed since."""
    school = session.get(School, school_id)
    if school is None or school.name_key != key_of(new) or not rename_school(session, school_id, old, actor_id):
        return
    session.flush()
    if key_of(old) != key_of(new):
        with changing_list(session):
            _forget_alias(session, school_id, new)


def _forget_alias(session: Session, school_id: uuid.UUID, name: str) -> None:
    session.execute(
        delete(SchoolAlias).where(SchoolAlias.school_id == school_id, SchoolAlias.alias_key == key_of(name))
    )


def listed_school(session: Session, name: str) -> School | None:
    """Return the school of the list with exactly this name; aliases do not count."""
    return session.scalar(
        select(School).where(School.season_id == locked_school_list(session), School.name_key == key_of(name))
    )


def change_email(context: Context, name: str, email: str, actor_id: uuid.UUID | None = None) -> str:
    """Give the school this address, or remove it for an empty text; return its name.

    Raises NotFoundError for a school that is not on the list, InvalidInputError for an invalid address.
    """
    kept = school_email(email)
    with context.database.session() as session:
        school = school_named(schools_by_key(session, locked_school_list(session)), name)
        record_school(session, actor_id, school.name, {"email": school.email}, {"email": kept})
        school.email = kept
        return school.name


def add_alias(context: Context, school: str, alias: str, actor_id: uuid.UUID | None = None) -> str:
    """Add an alias to a school, given by its name or another alias, and return the school's name.

    Raises NotFoundError for a school that is not on the list, and InvalidInputError for an alias that is invalid
    or belongs to a school already.
    """
    alias = cleaned_name(alias)
    with context.database.session() as session, changing_list(session) as season_id:
        known = schools_by_key(session, season_id)
        wanted = school_named(known, school)
        refuse_known(known, alias)
        session.add(SchoolAlias(school_id=wanted.id, alias=alias, alias_key=key_of(alias)))
        record_school(session, actor_id, wanted.name, {}, {"spellings": [alias]})
        return wanted.name


def remove_alias(context: Context, school: str, alias: str, actor_id: uuid.UUID | None = None) -> str:
    """Remove an alias of a school, given by its name or an alias, and return the school's name.

    Raises NotFoundError for a school that is not on the list or that has no such alias.
    """
    with context.database.session() as session, changing_list(session) as season_id:
        wanted = school_named(schools_by_key(session, season_id), school)
        gone = session.scalar(
            delete(SchoolAlias)
            .where(SchoolAlias.school_id == wanted.id, SchoolAlias.alias_key == key_of(alias))
            .returning(SchoolAlias.alias)
        )
        if gone is None:
            raise NotFoundError(SchoolRefused.NO_SUCH_ALIAS, name=alias, school=wanted.name)
        record_school(session, actor_id, wanted.name, {"spellings": [gone]}, {})
        return wanted.name


@dataclass(frozen=True)
class MergedSchools:
    #: Name of the school that was removed; it is an alias now.
    merged: str
    #: Name of the school that remains.
    into: str
    #: Number of aliases that the remaining school has received.
    aliases: int


def merge_schools(context: Context, duplicate: str, into: str, actor_id: uuid.UUID | None = None) -> MergedSchools:
    """Make the name and the aliases of `duplicate` aliases of `into`, and remove `duplicate` from the list.

    Both are given by their names or aliases. `into` takes the details of `duplicate` where it has
    none. Entries keep the name that is written in them. Raises NotFoundError for a school that is not on the list,
    and InvalidInputError if both are the same school.
    """
    with context.database.session() as session, changing_list(session) as season_id:
        known = schools_by_key(session, season_id)
        gone, kept = school_named(known, duplicate), school_named(known, into)
        if gone is kept:
            raise InvalidInputError(SchoolRefused.MERGED_WITH_ITSELF, name=duplicate, school=kept.name)
        result = MergedSchools(gone.name, kept.name, _move_names(session, gone, kept))
        before = told_of(kept)
        record_school(session, actor_id, gone.name, told_of(gone), {"name": kept.name})
        kept.city, kept.district = kept.city or gone.city, kept.district or gone.district
        kept.email = kept.email or gone.email
        record_school(session, actor_id, kept.name, before, told_of(kept))
        session.execute(delete(School).where(School.id == gone.id))
        return result


def _move_names(session: Session, gone: School, kept: School) -> int:
    """Give the names of one school to the other as aliases; return their number."""
    names = {gone.name_key: gone.name}
    for alias in session.scalars(select(SchoolAlias).where(SchoolAlias.school_id == gone.id)):
        names.setdefault(alias.alias_key, alias.alias)
    known = {kept.name_key, *session.scalars(select(SchoolAlias.alias_key).filter_by(school_id=kept.id))}
    moved = {key: name for key, name in names.items() if key not in known}
    session.add_all(SchoolAlias(school_id=kept.id, alias=name, alias_key=key) for key, name in moved.items())
    return len(moved)


#: Number of schools of the list that a name is compared with.
_LIKELY = 5


@dataclass(frozen=True)
class UnlistedSchool:
    """A name that is not on the list."""

    name: str
    #: Number of settled entries that have it.
    settled: int
    #: Whether it is known nevertheless, by what settled entries teach.
    counts: bool
    #: Schools of the list that it may mean, most similar first.
    likely: tuple[str, ...]


def unlisted_schools(context: Context, limit: int) -> list[UnlistedSchool]:
    """Return the most frequent of these names."""
    with context.database.session() as session:
        season_id = current_season(session).id
        known, listed = schools_by_key(session, season_id), school_list(session, season_id)
        found = [one for one in taught_schools(session, season_id) if key_of(one.name) not in known]
    return [
        UnlistedSchool(
            one.name,
            one.settled,
            one.counts,
            tuple(name for name, _ in similar_schools(one.name, listed, _LIKELY)),
        )
        for one in found[:limit]
    ]
