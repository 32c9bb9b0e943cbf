"""Columns and filters that a person keeps for a list."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, NotFoundError
from core.models import Profile, SavedFilter, Season, Submission, SubmissionField
from pipeline.profiles import FieldKind, declared_fields, fields_of_kind
from pipeline.validation.policy import character_count, character_limits
from services.accounts.person import Person
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.exports.contents import SubmissionColumn, checked_columns, known_columns
from services.messages.office import ListRefused
from services.policy import policy_of
from services.school_names import is_meant, schools_meant

# The columns of the list of entries: those of exports, chosen by each person; values are read for one page.


#: Columns of the list unless somebody chose others.
DEFAULT = ("school_name", "grade", "status", "reasons", "confidence", "received")
#: Not offered: every line begins with these.
_WITH_THE_NAME = ("id", "student_name", "file", "pages")
#: Columns of the list that are no field's value.
_OWN = frozenset(column.value for column in SubmissionColumn)
#: The most characters of a text that a cell shows.
SHOWN = 120


def list_columns() -> tuple[str, ...]:
    """Return the keys that may be chosen."""
    return tuple(key for key in known_columns() if key not in _WITH_THE_NAME)


def chosen_columns(context: Context, person: Person) -> tuple[str, ...]:
    """Return the person's columns in order; what this version does not know is left out."""
    stored = context.database.scalar(select(Profile.list_columns).where(Profile.id == person.id))
    known = list_columns()
    return tuple(key for key in stored or () if key in known) or DEFAULT


def choose_columns(context: Context, person: Person, chosen: Sequence[str]) -> None:
    """Remember the columns; an empty list restores the default. Raises InvalidInputError for an unknown one."""
    columns = [key for key in checked_columns(chosen) if key in list_columns()] if chosen else None
    context.database.execute(update(Profile).where(Profile.id == person.id).values(list_columns=columns))


def column_values(
    context: Context, ids: Collection[uuid.UUID], columns: Collection[str]
) -> Mapping[uuid.UUID, Mapping[str, str]]:
    """Return the values of fields among the columns, by entry, in one query; long texts are cut."""
    names = [name for name in columns if name not in _OWN and name in declared_fields()]
    found: dict[uuid.UUID, dict[str, str]] = defaultdict(dict)
    listed = SubmissionColumn.LISTED_SCHOOL in columns
    if not (names or listed) or not ids:
        return found
    with context.database.reading() as session:
        if listed:
            meant = schools_meant()
            schools = select(Submission.id, meant.c.listed).join(meant, is_meant(meant))
            for submission_id, school in session.execute(schools.where(Submission.id.in_(ids))):
                found[submission_id][SubmissionColumn.LISTED_SCHOOL] = school
        rows = session.execute(
            select(
                SubmissionField.submission_id,
                SubmissionField.name,
                func.left(SubmissionField.value, SHOWN + 1).label("value"),
            ).where(
                SubmissionField.submission_id.in_(ids),
                SubmissionField.name.in_(names),
                SubmissionField.value.is_not(None),
            )
        )
        for submission_id, name, value in rows:
            found[submission_id][name] = value if len(value) <= SHOWN else f"{value[:SHOWN]}…"
    return found


def essay_lengths(
    context: Context, ids: Collection[uuid.UUID], columns: Collection[str]
) -> Mapping[uuid.UUID, tuple[int, int | None]]:
    """Return (characters of the essay, the most that its form allows) by entry, where the column is chosen."""
    if SubmissionColumn.CHARACTERS not in columns or not ids:
        return {}
    (essay, *_) = fields_of_kind(FieldKind.ESSAY)
    with context.database.session() as session:
        rows = session.execute(
            select(Submission.id, Submission.profile, Submission.profile_version, SubmissionField.value, Season)
            .join(SubmissionField, SubmissionField.submission_id == Submission.id)
            .join(Season, Season.id == Submission.season_id)
            .where(Submission.id.in_(ids), SubmissionField.name == essay, SubmissionField.value.is_not(None))
        ).all()
    forms = {(row.profile, row.profile_version, row.Season) for row in rows}
    limits = {
        form: character_limits(form[0], form[1], policy_of(context.settings, form[2].policy)).get(essay)
        for form in forms
    }
    return {
        row.id: (character_count(row.value), limits[row.profile, row.profile_version, row.Season]) for row in rows
    }


