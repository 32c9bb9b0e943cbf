"""What is missing in entries and must be asked for by letter."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Row,
    Select,
    Text,
    and_,
    any_,
    case,
    cast,
    func,
    literal,
    not_,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session, aliased

from core.clock import utcnow
from core.config import Settings
from core.errors import InvalidInputError
from core.models import (
    AddressedTo,
    Escalation,
    EscalationStatus,
    Letter,
    LetterItem,
    LetterState,
    OutgoingMail,
    Profile,
    ReviewDecision,
    ReviewSuggestion,
    ReviewSuggestionField,
    SetAside,
    Submission,
    SubmissionField,
    SubmissionStatus,
)
from core.plain_data import built
from pipeline.profiles import FieldKind, fields_of_kind
from services.accounts.person import name_of, normal_email
from services.context import Context
from services.runs.inputs import asks
from services.school_names import is_meant, key_of, school_of, schools_by_key, schools_meant
from services.seasons import current_season

_WAITING = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)
#: Statuses of entries for which an answer may still be entered.
_OPEN = (*_WAITING, SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)
#: Most groups on a page, and most entries in all of them.
PAGE_SIZE = 50
MOST_ON_PAGE = 500
_SCHOOL, _TEACHER = "school_name", "teacher_name"
#: Names of the entries' schools: one group for all spellings of a school.
_MEANT = schools_meant()


@dataclass(frozen=True)
class LetterItemView:
    """What one letter asks for about one entry."""

    id: uuid.UUID
    letter_id: uuid.UUID
    submission_id: uuid.UUID
    #: Of the entry.
    version: int
    student_name: str | None
    school_name: str | None
    grade: str | None
    fields: tuple[str, ...]
    #: Those of them that are still missing, or that a reviewer still asks for.
    remaining: tuple[str, ...]
    state: LetterState
    asked_at: datetime
    asked_by: str | None
    answer_until: date
    way: str
    addressee: str
    #: State of its mail; None for a printed letter, and once the mail was removed.
    mail_state: str | None
    answered_at: datetime | None
    answered_by: str | None
    given_up_at: datetime | None
    given_up_by: str | None
    #: Whether an answer may be entered now.
    answerable: bool
    #: Whether a complete answer could settle the entry: it is escalated, and nothing else is missing.
    settleable: bool

    @property
    def overdue(self) -> bool:
        """Whether the day by which an answer was asked for has passed."""
        return self.state is LetterState.ASKED and self.answer_until < utcnow().date()


def items_of_submission(context: Context, submission_id: uuid.UUID) -> list[LetterItemView]:
    """Return what letters asked for about an entry, the last letter first."""
    with context.database.reading() as session:
        return find_items(session, LetterItem.submission_id == submission_id)


def find_items(session: Session, *where: ColumnElement[bool]) -> list[LetterItemView]:
    """Return items, the last letter's first, then by name."""
    return [_view(row) for row in session.execute(_query().where(*where))]


def _query() -> Select[*tuple[Any, ...]]:
    asker, answerer, quitter = aliased(Profile), aliased(Profile), aliased(Profile)
    pending = (
        select(Escalation.id)
        .where(Escalation.submission_id == Submission.id, Escalation.status == EscalationStatus.PENDING.value)
        .exists()
    )
    return (
        select(
            LetterItem.id,
            LetterItem.letter_id,
            LetterItem.submission_id,
            LetterItem.fields,
            LetterItem.answered_at,
            LetterItem.given_up_at,
            Letter.asked_at,
            Letter.answer_until,
            Letter.way,
            Letter.addressee,
            Submission.version,
            Submission.status,
            Submission.missing_fields,
            SetAside.fields.label("asked_for"),
            Submission.student_name,
            Submission.school_name,
            Submission.grade,
            OutgoingMail.state.label("mail_state"),
            name_of(asker).label("asked_by"),
            name_of(answerer).label("answered_by"),
            name_of(quitter).label("given_up_by"),
            ReviewDecision.id.label("decision_id"),
            pending.label("escalated"),
        )
        .join(Letter, Letter.id == LetterItem.letter_id)
        .join(Submission, Submission.id == LetterItem.submission_id)
        .join(asker, asker.id == Letter.asked_by)
        .outerjoin(answerer, answerer.id == LetterItem.answered_by)
        .outerjoin(quitter, quitter.id == LetterItem.given_up_by)
        .outerjoin(SetAside, asks(Submission.id))
        .outerjoin(OutgoingMail, OutgoingMail.letter_id == Letter.id)
        .outerjoin(
            ReviewDecision, (ReviewDecision.id == LetterItem.decision_id) & ReviewDecision.undone_at.is_(None)
        )
        .order_by(Letter.asked_at.desc(), Letter.id, Submission.grade, Submission.student_name, Submission.id)
    )


