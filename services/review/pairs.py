"""Pairs of entries that may be the same, side by side."""

from __future__ import annotations

import io
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PIL import Image
from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, aliased

from core.errors import AppError, BusyError, InvalidInputError, NotFoundError, existing
from core.models import DuplicatePair, PairDecision, Profile, Submission
from core.plain_data import built
from pipeline.duplicates.comparison import Likeness, name_evidence
from pipeline.duplicates.pictures import fingerprint, same_drawing, same_sheet
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Source
from pipeline.profiles import derived_fields, text_fields
from pipeline.reason_codes import ReasonCode
from pipeline.schema import DocFormat
from pipeline.supabase_db import get_field_values
from services.accounts.person import Person, name_of
from services.context import Context
from services.duplicates import waits
from services.entries.change import edit_record
from services.entries.detail import (
    EntryName,
    FieldView,
    SubmissionDetail,
    read_fields,
    replacement_of,
    submission_detail,
)
from services.keyset import RowPage, fetch_page
from services.messages.entries import Refused
from services.pages import page_image, page_views_of
from services.seasons import current_season

PAGE_SIZE = 50


@dataclass(frozen=True)
class SubmissionOfPair:
    """One of the two entries, as the list shows it."""

    id: uuid.UUID
    student_name: str | None
    school_name: str | None
    grade: str | None
    status: str
    created_at: datetime


@dataclass(frozen=True)
class PairRow:
    id: uuid.UUID
    version: int
    first: SubmissionOfPair
    second: SubmissionOfPair
    strength: str
    likenesses: list[str]
    #: Likeness of the essays (0-1); None if they cannot be compared.
    essay: float | None
    created_at: datetime


def list_pairs(context: Context, cursor: str | None = None, limit: int = PAGE_SIZE) -> RowPage[PairRow]:
    """Return one page of the current season's pairs. Raises InvalidInputError for a bad cursor."""
    first, second = aliased(Submission), aliased(Submission)
    query = (
        select(DuplicatePair.id, DuplicatePair.created_at, DuplicatePair, first, second)
        .join(first, first.id == DuplicatePair.first_id)
        .join(second, second.id == DuplicatePair.second_id)
    )
    with context.database.session() as session:
        query = query.where(waits_now(session))
        rows, after, before = fetch_page(
            session, query, DuplicatePair.created_at, DuplicatePair.id, cursor, limit, newest_first=False
        )
    return RowPage([_row(*row[2:]) for row in rows], after, before)


def next_pair(context: Context, after: uuid.UUID | None = None) -> uuid.UUID | None:
    """Return the pair that waits longest, except the given one; None if none waits."""
    query = select(DuplicatePair.id).order_by(DuplicatePair.created_at, DuplicatePair.id).limit(1)
    with context.database.session() as session:
        query = query.where(waits_now(session))
        return session.scalar(query if after is None else query.where(DuplicatePair.id != after))


def waits_now(session: Session) -> ColumnElement[bool]:
    """Return the condition that a pair of the current season waits for a person."""
    return (DuplicatePair.season_id == current_season(session).id) & waits()


def _row(pair: DuplicatePair, first: Submission, second: Submission) -> PairRow:
    return built(PairRow, pair, first=_entry(first), second=_entry(second), likenesses=list(pair.likenesses))


def _entry(one: Submission) -> SubmissionOfPair:
    return built(SubmissionOfPair, one)


# Which values of two entries a person has to look at before one of the two may be dropped.
#
# The form fields or the text of a PDF may be equal on two pages that show two children: filled-in forms that were
# merged share fields of the same name. If only such values are equal and the pages differ, dropping either entry
# may lose a child's.


#: Fields that distinguish entries.
TELLING = ("student_name", "school_name", "grade", "essay_text")
#: Those of them that a person must give: whose entry it is, and what the child wrote.
_ASKED = ("student_name", "essay_text")
#: Sources that are not the picture of the page.
_BELIEVED = (Source.ACROFORM.value, Source.TEXT_LAYER.value)
#: Most pages that are compared with the other entry's, and the width in pixels at which the viewer draws them.
_PAGES, _WIDTH = 4, 800


@dataclass(frozen=True)
class _Entry:
    """The parts of an entry that are compared."""

    upload_id: uuid.UUID
    pages: list[int]
    is_drawn: bool
    reason_codes: list[str]
    fields: dict[str, FieldView]

    def value(self, name: str) -> str:
        view = self.fields.get(name)
        return squeezed((view.value if view else None) or "")

    @property
    def is_believed(self) -> bool:
        """Whether a value comes from the file's data, not from recognition of its page."""
        return any(view.value and view.source in _BELIEVED for view in self.fields.values())

    def is_decided(self, name: str) -> bool:
        view = self.fields.get(name)
        return view is not None and view.decided_at is not None


