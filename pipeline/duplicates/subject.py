"""What two entries are compared by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.duplicates.picture import Fingerprint
from pipeline.schema import SubmissionRecord


@dataclass(frozen=True, slots=True)
class Subject:
    """One entry, as read or as a person corrected it."""

    student_name: str | None = None
    school_name: str | None = None
    grade: str | None = None
    essay: str | None = None
    #: Of its pages in their order; empty where they have no picture.
    pages: tuple[Fingerprint, ...] = ()


def subject_of(record: SubmissionRecord, pages: tuple[Fingerprint, ...] = ()) -> Subject:
    """Return what an entry is compared by."""
    return Subject(record.student_name, record.school_name, record.grade, record.essay_text, pages)


def subject_from(values: Mapping[str, str | None], pages: tuple[Fingerprint, ...] = ()) -> Subject:
    """Return the same of stored values by the names of their fields."""
    return Subject(
        values.get("student_name"), values.get("school_name"), values.get("grade"), values.get("essay_text"), pages
    )
