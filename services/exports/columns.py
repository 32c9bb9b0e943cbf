"""The columns of exports, by key: what is known of an entry, and the fields that `fields.toml` declares."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import InvalidInputError
from core.labels import LabelledEnum
from pipeline.profiles.declared import declared_fields
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
    CHARACTERS = "characters", "Characters of the essay"


#: Of a list of certificates: what is printed on one.
CERTIFICATE_COLUMNS = ("id", "student_name", "school_name", "grade", "teacher_name")


def known_columns() -> tuple[str, ...]:
    """Return every key, in the order in which files have them unless somebody chose another."""
    own = tuple(SubmissionColumn)
    return (own[0].value, *declared_fields(), *(column.value for column in own[1:]))


def checked_columns(chosen: Sequence[str]) -> tuple[str, ...]:
    """Return the chosen columns once each, all of them for none. Raises InvalidInputError for an unknown one."""
    known = known_columns()
    if unknown := sorted(set(chosen) - set(known)):
        raise InvalidInputError(ExportRefused.COLUMN_UNKNOWN, names=unknown)
    return tuple(dict.fromkeys(chosen)) or known