def _view(row: Row[Any]) -> LetterItemView:
    values = row._asdict()
    status, missing = values.pop("status"), values.pop("missing_fields")
    lacking = {*missing, *(values.pop("asked_for") or ())}
    answered, escalated = values.pop("decision_id") is not None, values.pop("escalated")
    fields = tuple(values.pop("fields"))
    remaining = tuple(name for name in fields if name in lacking) if status in _OPEN else ()
    waits = status in _WAITING and bool(remaining)
    if not answered:
        # The entered answer was undone.
        values["answered_at"] = values["answered_by"] = None
    return LetterItemView(
        **values,
        fields=fields,
        remaining=remaining,
        state=_state(remaining, answered, values["given_up_at"] is not None),
        answerable=waits,
        settleable=waits and escalated and set(missing) <= set(remaining),
    )


def _state(remaining: tuple[str, ...], answered: bool, given_up: bool) -> LetterState:
    if not remaining:
        return LetterState.ANSWERED if answered else LetterState.NOT_NEEDED
    return LetterState.GIVEN_UP if given_up else LetterState.ASKED


# Entries that wait because something is missing from their pages, by school or by parents' address.
#
# What a reviewer asks for (`services.review.asides`) is listed as asked. Otherwise a required field is missing
# only if nothing was read of it and nothing was ever proposed for it: a doubtful value is the reviewer's work.


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
    """One entry with something missing."""

    id: uuid.UUID
    version: int
    student_name: str | None
    school_name: str | None
    grade: str | None
    #: "en", "es", or None if unknown.
    language: str | None
    missing: tuple[str, ...]
    #: Number of words of the essay.
    words: int
    #: As they were read, if they are plausible.
    teacher: str | None
    #: The parents' address.
    email: str | None
    #: The note and the name of the reviewer who asks for it; None if nobody does.
    note: str | None
    asks: str | None
    #: Earlier letters, the last one first.
    asked: tuple[AskedBefore, ...]


@dataclass(frozen=True)
class IncompleteGroup:
    """The entries that one letter could be about."""

    #: The school's name or the parents' address; "" if neither is known.
    key: str
    #: The address that a letter to them is mailed to; None: it is printed.
    address: str | None
    submissions: tuple[Incomplete, ...]


@dataclass(frozen=True)
class IncompletePage:
    groups: list[IncompleteGroup]
    #: The key after which the next page begins; None on the last.
    after: str | None
    #: Whether these groups have more entries than are shown; entries without a letter come first.
    more: bool


