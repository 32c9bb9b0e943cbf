"""Filters of the list of entries that a person keeps under names, for themselves alone."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, NotFoundError
from core.models import SavedFilter
from services.accounts.person import Person
from services.context import Context
from services.entries.submission_filter import SubmissionFilter
from services.messages.lists import ListRefused

#: Limit of characters of a name, as in the database, and of filters of one person.
MAX_NAME, MOST = 80, 50


@dataclass(frozen=True)
class KeptFilter:
    """One filter."""

    id: uuid.UUID
    name: str
    wanted: SubmissionFilter
    is_default: bool


def list_filters(context: Context, person: Person) -> list[KeptFilter]:
    """Return the person's filters by name."""
    with context.database.session() as session:
        rows = session.scalars(
            select(SavedFilter).where(SavedFilter.person_id == person.id).order_by(func.lower(SavedFilter.name))
        ).all()
    return [KeptFilter(row.id, row.name, SubmissionFilter.from_json(row.filter), row.is_default) for row in rows]


def default_filter(context: Context, person: Person) -> SubmissionFilter | None:
    """Return the filter that the person's list opens with, None for all entries."""
    with context.database.session() as session:
        stored = session.scalar(
            select(SavedFilter.filter).where(SavedFilter.person_id == person.id, SavedFilter.is_default)
        )
    return None if stored is None else SubmissionFilter.from_json(stored)


def save_filter(
    context: Context, person: Person, name: str, wanted: SubmissionFilter, is_default: bool = False
) -> None:
    """Keep it. Raises InvalidInputError for a name that is empty, too long or taken, and for too many filters."""
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
    """Give it another name. Raises NotFoundError for a filter of somebody else, InvalidInputError."""
    cleaned = _cleaned(name)
    try:
        with context.database.session() as session:
            _change(session, person, filter_id, name=cleaned)
    except IntegrityError as error:
        raise InvalidInputError(ListRefused.NAME_TAKEN, name=cleaned) from error


def make_default(context: Context, person: Person, filter_id: uuid.UUID, is_default: bool) -> None:
    """Open the list with it, or with all entries again. Raises NotFoundError for a filter of somebody else."""
    with context.database.session() as session:
        _no_default(session, person)
        if is_default:
            _change(session, person, filter_id, is_default=True)


def delete_filter(context: Context, person: Person, filter_id: uuid.UUID) -> None:
    """Forget it. Raises NotFoundError for a filter of somebody else."""
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
