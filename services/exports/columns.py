"""The columns of exports, by key: what is known of an entry, and the fields that `fields.toml` declares."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import InvalidInputError
from core.labels import LabelledEnum
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import declared_fields, fields_of_kind
from services.messages.export import ExportRefused


class SubmissionColumn(LabelledEnum):
    """What is known of an entry beside the values of its fields."""

    ID = "id", "Entry"
    STATUS = "status", "Status"
    NEEDS_REVIEW = "needs_review", "Needs a person"
    REASONS = "reasons", "Reasons"
    MISSING = "missing", "Missing fields"
    CONFIDENCE = "confidence", "Confidence"
    FILE = "file", "File"
    PAGES = "pages", "Pages"
    BATCH = "batch", "Upload"
    FORM = "form", "Form"
    LANGUAGE = "language", "Language"
    RECEIVED = "received", "Received"
    RECEIVED_ON = "received_on", "Date received"
    LATE = "late", "Late"
    LISTED_SCHOOL = "listed_school", "School on the list"
    CHARACTERS = "characters", "Characters in the essay"


_LISTED = SubmissionColumn.LISTED_SCHOOL.value
#: Of a list of certificates: what is printed on one.
CERTIFICATE_COLUMNS = ("id", "student_name", "school_name", "grade", "teacher_name")


def known_columns() -> tuple[str, ...]:
    """Return every key, in the order in which files have them unless somebody chose another."""
    own = tuple(SubmissionColumn)
    schools = fields_of_kind(FieldKind.SCHOOL)
    # The school on the list stands beside the one that was read.
    fields = [key for name in declared_fields() for key in (name, *([_LISTED] if name in schools[:1] else []))]
    return (own[0].value, *fields, *(column.value for column in own[1:] if column.value not in fields))


def checked_columns(chosen: Sequence[str]) -> tuple[str, ...]:
    """Return the chosen columns once each, all of them for none. Raises InvalidInputError for an unknown one."""
    known = known_columns()
    if unknown := sorted(set(chosen) - set(known)):
        raise InvalidInputError(ExportRefused.COLUMN_UNKNOWN, names=unknown)
    return tuple(dict.fromkeys(chosen)) or known
