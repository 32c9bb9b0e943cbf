"""Entries that wait and cannot be completed because something is missing, by school or by parents' address."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Text, and_, cast, func, not_, or_, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import InvalidInputError
from core.models import (
    AddressedTo,
    Letter,
    LetterItem,
    Profile,
    ReviewSuggestion,
    ReviewSuggestionField,
    Submission,
    SubmissionField,
    SubmissionStatus,
    SuggestionStatus,
)
from pipeline.pages.page_model import Source
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import fields_of_kind
from services.accounts.email_address import normal_email
from services.accounts.person_name import name_of
from services.context import Context
from services.schools.school_names import key_of, schools_by_key
from services.seasons import current_season

#: Groups a page, and entries of them all together.
PAGE_SIZE = 50
MOST_ON_PAGE = 500
_IS_PROPOSED = (
    ReviewSuggestion.status == SuggestionStatus.PENDING.value,
    ReviewSuggestionField.proposed_value.is_not(None),
)
_WAITING = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)


@dataclass(frozen=True)
class AskedBefore:
    """An earlier letter about the entry."""

    letter_id: uuid.UUID
    asked_at: datetime
    asked_by: str | None
    answer_until: date
    given_up: bool


@dataclass(frozen=True)
class Incomplete:
    """One entry that lacks something."""

    id: uuid.UUID
    version: int
    student_name: str | None
    school_name: str | None
    grade: str | None
    #: "en", "es", or None where that is not known.
    language: str | None
    missing: tuple[str, ...]
    #: The parents' address as it was read, where it is plausible.
    email: str | None
    #: Earlier letters, the last one first.
    asked: tuple[AskedBefore, ...]


@dataclass(frozen=True)
class IncompleteGroup:
    """The entries that one letter could be about."""

    #: The school's name or the parents' address; "" where neither is known.
    key: str
    #: Where a letter to them goes by mail; None: it is printed.
    address: str | None
    submissions: tuple[Incomplete, ...]


@dataclass(frozen=True)
class IncompletePage:
    """Some of the groups."""

    groups: list[IncompleteGroup]
    #: The key after which the next page begins; None on the last.
    after: str | None
    #: Whether these groups have more entries than are shown; those that nobody was asked about come first.
    more: bool


def list_incomplete(context: Context, by: AddressedTo, after: str | None = None) -> IncompletePage:
    """Return the groups of the current season that follow `after`, in order, PAGE_SIZE at most."""
    with context.database.session() as session:
        season_id = current_season(session).id
        key = _key(by, context.settings)
        keys = list(
            session.scalars(
                _incomplete(select(key), context.settings)
                .where(Submission.season_id == season_id, *([key > after] if after is not None else []))
                .group_by(key)
                .order_by(key)
                .limit(PAGE_SIZE + 1)
            )
        )
        here = keys[:PAGE_SIZE]
        mine = (Submission.season_id == season_id, key.in_(here))
        found = find_incomplete(session, context.settings, *mine, limit=MOST_ON_PAGE + 1)
        return IncompletePage(
            grouped(session, season_id, by, found[:MOST_ON_PAGE]),
            here[-1] if len(keys) > PAGE_SIZE else None,
            len(found) > MOST_ON_PAGE,
        )


def find_incomplete(
    session: Session, settings: Settings, *where: ColumnElement[bool], limit: int | None = None
) -> list[Incomplete]:
    """Return entries that wait and lack something that nothing is proposed for, by grade and name.

    With a limit, those come first that nobody was asked about.
    """
    was_asked = select(LetterItem.id).where(LetterItem.submission_id == Submission.id).exists()
    order = (*([was_asked] if limit else []), Submission.grade, Submission.student_name, Submission.id)
    query = _incomplete(
        select(
            Submission.id,
            Submission.version,
            Submission.student_name,
            Submission.school_name,
            Submission.grade,
            Submission.language,
            Submission.missing_fields,
            _key(AddressedTo.PARENT, settings).label("email"),
        ),
        settings,
    )
    found: Sequence[Row[Any]] = session.execute(query.where(*where).order_by(*order).limit(limit)).all()
    ids = [row.id for row in found]
    proposed, asked = _proposed(session, ids), _asked_before(session, ids)
    return [_entry(row, proposed[row.id], asked[row.id]) for row in found]


def grouped(
    session: Session, season_id: uuid.UUID, by: AddressedTo, found: Iterable[Incomplete]
) -> list[IncompleteGroup]:
    """Return the entries in groups, each with the address that a letter goes to."""
    groups: dict[str, list[Incomplete]] = defaultdict(list)
    for one in found:
        groups[(one.school_name if by is AddressedTo.SCHOOL else one.email) or ""].append(one)
    schools = schools_by_key(session, season_id) if by is AddressedTo.SCHOOL else {}

    def address(key: str) -> str | None:
        if by is AddressedTo.PARENT:
            return key or None
        school = schools.get(key_of(key))
        return school.email if school is not None else None

    return [IncompleteGroup(key, address(key), tuple(groups[key])) for key in sorted(groups)]


def _incomplete(query: Any, settings: Settings) -> Any:
    """Add the table of addresses, and the conditions of an entry that lacks something."""
    field = next(iter(fields_of_kind(FieldKind.EMAIL)), None)
    plausible = or_(
        SubmissionField.confidence >= settings.weak_field_confidence,
        SubmissionField.source == Source.PERSON.value,
    )
    on = and_(SubmissionField.submission_id == Submission.id, SubmissionField.name == field, plausible)
    return (
        query.select_from(Submission)
        .outerjoin(SubmissionField, on)
        .where(Submission.status.in_(_WAITING), _lacks_something())
    )


def _lacks_something() -> ColumnElement[bool]:
    """Condition: a field is missing for which no value is proposed."""
    proposed = (
        select(func.array_agg(ReviewSuggestionField.name))
        .join(ReviewSuggestion, ReviewSuggestion.id == ReviewSuggestionField.suggestion_id)
        .where(*_IS_PROPOSED, ReviewSuggestion.submission_id == Submission.id)
        .correlate(Submission)
        .scalar_subquery()
    )
    # Nothing at all is part of any list.
    all_proposed: ColumnElement[bool] = Submission.missing_fields.contained_by(
        func.coalesce(proposed, cast([], ARRAY(Text)))
    )
    return not_(all_proposed)


def _key(by: AddressedTo, settings: Settings) -> ColumnElement[str]:
    if by is AddressedTo.SCHOOL:
        return func.coalesce(Submission.school_name, "")
    return func.lower(func.coalesce(SubmissionField.value, ""))


def _proposed(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, set[str]]:
    """Return the fields for which a value is proposed: nobody needs to be asked for them."""
    rows = session.execute(
        select(ReviewSuggestion.submission_id, ReviewSuggestionField.name)
        .join(ReviewSuggestionField, ReviewSuggestionField.suggestion_id == ReviewSuggestion.id)
        .where(
            ReviewSuggestion.submission_id.in_(ids),
            *_IS_PROPOSED,
        )
    )
    found: dict[uuid.UUID, set[str]] = defaultdict(set)
    for submission_id, name in rows:
        found[submission_id].add(name)
    return found


def _asked_before(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, tuple[AskedBefore, ...]]:
    rows = session.execute(
        select(
            LetterItem.submission_id,
            Letter.id,
            Letter.asked_at,
            name_of(Profile).label("who"),
            Letter.answer_until,
            LetterItem.given_up_at,
        )
        .join(Letter, Letter.id == LetterItem.letter_id)
        .join(Profile, Profile.id == Letter.asked_by)
        .where(LetterItem.submission_id.in_(ids))
        .order_by(Letter.asked_at.desc())
    )
    found: dict[uuid.UUID, list[AskedBefore]] = defaultdict(list)
    for submission_id, letter_id, asked_at, who, until, given_up_at in rows:
        found[submission_id].append(AskedBefore(letter_id, asked_at, who, until, given_up_at is not None))
    return defaultdict(tuple, {key: tuple(value) for key, value in found.items()})


def _entry(row: Row[Any], proposed: set[str], asked: tuple[AskedBefore, ...]) -> Incomplete:
    missing = tuple(name for name in row.missing_fields if name not in proposed)
    return Incomplete(
        row.id,
        row.version,
        row.student_name,
        row.school_name,
        row.grade,
        row.language,
        missing,
        _address(row.email),
        asked,
    )


def _address(text: str) -> str | None:
    try:
        return normal_email(text) if text else None
    except InvalidInputError:
        return None
