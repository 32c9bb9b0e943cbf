"""The columns of the list of entries: those of exports, chosen by each person, their values read by the page."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import func, select, update

from core.models import Profile, Submission, SubmissionField
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import declared_fields, fields_of_kind
from pipeline.validation.characters import character_count
from services.accounts.person import Person
from services.context import Context
from services.exports.columns import SubmissionColumn, checked_columns, known_columns
from services.schools.same_school import is_meant, schools_meant
from services.seasons import current_season, limits_of

#: Columns of the list unless somebody chose others.
DEFAULT = ("school_name", "grade", "status", "reasons", "confidence", "received")
#: Under the name, which every line begins with.
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
    with context.database.session() as session:
        stored = session.scalar(select(Profile.list_columns).where(Profile.id == person.id))
    known = list_columns()
    return tuple(key for key in stored or () if key in known) or DEFAULT


def choose_columns(context: Context, person: Person, chosen: Sequence[str]) -> None:
    """Remember the columns; none brings the usual ones back. Raises InvalidInputError for an unknown one."""
    columns = [key for key in checked_columns(chosen) if key in list_columns()] if chosen else None
    with context.database.session() as session:
        session.execute(update(Profile).where(Profile.id == person.id).values(list_columns=columns))


def values_of(
    context: Context, ids: Collection[uuid.UUID], columns: Collection[str]
) -> Mapping[uuid.UUID, Mapping[str, str]]:
    """Return the values of fields among the columns, by entry, in one query; long texts are cut."""
    names = [name for name in columns if name not in _OWN and name in declared_fields()]
    found: dict[uuid.UUID, dict[str, str]] = defaultdict(dict)
    listed = SubmissionColumn.LISTED_SCHOOL in columns
    if not (names or listed) or not ids:
        return found
    with context.database.session() as session:
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
        season_id = current_season(session).id
        rows = session.execute(
            select(Submission.id, Submission.profile, Submission.profile_version, SubmissionField.value)
            .join(SubmissionField, SubmissionField.submission_id == Submission.id)
            .where(Submission.id.in_(ids), SubmissionField.name == essay, SubmissionField.value.is_not(None))
        ).all()
        limits = {
            form: limits_of(session, season_id, form, context.settings).get(essay)
            for form in {(row.profile, row.profile_version) for row in rows}
        }
    return {row.id: (character_count(row.value), limits[row.profile, row.profile_version]) for row in rows}
