"""Which values of two entries a person has to look at before one of the two may be dropped.

What a PDF says of itself, in its fields or its text, may be the same on two pages that show two children: forms
that were filled in and then merged share the fields of one name. Where only such values are the same and the pages
are not, whichever entry is dropped may be a child.
"""

from __future__ import annotations

import io
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image
from sqlalchemy.orm import Session

from core.errors import AppError, BusyError, InvalidInputError, NotFoundError
from core.models import DuplicatePair, Submission
from pipeline.duplicates.picture import fingerprint, same_drawing, same_sheet
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Source
from pipeline.reason_codes import ReasonCode
from pipeline.schema import DocFormat
from pipeline.supabase_db import get_field_values
from services.context import Context
from services.entries.edit_record import edit_record
from services.entries.submission_detail import FieldView, fields_of
from services.messages.refused import Refused
from services.pages.document_pages import pages_of
from services.pages.page_image import page_image

#: Fields that tell one entry from another.
TELLING = ("student_name", "school_name", "grade", "essay_text")
#: Those of them that are asked for: whose entry it is, and what the child wrote.
_ASKED = ("student_name", "essay_text")
#: Sources that are not the picture of the page.
_BELIEVED = (Source.ACROFORM.value, Source.TEXT_LAYER.value)
#: Pages of an entry that are held against the other's, and the width in pixels at which the viewer draws them.
_PAGES, _WIDTH = 4, 800


@dataclass(frozen=True)
class _Entry:
    """What of an entry is compared."""

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
        """Whether a value is what the file says, not what was recognised on its page."""
        return any(view.value and view.source in _BELIEVED for view in self.fields.values())

    def is_decided(self, name: str) -> bool:
        view = self.fields.get(name)
        return view is not None and view.decided_at is not None


def values_first(context: Context, first_id: uuid.UUID, second_id: uuid.UUID) -> tuple[str, ...]:
    """Return the fields that a person has to give or confirm in both entries before one may be dropped.

    Empty where the values differ, where those of one entry were recognised from the pictures of its pages, where
    the pages look the same, and once people have decided on the values. Raises BusyError.
    """
    with context.database.session() as session:
        one, other = (_entry(session, found) for found in (first_id, second_id))
    asked = _open(one, other)
    if not asked or not one.pages or not other.pages:
        return ()
    if _shows_otherwise(one, other):
        return asked
    # An entry that was recognised from its pictures shows the values that it has: a scan of a form that came as a
    # file too.
    believed = one.is_believed and other.is_believed
    return asked if believed and _pages_differ(context, one, other) else ()


def require_values(context: Context, first_id: uuid.UUID, second_id: uuid.UUID) -> None:
    """Raise InvalidInputError while there are such values; BusyError."""
    if values_first(context, first_id, second_id):
        raise InvalidInputError(Refused.VALUES_FIRST)


@dataclass(frozen=True)
class Given:
    """What a person says of one of the two entries, at the version that they saw."""

    version: int
    student_name: str = ""
    #: Whether the essay that was read is the one on its pages.
    is_its_essay: bool = False


def give_values(context: Context, actor_id: uuid.UUID, pair_id: uuid.UUID, given: tuple[Given, Given]) -> None:
    """Write what was given of the two entries of a pair; what was left empty stays open.

    Raises NotFoundError, InvalidInputError without any value, and what `edit_record` raises; then the second
    entry, or both, are as they were.
    """
    with context.database.session() as session:
        pair = session.get(DuplicatePair, pair_id)
        if pair is None:
            raise NotFoundError("no such pair")
        ids = (pair.first_id, pair.second_id)
        values = [_values(session, found, one) for found, one in zip(ids, given, strict=True)]
    if not any(values):
        raise InvalidInputError(Refused.NO_VALUE)
    for found, one, said in zip(ids, given, values, strict=True):
        if said:
            edit_record(context, actor_id, found, one.version, said)


def _values(session: Session, submission_id: uuid.UUID, given: Given) -> dict[str, str | None]:
    values: dict[str, str | None] = {}
    if name := given.student_name.strip():
        values["student_name"] = name
    if given.is_its_essay:
        values |= get_field_values(session, submission_id, ["essay_text"])
    return values


def _entry(session: Session, submission_id: uuid.UUID) -> _Entry:
    submission = session.get_one(Submission, submission_id)
    return _Entry(
        submission.upload_id,
        [page.number for page in pages_of(session, submission)],
        submission.doc_format == DocFormat.NATIVE_TEXT,
        list(submission.review_reason_codes),
        {view.name: view for view in fields_of(session, submission_id) if view.name in TELLING},
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


def _shows_otherwise(one: _Entry, other: _Entry) -> bool:
    """Whether reading either entry has found a value that its page does not show."""
    return any(ReasonCode.NOT_AS_SHOWN in entry.reason_codes for entry in (one, other))


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
        # A page that cannot be drawn cannot be compared.
        return True


def _pictures(context: Context, entry: _Entry) -> Sequence[Image.Image]:
    drawn = (page_image(context, entry.upload_id, number, _WIDTH) for number in entry.pages[:_PAGES])
    return [Image.open(io.BytesIO(picture), formats=["WEBP"]) for picture in drawn]


def _is_one_sheet(left: Image.Image, right: Image.Image) -> bool:
    one, other = fingerprint(left), fingerprint(right)
    if one is None or other is None:
        return one is other
    return same_sheet(one, other)