def values_first(context: Context, first_id: uuid.UUID, second_id: uuid.UUID) -> tuple[str, ...]:
    """Return the fields that a person has to give or confirm in both entries before one may be dropped.

    Empty if the values differ, if those of one entry were recognised from the pictures of its pages, if the pages
    look the same, and once people have decided on the values. Raises BusyError.
    """
    with context.database.reading() as session:
        return _values_first(context, *(_first_values(session, found) for found in (first_id, second_id)))


def _values_first(context: Context, one: _Entry, other: _Entry) -> tuple[str, ...]:
    asked = _open(one, other)
    if not asked or not one.pages or not other.pages:
        return ()
    if any(ReasonCode.NOT_AS_SHOWN in entry.reason_codes for entry in (one, other)):
        return asked
    # The pictures of an entry that was recognised from them show its values, as in a scan of a form that also came
    # as a file.
    believed = one.is_believed and other.is_believed
    return asked if believed and _pages_differ(context, one, other) else ()


def require_values(context: Context, first_id: uuid.UUID, second_id: uuid.UUID) -> None:
    """Raise InvalidInputError if values have to be given first; BusyError."""
    if values_first(context, first_id, second_id):
        raise InvalidInputError(Refused.VALUES_FIRST)


@dataclass(frozen=True)
class SideDecision:
    """The values that a person gives for one of the two entries, at the version that they saw."""

    version: int
    student_name: str = ""
    #: Whether the essay that was read is the one on its pages.
    is_its_essay: bool = False


def give_values(
    context: Context, actor_id: uuid.UUID, pair_id: uuid.UUID, given: tuple[SideDecision, SideDecision]
) -> None:
    """Write the values given for the two entries of a pair; empty ones stay open.

    Raises NotFoundError, InvalidInputError without any value, and what `edit_record` raises; then the second
    entry, or both, are unchanged.
    """
    with context.database.session() as session:
        pair = existing(session.get(DuplicatePair, pair_id), "no such pair")
        ids = (pair.first_id, pair.second_id)
        values = [_values(session, found, one) for found, one in zip(ids, given, strict=True)]
    if not any(values):
        raise InvalidInputError(Refused.NO_VALUE)
    for found, one, typed in zip(ids, given, values, strict=True):
        if typed:
            edit_record(context, actor_id, found, one.version, typed)


def _values(session: Session, submission_id: uuid.UUID, given: SideDecision) -> dict[str, str | None]:
    values: dict[str, str | None] = {}
    if name := given.student_name.strip():
        values["student_name"] = name
    if given.is_its_essay:
        values |= get_field_values(session, submission_id, ["essay_text"])
    return values


def _first_values(session: Session, submission_id: uuid.UUID) -> _Entry:
    submission = session.get_one(Submission, submission_id)
    return _Entry(
        submission.upload_id,
        [page.number for page in page_views_of(session, submission)],
        submission.doc_format == DocFormat.NATIVE_TEXT,
        list(submission.review_reason_codes),
        {view.name: view for view in read_fields(session, submission_id).views if view.name in TELLING},
    )


def _shown_values(entry: SubmissionDetail) -> _Entry:
    return _Entry(
        entry.document.upload_id,
        [page.number for page in entry.document.pages],
        entry.doc_format == DocFormat.NATIVE_TEXT,
        entry.reason_codes,
        {view.name: view for view in entry.fields if view.name in TELLING},
    )


def _open(one: _Entry, other: _Entry) -> tuple[str, ...]:
    """Return the fields asked for that are the same in both and that people have not decided on in both."""
    both = {name: one.is_decided(name) and other.is_decided(name) for name in TELLING}
    same = {name: one.value(name) == other.value(name) for name in TELLING}
    if not all(same[name] or (both[name] and name == "student_name") for name in TELLING):
        return ()
    if not (one.is_believed or other.is_believed):
        return ()
    return tuple(name for name in _ASKED if same[name] and one.value(name) and not both[name])


def _pages_differ(context: Context, one: _Entry, other: _Entry) -> bool:
    if len(one.pages) != len(other.pages):
        return True
    alike = same_drawing if one.is_drawn and other.is_drawn else _is_one_sheet
    try:
        return not all(
            alike(left, right)
            for left, right in zip(_pictures(context, one), _pictures(context, other), strict=True)
        )
    except BusyError:
        raise
    except AppError:
        # A page that cannot be drawn counts as different.
        return True