#: Limit of characters of a name, as in the database, and of filters of one person.
MAX_NAME, MOST = 80, 50


@dataclass(frozen=True)
class KeptFilter:
    id: uuid.UUID
    name: str
    wanted: SubmissionFilter
    is_default: bool


def list_filters(context: Context, person: Person) -> list[KeptFilter]:
    """Return the person's filters by name."""
    rows = context.database.scalars(
        select(SavedFilter).where(SavedFilter.person_id == person.id).order_by(func.lower(SavedFilter.name))
    )
    return [KeptFilter(row.id, row.name, SubmissionFilter.from_json(row.filter), row.is_default) for row in rows]


def default_filter(context: Context, person: Person) -> SubmissionFilter | None:
    """Return the filter that the person's list opens with, None for all entries."""
    stored = context.database.scalar(
        select(SavedFilter.filter).where(SavedFilter.person_id == person.id, SavedFilter.is_default)
    )
    return None if stored is None else SubmissionFilter.from_json(stored)


def save_filter(
    context: Context, person: Person, name: str, wanted: SubmissionFilter, is_default: bool = False
) -> None:
    """Save a filter. Raises InvalidInputError for an empty, too long or taken name, and for too many filters."""
    cleaned = _cleaned(name)
    try:
        with context.database.session() as session:
            kept = session.scalar(select(func.count()).where(SavedFilter.person_id == person.id)) or 0
            if kept >= MOST:
                raise InvalidInputError(ListRefused.TOO_MANY, limit=MOST)
            if is_default:
                _no_default(session, person)
            session.add(
                SavedFilter(person_id=person.id, name=cleaned, filter=wanted.to_json(), is_default=is_default)
            )
    except IntegrityError as error:
        raise InvalidInputError(ListRefused.NAME_TAKEN, name=cleaned) from error


def rename_filter(context: Context, person: Person, filter_id: uuid.UUID, name: str) -> None:
    """Rename a filter. Raises NotFoundError for another person's, InvalidInputError."""
    cleaned = _cleaned(name)
    try:
        with context.database.session() as session:
            _change(session, person, filter_id, name=cleaned)
    except IntegrityError as error:
        raise InvalidInputError(ListRefused.NAME_TAKEN, name=cleaned) from error


def make_default(context: Context, person: Person, filter_id: uuid.UUID, is_default: bool) -> None:
    """Open the list with this filter, or with all entries again. Raises NotFoundError for another person's."""
    with context.database.session() as session:
        _no_default(session, person)
        if is_default:
            _change(session, person, filter_id, is_default=True)


def delete_filter(context: Context, person: Person, filter_id: uuid.UUID) -> None:
    """Delete a filter. Raises NotFoundError for another person's."""
    with context.database.session() as session:
        own = (SavedFilter.id == filter_id, SavedFilter.person_id == person.id)
        if session.scalar(delete(SavedFilter).where(*own).returning(SavedFilter.id)) is None:
            raise NotFoundError("no such filter of this person")


def _change(session: Session, person: Person, filter_id: uuid.UUID, **values: object) -> None:
    found = session.scalar(
        update(SavedFilter)
        .where(SavedFilter.id == filter_id, SavedFilter.person_id == person.id)
        .values(**values)
        .returning(SavedFilter.id)
    )
    if found is None:
        raise NotFoundError("no such filter of this person")


def _no_default(session: Session, person: Person) -> None:
    session.execute(update(SavedFilter).where(SavedFilter.person_id == person.id).values(is_default=False))


def _cleaned(name: str) -> str:
    cleaned = " ".join(name.split())
    if not cleaned or not cleaned.isprintable():
        raise InvalidInputError(ListRefused.NAME_EMPTY)
    if len(cleaned) > MAX_NAME:
        raise InvalidInputError(ListRefused.NAME_LONG, limit=MAX_NAME, count=len(cleaned))
    return cleaned