def list_incomplete(context: Context, by: AddressedTo, after: str | None = None) -> IncompletePage:
    """Return the groups of the current season that follow `after`, in order, PAGE_SIZE at most."""
    with context.database.session() as session:
        season_id = current_season(session).id
        key = _key(by, context.settings)
        keys = list(
            session.scalars(
                _incomplete(select(key), _known(), context.settings)
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
    """Return waiting entries with something missing that is to be asked for, by grade and name.

    With a limit, entries without a letter come first.
    """
    was_asked = select(LetterItem.id).where(LetterItem.submission_id == Submission.id).exists()
    order = (*([was_asked] if limit else []), Submission.grade, Submission.student_name, Submission.id)
    known = _known()
    query = _incomplete(
        select(
            Submission.id,
            Submission.version,
            Submission.student_name,
            school_of(_MEANT).label("school"),
            Submission.grade,
            Submission.language,
            Submission.missing_fields,
            Submission.word_count,
            _key(AddressedTo.PARENT, settings).label("email"),
            known.c.names.label("known"),
            SetAside.fields.label("asked_for"),
            SetAside.note,
            select(name_of(Profile)).where(Profile.id == SetAside.created_by).scalar_subquery().label("asks"),
        ),
        known,
        settings,
    )
    found: Sequence[Row[Any]] = session.execute(query.where(*where).order_by(*order).limit(limit)).all()
    ids = [row.id for row in found]
    asked, teachers = _asked_before(session, ids), _teachers(session, settings, ids)
    return [_entry(row, asked[row.id], teachers.get(row.id)) for row in found]


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


def _incomplete(query: Any, known: FromClause, settings: Settings) -> Any:
    """Add the tables of addresses and of what is asked for, and the condition that something is missing."""
    address = next(iter(fields_of_kind(FieldKind.EMAIL)), None)
    return (
        query.select_from(Submission)
        .outerjoin(
            SubmissionField,
            and_(
                SubmissionField.submission_id == Submission.id,
                SubmissionField.name == address,
                _plausible(settings),
            ),
        )
        .outerjoin(SetAside, asks(Submission.id))
        .join(known, true())
        .outerjoin(_MEANT, is_meant(_MEANT))
        .where(
            Submission.status.in_(_WAITING),
            or_(SetAside.id.is_not(None), not_(Submission.missing_fields.contained_by(known.c.names))),
        )
    )


def _plausible(settings: Settings) -> ColumnElement[bool]:
    """Condition: the value of a field is certain enough to use in a letter."""
    return or_(
        SubmissionField.confidence >= settings.weak_field_confidence, SubmissionField.decided_at.is_not(None)
    )


def _known() -> FromClause:
    """The missing fields of which something was read, or for which the entry's latest run proposed a value.

    Without those that a person has emptied. Computed once for each entry.
    """
    field = aliased(SubmissionField)
    read = select(field.name.label("name")).where(
        field.submission_id == Submission.id,
        field.name == any_(Submission.missing_fields),
        or_(func.coalesce(field.value, "") != "", and_(field.unfit, field.decided_at.is_(None))),
    )
    decided = select(field.id).where(
        field.submission_id == Submission.id,
        field.name == ReviewSuggestionField.name,
        field.decided_at.is_not(None),
    )
    proposed = (
        select(ReviewSuggestionField.name.label("name"))
        .join(ReviewSuggestion, ReviewSuggestion.id == ReviewSuggestionField.suggestion_id)
        .where(
            ReviewSuggestion.run_id == func.concat(Submission.id, ":", Submission.run_no),
            ReviewSuggestionField.name == any_(Submission.missing_fields),
            ReviewSuggestionField.proposed_value.is_not(None),
            ~decided.correlate(Submission, ReviewSuggestionField).exists(),
        )
    )
    found = union_all(read.correlate(Submission), proposed.correlate(Submission)).subquery()
    # An empty array is contained in every array.
    names = func.coalesce(func.array_agg(found.c.name), cast([], ARRAY(Text)))
    return select(names.label("names")).select_from(found).lateral("known")


def _key(by: AddressedTo, settings: Settings) -> ColumnElement[str]:
    if by is AddressedTo.SCHOOL:
        # No letter goes to a doubtful school.
        doubted = or_(
            literal(_SCHOOL) == any_(Submission.missing_fields),
            literal(_SCHOOL) == any_(func.coalesce(SetAside.fields, cast([], ARRAY(Text)))),
        )
        return func.coalesce(case((doubted, None), else_=school_of(_MEANT)), "")
    return func.lower(func.coalesce(SubmissionField.value, ""))


def _teachers(session: Session, settings: Settings, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, str]:
    rows = session.execute(
        select(SubmissionField.submission_id, SubmissionField.value).where(
            SubmissionField.submission_id.in_(ids), SubmissionField.name == _TEACHER, _plausible(settings)
        )
    )
    return {row.submission_id: row.value for row in rows if row.value}


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
    found: dict[uuid.UUID, tuple[AskedBefore, ...]] = defaultdict(tuple)
    for submission_id, letter_id, asked_at, who, until, given_up_at in rows:
        found[submission_id] += (AskedBefore(letter_id, asked_at, who, until, given_up_at is not None),)
    return found


def _entry(row: Row[Any], asked: tuple[AskedBefore, ...], teacher: str | None) -> Incomplete:
    missing = row.asked_for
    if missing is None:
        missing = [name for name in row.missing_fields if name not in row.known]
    doubted = {*missing, *row.missing_fields}
    email = None
    with suppress(InvalidInputError):
        email = normal_email(row.email)
    return built(
        Incomplete,
        row,
        school_name=None if _SCHOOL in doubted else row.school or None,
        grade=None if "grade" in doubted else row.grade,
        missing=tuple(missing),
        words=row.word_count or 0,
        teacher=None if _TEACHER in doubted else teacher,
        email=email,
        asked=asked,
    )