def _pictures(context: Context, entry: _Entry) -> Sequence[Image.Image]:
    drawn = (page_image(context, entry.upload_id, number, _WIDTH) for number in entry.pages[:_PAGES])
    return [Image.open(io.BytesIO(picture), formats=["WEBP"]) for picture in drawn]


def _is_one_sheet(left: Image.Image, right: Image.Image) -> bool:
    one, other = fingerprint(left), fingerprint(right)
    if one is None or other is None:
        return one is other
    return same_sheet(one, other)


@dataclass(frozen=True)
class FieldOfBoth:
    """One field of both entries."""

    name: str
    first: str | None
    second: str | None
    #: Whether they differ in more than spaces, accents and capitals.
    differs: bool
    #: Whether people have decided on the value of the first.
    first_decided: bool
    second_decided: bool


@dataclass(frozen=True)
class PairDetail:
    id: uuid.UUID
    version: int
    first: SubmissionDetail
    second: SubmissionDetail
    strength: str
    likenesses: list[str]
    essay: float | None
    created_at: datetime
    #: Whether a person still has to decide.
    waits: bool
    decision: str | None
    decided_by: str | None
    decided_at: datetime | None
    fields: list[FieldOfBoth]
    #: Long texts of both, by field.
    texts: list[FieldOfBoth]
    #: Whether they are a form without its essay and an essay without its form.
    halves: bool
    #: Whether exactly one of them has an essay, so that they can be joined.
    joins: bool
    #: The entry that they were joined into; None before it is there.
    joined: EntryName | None
    #: Fields that a person has to give in both before one may be dropped, because the pages look different.
    values_first: tuple[str, ...]
    #: Whether people have given the two entries two names.
    two_names: bool


def pair_detail(context: Context, person: Person, pair_id: uuid.UUID) -> PairDetail:
    """Return one pair. Raises NotFoundError if it does not exist or this person may not see both entries."""
    with context.database.reading() as session:
        row = session.execute(
            select(DuplicatePair, name_of(Profile).label("who"), waits().label("waits"))
            .outerjoin(Profile, Profile.id == DuplicatePair.decided_by)
            .where(DuplicatePair.id == pair_id)
        ).one_or_none()
        if row is None:
            raise NotFoundError("no such pair")
        pair: DuplicatePair = row[0]
        split = replacement_of(session, pair.first_id) if pair.decision == PairDecision.JOIN else None
    first = submission_detail(context, person, pair.first_id)
    second = submission_detail(context, person, pair.second_id)
    both = compared_fields(first.fields, second.fields)
    return built(
        PairDetail,
        pair,
        first=first,
        second=second,
        likenesses=list(pair.likenesses),
        waits=row.waits,
        decided_by=row.who if pair.decision else None,
        fields=[field for field in both if field.name not in text_fields()],
        texts=[field for field in both if field.name in text_fields()],
        halves=Likeness.HALVES.value in pair.likenesses,
        joins=any((field.first is None) != (field.second is None) for field in both if field.name == "essay_text"),
        joined=split.made[0] if split and split.made else None,
        values_first=_values_first(context, _shown_values(first), _shown_values(second)) if row.waits else (),
        two_names=any(_are_two(field) for field in both if field.name == "student_name"),
    )


def _are_two(name: FieldOfBoth) -> bool:
    """Whether people have given the entries the names of two children."""
    return name.first_decided and name.second_decided and name_evidence(name.first, name.second) < 0


def compared_fields(first: list[FieldView], second: list[FieldView]) -> list[FieldOfBoth]:
    """Return the fields of both that have a value in one of them, in the order of the first."""
    left, right = ({field.name: field for field in fields} for fields in (first, second))
    names = [name for name in dict.fromkeys((*left, *right)) if name not in derived_fields()]
    found = (_both(name, left.get(name), right.get(name)) for name in names)
    return [field for field in found if field.first or field.second]


def _both(name: str, one: FieldView | None, other: FieldView | None) -> FieldOfBoth:
    values = [None if view is None else view.value for view in (one, other)]
    decided = [view is not None and view.decided_at is not None for view in (one, other)]
    differs = squeezed(values[0] or "") != squeezed(values[1] or "")
    return FieldOfBoth(name, values[0], values[1], differs, decided[0], decided[1])
